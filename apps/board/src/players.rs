//! Who plays, and what the engines of the server are given.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use tamarin_eval::Score;
use tamarin_game::evaluator::{EvaluatorChoice, EvaluatorKind};
use tamarin_game::level::{LEVELS, Level, Tamarin};
use tamarin_game::position::Position;
use tamarin_game::search::{Ask, Found, Searcher, SearcherError, Worth};
use tamarin_search::{RATINGS, TablebaseProbe};
use tamarin_uci::client::Launch;
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::{AnyEvaluator, ScoreValue};

use crate::error::BoardError;
use crate::library::Library;
use crate::protocol::PlayerRequest;

/// What every engine of the server is given.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Size of the transposition table, in MiB.
    pub hash: usize,
    pub threads: usize,
    /// What evaluates positions of chess, unless a player has an evaluator of its own.
    pub evaluator: EvaluatorChoice,
    /// Endgame tablebases, which all engines share.
    pub tablebases: TablebaseProbe,
    /// What evaluates positions of the variant of this session, if it was learned and does not come
    /// with the program.
    pub learned: Option<Arc<Learned>>,
    /// The address of the page for others in the local network, once they are let in.
    pub invitation: Arc<OnceLock<String>>,
    /// The files of games that the user keeps, if there is a folder for them.
    pub library: Option<Arc<Library>>,
    /// Where results against the engine are kept.
    pub results: Option<PathBuf>,
    /// Other programs that play and analyze chess, by their names.
    pub programs: Arc<[(String, Launch)]>,
}

impl Resources {
    /// Resources of this size, with the evaluator of the engine and without tablebases.
    pub fn new(hash: usize, threads: usize) -> Self {
        Self {
            hash,
            threads,
            evaluator: EvaluatorChoice::default(),
            tablebases: TablebaseProbe::default(),
            learned: None,
            invitation: Arc::default(),
            library: None,
            results: None,
            programs: Arc::default(),
        }
    }

    /// An engine for the game of a position, with an evaluator of this kind or the one of all.
    pub fn searcher(
        &self,
        position: &Position,
        kind: Option<EvaluatorKind>,
        threads: usize,
    ) -> Result<Searcher, SearcherError> {
        match position.rules() {
            None => {
                let kind = kind.unwrap_or(self.evaluator.kind);
                let choice = self.evaluator.of_kind(kind);
                Searcher::chosen(self.hash, threads, &choice, &self.tablebases)
            }
            Some(rules) => {
                let evaluator = AnyEvaluator::playing(rules, self.learned.as_ref());
                Ok(Searcher::variant(evaluator, self.hash, threads))
            }
        }
    }

    /// The program of this name.
    pub fn program(&self, name: &str, threads: usize) -> Result<Searcher, BoardError> {
        let found = self.programs.iter().find(|(own, _)| own == name);
        let none = || BoardError::NoProgram(name.to_owned());
        let (_, launch) = found.ok_or_else(none)?;
        Ok(Searcher::program(launch, self.hash, threads)?)
    }

    /// Starts a search by an engine, which is made where there is none yet.
    pub fn search(
        &self,
        engine: &mut Option<Searcher>,
        position: &Position,
        threads: usize,
        ask: &Ask,
    ) -> Result<(), SearcherError> {
        let searcher = match engine {
            Some(searcher) => searcher,
            none => none.insert(self.searcher(position, None, threads)?),
        };
        searcher.start(position, ask)
    }
}

/// Who has the pieces of a color.
pub struct Player {
    pub name: String,
    /// How the engine plays; `None` for a person at a page or another program.
    pub engine: Option<Tamarin>,
    /// The name of the program that plays, if one does.
    pub program: Option<String>,
    /// The engine, once it was needed.
    pub searcher: Option<Searcher>,
    /// What it thought of its game when it last moved, for itself.
    pub opinion: Option<Found>,
}

/// The longest name, in characters.
const MAX_NAME: usize = 80;

/// A name without what could disturb.
pub fn tidy(name: &str) -> String {
    let plain = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(MAX_NAME).collect::<String>().trim().to_owned()
}

impl Player {
    /// The player that a page wants.
    pub fn new(request: &PlayerRequest) -> Result<Self, String> {
        let mut program = None;
        let (name, engine) = match request {
            PlayerRequest::Program { program: own, name } => {
                program = Some(own.clone());
                (tidy(name.as_deref().unwrap_or(own)), None)
            }
            PlayerRequest::Person { name } => (tidy(name.as_deref().unwrap_or("Player")), None),
            PlayerRequest::Engine { level, elo, full, evaluator, name } => {
                let level = match (full, level, elo) {
                    (false, Some(level), None) if LEVELS.contains(level) => Level::Number(*level),
                    (false, None, Some(elo)) if RATINGS.contains(elo) => Level::Elo(*elo),
                    (_, None, None) => Level::Number(*LEVELS.end()),
                    _ => {
                        return Err(format!(
                            "an engine has a level from {} to {}, or a rating from {} to {}",
                            LEVELS.start(),
                            LEVELS.end(),
                            RATINGS.start(),
                            RATINGS.end()
                        ));
                    }
                };
                let evaluator = match evaluator.as_deref() {
                    None => EvaluatorKind::Network,
                    Some(name) => EvaluatorKind::from_name(name).ok_or(
                        "an evaluator is network, hand-crafted or a small one such as capuchin",
                    )?,
                };
                let tamarin = Tamarin { level, evaluator };
                let name = name.as_deref().map(tidy).filter(|name| !name.is_empty());
                (name.unwrap_or_else(|| tamarin.name()), Some(tamarin))
            }
        };
        Ok(Self { name, engine, program, searcher: None, opinion: None })
    }

    /// What asks for a player like this one.
    pub fn request(&self) -> PlayerRequest {
        let name = Some(self.name.clone());
        if let Some(program) = self.program.clone() {
            return PlayerRequest::Program { program, name };
        }
        let Some(tamarin) = self.engine else { return PlayerRequest::Person { name } };
        let (level, elo) = match tamarin.level {
            Level::Number(level) => (Some(level), None),
            Level::Elo(elo) => (None, Some(elo)),
            // No page asks for these.
            Level::Easy | Level::Medium | Level::Hard => (None, None),
        };
        let evaluator = Some(tamarin.evaluator.name().to_owned());
        PlayerRequest::Engine { level, elo, full: false, evaluator, name }
    }

    pub const fn is_engine(&self) -> bool {
        self.engine.is_some() || self.program.is_some()
    }

    /// Returns `true` if its engine wants a draw: it has thought and sees itself no better.
    pub fn wants_draw(&self) -> bool {
        let line = self.opinion.as_ref().and_then(|found| found.lines.first());
        line.is_some_and(|line| match line.worth {
            Worth::Chess(score) => score <= Score::DRAW,
            Worth::Variant(ScoreValue::Centipawns(value)) => value <= 0,
            Worth::Variant(ScoreValue::Mate(moves)) => moves < 0,
        })
    }

    pub fn is_thinking(&self) -> bool {
        self.searcher.as_ref().is_some_and(Searcher::is_running)
    }

    /// Its engine stops; the answer is lost.
    pub fn stop(&mut self) {
        self.searcher.iter_mut().for_each(Searcher::stop);
    }
}
