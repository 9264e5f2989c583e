//! An explanation, and the searches on the way to it.

use serde_json::Value;
use tamarin_movegen::{CastlingNotation, Move, Position};

use crate::ask::{Asking, Found, Pause, Request};
use crate::claim::{Claim, DrawnBy};
use crate::good;
use crate::line::Line;
use crate::mistake;
use crate::proof::Proof;
use crate::sentence::{Role, Sentence, sentence};
use crate::subject::Subject;

/// Why a move is good or bad.
#[derive(Clone, Default, Debug)]
pub struct Explanation {
    /// Whether the move is clearly worse than the best one.
    pub is_mistake: bool,
    /// The most important one first; empty if a search failed.
    pub sentences: Vec<Sentence>,
}

impl Explanation {
    /// So many sentences are enough where room is short.
    const BRIEF: usize = 2;

    /// The first two sentences.
    #[must_use]
    pub fn brief(&self) -> &[Sentence] {
        &self.sentences[..self.sentences.len().min(Self::BRIEF)]
    }

    /// All sentences, each on a line of its own, and below it the whole line of moves where the
    /// sentence does not name all of it.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let lines = |sentence: &Sentence| {
            let whole = sentence.whole_line().map(|line| format!("  {line}"));
            std::iter::once(sentence.text.clone()).chain(whole)
        };
        self.sentences.iter().flat_map(lines).collect()
    }

    /// The sentences for programs.
    #[must_use]
    pub fn to_json(&self, notation: CastlingNotation) -> Value {
        self.sentences.iter().map(|sentence| sentence.to_json(notation)).collect()
    }
}

/// What has to happen next.
#[derive(Debug)]
pub enum Step {
    /// This search.
    Search(Box<Request>),
    /// Nothing: the explanation is complete.
    Done(Explanation),
}

/// A move or position that is being explained.
#[derive(Clone, Debug)]
pub struct Inquiry {
    position: Position,
    mv: Option<Move>,
    found: Vec<Option<Found>>,
}

impl Inquiry {
    /// About a legal move of a position, whose history counts for repetitions.
    #[must_use]
    pub const fn of_move(position: Position, mv: Move) -> Self {
        Self { position, mv: Some(mv), found: Vec::new() }
    }

    /// About the best move of a position.
    #[must_use]
    pub const fn of_position(position: Position) -> Self {
        Self { position, mv: None, found: Vec::new() }
    }

    /// The search that is missing, or the explanation.
    #[must_use]
    pub fn next(&self) -> Step {
        match explain(&self.position, self.mv, &mut Asking::new(&self.found)) {
            Ok(explanation) => Step::Done(explanation),
            Err(Pause::Search(request)) => Step::Search(request),
            Err(Pause::Nothing) => Step::Done(Explanation::default()),
        }
    }

    /// Takes what the search found that was missing; `None` if it failed.
    pub fn answer(&mut self, found: Option<Found>) {
        self.found.push(found.filter(|found| !found.moves.is_empty()));
    }

    /// The explanation by the searches of an engine; without sentences if one of them fails.
    #[must_use]
    pub fn run(mut self, search: &mut dyn FnMut(&Request) -> Option<Found>) -> Explanation {
        loop {
            match self.next() {
                Step::Search(request) => self.answer(search(&request)),
                Step::Done(explanation) => return explanation,
            }
        }
    }
}

fn explain(
    position: &Position,
    mv: Option<Move>,
    asking: &mut Asking<'_>,
) -> Result<Explanation, Pause> {
    if !position.has_legal_move() {
        return Ok(Explanation { is_mistake: false, sentences: vec![over(position)] });
    }
    let subject = Subject::new(position, mv, asking)?;
    let is_mistake = subject.is_mistake();
    let sentences = match is_mistake {
        true => mistake::sentences(&subject, asking)?,
        false => good::sentences(&subject, asking)?,
    };
    Ok(Explanation { is_mistake, sentences })
}

/// What there is to say where no move is legal.
fn over(position: &Position) -> Sentence {
    let side = position.side_to_move();
    let line = Line { start: position.clone(), moves: Vec::new() };
    let (head, claim) = match position.in_check() {
        true => (format!("{side:?} is checkmated"), Claim::Mate { winner: !side, moves: 0 }),
        false => (
            format!("{side:?} has no legal move: a draw by stalemate"),
            Claim::Draw(DrawnBy::Stalemate),
        ),
    };
    sentence(Role::Move, &head, 0, Proof { claim, line })
}
