//! How soon the engine answers and how it uses its clocks, as a client measures it.
//!
//! `make bench-latency` runs it on a release build; `ROUNDS=n` multiplies all counts. It prints
//! tables in Markdown, with what the project promises beside what was measured, and judges nothing:
//! it ends with success whatever the figures. What other programs took of the processors stands
//! beside each figure, for on a busy machine the figures say little about the engine.

#[path = "../../tests/support/mod.rs"]
mod support;

mod answers;
mod clocks;
mod machine;
mod table;

use machine::Machine;
use table::Answers;

fn main() {
    // `cargo bench` adds an argument of its own.
    let number = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let rounds: usize = number.unwrap_or(1).max(1);
    let whole = Machine::now();
    let version = support::Launch::new().args(&["-V"]).run();
    println!("## Latency of {}\n\n{}; {rounds} round(s).\n", version.out.trim(), machine::name());

    let mut answers = Answers::begin();
    answers::measure(rounds, &mut answers);
    clocks::measure(rounds);
    clocks::play_games(rounds);

    let others = whole.others_since();
    println!("\n{}", machine::verdict(others));
}
