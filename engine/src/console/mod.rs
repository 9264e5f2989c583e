//! Commands for people and test frameworks, beside the protocol.

mod bench;
mod bench_positions;
mod board;
mod genfens;
mod perft;
mod speedtest;
mod texts;

use tamarin_movegen::{CastlingNotation, Position};
use tamarin_uci::Console;

use crate::output::Output;

/// What a console command works with.
pub struct Context<'a> {
    /// The position in force, if there is one.
    pub position: &'a mut Option<Position>,
    /// How castling is printed.
    pub notation: CastlingNotation,
    /// Where the answer goes.
    pub output: &'a Output,
}

impl Context<'_> {
    fn print(&self, text: &str) {
        self.output.line(text);
    }

    /// The position in force; says so and gives `None` when there is none.
    fn current(&self) -> Option<&Position> {
        let position = self.position.as_ref();
        if position.is_none() {
            self.print("info string error: there is no position; send a valid position command");
        }
        position
    }
}

/// Carries a command out, printing its answer.
pub fn run(console: Console, mut context: Context<'_>) {
    match console {
        Console::Board => board::show(&context),
        Console::Eval => board::evaluate(&context),
        Console::Flip => board::flip(&mut context),
        Console::Bench(request) => bench::run(&request, &context),
        Console::SpeedTest(request) => speedtest::run(&request, &context),
        Console::Perft(depth) => perft::run(depth, &context),
        Console::GenFens(request) => genfens::run(&request, &context),
        Console::Compiler => context.print(&texts::compiler()),
        Console::Help => context.print(texts::HELP),
        Console::License => context.print(texts::LICENSE),
    }
}
