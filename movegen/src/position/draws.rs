//! Draws: repetition, fifty moves, dead material.

use super::Position;
use crate::cuckoo;
use crate::{Bitboard, Color, PieceKind};

impl Position {
    /// Looks for the present position among the earlier ones; called after each move.
    #[inline]
    pub(super) fn find_repetition(&mut self) {
        let reach = self.reversible_plies();
        let mut distance = 4;
        while distance <= reach {
            if self.keys[self.keys.len() - distance] == self.now.keys.position {
                self.now.repeats_after = distance as u16;
                self.now.repeats_twice = self.repeated_before(distance);
                return;
            }
            distance += 2;
        }
        self.now.repeats_after = 0;
        self.now.repeats_twice = false;
    }

    /// Does the position `distance` plies ago repeat one before it?
    fn repeated_before(&self, distance: usize) -> bool {
        let reach = self.reversible_plies();
        let key = self.now.keys.position;
        (distance + 4..=reach).step_by(2).any(|back| self.keys[self.keys.len() - back] == key)
    }

    /// How far back a position could equal this one: to the last capture, pawn move,
    /// null move or the first known position.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.now.halfmove_clock.min(self.now.plies_since_null)).min(self.keys.len())
    }

    /// Is this a draw by repetition for a search that is `ply` plies from its root? One
    /// repetition of a position after the root is enough, because what could be forced
    /// once can be forced again; before the root it takes two, as the rules say.
    ///
    /// With `ply` 0 this is the rule of the game: the third occurrence.
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
    #[must_use]
    pub const fn is_repetition(&self, ply: usize) -> bool {
        let distance = self.now.repeats_after as usize;
        distance != 0 && (distance < ply || self.now.repeats_twice)
    }

    /// Can the side to move reach an earlier position at once, so that a search `ply`
    /// plies from its root may score at least a draw? Positions before the root count
    /// only if they have been repeated there.
    ///
    /// Source: M. Costalba and others after M. N. J. van Kervinck's cuckoo tables.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// for text in ["Nf3", "Nf6", "Ng1"] {
    ///     position.make(position.parse_san(text).unwrap());
    /// }
    /// assert!(position.has_upcoming_repetition(4)); // by Ng8
    /// ```
    #[must_use]
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let reach = self.reversible_plies();
        if reach < 3 {
            return false;
        }
        let last = self.keys.len();
        let mut others = self.key() ^ self.keys[last - 1] ^ crate::zobrist::side_key();
        for distance in (3..=reach).step_by(2) {
            let (theirs, ours) = (self.keys[last - distance + 1], self.keys[last - distance]);
            others ^= theirs ^ ours ^ crate::zobrist::side_key();
            if others != 0 {
                continue; // the opponent's pieces stand elsewhere
            }
            let Some(step) = cuckoo::find(self.key() ^ ours) else { continue };
            if (step.path & self.occupied()).any() {
                continue;
            }
            if distance < ply {
                return true;
            }
            // Reversed before the root: the piece must be ours, and it takes two.
            let piece_square = if self.piece_at(step.a).is_some() { step.a } else { step.b };
            if self.piece_at(piece_square).map(crate::Piece::color) == Some(self.side_to_move())
                && self.occurred_twice(distance)
            {
                return true;
            }
        }
        false
    }

    /// Had the position `distance` plies ago occurred before?
    fn occurred_twice(&self, distance: usize) -> bool {
        let reach = self.reversible_plies();
        let key = self.keys[self.keys.len() - distance];
        (distance + 4..=reach).step_by(2).any(|back| self.keys[self.keys.len() - back] == key)
    }

    /// Have fifty moves passed without capture or pawn move, and is it not checkmate?
    /// Mate on the hundredth ply wins.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = |clock| Position::from_fen(&format!("4k3/8/8/8/8/8/8/4KR2 w - - {clock} 9"));
    /// assert!(!position(99).unwrap().is_fifty_move_draw());
    /// assert!(position(100).unwrap().is_fifty_move_draw());
    /// ```
    #[must_use]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.now.halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Can neither side ever mate, whatever is played? True for king against king, king
    /// and one minor piece against king, and bishops on one color of squares only.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let is_dead = |fen| Position::from_fen(fen).unwrap().is_insufficient_material();
    /// assert!(is_dead("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"));
    /// assert!(!is_dead("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"));
    /// ```
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let occupied = self.occupied();
        match occupied.len() {
            2 => true,
            3 => (self.pieces(PieceKind::Knight) | self.pieces(PieceKind::Bishop)).any(),
            4 => {
                let bishops = self.pieces(PieceKind::Bishop);
                let one_each =
                    Color::ALL.iter().all(|&color| (bishops & self.color(color)).len() == 1);
                one_each
                    && (bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK))
            }
            _ => false,
        }
    }
}
