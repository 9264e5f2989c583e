//! The analysis of a whole game.

use crate::explain::Explanation;
use tamarin_eval::Score;
use tamarin_movegen::{Color, PerColor, Position};

use super::judge::{
    Consequence, Judgement, centipawns, judged_percent, move_accuracy, move_weights,
    player_accuracy,
};
use super::phases::Phases;
use crate::analyzer::{Analyzer, PositionAnalysis};
use tamarin_game::engine_process::EngineError;
use tamarin_game::openings;
use tamarin_game::pgn::{Game, Outcome, Played};
use tamarin_game::score_text::for_white;

/// What a move of the game is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReport {
    /// How much of the chance to win it lost, in percent, 0 to 100.
    pub loss: f64,
    /// How much of the score it lost, in centipawns within ten pawns.
    pub centipawn_loss: i32,
    /// Its accuracy, 0 to 100.
    pub accuracy: f64,
    /// Its name if it lost much.
    pub judgement: Option<Judgement>,
    /// What it did if it has a name.
    pub consequence: Option<Consequence>,
    /// Whether it is the move that the engine would have played.
    pub is_best: bool,
}

/// How a side played.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SideReport {
    pub moves: usize,
    /// Those that the engine would have played.
    pub best: usize,
    /// Inaccuracies, mistakes and blunders.
    pub judgements: [usize; 3],
    /// Its accuracy, 0 to 100; `None` without moves.
    pub accuracy: Option<f64>,
    /// Centipawns lost a move on average; `None` without moves.
    pub average_loss: Option<f64>,
}

/// Why a moment is critical.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The move played has this name.
    Lost(Judgement),
    /// The move played was the only good one.
    OnlyMove,
}

/// A moment that decided something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Critical {
    /// The index of the move.
    pub ply: usize,
    pub moment: Moment,
    /// What was at stake, in percent of the chance to win.
    pub stake: f64,
}

/// The greatest number of critical moments in a report.
const MAX_CRITICAL: usize = 5;

/// From this difference to the second line on a move is the only one, in percent.
pub const ONLY_MOVE: f64 = 15.0;

/// A game and what the engine says about it.
#[derive(Clone, Debug)]
pub struct GameAnalysis {
    pub game: Game,
    /// All positions, the first and the last one included: one more than moves.
    pub evaluations: Vec<PositionAnalysis>,
    pub moves: Vec<MoveReport>,
    /// Both players.
    pub sides: PerColor<SideReport>,
    /// Where the opening ends, and more of that.
    pub phases: Phases,
    /// The critical moments in their order.
    pub critical: Vec<Critical>,
    /// For each move and the last position, why it is good or bad; empty unless asked for.
    pub explanations: Vec<Option<Explanation>>,
}

/// Evaluates all positions of a game, the last one first: what is found there is known when the
/// positions before are searched. Calls `step` after each; it returns whether to go on.
///
/// `None` if `step` said no.
///
/// # Errors
/// If the engine fails.
pub fn analyse(
    game: Game,
    analyzer: &mut Analyzer,
    mut step: impl FnMut() -> bool,
) -> Result<Option<GameAnalysis>, EngineError> {
    analyzer.new_game()?;
    let mut position = game.start.clone();
    for played in &game.moves {
        played.play(&mut position);
    }
    let mut evaluations = Vec::with_capacity(game.moves.len() + 1);
    for index in (0..=game.moves.len()).rev() {
        evaluations.push(analyzer.analyze(&position)?);
        if !step() {
            return Ok(None);
        }
        if index > 0 {
            position.unmake();
        }
    }
    evaluations.reverse();
    Ok(Some(GameAnalysis::of(game, evaluations)))
}

