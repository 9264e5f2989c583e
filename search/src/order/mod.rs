//! Move ordering: the staged picker, which generates and scores the moves of a node only when they
//! may be needed.

mod scores;

use arrayvec::ArrayVec;
use tamarin_movegen::{Generate, MAX_MOVES, Move, MoveList, PieceKind};

use crate::history::ContinuationContext;
use crate::threads::worker::Worker;
use crate::threats::Threats;
use crate::tt::{TranspositionTable, key_after};
use scores::Scorer;

impl Worker<'_> {
    /// The next move of the current node. `threats` is what the opponent attacks; only the
    /// order of quiet moves depends on it.
    #[inline]
    pub(crate) fn next_move(
        &self,
        picker: &mut Picker,
        continuation: &ContinuationContext,
        threats: &Threats,
    ) -> Option<Move> {
        let scorer = Scorer {
            params: &self.params,
            position: &self.position,
            histories: &self.histories,
            continuation,
            threats,
        };
        picker.next(&scorer, self.table)
    }
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// All moves.
    All,
    /// Only captures and promotions that win at least so much by static exchange evaluation
    /// (SEE).
    SeeAtLeast(i32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    Killer,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The moves still to come at one node, in stages: the table's move, good captures (that lose
/// little by static exchange) and queen promotions, the killer, other quiet moves, bad captures
/// and underpromotions.
///
/// Every legal move that is wanted comes exactly once. All moves are legal.
///
/// The table entry of each position that may come next is prefetched as soon as its move is
/// known: of captures when they are generated, of a quiet move while the one before it is
/// searched (1.04 times the nodes a second by the one, 1.04 by the other: V54).
pub(crate) struct Picker {
    stage: Stage,
    mode: Mode,
    tt_move: Option<Move>,
    killer: Option<Move>,
    skip_quiets: bool,
    /// The moves of the running stage.
    moves: MoveList,
    /// For each of them its score and its index in one number, see [`key`]: the maximum finds
    /// both at once. [`PICKED`] for moves that were picked.
    keys: ArrayVec<i32, { MAX_MOVES + ROW }>,
    /// The quiet move that comes next, already picked.
    next_quiet: Option<Move>,
    /// Captures and promotions below the threshold of static exchange, best first.
    bad: MoveList,
    /// How many of those were picked.
    next_bad: usize,
}

/// The keys are filled up with [`PICKED`] to a multiple of this, so that their maximum is a
/// few vector instructions without a remainder: 0.9 % of all instructions, and a branch
/// mispredicted less for each node (V23).
const ROW: usize = 8;

/// Replaces the key of a move that was picked.
const PICKED: i32 = i32::MIN;

const _: () = assert!(MAX_MOVES <= 256);

impl Picker {
    /// A picker for a node. The table's move has to be legal; the killer need not be.
    #[inline]
    pub fn new(mode: Mode, tt_move: Option<Move>, killer: Option<Move>) -> Self {
        Self {
            stage: Stage::TtMove,
            mode,
            tt_move,
            killer: killer.filter(|mv| !mv.is_noisy() && killer != tt_move),
            skip_quiets: false,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            next_quiet: None,
            bad: MoveList::new(),
            next_bad: 0,
        }
    }

    /// From now on no quiet move is wanted any more.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, scorer: &Scorer<'_>, table: &TranspositionTable) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(scorer, table);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.next_good(scorer) {
                    Some(mv) => return Some(mv),
                    None if self.mode == Mode::All => self.stage = Stage::Killer,
                    None => self.stage = Stage::Done,
                },
                Stage::Killer => {
                    self.stage = Stage::GenerateQuiet;
                    if let Some(mv) = self.usable_killer(scorer, table) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiet => {
                    self.stage = Stage::Quiet;
                    if self.skip_quiets {
                        self.stage = Stage::BadNoisy;
                    } else {
                        self.generate_quiet(scorer, table);
                    }
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some(mv) = self.next_quiet
                    {
                        self.pick_next_quiet(scorer, table);
                        return Some(mv);
                    }
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => match self.bad.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    #[inline(never)]
    fn generate_noisy(&mut self, scorer: &Scorer<'_>, table: &TranspositionTable) {
        self.moves.clear();
        scorer.position.generate(Generate::Noisy, &mut self.moves);
        for &mv in &self.moves {
            table.prefetch(key_after(scorer.position, mv, scorer.params));
        }
        self.score_moves(|mv| scorer.noisy(mv));
    }

    #[inline(never)]
    fn generate_quiet(&mut self, scorer: &Scorer<'_>, table: &TranspositionTable) {
        self.moves.clear();
        scorer.position.generate(Generate::Quiet, &mut self.moves);
        let quiets = scorer.for_quiets();
        self.score_moves(|mv| quiets.score(mv));
        self.pick_next_quiet(scorer, table);
    }

    /// Picks the next quiet move and prefetches its table entry, before the one before it is
    /// searched.
    #[inline]
    fn pick_next_quiet(&mut self, scorer: &Scorer<'_>, table: &TranspositionTable) {
        self.next_quiet = self.best_of_stage().map(|(mv, _)| mv);
        if let Some(mv) = self.next_quiet {
            table.prefetch(key_after(scorer.position, mv, scorer.params));
        }
    }

    #[inline]
    fn score_moves(&mut self, score: impl Fn(Move) -> i32) {
        self.keys.clear();
        let indices = 0..MAX_MOVES as i32;
        self.keys.extend(self.moves.iter().zip(indices).map(|(&mv, index)| key(score(mv), index)));
        let filler = self.keys.try_extend_from_slice(&[PICKED; ROW]);
        filler.expect("invariant: room for a row more than there are moves");
        self.keys.truncate(self.moves.len().next_multiple_of(ROW));
    }

    /// Picks the move with the greatest key of those left in this stage; gives its score too.
    #[inline]
    fn best_of_stage(&mut self) -> Option<(Move, i32)> {
        loop {
            let best = maximum(&self.keys);
            if best == PICKED {
                return None;
            }
            let index = index_of(best);
            self.keys[index] = PICKED;
            let mv = self.moves[index];
            // These two have stages of their own.
            if Some(mv) != self.tt_move && Some(mv) != self.killer {
                return Some((mv, best >> 8));
            }
        }
    }

    fn next_good(&mut self, scorer: &Scorer<'_>) -> Option<Move> {
        while let Some((mv, score)) = self.best_of_stage() {
            let threshold = match self.mode {
                Mode::SeeAtLeast(gain) => gain,
                Mode::All => -score / scorer.params.good_capture_divisor(),
            };
            let underpromotion = mv.promotion().is_some_and(|kind| kind != PieceKind::Queen);
            if !underpromotion && scorer.position.see_at_least(mv, threshold) {
                return Some(mv);
            }
            self.bad.push(mv);
        }
        None
    }

    fn usable_killer(&mut self, scorer: &Scorer<'_>, table: &TranspositionTable) -> Option<Move> {
        let usable = |mv: &Move| !self.skip_quiets && scorer.position.is_legal(*mv);
        self.killer = self.killer.filter(usable);
        if let Some(mv) = self.killer {
            table.prefetch(key_after(scorer.position, mv, scorer.params));
        }
        self.killer
    }
}

/// The greatest of the keys.
///
/// Not inlined: within its callers the compiler finds vector instructions for a part of it only
/// (44 instructions for a list of 24 keys, else 160; callgrind).
#[inline(never)]
fn maximum(keys: &[i32]) -> i32 {
    keys.iter().copied().fold(PICKED, i32::max)
}

/// A score and an index in one number: the greater score is the greater key, and of equal
/// scores the first.
#[inline]
fn key(score: i32, index: i32) -> i32 {
    debug_assert!(score.abs() < 1 << 22, "a score has to leave room for the index");
    score << 8 | (255 - index)
}

/// The index in a [`key`].
fn index_of(key: i32) -> usize {
    255 - (key & 255) as usize
}

#[cfg(test)]
mod tests;
