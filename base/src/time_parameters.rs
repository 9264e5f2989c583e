//! The numbers of time management.

/// The numbers that time limits depend on; none is negative. A share is of the usable clock, which
/// is without the move overhead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeParameters {
    /// Clock: soft limit late in a long game, as a share, 1/1024.
    pub share_late: i32,
    /// Clock: how much smaller that share is at move zero, 1/1024.
    pub share_early: i32,
    /// Clock: the move at which half of the difference is made up for.
    pub share_moves: i32,
    /// Clock: share of the increment that is spent, 1/1024.
    pub increment_share: i32,
    /// Clock: hard limit besides the increment, as a share, 1/1024.
    pub hard_share: i32,
    /// Clock: move overheads that should be left; limits shrink in proportion to what is missing.
    pub reserve: i32,
    /// Moves to go: more count as this many.
    pub moves_to_go: i32,
    /// Moves to go: hard limit by the soft limit, 1/1024.
    pub moves_to_go_hard: i32,
    /// Moves to go: hard limit as a share, 1/1024.
    pub moves_to_go_share: i32,
    /// Last move before the control: soft limit as a share, 1/1024.
    pub last_move_soft: i32,
    /// Last move before the control: hard limit as a share, 1/1024.
    pub last_move_hard: i32,
    /// Pondering allowed: factor of the soft limit, 1/1024.
    pub ponder: i32,
}

impl Default for TimeParameters {
    /// The numbers of standard chess, which variants share: `time_*` of
    /// `base/src/params/table.rs`, where their origins stand. A test there compares them.
    fn default() -> Self {
        Self {
            share_late: 61,
            share_early: 51,
            share_moves: 20,
            increment_share: 768,
            hard_share: 768,
            reserve: 16,
            moves_to_go: 50,
            moves_to_go_hard: 5120,
            moves_to_go_share: 768,
            last_move_soft: 768,
            last_move_hard: 960,
            ponder: 1280,
        }
    }
}
