//! What a bad move loses or misses.

use super::answers::{answers, evaluation, fits, is_due, only, threat, threat_sentence};
use super::ask::{Asking, GameResult, Pause};
use super::claim::Claim;
use super::proof::{Proof, balance, confirmed, drawn, prove};
use super::sentence::{Role, Sentence, sentence};
use super::subject::{Subject, is_mate_loss};
use crate::analyse::centipawns;

/// From this score on a draw is a loss, in centipawns.
const BETTER: i32 = 100;

/// What the move loses or misses; the better move, and whether it was the only one; why the obvious
/// answers fail; what the opponent threatened.
pub fn sentences(subject: &Subject<'_>, asking: &mut Asking<'_>) -> Result<Vec<Sentence>, Pause> {
    let opponent = !subject.mover();
    let loss = prove(asking, subject.own_line(), opponent, -subject.own.score)?;
    let loss = confirmed(asking, loss)?;
    let gain = prove(asking, subject.best_line(), subject.mover(), subject.best.score)?;
    let gain = confirmed(asking, gain)?;
    let main = main(subject, loss, gain.as_ref());
    let proof = Proof { claim: main.claim, line: main.line.clone() };
    let role = main.role;
    let mut sentences = vec![main];
    if role != Role::Misses {
        sentences.push(better(subject, asking, gain)?);
    }
    match proof.claim.winner() {
        Some(winner) if winner == opponent => sentences.extend(answers(asking, &proof, 2)?),
        Some(_) => sentences.extend(answers(asking, &proof, 1)?),
        None => {}
    }
    if let Some(proof) = threat(asking, subject.position)? {
        sentences.extend(threat_sentence(&proof));
    }
    Ok(sentences)
}

/// The strongest claim there is a proof for.
fn main(subject: &Subject<'_>, loss: Option<Proof>, gain: Option<&Proof>) -> Sentence {
    let mv = subject.named(subject.mv);
    let (drop, left) = (subject.drop(), centipawns(subject.own.score));
    let loss = loss.filter(|proof| is_due(subject, proof, drop, left));
    if let Some(sentence) = by_tablebase(subject, &mv) {
        return sentence;
    }
    if let Some(proof) = loss
        && let Some(words) = proof.claim.words()
    {
        let head = match is_mate_loss(subject.best.score) {
            true => format!("{mv} makes it worse: it {}", words.loses),
            false => format!("{mv} {}", words.loses),
        };
        return sentence(Role::Move, &head, 1, proof);
    }
    if let Some(sentence) = missed(subject, &mv, gain) {
        return sentence;
    }
    let before = centipawns(subject.best.score);
    if let Some(proof) = drawn(&subject.own_line()).filter(|_| before >= BETTER)
        && let Claim::Draw(by) = proof.claim
    {
        return sentence(Role::Move, &format!("{mv} allows a draw by {}", by.words()), 1, proof);
    }
    let (best, own) = (subject.best.score, subject.own.score);
    let head =
        format!("{mv} takes the score from {} to {}", subject.score(best), subject.score(own));
    let proof = evaluation(subject.own_line(), subject.for_white(best), subject.for_white(own));
    sentence(Role::Move, &head, 1, proof)
}

/// The result that the tablebases say was given away.
fn by_tablebase(subject: &Subject<'_>, mv: &str) -> Option<Sentence> {
    let (before, after) = (subject.best.result?, subject.own.result?);
    let head = match (before, after) {
        (GameResult::Won, GameResult::Drawn) => format!("{mv} throws away a won position: a draw"),
        (GameResult::Won, GameResult::Lost) => format!("{mv} turns a won position into a lost one"),
        (GameResult::Drawn, GameResult::Lost) => format!("{mv} loses a drawn position"),
        _ => return None,
    };
    let mut line = subject.own_line();
    // The best answer keeps the result.
    line.moves.truncate(2);
    let claim = Claim::Tablebase { side: subject.mover(), before, after };
    Some(sentence(Role::Move, &head, 1, Proof { claim, line }))
}

/// What the best move wins and the move does not.
fn missed(subject: &Subject<'_>, mv: &str, gain: Option<&Proof>) -> Option<Sentence> {
    let proof = gain?;
    let words = proof.claim.words()?;
    let more = proof.claim.pawns() - balance(&subject.own_line(), subject.mover());
    let is_missed = match proof.claim {
        Claim::Mate { .. } => !subject.own.score.is_win(),
        _ => more >= 1 && fits(more, subject.drop(), centipawns(subject.own.score)),
    };
    let best = subject.named(subject.best_move());
    let head = format!("{mv} misses {best}, {}", words.winning);
    is_missed.then(|| sentence(Role::Misses, &head, 1, proof.clone()))
}

/// The best move, and whether it was the only one.
fn better(
    subject: &Subject<'_>,
    asking: &mut Asking<'_>,
    gain: Option<Proof>,
) -> Result<Sentence, Pause> {
    let best = subject.named(subject.best_move());
    let only = only(subject, asking)?;
    let is_only = only.is_some();
    if let Some(sentence) = only.filter(|only| only.line.moves.first() != Some(&subject.mv)) {
        return Ok(sentence);
    }
    let name = if is_only { "The only good move was" } else { "Better was" };
    let score = subject.score(subject.best.score);
    let gain = gain.and_then(|proof| Some((proof.claim.words()?, proof)));
    Ok(match gain {
        Some((words, proof)) => {
            let head = format!("{name} {best}, {}", words.winning);
            sentence(Role::Better, &head, 1, proof)
        }
        None => {
            let (before, after) = (subject.best.score, subject.own.score);
            let proof = evaluation(
                subject.best_line(),
                subject.for_white(before),
                subject.for_white(after),
            );
            sentence(Role::Better, &format!("{name} {best} ({score})"), 1, proof)
        }
    })
}
