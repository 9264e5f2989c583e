//! Why other moves fail: answers to a strong move, and moves instead of the only one; and what a
//! side would do if the other one passed.

use tamarin_game::variation;
use tamarin_movegen::{Color, Move, Position};

use super::ask::{Asking, Pause};
use super::claim::Claim;
use super::line::Line;
use super::proof::{Proof, balance, prove};
use super::sentence::{Role, Sentence, sentence};
use super::subject::Subject;
use crate::analyse::centipawns;

/// So many answers are refuted.
const MAX_ANSWERS: usize = 2;

/// Without the only move at least so much is lost, in centipawns.
const ONLY_MOVE: i32 = 150;

/// With this much more than one move wins, in centipawns.
const WINNING: i32 = 500;

/// The plies of a line that shows nothing but a score.
const SCORE_PLIES: usize = 12;

/// Why the best two other answers to the first `plies` moves of a proof fail.
pub fn answers(
    asking: &mut Asking<'_>,
    proof: &Proof,
    plies: usize,
) -> Result<Vec<Sentence>, Pause> {
    let (Some(&expected), Some(winner)) = (proof.line.moves.get(plies), proof.claim.winner())
    else {
        return Ok(Vec::new());
    };
    let position = proof.line.position_after(plies);
    let mut excluded = vec![expected];
    let mut sentences = Vec::new();
    for _ in 0..MAX_ANSWERS {
        let Some(found) = asking.without(&position, &excluded)? else { break };
        let answer = found.moves[0];
        excluded.push(answer);
        let mut line =
            Line { start: proof.line.start.clone(), moves: proof.line.moves[..plies].to_vec() };
        line.moves.extend(found.moves);
        if let Some(proof) = prove(asking, line, winner, -found.score)? {
            sentences.extend(answer_sentence(&position, answer, plies, proof));
        }
    }
    Ok(sentences)
}

fn answer_sentence(
    position: &Position,
    answer: Move,
    plies: usize,
    proof: Proof,
) -> Option<Sentence> {
    let named = variation::numbered(position, &[answer], 1);
    let head = match proof.claim {
        // The moves to mate of the claim count from the beginning of the line.
        Claim::Mate { .. } => format!("{named} ends in mate"),
        // Nor is what was taken before the answer lost by it.
        Claim::Material { winner, .. } => {
            let change = proof.line.change_from(plies);
            match change.net(winner) {
                ..1 => format!("{named} does not win it back"),
                _ => format!("{named} {}", Claim::Material { winner, change }.words()?.loses),
            }
        }
        _ => format!("{named} {}", proof.claim.words()?.loses),
    };
    Some(sentence(Role::Answer, &head, plies + 1, proof))
}

/// That the best move was the only one, if it was.
pub fn only(subject: &Subject<'_>, asking: &mut Asking<'_>) -> Result<Option<Sentence>, Pause> {
    let best = subject.named(subject.best_move());
    let Some(next) = subject.next.clone() else {
        let moves = vec![subject.best_move()];
        let line = Line { start: subject.position.clone(), moves };
        let proof = Proof { claim: Claim::OnlyLegalMove, line };
        return Ok(Some(sentence(Role::Only, &format!("{best} is the only legal move"), 1, proof)));
    };
    let (own, other) = (centipawns(subject.best.score), centipawns(next.score));
    if own - other < ONLY_MOVE || other >= WINNING {
        return Ok(None);
    }
    let named = subject.named(next.moves[0]);
    let line = Line { start: subject.position.clone(), moves: next.moves };
    let opponent = !subject.mover();
    let proof = prove(asking, line.clone(), opponent, -next.score)?;
    let proof = proof.filter(|proof| is_due(subject, proof, own - other, other));
    let head = match proof.as_ref().and_then(|proof| proof.claim.words()) {
        Some(words) => {
            format!("{best} is the only good move; the next best, {named}, {}", words.loses)
        }
        None => format!(
            "{best} is the only good move ({}); the next best is {named} ({})",
            subject.score(subject.best.score),
            subject.score(next.score)
        ),
    };
    let by_score = || {
        let before = subject.for_white(subject.best.score);
        evaluation(line, before, subject.for_white(next.score))
    };
    Ok(Some(sentence(Role::Only, &head, 1, proof.unwrap_or_else(by_score))))
}

/// The weakest claim: two scores.
pub fn evaluation(
    mut line: Line,
    before: tamarin_eval::Score,
    after: tamarin_eval::Score,
) -> Proof {
    line.moves.truncate(SCORE_PLIES);
    Proof { claim: Claim::Evaluation { before, after }, line }
}

/// Returns `true` if what the opponent wins by a move is due to the move: the best line does not
/// lose it as well, and the score of `left` centipawns fell by `drop` with it.
pub fn is_due(subject: &Subject<'_>, proof: &Proof, drop: i32, left: i32) -> bool {
    let opponent: Color = !subject.mover();
    if matches!(proof.claim, Claim::Mate { .. }) {
        return true;
    }
    let more = proof.claim.pawns() - balance(&subject.best_line(), opponent);
    more >= 1 && fits(more, drop, left)
}

/// Returns `true` if a score fell by as much as the loss of `pawns` explains, or is lost anyway.
pub fn fits(pawns: i32, drop: i32, left: i32) -> bool {
    /// A part of what a pawn is worth, in centipawns: some of it is paid back by the position.
    const PART: i32 = 45;
    drop >= PART * pawns || left <= -WINNING
}

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

#[cfg(test)]
mod tests {
    use tamarin_movegen::{Color, Position};

    use super::answer_sentence;
    use crate::explain::claim::Claim;
    use crate::explain::line::Line;
    use crate::explain::proof::Proof;

    /// What is said of the second of these moves.
    fn said(fen: &str, moves: &[&str]) -> String {
        let start = Position::from_fen(fen).unwrap();
        let mut position = start.clone();
        let mut line = Line { start, moves: Vec::new() };
        for text in moves {
            let mv = position.parse_san(text).unwrap();
            position.make(mv);
            line.moves.push(mv);
        }
        let change = line.change(line.moves.len());
        let (before, answer) = (line.position_after(1), line.moves[1]);
        let proof = Proof { claim: Claim::Material { winner: Color::White, change }, line };
        answer_sentence(&before, answer, 1, proof).unwrap().text
    }

    #[test]
    fn an_answer_loses_only_what_is_taken_after_it() {
        let text = said("4k3/8/8/3p3b/8/8/8/3RK3 w - - 0 1", &["Rxd5", "Ke7"]);
        assert!(text.starts_with("1... Ke7 does not win it back"), "{text}");
        let text = said("4k3/8/8/3p3b/8/8/8/3RK3 w - - 0 1", &["Rxd5", "Ke7", "Rxh5"]);
        assert!(text.starts_with("1... Ke7 loses a bishop"), "{text}");
    }
}
