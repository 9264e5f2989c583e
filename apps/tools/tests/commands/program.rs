//! What all commands share: networks, notices of the libraries, and the start by the engine, which is
//! built beside this program.

use std::path::Path;
use std::process::Command;

use crate::support::engine::{binary, engine_binary, good, run};
use crate::support::files::Folder;
use crate::support::network_file::{WIDTH, queens};
use crate::support::notices;

/// White is a queen ahead, and Black a pawn.
const QUEEN: &str = "4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1";

#[cfg(unix)]
#[test]
fn commands_that_search_take_a_network_and_reject_another_file() {
    let folder = Folder::new();
    let file = folder.file("queens.net", queens(WIDTH));
    let suite =
        folder.file("suite.epd", format!("{} bm Qd5; id \"one\";\n", &QUEEN[..QUEEN.len() - 4]));
    let analyse = |more: &[&str]| {
        let args = ["analyse", "--depth", "9", "--format", "json", "--threads", "1", QUEEN];
        good(&[&args, more].concat()).out
    };
    let terms = analyse(&["--eval-file", &file, "--evaluator", "hand-crafted"]);
    let (inside, queens) = (analyse(&[]), analyse(&["--eval-file", &file]));
    assert!(queens != terms && queens != inside && inside != terms);
    for (command, input) in [
        ("analyse", vec!["--depth", "1", QUEEN]),
        ("suite", vec!["--depth", "1", &suite]),
        ("play", vec!["--line", "--no-autosave"]),
    ] {
        let args = |file| [&[command, "--eval-file", file], input.as_slice()].concat();
        good(&args(&file));
        let refused = run(&args(&suite));
        assert_eq!(refused.code(), 2, "{command}: {}", refused.out);
        assert!(refused.err.contains("as a network"), "{command}: {}", refused.err);
    }
}

#[test]
fn the_notices_are_those_of_the_libraries_in_the_tools() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/notices.txt");
    notices::check("tamarin-tools", &file);
}

#[test]
fn license_prints_the_notices() {
    let text = good(&["license"]).out;
    let notices = include_str!("../../src/notices.txt");
    assert!(text.contains("GNU General Public License") && text.ends_with(notices), "{text}");
}

#[test]
fn commands_of_the_engine_are_commands_of_this_program() {
    for (arguments, code) in [(["variant", "list"], 0), (["suite", "no/such/file"], 2)] {
        let run = |program| Command::new(program).args(arguments).output().expect("it starts");
        let (engine, own) = (run(engine_binary()), run(binary()));
        assert_eq!(own.status.code(), Some(code), "{own:?}");
        assert_eq!(engine.status, own.status, "{arguments:?}");
        assert_eq!(engine.stdout, own.stdout, "{arguments:?}");
        assert_eq!(engine.stderr, own.stderr, "{arguments:?}");
    }
}

#[test]
fn the_help_names_the_command_that_was_typed() {
    let help = Command::new(engine_binary()).args(["play", "--help"]).output().expect("it starts");
    let help = String::from_utf8(help.stdout).expect("UTF-8");
    assert!(help.contains("Usage: tamarin play"), "{help}");
}
