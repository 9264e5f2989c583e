//! What analysis wants, has found, and sends.

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use serde_json::{Value, json};
use tamarin_analysis::analyse::{ONLY_MOVE, win_percent};
use tamarin_eval::wdl;
use tamarin_movegen::Color;

use super::threats::Threats;
use tamarin_game::position::Position;
use tamarin_game::search::{Found, FoundLine, Searcher, Shown, Worth};
use tamarin_game::tree::NodeId;

/// So many positions are remembered with what was found there.
pub const MAX_KEPT: usize = 4_000;

const LINE_PLIES: usize = 24;

/// What was found at a node.
pub struct Kept {
    pub found: Found,
    turn: Color,
}

#[derive(Clone, Copy)]
pub struct Wanted {
    is_on: bool,
    lines: usize,
    threads: Option<usize>,
    threats: bool,
}

#[derive(Default)]
pub struct Analysis {
    pub is_on: bool,
    pub lines: usize,
    pub threads: Option<usize>,
    pub searcher: Option<Searcher>,
    pub has_threads: usize,
    /// What is being searched, with how many lines.
    pub searched: Option<(NodeId, usize)>,
    pub sent: Option<(Instant, Found)>,
    pub kept: HashMap<NodeId, Kept>,
    /// The nodes that are kept, the oldest one first.
    pub order: VecDeque<NodeId>,
    pub threats: Threats,
}

impl Analysis {
    pub fn is_running(&self) -> bool {
        let is_running = self.searcher.as_ref().is_some_and(Searcher::is_running);
        self.is_on && (is_running || self.threats.is_running())
    }

    pub const fn wanted(&self) -> Wanted {
        let Self { is_on, lines, threads, .. } = *self;
        Wanted { is_on, lines, threads, threats: self.threats.is_wanted }
    }

    pub const fn want(&mut self, wanted: Wanted) {
        (self.is_on, self.lines, self.threads) = (wanted.is_on, wanted.lines, wanted.threads);
        self.threats.is_wanted = wanted.threats;
    }

    /// The search ends; it begins again when a page is there.
    pub fn rest(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.stop();
        }
        self.searched = None;
        self.threats.rest();
    }

    /// No more lines.
    pub fn turn_off(&mut self) {
        self.is_on = false;
        self.searcher = None;
        self.rest();
    }

    pub fn json(&self) -> Value {
        json!({
            "on": self.is_on,
            "running": self.is_running(),
            "lines": self.lines.max(1),
            "threads": self.has_threads,
            "threats": self.threats.is_wanted,
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

/// The chances of White, of a draw and of Black, in permille.
fn chances(position: &Position, worth: Worth) -> Option<[u16; 3]> {
    let (Worth::Chess(score), Some(chess)) = (worth, position.chess()) else { return None };
    let [win, draw, loss] = wdl::permille(score, chess);
    Some(match position.turn() {
        Color::White => [win, draw, loss],
        Color::Black => [loss, draw, win],
    })
}

/// A line with its moves as people read them.
fn line_json(position: &Position, line: &FoundLine) -> Value {
    let (mut texts, mut words) = (Vec::new(), Vec::new());
    let mut at = position.clone();
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
        "score": line.worth.for_white(position.turn()),
        "wdl": chances(position, line.worth),
        "mv": texts.first(),
        "pv": texts,
        "san": words.join(" "),
    })
}

/// Whether the first move is the only good one: the second costs as much as in a report, or there is
/// no second.
fn is_only(position: &Position, found: &Found) -> bool {
    match found.lines.as_slice() {
        [best, second, ..] => {
            win_percent(best.worth.score()) - win_percent(second.worth.score()) >= ONLY_MOVE
        }
        [_] => position.legal().len() == 1,
        [] => false,
    }
}

/// The event `lines`, without moves.
pub fn score_json(id: NodeId, position: &Position, found: &Found) -> Value {
    let score = |line: &FoundLine| json!({ "score": line.worth.for_white(position.turn()) });
    let lines: Vec<Value> = found.lines.iter().take(1).map(score).collect();
    json!({ "node": id, "depth": found.depth, "nodes": found.nodes, "lines": lines })
}

/// The event `lines`.
pub fn lines_json(id: NodeId, position: &Position, found: &Found, is_done: bool) -> Value {
    let lines: Vec<Value> = found.lines.iter().map(|line| line_json(position, line)).collect();
    let time = Some(found.time.get()).filter(|time| *time > 0);
    json!({
        "node": id,
        "depth": found.depth,
        "nodes": found.nodes,
        "nps": time.map(|time| found.nodes.saturating_mul(1000) / time),
        "lines": lines,
        "only": is_only(position, found),
        "done": is_done,
    })
}
