//! `exclude` and `include`: root moves that are left out of an analysis.

use tamarin_game::position::Move;
use tamarin_uci::xboard::{Reply, RootMoves};

use super::session::Session;

impl Session<'_> {
    /// Leaves these moves out.
    pub(super) fn exclude(&mut self, moves: &RootMoves) {
        for mv in self.root_moves(moves, "exclude") {
            if !self.excluded.contains(&mv) {
                self.excluded.push(mv);
            }
        }
    }

    /// Takes these moves in again.
    pub(super) fn include(&mut self, moves: &RootMoves) {
        let included = self.root_moves(moves, "include");
        self.excluded.retain(|mv| !included.contains(mv));
    }

    /// The moves meant; those that are not legal are reported.
    fn root_moves(&mut self, moves: &RootMoves, line: &str) -> Vec<Move> {
        if self.chess_position(line).is_none() || !self.has_position(line) {
            return Vec::new();
        }
        let RootMoves::Some(texts) = moves else {
            return self.client.engine.game().legal_moves();
        };
        let mut found = Vec::new();
        for text in texts {
            match self.find_move(text) {
                Ok(mv) => found.push(mv),
                Err(reason) => self.client.output.line(&Reply::IllegalMove(&reason, text)),
            }
        }
        found
    }
}
