//! The sections, keys and values of a configuration file of Fairy-Stockfish.

use std::ops::Range;

use crate::ast::Word;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::file::without_mark;

/// `[name:parent]` and what follows it.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: Word,
    pub(super) parent: Option<Word>,
    pub(super) entries: Vec<Entry>,
}

/// `key = value`.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: Word,
    pub(super) value: Word,
}

/// Reads a file; lines that are none of it are remarked upon.
pub(super) fn sections(source: &str, remarks: &mut Vec<Diagnostic>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (number, text) in (1..).zip(without_mark(source).lines()) {
        let line = Line { text, number };
        let whole = line.word(0..text.len());
        if whole.value.is_empty() || whole.value.starts_with(['#', ';']) {
            continue;
        }
        if let Some(section) = line.section() {
            sections.push(section);
        } else if let Some(equals) = text.find('=') {
            let key = line.word(0..equals);
            let value = line.word(equals + 1..text.len());
            match sections.last_mut() {
                Some(section) => section.entries.push(Entry { key, value }),
                None => {
                    let message = "this key stands before the first [name]";
                    remarks.push(Diagnostic::new(Code::IniSyntax, whole.span, message));
                }
            }
        } else {
            let message = "neither [name], nor key = value, nor a comment";
            remarks.push(Diagnostic::new(Code::IniSyntax, whole.span, message));
        }
    }
    sections
}

/// A line of the file.
struct Line<'a> {
    text: &'a str,
    number: u32,
}

impl Line<'_> {
    /// `[name]` or `[name:parent]`.
    fn section(&self) -> Option<Section> {
        let begin = self.text.find('[').filter(|&at| self.text[..at].trim().is_empty())? + 1;
        let end = self.text.rfind(']').filter(|&at| self.text[at + 1..].trim().is_empty())?;
        let inner = self.text.get(begin..end)?;
        let (name, parent) = match inner.find(':') {
            Some(colon) => (begin..begin + colon, Some(self.word(begin + colon + 1..end))),
            None => (begin..end, None),
        };
        Some(Section { name: self.word(name), parent, entries: Vec::new() })
    }

    /// A part of the line, without the blanks around it.
    fn word(&self, part: Range<usize>) -> Word {
        let text = &self.text[part.clone()];
        let begin = part.start + (text.len() - text.trim_start().len());
        let column = self.text[..begin].chars().count() as u32 + 1;
        let trimmed = text.trim();
        let length = trimmed.chars().count() as u32;
        Word::new(trimmed.to_owned(), Span { line: self.number, column, length })
    }
}
