//! Commands for people and test frameworks, beside the protocol.

mod bench;
mod bench_positions;
mod board;
mod context;
mod genfens;
mod perft;
mod speedtest;

use tamarin_uci::Console;

pub use self::context::Context;
use crate::about;

/// Carries a command out and prints its answer.
pub fn run(console: Console, mut context: Context<'_>) {
    match console {
        Console::Board => board::show(&context),
        Console::Eval => board::evaluate(&context),
        Console::Flip => board::flip(&mut context),
        Console::Bench(request) => bench::run(&request, &context),
        Console::SpeedTest(request) => speedtest::run(&request, &context),
        Console::Perft(depth) => perft::run(depth, &context),
        Console::GenFens(request) => genfens::run(&request, &context),
        Console::Compiler => context.print(&about::compiler()),
        Console::Help => context.print(about::HELP),
        Console::License => context.print(about::LICENSE),
    }
}
