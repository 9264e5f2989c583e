//! Tables of a contest.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::{Value, json};
use tamarin_variant::Color;

/// A line of a table: what it is about, in so many columns, and cells to the right in theirs.
pub(super) fn table_line(
    heading: &str,
    width: usize,
    cells: impl IntoIterator<Item = (String, usize)>,
) -> String {
    let cells = cells.into_iter().map(|(cell, width)| format!(" {cell:>width$}"));
    format!("{heading:<width$}{}\n", cells.collect::<String>())
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Tally {
    fn add(&mut self, winner: Option<Color>, own: Color) {
        match winner {
            None => self.draws += 1,
            Some(winner) if winner == own => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }

    /// The points of the others.
    const fn reversed(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }

    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The share of the points, and its standard error.
    fn score(self) -> (f64, f64) {
        let games = f64::from(self.games()).max(1.0);
        let mean = self.points() / games;
        let part = |count: u32, points: f64| f64::from(count) * (points - mean).powi(2);
        let variance =
            (part(self.wins, 1.0) + part(self.draws, 0.5) + part(self.losses, 0.0)) / games;
        (mean, (variance / games).sqrt())
    }

    /// The difference in Elo and half of its 95 % interval, both without meaning if all points or
    /// none were won.
    fn elo(self) -> Option<(f64, f64)> {
        let (mean, error) = self.score();
        // An even score has the Elo 0.0, not -0.0.
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10() + 0.0;
        let half = (elo(mean + 1.96 * error) - elo(mean - 1.96 * error)) / 2.0;
        (mean > 0.0 && mean < 1.0).then(|| (elo(mean), half))
    }
}

/// Players by their full names, not by what tables call them, and the games between them.
struct Pair {
    players: [String; 2],
    /// By game, in the order of the first ones, what the first player has done.
    games: Vec<(String, Tally)>,
}

/// The points of everybody who has played.
#[derive(Default)]
pub(super) struct Standings {
    /// In the order of the first games.
    labels: Vec<String>,
    games: Vec<String>,
    tallies: BTreeMap<(String, String), Tally>,
    pairs: Vec<Pair>,
    json: Vec<Value>,
}

impl Standings {
    pub(super) fn add(
        &mut self,
        labels: &[String; 2],
        game_name: &str,
        winner: Option<Color>,
        json: Value,
    ) {
        if !self.games.iter().any(|game| game == game_name) {
            self.games.push(game_name.to_owned());
        }
        for (label, own) in labels.iter().zip(Color::ALL) {
            if !self.labels.contains(label) {
                self.labels.push(label.clone());
            }
            let key = (label.clone(), game_name.to_owned());
            self.tallies.entry(key).or_default().add(winner, own);
        }
        self.json.push(json);
    }

    /// Adds a game to the table of pairs; players and colors may be exchanged.
    pub(super) fn add_pair(
        &mut self,
        players: &[String; 2],
        game_name: &str,
        winner: Option<Color>,
    ) {
        let [white, black] = players;
        let is_same = |pair: &Pair| pair.players == *players || pair.players == [&**black, white];
        let index = self.pairs.iter().position(is_same).unwrap_or(self.pairs.len());
        if index == self.pairs.len() {
            self.pairs.push(Pair { players: players.clone(), games: Vec::new() });
        }
        let Pair { players: [first, _], games } = &mut self.pairs[index];
        let own = if players[0] == *first { Color::White } else { Color::Black };
        let index = games.iter().position(|(game, _)| game == game_name).unwrap_or(games.len());
        if index == games.len() {
            games.push((game_name.to_owned(), Tally::default()));
        }
        games[index].1.add(winner, own);
    }

    /// The points of each pair in each game, `2.5-1.5`.
    pub(super) fn pairs_text(&self) -> String {
        let names: Vec<String> = self.pairs.iter().map(|pair| pair.players.join(" - ")).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let heads = self.games.iter().map(|game| (game.clone(), 13));
        let mut text = table_line("pair", width, heads);
        for (name, pair) in names.iter().zip(&self.pairs) {
            let points = self.games.iter().map(|game| {
                let found = pair.games.iter().find(|(played, _)| played == game);
                let points =
                    |tally: Tally| format!("{}-{}", tally.points(), tally.reversed().points());
                (found.map_or_else(|| "-".to_owned(), |&(_, tally)| points(tally)), 13)
            });
            text += &table_line(name, width, points);
        }
        text
    }

    fn tally(&self, label: &str, game: Option<&str>) -> Tally {
        let own = self
            .tallies
            .iter()
            .filter(|((name, played), _)| name == label && game.is_none_or(|game| game == played));
        own.fold(Tally::default(), |sum, (_, tally)| Tally {
            wins: sum.wins + tally.wins,
            draws: sum.draws + tally.draws,
            losses: sum.losses + tally.losses,
        })
    }

    /// All in order of their points, then the points in each game.
    pub(super) fn text(&self) -> String {
        let mut rows: Vec<(&str, Tally)> =
            self.labels.iter().map(|label| (label.as_str(), self.tally(label, None))).collect();
        rows.sort_by(|a, b| b.1.score().0.total_cmp(&a.1.score().0));
        let width = self.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).max(9);
        let line = |label: &str, cells: [&dyn Display; 6], elo: &str| {
            let cells = cells.into_iter().map(ToString::to_string).zip([5, 5, 5, 5, 7, 6]);
            table_line(label, width, cells.chain([(format!(" {elo}"), 0)]))
        };
        let heads: [&dyn Display; 6] = [&"games", &"won", &"drawn", &"lost", &"points", &"%"];
        let mut text = line("evaluator", heads, "Elo (95 %)");
        for (label, tally) in &rows {
            let elo = match tally.elo() {
                Some((elo, error)) => format!("{elo:+.0} +- {error:.0}"),
                None => "-".to_owned(),
            };
            let Tally { wins, draws, losses } = tally;
            let points = format!("{:.1}", tally.points());
            let percent = format!("{:.1}", tally.score().0 * 100.0);
            let cells: [&dyn Display; 6] = [&tally.games(), wins, draws, losses, &points, &percent];
            text += &line(label, cells, &elo);
        }
        if self.games.len() > 1 {
            let games = self.games.iter().map(|game| (game.clone(), 13));
            text += &format!("\n{}", table_line("points in", width, games));
            for (label, _) in &rows {
                let points = self.games.iter().map(|game| {
                    let tally = self.tally(label, Some(game));
                    (format!("{:.1}/{}", tally.points(), tally.games()), 13)
                });
                text += &table_line(label, width, points);
            }
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let row = |label: &String| {
            let tally = self.tally(label, None);
            let (elo, error) = tally.elo().unzip();
            json!({
                "evaluator": label, "games": tally.games(), "won": tally.wins,
                "drawn": tally.draws, "lost": tally.losses, "points": tally.points(),
                "elo": elo, "elo_error": error,
            })
        };
        let standings: Vec<Value> = self.labels.iter().map(row).collect();
        let pairs = self.pairs.iter().flat_map(|Pair { players, games }| {
            games.iter().map(move |(game, tally)| {
                let points = [tally.points(), tally.reversed().points()];
                let Tally { wins, draws, losses } = tally;
                json!({
                    "players": players, "game": game, "points": points,
                    "won": wins, "drawn": draws, "lost": losses,
                })
            })
        });
        let pairs: Vec<Value> = pairs.collect();
        json!({ "standings": standings, "pairs": pairs, "games": self.json })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_their_points_in_each_game() {
        let mut standings = Standings::default();
        for (players, game, winner) in [
            (["sme", "sce+imm"], "fide", Some(Color::White)),
            (["sce+imm", "sme"], "fide", Some(Color::White)),
            (["sce+imm", "sme"], "fide", None),
            (["sce+imm", "sme"], "locusts", Some(Color::White)),
            (["sme", "sce"], "locusts", None),
        ] {
            // Tables call all of one base the same.
            let players = players.map(str::to_owned);
            let labels = players.clone().map(|name| name[..3].to_owned());
            standings.add(&labels, game, winner, Value::Null);
            standings.add_pair(&players, game, winner);
        }
        let text = "pair                   fide       locusts\n\
                    sme - sce+imm       1.5-1.5           0-1\n\
                    sme - sce                 -       0.5-0.5\n";
        assert_eq!(standings.pairs_text(), text);
        let pairs = standings.json()["pairs"].as_array().unwrap().clone();
        assert_eq!(pairs.len(), 3);
        assert_eq!(pairs[0]["points"], json!([1.5, 1.5]));
        assert_eq!((&pairs[1]["game"], &pairs[1]["lost"]), (&json!("locusts"), &json!(1)));
    }

    #[test]
    fn elo_has_its_error() {
        let tally = Tally { wins: 160, draws: 0, losses: 120 };
        let (elo, error) = tally.elo().unwrap();
        assert!((elo - 50.0).abs() < 1.0 && (error - 41.0).abs() < 2.0, "{elo} {error}");
        assert_eq!(Tally { wins: 4, draws: 0, losses: 0 }.elo(), None);
        let even = Tally { wins: 1, draws: 8, losses: 1 };
        let (elo, _) = even.elo().unwrap();
        assert!(elo == 0.0 && elo.is_sign_positive(), "{elo}");
    }
}
