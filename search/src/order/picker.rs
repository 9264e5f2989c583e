//! Hands the moves of a node out one by one, making as few as possible at a time.

use arrayvec::ArrayVec;
use tamarin_movegen::{Generate, MAX_MOVES, Move, MoveList};

use super::Scorer;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// All moves.
    All,
    /// Only captures and promotions that win at least so much by static exchange.
    SeeAtLeast(i32),
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
    /// The moves of the running stage.
    moves: MoveList,
    /// Their scores times 256 plus 255 less their places in `moves`, so that the
    /// greatest says all and the first of equals comes first;
    /// [`HANDED_OUT`] for those that were.
    keys: ArrayVec<i32, { MAX_MOVES + ROW }>,
    /// The quiet move that comes next.
    upcoming: Option<Move>,
    /// Losing captures put off for later, best first.
    bad: MoveList,
    /// How many of those were handed out.
    next_bad: usize,
}

/// Keys come in rows of so many, the last filled up with [`HANDED_OUT`]: a few vector
/// instructions look at a whole row, and none is left to be looked at by itself.
const ROW: usize = 8;

/// Takes the place of a move's key when it was handed out.
const HANDED_OUT: i32 = i32::MIN;

const _: () = assert!(MAX_MOVES <= 256);

impl Picker {
    /// A picker for a node. The table's move and the killer may be any legal move or none.
    #[inline]
    pub fn new(mode: Mode, table_move: Option<Move>, killer: Option<Move>) -> Self {
        Self {
            stage: Stage::Table,
            mode,
            table_move,
            killer: killer.filter(|mv| !mv.is_noisy() && killer != table_move),
            skip_quiets: false,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            upcoming: None,
            bad: MoveList::new(),
            next_bad: 0,
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
                    self.generate_noisy(scorer);
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
                    self.stage = Stage::Quiet;
                    if self.skip_quiets {
                        self.stage = Stage::BadNoisy;
                    } else {
                        self.generate_quiet(scorer);
                    }
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some(mv) = self.upcoming
                    {
                        self.choose_upcoming(scorer);
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
    fn generate_noisy(&mut self, scorer: &Scorer<'_>) {
        self.moves.clear();
        scorer.position.generate(Generate::Noisy, &mut self.moves);
        self.score_moves(|mv| {
            scorer.prefetch_after(mv);
            scorer.noisy(mv)
        });
    }

    #[inline(never)]
    fn generate_quiet(&mut self, scorer: &Scorer<'_>) {
        self.moves.clear();
        scorer.position.generate(Generate::Quiet, &mut self.moves);
        let quiets = scorer.for_quiets();
        self.score_moves(|mv| quiets.score(mv));
        self.choose_upcoming(scorer);
    }

    /// Chooses the next quiet move while the one before it is still to be searched, so that
    /// there is time to prepare for it.
    #[inline]
    fn choose_upcoming(&mut self, scorer: &Scorer<'_>) {
        self.upcoming = self.best_of_stage();
        if let Some(mv) = self.upcoming {
            scorer.prefetch_after(mv);
        }
    }

    #[inline]
    fn score_moves(&mut self, score: impl Fn(Move) -> i32) {
        self.keys.clear();
        let places = (0..MAX_MOVES as i32).rev();
        self.keys.extend(self.moves.iter().zip(places).map(|(&mv, place)| key(score(mv), place)));
        let filler = self.keys.try_extend_from_slice(&[HANDED_OUT; ROW]);
        filler.expect("invariant: room for a row more than there are moves");
        self.keys.truncate(self.moves.len().next_multiple_of(ROW));
    }

    /// Takes the best of what is left of the running stage.
    #[inline]
    fn best_of_stage(&mut self) -> Option<Move> {
        loop {
            let mut best = [HANDED_OUT; ROW];
            for row in self.keys.as_chunks::<ROW>().0 {
                for (best, &key) in best.iter_mut().zip(row) {
                    *best = key.max(*best);
                }
            }
            let best = best.into_iter().fold(HANDED_OUT, i32::max);
            if best == HANDED_OUT {
                return None;
            }
            let place = 255 - (best & 255) as usize;
            self.keys[place] = HANDED_OUT;
            let mv = self.moves[place];
            // Those two have stages of their own.
            if Some(mv) != self.table_move && Some(mv) != self.killer {
                return Some(mv);
            }
        }
    }

    fn next_good(&mut self, scorer: &Scorer<'_>) -> Option<Move> {
        let threshold = match self.mode {
            Mode::SeeAtLeast(gain) => gain,
            Mode::All => scorer.params.good_capture_see(),
        };
        while let Some(mv) = self.best_of_stage() {
            if scorer.position.see_at_least(mv, threshold) {
                return Some(mv);
            }
            self.bad.push(mv);
        }
        None
    }

    fn usable_killer(&mut self, scorer: &Scorer<'_>) -> Option<Move> {
        let usable = |mv: &Move| !self.skip_quiets && scorer.position.is_legal(*mv);
        self.killer = self.killer.filter(usable);
        if let Some(mv) = self.killer {
            scorer.prefetch_after(mv);
        }
        self.killer
    }
}

/// A score and a place in one number, see [`Picker::keys`].
#[inline(always)]
fn key(score: i32, place: i32) -> i32 {
    debug_assert!(score.abs() < 1 << 22, "a score has to leave room for the place");
    score << 8 | place
}

#[cfg(test)]
mod tests;
