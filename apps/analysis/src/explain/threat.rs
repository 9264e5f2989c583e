//! What a side would do if the other one passed: a null-move search.

use tamarin_movegen::Position;

use super::ask::{Asking, Pause};
use super::claim::Claim;
use super::line::Line;
use super::proof::{Proof, prove};
use super::sentence::{Role, Sentence, sentence};

/// What the side that is not to move threatens: a mate, or to win material. `None` in check, where
/// nobody can pass, at the end of the game, and if nothing is threatened.
pub fn threat(asking: &mut Asking<'_>, position: &Position) -> Result<Option<Proof>, Pause> {
    if position.in_check() || !position.has_legal_move() {
        return Ok(None);
    }
    let mut passed = position.clone();
    passed.make_null();
    let winner = passed.side_to_move();
    let Some(found) = asking.without(&passed, &[])? else { return Ok(None) };
    let line = Line { start: passed, moves: found.moves };
    prove(asking, line, winner, found.score)
}

pub fn threat_sentence(proof: &Proof) -> Option<Sentence> {
    let words = proof.claim.words()?;
    let winner = proof.line.start.side_to_move();
    let mv = proof.line.text(0, 1);
    let head = match proof.claim {
        Claim::Mate { moves: 1, .. } => format!("{winner:?}'s threat is {mv}, checkmate"),
        _ => format!("{winner:?}'s threat is {mv}, {}", words.winning),
    };
    Some(sentence(Role::Threat, &head, 1, proof.clone()))
}
