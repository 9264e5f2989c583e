//! Writes what was found: as PGN, JSON lines, a page for a browser, text for a
//! terminal, or puzzles.

mod html;
mod json;
mod pgn;
mod puzzles;
mod side_lines;
mod text;

use std::path::Path;

use clap::ValueEnum;

use super::analysis::GameAnalysis;
use super::explaining::Explain;

/// A form of the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// The games with evaluations, annotations and better lines
    Pgn,
    /// A JSON object a line for each game
    Json,
    /// One page with boards and graphs for a browser, without a network
    Html,
    /// A table for a terminal
    Text,
    /// The mistakes as puzzles in EPD: positions with the best move and the refutation of the move
    /// played
    Epd,
}

/// The forms that names of files ask for by their ends.
const EXTENSIONS: [(&str, Format); 8] = [
    ("pgn", Format::Pgn),
    ("json", Format::Json),
    ("jsonl", Format::Json),
    ("ndjson", Format::Json),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("txt", Format::Text),
    ("epd", Format::Epd),
];

impl Format {
    /// The form that the name of a file asks for.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let is_it = |(known, _): &&(&str, Self)| known.eq_ignore_ascii_case(extension);
        EXTENSIONS.iter().find(is_it).map(|(_, format)| *format)
    }

    /// The ends of names that ask for a form, for messages.
    pub fn extensions() -> String {
        let names = EXTENSIONS.map(|(name, _)| format!(".{name}"));
        let [rest @ .., last] = &names;
        format!("{} or {last}", rest.join(", "))
    }
}

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Its form.
    pub format: Format,
    /// The longest line of moves that is shown, in plies.
    pub line_length: usize,
    /// The moves that are explained, if any.
    pub explain: Option<Explain>,
    /// The mistakes are written as puzzles too.
    pub puzzles: bool,
}

impl Style {
    /// What comes before all games; `title` names where they come from.
    pub fn begin(self, title: &str) -> String {
        match self.format {
            Format::Html => html::begin(title),
            Format::Pgn | Format::Json | Format::Text | Format::Epd => String::new(),
        }
    }

    /// The game with this number, from 1.
    pub fn game(self, analysis: &GameAnalysis, number: u64) -> String {
        let length = self.line_length;
        match self.format {
            Format::Pgn => pgn::write(analysis, length),
            Format::Json => format!("{}\n", json::game(analysis, number, length)),
            Format::Html => {
                html::game(json::game(analysis, number, length), pgn::write(analysis, length))
            }
            Format::Text => text::write(analysis, number, length),
            Format::Epd => puzzles::write(analysis, number, length),
        }
    }

    /// The puzzles of the game with this number, if they are wanted beside the report.
    pub fn puzzles_of(self, analysis: &GameAnalysis, number: u64) -> String {
        let wanted = self.puzzles.then(|| puzzles::write(analysis, number, self.line_length));
        wanted.unwrap_or_default()
    }

    /// What comes after all games.
    pub fn end(self) -> &'static str {
        match self.format {
            Format::Html => html::END,
            Format::Pgn | Format::Json | Format::Text | Format::Epd => "",
        }
    }
}
