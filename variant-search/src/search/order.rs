//! Move ordering: the staged picker, which scores the moves of a node only when they may be needed.

use tamarin_base::formula::weighted;
use tamarin_variant::{Move, Piece, Square};

use crate::score::WIN;
use crate::search::history::PieceTo;
use crate::search::stack::context;
use crate::search::worker::{PARAMS, Worker};
use crate::table::{MoveCode, move_code};

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

impl Worker<'_> {
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
        let tt_move = best.and_then(|code| moves.iter().position(|it| move_code(it.m) == code));
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
    pub fn next(&mut self, worker: &Worker<'_>) -> Option<ScoredMove> {
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

    fn is_wanted(&self, worker: &Worker<'_>, it: &ScoredMove) -> bool {
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

    fn next_good(&mut self, worker: &Worker<'_>) -> Option<ScoredMove> {
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

impl Worker<'_> {
    /// The value of a piece in score units.
    #[inline]
    fn value(&self, piece: Piece) -> i32 {
        self.shared.piece_values[usize::from(piece.kind)]
    }

    /// What a captured piece is worth in the hand of its capturer.
    #[inline]
    fn value_in_hand(&self, square: Square, piece: Piece) -> i32 {
        let game = self.position.game();
        if !game.has_hands() {
            return 0;
        }
        let kind = game.in_hand(piece.kind, self.position.occupant(square).flags);
        kind.map_or(0, |kind| self.value(Piece { kind, ..piece }))
    }

    /// What a move that captures or promotes brings; `None` for other moves.
    #[inline]
    pub fn noise(&self, m: Move) -> Option<Noise> {
        let mut noise = Noise { gain: 0, captured: None };
        self.position.for_each_captured(m, |square, piece| {
            noise.gain += self.value(piece) + self.value_in_hand(square, piece);
            noise.captured.get_or_insert(piece.kind);
        });
        let mut noisy = noise.captured.is_some();
        if !self.position.has_effects(m) && !self.position.game().has_explosions() {
            return noisy.then_some(noise);
        }
        let mover = self.position.mover(m)?;
        self.position.for_each_exploded(m, |_, piece| {
            let value =
                if self.position.game().is_royal(piece.kind) { WIN } else { self.value(piece) };
            noise.gain += if piece.color == mover.color { -value } else { value };
        });
        self.position.for_each_created(m, |square, kind| {
            let mut more = self.value(Piece { kind, ..mover });
            if square == m.to {
                more -= self.value(mover);
                noisy |= more > 0;
            }
            noise.gain += more;
        });
        noisy.then_some(noise)
    }

    /// Whether a move wins at least so much by static exchange evaluation.
    #[inline]
    pub fn see_at_least(&self, it: &ScoredMove, threshold: i32) -> bool {
        let values = &self.shared.exchange_values;
        self.position.holds_exchange(it.m, values, it.gain() - threshold)
    }

    /// The piece of a pseudo-legal move and where it goes.
    #[inline]
    pub fn piece_to(&self, m: Move) -> PieceTo {
        let piece = self.position.mover(m).expect("invariant: a move has a piece");
        PieceTo { piece, to: m.to, dropped: m.dropped().is_some() }
    }

    pub(super) fn score_noisy(&self, moves: &mut [ScoredMove]) {
        for it in moves {
            let captured = it.noise.and_then(|noise| noise.captured);
            let history = self.histories.capture(self.piece_to(it.m), captured);
            let gain = it.gain().clamp(-100_000, 100_000);
            it.score = PARAMS.capture_victim_weight() * gain + history;
        }
    }

    /// What a capture with that score may lose by static exchange and still come before the quiet
    /// moves; negative.
    pub(super) fn good_capture_threshold(&self, score: i32) -> i32 {
        -score / PARAMS.good_capture_divisor()
    }

    pub(super) fn score_quiets(&self, moves: &mut [ScoredMove]) {
        let context = context(&self.stack, self.ply);
        let color = self.position.side_to_move();
        for it in moves {
            let moved = self.piece_to(it.m);
            let [last, own, before] = self.histories.continuation.values(&context, moved);
            it.score = weighted(PARAMS.order_quiet_history(), self.histories.quiet(color, it.m))
                + weighted(PARAMS.order_pawn_history(), self.histories.piece(moved))
                + weighted(PARAMS.order_continuation_1(), last)
                + weighted(PARAMS.order_continuation_2(), own)
                + weighted(PARAMS.order_continuation_4(), before);
        }
    }
}

/// What a capture or promotion brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Noise {
    /// What it gains, in score units, with everything that it creates.
    pub gain: i32,
    /// The kind of the first piece that it captures.
    pub captured: Option<u8>,
}

/// A pseudo-legal move of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    pub m: Move,
    pub score: i32,
    /// `None` for quiet moves.
    pub noise: Option<Noise>,
}

impl ScoredMove {
    #[inline]
    pub fn is_noisy(&self) -> bool {
        self.noise.is_some()
    }

    /// What it gains, in score units.
    #[inline]
    pub fn gain(&self) -> i32 {
        self.noise.map_or(0, |noise| noise.gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> Vec<ScoredMove> {
        let noise = |i: u32| (i % 3 == 1).then_some(Noise { gain: i as i32, captured: Some(0) });
        let it = |i: u32| ScoredMove { m: Move::from_bits(i << 8), score: 0, noise: noise(i) };
        (0..10).map(it).collect()
    }

    #[test]
    fn the_moves_of_the_table_and_the_captures_come_first() {
        let best = Some(move_code(Move::from_bits(6 << 8)));
        let picker = Picker::new(Mode::All, moves(), best, None);
        assert_eq!(picker.tt_move().map(|it| it.m.to), Some(6));
        assert_eq!((picker.first, picker.noisy_end), (1, 4));
        assert!(picker.moves[1..4].iter().all(ScoredMove::is_noisy));
        assert!(!picker.moves[4..].iter().any(ScoredMove::is_noisy));
        let none = Some(move_code(Move::from_bits(77 << 8)));
        let picker = Picker::new(Mode::SeeAtLeast(0), moves(), none, None);
        assert!(picker.tt_move().is_none() && picker.moves.len() == 3);
    }
}
