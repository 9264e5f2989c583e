//! Cuts a PGN file into games without understanding their moves.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};

use super::game::{Outcome, decoded};
use super::header;
use super::lexer::is_san;

/// The longest game that is taken, in bytes: 1 MiB. Games with thousands of comments fit.
const MAX_GAME: usize = 1 << 20;

/// Longer lines are taken in pieces of this size.
const MAX_PIECE: usize = 1 << 16;

/// The text of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameText {
    /// Where it begins in the file, in bytes.
    pub offset: u64,
    /// The line of the file that it begins on, from 1.
    pub line: u64,
    /// As it stands in the file, at most the first MiB.
    pub verbatim: Vec<u8>,
    /// Tags, moves and lines that begin with `%`, without blank lines. A carriage return alone, which
    /// ends lines of old Macs, and a Ctrl-Z, which ends old files of DOS, are line feeds here.
    pub bytes: Vec<u8>,
    /// It is longer than 1 MiB, and `bytes` only its beginning.
    pub is_cut: bool,
}

/// What the lines of a game so far say about the next one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct State {
    /// There is more than comments.
    has_content: bool,
    has_event: bool,
    has_fen: bool,
    has_moves: bool,
    /// There are words behind the tags that are no comments.
    has_words: bool,
    in_comment: bool,
    /// Variations that are open.
    depth: usize,
    /// The last word of the moves is a result.
    is_over: bool,
    /// The line before is blank.
    after_blank: bool,
}

/// The games of a file, one after the other. Needs twice the memory of the longest game.
///
/// A game ends where tags begin after moves, and at a blank line or another game after a result;
/// without a result where the first move number follows a blank line. Other blank lines inside a game,
/// which some programs write, are nothing. `[Event "` begins a game even in a comment
/// that was never closed. Comments that stand alone before tags or at the end of the file are no
/// game.
pub struct Games<R> {
    input: R,
    offset: u64,
    /// Lines that were read.
    lines: u64,
    /// The first line of the next game.
    held: Option<Vec<u8>>,
}

impl<R: BufRead> Games<R> {
    /// The games of `input`.
    pub const fn new(input: R) -> Self {
        Self::at(input, 0, 0)
    }

    /// The games of `input`, before whose first byte a file has this many bytes and line ends.
    pub const fn at(input: R, offset: u64, lines: u64) -> Self {
        Self { input, offset, lines, held: None }
    }

    /// Line ends of the file before the next game.
    pub fn lines(&self) -> u64 {
        let last = self.held.as_ref().and_then(|line| line.last());
        self.lines - u64::from(matches!(last, Some(b'\n' | b'\r' | &END_MARK)))
    }

    /// Bytes of the file before the next game.
    pub fn offset(&self) -> u64 {
        self.offset - self.held.as_ref().map_or(0, |line| line.len() as u64)
    }

