//! The accumulators of one thread, and how those of a position come from those of another.
//!
//! Moves are not followed. An accumulator is kept with the placement of the pieces it belongs to;
//! when a position is evaluated, the pieces on which its placement differs from a kept one are
//! taken out and put in. A stack keeps the accumulators evaluated last at each ply: those of the
//! parent are one move away, those of a sibling two. Where the own king has crossed the middle,
//! the board is mirrored for its perspective and nothing on the stack fits; nor does it where the
//! own king has another king bucket. A refresh table keeps the accumulator that each perspective had
//! last in each of these views (source: the "Finny tables" of Koivisto).

use core::ops::Range;
use std::sync::Arc;

use tamarin_base::types::MAX_PLY;
use tamarin_movegen::{Board, Color, PerColor};

use super::architecture::{KING_BUCKETS, Orientation};
use super::kernels;
use super::kernels::Block;
use super::parameters::{FeatureRows, Network};
use super::placement::{Changes, Placement};

/// The accumulators of both perspectives for one placement.
#[derive(Clone, Copy, Default)]
struct Entry {
    placement: Placement,
    /// [`view`] of the perspective.
    view: PerColor<u8>,
    /// Where its accumulators begin in [`AccumulatorStack::values`].
    start: usize,
}

impl Entry {
    /// Where its accumulators of `row` blocks each lie in [`AccumulatorStack::values`].
    #[inline]
    const fn accumulators(&self, row: usize) -> Range<usize> {
        self.start..self.start + 2 * row
    }
}

/// The accumulators that a thread keeps to evaluate by a network.
pub struct AccumulatorStack {
    network: Arc<Network>,
    /// `[ply]`, and at [`REPLACED`] the entry just replaced: the source when a ply's entry is
    /// updated from its own last one.
    entries: Vec<Entry>,
    /// The accumulators of the entries, White's and then Black's.
    values: Vec<Block>,
    /// `[perspective][view]`: the placement that a perspective was refreshed for last in each view.
    refreshed: PerColor<[Placement; MAX_VIEWS]>,
    /// `[perspective][view][neuron]`: the accumulators of these placements.
    refreshed_values: Vec<Block>,
    /// Scratch list of the pieces to remove and add.
    changes: Changes,
}

/// Views of a perspective, at most: its king buckets, each mirrored or not.
const MAX_VIEWS: usize = 2 * KING_BUCKETS[KING_BUCKETS.len() - 1];

/// Which weights a perspective uses, and whether the board is mirrored for it.
const fn view(king_bucket: usize, mirrored: bool) -> u8 {
    (2 * king_bucket) as u8 + mirrored as u8
}

/// A move changes this many squares at most: castling does.
const SQUARES_OF_A_MOVE: u32 = 4;

/// The index of the entry just replaced, after those of all plies.
const REPLACED: usize = MAX_PLY + 1;

const ENTRIES: usize = REPLACED + 1;

impl AccumulatorStack {
    /// No position has been evaluated: all accumulators are those of the empty board. `None` if
    /// there is no memory for them: 0.26 MB at a width of 256, 1.04 MB at 1024, without king buckets.
    pub fn new(network: Arc<Network>) -> Option<Self> {
        let row = network.feature_biases().len();
        let views = 2 * network.king_buckets();
        let mut stack = Self {
            network,
            entries: reserve(ENTRIES)?,
            values: reserve(2 * ENTRIES * row)?,
            refreshed: PerColor::default(),
            refreshed_values: reserve(2 * views * row)?,
            changes: Changes::default(),
        };
        stack.clear();
        Some(stack)
    }

    /// Forgets all positions. Takes no memory.
    pub(crate) fn clear(&mut self) {
        let row = self.network.feature_biases();
        self.entries.clear();
        self.entries.extend((0..ENTRIES).map(|index| {
            let start = index * 2 * row.len();
            Entry { start, ..Entry::default() }
        }));
        self.refreshed = PerColor::default();
        let refreshed = 4 * self.network.king_buckets();
        let lists = [(&mut self.values, 2 * ENTRIES), (&mut self.refreshed_values, refreshed)];
        for (values, rows) in lists {
            values.clear();
            (0..rows).for_each(|_| values.extend_from_slice(row));
        }
    }

    /// The network's evaluation of a board, in engine units for the side to move. `ply` is where
    /// the board is in the search; only the speed depends on it.
    pub(crate) fn evaluate(&mut self, board: &Board, ply: usize) -> i32 {
        let ply = ply.min(MAX_PLY);
        let placement = Placement::from(board);
        let (source, distance) = self.nearest(&placement, ply);
        let entry = if distance == 0 {
            &self.entries[source]
        } else {
            if self.network.king_buckets() == 1 {
                self.make_entry::<false>(ply, source, board, placement);
            } else {
                self.make_entry::<true>(ply, source, board, placement);
            }
            &self.entries[ply]
        };
        let row = self.network.feature_biases().len();
        let (white, black) = self.values[entry.accumulators(row)].split_at(row);
        let (own, other) = match board.side_to_move() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        self.network.propagate(own, other, board.occupied().len() as usize)
    }

