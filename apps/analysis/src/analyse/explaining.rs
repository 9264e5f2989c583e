//! Which moves of a game are explained, and the searches for it.

use crate::explain::{Explanation, Found, Inquiry, Look, Request};
use clap::ValueEnum;
use tamarin_movegen::Position;

use super::analysis::GameAnalysis;
use crate::analyzer::Analyzer;

/// The moves that are explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Explain {
    /// Inaccuracies, mistakes and blunders
    Mistakes,
    /// Every move
    All,
}

/// Explains moves of a game, or the best move of a position without moves: for each move and the
/// last position, the explanation if there is one. Calls `step` after each; it returns whether to
/// go on. `None` if it said no: searches that were stopped prove nothing.
pub fn explain(
    analysis: &GameAnalysis,
    which: Explain,
    analyzer: &mut Analyzer,
    mut step: impl FnMut() -> bool,
) -> Option<Vec<Option<Explanation>>> {
    let mut explanations = Vec::new();
    for (ply, position) in analysis.positions().enumerate() {
        let inquiry = match analysis.game.moves.get(ply) {
            // There is nothing to say of a null move.
            Some(played) if is_wanted(analysis, ply, which) => {
                played.mv.map(|mv| Inquiry::of_move(position.clone(), mv))
            }
            None if ply == 0 => Some(Inquiry::of_position(position.clone())),
            _ => None,
        };
        let Some(inquiry) = inquiry else {
            explanations.push(None);
            continue;
        };
        let mut search = |request: &Request| {
            known(analysis, ply, &position, request, analyzer)
                .unwrap_or_else(|| analyzer.answer(request))
        };
        explanations.push(Some(inquiry.run(&mut search)));
        if !step() {
            return None;
        }
    }
    Some(explanations)
}

fn is_wanted(analysis: &GameAnalysis, ply: usize, which: Explain) -> bool {
    which == Explain::All || analysis.moves[ply].judgement.is_some()
}

/// What the analysis of the game has found already: the search before or after the move.
fn known(
    analysis: &GameAnalysis,
    ply: usize,
    position: &Position,
    request: &Request,
    analyzer: &Analyzer,
) -> Option<Option<Found>> {
    if !request.excluded.is_empty() || request.look == Look::Second {
        return None;
    }
    let index = match request.position.plies().checked_sub(position.plies()) {
        Some(0) if request.position.key() == position.key() => ply,
        Some(1) => {
            let mut after = position.clone();
            analysis.game.moves.get(ply)?.play(&mut after);
            (after.key() == request.position.key()).then_some(ply + 1)?
        }
        _ => return None,
    };
    Some(analyzer.found(&request.position, analysis.evaluations.get(index)?))
}
