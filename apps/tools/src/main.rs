//! The program `tamarin-tools`: what people do with the engine beside playing it in a graphical
//! program. `tamarin play` and its like start it.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use tamarin_analysis::{analyse, book, mate, suite};
use tamarin_base::process::processor;
use tamarin_game::about;
use tamarin_tools::{Arguments, Command};

/// The libraries in this program, their owners and licenses. A test compares it with `Cargo.lock`
/// and writes it: `TAMARIN_WRITE_NOTICES=1 cargo test --package tamarin-tools --test commands notices`.
const NOTICES: &str = include_str!("notices.txt");

fn main() -> ExitCode {
    processor::check();
    run()
}

/// Not inlined: none of its instructions may come before the check of the processor.
#[inline(never)]
fn run() -> ExitCode {
    tamarin_base::memory::configure_heap();
    tamarin_base::files::survive_size_limit();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(text) => return tamarin_base::files::end_of_output(text.print(), text.exit_code()),
    };
    tamarin_base::panics::guard(|| match arguments.command {
        Command::Play(arguments) => tamarin_play::run(&arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Mate(arguments) => mate::run(&arguments),
        Command::Book(arguments) => book::command::run(&arguments),
        Command::Variant(arguments) => tamarin_tools::variant::run(&arguments),
        Command::Board(arguments) => tamarin_board::run(&arguments),
        Command::License => license(),
    })
}

fn license() -> ExitCode {
    tamarin_base::files::end_of_output(writeln!(io::stdout(), "{}", about::license(NOTICES)), 0)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use tamarin_game::about::TOOLS;
    use tamarin_tools::Arguments;

    #[test]
    fn the_engine_starts_every_command_and_describes_it_in_the_same_words() {
        let command = Arguments::command();
        command.clone().debug_assert();
        // The engine has a command of that name itself, for its own libraries.
        let started = command.get_subcommands().filter(|one| one.get_name() != "license");
        let own = started.map(|one| (one.get_name(), one.get_about()));
        let own: Vec<_> = own.map(|(name, about)| (name, about.unwrap().to_string())).collect();
        assert_eq!(own, TOOLS.map(|(name, about)| (name, about.to_owned())));
    }
}
