//! Making a move.

use super::state::State;
use crate::board::{Code, Color, Move};
use crate::game::Game;
use crate::instance::Act;

/// The flag `unmoved`.
const UNMOVED: u8 = 1;

impl State {
    /// Plays a move of this position: the piece moves, then the effects happen in order.
    pub(super) fn make(&mut self, game: &Game, m: Move) {
        self.begin(game, m);
        let mover = self.side_to_move;
        for square in self.transient().iter() {
            let flags = self.flags(square) & !game.transient;
            self.change(game, square, self.code(square), flags);
        }
        let (code, flags) = (self.code(m.from), self.flags(m.from) & !UNMOVED);
        let base = game.program(code, m.from).base as usize;
        let info = game.moves[base + usize::from(m.index)];
        let mut progress = info.irreversible;
        if m.from != m.to {
            progress |= self.code(m.to) != Code::EMPTY;
            self.change(game, m.from, Code::EMPTY, 0);
        }
        self.change(game, m.to, code, flags);
        for act in &game.acts[info.acts.0 as usize..info.acts.1 as usize] {
            progress |= self.act(game, *act, mover);
        }
        self.halfmoves = if progress { 0 } else { self.halfmoves + 1 };
        self.fullmoves += u32::from(mover == Color::Black);
        self.side_to_move = mover.other();
    }

    /// Carries out an effect; true if that can not be taken back in play.
    fn act(&mut self, game: &Game, act: Act, mover: Color) -> bool {
        match act {
            Act::Put(piece, square) => {
                let code = piece.map_or(Code::EMPTY, |piece| Code::new(mover, usize::from(piece)));
                self.change(game, square, code, 0);
                true
            }
            Act::Shift(from, to) => {
                let (code, flags) = (self.code(from), self.flags(from) & !UNMOVED);
                let captures = self.code(to) != Code::EMPTY;
                self.change(game, from, Code::EMPTY, 0);
                self.change(game, to, code, flags);
                captures
            }
            Act::Set(square, flag) => {
                if self.code(square) != Code::EMPTY {
                    let flags = self.flags(square) | flag;
                    self.change(game, square, self.code(square), flags);
                }
                flag & game.transient == 0
            }
            Act::Clear(square, flag) => {
                let flags = self.flags(square) & !flag;
                self.change(game, square, self.code(square), flags);
                flag & game.transient == 0
            }
        }
    }
}
