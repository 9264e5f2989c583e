//! A session: a game with its tree, its players, their clocks, and the engines that work for it.

mod analysis;
mod begin;
mod engine_moves;
mod games;
mod perform;
mod play;
mod questions;
mod report;
mod save;
mod solving;
mod state;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_game::game::Game;
use tamarin_game::pgn;
use tamarin_game::position::Position;
use tamarin_game::search::{Answer, Searcher};
use tamarin_game::tree::{NodeId, Tree};
use tamarin_movegen::{Color, PerColor};
use tokio::sync::broadcast;

use self::analysis::Analysis;
use self::begin::Rules;
use self::games::GameFile;
use self::questions::Asked;
use self::report::Report;
use self::save::Slot;
use self::solving::Solving;
use crate::players::{Player, Resources};
use crate::protocol::{Kind, Open};
use crate::sessions::secret;

pub use self::begin::diagnostics;
pub use self::save::{Folder, Saved};
pub use self::state::State;

/// Events that a slow page may be behind.
const EVENTS: usize = 32;

/// How often a running clock is sent.
const CLOCK_EVERY: Duration = Duration::from_secs(1);

/// Something that pages are sent.
#[derive(Clone, Debug)]
pub enum Event {
    State(State),
    /// What kind of event it is, and its JSON.
    Other(&'static str, Arc<str>),
}

impl Event {
    fn new(name: &'static str, data: &Value) -> Self {
        Self::Other(name, data.to_string().into())
    }

    /// Its name and its JSON for a page that has the tree `known`, and then that of the state.
    pub fn told(&self, known: &mut Option<String>) -> (&'static str, String) {
        match self {
            Self::Other(name, data) => (name, data.to_string()),
            Self::State(state) => {
                let text = state.json(known.as_deref());
                *known = Some(state.stamp.clone());
                ("state", text)
            }
        }
    }
}

pub struct Session {
    id: String,
    opened: Open,
    rules: Rules,
    tree: Tree,
    at: NodeId,
    players: PerColor<Player>,
    /// The game that is played, the main line of the tree; in analysis only how it ended.
    game: Game,
    /// Who wants to play what as soon as it is legal.
    premove: Option<(Color, String)>,
    is_paused: bool,
    /// Who wants to take moves back, where the opponent is asked.
    take_back_asked: Option<Color>,
    /// The tokens of invited players, by the side that they play.
    guests: PerColor<Option<String>>,
    warns: bool,
    /// The game began here, and nobody has helped the person who plays the engine.
    is_unaided: bool,
    analysis: Analysis,
    advisor: Option<Searcher>,
    asked: Option<Asked>,
    /// The last hint, and where it was asked for.
    hinted: Option<(NodeId, Answer)>,
    file: Option<GameFile>,
    report: Option<Report>,
    /// Puzzles that are to be solved.
    solving: Option<Solving>,
    /// Grows with every change.
    version: u64,
    /// Grows when another game is on the board: its nodes have the same numbers.
    serial: u64,
    /// The game as it was read.
    record: Option<pgn::Game<Position>>,
    /// How often the tree had been changed when the game was read or began; `None` if its players
    /// were renamed since.
    unchanged: Option<u64>,
    tags: Vec<(String, String)>,
    /// The accuracies that were kept with the game.
    rated: [Option<f64>; 2],
    resources: Resources,
    slot: Option<Slot>,
    /// The pages were told that the game cannot be kept, and it could not since.
    is_loss_told: bool,
    sender: broadcast::Sender<Event>,
    /// Pages that are open, and whether there ever was one.
    pages: usize,
    was_seen: bool,
    clock_sent: Option<Instant>,
    /// When this session was last asked for.
    pub used: Instant,
}

impl Session {
    /// The number of the session.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub const fn opened(&self) -> &Open {
        &self.opened
    }

    pub const fn kind(&self) -> Kind {
        self.opened.kind
    }

    /// A page begins to follow the session. If two persons play and another page does so too, the board
    /// goes to the last move: no page can walk through the game then.
    pub fn listen(&mut self) -> broadcast::Receiver<Event> {
        self.pages += 1;
        self.was_seen = true;
        self.used = Instant::now();
        if self.is_shared_game() {
            self.notice("The page of another player is here.");
        }
        let tip = self.tree.tip();
        if self.is_shared_game() && self.at != tip {
            self.at = tip;
            self.send_state();
        }
        self.sender.subscribe()
    }

    /// A page has gone. With the last one all searches end, and their engines are dropped with their
    /// memory; each is made again when it is needed.
    pub fn leave(&mut self) {
        let was_shared = self.is_shared_game();
        self.pages = self.pages.saturating_sub(1);
        self.used = Instant::now();
        if was_shared && self.pages > 0 {
            self.notice("The page of another player was closed.");
        }
        if self.pages == 0 {
            self.rest();
            self.advisor = None;
            (self.analysis.lines.searcher, self.analysis.threats.searcher) = (None, None);
            for player in &mut self.players.0 {
                player.searcher = None;
            }
        }
    }

    /// The token of an invited player of a side, made where there is none yet.
    pub fn guest_token(&mut self, side: Color) -> io::Result<String> {
        if let Some(token) = &self.guests[side] {
            return Ok(token.clone());
        }
        let token = secret::<16>()?;
        self.guests[side] = Some(token.clone());
        Ok(token)
    }

    /// The side of the player with this token.
    pub fn side_of_guest(&self, token: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|side| self.guests[*side].as_deref() == Some(token))
    }

    /// How many pages show the session.
    pub const fn pages(&self) -> usize {
        self.pages
    }

    /// Returns `true` if the last page has gone.
    const fn is_left(&self) -> bool {
        self.was_seen && self.pages == 0
    }

    /// Ends all searches; those that are due begin again when a page is there. The clocks stand
    /// still until then.
    fn rest(&mut self) {
        self.rest_from_game();
        if let Some(file) = &self.file {
            file.cancel();
        }
    }

    /// The same, but the games of the file go on being analyzed.
    fn rest_from_game(&mut self) {
        self.analysis.rest();
        self.asked = None;
        if let Some(advisor) = &mut self.advisor {
            advisor.stop();
        }
        for player in &mut self.players.0 {
            player.stop();
        }
        if let Some(report) = &mut self.report {
            report.cancel();
        }
        let now = Instant::now();
        self.game.stop_clock(now);
        self.game.count_time(true, now);
    }

    fn send_event(&self, name: &'static str, data: &Value) {
        if self.sender.receiver_count() > 0 {
            self.send(Event::new(name, data));
        }
    }

    /// The same of a node: the page may have another game by now.
    fn send_of_node(&self, name: &'static str, mut data: Value) {
        data["serial"] = self.serial.into();
        self.send_event(name, &data);
    }

    fn send(&self, event: Event) {
        // The last page may just have gone.
        let _ = self.sender.send(event);
    }

    pub fn event(&self) -> Event {
        Event::State(self.state())
    }

    /// Shows a text on all pages of the session.
    fn notice(&self, text: &str) {
        self.send_event("notice", &json!({ "text": text }));
    }

    /// Tells all pages how things are, and keeps the game.
    fn changed(&mut self) -> State {
        self.keep();
        self.send_state()
    }

    /// Tells all pages how things are, where nothing is to be kept.
    fn send_state(&mut self) -> State {
        self.version += 1;
        let state = self.state();
        self.send(Event::State(state.clone()));
        state
    }
}
