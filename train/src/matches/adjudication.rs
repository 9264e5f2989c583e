//! Ending games by what the players say about them.

use std::str::FromStr;

use tamarin_movegen::{Color, PerColor};

use crate::play::Streak;

/// When a game is called off. Both rules are off by default.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Adjudication {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
}

/// A draw: from a move on, both scores are near zero for a number of moves in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    pub from_move: u16,
    pub moves: u32,
    pub score: i32,
}

/// A loss: for a number of moves in a row a player's own score is this bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    pub moves: u32,
    /// Behind by at least this, in centipawns.
    pub score: i32,
}

/// The `N` numbers of a text, separated by spaces or commas.
fn numbers<const N: usize>(text: &str, expected: &str) -> Result<[u16; N], String> {
    let parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    let numbers: Option<Vec<u16>> = parts.map(|part| part.parse::<u16>().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[u16; N]>::try_from(numbers).ok());
    numbers.ok_or_else(|| format!("{text:?} is not {expected}"))
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "a draw rule: first move, moves in a row, centipawns, such as \"34 8 20\"";
        let [from_move, moves, score] = numbers(text, expected)?;
        Ok(Self { from_move, moves: moves.into(), score: score.into() })
    }
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "a resign rule: moves in a row, centipawns, such as \"3 600\"";
        let [moves, score] = numbers(text, expected)?;
        Ok(Self { moves: moves.into(), score: score.into() })
    }
}

/// How long the scores have been clear.
#[derive(Clone, Copy, Default, Debug)]
pub struct Streaks {
    drawn: Streak,
    /// Moves of each side.
    lost: PerColor<Streak>,
}

impl Streaks {
    /// Takes in the score of the move that `mover` makes (centipawns, its own view), the
    /// `move_number`th of the game. The winner, or none, if that decides the game.
    pub fn next(
        &mut self,
        rules: &Adjudication,
        mover: Color,
        move_number: u16,
        score: Option<i32>,
    ) -> Option<Option<Color>> {
        if let Some(rule) = rules.resign {
            let lost = self.lost[mover].next(score.is_some_and(|score| score <= -rule.score));
            if rule.moves > 0 && lost >= rule.moves {
                return Some(Some(!mover));
            }
        }
        if let Some(rule) = rules.draw {
            let drawn = self.drawn.next(score.is_some_and(|score| score.abs() <= rule.score));
            if move_number >= rule.from_move && drawn >= 2 * rule.moves.max(1) {
                return Some(None);
            }
        }
        None
    }
}
