//! A line of moves and what it does to the material.

use serde_json::{Value, json};
use tamarin_game::variation;
use tamarin_movegen::{
    CastlingNotation, CastlingStyle, Color, Move, PerColor, PieceKind, Position,
};

use super::claim::MaterialChange;
use super::quiet::gain_by_captures;

/// Legal moves from a position on.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it begins. The line of a threat begins after the other side has passed.
    pub start: Position,
    pub moves: Vec<Move>,
}

impl Line {
    /// The position after its first moves, at most all of them.
    pub fn position_after(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        self.moves.iter().take(plies).for_each(|mv| position.make(*mv));
        position
    }

    pub fn end(&self) -> Position {
        self.position_after(self.moves.len())
    }

    /// The moves from `skip` on with their numbers, at most `length` of them.
    pub fn text(&self, skip: usize, length: usize) -> String {
        let skip = skip.min(self.moves.len());
        variation::numbered(&self.position_after(skip), &self.moves[skip..], length)
    }

    /// The line for programs: `start` as FEN, and `moves` in coordinates.
    pub fn to_json(&self, notation: CastlingNotation) -> Value {
        let style = match notation {
            CastlingNotation::Classic => CastlingStyle::Standard,
            CastlingNotation::KingTakesRook => CastlingStyle::Shredder,
        };
        json!({
            "start": self.start.fen(style),
            "moves": variation::coordinates(&self.start, &self.moves, usize::MAX, notation),
        })
    }

    /// What the first moves change in the numbers of pieces.
    pub fn change(&self, plies: usize) -> MaterialChange {
        change(&self.start, &self.position_after(plies))
    }

    /// What the moves from the given one on change in the numbers of pieces.
    pub fn change_from(&self, ply: usize) -> MaterialChange {
        change(&self.position_after(ply), &self.end())
    }

    /// For each ply after the first position, what the line has won for a side by then.
    pub fn gains(&self, winner: Color) -> Vec<Gain> {
        let mut position = self.start.clone();
        let gain = |mv: &Move| {
            position.make(*mv);
            let pawns = change(&self.start, &position).net(winner);
            Gain { pawns, loser_regains: gain_by_captures(&position, !winner) }
        };
        self.moves.iter().map(gain).collect()
    }
}

/// What a line has won by one of its positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gain {
    pub pawns: i32,
    /// What the other side wins back by captures, in pawns; `None` in check.
    pub loser_regains: Option<i32>,
}

impl Gain {
    /// Returns `true` if the other side can win nothing back.
    pub fn is_stable(self) -> bool {
        self.loser_regains == Some(0)
    }
}

fn change(before: &Position, after: &Position) -> MaterialChange {
    let count = |color: Color| -> [i8; 5] {
        std::array::from_fn(|index| {
            let kind = PieceKind::ALL[index];
            after.of(color, kind).len() as i8 - before.of(color, kind).len() as i8
        })
    };
    MaterialChange(PerColor([count(Color::White), count(Color::Black)]))
}
