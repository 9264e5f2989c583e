//! The board as one side sees it, computed once for all terms.
//!
//! Every set of squares in a [`Side`] is turned so that the side's own pawns walk
//! north: for Black the ranks are reversed. Terms are therefore written once, for
//! a player at the bottom of the board, compiled once, and cannot treat the colors
//! differently. Turning costs one byte swap a set.

use tamarin_movegen::{
    Bitboard, Board, Color, PerKind, PieceKind, Square, between, bishop_attacks, king_attacks,
    rook_attacks,
};

/// The squares a side attacks.
#[derive(Clone, Copy)]
pub(crate) struct Attacks {
    /// By each kind of piece.
    pub(crate) by: PerKind<Bitboard>,
    /// By anything.
    pub(crate) all: Bitboard,
    /// At least twice.
    pub(crate) twice: Bitboard,
    /// The side's pieces that are pinned to its king.
    pub(crate) pinned: Bitboard,
}

impl Attacks {
    /// The same attacks seen from the other side of the board.
    #[inline]
    pub(crate) fn turned(&self) -> Self {
        Self {
            by: turned(&self.by),
            all: self.all.flip_ranks(),
            twice: self.twice.flip_ranks(),
            pinned: self.pinned.flip_ranks(),
        }
    }
}

/// One side's view: its own pieces, the enemy's, and who attacks what, all turned
/// so that the own pawns walk north.
pub(crate) struct Side<'a> {
    /// The own pieces.
    pub(crate) own: &'a PerKind<Bitboard>,
    /// The enemy's pieces.
    pub(crate) enemy: &'a PerKind<Bitboard>,
    /// All own pieces.
    pub(crate) own_all: Bitboard,
    /// All enemy pieces.
    pub(crate) enemy_all: Bitboard,
    /// Every piece.
    pub(crate) occupied: Bitboard,
    /// The own king.
    pub(crate) king: Square,
    /// The enemy's king.
    pub(crate) enemy_king: Square,
    /// What the own pieces attack: pawns and king from the start, the rest after
    /// [`crate::terms::mobility`].
    pub(crate) attacks: Attacks,
    /// Where a piece's mobility counts: not on own blocked or unmoved pawns, own
    /// king and queens, nor where an enemy pawn attacks.
    ///
    /// Source: Stockfish 11's mobility area.
    pub(crate) mobility_area: Bitboard,
    /// The squares around the enemy king (moved off the edge of the board) that no
    /// two enemy pawns defend.
    ///
    /// Source: Stockfish 11's king ring.
    pub(crate) target_zone: Bitboard,
    /// Own pieces that reach the zone.
    pub(crate) hunters: i32,
}

/// The pieces of one color or the other as a side sees them.
pub(crate) struct Sets {
    own: PerKind<Bitboard>,
    enemy: PerKind<Bitboard>,
    own_all: Bitboard,
    enemy_all: Bitboard,
}

impl Sets {
    /// The pieces as White sees them and as Black does.
    #[inline(always)]
    pub(crate) fn of(board: &Board) -> [Self; 2] {
        let of = |color| PerKind(PieceKind::ALL.map(|kind| board.of(color, kind)));
        let (own, enemy) = (of(Color::White), of(Color::Black));
        let (own_all, enemy_all) = (board.color(Color::White), board.color(Color::Black));
        let for_black = Self {
            own: turned(&enemy),
            enemy: turned(&own),
            own_all: enemy_all.flip_ranks(),
            enemy_all: own_all.flip_ranks(),
        };
        [Self { own, enemy, own_all, enemy_all }, for_black]
    }
}

