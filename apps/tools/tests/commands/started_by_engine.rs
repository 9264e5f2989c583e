//! The engine starts this program, which is built beside it.

use std::process::Command;

use crate::support::engine::{binary, engine_binary};

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
