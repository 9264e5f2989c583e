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
    use crate::analyse::{GameAnalysis, analyse_game};
    use crate::analyzer::{Analyzer, Effort};
    use crate::explain::{Claim, Role};
    use rand::RngExt as _;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng as _;
    use tamarin_game::pgn::games::GameText;
    use tamarin_game::pgn::{Game, Played, read};
    use tamarin_game::score_text::{for_white, in_words};
    use tamarin_game::variation::numbered;
    use tamarin_movegen::Position;
    use tamarin_search::Limits;

    fn explained(game: Game, which: Explain, analyzer: &mut Analyzer) -> GameAnalysis {
        let analysis = analyse_game(game, analyzer, || true).expect("it answers").unwrap();
        let analysis = explain(analysis, which, analyzer, || true);
        analysis.expect("it answers").expect("it is not stopped")
    }

    /// Sentences that speak of another best move or score than the table, and mistakes without one.
    fn contradictions(analysis: &GameAnalysis) -> Vec<String> {
        let mut found = Vec::new();
        for ((ply, position), report) in analysis.positions().enumerate().zip(&analysis.moves) {
            let Some(explanation) = analysis.explanation(ply) else {
                found.extend(report.judgement.map(|judgement| format!("{ply}: no {judgement:?}")));
                continue;
            };
            let [before, after] = [ply, ply + 1].map(|ply| &analysis.evaluations[ply]);
            let side = position.side_to_move();
            let before_white = for_white(before.score, side);
            let own = if report.is_best { before_white } else { for_white(after.score, !side) };
            let best = numbered(&position, &[before.best().expect("a move is legal")], 1);
            let fall = format!("from {} to {}", in_words(before_white), in_words(own));
            for sentence in &explanation.sentences {
                let text = &sentence.text;
                let names_best = match sentence.role {
                    Role::Misses => text.contains(&format!("misses {best}")) && !report.is_best,
                    Role::Better => text.contains(&format!("was {best}")) && !report.is_best,
                    Role::Only => text.contains(&best),
                    _ => !text.contains("takes the score") || text.contains(&fall),
                };
                let has_score = match sentence.claim {
                    Claim::Evaluation { before, after } => {
                        in_words(before) == in_words(before_white)
                            && (in_words(after) == in_words(own) || sentence.role == Role::Only)
                    }
                    _ => true,
                };
                if !(names_best && has_score) {
                    found.push(format!("{text} | {best} {before_white:?} {own:?}"));
                }
            }
        }
        found
    }

    #[test]
    fn sentences_and_evaluations_name_the_same_best_move_and_score() {
        let bytes = b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0".to_vec();
        let game = read(&GameText { bytes, ..GameText::default() }).expect("a good game");
        let effort = Effort::of_terms(Limits::nodes(3_000), 2);
        let mut analyzer = Analyzer::new(&effort, 1).expect("it is built");
        let analysis = explained(game, Explain::All, &mut analyzer);
        assert_eq!(contradictions(&analysis), Vec::<String>::new());
        assert!(analysis.moves[3].judgement.is_some() && analysis.explanation(3).is_some());
    }

    /// A game of short searches against themselves, with a random move in four.
    fn random_game(seed: u64, analyzer: &mut Analyzer) -> Game {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Position::startpos();
        let mut game = Game::of_position(position.clone());
        while game.moves.len() < 40 && position.has_legal_move() {
            let legal = position.legal_moves();
            let mv = match game.moves.len() < 4 || random.random_ratio(1, 4) {
                true => legal[random.random_range(0..legal.len())],
                false => analyzer.analyze(&position).expect("it answers").best().expect("a move"),
            };
            game.moves.push(Played::new(mv, position.san(mv).as_str()));
            position.make(mv);
        }
        game
    }

    /// 8 games, 200 with `TAMARIN_EVERY_POSITION`.
    #[test]
    fn long_explained_games_contradict_no_table() {
        let games = if std::env::var_os("TAMARIN_EVERY_POSITION").is_some() { 200 } else { 8 };
        let effort = Effort::of_terms(Limits::nodes(300), 1);
        let mut analyzer = Analyzer::new(&effort, 1).expect("it is built");
        let mut sentences = 0;
        for seed in 0..games {
            let game = random_game(seed, &mut analyzer);
            let which = if seed % 2 == 0 { Explain::All } else { Explain::Mistakes };
            let analysis = explained(game, which, &mut analyzer);
            assert_eq!(contradictions(&analysis), Vec::<String>::new(), "game {seed}");
            let all = analysis.explanations.iter().flatten();
            sentences += all.map(|explanation| explanation.sentences.len()).sum::<usize>();
        }
        assert!(sentences > 40 * games as usize, "{sentences} sentences");
    }
}
