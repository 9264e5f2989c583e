//! How much of a limit of time a single move uses.

use super::support::Engine;
use super::support::ms;
use super::table::milliseconds;

/// A `go`, and the time in milliseconds that it allows.
const GOES: [(&str, u64); 12] = [
    ("go movetime 30", 30),
    ("go movetime 50", 50),
    ("go movetime 100", 100),
    ("go movetime 250", 250),
    ("go wtime 500 btime 500", 500),
    ("go wtime 500 btime 500 winc 10 binc 10", 500),
    ("go wtime 60 btime 60 winc 5000 binc 5000", 60),
    ("go wtime 200 btime 200 winc 200 binc 200", 200),
    ("go wtime 150 btime 150 movestogo 1", 150),
    ("go wtime 150 btime 150 movestogo 40", 150),
    ("go wtime 15 btime 15", 15),
    ("go wtime 1000 btime 1000 movestogo 1", 1000),
];

/// Prints a row for each.
pub fn measure(rounds: usize) {
    println!("\n| time for one move | moves | median | maximum | used, median | overruns |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (go, allowed) in GOES {
        let mut engine = Engine::ready();
        let mut times = Vec::new();
        for _ in 0..15 * rounds {
            engine.send("ucinewgame\nposition startpos");
            engine.sync();
            times.push(engine.go(go).elapsed);
        }
        engine.quit();
        times.sort();
        let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
        let overruns = times.iter().filter(|time| **time > ms(allowed)).count();
        let used = median.as_secs_f64() * 100_000.0 / allowed as f64;
        println!(
            "| `{go}` | {} | {} | {} | {used:.0} % | {overruns} |",
            times.len(),
            milliseconds(median),
            milliseconds(most)
        );
    }
}
