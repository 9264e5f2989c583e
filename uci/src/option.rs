//! Options: what they are, how they are announced; `setoption`, and reading values.

use core::fmt;

use crate::Excerpt;
use crate::number::Number;
use crate::words::{Words, push_word};

/// One option of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The name as announced. Clients look some names up exactly, so the spelling is an interface.
    pub name: &'static str,
    /// Type, default and range.
    pub kind: OptionKind,
}

/// The type of an option with its default and range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A whole number. The type keeps the range below 2^31, which some clients cannot exceed.
    Spin {
        /// Value at start.
        default: i32,
        /// Least value.
        min: i32,
        /// Greatest value.
        max: i32,
    },
    /// On or off.
    Check {
        /// Value at start.
        default: bool,
    },
    /// One of several words.
    Combo {
        /// Value at start.
        default: &'static str,
        /// All values.
        choices: &'static [&'static str],
    },
    /// An action without a value.
    Button,
    /// Free text.
    String {
        /// Value at start; empty is printed as `<empty>`.
        default: &'static str,
    },
}

/// A value that fits an option's kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// A number within the range.
    Spin(i32),
    /// On or off.
    Check(bool),
    /// One of the choices, in the spelling of the option.
    Choice(&'static str),
    /// The button was pressed.
    Pressed,
    /// A text, perhaps empty.
    String(String),
}

/// Why a value was refused. The option keeps its old value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No option has this name. The wording is the one that clients know.
    #[error("No such option: {}", .name.as_str().escape_debug())]
    NoSuchOption {
        /// The name as sent.
        name: Excerpt,
    },
    /// The line has no `value`.
    #[error("option {option}: no value given, the old one is kept")]
    MissingValue {
        /// The option.
        option: &'static str,
    },
    /// A spin's value is not a whole number.
    #[error("option {option}: {text} is not a whole number, the old value is kept")]
    NotANumber {
        /// The option.
        option: &'static str,
        /// The value as sent.
        text: Excerpt,
    },
    /// A spin's value is out of its range.
    #[error("option {option}: {text} is not within {min} to {max}, the old value is kept")]
    OutOfRange {
        /// The option.
        option: &'static str,
        /// The value as sent.
        text: Excerpt,
        /// Least value allowed.
        min: i32,
        /// Greatest value allowed.
        max: i32,
    },
    /// A check's value is neither true nor false.
    #[error("option {option}: {text} is neither true nor false, the old value is kept")]
    NotABool {
        /// The option.
        option: &'static str,
        /// The value as sent.
        text: Excerpt,
    },
    /// A combo's value is not one of its choices.
    #[error("option {option}: {text} is not a choice, the old value is kept")]
    NotAChoice {
        /// The option.
        option: &'static str,
        /// The value as sent.
        text: Excerpt,
    },
}

impl OptionSpec {
    /// A number from `min` to `max`.
    #[must_use]
    pub const fn spin(name: &'static str, default: i32, min: i32, max: i32) -> Self {
        Self { name, kind: OptionKind::Spin { default, min, max } }
    }

    /// On or off.
    #[must_use]
    pub const fn check(name: &'static str, default: bool) -> Self {
        Self { name, kind: OptionKind::Check { default } }
    }

    /// One of `choices`.
    #[must_use]
    pub const fn combo(
        name: &'static str,
        default: &'static str,
        choices: &'static [&'static str],
    ) -> Self {
        Self { name, kind: OptionKind::Combo { default, choices } }
    }

    /// An action.
    #[must_use]
    pub const fn button(name: &'static str) -> Self {
        Self { name, kind: OptionKind::Button }
    }

    /// A text.
    #[must_use]
    pub const fn string(name: &'static str, default: &'static str) -> Self {
        Self { name, kind: OptionKind::String { default } }
    }

    /// Returns `true` if a client that writes `name` means this option: case and spaces do not
    /// count, so `MoveOverhead` is `Move Overhead`.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let letters = |text| str::bytes(text).filter(|byte| !byte.is_ascii_whitespace());
        letters(self.name)
            .map(|byte| byte.to_ascii_lowercase())
            .eq(letters(name).map(|byte| byte.to_ascii_lowercase()))
    }

    /// Reads what a client sent after `value`. A button is pressed with any value or none.
    ///
    /// # Errors
    /// If the text is no value of this option: the old value stays.
    pub fn parse(&self, value: Option<&str>) -> Result<OptionValue, OptionError> {
        let option = self.name;
        if self.kind == OptionKind::Button {
            return Ok(OptionValue::Pressed);
        }
        let value = value.ok_or(OptionError::MissingValue { option })?.trim_ascii();
        match self.kind {
            OptionKind::Button => Ok(OptionValue::Pressed),
            OptionKind::Spin { min, max, .. } => parse_spin(option, value, min, max),
            OptionKind::Check { .. } => parse_check(option, value),
            OptionKind::Combo { choices, .. } => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(value))
                .map(|choice| OptionValue::Choice(choice))
                .ok_or_else(|| OptionError::NotAChoice { option, text: value.into() }),
            OptionKind::String { .. } => {
                let text = if value.eq_ignore_ascii_case(EMPTY) { "" } else { value };
                Ok(OptionValue::String(text.to_owned()))
            }
        }
    }
}

