//! What the engine says when it is asked: hints, reasons, values.

use tamarin_analysis::explain::{Found, GameResult, Inquiry, Request, Step};
use tamarin_eval::Score;
use tamarin_movegen::{Color, Move, Position};
use tamarin_search::{Limits, MateGoal, MateLimits, MateVerdict, Millis, Prover, SearchOptions};

use crate::moves;
use tamarin_eval::wdl;
use tamarin_game::score_text::{for_white, in_words};
use tamarin_game::search::{ChessAnswer as Answer, ChessLine as Line};

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
        mv: Move,
        /// The position before it.
        before: Box<Position>,
    },
    /// Does this move mate in `moves` moves?
    Mates {
        mv: Move,
        /// In how many moves.
        within: u32,
    },
    /// Which move solves a puzzle that does not say it?
    Solve {
        /// In how many moves it has to mate, if it has.
        within: Option<u32>,
        /// The moves that may solve it; all if there are none.
        among: Vec<Move>,
    },
}

/// What becomes of a question after a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    Text(Vec<String>),
    /// What White has of the position, from 0 to 1.
    Share(f64, Score),
    /// Whether the move mates in time.
    Verdict(Move, bool),
    /// A move that solves the puzzle.
    Solution(Move),
    /// Another search is needed.
    Next(Question),
}

/// The options of all searches for advice: full strength and no contempt.
pub fn options() -> SearchOptions {
    SearchOptions { contempt: 0, ..SearchOptions::default() }
}

impl Question {
    /// Why a legal move of a position is good or bad: the first search, or the answer where none
    /// is needed.
    pub fn why(position: Position, mv: Move) -> Outcome {
        Self::go_on(Box::new(Inquiry::of_move(position, mv)))
    }

    fn go_on(inquiry: Box<Inquiry>) -> Outcome {
        match inquiry.next() {
            Step::Search(request) => Outcome::Next(Self::Why { inquiry, request }),
            Step::Done(explanation) if explanation.sentences.is_empty() => {
                Outcome::Text(vec!["There is nothing to say about this position.".to_owned()])
            }
            Step::Done(explanation) => Outcome::Text(explanation.lines()),
        }
    }

    /// The position that is searched for a question about `position`.
    pub fn searched<'a>(&'a self, position: &'a Position) -> &'a Position {
        match self {
            Self::Why { request, .. } => &request.position,
            _ => position,
        }
    }

    /// The limits of the search that answers it.
    pub fn limits(&self) -> Limits {
        let limits = Limits { move_time: Some(TIME), ..Limits::default() };
        match self {
            Self::Hint | Self::Lines => limits,
            Self::Refute { .. } => Limits { nodes: Some(REFUTATION_NODES), ..limits },
            Self::Why { request, .. } => {
                Limits { nodes: Some(WHY_NODES), search_moves: request.search_moves(), ..limits }
            }
            Self::Value => Limits { move_time: Some(Millis::new(400)), ..limits },
            Self::Mates { mv, within } => mate_limits(*within, vec![*mv]),
            Self::Solve { within: Some(within), among } => mate_limits(*within, among.clone()),
            Self::Solve { within: None, among } => Limits { search_moves: among.clone(), ..limits },
        }
    }

    pub fn options(&self) -> SearchOptions {
        let multi_pv = if matches!(self, Self::Lines) { LINES } else { 1 };
        SearchOptions { multi_pv, ..options() }
    }

    /// The answer, or what has to be asked next.
    pub fn answer(self, position: &Position, answer: &Answer) -> Outcome {
        let mates = |within: u32| {
            let least = Score::mate_in(2 * within.max(1) as usize - 1);
            answer.line.as_ref().is_some_and(|line| line.score >= least)
        };
        if let Self::Mates { mv, within } = self {
            return Outcome::Verdict(mv, mates(within) || is_proven(position, mv, within));
        }
        if let Self::Solve { within, among } = self {
            let best = answer.line.as_ref().and_then(|line| line.pv.first()).copied();
            let found = best.filter(|_| within.is_none_or(mates));
            let may_solve = |mv: &Move| among.is_empty() || among.contains(mv);
            return match found.or_else(|| proven_move(position, within?).filter(may_solve)) {
                Some(mv) => Outcome::Solution(mv),
                None => Outcome::Text(vec!["The engine finds no solution.".to_owned()]),
            };
        }
        if let Self::Why { mut inquiry, .. } = self {
            inquiry.answer(answer.line.as_ref().map(|line| Found {
                score: line.score,
                moves: line.pv.clone(),
                result: answer.result.map(GameResult::of_table),
            }));
            return Self::go_on(inquiry);
        }
        let Some(line) = &answer.line else {
            return Outcome::Text(vec!["There is nothing to say about this position.".to_owned()]);
        };
        match self {
            Self::Hint => Outcome::Text(vec![hint(position, line)]),
            Self::Refute { mv, before } => {
                Outcome::Text(vec![refutation(&before, mv, position, line)])
            }
            Self::Lines => Outcome::Text(line_texts(position, &answer.lines)),
            Self::Value => {
                let score = for_white(line.score, position.side_to_move());
                Outcome::Share(white_share(position, line.score), score)
            }
            Self::Why { .. } | Self::Mates { .. } | Self::Solve { .. } => {
                unreachable!("invariant: answered above")
            }
        }
    }
}

