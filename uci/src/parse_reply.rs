//! The engine's replies as a client reads them: the inverse of printing [`Reply`](crate::Reply).

use crate::number::Number;
use crate::option::EMPTY;
use crate::words::Words;
use crate::{BestMoveLine, Bound, InfoLine, ScoreText, ScoreValue, Wdl};

/// One line of an engine. Texts and moves are parts of the line; moves are not checked, because
/// only the client knows the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsedReply<'a> {
    /// `id name ...`
    IdName(&'a str),
    /// `id author ...`
    IdAuthor(&'a str),
    /// `option name ...`
    Option(ParsedOption<'a>),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info ...`
    Info(ParsedInfo<'a>),
    /// `bestmove ...`; a line without a move counts as `bestmove (none)`.
    BestMove(BestMoveLine<&'a str>),
}

/// Reads a line of an engine, with or without its line end. `None` if a client has nothing to do
/// with it: a line of another kind, such as a banner or `copyprotection ok`, an `id` or `option`
/// line without a name.
///
/// Reading never fails. Unknown words in an `info` line are skipped; a field whose value is
/// missing or malformed is absent; numbers out of range are clamped to it. Only the first word of
/// the line decides its kind: engines print banners and errors, whose words must not end a search.
///
/// ```
/// use tamarin_uci::{ParsedReply, ScoreValue, parse_reply};
///
/// let line = "info depth 12 new 7 score cp 31 nodes 4096 pv e2e4 e7e5";
/// let Some(ParsedReply::Info(info)) = parse_reply(line) else { panic!("an info line") };
/// assert_eq!(info.line.depth, Some(12));
/// assert_eq!(info.line.exact_score(), Some(ScoreValue::Centipawns(31)));
/// assert_eq!(info.line.pv, ["e2e4", "e7e5"]);
/// assert_eq!(parse_reply("Tamarin, a chess engine"), None);
/// ```
#[must_use]
pub fn parse_reply(line: &str) -> Option<ParsedReply<'_>> {
    let mut words = Words::new(line);
    match words.next()? {
        "id" => match (words.next()?, words.rest()) {
            (_, "") => None,
            ("name", text) => Some(ParsedReply::IdName(text)),
            ("author", text) => Some(ParsedReply::IdAuthor(text)),
            _ => None,
        },
        "option" => ParsedOption::parse(words).map(ParsedReply::Option),
        "uciok" => Some(ParsedReply::UciOk),
        "readyok" => Some(ParsedReply::ReadyOk),
        "info" => Some(ParsedReply::Info(ParsedInfo::parse(words))),
        "bestmove" => Some(ParsedReply::BestMove(parse_best_move(words))),
        _ => None,
    }
}

fn parse_best_move<'a>(mut words: Words<'a>) -> BestMoveLine<&'a str> {
    match words.next() {
        None | Some("(none)") => BestMoveLine::None,
        Some("0000") => BestMoveLine::Null,
        Some(mv) => {
            let ponder = words.find(|word| *word == "ponder").and_then(|_| words.next());
            // Some engines print these for no move.
            let ponder = ponder.filter(|word| !matches!(*word, "(none)" | "0000"));
            BestMoveLine::Move { mv, ponder }
        }
    }
}

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
    fn parse(mut words: Words<'a>) -> Self {
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
            "time" => set(&mut line.time, number(words).map(Number::to_millis)),
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

/// An option as an engine announces it. What a type has no use for is kept if the line has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedOption<'a> {
    /// The name, with its inner spaces as sent.
    pub name: &'a str,
    /// The type: `spin`, `check`, `combo`, `button`, `string` or another word; `None` if the line
    /// has none.
    pub kind: Option<&'a str>,
    /// The default; `<empty>` is read as the empty text.
    pub default: Option<&'a str>,
    /// The least value of a spin, clamped to 64 bits.
    pub min: Option<i64>,
    /// The greatest value of a spin, clamped to 64 bits.
    pub max: Option<i64>,
    /// The choices of a combo.
    pub choices: Vec<&'a str>,
}

impl<'a> ParsedOption<'a> {
    /// Reads what follows `option`; `None` without a name.
    fn parse(mut words: Words<'a>) -> Option<Self> {
        const AFTER_TYPE: [&str; 4] = ["default", "min", "max", "var"];
        words.find(|word| *word == "name")?;
        let name = text_before(&mut words, &["type"]);
        if name.is_empty() {
            return None;
        }
        words.next();
        let kind = words.next();
        let (default, min, max, choices) = Default::default();
        let mut option = Self { name, kind, default, min, max, choices };
        while let Some(word) = words.next() {
            match word {
                "default" => {
                    // A text may have any words in it.
                    let stops = if kind == Some("string") { &[] } else { &AFTER_TYPE[..] };
                    let text = text_before(&mut words, stops);
                    option.default = Some(if text.eq_ignore_ascii_case(EMPTY) { "" } else { text });
                }
                "min" => option.min = words.peek().and_then(whole_number).or(option.min),
                "max" => option.max = words.peek().and_then(whole_number).or(option.max),
                "var" => option.choices.push(text_before(&mut words, &AFTER_TYPE)),
                _ => {}
            }
        }
        Some(option)
    }

    /// What the option takes, if that is known and this value is something else.
    #[must_use]
    pub fn expected_instead_of(&self, value: &str) -> Option<String> {
        let is_one_of = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(value));
        let (fits, expected) = match self.kind? {
            "spin" => {
                let (min, max) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
                let fits = value.parse().is_ok_and(|number: i64| (min..=max).contains(&number));
                (fits, format!("a whole number from {min} to {max}"))
            }
            "check" => (is_one_of(&["true", "false"]), "true or false".to_owned()),
            "combo" if !self.choices.is_empty() => {
                (is_one_of(&self.choices), format!("one of: {}", self.choices.join(", ")))
            }
            _ => return None,
        };
        (!fits).then_some(expected)
    }
}

fn whole_number(word: &str) -> Option<i64> {
    Number::parse(word).map(Number::to_i64)
}

/// The text before the first of these words, as sent; all of it without one of them.
fn text_before<'a>(words: &mut Words<'a>, stops: &[&str]) -> &'a str {
    let text = words.rest();
    while words.peek().is_some_and(|word| !stops.contains(&word)) {
        words.next();
    }
    text[..text.len() - words.rest().len()].trim_ascii_end()
}
