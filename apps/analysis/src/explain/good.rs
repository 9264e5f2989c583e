//! What a move does that is as good as the best one.

use super::answers::{answers, evaluation, only, threat, threat_sentence};
use super::ask::{Asking, GameResult, Pause};
use super::claim::Claim;
use super::line::Line;
use super::proof::{Proof, confirmed, drawn, material_lead, prove};
use super::sentence::{Role, Sentence, sentence};
use super::subject::{Subject, is_mate_loss};
use crate::analyse::centipawns;

/// A score below which the side is asked what it loses, in centipawns.
const WORSE: i32 = -100;

/// From this score on a pawn that is won counts, in centipawns.
const FELT: i32 = 30;

/// A score within this of zero may be a draw, in centipawns.
const LEVEL: i32 = 10;

/// What the move wins, or what it is worth; that it is the only one; why the obvious answers to it
/// fail; what both sides threaten.
pub fn sentences(subject: &Subject<'_>, asking: &mut Asking<'_>) -> Result<Vec<Sentence>, Pause> {
    let main = main(subject, asking)?;
    let proof = Proof { claim: main.claim, line: main.line.clone() };
    let mut sentences = vec![main];
    let is_over = proof.line.moves.len() == 1 && matches!(proof.claim, Claim::Mate { .. });
    if is_over {
        return Ok(sentences);
    }
    if subject.is_best() {
        sentences.extend(only(subject, asking)?);
    }
    if proof.claim.winner() == Some(subject.mover()) {
        sentences.extend(answers(asking, &proof, 1)?);
    }
    for position in [subject.position, &subject.after] {
        let shows_more = !matches!(proof.claim, Claim::Mate { .. });
        if shows_more && let Some(proof) = threat(asking, position)? {
            sentences.extend(threat_sentence(&proof));
        }
    }
    Ok(sentences)
}

fn main(subject: &Subject<'_>, asking: &mut Asking<'_>) -> Result<Sentence, Pause> {
    let mover = subject.mover();
    let mv = subject.named(subject.mv);
    let line = subject.own_line();
    let wins = prove(asking, line.clone(), mover, subject.own.score)?;
    let wins = confirmed(asking, wins)?;
    if let Some(proof) = wins.clone().filter(|proof| matches!(proof.claim, Claim::Mate { .. })) {
        let head = match (proof.line.moves.len(), proof.claim.words()) {
            (2.., Some(words)) => format!("{mv} {}", words.wins),
            _ => format!("{mv} is checkmate"),
        };
        return Ok(sentence(Role::Move, &head, 1, proof));
    }
    if let Some(sentence) = by_tablebase(subject, &mv) {
        return Ok(sentence);
    }
    // A pawn that the score does not show may be paid for otherwise, and a side that wins gives
    // material back.
    let is_felt = |proof: &Proof| {
        let least = if proof.claim.pawns() > 1 { WORSE } else { FELT };
        centipawns(subject.own.score) >= least
    };
    if let Some(proof) = wins.filter(is_felt) {
        return Ok(sentence(Role::Move, &gain(subject, &mv, &proof), 1, proof));
    }
    if let Some(sentence) = draw(&mv, &line, centipawns(subject.own.score)) {
        return Ok(sentence);
    }
    if centipawns(subject.own.score) <= WORSE
        && let proof = prove(asking, line.clone(), !mover, -subject.own.score)?
        && let Some(proof) = confirmed(asking, proof)?
        && let Some(words) = proof.claim.words()
    {
        let head = match is_mate_loss(subject.own.score) {
            true => format!("{mv} cannot prevent mate in {}", mate_moves(&proof)),
            false => format!("{mv} is the best move found, but {}", words.loses),
        };
        return Ok(sentence(Role::Move, &head, 1, proof));
    }
    let own = subject.score(subject.own.score);
    let head = match subject.is_best() {
        true => format!("{mv} is the best move found ({own})"),
        false => format!(
            "{mv} ({own}) is about as good as the best move found, {} ({})",
            subject.named(subject.best_move()),
            subject.score(subject.best.score)
        ),
    };
    let (before, after) = (subject.best.score, subject.own.score);
    let proof = evaluation(line, subject.for_white(before), subject.for_white(after));
    Ok(sentence(Role::Move, &head, 1, proof))
}

const fn mate_moves(proof: &Proof) -> u32 {
    match proof.claim {
        Claim::Mate { moves, .. } => moves,
        _ => 0,
    }
}

/// `wins a rook`, or `wins back a pawn` where the side was behind and still is not ahead.
fn gain(subject: &Subject<'_>, mv: &str, proof: &Proof) -> String {
    let mover = subject.mover();
    let Some(words) = proof.claim.words() else { return mv.to_owned() };
    let was_behind =
        material_lead(subject.position, mover) < 0 && material_lead(&proof.line.end(), mover) <= 0;
    match words.wins.strip_prefix("wins ") {
        Some(what) if was_behind => format!("{mv} wins back {what}"),
        _ => format!("{mv} {}", words.wins),
    }
}

/// What the tablebases say of the position, and still say after the move.
fn by_tablebase(subject: &Subject<'_>, mv: &str) -> Option<Sentence> {
    let (before, after) = (subject.best.result?, subject.own.result?);
    let head = match after {
        GameResult::Won => format!("{mv} keeps the win that the tablebases know"),
        GameResult::Drawn => format!("{mv} keeps the draw that the tablebases know"),
        GameResult::Lost => format!("{mv} cannot help: the tablebases know the position as lost"),
    };
    let mut line = subject.own_line();
    line.moves.truncate(1);
    let claim = Claim::Tablebase { side: subject.mover(), before, after };
    Some(sentence(Role::Move, &head, 1, Proof { claim, line }))
}

/// The draw that the line ends in, if its score is one.
fn draw(mv: &str, line: &Line, centipawns: i32) -> Option<Sentence> {
    let proof = drawn(line).filter(|_| centipawns.abs() <= LEVEL)?;
    let Claim::Draw(by) = proof.claim else { return None };
    Some(sentence(Role::Move, &format!("{mv} draws by {}", by.words()), 1, proof))
}
