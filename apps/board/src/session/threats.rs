//! The search for threats: what the opponent would play if the side to move passed.

use serde_json::json;

use super::core::Session;
use super::lines::lines_json;
use crate::resources::Resources;
use tamarin_game::position::Position;
use tamarin_game::search::{Ask, Found, Searcher, SearcherError};
use tamarin_game::tree::NodeId;

/// Nodes of a search for threats: what takes longer to see is no threat.
const NODES: u64 = 300_000;

/// How many threats are looked for.
const LINES: usize = 2;

/// The search for threats.
#[derive(Default)]
pub struct Threats {
    pub is_wanted: bool,
    /// It has a memory of its own, so that it does not mix with the analysis.
    pub searcher: Option<Searcher>,
    /// The node whose threats are known or looked for.
    pub of: Option<NodeId>,
    pub sent: Found,
}

impl Threats {
    pub fn is_running(&self) -> bool {
        self.searcher.as_ref().is_some_and(Searcher::is_running)
    }

    /// The search ends; it begins again when a page is there.
    pub fn rest(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.stop();
        }
        self.of = None;
    }

    /// Searches a position after a pass.
    pub fn search(
        &mut self,
        resources: &Resources,
        passed: &Position,
    ) -> Result<(), SearcherError> {
        let searcher = match &mut self.searcher {
            Some(searcher) => searcher,
            none => none.insert(resources.searcher(passed, None, 1)?),
        };
        let ask = Ask { nodes: Some(NODES), lines: LINES, ..Ask::default() };
        searcher.start(passed, &ask)
    }
}

impl Session {
    /// Searches for threats in the position on the board, and sends new ones.
    pub(super) fn advance_threats(&mut self) {
        let is_wanted = self.analysis.is_on && self.analysis.threats.is_wanted && !self.is_game();
        if !is_wanted || self.pages == 0 {
            if self.analysis.threats.of.is_some() {
                self.analysis.threats.rest();
            }
            return;
        }
        if self.analysis.threats.of != Some(self.at) {
            self.begin_threats();
        }
        let threats = &mut self.analysis.threats;
        let Some(searcher) = &mut threats.searcher else { return };
        let is_running = searcher.is_running();
        let answer = searcher.answer();
        let is_done = answer.is_some();
        let found = answer.map_or_else(|| searcher.found(), |answer| answer.found);
        let is_new = found.depth > threats.sent.depth || is_done;
        if !is_running || !is_new || found.lines.is_empty() {
            return;
        }
        threats.sent = found;
        if let Some(passed) = self.tree.position(self.at).passed() {
            let data = lines_json(self.at, &passed, &self.analysis.threats.sent, is_done);
            self.send_of_node("threats", data);
        }
    }

    fn begin_threats(&mut self) {
        let threats = &mut self.analysis.threats;
        threats.rest();
        (threats.of, threats.sent) = (Some(self.at), Found::default());
        let begun = match self.tree.position(self.at).passed() {
            Some(passed) => threats.search(&self.resources, &passed),
            // In check there is something else to think about.
            None => Ok(()),
        };
        let none = json!({ "node": self.at, "depth": 0, "lines": [], "done": false });
        self.send_of_node("threats", none);
        if let Err(error) = begun {
            self.analysis.threats.is_wanted = false;
            self.notice(&error.to_string());
        }
    }
}