/// Limits to find or prove a mate in `within` moves that begins with one of the moves; with any
/// if there are none.
fn mate_limits(within: u32, search_moves: Vec<Move>) -> Limits {
    Limits {
        mate: Some(within),
        // Most mates are found not much deeper than they are long; the others are proven.
        depth: Some(2 * within + 8),
        move_time: Some(JUDGE_TIME),
        search_moves,
        ..Limits::default()
    }
}

fn prover(position: &Position, goal: MateGoal) -> Option<Prover> {
    let limits = MateLimits { nodes: Some(PROOF_NODES), ..MateLimits::default() };
    Prover::new(position, goal, PROOF_HASH, limits).ok()
}

/// Returns `true` if it can be proven that a move mates in `within` moves, itself included.
fn is_proven(position: &Position, mv: Move, within: u32) -> bool {
    let left = u8::try_from(within).ok().and_then(|moves| moves.checked_sub(1));
    let Some(left) = left else { return false };
    let mut after = position.clone();
    after.make(mv);
    let prover = prover(&after, MateGoal::IsMated(left));
    prover.is_some_and(|mut prover| prover.prove(left) == MateVerdict::Proven)
}

/// The first move of a mate in `within` moves, if one can be proven.
fn proven_move(position: &Position, within: u32) -> Option<Move> {
    let moves = u8::try_from(within).ok()?;
    let mut prover = prover(position, MateGoal::Mates(moves))?;
    match prover.prove(moves) {
        MateVerdict::Proven => prover.line(moves).first().copied(),
        _ => None,
    }
}

/// What White can expect of a game, from 0 to 1.
pub fn white_share(position: &Position, score: Score) -> f64 {
    let [win, draw, _] = wdl::permille(score, position);
    let expected = (f64::from(win) + 0.5 * f64::from(draw)) / 1000.0;
    match position.side_to_move() {
        Color::White => expected,
        Color::Black => 1.0 - expected,
    }
}

fn score_text(position: &Position, score: Score) -> String {
    in_words(for_white(score, position.side_to_move()))
}

fn hint(position: &Position, line: &Line) -> String {
    let Some(mv) = line.pv.first() else { return "There is no legal move.".to_owned() };
    let score = score_text(position, line.score);
    format!("Hint: {} ({score}): {}", position.san(*mv), moves::line(position, &line.pv))
}

/// The longest refutation that is shown, in plies.
const REFUTATION_PLIES: usize = 6;

/// How a wrong move is answered.
fn refutation(before: &Position, mv: Move, after: &Position, line: &Line) -> String {
    let moves = &line.pv[..line.pv.len().min(REFUTATION_PLIES)];
    let score = score_text(after, line.score);
    format!("{} is answered by {} ({score}).", before.san(mv), moves::line(after, moves))
}