impl GameAnalysis {
    /// What the evaluations of all positions say about a game; one more than it has moves.
    pub fn of(game: Game, evaluations: Vec<PositionAnalysis>) -> Self {
        let first = game.start.side_to_move();
        let sides_to_move: Vec<Color> =
            (0..evaluations.len()).map(|ply| if ply % 2 == 0 { first } else { !first }).collect();
        let pairs = game.moves.iter().zip(evaluations.windows(2));
        let moves: Vec<MoveReport> =
            pairs.map(|(played, pair)| MoveReport::new(played, &pair[0], &pair[1])).collect();
        let chances: Vec<f64> = sides_to_move
            .iter()
            .zip(&evaluations)
            .map(|(&side, evaluation)| judged_percent(for_white(evaluation.score, side)))
            .collect();
        let weights = move_weights(&chances);
        let side = |color: Color| {
            // Null moves are none.
            let is_move = |ply: usize| game.moves[ply].mv.is_some();
            let own = |ply: &usize| sides_to_move[*ply] == color && is_move(*ply);
            let plies: Vec<usize> = (0..moves.len()).filter(own).collect();
            SideReport::new(&plies, &moves, &weights)
        };
        let sides = PerColor([side(Color::White), side(Color::Black)]);
        let critical = critical(&game, &moves, &evaluations);
        let phases = Phases::of(&game);
        Self { game, evaluations, moves, sides, phases, critical, explanations: Vec::new() }
    }

    /// The result, from the last position if the game itself does not tell.
    pub fn outcome(&self) -> Outcome {
        let last = || self.positions().last().filter(|last| !last.has_legal_move());
        match self.game.outcome {
            Outcome::Unknown => last().map_or(Outcome::Unknown, |last| match last.in_check() {
                true => Outcome::Won(!last.side_to_move()),
                false => Outcome::Draw,
            }),
            known => known,
        }
    }

    /// Why a move is good or bad, or what there is to say of the position without moves.
    pub fn explanation(&self, ply: usize) -> Option<&Explanation> {
        self.explanations.get(ply)?.as_ref()
    }

    /// All positions with their index, the first one included.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.game.start.clone();
        let mut moves = self.game.moves.iter();
        let first = position.clone();
        std::iter::once(first).chain(std::iter::from_fn(move || {
            moves.next()?.play(&mut position);
            Some(position.clone())
        }))
    }

    /// The name of the opening: that of the game's tag, or else the one that its positions have.
    pub fn opening(&self) -> Option<String> {
        let tag = self.game.tag("Opening");
        tag.or_else(|| openings::name(self.positions())).map(str::to_owned)
    }
}

impl MoveReport {
    /// Nobody is blamed for a null move, which an annotator put there.
    const NULL_MOVE: Self = Self {
        loss: 0.0,
        centipawn_loss: 0,
        accuracy: 100.0,
        judgement: None,
        consequence: None,
        is_best: false,
    };

    fn new(played: &Played, before: &PositionAnalysis, after: &PositionAnalysis) -> Self {
        if played.mv.is_none() {
            return Self::NULL_MOVE;
        }
        let is_best = before.best() == played.mv;
        let after = score_left(before.score, after.score, is_best);
        let (chance, left) = (judged_percent(before.score), judged_percent(after));
        let loss = (chance - left).max(0.0);
        let judgement = Judgement::of(loss);
        Self {
            loss,
            centipawn_loss: (centipawns(before.score) - centipawns(after)).max(0),
            accuracy: move_accuracy(chance, left),
            judgement,
            consequence: judgement.and_then(|_| Consequence::of(before.score, after)),
            is_best,
        }
    }
}

/// What a move left of the score before it. Of the best move the deeper search after it may say
/// something else; it is no mistake.
fn score_left(before: Score, after: Score, is_best: bool) -> Score {
    if is_best { before } else { -after }
}

