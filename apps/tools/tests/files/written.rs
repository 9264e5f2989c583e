//! Every file that a command writes, in every case.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::support::engine::{Finished, binary};
use crate::support::writers::{
    OLD, Place, Way, Writer, exits_with_2, file_cases, unwritable_output_is_reported,
};

file_cases!(WRITERS);

/// All writers. A new one is one entry more.
const WRITERS: &[Writer] = &[
    Writer {
        name: "analyse",
        run: |place, output| analyse(place, &place.file("games.pgn", GAMES), output),
        proof: "[Event \"two\"]",
        own: REPORT,
        input: Some("games.pgn"),
        ..COMMAND
    },
    Writer {
        name: "analyse of a position",
        run: |place, output| analyse(place, "4k3/8/8/8/8/8/8/4K2R w K -", output),
        proof: "4k3/8/8/8/8/8/8/4K2R",
        own: REPORT,
        ..COMMAND
    },
    Writer {
        name: "analyse --puzzles",
        run: |place, output| {
            let games = place.file("games.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n");
            let limits = ["-n", "2000", "--threads", "1", "--hash", "1"];
            place.run(&[&["analyse", &games, "--puzzles", output], &limits[..]].concat(), "")
        },
        proof: "c0 \"played: 2. g4",
        own: REPORT,
        input: Some("games.pgn"),
        ..COMMAND
    },
    Writer {
        name: "analyse --hash-file",
        way: Way::ReplacesFile,
        old: |place| {
            let output = place.name("out");
            analyse_with_hash(place, &output);
            std::fs::read(output).expect("a hash table")
        },
        run: analyse_with_hash,
        proof: "TAMARINH",
        input: Some("games.pgn"),
        ..COMMAND
    },
    Writer {
        name: "book make",
        run: |place, output| {
            let games = place.file("games.pgn", GAMES);
            place.run(&["book", "make", &games, "-o", output, "--min-games", "1"], "")
        },
        // The first bytes of the key of the position after 1. e4.
        proof: "\u{3}",
        own: &[".rejected.pgn"],
        input: Some("games.pgn"),
        ..COMMAND
    },
    Writer {
        name: "book make --rejected",
        run: |place, output| {
            let games = place.file("games.pgn", format!("{GAMES}{BAD}"));
            let book = place.name("state/book.bin");
            let rejected = ["--rejected", output, "--min-games", "1"];
            place.run(&[&["book", "make", &games, "-o", &book], &rejected[..]].concat(), "")
        },
        proof: "[Event \"bad\"]",
        input: Some("games.pgn"),
        ..COMMAND
    },
    Writer {
        name: "play --save",
        run: |place, output| play(place, &["--save", output], "e5\nquit\n"),
        reports: |finished| {
            exits_with_2(finished) || finished.out.contains("The game cannot be kept in ")
        },
        ..GAME
    },
    Writer {
        name: "save in play",
        run: |place, output| play(place, &[], &format!("e5\nsave {output}\nquit\n")),
        ..GAME
    },
    Writer {
        name: "svg in play",
        run: |place, output| play(place, &[], &format!("e5\nsvg {output}\nquit\n")),
        proof: "</svg>",
        ..GAME
    },
    Writer {
        name: "play --variant --save",
        run: |place, output| play_variant(place, &["--save", output], "Kc2\nquit\n"),
        reports: |finished| {
            exits_with_2(finished) || finished.out.contains("; the game is not kept any more")
        },
        ..VARIANT_GAME
    },
    Writer {
        name: "save in play --variant",
        run: |place, output| play_variant(place, &[], &format!("Kc2\nsave {output}\nquit\n")),
        ..VARIANT_GAME
    },
    Writer {
        name: "variant selfplay --pgn",
        run: |place, output| selfplay(place, &["--pgn", output, "--games", "1"]),
        proof: "[Variant ",
        input: Some("rules.var"),
        ..COMMAND
    },
    Writer {
        name: "variant selfplay --out",
        way: Way::Grows,
        old: |place| {
            let output = place.name("out");
            selfplay(place, &["--out", &output, "--games", "1"]);
            std::fs::read(output).expect("a game")
        },
        run: |place, output| selfplay(place, &["--out", output, "--games", "2"]),
        proof: "\"number\":1",
        input: Some("rules.var"),
        ..COMMAND
    },
    Writer {
        name: "variant learn",
        run: |place, output| {
            let small = ["--games", "10", "--nodes", "50", "--threads", "1", "--quiet"];
            place.file("rules.var", NARROW);
            place.run(
                &[&["variant", "learn", "rules.var", "--out", output], &small[..]].concat(),
                "",
            )
        },
        proof: "tamarin-eval 1",
        own: &[".games"],
        input: Some("rules.var"),
        ..COMMAND
    },
    Writer {
        name: "variant serve --pgn",
        way: Way::Grows,
        run: |place, output| serve(place, &["--pgn", output]),
        proof: "[Variant ",
        input: Some("rules.var"),
        ..COMMAND
    },
    Writer {
        name: "variant connect --pgn",
        way: Way::Grows,
        run: |place, output| connect(place, &["--pgn", output]),
        proof: "[Variant ",
        input: Some("rules.var"),
        ..COMMAND
    },
];

