//! Moves in the notation of files, with absolute squares. Unlike coordinates alone it keeps moves
//! apart that do not do the same.

use super::{MoveTextError, Position};
use crate::board::{Move, Square};
use crate::instance::Act;

impl Position {
    /// A legal move in the notation of files: its squares, and its effects from left to right.
    /// Rows and columns count from 0 on White's side. Castling of White is `($0 $4) -> ($0 $6)`
    /// with `($0 $7) -> ($0 $5)`; a drop begins with `hand` and the name of the piece instead of a
    /// square.
    pub fn explicit(&self, m: Move) -> (String, String) {
        let game = self.game();
        let square = |at: Square| format!("(${} ${})", at / game.columns, at % game.columns);
        let flag = |mask: u8| {
            let flag = game.flags.get(mask.trailing_zeros() as usize);
            flag.map_or("", |flag| flag.name.as_str())
        };
        let effects = self.acts(m).filter_map(|act| {
            Some(match act {
                Act::NoMate => return None,
                Act::Put(None, to) => format!(". -> {}", square(to)),
                Act::Put(Some(kind), to) => format!("{} -> {}", game.piece_name(kind), square(to)),
                Act::Shift(from, to) => format!("{} -> {}", square(from), square(to)),
                Act::Set(to, mask) => format!("+{} -> {}", flag(mask), square(to)),
                Act::Gate(kind, to) => format!("hand {} -> {}", game.piece_name(kind), square(to)),
                Act::Clear(to, mask) => format!("-{} -> {}", flag(mask), square(to)),
            })
        });
        let effects: Vec<String> = effects.collect();
        let from = match m.dropped() {
            None => square(m.from),
            Some(kind) => format!("hand {}", game.piece_name(kind)),
        };
        (format!("{from} -> {}", square(m.to)), effects.join(" "))
    }

    /// The effects of a move.
    fn acts(&self, m: Move) -> impl Iterator<Item = Act> {
        let game = self.game();
        let info = game.effects(self.state.moving(m), m);
        info.map_or(&[][..], |info| game.acts(info)).iter().copied()
    }

    /// The legal move that [`explicit`](Self::explicit) writes like this, the first of those that
    /// do the same. Blanks between words do not matter; the `$` may be left out, and so may effects
    /// from a square to itself.
    ///
    /// # Errors
    /// If no legal move is written so, or if several are that do not do the same: a piece may be
    /// called `+p`, and a flag `p`.
    pub fn parse_explicit(&self, squares: &str, effects: &str) -> Result<Move, MoveTextError> {
        let wanted = (words(squares), changing(words(effects)));
        let is_wanted = |&m: &Move| {
            let (squares, effects) = self.explicit(m);
            (words(&squares), words(&effects)) == wanted
        };
        let moves: Vec<Move> = self.legal_moves().into_iter().filter(is_wanted).collect();
        let changes = |m: Move| self.acts(m).filter(|act| *act != Act::NoMate);
        match moves.as_slice() {
            [] => Err(MoveTextError::Illegal(whole(squares, effects))),
            &[first, ref others @ ..] if others.iter().all(|&m| changes(m).eq(changes(first))) => {
                Ok(first)
            }
            _ => Err(MoveTextError::Ambiguous {
                text: whole(squares, effects),
                moves: moves.iter().map(|&m| self.text(m)).collect(),
            }),
        }
    }
}

/// The words of a text, however they are spaced.
fn words(text: &str) -> Vec<String> {
    let spaced = text.replace('$', " ").replace("->", " -> ").replace('(', " ( ");
    spaced.replace(')', " ) ").split_whitespace().map(str::to_owned).collect()
}

/// The words of effects without those from a square to itself, which change nothing.
fn changing(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        kept.push(word);
        if let [.., a, b, c, d, arrow, e, f, g, h] = kept.as_slice()
            && arrow == "->"
            && d == ")"
            && [a, b, c, d] == [e, f, g, h]
        {
            kept.truncate(kept.len() - 9);
        }
    }
    kept
}

fn whole(squares: &str, effects: &str) -> String {
    if effects.is_empty() { squares.to_owned() } else { format!("{squares}, {effects}") }
}
