//! What is explained: a move, compared with the best one.

use tamarin_eval::Score;
use tamarin_game::score_text::{for_white, in_words};
use tamarin_game::variation;
use tamarin_movegen::{Color, Move, Position};

use crate::analyse::centipawns;

use super::ask::{Asking, Found, Pause};
use super::line::Line;

/// From this difference on a move is a mistake, in centipawns.
const MISTAKE: i32 = 40;

/// A move with the searches before and after it.
pub struct Subject<'a> {
    pub position: &'a Position,
    pub mv: Move,
    pub after: Position,
    /// The search before the move.
    pub best: Found,
    /// The same without the best move, if another is legal.
    pub next: Option<Found>,
    /// The search after the move, for the side that played it; its line begins with the move.
    pub own: Found,
    /// The same for the side to move then, if another move is the best.
    pub reply: Option<Found>,
}

impl<'a> Subject<'a> {
    /// Searches before and after a legal move; the best move is taken if none is given. What is
    /// the best move is decided by a second look and by a search of the others.
    pub fn new(
        position: &'a Position,
        mv: Option<Move>,
        asking: &mut Asking<'_>,
    ) -> Result<Self, Pause> {
        asking.search(position)?;
        let mut best = asking.again(position)?;
        let mut next = asking.without(position, &best.moves[..1])?;
        if let Some(other) = next.as_mut().filter(|other| other.score > best.score) {
            std::mem::swap(&mut best, other);
        }
        let first = *best.moves.first().ok_or(Pause::Nothing)?;
        let mv = mv.unwrap_or(first);
        let mut after = position.clone();
        after.make(mv);
        let (own, reply) = match mv == first && best.result.is_none() {
            true => (best.clone(), None),
            false => played(asking, &after, mv)?,
        };
        // A deeper search after the best move may say something else; it is no mistake.
        let own = if mv == first { Found { result: own.result, ..best.clone() } } else { own };
        let reply = reply.filter(|_| mv != first);
        Ok(Self { position, mv, after, best, next, own, reply })
    }

    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    pub fn best_move(&self) -> Move {
        self.best.moves[0]
    }

    /// Returns `true` if it is the best move.
    pub fn is_best(&self) -> bool {
        self.mv == self.best_move()
    }

    pub fn own_line(&self) -> Line {
        Line { start: self.position.clone(), moves: self.own.moves.clone() }
    }

    pub fn best_line(&self) -> Line {
        Line { start: self.position.clone(), moves: self.best.moves.clone() }
    }

    /// What the move loses, in centipawns within ten pawns.
    pub fn drop(&self) -> i32 {
        centipawns(self.best.score) - centipawns(self.own.score)
    }

    /// Returns `true` if the move is clearly worse than the best one.
    pub fn is_mistake(&self) -> bool {
        let misses_mate = is_mate_win(self.best.score) && !self.own.score.is_win();
        let worse = matches!((self.best.result, self.own.result), (Some(a), Some(b)) if b < a);
        !self.is_best() && (self.drop() >= MISTAKE || misses_mate || worse)
    }

    /// A move of the position with its number.
    pub fn named(&self, mv: Move) -> String {
        variation::numbered(self.position, &[mv], 1)
    }

    /// A score of the side that plays the move, from White's point of view.
    pub fn score(&self, score: Score) -> String {
        in_words(self.for_white(score))
    }

    pub fn for_white(&self, score: Score) -> Score {
        for_white(score, self.mover())
    }
}

/// The search of the position after a move, as the side that made it sees it, and as it is.
fn played(
    asking: &mut Asking<'_>,
    after: &Position,
    mv: Move,
) -> Result<(Found, Option<Found>), Pause> {
    let found = match asking.without(after, &[])? {
        Some(_) => Some(asking.again(after)?),
        None => None,
    };
    let reply = found.clone();
    let own = match found {
        Some(found) => Found {
            score: one_ply_later(-found.score),
            moves: std::iter::once(mv).chain(found.moves).collect(),
            result: found.result.map(crate::explain::ask::GameResult::reversed),
        },
        None => {
            let score = if after.in_check() { Score::mate_in(1) } else { Score::DRAW };
            Found { score, moves: vec![mv], result: None }
        }
    };
    Ok((own, reply))
}

/// A score of the position after a move, a ply before it.
fn one_ply_later(score: Score) -> Score {
    match score.is_mate() {
        true => Score::new(score.units() - score.units().signum()),
        false => score,
    }
}

/// Returns `true` if a side mates.
pub fn is_mate_win(score: Score) -> bool {
    score.is_mate() && score.is_win()
}

/// Returns `true` if a side is mated.
pub fn is_mate_loss(score: Score) -> bool {
    score.is_mate() && score.is_loss()
}
