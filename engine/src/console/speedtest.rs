//! `speedtest`: how many nodes a second many threads search.

use std::thread;
use std::time::Instant;

use tamarin_search::{Engine, Limits, Millis, StartError};
use tamarin_uci::SpeedTest;

use super::context::Context;
use super::{bench, bench_positions};

/// Seconds in all without other arguments.
const SECONDS: u32 = 20;

/// MiB of table for each thread without other arguments: at usual speeds it is not full at the
/// end of [`SECONDS`].
const HASH_PER_THREAD: usize = 64;

/// Searches the positions of the benchmark with all threads, each for the same time.
pub fn run(request: &SpeedTest, context: &Context<'_>) -> Result<(), StartError> {
    let cores = thread::available_parallelism().map_or(1, |count| count.get().min(1024));
    let threads = request.threads.map_or(cores, |count| (count as usize).clamp(1, 1024));
    let hash = request.hash.map_or(threads * HASH_PER_THREAD, |mib| mib.max(1) as usize);
    let seconds = request.seconds.unwrap_or(SECONDS).max(1);
    let mut engine = Engine::prepared(threads, hash, context.evaluator.active_network())?;
    context.print(&measure(&mut engine, seconds));
    Ok(())
}

fn measure(engine: &mut Engine, seconds: u32) -> String {
    let positions = bench_positions::all();
    let share = u64::from(seconds) * 1000 / positions.len() as u64;
    let begun = Instant::now();
    let mut total = 0_u64;
    for position in &positions {
        let limits = Limits { move_time: Some(Millis::new(share)), ..Limits::default() };
        total = total.saturating_add(bench::search(engine, position, limits));
    }
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
    format!(
        "Threads          : {}\nHash (MiB)       : {}\nPositions        : {}\n\
         Total nodes      : {total}\nTotal time (ms)  : {milliseconds}\nNodes/second     : {}",
        engine.threads(),
        engine.hash(),
        positions.len(),
        u128::from(total) * 1000 / u128::from(milliseconds)
    )
}
