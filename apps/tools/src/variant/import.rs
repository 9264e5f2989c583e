//! `tamarin variant import`: games of Fairy-Stockfish in this notation.

use tamarin_base::complain;
use tamarin_variant::import;

use super::game_source::GameSource;
use super::source::Failure;

/// The game of a file of Fairy-Stockfish as the text of a file of this program. What is left out is
/// reported on standard error.
pub(super) fn run(file: &str, name: Option<&str>) -> Result<String, Failure> {
    let source = GameSource { game: file.to_owned(), variant: None }.read()?;
    let imported =
        import(&source.text, name).map_err(|remarks| Failure::Refused(source.render(&remarks)))?;
    if !imported.warnings.is_empty() {
        complain(source.render(&imported.warnings).trim_end());
    }
    Ok(format!("# Imported: [{}] of {}.\n{}", imported.name, source.name, imported.text))
}
