//! Keeps weakened play from leaving a piece en prise.

use tamarin_movegen::{Generate, Move, MoveList, PieceKind, Position, SEE_VALUES, Square};

/// Those of the moves that lose no piece to a single capture. Where every move loses something,
/// those that lose the least.
///
/// If all of these allow mate in one, every move is kept: the piece is then the lesser evil.
pub(super) fn guarded_moves(position: &Position, moves: &[Move]) -> Vec<Move> {
    let mut position = position.clone();
    let losses: Vec<i32> = moves.iter().map(|&mv| loss(&mut position, mv)).collect();
    let least = losses.iter().copied().min().unwrap_or(0);
    let kept = moves.iter().zip(&losses).filter(|&(_, &loss)| loss <= least).map(|(&mv, _)| mv);
    let kept: Vec<Move> = kept.collect();
    if kept.iter().any(|&mv| !allows_mate_in_one(&mut position, mv)) { kept } else { moves.into() }
}

/// What a move loses to the best capture of a piece after it, in centipawns, what the move itself
/// takes subtracted; 0 if nothing. Pawns are no pieces.
fn loss(position: &mut Position, mv: Move) -> i32 {
    let gain = gain(position, mv);
    position.make(mv);
    let mut captures = MoveList::new();
    position.generate(Generate::Noisy, &mut captures);
    let mut loss = 0;
    for &capture in &captures {
        if position.captured_by(capture).is_some_and(|kind| kind != PieceKind::Pawn) {
            loss = loss.max(exchange(position, capture) - gain);
        }
    }
    position.unmake();
    loss
}

/// What a move takes, and gains by promoting, in centipawns.
fn gain(position: &Position, mv: Move) -> i32 {
    let value = |kind: PieceKind| SEE_VALUES[kind.index()];
    let promoted = mv.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
    position.captured_by(mv).map_or(0, value) + promoted
}

/// The balance of the exchange that a legal capture begins, by legal moves: each side goes on
/// with its least valuable piece, or stops if that is better for it.
///
/// Unlike [`Position::see_at_least`] it is exact about pins and discovered checks.
fn exchange(position: &mut Position, capture: Move) -> i32 {
    let gain = gain(position, capture);
    position.make(capture);
    let answer = least_valuable_capture(position, capture.to());
    let lost = answer.map_or(0, |answer| exchange(position, answer).max(0));
    position.unmake();
    gain - lost
}

/// The legal capture on a square by the least valuable piece.
fn least_valuable_capture(position: &Position, target: Square) -> Option<Move> {
    let mut captures = MoveList::new();
    position.generate(Generate::Noisy, &mut captures);
    let on_target = captures.iter().copied().filter(|mv| mv.is_capture() && mv.to() == target);
    on_target.min_by_key(|&mv| {
        // Of the promotions the most valuable.
        let promoted = mv.promotion().map_or(0, |kind| SEE_VALUES[kind.index()]);
        (position.moved_piece(mv).kind(), -promoted)
    })
}

/// Whether the opponent can mate at once after a move.
fn allows_mate_in_one(position: &mut Position, mv: Move) -> bool {
    position.make(mv);
    let mates = position.legal_moves().iter().any(|&answer| {
        position.gives_check(answer) && {
            position.make(answer);
            let mated = !position.has_legal_move();
            position.unmake();
            mated
        }
    });
    position.unmake();
    mates
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves kept, in SAN and in the order of the alphabet.
    fn kept(fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let moves = guarded_moves(&position, &position.legal_moves());
        let mut names: Vec<_> = moves.iter().map(|&mv| position.san(mv).to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_lesser_of_two_losses_is_kept() {
        // A pawn attacks both knights: one is lost, but against a pawn if it is defended.
        let moves = kept("6k1/8/8/8/3p4/2N1N3/8/4K3 w - - 0 1");
        assert_eq!(moves, ["Kd2", "Ncd1", "Ncd5", "Ned1", "Ned5"]);
    }

    #[test]
    fn a_piece_is_given_where_all_else_is_mate() {
        // Nd4 alone saves the knight, and allows Rc1.
        let position = Position::from_fen("2r2rk1/8/b7/8/7p/8/4N1PP/6K1 w - - 0 1").unwrap();
        let legal = position.legal_moves();
        assert_eq!(guarded_moves(&position, &legal).len(), legal.len());
        assert!(legal.len() > 5);
        // With air for the king it is no mate.
        assert_eq!(kept("2r2rk1/8/b7/8/7p/7P/4N1P1/6K1 w - - 0 1"), ["Nd4"]);
    }
}
