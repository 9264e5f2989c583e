//! Where games and positions come from.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tamarin_movegen::{CastlingStyle, FenError};

use super::input::{Input, Part};
use super::own;
use crate::error::Error;
use tamarin_game::epd::Epd;
use tamarin_game::pgn::games::{GameText, Games};
use tamarin_game::pgn::{self, Game, Rejected, Tag, decoded};

/// The longest line of a file of positions, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// How many lines that are not blank show what a file holds.
const LINES_OF_KIND: usize = 16;

/// What the command line names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Files(Vec<PathBuf>),
    /// A position as FEN or EPD.
    Position(String),
}

impl Origin {
    /// Existing files, or else a position if it can be one.
    pub fn of(words: &[OsString]) -> Self {
        if let [one] = words {
            let text = one.to_string_lossy();
            // A position with too few ranks is reported as such, not as a missing file.
            let has_side = matches!(text.split_whitespace().nth(1), Some("w" | "b"));
            let is_position = text == "startpos" || text.matches('/').count() == 7 || has_side;
            let path = Path::new(one);
            if path.exists() || !is_position {
                return Self::Files(vec![path.to_owned()]);
            }
        }
        let text: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let text = text.join(" ");
        let paths: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
        if paths.iter().any(|path| path.is_file()) && Epd::parse(&text).is_err() {
            return Self::Files(paths);
        }
        match text.as_str() {
            "startpos" => Self::Position(tamarin_movegen::Position::startpos().to_string()),
            text => Self::Position(text.to_owned()),
        }
    }
}

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Games in PGN.
    Games,
    Positions,
}

impl Kind {
    /// What a file holds, by its name, or else by its first lines that are not blank: a tag makes
    /// them games, a position positions.
    pub fn of(input: &Input) -> io::Result<Self> {
        let extension =
            input.plain_name().extension().map(|text| text.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("pgn") => return Ok(Self::Games),
            Some("epd" | "fen" | "fens") => return Ok(Self::Positions),
            _ => {}
        }
        let mut lines = Lines { input: BufReader::new(input.from(0)?), offset: 0, lines: 0 };
        let mut looked_at = 0;
        while let Some(line) = lines.next()?
            && looked_at < LINES_OF_KIND
        {
            let text = decoded(&line.bytes);
            if text.trim_start().starts_with('[') {
                break;
            }
            if Epd::parse(&text).is_ok() {
                return Ok(Self::Positions);
            }
            looked_at += usize::from(!is_blank(&text));
        }
        Ok(Self::Games)
    }
}

/// A place in files.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct Place {
    /// The index of the file.
    pub file: usize,
    /// Bytes before it.
    pub offset: u64,
    /// Line ends before it.
    pub lines: u64,
}

/// A game or a position as it stands in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its first byte.
    pub begin: Place,
    /// The byte after its last one, and after blank lines.
    pub end: Place,
    pub text: ItemText,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemText {
    /// A game in PGN.
    Game(GameText),
    Position(LineText),
}

/// Why an item is left out.
#[derive(Debug, thiserror::Error)]
pub enum ItemError {
    #[error(transparent)]
    Game(#[from] Rejected),
    #[error(transparent)]
    Position(#[from] FenError),
    #[error("longer than 64 KiB")]
    TooLong,
}

impl Item {
    /// The game, without what an earlier run has added, or the position as a game without moves.
    pub fn game(&self) -> Result<Game, ItemError> {
        match &self.text {
            ItemText::Game(text) => {
                let mut game = pgn::read(text)?;
                own::remove(&mut game);
                Ok(game)
            }
            ItemText::Position(line) if line.is_cut => Err(ItemError::TooLong),
            ItemText::Position(line) => Ok(game_of_position(&decoded(&line.bytes))?),
        }
    }
}

fn game_of_position(text: &str) -> Result<Game, FenError> {
    let epd = Epd::parse(text)?;
    let mut game = Game::of_position(epd.position.clone());
    let mut tag = |name: &str, value: String| game.tags.push(Tag::new(name, value));
    if let Some(id) = epd.operand("id") {
        tag("Event", id.to_owned());
    }
    tag("SetUp", "1".to_owned());
    tag("FEN", epd.position.fen(CastlingStyle::Standard));
    Ok(game)
}

/// The items of files, one after the other, in bounded memory.
pub struct Source<'a> {
    inputs: &'a [Input],
    /// Where the file that is read goes on.
    next: Place,
    items: Option<Items>,
}

/// The items of a file.
enum Items {
    Games(Games<BufReader<Part>>),
    Positions(Lines<BufReader<Part>>),
}

impl<'a> Source<'a> {
    /// The items of files from this place on.
    pub const fn new(inputs: &'a [Input], begin: Place) -> Self {
        Self { inputs, next: begin, items: None }
    }

    /// The next item; `None` at the end of the last file.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn next(&mut self) -> Result<Option<Item>, Error> {
        while let Some(input) = self.inputs.get(self.next.file) {
            if let Some(item) = self.next_of(input).map_err(Error::file(input.path()))? {
                self.next = item.end;
                return Ok(Some(item));
            }
            (self.next, self.items) =
                (Place { file: self.next.file + 1, ..Place::default() }, None);
        }
        Ok(None)
    }

