//! Whether a move leaves the king in check, or the mistake takes it so.

use super::{Kind, Mailbox, NONE, Step, shift};
use crate::compare::mistakes::Mistake as M;

impl Mailbox {
    pub(super) fn is_legal(&self, step: &Step) -> bool {
        let after = self.after(step);
        let king = after.king(self.white);
        if step.kind == Kind::Castle
            && let Some(
                M::RookPinned | M::CastleTo | M::CastlePawns | M::CastleKing | M::CastleKnight,
            ) = self.mistake
        {
            return true;
        }
        let attackers = after.attackers(king, !self.white);
        let mistaken = match self.board[step.from].to_ascii_lowercase() {
            _ if step.kind == Kind::EnPassant => self.en_passant(step, &after),
            b'k' if step.kind == Kind::Usual => self.king_step(step, &after, attackers),
            _ => self.other(step, attackers),
        };
        mistaken.unwrap_or(attackers == 0)
    }

    fn en_passant(&self, step: &Step, after: &Self) -> Option<bool> {
        let (king, them) = (self.king(self.white), !self.white);
        let (checkers, pin) = (self.attackers(king, them), self.pin(step.from));
        let victim = step.from / 8 * 8 + step.to % 8;
        let others = checkers & !(1 << victim);
        let with = |square: usize, c: u8| {
            let mut board = after.clone();
            board.board[square] = c;
            Some(board.attackers(king, them) & !(1 << victim) == 0)
        };
        let on_rank = |c: usize| king / 8 == victim / 8 && c / 8 == king / 8;
        match self.mistake? {
            M::EpRank => with(victim, self.board[victim]),
            M::EpPinned if pin.is_some() => Some(others == 0),
            M::EpFilePinned if pin.is_some_and(|by| by.0 == 0) => Some(others == 0),
            M::EpPins => Some(others == 0),
            M::EpAlongPin if pin.is_some() => Some(false),
            M::EpChecker if checkers != 0 => Some(false),
            M::EpPinnedChecker if checkers == 1 << victim && pin.is_some() => Some(true),
            M::EpFile => with(step.to, NONE),
            M::EpDiscovered if checkers != 0 => Some(true),
            M::EpThird => (0..64)
                .any(|at| on_rank(at) && self.enemy(at) && b"rqRQ".contains(&self.board[at]))
                .then_some(false),
            _ => None,
        }
    }

    fn king_step(&self, step: &Step, after: &Self, attackers: u64) -> Option<bool> {
        let takes = self.enemy(step.to);
        let up = if self.white { 1 } else { -1 };
        match self.mistake? {
            M::KingRetreats => {
                let mut with = after.clone();
                with.board[step.from] = self.board[step.from];
                Some(with.attackers(step.to, !self.white) == 0)
            }
            M::KingTakes if takes => Some(true),
            M::KingChecker
                if takes && self.attackers(step.from, !self.white) >> step.to & 1 == 1 =>
            {
                Some(false)
            }
            M::KingsMeet => Some(attackers & !after.has(attackers, b'k') == 0),
            M::KingPawn => shift(step.to, (0, up))
                .is_some_and(|at| after.board[at] == if self.white { b'p' } else { b'P' })
                .then_some(false),
            _ => None,
        }
    }

    /// Of a move that is neither of the king nor en passant, or castles.
    fn other(&self, step: &Step, attackers: u64) -> Option<bool> {
        let checkers = self.attackers(self.king(self.white), !self.white);
        let (in_check, takes) = (checkers != 0, checkers >> step.to & 1 == 1);
        let pin = self.pin(step.from);
        let is_pinned = |straight: bool| pin.is_some_and(|by| straight == (by.0 * by.1 == 0));
        let piece = self.board[step.from].to_ascii_lowercase();
        let (is_pawn, is_queen) = (piece == b'p', piece == b'q');
        let is_two = is_pawn && step.from.abs_diff(step.to) == 16;
        let goes_ahead = step.from % 8 == step.to % 8;
        let answers = attackers & checkers == 0;
        let legal = attackers == 0;
        match self.mistake? {
            M::EpBishop if takes_marker(self, step, checkers) => Some(true),
            M::PromotionCheck if step.promotion != 0 && in_check => Some(false),
            M::PromotionChecker if step.promotion != 0 && takes => Some(false),
            M::PawnTwoCheck if is_two && in_check => Some(false),
            M::DoubleCheck if checkers.count_ones() == 2 => Some(attackers.count_ones() <= 1),
            M::PinnedAnswers if in_check && pin.is_some() => Some(answers),
            M::CheckIgnored if in_check => Some(attackers & !checkers == 0),
            M::CheckBlock if in_check && !takes => Some(false),
            M::CheckTake if takes => Some(false),
            M::PinRook if piece == b'r' && is_pinned(true) => Some(false),
            M::PinQueen if is_queen && is_pinned(false) => Some(answers),
            M::PinKnight if piece == b'n' && pin.is_some() => Some(answers),
            M::PinTwo
                if self
                    .line(step.from)
                    .is_some_and(|(_, own, enemies)| (own, enemies) == (2, 0)) =>
            {
                Some(false)
            }
            M::PinEnemy
                if self
                    .line(step.from)
                    .is_some_and(|(_, own, enemies)| (own, enemies) == (1, 1)) =>
            {
                Some(false)
            }
            M::PawnFrozen if is_pawn && legal && pin.is_some_and(|by| by.0 == 0) => Some(false),
            M::PawnDiagonal if is_pawn && goes_ahead && is_pinned(false) => Some(answers),
            M::PawnPinner if is_pawn && legal && is_pinned(false) => Some(false),
            M::PawnRank if is_pawn && pin.is_some_and(|by| by.1 == 0) => Some(answers),
            M::PawnFileTakes if is_pawn && !goes_ahead && pin.is_some_and(|by| by.0 == 0) => {
                Some(answers)
            }
            _ => None,
        }
    }
}

/// Whether a piece that is no pawn goes to the en passant square, in a check by the pawn.
fn takes_marker(board: &Mailbox, step: &Step, checkers: u64) -> bool {
    let Some(ep) = board.ep else { return false };
    let pawn = if board.white { ep.wrapping_sub(8) } else { ep + 8 };
    step.to == ep && checkers == 1 << (pawn % 64)
}
