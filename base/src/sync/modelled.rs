//! The atomics and locks of loom, as parking_lot and the standard library spell them, and defects
//! that can be planted in them: a model that does not find one shows nothing.

use core::ops::{Deref, DerefMut};
use std::env;
use std::sync::LazyLock;

use loom::sync::MutexGuard;
pub use loom::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that names the planted defect.
pub const PLANT: &str = "TAMARIN_PLANT";

/// A defect that a model has to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plant {
    /// The key of a slot is stored as it is: half of one write and half of another pass for an
    /// entry of the key.
    TornEntry,
    /// A condition variable releases its lock before it waits, not at the same moment: a
    /// notification between the two is lost.
    LostWakeUp,
    /// A flag is set without publishing what was written before it.
    RelaxedFlag,
    /// The threads that were never woken are not counted among those that are done.
    UncountedThreads,
}

impl Plant {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::TornEntry, Self::LostWakeUp, Self::RelaxedFlag, Self::UncountedThreads];

    /// Its name in [`PLANT`].
    pub const fn name(self) -> &'static str {
        match self {
            Self::TornEntry => "torn-entry",
            Self::LostWakeUp => "lost-wake-up",
            Self::RelaxedFlag => "relaxed-flag",
            Self::UncountedThreads => "uncounted-threads",
        }
    }
}

/// Returns `true` if this process has the defect.
pub fn planted(plant: Plant) -> bool {
    static PLANTED: LazyLock<Option<Plant>> = LazyLock::new(|| {
        let name = env::var(PLANT).ok()?;
        let known = Plant::ALL.into_iter().find(|plant| plant.name() == name);
        Some(known.unwrap_or_else(|| panic!("{PLANT}: no defect is called {name}")))
    });
    *PLANTED == Some(plant)
}

/// An atomic flag.
#[derive(Debug)]
pub struct AtomicBool(loom::sync::atomic::AtomicBool);

impl AtomicBool {
    /// A flag with this value.
    pub fn new(value: bool) -> Self {
        Self(loom::sync::atomic::AtomicBool::new(value))
    }

    /// Its value.
    pub fn load(&self, order: Ordering) -> bool {
        self.0.load(order)
    }

    /// Sets it.
    pub fn store(&self, value: bool, order: Ordering) {
        let order = if planted(Plant::RelaxedFlag) { Ordering::Relaxed } else { order };
        self.0.store(value, order);
    }
}

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
        Guard { lock: &self.0, inner: Some(locked(&self.0)) }
    }
}

fn locked<T>(lock: &loom::sync::Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().expect("invariant: loom ends a model at its first panic")
}

/// A locked [`Mutex`].
pub struct Guard<'a, T> {
    lock: &'a loom::sync::Mutex<T>,
    /// `None` only within [`Condvar::wait`].
    inner: Option<MutexGuard<'a, T>>,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.inner.as_ref().expect("invariant: locked outside of wait")
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.inner.as_mut().expect("invariant: locked outside of wait")
    }
}

/// A condition variable.
#[derive(Debug, Default)]
pub struct Condvar(loom::sync::Condvar);

impl Condvar {
    /// One that nobody waits for.
    pub fn new() -> Self {
        Self(loom::sync::Condvar::new())
    }

    /// Unlocks, waits for a notification, and locks again.
    pub fn wait<T>(&self, guard: &mut Guard<'_, T>) {
        let mut inner = guard.inner.take().expect("invariant: locked outside of wait");
        if planted(Plant::LostWakeUp) {
            drop(inner);
            inner = locked(guard.lock);
        }
        guard.inner = self.0.wait(inner).ok();
    }

    /// Wakes all that wait.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
