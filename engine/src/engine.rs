//! The engine behind every protocol: the game, the options, the search.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use tamarin_movegen::{CastlingNotation, Color};
use tamarin_search::{
    Controls, Limits, Millis, NetworkMemoryError, SearchOptions, StartError, Strength, Wait,
};
use tamarin_variant_search::{AnyEvaluator, EngineError, Signals};

use crate::report::{ChessObserver, Reporter, SearchOutput, VariantObserver};
use crate::settings::Settings;
use tamarin_game::book::{self, Book, Hit, Seed};
use tamarin_game::evaluator::EvaluatorChoice;
use tamarin_game::played::Played;
use tamarin_game::position::{Move, Position};
use tamarin_game::spelling::Spelling;
use tamarin_variant_search::{CHESS, Library, Searcher, Size, Unanswered};

/// What is to be searched, and how far.
pub struct Query {
    /// The limits; their `search_moves` are empty.
    pub limits: Limits,
    /// The root moves to look at; empty for all.
    pub root_moves: Vec<Move>,
    /// How moves are written.
    pub spelling: Spelling,
}

/// What a protocol session drives. It knows nothing of the protocol.
pub struct Engine {
    /// The transposition table and the search threads; `None` only while a search runs.
    search_engine: Option<tamarin_search::Engine>,
    /// The options that are neither of the table nor of the threads.
    pub settings: Settings,
    /// The game in force.
    game: Played,
    /// The last position was rejected: no position until a valid one comes.
    rejected: bool,
    /// `Book File`; `None` is the built-in book.
    pub book: Option<Book>,
    /// `Evaluator` and `EvalFile`.
    pub evaluator: EvaluatorChoice,
    /// What `UCI_Variant` can be.
    pub library: Library,
    /// What searches variants; chess is searched by `search_engine`.
    searcher: Searcher,
    /// `Hash` and `Threads` of the search that runs.
    searching: (usize, usize),
    /// How many games were announced.
    games: u32,
    /// What stands for `Seed` while that is 0: another one in each process.
    drawn_seed: u32,
    /// The game for which the seed of weakened play was printed last.
    seed_told: Option<u32>,
}

impl Engine {
    /// An engine at the start position, with the default options.
    pub fn new() -> Result<Self, StartError> {
        let mut engine = Self {
            search_engine: Some(tamarin_search::Engine::new()?),
            settings: Settings::default(),
            game: Played::chess(),
            rejected: false,
            book: None,
            evaluator: EvaluatorChoice::default(),
            library: Library::default(),
            searcher: Searcher::default(),
            searching: (0, 0),
            games: 0,
            // As a value of the option.
            drawn_seed: (RandomState::new().hash_one(std::process::id()) as u32 >> 1) | 1,
            seed_told: None,
        };
        engine.set_evaluator(EvaluatorChoice::default())?;
        Ok(engine)
    }

    /// The table and the threads, between searches.
    ///
    /// # Panics
    /// After a panic in [`Self::search`], until [`Self::restart_search`].
    pub fn search_engine(&mut self) -> &mut tamarin_search::Engine {
        self.search_engine.as_mut().expect("invariant: a search gives it back when it has ended")
    }

    /// A new game begins: forgets what was learned in earlier ones.
    pub fn new_game(&mut self) {
        self.games = self.games.wrapping_add(1);
        self.search_engine().new_game();
        self.searcher.new_game();
    }

    /// The game in force. After a rejected position it is still that before.
    pub const fn game(&self) -> &Played {
        &self.game
    }

    /// Returns `false` after a rejected position, until a valid one comes.
    pub const fn has_position(&self) -> bool {
        !self.rejected
    }

    /// The game in force; `None` after a rejected position.
    pub fn valid_game(&mut self) -> Option<&mut Played> {
        (!self.rejected).then_some(&mut self.game)
    }

    /// Goes on with another game, or with another position of the same.
    pub fn set_game(&mut self, game: Played) {
        self.game = game;
        self.rejected = false;
    }

    /// There is no position until a valid one comes.
    pub const fn reject_position(&mut self) {
        self.rejected = true;
    }

