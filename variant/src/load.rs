//! From a text to a game.

use std::sync::Arc;

use crate::ast::{File, MoveText};
use crate::compile;
use crate::definition::Definition;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::game::Game;
use crate::parse::parse;
use crate::position::Position;
use crate::resolve::{self, Library};

/// A game and the warnings about its file.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub game: Arc<Game>,
    /// In the order of the file.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the variant of a file that is called `name`, or the last one. The library has the
/// parents (`@extends`) that are not in the file.
pub(crate) fn load_with(
    source: &str,
    name: Option<&str>,
    library: Library<'_>,
) -> Result<Loaded, Vec<Diagnostic>> {
    let (definition, mut remarks) = define(source, name, library)?;
    match compile::compile(&definition, &mut remarks) {
        Ok(game) => {
            let game = Arc::new(game);
            if let Some(fen) = &definition.fen
                && let Err(error) = Position::from_fen(&game, &fen.value)
            {
                let message = format!("the start position is wrong: {error}");
                remarks.push(Diagnostic::new(Code::StartPosition, fen.span, message));
                return Err(sorted(remarks));
            }
            Ok(Loaded { game, warnings: sorted(remarks) })
        }
        Err(remark) => {
            remarks.push(remark);
            Err(sorted(remarks))
        }
    }
}

/// The pieces of a variant, each with its moves in braces.
pub type Expanded = Vec<(String, Vec<MoveText>)>;

/// The moves of all pieces, Betza notation and promotions written out.
pub(crate) fn expand_with(
    source: &str,
    name: Option<&str>,
    library: Library<'_>,
) -> Result<Expanded, Vec<Diagnostic>> {
    let (definition, _) = define(source, name, library)?;
    let pieces = definition.pieces.into_iter();
    Ok(pieces.map(|piece| (piece.name.value, piece.moves)).collect())
}

fn define(
    source: &str,
    name: Option<&str>,
    library: Library<'_>,
) -> Result<(Definition, Vec<Diagnostic>), Vec<Diagnostic>> {
    let parsed = parse(source);
    let mut remarks = parsed.remarks;
    if remarks.iter().any(Diagnostic::is_error) {
        return Err(remarks);
    }
    let index = match name {
        None => parsed.file.variants.len() - 1,
        Some(name) => match find(&parsed.file, name) {
            Some(index) => index,
            None => {
                remarks.push(no_variant(&parsed.file, name));
                return Err(remarks);
            }
        },
    };
    match resolve::resolve(&parsed.file, index, library, &mut remarks) {
        Some(definition) => Ok((definition, remarks)),
        None => Err(sorted(remarks)),
    }
}

fn no_variant(file: &File, name: &str) -> Diagnostic {
    let message = format!("there is no variant '{name}' in this file");
    let names = file.variants.iter().filter_map(|variant| variant.name.as_ref());
    let names: Vec<&str> = names.map(|name| name.value.as_str()).collect();
    let help = match names.as_slice() {
        [] => "its only game has no name, so it needs none here".to_owned(),
        names => format!("its variants are {}", names.join(", ")),
    };
    Diagnostic::new(Code::UnknownParent, Span::default(), message).help(help).suggest(name, names)
}

fn find(file: &File, name: &str) -> Option<usize> {
    file.variants.iter().position(|variant| {
        variant.name.as_ref().is_some_and(|own| own.value.eq_ignore_ascii_case(name))
    })
}

fn sorted(mut remarks: Vec<Diagnostic>) -> Vec<Diagnostic> {
    remarks.sort_by_key(|remark| remark.span);
    remarks
}
