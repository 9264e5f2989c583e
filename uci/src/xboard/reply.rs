//! What the engine answers.

use core::fmt::{self, Write as _};

use crate::{Bound, Excerpt, Millis, OptionKind, OptionSpec, ScoreValue};

/// One line of the protocol, without its end. Texts are printed without control characters, and
/// of what a client did wrong no more than its beginning ([`Excerpt::LIMIT`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// `feature ...`
    Feature(Feature<'a>),
    /// `pong N`
    Pong(&'a str),
    /// `move M`
    Move(&'a str),
    /// `RESULT {reason}`, such as `1-0 {White mates}`: the game is over.
    Result(&'a str, &'a str),
    /// `resign`
    Resign,
    /// `offer draw`
    OfferDraw,
    /// `Hint: M`
    Hint(&'a str),
    /// `Error (reason): line`
    Error(&'a str, &'a str),
    /// `Illegal move (reason): M`
    IllegalMove(&'a str, &'a str),
    /// `tellusererror Illegal position`
    IllegalPosition,
    /// `# ...`: a remark for the log of the client.
    Debug(&'a str),
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Feature(feature) => write!(f, "feature {feature}"),
            Self::Pong(text) => write!(f, "pong {}", Clean(text)),
            Self::Move(text) => write!(f, "move {text}"),
            Self::Result(result, reason) => write!(f, "{result} {{{}}}", Clean(reason)),
            Self::Resign => f.write_str("resign"),
            Self::OfferDraw => f.write_str("offer draw"),
            Self::Hint(text) => write!(f, "Hint: {text}"),
            Self::Error(reason, line) => write_complaint(f, "Error", reason, line),
            Self::IllegalMove(reason, text) => write_complaint(f, "Illegal move", reason, text),
            Self::IllegalPosition => f.write_str("tellusererror Illegal position"),
            Self::Debug(text) => write!(f, "# {}", Clean(text)),
        }
    }
}

fn write_complaint(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    reason: &str,
    text: &str,
) -> fmt::Result {
    let excerpt = Excerpt::from(text.trim());
    write!(f, "{what} ({}): {}", Clean(reason), Clean(excerpt.as_str()))
}

/// Text of others in one line: spaces for control characters, and no `...`, which XBoard takes
/// for a move.
struct Clean<'a>(&'a str);

impl fmt::Display for Clean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.replace("...", "…").chars() {
            f.write_char(if letter.is_control() { ' ' } else { letter })?;
        }
        Ok(())
    }
}

/// A feature that the engine announces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature<'a> {
    /// `name=0` or `name=1`
    Flag(&'a str, u8),
    /// `name="text"`
    Text(&'a str, &'a str),
    /// `option="NAME -spin 1 1 256"` and the like.
    Option(&'a OptionSpec),
}

impl fmt::Display for Feature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name, value) => write!(f, "{name}={value}"),
            Self::Text(name, text) => write!(f, "{name}=\"{text}\""),
            Self::Option(option) => write_option(f, option),
        }
    }
}

fn write_option(f: &mut fmt::Formatter<'_>, option: &OptionSpec) -> fmt::Result {
    write!(f, "option=\"{} ", option.name)?;
    match option.kind {
        OptionKind::Spin { default, min, max } => write!(f, "-spin {default} {min} {max}")?,
        OptionKind::Check { default } => write!(f, "-check {}", u8::from(default))?,
        OptionKind::Button => f.write_str("-button")?,
        OptionKind::String { default } => write!(f, "-string {default}")?,
        OptionKind::Combo { default, choices } => {
            f.write_str("-combo ")?;
            for (index, choice) in choices.iter().enumerate() {
                let separator = if index > 0 { " /// " } else { "" };
                let mark = if *choice == default { "*" } else { "" };
                write!(f, "{separator}{mark}{choice}")?;
            }
        }
    }
    f.write_char('"')
}

/// A line of thinking: `ply score time nodes`, a tab, the variation.
///
/// A blank stands before the tab as well: some clients split the line at blanks only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thinking {
    /// The iteration in plies.
    pub depth: u32,
    /// The score for the side to move.
    pub score: ScoreValue,
    /// Whether the score is exact: `!` behind the variation for a lower bound, `?` for an upper.
    pub bound: Bound,
    /// Time since the beginning; printed in centiseconds.
    pub time: Millis,
    /// Positions visited.
    pub nodes: u64,
    /// The moves of the variation.
    pub variation: Vec<String>,
}

