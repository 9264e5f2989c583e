//! Counting leaf nodes.

use crate::board::Move;
use crate::position::Position;

/// How many sequences of `depth` legal moves there are.
///
/// Source: <https://www.chessprogramming.org/Perft>
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    let mut lists = vec![Vec::new(); depth as usize];
    count(position, &mut lists)
}

/// The legal moves with the count behind each.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    moves
        .into_iter()
        .map(|m| {
            position.make(m);
            let nodes = perft(position, depth.saturating_sub(1));
            position.unmake();
            (m, nodes)
        })
        .collect()
}

/// One list of moves for each ply that is left.
fn count(position: &mut Position, lists: &mut [Vec<Move>]) -> u64 {
    match lists {
        [] => 1,
        [_] => position.count_legal_moves(),
        [moves, rest @ ..] => {
            position.legal_moves_into(moves);
            let mut nodes = 0;
            for &m in &*moves {
                position.make(m);
                nodes += count(position, rest);
                position.unmake();
            }
            nodes
        }
    }
}
