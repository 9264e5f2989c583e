//! What the engine says when it is asked: hints, reasons, values.

use tamarin_analysis::explain::{Found, Inquiry, Request, Step};
use tamarin_eval::Score;
use tamarin_game::position::Position;
use tamarin_movegen::{self as chess, Color};
use tamarin_search::{MateGoal, MateLimits, MateVerdict, Millis, Prover};

use tamarin_eval::wdl;
use tamarin_game::score_text::{for_white, in_words};
use tamarin_game::search::{self, Answer, Ask, FoundLine};
use tamarin_game::variation;

/// How long a question is thought about.
const TIME: Millis = Millis::new(1000);

/// Nodes of the search for the answer to a wrong move.
const REFUTATION_NODES: u64 = 100_000;

/// So many nodes has each search for a reason, so that the same question has the same answer; the
/// time is for slow computers.
const WHY_NODES: u64 = 200_000;

/// How long a mate that solves a puzzle may take to be proved.
const JUDGE_TIME: Millis = Millis::new(10_000);

/// Positions that are looked at to prove a mate that the search, which prunes, does not find.
const PROOF_NODES: u64 = 50_000;

/// Memory for them, in MiB.
const PROOF_HASH: usize = 16;

/// Lines that analysis mode shows.
pub const LINES: usize = 3;

/// The longest line that is shown, in plies.
const LINE_PLIES: usize = 12;

/// A question about a position.
#[derive(Clone, Debug)]
pub enum Question {
    /// What is a good move?
    Hint,
    /// Why is a move good or bad?
    Why {
        /// The explanation as far as it has come.
        inquiry: Box<Inquiry>,
        /// The search that it needs next.
        request: Box<Request>,
    },
    /// What is the position worth?
    Value,
    Lines,
    /// What is the answer to this move, which was wrong? Asked about the position after it.
    Refute {
        mv: chess::Move,
        /// The position before it.
        before: Box<chess::Position>,
    },
    /// Does this move mate in `moves` moves?
    Mates {
        mv: chess::Move,
        /// In how many moves.
        within: u32,
    },
    /// Which move solves a puzzle that does not say it?
    Solve {
        /// In how many moves it has to mate, if it has.
        within: Option<u32>,
        /// The moves that may solve it; all if there are none.
        among: Vec<chess::Move>,
    },
}

/// What becomes of a question after a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    Text(Vec<String>),
    /// What White has of the position, from 0 to 1.
    Share(f64, Score),
    /// Whether the move mates in time.
    Verdict(chess::Move, bool),
    /// A move that solves the puzzle.
    Solution(chess::Move),
    /// Another search is needed.
    Next(Question),
}

impl Question {
    /// Why a legal move of a position is good or bad: the first search, or the answer where none
    /// is needed.
    pub fn why(position: chess::Position, mv: chess::Move) -> Outcome {
        Self::go_on(Box::new(Inquiry::of_move(position, mv)))
    }

    fn go_on(inquiry: Box<Inquiry>) -> Outcome {
        match inquiry.next() {
            Step::Search(request) => Outcome::Next(Self::Why { inquiry, request }),
            Step::Done(explanation) if explanation.sentences.is_empty() => nothing(),
            Step::Done(explanation) => Outcome::Text(explanation.lines()),
        }
    }

    /// The position that is searched for a question about `position`.
    pub fn searched(&self, position: &Position) -> Position {
        match self {
            Self::Why { request, .. } => request.position.clone().into(),
            _ => position.clone(),
        }
    }

    /// The search that answers it, at full strength and without contempt.
    pub fn ask(&self) -> Ask {
        let ask = Ask { move_time: Some(TIME), ..Ask::default() };
        match self {
            Self::Hint => ask,
            Self::Lines => Ask { lines: LINES, ..ask },
            Self::Refute { .. } => Ask { nodes: Some(REFUTATION_NODES), ..ask },
            Self::Why { request, .. } => {
                Ask { nodes: Some(WHY_NODES), only: request.search_moves(), ..ask }
            }
            Self::Value => Ask { move_time: Some(Millis::new(400)), ..ask },
            Self::Mates { mv, within } => mate_search(*within, vec![*mv]),
            Self::Solve { within: Some(within), among } => mate_search(*within, among.clone()),
            Self::Solve { within: None, among } => Ask { only: among.clone(), ..ask },
        }
    }

