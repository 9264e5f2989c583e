//! Options.

use std::fs;

use crate::support::check::{legal, sound};
use crate::support::info::{Bound, Info, Score};
use crate::support::{Engine, Oracle, ms};

fn option_lines() -> Vec<String> {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok").into_iter().map(|line| line.text);
    let options = lines.filter(|text| text.starts_with("option ")).collect();
    engine.quit();
    options
}

/// An option line taken apart the way Banksia's expression does: everything in a fixed order.
struct Parts<'a> {
    name: &'a str,
    kind: &'a str,
    rest: &'a str,
}

fn parts(line: &str) -> Parts<'_> {
    let (name, rest) = line
        .strip_prefix("option name ")
        .and_then(|rest| rest.split_once(" type "))
        .unwrap_or_else(|| panic!("{line:?} has no name and type"));
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    Parts { name, kind, rest }
}

#[test]
fn every_option_line_has_the_grammar_of_the_strictest_client() {
    for line in option_lines() {
        let Parts { name, kind, rest } = parts(&line);
        assert!(!name.is_empty() && name.trim() == name, "{line}");
        let words: Vec<&str> = rest.split(' ').collect();
        match kind {
            "button" => assert_eq!(rest, "", "{line}"),
            "check" => assert!(["default true", "default false"].contains(&rest), "{line}"),
            "string" => assert!(words.len() >= 2 && words[0] == "default", "{line}"),
            "combo" => {
                let ["default", default, choices @ ..] = &words[..] else { panic!("{line}") };
                let choices: Vec<_> = choices.chunks(2).collect();
                assert!(choices.iter().all(|pair| pair.len() == 2 && pair[0] == "var"), "{line}");
                assert!(choices.iter().any(|pair| pair[1] == *default), "{line}");
            }
            "spin" => {
                let ["default", default, "min", min, "max", max] = words[..] else {
                    panic!("{line}")
                };
                let number = |text: &str| text.parse::<i32>().unwrap_or_else(|_| panic!("{line}"));
                assert!((number(min)..=number(max)).contains(&number(default)), "{line}");
            }
            other => panic!("type {other} in {line}"),
        }
    }
}

#[test]
fn names_and_values_hold_no_word_of_the_grammar() {
    const WORDS: [&str; 7] = ["name", "type", "default", "min", "max", "var", "value"];
    for line in option_lines() {
        let parts = parts(&line);
        let clean = |text: &str| text.split(' ').all(|word| !WORDS.contains(&word));
        assert!(clean(parts.name), "{line}");
        if parts.kind == "string" {
            assert!(clean(parts.rest.trim_start_matches("default ")), "{line}");
        }
    }
}

#[test]
fn the_names_that_clients_look_up_are_there_with_their_ranges() {
    let lines = option_lines();
    let wanted = [
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Clear Hash type button",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 20 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 1320 min 500 max 3190",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name Contempt type spin default 0 min -100 max 100",
        "option name Evaluator type combo default network var network var hand-crafted",
        "option name EvalFile type string default <empty>",
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
        "option name nodestime type spin default 0 min 0 max 10000",
        "option name Minimal type check default false",
        "option name Debug Log File type string default <empty>",
        "option name OwnBook type check default false",
        "option name Book File type string default <empty>",
        "option name Book Seed type spin default 0 min 0 max 2147483647",
    ];
    for line in wanted {
        assert!(lines.iter().any(|found| found == line), "missing: {line}\nin {lines:#?}");
    }
}

/// How many lines of depth 2 the engine prints: its MultiPV as seen from outside.
fn multi_pv(engine: &mut Engine) -> usize {
    engine.send("position startpos");
    engine.go("go depth 2").infos.iter().filter(|info| info.depth == 2).count()
}

#[test]
fn names_are_found_in_any_case_and_spacing() {
    let mut engine = Engine::ready();
    let spellings = [("MultiPV", 2), ("multipv", 3), ("MULTIPV", 4), ("  MultiPV  ", 5)];
    for (name, count) in spellings {
        engine.quietly(&format!("setoption name {name} value {count}"));
        assert_eq!(multi_pv(&mut engine), count, "{name:?}");
    }
    for name in ["Move Overhead", "move   overhead", "MoveOverhead"] {
        engine.quietly(&format!("setoption name {name} value 30"));
    }
    engine.quit();
}