/// What a mate score begins with: mate in N moves is 100000 + N.
const MATE: i32 = 100_000;

/// A score as the protocol writes it: centipawns, or 100000 + N for a mate in N moves and
/// -100000 - N for being mated in N.
fn number(score: ScoreValue) -> i32 {
    match score {
        // No evaluation may look like a mate.
        ScoreValue::Centipawns(value) => value.clamp(1 - MATE, MATE - 1),
        ScoreValue::Mate(moves) if moves > 0 => MATE.saturating_add(moves),
        ScoreValue::Mate(moves) => (-MATE).saturating_add(moves),
    }
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let centiseconds = self.time.get() / 10;
        write!(f, "{} {} {centiseconds} {} \t", self.depth, number(self.score), self.nodes)?;
        f.write_str(&self.variation.join(" "))?;
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => "!",
            Bound::Upper => "?",
        })
    }
}

/// The answer to `.`: `stat01: time nodes ply mvleft mvtot mvname`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Time since the beginning; printed in centiseconds.
    pub time: Millis,
    /// Positions visited.
    pub nodes: u64,
    /// The iteration in plies.
    pub depth: u32,
    /// How many root moves of this iteration are still to be searched.
    pub moves_left: usize,
    /// How many root moves there are.
    pub moves: usize,
    /// The root move being searched.
    pub current: String,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, nodes, depth, moves_left, moves, current } = self;
        write!(f, "stat01: {} {nodes} {depth} {moves_left} {moves} {current}", time.get() / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::{Feature, Reply, Statistics, Thinking};
    use crate::{Bound, Millis, OptionSpec, ScoreValue};

    fn thinking(score: ScoreValue, bound: Bound) -> String {
        let variation = vec!["e2e4".to_owned(), "e7e5".to_owned()];
        Thinking { depth: 9, score, bound, time: Millis::new(1239), nodes: 45_678, variation }
            .to_string()
    }

    #[test]
    fn thinking_is_in_centiseconds_and_centipawns() {
        let line = thinking(ScoreValue::Centipawns(-34), Bound::Exact);
        assert_eq!(line, "9 -34 123 45678 \te2e4 e7e5");
        assert!(thinking(ScoreValue::Centipawns(3), Bound::Lower).ends_with("e7e5!"));
        assert!(thinking(ScoreValue::Centipawns(3), Bound::Upper).ends_with("e7e5?"));
    }

    #[test]
    fn mates_are_counted_in_moves_from_a_hundred_thousand() {
        let score = |score| {
            let line = thinking(score, Bound::Exact);
            line.split(' ').nth(1).unwrap().parse::<i32>().unwrap()
        };
        assert_eq!(score(ScoreValue::Mate(3)), 100_003);
        assert_eq!(score(ScoreValue::Mate(-2)), -100_002);
        assert_eq!(score(ScoreValue::Mate(0)), -100_000);
        assert_eq!(score(ScoreValue::Centipawns(500_000)), 99_999);
    }

    #[test]
    fn options_of_every_kind_are_announced() {
        let line = |spec: OptionSpec| Reply::Feature(Feature::Option(&spec)).to_string();
        assert_eq!(
            line(OptionSpec::spin("MultiPV", 1, 1, 256)),
            r#"feature option="MultiPV -spin 1 1 256""#
        );
        assert_eq!(line(OptionSpec::check("Ponder", true)), r#"feature option="Ponder -check 1""#);
        assert_eq!(
            line(OptionSpec::button("Clear Hash")),
            r#"feature option="Clear Hash -button""#
        );
        assert_eq!(line(OptionSpec::string("File", "")), r#"feature option="File -string ""#);
        assert_eq!(
            line(OptionSpec::combo("Style", "B", &["A", "B"])),
            r#"feature option="Style -combo A /// *B""#
        );
    }

    #[test]
    fn what_a_client_sent_is_quoted_in_one_line() {
        let line = Reply::Error("unknown command", "a\tb...").to_string();
        assert_eq!(line, "Error (unknown command): a b…");
        assert_eq!(Reply::Pong("7").to_string(), "pong 7");
    }

    #[test]
    fn statistics_are_in_the_order_of_the_protocol() {
        let statistics = Statistics {
            time: Millis::new(1500),
            nodes: 1000,
            depth: 5,
            moves_left: 17,
            moves: 20,
            current: "e2e4".to_owned(),
        };
        assert_eq!(statistics.to_string(), "stat01: 150 1000 5 17 20 e2e4");
    }
}
