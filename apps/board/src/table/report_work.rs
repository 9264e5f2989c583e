//! The thread of a report, and what is known of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use serde_json::{Value, json};
use tamarin_analysis::analyse::GameAnalysis;
use tamarin_analysis::analyzer::{Analyzer, Effort, PositionAnalysis};
use tamarin_movegen::Color;
use tamarin_notation::pgn;

use crate::tree::NodeId;

/// What the thread of a report tells.
pub enum News {
    /// A position was analyzed.
    Position(NodeId, Color, Box<PositionAnalysis>),
    /// All were.
    Over(Vec<NodeId>, Box<GameAnalysis>),
    /// There is no engine.
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
    /// Does it go on?
    pub const fn is_running(&self) -> bool {
        self.is_running
    }

    /// It ends; what was found stays.
    pub fn cancel(&self) {
        self.is_canceled.store(true, Ordering::Relaxed);
    }

    /// For pages.
    pub fn json(&self) -> Value {
        json!({ "running": self.is_running, "done": self.done, "total": self.total })
    }
}

/// What the thread of a report works on.
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
        self.game.moves.iter().for_each(|played| position.make(played.mv));
        let mut evaluations = Vec::with_capacity(self.nodes.len());
        // The last position first: what is found there is known when those before are searched.
        for (index, id) in self.nodes.iter().enumerate().rev() {
            let found = analyzer.analyze(&position);
            if self.is_canceled.load(Ordering::Relaxed) {
                return;
            }
            let news = News::Position(*id, position.side_to_move(), Box::new(found.clone()));
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
        let _ = self.sender.send(News::Over(self.nodes, Box::new(found)));
    }
}
