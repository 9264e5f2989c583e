//! The thread of a report, and what is known of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use serde_json::{Value, json};
use tamarin_analysis::analyse::{GameAnalysis, Judgement, Moment, MoveReport};
use tamarin_analysis::analyzer::{Analyzer, Effort, Line, PositionAnalysis};
use tamarin_game::pgn;
use tamarin_movegen::Color;
use tamarin_search::Millis;

use tamarin_game::position::Move;
use tamarin_game::search::{Found, FoundLine, Worth};
use tamarin_game::tree::NodeId;

/// What the thread of a report sends.
pub enum News {
    /// A position was analyzed, where it is this side's turn.
    Position(NodeId, Color, Found),
    /// All were: the glyphs that moves get.
    Over(Vec<(NodeId, u8)>),
    Failed(String),
}

/// A report on its way, or one that is done.
pub struct Report {
    pub done: usize,
    pub total: usize,
    pub is_running: bool,
    pub is_canceled: Arc<AtomicBool>,
    pub news: Receiver<News>,
}

impl Drop for Report {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Report {
    pub const fn is_running(&self) -> bool {
        self.is_running
    }

    /// It ends; what was found stays.
    pub fn cancel(&self) {
        self.is_canceled.store(true, Ordering::Relaxed);
    }

    pub fn json(&self) -> Value {
        json!({ "running": self.is_running, "done": self.done, "total": self.total })
    }
}

/// The glyph of a move that was the only good one.
pub const ONLY_MOVE: u8 = 8;

/// What the thread of a report on a game of chess works on.
pub struct Work {
    pub game: pgn::Game,
    pub nodes: Vec<NodeId>,
    pub effort: Effort,
    pub sender: Sender<News>,
    pub is_canceled: Arc<AtomicBool>,
}

impl Work {
    /// Analyzes all positions.
    pub fn run(self) {
        let mut analyzer = match Analyzer::new(&self.effort, 1) {
            Ok(analyzer) => analyzer,
            Err(error) => {
                let text = format!("the game stays unanalyzed: {error}");
                let _ = self.sender.send(News::Failed(text));
                return;
            }
        };
        let mut position = self.game.start.clone();
        self.game.moves.iter().for_each(|played| played.play(&mut position));
        let mut evaluations = Vec::with_capacity(self.nodes.len());
        // The last position first: what is found there is known when those before are searched.
        for (index, id) in self.nodes.iter().enumerate().rev() {
            let found = analyzer.analyze(&position);
            if self.is_canceled.load(Ordering::Relaxed) {
                return;
            }
            let news = News::Position(*id, position.side_to_move(), converted(&found));
            if self.sender.send(news).is_err() {
                return;
            }
            evaluations.push(found);
            if index > 0 {
                position.unmake();
            }
        }
        evaluations.reverse();
        let found = GameAnalysis::of(self.game, evaluations);
        let _ = self.sender.send(News::Over(glyphs(&self.nodes, &found)));
    }
}

/// Moves that lost much, and those that were the only ones.
fn glyphs(nodes: &[NodeId], found: &GameAnalysis) -> Vec<(NodeId, u8)> {
    let only = |ply: usize| {
        found.critical.iter().any(|one| one.ply == ply && one.moment == Moment::OnlyMove)
    };
    let one = |(ply, report): (usize, &MoveReport)| {
        let nag = report.judgement.map(Judgement::nag);
        Some((*nodes.get(ply + 1)?, nag.or(only(ply).then_some(ONLY_MOVE))?))
    };
    found.moves.iter().enumerate().filter_map(one).collect()
}

fn converted(found: &PositionAnalysis) -> Found {
    let line = |line: &Line| FoundLine {
        worth: Worth::Chess(line.score),
        pv: line.moves.iter().copied().map(Move::Chess).collect(),
    };
    let lines = found.lines.iter().map(line).collect();
    Found { depth: found.depth, nodes: found.nodes, time: Millis::ZERO, lines }
}
