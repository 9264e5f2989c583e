//! What moves gain, and the scores that they are tried by.

use tamarin_base::formula::weighted;
use tamarin_variant::{Move, Piece, Square};

use crate::search::history::PieceTo;
use crate::search::purpose::Purpose;
use crate::search::scored_move::{Noise, ScoredMove};
use crate::search::worker::{PARAMS, Worker};

impl<P: Purpose> Worker<'_, P> {
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
        if !self.position.has_effects(m) {
            return noisy.then_some(noise);
        }
        let mover = self.position.mover(m)?;
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
        let context = self.stack.context(self.ply);
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
