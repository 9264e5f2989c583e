//! Values with the place where they stand.

use crate::diagnostic::Span;

/// A value and where it stands. Two of them are equal if the values are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    /// The value at a place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

/// A word at a place.
pub type Word = Spanned<String>;

impl Word {
    /// The place of the characters `from..to`; that of the whole word if it is written elsewhere,
    /// in a built-in game.
    pub(crate) fn part(&self, from: usize, to: usize) -> Span {
        let Span { line, column, length } = self.span;
        if self.value.chars().count() != length as usize {
            return self.span;
        }
        Span { line, column: column + from as u32, length: (to - from) as u32 }
    }
}
