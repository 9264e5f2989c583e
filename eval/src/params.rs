//! Every number of the evaluation that changes play and is not in the vector of weights,
//! with its origin. The tuner does not touch these.
//!
//! "By hand" means: chosen by reasoning when the evaluation was written, never tuned.

/// What a piece adds to the game phase.
///
/// Source: Fruit, <https://www.chessprogramming.org/Tapered_Eval>.
pub(crate) mod game_phase {
    pub(crate) const MINOR: i32 = 1;
    pub(crate) const ROOK: i32 = 2;
    pub(crate) const QUEEN: i32 = 4;
    /// The phase with all pieces on the board: the middlegame score counts alone.
    pub(crate) const FULL: i32 = 24;
}

/// Lazy evaluation: when material, piece squares and pawns alone are this far apart, in
/// engine units, the other terms are left out.
///
/// Source: <https://www.chessprogramming.org/Lazy_Evaluation>. The number is by hand; 700 was
/// tried and not taken up (V21 in `docs/results/rejected.md`).
pub const LAZY_MARGIN: i32 = 1_000;

/// King danger.
pub(crate) mod king_danger {
    /// Beyond this, more danger changes nothing. By hand: its square over
    /// [`MIDDLEGAME_DIVISOR`] is 3,906 units and fits one half of an `S`.
    pub(crate) const MAX: i32 = 4_000;
    /// The middlegame score is the square of the danger over this. Source: Stockfish 11.
    pub(crate) const MIDDLEGAME_DIVISOR: i32 = 4_096;
    /// The endgame score is the danger over this. Source: Stockfish 11.
    pub(crate) const ENDGAME_DIVISOR: i32 = 16;
    /// With fewer attackers (a queen on the board counts as one more) only the base of the
    /// danger counts. Source: Ethereal 12, which has the same rule.
    pub(crate) const FEWEST_ATTACKERS: i32 = 2;
    /// More squares for safe checks by one kind of piece than this do not count. By hand.
    pub(crate) const MOST_SAFE_CHECKS: u32 = 2;
}

/// A king's distance to a passed pawn counts up to this many steps. Source: Stockfish 11.
pub(crate) const MAX_KING_DISTANCE: u8 = 5;

/// A rook with at most this mobility can be trapped by its king. Source: Stockfish 11.
pub(crate) const TRAPPED_ROOK_MOBILITY: usize = 3;

/// Space: safe squares times the square of the number of pieces over this.
/// Source: Stockfish 11.
pub(crate) const SPACE_DIVISOR: i32 = 16;

/// Scores of endgames whose result is known, in engine units; by hand, see
/// [`crate::endgame`]. They only have to point the way to mate.
pub(crate) mod known_endgame {
    /// For material, counted in pawns (1, 3, 3, 5, 9).
    pub(crate) const PER_PAWN: i32 = 100;
    /// For each step that the kings are closer to each other than seven.
    pub(crate) const PER_STEP_CLOSER: i32 = 10;
    /// For each step of the bare king from the center to the edge.
    pub(crate) const PER_STEP_TO_EDGE: i32 = 10;
    /// With bishop and knight, for each step of the bare king to a corner of the bishop's
    /// color.
    pub(crate) const PER_STEP_TO_CORNER: i32 = 40;
    /// A won king and pawn against king: half of a known win, so that promotion leads up.
    pub(crate) const KING_AND_PAWN: i32 = 2_500;
    /// King and pawn against king: for each rank of the pawn.
    pub(crate) const PER_PAWN_RANK: i32 = 50;
}

/// Scale factors of the endgame score.
pub(crate) mod scale {
    /// The endgame score counts in full.
    pub(crate) const FULL: i32 = 128;
    /// No pawns, an advantage of a minor piece at most, and less than a rook in all.
    /// Source, as for the next two: Stockfish 11, whose factors are in 1/64.
    pub(crate) const PAWNLESS_DRAW: i32 = 0;
    /// No pawns, an advantage of a minor piece at most, against a minor piece at most.
    pub(crate) const PAWNLESS_AGAINST_MINOR: i32 = 8;
    /// No pawns, an advantage of a minor piece at most, against more.
    pub(crate) const PAWNLESS: i32 = 28;
    /// Bishops of opposite colors and no other pieces: this much, and
    /// [`OPPOSITE_BISHOPS_PER_PAWN`] for each pawn of the stronger side. By hand.
    pub(crate) const OPPOSITE_BISHOPS: i32 = 32;
    pub(crate) const OPPOSITE_BISHOPS_PER_PAWN: i32 = 10;
    /// Bishops of opposite colors among other pieces: eighths of the scale. By hand.
    pub(crate) const OPPOSITE_BISHOPS_WITH_PIECES: i32 = 7;

    /// The fewer pawns the stronger side has, the less it can win. Source: Weiss 2.0.
    pub(crate) const fn by_pawns(pawns: i32) -> i32 {
        let missing = 8 - pawns;
        FULL - missing * missing
    }
}
