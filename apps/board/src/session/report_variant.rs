//! The thread of a report on a game of a variant.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use tamarin_analysis::analyse::{self, Judgement, win_percent};
use tamarin_eval::Score;
use tamarin_variant as variant;
use tamarin_variant_search as engine;

use super::report_work::{News, ONLY_MOVE};
use tamarin_game::position::{Move, Position};
use tamarin_game::search::{Found, variant_lines};
use tamarin_game::tree::NodeId;

const NODES: u64 = 20_000;

/// Memory of the engine, in MiB.
const HASH: usize = 16;

pub struct VariantWork {
    /// What evaluates positions.
    pub judge: engine::Judge,
    pub start: Box<variant::Position>,
    /// The moves of the main line.
    pub moves: Vec<variant::Move>,
    /// The first position and each one after a move.
    pub nodes: Vec<NodeId>,
    /// How many lines for each position.
    pub lines: usize,
    pub sender: Sender<News>,
    pub is_canceled: Arc<AtomicBool>,
}

impl VariantWork {
    /// Analyzes all positions, the last one first: what is found there is known when those before
    /// are searched.
    pub fn run(self) {
        let options = engine::Options { hash_mib: HASH, ..engine::Options::default() };
        let mut engine = match engine::Engine::with_judge(self.judge.clone(), &options) {
            Ok(engine) => engine,
            Err(error) => {
                let text = format!("the game stays unanalyzed: {error}");
                let _ = self.sender.send(News::Failed(text));
                return;
            }
        };
        let mut position = self.start.clone();
        self.moves.iter().for_each(|mv| position.make(*mv));
        let mut all = Vec::with_capacity(self.nodes.len());
        for (index, id) in self.nodes.iter().enumerate().rev() {
            let place = Position::Variant(position.clone());
            let found = match place.ending() {
                Some(_) => Found::default(),
                None => variant_lines(&mut engine, &position, self.lines, NODES),
            };
            if self.is_canceled.load(Ordering::Relaxed) {
                return;
            }
            let score = found.lines.first().map(|line| line.worth.score()).or(place.final_score());
            all.push((score, found.clone()));
            if self.sender.send(News::Position(*id, place.turn(), found)).is_err() {
                return;
            }
            if index > 0 {
                position.unmake();
            }
        }
        all.reverse();
        let _ = self.sender.send(News::Over(self.glyphs(&all)));
    }

    /// Moves that lost much, and those that were the only good ones.
    fn glyphs(&self, all: &[(Option<Score>, Found)]) -> Vec<(NodeId, u8)> {
        let one = |(index, mv): (usize, &variant::Move)| {
            let ((before, found), (after, _)) = (&all[index], &all[index + 1]);
            Some((self.nodes[index + 1], glyph(found, (*before)?, (*after)?, *mv)?))
        };
        self.moves.iter().enumerate().filter_map(one).collect()
    }
}

/// The glyph of a move, by the lines and the score before it and the score after it, each for the
/// side to move. The best move loses nothing, whatever the search after it says.
fn glyph(found: &Found, before: Score, after: Score, mv: variant::Move) -> Option<u8> {
    let best = found.lines.first()?;
    if best.pv.first() == Some(&Move::Variant(mv)) {
        let second = found.lines.get(1)?;
        let stake = win_percent(best.worth.score()) - win_percent(second.worth.score());
        return (stake >= analyse::ONLY_MOVE).then_some(ONLY_MOVE);
    }
    Judgement::of(win_percent(before) - win_percent(-after)).map(Judgement::nag)
}

#[cfg(test)]
mod tests {
    use tamarin_analysis::analyse::Judgement;
    use tamarin_eval::Score;
    use tamarin_variant as variant;
    use tamarin_variant_search::Value;

    use super::glyph;
    use crate::session::report_work::ONLY_MOVE;
    use tamarin_game::position::Move;
    use tamarin_game::search::{Found, FoundLine, Worth};

    #[test]
    fn the_best_move_of_a_variant_loses_nothing() {
        let game = variant::builtin("knightmate").unwrap();
        let moves = variant::Position::start(&game).legal_moves();
        let line = |index: usize, centipawns| FoundLine {
            worth: Worth::Variant(Value::Centipawns(centipawns)),
            pv: vec![Move::Variant(moves[index])],
        };
        let found = |scores: [i32; 2]| Found {
            lines: vec![line(0, scores[0]), line(1, scores[1])],
            ..Found::default()
        };
        let glyph = |scores: [i32; 2], after: i32, index: usize| {
            let before = Worth::Variant(Value::Centipawns(scores[0])).score();
            glyph(&found(scores), before, Score::new(after), moves[index])
        };
        // The search after the best move finds that it loses.
        assert_eq!(glyph([40, 30], 800, 0), None);
        assert_eq!(glyph([40, -900], 800, 0), Some(ONLY_MOVE));
        assert_eq!(glyph([40, 30], 800, 1), Some(Judgement::Blunder.nag()));
        assert_eq!(glyph([40, 30], -20, 1), None);
    }
}
