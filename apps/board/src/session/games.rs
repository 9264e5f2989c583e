//! Games as text: reading one or a whole file, analyzing the games of a file, writing one.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use serde_json::{Value, json};
use tamarin_analysis::analyse::analyse_game;
use tamarin_analysis::analyzer::{Analyzer, Effort};
use tamarin_base::with_causes;
use tamarin_game::clock::{Clocks, read_clk};
use tamarin_game::ending::Ending;
use tamarin_game::engine_process::EngineSettings;
use tamarin_game::epd;
use tamarin_game::game::Game;
use tamarin_game::pgn::games::{GameText, Games};
use tamarin_game::pgn::{self, Outcome, Wanted};
use tamarin_game::position::{Castling, Position};
use tamarin_game::tree::Tree;
use tamarin_movegen::{CastlingStyle, Color, PerColor};
use tamarin_search::Limits;
use tamarin_variant as variant;

use super::begin::Rules;
use super::{Event, Session};
use crate::error::BoardError;
use crate::explorer::Explorer;
use crate::library::Stamp;
use crate::players::{Resources, tidy};
use crate::protocol::Kind;

/// Games of a file at most.
pub const MAX_GAMES: usize = 5_000;

/// How many games of a variant are read at once: finding their moves takes longer than in chess.
const EXPLORED: usize = 1_000;

/// Nodes for each position of a game of a file: a quick look.
const NODES: u64 = 4_000;

/// Memory of the engine that looks at them, in MiB.
const HASH: usize = 8;

/// A game of a file, as the index has it.
#[derive(Clone, Default, Serialize)]
struct Row {
    white: String,
    black: String,
    result: String,
    date: Option<String>,
    plies: usize,
    accuracy_white: Option<f64>,
    accuracy_black: Option<f64>,
    opening: Option<String>,
    /// Why it cannot be read.
    error: Option<String>,
}

/// The games of a file. They are no longer analyzed when it is dropped.
pub(super) struct GameFile {
    /// A number of this file alone.
    id: u64,
    texts: Vec<GameText>,
    /// How many more games there are in the file.
    left_out: usize,
    rows: Arc<Mutex<Vec<Row>>>,
    /// The moves of its games as they were read.
    explorer: Explorer,
    shown: usize,
    work: Option<Arc<Work>>,
    /// Its name, if it is kept, and what it had there.
    pub(super) kept: Option<(String, Stamp)>,
}

/// Games that are being analyzed in a thread of their own.
#[derive(Default)]
struct Work {
    is_canceled: AtomicBool,
    is_over: AtomicBool,
}

impl Drop for GameFile {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl GameFile {
    /// Returns `true` while its games are being analyzed.
    pub(super) fn is_running(&self) -> bool {
        self.work.as_ref().is_some_and(|work| !work.is_over.load(Ordering::Relaxed))
    }

