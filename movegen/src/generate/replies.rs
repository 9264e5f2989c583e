//! Counting the last two plies by differences.
//!
//! The replies are counted once as if the side to move had passed. Each of its moves has that
//! number and a difference: what enemy sliders see through the square left and no more behind the
//! square reached, pawn moves blocked or allowed, captures of the piece, moves of a captured or
//! pinned piece, the moves of the enemy king, the evasions of a check. Moves that change more
//! (discoveries, castling, promotions) are played.

use super::mobility::Mobility;
use super::pins::change_of_pin;
use super::sinks::origin;
use super::zone::KingZone;
use super::{AllMoves, Masks, Sink, generate};
use crate::attacks::beyond;
use crate::castling::home_rank;
use crate::side_to_move::SideToMove;
use crate::{Bitboard, Board, PieceKind, Square, between, knight_attacks, line, queen_attacks};

/// The number of sequences of two legal moves.
pub(super) fn count_replies<Us: SideToMove>(board: &Board) -> u64 {
    let masks = Masks::of(board, Us::COLOR);
    // In Chess960 a rook that is pinned on its rank may not castle.
    let home = home_rank(Us::Them::COLOR);
    let sliders = board.orthogonal_sliders(Us::COLOR) & home;
    if masks.checkers.any() || (sliders.any() && (board.castling() & home).any()) {
        let mut count = 0;
        board.for_each_child_of::<Us>(|child| count += child.count_moves_of::<Us::Them>());
        return count;
    }
    let zone = &KingZone::of(board, Us::COLOR);
    let mobility = &Mobility::of(board, &zone.pins, zone.replies);
    let (origins, landings) = zone.special(board);
    let mut sink = CountReplies::<Us> { board, zone, mobility, origins, landings, count: 0 };
    generate::<Us, AllMoves, _>(board, &masks, &mut sink);
    sink.count as u64
}

/// Counts the replies to each move; the side to move is not in check.
struct CountReplies<'a, Us: SideToMove> {
    board: &'a Board,
    zone: &'a KingZone,
    mobility: &'a Mobility<Us::Them>,
    /// Pieces and pawns whose moves may matter to the enemy king.
    origins: Bitboard,
    /// `[kind]`, squares where those of others may.
    landings: [Bitboard; 6],
    count: i64,
}

impl<Us: SideToMove> CountReplies<'_, Us> {
    #[inline(always)]
    fn add_played(&mut self, child: &Board) {
        self.count += child.count_moves_of::<Us::Them>() as i64;
    }

    /// Adds moves of a piece of which at least one is not as good as a pass; compiled twice.
    #[inline(never)]
    fn special<const IS_PAWN: bool>(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        let kind = if IS_PAWN { PieceKind::Pawn } else { kind };
        let (board, zone) = (self.board, self.zone);
        let (king, them) = (board.king(Us::Them::COLOR), board.color(Us::Them::COLOR));
        let (checks, pinning) = (targets & zone.checks[kind.index()], zone.pinning[kind.index()]);
        let pins = zone.pins.pins();
        let mut repinning = targets & (pins | pinning);
        let mut played = zone.played(board, from, targets) | (repinning & (checks | (pins & them)));
        let is_pinner = !IS_PAWN && pins.has(from);
        if is_pinner {
            played |= checks;
            repinning -= line(king, from);
        }
        for to in repinning - played {
            let path = between(king, to);
            let is_pinned = pins.has(to);
            let way = if is_pinned { (path | beyond(king, to)) & pins } else { path };
            let change = (is_pinned, pinning.has(to));
            self.count += change_of_pin::<Us>(board, (from, to), (way & them).lowest(), change);
        }
        for to in played {
            self.add_played(&board.after_move::<Us>(kind, from, to));
        }
        let rest = targets - played;
        self.count += zone.change(board, kind, from, rest);
        for to in checks & rest {
            self.count += zone.replies + self.mobility.evasions(board, from, to);
        }
        let rest = rest - checks;
        if is_pinner {
            let pinned = (between(king, from) & them).lowest();
            let along = line(king, from);
            let change = |to| change_of_pin::<Us>(board, (from, to), pinned, (true, along.has(to)));
            // Squares that the pinned piece does not see are all alike.
            let seen = queen_attacks(pinned, board.occupied()) | knight_attacks(pinned);
            let alike = rest - along - seen;
            self.count += alike.first().map_or(0, |to| i64::from(alike.len()) * change(to));
            // Along a line a knight has no move, along a rank or file a pawn always the same.
            let pawns = board.pieces(PieceKind::Pawn) & zone.pins.orthogonal_pins;
            let is_steady = (board.pieces(PieceKind::Knight) | pawns).has(pinned);
            let steady = if is_steady { along } else { Bitboard::EMPTY };
            self.count += (rest - alike - steady).into_iter().map(change).sum::<i64>();
        }
        self.add(from, rest);
    }

    /// Adds moves that change nothing for the enemy king.
    #[inline(always)]
    fn add(&mut self, from: Square, targets: Bitboard) {
        self.count += if (targets.with(from) & self.mobility.touched).is_empty() {
            i64::from(targets.len()) * self.mobility.count
        } else {
            self.mobility.after(self.board, from, targets)
        };
    }
}

impl<Us: SideToMove> Sink for CountReplies<'_, Us> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        let special = (targets & self.landings[kind as usize]) | (self.origins & from.bitboard());
        if special.is_empty() {
            self.add(from, targets);
        } else {
            self.special::<false>(kind, from, targets);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        let special =
            targets & (self.landings[PieceKind::Pawn as usize] | shifted(self.origins, step));
        let touched = self.mobility.touched | shifted(self.mobility.touched, step);
        self.count += i64::from((targets - special - touched).len()) * self.mobility.count;
        for to in (targets & touched) - special {
            self.add(origin(to, step), to.bitboard());
        }
        for to in special {
            self.special::<true>(PieceKind::Pawn, origin(to, step), to.bitboard());
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, step: i8, targets: Bitboard) {
        let enemies = self.board.of(Us::Them::COLOR, PieceKind::Pawn);
        self.pawns(step, targets);
        for to in targets & (enemies.east() | enemies.west()) {
            let from = origin(to, step);
            let others = self.board.color(Us::COLOR).without(from);
            let occupied = self.board.occupied().without(from).with(Us::forward(from));
            for capturer in enemies & (to.bitboard().east() | to.bitboard().west()) {
                let king = self.board.king(Us::Them::COLOR);
                let attackers = self.board.attackers_to(king, occupied.without(capturer)) & others;
                self.count += i64::from(attackers.is_empty());
            }
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let from = origin(to, step);
            for kind in PieceKind::PROMOTIONS {
                self.add_played(&self.board.after_promotion::<Us>(from, to, kind));
            }
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        self.add_played(&self.board.after_en_passant::<Us>(from, to));
    }

    fn castle(&mut self, king: Square, rook: Square) {
        self.add_played(&self.board.after_castling::<Us>(king, rook));
    }
}

/// The set moved by `step` squares.
fn shifted(set: Bitboard, step: i8) -> Bitboard {
    Bitboard(if step > 0 { set.0 << step } else { set.0 >> -step })
}
