//! Positions of a game: moves, making and taking back, the end.

mod exchange;
mod explicit;
mod fen;
mod goals;
mod hands;
mod inspect;
mod legal;
mod placement;
mod reach;
mod san;
mod scope;
mod set_up;
mod sight;
mod state;
mod text;
mod xboard;

use std::fmt;
use std::sync::Arc;

use crate::board::{Color, Move, Square};
use crate::game::Game;
pub use fen::FenError;
pub(crate) use goals::explosions;
pub use inspect::{Occupant, SetupBoard, SquareChange};
pub use legal::Danger;
use placement::Playable;
pub use reach::Reach;
pub use scope::{Scope, Scopes};
pub use set_up::SetUpError;
use state::State;
pub use text::MoveTextError;

/// A position of a game, with the moves that led to it.
#[derive(Clone)]
pub struct Position {
    game: Arc<Game>,
    state: State,
}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Why.
    pub reason: Reason,
    /// Who has won; `None` in a draw.
    pub winner: Option<Color>,
}

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// No legal move, and a royal piece is attacked.
    Checkmate,
    /// No legal move otherwise.
    Stalemate,
    /// The position has occurred as often as the game allows.
    Repetition,
    /// The same by moves of one side that all gave check, which the game forbids.
    PerpetualCheck,
    /// A piece on a square where it wins ([`Position::decided`]).
    Goal,
    /// As many checks as win.
    Checks,
    /// A side without pieces, or without those that count.
    Extinction,
    /// A pass while royal pieces of both sides face each other.
    Facing,
    /// As many passes in a row as end the game.
    Passes,
    /// As many moves without progress as the game allows.
    MoveLimit,
}

impl Position {
    /// The start position of a game.
    pub fn start(game: &Arc<Game>) -> Self {
        if let Some(fen) = &game.start_fen {
            return Self::from_fen(game, fen).expect("invariant: the start was read before");
        }
        let mut state = State::empty();
        for (square, &code) in game.start.iter().enumerate() {
            if code.color().is_some() {
                let piece = &game.pieces[code.piece()];
                let flags = piece.start_flags | u8::from(piece.carries_unmoved);
                state.write(game, square as Square, code, flags);
            }
        }
        Self { game: Arc::clone(game), state }
    }

    /// The game that it belongs to.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.state.side_to_move
    }

    /// Moves of both sides since the last capture, creation, lasting flag or move of a piece that
    /// can never come back.
    pub fn halfmoves(&self) -> u32 {
        self.state.halfmoves
    }

    /// The number of the move, from 1; it grows after Black's moves.
    pub fn fullmoves(&self) -> u32 {
        self.state.fullmoves
    }

    /// A hash: equal positions have equal keys, others almost never.
    pub fn key(&self) -> u64 {
        self.state.key(&self.game)
    }

    /// The piece on a square and its owner.
    pub fn piece(&self, square: Square) -> Option<(Color, &str)> {
        let code = self.state.code(square);
        let color = code.color()?;
        Some((color, self.game.pieces[code.piece()].name.value.as_str()))
    }

    /// The flags of the piece on a square.
    pub fn flags(&self, square: Square) -> Vec<&str> {
        self.flag_names(self.state.flags(square))
    }

    /// The names of flags.
    fn flag_names(&self, bits: u8) -> Vec<&str> {
        let names = self.game.flags.iter().enumerate();
        names.filter(|(i, _)| bits >> i & 1 != 0).map(|(_, flag)| flag.name.as_str()).collect()
    }

    /// Returns `true` if a side could capture a piece of the other that stood on the square.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.state.placement().attacks(&self.game, square, by)
    }

    /// Returns `true` if a royal piece of the side to move could be captured now.
    pub fn in_check(&self) -> bool {
        self.state.placement().takes_royal(&self.game, self.state.side_to_move.other())
    }

    /// The legal moves, in the order of the squares that they come from.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Replaces the contents of `moves` with the legal moves.
    pub fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        moves.clear();
        self.state.pseudo_legal(&self.game, self.side_to_move(), moves);
        let danger = self.danger();
        moves.retain(|&m| self.state.is_legal(&self.game, m, &danger));
    }

    /// What separates the legal moves of this position from its pseudo-legal ones, for
    /// [`is_legal`](Self::is_legal).
    pub fn danger(&self) -> Danger {
        self.state.danger(&self.game)
    }

    /// Returns `true` if a pseudo-legal move of the side to move is legal; `danger` is that of this
    /// position.
    #[inline]
    pub fn is_legal(&self, m: Move, danger: &Danger) -> bool {
        self.state.is_legal(&self.game, m, danger)
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> u64 {
        self.state.count_legal(&self.game)
    }

    /// Plays a move that [`legal_moves`](Self::legal_moves) gave for this position.
    pub fn make(&mut self, m: Move) {
        self.state.make(&self.game, m);
    }

    /// Takes the last move back and returns it. Nothing happens in the position that was set up,
    /// and nothing is returned if the last move was a pass ([`make_null`](Self::make_null)).
    pub fn unmake(&mut self) -> Option<Move> {
        self.state.unmake(&self.game)
    }

    /// Returns `true` if pieces, flags, side to move, counters and key are equal.
    pub fn same_as(&self, other: &Self) -> bool {
        self.state.same_board(&other.state) && self.key() == other.key()
    }

    /// How often the position has occurred since the last move that cannot be undone, or since the
    /// last pass in a game with hands or with moves that undo what others create or flag, this time
    /// included.
    pub fn occurrences(&self) -> u32 {
        1 + self.earlier_occurrences().count() as u32
    }

    /// How many plies ago the position occurred before, the last time first.
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> {
        let key = self.key();
        // What is captured may come back from the hand, what is created may go away.
        let within = if self.game.recurs { usize::MAX } else { self.state.halfmoves as usize };
        let undos = self.state.undos.iter().rev().take(within);
        let recent = undos.take_while(|undo| undo.played.is_some());
        let same = (1..).zip(recent).skip(1).step_by(2).filter(move |(_, undo)| undo.key == key);
        same.map(|(plies, _)| plies)
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.state.can_move(&self.game)
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.has_legal_move() {
            true => self.rule_outcome(),
            false => Some(self.outcome_without_moves()),
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({:?}, {:?})", self.game.title, self.fen())
    }
}
