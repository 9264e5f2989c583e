//! Hours of the engine at work: fast games on the real clock, and storms of commands in both
//! protocols, each in processes that stay for as long as the run does.
//!
//! `make soak HOURS=n` runs it on a release build. The work comes in rounds, and after each the sums
//! are written to a file, so that a run may be ended at any time: the next one goes on. It ends when
//! the time or the work is done, with what was found in all parts together. Nothing is played again,
//! and nothing is taken off a clock. The exit status is 1 if anything was lost or failed.

#[path = "../../tests/support/mod.rs"]
mod support;

#[path = "../latency/machine.rs"]
mod machine;

mod totals;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use machine::Machine;
use totals::{DRIFT, GAMES, Totals, UCI_COMMANDS, XBOARD_COMMANDS};
use work::Work;

const ROUNDS: u64 = 1_000;

fn main() -> ExitCode {
    // `cargo bench` adds an argument of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let hours: f64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(1.0);
    let path = PathBuf::from(words.get(1).map_or("target/soak", String::as_str));
    let version = support::Launch::new().args(&["-V"]).run().out.trim().to_owned();
    let mut totals = match Totals::read(&path, &version) {
        Ok(totals) => totals,
        Err(reason) => {
            eprintln!("soak: {reason}");
            return ExitCode::FAILURE;
        }
    };
    println!("Soak of {version} on {}", machine::name());
    let machine = Machine::now();
    let end = Instant::now() + Duration::from_secs_f64(hours.max(0.0) * 3600.0);
    totals.parts += 1;
    let mut work = Work::new();
    while Instant::now() < end && !is_done(&totals) {
        let begun = Instant::now();
        work.games(&mut totals, GAMES / ROUNDS);
        work.uci(&mut totals, UCI_COMMANDS / ROUNDS);
        work.xboard(&mut totals, XBOARD_COMMANDS / ROUNDS);
        totals.milliseconds += begun.elapsed().as_millis() as u64;
        if let Err(error) = totals.write(&path) {
            eprintln!("soak: {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    work.end(&mut totals);
    println!("{}", machine::verdict(machine.others_since()));
    print!("{}", totals.table());
    match totals.write(&path) {
        Ok(()) if totals.lost + totals.failures == 0 && totals.drift <= DRIFT => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn is_done(totals: &Totals) -> bool {
    totals.games >= GAMES
        && totals.uci_commands >= UCI_COMMANDS
        && totals.xboard_commands >= XBOARD_COMMANDS
}
