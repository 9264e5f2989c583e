//! Cuts the text of a game behind its tags into words. No byte is lost.
//!
//! What is a move, a number or nothing is what `pgn-reader` takes it for, which reads openings for
//! books, but behind a letter such as `½`: a fuzz target compares both.

use std::io;

use pgn_reader::SanPlus;

use super::game::decoded;
use super::words::{Gap, Token, Word};

/// Why a text is no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// It breaks off in a comment.
    OpenComment,
    /// A line between the moves begins as a tag does, such as of another game.
    TagBetweenMoves,
}

impl From<Malformed> for io::Error {
    fn from(malformed: Malformed) -> Self {
        let text = match malformed {
            Malformed::OpenComment => "unterminated comment",
            Malformed::TagBetweenMoves => "a tag between moves",
        };
        Self::new(io::ErrorKind::InvalidData, text)
    }
}

/// A word, and of a move its text in a form that any reader of moves takes.
pub struct Found {
    /// The word.
    pub word: Word,
    /// The move without what is superfluous.
    pub san: Option<String>,
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
    pub fn next(&mut self) -> Result<Option<Found>, Malformed> {
        let begin = self.at;
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        let Some(byte) = self.peek() else { return Ok(None) };
        let space = decoded(&self.text[begin..self.at]);
        // What is put before the first word must not touch it.
        let gap = if begin == self.begin { Gap::BLANK } else { Gap::of(&space) };
        let begins_line = self.text[..self.at].last().is_none_or(|byte| *byte == b'\n');
        if byte == b'[' && begins_line && self.at > 0 {
            return Err(Malformed::TagBetweenMoves);
        }
        let word = self.at;
        let mut san = None;
        let token = match byte {
            b'%' if begins_line => {
                self.until(|byte| byte == b'\n');
                Token::Escape(self.since(word + 1).trim_end().to_owned())
            }
            b'{' => {
                self.until(|byte| byte == b'}');
                if self.peek().is_none() {
                    return Err(Malformed::OpenComment);
                }
                let text = self.since(word + 1);
                self.at += 1;
                Token::Comment(text)
            }
            b';' => {
                self.until(|byte| byte == b'\n');
                Token::LineComment(self.since(word + 1).trim_end_matches('\r').to_owned())
            }
            b'(' => self.single(Token::Open),
            b')' => self.single(Token::Close),
            b'!' | b'?' => self.mark(),
            b'$' => self.glyph(),
            b'*' => self.single(Token::Result("*".to_owned())),
            b'0'..=b'9' | 0xbd | 0xc2 => self.number(&mut san),
            b'.' => {
                self.until(|byte| byte != b'.');
                Token::Number(self.since(word))
            }
            _ => self.san(&mut san),
        };
        let token = match token {
            // Control characters, which became blanks, do not divide it.
            Token::Other(text) => Token::Other(text.replace(' ', "\u{fffd}")),
            token => token,
        };
        Ok(Some(Found { word: Word { gap, token }, san }))
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn since(&self, begin: usize) -> String {
        decoded_part(&self.text[begin..self.at])
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

    fn single(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    /// `!`, `!?` and their like.
    fn mark(&mut self) -> Token {
        let begin = self.at;
        let marks: [(&[u8], u8); 6] =
            [(b"!!", 3), (b"!?", 5), (b"??", 4), (b"?!", 6), (b"!", 1), (b"?", 2)];
        let code = marks.iter().find(|(text, _)| self.eat(text)).map_or(0, |(_, code)| *code);
        Token::Glyph { code, text: self.since(begin) }
    }

    fn glyph(&mut self) -> Token {
        let begin = self.at;
        self.at += 1;
        self.until(is_token_end);
        let text = self.since(begin);
        let is_number = text.len() > 1 && text[1..].bytes().all(|byte| byte.is_ascii_digit());
        match text[1..].parse() {
            Ok(code) if is_number => Token::Glyph { code, text },
            _ => Token::Other(text),
        }
    }

    /// A move number, a result, or castling with zeros.
    fn number(&mut self, san: &mut Option<String>) -> Token {
        let begin = self.at;
        let first = self.text[self.at];
        self.at += 1;
        let half = "\u{bd}".as_bytes();
        let is_result = match first {
            b'0' if self.eat_dash() => {
                if self.eat(b"0") {
                    let is_long = self.eat_dash() && self.eat(b"0");
                    let _ = self.eat(b"+") || self.eat(b"#");
                    *san = Some(if is_long { "O-O-O" } else { "O-O" }.to_owned());
                    return Token::San(self.since(begin));
                }
                self.eat(b"1")
            }
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
                return Token::Number(self.since(begin));
            }
        };
        // A letter, such as the half of a result or a blank that does not break, and what is glued to
        // it. As a word of its own the rest could be a move, which in Latin-1 it would not be.
        if matches!(first, 0xbd | 0xc2) && !is_result {
            self.until(is_token_end);
        }
        let text = self.since(begin);
        if is_result { Token::Result(text) } else { Token::Other(text) }
    }

    fn san(&mut self, san: &mut Option<String>) -> Token {
        let begin = self.at;
        if let Ok((found, length)) = SanPlus::from_ascii_prefix(&self.text[begin..]) {
            self.at += length;
            if self.peek().is_none_or(is_token_end) {
                *san = Some(found.to_string());
                return Token::San(self.since(begin));
            }
        } else {
            self.at += 1;
        }
        // Whole: moves of variants begin like moves of chess, as `Rb10` does.
        self.until(is_token_end);
        Token::Other(self.since(begin))
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

/// A part of a text, in which a byte order mark is a letter like others.
fn decoded_part(bytes: &[u8]) -> String {
    let mark = "\u{feff}";
    let begin = if bytes.starts_with(mark.as_bytes()) { mark } else { "" };
    format!("{begin}{}", decoded(bytes))
}
