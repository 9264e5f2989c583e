//! A line of a search, as far as it proves something.

use tamarin_eval::Score;
use tamarin_movegen::{CastlingStyle, Color, Move, PieceKind, Position};

use super::ask::{Asking, Found, Pause};
use super::claim::{Claim, DrawnBy};
use super::line::{Gain, Line};

/// Material that is won later than this is no claim: by then the line is a guess.
const MAX_PLIES: usize = 12;

/// The same for a pawn, which is won and lost again more easily.
const MAX_PAWN_PLIES: usize = 6;

/// The longest mate that is explained, in plies.
const MAX_MATE_PLIES: usize = 200;

/// How often a line that ends too early is searched on.
const EXTENSIONS: usize = 2;

/// The same for a mate, whose line may be cut short in many places.
const MATE_EXTENSIONS: usize = 12;

/// A claim and the line that shows it.
#[derive(Clone, Debug)]
pub struct Proof {
    pub claim: Claim,
    pub line: Line,
}

/// What a line and its continuation by further searches win for a side: a mate or material.
/// `score` is that of the search for this side. `None` if the line shows neither.
pub fn prove(
    asking: &mut Asking<'_>,
    line: Line,
    winner: Color,
    score: Score,
) -> Result<Option<Proof>, Pause> {
    if let Some(proof) = mate_on_board(&line, winner) {
        return Ok(Some(proof));
    }
    if score.is_mate() && score.is_win() {
        return mate(asking, line, winner);
    }
    if score.is_mate() {
        return Ok(None);
    }
    material(asking, line, winner, score)
}

/// The proof; none if it wins material that the other side keeps at least half of when the answer
/// to the first move is searched again, or by its best other defense.
pub fn confirmed(asking: &mut Asking<'_>, proof: Option<Proof>) -> Result<Option<Proof>, Pause> {
    let Some(found) = proof else { return Ok(None) };
    let Claim::Material { winner, .. } = found.claim else { return Ok(Some(found)) };
    let line = &found.line;
    let after = line.position_after(1);
    if !after.has_legal_move() {
        return Ok(Some(found));
    }
    let again = asking.again(&after)?;
    if !wins_half(asking, &found, 1, again)? {
        return Ok(None);
    }
    let defense = if line.start.side_to_move() == winner { 1 } else { 2 };
    if let Some(&expected) = line.moves.get(defense)
        && let Some(other) = asking.without(&line.position_after(defense), &[expected])?
        && !wins_half(asking, &found, defense, other)?
    {
        return Ok(None);
    }
    Ok(Some(found))
}

/// Whether the winner of a proof wins at least half as much when its line goes on otherwise after
/// `plies` plies.
fn wins_half(
    asking: &mut Asking<'_>,
    proof: &Proof,
    plies: usize,
    other: Found,
) -> Result<bool, Pause> {
    let Some(winner) = proof.claim.winner() else { return Ok(false) };
    let Line { start, moves } = &proof.line;
    let mut line = Line { start: start.clone(), moves: moves[..plies].to_vec() };
    let is_winner = line.end().side_to_move() == winner;
    line.moves.extend(other.moves);
    let score = if is_winner { other.score } else { -other.score };
    let shown = prove(asking, line, winner, score)?;
    Ok(shown.is_some_and(|shown| 2 * shown.claim.pawns() >= proof.claim.pawns()))
}

/// The mate that ends the line, if one does.
fn mate_on_board(line: &Line, winner: Color) -> Option<Proof> {
    let end = line.end();
    let is_mate = end.side_to_move() != winner && end.in_check() && !end.has_legal_move();
    let first = line.start.side_to_move() == winner;
    let moves = (line.moves.len() + usize::from(first)) / 2;
    is_mate
        .then(|| Proof { claim: Claim::Mate { winner, moves: moves as u32 }, line: line.clone() })
}

