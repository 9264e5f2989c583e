//! [`Position`]: a board with keys, clocks and history, for games and searches.

mod audit;
mod checks;
mod draws;
mod legality;
mod outcome;
mod play;
mod start;

pub use checks::CheckInfo;
pub use outcome::{Outcome, Reason};
pub use start::CHESS960_POSITIONS;

use core::hash::{Hash, Hasher};

use crate::generate::{
    AllMoves, GenerationType, ListMoves, Masks, NoisyMoves, QuietMoves, attacked_by, generate,
};
use crate::side_to_move::for_side_to_move;
use crate::zobrist::{Key, Keys, SubKey};
use crate::{
    Bitboard, Board, Color, Generate, Move, MoveKind, MoveList, PerSquare, Piece, PieceKind, Square,
};

/// A legal position with its history.
///
/// Beside the [`Board`] it has the piece on every square (a mailbox), the move counters,
/// Zobrist keys and the earlier states, to unmake moves and to detect repetitions.
///
/// ```
/// use tamarin_movegen::Position;
/// let mut position = Position::startpos();
/// let key = position.key();
/// for mv in position.legal_moves() {
///     position.make(mv);
///     assert_ne!(position.key(), key);
///     position.unmake();
/// }
/// assert_eq!(position.key(), key);
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    state: State,
    /// The undo stack: the state before each move that can be unmade, oldest first.
    undo: Vec<State>,
    /// Keys of all earlier positions of the game, for repetitions; longer than `undo` after
    /// [`Position::clear_undo`].
    key_history: Vec<Key>,
}

/// Positions are equal if their boards and counters are, as in a FEN. Their history is not compared.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl Default for Position {
    /// [`Position::startpos`].
    fn default() -> Self {
        Self::startpos()
    }
}

/// Everything that changes with a move. Making a move saves a copy (copy-make), so that
/// unmaking is an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    board: Board,
    mailbox: PerSquare<Option<Piece>>,
    keys: Keys,
    masks: Masks,
    halfmove_clock: u16,
    fullmove_number: u16,
    /// Plies since the last null move, or since the first known position.
    plies_since_null: u16,
    /// Plies since the previous occurrence of the position, 0 for the first one.
    repetition_distance: u16,
    /// Whether this is at least the third occurrence.
    is_threefold: bool,
}

impl Position {
    /// What makes two positions equal.
    const fn identity(&self) -> (&Board, u16, u16) {
        (self.board(), self.halfmove_clock(), self.fullmove_number())
    }

    /// A position without history, from a board that is known to be legal.
    pub(crate) fn from_board(board: Board, halfmove_clock: u16, fullmove_number: u16) -> Self {
        let state = State {
            board,
            mailbox: PerSquare(Square::ALL.map(|square| board.piece_at(square))),
            keys: Keys::of(&board),
            masks: Masks::of(&board, board.side_to_move()),
            halfmove_clock,
            fullmove_number,
            plies_since_null: 0,
            repetition_distance: 0,
            is_threefold: false,
        };
        Self { state, undo: Vec::new(), key_history: Vec::new() }
    }

    /// The board without counters, keys and history.
    pub const fn board(&self) -> &Board {
        &self.state.board
    }

    /// The side whose turn it is.
    pub const fn side_to_move(&self) -> Color {
        self.state.board.side_to_move()
    }

    /// The pieces of one kind, of both colors.
    pub const fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.state.board.pieces(kind)
    }

    /// The pieces of one color.
    pub const fn color(&self, color: Color) -> Bitboard {
        self.state.board.color(color)
    }

    /// The pieces of one color and kind.
    pub const fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.state.board.of(color, kind)
    }

    /// Every square with a piece on it.
    pub const fn occupied(&self) -> Bitboard {
        self.state.board.occupied()
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.state.mailbox[square]
    }

    /// Where the king of a side stands.
    pub const fn king(&self, color: Color) -> Square {
        self.state.board.king(color)
    }

    /// The squares of the rooks that may still castle, see [`Board::castling`].
    pub const fn castling(&self) -> Bitboard {
        self.state.board.castling()
    }

    /// The target of a legal capture en passant, if there is one.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.state.board.en_passant()
    }

    /// The pieces that give check to the side to move.
    pub const fn checkers(&self) -> Bitboard {
        self.state.masks.checkers
    }

    /// Returns `true` if the side to move is in check.
    pub const fn in_check(&self) -> bool {
        self.state.masks.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    pub fn pinned(&self) -> Bitboard {
        self.state.masks.pins() & self.color(self.side_to_move())
    }

    /// The halfmove clock: plies since the last capture or pawn move.
    pub const fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock
    }

    /// The number of the move in the game, 1 at the start, incremented after Black's move.
    pub const fn fullmove_number(&self) -> u16 {
        self.state.fullmove_number
    }

    /// The key of the position: pieces, side to move, castling rights, en-passant file.
    pub const fn key(&self) -> Key {
        self.state.keys.position
    }

    /// The pawn key: the Zobrist key of the pawns alone.
    pub const fn pawn_key(&self) -> Key {
        self.state.keys.sub_key(SubKey::Pawn)
    }

    /// The minor-piece key: the Zobrist key of the knights and bishops alone.
    pub const fn minor_key(&self) -> Key {
        self.state.keys.sub_key(SubKey::Minor)
    }

    /// The non-pawn key of a side: the Zobrist key of its pieces other than pawns, the king
    /// included.
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.state.keys.sub_key(SubKey::non_pawn(color))
    }

    /// The pieces of both colors that attack `square`, sliders seeing up to the first of the
    /// `occupied` squares.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.state.board.attackers_to(square, occupied)
    }

    /// Every square that the pieces of `color` attack.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        attacked_by(self.board(), color, self.occupied())
    }

    /// Returns `true` if a side has any piece beside its king and pawns.
    #[inline]
    pub const fn has_non_pawn_material(&self, color: Color) -> bool {
        let pawns_and_king = self.pieces(PieceKind::Pawn).0 | self.pieces(PieceKind::King).0;
        self.color(color).0 & !pawns_and_king != 0
    }

    /// The piece a legal move moves (the king for castling).
    ///
    /// # Panics
    /// If there is no piece on the move's origin.
    pub fn moved_piece(&self, mv: Move) -> Piece {
        self.piece_at(mv.from()).expect("invariant: a legal move moves a piece")
    }

    /// What a legal move captures, if anything.
    #[inline]
    pub fn captured_by(&self, mv: Move) -> Option<PieceKind> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceKind::Pawn),
            _ if mv.is_capture() => self.piece_at(mv.to()).map(Piece::kind),
            _ => None,
        }
    }

    /// Appends the legal moves of a generation type to `list`.
    #[inline]
    pub fn generate(&self, which: Generate, list: &mut MoveList) {
        match which {
            Generate::All => self.list::<AllMoves>(list),
            Generate::Noisy => self.list::<NoisyMoves>(list),
            Generate::Quiet => self.list::<QuietMoves>(list),
        }
    }

    #[inline]
    fn list<M: GenerationType>(&self, list: &mut MoveList) {
        let board = self.board();
        let sink = &mut ListMoves::<M>::new(board, list);
        for_side_to_move!(self.side_to_move(), Us => generate::<Us, M, _>(board, &self.state.masks, sink));
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Generate::All, &mut list);
        list
    }

    /// Returns `true` if there is a legal move; if not, it is checkmate or stalemate.
    pub fn has_legal_move(&self) -> bool {
        self.board().count_moves() > 0
    }
}
