//! Threats are searched in the position on the board, and sent.

use serde_json::json;

use super::core::Session;
use super::lines::lines_json;
use tamarin_game::search::Found;

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
