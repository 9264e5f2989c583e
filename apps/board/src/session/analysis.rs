//! Analysis of the position on the board: lines that grow, and what was found before.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_analysis::analyse::{Seen, accuracies};

use super::core::Session;
use super::error::SessionError;
use super::lines::{lines_json, score_json};
use tamarin_game::position::Position;
use tamarin_game::search::{Ask, Found, Searcher};
use tamarin_game::tree::NodeId;

/// Lines at most.
const MAX_LINES: usize = 10;

/// Threads at most; more than the computer has do not help.
const MAX_THREADS: usize = 256;

/// Nodes for the evaluation bar of a game.
const GAME_NODES: u64 = 60_000;

/// Lines are sent no more often than this.
const EVERY: Duration = Duration::from_millis(100);

impl Session {
    /// Turns analysis on or off.
    pub(super) fn analyse(
        &mut self,
        on: bool,
        lines: Option<usize>,
        threads: Option<usize>,
        threats: Option<bool>,
    ) -> Result<(), SessionError> {
        let in_range = |what, value: Option<usize>, most| match value {
            Some(value) if value < 1 || value > most => {
                Err(SessionError::Range { what, least: 1, most })
            }
            _ => Ok(()),
        };
        in_range("the number of lines", lines, MAX_LINES)?;
        in_range("the number of threads", threads, MAX_THREADS)?;
        let analysis = &mut self.analysis;
        if !on {
            analysis.turn_off();
            return Ok(());
        }
        analysis.is_on = true;
        analysis.lines = lines.unwrap_or(analysis.lines).max(1);
        analysis.threats.is_wanted = threats.unwrap_or(analysis.threats.is_wanted);
        if threads.is_some() && threads != analysis.threads {
            analysis.threads = threads;
            analysis.searcher = None;
            analysis.searched = None;
        }
        // A page that has just come sees what there is.
        analysis.sent = None;
        self.follow();
        Ok(())
    }

    /// Searches the position on the board, if it is not that already.
    fn follow(&mut self) {
        let lines = if self.is_game() { 1 } else { self.analysis.lines.max(1) };
        let wanted = (self.at, lines);
        // Without a page nothing would end the search.
        if !self.analysis.is_on || self.pages == 0 || self.analysis.searched == Some(wanted) {
            return;
        }
        let position = self.tree.position(self.at);
        self.keep_found();
        self.analysis.searched = Some(wanted);
        self.analysis.sent = None;
        if let Some(kept) = self.analysis.kept.get(&self.at) {
            self.send_of_node("lines", self.found_json(&position, &kept.found, false));
        }
        if position.legal().is_empty() {
            self.analysis.searcher.iter_mut().for_each(Searcher::stop);
            return;
        }
        if let Err(error) = self.search(&position, wanted.1) {
            self.analysis.turn_off();
            self.notice(&error.to_string());
        }
    }

    /// In a game only the evaluation bar shows what is found: no moves are sent.
    fn found_json(&self, position: &Position, found: &Found, is_done: bool) -> Value {
        match self.is_game() {
            true => score_json(self.at, position, found),
            false => lines_json(self.at, position, found, is_done),
        }
    }

    fn search(&mut self, position: &Position, lines: usize) -> Result<(), SessionError> {
        // In a game the processor is for the players.
        let is_game = self.is_game();
        let threads = self.analysis.threads.unwrap_or(self.resources.threads);
        let threads = if is_game { 1 } else { threads };
        let searcher = match &mut self.analysis.searcher {
            Some(searcher) => searcher,
            none => {
                self.analysis.has_threads = threads;
                none.insert(self.resources.searcher(position, None, threads)?)
            }
        };
        let nodes = is_game.then_some(GAME_NODES);
        Ok(searcher.start(position, &Ask { lines, nodes, ..Ask::default() })?)
    }

    /// Remembers what the running search has found.
    fn keep_found(&mut self) {
        let Some((id, _)) = self.analysis.searched else { return };
        let Some(searcher) = &self.analysis.searcher else { return };
        if self.tree.node(id).is_some() {
            self.analysis.keep(id, self.tree.turn(id), &searcher.found());
        }
    }

    /// Tells the lines that are new.
    pub(super) fn advance_analysis(&mut self, now: Instant) {
        if !self.analysis.is_on {
            return;
        }
        self.follow();
        let sent = self.analysis.sent.as_ref();
        if sent.is_some_and(|(when, _)| now.duration_since(*when) < EVERY) {
            return;
        }
        let Some(searcher) = &mut self.analysis.searcher else { return };
        let answer = searcher.answer();
        let is_done = answer.is_some();
        let found = answer.map_or_else(|| searcher.found(), |answer| answer.found);
        let is_new = !found.lines.is_empty()
            && sent.is_none_or(|(_, last)| last.lines != found.lines || last.depth != found.depth);
        if !is_done && !is_new {
            return;
        }
        let position = self.tree.position(self.at);
        let kept = self.analysis.kept.get(&self.at).map(|kept| &kept.found);
        // Stepping back shows what was found until the new search has come as far; more lines than
        // were found then are shown at once.
        let has_more =
            |kept: &&Found| kept.depth > found.depth && kept.lines.len() >= found.lines.len();
        let shown = match kept.filter(has_more) {
            Some(kept) => is_done.then_some(kept),
            None => Some(&found),
        };
        if let Some(shown) = shown {
            self.send_of_node("lines", self.found_json(&position, shown, is_done));
        }
        self.analysis.keep(self.at, position.turn(), &found);
        self.analysis.sent = Some((now, found));
        if is_done {
            self.send_state();
        }
    }

    /// The accuracies of both sides, as far as the game was analyzed.
    pub(super) fn accuracy(&self) -> Value {
        let line = self.tree.main_line();
        let first = self.tree.start().turn();
        let seen = |(index, id): (usize, &NodeId)| {
            let best = self.analysis.kept.get(id)?.found.lines.first()?;
            let next = line.get(index + 1).and_then(|next| self.tree.node(*next)?.mv);
            let is_best_played = next.is_some() && next == best.pv.first().copied();
            Some(Seen { score: best.worth.score(), is_best_played })
        };
        let mut positions: Vec<Option<Seen>> = line.iter().enumerate().map(seen).collect();
        if let (Some(last), Some(id)) = (positions.last_mut(), line.last())
            && last.is_none()
        {
            let score = self.tree.position(*id).final_score();
            *last = score.map(|score| Seen { score, is_best_played: false });
        }
        let [white, black] = accuracies(first, &positions).0;
        match (white, black) {
            (None, None) => Value::Null,
            _ => json!({ "white": white, "black": black }),
        }
    }
}
