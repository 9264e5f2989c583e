//! Counting the last two plies by differences.
//!
//! The replies are counted once as if the side to move had passed. Each of its moves has that
//! number and a difference: what enemy sliders see through the square left and no more behind
//! the square reached, the pawn moves that either square blocks or allows, the attackers of a
//! captured piece and its own moves, the moves of a piece that a pin holds or lets go, what the
//! enemy king may do, and the evasions of a check. Moves that change more (discoveries, castling,
//! promotions) are played.

use super::mobility::Mobility;
use super::pins::KingLines;
use super::zone::KingZone;
use super::{AllMoves, Masks, Sink, generate};
use crate::side_to_move::SideToMove;
use crate::{Bitboard, Board, PieceKind, Square, line};

/// The number of sequences of two legal moves.
pub(super) fn count_replies<Us: SideToMove>(board: &Board) -> u64 {
    let masks = Masks::of(board, Us::COLOR);
    if masks.checkers.any() {
        let mut count = 0;
        board.for_each_child_of::<Us>(|child| count += count_moves::<Us::Them>(child));
        return count;
    }
    let lines = KingLines::of(board, Us::COLOR);
    let zone = KingZone::of(board, Us::COLOR, &lines);
    let mobility = Mobility::of(board, &lines.pins, zone.replies);
    let mut sink = CountReplies::<Us>::new(board, &lines, &zone, &mobility);
    generate::<Us, AllMoves, _>(board, &masks, &mut sink);
    sink.count as u64
}

/// Not inlined: one copy for all moves that are played.
#[inline(never)]
fn count_moves<Us: SideToMove>(board: &Board) -> u64 {
    board.count_moves_of::<Us>()
}

/// Counts the replies to each move; the side to move is not in check.
struct CountReplies<'a, Us: SideToMove> {
    board: &'a Board,
    lines: &'a KingLines,
    zone: &'a KingZone,
    mobility: &'a Mobility<Us::Them>,
    /// Pieces and pawns from which a move may differ from a pass.
    origins: Bitboard,
    /// `[kind]`, squares to which it may.
    landings: [Bitboard; 6],
    count: i64,
}

impl<'a, Us: SideToMove> CountReplies<'a, Us> {
    #[inline(always)]
    fn new(
        board: &'a Board,
        lines: &'a KingLines,
        zone: &'a KingZone,
        mobility: &'a Mobility<Us::Them>,
    ) -> Self {
        let origins = zone.origins() | lines.pinners | mobility.touched;
        let landings = PieceKind::ALL.map(|kind| zone.landings(kind) | mobility.touched);
        Self { board, lines, zone, mobility, origins, landings, count: 0 }
    }

    #[inline(always)]
    fn add_played(&mut self, child: &Board) {
        self.count += count_moves::<Us::Them>(child) as i64;
    }

    /// Plays a move that is neither promotion, double push, castling nor en passant.
    #[inline]
    fn play(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.add_played(&self.board.after_move::<Us>(kind, from, to));
        }
    }

    /// Adds moves of a piece of which at least one is not as good as a pass.
    #[inline(never)]
    fn special(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        self.add_special(kind, from, targets);
    }

    /// The same of a pawn, compiled on its own.
    #[inline(never)]
    fn special_pawn(&mut self, from: Square, to: Square) {
        self.add_special(PieceKind::Pawn, from, to.bitboard());
    }

    #[inline(always)]
    fn add_special(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        let (board, lines, zone) = (self.board, self.lines, self.zone);
        let (checks, makes_pin) = (targets & zone.checks(kind), zone.makes_pin(kind));
        let pins = lines.pins.pins();
        let mut repinning = targets & (pins | makes_pin);
        let mut played = zone.played(board, (kind, from), targets);
        played |= repinning & (checks | (pins & board.color(Us::Them::COLOR)));
        let is_pinner = kind != PieceKind::Pawn && lines.pinners.has(from);
        if is_pinner {
            played |= checks;
            repinning -= line(board.king(Us::Them::COLOR), from);
        }
        for to in repinning - played {
            match lines.change_of_landing::<Us>(board, (from, to), makes_pin.has(to)) {
                Some(change) => self.count += change,
                None => played = played.with(to),
            }
        }
        self.play(kind, from, played);
        let rest = targets - played;
        self.count += zone.change(board, kind, from, rest);
        for to in checks & rest {
            self.count += zone.replies + self.mobility.evasions(board, from, to);
        }
        let rest = rest - checks;
        if is_pinner {
            self.count += lines.change_of_leaving::<Us>(board, from, rest);
        }
        self.count += if (rest.with(from) & self.mobility.touched).is_empty() {
            i64::from(rest.len()) * self.mobility.count
        } else {
            self.mobility.after(board, from, rest)
        };
    }

    /// Adds the captures en passant after a double push.
    fn add_en_passant(&mut self, from: Square, to: Square, enemies: Bitboard) {
        let others = self.board.color(Us::COLOR).without(from);
        let occupied = self.board.occupied().without(from).with(Us::forward(from));
        for capturer in enemies & (to.bitboard().east() | to.bitboard().west()) {
            let king = self.board.king(Us::Them::COLOR);
            let attackers = self.board.attackers_to(king, occupied.without(capturer)) & others;
            self.count += i64::from(attackers.is_empty());
        }
    }

    /// Adds moves of pawns that are not promotions.
    #[inline(always)]
    fn add_pawns(&mut self, step: i8, targets: Bitboard) {
        let landings = self.landings[PieceKind::Pawn as usize];
        let special = targets & (landings | shifted(self.origins, step));
        self.count += i64::from((targets - special).len()) * self.mobility.count;
        for to in special {
            self.special_pawn(super::sinks::origin(to, step), to);
        }
    }
}

impl<Us: SideToMove> Sink for CountReplies<'_, Us> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        let special = (targets & self.landings[kind as usize]) | (self.origins & from.bitboard());
        if special.is_empty() {
            self.count += i64::from(targets.len()) * self.mobility.count;
        } else {
            self.special(kind, from, targets);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        self.add_pawns(step, targets);
    }

    #[inline(always)]
    fn double_pushes(&mut self, step: i8, targets: Bitboard) {
        let enemies = self.board.of(Us::Them::COLOR, PieceKind::Pawn);
        self.add_pawns(step, targets);
        for to in targets & (enemies.east() | enemies.west()) {
            self.add_en_passant(super::sinks::origin(to, step), to, enemies);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let from = super::sinks::origin(to, step);
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
