//! Runs that are cut off, and how they go on.

use std::fs;
use std::thread;
use std::time::Instant;

use crate::analysis::analyse::GAMES;
use crate::support::engine::{good, run};
use crate::support::files::Folder;
use crate::support::{Launch, PATIENCE, Random, ms, signal};

/// Waits until the state beside a report says that something is done.
fn wait_for_progress(folder: &Folder, report: &str) {
    let begin = Instant::now();
    let state = format!("{report}.state");
    while begin.elapsed() < PATIENCE {
        let text = fs::read_to_string(folder.path(&state)).unwrap_or_default();
        if text.contains("\"good\":") && !text.contains("\"good\":0,") {
            return;
        }
        thread::sleep(ms(20));
    }
    panic!("no progress");
}

#[test]
fn long_after_a_kill_there_is_the_old_report_or_the_new_one_and_the_run_goes_on() {
    let folder = Folder::new();
    let bad = "[Event \"bad\"]\n\n1. e5 *\n\n";
    let games = folder.file("games.pgn", format!("{GAMES}{bad}").repeat(30));
    let whole = folder.name("whole.html");
    assert_eq!(run(&["analyse", &games, "-o", &whole, "-n", "1500", "-q"]).code(), 1);
    let new = folder.read("whole.html").replace("whole", "report");
    let report = folder.file("report.html", "old");
    let arguments = ["analyse", &games, "-o", &report, "-n", "1500"];
    let mut random = Random::new(11);
    let mut ended = false;
    for _ in 0..25 {
        let mut child = Launch::new().args(&arguments).spawn();
        thread::sleep(ms(20 + random.below(180) as u64));
        let _ = child.kill();
        ended |= child.wait().expect("it has ended").success();
        let text = folder.read("report.html");
        assert!(text == "old" || text == new, "half a report of {} bytes", text.len());
        if text == new {
            ended = true;
            break;
        }
    }
    let last = run(&arguments);
    assert!(ended || last.code() == 1, "{}", last.err);
    assert!(folder.read("report.html") == new, "the report differs from that of one run");
    assert_eq!(folder.read("report.html.rejected"), folder.read("whole.html.rejected"));
    assert!(!folder.has("report.html.partial") && !folder.has("report.html.state"));
}

#[test]
fn interrupted_run_is_resumed_where_it_stopped() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES.repeat(8));
    let report = folder.name("report.json");
    let arguments = ["analyse", &games, "-o", &report, "-t", "30", "--threads", "1"];
    let begin = Instant::now();
    let output = loop {
        let child = Launch::new().args(&arguments).spawn();
        wait_for_progress(&folder, "report.json");
        signal(child.id(), "-INT");
        let output = child.wait_with_output().expect("it ends");
        // Where other work delays the signal for as long as the games take, the run is whole: then
        // there was no interruption yet.
        if output.status.code() != Some(0) {
            break output;
        }
        assert!(begin.elapsed() < PATIENCE, "it never ends by the interrupt");
        fs::remove_file(folder.path("report.json")).expect("the whole report");
    };
    assert_eq!(output.status.code(), Some(130));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("interrupted after ") && message.contains("goes on"), "{message}");
    assert!(!folder.has("report.json"));
    // It ends before the games do.
    let partial = folder.read("report.json.partial");
    let count = partial.lines().count();
    assert!((1..16).contains(&count), "{count}");
    // It may have other threads.
    let done = good(&[&arguments[..7], &["2"]].concat());
    let what = if count == 1 { "game or position" } else { "games and positions" };
    assert!(done.err.contains(&format!("going on after {count} {what}\n")), "{}", done.err);
    // The games that were done are not done again: searches that end by time never repeat all
    // their counts of nodes.
    let whole = folder.read("report.json");
    assert!(whole.starts_with(&partial), "{whole}");
    let numbers: Vec<u64> = whole
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"))
        .filter_map(|game| game["game"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=16).collect::<Vec<_>>());
}

#[test]
fn rejects_other_options_than_those_of_the_cut_off_run() {
    let folder = Folder::new();
    // More than are done in ten minutes.
    let games = folder.file("games.pgn", GAMES.repeat(2_000));
    let report = folder.name("report.json");
    let mut child = Launch::new()
        .args(&["analyse", &games, "-o", &report, "-t", "30", "--threads", "1"])
        .spawn();
    wait_for_progress(&folder, "report.json");
    // While it runs no other one may write there.
    let busy = run(&["analyse", &games, "-o", &report, "-t", "30", "--threads", "1"]);
    assert_eq!(busy.code(), 2, "{}", busy.err);
    assert!(busy.err.contains("another run is writing it"), "{}", busy.err);
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    let other = run(&["analyse", &games, "-o", &report, "-n", "50"]);
    assert_eq!(other.code(), 2);
    assert!(
        other.err.contains("other options") && other.err.contains("--restart"),
        "{}",
        other.err
    );
    fs::write(&games, GAMES.repeat(2)).expect("there is room");
    let changed = run(&["analyse", &games, "-o", &report, "-t", "30", "--threads", "1"]);
    assert_eq!(changed.code(), 2, "{}", changed.err);
    good(&["analyse", &games, "-o", &report, "-n", "50", "--restart"]);
    assert_eq!(folder.read("report.json").lines().count(), 4);
}

#[test]
fn damaged_state_is_ignored() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let report = folder.name("report.json");
    let arguments = ["analyse", &games, "-o", &report, "-n", "50", "-q"];
    for state in ["", "{}", "{\"run\":1}", "\u{0}", "[1,2", "{\"report\":99999,\"run\":\"\"}"] {
        fs::write(folder.path("report.json.state"), state).expect("there is room");
        fs::write(folder.path("report.json.partial"), "junk").expect("there is room");
        good(&arguments);
        assert_eq!(folder.read("report.json").lines().count(), 2, "{state:?}");
        assert!(!folder.has("report.json.partial") && !folder.has("report.json.state"));
    }
}
