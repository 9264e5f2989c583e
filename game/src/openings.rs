//! Names of openings.
//!
//! Names and moves of openings are facts. These are the common English names of the handbooks,
//! written down by hand for this program; moves are in algebraic notation.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::OnceLock;

use tamarin_movegen::Position;

/// Moves from the start position, and the name of what they lead to.
fn openings() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("openings.tsv").lines().filter_map(|line| line.split_once('\t'))
}

/// The twelve commonest first four plies of games between people, and their names. The built-in
/// book of the engine answers them; `game/book/README.md` names the counts.
pub const COMMONEST: [(&str, &str); 12] = [
    ("e4 c5 Nf3 d6", "Sicilian Defense"),
    ("e4 c5 Nf3 Nc6", "Sicilian Defense, Old Sicilian"),
    ("e4 c5 Nf3 e6", "Sicilian Defense, French Variation"),
    ("e4 e5 Nf3 Nc6", "King's Knight Opening"),
    ("e4 e5 Nf3 Nf6", "Petrov's Defense"),
    ("e4 e6 d4 d5", "French Defense"),
    ("e4 c6 d4 d5", "Caro-Kann Defense"),
    ("d4 Nf6 c4 e6", "Indian Defense"),
    ("d4 Nf6 c4 g6", "King's Indian or Grünfeld Defense"),
    ("d4 Nf6 Nf3 e6", "Indian Defense"),
    ("d4 d5 c4 e6", "Queen's Gambit Declined"),
    ("d4 d5 c4 c6", "Slav Defense"),
];

/// The longest line of the list, in plies.
const MAX_PLIES: usize = 24;

/// Names by the key of the position.
fn names() -> &'static HashMap<u64, &'static str> {
    static NAMES: OnceLock<HashMap<u64, &'static str>> = OnceLock::new();
    NAMES.get_or_init(|| openings().filter_map(|(line, name)| Some((key(line)?, name))).collect())
}

/// The key of the position after a line; `None` if a move of it is illegal.
fn key(line: &str) -> Option<u64> {
    let mut position = Position::startpos();
    for san in line.split_whitespace() {
        let mv = position.parse_san(san).ok()?;
        position.make(mv);
    }
    Some(position.key())
}

/// How many lines of the list of at least `least_plies` plies lead through a position, also by
/// transposition: about how many openings with a name can still come of it.
pub fn lines_through(position: &Position, least_plies: usize) -> usize {
    static LENGTHS: OnceLock<HashMap<u64, Vec<usize>>> = OnceLock::new();
    let lengths = LENGTHS.get_or_init(|| {
        let mut lengths: HashMap<u64, Vec<usize>> = HashMap::new();
        for (line, _) in openings() {
            let moves: Vec<&str> = line.split_whitespace().collect();
            let keys = (0..=moves.len()).filter_map(|plies| key(&moves[..plies].join(" ")));
            keys.for_each(|key| lengths.entry(key).or_default().push(moves.len()));
        }
        lengths
    });
    let found = lengths.get(&position.key()).map_or(&[][..], Vec::as_slice);
    found.iter().filter(|&&plies| plies >= least_plies).count()
}

/// The name of an opening from the positions of a game in their order: that of the last position
/// that has one, so that transpositions are found.
///
/// ```
/// use tamarin_movegen::Position;
/// let mut position = Position::startpos();
/// let mut positions = vec![position.clone()];
/// for san in ["e4", "c5", "a3"] {
///     let mv = position.parse_san(san).expect("a legal move");
///     position.make(mv);
///     positions.push(position.clone());
/// }
/// assert_eq!(tamarin_game::openings::name(&positions), Some("Sicilian Defense"));
/// ```
pub fn name(positions: impl IntoIterator<Item = impl Borrow<Position>>) -> Option<&'static str> {
    let early = positions.into_iter().take(MAX_PLIES + 1);
    early.filter_map(|position| names().get(&position.borrow().key()).copied()).last()
}

#[cfg(test)]
mod tests {
    use super::{COMMONEST, MAX_PLIES, key, lines_through, name, names, openings};
    use tamarin_movegen::Position;

    fn after(line: &str) -> Position {
        let mut position = Position::startpos();
        for san in line.split_whitespace() {
            position.make(position.parse_san(san).unwrap());
        }
        position
    }

    fn named(line: &str) -> Option<&'static str> {
        let mut positions = vec![Position::startpos()];
        for san in line.split_whitespace() {
            let mut position = positions.last().unwrap().clone();
            let mv = position.parse_san(san).unwrap();
            position.make(mv);
            positions.push(position);
        }
        name(&positions)
    }

    #[test]
    fn every_line_is_legal_and_has_its_name() {
        assert!(openings().count() >= 60);
        for (line, wanted) in openings() {
            assert!(key(line).is_some(), "{line}");
            assert!(line.split_whitespace().count() <= MAX_PLIES, "{line}");
            assert_eq!(named(line), Some(wanted), "{line}");
        }
        // Two lines of one position agree about its name.
        for (line, wanted) in openings() {
            assert_eq!(names()[&key(line).unwrap()], wanted, "{line}");
        }
    }

    #[test]
    fn the_commonest_openings_have_names_and_ways_on() {
        for (line, wanted) in COMMONEST {
            assert_eq!(named(line), Some(wanted), "{line}");
            let position = after(line);
            let moves = position.legal_moves();
            let is_way = |mv| {
                let mut next = position.clone();
                next.make(mv);
                lines_through(&next, 5) > 0
            };
            let ways = moves.iter().filter(|&&mv| is_way(mv)).count();
            assert!(ways >= 2, "{line}: {ways}");
        }
    }

    #[test]
    fn lines_lead_through_positions() {
        assert_eq!(lines_through(&after("e4 e5 f4"), 4), 3);
        assert_eq!(lines_through(&after("e4 e5 f4 exf4"), 5), 0);
        // By transposition: the Queen's Indian Defense and its neighbors.
        let indian = lines_through(&after("d4 Nf6 c4 e6 Nf3"), 5);
        assert_eq!(lines_through(&after("Nf3 Nf6 c4 e6 d4"), 5), indian);
        assert!(indian >= 2 && lines_through(&after("e4 c5 a3"), 0) == 0);
    }

    #[test]
    fn the_last_name_holds_and_transpositions_are_found() {
        assert_eq!(named(""), None);
        assert_eq!(named("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 h6"), Some("Ruy Lopez, Morphy Defense"));
        assert_eq!(named("Nf3 Nf6 c4 e6 d4 b6"), Some("Queen's Indian Defense"));
        assert_eq!(named("a3 a6"), None);
    }
}
