//! Writing Forsyth-Edwards notation.

use core::fmt;

use crate::castling::CastlingSide;
use crate::{Color, File, Position, Rank, Setup, Square};

/// How castling rights are written.
///
/// ```
/// use tamarin_movegen::{CastlingStyle, Position};
/// let fen = "4k3/8/8/8/8/8/8/1R2K1RR w Gb - 0 1";
/// let position = Position::from_fen(fen)?;
/// // The inner rook needs its letter, the outermost does not.
/// assert_eq!(position.fen(CastlingStyle::Standard), "4k3/8/8/8/8/8/8/1R2K1RR w G - 0 1");
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/1R2K1RR w HB - 0 1")?;
/// assert_eq!(position.fen(CastlingStyle::Standard), "4k3/8/8/8/8/8/8/1R2K1RR w KQ - 0 1");
/// assert_eq!(position.fen(CastlingStyle::Shredder), "4k3/8/8/8/8/8/8/1R2K1RR w HB - 0 1");
/// # Ok::<(), tamarin_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingStyle {
    /// `KQkq`, and X-FEN's file letter for a rook that has another of its color farther out.
    #[default]
    Standard,
    /// Shredder-FEN: always the file letters of the rooks, `HAha` at the start.
    Shredder,
}

impl Setup {
    /// The FEN of this setup. Castling rights of rooks outside the home ranks have no place in it.
    pub fn fen(&self, style: CastlingStyle) -> String {
        let mut fen = String::with_capacity(92);
        self.write_placement(&mut fen);
        fen.push(' ');
        fen.push(self.side_to_move.to_char());
        fen.push(' ');
        self.write_castling(style, &mut fen);
        match self.en_passant {
            Some(square) => fen.push_str(&format!(" {square}")),
            None => fen.push_str(" -"),
        }
        fen.push_str(&format!(" {} {}", self.halfmove_clock, self.fullmove_number));
        fen
    }

    fn write_placement(&self, fen: &mut String) {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.pieces[Square::new(file, rank)] {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(empty, fen);
                        empty = 0;
                        fen.push(piece.to_char());
                    }
                }
            }
            push_empty(empty, fen);
            if rank != Rank::First {
                fen.push('/');
            }
        }
    }

    fn write_castling(&self, style: CastlingStyle, fen: &mut String) {
        let before = fen.len();
        for color in Color::ALL {
            let home = Rank::First.relative_to(color);
            // From the h-file down: the king's side first.
            for file in File::ALL.into_iter().rev() {
                let rook = Square::new(file, home);
                if self.castling.has(rook) {
                    let letter = self.castling_letter(rook, color, style);
                    fen.push(match color {
                        Color::White => letter.to_ascii_uppercase(),
                        Color::Black => letter,
                    });
                }
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
    }

    fn castling_letter(&self, rook: Square, color: Color, style: CastlingStyle) -> char {
        let is_outermost = |side| self.outermost_rook(color, side) == Some(rook);
        match style {
            CastlingStyle::Standard if is_outermost(CastlingSide::King) => 'k',
            CastlingStyle::Standard if is_outermost(CastlingSide::Queen) => 'q',
            _ => rook.file().to_char(),
        }
    }
}

fn push_empty(count: u8, fen: &mut String) {
    if count > 0 {
        fen.push((b'0' + count) as char);
    }
}

impl fmt::Display for Setup {
    /// The FEN in [`CastlingStyle::Standard`]; `{:#}` gives [`CastlingStyle::Shredder`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = if f.alternate() { CastlingStyle::Shredder } else { CastlingStyle::Standard };
        f.write_str(&self.fen(style))
    }
}

impl Position {
    /// The FEN of the position, all six fields; the en passant square only if a legal capture
    /// uses it.
    pub fn fen(&self, style: CastlingStyle) -> String {
        Setup::from(self).fen(style)
    }
}

impl fmt::Display for Position {
    /// The FEN in [`CastlingStyle::Standard`]; `{:#}` gives [`CastlingStyle::Shredder`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Setup::from(self), f)
    }
}
