//! Extended Position Description: a position and what is to be said about it, in one line.

use tamarin_movegen::{CastlingStyle, FenError, Position, UciMoveError};

/// An operation, such as `bm Nf3 d4;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name.
    pub opcode: String,
    /// What follows it; strings without their quotes.
    pub operands: Vec<String>,
}

/// A line of a file of positions.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// The operations in their order.
    pub operations: Vec<Operation>,
}

impl Epd {
    /// Reads a line. Instead of operations, or before them, one or both counters of a FEN may follow
    /// the position, or dashes too many. Without operations the last fields of a FEN may be missing.
    ///
    /// # Errors
    /// If the position is invalid.
    ///
    /// Source: the PGN standard, section 16.2; the counters are what files of openings have.
    pub fn parse(line: &str) -> Result<Self, FenError> {
        let (board, rest) = split_words(line, 4);
        let rest = rest.trim_start_matches("- ");
        let (words, _) = split_words(rest, 2);
        let is_number = |word: &&str| word.parse::<i64>().is_ok();
        let count = words.split_whitespace().take_while(is_number).count();
        let (counters, after) = split_words(rest, count);
        let is_fen = count > 0 || board.split_whitespace().count() < 4;
        let operations = operations(after);
        let number = |opcode: &str| {
            let found = operations.iter().find(|operation| operation.opcode == opcode)?;
            found.operands.first().and_then(|text| text.parse::<u32>().ok())
        };
        let fen = if is_fen {
            format!("{board} {counters}")
        } else {
            let clock = number("hmvc").unwrap_or(0);
            format!("{board} {clock} {}", number("fmvn").unwrap_or(1))
        };
        Ok(Self { position: Position::from_fen(&fen)?, operations })
    }

    /// The operands of the first operation with this name.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let found = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&found.operands)
    }

    /// The first operand of an operation, such as the name that `id` gives.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }
}

/// Why a line is no opening.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    #[error(transparent)]
    Position(#[from] FenError),
    #[error("moves: {0}")]
    Moves(#[from] UciMoveError),
}

/// The position that a line of a file of positions leads to: a FEN or an EPD, then the moves behind
/// the word `moves` in coordinates, if there are any. A byte order mark before it does not count.
///
/// # Errors
/// If the position is invalid or a move is not legal.
pub fn opening(line: &str) -> Result<Position, OpeningError> {
    let epd = Epd::parse(line.trim_start_matches('\u{feff}'))?;
    let moves = epd.operands("moves").unwrap_or_default();
    let mut position = epd.position.clone();
    moves.iter().try_for_each(|text| position.try_make_uci(text).map(drop))?;
    position.clear_undo();
    Ok(position)
}

/// The games of a text that has a position in each line, as PGN: FEN or EPD, with moves behind the
/// word `moves`. Empty lines and those that begin with `#` do not count. `None` if a line is none.
pub fn games(text: &str) -> Option<String> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches('\u{feff}'));
    let mut found = String::new();
    for (index, line) in lines.filter(|line| !line.is_empty() && !line.starts_with('#')).enumerate()
    {
        // In addresses blanks are underscores.
        let line = if line.contains(' ') { line.to_owned() } else { line.replace('_', " ") };
        if !line.contains('/') || line.starts_with(['[', '{', '(']) {
            return None;
        }
        let is_board = !line.contains(' ');
        let epd = Epd::parse(&if is_board { line + " w" } else { line }).ok()?;
        let name =
            epd.operand("id").map_or_else(|| format!("Position {}", index + 1), str::to_owned);
        let said = epd.operations.iter().filter(|one| !matches!(&*one.opcode, "id" | "moves"));
        let said = said
            .map(|one| format!("{} {}", one.opcode, one.operands.join(" ")))
            .collect::<Vec<_>>();
        let comment = said.join("; ").replace(['{', '}'], "");
        let moves = epd.operands("moves").unwrap_or_default().join(" ");
        let fen = epd.position.fen(CastlingStyle::Standard);
        let name = quoted(&name);
        let comment = if comment.is_empty() { comment } else { format!("{{ {comment} }} ") };
        found +=
            &format!("[White {name}]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{comment}{moves} *\n\n");
    }
    (!found.is_empty()).then_some(found)
}

/// The first `count` words, and the rest. A word ends at a blank or before a semicolon.
fn split_words(text: &str, count: usize) -> (&str, &str) {
    let mut rest = text.trim_start();
    for _ in 0..count {
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        rest = rest[end..].trim_start();
    }
    let (words, _) = text.split_at(text.len() - rest.len());
    (words.trim(), rest)
}

/// The operations of a text; each ends with a semicolon.
fn operations(text: &str) -> Vec<Operation> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    let mut end = |words: &mut Vec<String>| {
        let mut words = std::mem::take(words).into_iter();
        if let Some(opcode) = words.next() {
            operations.push(Operation { opcode, operands: words.collect() });
        }
    };
    while let Some(first) = rest.chars().next() {
        let word;
        (word, rest) = match first {
            ';' => {
                end(&mut words);
                rest = rest[1..].trim_start();
                continue;
            }
            '"' => unquoted(&rest[1..]),
            _ => {
                let close = |c: char| c.is_whitespace() || c == ';' || c == '"';
                let (word, rest) = rest.split_at(rest.find(close).unwrap_or(rest.len()));
                (word.to_owned(), rest)
            }
        };
        words.push(word.trim().to_owned());
        rest = rest.trim_start();
    }
    end(&mut words);
    operations
}

