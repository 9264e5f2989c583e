//! What the moves of each ply are: captures, checks, mates and the like, as tables of perft have
//! them.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicUsize, Ordering};

use tamarin_movegen::{Board, Move, castling_targets};

use crate::run::{Control, Depth, on_threads};

/// What is counted, in the order of [`Row`].
///
/// Captures count those en passant, checks count mates. A check is discovered if its only checker has
/// not moved; a rook that castles has.
pub const COLUMNS: [&str; 9] = [
    "nodes",
    "captures",
    "en passant",
    "castles",
    "promotions",
    "checks",
    "discovered checks",
    "double checks",
    "mates",
];

/// The sequences of moves of one length, by the last move.
pub type Row = [u128; COLUMNS.len()];

/// A row for each depth from 1 to `depth`, counted by `threads` threads, every move played. The run
/// is incomplete if `control` says stop.
pub fn details(board: &Board, depth: Depth, threads: NonZeroUsize, control: &Control) -> Vec<Row> {
    let moves = board.legal_moves();
    let next = AtomicUsize::new(0);
    control.start(moves.len());
    let work = || {
        let mut rows = vec![Row::default(); depth.plies().into()];
        while let Some(&mv) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            add(board, mv, &mut rows, control);
            control.finish_task();
        }
        rows
    };
    let mut rows = vec![Row::default(); depth.plies().into()];
    for more in on_threads(threads.get(), work) {
        let pairs = rows.iter_mut().flatten().zip(more.into_iter().flatten());
        pairs.for_each(|(sum, more)| *sum += more);
    }
    rows
}

/// Counts a move, and those after it in the further rows.
fn add(board: &Board, mv: Move, rows: &mut [Row], control: &Control) {
    let Some((row, further)) = rows.split_first_mut() else { return };
    let after = board.play(mv);
    let checkers = after.checkers();
    let lands = if mv.is_castle() { castling_targets(mv.from(), mv.to()).1 } else { mv.to() };
    let replies = after.legal_moves();
    let what = [
        true,
        mv.is_capture(),
        mv.is_en_passant(),
        mv.is_castle(),
        mv.is_promotion(),
        checkers.any(),
        checkers.any() && !checkers.several() && !checkers.has(lands),
        checkers.several(),
        checkers.any() && replies.is_empty(),
    ];
    row.iter_mut().zip(what).for_each(|(count, is_one)| *count += u128::from(is_one));
    if further.is_empty() {
        control.add_nodes(1);
    } else if !control.is_stopped() {
        replies.iter().for_each(|&reply| add(&after, reply, further, control));
    }
}
