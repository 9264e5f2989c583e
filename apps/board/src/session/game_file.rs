//! The games of a file: their index, and the thread that analyzes them.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use serde_json::{Value, json};
use tamarin_analysis::analyse::{GameAnalysis, analyse_game};
use tamarin_analysis::analyzer::{Analyzer, Effort};
use tamarin_game::pgn::games::{GameText, Games};
use tamarin_game::pgn::{self, Wanted};
use tamarin_movegen::Color;
use tamarin_search::Limits;
use tamarin_variant as variant;
use tokio::sync::broadcast;

use super::core::Event;
use crate::resources::Resources;

/// Games of a file at most.
pub const MAX_GAMES: usize = 5_000;

/// Nodes for each position of a game of a file: a quick look.
const NODES: u64 = 4_000;

/// Memory of the engine that looks at them, in MiB.
const HASH: usize = 8;

/// A game of a file, as the index has it.
#[derive(Clone, Default, Debug)]
pub struct Row {
    pub white: String,
    pub black: String,
    pub result: String,
    pub plies: usize,
    pub accuracy: [Option<f64>; 2],
    pub opening: Option<String>,
    /// Why it cannot be read.
    pub error: Option<String>,
}

pub struct GameFile {
    /// A number of this file alone.
    pub id: u64,
    pub texts: Vec<GameText>,
    /// How many more games there are in the file.
    pub left_out: usize,
    pub rows: Arc<Mutex<Vec<Row>>>,
    pub shown: usize,
    pub work: Option<Work>,
}

/// Games that are being analyzed in a thread of their own.
pub struct Work {
    pub is_canceled: Arc<AtomicBool>,
    pub is_over: Arc<AtomicBool>,
}

impl Drop for Work {
    fn drop(&mut self) {
        self.is_canceled.store(true, Ordering::Relaxed);
    }
}

impl GameFile {
    /// Returns `true` while its games are being analyzed.
    pub fn is_running(&self) -> bool {
        self.work.as_ref().is_some_and(|work| !work.is_over.load(Ordering::Relaxed))
    }

    /// The analysis ends; what was found stays.
    pub fn cancel(&self) {
        if let Some(work) = &self.work {
            work.is_canceled.store(true, Ordering::Relaxed);
        }
    }
}

impl Row {
    /// A game that was not analyzed yet. The moves of a variant are read when it is shown.
    pub fn of(text: &GameText, wanted: Wanted<'_>) -> Self {
        let found = match wanted {
            Wanted::Variant(..) => pgn::summary(text, wanted),
            _ => pgn::read_any(text, wanted).map(|game| {
                let plies = game.moves.len();
                (game, plies)
            }),
        };
        let (game, plies) = match found {
            Ok(found) => found,
            Err(error) => return Self { error: Some(error.to_string()), ..Self::default() },
        };
        let name = |tag| game.tag(tag).unwrap_or("?").to_owned();
        Self {
            white: name("White"),
            black: name("Black"),
            result: game.outcome.to_string(),
            plies,
            opening: game.tag("Opening").or(game.tag("ECO")).map(str::to_owned),
            ..Self::default()
        }
    }

    /// Returns `true` if it was analyzed.
    pub fn is_rated(&self) -> bool {
        self.accuracy.iter().any(Option::is_some)
    }

    pub fn json(&self) -> Value {
        json!({
            "white": self.white,
            "black": self.black,
            "result": self.result,
            "plies": self.plies,
            "accuracy_white": self.accuracy[0],
            "accuracy_black": self.accuracy[1],
            "opening": self.opening,
            "error": self.error,
        })
    }
}

/// The built-in variant that the first game of a text is one of.
pub fn variant_of(text: &str) -> Option<String> {
    let game = Games::new(Cursor::new(text.as_bytes())).next_game().ok()??;
    let tags = pgn::header::read(&game.bytes).tags;
    let name = tags.iter().find(|tag| tag.name() == "Variant")?.value().to_lowercase();
    (!pgn::is_chess(&name) && variant::builtin(&name).is_some()).then_some(name)
}

/// The games of a text, and how many there are beyond the most that are taken.
pub fn cut(text: &str) -> (Vec<GameText>, usize) {
    let mut games = Games::new(Cursor::new(text.as_bytes()));
    // A text in memory is always read.
    let mut games = std::iter::from_fn(|| games.next_game().ok().flatten());
    let found = games.by_ref().take(MAX_GAMES).collect();
    (found, games.count())
}

/// Analyzes the games one after the other, and reports each one that is done.
pub fn analyze(
    texts: &[GameText],
    rows: &Mutex<Vec<Row>>,
    resources: &Resources,
    sender: &broadcast::Sender<Event>,
    is_canceled: &AtomicBool,
) -> Result<(), String> {
    let network = resources.evaluator.active_network();
    let tablebases = resources.tablebases.clone();
    let effort = Effort { limits: Limits::nodes(NODES), lines: 1, hash: HASH, tablebases, network };
    let analyzer = Analyzer::new(&effort, 1);
    let mut analyzer = analyzer.map_err(|error| format!("the games stay unanalyzed: {error}"))?;
    let go_on = || !is_canceled.load(Ordering::Relaxed);
    for (index, text) in texts.iter().enumerate() {
        let is_done = rows.lock()[index].is_rated();
        let Some(game) = pgn::read(text).ok().filter(|_| !is_done) else { continue };
        let Some(found) = analyse_game(game, &mut analyzer, go_on) else { break };
        note(&mut rows.lock()[index], &found);
        let data = json!({
            "index": index,
            "row": rows.lock()[index].json(),
            "done": index + 1,
            "total": texts.len(),
        });
        let _ = sender.send(Event { name: "file", data: data.to_string().into() });
    }
    Ok(())
}

fn note(row: &mut Row, found: &GameAnalysis) {
    let side = |color: Color| found.sides[color].accuracy;
    row.accuracy = [side(Color::White), side(Color::Black)];
    row.opening = found.opening().or(row.opening.take());
}
