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

use tamarin_movegen::{Board, Color, PerColor};

use super::architecture::Orientation;
use super::block::Block;
use super::kernels;
use super::parameters::Network;
use super::placement::{Changes, Placement};
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
    /// Where an entry goes whose place the next one takes.
    previous: Entry,
    /// `[perspective][mirrored]`.
    refresh: PerColor<[Refresh; 2]>,
    /// Room for what leads from one placement to another.
    changes: Changes,
}

/// A move changes this many squares at most: castling does.
const SQUARES_OF_A_MOVE: u32 = 4;

impl AccumulatorStack {
    /// No position has been evaluated: all accumulators are those of the empty board.
    pub(crate) fn new(network: Arc<Network>) -> Self {
        let placement = Placement::default();
        let values: Box<[Block]> = network.feature_biases().into();
        let accumulator = Accumulator { mirrored: false, values: values.clone() };
        let previous =
            Entry { placement, perspectives: PerColor([accumulator.clone(), accumulator]) };
        let refresh = Refresh { placement, values };
        let halves = [refresh.clone(), refresh];
        Self {
            network,
            entries: vec![previous.clone(); MAX_PLY + 1].into(),
            previous,
            refresh: PerColor([halves.clone(), halves]),
            changes: Changes::default(),
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
        let (source, distance) = self.nearest(&placement, ply);
        let entry = if distance == 0 {
            &self.entries[source]
        } else {
            self.make_entry(ply, source, board, placement);
            &self.entries[ply]
        };
        let us = board.side_to_move();
        let values = |color| &*entry.perspectives[color].values;
        self.network.propagate(values(us), values(!us), board.occupied().len() as usize)
    }

    /// The ply of the entry with the least to change, and on how many squares it is different:
    /// among those of the plies before and the last one of this ply.
    #[inline]
    fn nearest(&self, placement: &Placement, ply: usize) -> (usize, u32) {
        let mut best = (ply, u32::MAX);
        for back in [1, 0, 2, 3] {
            let Some(index) = ply.checked_sub(back) else { continue };
            let distance = self.entries[index].placement.distance(placement);
            if distance < best.1 {
                best = (index, distance);
            }
            if distance <= SQUARES_OF_A_MOVE {
                break;
            }
        }
        best
    }

    /// Makes the entry of `ply` out of that of the ply `source`, which may be the same.
    fn make_entry(&mut self, ply: usize, source: usize, board: &Board, placement: Placement) {
        let Self { network, entries, previous, refresh, changes } = self;
        let (source, target) = match entries.get_disjoint_mut([source, ply]) {
            Ok([source, target]) => (&*source, target),
            Err(_) => {
                core::mem::swap(&mut entries[ply], previous);
                (&*previous, &mut entries[ply])
            }
        };
        placement.changes_from(&source.placement, changes);
        target.placement = placement;
        for color in Color::ALL {
            let orientation = Orientation::new(color, board.king(color));
            let (from, to) = (&source.perspectives[color], &mut target.perspectives[color]);
            to.mirrored = orientation.is_mirrored();
            if from.mirrored == to.mirrored {
                update(network, orientation, changes, &from.values, &mut to.values);
            } else {
                let kept = &mut refresh[color][usize::from(to.mirrored)];
                kept.change_to(placement, orientation, network);
                to.values.copy_from_slice(&kept.values);
            }
        }
    }
}

impl Refresh {
    /// Makes it the accumulator of another placement.
    #[cold]
    fn change_to(&mut self, placement: Placement, orientation: Orientation, network: &Network) {
        let mut changes = Changes::default();
        placement.changes_from(&self.placement, &mut changes);
        self.placement = placement;
        update_in_place(network, orientation, &changes, &mut self.values);
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
    let row = |piece: u16| network.feature_row(orientation.turn(piece.into()));
    // A quiet move, a capture, and the ways between two siblings.
    match (&*changes.removed, &*changes.added) {
        (&[a], &[x]) => kernels::update(target, source, [row(a)], [row(x)]),
        (&[a, b], &[x]) => kernels::update(target, source, [row(a), row(b)], [row(x)]),
        (&[a, b], &[x, y]) => kernels::update(target, source, [row(a), row(b)], [row(x), row(y)]),
        _ => {
            target.copy_from_slice(source);
            update_in_place(network, orientation, changes, target);
        }
    }
}

/// Applies any number of changes.
fn update_in_place(
    network: &Network,
    orientation: Orientation,
    changes: &Changes,
    values: &mut [Block],
) {
    let row = |piece: u16| network.feature_row(orientation.turn(piece.into()));
    changes.removed.iter().for_each(|&piece| kernels::subtract_row(values, row(piece)));
    changes.added.iter().for_each(|&piece| kernels::add_row(values, row(piece)));
}
