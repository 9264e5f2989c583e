//! `tamarin play --variant`: games of variants, on a screen or line by line.

mod commands;
pub mod failure;
mod game;
mod offered;
mod screen;
mod table;
#[cfg(test)]
mod tests;
mod thinking;
mod times;

use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;

use tamarin_variant::{Game, Position};
use tamarin_variant_search::evaluate::learned::Learned;

pub use self::failure::UnknownVariant;
use self::failure::VariantFailure;
use self::game::{LoadError, VariantGame};
use self::table::{Face, Table};
use super::arguments::Arguments;
use super::begin::Failure;
use super::line_input::LineInput;
use super::line_mode;
use super::saving::Saving;
use tamarin_base::complain;
use tamarin_base::files::open_stream;
use tamarin_game::packed::unpacked;
use tamarin_variant_search::{Library, NOT_USED, evaluation_file};

/// Plays until the player leaves or the input ends.
///
/// # Errors
/// If there is no such game, or the input or output fails. A reader that has gone away is no
/// failure.
pub fn run(arguments: &Arguments, name: &str) -> Result<(), Failure> {
    let path = Path::new(name);
    let Found { name, rules, learned } = find(name)?;
    // The evaluators beside the rules are kept too, also one that does not fit.
    let beside = [None, Some(name.as_str())].map(|variant| evaluation_file(path, variant));
    let inputs = beside.into_iter().chain([path.to_owned()]).chain(arguments.load.clone());
    let saving = Saving::new(arguments.save.as_ref(), inputs.collect())?;
    let game = match &arguments.load {
        Some(path) => load(path, arguments.game, &name, &rules)?,
        None if arguments.fen.is_empty() => VariantGame::new(name, Position::start(&rules)),
        None => {
            let start = Position::from_fen(&rules, &arguments.fen.join(" "));
            VariantGame::new(name, start.map_err(VariantFailure::from)?)
        }
    };
    let game = game.with_learned(learned);
    if let Some(colors) = line_mode::screen_colors(arguments) {
        let opponent = table::engine(&game, arguments)?;
        let table = Table::new(game, arguments, saving, Face::Screen(Vec::new()))?;
        return screen::run(table, opponent, arguments.theme, colors);
    }
    let face = Face::Lines(Box::new(LineInput::open()?));
    let mut table = Table::new(game, arguments, saving, face)?;
    match table.run() {
        Err(Failure::Terminal(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A variant, and the learned evaluator beside its file.
struct Found {
    name: String,
    rules: Arc<Game>,
    learned: Option<Arc<Learned>>,
}

/// The variant of that name, or the last one of that file.
fn find(name: &str) -> Result<Found, VariantFailure> {
    let mut library = Library::default();
    if let Some((name, rules)) = library.find(name) {
        return Ok(Found { name, rules, learned: None });
    }
    if !Path::new(name).exists() {
        return Err(UnknownVariant::new(name).into());
    }
    let mut warnings = Vec::new();
    let (name, rules) = library.read_one(Path::new(name), &mut warnings)?;
    // Remarks about the rules are those of `tamarin variant check`; the evaluator is named here.
    warnings.iter().filter(|line| line.contains(NOT_USED)).for_each(|line| complain(line));
    let learned = library.learned(&rules).cloned();
    Ok(Found { name, rules, learned })
}

/// The game with that number, from 1, in a file.
fn load(
    path: &Path,
    number: usize,
    name: &str,
    rules: &Arc<Game>,
) -> Result<VariantGame, VariantFailure> {
    let failed = |source| VariantFailure::Load { path: path.to_owned(), source };
    let content = open_stream(path).and_then(|file| unpacked(BufReader::new(file)));
    let content = content.map_err(|error| failed(LoadError::File(error)))?;
    VariantGame::load(BufReader::new(content), number, name, rules).map_err(failed)
}
