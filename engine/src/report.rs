//! What a search of any game reports, in the same terms.

use tamarin_eval::Score;
use tamarin_game::position::{Move, Position};
use tamarin_game::spelling::Spelling;
use tamarin_search::{BestMove, CurrentMove, Note, Observer, Report};
use tamarin_uci::{InfoLine, Millis, ScoreText, ScoreValue, Wdl};
use tamarin_variant_search::{self as variant, EngineError, Info};

use crate::engine::WITHOUT_TABLE;

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
    fn info(&mut self, _info: InfoLine<String>) {}

    /// The search of a root move begins.
    fn current_move(&mut self, _current: tamarin_uci::CurrentMove<String>) {}

    /// There is something to tell the user.
    fn note(&mut self, _text: &str) {}

    /// The search has ended and may answer. Called once, after everything else.
    fn answer(&mut self, answer: Answer);
}

/// Hands on what a search reports.
pub struct Reporter {
    pub output: Box<dyn SearchOutput>,
    pub root: Position,
    /// How moves are written.
    pub spelling: Spelling,
}

impl Reporter {
    fn line(&self, moves: impl IntoIterator<Item = Move>) -> Vec<String> {
        self.root.write_line(moves, self.spelling)
    }

    fn answer(&mut self, moves: impl IntoIterator<Item = Move>, score: ScoreValue) {
        let mut texts = self.line(moves).into_iter();
        let (best, reply) = (texts.next(), texts.next());
        self.output.answer(Answer { best, reply, score });
    }
}

/// What a search of chess reports.
pub struct ChessObserver {
    pub reporter: Reporter,
    /// Whether win, draw and loss probabilities are printed.
    pub wdl: bool,
    /// Whether scores are printed in units of the search.
    pub is_raw: bool,
}

impl Observer for ChessObserver {
    fn iteration(&mut self, report: &Report<'_>) {
        let wdl = self.wdl.then(|| chances(report)).flatten();
        let value = match self.is_raw {
            true => ScoreValue::Centipawns(report.score.units()),
            false => report.score.to_uci(),
        };
        self.reporter.output.info(InfoLine {
            depth: Some(report.depth),
            seldepth: Some(report.selective_depth),
            multipv: u32::try_from(report.line).ok(),
            score: Some(ScoreText { value, bound: report.bound, wdl }),
            nodes: Some(report.nodes),
            nps: Some(report.nodes_per_second()),
            hashfull: u16::try_from(report.hash_full).ok(),
            tbhits: Some(report.tablebase_hits),
            time: Some(report.time),
            pv: self.reporter.line(report.pv.iter().copied().map(Move::Chess)),
        });
    }

    fn current_move(&mut self, current: &CurrentMove) {
        let Reporter { output, root, spelling } = &mut self.reporter;
        let mv = root.write(Move::Chess(current.mv), *spelling);
        let number = u32::try_from(current.number).unwrap_or(u32::MAX);
        output.current_move(tamarin_uci::CurrentMove { depth: current.depth, mv, number });
    }

    fn note(&mut self, note: &Note) {
        self.reporter.output.note(&note.to_string());
    }

    fn finished(&mut self, best: &BestMove) {
        let moves = best.mv.into_iter().chain(best.ponder).map(Move::Chess);
        self.reporter.answer(moves, best.score.to_uci());
    }
}

/// What a search of a variant reports.
pub struct VariantObserver {
    pub reporter: Reporter,
    /// Print only the last iteration.
    pub minimal: bool,
    /// The lines of the last iteration, best first.
    pub last: Vec<Info>,
}

impl VariantObserver {
    fn print(&mut self, lines: &[Info]) {
        for (number, info) in (1..).zip(lines) {
            self.print_line(number, info);
        }
    }

    fn print_line(&mut self, number: u32, info: &Info) {
        let pv = self.reporter.line(info.pv.iter().copied().map(Move::Variant));
        self.reporter.output.info(InfoLine {
            depth: Some(info.depth),
            seldepth: Some(info.selective_depth.max(info.depth)),
            multipv: Some(number),
            score: Some(ScoreText::exact(info.value)),
            nodes: Some(info.nodes),
            nps: Some(info.nodes.saturating_mul(1000) / info.time.get().max(1)),
            hashfull: u16::try_from(info.hash_full).ok(),
            tbhits: Some(0),
            time: Some(info.time),
            pv,
        });
    }
}

impl variant::Observer for VariantObserver {
    fn iteration(&mut self, lines: &[Info]) {
        if !self.minimal {
            self.print(lines);
        }
        self.last = lines.to_vec();
    }

    fn refused(&mut self, error: &EngineError) {
        self.reporter.output.note(&format!("error: {error}"));
        self.reporter.output.note(WITHOUT_TABLE);
    }

