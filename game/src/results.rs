//! The results of people against the engine, and the rating that they speak for.

use std::io;
use std::path::Path;

use tamarin_base::counted;
use tamarin_base::files::{read_own, write_own};

/// No such file is larger.
const MAX_MEBIBYTES: u64 = 16;

/// The first line of the file, with the version of what follows.
const HEADER: &str = "tamarin results 1";

/// The name of the file in the folder of saved games.
const FILE_NAME: &str = "results.txt";

/// The rating is that of so many last games.
const RATED: usize = 50;

/// A game of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub person: String,
    /// Of the engine.
    pub rating: u16,
    /// Of the person: 2 for a win, 1 for a draw.
    pub half_points: u8,
}

/// All games in this folder, the last one last.
///
/// # Errors
/// If the file cannot be read, or is not what was written here.
pub fn read(folder: &Path) -> io::Result<Vec<Played>> {
    let bytes = match read_own(&folder.join(FILE_NAME), MAX_MEBIBYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        bytes => bytes?,
    };
    let games = String::from_utf8(bytes).ok().and_then(|text| {
        let rest = text.strip_prefix(HEADER)?.strip_prefix('\n')?;
        rest.lines().map(line).collect()
    });
    let what = "is not what this program writes; move the file away to begin anew";
    games.ok_or_else(|| io::Error::other(format!("{FILE_NAME} {what}")))
}

/// `1 1500 Ann`: half points, rating, name.
fn line(text: &str) -> Option<Played> {
    let (half_points, rest) = text.split_once(' ')?;
    let (rating, person) = rest.split_once(' ')?;
    let half_points = half_points.parse().ok().filter(|points| *points <= 2)?;
    Some(Played { person: person.to_owned(), rating: rating.parse().ok()?, half_points })
}

/// Adds a game to those in this folder.
///
/// # Errors
/// If the file cannot be written, or has become something else. It stays as it is.
pub fn add(folder: &Path, mut game: Played) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    game.person.retain(|letter| !letter.is_control());
    let mut text = format!("{HEADER}\n");
    for Played { person, rating, half_points } in read(folder)?.iter().chain([&game]) {
        text += &format!("{half_points} {rating} {person}\n");
    }
    write_own(&folder.join(FILE_NAME), text.as_bytes())
}

/// The rating at which the expected score is that of these games, with a draw against their mean
/// added, so that there always is one.
///
/// Source: the logistic curve of Elo ratings.
fn rating(games: &[&Played]) -> u32 {
    let count = games.len() as f64;
    let mean = games.iter().map(|game| f64::from(game.rating)).sum::<f64>() / count.max(1.0);
    let points = games.iter().map(|game| f64::from(game.half_points) / 2.0).sum::<f64>() + 0.5;
    let expected = |own: f64| {
        let ratings = games.iter().map(|game| f64::from(game.rating)).chain([mean]);
        ratings.map(|other| 1.0 / (1.0 + 10_f64.powf((other - own) / 400.0))).sum::<f64>()
    };
    let (mut low, mut high) = (0.0, 4000.0);
    for _ in 0..30 {
        let middle = f64::midpoint(low, high);
        if expected(middle) < points { low = middle } else { high = middle }
    }
    low.round() as u32
}

/// A line for each person.
pub fn table(games: &[Played]) -> Vec<String> {
    let mut people: Vec<&str> = games.iter().map(|game| game.person.as_str()).collect();
    people.sort_unstable();
    people.dedup();
    let line = |person: &&str| {
        let own: Vec<&Played> = games.iter().filter(|game| game.person == *person).collect();
        let of = |points| own.iter().filter(|game| game.half_points == points).count();
        let last = &own[own.len().saturating_sub(RATED)..];
        let (count, rating) = (counted(own.len() as u64, "game", "games"), rating(last));
        let (won, drawn, lost) = (of(2), of(1), of(0));
        format!("{person}: {count}, {won} won, {drawn} drawn, {lost} lost; rating about {rating}")
    };
    people.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{FILE_NAME, Played, add, read, table};
    use std::fs;

    fn game(person: &str, rating: u16, half_points: u8) -> Played {
        Played { person: person.to_owned(), rating, half_points }
    }

    #[test]
    fn results_are_kept_and_rated_as_elo_ratings_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        assert_eq!(read(&path).unwrap(), []);
        let games = [game("Ann B.", 1500, 2), game("Bob", 800, 0), game("Ann B.", 1500, 0)];
        games.iter().for_each(|one| add(&path, one.clone()).unwrap());
        assert_eq!(read(&path).unwrap(), games);
        assert_eq!(
            table(&games),
            [
                "Ann B.: 2 games, 1 won, 0 drawn, 1 lost; rating about 1500",
                // A quarter of the points: 191 below.
                "Bob: 1 game, 0 won, 0 drawn, 1 lost; rating about 609",
            ]
        );
        for wrong in ["", "tamarin results 2\n", "tamarin results 1\n3 1500 Ann\n"] {
            fs::write(path.join(FILE_NAME), wrong).unwrap();
            assert!(add(&path, games[0].clone()).is_err(), "{wrong:?}");
            assert_eq!(fs::read_to_string(path.join(FILE_NAME)).unwrap(), wrong);
        }
    }
}
