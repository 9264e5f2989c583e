//! Games between players: what is to be played, and what was played.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};
use tamarin_variant::{Color, Game, Outcome, Position, Reason};
use tamarin_variant_search::{Engine, EngineError, Limits, Options, ScoreValue, Signals};

use super::player::{Effort, Player, PlayerName};
use super::source::Failure;
use tamarin_game::pgn;
use tamarin_game::position::Position as AnyPosition;

/// Longer games are drawn.
pub(super) const MOST_PLIES: usize = 600;
/// Openings that are tried until one does not end the game.
const MOST_OPENINGS: usize = 100;

/// What every line of a file of results begins with: the first key of [`Pairing::json`], whose keys
/// are sorted.
pub(super) const FIRST_KEY: &str = "{\"black\":";

/// A game to be played.
#[derive(Clone, Debug)]
pub(super) struct Pairing {
    /// Its number in the contest, from 0.
    pub(super) number: usize,
    pub(super) game: Arc<Game>,
    /// What commands call the game.
    pub(super) game_name: String,
    /// What files of games call it.
    pub(super) tag: String,
    /// Which variant of the file it is, if that was asked for.
    pub(super) variant: Option<String>,
    pub(super) players: [PlayerName; 2],
    /// Those of their evaluators, if these were learned.
    pub(super) fingerprints: [Option<u64>; 2],
    /// What tables call the players.
    pub(super) labels: [String; 2],
    pub(super) effort: Effort,
    pub(super) opening: Opening,
}

/// The random moves that a game begins with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub(super) plies: usize,
    pub(super) seed: u64,
    /// By how many centipawns a side may be ahead then.
    pub(super) balance: Option<i32>,
}

/// Nodes of the search that says who is ahead after the opening.
const BALANCE_NODES: u64 = 20_000;

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) winner: Option<Color>,
    pub(super) reason: String,
    /// As coordinates, the random ones included.
    pub(super) moves: Vec<String>,
}

impl Pairing {
    /// The position after the random moves, the same for the same seed. Where they always end the
    /// game, it begins without them, and where a side is always ahead, with the last ones tried.
    fn start(&self) -> Result<(Position, Vec<String>), EngineError> {
        let Opening { plies, seed, balance } = self.opening;
        let mut referee = match balance {
            None => None,
            Some(most) => Some((Engine::new(&self.game, &Options::default())?, most)),
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut last = (Position::start(&self.game), Vec::new());
        for _ in 0..MOST_OPENINGS {
            let mut position = Position::start(&self.game);
            let mut moves = Vec::new();
            for _ in 0..plies {
                let texts = position.texts();
                let Some(at) = (random.next_u64() as usize).checked_rem(texts.len()) else { break };
                let (text, m) = texts[at].clone();
                position.make(m);
                moves.push(text);
            }
            if plies > 0 && position.outcome().is_some() {
                continue;
            }
            last = (position, moves);
            let is_fair = referee.as_mut().is_none_or(|(engine, most)| {
                engine.new_game();
                let limits = Limits::nodes(BALANCE_NODES);
                let answer = engine.search(&last.0, &limits, &Signals::default(), |_| ());
                matches!(answer.value, ScoreValue::Centipawns(score) if score.abs() <= *most)
            });
            if plies == 0 || is_fair {
                break;
            }
        }
        Ok(last)
    }

    /// The same with the sides exchanged.
    pub(super) fn swapped(mut self) -> Self {
        self.players.swap(0, 1);
        self.fingerprints.swap(0, 1);
        self.labels.swap(0, 1);
        self
    }

    pub(super) fn play(&self, players: &mut [Player; 2]) -> Result<Record, EngineError> {
        players.iter_mut().for_each(Player::new_game);
        let (mut position, mut moves) = self.start()?;
        let (winner, reason) = loop {
            if let Some(Outcome { reason, winner }) = position.outcome() {
                break (winner, reason_text(reason));
            }
            if moves.len() >= MOST_PLIES {
                break (None, "length");
            }
            let player = &mut players[position.side_to_move().index()];
            let Some(best) = player.think(&position, self.effort).mv else {
                // Without a legal move the game had been over.
                break (None, "no move");
            };
            moves.push(position.text(best));
            position.make(best);
        };
        Ok(Record { winner, reason: reason.to_owned(), moves })
    }

    /// What identifies the pairing in a file of results.
    fn identity(&self) -> Value {
        let [white, black] = &self.players;
        let Opening { plies, seed, balance } = self.opening;
        let mut opening = json!({ "plies": plies, "seed": seed });
        if let Some(most) = balance {
            opening["balance"] = most.into();
        }
        json!({
            "number": self.number,
            "game": self.game_name,
            "rules": hexadecimal(self.game.fingerprint()),
            "evaluators": self.fingerprints.map(|fingerprint| fingerprint.map(hexadecimal)),
            "variant": self.variant,
            "white": white.to_string(),
            "black": black.to_string(),
            "effort": self.effort.to_string(),
            "opening": opening,
        })
    }

    /// The record with all about the pairing.
    pub(super) fn json(&self, record: &Record) -> Value {
        let mut object = self.identity();
        object["result"] = record.result().into();
        object["reason"] = record.reason.clone().into();
        object["moves"] = record.moves.clone().into();
        object
    }

    /// The record in an object that [`Self::json`] wrote for this pairing.
    pub(super) fn record(&self, object: &Value) -> Option<Record> {
        let Value::Object(identity) = self.identity() else { return None };
        if identity.iter().any(|(key, value)| object.get(key) != Some(value)) {
            return None;
        }
        let winner = match object["result"].as_str()? {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            _ => return None,
        };
        let moves = object["moves"].as_array()?.iter().map(|m| m.as_str().map(str::to_owned));
        let moves = moves.collect::<Option<_>>()?;
        Some(Record { winner, reason: object["reason"].as_str()?.to_owned(), moves })
    }

    /// The game in PGN, with moves in the manner of SAN.
    pub(super) fn pgn(&self, record: &Record) -> String {
        let tags = Tags {
            event: format!("{} at {}", self.game.title(), self.effort),
            round: self.number + 1,
            players: self.players.each_ref().map(ToString::to_string),
            game_name: &self.tag,
        };
        tags.pgn(&Position::start(&self.game), record)
    }
}

/// What is said about a game before its moves.
pub(super) struct Tags<'a> {
    pub(super) event: String,
    pub(super) round: usize,
    /// White and Black.
    pub(super) players: [String; 2],
    pub(super) game_name: &'a str,
}

