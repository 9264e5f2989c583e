//! Offending text made safe to print inside a message.

use core::fmt;

/// A short, quotable piece of what the client sent: at most [`Excerpt::LIMIT`] characters are
/// kept, and printing escapes quotes and control characters, so that a message stays one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt(String);

impl Excerpt {
    /// How many characters of the text are kept. Enough for a FEN.
    pub const LIMIT: usize = 100;

    /// The text kept, unescaped.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Excerpt {
    fn from(text: &str) -> Self {
        match text.char_indices().nth(Self::LIMIT) {
            None => Self(text.to_owned()),
            Some((end, _)) => Self(format!("{}...", &text[..end])),
        }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn cuts_on_a_character_and_escapes() {
        assert_eq!(Excerpt::from("a\"b\nc\0").to_string(), r#""a\"b\nc\0""#);
        let long = "é".repeat(Excerpt::LIMIT + 1);
        let excerpt = Excerpt::from(long.as_str());
        assert_eq!(excerpt.as_str().chars().count(), Excerpt::LIMIT + 3);
        assert!(excerpt.as_str().ends_with("é..."));
        let exact = "é".repeat(Excerpt::LIMIT);
        assert_eq!(Excerpt::from(exact.as_str()).as_str(), exact);
    }
}
