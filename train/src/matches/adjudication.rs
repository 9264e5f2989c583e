//! Ending games by what the players say about them.

use std::str::FromStr;

use tamarin_movegen::{Color, PerColor};

/// When a game is called off. Both rules are off by default.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Adjudication {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
}

/// A draw: from a move on, both scores are near zero for a number of moves in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// The first move of the game that can be drawn.
    pub from_move: u16,
    /// Moves in a row.
    pub moves: u32,
    /// Farthest from zero, in centipawns.
    pub score: i32,
}

/// A loss: for a number of moves in a row a player's own score is this bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Moves in a row.
    pub moves: u32,
    /// Behind by at least this, in centipawns.
    pub score: i32,
}

/// Other numbers were expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not {expected}")]
pub struct RuleError {
    text: String,
    expected: &'static str,
}

/// The `N` numbers of a text, separated by spaces or commas.
fn numbers<const N: usize>(text: &str, expected: &'static str) -> Result<[u16; N], RuleError> {
    let parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    let numbers: Option<Vec<u16>> = parts.map(|part| part.parse::<u16>().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[u16; N]>::try_from(numbers).ok());
    numbers.ok_or_else(|| RuleError { text: text.to_owned(), expected })
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let expected = "a draw rule: first move, moves in a row, centipawns, such as \"34 8 20\"";
        let [from_move, moves, score] = numbers(text, expected)?;
        Ok(Self { from_move, moves: moves.into(), score: score.into() })
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let expected = "a resign rule: moves in a row, centipawns, such as \"3 600\"";
        let [moves, score] = numbers(text, expected)?;
        Ok(Self { moves: moves.into(), score: score.into() })
    }
}

/// How long the scores have been clear.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Streaks {
    drawn: u32,
    /// Moves of each side.
    lost: PerColor<u32>,
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
        let lengthen =
            |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        if let Some(rule) = rules.resign {
            lengthen(&mut self.lost[mover], score.is_some_and(|score| score <= -rule.score));
            if rule.moves > 0 && self.lost[mover] >= rule.moves {
                return Some(Some(!mover));
            }
        }
        if let Some(rule) = rules.draw {
            lengthen(&mut self.drawn, score.is_some_and(|score| score.abs() <= rule.score));
            if move_number >= rule.from_move && self.drawn >= 2 * rule.moves.max(1) {
                return Some(None);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plies after which a game with these scores ends, and its winner.
    fn end(rules: &Adjudication, scores: &[i32]) -> Option<(usize, Option<Color>)> {
        let mut streaks = Streaks::default();
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
            let number = u16::try_from(ply / 2 + 1).unwrap();
            Some((ply + 1, streaks.next(rules, mover, number, Some(score))?))
        })
    }

    #[test]
    fn nothing_is_adjudicated_by_default() {
        assert_eq!(end(&Adjudication::default(), &[0; 500]), None);
        assert_eq!(end(&Adjudication::default(), &[-5_000; 500]), None);
    }

    #[test]
    fn a_player_resigns_by_its_own_scores() {
        let resign = Some("3 600".parse().unwrap());
        let rules = Adjudication { resign, ..Adjudication::default() };
        assert_eq!(end(&rules, &[0, -600, 0, -700, 0, -800]), Some((6, Some(Color::White))));
        assert_eq!(end(&rules, &[0, -600, 0, -599, 0, -800, 0, -800]), None);
        assert_eq!(end(&rules, &[900; 20]), None);
    }

    #[test]
    fn both_must_see_a_draw() {
        let draw = Some("10 4 20".parse().unwrap());
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(end(&rules, &[5; 40]), Some((19, None)));
        assert_eq!(end(&rules, &[5, 30].repeat(20)), None);
    }

    #[test]
    fn rules_are_numbers() {
        assert!("34 8".parse::<DrawRule>().is_err());
        assert!("a b".parse::<ResignRule>().is_err());
        assert!("3 400 5".parse::<ResignRule>().is_err());
    }
}
