//! A table: a game with its tree, its players, their clocks, and the engines that work for it.

mod analysis;
mod ask;
mod begin;
mod change;
mod engine_moves;
mod error;
mod games;
mod keep;
mod known;
mod play;
mod report;
mod state;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_movegen::{Color, PerColor};
use tamarin_notation::pgn;
use tamarin_play::clock::Clocks;
use tamarin_variant as variant;
use tokio::sync::broadcast;

use self::analysis::Analysis;
use self::ask::Asked;
pub use self::error::TableError;
use self::games::GameFile;
use self::report::Report;
use crate::place::End;
use crate::players::Seat;
use crate::protocol::{Command, Kind, Open};
use crate::saved::Keeper;
use crate::seeker::{Answer, Resources, Seeker};
use crate::tree::{NodeId, Tree};

/// Events that a slow page may be behind.
const EVENTS: usize = 32;

/// How often a running clock is told.
const CLOCK_EVERY: Duration = Duration::from_secs(1);

/// Something that pages are told.
#[derive(Clone, Debug)]
pub struct Event {
    /// What kind of event it is.
    pub name: &'static str,
    /// In JSON.
    pub data: Arc<str>,
}

/// The rules that are played.
#[derive(Clone)]
pub enum Rules {
    /// Chess or Chess960.
    Chess,
    /// A variant, by its name.
    Variant(String, Arc<variant::Game>),
}

/// A table.
pub struct Table {
    id: String,
    /// What it began with.
    opened: Open,
    rules: Rules,
    tree: Tree,
    /// The node on the board.
    at: NodeId,
    seats: PerColor<Seat>,
    clocks: Option<Clocks>,
    /// Each move has its time, and what is left of it is lost.
    is_by_move: bool,
    /// The clocks before each move of the game.
    before: HashMap<NodeId, PerColor<Duration>>,
    end: Option<End>,
    /// Who offers a draw.
    offer: Option<Color>,
    /// Who wants to play what as soon as it is legal.
    premove: Option<(Color, String)>,
    is_paused: bool,
    warns: bool,
    analysis: Analysis,
    advisor: Option<Seeker>,
    asked: Option<Asked>,
    /// The last hint, and where it was asked for.
    hinted: Option<(NodeId, Answer)>,
    file: Option<GameFile>,
    report: Option<Report>,
    /// Grows with every change.
    version: u64,
    /// The game as it was read, as long as nothing is changed.
    record: Option<(pgn::Game, u64)>,
    /// Tags of the game.
    tags: Vec<(String, String)>,
    resources: Resources,
    keeper: Option<Keeper>,
    sender: broadcast::Sender<Event>,
    /// Pages that are open, and whether there ever was one.
    pages: usize,
    was_seen: bool,
    clock_told: Option<Instant>,
    /// When somebody last asked for this table.
    pub used: Instant,
}

impl Table {
    /// The number of the table.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the table is for.
    pub const fn kind(&self) -> Kind {
        self.opened.kind
    }

    /// The events from now on.
    pub fn listen(&mut self) -> broadcast::Receiver<Event> {
        self.pages += 1;
        self.was_seen = true;
        self.used = Instant::now();
        self.sender.subscribe()
    }

    /// A page has gone. With the last one all searches end.
    pub fn leave(&mut self) {
        self.pages = self.pages.saturating_sub(1);
        self.used = Instant::now();
        if self.pages == 0 {
            self.rest();
        }
    }

    /// How many pages show the table.
    pub const fn pages(&self) -> usize {
        self.pages
    }

    /// Whether nobody looks any more.
    const fn is_left(&self) -> bool {
        self.was_seen && self.pages == 0
    }

    /// Ends all searches; those that are due begin again when a page is there. The clocks stand
    /// still until then.
    fn rest(&mut self) {
        self.analysis.rest();
        self.asked = None;
        if let Some(advisor) = &mut self.advisor {
            advisor.stop();
        }
        for seat in &mut self.seats.0 {
            seat.stop();
        }
        if let Some(file) = &self.file {
            file.cancel();
        }
        if let Some(report) = &self.report {
            report.cancel();
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(Instant::now());
        }
    }

