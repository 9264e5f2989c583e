//! Move ordering: in which order the moves of a node are tried.

mod picker;
mod scores;

use tamarin_movegen::Move;

use crate::history::ContinuationContext;
use crate::threads::worker::Worker;
use crate::threats::Threats;

pub(crate) use picker::{Mode, Picker};
use scores::Scorer;

impl Worker<'_> {
    /// The next move of the current node. `threats` is what the opponent attacks; only the
    /// order of quiet moves depends on it.
    #[inline]
    pub(crate) fn next_move(
        &self,
        picker: &mut Picker,
        continuation: &ContinuationContext,
        threats: &Threats,
    ) -> Option<Move> {
        let scorer = Scorer {
            params: &self.params,
            position: &self.position,
            histories: &self.histories,
            continuation,
            threats,
        };
        picker.next(&scorer, self.table)
    }
}
