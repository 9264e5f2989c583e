//! The lines of the edit mode.

use tamarin_movegen::{File, PieceKind, Rank, Square};

/// A line between `edit` and `.`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditCommand {
    /// `#`: the board is cleared.
    Clear,
    /// `c`: the pieces that follow belong to the other side.
    OtherColor,
    /// `Pa4`: a piece of the color in force.
    Put(PieceKind, Square),
    /// `xa4`: the square is emptied.
    Remove(Square),
    /// `.`: the end of the edit mode.
    Done,
}

/// The line does not belong to the edit mode. The board stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a line of the edit mode")]
pub struct EditError;

impl EditCommand {
    /// Reads a line; white space around it does not count.
    ///
    /// # Errors
    /// If it is not one of the five.
    pub fn parse(line: &str) -> Result<Self, EditError> {
        let text = line.trim();
        match text {
            "#" => return Ok(Self::Clear),
            "c" => return Ok(Self::OtherColor),
            "." => return Ok(Self::Done),
            _ => {}
        }
        put_or_remove(text).ok_or(EditError)
    }
}

fn put_or_remove(text: &str) -> Option<EditCommand> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    let square = Square::new(File::from_char(letters.next()?)?, Rank::from_char(letters.next()?)?);
    if letters.next().is_some() {
        return None;
    }
    if matches!(letter, 'x' | 'X') {
        return Some(EditCommand::Remove(square));
    }
    Some(EditCommand::Put(PieceKind::from_char(letter)?, square))
}

#[cfg(test)]
mod tests {
    use super::EditCommand;
    use tamarin_movegen::{PieceKind, Square};

    #[test]
    fn the_five_lines_are_read_and_nothing_else() {
        assert_eq!(EditCommand::parse("#\r"), Ok(EditCommand::Clear));
        assert_eq!(EditCommand::parse(" c "), Ok(EditCommand::OtherColor));
        assert_eq!(EditCommand::parse("."), Ok(EditCommand::Done));
        let put = EditCommand::Put(PieceKind::Pawn, Square::A4);
        assert_eq!(EditCommand::parse("Pa4"), Ok(put));
        assert_eq!(EditCommand::parse("xh8"), Ok(EditCommand::Remove(Square::H8)));
        for text in ["", "Pa", "Pa9", "Zi4", "Pa44", "quit", "Za4", "♙a4"] {
            assert!(EditCommand::parse(text).is_err(), "{text:?}");
        }
    }
}
