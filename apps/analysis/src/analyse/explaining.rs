//! Which moves of a game are explained, and the searches for it.

use crate::explain::{Found, Inquiry, Look, Request};
use clap::ValueEnum;
use tamarin_game::engine_process::EngineError;
use tamarin_movegen::Position;

use super::analysis::GameAnalysis;
use crate::analyzer::{Analyzer, Line, PositionAnalysis};

/// The moves that are explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Explain {
    /// Inaccuracies, mistakes and blunders
    Mistakes,
    /// Every move
    All,
}

/// Explains moves of a game, or the best move of a position without moves. What an explanation has
/// found out of a position becomes its evaluation, so that a report has one score and one best move
/// of it; mistakes that come of that are explained as well. The last move comes first, as in
/// [`analyse`](super::analysis::analyse).
///
/// Calls `step` after each explanation; it returns whether to go on. `None` if it said no: searches
/// that were stopped prove nothing.
///
/// # Errors
/// If the engine fails.
pub fn explain(
    mut analysis: GameAnalysis,
    which: Explain,
    analyzer: &mut Analyzer,
    mut step: impl FnMut() -> bool,
) -> Result<Option<GameAnalysis>, EngineError> {
    let count = analysis.game.moves.len();
    let mut explanations = vec![None; count + 1];
    let mut is_settled = vec![false; count + 1];
    loop {
        let mut position = analysis.game.start.clone();
        analysis.game.moves.iter().for_each(|played| played.play(&mut position));
        let explained = explanations.iter().flatten().count();
        for ply in (0..=count).rev() {
            if ply < count {
                position.unmake();
            }
            let Some(inquiry) = inquiry(&analysis, ply, &position, which) else { continue };
            if explanations[ply].is_some() {
                continue;
            }
            let mut failed = None;
            let explanation = inquiry.run(&mut |request| {
                known(&analysis, &is_settled, (ply, &position), request, analyzer).unwrap_or_else(
                    || {
                        analyzer
                            .answer(request)
                            .unwrap_or_else(|error| failed.replace(error).and(None))
                    },
                )
            });
            if let Some(error) = failed {
                return Err(error);
            }
            if let Some(best) = &explanation.best {
                settle(&mut analysis.evaluations[ply], best);
                is_settled[ply] = true;
            }
            if let Some(reply) = explanation.reply.as_ref().filter(|_| !is_settled[ply + 1]) {
                settle(&mut analysis.evaluations[ply + 1], reply);
                is_settled[ply + 1] = true;
            }
            explanations[ply] = Some(explanation);
            if !step() {
                return Ok(None);
            }
        }
        analysis = GameAnalysis::of(analysis.game, analysis.evaluations);
        if explanations.iter().flatten().count() == explained {
            return Ok(Some(GameAnalysis { explanations, ..analysis }));
        }
    }
}

/// What is asked about a move, if it is to be explained, or about a position without moves.
fn inquiry(
    analysis: &GameAnalysis,
    ply: usize,
    position: &Position,
    which: Explain,
) -> Option<Inquiry> {
    match analysis.game.moves.get(ply) {
        Some(played) if which == Explain::All || analysis.moves[ply].judgement.is_some() => {
            // There is nothing to say of a null move.
            played.mv.map(|mv| Inquiry::of_move(position.clone(), mv))
        }
        None if ply == 0 => Some(Inquiry::of_position(position.clone())),
        _ => None,
    }
}

/// The first line becomes what a later search has found.
fn settle(evaluation: &mut PositionAnalysis, found: &Found) {
    let lines = &mut evaluation.lines;
    let count = lines.len().max(1);
    lines.retain(|line| line.moves.first() != found.moves.first());
    lines.insert(0, Line { score: found.score, moves: found.moves.clone() });
    lines.truncate(count);
    evaluation.score = found.score;
}

/// What is known already: the search before or after the move at `ply`, whose position is given.
fn known(
    analysis: &GameAnalysis,
    is_settled: &[bool],
    (ply, position): (usize, &Position),
    request: &Request,
    analyzer: &Analyzer,
) -> Option<Option<Found>> {
    let index = match request.position.plies().checked_sub(position.plies()) {
        Some(0) if request.position.key() == position.key() => ply,
        Some(1) => {
            let mut after = position.clone();
            analysis.game.moves.get(ply)?.play(&mut after);
            (after.key() == request.position.key()).then_some(ply + 1)?
        }
        _ => return None,
    };
    let is_known = request.look == Look::First || is_settled[index];
    let evaluation = &analysis.evaluations[index];
    (is_known && request.excluded.is_empty()).then(|| analyzer.found(&request.position, evaluation))
}

#[cfg(test)]
mod tests {
    use super::{Explain, explain};
    use crate::analyse::analyse_game;
    use crate::analyzer::{Analyzer, Effort};
    use tamarin_game::pgn::games::GameText;
    use tamarin_game::pgn::read;
    use tamarin_search::Limits;

    #[test]
    fn sentences_and_evaluations_name_the_same_best_move_and_score() {
        let bytes = b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0".to_vec();
        let game = read(&GameText { bytes, ..GameText::default() }).expect("a good game");
        let effort = Effort::of_terms(Limits::nodes(3_000), 2);
        let mut analyzer = Analyzer::new(&effort, 1).expect("it is built");
        let analysis = analyse_game(game, &mut analyzer, || true).expect("it answers").unwrap();
        let analysis = explain(analysis, Explain::All, &mut analyzer, || true);
        let analysis = analysis.expect("it answers").expect("it is not stopped");
        for (ply, explanation) in analysis.explanations.iter().enumerate() {
            let Some(best) = explanation.as_ref().and_then(|found| found.best.as_ref()) else {
                continue;
            };
            let evaluation = &analysis.evaluations[ply];
            assert_eq!((evaluation.score, evaluation.best()), (best.score, Some(best.moves[0])));
            if let Some(reply) = &explanation.as_ref().unwrap().reply {
                assert_eq!(analysis.evaluations[ply + 1].score, reply.score, "{ply}");
            }
        }
        assert!(analysis.moves[3].judgement.is_some() && analysis.explanation(3).is_some());
    }
}
