//! What the engine says when it is asked: hints, reasons, values.

use tamarin_eval::{Breakdown, Score, UNITS_PER_PAWN, pawns};
use tamarin_movegen::{Color, Move, Position};
use tamarin_search::{Limits, Millis, SearchOptions};

use super::moves;
use super::thinker::{Answer, Line};
use tamarin_chess::wdl;
use tamarin_notation::score_text::{for_white, with_sign};

/// How long a question is thought about.
const TIME: Millis = Millis::new(1000);

/// Nodes of the search for the answer to a wrong move.
const REFUTATION_NODES: u64 = 100_000;

/// How long a mate that solves a puzzle may take to be proved.
const JUDGE_TIME: Millis = Millis::new(10_000);

/// Lines that analysis mode shows.
pub const LINES: usize = 3;

/// The longest line that is shown, in plies.
const LINE_PLIES: usize = 12;

/// A question about a position.
#[derive(Clone, Debug)]
pub enum Question {
    /// What is a good move?
    Hint,
    /// What speaks for this move?
    Why {
        /// The move.
        mv: Move,
        /// The best line, once it is known.
        best: Option<Line>,
    },
    /// What is the position worth?
    Value,
    /// Which are the best lines?
    Lines,
    /// What is the answer to this move, which was wrong? Asked about the position after it.
    Refute {
        /// The move.
        mv: Move,
        /// The position before it.
        before: Box<Position>,
    },
    /// Does this move mate in so many moves?
    Mates {
        /// The move.
        mv: Move,
        /// In how many moves.
        within: u32,
    },
}

/// What becomes of a question after a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The text of the answer.
    Text(Vec<String>),
    /// What White has of the position, from 0 to 1.
    Share(f64, Score),
    /// Whether the move mates in time.
    Verdict(Move, bool),
    /// Another search is needed.
    Next(Question),
}

/// The options of all searches for advice: full strength and no contempt.
pub fn options() -> SearchOptions {
    SearchOptions { contempt: 0, ..SearchOptions::default() }
}

impl Question {
    /// The limits of the search that answers it.
    pub fn limits(&self) -> Limits {
        let limits = Limits { move_time: Some(TIME), ..Limits::default() };
        match self {
            Self::Hint | Self::Lines | Self::Why { best: None, .. } => limits,
            Self::Refute { .. } => Limits { nodes: Some(REFUTATION_NODES), ..limits },
            Self::Why { mv, .. } => Limits { search_moves: vec![*mv], ..limits },
            Self::Value => Limits { move_time: Some(Millis::new(400)), ..limits },
            Self::Mates { mv, within } => Limits {
                mate: Some(*within),
                // A mate that exists is found not much deeper than it is long.
                depth: Some(2 * within + 8),
                move_time: Some(JUDGE_TIME),
                search_moves: vec![*mv],
                ..limits
            },
        }
    }

    /// The options of that search.
    pub fn options(&self) -> SearchOptions {
        let multi_pv = if matches!(self, Self::Lines) { LINES } else { 1 };
        SearchOptions { multi_pv, ..options() }
    }

    /// The answer, or what has to be asked next.
    pub fn answer(self, position: &Position, answer: &Answer) -> Outcome {
        if let Self::Mates { mv, within } = self {
            let proven = answer
                .line
                .as_ref()
                .is_some_and(|line| line.score >= Score::mate_in(2 * within.max(1) as usize - 1));
            return Outcome::Verdict(mv, proven);
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
            Self::Why { mv, best: None } if line.pv.first() != Some(&mv) => {
                Outcome::Next(Self::Why { mv, best: Some(line.clone()) })
            }
            Self::Why { best, .. } => Outcome::Text(why(position, line, best.as_ref())),
            Self::Mates { .. } => unreachable!("invariant: answered above"),
        }
    }
}

/// What White can expect of a game, from 0 to 1.
pub fn white_share(position: &Position, score: Score) -> f64 {
    let Some(wdl) = wdl::probabilities(score, position) else { return 0.5 };
    let expected =
        (f64::from(wdl.win()) + 0.5 * (1000.0 - f64::from(wdl.win() + wdl.loss()))) / 1000.0;
    match position.side_to_move() {
        Color::White => expected,
        Color::Black => 1.0 - expected,
    }
}

