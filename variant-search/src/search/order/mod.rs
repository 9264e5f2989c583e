//! Move ordering: the staged picker, which scores the moves of a node only when they may be needed.

mod scores;

use tamarin_variant::Move;

use super::purpose::Purpose;
use super::scored_move::ScoredMove;
use super::worker::Worker;
use crate::table::MoveCode;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// All moves.
    All,
    /// Only captures and promotions that win at least so much by static exchange evaluation (SEE).
    SeeAtLeast(i32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    ScoreNoisy,
    GoodNoisy,
    Killer,
    ScoreQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The moves still to come at one node, in stages: the table's move, captures and promotions that
/// lose little by static exchange, the killer, other quiet moves, other captures.
///
/// Every pseudo-legal move that is wanted comes exactly once; the caller selects the legal ones.
pub(crate) struct Picker {
    stage: Stage,
    mode: Mode,
    killer: Option<Move>,
    skip_quiets: bool,
    /// The table's move, if it is there; captures that lose too much; other captures; quiet moves.
    moves: Vec<ScoredMove>,
    /// Where the captures begin and end.
    first: usize,
    noisy_end: usize,
    /// What comes next of the running stage.
    next: usize,
    /// How many captures from `first` on lose too much.
    bad: usize,
}

impl<P: Purpose> Worker<'_, P> {
    /// A picker for the current node.
    pub fn picker(&mut self, mode: Mode, best: Option<MoveCode>, killer: Option<Move>) -> Picker {
        let mut moves = std::mem::take(&mut self.stack.at_mut(self.ply).moves);
        moves.clear();
        let mut found = std::mem::take(&mut self.scratch);
        match mode {
            Mode::All if self.ply == 0 => {
                found.clear();
                found.extend_from_slice(self.root_moves);
            }
            Mode::All => {
                self.position.pseudo_legal_moves_into(self.position.side_to_move(), &mut found);
            }
            Mode::SeeAtLeast(_) => self.position.noisy_moves_into(&mut found),
        }
        moves.extend(found.iter().map(|&m| ScoredMove { m, score: 0, noise: self.noise(m) }));
        self.scratch = found;
        Picker::new(mode, moves, best, killer)
    }

    /// Gives the memory of a picker of the current node back.
    pub fn recycle(&mut self, picker: Picker) {
        self.stack.at_mut(self.ply).moves = picker.moves;
    }
}

impl Picker {
    fn new(
        mode: Mode,
        mut moves: Vec<ScoredMove>,
        best: Option<MoveCode>,
        killer: Option<Move>,
    ) -> Self {
        if mode != Mode::All {
            moves.retain(ScoredMove::is_noisy);
        }
        let tt_move = best.and_then(|code| moves.iter().position(|it| MoveCode::of(it.m) == code));
        let first = usize::from(tt_move.is_some());
        if let Some(at) = tt_move {
            moves.swap(0, at);
        }
        let mut noisy_end = first;
        for at in first..moves.len() {
            if moves[at].is_noisy() {
                moves.swap(noisy_end, at);
                noisy_end += 1;
            }
        }
        Self {
            stage: Stage::TtMove,
            mode,
            killer,
            skip_quiets: false,
            moves,
            first,
            noisy_end,
            next: first,
            bad: 0,
        }
    }

    /// From now on no quiet move is wanted any more.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The table's move, if it is one of the position.
    #[inline]
    pub fn tt_move(&self) -> Option<&ScoredMove> {
        (self.first == 1).then(|| &self.moves[0])
    }

    /// The next move.
    pub fn next<P: Purpose>(&mut self, worker: &Worker<'_, P>) -> Option<ScoredMove> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::ScoreNoisy;
                    if let Some(&it) = self.tt_move()
                        && self.is_wanted(worker, &it)
                    {
                        return Some(it);
                    }
                }
                Stage::ScoreNoisy => {
                    worker.score_noisy(&mut self.moves[self.first..self.noisy_end]);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.next_good(worker) {
                    Some(it) => return Some(it),
                    None if self.mode == Mode::All => self.stage = Stage::Killer,
                    None => self.stage = Stage::Done,
                },
                Stage::Killer => {
                    self.stage = Stage::ScoreQuiet;
                    if let Some(it) = self.usable_killer() {
                        return Some(it);
                    }
                }
                Stage::ScoreQuiet => {
                    self.stage = Stage::Quiet;
                    if !self.skip_quiets {
                        worker.score_quiets(&mut self.moves[self.next..]);
                    }
                }
                Stage::Quiet => {
                    if !self.skip_quiets && self.next < self.moves.len() {
                        return Some(self.pick(self.moves.len()));
                    }
                    self.stage = Stage::BadNoisy;
                    self.next = self.first;
                }
                Stage::BadNoisy if self.next < self.first + self.bad => {
                    self.next += 1;
                    return Some(self.moves[self.next - 1]);
                }
                Stage::BadNoisy => self.stage = Stage::Done,
                Stage::Done => return None,
            }
        }
    }

    fn is_wanted<P: Purpose>(&self, worker: &Worker<'_, P>, it: &ScoredMove) -> bool {
        match self.mode {
            Mode::All => true,
            Mode::SeeAtLeast(gain) => worker.see_at_least(it, gain),
        }
    }

    /// The move with the greatest score of those up to `end`; of equal ones the first.
    #[inline]
    fn pick(&mut self, end: usize) -> ScoredMove {
        let mut best = self.next;
        for at in self.next + 1..end {
            if self.moves[at].score > self.moves[best].score {
                best = at;
            }
        }
        self.moves.swap(self.next, best);
        self.next += 1;
        self.moves[self.next - 1]
    }

    fn next_good<P: Purpose>(&mut self, worker: &Worker<'_, P>) -> Option<ScoredMove> {
        while self.next < self.noisy_end {
            let it = self.pick(self.noisy_end);
            let threshold = match self.mode {
                Mode::SeeAtLeast(gain) => gain,
                Mode::All => worker.good_capture_threshold(it.score),
            };
            if worker.see_at_least(&it, threshold) {
                return Some(it);
            }
            // What was picked before is behind; the first places keep those that lose.
            self.moves.swap(self.first + self.bad, self.next - 1);
            self.bad += 1;
        }
        None
    }

    fn usable_killer(&mut self) -> Option<ScoredMove> {
        self.next = self.noisy_end;
        let killer = self.killer.filter(|_| !self.skip_quiets)?;
        let at = self.moves[self.next..].iter().position(|it| it.m == killer)?;
        self.moves.swap(self.next, self.next + at);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

#[cfg(test)]
mod tests;
