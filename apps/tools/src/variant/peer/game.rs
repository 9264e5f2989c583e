//! One game with a peer, after it has been set up.

use tamarin_variant::{Color, Outcome, Position};
use tamarin_variant_search::ScoreValue;

use super::connection::Connection;
use super::message::{GameResult, Message, PeerError, printable};
use crate::variant::contest::{MOST_PLIES, Record, reason_text};
use crate::variant::player::{Effort, Player};

/// Which messages the peer knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Thesis,
    /// The additions too.
    Extended,
}

/// Who plays here, and for whom.
pub(super) struct PeerGame<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) dialect: Dialect,
    pub(super) player: &'a mut Player,
    pub(super) effort: Effort,
    pub(super) color: Color,
}

/// A game that is being played.
struct Progress {
    position: Position,
    moves: Vec<String>,
    /// The score of the last search here.
    score: Option<ScoreValue>,
    /// The peer has offered a draw with its move.
    offered: bool,
}

impl PeerGame<'_> {
    /// Plays the game to its end. Every move of the peer has to be legal by the rules of this
    /// program, and so has its end.
    pub(super) fn play(mut self, start: &Position) -> Result<Record, PeerError> {
        self.player.new_game();
        let mut game =
            Progress { position: start.clone(), moves: Vec::new(), score: None, offered: false };
        let (winner, reason) = loop {
            if let Some(end) = ending(&game) {
                break end;
            }
            let end = match game.position.side_to_move() == self.color {
                true => self.own_turn(&mut game)?,
                false => self.peer_turn(&mut game)?,
            };
            if let Some(end) = end {
                break end;
            }
        };
        let record = Record { winner, reason: reason.to_owned(), moves: game.moves };
        self.agree(&record)?;
        Ok(record)
    }

    fn own_turn(&mut self, game: &mut Progress) -> Result<Option<End>, PeerError> {
        if std::mem::take(&mut game.offered) && is_no_better(game.score) {
            self.connection.send(&Message::Draw {})?;
            return Ok(Some(AGREED));
        }
        let answer = self.player.think(&game.position, self.effort);
        let Some(best) = answer.mv else {
            // Without a legal move the game had been over.
            return Ok(Some((None, "no move")));
        };
        game.score = Some(answer.value);
        let (squares, effects) = game.position.explicit(best);
        self.connection.send(&Message::Move { squares, effects })?;
        game.moves.push(game.position.text(best));
        game.position.make(best);
        Ok(None)
    }

    fn peer_turn(&mut self, game: &mut Progress) -> Result<Option<End>, PeerError> {
        let message = self.connection.receive()?.ok_or(PeerError::Closed)?;
        match message {
            Message::Move { squares, effects } => {
                let read = game.position.parse_explicit(&squares, &effects);
                let plies = game.moves.len();
                let m = read.map_err(|source| PeerError::Move { plies, source })?;
                game.moves.push(game.position.text(m));
                game.position.make(m);
            }
            Message::Draw {} if !game.offered => game.offered = true,
            Message::Resign {} => return Ok(Some((Some(self.color), "resignation"))),
            Message::Result { result, reason } => {
                let theirs = format!("{} ({})", text(result), printable(&reason));
                return Err(PeerError::Disagreement { own: "not over".to_owned(), theirs });
            }
            other => return Err(PeerError::unexpected(&other, "a move")),
        }
        Ok(None)
    }

    /// Exchanges results with the peer. They have to be the same.
    fn agree(&mut self, record: &Record) -> Result<(), PeerError> {
        if self.dialect == Dialect::Thesis {
            return Ok(());
        }
        let own = match record.winner {
            Some(Color::White) => GameResult::White,
            Some(Color::Black) => GameResult::Black,
            None => GameResult::Draw,
        };
        let message = Message::Result { result: own, reason: record.reason.clone() };
        self.connection.send(&message)?;
        match self.connection.receive()?.ok_or(PeerError::Closed)? {
            Message::Result { result, .. } if result == own => Ok(()),
            Message::Result { result, reason } => Err(PeerError::Disagreement {
                own: format!("{} ({})", text(own), record.reason),
                theirs: format!("{} ({})", text(result), printable(&reason)),
            }),
            other => Err(PeerError::unexpected(&other, "a result")),
        }
    }
}

/// Who has won, and why the game is over.
type End = (Option<Color>, &'static str);

const AGREED: End = (None, "agreement");

fn ending(game: &Progress) -> Option<End> {
    match game.position.outcome() {
        Some(Outcome { winner, reason }) => Some((winner, reason_text(reason))),
        None if game.moves.len() >= MOST_PLIES => Some((None, "length")),
        None => None,
    }
}

/// Whether a draw is not less than what the last search hoped for.
fn is_no_better(score: Option<ScoreValue>) -> bool {
    matches!(score, Some(ScoreValue::Centipawns(..=0) | ScoreValue::Mate(..=0)))
}

fn text(result: GameResult) -> &'static str {
    match result {
        GameResult::White => "1-0",
        GameResult::Black => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}