#[test]
fn the_order_of_options_does_not_matter() {
    let settings = [
        "setoption name Hash value 32",
        "setoption name Threads value 1",
        "setoption name MultiPV value 2",
        "setoption name UCI_ShowWDL value true",
        "setoption name Move Overhead value 50",
    ];
    let mut outcomes = Vec::new();
    for turn in 0..settings.len() {
        let mut engine = Engine::ready();
        let mut order = settings;
        order.rotate_left(turn);
        engine.quietly(&order.join("\n"));
        let search = engine.go("go depth 6");
        let exact = search.infos.iter().filter(|info| info.bound == Bound::Exact);
        outcomes.push(exact.map(Info::timeless).collect::<Vec<_>>());
        engine.quit();
    }
    assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "{outcomes:#?}");
}

#[test]
fn bad_values_are_reported_and_change_nothing() {
    let mut engine = Engine::ready();
    engine.quietly("setoption name MultiPV value 3");
    for value in ["0", "257", "-1", "x", "3.5", "", "99999999999999999999", "2 2", "<empty>"] {
        let notes = engine.notes(&format!("setoption name MultiPV value {value}"));
        assert_eq!(notes.len(), 1, "{value:?}: {notes:?}");
        assert_eq!(multi_pv(&mut engine), 3, "{value:?}");
    }
    for line in [
        "setoption name Ponder value perhaps",
        "setoption name Ponder value 2",
        "setoption name Hash value 33554433",
        "setoption name Hash value 0",
        "setoption name Threads value 1025",
    ] {
        assert_eq!(engine.notes(line).len(), 1, "{line}");
    }
    for value in ["true", "TRUE", "False", "false"] {
        engine.quietly(&format!("setoption name UCI_ShowWDL value {value}"));
        let shown = engine.go("go depth 1").last().wdl.is_some();
        assert_eq!(shown, value.eq_ignore_ascii_case("true"), "{value}");
    }
    engine.quit();
}

#[test]
fn a_missing_value_is_ignored_and_a_button_needs_none() {
    let mut engine = Engine::ready();
    engine.quietly("setoption name MultiPV value 2");
    for line in [
        "setoption name MultiPV",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Ponder",
        "setoption name Ponder value",
    ] {
        assert!(engine.notes(line).len() <= 1, "{line}");
    }
    assert_eq!(multi_pv(&mut engine), 2);
    engine.quietly("setoption name Clear Hash");
    engine.quietly("setoption name Clear Hash value true");
    engine.quietly("setoption name Clear Hash value");
    engine.quit();
}

#[test]
fn an_unknown_option_gets_one_remark() {
    let mut engine = Engine::ready();
    for name in ["UCI_AnalyseMode", "UCI_Opponent", "No Such Thing", "Multi", "Hash2"] {
        let notes = engine.notes(&format!("setoption name {name} value 5"));
        assert_eq!(notes, [format!("No such option: {name}")]);
    }
    engine.quit();
}

#[test]
fn an_option_set_during_a_search_holds_after_it() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.until("info");
    engine.send("setoption name MultiPV value 3\nsetoption name Threads value 2");
    engine.no_bestmove_for(ms(50));
    engine.send("stop");
    let search = engine.search();
    sound(&search, &Oracle::startpos());
    assert!(search.infos.iter().all(|info| info.multipv == Some(1)));
    assert_eq!(multi_pv(&mut engine), 3);
    engine.quit();
}

#[test]
fn the_table_takes_any_size_and_a_refused_one_changes_nothing() {
    let mut engine = Engine::ready();
    for size in [1, 3, 17, 100, 255] {
        engine.quietly(&format!("setoption name Hash value {size}"));
        sound(&engine.go("go depth 6"), &Oracle::startpos());
    }
    // 32 TiB is more than any machine that runs this has.
    let notes = engine.notes("setoption name Hash value 33554432");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("255"), "it does not say what holds: {notes:?}");
    sound(&engine.go("go depth 6"), &Oracle::startpos());
    engine.quietly("setoption name Hash value 2");
    engine.quit();
}

