//! A compiled game.

use std::collections::BTreeSet;

use crate::ast::{Holding, Symmetry, Verdict};
use crate::board::{Code, Color, Move, Set, Square, SquareSet};
use crate::definition::{FlagDefinition, PieceDefinition, Rules};
use crate::instance::Act;
use crate::program::{Op, Program, Ray};
use crate::requirement::Test;
use crate::square_text;

/// Square numbers fit this many entries, so that tables of this length need no bounds check.
pub(crate) const SQUARES: usize = 256;

/// Calls a method for the number of words that sets of squares need on the board of a game: small
/// boards are spared the others.
macro_rules! sized {
    ($game:expr, $object:expr, $method:ident($($argument:expr),*)) => {
        match $game.words {
            1 => $object.$method::<1>($($argument),*),
            2 => $object.$method::<2>($($argument),*),
            _ => $object.$method::<3>($($argument),*),
        }
    };
}
pub(crate) use sized;

/// What a move with effects does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveInfo {
    /// Which royal pieces there are, or which pieces of the opponent where, may change on squares
    /// that no test looks at.
    pub(crate) intricate: bool,
    /// The piece that moves can never come back.
    pub(crate) irreversible: bool,
    /// The squares that its effects change.
    pub(crate) touched: SquareSet,
    /// Its effects in the table of acts.
    pub(crate) acts: (u32, u32),
    /// The piece that it creates on its target.
    pub(crate) created: Option<u8>,
    /// It may not give mate.
    pub(crate) no_mate: bool,
    /// The piece that comes from the hand besides, and where to.
    pub(crate) gates: Option<(u8, Square)>,
}

impl MoveInfo {
    /// Returns `true` if its effects cannot endanger royal pieces whose safety depends on these
    /// squares.
    #[inline]
    pub(crate) fn is_harmless<const W: usize>(&self, watched: Set<W>) -> bool {
        !self.intricate
            && !self.no_mate
            && self.gates.is_none()
            && self.touched.first().and(watched).is_empty()
    }
}

/// How a piece could capture on a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attack {
    /// The squares whose pieces matter.
    pub(crate) watched: SquareSet,
    /// It can if all of these squares are empty, and nothing else matters.
    pub(crate) plain: bool,
    /// Its tests as a program: an [`OpKind::Emit`] says that it can.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// More matters than the pieces on these squares: flags that go away, or other attacks.
    pub(crate) volatile: bool,
}

/// A castling of the start position, for the letters of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Castling {
    pub(crate) color: Color,
    pub(crate) king: Square,
    pub(crate) partner: Square,
}

/// A capture of a piece with a flag that goes away, for the square of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct EnPassant {
    /// Who captures.
    pub(crate) color: Color,
    pub(crate) target: Square,
    pub(crate) victim: Square,
    pub(crate) flag: u8,
}

/// Who gets a flag that goes away by a move that ends there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Bearer {
    pub(crate) flag: u8,
    pub(crate) square: Square,
    /// The code of the piece; `None` is whatever stands there.
    pub(crate) code: Option<u8>,
}

/// Someone who looks at a flag: a piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Witness {
    pub(crate) code: u8,
    pub(crate) from: Square,
}

/// Two pieces that a move wants unmoved, as castling does: the one that has the move, and whatever
/// stands on the square of its partner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnmovedPair {
    pub(crate) code: Code,
    pub(crate) from: Square,
    pub(crate) partner: Square,
    /// A random number.
    pub(crate) key: u64,
}

