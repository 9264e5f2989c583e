//! A place in a text, with the small steps that all parsers take.

use crate::ast::{Spanned, Word};
use crate::diagnostic::{Code, Diagnostic, Span};

/// What a parser of a part returns.
pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// A source text without its comments.
pub(super) struct Text {
    chars: Vec<char>,
    /// Index of the first character of every line.
    starts: Vec<usize>,
    /// By line: whether it holds a comment and nothing else.
    comments: Vec<bool>,
    /// The place that everything in the text has, if it is not its own.
    place: Option<Span>,
}

impl Text {
    /// Comments become blanks, so that places stay what they are.
    pub(super) fn new(source: &str, place: Option<Span>) -> Self {
        let mut comment = false;
        let chars: Vec<char> = source
            .chars()
            .map(|c| {
                comment = c != '\n' && (comment || c == '#');
                if comment || (c.is_whitespace() && c != '\n') { ' ' } else { c }
            })
            .collect();
        let newlines = chars.iter().enumerate().filter(|&(_, &c)| c == '\n').map(|(i, _)| i + 1);
        let starts = std::iter::once(0).chain(newlines).collect();
        let comments = source.split('\n').map(|line| line.trim_start().starts_with('#')).collect();
        Self { chars, starts, comments, place }
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.starts.len()
    }

    /// Returns `true` if a line holds nothing at all: it ends a paragraph.
    pub(super) fn is_blank(&self, line: usize) -> bool {
        !self.comments[line] && self.is_empty(line)
    }

    /// Returns `true` if a line holds nothing, or only a comment.
    pub(super) fn is_empty(&self, line: usize) -> bool {
        self.line(line).iter().all(|c| c.is_whitespace())
    }

    /// The characters of lines `first..end`, without the last newline.
    pub(super) fn cursor(&self, first: usize, end: usize) -> Cursor<'_> {
        let stop = self.starts.get(end).map_or(self.chars.len(), |&start| start - 1);
        Cursor { text: self, position: self.starts[first], end: stop }
    }

    /// The characters of one line.
    pub(super) fn line(&self, line: usize) -> &[char] {
        let stop = self.starts.get(line + 1).map_or(self.chars.len(), |&start| start - 1);
        &self.chars[self.starts[line]..stop]
    }

    /// The place of the characters `from..to`; of those on the first line only.
    fn span(&self, from: usize, to: usize) -> Span {
        if let Some(place) = self.place {
            return place;
        }
        let line = self.starts.partition_point(|&start| start <= from) - 1;
        let stop = self.starts.get(line + 1).map_or(self.chars.len(), |&start| start - 1);
        Span {
            line: line as u32 + 1,
            column: (from - self.starts[line]) as u32 + 1,
            length: to.min(stop).saturating_sub(from) as u32,
        }
    }
}

/// A place in a text that moves forward.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a Text,
    position: usize,
    end: usize,
}

