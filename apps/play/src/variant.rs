//! The variant that is played: its rules and what evaluates it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tamarin_base::complain;
use tamarin_game::pgn::Wanted;
use tamarin_game::position::Position;
use tamarin_variant::{self as variant, FenError, Game};
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::{AnyEvaluator, Library, LibraryError, NOT_USED, evaluation_file};

/// A variant, and the learned evaluator beside its file.
#[derive(Clone)]
pub struct Variant {
    pub name: String,
    rules: Arc<Game>,
    learned: Option<Arc<Learned>>,
    /// The file of its rules, if it does not come with the program.
    file: Option<PathBuf>,
}

impl Variant {
    /// The variant of that name, or the last one of that file.
    pub fn find(name: &str) -> Result<Self, LibraryError> {
        let mut library = Library::default();
        if let Some((name, rules)) = library.find(name) {
            return Ok(Self { name, rules, learned: None, file: None });
        }
        let path = Path::new(name);
        if !path.exists() {
            return Err(LibraryError::unknown(name));
        }
        let mut warnings = Vec::new();
        let (name, rules) = library.read_one(path, &mut warnings)?;
        // Remarks about the rules are those of `tamarin variant check`; the evaluator is named here.
        warnings.iter().filter(|line| line.contains(NOT_USED)).for_each(|line| complain(line));
        let learned = library.learned(&rules).cloned();
        Ok(Self { name, rules, learned, file: Some(path.to_owned()) })
    }

    /// Its first position.
    pub fn start(&self) -> Position {
        Position::Variant(Box::new(variant::Position::start(&self.rules)))
    }

    pub fn position(&self, fen: &str) -> Result<Position, FenError> {
        Ok(Position::Variant(Box::new(variant::Position::from_fen(&self.rules, fen)?)))
    }

    /// The games of it in files.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted::Variant(&self.name, &self.rules)
    }

    /// Returns `true` if its name alone tells the rules.
    pub const fn is_builtin(&self) -> bool {
        self.file.is_none()
    }

    pub fn title(&self) -> &str {
        self.rules.title()
    }

    /// What evaluates its positions.
    pub fn evaluator(&self) -> AnyEvaluator {
        AnyEvaluator::playing(&self.rules, self.learned.as_ref())
    }

    /// The files that it comes from, which games are not saved to: also an evaluator that does not
    /// fit.
    pub fn files(&self) -> Vec<PathBuf> {
        let Some(file) = &self.file else { return Vec::new() };
        let beside = [None, Some(self.name.as_str())].map(|name| evaluation_file(file, name));
        beside.into_iter().chain([file.clone()]).collect()
    }
}
