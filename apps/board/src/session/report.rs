//! The whole game is analyzed: scores and glyphs for each move, and both accuracies.

use serde_json::{Value, json};
use tamarin_analysis::analyse::{self, Judgement, judged_percent};
use tamarin_eval::Score;
use tamarin_game::position::{Move, Position};
use tamarin_game::search::{Ask, Found, Searcher, SearcherError};
use tamarin_game::tree::NodeId;

use super::Session;
use super::state::eval_text;
use crate::error::BoardError;
use crate::players::Resources;

/// Nodes for each position of chess.
const NODES: u64 = 60_000;

/// Nodes for each position of a variant.
const VARIANT_NODES: u64 = 20_000;

/// Memory of the engine, in MiB.
const HASH: usize = 16;

/// Lines for each position: the second one shows whether the first is the only good one.
const LINES: usize = 2;

/// Moves of a better line at most.
const BETTER_PLIES: usize = 8;

/// The glyph of a move that was the only good one.
const ONLY_MOVE: u8 = 8;

/// A report on its way, or one that is done.
pub(super) struct Report {
    /// The engine, until all positions are analyzed.
    searcher: Option<Searcher>,
    /// The position that is searched.
    position: Position,
    /// The main line.
    line: Vec<NodeId>,
    /// What was found and what it is worth, the last position first: what is found there is known
    /// when those before are searched.
    found: Vec<(Found, Option<Score>)>,
}

impl Report {
    pub(super) const fn is_running(&self) -> bool {
        self.searcher.is_some()
    }

    /// It ends; what was found stays.
    pub(super) fn cancel(&mut self) {
        self.searcher = None;
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "running": self.is_running(), "done": self.found.len(), "total": self.line.len(),
        })
    }

    /// What the next position holds: nothing as long as its search runs. One that the rules end is
    /// not searched.
    fn step(&mut self) -> Result<Option<Found>, SearcherError> {
        let Some(searcher) = &mut self.searcher else { return Ok(None) };
        let (is_over, nodes) = match &self.position {
            Position::Chess(position, _) => (!position.has_legal_move(), NODES),
            Position::Variant(_) => (self.position.ending().is_some(), VARIANT_NODES),
        };
        if is_over {
            return Ok(Some(Found::default()));
        }
        if !searcher.is_running() {
            let ask = Ask { lines: LINES, nodes: Some(nodes), ..Ask::default() };
            searcher.start(&self.position, &ask)?;
        }
        Ok(searcher.answer().map(|answer| answer.found))
    }

    /// Moves that lost much, and those that were the only good ones.
    fn glyphs(&self, moves: &[Move]) -> Vec<(NodeId, u8)> {
        let of = |index: usize| &self.found[self.found.len() - 1 - index];
        let one = |(index, &mv): (usize, &Move)| {
            let ((found, before), (_, after)) = (of(index), of(index + 1));
            let is_recapture = index > 0 && is_recapture(moves[index - 1], mv);
            let nag = glyph(found, (*before)?, (*after)?, mv)?;
            (nag != ONLY_MOVE || !is_recapture).then_some((self.line[index + 1], nag))
        };
        moves.iter().enumerate().filter_map(one).collect()
    }

    /// The better line for each move with a glyph of a mistake: the node before it, and its moves.
    fn better(&self, glyphs: &[(NodeId, u8)]) -> Vec<(NodeId, Vec<Move>)> {
        let one = |&(id, nag): &(NodeId, u8)| {
            let index = self.line.iter().position(|node| *node == id)?.checked_sub(1)?;
            let best = self.found[self.found.len() - 1 - index].0.lines.first()?;
            let moves = best.pv.iter().take(BETTER_PLIES).copied().collect();
            (nag != ONLY_MOVE).then_some((self.line[index], moves))
        };
        glyphs.iter().filter_map(one).collect()
    }
}

/// The glyph of a move, by the lines and the score before it and the score after it, each for the
/// side to move. The best move loses nothing, whatever the search after it says.
fn glyph(found: &Found, before: Score, after: Score, mv: Move) -> Option<u8> {
    let best = found.lines.first()?;
    if best.pv.first() == Some(&mv) {
        let second = found.lines.get(1)?;
        let stake = judged_percent(best.worth.score()) - judged_percent(second.worth.score());
        return (stake >= analyse::ONLY_MOVE).then_some(ONLY_MOVE);
    }
    Judgement::of(judged_percent(before) - judged_percent(-after)).map(Judgement::nag)
}