impl Tags<'_> {
    /// The game in PGN, with moves in the manner of SAN.
    pub(super) fn pgn(&self, start: &Position, record: &Record) -> String {
        let mut position = AnyPosition::Variant(Box::new(start.clone()));
        let mut game = pgn::Game::of_position(position.clone());
        let [white, black] = &self.players;
        for (name, value) in [
            ("Event", self.event.as_str()),
            ("Site", "Tamarin"),
            ("Date", "????.??.??"),
            ("Round", &self.round.to_string()),
            ("White", white),
            ("Black", black),
            ("Result", record.result()),
            ("Variant", self.game_name),
            ("Termination", &record.reason),
        ] {
            game.set_tag(name, value);
        }
        for text in &record.moves {
            let Ok(mv) = position.find(text) else { break };
            game.moves.push(pgn::Played::new(mv, position.san(mv)));
            position.make(mv);
        }
        game.number_moves(0..game.moves.len());
        game.set_outcome(pgn::Outcome::of(record.result()));
        game.complete_tags();
        pgn::write(&game)
    }
}

impl Record {
    pub(super) fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// What identifies the evaluators of players.
///
/// # Errors
/// If one of them does not fit the game, or cannot be read.
pub(super) fn fingerprints(
    game: &Arc<Game>,
    players: &[PlayerName; 2],
) -> Result<[Option<u64>; 2], Failure> {
    let [white, black] = players.each_ref().map(|player| player.evaluator.fingerprint(game));
    Ok([white?, black?])
}

fn hexadecimal(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// What tables call it.
pub(super) fn reason_text(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "checkmate",
        Reason::Stalemate => "stalemate",
        Reason::Repetition => "repetition",
        Reason::Goal => "goal",
        Reason::Checks => "checks",
        Reason::Extinction => "no pieces",
        Reason::Facing => "facing",
        Reason::Passes => "passes",
        Reason::PerpetualCheck => "perpetual check",
        Reason::MoveLimit => "move limit",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_variant::builtin;

    #[test]
    fn long_a_balanced_opening_leaves_neither_side_ahead() {
        const MOST: i32 = 100;
        let game = builtin("locusts").unwrap();
        let players = ["sme", "sme"].map(|name| name.parse::<PlayerName>().unwrap());
        let pairing = |seed, balance| Pairing {
            number: 0,
            game: Arc::clone(&game),
            game_name: "locusts".to_owned(),
            tag: "locusts".to_owned(),
            variant: None,
            labels: players.each_ref().map(ToString::to_string),
            players: players.clone(),
            fingerprints: [None; 2],
            effort: Effort::depth(1),
            opening: Opening { plies: 4, seed, balance },
        };
        let mut evaluator = Engine::new(&game, &Options::default()).unwrap();
        let mut is_fair = |position: &Position| {
            evaluator.new_game();
            let limits = Limits::nodes(BALANCE_NODES);
            let answer = evaluator.search(position, &limits, &Signals::default(), |_| ());
            matches!(answer.value, ScoreValue::Centipawns(score) if score.abs() <= MOST)
        };
        // White mates by force after the first moves of this seed.
        assert!(!is_fair(&pairing(1, None).start().unwrap().0));
        let (position, moves) = pairing(1, Some(MOST)).start().unwrap();
        assert!(is_fair(&position) && moves.len() == 4, "{}", position.fen());
        // The same for the same seed.
        assert_eq!(pairing(1, Some(MOST)).start().unwrap().1, moves);
    }
}
