//! The values that the options have.

use std::path::PathBuf;

use tamarin_search::{Reports, SearchOptions, Strength};

/// The values of the options that a search is given or that change what is printed. The search
/// itself holds `Hash` and `Threads`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What the search is given as it is; [`Self::search_options`] adds the rest.
    pub search: SearchOptions,
    /// Print castling as the king taking its rook.
    pub chess960: bool,
    /// Print win, draw and loss probabilities.
    pub show_wdl: bool,
    /// Print scores in the units of the search.
    pub raw_scores: bool,
    /// Play at [`Self::elo`].
    pub limit_strength: bool,
    /// The rating to play at if [`Self::limit_strength`] is set.
    pub elo: u16,
    /// The skill level, 0 to 20; 20 is full strength.
    pub skill: u8,
    /// Print only the last `info` line of each search.
    pub minimal: bool,
    /// Play the moves of the opening book.
    pub own_book: bool,
    /// What the moves of the book and of limited strength depend on; 0 is another seed in each
    /// process.
    pub seed: u32,
    /// Whether play varies at full strength too: XBoard's `random`.
    pub random: bool,
    /// Whether variants are evaluated by what was learned about them.
    pub learned: bool,
    /// The file of `Book File`.
    pub book_file: Option<PathBuf>,
    /// The file of `EvalFile`.
    pub eval_file: Option<PathBuf>,
    /// The folders of `SyzygyPath`.
    pub tablebase_folders: Vec<PathBuf>,
    /// The file of `Debug Log File`.
    pub log_file: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            search: SearchOptions::default(),
            chess960: false,
            show_wdl: false,
            raw_scores: false,
            limit_strength: false,
            elo: 1320,
            skill: 20,
            minimal: false,
            own_book: false,
            seed: 0,
            random: false,
            learned: true,
            book_file: None,
            eval_file: None,
            tablebase_folders: Vec::new(),
            log_file: None,
        }
    }
}

impl Settings {
    pub fn search_options(&self) -> SearchOptions {
        SearchOptions {
            strength: match (self.limit_strength, self.skill) {
                (true, _) => Strength::Elo(self.elo),
                (false, 20) => Strength::Full,
                (false, level) => Strength::Skill(level),
            },
            reports: if self.minimal { Reports::Minimal } else { Reports::All },
            ..self.search.clone()
        }
    }
}
