//! Evaluators by name: `sme+1/100*king(sme)`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use tamarin_variant::{Color, Game, Position};

/// An evaluator: a sum of scaled components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The summands, at least one.
    pub terms: Vec<Scaled>,
}

/// A component times a fraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scaled {
    /// Numerator, negative for a component that is subtracted.
    pub up: i64,
    /// Denominator, positive.
    pub down: i64,
    /// What is scaled.
    pub component: Component,
}

/// One of the evaluators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Component {
    /// A value for each piece, the same on all squares (`sme`, `sce`, `spe`).
    Base(Base),
    /// The same value square by square (`loc(sme)`; `loc` alone is that of the first base).
    Location(Base),
    /// King safety: how near which pieces are to both kings (`king(sme)`).
    King(Box<Spec>),
    /// Simple king safety: how far the king is from the center (`sking`).
    SimpleKing,
    /// Immediate mobility: the difference of the numbers of moves (`imm`).
    Mobility,
    /// Immediate captures: the difference of the numbers of capturing moves (`immc`).
    Captures,
    /// Position soundness: the difference of the numbers of defended pieces (`sound`).
    Soundness,
}

/// An evaluator of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// Static mobility evaluator: how many squares a piece reaches (`sme`).
    Mobility,
    /// Static captures evaluator: how much it can capture (`sce`).
    Captures,
    /// Static potential evaluator: how much it can change the sum of another evaluator's values
    /// (`spe(sme)`; `spe` alone means that).
    Potential(Box<Spec>),
}

/// Why a text names no evaluator.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    #[error("{text:?} at character {at}: expected {expected}")]
    Expected { expected: &'static str, text: String, at: usize },
    #[error(
        "there is no evaluator {0:?}; there are sme, sce, spe, loc, king, sking, imm, immc, sound"
    )]
    Unknown(String),
    #[error("{0:?} does not give values to pieces, so it cannot be an inner evaluator")]
    NoValues(String),
    #[error("too many components")]
    TooLong,
}

/// So many brackets may stand within each other.
const MAX_DEPTH: u32 = 3;
const MAX_TERMS: usize = 16;
/// Numbers of a scale are at most this, so that no value overflows.
const MAX_NUMBER: i64 = 1_000;

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut parser = Parser { text, at: 0 };
        let spec = parser.sum(MAX_DEPTH)?;
        match parser.rest() {
            "" => Ok(spec),
            _ => Err(parser.expected("+, - or the end")),
        }
    }
}

impl Spec {
    /// What a game is played with unless something else is asked for: `sme+imm`, or `sme` alone
    /// where the board begins with nothing but royal pieces. There nearly all moves are those of
    /// the royal pieces, and counting them costs more than it gains (M123).
    pub fn standard(game: &Arc<Game>) -> Self {
        let start = Position::start(game);
        let only_royals = |color| start.side(color).minus(start.royals(color)).is_empty();
        let mobility = (!Color::ALL.into_iter().all(only_royals)).then_some(Component::Mobility);
        let components = [Component::Base(Base::Mobility)].into_iter().chain(mobility);
        let terms = components.map(|component| Scaled { up: 1, down: 1, component });
        Self { terms: terms.collect() }
    }