fn parse_spin(
    option: &'static str,
    value: &str,
    min: i32,
    max: i32,
) -> Result<OptionValue, OptionError> {
    let Some(number) = Number::parse(value) else {
        return Err(OptionError::NotANumber { option, text: value.into() });
    };
    i32::try_from(number.to_i64())
        .ok()
        .filter(|number| (min..=max).contains(number))
        .map(OptionValue::Spin)
        .ok_or_else(|| OptionError::OutOfRange { option, text: value.into(), min, max })
}

fn parse_check(option: &'static str, value: &str) -> Result<OptionValue, OptionError> {
    if value.eq_ignore_ascii_case("true") {
        Ok(OptionValue::Check(true))
    } else if value.eq_ignore_ascii_case("false") {
        Ok(OptionValue::Check(false))
    } else {
        Err(OptionError::NotABool { option, text: value.into() })
    }
}

/// Finds the option that a `setoption` line names and reads the value.
///
/// # Errors
/// If no option of `table` has the name, or the value does not fit.
pub fn resolve<'t>(
    table: &'t [OptionSpec],
    set: &SetOption,
) -> Result<(&'t OptionSpec, OptionValue), OptionError> {
    let option = table
        .iter()
        .find(|option| option.matches(&set.name))
        .ok_or_else(|| OptionError::NoSuchOption { name: set.name.as_str().into() })?;
    Ok((option, option.parse(set.value.as_deref())?))
}

/// The line that announces the option, words in the order that clients expect.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default: "" } => write!(f, "string default {EMPTY}"),
            OptionKind::String { default } => write!(f, "string default {default}"),
        }
    }
}

/// A `setoption` command. [`resolve`] finds the option and reads the value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetOption {
    /// The name with single spaces, in the client's case.
    pub name: String,
    /// The text after `value` with its inner spaces; empty for `<empty>` or nothing after the
    /// word; `None` without the word.
    pub value: Option<String>,
}

/// How the protocol writes an empty string.
pub(crate) const EMPTY: &str = "<empty>";

/// Why a `setoption` line was refused. No option changes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetOptionError {
    /// The line does not go on with `name`.
    #[error("setoption: expected name, not {text}")]
    ExpectedName {
        /// The word found, empty at the end of the line.
        text: Excerpt,
    },
    /// No words stand between `name` and `value`.
    #[error("setoption: the name is empty")]
    EmptyName,
}

impl SetOption {
    /// Reads what follows `setoption`.
    pub(crate) fn parse(mut words: Words<'_>) -> Result<Self, SetOptionError> {
        match words.next() {
            Some("name") => {}
            other => {
                let text = Excerpt::from(other.unwrap_or_default());
                return Err(SetOptionError::ExpectedName { text });
            }
        }
        let mut name = String::new();
        let mut value = None;
        while let Some(word) = words.next() {
            if word == "value" {
                let text = words.rest();
                let text = if text.eq_ignore_ascii_case(EMPTY) { "" } else { text };
                value = Some(text.to_owned());
                break;
            }
            push_word(&mut name, word);
        }
        if name.is_empty() { Err(SetOptionError::EmptyName) } else { Ok(Self { name, value }) }
    }
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", self.name)?;
        match self.value.as_deref() {
            None => Ok(()),
            Some("") => write!(f, " value {EMPTY}"),
            Some(value) => write!(f, " value {value}"),
        }
    }
}
