//! The pieces on the board, their flags and the side to move.

use super::hands::{Hands, dropped};
use super::placement::{Placement, Playable, UNMOVED};
use super::sight::Plain;
use crate::ast::{Checks, Holding};
use crate::board::{Code, Color, Move, Square, SquareSet};
use crate::game::{Game, SQUARES, UnmovedPair, Witness};

/// What a square was before a move.
#[derive(Clone, Copy, Debug)]
struct Change {
    square: Square,
    code: Code,
    flags: u8,
}

/// What a side held of a kind before a move.
#[derive(Clone, Copy, Debug)]
struct HandChange {
    color: Color,
    kind: u8,
    count: u8,
}

/// What it takes to undo a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Undo {
    /// The move; `None` for a pass.
    pub(super) played: Option<Move>,
    /// Length of the list of changes before the move.
    changes: usize,
    /// Length of the list of changes of hands.
    hand_changes: usize,
    /// Key of the position before the move, without the flags that go away.
    base_key: u64,
    /// Its whole key.
    pub(super) key: u64,
    halfmoves: u32,
    checks: [u8; 2],
}

/// A position without its game.
#[derive(Clone, Debug)]
pub(super) struct State {
    placement: Placement,
    pub(super) hands: Hands,
    /// How many checks White and Black have given, where the game counts them.
    pub(super) checks: [u8; 2],
    pub(super) side_to_move: Color,
    base_key: u64,
    pub(super) halfmoves: u32,
    pub(super) fullmoves: u32,
    changes: Vec<Change>,
    hand_changes: Vec<HandChange>,
    pub(super) undos: Vec<Undo>,
}

impl State {
    pub(super) fn empty() -> Self {
        Self {
            placement: Placement::EMPTY,
            hands: Hands::EMPTY,
            checks: [0; 2],
            side_to_move: Color::White,
            base_key: 0,
            halfmoves: 0,
            fullmoves: 1,
            changes: Vec::new(),
            hand_changes: Vec::new(),
            undos: Vec::new(),
        }
    }

    /// A position in which nothing was played, without its key.
    pub(super) fn bare(placement: Placement, hands: Hands, side_to_move: Color) -> Self {
        Self { placement, hands, side_to_move, ..Self::empty() }
    }

    /// The piece that moves.
    #[inline]
    pub(super) fn moving(&self, m: Move) -> Code {
        dropped(m, self.side_to_move).unwrap_or_else(|| self.code(m.from))
    }

    #[inline]
    pub(super) fn code(&self, square: Square) -> Code {
        self.placement.code(square)
    }

    #[inline]
    pub(super) fn flags(&self, square: Square) -> u8 {
        self.placement.flags(square)
    }

    /// Puts a piece with flags on a square, or empties it. Sets and key follow; nothing else
    /// changes a square.
    #[inline]
    pub(super) fn write(&mut self, game: &Game, square: Square, code: Code, flags: u8) {
        let (old, old_flags) = (self.code(square), self.flags(square));
        if old != Code::EMPTY {
            self.base_key ^= key_of(game, square, old, old_flags);
        }
        if code != Code::EMPTY {
            self.base_key ^= key_of(game, square, code, flags);
        }
        if (old_flags | flags) & UNMOVED == 0 {
            return self.placement.put(game, square, code, flags);
        }
        self.base_key ^= self.pairs_key(game, square);
        self.placement.put(game, square, code, flags);
        self.base_key ^= self.pairs_key(game, square);
    }

    /// The part of the key that the piece on a square makes together with others that are unmoved.
    fn pairs_key(&self, game: &Game, square: Square) -> u64 {
        self.unmoved_pairs(game, square).fold(0, |key, pair| key ^ pair.key)
    }

