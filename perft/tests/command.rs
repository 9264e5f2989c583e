//! The program: what it prints, what it refuses, how it ends.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use serde_json::Value;

fn perft(arguments: &[&str]) -> Output {
    program(arguments).output().expect("the program starts")
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_perft"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes text")
}

/// A file with a suite, in a folder of its own.
fn suite(name: &str, content: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}.epd"));
    std::fs::write(&path, content).expect("the folder for tests can be written");
    path
}

fn run_suite(name: &str, content: &[u8], more: &[&str]) -> Output {
    let path = suite(name, content);
    let mut arguments = vec!["--suite", path.to_str().expect("a path that is text")];
    arguments.extend(more);
    perft(&arguments)
}

#[test]
fn divide_names_every_move_in_order() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let output = perft(&["1", fen, "--divide"]);
    let printed = text(&output.stdout);
    assert!(printed.contains("\n\nNodes searched: 26\nTime: ") && output.stderr.is_empty());
    let moves: Vec<&str> = printed.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(moves.len(), 26);
    assert!(moves.is_sorted());
    assert!(moves.contains(&"e1g1: 1") && moves.contains(&"e1c1: 1"));
    let output = perft(&["1", fen, "--divide", "--chess960"]);
    assert!(text(&output.stdout).contains("e1h1: 1\n"));
}

