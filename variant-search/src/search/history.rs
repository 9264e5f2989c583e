//! The histories of a thread: how good moves were in the nodes searched so far.
//!
//! | table | keys | limit | used for |
//! |---|---|---|---|
//! | quiet | color, from, to | 8192 | ordering, LMR, history pruning |
//! | piece | piece, to | 8192 | ordering |
//! | capture | piece, to, captured | 8192 | ordering, LMR and pruning of captures |
//! | [`Continuation`] | earlier move, piece, to | 16384 | ordering, LMR, history pruning |
//! | [`Correction`] | color, some key of the position | 1024 | static evaluation |

use tamarin_base::params::{
    CAPTURE_HISTORY_LIMIT, CONTINUATION_HISTORY_LIMIT, CORRECTION_HISTORY_LIMIT,
    CORRECTION_HISTORY_SIZE as SIZE, PAWN_HISTORY_LIMIT, Params, QUIET_HISTORY_LIMIT,
};
use tamarin_variant::{Color, Game, Move, Piece, Position, Square};

/// The histories of a thread.
pub(crate) struct Histories {
    squares: usize,
    kinds: usize,
    /// Squares, and kinds of pieces in hand.
    origins: usize,
    quiet: Vec<i16>,
    piece: Vec<i16>,
    capture: Vec<i16>,
    pub continuation: Continuation,
    pub correction: Correction,
}

impl Histories {
    /// `None` if there is no memory for them.
    pub fn new(game: &Game) -> Option<Self> {
        let (squares, kinds) = (game.squares(), game.piece_count());
        let origins = squares + if game.has_hands() { kinds } else { 0 };
        Some(Self {
            squares,
            kinds,
            origins,
            quiet: zeros(2 * origins * squares)?,
            piece: zeros(2 * kinds * squares)?,
            capture: zeros(2 * kinds * squares * (kinds + 1))?,
            continuation: Continuation::new(game)?,
            correction: Correction::new()?,
        })
    }

    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.piece.fill(0);
        self.capture.fill(0);
        self.continuation.clear();
        self.correction.clear();
    }

    #[inline]
    fn quiet_index(&self, color: Color, m: Move) -> usize {
        let from = match m.dropped() {
            None => usize::from(m.from),
            Some(kind) => self.squares + usize::from(kind),
        };
        (color.index() * self.origins + from) * self.squares + usize::from(m.to)
    }

    #[inline]
    fn piece_index(&self, moved: PieceTo) -> usize {
        moved.piece.slot() * self.squares + usize::from(moved.to)
    }

    #[inline]
    fn capture_index(&self, moved: PieceTo, captured: Option<u8>) -> usize {
        let captured = captured.map_or(self.kinds, usize::from);
        self.piece_index(moved) * (self.kinds + 1) + captured
    }

    /// How well a quiet move has done, by where it comes from and goes to.
    #[inline]
    pub fn quiet(&self, color: Color, m: Move) -> i32 {
        i32::from(self.quiet[self.quiet_index(color, m)])
    }

    /// The same by its piece and target.
    #[inline]
    pub fn piece(&self, moved: PieceTo) -> i32 {
        i32::from(self.piece[self.piece_index(moved)])
    }

    /// How well a capture or promotion has done.
    #[inline]
    pub fn capture(&self, moved: PieceTo, captured: Option<u8>) -> i32 {
        i32::from(self.capture[self.capture_index(moved, captured)])
    }

    /// A quiet move did well (positive) or badly.
    pub fn update_quiet(&mut self, context: &Context, m: Move, moved: PieceTo, bonus: i32) {
        let (quiet, piece) = (self.quiet_index(moved.piece.color, m), self.piece_index(moved));
        gravitate::<QUIET_HISTORY_LIMIT>(&mut self.quiet[quiet], bonus);
        gravitate::<PAWN_HISTORY_LIMIT>(&mut self.piece[piece], bonus);
        self.continuation.update(context, moved, bonus);
    }

    /// A capture or promotion did well (positive) or badly.
    pub fn update_capture(&mut self, moved: PieceTo, captured: Option<u8>, bonus: i32) {
        let index = self.capture_index(moved, captured);
        gravitate::<CAPTURE_HISTORY_LIMIT>(&mut self.capture[index], bonus);
    }
}

/// So many zeros; `None` if there is no memory for them. They take none until they are used, so the
/// system is asked for that much first.
fn zeros(length: usize) -> Option<Vec<i16>> {
    Vec::<i16>::new().try_reserve_exact(length).ok()?;
    Some(vec![0; length])
}

/// More counters do not fit the caches. Rows of larger games share their place.
const MOST_COUNTERS: usize = 1 << 22;

/// The row of an earlier move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContinuationKey(u32);

impl ContinuationKey {
    /// No move: before the start of the search, or a pass.
    pub const NONE: Self = Self(u32::MAX);

