//! Options. Their names and defaults are those of docs/uci.md (`documents.rs`); how lines and values
//! are read is tested in `uci` and in `options/mod.rs`.

use std::fs;

use crate::support::check::legal;
use crate::support::info::Score;
use crate::support::{Engine, Oracle, ms};

#[test]
fn limited_strength_works_with_many_lines_and_in_analysis() {
    let mut engine = Engine::ready();
    engine.quietly("setoption name MultiPV value 3");
    for limit in [
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 500",
        "setoption name UCI_LimitStrength value false\nsetoption name Skill Level value 0",
    ] {
        engine.quietly(limit);
        legal(&engine.go("go movetime 60"), &Oracle::startpos());
        let search = engine.go("go depth 5");
        legal(&search, &Oracle::startpos());
        let ranks = search.infos.iter().filter_map(|info| info.multipv).max();
        assert_eq!(ranks, Some(3), "{limit}");
        engine.send("go infinite");
        engine.no_bestmove_for(ms(80));
        legal(&engine.go("stop"), &Oracle::startpos());
    }
    engine.quit();
}

#[test]
fn contempt_counts_on_the_clock_and_not_in_analysis() {
    let mut engine = Engine::ready();
    let mut score = |contempt: i32, go: &str| {
        engine.quietly(&format!("setoption name Contempt value {contempt}\nucinewgame"));
        engine.send("position startpos");
        let Score::Cp(centipawns) = engine.go(go).last().score else { panic!("a mate") };
        centipawns
    };
    let clock = "go depth 6 wtime 36000000 btime 36000000";
    let (hopeful, humble) = (score(100, clock), score(-100, clock));
    assert!(hopeful > humble + 100, "{hopeful} and {humble}");
    assert_eq!(score(100, "go depth 6"), score(-100, "go depth 6"));
    engine.quit();
}

#[test]
fn the_log_holds_both_directions_and_a_bad_path_is_only_reported() {
    let folder = crate::support::files::Folder::new();
    let path = folder.file("session with blanks.log", "an earlier session\n");
    let mut engine = Engine::ready();
    assert_eq!(engine.notes("setoption name Debug Log File value /no/such/folder/log").len(), 1);
    engine.quietly(&format!("setoption name Debug Log File value {path}"));
    engine.send("position startpos moves e2e4");
    let best = engine.go("go depth 2").best;
    engine.quietly("setoption name Debug Log File value <empty>");
    engine.quietly("position startpos");
    engine.quit();
    let log = fs::read_to_string(&path).expect("the log is there");
    assert!(log.starts_with("an earlier session\n"), "a log grows: {log}");
    for line in [">> position startpos moves e2e4", ">> go depth 2", "<< readyok"] {
        assert!(log.lines().any(|found| found == line), "{line:?} is missing in {log}");
    }
    assert!(log.contains(&format!("<< bestmove {best}")), "{log}");
    assert!(!log.lines().any(|line| line == ">> quit"), "the log was not closed: {log}");
}
