//! What a search of either game reports, in the same terms.

use tamarin_movegen::Position;
use tamarin_search::{BestMove, CurrentMove, Note, Observer, Report};
use tamarin_uci::{Bound, InfoLine, Millis, ScoreText, ScoreValue};
use tamarin_variant_search::{Info, Value};

use super::played::{Board, line};
use super::spelling::Spelling;
use crate::report_text::{bound, score};
use crate::wdl;

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move to play; `None` if there is no legal move.
    pub best: Option<String>,
    /// The answer expected.
    pub reply: Option<String>,
    /// The score of the best move for the side to move.
    pub score: ScoreValue,
}

/// Prints what a search reports. It is dropped without an answer if the search panics.
pub trait SearchOutput: Send {
    /// An iteration has ended.
    fn info(&mut self, info: InfoLine<String>);

    /// The search of a root move begins.
    fn current_move(&mut self, current: tamarin_uci::CurrentMove<String>);

    /// There is something to tell the user.
    fn note(&mut self, text: &str);

    /// The search has ended and may answer. Called once, after everything else.
    fn answer(&mut self, answer: Answer);
}

/// Hands on what a search of chess reports.
pub struct ChessObserver {
    pub output: Box<dyn SearchOutput>,
    pub root: Position,
    /// How moves are written.
    pub spelling: Spelling,
    /// Whether win, draw and loss probabilities are printed.
    pub wdl: bool,
}

impl Observer for ChessObserver {
    fn iteration(&mut self, report: &Report<'_>) {
        let wdl = self.wdl.then(|| wdl::of_report(report)).flatten();
        let value = score(report.score);
        self.output.info(InfoLine {
            depth: Some(report.depth),
            seldepth: Some(report.selective_depth),
            multipv: u32::try_from(report.line).ok(),
            score: Some(ScoreText { value, bound: bound(report.bound), wdl }),
            nodes: Some(report.nodes),
            nps: Some(report.nodes_per_second()),
            hashfull: u16::try_from(report.hash_full).ok(),
            tbhits: Some(report.tablebase_hits),
            time: Some(millis(report.time)),
            pv: line(report.position, report.pv, self.spelling),
        });
    }

    fn current_move(&mut self, current: &CurrentMove) {
        let mv = self.root.write(current.mv, self.spelling);
        let number = u32::try_from(current.number).unwrap_or(u32::MAX);
        self.output.current_move(tamarin_uci::CurrentMove { depth: current.depth, mv, number });
    }

    fn note(&mut self, note: &Note) {
        self.output.note(&note.to_string());
    }

    fn finished(&mut self, best: &BestMove) {
        let moves: Vec<_> = best.mv.into_iter().chain(best.ponder).collect();
        let mut texts = line(&self.root, &moves, self.spelling).into_iter();
        let (first, reply) = (texts.next(), texts.next());
        self.output.answer(Answer { best: first, reply, score: score(best.score) });
    }
}

/// Hands on what a search of a variant reports.
pub struct VariantObserver {
    output: Box<dyn SearchOutput>,
    root: tamarin_variant::Position,
    spelling: Spelling,
    /// Print only the last iteration.
    minimal: bool,
    last: Option<Info>,
}

impl VariantObserver {
    /// An observer of a search of `root`.
    pub const fn new(
        output: Box<dyn SearchOutput>,
        root: tamarin_variant::Position,
        spelling: Spelling,
        minimal: bool,
    ) -> Self {
        Self { output, root, spelling, minimal, last: None }
    }

    pub fn iteration(&mut self, info: &Info) {
        if !self.minimal {
            self.print(info);
        }
        self.last = Some(info.clone());
    }

    /// The search has ended and may answer.
    pub fn finished(&mut self, best: &tamarin_variant_search::BestMove) {
        // The answer has to be the first move of the last line. It may have been found in an
        // iteration that was cut short.
        let last = self.last.take();
        match last.as_ref().filter(|last| last.pv.first() == best.pv.first()) {
            Some(last) if self.minimal => self.print(last),
            Some(_) => {}
            None => self.print(&in_last_line(best, last.as_ref())),
        }
        let mut texts = line(&self.root, &best.pv, self.spelling).into_iter();
        let (first, reply) = (texts.next(), texts.next());
        self.output.answer(Answer { best: first, reply, score: value(best.value) });
    }

    fn print(&mut self, info: &Info) {
        let time = info.time.get();
        self.output.info(InfoLine {
            depth: Some(info.depth),
            seldepth: Some(info.selective_depth.max(info.depth)),
            multipv: Some(1),
            score: Some(ScoreText { value: value(info.value), bound: Bound::Exact, wdl: None }),
            nodes: Some(info.nodes),
            nps: Some(info.nodes.saturating_mul(1000) / time.max(1)),
            hashfull: u16::try_from(info.hash_full).ok(),
            tbhits: Some(0),
            time: Some(millis(info.time)),
            pv: line(&self.root, &info.pv, self.spelling),
        });
    }
}

/// The line of an answer that no finished iteration has reported.
fn in_last_line(best: &tamarin_variant_search::BestMove, last: Option<&Info>) -> Info {
    Info {
        depth: best.depth.max(u32::from(best.mv.is_some())),
        selective_depth: last.map_or(best.depth, |last| last.selective_depth),
        value: best.value,
        nodes: best.nodes,
        time: last.map_or_else(Default::default, |last| last.time),
        hash_full: last.map_or(0, |last| last.hash_full),
        pv: best.pv.clone(),
    }
}

const fn value(value: Value) -> ScoreValue {
    match value {
        Value::Centipawns(score) => ScoreValue::Centipawns(score),
        Value::Mate(moves) => ScoreValue::Mate(moves),
    }
}

fn millis(time: tamarin_search::Millis) -> Millis {
    Millis(i64::try_from(time.get()).unwrap_or(i64::MAX))
}
