//! Repetition and the fifty-move rule.

use super::Position;
use crate::Piece;
use crate::cuckoo;
use crate::zobrist::{Key, side_key};

impl Position {
    /// Looks for the previous occurrence of the position; called after each move.
    #[inline]
    pub(super) fn find_repetition(&mut self) {
        let found = self.previous_occurrence(0);
        self.state.repetition_distance = found.unwrap_or(0) as u16;
        self.state.is_threefold =
            found.is_some_and(|distance| self.previous_occurrence(distance).is_some());
    }

    /// Plies from now to the latest occurrence, before it, of the position `distance` plies ago.
    #[inline]
    fn previous_occurrence(&self, distance: usize) -> Option<usize> {
        let key = if distance == 0 { self.key() } else { self.earlier_key(distance) };
        (distance + 4..=self.reversible_plies())
            .step_by(2)
            .find(|&earlier| self.earlier_key(earlier) == key)
    }

    /// The key of the position `distance` plies ago, at least one.
    fn earlier_key(&self, distance: usize) -> Key {
        self.key_history[self.key_history.len() - distance]
    }

    /// How many plies back a position can be a repetition of this one: to the last capture,
    /// pawn move or null move, or to the first known position.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.state.halfmove_clock.min(self.state.plies_since_null))
            .min(self.key_history.len())
    }

    /// Returns `true` for a draw by repetition in a search that is `ply` plies from its root. A
    /// single repetition of a position after the root counts as a draw, because what was forced
    /// once can be forced again; of positions up to the root the third occurrence is needed.
    ///
    /// With `ply` 0 this is the rule of the game: threefold repetition.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    /// shuffle.iter().for_each(|text| position.make(position.parse_san(text).unwrap()));
    /// assert!(position.is_repetition(5) && !position.is_repetition(0));
    /// shuffle.iter().for_each(|text| position.make(position.parse_san(text).unwrap()));
    /// assert!(position.is_repetition(0));
    /// ```
    #[inline]
    pub const fn is_repetition(&self, ply: usize) -> bool {
        let distance = self.state.repetition_distance as usize;
        distance != 0 && (distance < ply || self.state.is_threefold)
    }

    /// How often this position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let reach = self.reversible_plies();
        1 + (1..=reach).filter(|&distance| self.earlier_key(distance) == self.key()).count()
    }

    /// Returns `true` if any position has occurred twice since the last capture or pawn move.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
    ///     assert!(!position.has_repeated());
    ///     position.make(position.parse_san(text).unwrap());
    /// }
    /// position.make(position.parse_san("Nc3").unwrap());
    /// assert!(position.has_repeated()); // the start, before Nc3
    /// position.make(position.parse_san("e5").unwrap());
    /// assert!(!position.has_repeated());
    /// ```
    pub fn has_repeated(&self) -> bool {
        (0..self.reversible_plies()).any(|distance| self.previous_occurrence(distance).is_some())
    }

    /// Returns `true` if the side to move has a move that repeats an earlier position (an upcoming
    /// repetition), so that a search `ply` plies from its root can score at least a draw. Repeating
    /// the root or a position before it counts only if that would be its third occurrence.
    ///
    /// Source: Stockfish's `has_game_cycle`, after M. N. J. van Kervinck's cuckoo tables.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// for text in ["Nf3", "Nf6", "Ng1"] {
    ///     position.make(position.parse_san(text).unwrap());
    /// }
    /// assert!(position.has_upcoming_repetition(4)); // by Ng8
    /// ```
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let reach = self.reversible_plies();
        if reach < 3 {
            return false;
        }
        // The opponent's moves so far, as the difference they have made to the key.
        let mut opponent_moves = self.key() ^ self.earlier_key(1) ^ side_key();
        for distance in (3..=reach).step_by(2) {
            let earlier = self.earlier_key(distance);
            opponent_moves ^= self.earlier_key(distance - 1) ^ earlier ^ side_key();
            if opponent_moves != 0 {
                continue; // the opponent's pieces do not stand where they did
            }
            let Some(back) = cuckoo::find(self.key() ^ earlier) else { continue };
            if (back.path & self.occupied()).any() {
                continue;
            }
            if distance < ply {
                return true;
            }
            // Up to the root: the piece must be the mover's, and the position occurred twice.
            let square = if self.piece_at(back.a).is_some() { back.a } else { back.b };
            if self.piece_at(square).map(Piece::color) == Some(self.side_to_move())
                && self.previous_occurrence(distance).is_some()
            {
                return true;
            }
        }
        false
    }

    /// Returns `true` for a draw by the fifty-move rule: a hundred plies without capture or pawn
    /// move. A checkmate on the hundredth ply takes precedence.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state.halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }
}