/// Searches on until the mate stands on the board.
fn mate(asking: &mut Asking<'_>, line: Line, winner: Color) -> Result<Option<Proof>, Pause> {
    let mut longer = line;
    for _ in 0..MATE_EXTENSIONS {
        if longer.moves.len() > MAX_MATE_PLIES || !extend(asking, &mut longer)? {
            break;
        }
        if let Some(proof) = mate_on_board(&longer, winner) {
            return Ok(Some(proof));
        }
    }
    Ok(None)
}

/// Goes on with what a search finds at the end of the line; whether it found anything.
fn extend(asking: &mut Asking<'_>, line: &mut Line) -> Result<bool, Pause> {
    let found = asking.without(&line.end(), &[])?;
    line.moves.extend(found.iter().flat_map(|found| &found.moves));
    Ok(found.is_some())
}

/// Material that the line wins and keeps.
fn material(
    asking: &mut Asking<'_>,
    line: Line,
    winner: Color,
    score: Score,
) -> Result<Option<Proof>, Pause> {
    let mut longer = line;
    for extension in 0..=EXTENSIONS {
        longer.moves.truncate(MAX_PLIES);
        let gains = longer.gains(winner);
        if let Some((plies, _)) = lasting_gain(&gains).filter(|_| !needs_more(&gains)) {
            let claim = Claim::Material { winner, change: longer.change(plies) };
            longer.moves.truncate(plies);
            return Ok(Some(Proof { claim, line: longer }));
        }
        let is_promising = needs_more(&gains) || score.units() > 0;
        let can_go_on = extension < EXTENSIONS && longer.moves.len() < MAX_PLIES;
        if !is_promising || !can_go_on || !extend(asking, &mut longer)? {
            break;
        }
    }
    // The last position is in the middle of something; what was kept until then still counts.
    let gains = longer.gains(winner);
    let Some((plies, _)) = lasting_gain(&gains) else { return Ok(None) };
    let claim = Claim::Material { winner, change: longer.change(plies) };
    longer.moves.truncate(plies);
    Ok(Some(Proof { claim, line: longer }))
}

/// Whether the last position decides nothing because captures hang over it.
fn needs_more(gains: &[Gain]) -> bool {
    gains.last().is_some_and(|gain| !gain.is_stable())
}

/// What a line wins in pawns and does not lose again in a later position, if it is a pawn or more,
/// and after how many plies it is won for the first time.
pub fn lasting_gain(gains: &[Gain]) -> Option<(usize, i32)> {
    let mut least = match gains.last()? {
        // The other side is about to win something back, or is in check.
        Gain { pawns, loser_regains: Some(regains) } => pawns - regains,
        Gain { pawns, loser_regains: None } => *pawns,
    };
    let mut best: Option<(usize, i32)> = None;
    for (index, gain) in gains.iter().enumerate().rev() {
        if !gain.is_stable() {
            continue;
        }
        least = least.min(gain.pawns);
        if gain.pawns == least && best.is_none_or(|(_, pawns)| least >= pawns) {
            best = Some((index + 1, least));
        }
    }
    best.filter(|&(plies, pawns)| pawns > 1 || (pawns == 1 && plies <= MAX_PAWN_PLIES))
}

/// The draw that the line ends in, cut at its first one, if any.
pub fn drawn(line: &Line) -> Option<Proof> {
    // Without what was before: the line alone must show it.
    let mut position = Position::from_fen(&line.start.fen(CastlingStyle::Shredder)).ok()?;
    for (index, mv) in line.moves.iter().enumerate() {
        position.make(*mv);
        let plies = index + 1;
        let by = match () {
            () if position.is_insufficient_material() => DrawnBy::Material,
            () if position.is_repetition(plies + 1) => DrawnBy::Repetition,
            () if !position.in_check() && !position.has_legal_move() => DrawnBy::Stalemate,
            () => continue,
        };
        let moves: Vec<Move> = line.moves[..plies].to_vec();
        return Some(Proof {
            claim: Claim::Draw(by),
            line: Line { start: line.start.clone(), moves },
        });
    }
    None
}

