//! What was played in games: the moves from each position, and the games that reach it.

use std::collections::HashMap;

use serde_json::{Value, json};
use tamarin_base::Fnv1a;
use tamarin_game::pgn::{Game, Outcome};
use tamarin_game::position::{Move, Position};
use tamarin_movegen::{Color, PerColor};

/// A game that stands somewhere in a file.
#[derive(Debug)]
struct Entry {
    number: usize,
    outcome: Outcome,
    /// The ratings of the players.
    ratings: PerColor<Option<u16>>,
}

/// A position of a game, and the move that was played there; `None` at its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Visit {
    key: u64,
    game: u32,
    mv: Option<Move>,
}

/// The same number for the same position of the same game, by whatever moves it was reached.
fn key(position: &Position) -> u64 {
    match position {
        Position::Chess(one, _) => one.key(),
        Position::Variant(one) => one.key() ^ Fnv1a::hash(one.game().title().as_bytes()),
    }
}

/// The moves of many games by the positions in which they were played, however those were reached.
#[derive(Default, Debug)]
pub struct Explorer {
    games: Vec<Entry>,
    /// In order once all games are there.
    visits: Vec<Visit>,
}

/// What became of a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub games: u32,
    pub white: u32,
    pub draws: u32,
    pub black: u32,
    /// The sum of the ratings of those who played it, and how many have one.
    ratings: (u64, u32),
}

impl Tally {
    /// The numbers of games, and the mean Elo rating of those who played the move.
    pub fn json(&self) -> Value {
        let (sum, count) = self.ratings;
        let Self { games, white, draws, black, .. } = self;
        let elo = (count > 0).then(|| sum / u64::from(count));
        json!({ "games": games, "white": white, "draws": draws, "black": black, "elo": elo })
    }
}

impl Explorer {
    /// Adds the game that has this number in its file, from 0.
    pub fn add(&mut self, number: usize, game: &Game<Position>) {
        let Ok(place) = u32::try_from(self.games.len()) else { return };
        let mut position = game.start.clone();
        let rating = |tag| game.tag(tag).and_then(|elo| elo.parse().ok());
        let ratings = PerColor([rating("WhiteElo"), rating("BlackElo")]);
        self.games.push(Entry { number, outcome: game.outcome, ratings });
        let mut visit = |position: &Position, mv| {
            self.visits.push(Visit { key: key(position), game: place, mv });
        };
        for played in &game.moves {
            // Behind a null move nobody plays on.
            let Some(mv) = played.mv else { break };
            visit(&position, Some(mv));
            position.make(mv);
        }
        visit(&position, None);
    }

    /// Ends the adding of games.
    #[must_use]
    pub fn finished(mut self) -> Self {
        self.visits.sort_unstable();
        self.visits.dedup();
        self.visits.shrink_to_fit();
        self
    }

    fn visits(&self, position: &Position) -> &[Visit] {
        let key = key(position);
        let from = self.visits.partition_point(|visit| visit.key < key);
        let rest = &self.visits[from..];
        &rest[..rest.partition_point(|visit| visit.key == key)]
    }

    /// The numbers of the games that reach a position.
    pub fn games(&self, position: &Position) -> Vec<usize> {
        let number = |visit: &Visit| self.games[visit.game as usize].number;
        let mut found: Vec<usize> = self.visits(position).iter().map(number).collect();
        found.dedup();
        found
    }

    /// The moves that were played in a position.
    pub fn moves(&self, position: &Position) -> HashMap<Move, Tally> {
        let mut found: HashMap<_, Tally> = HashMap::new();
        for visit in self.visits(position) {
            let Some(mv) = visit.mv else { continue };
            let game = &self.games[visit.game as usize];
            let tally = found.entry(mv).or_default();
            tally.games += 1;
            match game.outcome {
                Outcome::Won(Color::White) => tally.white += 1,
                Outcome::Won(Color::Black) => tally.black += 1,
                Outcome::Draw => tally.draws += 1,
                Outcome::Unknown => {}
            }
            if let Some(rating) = game.ratings[position.turn()] {
                tally.ratings.0 += u64::from(rating);
                tally.ratings.1 += 1;
            }
        }
        found
    }
}
