//! Prints what a search of a variant reports as `info` and `bestmove` lines.

use tamarin_uci::{BestMoveLine, Bound, InfoLine, Millis, ScoreText, ScoreValue};
use tamarin_variant::{Move, Position};
use tamarin_variant_search::{BestMove, Info, Value};

use super::printer::Answer;
use crate::variant_game::Observer;

/// The observer of one search of a variant. It answers as [`Printer`](super::printer::Printer)
/// does.
pub struct VariantPrinter {
    /// The answer.
    pub answer: Answer,
    /// The position searched.
    pub root: Position,
    /// Print only the last `info` line.
    pub minimal: bool,
    /// The last iteration.
    pub last: Option<Info>,
}

impl VariantPrinter {
    fn print(&self, info: &Info) {
        self.answer.output.line(&info_line(info, &self.root));
    }
}

impl Observer for VariantPrinter {
    fn iteration(&mut self, info: &Info) {
        if !self.minimal {
            self.print(info);
        }
        self.last = Some(info.clone());
    }

    fn finished(&mut self, best: &BestMove) {
        // The answer has to be the first move of the last line. It may have been found in an
        // iteration that was cut short.
        let last = self.last.as_ref().filter(|last| last.pv.first() == best.pv.first());
        match last {
            Some(last) if self.minimal => self.print(last),
            Some(_) => {}
            None => self.print(&in_last_line(best, self.last.as_ref())),
        }
        let mut texts = line(&self.root, &best.pv).into_iter();
        let answer = match texts.next() {
            Some(text) => BestMoveLine::Move { best: text, ponder: texts.next() },
            None => BestMoveLine::None,
        };
        self.answer.give(&answer);
    }
}

impl Drop for VariantPrinter {
    fn drop(&mut self) {
        if !self.answer.is_missing() {
            return;
        }
        let best = match self.root.legal_moves().first() {
            Some(&mv) => BestMoveLine::Move { best: self.root.text(mv), ponder: None },
            None => BestMoveLine::None,
        };
        self.answer.give(&best);
    }
}

/// The line of an answer that no finished iteration has reported.
fn in_last_line(best: &BestMove, last: Option<&Info>) -> Info {
    Info {
        depth: best.depth.max(u32::from(best.best.is_some())),
        selective_depth: last.map_or(best.depth, |last| last.selective_depth),
        value: best.value,
        nodes: best.nodes,
        time: last.map_or_else(Default::default, |last| last.time),
        hash_full: last.map_or(0, |last| last.hash_full),
        pv: best.pv.clone(),
    }
}

/// The `info` line of an iteration.
fn info_line(info: &Info, root: &Position) -> InfoLine<String> {
    let time = info.time.get();
    InfoLine {
        depth: Some(info.depth),
        seldepth: Some(info.selective_depth.max(info.depth)),
        multipv: Some(1),
        score: Some(ScoreText { value: score(info.value), bound: Bound::Exact, wdl: None }),
        nodes: Some(info.nodes),
        nps: Some(info.nodes.saturating_mul(1000) / time.max(1)),
        hashfull: u16::try_from(info.hash_full).ok(),
        tbhits: Some(0),
        time: Some(Millis(i64::try_from(time).unwrap_or(i64::MAX))),
        pv: line(root, &info.pv),
    }
}

/// A score as the protocols count.
pub const fn score(value: Value) -> ScoreValue {
    match value {
        Value::Centipawns(score) => ScoreValue::Centipawns(score),
        Value::Mate(moves) => ScoreValue::Mate(moves),
    }
}

/// The moves as text; each is legal after those before it.
fn line(root: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = root.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        texts.push(position.text(mv));
        position.make(mv);
    }
    texts
}
