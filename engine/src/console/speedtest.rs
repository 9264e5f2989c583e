//! `speedtest`: how many nodes a second many threads search.

use std::thread;
use std::time::Instant;

use tamarin_search::{Idle, Limits, Millis};
use tamarin_uci::SpeedTest;

use super::context::Context;
use super::{bench, bench_positions};

/// Seconds in all, without other orders.
const SECONDS: u32 = 20;

/// MiB of table a thread, without other orders.
const HASH_PER_THREAD: u32 = 64;

/// Searches the positions of the benchmark with all threads, each for the same time.
pub fn run(request: &SpeedTest, context: &Context<'_>) {
    let cores = thread::available_parallelism().map_or(1, |count| count.get().min(1024));
    let threads = request.threads.map_or(cores, |count| (count as usize).clamp(1, 1024));
    let hash = request.hash.map_or(threads * HASH_PER_THREAD as usize, |mib| mib.max(1) as usize);
    let seconds = request.seconds.unwrap_or(SECONDS).max(1);
    let set_up = || -> Result<Idle, String> {
        let mut idle = Idle::new().map_err(|error| error.to_string())?;
        idle.set_threads(threads).map_err(|error| error.to_string())?;
        idle.set_hash(hash).map_err(|error| error.to_string())?;
        Ok(idle)
    };
    match set_up() {
        Ok(idle) => context.print(&measure(idle, seconds)),
        Err(error) => context.print(&format!("info string error: speedtest: {error}")),
    }
}

fn measure(mut idle: Idle, seconds: u32) -> String {
    let positions = bench_positions::all();
    let share = u64::from(seconds) * 1000 / positions.len() as u64;
    let begun = Instant::now();
    let mut total = 0_u64;
    for position in &positions {
        let limits = Limits { move_time: Some(Millis::new(share)), ..Limits::default() };
        let (after, nodes) = bench::search(idle, position, limits);
        idle = after;
        total = total.saturating_add(nodes);
    }
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
    format!(
        "Threads          : {}\nHash (MiB)       : {}\nPositions        : {}\n\
         Total nodes      : {total}\nTotal time (ms)  : {milliseconds}\nNodes/second     : {}",
        idle.threads(),
        idle.hash(),
        positions.len(),
        u128::from(total) * 1000 / u128::from(milliseconds)
    )
}
