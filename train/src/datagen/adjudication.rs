//! Ending games whose result is clear.

use serde::{Deserialize, Serialize};
use tamarin_movegen::Color;

use crate::data::Outcome;

/// When a game is ended before the rules end it. Plies are counted from the first search.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// A game is won at this score, in engine units ...
    #[arg(long, default_value_t = 1_000, value_name = "UNITS")]
    pub win_score: u16,

    /// ... that holds for this number of plies; 0 plays every win out
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub win_plies: u32,

    /// A game is drawn at no more than this score ...
    #[arg(long, default_value_t = 8, value_name = "UNITS")]
    pub draw_score: u16,

    /// ... that holds for this number of plies; 0 plays every draw out
    #[arg(long, default_value_t = 12, value_name = "N")]
    pub draw_plies: u32,

    /// Before this ply no game is called drawn
    #[arg(long, default_value_t = 80, value_name = "N")]
    pub draw_from: usize,

    /// After this number of plies a game is called drawn
    #[arg(long, default_value_t = 400, value_name = "N")]
    pub max_plies: usize,
}

/// How long the scores of a game have been clear.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Streaks {
    white_wins: u32,
    black_wins: u32,
    draw: u32,
}

impl Streaks {
    /// Takes in the next score (engine units, White's view), that of ply `ply` counted
    /// from 0; the outcome if that decides the game.
    pub fn next(&mut self, rules: &Adjudication, score: i32, ply: usize) -> Option<Outcome> {
        let lengthen =
            |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        let long_enough = |streak: u32, plies: u32| plies > 0 && streak >= plies;
        let win = i32::from(rules.win_score);
        let level = score.abs() <= i32::from(rules.draw_score);
        lengthen(&mut self.white_wins, score >= win);
        lengthen(&mut self.black_wins, score <= -win);
        lengthen(&mut self.draw, level && ply >= rules.draw_from);
        if long_enough(self.white_wins, rules.win_plies) {
            Some(Outcome::won_by(Color::White))
        } else if long_enough(self.black_wins, rules.win_plies) {
            Some(Outcome::won_by(Color::Black))
        } else if long_enough(self.draw, rules.draw_plies) || ply + 1 >= rules.max_plies {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Adjudication = Adjudication {
        win_score: 1_500,
        win_plies: 4,
        draw_score: 8,
        draw_plies: 12,
        draw_from: 80,
        max_plies: 400,
    };

    /// The ply at which a game with these scores ends, and how.
    fn end(
        rules: &Adjudication,
        scores: impl IntoIterator<Item = i32>,
    ) -> Option<(usize, Outcome)> {
        let mut streaks = Streaks::default();
        scores
            .into_iter()
            .enumerate()
            .find_map(|(ply, score)| Some((ply, streaks.next(rules, score, ply)?)))
    }

    #[test]
    fn wins_need_an_unbroken_streak() {
        assert_eq!(end(&RULES, [1_500; 10]), Some((3, Outcome::WhiteWin)));
        assert_eq!(end(&RULES, [-1_500; 10]), Some((3, Outcome::BlackWin)));
        let broken = [1_600, 1_600, 1_600, 1_499, 1_600, 1_600, 1_600];
        assert_eq!(end(&RULES, broken), None);
        assert_eq!(end(&RULES, [1_600, -1_600].repeat(20)), None);
    }

    #[test]
    fn draws_are_called_late_and_at_small_scores() {
        assert_eq!(end(&RULES, [8; 200]), Some((91, Outcome::Draw)));
        assert_eq!(end(&RULES, [-8; 200]), Some((91, Outcome::Draw)));
        assert_eq!(end(&RULES, [9; 200]), None);
        assert_eq!(end(&RULES, [9; 500]), Some((399, Outcome::Draw)));
    }

    #[test]
    fn zero_plies_switch_a_rule_off() {
        let rules = Adjudication { win_plies: 0, draw_plies: 0, ..RULES };
        assert_eq!(end(&rules, [2_000; 399]), None);
        assert_eq!(end(&rules, [0; 399]), None);
    }
}
