//! Reading and writing Forsyth-Edwards notation in its standard, X-FEN and Shredder-FEN forms.

mod error;
mod write;

pub use error::{FenError, FenProblem};
pub use write::CastlingStyle;

use core::str::FromStr;

use crate::castling::CastlingSide;
use crate::text::clip;
use crate::{Color, FenField, File, PerSquare, Piece, Position, Rank, Repair, Setup, Square};

impl Setup {
    /// Reads a FEN and repairs it as [`Setup::repair`] does. [`Position::from_fen`] describes the
    /// format.
    ///
    /// # Errors
    /// If the text is malformed. What is well-formed but no position of a game is left for
    /// [`Position::from_setup`] to refuse.
    ///
    /// ```
    /// use tamarin_movegen::{FenField, Repair, Setup};
    /// let (setup, repairs) = Setup::parse("4k3/8/8/8/8/8/8/4K2R w K - 3")?;
    /// assert_eq!((setup.halfmove_clock, setup.fullmove_number), (3, 1));
    /// assert_eq!(repairs, [Repair::MissingField(FenField::FullmoveNumber)]);
    /// # Ok::<(), tamarin_movegen::FenError>(())
    /// ```
    pub fn parse(fen: &str) -> Result<(Self, Vec<Repair>), FenError> {
        let (mut setup, mut repairs) = read(fen)?;
        repairs.extend(setup.repair());
        Ok((setup, repairs))
    }
}

impl Position {
    /// Reads a FEN, standard, X-FEN or Shredder-FEN.
    ///
    /// Fields are separated by white space. Piece placement and side to move must be there;
    /// castling rights and the en passant square default to `-`, the counters to `0` and `1`.
    /// A letter `K` or `Q` means the rook farthest out on that side of the king wherever the king
    /// is on its home rank (X-FEN), a letter `A` to `H` the rook on that file (Shredder-FEN).
    /// Castling rights without king or rook in place, en passant squares without a legal capture
    /// and counters out of range are silently repaired; [`Setup::parse`] reports which.
    ///
    /// # Errors
    /// If the text is malformed or [`Position::from_setup`] refuses what it says.
    ///
    /// ```
    /// use tamarin_movegen::{Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/Pp6/8/8/4K3 b - a3")?;
    /// assert_eq!(position.en_passant(), Some(Square::A3));
    /// assert_eq!(position.to_string(), "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1");
    /// assert!(Position::from_fen("4k3/8/8/8/Pp6/8/8/8 b - a3").is_err());
    /// # Ok::<(), tamarin_movegen::FenError>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let (setup, _) = Setup::parse(fen)?;
        Ok(Self::from_setup(&setup)?)
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// [`Position::from_fen`].
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

/// A field of a FEN and where it starts.
#[derive(Clone, Copy)]
struct Field<'a> {
    name: FenField,
    text: &'a str,
    column: usize,
}

impl Field<'_> {
    /// The error that `text`, `offset` characters into the field, suffers from `problem`.
    fn malformed(&self, offset: usize, text: &str, problem: FenProblem) -> FenError {
        let column = self.column + offset;
        FenError::Malformed { field: self.name, column, text: clip(text), problem }
    }

    fn malformed_letter(&self, offset: usize, letter: char, problem: FenProblem) -> FenError {
        self.malformed(offset, letter.encode_utf8(&mut [0; 4]), problem)
    }
}

/// What is left of a FEN.
struct Fields<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Fields<'a> {
    fn skip_spaces(&mut self) {
        let trimmed = self.rest.trim_start();
        self.column += self.rest[..self.rest.len() - trimmed.len()].chars().count();
        self.rest = trimmed;
    }

    fn next(&mut self, name: FenField) -> Option<Field<'a>> {
        self.skip_spaces();
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        if text.is_empty() {
            return None;
        }
        let field = Field { name, text, column: self.column };
        self.column += text.chars().count();
        self.rest = rest;
        Some(field)
    }

    fn required(&mut self, name: FenField) -> Result<Field<'a>, FenError> {
        self.next(name).ok_or(FenError::Missing { field: name, column: self.column })
    }

    /// The next field, or a note that it is missing.
    fn optional(&mut self, name: FenField, repairs: &mut Vec<Repair>) -> Option<Field<'a>> {
        let field = self.next(name);
        if field.is_none() {
            repairs.push(Repair::MissingField(name));
        }
        field
    }
}