#[test]
fn json_is_one_object() {
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let output = perft(&["3", fen, "--json", "--threads", "2", "--hash", "1"]);
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for (member, value) in [
        ("fen", Value::from(fen)),
        ("depth", 3.into()),
        ("nodes", 2812.into()),
        ("threads", 2.into()),
        ("hash", 1.into()),
        ("partial", false.into()),
    ] {
        assert_eq!(object[member], value, "{member}");
    }
    assert!(object["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(object["nps"].as_u64().is_some());
    let divide = object["divide"].as_object().expect("an object of moves");
    assert_eq!(divide.len(), 14);
    assert_eq!(divide.values().filter_map(Value::as_u64).sum::<u64>(), 2812);
    let output = perft(&["1", "startpos", "--json", "--chess960"]);
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(object["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
}

/// Of the start position: Peter Österlund 2013, confirmed by Ankan Banerjee 2016.
const PERFT_14: u128 = 61_885_021_521_585_529_237;

#[test]
fn resumed_counts_begin_with_what_the_file_has() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("resumed.txt");
    let _ = std::fs::remove_file(&path);
    let file = path.to_str().expect("a path that is text");
    let resumed = |depth: &str| perft(&[depth, "startpos", "--divide", "--resume", file]);
    let whole = text(&resumed("3").stdout);
    let counts = |text: &str| text.split("\nTime").next().unwrap_or_default().to_owned();
    assert_eq!(counts(&whole), counts(&text(&perft(&["3", "startpos", "--divide"]).stdout)));
    let kept = std::fs::read_to_string(&path).expect("the file is there");
    let changed = kept.replace("e2e4 600\n", "e2e4 601\n");
    let write = |content: &str| std::fs::write(&path, content).expect("it can be written");
    for (content, depth, message) in [
        (changed.as_str(), "3", "is damaged: its checksum differs"),
        (&kept[..kept.len() - 1], "3", "is damaged: its checksum differs"),
        (&kept, "4", "belongs to another position or depth"),
        ("my notes", "3", "is no file of perft --resume"),
    ] {
        write(content);
        let output = resumed(depth);
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(message), "{complaint}");
        assert_eq!(std::fs::read_to_string(&path).expect("it stays"), content);
    }
    // What the file has is not counted again, right or wrong.
    let store = |text: &str| {
        write(&format!("{text}{:016x}\n", tamarin_base::Fnv1a::hash(text.as_bytes())));
    };
    let lines =
        |number| kept.lines().take(number).map(|line| format!("{line}\n")).collect::<String>();
    store(&lines(7).replace("b1c3 440\n", "b1c3 1\n"));
    assert!(text(&resumed("3").stdout).contains("Nodes searched: 8463\n"));
    // Perft(14) as published, from twenty stored subtrees; the sizes are made up, the sum is not.
    let stored = lines(3).replace("depth 3\n", "depth 14\n");
    let (share, rest) = (PERFT_14 / 20, PERFT_14 % 20);
    let subtree = |line: &str| format!("{} {share}\n", line.split(' ').next().unwrap_or_default());
    let subtrees: String = kept.lines().skip(3).take(20).map(subtree).collect();
    store(&(stored + &subtrees.replacen(&share.to_string(), &(share + rest).to_string(), 1)));
    assert!(text(&resumed("14").stdout).contains(&format!("Nodes searched: {PERFT_14}\n")));
}

#[test]
fn rejects_bad_arguments_with_a_message() {
    let cases: [(&[&str], &str); 9] = [
        (&["abc"], "\"abc\" is not a depth"),
        (&["-1"], "unexpected argument"),
        (&[], "required"),
        (&["3", "nonsense"], "bad position \"nonsense\""),
        (&["3", "--threads", "1025"], "threads"),
        (&["3", "--hash", "33554433"], "hash"),
        (&["3", "--max-nodes", "5"], "--suite"),
        (&["--suite", "no/such/file"], "cannot read no/such/file"),
        (&["--suite", env!("CARGO_MANIFEST_DIR")], "cannot read "),
    ];
    for (arguments, message) in cases {
        let output = perft(arguments);
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
        assert!(!complaint.contains("panicked"), "{complaint}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn rejects_bad_suites_line_by_line() {
    let lines = b"8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0\n\n4k3/8/8/8/8/8/8/4K2R w K - ;D1 x\n\xFF\n";
    let output = run_suite("bad", lines, &[]);
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    let starts: Vec<&str> =
        complaint.lines().map(|line| line.split(": ").nth(2).unwrap_or_default()).collect();
    assert_eq!(starts, ["line 1", "line 3", "line 4"], "{complaint}");
    let output = run_suite("empty", b"", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).ends_with(": the suite has no positions\n"));
    let output = run_suite("prose", "no suite\n".repeat(12).as_bytes(), &[]);
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(complaint.lines().count(), 11, "{complaint}");
    assert!(complaint.ends_with(": more bad lines: 2\n"), "{complaint}");
}

const SUITE: &[u8] = b"# two positions\n\
    4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197 ;D4 7059\n\
    4k2r/8/8/8/8/8/8/4K3 w k - 0 1 ;D1 5 ;D2 75 ;D3 459 ;D4 8290\n";

#[test]
fn right_suite_passes_and_wrong_count_is_shown_with_its_divide() {
    let output = run_suite("right", SUITE, &[]);
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{printed}");
    assert_eq!(printed.matches("  ok\n").count(), 2, "{printed}");
    assert!(printed.contains("\nPositions: 2, all right\nNodes searched: 17166\n"), "{printed}");
    let wrong = text(SUITE).replace("D3 1197", "D3 1198").replace("D2 75", "D2 76");
    let output = run_suite("wrong", wrong.as_bytes(), &[]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(printed.contains("WRONG at depth 3: 1197, should be 1198"), "{printed}");
    assert!(printed.contains("WRONG at depth 2: 75, should be 76"), "{printed}");
    assert!(printed.contains("First wrong count: line 2, depth 3\n"), "{printed}");
    assert!(printed.contains("\ne1g1: 48\n"), "{printed}");
    assert!(printed.contains("Positions: 2, 2 WRONG\n"), "{printed}");
    let output = run_suite("wrong_too", wrong.as_bytes(), &["--json"]);
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(object["mismatches"].as_array().map(Vec::len), Some(2));
    assert_eq!(object["mismatches"][0]["found"], 1197);
}

/// Blocks until the process has a handler for the interrupt, which would end it before that.
#[cfg(target_os = "linux")]
fn wait_until_interrupts_are_caught(process: u32) {
    const PATIENCE: Duration = Duration::from_secs(60);
    const SIGINT: u32 = 2;
    let begin = Instant::now();
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
        let mask = u64::from_str_radix(mask.trim(), 16).expect("a number");
        mask >> (SIGINT - 1) & 1 == 1
    };
    while !caught() {
        assert!(begin.elapsed() < PATIENCE, "no handler for the interrupt");
        std::thread::yield_now();
    }
}

/// Only Linux shows the signals that a process catches.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_gives_the_partial_result() {
    for (arguments, mark) in [
        (vec!["15"], " (partial: stopped)\nTime: "),
        (vec!["15", "--json", "--hash", "1"], "\"partial\":true"),
    ] {
        let child = program(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        wait_until_interrupts_are_caught(child.id());
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("kill is there").success());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(130));
        assert!(text(&output.stdout).contains(mark), "{}", text(&output.stdout));
    }
}
