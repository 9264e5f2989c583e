//! Players of games between programs' evaluators.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use tamarin_base::memory::has_reserve;
use tamarin_search::Millis;
use tamarin_variant::{Game, Position};
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::evaluate::{Evaluator, Spec, SpecError};
use tamarin_variant_search::thesis::{MoveOrder, Thesis, UnknownMoveOrder};
use tamarin_variant_search::{
    AnyEvaluator, BestMove, Engine, EngineError, Limits, Options, Signals, read_evaluation,
};

use super::source::Failure;

/// How a player searches.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Policy {
    /// As Tamarin does.
    #[default]
    Tamarin,
    /// As the engine of the thesis did, with this order of moves.
    Thesis(MoveOrder),
}

/// A player by name: `sme+imm`, `learned`, `my.eval`, `thesis:sme`, `thesis/faster:sme+imm`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlayerName {
    pub(super) policy: Policy,
    pub(super) evaluator: EvaluatorName,
}

/// A text that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum PlayerNameError {
    #[error(transparent)]
    Evaluator(#[from] SpecError),
    #[error(transparent)]
    MoveOrder(#[from] UnknownMoveOrder),
    #[error("the engine of the thesis plays with an evaluator by name, not with {0:?}")]
    LearnedThesis(String),
    #[error("there is no policy {0:?}; there are tamarin, thesis, thesis/ITERATOR")]
    Policy(String),
}

impl FromStr for Policy {
    type Err = PlayerNameError;

    fn from_str(text: &str) -> Result<Self, PlayerNameError> {
        match text.split_once('/') {
            None if text == "tamarin" => Ok(Self::Tamarin),
            None if text == "thesis" => Ok(Self::Thesis(MoveOrder::default())),
            Some(("thesis", order)) => Ok(Self::Thesis(order.parse()?)),
            _ => Err(PlayerNameError::Policy(text.chars().take(20).collect())),
        }
    }
}

impl FromStr for PlayerName {
    type Err = PlayerNameError;

    fn from_str(text: &str) -> Result<Self, PlayerNameError> {
        // The path of a file may have a colon.
        let (policy, evaluator) = match text.split_once(':') {
            Some((word, evaluator)) => match word.parse() {
                Ok(policy) => (policy, evaluator),
                Err(_) if text.parse().is_ok_and(|name| matches!(name, EvaluatorName::File(_))) => {
                    (Policy::default(), text)
                }
                Err(error) => return Err(error),
            },
            None => (Policy::default(), text),
        };
        let evaluator: EvaluatorName = evaluator.parse()?;
        match (policy, &evaluator) {
            (Policy::Tamarin, _) | (_, EvaluatorName::Named(_)) => Ok(Self { policy, evaluator }),
            _ => Err(PlayerNameError::LearnedThesis(evaluator.to_string())),
        }
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.policy {
            Policy::Tamarin => {}
            Policy::Thesis(order) if order == MoveOrder::default() => write!(f, "thesis:")?,
            Policy::Thesis(order) => write!(f, "thesis/{}:", order.name())?,
        }
        write!(f, "{}", self.evaluator)
    }
}

/// What a player may use for a move.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug)]
#[group(multiple = false)]
pub(super) struct Effort {
    /// Plies to search for each move [default: 4 without another limit]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Nodes to search for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
}

/// The depth of a move without any limit.
const DEFAULT_DEPTH: u32 = 4;

impl Effort {
    /// A depth alone.
    pub(super) fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), nodes: None, movetime: None }
    }

    /// A time for each move, unless something else is given.
    pub(super) fn or_movetime(self, milliseconds: u64) -> Self {
        match self {
            Self { depth: None, nodes: None, movetime: None } => {
                Self { movetime: Some(milliseconds), ..self }
            }
            given => given,
        }
    }

    fn limits(self) -> Limits {
        match self {
            Self { nodes: Some(nodes), .. } => Limits::nodes(nodes),
            Self { movetime: Some(time), .. } => {
                Limits { move_time: Some(Millis::new(time)), ..Limits::default() }
            }
            Self { depth, .. } => Limits::depth(depth.unwrap_or(DEFAULT_DEPTH)),
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { nodes: Some(nodes), .. } => write!(f, "nodes {nodes}"),
            Self { movetime: Some(time), .. } => write!(f, "movetime {time}"),
            Self { depth, .. } => write!(f, "depth {}", depth.unwrap_or(DEFAULT_DEPTH)),
        }
    }
}

