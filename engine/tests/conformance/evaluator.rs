//! The options `Evaluator` and `EvalFile`: networks that are used and files that are refused, and
//! the commands that evaluate or search.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::support::check::sound;
use crate::support::engine::Finished;
use crate::support::files::{Folder, text};
use crate::support::network_file::{WIDTH, queens, signed};
use crate::support::oracle::Notation;
use crate::support::xboard::Client;
use crate::support::{Engine, Launch, Oracle};

/// White is a queen ahead, and Black a pawn.
const QUEEN: &str = "4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1";

/// What the session says of the position with a queen more.
fn evaluation(engine: &mut Engine) -> Value {
    engine.send(&format!("position fen {QUEEN}\neval --json"));
    let lines = engine.sync();
    let text = &lines.first().expect("an answer").text;
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Is the network of queens loaded?
fn knows_queens(evaluation: &Value) -> bool {
    evaluation["network"]["description"] == "nothing but queens"
}

/// The nodes of a benchmark of one position.
fn bench(engine: &mut Engine) -> String {
    engine.send(&format!("position fen {QUEEN}\nbench 1 1 9 current"));
    let lines = engine.sync();
    let nodes = lines.iter().find_map(|line| line.text.split_once(" nodes "));
    nodes.expect("the total").0.to_owned()
}

fn run(args: &[&str]) -> Finished {
    Launch::new().args(args).run()
}

#[test]
fn a_network_evaluates_once_it_is_chosen() {
    let folder = Folder::new("network");
    let file = folder.file("queens.net", queens(WIDTH));
    let mut engine = Engine::ready();
    assert_eq!(evaluation(&mut engine)["evaluator"], "network");
    engine.quietly("setoption name Evaluator value hand-crafted");
    let terms = evaluation(&mut engine);
    assert_eq!(terms["evaluator"], "hand-crafted");
    let nodes = bench(&mut engine);
    let notes = engine.notes(&format!("setoption name EvalFile value {file}"));
    let description = "Network: width 32, one output bucket: nothing but queens";
    assert_eq!(notes, [format!("{description}; not in use: Evaluator is hand-crafted")]);
    assert_eq!(bench(&mut engine), nodes, "it was not chosen");
    engine.quietly("setoption name Evaluator value network");
    let network = evaluation(&mut engine);
    assert!(knows_queens(&network) && network["evaluator"] == "network");
    assert_eq!(network["score"], json!({ "units": 30, "centipawns": 21 }));
    assert_eq!(network["score"], network["network"]["score"]);
    assert_eq!(terms["score"], terms["hand_crafted"]["score"]);
    assert_eq!(network["hand_crafted"], terms["hand_crafted"]);
    assert_ne!(network["score"], terms["score"]);
    let by_network = bench(&mut engine);
    assert_ne!(by_network, nodes);
    assert_eq!(bench(&mut engine), by_network);
    sound(&engine.go("go depth 5"), &Oracle::new(QUEEN, Notation::Classic));
    engine.quietly("setoption name Evaluator value hand-crafted");
    assert_eq!(bench(&mut engine), nodes);
    engine.quit();
}

#[test]
fn the_options_of_the_evaluator_come_in_any_order() {
    let folder = Folder::new("network-order");
    let file = folder.file("queens.net", queens(WIDTH));
    let nodes = ["Evaluator", "EvalFile"].map(|first| {
        let mut engine = Engine::ready();
        let set = [
            "setoption name Evaluator value network".to_owned(),
            format!("setoption name EvalFile value {file}"),
        ];
        engine.quietly("setoption name Evaluator value hand-crafted");
        let order = if first == "Evaluator" { [0, 1] } else { [1, 0] };
        order.into_iter().for_each(|index| drop(engine.notes(&set[index])));
        assert!(knows_queens(&evaluation(&mut engine)));
        let nodes = bench(&mut engine);
        engine.quit();
        nodes
    });
    assert_eq!(nodes[0], nodes[1]);
}

/// Files that are no network, with a word of what is said of each.
fn bad_files(folder: &Folder) -> Vec<(String, &'static str)> {
    let good = queens(WIDTH);
    let content = &good[..good.len() - 8];
    let changed = |index: usize, byte: u8| {
        let mut bytes = content.to_vec();
        bytes[index] = byte;
        signed(bytes)
    };
    let mut damaged = good.clone();
    damaged[5_000] ^= 4;
    let longer = [good.as_slice(), b"!"].concat();
    let file = |name: &str, bytes: &[u8]| folder.file(name, bytes);
    vec![
        (text(&folder.0.join("missing")), "No such file"),
        (text(&folder.0), "not a file"),
        (folder.pipe("pipe"), "not a file"),
        ("/dev/zero".to_owned(), "not a file"),
        (file("empty", b""), "not a network"),
        (file("text", b"once upon a time there was a network"), "not a network"),
        (file("beginning", &good[..13]), "cut off after 13 bytes"),
        (file("cut", &good[..good.len() - 1]), "instead of"),
        (file("longer", &longer), "instead of"),
        (file("large", &vec![0; 8 << 20]), "of the largest network"),
        (file("damaged", &damaged), "checksum"),
        (file("version", &changed(8, 9)), "version 9"),
        (file("width", &changed(10, 33)), "width is 33"),
        (file("buckets", &changed(12, 3)), "3 output buckets"),
        (file("description", &changed(20, 0xff)), "UTF-8"),
        (file("weight", &changed(101, 0x70)), "feature weight"),
    ]
}

#[test]
fn a_file_that_is_no_network_is_refused_and_the_one_in_force_stays() {
    let folder = Folder::new("bad-networks");
    let file = folder.file("queens.net", queens(WIDTH));
    let bad = bad_files(&folder);
    let locked = folder.file("locked", queens(WIDTH));
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("it is ours");
    if let Some(launch) = Launch::bound_by_rights(fs::File::open(&locked).is_ok(), &folder.0) {
        let mut engine = launch.start();
        let notes = engine.notes(&format!("setoption name EvalFile value {locked}"));
        assert!(notes.len() == 1 && notes[0].contains("Permission denied"), "{notes:?}");
        assert!(notes[0].contains("EvalFile unchanged"), "{notes:?}");
        engine.quit();
    }
    let mut engine = Engine::ready();
    engine.notes(&format!("setoption name EvalFile value {file}"));
    let nodes = bench(&mut engine);
    for (path, word) in bad {
        let notes = engine.notes(&format!("setoption name EvalFile value {path}"));
        assert_eq!(notes.len(), 1, "{path}: {notes:?}");
        assert!(notes[0].contains(word) && notes[0].contains("EvalFile unchanged"), "{notes:?}");
        assert!(knows_queens(&evaluation(&mut engine)), "{path}");
        let refused = run(&["eval", "--eval-file", &path]);
        assert_eq!((refused.status.code(), refused.out.as_str()), (Some(2), ""), "{path}");
    }
    assert_eq!(bench(&mut engine), nodes);
    engine.notes("setoption name EvalFile value <empty>");
    assert!(!knows_queens(&evaluation(&mut engine)));
    engine.quit();
}

#[test]
fn the_network_inside_the_program_is_used_without_a_file() {
    let folder = Folder::new("network-inside");
    let file = folder.file("queens.net", queens(WIDTH));
    let mut engine = Engine::ready();
    let inside = bench(&mut engine);
    engine.quietly("setoption name Evaluator value hand-crafted");
    let terms = bench(&mut engine);
    engine.quietly("setoption name Evaluator value network");
    assert_eq!(bench(&mut engine), inside);
    assert_ne!(inside, terms);
    sound(&engine.go("go depth 3"), &Oracle::new(QUEEN, Notation::Classic));
    engine.notes(&format!("setoption name EvalFile value {file}"));
    let queens = bench(&mut engine);
    assert!(queens != inside && queens != terms);
    engine.quietly("setoption name EvalFile value <empty>");
    assert_eq!(bench(&mut engine), inside);
    engine.quietly("setoption name Evaluator value hand-crafted");
    assert_eq!(bench(&mut engine), terms);
    engine.quit();
    // The last line repeats the figure of the evaluator in force.
    for (name, title) in [("network", "Network"), ("hand-crafted", "Hand-crafted")] {
        let shown = run(&["eval", "--evaluator", name]);
        assert!(shown.status.success(), "{}", shown.err);
        let line =
            shown.out.lines().find(|line| line.starts_with(&format!("{title} evaluation: ")));
        let (_, figure) = line.and_then(|line| line.split_once(": ")).expect("its evaluation");
        let last = figure.replace("White's view", &format!("White's view, {name}"));
        assert_eq!(
            shown.out.trim_end().lines().last(),
            Some(&*format!("Final evaluation: {last}"))
        );
    }
    assert!(run(&["eval"]).out.trim_end().ends_with(" (White's view, network)"));
}

#[test]
fn eval_shows_what_each_piece_is_worth_to_the_network() {
    let folder = Folder::new("network-eval");
    let file = folder.file("queens.net", queens(WIDTH));
    let shown = run(&["eval", "--eval-file", &file, QUEEN]);
    assert!(shown.status.success(), "{}", shown.out);
    let values: Vec<&str> = shown.out.lines().filter(|line| line.contains("+0.21")).collect();
    // Below the queen, and the whole.
    assert_eq!(values[0], "|       |       |       | +0.21 |       |       |       |       |");
    assert_eq!(values[1], "Network evaluation: +0.21 (White's view)");
    assert_eq!(values[2], "Final evaluation: +0.21 (White's view, network)");
    assert!(shown.out.contains("Mobility") && shown.out.contains("Hand-crafted evaluation: "));
    let json = |fen: &str, more: &[&str]| -> Value {
        let args = [&["eval", "--json", "--eval-file", &file, fen], more].concat();
        serde_json::from_str(&run(&args).out).expect("one JSON object")
    };
    for fen in [QUEEN, &QUEEN.replace(" w ", " b ")] {
        let found = json(fen, &[]);
        let network = &found["network"];
        assert_eq!(network["score"], json!({ "units": 30, "centipawns": 21 }), "{fen}");
        let shape = ["width", "buckets", "bucket"].map(|name| network[name].as_i64());
        assert_eq!(shape, [Some(32), Some(1), Some(0)]);
        let pieces = json!([
            { "square": "d1", "piece": "Q", "units": 30 },
            { "square": "e1", "piece": "K", "units": null },
            { "square": "e7", "piece": "p", "units": 0 },
            { "square": "e8", "piece": "k", "units": null },
        ]);
        assert_eq!(network["pieces"], pieces, "{fen}");
    }
    // Without the knight on e4 a king would stand in check.
    let pinned = json("4k3/8/8/8/4n3/8/P7/K3R3 w - - 0 1", &["--evaluator", "hand-crafted"]);
    assert_eq!(pinned["evaluator"], "hand-crafted");
    let knight = pinned["network"]["pieces"].as_array().expect("a list");
    let knight = knight.iter().find(|piece| piece["piece"] == "n").expect("it is there");
    assert_eq!(knight["units"], Value::Null);
    let check = json("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", &[]);
    assert_eq!(
        (&check["network"]["score"], &check["network"]["pieces"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn commands_of_the_engine_take_a_network() {
    let folder = Folder::new("network-commands");
    let file = folder.file("queens.net", queens(WIDTH));
    let other = folder.file("text.net", "no network");
    assert!(run(&["eval", "--eval-file", &file, QUEEN]).status.success());
    let refused = run(&["eval", "--eval-file", &other, QUEEN]);
    assert_eq!(refused.status.code(), Some(2), "{}", refused.out);
    assert!(refused.err.contains("as a network"), "{}", refused.err);
    let sum = run(&[&format!("setoption name EvalFile value {file}"), "bench 1 1 3"]);
    assert!(sum.status.success() && sum.out.contains(" nodes "), "{}", sum.out);
}

#[test]
fn xboard_clients_choose_the_evaluator_too() {
    let folder = Folder::new("network-xboard");
    let file = folder.file("queens.net", queens(WIDTH));
    let mut client = Client::ready();
    let description = client.said(&format!("option EvalFile={file}"));
    assert_eq!(description, ["# Network: width 32, one output bucket: nothing but queens"]);
    client.quietly("option Evaluator=hand-crafted");
    let refused = client.said("option EvalFile=/no/such/file");
    assert!(refused.len() == 1 && refused[0].starts_with("Error (cannot use"), "{refused:?}");
    client.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn a_network_for_which_there_is_no_memory_is_reported_and_the_evaluator_before_it_stays() {
    const THREADS: usize = 32;
    // The accumulators of the wide network take 35,000 KiB in all threads, and nothing that is
    // free inside the process can hold them. Everything else has to leave a reserve of 24 MiB.
    const LESS: u64 = 32_000;
    let folder = Folder::new("network-memory");
    // Its accumulators take more than a megabyte a thread.
    let wide = folder.file("wide.net", queens(1024));
    let load = format!("setoption name EvalFile value {wide}");
    let threads = format!("setoption name Threads value {THREADS}");

    let mut engine = Launch::one_arena().start();
    engine.sync();
    let before = engine.status("VmSize:");
    engine.quietly(&threads);
    let for_threads = engine.status("VmSize:") - before;
    println!("{THREADS} threads take {for_threads} KiB of address space");
    engine.allow_more_memory(LESS);
    let notes = engine.notes(&load);
    assert!(notes.len() == 1 && notes[0].contains("no memory"), "{notes:?}");
    assert!(notes[0].contains("EvalFile unchanged"), "{notes:?}");
    assert!(!knows_queens(&evaluation(&mut engine)));
    engine.send("ucinewgame\nposition startpos");
    sound(&engine.go("go depth 5"), &Oracle::startpos());
    engine.quietly("setoption name Evaluator value hand-crafted");
    let notes = engine.notes(&load);
    assert!(knows_queens(&evaluation(&mut engine)), "{notes:?}");
    let notes = engine.notes("setoption name Evaluator value network");
    assert!(notes.len() == 1 && notes[0].contains("Evaluator unchanged"), "{notes:?}");
    assert_eq!(evaluation(&mut engine)["evaluator"], "hand-crafted");
    engine.send("ucinewgame\nposition startpos");
    sound(&engine.go("go depth 5"), &Oracle::startpos());
    engine.quit();

    // The network in force counts for new threads: there is room for them without it.
    for (network, suffices) in [(false, true), (true, false)] {
        let mut engine = Launch::one_arena().start();
        engine.sync();
        if network {
            engine.notes(&load);
        }
        engine.allow_more_memory(for_threads + LESS);
        let notes = engine.notes(&threads);
        if suffices {
            assert!(notes.is_empty(), "{notes:?}");
        } else {
            assert!(notes.len() == 1 && notes[0].contains("Threads stays at 1"), "{notes:?}");
            engine.quietly("setoption name Threads value 4");
        }
        sound(&engine.go("go depth 5"), &Oracle::startpos());
        engine.quit();
    }
}