#[test]
fn ponder_is_announced_and_changes_no_answer() {
    let depth_six = |value: &str| {
        let mut engine = Engine::ready();
        engine.quietly(&format!("setoption name Ponder value {value}"));
        let best = engine.go("go depth 6").best;
        engine.quit();
        best
    };
    assert_eq!(depth_six("true"), depth_six("false"));
}

#[test]
fn chess960_may_change_between_games() {
    let mut engine = Engine::ready();
    let root = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (value, castle) in
        [("true", "e1h1"), ("false", "e1g1"), ("true", "e1h1"), ("false", "e1g1")]
    {
        engine.quietly(&format!("setoption name UCI_Chess960 value {value}\nucinewgame"));
        engine.quietly(&format!("position fen {root}"));
        assert_eq!(engine.go("go depth 2 searchmoves e1g1").best, castle);
    }
    engine.quit();
}

#[test]
fn limited_strength_works_with_many_lines_and_in_analysis() {
    for limit in [
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 500",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1320",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 2500",
        "setoption name Skill Level value 0",
        "setoption name Skill Level value 10",
    ] {
        let mut engine = Engine::ready();
        engine.quietly(limit);
        legal(&engine.go("go movetime 60"), &Oracle::startpos());
        engine.quietly("setoption name MultiPV value 3");
        let search = engine.go("go depth 5");
        legal(&search, &Oracle::startpos());
        let ranks = search.infos.iter().filter_map(|info| info.multipv).max();
        assert_eq!(ranks, Some(3), "{limit}");
        engine.send("go infinite");
        engine.no_bestmove_for(ms(80));
        engine.send("stop");
        legal(&engine.search(), &Oracle::startpos());
        engine.quit();
    }
}

#[test]
fn a_path_without_tables_is_no_trouble() {
    let mut engine = Engine::ready();
    for path in ["./syzygy/", "/no/such/folder;C:\\nor\\this:here", "<empty>", "", "./syzygy/"] {
        let notes = engine.notes(&format!("setoption name SyzygyPath value {path}"));
        // How many tables there are, and what was left out.
        assert!(notes.len() <= 2, "{path:?}: {notes:?}");
    }
    for line in [
        "setoption name SyzygyProbeDepth value 4",
        "setoption name SyzygyProbeLimit value 5",
        "setoption name Syzygy50MoveRule value false",
    ] {
        assert!(engine.notes(line).is_empty(), "{line}");
    }
    sound(&engine.go("go depth 3"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn contempt_counts_on_the_clock_and_not_in_analysis() {
    let score = |contempt: i32, go: &str| {
        let mut engine = Engine::ready();
        engine.quietly(&format!("setoption name Contempt value {contempt}"));
        engine.send("position startpos");
        let score = engine.go(go).last().score;
        engine.quit();
        match score {
            Score::Cp(centipawns) => centipawns,
            Score::Mate(moves) => panic!("mate in {moves} from the start"),
        }
    };
    let clock = "go depth 6 wtime 36000000 btime 36000000";
    let (hopeful, humble) = (score(100, clock), score(-100, clock));
    assert!(hopeful > humble + 100, "{hopeful} and {humble}");
    assert_eq!(score(100, "go depth 6"), score(-100, "go depth 6"));
}

#[test]
fn the_log_holds_both_directions_and_a_bad_path_is_only_reported() {
    let folder = std::env::temp_dir().join(format!("tamarin-log-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("session with blanks.log");
    fs::write(&path, "an earlier session\n").expect("a temporary file");
    let mut engine = Engine::ready();
    assert_eq!(engine.notes("setoption name Debug Log File value /no/such/folder/log").len(), 1);
    engine.quietly(&format!("setoption name Debug Log File value {}", path.display()));
    engine.send("position startpos moves e2e4");
    let best = engine.go("go depth 2").best;
    engine.quietly("setoption name Debug Log File value <empty>");
    engine.quietly("position startpos");
    engine.quit();
    let log = fs::read_to_string(&path).expect("the log is there");
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert!(log.starts_with("an earlier session\n"), "a log grows: {log}");
    for line in [">> position startpos moves e2e4", ">> go depth 2", "<< readyok"] {
        assert!(log.lines().any(|found| found == line), "{line:?} is missing in {log}");
    }
    assert!(log.contains(&format!("<< bestmove {best}")), "{log}");
    assert!(!log.lines().any(|line| line == ">> quit"), "the log was not closed: {log}");
}