/// A player, ready to play a game.
pub(super) enum Player {
    Tamarin(Box<Engine>),
    Thesis(Box<Thesis>),
}

impl Player {
    pub(super) fn new(game: &Arc<Game>, name: &PlayerName) -> Result<Self, Failure> {
        // What evaluators take, too, must not be the last memory there is.
        if !has_reserve() {
            return Err(EngineError::Memory(Options::default().hash_mib).into());
        }
        match name.evaluator.evaluator(game)? {
            AnyEvaluator::Named(evaluator) => Ok(Self::with_evaluator(name.policy, evaluator)?),
            learned => {
                let engine = Engine::with_evaluator(learned, &Options::default())?;
                Ok(Self::Tamarin(Box::new(engine)))
            }
        }
    }

    /// The player of a game for which none is named: as all front ends play it. `learned` is what
    /// was found beside its file.
    pub(super) fn standard(
        game: &Arc<Game>,
        learned: Option<&Arc<Learned>>,
    ) -> Result<Self, Failure> {
        let engine =
            Engine::with_evaluator(AnyEvaluator::playing(game, learned), &Options::default())?;
        Ok(Self::Tamarin(Box::new(engine)))
    }

    /// A player of the evaluator's game. Evaluators take long to make, and many players may share
    /// one.
    pub(super) fn with_evaluator(
        policy: Policy,
        evaluator: Arc<Evaluator>,
    ) -> Result<Self, EngineError> {
        Ok(match policy {
            Policy::Tamarin => {
                let engine = Engine::with_evaluator(evaluator.into(), &Options::default())?;
                Self::Tamarin(Box::new(engine))
            }
            Policy::Thesis(order) => Self::Thesis(Box::new(Thesis::new(evaluator, order))),
        })
    }

    pub(super) fn new_game(&mut self) {
        match self {
            Self::Tamarin(engine) => engine.new_game(),
            Self::Thesis(engine) => engine.new_game(),
        }
    }

    pub(super) fn think(&mut self, position: &Position, effort: Effort) -> BestMove {
        let (limits, signals) = (effort.limits(), Signals::default());
        match self {
            Self::Tamarin(engine) => engine.search(position, &limits, &signals, |_| ()),
            Self::Thesis(engine) => engine.search(position, &limits, &signals),
        }
    }
}

/// Players that a thread has used last: those of a pair and of the next one.
const MOST_PLAYERS: usize = 4;

/// Players of one game that are ready to play again.
#[derive(Default)]
pub(super) struct PlayerCache {
    game: Option<Arc<Game>>,
    /// The one used last is the last one.
    players: Vec<(PlayerName, Player)>,
}

impl PlayerCache {
    /// The player of a game, made on first use.
    pub(super) fn take(&mut self, game: &Arc<Game>, name: &PlayerName) -> Result<Player, Failure> {
        if !self.game.as_ref().is_some_and(|last| Arc::ptr_eq(last, game)) {
            self.players.clear();
            self.game = Some(Arc::clone(game));
        }
        match self.players.iter().position(|(other, _)| other == name) {
            Some(i) => Ok(self.players.remove(i).1),
            None => Player::new(game, name),
        }
    }

    /// Gives players of that game back. Of too many those used first are dropped.
    pub(super) fn put(&mut self, names: &[PlayerName; 2], players: [Player; 2]) {
        self.players.extend(names.iter().cloned().zip(players));
        self.players.drain(..self.players.len().saturating_sub(MOST_PLAYERS));
    }
}

/// The name of what comes with the program.
const LEARNED: &str = "learned";

