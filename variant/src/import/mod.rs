//! Games from a configuration file of Fairy-Stockfish (`variants.ini`), as text in this notation.

mod castling;
mod convert;
mod drops;
mod ini;
mod keys;
mod pieces;
mod reader;
mod region;

use crate::builtin;
use crate::diagnostic::{Code, Diagnostic, Span};
use keys::Keys;

/// A game in this notation, and what was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// Its name in the file.
    pub name: String,
    /// The text of a variant file.
    pub text: String,
    /// In the order of the file.
    pub warnings: Vec<Diagnostic>,
}

/// Imports the game of a `variants.ini` that is called `name`, or the last one.
///
/// ```
/// let ini = "[berolina:chess]\ncustomPiece1 = p:mfFcfW\npawnTypes = p\ngating = true\n";
/// let imported = tamarin_variant::import(ini, None).unwrap();
/// assert!(imported.text.contains("p mfFcfW promotion t[ROW = 7] -> q|r|b|n"));
/// assert_eq!(imported.warnings[0].span.line, 4);
/// ```
///
/// # Errors
/// Everything that is wrong with the file or with the game, errors and warnings.
pub fn import(source: &str, name: Option<&str>) -> Result<Imported, Vec<Diagnostic>> {
    let mut remarks = Vec::new();
    let sections = ini::sections(source, &mut remarks);
    let found = match name {
        None => sections.len().checked_sub(1),
        Some(name) => sections.iter().rposition(|section| section.name.value == name),
    };
    let Some(index) = found else {
        let names = sections.iter().map(|section| section.name.value.as_str());
        let message = match name {
            Some(name) => format!("there is no [{name}] in this file"),
            None => "there is no [name] in this file".to_owned(),
        };
        let remark = Diagnostic::new(Code::UnknownParent, Span::default(), message);
        remarks.push(remark.suggest(name.unwrap_or_default(), names));
        return Err(remarks);
    };
    let section = &sections[index];
    let converted = Keys::of(&sections, index, &mut remarks).map(|keys| {
        keys.warn(&mut remarks);
        convert::convert(&section.name, &keys, &mut remarks)
    });
    remarks.sort_by_key(|remark| remark.span);
    match converted {
        Some(text) if !remarks.iter().any(Diagnostic::is_error) => {
            // The game has to be one: what is still wrong is the fault of the whole section.
            let of_section = |code: Code, what: &str, message: &str| {
                Diagnostic::new(code, section.name.span, format!("{what}: {message}"))
            };
            match builtin::load(&text, None) {
                Err(faults) => {
                    let faults = faults.iter();
                    remarks.extend(faults.map(|fault| {
                        of_section(Code::IniValue, "this makes no game", &fault.message)
                    }));
                    return Err(remarks);
                }
                Ok(loaded) => remarks.extend(loaded.warnings.iter().map(|warning| {
                    of_section(warning.code, "of the game that this makes", &warning.message)
                })),
            }
            Ok(Imported { name: section.name.value.clone(), text, warnings: remarks })
        }
        _ => Err(remarks),
    }
}