    fn tell(&self, name: &'static str, data: &Value) {
        if self.sender.receiver_count() > 0 {
            self.send(Event { name, data: data.to_string().into() });
        }
    }

    fn send(&self, event: Event) {
        // The last page may just have gone.
        let _ = self.sender.send(event);
    }

    /// The state as an event.
    pub fn event(&self) -> Event {
        Event { name: "state", data: self.state().into() }
    }

    /// Says something to whoever is there.
    fn notice(&self, text: &str) {
        self.tell("notice", &json!({ "text": text }));
    }

    /// Tells all pages how things are, and keeps the game.
    fn changed(&mut self) -> Arc<str> {
        self.keep();
        self.told()
    }

    /// Tells all pages how things are, where nothing is to be kept.
    fn told(&mut self) -> Arc<str> {
        self.version += 1;
        let data: Arc<str> = self.state().into();
        self.send(Event { name: "state", data: Arc::clone(&data) });
        data
    }

    /// Carries out a command, and gives the answer in JSON: the state after it.
    ///
    /// # Errors
    /// Why nothing was done.
    pub fn perform(&mut self, command: Command) -> Result<String, TableError> {
        self.used = Instant::now();
        // A flag may have fallen meanwhile.
        self.advance(Instant::now());
        if let Command::Rules { text } = command {
            return Ok(begin::check_rules(&text).to_string());
        }
        let is_kept = command.is_kept();
        self.carry_out(command, Instant::now())?;
        let state = if is_kept { self.changed() } else { self.told() };
        Ok(format!("{{\"state\":{state}}}"))
    }

    fn carry_out(&mut self, command: Command, now: Instant) -> Result<(), TableError> {
        match command {
            Command::Move { mv, by } => self.person_moves(&mv, by, now),
            Command::Goto { .. }
            | Command::First
            | Command::Back
            | Command::Forward
            | Command::Last => self.show(&command),
            Command::PromoteLine { .. }
            | Command::DeleteLine { .. }
            | Command::Comment { .. }
            | Command::Glyph { .. }
            | Command::Undo
            | Command::Redo => self.edit(command),
            Command::New(open) => self.begin(*open),
            Command::TakeBack => self.take_back(now),
            Command::Resign { side } => self.resign(side, now),
            Command::OfferDraw { side } => self.offer_draw(side, now),
            Command::DeclineDraw => self.decline_draw(),
            Command::ClaimDraw => self.claim_draw(now),
            Command::Flag => self.flag(now),
            Command::Hint { step } => self.hint(step),
            Command::Premove { mv } => self.set_premove(mv, now),
            Command::CancelPremove => {
                self.premove = None;
                Ok(())
            }
            Command::Analyse { on, lines, threads } => self.analyse(on, lines, threads),
            Command::Explain { node } => self.explain(node),
            Command::Report { on, all: true } => self.report_all(on),
            Command::Report { on, all: false } => self.report(on),
            Command::Threat { on } => {
                self.warns = on;
                Ok(())
            }
            Command::SetFen { fen } => self.set_fen(fen),
            Command::LoadPgn { text } => self.load(&text),
            Command::ShowGame { index } => self.show_game(index),
            Command::Name { white, black } => self.name(white, black),
            Command::Stop => self.stop(now),
            Command::Go => self.go_on(),
            Command::Rules { .. } => Ok(()),
        }
    }

    /// Does what is due: clocks, moves of engines, lines. Whether there will be more to do soon.
    pub fn advance(&mut self, now: Instant) -> bool {
        if self.is_left() {
            return false;
        }
        self.run_clock(now);
        self.advance_engines(now);
        self.advance_analysis(now);
        self.advance_question();
        self.advance_file();
        self.advance_report();
        self.is_busy()
    }

    fn is_busy(&self) -> bool {
        let engines = self.seats.0.iter().any(Seat::is_thinking);
        let is_due = self.engine_is_due();
        let clocks = self.clocks.as_ref().is_some_and(Clocks::is_running);
        let file = self.file.as_ref().is_some_and(GameFile::is_running);
        let report = self.report.as_ref().is_some_and(Report::is_running);
        engines
            || is_due
            || clocks
            || file
            || report
            || self.analysis.is_running()
            || self.asked.is_some()
    }
}