/// Whether a move takes what has just taken something, which everybody sees.
fn is_recapture(before: Move, now: Move) -> bool {
    match (before, now) {
        (Move::Chess(before), Move::Chess(now)) => {
            before.is_capture() && now.is_capture() && before.to() == now.to()
        }
        _ => false,
    }
}

impl Session {
    /// Begins or ends a report of the main line.
    pub(super) fn report(&mut self, on: bool) -> Result<(), BoardError> {
        self.report = None;
        if on {
            let line = self.tree.main_line();
            let position = self.tree.position(self.tree.tip());
            let resources = Resources { hash: HASH, ..self.resources.clone() };
            let searcher = Some(resources.searcher(&position, None, 1)?);
            self.report = Some(Report { searcher, position, line, found: Vec::new() });
        }
        Ok(())
    }

    /// Takes what the report has found, and lets it go on.
    pub(super) fn advance_report(&mut self) {
        let Some(report) = self.report.as_mut().filter(|report| report.is_running()) else {
            return;
        };
        let found = match report.step() {
            Ok(Some(found)) => found,
            Ok(None) => return,
            Err(error) => {
                self.report = None;
                self.notice(&format!("the game stays unanalyzed: {error}"));
                return;
            }
        };
        let Some(left) = report.line.len().checked_sub(report.found.len() + 1) else { return };
        let (id, turn) = (report.line[left], report.position.turn());
        let worth = found.lines.first().map(|line| line.worth.score());
        let worth = worth.or_else(|| report.position.final_score());
        self.analysis.keep(id, turn, &found);
        report.found.push((found, worth));
        if left > 0 {
            report.position.unmake();
        } else {
            report.cancel();
            let ids = report.line.iter().skip(1);
            let moves: Vec<Move> = ids.filter_map(|id| self.tree.node(*id)?.mv).collect();
            // The tree may have changed meanwhile.
            if moves.len() + 1 == report.line.len() {
                let glyphs = report.glyphs(&moves);
                let better = report.better(&glyphs);
                let line = report.line.clone();
                self.annotate(&line, glyphs, &better);
            }
        }
        self.changed();
    }

    /// Moves that lost much, and those that were the only ones, get their glyphs, unless they have
    /// one; mistakes get the better line, and all positions of the line their evaluations.
    fn annotate(
        &mut self,
        line: &[NodeId],
        glyphs: Vec<(NodeId, u8)>,
        better: &[(NodeId, Vec<Move>)],
    ) {
        let before = self.tree.checkpoint(self.at);
        for &id in line {
            if let Some(text) = self.analysis.score(id).and_then(eval_text) {
                self.tree.set_command(id, "eval", &text);
            }
        }
        for (parent, moves) in better {
            let mut position = self.tree.position(*parent);
            let mut at = *parent;
            for &mv in moves {
                let Ok(next) = self.tree.add(at, mv, &position) else { break };
                position.make(mv);
                at = next;
            }
        }
        for (id, nag) in glyphs {
            self.tree.annotate(id, |node| {
                if !node.nags.iter().any(|own| (1..=ONLY_MOVE).contains(own)) {
                    node.nags.push(nag);
                }
            });
        }
        self.tree.keep_for_undo(before);
    }
}

#[cfg(test)]
mod tests {
    use tamarin_analysis::analyse::Judgement;
    use tamarin_eval::Score;
    use tamarin_eval::ScoreValue;
    use tamarin_variant as variant;

    use super::{ONLY_MOVE, glyph};
    use tamarin_game::position::Move;
    use tamarin_game::search::{Found, FoundLine, Worth};

    #[test]
    fn best_move_of_variant_loses_nothing() {
        let game = variant::builtin("knightmate").unwrap();
        let moves = variant::Position::start(&game).legal_moves();
        let line = |index: usize, centipawns| FoundLine {
            worth: Worth::Variant(ScoreValue::Centipawns(centipawns)),
            pv: vec![Move::Variant(moves[index])],
        };
        let glyph = |scores: [i32; 2], after: i32, index: usize| {
            let lines = vec![line(0, scores[0]), line(1, scores[1])];
            let before = lines[0].worth.score();
            let found = Found { lines, ..Found::default() };
            glyph(&found, before, Score::new(after), Move::Variant(moves[index]))
        };
        // The search after the best move finds that it loses.
        assert_eq!(glyph([40, 30], 800, 0), None);
        assert_eq!(glyph([40, -900], 800, 0), Some(ONLY_MOVE));
        assert_eq!(glyph([40, 30], 800, 1), Some(Judgement::Blunder.nag()));
        assert_eq!(glyph([40, 30], -20, 1), None);
    }
}
