//! The memory that large allocations leave to the rest of the process.

use super::Zeroed;

/// Bytes that have to be left over after something large is allocated, so that the small needs of
/// the rest of the process, whose failure would end it, are met.
const RESERVE: usize = 24 << 20;

/// Returns `true` if the system still gives as much memory as the small needs of a process take
/// together, 24 MiB: to be asked after anything large was allocated, which has to be given back if
/// not.
///
/// Asks for a mapping: an allocator may have kept as much of what was freed, which is of no use for
/// the stack of a thread.
#[must_use]
pub fn has_reserve() -> bool {
    can_map(RESERVE)
}

/// Whether the system still maps this number of bytes. Nothing of it is kept, and the allocator,
/// which would from then on take blocks of this size from its heap, does not notice.
pub fn can_map(bytes: usize) -> bool {
    Zeroed::<u8>::new(bytes).is_some()
}