impl SideReport {
    /// The report of the side that played the moves `plies`.
    fn new(plies: &[usize], moves: &[MoveReport], weights: &[f64]) -> Self {
        let own = || plies.iter().map(|&ply| &moves[ply]);
        let count = |wanted| own().filter(|report| report.judgement == Some(wanted)).count();
        let accuracies: Vec<(f64, f64)> =
            plies.iter().map(|&ply| (moves[ply].accuracy, weights[ply])).collect();
        let lost: i32 = own().map(|report| report.centipawn_loss).sum();
        Self {
            moves: plies.len(),
            best: own().filter(|report| report.is_best).count(),
            judgements: Judgement::ALL.map(count),
            accuracy: player_accuracy(&accuracies),
            average_loss: (!plies.is_empty()).then(|| f64::from(lost) / plies.len() as f64),
        }
    }
}

/// What is known of a position of a game of which not every position was analyzed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// For the side to move.
    pub score: Score,
    /// Whether the game went on with the move that the search preferred.
    pub is_best_played: bool,
}

/// The accuracies of both sides in a game of which not every position was analyzed: of the moves
/// whose position before and after has a score. The first position, where `first` moves, comes
/// first.
pub fn accuracies(first: Color, positions: &[Option<Seen>]) -> PerColor<Option<f64>> {
    let side = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
    let mut last = 50.0;
    let mut chances = Vec::with_capacity(positions.len());
    for (ply, seen) in positions.iter().enumerate() {
        last = seen.map_or(last, |seen| judged_percent(for_white(seen.score, side(ply))));
        chances.push(last);
    }
    let weights = move_weights(&chances);
    let mut moves = PerColor([Vec::new(), Vec::new()]);
    for (ply, pair) in positions.windows(2).enumerate() {
        if let [Some(before), Some(after)] = *pair {
            let left = score_left(before.score, after.score, before.is_best_played);
            let accuracy = move_accuracy(judged_percent(before.score), judged_percent(left));
            moves[side(ply)].push((accuracy, weights[ply]));
        }
    }
    PerColor(moves.0.map(|moves| player_accuracy(&moves)))
}

/// The greatest mistakes, and if there are few of them, moves that were the only ones.
fn critical(game: &Game, moves: &[MoveReport], evaluations: &[PositionAnalysis]) -> Vec<Critical> {
    let moment = |(ply, report): (usize, &MoveReport)| {
        if let Some(judgement) = report.judgement.filter(|name| *name >= Judgement::Mistake) {
            return Some(Critical { ply, moment: Moment::Lost(judgement), stake: report.loss });
        }
        let [best, second, ..] = evaluations[ply].lines.as_slice() else { return None };
        let stake = judged_percent(best.score) - judged_percent(second.score);
        let is_only = report.is_best && stake >= ONLY_MOVE && !is_recapture(game, ply);
        is_only.then_some(Critical { ply, moment: Moment::OnlyMove, stake })
    };
    let mut found: Vec<Critical> = moves.iter().enumerate().filter_map(moment).collect();
    found.sort_by(|a, b| {
        let is_only = |critical: &Critical| critical.moment == Moment::OnlyMove;
        is_only(a).cmp(&is_only(b)).then(b.stake.total_cmp(&a.stake))
    });
    found.truncate(MAX_CRITICAL);
    found.sort_by_key(|critical| critical.ply);
    found
}

/// Whether a move takes what has just taken something, which everybody sees.
fn is_recapture(game: &Game, ply: usize) -> bool {
    let before = ply.checked_sub(1).and_then(|before| game.moves.get(before));
    let (Some(before), Some(now)) = (before, game.moves.get(ply)) else { return false };
    let (Some(before), Some(now)) = (before.mv, now.mv) else { return false };
    before.is_capture() && now.is_capture() && before.to() == now.to()
}

#[cfg(test)]
mod tests {
    use super::{GameAnalysis, Moment, MoveReport, analyse};
    use crate::analyse::judge::{Consequence, Judgement};
    use crate::analyzer::{Analyzer, Effort, PositionAnalysis};
    use tamarin_eval::{Score, UNITS_PER_PAWN};
    use tamarin_game::pgn::games::GameText;
    use tamarin_game::pgn::read;
    use tamarin_movegen::Color;
    use tamarin_search::Limits;

