//! `tamarin variant import`: games of Fairy-Stockfish in this notation.

use tamarin_variant::import;

use super::game_source::GameSource;
use super::source::Failure;
use super::streams::tell;

/// The game of a file of Fairy-Stockfish as the text of a file of this program. What is left out is
/// reported on standard error.
pub(super) fn run(file: &str, name: Option<&str>) -> Result<String, Failure> {
    let source = GameSource { game: file.to_owned(), variant: None }.read()?;
    let imported =
        import(&source.text, name).map_err(|remarks| Failure::Refused(source.render(&remarks)))?;
    tell(&source.render(&imported.warnings));
    Ok(format!("# Imported: [{}] of {}.\n{}", imported.name, source.name, imported.text))
}