/// A text as a string of EPD: in quotes, with backslashes before those in it. Control characters
/// become blanks, as the line ends the string.
pub fn quoted(text: &str) -> String {
    let plain = text.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{plain}\"")
}

/// The text of a string behind its first quote, and what follows its last one.
fn unquoted(text: &str) -> (String, &str) {
    let mut string = String::new();
    let mut chars = text.chars();
    while let Some(next) = chars.next() {
        match next {
            '"' => break,
            '\\' if chars.as_str().starts_with(['"', '\\']) => string.extend(chars.next()),
            _ => string.push(next),
        }
    }
    (string, chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::{Epd, games, opening, quoted};

    #[test]
    fn lines_of_positions_become_games() {
        let kings = "4k3/8/8/8/8/8/4P3/4K3";
        for (text, expected) in [
            (kings.to_owned(), Some(format!("[FEN \"{kings} w - - 0 1\"]\n\n *"))),
            (format!("{kings}_w_-_-_0_1"), Some(format!("[FEN \"{kings} w - - 0 1\"]\n\n *"))),
            (format!("# one\n{kings} w - - bm e4;\n"), Some("{ bm e4 }  *".to_owned())),
            (format!("{kings} w - - moves e2e4;"), Some("e2e4 *".to_owned())),
            (format!("{kings} w - - id \"a \\\" b\";"), Some("[White \"a \\\" b\"]".to_owned())),
            (format!("{kings}\n1. e4"), None),
            ("1. e4 1/2-1/2".to_owned(), None),
            (String::new(), None),
        ] {
            let found = games(&text);
            let fits = match (&found, &expected) {
                (Some(found), Some(part)) => found.contains(part.as_str()),
                (found, part) => found.is_none() && part.is_none(),
            };
            assert!(fits, "{text}: {found:?}");
        }
    }

    #[test]
    fn strings_are_read_as_they_are_written() {
        for text in ["he said \"hi; bm d4;\" ok", "a\\", "\\\"b", ""] {
            let line = format!("4k3/8/8/8/8/8/8/4K2R w K - - c0 {}; bm Rh8+;", quoted(text));
            let epd = Epd::parse(&line).expect("a good line");
            assert_eq!((epd.operand("c0"), epd.operand("bm")), (Some(text), Some("Rh8+")));
        }
    }

    #[test]
    fn operations_have_words_and_strings() {
        let line = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5 Kh1; \
            id \"STS; (v1.0) 001 \"; c8 \"100 46\";fmvn 30; note unfinished words";
        let epd = Epd::parse(line).expect("a good line");
        assert_eq!(epd.operands("bm").expect("there is one"), ["f5", "Kh1"]);
        assert_eq!(epd.operand("id"), Some("STS; (v1.0) 001"));
        assert_eq!(epd.operand("c8"), Some("100 46"));
        assert_eq!(epd.operands("note").map(<[String]>::len), Some(2));
        assert_eq!(epd.operand("am"), None);
        assert_eq!(epd.position.fullmove_number(), 30);
    }

    #[test]
    fn counters_may_follow_the_position() {
        let epd = Epd::parse("4k3/8/8/8/8/8/8/4K2R w K - 3 12 ;D1 15 ;D2 66").expect("good");
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (3, 12));
        assert_eq!(epd.operand("D2"), Some("66"));
        let clock = Epd::parse("4k3/8/8/8/8/8/8/4K2R w K - 99 bm Rh8+").expect("good");
        assert_eq!(clock.position.halfmove_clock(), 99);
        assert_eq!(clock.operand("bm"), Some("Rh8+"));
        let bare = Epd::parse("4k3/8/8/8/8/8/8/4K2R w K -").expect("good");
        assert!(bare.operations.is_empty());
        let one = Epd::parse("4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+").expect("good");
        assert_eq!(one.operand("bm"), Some("Rh8+"));
    }

    #[test]
    fn openings_are_positions_with_or_without_operations_and_moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let full = format!("{start} 0 1");
        for (line, expected) in [
            (start.to_owned(), full.as_str()),
            (format!("{start} bm e4; id \"x\";"), &full),
            (format!("\u{feff}{start} 0 1 moves e2e4 e7e5"), after),
            (format!("{start} moves e2e4 e7e5"), after),
        ] {
            assert_eq!(
                opening(&line).map(|found| found.to_string()),
                Ok(expected.into()),
                "{line}"
            );
        }
        let error = opening(&format!("{full} moves e2e4 e2e4")).expect_err("illegal");
        assert!(error.to_string().starts_with("moves: illegal move e2e4"), "{error}");
    }

    #[test]
    fn the_last_fields_may_be_missing() {
        for line in ["4k3/8/8/8/8/8/8/4K2R w", "4k3/8/8/8/8/8/8/4K2R w K"] {
            let epd = Epd::parse(line).expect("good");
            assert!(epd.operations.is_empty() && epd.position.fullmove_number() == 1, "{line}");
        }
    }

    #[test]
    fn bad_lines_are_refused_whatever_they_hold() {
        for line in ["", ";", "\"", "8/8/8/8/8/8/8/8 w - - bm e4;", "1. e4 e5", "\u{e9}\u{0}; x"] {
            assert!(Epd::parse(line).is_err(), "{line:?}");
        }
    }
}
