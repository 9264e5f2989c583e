//! `a`: several steps in one move.

use super::build::{at, is, remove};
use super::directions::{Step, all, chosen};
use super::moves::{Atom, arrival};
use crate::ast::{MoveText, Predicate};
use crate::diagnostic::Diagnostic;

impl Atom<'_> {
    /// `a`: several steps in one move. All but the last go to empty squares unless they say `c`
    /// (capture there) or `p` (jump over); their directions count from the step before.
    pub(super) fn chained(&self) -> Result<Vec<MoveText>, Diagnostic> {
        if self.range != 1 {
            return Err(self.unsupported("'a' on a rider"));
        }
        let mut ways: Vec<(Vec<Step>, Step)> = vec![(Vec::new(), (0, 0))];
        for (i, leg) in self.group.legs.iter().enumerate() {
            let mut longer = Vec::new();
            for (way, last) in &ways {
                let steps = if i == 0 {
                    chosen(self.shape, &leg.directions)
                } else {
                    all(self.shape)
                        .into_iter()
                        .filter(|&step| turns(*last, step, &leg.directions))
                        .collect()
                };
                let here = way.last().copied().unwrap_or((0, 0));
                longer.extend(steps.into_iter().map(|step| {
                    let mut way = way.clone();
                    way.push((here.0 + step.0, here.1 + step.1));
                    (way, step)
                }));
            }
            ways = longer;
            if ways.len() > 4096 {
                return Err(self.unsupported("this many steps"));
            }
        }
        Ok(ways.iter().flat_map(|(way, _)| self.chain(way)).collect())
    }

    fn chain(&self, way: &[Step]) -> Option<MoveText> {
        let (&end, passed) = way.split_last()?;
        let mut text = MoveText { target: at(end), ..MoveText::default() };
        for (leg, &square) in self.group.legs.iter().zip(passed) {
            if square == (0, 0) || square == end && leg.has('c') {
                return None;
            }
            let predicate = match (leg.has('c'), leg.has('p')) {
                (true, _) => Predicate::Opponent,
                (_, true) => Predicate::Occupied,
                _ => Predicate::Empty,
            };
            text.conditions.push(is(at(square), predicate));
            if leg.has('c') {
                text.effects.push(remove(at(square)));
            }
        }
        if end != (0, 0) {
            let last = self.group.legs.last().expect("invariant: a group has a leg");
            text.conditions.extend(arrival(at(end), last).conditions);
        }
        Some(text)
    }
}

/// Whether a step turns from the one before as a letter says: `f` not, `b` back, `l` and `r` by
/// a right angle, `s` either, `v` forward or back; any without letters.
fn turns((rows, columns): Step, next: Step, letters: &str) -> bool {
    letters.is_empty()
        || letters.chars().any(|letter| match letter {
            'f' => next == (rows, columns),
            'b' => next == (-rows, -columns),
            'v' => next == (rows, columns) || next == (-rows, -columns),
            'r' => next == (-columns, rows),
            'l' => next == (columns, -rows),
            's' => next == (-columns, rows) || next == (columns, -rows),
            _ => false,
        })
}
