//! Games as text: reading one or a whole file, analyzing the games of a file, writing one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tamarin_game::clock::{Clocks, read_clk};
use tamarin_game::game::Game;
use tamarin_game::pgn::games::GameText;
use tamarin_game::pgn::{self, Outcome};
use tamarin_movegen::{CastlingStyle, Color, PerColor};
use tamarin_variant as variant;

use super::core::{Event, Session};
use super::error::SessionError;
use super::game_file::{GameFile, Row, Work, analyze, cut};
use super::lines::Analysis;
use super::rules::Rules;
use crate::protocol::Kind;
use tamarin_game::position::{Castling, Position};
use tamarin_game::tree::Tree;

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
    pub(super) fn load(&mut self, text: &str) -> Result<(), SessionError> {
        if self.kind() != Kind::Analyse {
            return Err(SessionError::Kind("another game"));
        }
        self.read(text)
    }

    /// Takes the first game of a text; all of them are in the index if there are several.
    pub(super) fn read(&mut self, text: &str) -> Result<(), SessionError> {
        let (texts, left_out) = cut(text);
        let first =
            texts.first().ok_or_else(|| SessionError::Begin("there is no game in it".into()))?;
        if texts.len() == 1 {
            let game = self.taken(first)?;
            self.take(game);
            self.file = None;
            return Ok(());
        }
        let row = |text: &GameText| Row::of(text, self.rules.wanted());
        let rows: Vec<Row> = texts.iter().map(row).collect();
        let good = (0..).zip(&texts).filter(|(index, _): &(usize, _)| rows[*index].error.is_none());
        let mut games = good.filter_map(|(index, text)| Some((index, self.taken(text).ok()?)));
        let none = || SessionError::Begin("no game in it can be read".into());
        let (shown, game) = games.next().ok_or_else(none)?;
        drop(games);
        self.take(game);
        let (id, rows) = (self.version + 1, Arc::new(Mutex::new(rows)));
        self.file = Some(GameFile { id, texts, left_out, rows, shown, work: None });
        Ok(())
    }

    /// Puts a game of the file on the board. The changes of the one that is there stay.
    pub(super) fn show_game(&mut self, index: usize) -> Result<(), SessionError> {
        if self.shown_game() == Some(index) && self.is_changed() {
            self.at = 0;
            return Ok(());
        }
        let none = || SessionError::Begin(format!("there is no game {index} in the file"));
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

    fn taken(&self, text: &GameText) -> Result<(Tree, pgn::Game<Position>), SessionError> {
        let bad = |why: String| SessionError::Begin(format!("bad game: {why}"));
        let game = pgn::read_any(text, self.rules.wanted());
        let game = game.map_err(|error| bad(error.to_string()))?;
        Ok((pgn::tree(&game).map_err(bad)?, game))
    }

    fn take(&mut self, (tree, game): (Tree, pgn::Game<Position>)) {
        self.save_copy();
        let pair = |tag: &pgn::Tag| (tag.name().to_owned(), tag.value().to_owned());
        self.put_tree(tree, game.tags.iter().map(pair).collect(), game.outcome);
        self.record = Some(game);
    }

    /// Returns `true` if the game is not as it was read or began.
    pub(super) fn is_changed(&self) -> bool {
        self.unchanged != Some(self.tree.changes())
    }

    fn put_tree(&mut self, tree: Tree, tags: Vec<(String, String)>, outcome: Outcome) {
        self.rest_from_game();
        let wanted = self.analysis.wanted();
        self.analysis = Analysis::default();
        self.analysis.want(wanted);
        self.unchanged = Some(tree.changes());
        self.tree = tree;
        self.serial += 1;
        self.hinted = None;
        (self.record, self.report) = (None, None);
        self.at = if self.is_game() { self.tree.tip() } else { 0 };
        let is_over = outcome != Outcome::Unknown;
        let recorded = || tamarin_game::ending::Ending::Recorded(outcome);
        self.replay(&[]);
        if self.game.ending().is_none() && is_over {
            self.game.set_ending(recorded());
        }
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let found = tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
            // The names of the game before are not those of this one.
            let found = found.or_else(|| (self.kind() == Kind::Analyse).then_some("?"));
            if let Some(found) = found.filter(|_| !self.players[color].is_engine()) {
                self.players[color].name = crate::players::tidy(found);
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

    /// The games of the file begin to be analyzed, if there are any. Pages learn it at once.
    pub(super) fn advance_file(&mut self) {
        // Accuracies are those of chess.
        if matches!(self.rules, Rules::Variant(..)) {
            return;
        }
        let Some(file) = self.file.as_mut().filter(|file| file.work.is_none()) else { return };
        let is_canceled = Arc::new(AtomicBool::new(false));
        let is_over = Arc::new(AtomicBool::new(false));
        let work = Work { is_canceled: Arc::clone(&is_canceled), is_over: Arc::clone(&is_over) };
        let (texts, rows) = (file.texts.clone(), Arc::clone(&file.rows));
        let (resources, sender) = (self.resources.clone(), self.sender.clone());
        let analyze = move || {
            let done = analyze(&texts, &rows, &resources, &sender, &is_canceled);
            is_over.store(true, Ordering::Relaxed);
            let send_event =
                |name, data: Value| sender.send(Event { name, data: data.to_string().into() });
            if let Err(why) = done {
                let _ = send_event("notice", json!({ "text": why }));
            }
            let is_canceled = is_canceled.load(Ordering::Relaxed);
            let over = json!({ "over": true, "canceled": is_canceled, "total": texts.len() });
            let _ = send_event("file", over);
        };
        file.work = Some(work);
        self.send_state();
        if let Err(error) = thread::Builder::new().name("file".into()).spawn(analyze) {
            self.notice(&format!("the games cannot be analyzed: {error}"));
        }
    }

    /// The games of the file go on being analyzed, or not.
    pub(super) fn report_all(&mut self, on: bool) -> Result<(), SessionError> {
        if matches!(self.rules, Rules::Variant(..)) {
            return Err(SessionError::Kind("a report"));
        }
        let file = self.file.as_mut().ok_or(SessionError::Kind("a report of a file"))?;
        if !on {
            file.cancel();
        } else if !file.is_running() {
            file.work = None;
        }
        Ok(())
    }

    /// The index of the file: a row for each game. Pages ask for it once.
    pub fn index(&self) -> Value {
        match &self.file {
            Some(file) => file.rows.lock().iter().map(Row::json).collect(),
            None => json!([]),
        }
    }

    /// What the state says of the file: which one it is, and how many games it has
    /// here and beyond.
    pub(super) fn file_json(&self) -> Value {
        let Some(file) = &self.file else { return Value::Null };
        let rated = file.rows.lock().iter().filter(|row| row.is_rated()).count();
        json!({
            "id": file.id,
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
