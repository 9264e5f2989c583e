//! Commands that search, with a network of the user's.

#![cfg(unix)]

use crate::support::Launch;
use crate::support::engine::Finished;
use crate::support::files::Folder;
use crate::support::network_file::{WIDTH, queens};

/// White is a queen ahead, and Black a pawn.
const QUEEN: &str = "4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1";

fn run(args: &[&str]) -> Finished {
    Launch::new().args(args).run()
}

#[test]
fn commands_that_search_take_a_network() {
    let folder = Folder::new("network-commands");
    let file = folder.file("queens.net", queens(WIDTH));
    let suite =
        folder.file("suite.epd", format!("{} bm Qd5; id \"one\";\n", &QUEEN[..QUEEN.len() - 4]));
    let analyse = |more: &[&str]| {
        let args =
            [&["analyse", "--depth", "9", "--format", "json", "--threads", "1", QUEEN], more];
        let done = run(&args.concat());
        assert!(done.status.success(), "{}", done.out);
        done.out
    };
    let terms = analyse(&["--evaluator", "hand-crafted"]);
    assert_eq!(analyse(&["--eval-file", &file, "--evaluator", "hand-crafted"]), terms);
    let inside = analyse(&[]);
    assert_eq!(analyse(&["--evaluator", "network"]), inside);
    let queens = analyse(&["--eval-file", &file]);
    assert!(queens != terms && queens != inside && inside != terms);
    for (command, input) in [
        ("analyse", vec!["--depth", "1", QUEEN]),
        ("suite", vec!["--depth", "1", &suite]),
        ("play", vec!["--line", "--no-autosave"]),
    ] {
        let args = |file| [&[command, "--eval-file", file], input.as_slice()].concat();
        assert!(run(&args(&file)).status.success(), "{command}");
        let refused = run(&args(&suite));
        assert_eq!(refused.status.code(), Some(2), "{command}: {}", refused.out);
        assert!(refused.err.contains("as a network"), "{command}: {}", refused.err);
    }
    let solved = run(&["suite", "--depth", "3", "--eval-file", &file, &suite]);
    assert!(solved.status.success(), "{}", solved.out);
}
