//! What may be wrong with a game of a variant.

use std::path::PathBuf;

use tamarin_variant::{FenError, nearest_builtin};
use tamarin_variant_search::EngineError;

use super::game::LoadError;
use tamarin_variant_search::LibraryError;

/// A name that is neither that of a variant nor that of a file.
#[derive(Debug, thiserror::Error)]
#[error("there is no variant or file {name:?}; {hint}")]
pub struct UnknownVariant {
    name: String,
    hint: String,
}

impl UnknownVariant {
    /// The error, with the built-in variant that is meant if one has almost that name, or how
    /// chess is played.
    pub fn new(name: &str) -> Self {
        let hint = match (name.to_lowercase().as_str(), nearest_builtin(name)) {
            ("chess" | "standard", _) => "chess is played without --variant".to_owned(),
            ("chess960" | "fischerandom", _) => {
                "Chess960 is played without --variant, from a position of it".to_owned()
            }
            (_, Some(near)) => format!("did you mean {near}?"),
            (_, None) => "tamarin variant list shows the variants".to_owned(),
        };
        Self { name: name.to_owned(), hint }
    }
}

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum VariantFailure {
    #[error(transparent)]
    Unknown(#[from] UnknownVariant),
    /// The file is no variant.
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    #[error("{}: {source}", .path.display())]
    Load { path: PathBuf, source: LoadError },
    #[error(transparent)]
    Engine(#[from] EngineError),
}

#[cfg(test)]
mod tests {
    use super::UnknownVariant;

    #[test]
    fn what_is_meant_by_an_unknown_name_is_said() {
        for (name, hint) in [
            ("xianqi", "did you mean xiangqi?"),
            ("Chess", "chess is played without --variant"),
            ("chess960", "Chess960 is played without --variant, from a position of it"),
            ("go", "tamarin variant list shows the variants"),
        ] {
            let text = UnknownVariant::new(name).to_string();
            assert!(text.ends_with(&format!("{name:?}; {hint}")), "{text}");
        }
    }
}
