//! Searches that an explanation needs, and what they found.

use tamarin_eval::Score;
use tamarin_game::search::Answer;
use tamarin_movegen::{Move, Position};

/// A result of a game with best play, for one of the sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    Lost,
    Drawn,
    Won,
}

impl GameResult {
    /// What a table says: above 0 a win, 0 a draw, below a loss.
    pub const fn of_table(value: i32) -> Self {
        match value {
            1.. => Self::Won,
            0 => Self::Drawn,
            _ => Self::Lost,
        }
    }

    pub const fn reversed(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Drawn => "drawn",
            Self::Won => "won",
        }
    }
}

/// A search that is needed.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position, with its history as far as it counts. At least one move is legal.
    pub position: Position,
    /// Moves of this position that are not to be searched; at least one other is legal.
    pub excluded: Vec<Move>,
    /// Whether the same has been searched before.
    pub look: Look,
}

/// Which search of a position it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The first one, for which an earlier search of the same position will do.
    First,
    /// One that looks again, deeper by what the engine remembers: what an earlier search found is
    /// no answer.
    Second,
}

impl Request {
    /// Whether it asks for the same search.
    fn is_same(&self, other: &Self) -> bool {
        let place = |request: &Self| (request.position.key(), request.position.plies());
        place(self) == place(other) && self.excluded == other.excluded && self.look == other.look
    }

    /// The moves that are to be searched; empty if all are.
    pub fn search_moves(&self) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = self.position.legal_moves().into_iter();
        legal.filter(|mv| !self.excluded.contains(mv)).collect()
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub score: Score,
    /// The best line; at least one move.
    pub moves: Vec<Move>,
    /// What endgame tablebases say of the position, for the side to move, if they know it.
    pub result: Option<GameResult>,
}

impl Found {
    /// What the answer to a search says, if it has a line.
    pub fn of(answer: &Answer) -> Option<Self> {
        let line = answer.found.lines.first()?;
        Some(Self {
            score: line.worth.score(),
            moves: line.pv.iter().filter_map(|mv| mv.chess()).collect(),
            result: answer.result.map(GameResult::of_table),
        })
    }
}

/// Why there is no explanation yet.
#[derive(Debug)]
pub enum Pause {
    /// This search is missing.
    Search(Box<Request>),
    /// A search found no line: there is nothing to explain by.
    Nothing,
}

/// Hands out what was found, in the order of the requests, until a search is missing. The same
/// request has the same answer.
pub struct Asking<'a> {
    found: &'a [Option<Found>],
    /// What was asked, each with its own answer.
    asked: Vec<Request>,
}

impl<'a> Asking<'a> {
    pub fn new(found: &'a [Option<Found>]) -> Self {
        Self { found, asked: Vec::new() }
    }

    /// The search of a position, at least one of whose moves is legal.
    pub fn search(&mut self, position: &Position) -> Result<Found, Pause> {
        self.without(position, &[])?.ok_or(Pause::Nothing)
    }

    /// A second search of such a position.
    pub fn again(&mut self, position: &Position) -> Result<Found, Pause> {
        self.look(position, &[], Look::Second)?.ok_or(Pause::Nothing)
    }

    /// The search of a position without some of its moves; `None` where no other is legal.
    pub fn without(
        &mut self,
        position: &Position,
        excluded: &[Move],
    ) -> Result<Option<Found>, Pause> {
        self.look(position, excluded, Look::First)
    }

    fn look(
        &mut self,
        position: &Position,
        excluded: &[Move],
        look: Look,
    ) -> Result<Option<Found>, Pause> {
        let request = Request { position: position.clone(), excluded: excluded.to_vec(), look };
        let is_empty = position.legal_moves().into_iter().all(|mv| excluded.contains(&mv));
        if is_empty {
            return Ok(None);
        }
        let known = self.asked.iter().position(|asked| asked.is_same(&request));
        let index = known.unwrap_or(self.asked.len());
        match self.found.get(index) {
            None => Err(Pause::Search(Box::new(request))),
            Some(None) => Err(Pause::Nothing),
            Some(Some(found)) => {
                if known.is_none() {
                    self.asked.push(request);
                }
                Ok(Some(found.clone()))
            }
        }
    }
}