    /// Makes ready what the first search would have to wait for.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        match self.game.as_variant() {
            Some((_, rules)) => {
                let rules = Arc::clone(rules);
                self.prepare_variant(&rules)
            }
            None => {
                self.search_engine().prepare();
                Ok(())
            }
        }
    }

    /// Makes ready the search of a variant.
    fn prepare_variant(&mut self, rules: &Arc<tamarin_variant::Game>) -> Result<(), EngineError> {
        let size = self.variant_size();
        self.searcher.prepare(rules, size, self.library.learned(rules))
    }

    /// `Hash` and `Threads`, which hold for variants too. While a variant is played the table of
    /// standard chess takes no memory.
    fn variant_size(&mut self) -> Size {
        self.search_engine().release_hash();
        let learned = self.settings.learned;
        let engine = self.search_engine();
        Size { hash: engine.hash(), threads: engine.threads(), learned }
    }

    /// What evaluates positions of the variant in force; `None` in standard chess.
    pub fn variant_evaluator(&mut self) -> Result<Option<AnyEvaluator>, EngineError> {
        let Some((_, rules)) = self.game.as_variant() else { return Ok(None) };
        let rules = Arc::clone(rules);
        let prepared = self.prepare_variant(&rules);
        match self.searcher.evaluator(&rules).cloned() {
            Some(evaluator) => Ok(Some(evaluator)),
            None => prepared.map(|()| None),
        }
    }

    /// Empties the table of the variant in force.
    pub fn clear_variant_hash(&mut self) {
        self.searcher.clear();
    }

    /// Plays the variant of that name from its start position on, or standard chess, whose game
    /// goes on if it is in force; `false` if no variant has that name.
    pub fn set_variant(&mut self, name: &str) -> bool {
        if name.eq_ignore_ascii_case(CHESS) {
            if self.game.as_variant().is_some() {
                self.searcher.clear();
                self.set_game(Played::chess());
            }
            return true;
        }
        let Some((name, rules)) = self.library.find(name) else { return false };
        self.searcher.clear();
        self.set_game(Played::variant(name, &rules));
        true
    }

    /// The move of the opening book in the position on the board, which is one of chess; `None` if
    /// `OwnBook` is off or the book has no move.
    pub fn book_move(&self, spelling: Spelling) -> Option<(String, Hit)> {
        let position = self.game.as_chess()?;
        if !self.settings.own_book {
            return None;
        }
        let hit = book::choose(self.book(), position, self.seed())?;
        Some((self.game.position().write(Move::Chess(hit.mv.mv), spelling), hit))
    }

    /// What the chance of this game depends on.
    const fn seed(&self) -> Seed {
        let seed = if self.settings.seed == 0 { self.drawn_seed } else { self.settings.seed };
        Seed { seed, game: self.games }
    }

    /// The options of a search. The seed of play that is weakened or varies is printed once in a
    /// game. Play varies in searches for a move, unless nodes limit them.
    fn search_options(&mut self, query: &Query, output: &mut dyn SearchOutput) -> SearchOptions {
        let Seed { seed, game } = self.seed();
        let whole = u64::from(seed) << 32 | u64::from(game);
        let options = SearchOptions { seed: whole, ..self.settings.search_options() };
        let is_limited = options.strength != Strength::Full;
        let Limits { nodes, wait, mate, .. } = query.limits;
        let asks_for_move = nodes.is_none() && mate.is_none() && wait != Wait::UntilStop;
        let varies =
            (is_limited || self.settings.random) && asks_for_move && query.root_moves.is_empty();
        if (is_limited || varies) && self.seed_told != Some(game) {
            self.seed_told = Some(game);
            let reason = if is_limited { "limited strength" } else { "random" };
            output.note(&format!("{reason}: Seed {seed}, game {game}"));
        }
        SearchOptions { varies, ..options }
    }

    /// The opening book, whether the engine plays from it or not.
    pub fn book(&self) -> &Book {
        self.book.as_ref().unwrap_or_else(|| Book::built_in())
    }

    /// Chooses what evaluates positions of standard chess from the next search on.
    ///
    /// # Errors
    /// If there is no memory for it. Then what evaluated before still does.
    pub fn set_evaluator(&mut self, choice: EvaluatorChoice) -> Result<(), NetworkMemoryError> {
        self.search_engine().set_network(choice.active_network())?;
        self.evaluator = choice;
        Ok(())
    }

    /// Replaces table, threads and tablebases by new ones, after a panic; which sizes are in force if
    /// the system refuses those there were.
    pub fn restart_search(&mut self) -> Result<Option<String>, StartError> {
        let sizes = |engine: &tamarin_search::Engine| (engine.hash(), engine.threads());
        let before = self.search_engine.as_ref().map_or(self.searching, sizes);
        // The old ones go first, so that their memory and threads are free.
        self.search_engine = None;
        let engine = self.search_engine.insert(tamarin_search::Engine::new()?);
        let _ = engine.set_hash(before.0);
        let _ = engine.set_threads(before.1);
        if let Ok(path) = std::env::join_paths(&self.settings.tablebase_folders) {
            engine.set_tablebases(&path.to_string_lossy());
        }
        let (hash, threads) = sizes(engine);
        self.set_evaluator(self.evaluator.clone())?;
        let differs = (hash, threads) != before;
        Ok(differs.then(|| format!("Hash is {hash} and Threads is {threads} now")))
    }

    /// Searches the position of `root`, a game of the kind in force. `meanwhile` is run once, with
    /// what stops the search and with the game in force; this returns when `meanwhile` has
    /// returned and the search has ended.
    pub fn search(
        &mut self,
        root: &Played,
        query: Query,
        mut output: Box<dyn SearchOutput>,
        meanwhile: impl FnOnce(Controls, &mut Played),
    ) -> Result<(), Unanswered> {
        let position = match root.position() {
            Position::Chess(position, _) => position,
            Position::Variant(position) => {
                return self.search_variant(position, root, query, output, meanwhile);
            }
        };
        let options = self.search_options(&query, &mut *output);
        let Query { limits, root_moves, spelling } = query;
        let search_moves = root_moves.into_iter().filter_map(Move::chess).collect();
        let limits = Limits { search_moves, ..limits };
        let reporter = Reporter { output, root: root.position().clone(), spelling };
        let Settings { show_wdl: wdl, raw_scores: is_raw, .. } = self.settings;
        let observer = Box::new(ChessObserver { reporter, wdl, is_raw });
        let engine = self.search_engine.take().expect("invariant: searches do not overlap");
        self.searching = (engine.hash(), engine.threads());
        let running = engine.go(position, limits, &options, observer);
        meanwhile(running.controls(), &mut self.game);
        self.search_engine = Some(running.wait());
        Ok(())
    }

    fn search_variant(
        &mut self,
        position: &tamarin_variant::Position,
        root: &Played,
        query: Query,
        mut output: Box<dyn SearchOutput>,
        meanwhile: impl FnOnce(Controls, &mut Played),
    ) -> Result<(), Unanswered> {
        // The clock runs while the engine is made, and a stop ends that.
        let signals = Arc::new(Signals::new(query.limits.wait));
        let size = self.variant_size();
        let SearchOptions { seed, varies, multi_pv: lines, .. } =
            self.search_options(&query, &mut *output);
        let Query { limits, root_moves, spelling } = query;
        let root_moves = root_moves.into_iter().filter_map(Move::variant).collect();
        let overhead = self.settings.search.move_overhead;
        let limits = variant_limits(&limits, root.side_to_move(), root_moves, overhead);
        let variety = varies.then_some(seed);
        let limits = tamarin_variant_search::Limits { lines, variety, ..limits };
        let reporter = Reporter { output, root: root.position().clone(), spelling };
        let observer =
            VariantObserver { reporter, minimal: self.settings.minimal, last: Vec::new() };
        let game = &mut self.game;
        let made = (size, self.library.learned(position.game()));
        self.searcher.search((position, &limits), &signals, made, observer, |controls| {
            meanwhile(controls, game);
        })
    }

    /// How castling moves are printed.
    pub const fn notation(&self) -> CastlingNotation {
        if self.settings.chess960 {
            CastlingNotation::KingTakesRook
        } else {
            CastlingNotation::Classic
        }
    }
}

/// What is said where the table of a variant has no memory.
pub const WITHOUT_TABLE: &str = "searching without a hash table";

/// The same limits for a search of a variant, in which this side is to move.
fn variant_limits(
    limits: &Limits,
    side: Color,
    search_moves: Vec<tamarin_variant::Move>,
    overhead: Millis,
) -> tamarin_variant_search::Limits {
    tamarin_variant_search::Limits {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.move_time,
        // A side without a clock of its own is given the other's.
        clock: limits.clocks[side].or(limits.clocks[!side]),
        mate: limits.mate.filter(|moves| *moves > 0),
        search_moves,
        overhead,
        ..tamarin_variant_search::Limits::default()
    }
}