    /// The answer, or what has to be asked next.
    pub fn answer(self, position: &Position, answer: &Answer) -> Outcome {
        let line = answer.found.lines.first();
        match (self, line, position) {
            (Self::Lines, ..) => Outcome::Text(line_texts(position, &answer.found)),
            (Self::Hint, Some(line), _) => Outcome::Text(vec![hint(position, line)]),
            (Self::Refute { mv, before }, Some(line), _) => {
                Outcome::Text(vec![refutation(&before, mv, position, line)])
            }
            (Self::Value, Some(line), Position::Chess(position, _)) => {
                let score = for_white(line.worth.score(), position.side_to_move());
                Outcome::Share(white_share(position, line.worth.score()), score)
            }
            (Self::Mates { mv, within }, _, Position::Chess(position, _)) => {
                let mates = line.is_some_and(|line| line.worth.score() >= mate_score(within));
                Outcome::Verdict(mv, mates || is_proven(position, mv, within))
            }
            (Self::Solve { within, among }, _, Position::Chess(position, _)) => {
                solve(position, line, within, &among)
            }
            (Self::Why { mut inquiry, .. }, ..) => {
                inquiry.answer(Found::of(answer));
                Self::go_on(inquiry)
            }
            _ => nothing(),
        }
    }
}

fn nothing() -> Outcome {
    Outcome::Text(vec!["There is nothing to say about this position.".to_owned()])
}

/// The score of a mate in `within` moves.
fn mate_score(within: u32) -> Score {
    Score::mate_in(2 * within.max(1) as usize - 1)
}

/// A move that solves a puzzle.
fn solve(
    position: &chess::Position,
    line: Option<&FoundLine>,
    within: Option<u32>,
    among: &[chess::Move],
) -> Outcome {
    let mates = |within| line.is_some_and(|line| line.worth.score() >= mate_score(within));
    let best = line.and_then(|line| line.pv.first()?.chess());
    let found = best.filter(|_| within.is_none_or(mates));
    let may_solve = |mv: &chess::Move| among.is_empty() || among.contains(mv);
    match found.or_else(|| proven_move(position, within?).filter(may_solve)) {
        Some(mv) => Outcome::Solution(mv),
        None => Outcome::Text(vec!["The engine finds no solution.".to_owned()]),
    }
}

/// A search to find or prove a mate in `within` moves that begins with one of the moves; with any
/// if there are none.
fn mate_search(within: u32, only: Vec<chess::Move>) -> Ask {
    Ask {
        mate: Some(within),
        // Most mates are found not much deeper than they are long; the others are proven.
        depth: Some(2 * within + 8),
        move_time: Some(JUDGE_TIME),
        only,
        ..Ask::default()
    }
}

fn prover(position: &chess::Position, goal: MateGoal) -> Option<Prover> {
    let limits = MateLimits { nodes: Some(PROOF_NODES), ..MateLimits::default() };
    Prover::new(position, goal, PROOF_HASH, limits).ok()
}

/// Returns `true` if it can be proven that a move mates in `within` moves, itself included.
pub fn is_proven(position: &chess::Position, mv: chess::Move, within: u32) -> bool {
    let left = u8::try_from(within).ok().and_then(|moves| moves.checked_sub(1));
    let Some(left) = left else { return false };
    let mut after = position.clone();
    after.make(mv);
    let prover = prover(&after, MateGoal::IsMated(left));
    prover.is_some_and(|mut prover| prover.prove(left) == MateVerdict::Proven)
}

/// The first move of a mate in `within` moves, if one can be proven.
pub fn proven_move(position: &chess::Position, within: u32) -> Option<chess::Move> {
    let moves = u8::try_from(within).ok()?;
    let mut prover = prover(position, MateGoal::Mates(moves))?;
    match prover.prove(moves) {
        MateVerdict::Proven => prover.line(moves).first().copied(),
        _ => None,
    }
}

/// What White can expect of a game, from 0 to 1.
pub fn white_share(position: &chess::Position, score: Score) -> f64 {
    let [win, draw, _] = wdl::permille(score, position);
    let expected = (f64::from(win) + 0.5 * f64::from(draw)) / 1000.0;
    match position.side_to_move() {
        Color::White => expected,
        Color::Black => 1.0 - expected,
    }
}

