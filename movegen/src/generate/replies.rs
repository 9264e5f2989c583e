//! Counting the last two plies by differences.
//!
//! The replies are counted once as if the side to move had passed. Each of its moves has that
//! number and a difference: what enemy sliders see through the square left and no more behind
//! the square reached, the pawn moves that either square blocks or allows, the attackers of a
//! captured piece and its own moves. Moves that change more (checks, pins, the squares of the
//! enemy king, castling, promotions, captures en passant) are played.

use core::marker::PhantomData;

use super::zone::{KingLines, KingZone};
use super::{AllMoves, Masks, Sink, generate};
use crate::attacks::beyond;
use crate::side_to_move::SideToMove;
use crate::{
    Bitboard, Board, PieceKind, Square, between, bishop_attacks, knight_attacks, line,
    pawn_attacks, rook_attacks,
};

/// The number of sequences of two legal moves.
pub(super) fn count_replies<Us: SideToMove>(board: &Board) -> u64 {
    let masks = Masks::of(board, Us::COLOR);
    if masks.checkers.any() {
        let mut count = 0;
        board.for_each_child_of::<Us>(|child| count += count_moves::<Us::Them>(child));
        return count;
    }
    let mut sink = CountReplies::<Us>::new(board);
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
    lines: KingLines,
    zone: KingZone,
    mobility: Mobility<Us::Them>,
    /// Pieces and pawns from which a move may differ from a pass.
    origins: Bitboard,
    /// `[kind]`, squares to which it may.
    landings: [Bitboard; 6],
    count: i64,
}

