//! The atomics and locks that threads share. A build with `--cfg loom` has those of the model
//! checker loom instead, with which `models` tries the interleavings of threads.

/// The locks of loom, as parking_lot spells them.
#[cfg(loom)]
mod modelled {
    use core::ops::{Deref, DerefMut};

    use loom::sync::MutexGuard;
    pub use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    /// A lock whose guard can be lent to [`Condvar::wait`], as that of parking_lot.
    #[derive(Debug, Default)]
    pub struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        /// An unlocked one.
        pub fn new(value: T) -> Self {
            Self(loom::sync::Mutex::new(value))
        }

        /// Blocks until it is locked.
        pub fn lock(&self) -> Guard<'_, T> {
            Guard(Some(self.0.lock().expect("invariant: loom ends a model at its first panic")))
        }
    }

    /// A locked [`Mutex`]; `None` only within [`Condvar::wait`].
    pub struct Guard<'a, T>(Option<MutexGuard<'a, T>>);

    impl<T> Deref for Guard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            self.0.as_ref().expect("invariant: locked outside of wait")
        }
    }

    impl<T> DerefMut for Guard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.0.as_mut().expect("invariant: locked outside of wait")
        }
    }

    /// A condition variable.
    #[derive(Debug, Default)]
    pub struct Condvar(loom::sync::Condvar);

    impl Condvar {
        /// One without waiting threads.
        pub fn new() -> Self {
            Self(loom::sync::Condvar::new())
        }

        /// Unlocks, waits for a notification, and locks again.
        pub fn wait<T>(&self, guard: &mut Guard<'_, T>) {
            let inner = guard.0.take().expect("invariant: locked outside of wait");
            guard.0 = self.0.wait(inner).ok();
        }

        /// Wakes all that wait.
        pub fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}

#[cfg(loom)]
pub use modelled::{AtomicBool, AtomicU64, Condvar, Mutex, Ordering};

#[cfg(not(loom))]
pub use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
#[cfg(not(loom))]
pub use parking_lot::{Condvar, Mutex};