fn score_text(position: &Position, score: Score) -> String {
    in_words(for_white(score, position.turn()))
}

fn hint(position: &Position, line: &FoundLine) -> String {
    let Some(mv) = line.pv.first() else { return "There is no legal move.".to_owned() };
    let score = score_text(position, line.worth.score());
    format!(
        "Hint: {} ({score}): {}",
        position.san(*mv),
        variation::numbered(position, &line.pv, usize::MAX)
    )
}

/// The longest refutation that is shown, in plies.
const REFUTATION_PLIES: usize = 6;

/// How a wrong move is answered.
fn refutation(
    before: &chess::Position,
    mv: chess::Move,
    after: &Position,
    line: &FoundLine,
) -> String {
    let moves = &line.pv[..line.pv.len().min(REFUTATION_PLIES)];
    let score = score_text(after, line.worth.score());
    format!(
        "{} is answered by {} ({score}).",
        before.san(mv),
        variation::numbered(after, moves, usize::MAX)
    )
}

/// Lines as people read them, the best one first.
pub fn line_texts(position: &Position, found: &search::Found) -> Vec<String> {
    let text = |line: &FoundLine| {
        let score = score_text(position, line.worth.score());
        let shown = &line.pv[..line.pv.len().min(LINE_PLIES)];
        format!("{score} ({}) {}", found.depth, variation::numbered(position, shown, usize::MAX))
    };
    found.lines.iter().filter(|line| !line.pv.is_empty()).map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Question, white_share};
    use tamarin_eval::Score;
    use tamarin_game::position::Position;
    use tamarin_game::search::{Answer, Found, FoundLine, Worth};
    use tamarin_movegen as chess;

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

    fn at(fen: &str) -> chess::Position {
        chess::Position::from_fen(fen).unwrap()
    }

    fn answer(position: &Position, score: Score, text: &str) -> Answer {
        let pv = vec![position.find(text).unwrap()];
        let lines = vec![FoundLine { worth: Worth::Chess(score), pv }];
        Answer { found: Found { lines, ..Found::default() }, ..Answer::default() }
    }

    #[test]
    fn hint_names_mate_and_no_move() {
        let position = Position::from(at(BACK_RANK));
        let text = |answer: &Answer| match Question::Hint.answer(&position, answer) {
            Outcome::Text(lines) => lines.concat(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(&answer(&position, Score::mate_in(1), "Rd8")), "Hint: Rd8# (#1): 1. Rd8#");
        assert!(text(&Answer::default()).contains("nothing to say"));
    }

    #[test]
    fn mates_solve_in_time_by_search_or_proof() {
        let (chess, position) = (at(BACK_RANK), Position::from(at(BACK_RANK)));
        let [mate, other] = ["Rd8#", "g3"].map(|text| chess.parse_san(text).unwrap());
        let judge = |mv, within, score| {
            let question = Question::Mates { mv, within };
            let outcome = question.answer(&position, &answer(&position, score, "g3"));
            matches!(outcome, Outcome::Verdict(_, true))
        };
        assert!(judge(other, 2, Score::mate_in(3)) && !judge(other, 2, Score::mate_in(5)));
        let missed = Score::new(900);
        assert!(judge(mate, 1, missed) && !judge(other, 1, missed) && !judge(mate, 0, missed));
        let solve = |within, among, score| {
            let question = Question::Solve { within, among };
            match question.answer(&position, &answer(&position, score, "g3")) {
                Outcome::Solution(mv) => Some(mv),
                _ => None,
            }
        };
        assert_eq!(solve(None, Vec::new(), missed), Some(other));
        assert_eq!(solve(Some(1), Vec::new(), missed), Some(mate));
        assert_eq!(solve(Some(1), vec![other], missed), None);
    }

    #[test]
    fn share_is_that_of_white() {
        let [white, black] =
            ["w", "b"].map(|side| at(&format!("4k3/8/8/8/8/8/8/R3K3 {side} - - 0 1")));
        assert!(white_share(&white, Score::new(500)) > 0.9);
        assert!(white_share(&black, Score::new(-500)) > 0.9);
        assert!(white_share(&black, Score::new(500)) < 0.1);
    }
}
