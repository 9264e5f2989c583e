//! From text to the syntax tree.

mod condition;
mod cursor;
mod diagram;
mod directive;
mod expr;
mod moves;
mod piece;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::ast::{File, VariantText, Word};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::file::without_mark;
use cursor::Text;
pub use diagram::{MAX_SIDE, MAX_SQUARES};
pub(crate) use diagram::{SIZES, fits};
use directive::Line;

/// After this number of errors nothing more is reported.
const MAX_ERRORS: usize = 20;
/// Longer texts are refused.
const MAX_CHARACTERS: usize = 1 << 20;

/// A syntax tree and what is wrong with it. With an error the tree holds what could be read.
#[derive(Clone, Debug, Default)]
pub struct ParsedFile {
    /// What the file says.
    pub file: File,
    /// In the order of the file, at most 20.
    pub remarks: Vec<Diagnostic>,
}

/// Reads a file. It never fails: mistakes are remarks.
pub fn parse(source: &str) -> ParsedFile {
    parse_at(source, None)
}

/// Reads the text of a built-in game that a file takes over at a place: every place in it is that
/// one, because the reader has no other text.
pub(crate) fn parse_taken_over(source: &str, place: Span) -> ParsedFile {
    parse_at(source, Some(place))
}

fn parse_at(source: &str, place: Option<Span>) -> ParsedFile {
    if source.chars().count() > MAX_CHARACTERS {
        let message = format!("the file has more than {MAX_CHARACTERS} characters");
        let remarks = vec![Diagnostic::new(Code::TooMany, Span::default(), message)];
        return ParsedFile { file: File::default(), remarks };
    }
    let text = Text::new(without_mark(source), place);
    let mut parser = Parser {
        text: &text,
        variant: VariantText::default(),
        done: Vec::new(),
        remarks: Vec::new(),
    };
    parser.all();
    let Parser { mut done, variant, mut remarks, .. } = parser;
    if variant != VariantText::default() || done.is_empty() {
        done.push(variant);
    }
    if let [first, _, ..] = done.as_slice()
        && first.name.is_none()
    {
        remarks.push(before_variants(first));
    }
    remarks.extend(used_twice(&done));
    remarks.sort_by_key(|remark| remark.span);
    remarks.truncate(MAX_ERRORS);
    ParsedFile { file: File { variants: done }, remarks }
}

/// The remark about a text without a name that another game follows.
fn before_variants(text: &VariantText) -> Diagnostic {
    let directives = text.directives.iter().map(|directive| directive.span);
    let pieces = text.pieces.iter().map(|piece| piece.name.span);
    let rows = text.diagram.iter().flat_map(|diagram| &diagram.rows).map(|row| row.span);
    let span = directives.chain(pieces).chain(rows).min().unwrap_or_default();
    let message = "what stands before the first @variant belongs to no game".to_owned();
    let help = "begin it with @variant NAME, and other games of this file can extend it";
    Diagnostic::new(Code::NoVariant, span, message).help(help)
}

/// The remarks about variants whose name another one before them has, in any case.
fn used_twice(variants: &[VariantText]) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let names = variants.iter().filter_map(|variant| variant.name.as_ref());
    let again = names.filter(|name| !seen.insert(name.value.to_ascii_lowercase()));
    let remark = |name: &Word| {
        let message = format!("the variant name '{}' is used twice", name.value);
        Diagnostic::new(Code::DuplicateName, name.span, message)
    };
    again.map(remark).collect()
}

struct Parser<'a> {
    text: &'a Text,
    variant: VariantText,
    done: Vec<VariantText>,
    remarks: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn all(&mut self) {
        let lines = self.text.lines();
        let mut start = 0;
        while start < lines {
            let next = (start + 1..lines).find(|&line| self.begins_variant(line)).unwrap_or(lines);
            self.section(start..next);
            start = next;
        }
    }

    fn begins_variant(&self, line: usize) -> bool {
        self.starts_with(line, "@variant")
    }

    fn starts_with(&self, line: usize, word: &str) -> bool {
        word.chars().eq(self.text.line(line).iter().copied().take(word.chars().count()))
    }

    fn is_blank(&self, line: usize) -> bool {
        self.text.is_blank(line)
    }

    /// One variant.
    fn section(&mut self, lines: Range<usize>) {
        let picture = self.find_diagram(&lines);
        let mut line = lines.start;
        while line < lines.end {
            if Some(line) == picture.as_ref().map(|rows| rows.start) {
                let rows = picture.clone().expect("invariant: just compared");
                line = rows.end;
                self.variant.diagram = diagram::diagram(self.text, rows, &mut self.remarks);
            } else if self.text.is_empty(line) || self.starts_with(line, "board:") {
                line += 1;
            } else if self.starts_with(line, "@") {
                self.directive(line);
                line += 1;
            } else {
                let end = self.end_of_piece(line, lines.end);
                let mut cursor = self.text.cursor(line, end);
                let piece = piece::piece(&mut cursor, &mut self.remarks);
                self.variant.pieces.extend(piece);
                line = end;
            }
        }
    }

    /// The rows behind `board:`, or else the last paragraph if it looks like a picture.
    fn find_diagram(&self, lines: &Range<usize>) -> Option<Range<usize>> {
        let named = lines.clone().find(|&line| self.starts_with(line, "board:"));
        if let Some(line) = named {
            let rows = line + 1..lines.end;
            let end = rows.clone().find(|&row| self.is_blank(row) || self.starts_with(row, "@"));
            return Some(rows.start..end.unwrap_or(rows.end)).filter(|rows| !rows.is_empty());
        }
        // A change of another game, or one with a FEN, needs no picture.
        if lines.clone().any(|l| self.starts_with(l, "@extends") || self.starts_with(l, "@fen")) {
            return None;
        }
        let last = lines.clone().rev().find(|&line| !self.text.is_empty(line))?;
        let blank =
            lines.clone().take_while(|&line| line < last).filter(|&l| self.is_blank(l)).last()?;
        let mut before = lines.start..blank;
        let rows = blank + 1..last + 1;
        let is_picture = rows.clone().all(|row| {
            let row = self.text.line(row);
            !row.starts_with(&['@']) && !row.contains(&'{') && !row.contains(&'"')
        });
        (before.any(|line| !self.text.is_empty(line)) && is_picture).then_some(rows)
    }

    /// A piece goes on in lines that begin with a blank, `{` or `_`, and inside of braces; a blank
    /// line, a directive and the diagram end it. `+` begins the name of another piece.
    fn end_of_piece(&self, first: usize, limit: usize) -> usize {
        let mut depth = 0i32;
        let mut line = first;
        loop {
            for c in self.text.line(line) {
                depth += i32::from(*c == '{') - i32::from(*c == '}');
            }
            line += 1;
            if line >= limit
                || self.is_blank(line)
                || self.starts_with(line, "@")
                || self.starts_with(line, "board:")
            {
                return line;
            }
            if self.text.is_empty(line) {
                continue;
            }
            let continues = matches!(self.text.line(line)[0], '{' | '_' | ' ');
            if depth <= 0 && !continues {
                return line;
            }
        }
    }

    fn directive(&mut self, line: usize) {
        match directive::directive(&mut self.text.cursor(line, line + 1)) {
            Ok(Line::Directive(directive)) => self.variant.directives.push(directive),
            Ok(Line::Variant(name)) => {
                let before = std::mem::take(&mut self.variant);
                if before != VariantText::default() {
                    self.done.push(before);
                }
                self.variant.name = Some(name);
            }
            Err(remark) => self.remarks.push(remark),
        }
    }
}
