//! The architecture: what the network sees of a board, and the numbers that fix its shape.
//!
//! ```text
//! 768 features of the side to move -> feature transformer -> accumulator -> SCReLU \
//!                                                                                   output
//! 768 features of the other side   -> feature transformer -> accumulator -> SCReLU /
//! ```

use core::ops::RangeInclusive;

use tamarin_movegen::{Board, Color, File, PieceKind, Square};

/// Features of a perspective: two sides, six kinds of pieces, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// Neurons that the hidden layer of a perspective may have, in steps of [`WIDTH_STEP`].
pub const WIDTHS: RangeInclusive<usize> = WIDTH_STEP..=1024;

/// The width is a multiple of this.
pub const WIDTH_STEP: usize = 32;

/// How many output buckets there may be.
pub const BUCKETS: [usize; 2] = [1, 8];

/// How many king buckets there may be: each has feature weights of its own.
pub const KING_BUCKETS: [usize; 2] = [1, 4];

/// `[square]`: the king bucket, of four, of an own king as its perspective sees it. From the files
/// e to h it sees it on the files a to d.
const KING_BUCKET: [u8; 64] = {
    let mut buckets = [3; 64];
    let mut square = 0;
    while square < 16 {
        // At home in the corner or before the queen and king; on the second rank.
        buckets[square] = if square >= 8 { 2 } else { (square % 4 >= 2) as u8 };
        square += 1;
    }
    buckets
};

/// Quantization of the feature transformer: this is 1.0 in its weights and biases and the upper
/// limit of the activation.
pub const QA: i32 = 255;

/// Quantization of the output weights: this is 1.0.
pub const QB: i32 = 64;

/// Engine units that an output of 1.0 counts: with `o` the output, the expected result is
/// `1 / (1 + exp(-o))`, so 100 units are 62 %.
pub const UNITS_PER_LOGIT: i32 = 200;

/// The output bucket of a board with `pieces` pieces, kings included: 0 up to `buckets - 1`.
pub const fn bucket(pieces: usize, buckets: usize) -> usize {
    if buckets == 1 { 0 } else { pieces.saturating_sub(2) / 4 }
}

/// How a perspective turns the board: its own pieces walk north, and its own king stands on the
/// files a to d, for which the board is mirrored if need be.
///
/// ```
/// use tamarin_eval::network::Orientation;
/// use tamarin_movegen::{Color, PieceKind, Square};
///
/// let white = Orientation::new(Color::White, Square::C1);
/// assert_eq!(white.feature(Color::White, PieceKind::Pawn, Square::A2), 8);
/// let black = Orientation::new(Color::Black, Square::F8);
/// assert_eq!(black.feature(Color::Black, PieceKind::Pawn, Square::H7), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orientation {
    perspective: Color,
    /// The exclusive or with a square's index gives the square as the perspective sees it.
    flip: usize,
}

impl Orientation {
    /// The orientation of a perspective whose own king stands on `king`.
    #[inline]
    pub const fn new(perspective: Color, king: Square) -> Self {
        let ranks = match perspective {
            Color::White => 0,
            Color::Black => 56,
        };
        let files = if king.file() as usize >= File::E as usize { 7 } else { 0 };
        Self { perspective, flip: ranks ^ files }
    }

    /// The feature of the piece that is `feature` to White on a board that is not mirrored.
    #[inline]
    pub(super) const fn reorient(self, feature: usize) -> usize {
        const SIDE: usize = FEATURES / 2;
        let turned = feature ^ self.flip;
        match self.perspective {
            Color::White => turned,
            Color::Black if turned < SIDE => turned + SIDE,
            Color::Black => turned - SIDE,
        }
    }

    /// Returns `true` if the board is mirrored: the own king stands on the files e to h.
    pub const fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    /// The king bucket of the perspective, of `buckets` ([`KING_BUCKETS`]); `king` is the square of its
    /// own king.
    ///
    /// ```
    /// use tamarin_eval::network::Orientation;
    /// use tamarin_movegen::{Color, Square};
    ///
    /// let bucket = |king| Orientation::new(Color::White, king).king_bucket(king, 4);
    /// let kings = [Square::G1, Square::A1, Square::E1, Square::F2, Square::A3];
    /// assert_eq!(kings.map(bucket), [0, 0, 1, 2, 3]);
    /// ```
    pub const fn king_bucket(self, king: Square, buckets: usize) -> usize {
        if buckets == 1 { 0 } else { KING_BUCKET[king.index() ^ self.flip] as usize }
    }

    /// The feature of a piece on a square, below [`FEATURES`].
    #[inline]
    pub const fn feature(self, color: Color, kind: PieceKind, square: Square) -> usize {
        let side = color as usize ^ self.perspective as usize;
        (side * 6 + kind as usize) * 64 + (square.index() ^ self.flip)
    }
}

/// The features that a perspective sees on a board, one a piece; [`Orientation::king_bucket`] says
/// whose weights count.
pub fn features(board: &Board, perspective: Color) -> impl Iterator<Item = usize> + '_ {
    let orientation = Orientation::new(perspective, board.king(perspective));
    let placed = move |(color, kind)| {
        let squares = board.of(color, kind).into_iter();
        squares.map(move |square| orientation.feature(color, kind, square))
    };
    let all = |color| PieceKind::ALL.into_iter().map(move |kind| (color, kind));
    Color::ALL.into_iter().flat_map(all).flat_map(placed)
}