    fn analysis(text: &str) -> GameAnalysis {
        let game = read(&GameText { bytes: text.into(), ..GameText::default() }).expect("a game");
        let effort = Effort::of_terms(Limits::nodes(20_000), 2);
        let mut analyzer = Analyzer::new(&effort, 1).expect("it is built");
        analyse(game, &mut analyzer, || true).expect("it answers").expect("it is not stopped")
    }

    #[test]
    fn the_blunder_of_the_fools_mate_is_found() {
        let found = analysis("1. f3 e5 2. g4 Qh4# 0-1");
        assert_eq!(found.evaluations.len(), 5);
        assert_eq!(found.positions().count(), 5);
        assert_eq!(found.moves[2].judgement, Some(Judgement::Blunder));
        assert_eq!(found.moves[2].consequence, Some(Consequence::AllowedMate(1)));
        assert!(found.moves[3].is_best && found.moves[3].loss == 0.0);
        let white = &found.sides[Color::White];
        assert_eq!((white.moves, white.judgements[2]), (2, 1));
        assert_eq!(found.sides[Color::Black].judgements, [0, 0, 0]);
        assert!(white.accuracy < found.sides[Color::Black].accuracy);
        let last = found.critical.iter().find(|critical| critical.ply == 2).expect("it is one");
        assert_eq!(last.moment, Moment::Lost(Judgement::Blunder));
    }

    #[test]
    fn a_move_without_an_alternative_is_critical_unless_it_takes_back() {
        let fork = "[FEN \"q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1\"]\n\n1. Nc7+ Kd7 2. Nxa8 *";
        let found = analysis(fork);
        let only: Vec<usize> = found.critical.iter().map(|critical| critical.ply).collect();
        assert!(only.contains(&0) && found.critical[0].moment == Moment::OnlyMove, "{only:?}");
        let back = "[FEN \"4k3/8/8/3q4/8/8/3Q4/4K3 b - - 0 1\"]\n\n1... Qxd2+ 2. Kxd2 *";
        let found = analysis(back);
        assert!(found.moves[1].is_best);
        assert!(found.critical.iter().all(|critical| critical.ply != 1), "{:?}", found.critical);
    }

    #[test]
    fn accuracies_grow_with_what_is_known() {
        let seen =
            |units, is_best_played| Some(super::Seen { score: Score::new(units), is_best_played });
        let score = |units| seen(units, false);
        let none = super::accuracies(Color::White, &[score(20), None, score(20)]);
        assert_eq!(none.0, [None, None]);
        let known = super::accuracies(Color::White, &[score(20), score(-20), score(900), None]);
        assert!(known[Color::White].unwrap() > 99.0 && known[Color::Black].unwrap() < 60.0);
        let black = super::accuracies(Color::Black, &[score(20), score(900)]);
        assert!(black[Color::White].is_none() && black[Color::Black].unwrap() < 60.0);
        // As in a report, the move that the search preferred is no mistake.
        let best = super::accuracies(Color::White, &[seen(20, true), score(900)]);
        assert_eq!(best[Color::White], Some(100.0));
    }

    #[test]
    fn a_move_from_a_mate_to_ten_pawns_or_more_loses_nothing() {
        let text = GameText { bytes: b"1. e4 *".into(), ..GameText::default() };
        let game = read(&text).expect("a good game");
        let at = |score| PositionAnalysis { score, lines: Vec::new(), depth: 1, nodes: 1 };
        let (mate, won) = (Score::mate_in(3), Score::new(30 * UNITS_PER_PAWN));
        for (before, after) in [(mate, won), (won, mate), (-mate, -won), (-won, -mate)] {
            let report = MoveReport::new(&game.moves[0], &at(before), &at(-after));
            assert_eq!((report.loss, report.centipawn_loss, report.accuracy), (0.0, 0, 100.0));
            let seen = |score| Some(super::Seen { score, is_best_played: false });
            let both = super::accuracies(Color::White, &[seen(before), seen(-after)]);
            assert_eq!(both[Color::White], Some(100.0));
        }
    }
}
