//! What a running search of a variant tells.

use std::sync::Arc;

use crossbeam::channel::Sender;
use parking_lot::Mutex;
use tamarin_uci::xboard::Thinking;
use tamarin_uci::{Bound, Millis, ScoreValue};
use tamarin_variant::Position;
use tamarin_variant_search::{BestMove, Info, Value};

use super::Request;
use super::observer::Progress;
use super::variant_setup::move_text;
use crate::inbox::Event;
use crate::output::Output;
use crate::variant_game::Observer;

/// The observer of one search of a variant. The session hears of its end even if the search panics.
pub struct VariantPrinter {
    /// Where lines go.
    pub output: Arc<Output>,
    /// The inbox that hears of the end of the search.
    pub session: Sender<Event<Request>>,
    /// What the session may ask for.
    pub progress: Arc<Mutex<Progress>>,
    /// The answer, once there is one.
    pub answer: Arc<Mutex<Option<BestMove>>>,
    /// The position searched.
    pub root: Position,
}

impl Observer for VariantPrinter {
    fn iteration(&mut self, info: &Info) {
        let line = thinking(info, &self.root);
        let mut progress = self.progress.lock();
        progress.found(info.nodes, info.depth, line.variation.first().cloned());
        if progress.post {
            self.output.line(&line);
        }
    }

    fn finished(&mut self, best: &BestMove) {
        *self.answer.lock() = Some(best.clone());
    }
}

impl Drop for VariantPrinter {
    fn drop(&mut self) {
        // The session only goes away when the process ends.
        let _ = self.session.send(Event::SearchFinished);
    }
}

fn thinking(info: &Info, root: &Position) -> Thinking {
    let mut position = root.clone();
    let mut variation = Vec::with_capacity(info.pv.len());
    for &m in &info.pv {
        variation.push(move_text(&position, m));
        position.make(m);
    }
    Thinking {
        depth: info.depth,
        score: match info.value {
            Value::Centipawns(score) => ScoreValue::Centipawns(score),
            Value::Mate(moves) => ScoreValue::Mate(moves),
        },
        bound: Bound::Exact,
        time: Millis(i64::try_from(info.time.get()).unwrap_or(i64::MAX)),
        nodes: info.nodes,
        variation,
    }
}
