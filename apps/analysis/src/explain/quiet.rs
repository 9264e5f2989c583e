//! Whether the material of a position is stable: a search of captures and promotions.

use tamarin_movegen::{Color, Generate, Move, MoveList, PieceKind, Position};

/// What pieces are worth in pawns, by [`PieceKind`].
pub const VALUES: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// The deepest exchange that is followed, in plies.
const MAX_PLIES: u32 = 12;

/// More than any exchange wins.
const LIMIT: i32 = 200;

/// What a side can win by captures and promotions, in pawns, for either side to move: where it is
/// the other side's turn, that side passes. `None` where the side to move is in check, which
/// decides nothing.
pub fn gain_by_captures(position: &Position, side: Color) -> Option<i32> {
    if position.in_check() {
        return None;
    }
    let mut position = position.clone();
    if position.side_to_move() != side {
        position.make_null();
    }
    Some(search(&mut position, 0, LIMIT, MAX_PLIES))
}

/// What the side to move wins from here on, in pawns; it need not capture unless it is in check.
fn search(position: &mut Position, alpha: i32, beta: i32, plies: u32) -> i32 {
    let in_check = position.in_check();
    if plies == 0 {
        return 0;
    }
    let mut moves = MoveList::new();
    position.generate(if in_check { Generate::All } else { Generate::Noisy }, &mut moves);
    let mut best = match in_check {
        true => -LIMIT,
        false => 0,
    };
    let mut alpha = alpha.max(best);
    if alpha >= beta {
        return best;
    }
    let mut moves: Vec<(i32, Move)> =
        moves.into_iter().map(|mv| (gain(position, mv), mv)).collect();
    moves.sort_by_key(|(gain, mv)| (-gain, VALUES[position.moved_piece(*mv).kind() as usize]));
    for (gain, mv) in moves {
        position.make(mv);
        let value = gain - search(position, gain - beta, gain - alpha, plies - 1);
        position.unmake();
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// What a move captures and promotes to, in pawns.
fn gain(position: &Position, mv: Move) -> i32 {
    let captured = position.captured_by(mv).map_or(0, |kind| VALUES[kind as usize]);
    let promoted =
        mv.promotion().map_or(0, |kind| VALUES[kind as usize] - VALUES[PieceKind::Pawn as usize]);
    captured + promoted
}

#[cfg(test)]
mod tests {
    use super::gain_by_captures;
    use tamarin_movegen::{Color, Position};

    fn gain(fen: &str, side: Color) -> Option<i32> {
        gain_by_captures(&Position::from_fen(fen).unwrap(), side)
    }

    #[test]
    fn exchanges_are_played_out_for_either_side() {
        // A pawn that a knight defends, and one that nothing does.
        let defended = "4k3/8/5n2/3p4/8/8/3R4/4K3 w - - 0 1";
        let free = "4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1";
        assert_eq!(gain(defended, Color::White), Some(0));
        assert_eq!(gain(free, Color::White), Some(1));
        // It is White's turn: Black wins what it can take after a pass.
        assert_eq!(gain(free, Color::Black), Some(0));
        assert_eq!(gain("4k3/8/8/4p3/3R4/8/8/4K3 w - - 0 1", Color::Black), Some(5));
    }

    #[test]
    fn promotions_count_and_checks_decide_nothing() {
        assert_eq!(gain("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", Color::White), Some(8));
        assert_eq!(gain("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", Color::White), None);
    }
}
