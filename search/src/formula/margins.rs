//! Score margins.

use tamarin_eval::Score;

/// The static evaluation with its correction, given in 1/128 units, and drawn towards a
/// draw as the fifty-move clock runs.
#[inline]
pub(crate) fn corrected(raw: Score, correction: i32, halfmove_clock: u16) -> Score {
    let clock = i32::from(halfmove_clock.min(100));
    let faded = raw.units() * (220 - clock) / 220;
    Score::new(faded + correction / 128).clamp_to_evaluation()
}