    /// The next item of the file that is read.
    fn next_of(&mut self, input: &Input) -> io::Result<Option<Item>> {
        let Place { file, offset, lines } = self.next;
        let items = match &mut self.items {
            Some(items) => items,
            none => {
                let reader = BufReader::with_capacity(1 << 18, input.from(offset)?);
                none.insert(match Kind::of(input)? {
                    Kind::Games => Items::Games(Games::at(reader, offset, lines)),
                    Kind::Positions => Items::Positions(Lines { input: reader, offset, lines }),
                })
            }
        };
        let place = |offset, lines| Place { file, offset, lines };
        match items {
            Items::Games(games) => {
                let Some(text) = games.next_game()? else { return Ok(None) };
                let begin = place(text.offset, text.line - 1);
                let end = place(games.offset(), games.lines());
                Ok(Some(Item { begin, end, text: ItemText::Game(text) }))
            }
            Items::Positions(lines) => loop {
                let begin = place(lines.offset, lines.lines);
                let Some(line) = lines.next()? else { return Ok(None) };
                if !is_blank(&decoded(&line.bytes)) {
                    let end = place(lines.offset, lines.lines);
                    return Ok(Some(Item { begin, end, text: ItemText::Position(line) }));
                }
            },
        }
    }
}

/// Blank lines and comments (`#`, and `%` in files of rejected positions) hold no position.
fn is_blank(line: &str) -> bool {
    let text = line.trim();
    text.is_empty() || text.starts_with(['#', '%'])
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LineText {
    /// Its first 64 KiB.
    pub bytes: Vec<u8>,
    pub is_cut: bool,
}

pub struct Lines<R> {
    input: R,
    offset: u64,
    lines: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line without its end; `None` at the end of the file.
    fn next(&mut self) -> io::Result<Option<LineText>> {
        let mut line = LineText::default();
        loop {
            let mut piece = Vec::new();
            match self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
                Ok(0) => return Ok((!line.bytes.is_empty()).then_some(line)),
                Ok(_) => self.offset += piece.len() as u64,
            }
            let ends = piece.ends_with(b"\n");
            self.lines += u64::from(ends);
            if line.bytes.is_empty() {
                line.bytes = piece;
            } else {
                line.is_cut = true;
            }
            if ends {
                return Ok(Some(line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, Item, Origin, Place, Source};
    use std::ffi::OsString;
    use std::fs;
    use std::path::PathBuf;

    fn items(name: &str, content: &[u8]) -> Vec<Item> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        fs::write(&path, content).expect("there is room");
        let input = Input::open(&path).expect("it can be read");
        let inputs = [input];
        let mut source = Source::new(&inputs, Place::default());
        let items: Vec<Item> =
            std::iter::from_fn(|| source.next().expect("it can be read")).collect();
        // From the end of each item on there are the others, as after a resumption.
        for (index, item) in items.iter().enumerate() {
            let mut rest = Source::new(&inputs, item.end);
            let place = |item: &Item| (item.begin, item.end);
            let next = rest.next().expect("it can be read");
            assert_eq!(next.as_ref().map(place), items.get(index + 1).map(place));
        }
        items
    }

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

    #[test]
    fn headings_come_before_positions_and_remarks_before_games() {
        let list = format!("My positions\n\n{KINGS}\n");
        assert_eq!(items("list", list.as_bytes()).len(), 2);
        let games = format!("; of {{ 1999 }}\n[FEN \"{KINGS}\"]\n\n{KINGS}\n*\n");
        assert_eq!(items("games", games.as_bytes()).len(), 1);
    }

    #[test]
    fn files_are_cut_into_items_that_lie_side_by_side() {
        let games = "[Event \"a\"]\n\n1. e4 *\n\n\n[Event \"b\"]\n\n1. Ke3 *\n\n[Event \"c\"]\n*\n";
        for name in ["games.pgn", "games"] {
            let items = items(name, games.as_bytes());
            assert_eq!(items.len(), 3);
            assert!(items.windows(2).all(|pair| pair[0].end.offset <= pair[1].begin.offset));
            assert!(items[0].game().is_ok() && items[1].game().is_err());
        }
        let text = format!("\u{feff}# positions\n{KINGS} id \"one\";\r\n\nnothing\n{KINGS}");
        for name in ["positions.epd", "positions.FEN"] {
            let items = items(name, text.as_bytes());
            assert_eq!(items.len(), 3);
            let first = items[0].game().expect("it is a position");
            assert_eq!((first.tag("Event"), first.moves.len()), (Some("one"), 0));
            assert!(items[1].game().is_err() && items[2].game().is_ok());
        }
        assert_eq!(items("positions", format!("\n{KINGS}\n").as_bytes()).len(), 1);
        let mended = items("report.json.rejected", format!("% byte 3: why\n{KINGS}\n").as_bytes());
        assert!(mended.len() == 1 && mended[0].game().is_ok());
        let marked = items("marked.epd", format!("\u{feff}{KINGS}\n").as_bytes());
        assert!(marked[0].game().is_ok());
        assert!(items("empty", b"").is_empty() && items("empty.epd", b"\n# \n").is_empty());
    }

    #[test]
    fn a_position_is_distinguished_from_a_file() {
        let of = |words: &[&str]| Origin::of(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of(&["8/8/8 w"]), Origin::Position("8/8/8 w".to_owned()));
        for name in ["white w.pgn", "missing.pgn"] {
            assert_eq!(of(&[name]), Origin::Files(vec![PathBuf::from(name)]));
        }
        assert_eq!(of(&[KINGS]), Origin::Position(KINGS.to_owned()));
        let words: Vec<&str> = KINGS.split(' ').collect();
        assert_eq!(of(&words), Origin::Position(KINGS.to_owned()));
        assert!(matches!(of(&["startpos"]), Origin::Position(text) if text.starts_with("rnbq")));
    }
}