/// The rules of a game, ready to be played: pieces, board and all moves from all squares.
#[derive(Debug)]
pub struct Game {
    pub(crate) title: String,
    pub(crate) fingerprint: u64,
    pub(crate) rows: u8,
    pub(crate) columns: u8,
    /// How many words of a set the board needs.
    pub(crate) words: usize,
    pub(crate) rules: Rules,
    /// What pieces count at the end, in halves of a point, by kind, and what the second side has
    /// besides; nothing if no piece counts.
    pub(crate) points: (Vec<u16>, u16),
    pub(crate) pieces: Vec<PieceDefinition>,
    pub(crate) flags: Vec<FlagDefinition>,
    /// Bits of the flags that live for one move.
    pub(crate) transient: u8,
    /// The bit of the flag of what promotions make; 0 if the game has no such flag.
    pub(crate) promoted: u8,
    /// By code of the piece (a byte): whether it is royal.
    pub(crate) royal: [bool; 256],
    /// The pieces of the start position.
    pub(crate) start: Vec<Code>,
    pub(crate) start_fen: Option<String>,
    pub(crate) ops: Vec<Op>,
    pub(crate) rays: Vec<Ray>,
    pub(crate) groups: Vec<Vec<Test>>,
    /// By slot of the piece times squares, plus the square.
    pub(crate) programs: Vec<Program>,
    /// The same for the targets from which the piece can never come back.
    pub(crate) no_return: Vec<SquareSet>,
    /// The moves with effects.
    pub(crate) moves: Vec<MoveInfo>,
    /// How many moves there are with and without effects.
    pub(crate) move_count: usize,
    pub(crate) acts: Vec<Act>,
    /// The kinds of pieces that may be held in hand, in ascending order, at most 16.
    pub(crate) held: Vec<u8>,
    /// [`Rules::has_goals`] and [`Rules::has_filters`].
    pub(crate) has_goals: bool,
    pub(crate) has_filters: bool,
    /// By square: what explosions reach; nothing without them.
    pub(crate) explosions: Vec<SquareSet>,
    /// Random numbers by side times 256 plus how many checks it has given; 0 for none.
    pub(crate) check_keys: Vec<u64>,
    /// Some move may not give mate, or needs a piece in hand.
    pub(crate) has_conditional: bool,
    /// Squares of the start position that a piece may be gated on while the one there is unmoved.
    pub(crate) gates: SquareSet,
    /// Positions can come back after moves that are progress.
    pub(crate) recurs: bool,
    /// By slot of the piece: its drops.
    pub(crate) drops: Vec<Program>,
    pub(crate) attack_ops: Vec<Op>,
    pub(crate) attacks: Vec<Attack>,
    /// By (slot times squares plus origin) times squares plus target: number of the attack plus
    /// one, or 0.
    pub(crate) attack_index: Vec<u32>,
    /// By side and target: where a piece that could capture there may stand.
    pub(crate) attackers: [Vec<SquareSet>; 2],
    pub(crate) castlings: Vec<Castling>,
    pub(crate) en_passant: Vec<EnPassant>,
    /// In ascending order.
    pub(crate) bearers: Vec<Bearer>,
    /// By number of the flag times squares plus square: who looks at a flag there that goes away.
    pub(crate) witnesses: Vec<Vec<Witness>>,
    /// Random numbers by code times 256 plus square.
    pub(crate) piece_keys: Vec<u64>,
    /// By code times 256 plus square: the bits of the flags that count for the key by themselves.
    pub(crate) key_flags: Vec<u8>,
    /// By square: the pairs to which a piece there belongs.
    pub(crate) unmoved_pairs: Vec<Vec<UnmovedPair>>,
    /// Random numbers by number of the flag times 256 plus square.
    pub(crate) flag_keys: Vec<u64>,
    pub(crate) black_key: u64,
    /// Random numbers by twice the place among the kinds in hand plus the side, times 256, plus how
    /// many there are; 0 for none.
    pub(crate) hand_keys: Vec<u64>,
}

