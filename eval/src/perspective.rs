//! The board as one side sees it, computed once for all terms.
//!
//! Every set of squares in a [`Perspective`] is oriented so that the side's own pawns walk
//! north: for Black the ranks are flipped. Terms are therefore written once, for a player at
//! the bottom of the board, and cannot treat the colors differently. Flipping costs one byte
//! swap a set.

use tamarin_movegen::{
    Bitboard, Board, Color, PerColor, PerKind, PerSquare, PieceKind, Square, king_attacks,
    slider_blockers,
};

/// The squares a side attacks.
#[derive(Clone, Copy)]
pub(crate) struct Attacks {
    /// By each kind of piece.
    pub(crate) by: PerKind<Bitboard>,
    /// By any piece.
    pub(crate) all: Bitboard,
    /// By two pieces or more.
    pub(crate) twice: Bitboard,
    /// The side's pieces that are pinned to its king.
    pub(crate) pinned: Bitboard,
}

impl Attacks {
    /// The same attacks seen from the other side of the board.
    #[inline]
    pub(crate) fn flipped(&self) -> Self {
        Self {
            by: flipped(&self.by),
            all: self.all.flip_ranks(),
            twice: self.twice.flip_ranks(),
            pinned: self.pinned.flip_ranks(),
        }
    }
}

/// One side's view: its own pieces, the enemy's, and what it attacks, all oriented so that
/// the own pawns walk north.
pub(crate) struct Perspective {
    /// The own pieces.
    pub(crate) own: PerKind<Bitboard>,
    /// The enemy's pieces.
    pub(crate) enemy: PerKind<Bitboard>,
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
    /// Whether this side has the move.
    pub(crate) to_move: bool,
    /// Castling rights left, 0 to 2.
    pub(crate) castling_rights: i32,
    /// What the own pieces attack: pawns and king from the start, the rest after
    /// [`crate::terms::mobility`].
    pub(crate) attacks: Attacks,
    /// Where a piece's mobility counts: not on own pawns that are blocked or on their second or
    /// third rank, own king and queens, nor where an enemy pawn attacks.
    ///
    /// Source: Stockfish 11's mobility area.
    pub(crate) mobility_area: Bitboard,
    /// The squares around the enemy king (moved off the edge of the board) that no two enemy
    /// pawns defend.
    ///
    /// Source: Stockfish 11's king ring.
    pub(crate) enemy_king_ring: Bitboard,
    /// How many own pieces attack that ring; counted by [`crate::terms::mobility`].
    pub(crate) king_attackers: i32,
}

impl Perspective {
    /// White's and Black's view of the board, without the attacks of the pieces.
    #[inline]
    pub(crate) fn of_both(board: &Board) -> PerColor<Self> {
        PerColor(Color::ALL.map(|color| Self::new(board, color)))
    }

    /// One side's view of the board, without the attacks of its pieces.
    fn new(board: &Board, color: Color) -> Self {
        let orient = |set: Bitboard| match color {
            Color::White => set,
            Color::Black => set.flip_ranks(),
        };
        let pieces = |color| PerKind(PieceKind::ALL.map(|kind| orient(board.of(color, kind))));
        let (own, enemy) = (pieces(color), pieces(!color));
        let (own_all, enemy_all) = (orient(board.color(color)), orient(board.color(!color)));
        let occupied = own_all | enemy_all;
        let pawns = own[PieceKind::Pawn];
        let king = own[PieceKind::King].lowest();
        let enemy_king = enemy[PieceKind::King].lowest();

        let (left, right) = (pawns.north().west(), pawns.north().east());
        let by_king = king_attacks(king);
        let queens = enemy[PieceKind::Queen];
        let diagonal = enemy[PieceKind::Bishop] | queens;
        let orthogonal = enemy[PieceKind::Rook] | queens;
        let none = Bitboard::EMPTY;
        let attacks = Attacks {
            by: PerKind([left | right, none, none, none, none, by_king]),
            all: left | right | by_king,
            twice: (left & right) | ((left | right) & by_king),
            pinned: slider_blockers(king, diagonal, orthogonal, occupied) & own_all,
        };

        let enemy_pawns = enemy[PieceKind::Pawn].south();
        let (left, right) = (enemy_pawns.west(), enemy_pawns.east());
        let low_or_blocked = pawns & (occupied.south() | LOW_RANKS);
        let excluded = low_or_blocked | own[PieceKind::King] | own[PieceKind::Queen];
        Self {
            own,
            enemy,
            own_all,
            enemy_all,
            occupied,
            king,
            enemy_king,
            to_move: board.side_to_move() == color,
            castling_rights: (board.castling() & board.color(color)).len() as i32,
            attacks,
            mobility_area: !(excluded | left | right),
            enemy_king_ring: king_ring(enemy_king) - (left & right),
            king_attackers: 0,
        }
    }