    /// The next game; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<GameText>> {
        let mut game = GameText::default();
        let mut state = State::default();
        let mut begins_line = true;
        loop {
            let offset = self.offset();
            let piece = match self.held.take() {
                Some(line) => line,
                None => self.piece()?,
            };
            if piece.is_empty() {
                return Ok(state.is_game().then_some(game));
            }
            // Files that were put together have a mark at the beginning of each.
            let unmarked = match begins_line {
                true => piece.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&piece),
                false => &piece,
            };
            let text = &*with_line_feed(unmarked);
            let is_line = begins_line;
            let line = if is_line { Line::of(text) } else { Line::Moves };
            let mut next = None;
            begins_line = text.ends_with(b"\n");
            match line {
                Line::Blank if state.is_over && !state.in_comment => return Ok(Some(game)),
                Line::Blank => {
                    state.after_blank = true;
                    game.skip(&piece);
                    continue;
                }
                Line::Escape if !state.in_comment && game.bytes.is_empty() => continue,
                Line::Escape if !state.in_comment => {}
                Line::Tag { is_event, is_fen } if state.ends_before_tag(is_event, is_fen) => {
                    self.held = Some(piece);
                    if state.is_game() {
                        return Ok(Some(game));
                    }
                    (game, state, begins_line) = (GameText::default(), State::default(), true);
                    continue;
                }
                Line::Tag { is_event, is_fen } if !state.in_comment => {
                    state.has_content = true;
                    state.has_event |= is_event;
                    state.has_fen |= is_fen;
                    let behind = behind_tags(text);
                    if !behind.trim_ascii().is_empty() {
                        next = state.read_moves(behind).map(|at| text.len() - behind.len() + at);
                    }
                }
                Line::Moves if is_line && state.ends_before_moves(text) => {
                    self.held = Some(piece);
                    return Ok(Some(game));
                }
                Line::Tag { .. } | Line::Escape | Line::Moves => next = state.read_moves(text),
            }
            state.after_blank = false;
            let end = next.unwrap_or(text.len());
            let before = piece.len() - text.len();
            if game.bytes.is_empty() {
                game.offset = offset + before as u64;
                game.line = self.lines + u64::from(!begins_line);
                game.push(&text[..end], &unmarked[..end]);
            } else {
                game.push(&text[..end], &piece[..before + end]);
            }
            if next.is_some() {
                self.held = Some(piece[before + end..].to_vec());
                return Ok(Some(game));
            }
        }
    }

    /// The next line with its end, or the next part of a long one; nothing at the end of the file.
    /// A line feed ends a line, and so do a Ctrl-Z and a carriage return without a line feed.
    fn piece(&mut self) -> io::Result<Vec<u8>> {
        let mut piece = Vec::new();
        while piece.len() < MAX_PIECE || piece.ends_with(b"\r") {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() || (piece.ends_with(b"\r") && buffer[0] != b'\n') {
                break;
            }
            let room = MAX_PIECE.saturating_sub(piece.len()).max(1);
            let part = &buffer[..buffer.len().min(room)];
            let end = part.iter().position(|&byte| matches!(byte, b'\n' | b'\r' | END_MARK));
            let length = match end {
                Some(end) if part[end..].starts_with(b"\r\n") => end + 2,
                Some(end) => end + 1,
                None => part.len(),
            };
            // A return at the end of the part may have its line feed in the next one.
            let is_whole = length < part.len() || matches!(part[length - 1], b'\n' | END_MARK);
            piece.extend_from_slice(&part[..length]);
            self.input.consume(length);
            if is_whole {
                break;
            }
        }
        self.offset += piece.len() as u64;
        self.lines += u64::from(matches!(piece.last(), Some(b'\n' | b'\r' | &END_MARK)));
        Ok(piece)
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The Ctrl-Z at the end of old files of DOS; in files that were put together, text follows it.
const END_MARK: u8 = b'\x1a';

/// A line with a line feed in the place of what else ends it.
fn with_line_feed(line: &[u8]) -> Cow<'_, [u8]> {
    match line {
        [rest @ .., b'\r' | END_MARK] => [rest, b"\n"].concat().into(),
        _ => line.into(),
    }
}

/// What a line is by its beginning.
enum Line {
    Blank,
    Tag {
        is_event: bool,
        is_fen: bool,
    },
    /// A line that starts with `%`: no part of a game but in a comment.
    Escape,
    Moves,
}

impl Line {
    fn of(piece: &[u8]) -> Self {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control();
        match piece.trim_ascii() {
            line if line.iter().all(is_blank) => Self::Blank,
            [b'[', rest @ ..] => {
                Self::Tag { is_event: is_tag(rest, "Event"), is_fen: is_tag(rest, "FEN") }
            }
            _ if piece.starts_with(b"%") => Self::Escape,
            _ => Self::Moves,
        }
    }
}

/// Whether the tag whose text behind its bracket this is has this name.
fn is_tag(tag: &[u8], name: &str) -> bool {
    let value = tag.strip_prefix(name.as_bytes());
    value.is_some_and(|value| value.trim_ascii_start().starts_with(b"\""))
}

/// What follows the tags of a line.
fn behind_tags(line: &[u8]) -> &[u8] {
    // As nearly every one is: `[Name "value"]`.
    let is_one_tag = line.iter().filter(|byte| b"\"]".contains(byte)).eq(b"\"\"]");
    if is_one_tag && line.trim_ascii_end().ends_with(b"\"]") {
        return &[];
    }
    &line[header::read(line).end..]
}

impl GameText {
    fn push(&mut self, text: &[u8], verbatim: &[u8]) {
        self.is_cut |= text.len() > MAX_GAME - self.bytes.len();
        push_bounded(&mut self.bytes, text);
        push_bounded(&mut self.verbatim, verbatim);
    }

    /// What is between the lines of a game that has begun stays in its verbatim text.
    fn skip(&mut self, piece: &[u8]) {
        if !self.bytes.is_empty() {
            push_bounded(&mut self.verbatim, piece);
        }
    }
}

fn push_bounded(bytes: &mut Vec<u8>, piece: &[u8]) {
    let room = MAX_GAME - bytes.len();
    bytes.extend_from_slice(&piece[..piece.len().min(room)]);
}

impl State {
    /// A comment that was never closed may hide moves.
    const fn is_game(self) -> bool {
        self.has_content || self.in_comment
    }

    /// Does a tag on the next line belong to the next game?
    const fn ends_before_tag(self, is_event: bool, is_fen: bool) -> bool {
        let is_repeated = (self.has_event && is_event)
            || (self.has_fen && is_fen && self.after_blank && !self.in_comment);
        let is_between_tags = self.has_content && !self.has_words && !self.after_blank;
        let is_behind_moves = self.has_moves && (!is_between_tags || is_event);
        (is_behind_moves && (!self.in_comment || is_event)) || is_repeated
    }

