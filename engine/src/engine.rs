//! The engine behind every protocol: the position, the options, the search.

use tamarin_movegen::{CastlingNotation, Color, Position};
use tamarin_search::{Controls, Idle, Limits, NetworkMemoryError, Observer, StartError};

use crate::book::{self, Book, Hit, Seed};
use crate::evaluator::EvaluatorChoice;
use crate::settings::Settings;
use crate::variant_game::{CHESS, Library, Player, Size};

/// What a protocol session drives. It knows nothing of the protocol.
pub struct Engine {
    /// The transposition table and the search threads; `None` only while a search runs.
    idle: Option<Idle>,
    /// The options that are neither of the table nor of the threads.
    pub settings: Settings,
    /// The current position; `None` after one was rejected.
    pub position: Option<Position>,
    /// `Book File`; `None` is the built-in book.
    pub book: Option<Book>,
    /// `Evaluator` and `EvalFile`.
    pub evaluator: EvaluatorChoice,
    /// What `UCI_Variant` can be.
    pub library: Library,
    /// The variant in force; `None` is standard chess.
    pub player: Option<Player>,
    /// How many games were announced.
    games: u32,
}

impl Engine {
    /// An engine at the start position, with the default options.
    ///
    /// # Errors
    /// If not even one search thread can be started.
    pub fn new() -> Result<Self, StartError> {
        let mut engine = Self {
            idle: Some(Idle::new()?),
            settings: Settings::default(),
            position: Some(Position::startpos()),
            book: None,
            evaluator: EvaluatorChoice::default(),
            library: Library::default(),
            player: None,
            games: 0,
        };
        engine.set_evaluator(EvaluatorChoice::default())?;
        Ok(engine)
    }

    /// The table and the threads, between searches.
    ///
    /// # Panics
    /// After a panic in [`Self::search`], until [`Self::restart_search`].
    pub fn idle(&mut self) -> &mut Idle {
        self.idle.as_mut().expect("invariant: a search gives it back when it has ended")
    }

    /// A new game begins: forgets what was learned in earlier ones.
    pub fn new_game(&mut self) {
        self.games = self.games.wrapping_add(1);
        self.idle().new_game();
        if let Some(player) = &mut self.player {
            player.new_game();
        }
    }

    /// `Hash` and `Threads`, which hold for variants too.
    pub fn size(&mut self) -> Size {
        let idle = self.idle();
        Size { hash: idle.hash(), threads: idle.threads() }
    }

    /// Empties the table of the variant in force.
    pub fn clear_variant_hash(&mut self) {
        if let Some(player) = &mut self.player {
            player.drop_engine();
        }
    }

    /// Plays the variant of that name from its start position on, or standard chess; `false` if
    /// there is none.
    pub fn set_variant(&mut self, name: &str) -> bool {
        if name.eq_ignore_ascii_case(CHESS) {
            if self.player.take().is_some() {
                self.position = Some(Position::startpos());
            }
            return true;
        }
        let Some((name, game)) = self.library.find(name) else { return false };
        self.player = Some(Player::new(name, game));
        true
    }

    /// The move of the opening book in a position; `None` if `OwnBook` is off, the position is
    /// beyond `Book Depth` or the book has no move.
    pub fn book_move(&self, position: &Position) -> Option<Hit> {
        let settings = &self.settings;
        if !settings.own_book || ply(position) > settings.book_depth {
            return None;
        }
        let seed = Seed { seed: settings.book_seed, game: self.games };
        book::choose(self.book(), position, settings.book_choice, seed)
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
        self.idle().set_network(choice.active_network())?;
        self.evaluator = choice;
        Ok(())
    }

    /// Replaces table and threads by new ones with their default sizes: after a panic.
    ///
    /// # Errors
    /// If not even one search thread can be started.
    pub fn restart_search(&mut self) -> Result<(), StartError> {
        // The old ones go first, so that their memory and threads are free.
        self.idle = None;
        self.idle = Some(Idle::new()?);
        Ok(self.set_evaluator(self.evaluator.clone())?)
    }

    /// Searches `position`, whose history counts for repetitions. `meanwhile` is run once, with
    /// what stops the search; this returns when `meanwhile` has returned and the search has ended.
    pub fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        observer: Box<dyn Observer>,
        meanwhile: impl FnOnce(Controls),
    ) {
        let options = self.settings.search_options();
        let idle = self.idle.take().expect("invariant: searches do not overlap");
        let running = idle.go(position, limits, &options, observer);
        meanwhile(running.controls());
        self.idle = Some(running.wait());
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

/// The number of the ply that is to be played, 1 at the start of a game.
fn ply(position: &Position) -> u32 {
    let black = u32::from(position.side_to_move() == Color::Black);
    2 * u32::from(position.fullmove_number()).saturating_sub(1) + black + 1
}