    /// The analysis ends; what was found stays.
    pub(super) fn cancel(&self) {
        if let Some(work) = &self.work {
            work.is_canceled.store(true, Ordering::Relaxed);
        }
    }
}

impl Row {
    /// The game of this number, not analyzed yet; it is shown to `seen`, of variants only the first
    /// [`EXPLORED`]. The moves of others are read when they are on the board.
    fn of(
        number: usize,
        text: &GameText,
        wanted: Wanted<'_>,
        seen: impl FnOnce(&pgn::Game<Position>),
    ) -> Self {
        let found = match wanted {
            Wanted::Variant(..) if number >= EXPLORED => pgn::summary(text, wanted),
            _ => pgn::read_any(text, wanted).map(|game| {
                seen(&game);
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
            date: game.tag("Date").filter(|date| !date.starts_with('?')).map(str::to_owned),
            opening: game.tag("Opening").or(game.tag("ECO")).map(str::to_owned),
            ..Self::default()
        }
    }

    /// Returns `true` if it was analyzed.
    const fn is_rated(&self) -> bool {
        self.accuracy_white.is_some() || self.accuracy_black.is_some()
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
fn cut(text: &str) -> (Vec<GameText>, usize) {
    let mut games = Games::new(Cursor::new(text.as_bytes()));
    // A text in memory is always read.
    let mut games = std::iter::from_fn(|| games.next_game().ok().flatten());
    let found = games.by_ref().take(MAX_GAMES).collect();
    (found, games.count())
}

/// Analyzes the games one after the other, and reports each one that is done.
fn analyze(
    texts: &[GameText],
    rows: &Mutex<Vec<Row>>,
    resources: &Resources,
    work: &Work,
    send: impl Fn(&'static str, Value),
) -> Result<(), String> {
    let (evaluator, tablebases) = (resources.evaluator.clone(), resources.tablebases.clone());
    let engine = EngineSettings { hash: HASH, evaluator, tablebases };
    let effort = Effort { limits: Limits::nodes(NODES), lines: 1, engine };
    let failed = |error| format!("the games stay unanalyzed: {}", with_causes(&error));
    let mut analyzer = Analyzer::new(&effort, 1).map_err(failed)?;
    let go_on = || !work.is_canceled.load(Ordering::Relaxed);
    for (index, text) in texts.iter().enumerate() {
        let is_done = rows.lock()[index].is_rated();
        let Some(game) = pgn::read(text).ok().filter(|_| !is_done) else { continue };
        let found = analyse_game(game, &mut analyzer, go_on).map_err(failed)?;
        let Some(found) = found else { break };
        let row = &mut rows.lock()[index];
        row.accuracy_white = found.sides[Color::White].accuracy;
        row.accuracy_black = found.sides[Color::Black].accuracy;
        row.opening = found.opening().or(row.opening.take());
        let (done, total) = (index + 1, texts.len());
        send("file", json!({ "index": index, "row": row, "done": done, "total": total }));
    }
    Ok(())
}

/// The tags of a game of which nothing is known but who plays.
const UNKNOWN: [(&str, &str); 4] =
    [("Event", "Casual game"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "-")];

/// The tags of a game that begins now.
pub(super) fn first_tags() -> Vec<(String, String)> {
    let mut tags = UNKNOWN.map(|(name, value)| (name.to_owned(), value.to_owned()));
    tags[2].1 = pgn::header::today();
    tags.into()
}

impl Session {
    /// Analyzes another game, or the games of a file.
    pub(super) fn load(&mut self, text: &str) -> Result<(), BoardError> {
        if self.kind() != Kind::Analyse {
            return Err(BoardError::Kind("another game"));
        }
        self.read(text)
    }

    /// Takes the first game of a text; all of them are in the index if there are several.
    pub(super) fn read(&mut self, text: &str) -> Result<(), BoardError> {
        let positions = epd::games(text);
        let (texts, left_out) = cut(positions.as_deref().unwrap_or(text));
        let first =
            texts.first().ok_or_else(|| BoardError::Begin("there is no game in it".into()))?;
        if texts.len() == 1 {
            let game = self.taken(first)?;
            self.take(game);
            self.file = None;
            return Ok(());
        }
        let mut explorer = Explorer::default();
        let row = |(number, text): (usize, &GameText)| {
            Row::of(number, text, self.rules.wanted(), |game| explorer.add(number, game))
        };
        let rows: Vec<Row> = texts.iter().enumerate().map(row).collect();
        let explorer = explorer.finished();
        let good = (0..).zip(&texts).filter(|(index, _): &(usize, _)| rows[*index].error.is_none());
        let mut games = good.filter_map(|(index, text)| Some((index, self.taken(text).ok()?)));
        let none = || BoardError::Begin("no game in it can be read".into());
        let (shown, game) = games.next().ok_or_else(none)?;
        drop(games);
        self.take(game);
        let (id, rows) = (self.version + 1, Arc::new(Mutex::new(rows)));
        let (work, kept) = (None, None);
        self.file = Some(GameFile { id, texts, left_out, rows, explorer, shown, work, kept });
        Ok(())
    }

    /// Puts a game of the file on the board. The changes of the one that is there stay.
    pub(super) fn show_game(&mut self, index: usize) -> Result<(), BoardError> {
        if self.shown_game() == Some(index) && self.is_changed() {
            self.at = 0;
            return Ok(());
        }
        let none = || BoardError::Begin(format!("there is no game {index} in the file"));
        let text = self.file.as_ref().and_then(|file| file.texts.get(index)).ok_or_else(none)?;
        let game = self.taken(text)?;
        let changed = self.is_changed().then(|| self.pgn());
        self.take(game);
        if let Some(file) = &mut self.file {
            let texts = changed.map(|text| cut(&text).0).unwrap_or_default();
            if let Ok([text]) = <[GameText; 1]>::try_from(texts) {
                file.texts[file.shown] = text;
            }
            file.shown = index;
        }
        Ok(())
    }

    /// Keeps the games of the file, or the one on the board, under a name.
    pub(super) fn keep_file(&mut self, name: String) -> Result<(), BoardError> {
        let none = BoardError::Kind("keeping a file without a folder for games");
        let library = self.resources.library.as_ref().ok_or(none)?;
        if self.file.as_ref().is_some_and(|file| file.left_out > 0) {
            return Err(BoardError::Kind("keeping a file of which games are left out"));
        }
        let kept = self.file.as_ref().and_then(|file| file.kept.as_ref());
        let known = kept.filter(|(own, _)| *own == name).map(|(_, stamp)| *stamp);
        let written = library.write(&name, &self.all_pgn(), known);
        let written =
            written.map_err(|source| BoardError::Library { name: name.clone(), source })?;
        self.notice(&format!("The games are kept in {name:?}."));
        // Games behind those of another file are not that file.
        if let (Some(file), Some(stamp)) = (&mut self.file, written) {
            file.kept = Some((name, stamp));
        }
        Ok(())
    }

    /// The moves of the games of the file.
    pub(super) fn own_explorer(&self) -> Option<&Explorer> {
        self.file.as_ref().map(|file| &file.explorer)
    }

    /// The games of the file that reach the position on the board.
    pub fn found(&self) -> Value {
        let position = self.tree.position(self.at);
        json!(self.own_explorer().map_or_else(Vec::new, |explorer| explorer.games(&position)))
    }

    fn taken(&self, text: &GameText) -> Result<(Tree, pgn::Game<Position>), BoardError> {
        let bad = |why: String| BoardError::Begin(format!("bad game: {why}"));
        let game = pgn::read_any(text, self.rules.wanted());
        let game = game.map_err(|error| bad(error.to_string()))?;
        Ok((pgn::tree(&game).map_err(bad)?, game))
    }

    fn take(&mut self, (tree, game): (Tree, pgn::Game<Position>)) {
        self.save_copy();
        self.solving = None;
        let pair = |tag: &pgn::Tag| (tag.name().to_owned(), tag.value().to_owned());
        self.put_tree(tree, game.tags.iter().map(pair).collect(), game.outcome);
        self.record = Some(game);
    }

    /// Returns `true` if the game is not as it was read or began.
    pub(super) fn is_changed(&self) -> bool {
        self.unchanged != Some(self.tree.changes())
    }

    pub(super) fn put_tree(&mut self, tree: Tree, tags: Vec<(String, String)>, outcome: Outcome) {
        self.rest_from_game();
        self.analysis.wanted = std::mem::take(&mut self.analysis).wanted;
        self.unchanged = Some(tree.changes());
        self.tree = tree;
        self.serial += 1;
        self.rated = [None; 2];
        self.hinted = None;
        (self.record, self.report) = (None, None);
        self.at = if self.is_game() { self.tree.tip() } else { 0 };
        self.replay(&[]);
        if self.game.ending().is_none() && outcome != Outcome::Unknown {
            self.game.set_ending(Ending::Recorded(outcome));
        }
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let found = tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
            // The names of the game before are not those of this one.
            let found = found.or_else(|| (self.kind() == Kind::Analyse).then_some("?"));
            if let Some(found) = found.filter(|_| !self.players[color].is_engine()) {
                self.players[color].name = tidy(found);
            }
        }
        self.tags = tags;
    }

    /// The game is the main line of the tree from the beginning. `before` are the clocks before its
    /// moves, as far as they are known; else they are what its comments say.
    pub(super) fn replay(&mut self, before: &[Option<PerColor<Duration>>]) {
        let clocks = self.game.clocks().map(|clocks| Clocks::new(clocks.control()));
        self.game = Game::new(self.tree.start().clone(), clocks);
        for (index, id) in self.tree.main_line().into_iter().skip(1).enumerate() {
            let Some(node) = self.tree.node(id) else { continue };
            let Some(mv) = node.mv else { continue };
            self.game.replay(mv, node.comments.iter().find_map(|text| read_clk(text)));
            if let Some(before) = before.get(index).copied().flatten() {
                self.game.set_before(before);
            }
        }
    }

    /// The games of the file begin to be analyzed.
    fn analyze_file(&mut self) {
        let Some(file) = &mut self.file else { return };
        let work = Arc::clone(file.work.insert(Arc::default()));
        let (texts, rows) = (file.texts.clone(), Arc::clone(&file.rows));
        let (resources, sender) = (self.resources.clone(), self.sender.clone());
        let analyze = move || {
            // The last page may just have gone.
            let send = |name, data| drop(sender.send(Event::new(name, &data)));
            let done = analyze(&texts, &rows, &resources, &work, send);
            work.is_over.store(true, Ordering::Relaxed);
            if let Err(why) = done {
                send("notice", json!({ "text": why }));
            }
            let is_canceled = work.is_canceled.load(Ordering::Relaxed);
            send("file", json!({ "over": true, "canceled": is_canceled, "total": texts.len() }));
        };
        if let Err(error) = thread::Builder::new().name("file".into()).spawn(analyze) {
            self.notice(&format!("the games cannot be analyzed: {error}"));
        }
    }

    /// The games of the file go on being analyzed, or not.
    pub(super) fn report_all(&mut self, on: bool) -> Result<(), BoardError> {
        if matches!(self.rules, Rules::Variant(..)) {
            return Err(BoardError::Kind("a report"));
        }
        let file = self.file.as_mut().ok_or(BoardError::Kind("a report of a file"))?;
        if !on {
            file.cancel();
        } else if !file.is_running() {
            self.analyze_file();
        }
        Ok(())
    }

    /// The accuracies of the game of the file that is on the board.
    pub(super) fn rated_in_file(&self) -> [Option<f64>; 2] {
        self.file.as_ref().map_or([None; 2], |file| {
            let row = &file.rows.lock()[file.shown];
            [row.accuracy_white, row.accuracy_black]
        })
    }

    /// All games of the file, each as it was last on the board or else as it was read; without a
    /// file the game on the board.
    pub fn all_pgn(&self) -> String {
        let Some(file) = &self.file else { return self.pgn() };
        let one = |(index, text): (usize, &GameText)| match index == file.shown {
            true => self.pgn(),
            false => String::from_utf8_lossy(&text.verbatim).into_owned(),
        };
        let texts = file.texts.iter().enumerate().map(one);
        texts.map(|text| format!("{}\n\n", text.trim_end())).collect()
    }

    /// The index of the file: a row for each game. Pages ask for it once.
    pub fn index(&self) -> Value {
        self.file.as_ref().map_or_else(|| json!([]), |file| json!(*file.rows.lock()))
    }

    /// What the state says of the file: which one it is, and how many games it has
    /// here and beyond.
    pub(super) fn file_json(&self) -> Value {
        let Some(file) = &self.file else { return Value::Null };
        let rated = file.rows.lock().iter().filter(|row| row.is_rated()).count();
        json!({
            "id": file.id,
            "name": file.kept.as_ref().map(|(name, _)| name),
            "games": file.texts.len(),
            "left_out": file.left_out,
            "rated": rated,
            "running": file.is_running(),
            "rates": matches!(self.rules, Rules::Chess),
        })
    }

    /// Which game of the file is on the board.
    pub(super) fn shown_game(&self) -> Option<usize> {
        self.file.as_ref().map(|file| file.shown)
    }

    /// The game with everything that is known of it. What was read and not changed is written as it
    /// was but for line breaks.
    pub fn pgn(&self) -> String {
        if let Some(record) = &self.record
            && !self.is_changed()
        {
            return pgn::write(record);
        }
        let tags = self.all_tags();
        let tags = tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        pgn::write_tree(tags, &self.tree, self.outcome())
    }

    /// The tags of the game: those that it had, and those that every game has.
    fn all_tags(&self) -> Vec<(String, String)> {
        let mut tags = self.tags.clone();
        if self.is_game() {
            // A game that was resumed may have gone on.
            tags.retain(|(name, _)| name != "Termination");
        }
        let mut set = |name: &str, value: String| match tags.iter_mut().find(|(own, _)| own == name)
        {
            Some((_, old)) => *old = value,
            None => tags.push((name.to_owned(), value)),
        };
        for (name, unknown) in UNKNOWN {
            if self.tags.iter().all(|(own, _)| own != name) {
                set(name, unknown.to_owned());
            }
        }
        set("White", self.players[Color::White].name.clone());
        set("Black", self.players[Color::Black].name.clone());
        set("Result", self.outcome().to_string());
        match (&self.rules, self.tree.start()) {
            (Rules::Variant(name, _), _) => set("Variant", name.clone()),
            (_, Position::Chess(_, Castling::Chess960)) => set("Variant", "Chess960".to_owned()),
            _ => {}
        }
        if let Some(fen) = self.start_fen() {
            set("SetUp", "1".to_owned());
            set("FEN", fen);
        }
        if let (Some(clocks), false) = (self.game.clocks(), self.is_per_move()) {
            set("TimeControl", clocks.control().pgn());
        }
        if let Some(end) = self.game.ending().filter(|_| self.is_game()) {
            set("Termination", end.termination().to_owned());
        }
        tags
    }

    /// The first position, unless it is that of the game.
    pub(super) fn start_fen(&self) -> Option<String> {
        let start = self.tree.start();
        let usual = match (&self.rules, start) {
            (Rules::Variant(_, game), _) => variant::Position::start(game).fen(),
            (Rules::Chess, _) => tamarin_movegen::Position::startpos().fen(CastlingStyle::Standard),
        };
        let fen = start.chess().map_or_else(|| start.fen(), |one| one.fen(CastlingStyle::Standard));
        (fen != usual).then_some(fen)
    }
}