    /// Returns `true` if all components are values of pieces.
    pub fn has_values_only(&self) -> bool {
        let is_value =
            |term: &Scaled| matches!(term.component, Component::Base(_) | Component::Location(_));
        self.terms.iter().all(is_value)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn expected(&self, expected: &'static str) -> SpecError {
        let text = self.rest().chars().take(20).collect();
        SpecError::Expected { expected, text, at: self.text[..self.at].chars().count() + 1 }
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn word(&mut self, accepted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !accepted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn sum(&mut self, depth: u32) -> Result<Spec, SpecError> {
        let mut terms: Vec<Scaled> = Vec::new();
        let mut sign = if self.take('-') { -1 } else { 1 };
        loop {
            let base = terms.iter().find_map(|term| match &term.component {
                Component::Base(base) => Some(base.clone()),
                _ => None,
            });
            let (up, down) = self.scale()?;
            let component = self.component(depth, base)?;
            terms.push(Scaled { up: up * sign, down, component });
            if terms.len() > MAX_TERMS {
                return Err(SpecError::TooLong);
            }
            sign = match (self.take('+'), self.take('-')) {
                (true, _) => 1,
                (_, true) => -1,
                _ => return Ok(Spec { terms }),
            };
        }
    }

    fn scale(&mut self) -> Result<(i64, i64), SpecError> {
        if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok((1, 1));
        }
        let up = self.number(0)?;
        let down = if self.take('/') { self.number(1)? } else { 1 };
        match self.take('*') {
            true => Ok((up, down)),
            false => Err(self.expected("* and an evaluator after the scale")),
        }
    }

    fn number(&mut self, least: i64) -> Result<i64, SpecError> {
        let start = self.at;
        let number = self.word(|c| c.is_ascii_digit()).parse::<i64>();
        number.ok().filter(|n| (least..=MAX_NUMBER).contains(n)).ok_or_else(|| {
            self.at = start;
            self.expected("a number up to 1000, below a stroke not zero")
        })
    }

    fn component(&mut self, depth: u32, base: Option<Base>) -> Result<Component, SpecError> {
        let start = self.at;
        let name = self.word(|c| c.is_alphanumeric() || c == '_');
        match name {
            "sme" => Ok(Component::Base(Base::Mobility)),
            "sce" => Ok(Component::Base(Base::Captures)),
            "spe" => Ok(Component::Base(Base::Potential(self.inner(depth)?))),
            "loc" if self.rest().starts_with('(') => {
                let inner = self.inner(depth)?;
                match inner.terms.as_slice() {
                    [Scaled { up: 1, down: 1, component: Component::Base(base) }] => {
                        Ok(Component::Location(base.clone()))
                    }
                    _ => Err(SpecError::NoValues(inner.to_string())),
                }
            }
            "loc" => Ok(Component::Location(base.unwrap_or(Base::Mobility))),
            "king" => Ok(Component::King(self.inner(depth)?)),
            "sking" => Ok(Component::SimpleKing),
            "imm" => Ok(Component::Mobility),
            "immc" => Ok(Component::Captures),
            "sound" => Ok(Component::Soundness),
            "" => {
                self.at = start;
                Err(self.expected("an evaluator"))
            }
            other => Err(SpecError::Unknown(other.chars().take(20).collect())),
        }
    }

    /// The evaluator in brackets, or `sme`.
    fn inner(&mut self, depth: u32) -> Result<Box<Spec>, SpecError> {
        let sme = Scaled { up: 1, down: 1, component: Component::Base(Base::Mobility) };
        if !self.take('(') {
            return Ok(Box::new(Spec { terms: vec![sme] }));
        }
        let depth = depth.checked_sub(1).ok_or(SpecError::TooLong)?;
        let spec = self.sum(depth)?;
        if !self.take(')') {
            return Err(self.expected("a closing bracket"));
        }
        match spec.has_values_only() {
            true => Ok(Box::new(spec)),
            false => Err(SpecError::NoValues(spec.to_string())),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Scaled { up, down, component }) in self.terms.iter().enumerate() {
            match (i, *up < 0) {
                (_, true) => f.write_str("-")?,
                (0, false) => {}
                _ => f.write_str("+")?,
            }
            match (up.abs(), *down) {
                (1, 1) => {}
                (up, 1) => write!(f, "{up}*")?,
                (up, down) => write!(f, "{up}/{down}*")?,
            }
            write!(f, "{component}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base(base) => write!(f, "{base}"),
            Self::Location(base) => write!(f, "loc({base})"),
            Self::King(inner) => write!(f, "king({inner})"),
            Self::SimpleKing => f.write_str("sking"),
            Self::Mobility => f.write_str("imm"),
            Self::Captures => f.write_str("immc"),
            Self::Soundness => f.write_str("sound"),
        }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mobility => f.write_str("sme"),
            Self::Captures => f.write_str("sce"),
            Self::Potential(inner) => write!(f, "spe({inner})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Spec, SpecError> {
        text.parse()
    }

    #[test]
    fn evaluators_are_built_by_name() {
        for text in [
            "sme",
            "sme+1/100*king(sme)",
            "spe(sme)+imm",
            "-sme",
            "3*sce-1/2*loc(sce)+sking+immc+sound",
            "king(sme+1/2*sce)",
            "loc(spe(sme))",
        ] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        assert_eq!(read("spe").unwrap().to_string(), "spe(sme)");
        assert_eq!(read("sce+1/100*loc").unwrap().to_string(), "sce+1/100*loc(sce)");
        assert_eq!(read("king").unwrap().to_string(), "king(sme)");
    }

    #[test]
    fn an_invalid_evaluator_is_reported() {
        for (text, message) in [
            ("", "\"\" at character 1: expected an evaluator"),
            ("sme+", "\"\" at character 5: expected an evaluator"),
            ("sme imm", "\" imm\" at character 4: expected +, - or the end"),
            ("2sme", "\"sme\" at character 2: expected * and an evaluator after the scale"),
            (
                "1/0*sme",
                "\"0*sme\" at character 3: expected a number up to 1000, below a stroke not zero",
            ),
            (
                "1000000*king(1000000*sme)",
                "\"1000000*king(1000000\" at character 1: expected a number up to 1000, below a \
                 stroke not zero",
            ),
            ("king(sme", "\"\" at character 9: expected a closing bracket"),
            (
                "king(imm)",
                "\"imm\" does not give values to pieces, so it cannot be an inner evaluator",
            ),
            ("spe(spe(spe(spe(sme))))", "too many components"),
            (
                "queen",
                "there is no evaluator \"queen\"; there are sme, sce, spe, loc, king, sking, imm, immc, sound",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
        }
        assert_eq!(read(&"sme+".repeat(17)), Err(SpecError::TooLong));
    }
}
