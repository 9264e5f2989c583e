//! Hands the moves of a node out one by one, making as few as possible at a time.

use arrayvec::ArrayVec;
use tamarin_movegen::{Generate, MAX_MOVES, Move, MoveList};

use super::Scorer;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// All moves.
    All,
    /// Only captures and promotions that lose nothing.
    Gains,
    /// Only captures and promotions that win at least so much by static exchange.
    Beating(i32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    Killer,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// The moves still to come at one node, in stages: the table's move, captures that lose
/// nothing, the killer, other quiet moves, the remaining captures.
///
/// Every legal move that is wanted comes exactly once. All moves are legal.
pub(crate) struct Picker {
    stage: Stage,
    mode: Mode,
    table_move: Option<Move>,
    killer: Option<Move>,
    skip_quiets: bool,
    /// `bad` losing captures put off for later, then what was handed out already,
    /// then from `next` on what is still to come of the running stage.
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad: usize,
    next: usize,
}

impl Picker {
    /// A picker for a node. The table's move and the killer may be any legal move or none.
    #[inline]
    pub fn new(mode: Mode, table_move: Option<Move>, killer: Option<Move>) -> Self {
        Self {
            stage: Stage::Table,
            mode,
            table_move,
            killer: killer.filter(|_| killer != table_move),
            skip_quiets: false,
            moves: ArrayVec::new(),
            bad: 0,
            next: 0,
        }
    }

    /// From now on no quiet move is wanted any more.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, scorer: &Scorer<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate(Generate::Noisy, scorer);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.next_good(scorer) {
                    Some(mv) => return Some(mv),
                    None if self.mode == Mode::All => self.stage = Stage::Killer,
                    None => self.stage = Stage::Done,
                },
                Stage::Killer => {
                    self.stage = Stage::GenerateQuiet;
                    if let Some(mv) = self.usable_killer(scorer) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiet => {
                    self.moves.truncate(self.bad);
                    self.next = self.bad;
                    if !self.skip_quiets {
                        self.generate(Generate::Quiet, scorer);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if let Some(scored) = self.best_of_stage().filter(|_| !self.skip_quiets) {
                        return Some(scored.mv);
                    }
                    self.next = 0;
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy if self.next < self.bad => {
                    self.next += 1;
                    return Some(self.moves[self.next - 1].mv);
                }
                Stage::BadNoisy => self.stage = Stage::Done,
                Stage::Done => return None,
            }
        }
    }

    fn generate(&mut self, which: Generate, scorer: &Scorer<'_>) {
        let mut list = MoveList::new();
        scorer.position.generate(which, &mut list);
        for &mv in &list {
            if Some(mv) == self.table_move {
                continue;
            }
            if which == Generate::Noisy {
                self.moves.push(Scored { mv, score: scorer.noisy(mv) });
            } else if Some(mv) != self.killer {
                self.moves.push(Scored { mv, score: scorer.quiet(mv) });
            }
        }
    }

    /// Takes the best of what is left of the running stage.
    #[inline]
    fn best_of_stage(&mut self) -> Option<Scored> {
        let left = self.moves.get_mut(self.next..)?;
        let (first, rest) = left.split_first_mut()?;
        for other in rest {
            if other.score > first.score {
                core::mem::swap(first, other);
            }
        }
        self.next += 1;
        Some(*first)
    }

    fn next_good(&mut self, scorer: &Scorer<'_>) -> Option<Move> {
        while let Some(scored) = self.best_of_stage() {
            let threshold = match self.mode {
                Mode::Beating(gain) => gain,
                Mode::All | Mode::Gains => 0,
            };
            if scorer.position.see_at_least(scored.mv, threshold) {
                return Some(scored.mv);
            }
            // What was handed out before makes room here.
            self.moves[self.bad] = scored;
            self.bad += 1;
        }
        None
    }

    fn usable_killer(&mut self, scorer: &Scorer<'_>) -> Option<Move> {
        let usable =
            |mv: &Move| !self.skip_quiets && !mv.is_noisy() && scorer.position.is_legal(*mv);
        self.killer = self.killer.filter(usable);
        self.killer
    }
}

#[cfg(test)]
mod tests;