/// The end of the names of files with learned evaluators.
const EXTENSION: &str = ".eval";

/// `sme+imm`, `learned` or `my.eval`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EvaluatorName {
    /// An evaluator made from the rules.
    Named(Spec),
    /// The learned one that comes with the program.
    Learned,
    File(PathBuf),
}

impl FromStr for EvaluatorName {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Ok(match text {
            LEARNED => Self::Learned,
            _ if text.ends_with(EXTENSION) => Self::File(PathBuf::from(text)),
            _ => Self::Named(text.parse()?),
        })
    }
}

impl fmt::Display for EvaluatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(spec) => write!(f, "{spec}"),
            Self::Learned => write!(f, "{LEARNED}"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl EvaluatorName {
    /// The file that it is read from.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Named(_) | Self::Learned => None,
        }
    }

    /// What identifies the content of a learned evaluator for a game; nothing for one by name.
    ///
    /// # Errors
    /// As [`Self::evaluator`].
    pub(super) fn fingerprint(&self, game: &Arc<Game>) -> Result<Option<u64>, Failure> {
        if matches!(self, Self::Named(_)) {
            return Ok(None);
        }
        Ok(match self.evaluator(game)? {
            AnyEvaluator::Learned(learned) => Some(learned.fingerprint()),
            AnyEvaluator::Named(_) => None,
        })
    }

    /// The evaluator of that name for a game.
    ///
    /// # Errors
    /// If none comes with the program, or the file cannot be read or was learned for another game.
    pub(super) fn evaluator(&self, game: &Arc<Game>) -> Result<AnyEvaluator, Failure> {
        Ok(match self {
            Self::Named(spec) => Arc::new(Evaluator::new(game, spec)).into(),
            Self::Learned => {
                let learned = Learned::embedded(game);
                let none = || Failure::NoEvaluator(game.title().to_owned());
                Arc::new(learned.ok_or_else(none)?).into()
            }
            Self::File(path) => Arc::new(read_evaluation(path, game)?).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_players_are_kept_and_only_of_one_game() {
        let game = |name| tamarin_variant::builtin(name).expect("a game");
        let names = ["thesis:sme", "thesis:imm", "thesis:sce", "thesis:immc", "thesis:sking"]
            .map(|name| name.parse::<PlayerName>().expect("a player"));
        let mut cache = PlayerCache::default();
        let small = game("minixiangqi");
        for i in 0..names.len() {
            let pair = [names[i].clone(), names[(i + 1) % names.len()].clone()];
            let players = pair.each_ref().map(|name| cache.take(&small, name).expect("memory"));
            cache.put(&pair, players);
            assert!(cache.players.len() <= MOST_PLAYERS, "{}", cache.players.len());
        }
        // Those of the last two pairs are still there.
        let left = |cache: &PlayerCache| cache.players.len();
        let before = left(&cache);
        cache.take(&small, &names[0]).expect("memory");
        assert_eq!(left(&cache), before - 1);
        cache.take(&game("fide"), &names[0]).expect("memory");
        assert_eq!(left(&cache), 0);
    }

    #[test]
    fn players_have_names() {
        for name in
            ["sme+imm", "learned", "thesis:sme", "thesis/faster:sme", "my.eval", "c:/my.eval"]
        {
            assert_eq!(name.parse::<PlayerName>().unwrap().to_string(), name);
        }
        for (name, message) in [
            (
                "thesis:my.eval",
                "the engine of the thesis plays with an evaluator by name, not with \"my.eval\"",
            ),
            (
                "thesis:learned",
                "the engine of the thesis plays with an evaluator by name, not with \"learned\"",
            ),
            ("deep:sme", "there is no policy \"deep\"; there are tamarin, thesis, thesis/ITERATOR"),
            (
                "thesis/best:sme",
                "there is no iterator \"best\"; there are base, mono, faster, strong, captures, \
                 minimax",
            ),
        ] {
            assert_eq!(name.parse::<PlayerName>().unwrap_err().to_string(), message);
        }
    }
}
