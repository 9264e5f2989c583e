//! The words of a game behind its tags.

/// What stands between a word and the one before it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Gap(Option<Box<str>>);

impl Gap {
    /// A blank or a line break, which mean the same.
    pub const BLANK: Self = Self(None);

    /// Nothing.
    pub fn none() -> Self {
        Self(Some("".into()))
    }

    /// The gap of this white space: one with a line break is a blank.
    pub fn of(space: &str) -> Self {
        match space {
            " " => Self::BLANK,
            _ if space.contains(['\n', '\r']) => Self::BLANK,
            _ => Self(Some(space.into())),
        }
    }

    /// The white space, unless it may be a line break.
    pub fn fixed(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// What a word is, with its text as it stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A move number or a part of one: `12.`, `...`.
    Number(String),
    /// A move in SAN that was not checked, such as one of a variation.
    San(String),
    /// A numeric annotation glyph, such as `$4` or `??`.
    Glyph {
        /// Its number.
        code: u8,
        /// Its text.
        text: String,
    },
    /// A comment, without its braces.
    Comment(String),
    /// A comment that ends with its line, without its semicolon.
    LineComment(String),
    /// A line that begins with `%`, which it is without: for other programs, no part of the game.
    Escape(String),
    /// A variation begins.
    Open,
    /// A variation ends.
    Close,
    /// A termination marker.
    Result(String),
    /// Something that means nothing, or a move in another notation than SAN.
    Other(String),
}

impl Token {
    /// The text of a comment of either kind.
    pub fn comment(&self) -> Option<&str> {
        match self {
            Self::Comment(text) | Self::LineComment(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a move of chess, in any notation and without an assessment glued to it. Whether
    /// it can be read and is legal is not known.
    pub fn move_text(&self) -> Option<&str> {
        match self {
            Self::San(text) => Some(text),
            Self::Other(text) => {
                let text = text.trim_matches(is_typesetting);
                looks_like_move(text).then(|| without_assessment(text))
            }
            _ => None,
        }
    }

    /// The text of a move of a variant, without a move number before it and glyphs behind it: there
    /// are some that chess would take for something else.
    pub fn move_text_of_variant(&self) -> Option<&str> {
        let (Self::San(text) | Self::Other(text)) = self else { return None };
        let is_castling = text.starts_with("0-0");
        let is_number = |c: char| !is_castling && (c.is_ascii_digit() || c == '.');
        let plain = text.trim_start_matches(is_number).trim_end_matches(['!', '?']);
        Some(plain).filter(|plain| is_castling || plain.contains(char::is_alphabetic))
    }
}

/// What typesetting puts between a number and its move: blanks that do not break or have no width,
/// and an ellipsis.
fn is_typesetting(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{200b}' | '\u{2026}' | '\u{feff}')
}

/// Returns `true` if a word that is no SAN can be nothing but a move, written in another manner
/// (`e2-e4`, `Qxf7++`, `o-o`, `Nf3+-`) or language (`Sf3`). Without it all moves behind it would be
/// lost.
fn looks_like_move(word: &str) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let has_square = word.as_bytes().windows(2).any(is_square);
    let begin: Vec<char> = word.chars().take(3).collect();
    // Also Cyrillic letters that look the same.
    let is_o = |letter: char| matches!(letter, 'o' | 'O' | '\u{41e}' | '\u{43e}');
    let is_dash = |sign: char| matches!(sign, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    let is_castling = matches!(begin[..], [a, b, c] if is_o(a) && is_dash(b) && is_o(c));
    let figurines = '\u{2654}'..='\u{265f}';
    // Not letters of Windows-1252, which may be signs of another code page.
    let begins = |letter: char| {
        letter.is_ascii_alphabetic()
            || (letter > '\u{2ff}' && letter.is_alphabetic())
            || figurines.contains(&letter)
    };
    is_castling || (has_square && word.starts_with(begins)) || is_move_to_nowhere(word)
}

/// Returns `true` if a word is a move of a piece, or a capture, but for a square that the board has
/// not: `Qxh9`, `Ni4`.
fn is_move_to_nowhere(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']).as_bytes();
    let Some((origin, [b'a'..=b'z', b'0'..=b'9'])) = word.split_last_chunk::<2>() else {
        return false;
    };
    let is_sign = |byte: &u8| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x');
    match origin {
        [b'K' | b'Q' | b'R' | b'B' | b'N', rest @ ..] => {
            rest.len() <= 3 && rest.iter().all(is_sign)
        }
        _ => matches!(origin, [b'a'..=b'h', b'x']),
    }
}

/// The assessments of a position, and words for a check, that are written behind a move without a
/// blank, the longer first: some programs write signs of the Chess Informant instead of glyphs such
/// as `$18`.
const ASSESSMENTS: [&str; 15] = [
    "dblch",
    "ch",
    "+/-",
    "-/+",
    "+/=",
    "=/+",
    "+-",
    "-+",
    "+\u{2212}",
    "\u{2212}+",
    "+\u{2013}",
    "\u{2013}+",
    "+=",
    "=+",
    "=",
];

/// The signs of the Chess Informant, and daggers for checks.
const SIGNS: &str = "\u{b1}\u{2213}\u{2a72}\u{2a71}\u{221e}\u{25a1}\u{2a00}\u{2192}\u{2191}\u{21c6}\u{21c4}\
                     \u{2295}\u{2313}\u{2206}\u{394}\u{27f3}\u{2020}\u{2021}";

/// A move without the assessment and the comma behind it.
fn without_assessment(word: &str) -> &str {
    let word = word.strip_suffix(',').unwrap_or(word);
    let word = word.trim_end_matches(|letter| SIGNS.contains(letter));
    ASSESSMENTS.iter().find_map(|mark| word.strip_suffix(*mark)).unwrap_or(word)
}

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// What is before it.
    pub gap: Gap,
    /// What it is.
    pub token: Token,
}

impl Word {
    /// A word behind a blank.
    pub const fn new(token: Token) -> Self {
        Self { gap: Gap::BLANK, token }
    }

    /// A comment with blanks inside its braces. Braces in the text become parentheses.
    pub fn comment(text: &str) -> Self {
        let text = text.replace('{', "(").replace('}', ")");
        Self::new(Token::Comment(format!(" {text} ")))
    }

    /// A glyph by its number.
    pub fn glyph(code: u8) -> Self {
        Self::new(Token::Glyph { code, text: format!("${code}") })
    }
}

/// The words outside of variations, with their indices.
pub fn outside(words: &[Word]) -> impl Iterator<Item = (usize, &Word)> {
    let mut depth = 0_usize;
    words.iter().enumerate().filter(move |(_, word)| {
        let is_outside = depth == 0;
        match word.token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outside && word.token != Token::Open
    })
}

/// Where the variations are that are not inside another: from the parenthesis that opens one to
/// behind that which closes it.
pub fn variations(words: &[Word]) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for (index, word) in words.iter().enumerate() {
        match word.token {
            Token::Open => {
                if depth == 0 {
                    begin = index;
                }
                depth += 1;
            }
            Token::Close if depth == 1 => {
                depth = 0;
                found.push(begin..index + 1);
            }
            Token::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}