    /// A key of two moves in a row.
    #[inline]
    pub fn mixed_with(self, other: Self) -> u64 {
        spread(u64::from(self.0) << 32 | u64::from(other.0))
    }
}

/// Multiplies by 2^64 divided by the golden ratio and takes high bits (Fibonacci hashing).
#[inline]
fn spread(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

/// The moves one, two and four plies before a node, in this order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context(pub [ContinuationKey; 3]);

impl Default for Context {
    fn default() -> Self {
        Self([ContinuationKey::NONE; 3])
    }
}

/// `[answer or own][earlier move: noisy, piece, to][kind, to]`. After a move of the opponent and
/// after one of its own a side has tables of their own, so that the column needs no color.
pub(crate) struct Continuation {
    counters: Vec<i16>,
    squares: usize,
    kinds: usize,
    /// Kinds times squares; twice as many where pieces come from the hand.
    columns: usize,
    rows: usize,
}

impl Continuation {
    pub fn new(game: &Game) -> Option<Self> {
        let (squares, kinds) = (game.squares(), game.piece_count());
        let columns = kinds * squares * if game.has_hands() { 2 } else { 1 };
        let rows = (4 * columns).min(MOST_COUNTERS / 2 / columns).max(1);
        Some(Self { counters: zeros(2 * rows * columns)?, squares, kinds, columns, rows })
    }

    pub fn clear(&mut self) {
        self.counters.fill(0);
    }

    #[inline]
    fn column(&self, moved: PieceTo) -> usize {
        let kind = usize::from(moved.piece.kind) + if moved.dropped { self.kinds } else { 0 };
        kind * self.squares + usize::from(moved.to)
    }

    /// The row of the moves after this one.
    #[inline]
    pub fn key(&self, moved: PieceTo, noisy: bool) -> ContinuationKey {
        let kind = moved.piece.color.index() * 2 + usize::from(noisy);
        let row = kind * self.columns + self.column(moved);
        // Rows that share their place are far from each other.
        ContinuationKey((row % self.rows) as u32)
    }

    #[inline]
    fn place(&self, context: &Context, at: usize, moved: PieceTo) -> Option<usize> {
        let key = context.0[at];
        let own = usize::from(at > 0);
        let row = own * self.rows + key.0 as usize;
        (key != ContinuationKey::NONE).then(|| row * self.columns + self.column(moved))
    }

    /// How good a move was after the moves one, two and four plies before.
    #[inline]
    pub fn values(&self, context: &Context, moved: PieceTo) -> [i32; 3] {
        let value = |at| self.place(context, at, moved).map_or(0, |at| self.counters[at].into());
        [value(0), value(1), value(2)]
    }

    /// Adds a bonus, or a malus if it is negative, to the move after each of the earlier moves.
    pub fn update(&mut self, context: &Context, moved: PieceTo, bonus: i32) {
        for at in 0..context.0.len() {
            if let Some(place) = self.place(context, at, moved) {
                gravitate::<CONTINUATION_HISTORY_LIMIT>(&mut self.counters[place], bonus);
            }
        }
    }
}

/// The keys of parts of a position: the pieces that promote, and the others of White and Black.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Structure([u64; 3]);

impl Structure {
    /// That of an empty board.
    pub const NONE: Self = Self([0; 3]);

    /// Adds a piece, or takes it away.
    #[inline]
    fn toggle(&mut self, game: &Game, promotes: &[bool], (piece, square): (Piece, Square)) {
        let part = match promotes[usize::from(piece.kind)] {
            true => 0,
            false => 1 + piece.color.index(),
        };
        let number = piece.slot() * game.squares() + usize::from(square) + 1;
        // The finalizer of SplitMix64 makes a random number of it.
        let mut key = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        self.0[part] ^= key ^ key >> 27;
    }

    /// The keys of a position; `promotes` says by kind which pieces promote.
    pub fn of(position: &Position, promotes: &[bool]) -> Self {
        let mut structure = Self::default();
        for square in Color::ALL.iter().flat_map(|&color| position.side(color).iter()) {
            if let Some(piece) = position.piece_at(square) {
                structure.toggle(position.game(), promotes, (piece, square));
            }
        }
        structure
    }

    /// The keys after the last move, from those before it.
    #[inline]
    pub fn after(mut self, position: &Position, promotes: &[bool]) -> Self {
        position.for_each_change(|change| {
            for occupant in [change.before, change.after] {
                if let Some(piece) = occupant.piece {
                    self.toggle(position.game(), promotes, (piece, change.square));
                }
            }
        });
        self
    }
}

const TABLES: usize = 4;

/// The indices of a position in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionKeys([usize; TABLES]);

impl CorrectionKeys {
    /// The indices of a position with that structure, reached by the `last` move after the side to
    /// move's `own`.
    #[inline]
    pub fn new(
        color: Color,
        structure: Structure,
        last: ContinuationKey,
        own: ContinuationKey,
    ) -> Self {
        let [promoting, white, black] = structure.0;
        let keys = [promoting, white, black, last.mixed_with(own)];
        let mut table = 0;
        Self(keys.map(|key| {
            table += 1;
            ((table - 1) * 2 + color.index()) * SIZE + (key as usize & (SIZE - 1))
        }))
    }
}

/// Four tables, `[color][key]`: by the pieces that promote, by the others of each side, and by the
/// last two moves.
pub(crate) struct Correction(Vec<i16>);

impl Correction {
    pub fn new() -> Option<Self> {
        zeros(TABLES * 2 * SIZE).map(Self)
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// What to add to the static evaluation, in 1/128 units.
    #[inline]
    pub fn value(&self, params: &Params, keys: &CorrectionKeys) -> i32 {
        let [promoting, white, black, moves] = keys.0.map(|index| i32::from(self.0[index]));
        params.correction_pawn() * promoting
            + params.correction_non_pawn() * (white + black)
            + params.correction_moves() * moves
    }

    /// Adds a bonus: positive if the evaluation should have been higher, negative if lower.
    pub fn update(&mut self, keys: &CorrectionKeys, bonus: i32) {
        for index in keys.0 {
            gravitate::<CORRECTION_HISTORY_LIMIT>(&mut self.0[index], bonus);
        }
    }
}

/// A piece and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo {
    pub piece: Piece,
    pub to: u8,
    /// Whether the piece comes from the hand.
    pub dropped: bool,
}

/// Moves a counter by the bonus, the less the nearer it is to its limit.
#[inline]
fn gravitate<const LIMIT: i32>(counter: &mut i16, bonus: i32) {
    let (value, bonus) = (i32::from(*counter), bonus.clamp(-LIMIT, LIMIT));
    *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use tamarin_variant::{BUILTINS, Color, Piece, builtin};

    use super::*;

    #[test]
    fn counters_stay_within_their_limit() {
        const LIMIT: i32 = 1 << 14;
        for bonus in [1800, 90_000] {
            let mut counter = 0;
            for sign in [1, -1] {
                for _ in 0..1000 {
                    gravitate::<LIMIT>(&mut counter, sign * bonus);
                }
                let value = i32::from(counter) * sign;
                assert!(value <= LIMIT && value > LIMIT * 3 / 4, "{value}");
            }
        }
    }

    #[test]
    fn every_game_has_a_table_that_fits() {
        for entry in BUILTINS {
            let game = builtin(entry.name).unwrap();
            let mut table = Continuation::new(&game).unwrap();
            assert!(table.counters.len() <= MOST_COUNTERS, "{}", entry.name);
            // Most earlier moves have a row of their own, and nearly so where they are hashed.
            let moves = (0..game.piece_count() as u8)
                .flat_map(|kind| (0..game.squares() as u8).map(move |to| (kind, to)));
            let moved =
                |color, (kind, to)| PieceTo { piece: Piece { color, kind }, to, dropped: false };
            let keys: std::collections::BTreeSet<u32> =
                moves.clone().map(|m| table.key(moved(Color::Black, m), true).0).collect();
            let count = moves.clone().count();
            assert!(keys.len() * 10 >= count * 8, "{}: {} of {count}", entry.name, keys.len());
            let last = moved(Color::Black, moves.last().unwrap());
            let key = table.key(last, false);
            let context = Context([key, ContinuationKey::NONE, key]);
            table.update(&context, PieceTo { piece: last.piece, to: 0, dropped: false }, 300);
            let values = table.values(&context, PieceTo { to: 0, ..last });
            assert!(values[0] > 0 && values[1] == 0 && values[2] > 0, "{} {values:?}", entry.name);
        }
    }

    #[test]
    fn keys_follow_the_moves() {
        for name in ["fide", "xiangqi", "crazyhouse"] {
            let game = builtin(name).unwrap();
            let promotes: Vec<bool> = (0..game.piece_count() as u8)
                .map(|kind| !game.promotions(kind).is_empty())
                .collect();
            let mut position = Position::start(&game);
            let mut structure = Structure::of(&position, &promotes);
            for turn in 0..60 {
                let moves = position.legal_moves();
                let Some(&m) = moves.get(turn * 7 % moves.len().max(1)) else { break };
                position.make(m);
                structure = structure.after(&position, &promotes);
                assert_eq!(structure, Structure::of(&position, &promotes), "{name} {turn}");
            }
        }
    }

    #[test]
    fn corrections_are_kept_by_side() {
        let mut correction = Correction::new().unwrap();
        let none = ContinuationKey::NONE;
        let keys = |color| CorrectionKeys::new(color, Structure([1, 2, 3]), none, none);
        let params = &Params::new();
        correction.update(&keys(Color::White), 100);
        assert!(correction.value(params, &keys(Color::White)) > 0);
        assert_eq!(correction.value(params, &keys(Color::Black)), 0);
        correction.clear();
        assert_eq!(correction.value(params, &keys(Color::White)), 0);
    }
}
