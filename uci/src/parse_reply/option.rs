//! Reading `option` lines.

use crate::number::Number;
use crate::set_option::EMPTY;
use crate::words::Words;

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
    pub(super) fn parse(mut words: Words<'a>) -> Option<Self> {
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
