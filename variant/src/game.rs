//! A compiled game.

use crate::board::{Code, Color, Square, SquareSet};
use crate::definition::{FlagDefinition, PieceDefinition, Rules};
use crate::instance::{Act, Test, TestKind};
use crate::square_text;

/// Square numbers fit this many entries, so that tables of this length need no bounds check.
pub(crate) const SQUARES: usize = 256;

/// What an operation of a program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum OpKind {
    /// A test: on failure the program goes on at `skip`.
    Test(TestKind),
    /// The move number `argument` can be played.
    Emit,
    /// The same, unless it has been found on another way.
    EmitOnce,
    /// Unless a friend stands on the square, move `argument`; if the square is not empty, on to
    /// `skip`.
    Ride,
}

/// One operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Op {
    pub(crate) kind: OpKind,
    pub(crate) square: Square,
    pub(crate) argument: u16,
    pub(crate) skip: u32,
}

/// The moves of a piece from a square: a decision tree written out in a line. Moves that begin
/// with the same tests share them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    /// Its operations.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Number of its first move in the table of moves.
    pub(crate) base: u32,
}

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveInfo {
    pub(crate) to: Square,
    /// Nothing happens but that the piece moves and captures.
    pub(crate) plain: bool,
    /// The piece that moves can never come back.
    pub(crate) irreversible: bool,
    /// Its effects in the table of acts.
    pub(crate) acts: (u32, u32),
    /// The piece that it creates on its target.
    pub(crate) created: Option<u8>,
}

/// How a piece could capture on a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attack {
    /// Its tests as a program: an [`OpKind::Emit`] says that it can.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The squares whose pieces matter.
    pub(crate) watched: SquareSet,
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

/// Someone who looks at a flag: a piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Witness {
    pub(crate) code: u8,
    pub(crate) from: Square,
}

/// The rules of a game, ready to be played: pieces, board and all moves from all squares.
#[derive(Debug)]
pub struct Game {
    pub(crate) title: String,
    pub(crate) rows: u8,
    pub(crate) columns: u8,
    pub(crate) rules: Rules,
    pub(crate) pieces: Vec<PieceDefinition>,
    pub(crate) flags: Vec<FlagDefinition>,
    /// Bits of the flags that live for one move.
    pub(crate) transient: u8,
    /// By code of the piece (a byte): whether it is royal.
    pub(crate) royal: [bool; 256],
    /// The pieces of the start position.
    pub(crate) start: Vec<Code>,
    pub(crate) start_fen: Option<String>,
    pub(crate) ops: Vec<Op>,
    pub(crate) groups: Vec<Vec<Test>>,
    /// By slot of the piece times squares, plus the square.
    pub(crate) programs: Vec<Program>,
    pub(crate) moves: Vec<MoveInfo>,
    pub(crate) acts: Vec<Act>,
    pub(crate) attack_ops: Vec<Op>,
    pub(crate) attacks: Vec<Attack>,
    /// By (slot times squares plus origin) times squares plus target: number of the attack plus
    /// one, or 0.
    pub(crate) attack_index: Vec<u32>,
    /// By side and target: where a piece that could capture there may stand.
    pub(crate) attackers: [Vec<SquareSet>; 2],
    pub(crate) castlings: Vec<Castling>,
    pub(crate) en_passant: Vec<EnPassant>,
    /// By number of the flag times squares plus square: who looks at a flag there that goes away.
    pub(crate) witnesses: Vec<Vec<Witness>>,
    /// Random numbers by code times 256 plus square.
    pub(crate) piece_keys: Vec<u64>,
    /// Random numbers by number of the flag times 256 plus square.
    pub(crate) flag_keys: Vec<u64>,
    pub(crate) black_key: u64,
}

impl Game {
    /// What the file calls the game.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Rows of the board, 1 to 12.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Columns of the board, 1 to 12.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The names of the pieces.
    pub fn piece_names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| piece.name.value.as_str())
    }

    /// How many moves the pieces have on all squares together, on an empty and on a full board.
    pub fn move_count(&self) -> usize {
        self.moves.len()
    }

    /// The name of a square: a letter for its column, a number for its row from White's side.
    pub fn square_name(&self, square: Square) -> String {
        square_text::write(square, self.columns)
    }

    /// The square of a name.
    pub fn parse_square(&self, name: &str) -> Option<Square> {
        square_text::read(name, self.rows, self.columns)
    }

    pub(crate) fn squares(&self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    #[inline]
    pub(crate) fn program(&self, code: Code, from: Square) -> Program {
        self.programs[code.slot() * self.squares() + usize::from(from)]
    }

    #[inline]
    pub(crate) fn attack(&self, code: Code, from: Square, target: Square) -> Option<&Attack> {
        let squares = self.squares();
        let row = (code.slot() * squares + usize::from(from)) * squares;
        let index = self.attack_index[row + usize::from(target)];
        self.attacks.get((index as usize).wrapping_sub(1))
    }
}