/// What the line wins or loses for a side at its last stable position, in pawns.
pub fn balance(line: &Line, side: Color) -> i32 {
    let gains = line.gains(side);
    gains.iter().take(MAX_PLIES).rev().find(|gain| gain.is_stable()).map_or(0, |gain| gain.pawns)
}

/// How far a side is ahead in material, pawns and pieces counted 1, 3, 3, 5, 9.
pub fn material_lead(position: &Position, side: Color) -> i32 {
    let sum = |color| {
        let worth = |kind: PieceKind| {
            position.of(color, kind).len() as i32 * crate::explain::quiet::VALUES[kind as usize]
        };
        PieceKind::ALL.into_iter().map(worth).sum::<i32>()
    };
    sum(side) - sum(!side)
}

#[cfg(test)]
mod tests {
    use super::{drawn, lasting_gain, prove};
    use crate::explain::ask::{Asking, Found, Pause};
    use crate::explain::claim::{Claim, DrawnBy};
    use crate::explain::line::{Gain, Line};
    use tamarin_eval::Score;
    use tamarin_movegen::{Color, Position};

    const fn stable(pawns: i32) -> Gain {
        Gain { pawns, loser_regains: Some(0) }
    }

    const fn hanging(pawns: i32, regains: i32) -> Gain {
        Gain { pawns, loser_regains: Some(regains) }
    }

    fn line(fen: &str, moves: &[&str]) -> Line {
        let start = Position::from_fen(fen).unwrap();
        let mut position = start.clone();
        let mut made = Vec::new();
        for san in moves {
            let mv = position.parse_san(san).unwrap();
            position.make(mv);
            made.push(mv);
        }
        Line { start, moves: made }
    }

    #[test]
    fn a_gain_counts_if_it_lasts() {
        assert_eq!(lasting_gain(&[stable(0), stable(3), stable(3)]), Some((2, 3)));
        // What is won back later is not claimed.
        assert_eq!(lasting_gain(&[stable(3), stable(3), stable(0)]), None);
        assert_eq!(lasting_gain(&[stable(5), stable(5), stable(2), stable(2)]), Some((3, 2)));
        assert_eq!(lasting_gain(&[stable(3), hanging(3, 3)]), None);
        assert_eq!(lasting_gain(&[stable(3), hanging(8, 5)]), Some((1, 3)));
        assert_eq!(lasting_gain(&[]), None);
    }

    #[test]
    fn a_line_that_ends_in_an_exchange_is_searched_on() {
        let fen = "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1";
        let short = line(fen, &["Rxd6"]);
        let Err(Pause::Search(request)) =
            prove(&mut Asking::new(&[]), short.clone(), Color::White, Score::new(300))
        else {
            panic!("Black can take the rook")
        };
        let back = request.position.parse_san("cxd6").unwrap();
        let found = Some(Found { score: Score::new(400), moves: vec![back], result: None });
        let proof = prove(
            &mut Asking::new(std::slice::from_ref(&found)),
            short.clone(),
            Color::White,
            Score::new(-300),
        )
        .unwrap();
        assert!(proof.is_none(), "{proof:?}");
        let proof =
            prove(&mut Asking::new(&[found]), short, Color::Black, Score::new(300)).unwrap();
        let claim = proof.expect("a rook for a pawn").claim;
        assert_eq!(claim.words().unwrap().wins, "wins a rook for a pawn");
    }

    #[test]
    fn draws_end_the_line() {
        let twice =
            line("7k/8/8/8/3q4/8/8/1K6 b - - 0 1", &["Qd5", "Kb2", "Qe5+", "Kb1", "Qd5", "Kb2"]);
        let proof = drawn(&twice).expect("the position after Qd5 stands twice");
        assert_eq!((proof.claim, proof.line.moves.len()), (Claim::Draw(DrawnBy::Repetition), 5));
        let stale = line("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &["Qf7"]);
        assert_eq!(drawn(&stale).unwrap().claim, Claim::Draw(DrawnBy::Stalemate));
    }
}
