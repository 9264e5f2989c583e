//! Texts on a screen, by the columns that they take: wide characters take two.

use ratatui::style::Style;
use ratatui::text::Span;

/// How many columns a text takes.
pub fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The characters of a text as a screen shows them: what is combined with one belongs to it.
fn signs(text: &str) -> Vec<String> {
    Span::raw(text).styled_graphemes(Style::new()).map(|sign| sign.symbol.to_owned()).collect()
}

/// How many of these signs, from the first on, fit into `width` columns.
fn fitting<'a>(signs: impl Iterator<Item = &'a String>, width: usize) -> usize {
    let ends = signs.scan(0, |used, sign| {
        *used += columns(sign);
        Some(*used)
    });
    ends.take_while(|used| *used <= width).count()
}

/// The beginning of a text, as far as it fits into `width` columns.
pub fn beginning(text: &str, width: usize) -> String {
    let signs = signs(text);
    signs[..fitting(signs.iter(), width)].concat()
}

/// The end of a text, as far as it fits into `width` columns.
pub fn end(text: &str, width: usize) -> String {
    let signs = signs(text);
    signs[signs.len() - fitting(signs.iter().rev(), width)..].concat()
}

/// A text in rows of `width` columns, broken between words; within those that are longer than a
/// row. Blanks at the end of a row take no place.
pub fn rows(text: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut used = 0;
    let parts = text.split_inclusive(' ').flat_map(|word| match columns(word.trim_end()) {
        taken if taken > width => signs(word),
        _ => vec![word.to_owned()],
    });
    for part in parts {
        if used > 0 && used + columns(part.trim_end()) > width {
            rows.push(String::new());
            used = 0;
        }
        used += columns(&part);
        if let Some(row) = rows.last_mut() {
            row.push_str(&part);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{beginning, columns, end, rows};

    #[test]
    fn long_texts_take_several_rows() {
        assert_eq!(rows("one two three", 8), ["one two ", "three"]);
        assert_eq!(rows("", 8), [""]);
        assert_eq!(rows("indivisible word", 5), ["indiv", "isibl", "e ", "word"]);
        assert_eq!(rows("a long-winded b", 6), ["a long", "-winde", "d b"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("王x"), 3);
        assert_eq!(rows("王王王 王", 4), ["王王", "王 ", "王"]);
        assert_eq!(rows("王", 1), ["王"]);
        assert_eq!((beginning("王王", 3), beginning("ab", 9)), ("王".to_owned(), "ab".to_owned()));
        assert_eq!((end("a王b", 2), end("a王b", 3)), ("b".to_owned(), "王b".to_owned()));
        // One sign of several characters.
        assert_eq!(beginning("e\u{301}e\u{301}", 1), "e\u{301}");
    }
}
