//! The accumulators of one thread, and how those of a position come from those of another.
//!
//! Moves are not followed. An accumulator is kept with the placement of the pieces it belongs to;
//! when a position is evaluated, the pieces on which its placement differs from a kept one are
//! taken out and put in. A stack keeps the accumulators evaluated last at each ply: those of the
//! parent are one move away, those of a sibling two. Where the own king has crossed the middle,
//! the board is mirrored for its perspective and nothing on the stack fits: a refresh table keeps
//! the accumulator that each perspective and half of the board had last
//! (source: the "Finny tables" of Koivisto).

use std::sync::Arc;

use arrayvec::ArrayVec;
use tamarin_movegen::{Board, Color, PerColor};

use super::architecture::Orientation;
use super::block::Block;
use super::kernels;
use super::parameters::Network;
use super::placement::{Changes, Pieces, Placement};
use crate::score::MAX_PLY;

/// A placement and what the feature transformer makes of it for one perspective.
#[derive(Clone)]
struct Accumulator {
    /// Is the board mirrored?
    mirrored: bool,
    values: Box<[Block]>,
}

/// The accumulators of both perspectives.
#[derive(Clone)]
struct Entry {
    placement: Placement,
    perspectives: PerColor<Accumulator>,
}

/// The accumulator of a perspective that was refreshed last on one half of the board.
#[derive(Clone)]
struct Refresh {
    placement: Placement,
    values: Box<[Block]>,
}

/// What a thread keeps to evaluate by a network.
pub(crate) struct AccumulatorStack {
    network: Arc<Network>,
    /// `[ply]`.
    entries: Box<[Entry]>,
    /// The next entry is made here, then changes places with the one of its ply.
    next: Entry,
    /// `[perspective][mirrored]`.
    refresh: PerColor<[Refresh; 2]>,
}

/// A move changes this many squares at most: castling does.
const SQUARES_OF_A_MOVE: u32 = 4;

impl AccumulatorStack {
    /// No position has been evaluated: all accumulators are those of the empty board.
    pub(crate) fn new(network: Arc<Network>) -> Self {
        let placement = Placement::default();
        let values: Box<[Block]> = network.feature_biases().into();
        let accumulator = Accumulator { mirrored: false, values: values.clone() };
        let perspectives = PerColor([accumulator.clone(), accumulator]);
        let next = Entry { placement, perspectives };
        let refresh = Refresh { placement, values };
        let halves = [refresh.clone(), refresh];
        Self {
            network,
            entries: vec![next.clone(); MAX_PLY + 1].into(),
            next,
            refresh: PerColor([halves.clone(), halves]),
        }
    }

    /// The network it is for.
    pub(crate) const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// What the network makes of a board, in engine units for the side to move. `ply` is where
    /// the board is in the search; only the speed depends on it.
    pub(crate) fn evaluate(&mut self, board: &Board, ply: usize) -> i32 {
        let ply = ply.min(MAX_PLY);
        let placement = Placement::from(board);
        let source = self.nearest(&placement, ply);
        let entry = if self.entries[source].placement == placement {
            &self.entries[source]
        } else {
            self.make_next(source, board, placement);
            core::mem::swap(&mut self.entries[ply], &mut self.next);
            &self.entries[ply]
        };
        let us = board.side_to_move();
        let values = |color| &*entry.perspectives[color].values;
        self.network.propagate(values(us), values(!us), board.occupied().len() as usize)
    }

    /// The entry with the least to change, among those of the plies before, and the last one of
    /// this ply.
    #[inline]
    fn nearest(&self, placement: &Placement, ply: usize) -> usize {
        let mut best = (u32::MAX, ply);
        for back in [1, 0, 2, 3] {
            let Some(index) = ply.checked_sub(back) else { continue };
            let distance = self.entries[index].placement.distance(placement);
            best = best.min((distance, index));
            if distance <= SQUARES_OF_A_MOVE {
                break;
            }
        }
        best.1
    }

    /// Makes the next entry out of that of the ply `source`.
    fn make_next(&mut self, source: usize, board: &Board, placement: Placement) {
        let source = &self.entries[source];
        let changes = placement.changes_from(&source.placement);
        self.next.placement = placement;
        for color in Color::ALL {
            let orientation = Orientation::new(color, board.king(color));
            let (from, to) = (&source.perspectives[color], &mut self.next.perspectives[color]);
            to.mirrored = orientation.is_mirrored();
            if from.mirrored == to.mirrored {
                update(&self.network, orientation, &changes, &from.values, &mut to.values);
            } else {
                let kept = &mut self.refresh[color][usize::from(to.mirrored)];
                let changes = placement.changes_from(&kept.placement);
                update(&self.network, orientation, &changes, &kept.values, &mut to.values);
                kept.placement = placement;
                kept.values.copy_from_slice(&to.values);
            }
        }
    }
}

/// Applies changes of the placement to the accumulator of one perspective.
fn update(
    network: &Network,
    orientation: Orientation,
    changes: &Changes,
    source: &[Block],
    target: &mut [Block],
) {
    let rows = |pieces: &Pieces| -> ArrayVec<&[Block], 32> {
        pieces.iter().map(|piece| network.feature_row(piece.feature(orientation))).collect()
    };
    kernels::update(target, source, &rows(&changes.removed), &rows(&changes.added));
}
