//! Analysis of the position on the board: lines that grow, and what was found before.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_analysis::analyse::accuracies;
use tamarin_chess::wdl;
use tamarin_eval::Score;
use tamarin_movegen::Color;

use super::{Table, TableError};
use crate::place::Place;
use crate::seeker::{Ask, Found, FoundLine, Seeker, Shown, Worth};
use crate::tree::NodeId;

/// Lines at most.
const MAX_LINES: usize = 10;

/// Threads at most; more than the computer has help nobody.
const MAX_THREADS: usize = 256;

/// Lines are told no more often than this.
const EVERY: Duration = Duration::from_millis(100);

/// So many positions are remembered with what was found there.
pub const MAX_KEPT: usize = 4_000;

/// Plies of a line that are told.
const LINE_PLIES: usize = 24;

/// What was found at a node.
struct Kept {
    found: Found,
    turn: Color,
}

/// What is wanted: whether, how many lines, and threads.
pub type Settings = (bool, usize, Option<usize>);

/// The analysis at a table.
#[derive(Default)]
pub struct Analysis {
    is_on: bool,
    lines: usize,
    threads: Option<usize>,
    seeker: Option<Seeker>,
    /// Threads of the engine that is there.
    has_threads: usize,
    /// What is being searched, with how many lines.
    searched: Option<(NodeId, usize)>,
    told: Option<(Instant, Found)>,
    kept: HashMap<NodeId, Kept>,
    /// The nodes that are kept, the oldest one first.
    order: VecDeque<NodeId>,
}

impl Analysis {
    /// Does a search run?
    pub fn is_running(&self) -> bool {
        self.is_on && self.seeker.as_ref().is_some_and(Seeker::is_running)
    }

    /// What is wanted.
    pub const fn settings(&self) -> Settings {
        (self.is_on, self.lines, self.threads)
    }

    /// Wants this.
    pub const fn set(&mut self, (is_on, lines, threads): Settings) {
        (self.is_on, self.lines, self.threads) = (is_on, lines, threads);
    }

    /// The search ends; it begins again when somebody looks.
    pub fn rest(&mut self) {
        if let Some(seeker) = &mut self.seeker {
            seeker.stop();
        }
        self.searched = None;
    }

    /// No more lines.
    pub fn turn_off(&mut self) {
        self.is_on = false;
        self.seeker = None;
        self.rest();
    }

    /// For pages.
    pub fn json(&self) -> Value {
        json!({
            "on": self.is_on,
            "running": self.is_running(),
            "lines": self.lines.max(1),
            "threads": self.has_threads,
        })
    }

    /// What a node is worth, as far as it was analyzed.
    pub fn score(&self, id: NodeId) -> Option<Shown> {
        let kept = self.kept.get(&id)?;
        Some(kept.found.lines.first()?.worth.for_white(kept.turn))
    }

    /// Remembers what was found, unless more was found before.
    pub fn keep(&mut self, id: NodeId, turn: Color, found: &Found) {
        if found.lines.is_empty() {
            return;
        }
        match self.kept.get_mut(&id) {
            Some(kept) if kept.found.depth > found.depth => {}
            Some(kept) => kept.found = found.clone(),
            None => {
                self.kept.insert(id, Kept { found: found.clone(), turn });
                self.order.push_back(id);
                if self.order.len() > MAX_KEPT
                    && let Some(oldest) = self.order.pop_front()
                {
                    self.kept.remove(&oldest);
                }
            }
        }
    }
}

