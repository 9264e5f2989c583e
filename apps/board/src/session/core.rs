//! What a session holds, and what it tells its pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_game::game::Game;
use tamarin_game::pgn;
use tamarin_movegen::{Color, PerColor};
use tokio::sync::broadcast;

use super::game_file::GameFile;
use super::lines::Analysis;
use super::questions::Asked;
use super::report::Report;
use super::rules::Rules;
use crate::players::Player;
use crate::protocol::{Kind, Open};
use crate::resources::Resources;
use crate::saved::Slot;
use tamarin_game::position::Position;
use tamarin_game::search::{Answer, Searcher};
use tamarin_game::tree::{NodeId, Tree};

/// Events that a slow page may be behind.
pub const EVENTS: usize = 32;

/// How often a running clock is sent.
pub const CLOCK_EVERY: Duration = Duration::from_secs(1);

/// Something that pages are sent.
#[derive(Clone, Debug)]
pub struct Event {
    /// What kind of event it is.
    pub name: &'static str,
    pub data: Arc<str>,
}

pub struct Session {
    pub(super) id: String,
    pub(super) opened: Open,
    pub(super) rules: Rules,
    pub(super) tree: Tree,
    pub(super) at: NodeId,
    pub(super) players: PerColor<Player>,
    /// The game that is played, the main line of the tree; in analysis only how it ended.
    pub(super) game: Game,
    /// Who wants to play what as soon as it is legal.
    pub(super) premove: Option<(Color, String)>,
    pub(super) is_paused: bool,
    pub(super) warns: bool,
    pub(super) analysis: Analysis,
    pub(super) advisor: Option<Searcher>,
    pub(super) asked: Option<Asked>,
    /// The last hint, and where it was asked for.
    pub(super) hinted: Option<(NodeId, Answer)>,
    pub(super) file: Option<GameFile>,
    pub(super) report: Option<Report>,
    /// Grows with every change.
    pub(super) version: u64,
    /// Grows when another game is on the board: its nodes have the same numbers.
    pub(super) serial: u64,
    /// The game as it was read.
    pub(super) record: Option<pgn::Game<Position>>,
    /// How often the tree had been changed when the game was read or began; `None` if its players
    /// were renamed since.
    pub(super) unchanged: Option<u64>,
    pub(super) tags: Vec<(String, String)>,
    pub(super) resources: Resources,
    pub(super) slot: Option<Slot>,
    /// The pages were told that the game cannot be kept, and it could not since.
    pub(super) is_loss_told: bool,
    pub(super) sender: broadcast::Sender<Event>,
    /// Pages that are open, and whether there ever was one.
    pub(super) pages: usize,
    pub(super) was_seen: bool,
    pub(super) clock_sent: Option<Instant>,
    /// When this session was last asked for.
    pub used: Instant,
}

impl Session {
    /// The number of the session.
    pub fn id(&self) -> &str {
        &self.id
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
        let tip = self.tree.tip();
        if self.is_shared_game() && self.at != tip {
            self.at = tip;
            self.send_state();
        }
        self.sender.subscribe()
    }

    /// A page has gone. With the last one all searches end, and their engines are dropped.
    pub fn leave(&mut self) {
        self.pages = self.pages.saturating_sub(1);
        self.used = Instant::now();
        if self.pages == 0 {
            self.rest();
            self.drop_engines();
        }
    }

    /// Drops all engines with their memory; each is made again when it is needed.
    fn drop_engines(&mut self) {
        (self.advisor, self.analysis.searcher) = (None, None);
        self.analysis.threats.searcher = None;
        for player in &mut self.players.0 {
            player.searcher = None;
        }
    }

    /// How many pages show the session.
    pub const fn pages(&self) -> usize {
        self.pages
    }

    /// Returns `true` if the last page has gone.
    pub(super) const fn is_left(&self) -> bool {
        self.was_seen && self.pages == 0
    }

    /// Ends all searches; those that are due begin again when a page is there. The clocks stand
    /// still until then.
    pub(super) fn rest(&mut self) {
        self.rest_from_game();
        if let Some(file) = &self.file {
            file.cancel();
        }
    }

    /// The same, but the games of the file go on being analyzed.
    pub(super) fn rest_from_game(&mut self) {
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
        self.game.stop_clock(Instant::now());
    }

    pub(super) fn send_event(&self, name: &'static str, data: &Value) {
        if self.sender.receiver_count() > 0 {
            self.send(Event { name, data: data.to_string().into() });
        }
    }

    /// The same of a node: the page may have another game by now.
    pub(super) fn send_of_node(&self, name: &'static str, mut data: Value) {
        data["serial"] = self.serial.into();
        self.send_event(name, &data);
    }

    pub(super) fn send(&self, event: Event) {
        // The last page may just have gone.
        let _ = self.sender.send(event);
    }

    pub fn event(&self) -> Event {
        Event { name: "state", data: self.state().into() }
    }

    /// Shows a text on all pages of the session.
    pub(super) fn notice(&self, text: &str) {
        self.send_event("notice", &json!({ "text": text }));
    }

    /// Tells all pages how things are, and keeps the game.
    pub(super) fn changed(&mut self) -> Arc<str> {
        self.keep();
        self.send_state()
    }

    /// Tells all pages how things are, where nothing is to be kept.
    pub(super) fn send_state(&mut self) -> Arc<str> {
        self.version += 1;
        let data: Arc<str> = self.state().into();
        self.send(Event { name: "state", data: Arc::clone(&data) });
        data
    }
}
