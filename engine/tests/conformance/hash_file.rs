//! `savehash` and `loadhash`: a search that goes on in another process, and files that are refused.
//! How a file is checked is tested in `search`, how it is written in `base::files`.

#![cfg(unix)]

use std::fs;

use crate::support::Engine;
use crate::support::engine::Line;
use crate::support::files::Folder;
use crate::support::network_file::{WIDTH, queens};

const MIDDLEGAME: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

/// An engine with a table of this size at the position that is searched.
fn engine(mebibytes: u32) -> Engine {
    let mut engine = Engine::ready();
    engine.quietly(&format!("setoption name Hash value {mebibytes}\n{MIDDLEGAME}"));
    engine
}

fn note(engine: &mut Engine, command: &str) -> String {
    let notes = engine.notes(command);
    let [note] = &notes[..] else { panic!("{command}: {notes:?}") };
    note.clone()
}

fn nodes(engine: &mut Engine, depth: u32) -> i64 {
    engine.go(&format!("go depth {depth}")).last().nodes.expect("a count")
}

#[test]
fn a_search_goes_on_in_another_process() {
    let folder = Folder::new();
    let path = folder.name("deep search.hash");
    let mut first = engine(2);
    first.go("go nodes 60000");
    let saved = note(&mut first, &format!("savehash {path}"));
    assert!(saved.starts_with("hash saved: ") && saved.ends_with(" entries of 2 MiB"), "{saved}");
    let wanted = nodes(&mut first, 14);
    first.quit();
    let mut second = engine(2);
    let loaded = note(&mut second, &format!("loadhash {path}"));
    assert_eq!(loaded, saved.replace("saved", "loaded").replace(" of 2 MiB", ""));
    assert_eq!(nodes(&mut second, 14), wanted, "one process or two");
    // Again, over the old file.
    let again = note(&mut second, &format!("savehash {path}"));
    assert!(again.contains("; replaced a file of "), "{again}");
    second.quietly("setoption name Hash value 1\nsetoption name Threads value 2");
    let loaded = note(&mut second, &format!("loadhash {path}"));
    assert!(loaded.contains("; it was saved with Hash 2, 1 is in force"), "{loaded}");
    assert!(loaded.contains("; it was saved with Threads 1, 2 is in force"), "{loaded}");
    second.quit();
}

#[test]
fn the_commands_wait_for_a_search_and_quit_for_them() {
    let folder = Folder::new();
    let path = folder.name("file");
    let mut engine = engine(1);
    engine.send(&format!("go infinite\nsavehash {path}\nloadhash {path}\ngo depth 3\nstop"));
    let is_about_hash = |line: &Line| line.text.starts_with("info string hash ");
    assert!(!engine.until("bestmove").iter().any(is_about_hash), "before the search ended");
    let lines = engine.until("bestmove");
    let notes: Vec<_> = lines.iter().take_while(|line| is_about_hash(line)).collect();
    let [saved, loaded] = &notes[..] else { panic!("{lines:?}") };
    assert!(saved.text.contains(" saved: ") && loaded.text.contains(" loaded: "), "{notes:?}");
    fs::remove_file(&path).expect("it is there");
    engine.send(&format!("savehash {path}\nquit"));
    engine.expect_exit();
    assert!(fs::metadata(&path).is_ok_and(|found| found.len() > 1 << 20));
}

#[test]
fn the_file_belongs_to_its_evaluator_and_to_chess() {
    let folder = Folder::new();
    let path = folder.name("file");
    let network = folder.file("queens.net", queens(WIDTH));
    let mut engine = engine(1);
    note(&mut engine, &format!("savehash {path}"));
    engine.quietly("setoption name Evaluator value hand-crafted");
    let refused = note(&mut engine, &format!("loadhash {path}"));
    assert!(refused.contains("it belongs to the network "), "{refused}");
    engine.quietly("setoption name Evaluator value network");
    note(&mut engine, &format!("setoption name EvalFile value {network}"));
    let refused = note(&mut engine, &format!("loadhash {path}"));
    assert_eq!(refused.matches("the network ").count(), 2, "{refused}");
    engine.quietly("setoption name EvalFile value <empty>");
    assert!(note(&mut engine, &format!("loadhash {path}")).starts_with("hash loaded: "));
    engine.notes("setoption name UCI_Variant value xiangqi");
    for command in ["savehash", "loadhash"] {
        let refused = note(&mut engine, &format!("{command} {path}"));
        assert_eq!(refused, format!("error: {command} is for standard chess only"));
    }
    engine.quit();
}

#[test]
fn files_in_use_are_not_overwritten() {
    let folder = Folder::new();
    let rules = "@variant one\n@extends fide\nq W\n@variant two\n@extends fide\nq F\n";
    let game = folder.file("game.var", rules);
    let log = folder.file("session.log", "of an earlier day\n");
    let table = folder.file("KQvK.rtbw", "not one that can be read");
    let link = folder.name("link");
    std::os::unix::fs::symlink(&log, &link).expect("the folder is ours");
    let evaluators = ["game.one.eval", "game.two.eval", "game.eval"];
    let evaluators = evaluators.map(|name| folder.name(name));
    let mut engine = engine(1);
    engine.notes(&format!("setoption name VariantPath value {game}"));
    engine.notes(&format!("setoption name SyzygyPath value /missing:{}", folder.root().display()));
    let log_to = |path: &str| format!("setoption name Debug Log File value {path}");
    engine.quietly(&log_to(&log));
    for path in evaluators.iter().chain([&log, &link, &game, &table]) {
        let refused = note(&mut engine, &format!("savehash {path}"));
        assert!(refused.ends_with("which is in use); an old file is unchanged"), "{refused}");
    }
    for path in evaluators.iter().chain([&game, &table]) {
        let refused = note(&mut engine, &log_to(path));
        assert!(refused.contains("in use); Debug Log File unchanged"), "{path}: {refused}");
    }
    // The log may go on where it is, and other files in the folder are free.
    engine.quietly(&log_to(&link));
    let path = folder.name("file");
    assert!(note(&mut engine, &format!("savehash {path}")).starts_with("hash saved: "));
    engine.quit();
    let written = fs::read_to_string(&log).expect("the log is text");
    assert!(written.starts_with("of an earlier day\n") && written.contains("hash saved"));
}
