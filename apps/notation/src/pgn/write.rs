//! Writes games in PGN.

/// Lines are no longer than this unless a word is, as the standard asks for.
const WIDTH: usize = 80;

/// Appends a tag pair and a line end.
pub fn write_tag(out: &mut String, name: &str, value: &str) {
    let plain = |text: &str| text.replace(char::is_control, " ");
    let value = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
    out.push_str(&format!("[{} \"{value}\"]\n", plain(name)));
}

/// The words of a game behind its tags, broken into lines.
#[derive(Default)]
pub struct Movetext {
    text: String,
    column: usize,
    /// In a command of a comment, such as `[%eval 0.35]`, which stays on one line.
    in_command: bool,
}

impl Movetext {
    /// Appends the words of a text.
    pub fn push(&mut self, text: &str) {
        for word in text.split_whitespace() {
            let width = word.chars().count();
            // These would mean something else at the beginning of a line.
            let may_begin_line = !word.starts_with(['%', '[', ';']) && !self.in_command;
            if self.column > 0 && self.column + 1 + width > WIDTH && may_begin_line {
                self.text.push('\n');
                self.column = 0;
            }
            if self.column > 0 {
                self.text.push(' ');
                self.column += 1;
            }
            self.text.push_str(word);
            self.column += width;
            self.in_command = match (word.rfind("[%"), word.rfind([']', '}'])) {
                (None, None) => self.in_command,
                // The later one decides; the end of a comment ends a command that was not closed.
                (opened, closed) => opened > closed,
            };
        }
    }

    /// Appends a comment. Braces cannot be in it and become parentheses.
    pub fn comment(&mut self, text: &str) {
        self.push(&format!("{{ {} }}", text.replace('{', "(").replace('}', ")")));
    }

    /// The lines, the last one with its end.
    pub fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{Movetext, write_tag};

    #[test]
    fn tags_are_escaped() {
        let mut out = String::new();
        write_tag(&mut out, "White", "a \"b\" \\ \n]");
        assert_eq!(out, "[White \"a \\\"b\\\" \\\\  ]\"]\n");
    }

    #[test]
    fn lines_are_short_and_begin_with_nothing_special() {
        let mut movetext = Movetext::default();
        for _ in 0..30 {
            movetext.push("12. Nf3");
            movetext.comment("[%eval 0.12] %a ;b {c}");
        }
        movetext.push(&"x".repeat(200));
        let text = movetext.finish();
        for line in text.lines() {
            assert!(!line.starts_with(['%', '[', ';', ' ']), "{line}");
            assert!(line.len() <= 100 || line.starts_with('x'), "{line}");
        }
        assert_eq!(text.matches("(c)").count(), 30);
        assert_eq!(text.matches("[%eval 0.12]").count(), 30);
    }

    #[test]
    fn lines_are_short_after_a_command_that_goes_on_or_is_not_closed() {
        for comment in ["[%clk 0:10:00]Good", "good[%clk 0:10:00]Good", "[%clk 0:10:00", "x [%"] {
            let mut movetext = Movetext::default();
            movetext.push("1. e4");
            movetext.comment(comment);
            for _ in 0..30 {
                movetext.push("12. Nf3");
            }
            let text = movetext.finish();
            assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        }
        let mut movetext = Movetext::default();
        movetext.comment(&format!("{} x[%clk 0:10:00]", "x ".repeat(36)));
        assert!(movetext.finish().contains("[%clk 0:10:00]"));
    }
}
