//! What a search is for.

/// What a search is for. It is chosen when the program is compiled, so that the search that plays
/// pays nothing for experiments.
pub(crate) trait Purpose: Default + Send {
    /// Whether nothing may be left out: all moves to the same depth, then the evaluation. The score
    /// is that of plain minimax.
    const FULL_WIDTH: bool = false;

    /// A child of a node will be searched, its first one or another.
    #[inline]
    fn note_child(&mut self, _is_first: bool) {}

    /// Adds what another thread has noted.
    fn add(&mut self, _other: &Self) {}
}

/// To play: nothing is noted.
#[derive(Default)]
pub(super) struct Play;

impl Purpose for Play {}
