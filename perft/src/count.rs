//! The recursion: plain, and with a cache.

use tamarin_movegen::Board;

use crate::cache::{Cache, CacheKey};
use crate::run::{Control, Options};

/// How the last two plies are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LastPlies {
    /// By differences: few moves of the last ply but one are played.
    #[default]
    Differences,
    /// Every move but those of the last ply is played.
    Played,
}

impl LastPlies {
    /// The number of sequences of `depth` moves.
    fn count_all(self, board: &Board, depth: u8) -> u64 {
        match depth {
            0 => 1,
            1 => board.count_moves(),
            2 => self.count(board),
            _ => {
                let mut nodes = 0;
                board.for_each_child(|child| nodes += self.count_all(child, depth - 1));
                nodes
            }
        }
    }

    /// The number of sequences of two moves.
    #[inline]
    fn count(self, board: &Board) -> u64 {
        match self {
            Self::Differences => board.count_replies(),
            Self::Played => {
                let mut nodes = 0;
                board.for_each_child(|child| nodes += child.count_moves());
                nodes
            }
        }
    }
}

/// The number of sequences of `depth` legal moves from `board`, counted plainly on
/// this thread; 1 for depth 0.
///
/// The last ply is not played: its moves are only counted.
///
/// # Panics
/// In builds with overflow checks, if the number does not fit 64 bits, which takes
/// more than eight plies.
pub fn count(board: &Board, depth: u8) -> u64 {
    LastPlies::Played.count_all(board, depth)
}

/// A subtree of so many plies is counted without polling for a stop or reporting progress.
///
/// It takes 10 ms at the very worst (218^3 leaves), a common one less than 0.1 ms: stops are
/// prompt, and polling costs nothing.
const POLL_DEPTH: u8 = 3;

/// Progress is published in batches of this many nodes, to avoid contention on the counter.
const BATCH: u64 = 1 << 20;

/// What one thread needs to count.
pub(crate) struct Counter<'a> {
    options: &'a Options<'a>,
    control: &'a Control,
    /// Nodes counted but not yet published.
    unpublished: u64,
    /// Whether anything was left out because the control said stop.
    pub(crate) cut_short: bool,
}

impl<'a> Counter<'a> {
    pub(crate) const fn new(options: &'a Options<'a>, control: &'a Control) -> Self {
        Self { options, control, unpublished: 0, cut_short: false }
    }

    /// The number of sequences of `depth` moves, or what of it was counted when the
    /// control said stop; `u128::MAX` if it is that or more.
    pub(crate) fn count(&mut self, board: &Board, depth: u8) -> u128 {
        if self.control.is_stopped() {
            self.cut_short = true;
            return 0;
        }
        let Options { cache, last_plies, .. } = *self.options;
        if depth <= POLL_DEPTH {
            let nodes = match cache {
                Some(cache) => cached(board, depth, cache, last_plies),
                None => last_plies.count_all(board, depth),
            };
            self.publish(nodes);
            return nodes.into();
        }
        let entry = cache.map(|cache| (cache, CacheKey::new(board, depth)));
        if let Some(nodes) = entry.and_then(|(cache, key)| cache.find(key)) {
            self.publish(nodes);
            return nodes.into();
        }
        let mut nodes = 0u128;
        board.for_each_child(|child| nodes = nodes.saturating_add(self.count(child, depth - 1)));
        // The count of a stopped run is not the whole one.
        if let Some((cache, key)) = entry
            && !self.control.is_stopped()
            && let Ok(nodes) = u64::try_from(nodes)
        {
            cache.store(key, nodes);
        }
        nodes
    }

    /// Publishes the nodes counted since the last batch.
    pub(crate) fn finish(&mut self) {
        self.control.add_nodes(core::mem::take(&mut self.unpublished));
    }

    fn publish(&mut self, nodes: u64) {
        self.unpublished = self.unpublished.saturating_add(nodes);
        if self.unpublished >= BATCH {
            self.finish();
        }
    }
}

/// The count with the cache, which pays from depth 2 on: counting the moves of one board is
/// faster than a cache miss.
fn cached(board: &Board, depth: u8, cache: &Cache, last_plies: LastPlies) -> u64 {
    if depth < 2 {
        return last_plies.count_all(board, depth);
    }
    let key = CacheKey::new(board, depth);
    if let Some(nodes) = cache.find(key) {
        return nodes;
    }
    let mut nodes = 0;
    if depth == 2 {
        nodes = last_plies.count(board);
    } else {
        board.for_each_child(|child| nodes += cached(child, depth - 1, cache, last_plies));
    }
    cache.store(key, nodes);
    nodes
}
