//! The atomics and locks that threads share. A build with `--cfg loom` has those of the model
//! checker loom instead, with which `models` tries the interleavings of threads.

#[cfg(loom)]
mod modelled;

#[cfg(loom)]
pub use modelled::{AtomicBool, AtomicU64, Condvar, Mutex, Ordering};

#[cfg(not(loom))]
pub use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
#[cfg(not(loom))]
pub use parking_lot::{Condvar, Mutex};
