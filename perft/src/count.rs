//! The recursion itself: plain, and with a cache.

use tamarin_movegen::Board;

use crate::cache::Cache;
use crate::identity::Identity;
use crate::run::Control;

/// The number of sequences of `depth` legal moves from `board`, counted plainly on
/// this thread; 1 for depth 0.
///
/// The last ply is not played: its moves are only counted.
///
/// # Panics
/// In builds with overflow checks, if the number does not fit 64 bits, which takes
/// more than eight plies.
#[must_use]
pub fn count(board: &Board, depth: u8) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_moves(),
        2 => {
            let mut nodes = 0;
            board.for_each_child(|child| nodes += child.count_moves());
            nodes
        }
        _ => {
            let mut nodes = 0;
            board.for_each_child(|child| nodes += count(child, depth - 1));
            nodes
        }
    }
}

/// Depth at which a count looks for a request to stop and reports progress, in plies.
///
/// A subtree of one ply less takes 10 ms at the very worst (218^3 leaves), a common
/// one less than 0.1 ms, so that neither costs anything.
const WATCH_DEPTH: u8 = 4;

/// Progress is published in portions of this many nodes: threads should not fight
/// over the counter.
const PORTION: u64 = 1 << 20;

/// What one thread needs to count.
pub(crate) struct Counter<'a> {
    cache: Option<&'a Cache>,
    control: &'a Control,
    /// Nodes counted but not yet published.
    unpublished: u64,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(cache: Option<&'a Cache>, control: &'a Control) -> Self {
        Self { cache, control, unpublished: 0 }
    }

    /// The number of sequences of `depth` moves, or what of it was counted when the
    /// control said stop; `u64::MAX` if it is that or more.
    pub(crate) fn count(&mut self, board: &Board, depth: u8) -> u64 {
        let nodes = self.watched(board, depth);
        if depth < WATCH_DEPTH {
            self.publish(nodes);
        }
        nodes
    }

    /// Makes the progress of this thread known to the last node.
    pub(crate) fn finish(&mut self) {
        self.control.advance(core::mem::take(&mut self.unpublished));
    }

    fn watched(&mut self, board: &Board, depth: u8) -> u64 {
        if depth < WATCH_DEPTH {
            return match self.cache {
                Some(cache) => cached(board, depth, cache),
                None => count(board, depth),
            };
        }
        if self.control.is_stopped() {
            return 0;
        }
        let place = self.cache.map(|cache| (cache, Identity::new(board, depth)));
        if let Some(nodes) = place.and_then(|(cache, identity)| cache.find(identity)) {
            self.publish(nodes);
            return nodes;
        }
        let mut nodes = 0u64;
        board.for_each_child(|child| {
            nodes = nodes.saturating_add(self.watched(child, depth - 1));
        });
        if depth == WATCH_DEPTH {
            self.publish(nodes);
        }
        // A count cut short must not be taken for a whole one.
        if let Some((cache, identity)) = place
            && !self.control.is_stopped()
        {
            cache.store(identity, nodes);
        }
        nodes
    }

    fn publish(&mut self, nodes: u64) {
        self.unpublished = self.unpublished.saturating_add(nodes);
        if self.unpublished >= PORTION {
            self.finish();
        }
    }
}

/// [`count`] through the cache, which pays from two plies on: below that counting
/// takes less time than one look into memory.
fn cached(board: &Board, depth: u8, cache: &Cache) -> u64 {
    if depth < 2 {
        return count(board, depth);
    }
    let identity = Identity::new(board, depth);
    if let Some(nodes) = cache.find(identity) {
        return nodes;
    }
    let mut nodes = 0;
    if depth == 2 {
        board.for_each_child(|child| nodes += child.count_moves());
    } else {
        board.for_each_child(|child| nodes += cached(child, depth - 1, cache));
    }
    cache.store(identity, nodes);
    nodes
}
