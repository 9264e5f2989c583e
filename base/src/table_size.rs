//! The sizes that a table may have.

use crate::buckets::{Bucket, Buckets};
use crate::memory::{available, has_reserve};

/// The smallest and greatest table sizes, in MiB.
pub const HASH_RANGE: core::ops::RangeInclusive<usize> = 1..=33_554_432;

/// A new table could not be had; the old one is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// The size is outside [`HASH_RANGE`].
    #[error("hash size {mib} MiB is out of range, it must be from 1 to 33554432")]
    Range {
        /// The size asked for, in MiB.
        mib: usize,
    },
    /// The system has less memory than that to give.
    #[error("hash size {mib} MiB refused, {available} MiB are available")]
    TooLarge {
        /// The size asked for, in MiB.
        mib: usize,
        /// What could be had, in MiB.
        available: u64,
        /// The size that is kept, in MiB.
        kept: usize,
    },
    /// The allocator refused.
    #[error("hash size {mib} MiB refused by the system")]
    Refused {
        /// The size asked for, in MiB.
        mib: usize,
        /// The size that is kept, in MiB.
        kept: usize,
    },
}

/// Makes sure that the system has memory for a table of `mib` MiB.
fn check_table_size(mib: usize, freed: usize) -> Result<(), TableError> {
    if !HASH_RANGE.contains(&mib) {
        return Err(TableError::Range { mib });
    }
    let Some(bytes) = available() else { return Ok(()) };
    let available = available_mib(bytes, freed);
    match fits(mib, available, freed) {
        true => Ok(()),
        false => Err(TableError::TooLarge { mib, available, kept: freed }),
    }
}

impl Buckets {
    /// The empty buckets of a table of `mib` MiB. The system takes memory for them as they are used.
    ///
    /// # Errors
    /// If the size is out of range, the memory is not to be had, or the system refuses. `freed` is the
    /// size in MiB of the table that will make way for this one; it counts as available.
    pub fn of_size(mib: usize, freed: usize) -> Result<Self, TableError> {
        check_table_size(mib, freed)?;
        let refused = TableError::Refused { mib, kept: freed };
        let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
        // What makes way leaves enough for the rest of the process.
        let is_enough_left = || mib <= freed || has_reserve();
        Self::new(bytes / size_of::<Bucket>()).filter(|_| is_enough_left()).ok_or(refused)
    }
}

/// MiB for a new table: the free memory and that of the table that makes way.
const fn available_mib(bytes: u64, freed: usize) -> u64 {
    (bytes >> 20) + freed as u64
}

/// Returns `true` for a table that is not larger than the one that makes way, or than the memory.
const fn fits(mib: usize, available: u64, freed: usize) -> bool {
    mib <= freed || mib as u64 <= available
}

#[cfg(test)]
mod tests {
    use super::{available_mib, fits};

    #[test]
    fn the_table_that_makes_way_counts_as_available() {
        assert_eq!(available_mib((100 << 20) + 1, 16), 116);
        for mib in [16, 116] {
            assert!(fits(mib, 116, 16));
        }
        assert!(!fits(117, 116, 16));
        assert!(fits(16, 10, 16), "no larger than the old one");
        assert!(!fits(17, 10, 16));
    }
}