    /// Do the moves of the next line belong to the next game?
    fn ends_before_moves(self, line: &[u8]) -> bool {
        let is_first = self.after_blank && self.has_words && self.depth == 0;
        !self.in_comment
            && ((self.is_over && begins_game(line)) || (is_first && has_first_number(line)))
    }

    /// Follows comments and variations, and looks for a result behind the moves. Where another game
    /// begins behind it.
    fn read_moves(&mut self, piece: &[u8]) -> Option<usize> {
        self.has_moves = true;
        let mut begin = 0;
        for index in 0..=piece.len() {
            let byte = piece.get(index).copied().unwrap_or(b'\n');
            let is_sign = matches!(byte, b'{' | b'}' | b';' | b'(' | b')' | b'[');
            if !byte.is_ascii_whitespace() && !is_sign {
                continue;
            }
            if !self.in_comment && begin < index {
                (self.has_content, self.has_words) = (true, true);
                self.is_over = is_result(&piece[begin..index]);
                if self.is_over && self.depth == 0 && begins_game(&piece[index..]) {
                    return Some(index);
                }
            }
            begin = index + 1;
            match byte {
                b'}' => {
                    self.in_comment = false;
                    if self.is_over && self.depth == 0 && begins_game(&piece[begin..]) {
                        return Some(begin);
                    }
                }
                _ if self.in_comment => {}
                b'{' => self.in_comment = true,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b';' => break,
                _ => {}
            }
        }
        None
    }
}

/// Whether what stands behind a result begins another game: a tag, the first move number or a move.
fn begins_game(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_tag = matches!(text, [b'[', letter, ..] if letter.is_ascii_alphabetic());
    is_tag || has_first_number(text) || is_san(word)
}

/// Whether a text begins with the number of the first move.
fn has_first_number(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start().strip_prefix(b"1.");
    rest.is_some_and(|rest| !rest.starts_with(b"."))
}

/// Whether a word is a result, in any spelling that the moves may end with.
fn is_result(word: &[u8]) -> bool {
    // Almost no other word begins so.
    matches!(word, [b'0' | b'1' | 0xc2 | 0xbd, ..])
        && Outcome::of(&decoded(word)) != Outcome::Unknown
        || word == b"*"
}

#[cfg(test)]
mod tests {
    use super::{GameText, Games, MAX_GAME, MAX_PIECE};
    use crate::pgn::read;
    use std::io::BufReader;

    fn games(text: &[u8], capacity: usize) -> Vec<GameText> {
        let mut games = Games::new(BufReader::with_capacity(capacity, text));
        std::iter::from_fn(|| games.next_game().expect("a slice gives no error")).collect()
    }

    /// Each game must begin where it is said to, and with the text given.
    fn check(text: &str, begins: &[&str]) {
        for capacity in [1, 2, 3, 7, 64, 8192] {
            let found = games(text.as_bytes(), capacity);
            assert_eq!(found.len(), begins.len(), "{text:?}: {found:?}");
            for (game, begin) in found.iter().zip(begins) {
                assert!(text[game.offset as usize..].starts_with(begin), "{text:?}: {game:?}");
                assert!(game.bytes.starts_with(begin.as_bytes()), "{text:?}: {game:?}");
                let rest = &text.as_bytes()[game.offset as usize..];
                assert!(rest.starts_with(&game.verbatim), "{text:?}: {game:?}");
            }
        }
    }

    #[test]
    fn games_begin_at_tags_after_moves_and_after_results() {
        check("", &[]);
        check("\n\r\n \n", &[]);
        check(
            "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n",
            &["[Event \"a", "[Event \"b"],
        );
        check(
            "[White \"a\"]\r\n\r\n1. e4 *\r\n[White \"b\"]\r\n\r\n1. d4",
            &["[White \"a", "[White \"b"],
        );
        check("1. e4 e5 1-0\n\n1. d4 1/2-1/2", &["1. e4", "1. d4"]);
        check(
            "1. e4 \u{bd}-\u{bd}\n\n1. d4 1\u{2013}0\n\n1. c4 0-1\n\n1. a4 *",
            &["1. e4", "1. d4", "1. c4", "1. a4"],
        );
        // Moves on the line of the last tag.
        check(
            "[White \"a\"] [Black \"]\"] 1. e4 *\n[White \"b\"] 1. d4 *",
            &["[White \"a", "[White \"b"],
        );
        check("[White \"a\" 1. e4]\n[White \"b\"]\n1. d4", &["[White \"a", "[White \"b"]);
        check("[White \"a\"] {x\n[Black \"b\"] } 1. e4", &["[White \"a"]);
        check("[White \"a\"] [Black \"b\"] \n[Site \"c\"]\n1. e4", &["[White \"a"]);
        // Two headers without moves.
        check("[Event \"a\"]\n[Event \"b\"]\n\n*\n", &["[Event \"a", "[Event \"b"]);
    }

