//! Evaluations that a thread remembers.

/// A power of two: what is kept fits the second cache.
const ENTRIES: usize = 1 << 12;

/// The last evaluations, by key of the position. They depend on nothing else.
pub(crate) struct Evaluations(Vec<(u64, i32)>);

impl Evaluations {
    pub fn new() -> Self {
        Self(vec![(0, 0); ENTRIES])
    }

    pub fn clear(&mut self) {
        self.0.fill((0, 0));
    }

    /// The score that was kept for a key. The key 0 is never found.
    #[inline]
    pub fn find(&self, key: u64) -> Option<i32> {
        let (found, score) = self.0[key as usize % ENTRIES];
        (found == key && key != 0).then_some(score)
    }

    #[inline]
    pub fn keep(&mut self, key: u64, score: i32) {
        self.0[key as usize % ENTRIES] = (key, score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_last_is_found() {
        let mut evaluations = Evaluations::new();
        assert_eq!(evaluations.find(0), None);
        evaluations.keep(7, -3);
        evaluations.keep(8, 5);
        assert_eq!((evaluations.find(7), evaluations.find(8)), (Some(-3), Some(5)));
        // The same place.
        evaluations.keep(7 + ENTRIES as u64, 9);
        assert_eq!(evaluations.find(7), None);
        evaluations.clear();
        assert_eq!(evaluations.find(8), None);
    }
}
