//! How the memory of a process grows. Linux says how much one has; elsewhere nothing is measured.

use super::support::Engine;
use super::totals::Totals;

/// Measurements before the one that later ones are compared with: tables fill, and the allocator
/// takes what it will go on with.
const WARM_UP: usize = 5;

/// The resident memory of a process, measured again and again in the same state.
#[derive(Default)]
pub struct Memory {
    kib: Vec<u64>,
}

impl Memory {
    pub fn measure(&mut self, engine: &Engine) {
        #[cfg(target_os = "linux")]
        self.kib.push(engine.status("VmRSS:"));
        #[cfg(not(target_os = "linux"))]
        let _ = engine;
    }

    /// Adds to the sums by how much it grew: from after the warm-up to the end, at both of which the
    /// least of three measurements counts.
    pub fn add_to(&self, totals: &mut Totals) {
        let Some(warm) = self.kib.get(WARM_UP..).filter(|warm| warm.len() >= 6) else { return };
        let least = |kib: &[u64]| kib.iter().copied().min().unwrap_or(0);
        let grown = least(&warm[warm.len() - 3..]).saturating_sub(least(&warm[..3]));
        totals.drift = totals.drift.max(grown);
        totals.compared += 1;
    }
}