/// Lines as people read them, the best one first.
pub fn line_texts(position: &Position, lines: &[Line]) -> Vec<String> {
    let text = |line: &Line| {
        let score = score_text(position, line.score);
        let shown = &line.pv[..line.pv.len().min(LINE_PLIES)];
        format!("{score} ({}) {}", line.depth, moves::line(position, shown))
    };
    lines.iter().filter(|line| !line.pv.is_empty()).map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Question, white_share};
    use tamarin_eval::Score;
    use tamarin_game::search::{ChessAnswer as Answer, ChessLine as Line};
    use tamarin_movegen::Position;

    fn answer(position: &Position, score: Score, text: &[&str]) -> Answer {
        let mut position = position.clone();
        let pv = text
            .iter()
            .map(|text| {
                let mv = position.parse_san(text).unwrap();
                position.make(mv);
                mv
            })
            .collect();
        Answer {
            best: None,
            line: Some(Line { depth: 9, score, pv }),
            lines: Vec::new(),
            result: None,
        }
    }

    #[test]
    fn reasons_are_searched_for_one_after_the_other() {
        let position = Position::startpos();
        let mv = position.parse_san("a3").unwrap();
        let mut after = position.clone();
        after.make(mv);
        let mut asked = Question::why(position.clone(), mv);
        let (mut before_move, mut after_move) = (0, 0);
        let text = loop {
            let next = match asked {
                Outcome::Next(next) => next,
                Outcome::Text(text) => break text,
                _ => panic!("neither a search nor an answer"),
            };
            let there = next.searched(&position).clone();
            let found = match (there.key() == position.key(), there.key() == after.key()) {
                (true, _) if next.limits().search_moves.is_empty() => {
                    before_move += 1;
                    answer(&there, Score::new(30), &["e4", "e5"])
                }
                (true, _) => answer(&there, Score::new(10), &["d4", "d5"]),
                (_, true) => {
                    after_move += 1;
                    answer(&there, Score::new(-20), &["e5", "h3"])
                }
                // The threats of both sides: nobody has any.
                _ => {
                    let mv = there.legal_moves()[0];
                    answer(&there, Score::DRAW, &[&there.san(mv).to_string()])
                }
            };
            asked = next.answer(&there, &found);
        };
        assert_eq!((before_move, after_move), (2, 2), "two looks at each");
        let wanted =
            "1. a3 (+0.14) is about as good as the best move found, 1. e4 (+0.21): 1... e5 2. h3.";
        assert_eq!(text, [wanted]);
    }

    /// Defect D15: it said "worth #1 at depth 245".
    #[test]
    fn a_move_that_mates_is_called_mate() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let mv = position.parse_san("Rd8#").unwrap();
        let mut asked = Question::why(position.clone(), mv);
        let text = loop {
            asked = match asked {
                Outcome::Next(next) if next.limits().search_moves.is_empty() => {
                    next.answer(&position, &answer(&position, Score::mate_in(1), &["Rd8#"]))
                }
                Outcome::Next(next) => {
                    next.answer(&position, &answer(&position, Score::new(700), &["g3"]))
                }
                Outcome::Text(text) => break text,
                _ => panic!("neither a search nor an answer"),
            };
        };
        assert_eq!(text, ["1. Rd8# is checkmate."]);
    }

    #[test]
    fn mates_are_judged_by_their_length() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let mv = position.parse_san("g3").unwrap();
        let judge = |score| {
            let question = Question::Mates { mv, within: 2 };
            matches!(
                question.answer(&position, &answer(&position, score, &["g3"])),
                Outcome::Verdict(_, true)
            )
        };
        assert!(judge(Score::mate_in(1)) && judge(Score::mate_in(3)));
        assert!(!judge(Score::mate_in(5)) && !judge(Score::new(900)));
    }

    #[test]
    fn a_solution_is_a_mate_in_time_or_any_move_that_may_solve() {
        let position = Position::startpos();
        let mv = position.parse_san("e4").unwrap();
        let solves = |within, score| {
            let question = Question::Solve { within, among: Vec::new() };
            let outcome = question.answer(&position, &answer(&position, score, &["e4"]));
            matches!(outcome, Outcome::Solution(found) if found == mv)
        };
        assert!(solves(Some(1), Score::mate_in(1)) && solves(None, Score::new(0)));
        assert!(!solves(Some(1), Score::mate_in(3)) && !solves(Some(1), Score::new(900)));
    }

    #[test]
    fn a_mate_that_the_search_does_not_find_is_proven() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let [mate, other] = ["Rd8#", "g3"].map(|text| position.parse_san(text).unwrap());
        let missed = answer(&position, Score::new(900), &["g3"]);
        let judge = |mv, within| Question::Mates { mv, within }.answer(&position, &missed);
        assert!(matches!(judge(mate, 1), Outcome::Verdict(_, true)));
        assert!(matches!(judge(other, 1), Outcome::Verdict(_, false)));
        assert!(matches!(judge(mate, 0), Outcome::Verdict(_, false)));
        let solve = |among| Question::Solve { within: Some(1), among }.answer(&position, &missed);
        assert!(matches!(solve(Vec::new()), Outcome::Solution(mv) if mv == mate));
        assert!(matches!(solve(vec![other]), Outcome::Text(_)));
    }

    #[test]
    fn the_share_is_that_of_white() {
        let white = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let black = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1").unwrap();
        assert!(white_share(&white, Score::new(500)) > 0.9);
        assert!(white_share(&black, Score::new(-500)) > 0.9);
        assert!(white_share(&black, Score::new(500)) < 0.1);
    }
}
