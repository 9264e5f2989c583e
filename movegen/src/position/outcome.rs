//! When the rules end a game: checkmate, stalemate, dead positions, repetition, move counters.

use super::Position;
use crate::{Bitboard, Color, PieceKind, king_attacks, pawns_attacks};

/// How the rules end a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who has won; `None` for a draw.
    pub winner: Option<Color>,
    /// By which rule.
    pub reason: Reason,
}

/// The rule that ends a game.
///
/// Source: the FIDE Laws of Chess of 2023, articles 5, 9.2, 9.3 and 9.6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// A dead position: neither side has the material to mate.
    InsufficientMaterial,
    /// A dead position: the pawns block each other, and no king gets through.
    BlockedPawns,
    /// The fifth occurrence of a position: a draw without a claim.
    FivefoldRepetition,
    /// Seventy-five moves of each side without capture or pawn move: a draw without a claim.
    SeventyFiveMoves,
    /// The third occurrence of a position: a draw if a player claims it.
    ThreefoldRepetition,
    /// Fifty moves of each side without capture or pawn move: a draw if a player claims it.
    FiftyMoves,
}

impl Position {
    /// How the game ends here without a claim.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Outcome, Position, Reason};
    /// let mut position = Position::startpos();
    /// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
    ///     assert_eq!(position.outcome(), None);
    ///     position.try_make_uci(text)?;
    /// }
    /// let mate = Outcome { winner: Some(Color::Black), reason: Reason::Checkmate };
    /// assert_eq!(position.outcome(), Some(mate));
    /// # Ok::<(), tamarin_movegen::UciMoveError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            let winner = self.in_check().then(|| !self.side_to_move());
            let reason = if winner.is_some() { Reason::Checkmate } else { Reason::Stalemate };
            return Some(Outcome { winner, reason });
        }
        let reason = match () {
            () if self.is_insufficient_material() => Reason::InsufficientMaterial,
            () if self.has_blocked_pawns() => Reason::BlockedPawns,
            () if self.halfmove_clock() >= 150 => Reason::SeventyFiveMoves,
            () if self.occurrences() >= 5 => Reason::FivefoldRepetition,
            () => return None,
        };
        Some(Outcome { winner: None, reason })
    }

    /// The draw that a player may claim here, whose move it is.
    pub fn claimable_draw(&self) -> Option<Reason> {
        if self.is_repetition(0) {
            return Some(Reason::ThreefoldRepetition);
        }
        self.is_fifty_move_draw().then_some(Reason::FiftyMoves)
    }

    /// How the game ends here if every draw that can be claimed is claimed, as between engines.
    pub fn outcome_with_claims(&self) -> Option<Outcome> {
        let claimed = || self.claimable_draw().map(|reason| Outcome { winner: None, reason });
        self.outcome().or_else(claimed)
    }

    /// Returns `true` for a dead position, in which no sequence of legal moves gives checkmate: by
    /// insufficient material, or because pawns block each other while only kings can move. Other
    /// dead positions (blocked pawns with further pieces, forced lines) are not found.
    pub fn is_dead(&self) -> bool {
        self.is_insufficient_material() || self.has_blocked_pawns()
    }

    /// Returns `true` if neither side has the material to mate: no pawn, rook or queen, and either
    /// one knight alone or bishops on squares of one color only.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let [pawns, rooks, queens] =
            [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen].map(|kind| self.pieces(kind));
        (pawns | rooks | queens).is_empty() && self.has_minor_draw()
    }

    #[cold]
    fn has_minor_draw(&self) -> bool {
        let bishops = self.pieces(PieceKind::Bishop);
        match self.pieces(PieceKind::Knight).len() {
            0 => is_one_color(bishops),
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// Returns `true` if a side could give checkmate with its material if the other helped: what
    /// decides between loss and draw when the other's time has run out.
    ///
    /// Source of the cases: `has_insufficient_material` of python-chess.
    pub fn has_mating_material(&self, side: Color) -> bool {
        let any = |color: Color, kinds: &[PieceKind]| {
            kinds.iter().any(|&kind| self.of(color, kind).any())
        };
        if any(side, &[PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]) {
            return true;
        }
        let knights = self.of(side, PieceKind::Knight);
        let bishops = self.of(side, PieceKind::Bishop);
        if knights.any() {
            // A lone knight needs a piece that takes a square from its own king; a queen would
            // always guard the mating square as well.
            let blockers = [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
            return knights.several() || bishops.any() || any(!side, &blockers);
        }
        let others = self.pieces(PieceKind::Pawn) | self.pieces(PieceKind::Knight);
        bishops.any() && (!is_one_color(self.pieces(PieceKind::Bishop)) || others.any())
    }

    /// Returns `true` if there are only kings and pawns, no pawn can ever move or capture, and no
    /// king can reach one.
    fn has_blocked_pawns(&self) -> bool {
        let pawns = self.pieces(PieceKind::Pawn);
        if self.occupied() != pawns | self.pieces(PieceKind::King) || self.en_passant().is_some() {
            return false;
        }
        Color::ALL.iter().all(|&color| {
            let (own, enemy) = (self.of(color, PieceKind::Pawn), self.of(!color, PieceKind::Pawn));
            // What stands before every pawn is a pawn, which cannot move either.
            own.forward(color).is_subset(pawns)
                && (pawns_attacks(color, own) & enemy).is_empty()
                && (self.king_region(color) & enemy).is_empty()
        })
    }

    /// Every square that a king can get to while no pawn moves, wherever the other king is, with
    /// the enemy pawns that it could capture on its way.
    fn king_region(&self, color: Color) -> Bitboard {
        let enemy = self.of(!color, PieceKind::Pawn);
        let closed = self.of(color, PieceKind::Pawn) | pawns_attacks(!color, enemy);
        let mut region = self.king(color).bitboard();
        loop {
            let around = region.into_iter().fold(region, |all, from| all | king_attacks(from));
            let grown = region | (around & !closed);
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

fn is_one_color(bishops: Bitboard) -> bool {
    bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK)
}
