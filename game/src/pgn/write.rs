//! Writes games in PGN.

use super::game::Game;
use super::rules::Rules;
use super::words::{Gap, Token, Word};

/// Lines are no longer than this unless a word is, as the standard asks for.
const WIDTH: usize = 80;

/// A game and an empty line. What was read is written as it was but for line breaks: a blank and a
/// break are the same, and lines are at most 80 characters long where words allow.
pub fn write<P: Rules>(game: &Game<P>) -> String {
    let mut out: String = game.tags.iter().map(|tag| format!("{tag}\n")).collect();
    if !game.untagged.is_empty() {
        out.push_str(&format!("{}\n", game.untagged));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let mut movetext = Movetext::default();
    movetext.words(&game.lead);
    for played in &game.moves {
        movetext.put(&played.gap, &played.san);
        movetext.words(&played.words);
    }
    out.push_str(&movetext.finish());
    out.push('\n');
    out
}

/// The words of a game behind its tags, broken into lines.
#[derive(Default)]
struct Movetext {
    text: String,
    column: usize,
    /// In a command of a comment, such as `[%eval 0.35]`, which stays on one line.
    in_command: bool,
    /// Words with nothing between them that could be a line break, not yet placed.
    held: String,
}

impl Movetext {
    /// Appends words as they were read.
    fn words(&mut self, words: &[Word]) {
        for Word { gap, token } in words {
            match token {
                Token::Number(text)
                | Token::San(text)
                | Token::Glyph { text, .. }
                | Token::Result(text)
                | Token::Other(text) => self.put(gap, text),
                Token::Open => self.put(gap, "("),
                Token::Close => self.put(gap, ")"),
                Token::Comment(text) => self.braced(gap, text),
                Token::LineComment(text) => {
                    // Not at the end of its line it would hide what follows.
                    self.put(gap, &format!(";{text}"));
                    self.end_line();
                }
                Token::Escape(text) => {
                    self.place();
                    if self.column > 0 {
                        self.end_line();
                    }
                    self.text.push_str(&format!("%{text}"));
                    self.end_line();
                }
            }
        }
    }

    /// A comment whose blanks are kept.
    fn braced(&mut self, gap: &Gap, text: &str) {
        let (mut gap, mut word) = (gap.clone(), String::from("{"));
        let mut rest = text;
        while let Some(begin) = rest.find(char::is_whitespace) {
            let length = rest[begin..].find(|c: char| !c.is_whitespace());
            let end = length.map_or(rest.len(), |length| begin + length);
            word.push_str(&rest[..begin]);
            self.put(&gap, &word);
            gap = Gap::of(&rest[begin..end]);
            word.clear();
            rest = &rest[end..];
        }
        word.push_str(rest);
        word.push('}');
        self.put(&gap, &word);
    }

    /// Appends a word behind a gap, which may become a line break.
    fn put(&mut self, gap: &Gap, word: &str) {
        match gap.fixed() {
            Some(space) if !self.held.is_empty() => self.held.push_str(space),
            _ => self.place(),
        }
        self.held.push_str(word);
    }

    /// Places the words that are held together, on the next line if they are too long for this one.
    fn place(&mut self) {
        let words = std::mem::take(&mut self.held);
        if words.is_empty() {
            return;
        }
        let width = words.chars().count();
        // These would be an escape or a tag at the beginning of a line.
        let is_special = words.starts_with(['%', '[']);
        let may_begin_line = !is_special && !words.starts_with(';') && !self.in_command;
        if self.column > 0 && self.column + 1 + width > WIDTH && may_begin_line {
            self.text.push('\n');
            self.column = 0;
        }
        if self.column > 0 || is_special {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&words);
        self.column += width;
        self.in_command = match (words.rfind("[%"), words.rfind([']', '}'])) {
            (None, None) => self.in_command,
            // The later one decides; the end of a comment ends a command that was not closed.
            (opened, closed) => opened > closed,
        };
    }

    fn end_line(&mut self) {
        self.place();
        self.text.push('\n');
        self.column = 0;
    }

    /// The lines, the last one with its end.
    fn finish(mut self) -> String {
        self.place();
        if self.column > 0 || self.text.is_empty() {
            self.end_line();
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::GameText;
    use super::super::read;
    use super::super::words::{Token, Word};
    use super::Movetext;

    /// A comment, thirty moves with another one, and a long word.
    fn lines(first: &str, other: Option<&str>) -> String {
        let mut words = vec![Word::comment(first)];
        for _ in 0..30 {
            words.push(Word::new(Token::Number("12.".to_owned())));
            words.push(Word::new(Token::San("Nf3".to_owned())));
            words.extend(other.map(Word::comment));
        }
        words.push(Word::new(Token::Other("x".repeat(200))));
        let mut movetext = Movetext::default();
        movetext.words(&words);
        movetext.finish()
    }

    #[test]
    fn lines_are_short_and_begin_with_nothing_special() {
        let text = lines("", Some("[%eval 0.12] %a ;b {c}"));
        for line in text.lines() {
            assert!(!line.starts_with(['%', '[', ';', ' ']), "{line}");
            assert!(line.len() <= 100 || line.starts_with('x'), "{line}");
        }
        assert_eq!(text.matches("(c)").count(), 30);
        assert_eq!(text.matches("[%eval 0.12]").count(), 30);
    }

    #[test]
    fn a_blank_precedes_a_special_first_word() {
        for text in [" %a 1. e4\n", "1. e4 ;a\n %b [c e5\n", ";a\n [b 1. e4\n"] {
            let game = GameText { bytes: text.into(), ..GameText::default() };
            assert_eq!(super::write(&read(&game).unwrap()), format!("{text}\n"));
        }
    }

    #[test]
    fn lines_are_short_after_a_command_that_goes_on_or_is_not_closed() {
        for comment in ["[%clk 0:10:00]Good", "good[%clk 0:10:00]Good", "[%clk 0:10:00", "x [%"] {
            let text = lines(comment, None);
            let is_short = |line: &str| line.len() <= 80 || line.starts_with('x');
            assert!(text.lines().all(is_short), "{text}");
        }
        let wide = lines(&format!("{} x[%clk 0:10:00]", "x ".repeat(36)), None);
        assert!(wide.contains("[%clk 0:10:00]"));
    }
}
