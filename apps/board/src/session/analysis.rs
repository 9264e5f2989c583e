//! Analysis of the position on the board: lines that grow, threats, and what was found before.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_analysis::analyse::{ONLY_MOVE, Seen, accuracies, win_percent};
use tamarin_eval::wdl;
use tamarin_game::position::Position;
use tamarin_game::search::{Ask, Found, FoundLine, Searcher, Shown, Worth};
use tamarin_game::tree::NodeId;
use tamarin_movegen::Color;
use tamarin_search::HASH_RANGE;

use super::Session;
use crate::error::BoardError;
use crate::protocol::AnalyseRequest;

/// Lines at most.
const MAX_LINES: usize = 10;

/// Threads at most; more than the computer has do not help.
const MAX_THREADS: usize = 256;

/// Iterations at most, in plies.
const MAX_DEPTH: usize = 100;

/// Nodes for the evaluation bar of a game.
const GAME_NODES: u64 = 60_000;

/// Nodes of a search for threats: what takes longer to see is no threat.
const THREAT_NODES: u64 = 300_000;

/// How many threats are looked for.
const THREAT_LINES: usize = 2;

/// Lines are sent no more often than this.
const EVERY: Duration = Duration::from_millis(100);

/// So many positions are remembered with what was found there.
const MAX_KEPT: usize = 4_000;

/// Moves of a line that are sent.
const LINE_PLIES: usize = 24;

/// A search that follows the board, with an engine of its own.
#[derive(Default)]
pub(super) struct Follower {
    pub(super) searcher: Option<Searcher>,
    /// What is being searched, with how many lines.
    searched: Option<(NodeId, usize)>,
    /// What was sent of it last, and when.
    sent: Option<(Instant, Found)>,
}

impl Follower {
    fn is_running(&self) -> bool {
        self.searcher.as_ref().is_some_and(Searcher::is_running)
    }

    /// The search ends; it begins again when a page is there.
    fn rest(&mut self) {
        self.searcher.iter_mut().for_each(Searcher::stop);
        self.searched = None;
    }

    /// What is new since the last time, and whether the search has ended.
    fn news(&mut self, now: Instant) -> Option<(Found, bool)> {
        let sent = self.sent.as_ref();
        if sent.is_some_and(|(when, _)| now.duration_since(*when) < EVERY) {
            return None;
        }
        let searcher = self.searcher.as_mut()?;
        let answer = searcher.answer();
        let is_done = answer.is_some();
        let found = answer.map_or_else(|| searcher.found(), |answer| answer.found);
        let is_new = !found.lines.is_empty()
            && sent.is_none_or(|(_, last)| last.lines != found.lines || last.depth != found.depth);
        if !is_done && !is_new {
            return None;
        }
        self.sent = Some((now, found.clone()));
        Some((found, is_done))
    }
}

/// What was found at a node.
pub(super) struct Kept {
    pub(super) found: Found,
    turn: Color,
}

/// What pages want to see of an analysis.
#[derive(Clone, Default)]
pub(super) struct Wanted {
    is_on: bool,
    lines: usize,
    threads: Option<usize>,
    hash: Option<usize>,
    /// 0 for no limit.
    depth: usize,
    threats: bool,
    /// Another program than the own engine.
    program: Option<String>,
}

#[derive(Default)]
pub(super) struct Analysis {
    pub(super) wanted: Wanted,
    pub(super) lines: Follower,
    /// It has a memory of its own, so that it does not mix with the analysis.
    pub(super) threats: Follower,
    has_threads: usize,
    pub(super) kept: HashMap<NodeId, Kept>,
    /// The nodes that are kept, the oldest one first.
    order: VecDeque<NodeId>,
}

impl Analysis {
    pub(super) fn is_running(&self) -> bool {
        self.wanted.is_on && (self.lines.is_running() || self.threats.is_running())
    }

    /// The searches end; they begin again when a page is there.
    pub(super) fn rest(&mut self) {
        self.lines.rest();
        self.threats.rest();
    }