impl<'a, Us: SideToMove> CountReplies<'a, Us> {
    fn new(board: &'a Board) -> Self {
        let lines = KingLines::of(board, Us::COLOR);
        let zone = KingZone::of(board, Us::COLOR, &lines);
        let mobility = Mobility::of(board, &lines.pins, zone.replies);
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

    /// The sum for moves of a piece that pins off its line: they release the pin.
    fn released(&self, from: Square, targets: Bitboard) -> i64 {
        let pin = between(self.board.king(Us::Them::COLOR), from).with(from);
        let pins = self.lines.pins.without(pin);
        let mobility = Mobility::<Us::Them>::of(self.board, &pins, self.zone.replies);
        mobility.after(self.board, from, targets)
    }

    /// What moves of a piece that pins on its line give to the pinned piece, and take from it.
    fn tightened(&self, from: Square, targets: Bitboard) -> i64 {
        let (king, them) = (self.board.king(Us::Them::COLOR), self.board.color(Us::Them::COLOR));
        let pinned = (between(king, from) & them).lowest();
        let is_orthogonal = self.lines.pins.orthogonal_pins.has(from);
        let (sliders, attacks): (_, fn(_, _) -> _) = if is_orthogonal {
            (self.board.orthogonal_sliders(Us::Them::COLOR), rook_attacks)
        } else {
            (self.board.diagonal_sliders(Us::Them::COLOR), bishop_attacks)
        };
        if !sliders.has(pinned) {
            return 0;
        }
        let along = line(king, from) - them;
        let moves = |occupied, more| i64::from((attacks(pinned, occupied) & (along | more)).len());
        let occupied = self.board.occupied();
        let before = moves(occupied, Bitboard::EMPTY);
        let after = |to: Square| moves(occupied.without(from).with(to), to.bitboard());
        targets.into_iter().map(|to| after(to) - before).sum()
    }

    /// Adds moves of a piece or pawn of which at least one is not as good as a pass.
    #[inline(never)]
    fn special(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        let is_pinner = self.lines.pinners.has(from);
        let king = self.board.king(Us::Them::COLOR);
        let line_of_pin = if is_pinner {
            let pinned = between(king, from) & self.board.color(Us::Them::COLOR);
            let takes_along = self.lines.pins.diagonal_pins.has(from)
                && (pinned & self.board.pieces(PieceKind::Pawn)).any();
            if takes_along { Bitboard::EMPTY } else { line(king, from) - pinned }
        } else {
            Bitboard::EMPTY
        };
        let mut played = self.zone.played(self.board, (kind, from), targets, line_of_pin);
        if is_pinner {
            played |= targets & (line(king, from) - line_of_pin);
        }
        self.play(kind, from, played);
        let rest = targets - played;
        self.count += self.zone.change(self.board, kind, from, rest);
        let released = if is_pinner { rest - line_of_pin } else { Bitboard::EMPTY };
        if released.any() {
            self.count += self.released(from, released);
        }
        let rest = rest - released;
        if is_pinner && rest.any() {
            self.count += self.tightened(from, rest);
        }
        self.count += if (rest.with(from) & self.mobility.touched).is_empty() {
            i64::from(rest.len()) * self.mobility.count
        } else {
            self.mobility.after(self.board, from, rest)
        };
    }

    /// Adds moves of pawns that are not promotions.
    #[inline(always)]
    fn add_pawns(&mut self, step: i8, targets: Bitboard) {
        let landings = self.landings[PieceKind::Pawn as usize];
        let special = targets & (landings | shifted(self.origins, step));
        self.count += i64::from((targets - special).len()) * self.mobility.count;
        for to in special {
            self.special(PieceKind::Pawn, super::sinks::origin(to, step), to.bitboard());
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
        let en_passant = targets & (enemies.east() | enemies.west());
        self.add_pawns(step, targets - en_passant);
        for to in en_passant {
            let from = super::sinks::origin(to, step);
            self.add_played(&self.board.after_double_push::<Us>(from, to));
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

/// The replies of side `Them` after a pass, and what a change of a square adds or takes away.
struct Mobility<Them> {
    /// All replies, those of the king included.
    count: i64,
    /// The pieces that are not pinned.
    knights: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    /// Pawns that may be pushed, if the squares ahead are empty.
    pushers: Bitboard,
    /// What pawns that are not pinned attack, towards the h-file and towards the a-file.
    east: Bitboard,
    west: Bitboard,
    /// What the sliders see.
    reach: Bitboard,
    /// Squares that change the count if they are left or entered.
    touched: Bitboard,
    side: PhantomData<Them>,
}

/// Squares where pawns arrive, as moves: each of the last rank is four promotions.
fn pawn_moves<Them: SideToMove>(targets: Bitboard) -> i64 {
    i64::from(targets.len() + 3 * (targets & Them::LAST_RANK).len())
}

/// Pushes and double pushes.
fn pushes<Them: SideToMove>(pushers: Bitboard, empty: Bitboard) -> (Bitboard, Bitboard) {
    let pushes = Them::push(pushers) & empty;
    (pushes, Them::push(pushes & Them::THIRD_RANK) & empty)
}

impl<Them: SideToMove> Mobility<Them> {
    fn of(board: &Board, pins: &Masks, king_replies: i64) -> Self {
        let own = board.color(Them::COLOR);
        let enemies = board.color(Them::Them::COLOR);
        let occupied = board.occupied();
        let (orthogonal_pins, diagonal_pins) = (pins.orthogonal_pins, pins.diagonal_pins);
        let all_pins = pins.pins();

        let mut count = king_replies;
        let knights = board.of(Them::COLOR, PieceKind::Knight) - all_pins;
        for knight in knights {
            count += i64::from((knight_attacks(knight) - own).len());
        }
        let mut reach = Bitboard::EMPTY;
        let diagonal = board.diagonal_sliders(Them::COLOR);
        for slider in diagonal - all_pins {
            let view = bishop_attacks(slider, occupied);
            reach |= view;
            count += i64::from((view - own).len());
        }
        let orthogonal = board.orthogonal_sliders(Them::COLOR);
        for slider in orthogonal - all_pins {
            let view = rook_attacks(slider, occupied);
            reach |= view;
            count += i64::from((view - own).len());
        }
        for slider in diagonal & diagonal_pins {
            count += i64::from((bishop_attacks(slider, occupied) & (diagonal_pins - own)).len());
        }
        for slider in orthogonal & orthogonal_pins {
            count += i64::from((rook_attacks(slider, occupied) & (orthogonal_pins - own)).len());
        }

        let pawns = board.of(Them::COLOR, PieceKind::Pawn);
        let across = orthogonal_pins - board.king(Them::COLOR).file().bitboard();
        let pushers = pawns - diagonal_pins - across;
        let (single, double) = pushes::<Them>(pushers, !occupied);
        let attacks = |pawns: Bitboard| (Them::push(pawns).east(), Them::push(pawns).west());
        let (east, west) = attacks(pawns - all_pins);
        let pinned = attacks(pawns & diagonal_pins);
        count += pawn_moves::<Them>(single)
            + i64::from(double.len())
            + pawn_moves::<Them>(east & enemies)
            + pawn_moves::<Them>(west & enemies)
            + pawn_moves::<Them>((pinned.0 | pinned.1) & diagonal_pins & enemies);
        let ahead = Them::push(pushers);
        let touched = own | reach | east | west | ahead | Them::push(ahead & Them::THIRD_RANK);
        Self {
            count,
            knights,
            diagonal: diagonal - all_pins,
            orthogonal: orthogonal - all_pins,
            pushers,
            east,
            west,
            reach,
            touched,
            side: PhantomData,
        }
    }

    /// The squares that sliders would see behind `square`, each counted as often as it is seen
    /// and all as a set, if it were empty, and from which none is closed.
    #[inline]
    fn behind(&self, board: &Board, square: Square, occupied: Bitboard) -> (i64, Bitboard) {
        let diagonal_view = bishop_attacks(square, occupied);
        let orthogonal_view = rook_attacks(square, occupied);
        let view = diagonal_view | orthogonal_view;
        let own = board.color(Them::COLOR);
        let (mut count, mut squares) = (0, Bitboard::EMPTY);
        for slider in (diagonal_view & self.diagonal) | (orthogonal_view & self.orthogonal) {
            let seen = beyond(slider, square) & view;
            count += i64::from((seen - own).len());
            squares |= seen;
        }
        (count, squares)
    }

    /// The sum of the replies after moves of the piece on `from` to each of the targets.
    #[inline(never)]
    fn after(&self, board: &Board, from: Square, targets: Bitboard) -> i64 {
        let them = board.color(Them::COLOR);
        let occupied = board.occupied().without(from);
        let mut reach = self.reach;
        let mut count = self.count;
        if reach.has(from) {
            let (gain, through) = self.behind(board, from, occupied);
            count += gain;
            reach |= through;
        }
        let left = from.bitboard();
        count -= pawn_moves::<Them>(self.east & left) + pawn_moves::<Them>(self.west & left);
        let (single, double) = pushes::<Them>(self.pushers, !occupied);
        let (old_single, old_double) = pushes::<Them>(self.pushers, !board.occupied());
        count += pawn_moves::<Them>(single - old_single) + i64::from((double - old_double).len());

        let quiet = targets - them;
        let blocked = double | Them::Them::push(double);
        let mut sum = i64::from(targets.len()) * count
            + pawn_moves::<Them>(self.east & targets)
            + pawn_moves::<Them>(self.west & targets)
            - pawn_moves::<Them>(single & quiet)
            - i64::from((blocked & quiet).len());
        for to in quiet & reach {
            sum -= self.behind(board, to, occupied).0;
        }
        for to in targets & them {
            sum += self.recaptures(board, from, to, occupied);
        }
        sum
    }

    /// The captures of a piece that has come from `from` to `to` by pieces, less the moves of
    /// the piece it has captured.
    #[inline]
    fn recaptures(&self, board: &Board, from: Square, to: Square, occupied: Bitboard) -> i64 {
        let own = board.color(Them::COLOR);
        let diagonal_view = bishop_attacks(to, occupied);
        let orthogonal_view = rook_attacks(to, occupied);
        let attackers = (diagonal_view & self.diagonal).len()
            + (orthogonal_view & self.orthogonal).len()
            + (knight_attacks(to) & self.knights).len();
        let mut count = i64::from(attackers);
        let captured = to.bitboard();
        if self.knights.has(to) {
            return count - i64::from((knight_attacks(to) - own).len());
        }
        if board.pieces(PieceKind::Pawn).has(to) {
            let (single, double) = pushes::<Them>(captured, !occupied);
            let enemies = board.color(Them::Them::COLOR).without(from);
            return count
                - pawn_moves::<Them>(single)
                - i64::from(double.len())
                - pawn_moves::<Them>(pawn_attacks(Them::COLOR, to) & enemies);
        }
        if self.diagonal.has(to) {
            count -= i64::from((diagonal_view - own).len());
        }
        if self.orthogonal.has(to) {
            count -= i64::from((orthogonal_view - own).len());
        }
        count
    }
}
