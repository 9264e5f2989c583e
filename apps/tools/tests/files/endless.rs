//! Input without an end is refused before it fills the memory or takes for ever.

use crate::support::Launch;
use crate::support::engine::{Finished, binary};
use crate::support::writers::finish;
use std::process::{Command, Stdio};

#[test]
fn devices_without_end_are_refused_by_every_command_that_reads_a_file() {
    const END: &str = "/dev/zero";
    // Its folder has to be there, but the book is never written.
    let book = std::env::temp_dir().join(format!("tamarin-no-book-{}.bin", std::process::id()));
    let commands: [&[&str]; 15] = [
        &["analyse", END],
        &["analyse", "startpos", "-n", "10", "--eval-file", END],
        &["analyse", "startpos", "-n", "10", "--hash-file", END],
        &["suite", END],
        &["suite", END, "--eval-file", END],
        &["book", "make", END, "-o", book.to_str().unwrap()],
        &["book", "show", "--book", END],
        &["book", "check", END],
        &["play", "--load", END],
        &["play", "--puzzles", END],
        &["play", "--eval-file", END],
        &["play", "--variant", END],
        &["play", "--variant", "fide", "--load", END],
        &["variant", "check", END],
        &["variant", "import", END],
    ];
    for arguments in commands {
        let Finished { out, err, status } = Launch::new().args(arguments).run();
        let printed = format!("{arguments:?}: {status}: {out}{err}");
        assert_eq!(status.code(), Some(2), "{printed}");
        let clear = ["not a file", "neither a file nor a", "is a device"];
        assert!(clear.iter().any(|words| err.contains(words)), "{printed}");
        assert!(err.len() < 1_000, "{printed}");
    }
    assert!(!book.exists());
}

#[test]
fn devices_without_end_are_refused_in_a_game() {
    for variant in [&[][..], &["--variant", "fide"]] {
        let mut command = Command::new(binary());
        command.args(["play", "--side", "both", "--no-autosave"]).args(variant);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let Finished { out, err, status } = finish(command, "load /dev/zero\nquit\n");
        assert!(status.success() && out.contains("! /dev/zero: it is a device"), "{out}{err}");
    }
}