    fn finished(&mut self, best: &variant::BestMove, time: Millis) {
        // The last line has the nodes of the whole search and begins with the answer: an iteration
        // that was cut short adds nodes, and may have found another move.
        let mut lines = std::mem::take(&mut self.last);
        let is_told = lines.first().is_some_and(|last| {
            !self.minimal && last.pv.first() == best.pv.first() && last.nodes == best.nodes
        });
        if !is_told {
            let count = lines.len().max(1);
            let first = in_last_line(best, time, lines.first());
            lines.retain(|line| line.pv.first() != first.pv.first());
            lines.insert(0, first);
            self.print(&lines[..count.min(lines.len())]);
        }
        self.reporter.answer(best.pv.iter().copied().map(Move::Variant), best.value);
    }
}

/// The line of the end of a search, behind that of its last finished iteration.
fn in_last_line(best: &variant::BestMove, time: Millis, last: Option<&Info>) -> Info {
    // The iteration that was cut short may have less of the same line.
    let is_longer = |last: &&Info| last.value == best.value && last.pv.starts_with(&best.pv);
    let pv = last.filter(is_longer).map_or(&best.pv, |last| &last.pv);
    Info {
        depth: best.depth.max(u32::from(best.mv.is_some())),
        selective_depth: last.map_or(0, |last| last.selective_depth).max(best.selective_depth),
        value: best.value,
        nodes: best.nodes,
        time,
        hash_full: last.map_or(0, |last| last.hash_full),
        pv: pv.clone(),
    }
}

/// Win, draw and loss for the side to move. A draw that the tablebases know is certain.
fn chances(report: &Report<'_>) -> Option<Wdl> {
    if report.is_from_tablebases && report.score == Score::DRAW {
        return Wdl::new(0, 1000, 0);
    }
    let [win, draw, loss] = tamarin_eval::wdl::permille(report.score, report.position);
    Wdl::new(win, draw, loss)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;
    use tamarin_movegen::CastlingNotation;
    use tamarin_search::Millis;
    use tamarin_uci::InfoLine;
    use tamarin_variant::builtin;
    use tamarin_variant_search::{BestMove, Info, Observer as _};

    use super::{Answer, Position, Reporter, SearchOutput, VariantObserver};
    use tamarin_game::spelling::Spelling;
    use tamarin_uci::ScoreValue;

    /// Keeps the lines.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<InfoLine<String>>>>);

    impl SearchOutput for Lines {
        fn info(&mut self, info: InfoLine<String>) {
            self.0.lock().push(info);
        }

        fn answer(&mut self, _: Answer) {}
    }

    /// The lines of a search whose only finished iteration had 974 nodes and a line of two moves
    /// that begins with the first move of the root. The answer is the root move of this number.
    fn lines(answer: usize, nodes: u64, minimal: bool) -> Vec<InfoLine<String>> {
        let rules = builtin("minixiangqi").expect("it is built in");
        let root = tamarin_variant::Position::start(&rules);
        let moves = root.legal_moves();
        let mut next = root.clone();
        next.make(moves[0]);
        let lines = Lines::default();
        let spelling = Spelling::Uci(CastlingNotation::Classic);
        let root = Position::Variant(Box::new(root));
        let reporter = Reporter { output: Box::new(lines.clone()), root, spelling };
        let mut observer = VariantObserver { reporter, minimal, last: Vec::new() };
        let value = ScoreValue::Centipawns(12);
        observer.iteration(&[Info {
            depth: 4,
            selective_depth: 6,
            value,
            nodes: 974,
            time: Millis::new(43),
            hash_full: 1,
            pv: vec![moves[0], next.legal_moves()[0]],
        }]);
        let best = BestMove {
            mv: Some(moves[answer]),
            ponder: None,
            value,
            depth: 4,
            selective_depth: 9,
            nodes,
            branching: 2.0,
            pv: vec![moves[answer]],
        };
        observer.finished(&best, Millis::new(180));
        let mut lines = lines.0.lock();
        std::mem::take(&mut *lines)
    }

    #[test]
    fn the_last_line_is_of_the_end_of_the_search() {
        for (answer, minimal) in [(0, false), (1, false), (0, true), (1, true)] {
            let lines = lines(answer, 3584, minimal);
            assert_eq!(lines.len(), if minimal { 1 } else { 2 }, "{lines:?}");
            let last = &lines[lines.len() - 1];
            assert_eq!((last.depth, last.seldepth), (Some(4), Some(9)));
            assert_eq!((last.nodes, last.time), (Some(3584), Some(Millis::new(180))));
            assert_eq!(last.nps, Some(3584 * 1000 / 180));
            // What the iteration before knew of the same line stays.
            assert_eq!(last.pv.len(), 2 - answer, "{last:?}");
        }
    }

    #[test]
    fn a_search_that_ends_with_an_iteration_has_no_more_lines() {
        for minimal in [false, true] {
            assert_eq!(lines(0, 974, minimal).len(), 1);
        }
    }
}