    /// Which of the piece-square tables apply.
    #[inline]
    pub(crate) fn king_areas(&self) -> KingAreas {
        KingAreas {
            own: KingArea::new(self.king),
            enemy: KingArea::new(self.enemy_king.flip_rank()),
        }
    }

    /// Returns `true` if the file of `square` is free of own pawns.
    pub(crate) fn is_half_open(&self, square: Square) -> bool {
        (self.own[PieceKind::Pawn] & square.file().bitboard()).is_empty()
    }
}

const LOW_RANKS: Bitboard = Bitboard(0x0000_0000_00FF_FF00);

/// Where a king stands, as far as piece squares ask: its wing, and the region of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KingArea(u8);

impl KingArea {
    /// How many there are.
    pub(crate) const COUNT: usize = 2 * Self::REGIONS;
    /// How many regions a wing has: on the first two ranks the two files at the edge, the next
    /// file, and the central file; and the ranks beyond.
    pub(crate) const REGIONS: usize = 4;

    /// The area of a king on `king`, as its own side sees the board.
    #[inline]
    fn new(king: Square) -> Self {
        static AREAS: PerSquare<KingArea> = {
            let mut areas = PerSquare([KingArea(0); 64]);
            let mut square = 0;
            while square < 64 {
                areas.0[square] = KingArea::compute(Square::ALL[square]);
                square += 1;
            }
            areas
        };
        AREAS[king]
    }

    const fn compute(king: Square) -> Self {
        const BEYOND: usize = 3;
        let (file, rank) = (king.index() % 8, king.index() / 8);
        let region = match (rank, file) {
            (2.., _) => BEYOND,
            (_, 0 | 1 | 6 | 7) => 0,
            (_, 2 | 5) => 1,
            _ => 2,
        };
        Self((2 * region + (file < 4) as usize) as u8)
    }

    /// The area of this index.
    pub(crate) const fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT);
        Self(index as u8)
    }

    /// From 0 to [`Self::COUNT`].
    pub(crate) const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    /// Returns `true` if the king stands on the queenside, files a to d.
    pub(crate) const fn on_queenside(self) -> bool {
        self.0 % 2 == 1
    }

    /// The region of the wing, from 0 to [`Self::REGIONS`].
    pub(crate) const fn region(self) -> usize {
        self.index() / 2
    }
}

/// The areas of both kings, each as its own side sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KingAreas {
    pub(crate) own: KingArea,
    pub(crate) enemy: KingArea,
}

#[inline]
fn flipped(sets: &PerKind<Bitboard>) -> PerKind<Bitboard> {
    PerKind(sets.0.map(Bitboard::flip_ranks))
}

/// The three-by-three block around the king, pushed inside the board's edge so that
/// a king in the corner has as many squares around it as one in the middle.
#[inline]
fn king_ring(king: Square) -> Bitboard {
    static RINGS: [Bitboard; 64] = {
        let mut rings = [Bitboard::EMPTY; 64];
        let mut king = 0;
        while king < 64 {
            let (file, rank) = (inside(king % 8), inside(king / 8));
            rings[king] = Bitboard(0x7_0707 << (8 * (rank - 1) + file - 1));
            king += 1;
        }
        rings
    };
    RINGS[king.index()]
}

/// The files of the king's flank.
///
/// Source: Stockfish 11's king flank.
#[inline]
pub(crate) const fn king_flank(king: Square) -> Bitboard {
    /// By the king's file.
    const FLANKS: [u64; 8] = [
        0x0707_0707_0707_0707,
        0x0F0F_0F0F_0F0F_0F0F,
        0x0F0F_0F0F_0F0F_0F0F,
        0x3C3C_3C3C_3C3C_3C3C,
        0x3C3C_3C3C_3C3C_3C3C,
        0xF0F0_F0F0_F0F0_F0F0,
        0xF0F0_F0F0_F0F0_F0F0,
        0xE0E0_E0E0_E0E0_E0E0,
    ];
    Bitboard(FLANKS[king.index() % 8])
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
pub(crate) const fn beside(set: Bitboard) -> Bitboard {
    Bitboard(set.east().0 | set.west().0)
}