    /// No more lines.
    pub(super) fn turn_off(&mut self) {
        self.wanted.is_on = false;
        self.lines.searcher = None;
        self.rest();
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "on": self.wanted.is_on,
            "running": self.is_running(),
            "lines": self.wanted.lines.max(1),
            "threads": self.has_threads,
            "hash": self.wanted.hash,
            "depth": self.wanted.depth,
            "program": self.wanted.program,
            "threats": self.wanted.threats,
        })
    }

    /// What a node is worth, as far as it was analyzed.
    pub(super) fn score(&self, id: NodeId) -> Option<Shown> {
        let kept = self.kept.get(&id)?;
        Some(kept.found.lines.first()?.worth.for_white(kept.turn))
    }

    /// What all nodes that were analyzed are worth.
    pub(super) fn scores(&self) -> BTreeMap<NodeId, Shown> {
        self.kept.keys().filter_map(|id| Some((*id, self.score(*id)?))).collect()
    }

    /// Remembers what was found, unless more was found before.
    pub(super) fn keep(&mut self, id: NodeId, turn: Color, found: &Found) {
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

impl Session {
    /// Turns analysis on or off.
    pub(super) fn analyse(&mut self, request: AnalyseRequest) -> Result<(), BoardError> {
        let AnalyseRequest { lines, threads, hash, depth, program, .. } = request;
        for (what, value, least, most) in [
            ("the number of lines", lines, 1, MAX_LINES),
            ("the number of threads", threads, 1, MAX_THREADS),
            ("the transposition table", hash, *HASH_RANGE.start(), *HASH_RANGE.end()),
            ("the depth", depth, 0, MAX_DEPTH),
        ] {
            if value.is_some_and(|value| !(least..=most).contains(&value)) {
                return Err(BoardError::Range { what, least, most });
            }
        }
        let is_known = |name: &String| self.resources.programs.iter().any(|(own, _)| own == name);
        let program = program.map(|name| Some(name).filter(|name| !name.is_empty()));
        if let Some(Some(name)) = program.as_ref().filter(|name| !name.iter().all(is_known)) {
            return Err(BoardError::NoProgram(name.clone()));
        }
        let analysis = &mut self.analysis;
        if !request.on {
            analysis.turn_off();
            return Ok(());
        }
        let wanted = &mut analysis.wanted;
        wanted.is_on = true;
        self.is_unaided = false;
        wanted.lines = lines.unwrap_or(wanted.lines).max(1);
        wanted.threats = request.threats.unwrap_or(wanted.threats);
        let before = wanted.clone();
        wanted.program = program.unwrap_or_else(|| before.program.clone());
        wanted.depth = depth.unwrap_or(wanted.depth);
        (wanted.threads, wanted.hash) = (threads.or(wanted.threads), hash.or(wanted.hash));
        if before.program != wanted.program {
            // What one engine has found is not what another one says.
            (analysis.lines, analysis.kept) = (Follower::default(), HashMap::new());
            analysis.order.clear();
        } else if (before.threads, before.hash) != (wanted.threads, wanted.hash) {
            analysis.lines = Follower::default();
        } else if before.depth != wanted.depth {
            analysis.lines.rest();
        }
        // A page that has just come sees what there is.
        analysis.lines.sent = None;
        self.follow();
        Ok(())
    }

    /// Searches the position on the board, if it is not that already.
    fn follow(&mut self) {
        let is_game = self.is_game();
        let lines = if is_game { 1 } else { self.analysis.wanted.lines.max(1) };
        let wanted = Some((self.at, lines));
        // Without a page nothing would end the search.
        if !self.analysis.wanted.is_on || self.pages == 0 || self.analysis.lines.searched == wanted
        {
            return;
        }
        let position = self.tree.position(self.at);
        self.keep_found();
        let follower = &mut self.analysis.lines;
        (follower.searched, follower.sent) = (wanted, None);
        if let Some(kept) = self.analysis.kept.get(&self.at) {
            self.send_of_node("lines", self.found_json(&position, &kept.found, false));
        }
        let follower = &mut self.analysis.lines;
        if position.legal().is_empty() {
            follower.searcher.iter_mut().for_each(Searcher::stop);
            return;
        }
        // In a game the processor is for the players.
        let threads = self.analysis.wanted.threads.unwrap_or(self.resources.threads);
        let (threads, nodes) = if is_game { (1, Some(GAME_NODES)) } else { (threads, None) };
        let depth = self.analysis.wanted.depth as u32;
        let depth = Some(depth).filter(|depth| *depth > 0 && !is_game);
        let ask = Ask { lines, nodes, depth, ..Ask::default() };
        self.analysis.has_threads = threads;
        let mut resources = self.resources.clone();
        resources.hash = self.analysis.wanted.hash.unwrap_or(resources.hash);
        let program = self.analysis.wanted.program.as_ref();
        let program = program.filter(|_| !is_game && position.chess().is_some());
        if let (Some(name), None) = (program, &follower.searcher) {
            match resources.program(name, threads) {
                Ok(searcher) => follower.searcher = Some(searcher),
                Err(error) => return self.give_up(&error),
            }
        }
        let begun = resources.search(&mut follower.searcher, &position, threads, &ask);
        if let Err(error) = begun {
            self.give_up(&error.into());
        }
    }

    /// No more lines, for this reason.
    fn give_up(&mut self, why: &BoardError) {
        self.analysis.turn_off();
        self.notice(&why.to_string());
        self.send_state();
    }

    /// In a game only the evaluation bar shows what is found: no moves are sent.
    fn found_json(&self, position: &Position, found: &Found, is_done: bool) -> Value {
        match self.is_game() {
            true => score_json(self.at, position, found),
            false => lines_json(self.at, position, found, is_done),
        }
    }

    /// Remembers what the running search has found.
    fn keep_found(&mut self) {
        let follower = &self.analysis.lines;
        let (Some((id, _)), Some(searcher)) = (follower.searched, &follower.searcher) else {
            return;
        };
        if self.tree.node(id).is_some() {
            let found = searcher.found();
            self.analysis.keep(id, self.tree.turn(id), &found);
        }
    }

    /// Tells the lines and threats that are new.
    pub(super) fn advance_analysis(&mut self, now: Instant) {
        if self.analysis.wanted.is_on {
            self.follow();
            self.send_lines(now);
        }
        if self.analysis.wanted.is_on
            && self.analysis.wanted.threats
            && !self.is_game()
            && self.pages > 0
        {
            self.follow_threats();
            self.send_threats(now);
        } else if self.analysis.threats.searched.is_some() {
            self.analysis.threats.rest();
        }
    }

    fn send_lines(&mut self, now: Instant) {
        if let Some(failure) = self.analysis.lines.searcher.as_mut().and_then(Searcher::failure) {
            return self.give_up(&failure.into());
        }
        let Some((found, is_done)) = self.analysis.lines.news(now) else { return };
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
        if is_done {
            self.send_state();
        }
    }

    /// Searches what the opponent would play if the side to move passed.
    fn follow_threats(&mut self) {
        let follower = &mut self.analysis.threats;
        let wanted = Some((self.at, THREAT_LINES));
        if follower.searched == wanted {
            return;
        }
        follower.rest();
        (follower.searched, follower.sent) = (wanted, None);
        let ask = Ask { nodes: Some(THREAT_NODES), lines: THREAT_LINES, ..Ask::default() };
        // In check there is something else to think about.
        let begun = self.tree.position(self.at).passed().map_or(Ok(()), |passed| {
            self.resources.search(&mut follower.searcher, &passed, 1, &ask)
        });
        let none = json!({ "node": self.at, "depth": 0, "lines": [], "done": false });
        self.send_of_node("threats", none);
        if let Err(error) = begun {
            self.analysis.wanted.threats = false;
            self.notice(&error.to_string());
        }
    }

    fn send_threats(&mut self, now: Instant) {
        if let Some((found, is_done)) = self.analysis.threats.news(now)
            && let Some(passed) = self.tree.position(self.at).passed()
        {
            self.send_of_node("threats", lines_json(self.at, &passed, &found, is_done));
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
        let mut found = accuracies(first, &positions).0;
        if found == [None; 2] {
            // What was kept, or a quick look at the games of the file has found.
            found = if self.rated == [None; 2] { self.rated_in_file() } else { self.rated };
        }
        let [white, black] = found;
        match (white, black) {
            (None, None) => Value::Null,
            _ => json!({ "white": white, "black": black }),
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
fn score_json(id: NodeId, position: &Position, found: &Found) -> Value {
    let score = |line: &FoundLine| json!({ "score": line.worth.for_white(position.turn()) });
    let lines: Vec<Value> = found.lines.iter().take(1).map(score).collect();
    json!({ "node": id, "depth": found.depth, "nodes": found.nodes, "lines": lines })
}

/// The event `lines`.
fn lines_json(id: NodeId, position: &Position, found: &Found, is_done: bool) -> Value {
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
