//! Who plays.

use tamarin_eval::Score;
use tamarin_game::evaluator::EvaluatorKind;
use tamarin_game::level::{LEVELS, Level, Tamarin};
use tamarin_search::RATINGS;
use tamarin_variant_search::Value;

use crate::protocol::PlayerRequest;
use tamarin_game::search::{Found, Searcher, Worth};

/// Who has the pieces of a color.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Who {
    /// A person at a page.
    Person,
    Engine(Tamarin),
}

/// A player, and the engine that plays for it.
pub struct Player {
    pub who: Who,
    pub name: String,
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
    pub fn person(name: &str) -> Self {
        Self { who: Who::Person, name: tidy(name), searcher: None, opinion: None }
    }

    /// The player that a page wants.
    pub fn new(request: &PlayerRequest) -> Result<Self, String> {
        match request {
            PlayerRequest::Person { name } => Ok(Self::person(name.as_deref().unwrap_or("Player"))),
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
                let kind = match evaluator.as_deref() {
                    None => EvaluatorKind::Network,
                    Some(name) => EvaluatorKind::from_name(name)
                        .ok_or("an evaluator is network or hand-crafted")?,
                };
                let tamarin = Tamarin { level, evaluator: kind };
                let name = name.as_deref().map(tidy).filter(|name| !name.is_empty());
                let name = name.unwrap_or_else(|| tamarin.name());
                Ok(Self { who: Who::Engine(tamarin), name, searcher: None, opinion: None })
            }
        }
    }

    pub const fn is_engine(&self) -> bool {
        matches!(self.who, Who::Engine(_))
    }

    /// Returns `true` if its engine wants a draw: it has thought and sees itself no better.
    pub fn wants_draw(&self) -> bool {
        let line = self.opinion.as_ref().and_then(|found| found.lines.first());
        line.is_some_and(|line| match line.worth {
            Worth::Chess(score) => score <= Score::DRAW,
            Worth::Variant(Value::Centipawns(value)) => value <= 0,
            Worth::Variant(Value::Mate(moves)) => moves < 0,
        })
    }

    pub fn is_thinking(&self) -> bool {
        self.searcher.as_ref().is_some_and(Searcher::is_running)
    }

    /// Its engine stops; the answer is lost.
    pub fn stop(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.stop();
        }
    }
}
