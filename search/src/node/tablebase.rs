//! What the endgame tablebases know of a node.

use tamarin_base::Bound;
use tamarin_eval::Score;

use super::facts::Probe;
use crate::tablebases::Wdl;
use crate::threads::worker::Worker;
use crate::tt::TableEntry;
use tamarin_base::types::{Exit, MAX_PLY, Node, Step, Window};

/// A win that the fifty-move rule frustrates is a draw, told from one by these score units.
const CURSED: i32 = 2;

/// The scores that the tablebases leave to a PV node.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownScores {
    pub min: Score,
    pub max: Score,
}

impl KnownScores {
    /// Nothing is known.
    const ALL: Self = Self { min: Score::new(-Score::INFINITE.units()), max: Score::INFINITE };

    /// The window of a PV node with alpha raised to the least score; of other nodes as it is.
    #[inline(always)]
    pub fn narrow<N: Node>(self, window: Window) -> Window {
        if N::PV { Window { alpha: window.alpha.max(self.min), ..window } } else { window }
    }
}

impl Worker<'_> {
    /// Looks the node up in the tablebases. A result that decides it ends it; in a PV node
    /// others raise alpha or limit the score.
    ///
    /// Probed are nodes below the root right after a capture or pawn move, whose value does not
    /// depend on the fifty-move rule's clock. Source: Stockfish 11.
    #[inline(always)]
    pub(super) fn probe_tablebases<N: Node>(
        &mut self,
        probe: &Probe,
        window: Window,
        depth: i32,
    ) -> Step<KnownScores> {
        if N::ROOT || self.probe_limit == 0 || self.position.halfmove_clock() != 0 {
            return Ok(KnownScores::ALL);
        }
        self.probe_tablebases_now::<N>(probe, window, depth)
    }

    #[cold]
    fn probe_tablebases_now<N: Node>(
        &mut self,
        probe: &Probe,
        window: Window,
        depth: i32,
    ) -> Step<KnownScores> {
        let Some((score, bound)) = self.tablebase_score(depth) else {
            return Ok(KnownScores::ALL);
        };
        self.tablebase_hits += 1;
        let decides = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        if decides {
            let entry = TableEntry {
                result: Some((score, bound)),
                evaluation: None,
                best: None,
                depth: (depth + self.params.tablebase_store_depth()).min(MAX_PLY as i32 - 1),
                principal: N::PV || probe.hit.is_some_and(|hit| hit.principal),
            };
            self.table.store(probe.key, self.ply, &entry, &self.params);
            return Err(Exit::Return(score));
        }
        Ok(match bound {
            Bound::Lower => KnownScores { min: score, ..KnownScores::ALL },
            _ => KnownScores { max: score, ..KnownScores::ALL },
        })
    }

    /// The value of the node in the tablebases, if it may be probed and is known. A win is a
    /// lower bound, as there may be a mate.
    fn tablebase_score(&self, depth: i32) -> Option<(Score, Bound)> {
        let options = &self.shared.request.options.tablebases;
        let pieces = self.position.occupied().len();
        let at_limit_too_shallow =
            pieces == self.probe_limit && depth < options.probe_depth.min(MAX_PLY as u32) as i32;
        if pieces > self.probe_limit
            || at_limit_too_shallow
            || self.position.castling().any()
            || self.stack.at(self.ply).excluded_move.is_some()
        {
            return None;
        }
        let wdl = self.tablebases.wdl(&self.position)?;
        Some(score_of(wdl, options.fifty_move_rule, self.ply))
    }
}

/// The score of a result `ply` plies from the root, and its bound.
fn score_of(wdl: Wdl, fifty_move_rule: bool, ply: usize) -> (Score, Bound) {
    let win = Score::tablebase_win(ply);
    match (wdl, fifty_move_rule) {
        (Wdl::Win, _) | (Wdl::CursedWin, false) => (win, Bound::Lower),
        (Wdl::Loss, _) | (Wdl::BlessedLoss, false) => (-win, Bound::Upper),
        (Wdl::CursedWin, true) => (Score::new(CURSED), Bound::Exact),
        (Wdl::BlessedLoss, true) => (Score::new(-CURSED), Bound::Exact),
        (Wdl::Draw, _) => (Score::DRAW, Bound::Exact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursed_results_are_draws_by_the_fifty_move_rule_and_wins_without_it() {
        let all = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
        for wdl in all {
            for rule in [true, false] {
                let (score, bound) = score_of(wdl, rule, 7);
                let certain = !rule && wdl != Wdl::Draw || matches!(wdl, Wdl::Loss | Wdl::Win);
                assert_eq!(score.is_decisive(), certain, "{wdl:?}");
                assert_eq!(bound == Bound::Exact, !certain, "{wdl:?}");
                assert_eq!(score.units().signum(), (wdl as i32).signum(), "{wdl:?}");
                let negated = score_of(-wdl, rule, 7);
                assert_eq!(negated.0, -score, "{wdl:?}");
            }
        }
        assert!(score_of(Wdl::Win, true, 3).0 > score_of(Wdl::Win, true, 4).0);
    }
}
