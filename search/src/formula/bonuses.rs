//! What the histories learn from a node.

/// The reward of a move that was good at this depth.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).clamp(0, 1600)
}

/// The punishment of a move that was tried before the good one.
#[inline]
pub(crate) fn malus(depth: i32) -> i32 {
    (200 * depth - 60).clamp(0, 1400)
}

/// What the correction history learns: how far the search's score was off the static one.
#[inline]
pub(crate) fn correction(error: i32, depth: i32) -> i32 {
    (error * depth / 8).clamp(-256, 256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_grow_and_are_capped() {
        assert_eq!(bonus(1), 80);
        assert_eq!(bonus(100), 1600);
        assert!(malus(1) > 0 && malus(100) == 1400);
        assert_eq!(correction(1000, 20), 256);
        assert_eq!(correction(-16, 4), -8);
    }
}