/// Reads a FEN as it stands, but for castling letters that name no rook and negative counters.
fn read(fen: &str) -> Result<(Setup, Vec<Repair>), FenError> {
    let mut fields = Fields { rest: fen, column: 1 };
    let mut repairs = Vec::new();
    let mut setup = Setup::empty();
    setup.pieces = read_placement(fields.required(FenField::Placement)?)?;
    setup.side_to_move = read_side(fields.required(FenField::SideToMove)?)?;
    if let Some(field) = fields.optional(FenField::Castling, &mut repairs) {
        read_castling(field, &mut setup, &mut repairs)?;
    }
    if let Some(field) = fields.optional(FenField::EnPassant, &mut repairs) {
        setup.en_passant = read_square(field)?;
    }
    if let Some(field) = fields.optional(FenField::HalfmoveClock, &mut repairs) {
        setup.halfmove_clock = read_counter(field, 0, &mut repairs)?;
    }
    if let Some(field) = fields.optional(FenField::FullmoveNumber, &mut repairs) {
        setup.fullmove_number = read_counter(field, 1, &mut repairs)?;
    }
    fields.skip_spaces();
    if !fields.rest.is_empty() {
        let text = clip(fields.rest.trim_end());
        return Err(FenError::TrailingText { column: fields.column, text });
    }
    Ok((setup, repairs))
}

fn read_placement(field: Field<'_>) -> Result<PerSquare<Option<Piece>>, FenError> {
    let mut pieces = PerSquare([None; Square::COUNT]);
    let mut ranks = Rank::ALL.into_iter().rev();
    let mut ranks_read = 0;
    let mut column = 0;
    for text in field.text.split('/') {
        let Some(rank) = ranks.next() else {
            return Err(field.malformed(column, text, FenProblem::TooManyRanks));
        };
        let mut files = 0;
        for (offset, letter) in text.chars().enumerate() {
            let piece = Piece::from_char(letter);
            let width = match (letter, piece) {
                ('1'..='8', _) => letter as usize - '0' as usize,
                (_, Some(_)) => 1,
                _ => {
                    return Err(field.malformed_letter(
                        column + offset,
                        letter,
                        FenProblem::Letter,
                    ));
                }
            };
            if files + width > File::ALL.len() {
                return Err(field.malformed(column, text, FenProblem::RankTooLong(rank)));
            }
            pieces[Square::new(File::ALL[files], rank)] = piece;
            files += width;
        }
        if files < File::ALL.len() {
            return Err(field.malformed(column, text, FenProblem::RankTooShort(rank)));
        }
        column += text.chars().count() + 1;
        ranks_read += 1;
    }
    if ranks.next().is_some() {
        return Err(field.malformed(0, field.text, FenProblem::TooFewRanks(ranks_read)));
    }
    Ok(pieces)
}

fn read_side(field: Field<'_>) -> Result<Color, FenError> {
    field.text.parse().map_err(|_| field.malformed(0, field.text, FenProblem::Color))
}

fn read_castling(
    field: Field<'_>,
    setup: &mut Setup,
    repairs: &mut Vec<Repair>,
) -> Result<(), FenError> {
    if field.text == "-" {
        return Ok(());
    }
    let mut dropped = Vec::new();
    for (offset, letter) in field.text.chars().enumerate() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let home = Rank::First.relative_to(color);
        let rook = match (letter, File::from_char(letter)) {
            (_, Some(file)) => Some(Square::new(file, home)),
            ('K' | 'k', _) => setup.outermost_rook(color, CastlingSide::King),
            ('Q' | 'q', _) => setup.outermost_rook(color, CastlingSide::Queen),
            _ => return Err(field.malformed_letter(offset, letter, FenProblem::Castling)),
        };
        let rook = rook.filter(|&rook| setup.may_castle(rook));
        if rook.is_some_and(|rook| setup.castling.has(rook)) || dropped.contains(&letter) {
            return Err(field.malformed_letter(offset, letter, FenProblem::CastlingRepeated));
        }
        match rook {
            Some(rook) => setup.castling = setup.castling.with(rook),
            None => dropped.push(letter),
        }
    }
    repairs.extend(dropped.into_iter().map(Repair::CastlingLetter));
    Ok(())
}

fn read_square(field: Field<'_>) -> Result<Option<Square>, FenError> {
    if field.text == "-" {
        return Ok(None);
    }
    match field.text.parse() {
        Ok(square) => Ok(Some(square)),
        Err(_) => Err(field.malformed(0, field.text, FenProblem::Square)),
    }
}

/// A whole number; a negative one becomes `least`, one too large for 32 bits the largest.
fn read_counter(field: Field<'_>, least: u32, repairs: &mut Vec<Repair>) -> Result<u32, FenError> {
    let (negative, digits) = match field.text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, field.text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(field.malformed(0, field.text, FenProblem::Number));
    }
    if negative && digits.bytes().any(|digit| digit != b'0') {
        repairs.push(Repair::Counter { field: field.name, used: least });
        return Ok(least);
    }
    // Nothing but digits: only the size can be wrong.
    Ok(digits.parse().unwrap_or(u32::MAX))
}
