//! What is promised about files, for the log and for what commands print.

use crate::support::engine::Finished;
use crate::support::writers::{
    OLD, Place, Way, Writer, exits_with_2, file_cases, unwritable_output_is_reported,
};

file_cases!(WRITERS);

const WRITERS: &[Writer] = &[
    Writer {
        name: "Debug Log File",
        run: |place, output| {
            let book = place.file("book.bin", BOOK);
            let name = "setoption name";
            let options = format!("{name} Book File value {book}\n{name} Debug Log File value ");
            place.run(&[], &format!("uci\n{options}{output}\nisready\n"))
        },
        proof: "<< readyok\n",
        reports: |finished| {
            finished.out.contains("info string error: the log is closed: ")
                || finished.out.contains("Debug Log File unchanged")
        },
        ..LOG
    },
    Writer {
        name: "the log of the XBoard protocol",
        run: |place, output| {
            let book = place.file("book.bin", BOOK);
            let options = format!("option Book File={book}\noption Debug Log File={output}\n");
            place.run(&[], &format!("xboard\nprotover 2\n{options}ping 1\n"))
        },
        proof: "<< pong 1\n",
        reports: |finished| finished.out.contains("Error ("),
        ..LOG
    },
    Writer {
        name: "savehash",
        run: |place, output| {
            let book = place.file("book.bin", BOOK);
            let search = format!("setoption name Book File value {book}\ngo nodes 100\n");
            place.run(&[], &format!("setoption name Hash value 1\n{search}savehash {output}\n"))
        },
        reports: |finished| {
            finished.out.contains("info string error: cannot save the hash table as ")
        },
        ..HASH
    },
    Writer {
        name: "savehash in the XBoard protocol",
        run: |place, output| {
            let book = place.file("book.bin", BOOK);
            let options = format!("protover 2\noption Hash=1\noption Book File={book}\n");
            place.run(&[], &format!("xboard\n{options}savehash {output}\n"))
        },
        reports: |finished| finished.out.contains("Error (cannot save the hash table as "),
        ..HASH
    },
];

const HASH: Writer = Writer { way: Way::ReplacesFile, proof: "TAMARINH", ..LOG };

const LOG: Writer = Writer {
    name: "",
    way: Way::Grows,
    old: |_| OLD.to_vec(),
    run: |_, _| unreachable!(),
    reports: |_| unreachable!(),
    proof: "",
    own: &[],
    input: Some("book.bin"),
};

/// 1. e4 in the start position.
const BOOK: &[u8] = b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\0\x01\0\0\0\0";

#[test]
fn results_on_standard_output_are_whole_or_reported() {
    unwritable_output_is_reported(&[
        &["--version"],
        &["--help"],
        &["perft", "--help"],
        &["help"],
        &["license"],
        &["uci"],
        &["d"],
        &["eval"],
        &["eval", "--json"],
        &["perft", "2"],
        &["perft", "2", "--json"],
        &["perft 2"],
        &["bench", "1", "1", "1"],
        &["go", "depth", "2"],
    ]);
}

#[test]
fn devices_without_end_are_refused_by_every_option_that_names_a_file() {
    let options = ["Book File", "EvalFile", "VariantPath"]
        .map(|name| format!("setoption name {name} value /dev/zero"));
    let commands =
        ["bench 1 1 1 /dev/zero", "genfens 1 seed 1 book /dev/zero", "loadhash /dev/zero"];
    for command in options.iter().map(String::as_str).chain(commands) {
        let place = Place::unbound();
        let Finished { out, err, status } = place.run(&[], &format!("{command}\nisready\n"));
        let printed = format!("{command}: {status}: {out}{err}");
        assert!(status.success() && out.ends_with("readyok\n"), "{printed}");
        assert!(out.contains("not a file") || out.contains("neither a file nor"), "{printed}");
    }
    let suite = Place::unbound().run(&["perft", "--suite", "/dev/zero"], "");
    assert!(exits_with_2(&suite) && suite.err.contains("it is a device"), "{}", suite.err);
}