impl Table {
    /// Turns analysis on or off.
    pub(super) fn analyse(
        &mut self,
        on: bool,
        lines: Option<usize>,
        threads: Option<usize>,
    ) -> Result<(), TableError> {
        let in_range = |what, value: Option<usize>, most| match value {
            Some(value) if value < 1 || value > most => {
                Err(TableError::Range { what, least: 1, most })
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
        if threads.is_some() && threads != analysis.threads {
            analysis.threads = threads;
            analysis.seeker = None;
            analysis.searched = None;
        }
        // Whoever has just come sees what there is.
        analysis.told = None;
        self.follow();
        Ok(())
    }

    /// Searches the position on the board, if it is not that already.
    fn follow(&mut self) {
        let wanted = (self.at, self.analysis.lines.max(1));
        // Without a page nobody would end the search.
        if !self.analysis.is_on || self.pages == 0 || self.analysis.searched == Some(wanted) {
            return;
        }
        let place = self.tree.place(self.at);
        self.keep_found();
        self.analysis.searched = Some(wanted);
        self.analysis.told = None;
        if let Some(kept) = self.analysis.kept.get(&self.at) {
            let lines = lines_json(self.at, &place, &kept.found, false);
            self.tell("lines", &lines);
        }
        if place.legal().is_empty() {
            self.analysis.seeker.iter_mut().for_each(Seeker::stop);
            return;
        }
        if let Err(error) = self.search(&place, wanted.1) {
            self.analysis.turn_off();
            self.notice(&error.to_string());
        }
    }

    fn search(&mut self, place: &Place, lines: usize) -> Result<(), TableError> {
        let threads = self.analysis.threads.unwrap_or(self.resources.threads);
        let seeker = match &mut self.analysis.seeker {
            Some(seeker) => seeker,
            none => {
                self.analysis.has_threads = threads;
                none.insert(Seeker::new(place, &self.resources, None, threads)?)
            }
        };
        Ok(seeker.start(place, &Ask { lines, ..Ask::default() })?)
    }

    /// Remembers what the running search has found.
    fn keep_found(&mut self) -> Option<(NodeId, Found)> {
        let (id, _) = self.analysis.searched?;
        let found = self.analysis.seeker.as_ref()?.found();
        let turn = self.tree.node(id).map(|_| self.tree.turn(id))?;
        self.analysis.keep(id, turn, &found);
        Some((id, found))
    }

    /// Tells the lines that are new.
    pub(super) fn advance_analysis(&mut self, now: Instant) {
        if !self.analysis.is_on {
            return;
        }
        self.follow();
        let told = self.analysis.told.as_ref();
        if told.is_some_and(|(when, _)| now.duration_since(*when) < EVERY) {
            return;
        }
        let is_new = |found: &Found| {
            !found.lines.is_empty()
                && told
                    .is_none_or(|(_, last)| last.lines != found.lines || last.depth != found.depth)
        };
        let seeker = self.analysis.seeker.as_mut();
        // A search that came to its end keeps what it found.
        let is_over = seeker.as_ref().is_some_and(|seeker| !seeker.is_running());
        let Some(found) = self.analysis.seeker.as_ref().map(Seeker::found).filter(is_new) else {
            if is_over {
                return;
            }
            return self.end_of_search();
        };
        let known = self.analysis.kept.get(&self.at).map_or(0, |kept| kept.found.depth);
        self.keep_found();
        // Stepping back shows what was found until the new search has come as far.
        if found.depth >= known {
            let place = self.tree.place(self.at);
            self.tell("lines", &lines_json(self.at, &place, &found, false));
        }
        self.analysis.told = Some((now, found));
    }

    /// If the search has come to its end, its last lines are told as such.
    fn end_of_search(&mut self) {
        let Some(answer) = self.analysis.seeker.as_mut().and_then(Seeker::answer) else { return };
        let place = self.tree.place(self.at);
        self.analysis.keep(self.at, place.turn(), &answer.found);
        let kept = self.analysis.kept.get(&self.at).map(|kept| &kept.found);
        let lines = lines_json(self.at, &place, kept.unwrap_or(&answer.found), true);
        self.tell("lines", &lines);
        self.changed();
    }

    /// The accuracies of both sides, as far as the game was analyzed.
    pub(super) fn accuracy(&self) -> Value {
        let line = self.tree.main_line();
        let first = self.tree.start().turn();
        let worth = |id: &NodeId| -> Option<Score> {
            if let Some(kept) = self.analysis.kept.get(id)
                && let Worth::Chess(score) = kept.found.lines.first()?.worth
            {
                return Some(score);
            }
            None
        };
        let mut scores: Vec<Option<Score>> = line.iter().map(worth).collect();
        if let (Some(last), Some(id)) = (scores.last_mut(), line.last())
            && last.is_none()
            && let Some(position) = self.tree.place(*id).chess()
            && !position.has_legal_move()
        {
            *last = Some(if position.in_check() { Score::mated_in(0) } else { Score::DRAW });
        }
        let [white, black] = accuracies(first, &scores).0;
        match (white, black) {
            (None, None) => Value::Null,
            _ => json!({ "white": white, "black": black }),
        }
    }
}

/// The chances of White, of a draw and of Black, in permille.
fn chances(place: &Place, worth: Worth) -> Option<[u16; 3]> {
    let (Worth::Chess(score), Some(position)) = (worth, place.chess()) else { return None };
    let wdl = wdl::probabilities(score, position)?;
    let draw = 1000 - wdl.win() - wdl.loss();
    Some(match place.turn() {
        Color::White => [wdl.win(), draw, wdl.loss()],
        Color::Black => [wdl.loss(), draw, wdl.win()],
    })
}

/// A line with its moves as people read them.
fn line_json(place: &Place, line: &FoundLine) -> Value {
    let (mut texts, mut words) = (Vec::new(), Vec::new());
    let mut at = place.clone();
    for (index, mv) in line.pv.iter().take(LINE_PLIES).enumerate() {
        match at.turn() {
            Color::White => words.push(format!("{}.", at.number())),
            Color::Black if index == 0 => words.push(format!("{}...", at.number())),
            Color::Black => {}
        }
        texts.push(at.text(*mv));
        words.push(at.san(*mv));
        at.make(*mv);
    }
    json!({
        "score": line.worth.for_white(place.turn()),
        "wdl": chances(place, line.worth),
        "mv": texts.first(),
        "pv": texts,
        "san": words.join(" "),
    })
}

/// The event `lines`.
fn lines_json(id: NodeId, place: &Place, found: &Found, is_done: bool) -> Value {
    let lines: Vec<Value> = found.lines.iter().map(|line| line_json(place, line)).collect();
    let time = found.time.get().max(1);
    json!({
        "node": id,
        "depth": found.depth,
        "nodes": found.nodes,
        "nps": found.nodes.saturating_mul(1000) / time,
        "lines": lines,
        "done": is_done,
    })
}
