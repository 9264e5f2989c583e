//! Reading `info` lines.

use crate::number::Number;
use crate::words::Words;
use crate::{Bound, InfoLine, Millis, ScoreText, ScoreValue, Wdl};

/// Everything of an `info` line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParsedInfo<'a> {
    /// The fields that [`InfoLine`] prints.
    pub line: InfoLine<&'a str>,
    /// `currmove`: the root move being searched.
    pub current_move: Option<&'a str>,
    /// `currmovenumber`: its place in the move order, from 1.
    pub current_move_number: Option<u32>,
    /// `string`: text for people, to the end of the line.
    pub text: Option<&'a str>,
}

/// The words that begin a field.
const KEYWORDS: [&str; 20] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
    "lowerbound",
    "upperbound",
    "wdl",
];

/// What becomes the score once the whole line is read: engines differ in the order of its parts.
#[derive(Default)]
struct ScoreParts {
    value: Option<ScoreValue>,
    bound: Option<Bound>,
    wdl: Option<Wdl>,
}

impl<'a> ParsedInfo<'a> {
    /// Reads what follows `info`.
    pub(super) fn parse(mut words: Words<'a>) -> Self {
        let (mut info, mut score) = (Self::default(), ScoreParts::default());
        while let Some(word) = words.next() {
            match word {
                "string" => {
                    info.text = Some(words.rest());
                    break;
                }
                "score" => score.value = value(&mut words).or(score.value),
                "lowerbound" => score.bound = Some(Bound::Lower),
                "upperbound" => score.bound = Some(Bound::Upper),
                "wdl" => score.wdl = wdl(&mut words).or(score.wdl),
                _ => info.read_field(word, &mut words),
            }
        }
        info.line.score = score.value.map(|value| ScoreText {
            value,
            bound: score.bound.unwrap_or(Bound::Exact),
            wdl: score.wdl,
        });
        info
    }

    /// Reads the value of a field; of no field, nothing. A malformed value leaves the field as it
    /// was and is read as the next word.
    fn read_field(&mut self, keyword: &str, words: &mut Words<'a>) {
        let line = &mut self.line;
        match keyword {
            "depth" => set(&mut line.depth, number(words).map(Number::to_u32)),
            "seldepth" => set(&mut line.seldepth, number(words).map(Number::to_u32)),
            "multipv" => set(&mut line.multipv, number(words).map(Number::to_u32)),
            "nodes" => set(&mut line.nodes, number(words).map(Number::to_u64)),
            "nps" => set(&mut line.nps, number(words).map(Number::to_u64)),
            "hashfull" => set(&mut line.hashfull, number(words).map(Number::to_u16)),
            "tbhits" => set(&mut line.tbhits, number(words).map(Number::to_u64)),
            "time" => set(&mut line.time, number(words).map(|time| Millis(time.to_i64()))),
            "pv" => line.pv = moves(words),
            "currmove" => set(&mut self.current_move, one_move(words)),
            "currmovenumber" => {
                set(&mut self.current_move_number, number(words).map(Number::to_u32));
            }
            _ => {}
        }
    }
}

impl<M> InfoLine<M> {
    /// The score of the best variation if it is exact; `None` in a line about a bound, another
    /// variation or no score.
    #[must_use]
    pub fn exact_score(&self) -> Option<ScoreValue> {
        let best = self.multipv.is_none_or(|rank| rank == 1);
        self.score.filter(|score| best && score.bound == Bound::Exact).map(|score| score.value)
    }
}

fn set<T>(field: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *field = value;
    }
}

/// The next word if it is a number.
fn number(words: &mut Words<'_>) -> Option<Number> {
    let number = Number::parse(words.peek()?)?;
    words.next();
    Some(number)
}

/// The next word unless it begins a field.
fn one_move<'a>(words: &mut Words<'a>) -> Option<&'a str> {
    words.peek().filter(|word| !KEYWORDS.contains(word))?;
    words.next()
}

/// The words before the next field.
fn moves<'a>(words: &mut Words<'a>) -> Vec<&'a str> {
    core::iter::from_fn(|| one_move(words)).collect()
}

/// `cp 12` or `mate -3`.
fn value(words: &mut Words<'_>) -> Option<ScoreValue> {
    let mut ahead = *words;
    let kind: fn(i32) -> ScoreValue = match ahead.next()? {
        "cp" => ScoreValue::Centipawns,
        "mate" => ScoreValue::Mate,
        _ => return None,
    };
    let value = number(&mut ahead)?;
    *words = ahead;
    Some(kind(value.to_i32()))
}

/// Three chances whose sum is 1000.
fn wdl(words: &mut Words<'_>) -> Option<Wdl> {
    let mut ahead = *words;
    let [win, draw, loss] = [(); 3].map(|()| number(&mut ahead).map(Number::to_u16));
    let wdl = Wdl::new(win?, draw?, loss?)?;
    *words = ahead;
    Some(wdl)
}
