//! Texts that are longer than a row of the screen.

/// A text in rows of bounded width, broken between words where there are any.
pub fn rows(text: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut column = 0;
    for word in text.split_inclusive(' ') {
        let count = word.chars().count();
        if column > 0 && column + word.trim_end().chars().count() > width {
            rows.push(String::new());
            column = 0;
        }
        if let Some(row) = rows.last_mut() {
            row.push_str(word);
        }
        column += count;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn long_texts_take_several_rows() {
        assert_eq!(rows("one two three", 8), ["one two ", "three"]);
        assert_eq!(rows("", 8), [""]);
        assert_eq!(rows("indivisible word", 5), ["indivisible ", "word"]);
    }
}
