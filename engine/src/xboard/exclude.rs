//! `exclude` and `include`: root moves that are left out of an analysis.

use tamarin_movegen::Move;
use tamarin_uci::xboard::{Reply, RootMoves};

use super::game::find_move;
use super::session::Session;

impl Session<'_> {
    /// Leaves these moves out.
    pub(super) fn exclude(&mut self, moves: &RootMoves) {
        for mv in self.root_moves(moves) {
            if !self.excluded.contains(&mv) {
                self.excluded.push(mv);
            }
        }
    }

    /// Takes these moves in again.
    pub(super) fn include(&mut self, moves: &RootMoves) {
        let included = self.root_moves(moves);
        self.excluded.retain(|mv| !included.contains(mv));
    }

    /// The moves meant; those that are not legal are told.
    fn root_moves(&mut self, moves: &RootMoves) -> Vec<Move> {
        let RootMoves::Some(texts) = moves else {
            return self.game.position().legal_moves().into_iter().collect();
        };
        let mut found = Vec::new();
        for text in texts {
            match find_move(self.game.position(), text) {
                Ok(mv) => found.push(mv),
                Err(reason) => self.output.line(&Reply::IllegalMove(&reason, text)),
            }
        }
        found
    }
}