/// A command that ends when it has written.
const COMMAND: Writer = Writer {
    name: "",
    way: Way::Replaces,
    old: |_| OLD.to_vec(),
    run: |_, _| unreachable!(),
    reports: exits_with_2,
    proof: "",
    own: &[],
    input: None,
};

/// A game that goes on whatever becomes of its file.
const GAME: Writer = Writer {
    reports: |finished| exits_with_2(finished) || finished.out.contains("\n! "),
    proof: "1. e4 e5 *",
    input: Some("game.pgn"),
    ..COMMAND
};

const VARIANT_GAME: Writer = Writer { proof: "1. Kc2", input: Some("rules.var"), ..GAME };

const REPORT: &[&str] = &[".partial", ".rejected", ".rejected.partial", ".state"];

/// A game that is over soon.
const NARROW: &str = "@royal k\n@stalemate loss\nk W1F1\nr W\n\nr k .\n. . .\n. K R\n";

const GAMES: &str = "[Event \"one\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
    [Event \"two\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n";

const BAD: &str = "[Event \"bad\"]\n[Result \"1-0\"]\n\n1. e5 1-0\n\n";

/// A game that two kings and two rooks play on nine squares.
const RULES: &str = "@royal k\nk W1\nr W\n\nk r .\n. . .\n. R K\n";

fn analyse(place: &Place, input: &str, output: &str) -> Finished {
    let limits = ["-f", "pgn", "-n", "10", "--threads", "1", "--hash", "1"];
    place.run(&[&["analyse", input, "-o", output], &limits[..]].concat(), "")
}

fn analyse_with_hash(place: &Place, hash_file: &str) -> Finished {
    let games = place.file("games.pgn", GAMES);
    let limits = ["-n", "10", "--threads", "1", "--hash", "1"];
    place.run(&[&["analyse", &games, "--hash-file", hash_file], &limits[..]].concat(), "")
}

fn play(place: &Place, arguments: &[&str], input: &str) -> Finished {
    let game = place.file("game.pgn", "1. e4 *\n");
    let common = ["play", "--side", "both", "--no-autosave", "--no-book", "--load", &game];
    place.run(&[&common, arguments].concat(), input)
}

fn play_variant(place: &Place, arguments: &[&str], input: &str) -> Finished {
    let rules = rules(place);
    place.run(&[&["play", "--side", "both", "--variant", rules], arguments].concat(), input)
}

/// The rules by a name without its folder, which is part of the results.
fn rules(place: &Place) -> &'static str {
    place.file("rules.var", RULES);
    "rules.var"
}

fn selfplay(place: &Place, arguments: &[&str]) -> Finished {
    let rules = rules(place);
    let common = ["variant", "selfplay", rules, "--depth", "1", "--concurrency", "1"];
    place.run(&[&common, arguments].concat(), "")
}

const ONE_GAME: [&str; 8] =
    ["variant", "serve", "--listen", "127.0.0.1:0", "--connections", "1", "--depth", "1"];

/// A server with these arguments, to which another program connects for a game.
fn serve(place: &Place, arguments: &[&str]) -> Finished {
    let mut server = place.command();
    server.args(ONE_GAME).args(["--file", rules(place)]).args(arguments);
    server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = server.spawn().expect("the program starts");
    let mut out = BufReader::new(server.stdout.take().expect("a pipe"));
    let mut text = String::new();
    out.read_line(&mut text).expect("text");
    if let Some(address) = text.trim_end().strip_prefix("listening on ") {
        let mut peer = Command::new(binary());
        peer.args(["variant", "connect", address, "--variant", rules(place), "--depth", "1"]);
        peer.current_dir(place.path(".")).output().expect("the program starts");
    }
    out.read_to_string(&mut text).expect("text");
    let output = server.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("text");
    Finished { out: text, err, status: output.status }
}

/// A client with these arguments, which plays a game with a server.
fn connect(place: &Place, arguments: &[&str]) -> Finished {
    let mut server = Command::new(binary());
    server.args(ONE_GAME).args(["--file", rules(place)]).current_dir(place.path("."));
    server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = server.spawn().expect("the program starts");
    let mut line = String::new();
    let mut out = BufReader::new(server.stdout.take().expect("a pipe"));
    out.read_line(&mut line).expect("text");
    let address = line.trim_end().strip_prefix("listening on ").expect("an address");
    let common = ["variant", "connect", address, "--variant", rules(place), "--depth", "1"];
    let finished = place.run(&[&common, arguments].concat(), "");
    // A client that refused its file never came.
    let _ = server.kill();
    server.wait().expect("it ends");
    finished
}

#[test]
fn results_on_standard_output_are_whole_or_reported() {
    const SUITE: &str = "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let suite = folder.path().join("suite.epd");
    std::fs::write(&suite, SUITE).expect("there is room");
    let suite = suite.to_str().expect("a plain path");
    unwritable_output_is_reported(&[
        &["--version"],
        &["--help"],
        &["analyse", "--help"],
        &["analyse", "startpos", "-n", "10"],
        &["suite", suite, "-n", "10"],
        &["suite", suite, "-n", "10", "--json"],
        &["mate", "4k3/8/8/8/8/8/8/4K2R w K -", "1"],
        &["book", "show", "e4"],
        &["variant", "list"],
        &["variant", "check", "fide"],
        &["variant", "selfplay", "fide", "--depth", "1", "--games", "1"],
    ]);
}
