//! Betza notation as groups: modifiers, an atom, a number.

use crate::ast::{Dialect, Word};
use crate::diagnostic::{Code, Diagnostic, Span};

/// One atom with its modifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// The parts of the move; several if `a` chains them. Never empty.
    pub(crate) legs: Vec<Leg>,
    /// The capital letter.
    pub(crate) atom: char,
    /// The number behind it.
    pub(crate) number: Option<u32>,
    /// Where the group stands.
    pub(crate) span: Span,
}

/// The modifiers before an atom, or before the next `a`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Leg {
    /// `f b l r v s h` in order.
    pub(crate) directions: String,
    /// All other letters.
    pub(crate) modes: String,
}

impl Leg {
    /// Returns `true` if a modifier was given.
    pub(crate) fn has(&self, mode: char) -> bool {
        self.modes.contains(mode)
    }
}

const DIRECTIONS: &str = "fblrvsh";
const MODES: &str = "mcdeijnpgozq";
/// Modifiers of XBoard's notation that have no meaning here.
const FOREIGN: &str = "tyuxw@";
const THESIS_ATOMS: &str = "WFDNAHCZGQU";
const XBETZA_ATOMS: &str = "WFDNAHCZGUQRBKLJO";

/// Reads notation.
///
/// # Errors
/// At the first letter that means nothing in this dialect.
pub(crate) fn groups(text: &Word, dialect: Dialect) -> Result<Vec<Group>, Diagnostic> {
    let letters: Vec<char> = text.value.chars().collect();
    let place = |from: usize, to: usize| text.part(from, to);
    let mut groups = Vec::new();
    let mut i = 0;
    while i < letters.len() {
        let start = i;
        let mut legs = vec![Leg::default()];
        while i < letters.len() && !letters[i].is_ascii_uppercase() {
            modifier(letters[i], &mut legs, place(i, i + 1))?;
            i += 1;
        }
        let Some(&atom) = letters.get(i) else {
            let message = "these letters want an atom behind them";
            return Err(Diagnostic::new(Code::UnknownAtom, place(start, i), message)
                .help("an atom is a capital letter, such as W or F"));
        };
        check_atom(atom, dialect, place(i, i + 1))?;
        i += 1;
        let doubled = dialect == Dialect::XBetza && letters.get(i) == Some(&atom);
        i += usize::from(doubled);
        let digits = i;
        while i < letters.len() && letters[i].is_ascii_digit() {
            i += 1;
        }
        let number: String = letters[digits..i].iter().collect();
        let number = match number.as_str() {
            "" if doubled => Some(0),
            "" => None,
            digits_text => match digits_text.parse().ok().filter(|n| *n < 100) {
                Some(number) => Some(number),
                None => {
                    let message = format!("{digits_text} steps are too many");
                    return Err(Diagnostic::new(Code::NumberRange, place(digits, i), message)
                        .help("the number behind an atom is at most 99"));
                }
            },
        };
        groups.push(Group { legs, atom, number, span: place(start, i) });
    }
    Ok(groups)
}

fn modifier(letter: char, legs: &mut Vec<Leg>, span: Span) -> Result<(), Diagnostic> {
    let leg = legs.last_mut().expect("invariant: a group has a leg");
    if DIRECTIONS.contains(letter) {
        leg.directions.push(letter);
    } else if MODES.contains(letter) {
        leg.modes.push(letter);
    } else if letter == 'a' {
        legs.push(Leg::default());
    } else if FOREIGN.contains(letter) {
        let message = format!("the modifier '{letter}' is not supported");
        return Err(Diagnostic::new(Code::UnsupportedBetza, span, message));
    } else {
        let message = format!("'{letter}' is no modifier of Betza notation");
        return Err(Diagnostic::new(Code::UnknownModifier, span, message)
            .help(format!("the modifiers are {DIRECTIONS} and a{MODES}")));
    }
    Ok(())
}

fn check_atom(atom: char, dialect: Dialect, span: Span) -> Result<(), Diagnostic> {
    let (known, name) = match dialect {
        Dialect::Thesis => (THESIS_ATOMS, "thesis"),
        Dialect::XBetza => (XBETZA_ATOMS, "XBetza"),
    };
    if known.contains(atom) {
        return Ok(());
    }
    let error = Diagnostic::new(Code::UnknownAtom, span, format!("'{atom}' is no atom here"));
    Err(if XBETZA_ATOMS.contains(atom) {
        error.help(format!(
            "'{atom}' is XBetza: write x\"...\", or @betza xbetza for the whole file"
        ))
    } else {
        error.help(format!("the atoms of the {name} dialect are {known}"))
    })
}