impl Game {
    /// What the file calls the game.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the horse and the elephant of xiangqi are called here, which many programs call `h` and
    /// `e`. `None` for other letters and games, and where those are pieces of their own.
    pub(crate) fn xiangqi_letter(&self, letter: &str) -> Option<&'static str> {
        let own = match letter {
            "h" | "H" => "n",
            "e" | "E" => "b",
            _ => return None,
        };
        let has_own = self.piece_names().any(|name| name.eq_ignore_ascii_case(letter));
        (!has_own && self.is_xiangqi()).then_some(own)
    }

    pub(crate) fn is_xiangqi(&self) -> bool {
        self.title.eq_ignore_ascii_case("xiangqi")
    }

    /// A hash of the rules, by which what was learned about a game is known to belong to it: equal
    /// for files that differ in titles and comments, another one for other moves, start positions
    /// or ends.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Rows of the board, 1 to 16.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Columns of the board, 1 to 16.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The names of the pieces.
    pub fn piece_names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| piece.name.value.as_str())
    }

    /// How many moves the pieces have on all squares together, on an empty and on a full board.
    pub fn move_count(&self) -> usize {
        self.move_count
    }

    /// The name of a square: a letter for its column, a number for its row from White's side.
    pub fn square_name(&self, square: Square) -> String {
        square_text::write(square, self.columns)
    }

    /// The square of a name.
    pub fn parse_square(&self, name: &str) -> Option<Square> {
        square_text::read(name, self.rows, self.columns)
    }

    /// Squares of the board, 1 to 192.
    #[inline]
    pub fn squares(&self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    /// How many words of a [`Set`] the squares need, 1 to 3.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many types of pieces there are.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// The name of a piece.
    pub fn piece_name(&self, kind: u8) -> &str {
        &self.pieces[usize::from(kind)].name.value
    }

    /// The moves of a piece in XBetza as XBoard reads it, White's and Black's, with double step, en
    /// passant and castling; `None` if they need more than that notation has.
    pub fn xbetza(&self, kind: u8) -> Option<[&str; 2]> {
        let texts = self.pieces[usize::from(kind)].xbetza.as_ref()?;
        Some(texts.each_ref().map(String::as_str))
    }

    /// Returns `true` if a piece is royal.
    pub fn is_royal(&self, kind: u8) -> bool {
        self.pieces[usize::from(kind)].royal
    }

    /// The bits of the flags that a piece has when the game begins; bit 0 is `unmoved`.
    pub fn start_flags(&self, kind: u8) -> u8 {
        let piece = &self.pieces[usize::from(kind)];
        piece.start_flags | u8::from(piece.carries_unmoved)
    }

    /// The name of the flag of a bit of [`Self::start_flags`], counted from 0.
    pub fn flag_name(&self, flag: usize) -> &str {
        &self.flags[flag].name
    }

    /// The pieces that moves of a piece make of it, as a promotion does.
    pub fn promotions(&self, kind: u8) -> BTreeSet<u8> {
        let created = self.moves_with_effects(kind).iter().filter_map(|info| info.created);
        created.filter(|&other| other != kind).collect()
    }

    /// The kinds of pieces that players may hold in hand, in the order of the file; none in a game
    /// without hands.
    pub fn held_kinds(&self) -> &[u8] {
        &self.held
    }

    /// Returns `true` if pieces can be in hand.
    #[inline]
    pub fn has_hands(&self) -> bool {
        !self.held.is_empty()
    }

    /// What a captured piece with these flags is in the hand of its capturer; `None` if it leaves
    /// the game.
    #[inline]
    pub fn in_hand(&self, kind: u8, flags: u8) -> Option<u8> {
        if self.held.is_empty() || self.rules.holding != Holding::Captured {
            return None;
        }
        let forms = &self.pieces.get(usize::from(kind))?.in_hand;
        let fits = |&&(mask, _): &&(u8, usize)| mask == 0 || flags & mask != 0;
        let kind = forms.iter().find(fits)?.1 as u8;
        self.held.contains(&kind).then_some(kind)
    }

    /// Returns `true` if who loses all pieces wins.
    pub fn is_won_without_pieces(&self) -> bool {
        let rule = self.rules.extinction;
        rule.is_some_and(|(verdict, kinds)| verdict == Verdict::Win && kinds.is_empty())
    }

    /// Returns `true` if captures remove more than what they capture.
    pub fn has_explosions(&self) -> bool {
        self.rules.explosion.is_some()
    }

    /// Returns `true` if some move of a piece does more than go to its target.
    pub fn has_effects(&self, kind: u8) -> bool {
        !self.moves_with_effects(kind).is_empty()
    }

    /// The moves with effects that White's piece has from all squares.
    fn moves_with_effects(&self, kind: u8) -> &[MoveInfo] {
        let squares = self.squares();
        let slot = usize::from(kind) * 2;
        let first = self.programs[slot * squares].base as usize;
        let end = self.programs[(slot + 1) * squares].base as usize;
        &self.moves[first..end]
    }

    /// How Black sees the board.
    pub fn symmetry(&self) -> Symmetry {
        self.rules.symmetry
    }

    /// The square that is to Black what this one is to White.
    pub fn flip(&self, square: Square) -> Square {
        let (row, column) = (square / self.columns, square % self.columns);
        match self.rules.symmetry {
            Symmetry::None => square,
            Symmetry::Mirror => (self.rows - 1 - row) * self.columns + column,
            Symmetry::Rotate => self.squares() as Square - 1 - square,
        }
    }

    /// Returns `true` if a piece on a square can have got a flag that goes away, by a move or when the
    /// game began.
    pub(crate) fn bears(&self, code: Code, square: Square, flag: u8) -> bool {
        let by_move = |code| self.bearers.binary_search(&Bearer { flag, square, code }).is_ok();
        let piece = &self.pieces[code.piece()];
        piece.start_flags & flag != 0 || by_move(None) || by_move(Some(code.0))
    }

    #[inline]
    pub(crate) fn program(&self, code: Code, from: Square) -> &Program {
        &self.programs[code.slot() * self.squares() + usize::from(from)]
    }

    /// The rays of a program.
    #[inline]
    pub(crate) fn rays(&self, program: &Program) -> &[Ray] {
        &self.rays[program.rays.0 as usize..program.rays.1 as usize]
    }

    /// The squares that the rays of a program reach, with those of friends.
    #[inline]
    pub(crate) fn reached<const W: usize>(&self, program: &Program, occupied: Set<W>) -> Set<W> {
        self.rays(program).iter().fold(Set::EMPTY, |all, ray| all.or(ray.reach(occupied)))
    }

    /// The targets of the leaps and rays of a program that can be gone to.
    #[inline]
    pub(crate) fn plain_targets<const W: usize>(
        &self,
        program: &Program,
        own: Set<W>,
        theirs: Set<W>,
    ) -> Set<W> {
        let reached = self.reached(program, own.or(theirs));
        program.leaps.targets(own, theirs).or(reached.minus(own))
    }

    /// Calls `found` with the moves that are leaps and those along rays that can be played.
    #[inline]
    pub(crate) fn for_each_plain<const W: usize>(
        &self,
        program: &Program,
        from: Square,
        [own, theirs]: [Set<W>; 2],
        mut found: impl FnMut(Move),
    ) {
        let mut plain = |to| found(Move { from, to, index: 0 });
        program.leaps.targets(own, theirs).iter().for_each(&mut plain);
        for ray in self.rays(program) {
            ray.for_each_target(own, theirs, &mut plain);
        }
    }

    /// What a move of the piece does besides, if it has effects.
    #[inline]
    pub(crate) fn effects(&self, code: Code, m: Move) -> Option<&MoveInfo> {
        let number = m.index.checked_sub(1)?;
        let program = match m.dropped() {
            None => self.program(code, m.from),
            Some(_) => &self.drops[code.slot()],
        };
        let base = program.base as usize;
        Some(&self.moves[base + usize::from(number)])
    }

    #[inline]
    pub(crate) fn acts(&self, info: &MoveInfo) -> &[Act] {
        &self.acts[info.acts.0 as usize..info.acts.1 as usize]
    }

    /// Returns `true` if the piece could never come back after a move.
    pub(crate) fn is_irreversible(&self, code: Code, m: Move) -> bool {
        match self.effects(code, m) {
            Some(info) => info.irreversible,
            None if m.dropped().is_some() => true,
            None => self.no_return[code.slot() * self.squares() + usize::from(m.from)].has(m.to),
        }
    }

    #[inline]
    pub(crate) fn attack(&self, code: Code, from: Square, target: Square) -> Option<&Attack> {
        let squares = self.squares();
        let row = (code.slot() * squares + usize::from(from)) * squares;
        let index = self.attack_index[row + usize::from(target)];
        self.attacks.get((index as usize).wrapping_sub(1))
    }
}