fn score_text(position: &Position, score: Score) -> String {
    with_sign(for_white(score, position.side_to_move()))
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
        let score = with_sign(for_white(line.score, position.side_to_move()));
        let shown = &line.pv[..line.pv.len().min(LINE_PLIES)];
        format!("{score} ({}) {}", line.depth, moves::line(position, shown))
    };
    lines.iter().filter(|line| !line.pv.is_empty()).map(text).collect()
}

/// The most terms that an explanation names.
const MAX_TERMS: usize = 5;

fn why(position: &Position, line: &Line, best: Option<&Line>) -> Vec<String> {
    let Some(mv) = line.pv.first() else { return vec!["There is no legal move.".to_owned()] };
    let score = score_text(position, line.score);
    let san = position.san(*mv);
    let mut text = vec![format!(
        "{san} is worth {score} for White at depth {}: {}",
        line.depth,
        moves::line(position, &line.pv)
    )];
    if line.score.is_mate() {
        let mover = position.side_to_move();
        let winner = if line.score > Score::DRAW { mover } else { !mover };
        text.push(format!("What decides: {winner:?} mates."));
    } else {
        text.push(terms(position, &line.pv));
    }
    match best {
        None => text.push(format!("{san} is the best move.")),
        Some(best) => text.push(format!(
            "Better is {} ({}).",
            moves::line(position, &best.pv),
            score_text(position, best.score)
        )),
    }
    text
}

/// The terms of the evaluation that the line changes most.
fn terms(position: &Position, pv: &[Move]) -> String {
    let mut end = position.clone();
    pv.iter().for_each(|mv| end.make(*mv));
    // In check there is nothing to evaluate: the last quiet position before counts.
    let mut plies = pv.len();
    while end.in_check() && plies > 0 {
        end.unmake();
        plies -= 1;
    }
    let before = Breakdown::new(position);
    let after = Breakdown::new(&end);
    let mut changes: Vec<(&str, i32)> = before
        .families()
        .zip(after.families())
        .map(|((name, old), (_, new))| (name, new - old))
        .filter(|(_, change)| change.abs() * 20 >= UNITS_PER_PAWN)
        .collect();
    if changes.is_empty() {
        return "What decides: nothing that the evaluation sees changes much.".to_owned();
    }
    changes.sort_by_key(|(_, change)| -change.abs());
    changes.truncate(MAX_TERMS);
    let list: Vec<String> =
        changes.iter().map(|(name, change)| format!("{name} {:+.2}", pawns(*change))).collect();
    format!("What decides, in pawns for White by the end of the line: {}.", list.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Question, terms, white_share};
    use crate::thinker::{Answer, Line};
    use tamarin_eval::Score;
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
        Answer { best: None, line: Some(Line { depth: 9, score, pv }), lines: Vec::new() }
    }

    #[test]
    fn a_move_that_is_not_the_best_is_compared_with_it() {
        let position = Position::startpos();
        let mv = position.parse_san("a3").unwrap();
        let best = answer(&position, Score::new(30), &["e4", "e5"]);
        let Outcome::Next(next) = (Question::Why { mv, best: None }).answer(&position, &best)
        else {
            panic!("the move itself has not been searched")
        };
        assert_eq!(next.limits().search_moves, [mv]);
        let own = answer(&position, Score::new(0), &["a3", "e5"]);
        let Outcome::Text(text) = next.answer(&position, &own) else { panic!() };
        assert!(
            text[0].starts_with("a3 is worth +0.00 for White at depth 9: 1. a3 e5"),
            "{text:?}"
        );
        assert!(text[2].starts_with("Better is 1. e4 e5 ("), "{text:?}");
    }

    #[test]
    fn the_terms_that_change_are_named() {
        let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let text = terms(&position, &[position.parse_san("exd5").unwrap()]);
        assert!(text.contains("Material +"), "{text}");
        assert!(terms(&position, &[]).contains("nothing"));
    }

    #[test]
    fn mates_are_judged_by_their_length() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let mv = position.parse_san("Rd8#").unwrap();
        let judge = |score| {
            let question = Question::Mates { mv, within: 2 };
            matches!(
                question.answer(&position, &answer(&position, score, &["Rd8#"])),
                Outcome::Verdict(_, true)
            )
        };
        assert!(judge(Score::mate_in(1)) && judge(Score::mate_in(3)));
        assert!(!judge(Score::mate_in(5)) && !judge(Score::new(900)));
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