    /// The ply of the entry with the least to change, and on how many squares it is different:
    /// among the last entries of this ply and of the three before it.
    #[inline]
    fn nearest(&self, placement: &Placement, ply: usize) -> (usize, u32) {
        let mut best = (ply, u32::MAX);
        for back in [1, 0, 2, 3] {
            let Some(index) = ply.checked_sub(back) else { continue };
            let distance = self.entries[index].placement.difference(placement).len();
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
    /// `KING_BUCKETS` says whether there are several: without, nothing is computed for them.
    fn make_entry<const KING_BUCKETS: bool>(
        &mut self,
        ply: usize,
        source: usize,
        board: &Board,
        placement: Placement,
    ) {
        let Self { network, entries, values, refreshed, refreshed_values, changes } = self;
        let source = if source == ply { REPLACED } else { source };
        if source == REPLACED {
            entries.swap(ply, REPLACED);
        }
        let row = network.feature_biases().len();
        let [from, to] = entries
            .get_disjoint_mut([source, ply])
            .expect("invariant: an entry is not made out of itself");
        placement.changes_from(&from.placement, changes);
        to.placement = placement;
        let [from_values, to_values] = values
            .get_disjoint_mut([from.accumulators(row), to.accumulators(row)])
            .expect("invariant: every entry has accumulators of its own");
        let from_values = PerColor(from_values.split_at(row).into());
        let mut to_values = PerColor(to_values.split_at_mut(row).into());
        for color in Color::ALL {
            let king = board.king(color);
            let orientation = Orientation::new(color, king);
            let king_buckets = if KING_BUCKETS { network.king_buckets() } else { 1 };
            let king_bucket = orientation.king_bucket(king, king_buckets);
            let view = view(king_bucket, orientation.is_mirrored());
            to.view[color] = view;
            let features = (orientation, network.feature_rows(king_bucket));
            let (from_values, to_values) = (from_values[color], &mut *to_values[color]);
            if from.view[color] == view {
                update(features, changes, from_values, to_values);
            } else {
                let view = usize::from(view);
                let index = 2 * king_buckets * color as usize + view;
                let kept = &mut refreshed_values[index * row..][..row];
                refresh(features, &refreshed[color][view], placement, kept);
                refreshed[color][view] = placement;
                to_values.copy_from_slice(kept);
            }
        }
    }
}

/// An empty list with room for `elements` elements; `None` without memory for them.
fn reserve<T>(elements: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(elements).ok()?;
    Some(list)
}

/// How a perspective sees the pieces, and the weights of what it sees.
type Features<'a> = (Orientation, FeatureRows<'a>);

/// Updates the accumulator that a perspective was refreshed for last in one view.
#[cold]
fn refresh(features: Features<'_>, from: &Placement, to: Placement, values: &mut [Block]) {
    let mut changes = Changes::default();
    to.changes_from(from, &mut changes);
    update_in_place(features, &changes, values);
}

/// Applies changes of the placement to the accumulator of one perspective.
fn update(features: Features<'_>, changes: &Changes, source: &[Block], target: &mut [Block]) {
    let (orientation, rows) = features;
    let row = |piece: u16| rows.of(orientation.reorient(piece.into()));
    // A quiet move, a capture, and the ways between two siblings.
    match (&*changes.removed, &*changes.added) {
        (&[a], &[x]) => kernels::update(target, source, [row(a)], [row(x)]),
        (&[a, b], &[x]) => kernels::update(target, source, [row(a), row(b)], [row(x)]),
        (&[a, b], &[x, y]) => kernels::update(target, source, [row(a), row(b)], [row(x), row(y)]),
        (&[a, b], &[x, y, z]) => {
            kernels::update(target, source, [row(a), row(b)], [row(x), row(y), row(z)]);
        }
        (&[a, b, c], &[x, y]) => {
            kernels::update(target, source, [row(a), row(b), row(c)], [row(x), row(y)]);
        }
        (&[a, b, c], &[x, y, z]) => {
            kernels::update(target, source, [row(a), row(b), row(c)], [row(x), row(y), row(z)]);
        }
        _ => {
            target.copy_from_slice(source);
            update_in_place(features, changes, target);
        }
    }
}

/// Applies any number of changes.
fn update_in_place((orientation, rows): Features<'_>, changes: &Changes, values: &mut [Block]) {
    let row = |piece: u16| rows.of(orientation.reorient(piece.into()));
    changes.removed.iter().for_each(|&piece| kernels::subtract_row(values, row(piece)));
    changes.added.iter().for_each(|&piece| kernels::add_row(values, row(piece)));
}