    /// The pairs of unmoved pieces to which the piece on a square belongs.
    fn unmoved_pairs<'a>(
        &'a self,
        game: &'a Game,
        square: Square,
    ) -> impl Iterator<Item = &'a UnmovedPair> {
        let unmoved = |square: Square| self.flags(square) & UNMOVED != 0;
        game.unmoved_pairs[usize::from(square)].iter().filter(move |pair| {
            self.code(pair.from) == pair.code && unmoved(pair.from) && unmoved(pair.partner)
        })
    }

    /// The flags of a square without `unmoved` where no move asks for it any more.
    pub(super) fn live_flags(&self, game: &Game, square: Square) -> u8 {
        let flags = self.flags(square);
        let mut counts = game.transient | game.key_flags[place(self.code(square), square)];
        if self.code(square).color().is_some_and(|color| self.gates(game, color).has(square)) {
            counts |= UNMOVED;
        }
        match self.unmoved_pairs(game, square).next() {
            Some(_) => flags,
            None => flags & counts,
        }
    }

    /// Plays a move of this position.
    pub(super) fn make(&mut self, game: &Game, m: Move) {
        self.begin(game, Some(m));
        let mover = self.side_to_move;
        if game.has_hands() {
            self.play_hands(game, m);
        }
        let irreversible = game.is_irreversible(self.moving(m), m);
        let progress = self.play(game, m, mover) || irreversible;
        self.halfmoves = if progress { 0 } else { self.halfmoves + 1 };
        self.fullmoves += u32::from(mover == Color::Black);
        self.side_to_move = mover.other();
        if matches!(game.rules.checks, Checks::Counted(_))
            && self.placement.takes_royal(game, mover)
        {
            self.count_checks(game, mover, self.checks[mover.index()].saturating_add(1));
        }
    }

    /// Sets how many checks a side has given. The key follows.
    pub(super) fn count_checks(&mut self, game: &Game, color: Color, count: u8) {
        let held = &mut self.checks[color.index()];
        let key = |count: u8| game.check_keys[color.index() * SQUARES + usize::from(count)];
        self.base_key ^= key(*held) ^ key(count);
        *held = count;
    }

    /// What a move that is about to be played does to the hands: a drop or a gating takes a piece out, a capture
    /// puts what it captures in. More than 255 pieces of a kind no hand can hold.
    fn play_hands(&mut self, game: &Game, m: Move) {
        let gated = match game.rules.gating.is_empty() {
            true => None,
            false => game.effects(self.moving(m), m).and_then(|info| info.gates),
        };
        let Self { placement, hands, base_key, hand_changes, side_to_move: color, .. } = self;
        let color = *color;
        let mut change = |kind: u8, change: i8| {
            let count = hands.count(game, color, kind);
            hand_changes.push(HandChange { color, kind, count });
            *base_key ^= hands.set(game, color, kind, count.saturating_add_signed(change));
        };
        for kind in m.dropped().into_iter().chain(gated.map(|(kind, _)| kind)) {
            change(kind, -1);
        }
        let mut seen = SquareSet::EMPTY;
        placement.for_each_captured(game, m, color, &mut |square, piece| {
            // Two effects may take the same piece.
            if seen.has(square) {
                return;
            }
            seen.insert(square);
            if let Some(kind) = game.in_hand(piece.kind, placement.flags(square)) {
                change(kind, 1);
            }
        });
    }

    /// Sets how many pieces of a kind a side holds. The key follows.
    pub(super) fn hold(&mut self, game: &Game, color: Color, kind: u8, count: u8) {
        self.base_key ^= self.hands.set(game, color, kind, count);
    }

    /// Calls `found` with what the last move changed in the hands: side, kind, how many there were.
    pub(super) fn for_each_hand_change(&self, mut found: impl FnMut(Color, u8, u8)) {
        let first = self.undos.last().map_or(self.hand_changes.len(), |undo| undo.hand_changes);
        let changes = &self.hand_changes[first..];
        for (i, change) in changes.iter().enumerate() {
            let (color, kind) = (change.color, change.kind);
            let same = |earlier: &HandChange| (earlier.color, earlier.kind) == (color, kind);
            if !changes[..i].iter().any(same) {
                found(color, kind, change.count);
            }
        }
    }

    /// Passes.
    pub(super) fn make_null(&mut self, game: &Game) {
        self.begin(game, None);
        for square in self.placement.transient().iter() {
            let (code, flags) = (self.code(square), self.flags(square));
            self.change(game, square, code, flags & !game.transient);
        }
        self.halfmoves = 0;
        self.fullmoves += u32::from(self.side_to_move == Color::Black);
        self.side_to_move = self.side_to_move.other();
    }

    /// Calls `found` with every square that the last move changed, and what it was before.
    #[inline]
    pub(super) fn for_each_change(&self, mut found: impl FnMut(Square, Code, u8)) {
        let first = self.undos.last().map_or(self.changes.len(), |undo| undo.changes);
        let changes = &self.changes[first..];
        for (i, change) in changes.iter().enumerate() {
            // A square that changes several times was at first what the first change says.
            if changes[..i].iter().all(|earlier| earlier.square != change.square) {
                found(change.square, change.code, change.flags);
            }
        }
    }

    /// Remembers where undoing a move ends.
    fn begin(&mut self, game: &Game, played: Option<Move>) {
        self.undos.push(Undo {
            played,
            changes: self.changes.len(),
            hand_changes: self.hand_changes.len(),
            base_key: self.base_key,
            key: self.key(game),
            halfmoves: self.halfmoves,
            checks: self.checks,
        });
    }

    /// Takes the last move back, if there is one.
    pub(super) fn unmake(&mut self, game: &Game) -> Option<Move> {
        let undo = self.undos.pop()?;
        while self.changes.len() > undo.changes {
            if let Some(Change { square, code, flags }) = self.changes.pop() {
                self.write(game, square, code, flags);
            }
        }
        while self.hand_changes.len() > undo.hand_changes {
            if let Some(HandChange { color, kind, count }) = self.hand_changes.pop() {
                self.hold(game, color, kind, count);
            }
        }
        self.base_key = undo.base_key;
        self.halfmoves = undo.halfmoves;
        self.checks = undo.checks;
        self.side_to_move = self.side_to_move.other();
        self.fullmoves -= u32::from(self.side_to_move == Color::Black);
        undo.played
    }

    /// Key of the position: equal positions have equal keys. A flag that goes away counts only
    /// if a legal move of the side to move depends on it.
    #[inline]
    pub(super) fn key(&self, game: &Game) -> u64 {
        let side = if self.side_to_move == Color::Black { game.black_key } else { 0 };
        let mut key = self.base_key ^ side;
        if !self.placement.transient().is_empty() {
            key ^= self.transient_key(game);
        }
        if !game.rules.gating.is_empty() {
            key ^= self.gates_key(game);
        }
        key
    }

    /// The part of the key that pieces make by which a piece can still be gated.
    #[inline(never)]
    fn gates_key(&self, game: &Game) -> u64 {
        let gates = Color::ALL.map(|color| self.gates(game, color));
        let unmoved = gates.iter().flat_map(SquareSet::iter);
        let unmoved = unmoved.filter(|&square| self.flags(square) & UNMOVED != 0);
        unmoved.fold(0, |key, square| key ^ game.flag_keys[usize::from(square)].rotate_left(16))
    }

    /// The squares of a side that a piece may be gated on when an unmoved one leaves them; none if it
    /// will never have one in hand.
    pub(super) fn gates(&self, game: &Game, color: Color) -> SquareSet {
        let mut hand = self.hands.of(game, color);
        let open = game.rules.holding == Holding::Captured
            || hand.any(|(kind, _)| game.rules.gating.has(usize::from(kind)));
        if open { game.gates.and(self.placement.side(color)) } else { SquareSet::EMPTY }
    }

    fn transient_key(&self, game: &Game) -> u64 {
        let mut key = 0;
        for square in self.placement.transient().iter() {
            let flags = self.flags(square) & game.transient;
            for flag in (0..8).filter(|flag| flags >> flag & 1 != 0) {
                let place = flag * game.squares() + usize::from(square);
                let seen = game.witnesses[place].iter().any(|&Witness { code, from }| {
                    let stands = match from {
                        Move::HAND.. => self.hands.has(game, Code(code)),
                        _ => self.code(from).0 == code,
                    };
                    stands
                        && Code(code).color() == Some(self.side_to_move)
                        && self.depends(game, (Code(code), from), square, 1 << flag)
                });
                if seen {
                    key ^= game.flag_keys[flag * SQUARES + usize::from(square)];
                }
            }
        }
        key
    }

    /// Whether a piece of the side to move, or one in hand, has other legal moves without a flag of
    /// a square. It seldom gets here, since few see such a flag.
    #[inline(never)]
    fn depends(&self, game: &Game, piece: (Code, Square), square: Square, flag: u8) -> bool {
        let mut without = Self::bare(self.placement, self.hands, self.side_to_move);
        without.placement.put(game, square, self.code(square), self.flags(square) & !flag);
        self.has_more(game, piece, &without) || without.has_more(game, piece, self)
    }

    /// Whether a piece of the side to move has a legal move that it has not in another position.
    fn has_more(&self, game: &Game, (code, from): (Code, Square), other: &Self) -> bool {
        let program = match from {
            Move::HAND.. => &game.drops[code.slot()],
            _ => game.program(code, from),
        };
        let me = self.side_to_move as u8 + 1;
        let danger = self.danger(game);
        let [here, there] = [self, other].map(|state| Plain::<4>::new(game, &state.placement));
        here.any_move(from, program, me, |m| {
            self.is_legal(game, m, &danger)
                && !there.any_move(from, program, me, |known| known == m)
        })
    }

    /// Returns `true` if two positions are the same but for what was played before.
    pub(super) fn same_board(&self, other: &Self) -> bool {
        self.placement == other.placement
            && self.hands == other.hands
            && self.checks == other.checks
            && self.side_to_move == other.side_to_move
            && self.base_key == other.base_key
            && (self.halfmoves, self.fullmoves) == (other.halfmoves, other.fullmoves)
    }
}

impl Playable for State {
    #[inline]
    fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The change is remembered for undoing.
    #[inline]
    fn change(&mut self, game: &Game, square: Square, code: Code, flags: u8) {
        let (old, old_flags) = (self.code(square), self.flags(square));
        self.changes.push(Change { square, code: old, flags: old_flags });
        self.write(game, square, code, flags);
    }

    fn gate(&mut self, game: &Game, square: Square, code: Code) {
        self.change(game, square, code, 0);
    }
}

/// Where the tables have a piece on a square.
#[inline]
fn place(code: Code, square: Square) -> usize {
    usize::from(code.0) << 8 | usize::from(square)
}

/// The part of the key that a piece makes with those lasting flags that count by themselves.
#[inline]
fn key_of(game: &Game, square: Square, code: Code, flags: u8) -> u64 {
    let place = place(code, square);
    let mut key = game.piece_keys[place];
    if flags == 0 {
        return key;
    }
    let mut lasting = flags & game.key_flags[place];
    while lasting != 0 {
        let flag = lasting.trailing_zeros() as usize;
        key ^= game.flag_keys[flag << 8 | usize::from(square)];
        lasting &= lasting - 1;
    }
    key
}