impl<'a> Side<'a> {
    /// The view of these pieces, without piece attacks.
    ///
    /// Never inlined: two of them side by side need more registers than there are.
    #[inline(never)]
    pub(crate) fn new(sets: &'a Sets) -> Self {
        let &Sets { ref own, ref enemy, own_all, enemy_all } = sets;
        let occupied = own_all | enemy_all;
        let pawns = own[PieceKind::Pawn];
        let king = own[PieceKind::King].lowest();
        let enemy_king = enemy[PieceKind::King].lowest();

        let (left, right) = (pawns.north().west(), pawns.north().east());
        let steps = king_attacks(king);
        let none = Bitboard::EMPTY;
        let attacks = Attacks {
            by: PerKind([left | right, none, none, none, none, steps]),
            all: left | right | steps,
            twice: (left & right) | ((left | right) & steps),
            pinned: none,
        };

        let enemy_pawns = enemy[PieceKind::Pawn].south();
        let (left, right) = (enemy_pawns.west(), enemy_pawns.east());
        let unmoved_or_blocked = pawns & (occupied.south() | LOW_RANKS);
        let excluded = unmoved_or_blocked | own[PieceKind::King] | own[PieceKind::Queen];
        let mut side = Self {
            own,
            enemy,
            own_all,
            enemy_all,
            occupied,
            king,
            enemy_king,
            attacks,
            mobility_area: !(excluded | left | right),
            target_zone: king_zone(enemy_king) - (left & right),
            hunters: 0,
        };
        side.attacks.pinned = side.find_pinned();
        side
    }

    /// Own pieces that alone stand between the own king and an enemy slider.
    fn find_pinned(&self) -> Bitboard {
        let queens = self.enemy[PieceKind::Queen];
        let straight = self.enemy[PieceKind::Rook] | queens;
        let diagonal = self.enemy[PieceKind::Bishop] | queens;
        let snipers = (rook_attacks(self.king, Bitboard::EMPTY) & straight)
            | (bishop_attacks(self.king, Bitboard::EMPTY) & diagonal);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let guards = between(self.king, sniper) & self.occupied;
            if !guards.several() {
                pinned |= guards & self.own_all;
            }
        }
        pinned
    }

    /// Which of the four piece-square tables is in force: 1 when the own king stands on
    /// the left half of the board, plus 2 when the enemy's does.
    #[inline]
    pub(crate) const fn table(&self) -> usize {
        left_half(self.king) + 2 * left_half(self.enemy_king)
    }

    /// Is the file of `square` free of own pawns?
    #[inline]
    pub(crate) fn is_half_open(&self, square: Square) -> bool {
        (self.own[PieceKind::Pawn] & square.file().bitboard()).is_empty()
    }
}

const LOW_RANKS: Bitboard = Bitboard(0x0000_0000_00FF_FF00);

const fn left_half(king: Square) -> usize {
    1 - (king.index() >> 2 & 1)
}

#[inline]
fn turned(sets: &PerKind<Bitboard>) -> PerKind<Bitboard> {
    PerKind(sets.0.map(Bitboard::flip_ranks))
}

/// The three-by-three block around the king, pushed inside the board's edge so that
/// a king in the corner has as many squares around it as one in the middle.
#[inline]
fn king_zone(king: Square) -> Bitboard {
    static ZONES: [Bitboard; 64] = {
        let mut zones = [Bitboard::EMPTY; 64];
        let mut king = 0;
        while king < 64 {
            let (file, rank) = (inside(king % 8), inside(king / 8));
            zones[king] = Bitboard(0x7_0707 << (8 * (rank - 1) + file - 1));
            king += 1;
        }
        zones
    };
    ZONES[king.index()]
}

/// The file or rank, or the next one if it is at the edge.
const fn inside(line: usize) -> usize {
    match line {
        0 => 1,
        7 => 6,
        _ => line,
    }
}

/// All squares north of `set` on its files, and `set` itself.
#[inline]
pub(crate) const fn fill_north(set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    bits |= bits << 8;
    bits |= bits << 16;
    Bitboard(bits | bits << 32)
}

/// All squares south of `set` on its files, and `set` itself.
#[inline]
pub(crate) const fn fill_south(set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    bits |= bits >> 8;
    bits |= bits >> 16;
    Bitboard(bits | bits >> 32)
}

/// The files to the left and right of `set`, rank by rank.
#[inline]
pub(crate) const fn beside(set: Bitboard) -> Bitboard {
    Bitboard(set.east().0 | set.west().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_nine_squares() {
        for square in Square::ALL {
            let zone = king_zone(square);
            assert_eq!(zone.len(), 9, "{square}");
            assert!(zone.has(square), "{square}");
        }
    }

    #[test]
    fn fills_run_to_the_edge() {
        assert_eq!(fill_north(Square::C3.bitboard()).len(), 6);
        assert_eq!(fill_south(Square::C3.bitboard()).len(), 3);
        assert_eq!(beside(Square::A4.bitboard()), Square::B4.bitboard());
    }
}