impl Cursor<'_> {
    /// The next character, or NUL at the end.
    pub(super) fn peek(&self) -> char {
        self.ahead(0)
    }

    /// The character `steps` steps ahead, or NUL.
    pub(super) fn ahead(&self, steps: usize) -> char {
        let index = self.position + steps;
        if index < self.end { self.text.chars[index] } else { '\0' }
    }

    /// Takes one character.
    pub(super) fn bump(&mut self) {
        self.position = (self.position + 1).min(self.end);
    }

    /// Skips blanks and line ends.
    pub(super) fn blanks(&mut self) {
        while self.position < self.end && self.peek().is_whitespace() {
            self.position += 1;
        }
    }

    /// Skips blanks and says whether nothing follows.
    pub(super) fn at_end(&mut self) -> bool {
        self.blanks();
        self.position >= self.end
    }

    /// Returns `true` if the text goes on with `word`.
    pub(super) fn starts_with(&self, word: &str) -> bool {
        word.chars().enumerate().all(|(i, c)| self.ahead(i) == c)
    }

    /// Takes `word` if it comes next.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.starts_with(word);
        if found {
            self.position += word.chars().count();
        }
        found
    }

    /// Takes `word` after blanks, or fails with `code`.
    pub(super) fn expect(&mut self, word: &str, code: Code) -> Parsed<()> {
        self.blanks();
        if self.take(word) {
            return Ok(());
        }
        Err(self.error(code, format!("expected '{word}'{}", self.found())))
    }

    /// "but found ..." for a message.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            '\0' => " but the text ends here".to_owned(),
            c => format!(" but found '{c}'"),
        }
    }

    /// Takes the longest run of characters that satisfy `belongs`.
    pub(super) fn run(&mut self, belongs: impl Fn(char) -> bool) -> Word {
        let from = self.position;
        while self.position < self.end && belongs(self.peek()) {
            self.position += 1;
        }
        let value = self.text.chars[from..self.position].iter().collect();
        Spanned::new(value, self.text.span(from, self.position))
    }

    /// Takes everything up to the end of the line.
    pub(super) fn rest_of_line(&mut self) -> Word {
        self.blanks();
        let mark = self.mark();
        let mut word = self.run(|c| c != '\n');
        word.value.truncate(word.value.trim_end().len());
        word.span = self.text.span(mark, mark + word.value.chars().count());
        word
    }

    /// Where the cursor is.
    pub(super) fn mark(&self) -> usize {
        self.position
    }

    /// Goes back to a mark.
    pub(super) fn reset(&mut self, mark: usize) {
        self.position = mark;
    }

    /// The place from a mark to here.
    pub(super) fn since(&self, mark: usize) -> Span {
        self.text.span(mark, self.position)
    }

    /// A remark about the next character.
    pub(super) fn error(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        let length = usize::from(self.position < self.end);
        Diagnostic::new(code, self.text.span(self.position, self.position + length), message)
    }
}

/// Returns `true` for characters of words of the notation: names of flags, conditions and sections.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns `true` for characters of the name of a piece; `+` may stand before it.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '\''
}

impl Cursor<'_> {
    /// Takes the name of a piece.
    pub(super) fn name(&mut self) -> Parsed<Word> {
        self.blanks();
        let mark = self.mark();
        let plus = self.run(|c| c == '+');
        let letters = self.run(is_name);
        let span = self.since(mark);
        match letters.value.chars().next() {
            Some(first) if !first.is_ascii_digit() => {
                Ok(Spanned::new(plus.value + &letters.value, span))
            }
            _ => {
                let found = self.found();
                self.reset(mark);
                Err(self.error(Code::InvalidName, format!("expected the name of a piece{found}")))
            }
        }
    }

    /// Takes names separated by `separator`.
    pub(super) fn names(&mut self, separator: &str) -> Parsed<Vec<Word>> {
        let mut names = vec![self.name()?];
        loop {
            let mark = self.mark();
            self.blanks();
            if !self.take(separator) {
                self.reset(mark);
                return Ok(names);
            }
            names.push(self.name()?);
        }
    }

    /// Takes the name of a flag, without the marks of a short life.
    pub(super) fn flag(&mut self) -> Parsed<Word> {
        let mut word = self.run(is_word);
        word.value = word.value.trim_matches('_').to_owned();
        if word.value.starts_with(char::is_alphabetic) {
            return Ok(word);
        }
        let message = format!("expected the name of a flag{}", self.found());
        Err(self.error(Code::Syntax, message))
    }

    /// Takes a whole number without a sign.
    pub(super) fn number(&mut self) -> Parsed<Option<i32>> {
        let digits = self.run(|c| c.is_ascii_digit());
        if digits.value.is_empty() {
            return Ok(None);
        }
        match digits.value.parse() {
            Ok(number @ 0..=999) => Ok(Some(number)),
            _ => {
                let message = format!("the number {} is too large", digits.value);
                Err(Diagnostic::new(Code::NumberRange, digits.span, message)
                    .help("numbers go up to 999"))
            }
        }
    }
}
