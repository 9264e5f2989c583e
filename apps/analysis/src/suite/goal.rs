//! What a position of a suite asks for.

use tamarin_eval::{Score, ScoreValue};
use tamarin_movegen::{Move, Position, SanError};

use tamarin_game::epd::Epd;

/// What is to be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// One of the best moves (`bm`), none of those to avoid (`am`); one list may be empty.
    Moves {
        /// Any of these, unless there are none.
        best: Vec<Move>,
        /// None of these.
        avoid: Vec<Move>,
    },
    /// A mate in this number of moves (`dm`, `bm #n`); negative if the side to move is mated.
    Mate(i32),
    /// Moves with their points, the most first (`c8` and `c9`, or `c0`).
    Points(Vec<(Move, u32)>),
}

/// Why a line asks for nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoalError {
    #[error("neither bm, am, dm nor c8 with c9")]
    Missing,
    #[error("{opcode}: {text:?} is no legal move")]
    Move { opcode: &'static str, text: String },
    #[error("{opcode}: {text:?} is no number of moves")]
    Mate { opcode: &'static str, text: String },
}

impl Goal {
    /// What a line asks for. Points win over a mate, and a mate over moves.
    ///
    /// # Errors
    /// If it asks for nothing, or for what cannot be.
    pub fn of(epd: &Epd) -> Result<Self, GoalError> {
        if let Some(points) = points(epd)? {
            return Ok(Self::Points(points));
        }
        if let Some(text) = epd.operand("dm") {
            return Ok(Self::Mate(mate("dm", text)?));
        }
        if let Some(text) = epd.operand("bm").and_then(|text| text.strip_prefix('#')) {
            return Ok(Self::Mate(mate("bm", text)?));
        }
        let best = moves(&epd.position, "bm", epd.operands("bm").unwrap_or_default())?;
        let avoid = moves(&epd.position, "am", epd.operands("am").unwrap_or_default())?;
        match (best.is_empty(), avoid.is_empty()) {
            (true, true) => Err(GoalError::Missing),
            _ => Ok(Self::Moves { best, avoid }),
        }
    }

    /// The points of an answer: a best move and its score.
    pub fn points(&self, mv: Option<Move>, score: Score) -> u32 {
        match self {
            Self::Moves { best, avoid } => {
                u32::from(mv.is_some_and(|mv| {
                    (best.is_empty() || best.contains(&mv)) && !avoid.contains(&mv)
                }))
            }
            Self::Mate(wanted) => u32::from(match score.to_uci() {
                ScoreValue::Mate(moves @ 1..) => moves <= *wanted,
                ScoreValue::Mate(moves) => (*wanted..=0).contains(&moves),
                ScoreValue::Centipawns(_) => false,
            }),
            Self::Points(list) => {
                list.iter().find(|(known, _)| Some(*known) == mv).map_or(0, |(_, points)| *points)
            }
        }
    }

    /// The most points there are.
    pub fn most(&self) -> u32 {
        match self {
            Self::Moves { .. } | Self::Mate(_) => 1,
            Self::Points(list) => list.iter().map(|(_, points)| *points).max().unwrap_or(0),
        }
    }

    /// What it asks for, for a table.
    pub fn text(&self, position: &Position) -> String {
        let sans = |moves: &[Move]| {
            let texts: Vec<_> = moves.iter().map(|mv| position.san(*mv).to_string()).collect();
            texts.join(" ")
        };
        match self {
            Self::Moves { best, avoid } if best.is_empty() => format!("not {}", sans(avoid)),
            Self::Moves { best, avoid } if avoid.is_empty() => sans(best),
            Self::Moves { best, avoid } => format!("{}, not {}", sans(best), sans(avoid)),
            Self::Mate(moves) => format!("#{moves}"),
            Self::Points(list) => list.first().map_or(String::new(), |best| sans(&[best.0])),
        }
    }
}

/// The moves of an operation, in algebraic notation or coordinates.
fn moves(
    position: &Position,
    opcode: &'static str,
    operands: &[String],
) -> Result<Vec<Move>, GoalError> {
    let one = |text: &str| {
        let coordinates = text.parse().ok().and_then(|uci| position.resolve(uci).ok());
        coordinates
            .or_else(|| position.parse_san(text).ok())
            .ok_or_else(|| GoalError::Move { opcode, text: text.to_owned() })
    };
    // Some files divide moves by commas.
    let words = operands.iter().flat_map(|text| text.split([',', ' ']));
    words.filter(|text| !text.is_empty()).map(one).collect()
}

fn mate(opcode: &'static str, text: &str) -> Result<i32, GoalError> {
    let number = text.parse().ok().filter(|moves: &i32| moves.unsigned_abs() <= 1000);
    number.ok_or_else(|| GoalError::Mate { opcode, text: text.to_owned() })
}

/// The moves with points: those of `c9` (or `c7`) with the points of `c8`, or `c0` with both.
fn points(epd: &Epd) -> Result<Option<Vec<(Move, u32)>>, GoalError> {
    let mut list = Vec::new();
    let lists = [("c9", epd.operand("c9")), ("c7", epd.operand("c7"))];
    let named = lists.into_iter().find_map(|(opcode, text)| Some((opcode, text?)));
    if let (Some(points), Some((opcode, names))) = (epd.operand("c8"), named) {
        for (name, points) in names.split_whitespace().zip(points.split_whitespace()) {
            list.extend(scored(epd, opcode, name, points)?);
        }
    } else if let Some(pairs) = epd.operand("c0") {
        // It may be a remark: `White: A; rating=1500`.
        let is_move =
            |name: &str| !matches!(epd.position.parse_san(name), Err(SanError::Syntax { .. }));
        let pairs = pairs.split(',').filter_map(|pair| pair.rsplit_once('='));
        for (name, points) in pairs.filter(|(name, _)| is_move(name.trim())) {
            list.extend(scored(epd, "c0", name.trim(), points.trim())?);
        }
    }
    list.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
    Ok((!list.is_empty()).then_some(list))
}

/// A move with its points; none if the points are no number, as in a `c0` that is a remark.
fn scored(
    epd: &Epd,
    opcode: &'static str,
    name: &str,
    points: &str,
) -> Result<Option<(Move, u32)>, GoalError> {
    let Ok(points) = points.parse::<u32>() else { return Ok(None) };
    let found = moves(&epd.position, opcode, &[name.to_owned()])?;
    Ok(found.first().map(|mv| (*mv, points.min(1_000_000))))
}

#[cfg(test)]
mod tests {
    use super::{Goal, GoalError};
    use tamarin_eval::Score;
    use tamarin_game::epd::Epd;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";

    fn goal(operations: &str) -> Result<Goal, GoalError> {
        Goal::of(&Epd::parse(&format!("{START}{operations}")).expect("a position"))
    }

    fn points(operations: &str, san: &str, score: Score) -> u32 {
        let epd = Epd::parse(START).expect("a position");
        let mv = epd.position.parse_san(san).expect("a move");
        goal(operations).expect("it asks for something").points(Some(mv), score)
    }

    #[test]
    fn moves_are_wanted_or_unwanted() {
        assert_eq!(points("bm e4 d2d4;", "d4", Score::DRAW), 1);
        assert_eq!(points("bm e4, d4;", "c4", Score::DRAW), 0);
        assert_eq!(points("am f3;", "e4", Score::DRAW), 1);
        assert_eq!(points("am f3;", "f3", Score::DRAW), 0);
        assert_eq!(points("bm e4; am e4;", "e4", Score::DRAW), 0);
        assert_eq!(goal("bm e4;").expect("good").points(None, Score::DRAW), 0);
    }

    #[test]
    fn mates_must_come_in_time_and_for_the_right_side() {
        assert_eq!(points("dm 3;", "e4", Score::mate_in(5)), 1);
        assert_eq!(points("bm #2;", "e4", Score::mate_in(5)), 0);
        assert_eq!(points("bm #-3;", "e4", Score::mated_in(6)), 1);
        assert_eq!(points("bm #-3;", "e4", Score::mate_in(5)), 0);
        assert_eq!(points("dm 3;", "e4", Score::new(5000)), 0);
    }

    #[test]
    fn points_come_from_two_operations_or_one() {
        for operations in [
            "bm e4; c8 \"100 46\"; c9 \"e2e4 d2d4\";",
            "c7 \"e4 d4\"; c8 \"100 46\";",
            "bm e4; c0 \"d4=46, e4=100\";",
        ] {
            let goal = goal(operations).expect("good");
            assert_eq!(goal.most(), 100, "{operations}");
            assert_eq!(points(operations, "d4", Score::DRAW), 46, "{operations}");
            assert_eq!(points(operations, "a3", Score::DRAW), 0, "{operations}");
        }
        for remark in ["a remark = good", "White: A; rating=1500"] {
            let goal = goal(&format!("bm e4; c0 \"{remark}\";"));
            assert_eq!(goal.map(|goal| goal.most()), Ok(1));
        }
        assert!(goal("bm e4; c0 \"Ke4=5\";").is_err());
    }

    #[test]
    fn what_asks_for_nothing_is_an_error() {
        assert_eq!(goal("id \"x\";"), Err(GoalError::Missing));
        assert!(matches!(goal("bm e5;"), Err(GoalError::Move { opcode: "bm", .. })));
        assert!(matches!(goal("dm many;"), Err(GoalError::Mate { opcode: "dm", .. })));
        assert!(matches!(goal("c8 \"1\"; c9 \"e7e5\";"), Err(GoalError::Move { .. })));
    }
}