    #[test]
    fn blank_lines_and_tags_in_comments_end_no_game() {
        check("[Event \"a\"]\n\n\n1. e4\n\ne5 { much\n\n[%eval 1]\n\n} *\n", &["[Event"]);
        check("1. e4 { no result: 1-0 }\n\ne5 ; nor 0-1\n\n*\n\n1. d4", &["1. e4", "1. d4"]);
        check("1. e4 e5 1-0 {much\n\nmore }\n\n1. d4 *", &["1. e4", "1. d4"]);
        check("% 1-0\n1. e4\n\n% [Event\ne5 *\n", &["1. e4"]);
        check("1. e4 { beyond the\n[Event horizon] } e5\n*\n", &["1. e4"]);
    }

    #[test]
    fn comments_and_control_characters_outside_games_are_no_game() {
        check("1. e4 *\r\n\r\n\x1a", &["1. e4"]);
        check("1. e4 *\r\n\x1a", &["1. e4"]);
        check("1. e4 *\x1a\x1a", &["1. e4"]);
        assert_eq!(games(b"1. e4 *\x1a\x1a", 8)[0].bytes, b"1. e4 *\n");
        // Files that were put together.
        for end in ["\n\x1a", "\r\n\x1a", "\x1a"] {
            let joined = format!("[Event \"a\"]\n1. e4 *{end}[Event \"b\"]\n1. d4 *{end}");
            check(&joined, &["[Event \"a", "[Event \"b"]);
        }
        assert_eq!(games(b"[White \"a\"]\x1a[Black \"b\"]\x1a1. e4 *", 8).len(), 1);
        check("; exported by X\n[Event \"a\"]\n1. e4 *\n", &["[Event \"a"]);
        check("{exported\n\nby X}\n% twice\n; or so\n\n[Event \"a\"]\n*\n", &["[Event \"a"]);
        let timed_out = "1. e4 e5 1-0\n\n{White wins on time}\n\n";
        check(timed_out, &["1. e4"]);
        check(&format!("{timed_out}[Event \"b\"]\n*\n"), &["1. e4", "[Event \"b"]);
        check(&format!("{timed_out}; the end"), &["1. e4"]);
        check("{White wins}\n\n1. d4 *", &["{White"]);
        // It may hide games.
        check("{open\n1. e4 e5\n", &["{open"]);
        check("{open\n[Event \"a\"]\n*\n", &["{open", "[Event \"a"]);
    }

    #[test]
    fn lines_may_end_with_carriage_returns() {
        let begins = ["[Event \"a", "[Event \"b", "1. c4"];
        let text =
            "[Event \"a\"]\n\n1. e4 ; open\n% 1. e5\n{b}\n*\n\n[Event \"b\"]\n1. d4 *\n\n1. c4 *";
        for end in ["\r", "\r\n"] {
            let text = text.replace('\n', end);
            check(&text, &begins);
            let first = &games(text.as_bytes(), 64)[0];
            assert_eq!(read(first).expect("a good game").moves.len(), 1, "{text:?}");
        }
        // One at the end of a piece of a long line belongs to its line feed.
        let mut long = vec![b'x'; MAX_PIECE - 1];
        long.extend_from_slice(b"\r\n*\r\n\r\n1. d4 *");
        assert_eq!(games(&long, 100).len(), 2);
        assert_eq!(games(&long, 100)[0].bytes.len(), MAX_PIECE + 4);
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let found = games(b"\xef\xbb\xbf[Event \"a\"]\n\n*\n", 8192);
        assert_eq!(found.len(), 1);
        assert!(found[0].bytes.starts_with(b"[Event"));
        // One at the beginning of each file that was put together, with and without a blank line.
        let joined =
            "\u{feff}[Event \"a\"]\n\n*\n\u{feff}[Event \"b\"]\n*\n\n\u{feff}[Event \"c\"]\n\n*\n";
        check(joined, &["[Event \"a", "[Event \"b", "[Event \"c"]);
    }

    #[test]
    fn memory_is_bounded_whatever_the_file() {
        let mut text = b"1. e4 ".to_vec();
        text.resize(3 * MAX_GAME, b'x');
        text.extend_from_slice(b"\n*\n\n1. d4 *");
        let found = games(&text, 8192);
        assert_eq!(found.len(), 2);
        assert!(found[0].is_cut && found[0].bytes.len() == MAX_GAME);
        assert_eq!(found[0].verbatim.len(), MAX_GAME);
        assert!(!found[1].is_cut && found[1].bytes == b"1. d4 *");
    }
}
