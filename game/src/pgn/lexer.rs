//! Cuts the text of a game behind its tags into words. No byte is lost.

use std::ops::Range;

use super::game::{decoded, is_null_move};
use super::read::Rejected;
use super::words::{Gap, Token, Word};

/// What a word is; its text is that of the [`Token`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Number,
    San,
    Glyph(u8),
    Comment,
    LineComment,
    Escape,
    Open,
    Close,
    Result,
    Other,
}

/// A word, as ranges of the text.
pub struct Lexeme {
    pub kind: Kind,
    /// The white space before it.
    gap: Range<usize>,
    /// Without the signs around a comment.
    text: Range<usize>,
}

/// The words of a text, one after the other.
pub struct Lexer<'a> {
    text: &'a [u8],
    begin: usize,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// The words of a text from this byte on.
    pub const fn new(text: &'a [u8], begin: usize) -> Self {
        Self { text, begin, at: begin }
    }

    /// The next word; `None` at the end.
    ///
    /// # Errors
    /// If a comment has no end, or a line begins with a bracket.
    pub fn next(&mut self) -> Result<Option<Lexeme>, Rejected> {
        let begin = self.at;
        self.until(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let Some(byte) = self.peek() else { return Ok(None) };
        let gap = begin..self.at;
        let begins_line = self.text[..self.at].last().is_none_or(|byte| *byte == b'\n');
        if byte == b'[' && begins_line && self.at > 0 {
            return Err(Rejected::Malformed("a tag between moves"));
        }
        let word = self.at;
        let kind = match byte {
            b'%' if begins_line => {
                self.until(|byte| byte == b'\n');
                let text = word + 1..self.at;
                return Ok(Some(Lexeme { kind: Kind::Escape, gap, text }));
            }
            b';' => {
                self.until(|byte| byte == b'\n');
                let text = word + 1..self.at;
                return Ok(Some(Lexeme { kind: Kind::LineComment, gap, text }));
            }
            b'{' => {
                self.until(|byte| byte == b'}');
                if self.peek().is_none() {
                    return Err(Rejected::Malformed("unterminated comment"));
                }
                self.at += 1;
                let text = word + 1..self.at - 1;
                return Ok(Some(Lexeme { kind: Kind::Comment, gap, text }));
            }
            b'(' => self.single(Kind::Open),
            b')' => self.single(Kind::Close),
            b'*' => self.single(Kind::Result),
            b'!' | b'?' => self.mark(),
            b'$' => self.glyph(),
            b'0'..=b'9' | 0xbd | 0xc2 => self.number(),
            b'.' => {
                self.until(|byte| byte != b'.');
                Kind::Number
            }
            _ => self.san(),
        };
        Ok(Some(Lexeme { kind, gap, text: word..self.at }))
    }

    /// The text of a word.
    pub fn text(&self, lexeme: &Lexeme) -> String {
        let text = decoded_part(&self.text[lexeme.text.clone()]);
        match lexeme.kind {
            Kind::Escape => text.trim_end().to_owned(),
            Kind::LineComment => text.trim_end_matches('\r').to_owned(),
            // Control characters, which became blanks, do not divide it.
            Kind::Other => text.replace(' ', "\u{fffd}"),
            _ => text,
        }
    }

    /// The word with its text and what stands before it.
    pub fn word(&self, lexeme: &Lexeme) -> Word {
        // What is put before the first word must not touch it.
        let gap = match lexeme.gap.start == self.begin {
            true => Gap::BLANK,
            false => Gap::of(&decoded(&self.text[lexeme.gap.clone()])),
        };
        let text = self.text(lexeme);
        let token = match lexeme.kind {
            Kind::Number => Token::Number(text),
            Kind::San => Token::San(text),
            Kind::Glyph(code) => Token::Glyph { code, text },
            Kind::Comment => Token::Comment(text),
            Kind::LineComment => Token::LineComment(text),
            Kind::Escape => Token::Escape(text),
            Kind::Open => Token::Open,
            Kind::Close => Token::Close,
            Kind::Result => Token::Result(text),
            Kind::Other => Token::Other(text),
        };
        Word { gap, token }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn until(&mut self, ends: impl Fn(u8) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|byte| ends(*byte)).unwrap_or(rest.len());
    }

    fn eat(&mut self, bytes: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(bytes);
        self.at += if found { bytes.len() } else { 0 };
        found
    }

    /// A hyphen or a dash, also in Windows-1252.
    fn eat_dash(&mut self) -> bool {
        let dashes = [&b"-"[..], "\u{2013}".as_bytes(), "\u{2014}".as_bytes(), b"\x96", b"\x97"];
        dashes.iter().any(|dash| self.eat(dash))
    }

    const fn single(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        kind
    }

    /// `!`, `!?` and their like.
    fn mark(&mut self) -> Kind {
        let marks: [(&[u8], u8); 6] =
            [(b"!!", 3), (b"!?", 5), (b"??", 4), (b"?!", 6), (b"!", 1), (b"?", 2)];
        Kind::Glyph(marks.iter().find(|(text, _)| self.eat(text)).map_or(0, |(_, code)| *code))
    }

    fn glyph(&mut self) -> Kind {
        self.at += 1;
        let begin = self.at;
        self.until(|byte| !byte.is_ascii_digit());
        let digits = &self.text[begin..self.at];
        if digits.is_empty() {
            self.until(is_token_end);
        }
        let number = std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
        number.map_or(Kind::Other, Kind::Glyph)
    }

    /// A move number, a result, or castling with zeros.
    fn number(&mut self) -> Kind {
        let first = self.text[self.at];
        self.at += 1;
        let half = "\u{bd}".as_bytes();
        let is_result = match first {
            b'0' if self.eat_dash() => {
                if self.eat(b"0") {
                    let _ = self.eat_dash() && self.eat(b"0");
                    let _ = self.eat(b"+") || self.eat(b"#");
                    return Kind::San;
                }
                self.eat(b"1")
            }
            b'0' if self.eat(b"000") => return Kind::San,
            b'0' => false,
            b'1' if self.eat_dash() => self.eat(b"0"),
            b'1' if self.eat(b"/2") => self.eat_dash() && self.eat(b"1/2"),
            // A half in Windows-1252.
            0xbd => self.eat_dash() && self.eat(b"\xbd") && self.peek().is_none_or(is_token_end),
            0xc2 => {
                self.eat(&half[1..])
                    && self.eat_dash()
                    && self.eat(half)
                    && self.peek().is_none_or(is_token_end)
            }
            _ => {
                self.until(|byte| !byte.is_ascii_digit());
                self.until(|byte| byte != b'.');
                return Kind::Number;
            }
        };
        // A letter, such as the half of a result or a blank that does not break, and what is glued to
        // it. As a word of its own the rest could be a move, which in Latin-1 it would not be.
        if matches!(first, 0xbd | 0xc2) && !is_result {
            self.until(is_token_end);
        }
        if is_result { Kind::Result } else { Kind::Other }
    }

    fn san(&mut self) -> Kind {
        let begin = self.at;
        self.at += 1;
        // Whole: moves of variants begin like moves of chess, as `Rb10` does.
        self.until(is_token_end);
        let word = &self.text[begin..self.at];
        // A promotion as `e8(Q)`.
        let is_promotion = word.ends_with(b"1") || word.ends_with(b"8");
        if is_promotion
            && matches!(self.text[self.at..], [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..])
        {
            self.at += 3;
            return Kind::Other;
        }
        if is_san(word) {
            return Kind::San;
        }
        // A move with `e.p.` glued to it.
        if word.ends_with(b"e") && word.len() > 2 && self.eat(b".p") {
            let _ = self.eat(b".");
        }
        Kind::Other
    }
}

