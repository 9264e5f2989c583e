//! Sentences with their proofs.

use serde_json::{Value, json};
use tamarin_movegen::CastlingNotation;

use super::claim::Claim;
use super::line::Line;
use super::proof::Proof;

/// The longest sentence, in characters.
pub const MAX_LENGTH: usize = 200;

/// The most plies of a line that a sentence names.
pub const MAX_PLIES: usize = 6;

/// What a sentence is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// What the move wins or loses, or what it is worth. Its line begins with the move.
    Move,
    /// What the move misses. Its line begins with the better move.
    Misses,
    /// The best move instead. Its line begins with it.
    Better,
    /// A move was the only one; its line begins with the next best move, if one is legal.
    Only,
    /// Why an obvious answer fails. Its line begins with the move.
    Answer,
    /// What a side threatens. Its line begins after the other side has passed.
    Threat,
}

impl Role {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Misses => "misses",
            Self::Better => "better",
            Self::Only => "only",
            Self::Answer => "answer",
            Self::Threat => "threat",
        }
    }
}

/// A sentence, what it claims, and the line that shows it.
#[derive(Clone, Debug)]
pub struct Sentence {
    pub role: Role,
    /// At most [`MAX_LENGTH`] characters, with at most [`MAX_PLIES`] plies of the line.
    pub text: String,
    pub claim: Claim,
    pub line: Line,
    /// The last ply of the line that the sentence names.
    plies: usize,
}

impl Sentence {
    /// The whole line with move numbers, if the sentence does not name all of it.
    pub fn whole_line(&self) -> Option<String> {
        let is_cut = self.line.moves.len() > self.plies;
        is_cut.then(|| self.line.text(0, usize::MAX))
    }

    /// The sentence for programs: `role`, `text`, `claim` and `line`.
    pub fn to_json(&self, notation: CastlingNotation) -> Value {
        json!({
            "role": self.role.name(),
            "text": self.text,
            "claim": self.claim.to_json(),
            "line": self.line.to_json(notation),
        })
    }
}

/// A sentence that says `head` and then the line from its ply `named` on; the plies of the line
/// before are in the head already, or are known to the reader.
pub fn sentence(role: Role, head: &str, named: usize, proof: Proof) -> Sentence {
    let Proof { claim, line } = proof;
    // In the head stand at most two plies of the line.
    let mut shown = MAX_PLIES - named.min(2);
    loop {
        let moves = line.text(named, shown);
        let is_cut = line.moves.len() > named + shown;
        let text = match (moves.is_empty(), is_cut) {
            (true, _) => format!("{head}."),
            (false, false) => format!("{head}: {moves}."),
            (false, true) => format!("{head}: {moves} ..."),
        };
        if text.chars().count() <= MAX_LENGTH || shown == 0 {
            let plies = (named + shown).min(line.moves.len());
            return Sentence { role, text, claim, line, plies };
        }
        shown -= 1;
    }
}