const fn is_token_end(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b'\r'
            | b'{'
            | b'}'
            | b'('
            | b')'
            | b'!'
            | b'?'
            | b'$'
            | b';'
            | b'.'
            | b'*'
    )
}

/// Returns `true` if a word has the form of a move in SAN, a drop such as `N@f3` or a null move.
pub(super) fn is_san(word: &[u8]) -> bool {
    if std::str::from_utf8(word).is_ok_and(is_null_move) {
        return true;
    }
    let word = word.strip_suffix(b"+").or_else(|| word.strip_suffix(b"#")).unwrap_or(word);
    let is_file = |byte: &u8| (b'a'..=b'h').contains(byte);
    let is_rank = |byte: &u8| (b'1'..=b'8').contains(byte);
    let is_square = |word: &[u8]| matches!(word, [a, b] if is_file(a) && is_rank(b));
    let plain = match word {
        b"O-O" | b"O-O-O" => return true,
        [b'P' | b'N' | b'B' | b'R' | b'Q' | b'K', rest @ ..] => rest,
        _ => word,
    };
    if let [b'@', rest @ ..] = plain {
        return is_square(rest);
    }
    let plain = match plain {
        [rest @ .., b'=', piece] if b"PNBRQKpnbrqk".contains(piece) => rest,
        _ => plain,
    };
    let Some((origin, target)) = plain.split_last_chunk::<2>().map(|(a, b)| (a, &b[..])) else {
        return false;
    };
    let is_origin = match origin.strip_suffix(b"x").unwrap_or(origin) {
        [] => true,
        [one] => is_file(one) || is_rank(one),
        two => is_square(two),
    };
    is_square(target) && is_origin
}

/// A part of a text, in which a byte order mark is a letter like others.
fn decoded_part(bytes: &[u8]) -> String {
    let mark = "\u{feff}";
    let begin = if bytes.starts_with(mark.as_bytes()) { mark } else { "" };
    format!("{begin}{}", decoded(bytes))
}
