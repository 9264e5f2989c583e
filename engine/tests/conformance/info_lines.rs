//! `info` lines.

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::info::{Bound, Info, Score};
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle, PATIENCE, times};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// A search of a position, checked.
fn at(engine: &mut Engine, fen: &str, go: &str) -> Search {
    engine.send(&format!("ucinewgame\nposition fen {fen}"));
    let found = engine.go(go);
    sound(&found, &Oracle::new(fen, Notation::Classic));
    found
}

/// That all numbers are whole, and every word known, is checked for every line that a test reads.
#[test]
fn lines_have_all_fields_and_numbers_never_decrease() {
    let mut engine = Engine::ready();
    engine.send("setoption name MultiPV value 3");
    let found = at(&mut engine, KIWIPETE, "go movetime 300");
    for Info { text, seldepth, multipv, nodes, nps, hashfull, tbhits, time, .. } in &found.infos {
        let all = [seldepth, multipv, nodes, nps, hashfull, tbhits, time];
        assert!(all.iter().all(|field| field.is_some_and(|value| value >= 0)), "{text}");
        assert!(text.starts_with("info depth ") && !text.contains('.'), "{text}");
        let order =
            ["seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"];
        let places: Vec<_> = order.iter().map(|word| text.find(&format!(" {word} "))).collect();
        assert!(places.is_sorted(), "{text}");
    }
    for pair in found.infos.windows(2) {
        let key = |info: &Info| (info.depth, info.nodes, info.time);
        let ((depth, nodes, time), next) = (key(&pair[0]), key(&pair[1]));
        assert!(depth <= next.0 && nodes <= next.1 && time <= next.2, "{pair:#?}");
    }
    let few = at(&mut engine, "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "go depth 4");
    assert!(few.infos.iter().all(|info| info.multipv == Some(1)), "more lines than moves");
    engine.quietly("setoption name Minimal value true\nsetoption name MultiPV value 1");
    let found = at(&mut engine, KIWIPETE, "go depth 6");
    assert_eq!((found.infos.len(), found.last().depth), (1, 6), "{:#?}", found.lines);
    engine.quit();
}

/// What `mates.epd` of the test data says: positions, and moves to the mate at best play.
fn mates_of_the_suite() -> Vec<(String, i64)> {
    let Some(folder) = std::env::var_os("TAMARIN_TEST_DATA") else { return Vec::new() };
    let path = std::path::PathBuf::from(folder).join("suites/mates.epd");
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let entry = |line: &str| {
        let (position, rest) = line.split_once(" bm #")?;
        Some((format!("{position} 0 1"), rest.trim_end_matches(';').parse().ok()?))
    };
    text.lines().filter_map(entry).collect()
}

#[test]
fn long_no_mate_of_the_suite_is_claimed_too_short() {
    let suite = mates_of_the_suite();
    if suite.is_empty() {
        println!("SKIP 1: no suites/mates.epd where TAMARIN_TEST_DATA says");
        return;
    }
    let mut engine = Engine::ready();
    let (mut claims, mut found) = (0, 0);
    // Every tenth of its positions, unless `make prove` asks for all, with more nodes.
    let every = times("TAMARIN_EVERY_POSITION", 10);
    let nodes = if every == 1 { 100_000 } else { 30_000 };
    for (index, (fen, shortest)) in suite.iter().step_by(every).enumerate() {
        let (threads, lines) = [(1, 1), (1, 20), (4, 1)][index % 3];
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name MultiPV value {lines}"));
        let search = at(&mut engine, fen, &format!("go nodes {nodes}"));
        for info in search.infos.iter().filter(|info| info.multipv == Some(1)) {
            let (Score::Mate(reported), Bound::Exact) = (info.score, info.bound) else { continue };
            claims += 1;
            let possible =
                reported.signum() == shortest.signum() && reported.abs() >= shortest.abs();
            assert!(possible, "{fen} is mate in {shortest}: {}", info.text);
        }
        found += usize::from(search.last().score == Score::Mate(*shortest));
    }
    println!("{found} of {} shortest mates found, {claims} claims", suite.len().div_ceil(every));
    assert!(claims > 100, "{claims} claims of mates are too few to tell");
    engine.quit();
}

#[test]
fn wdl_is_printed_only_when_asked_for() {
    let mut engine = Engine::ready();
    let without = at(&mut engine, KIWIPETE, "go depth 5");
    assert!(without.infos.iter().all(|info| info.wdl.is_none()));
    engine.quietly("setoption name UCI_ShowWDL value true");
    // `sound` checks that they sum up to 1000.
    let with = at(&mut engine, KIWIPETE, "go depth 5");
    assert!(with.infos.iter().all(|info| info.wdl.is_some()));
    assert_eq!(at(&mut engine, MATE, "go depth 3").last().wdl, Some([1000, 0, 0]));
    // A king and a bishop cannot win.
    let fen = "8/8/4k3/8/8/2B1K3/8/8 w - - 0 1";
    assert_eq!(at(&mut engine, fen, "go depth 3").last().wdl, Some([0, 1000, 0]));
    engine.quit();
}

#[test]
fn raw_scores_have_the_units_of_the_search() {
    let mut engine = Engine::ready();
    let centipawns = at(&mut engine, KIWIPETE, "go nodes 5000");
    engine.quietly("setoption name Raw Scores value true");
    let lines = |engine: &mut Engine, fen: &str| {
        engine.send(&format!("ucinewgame\nposition fen {fen}"));
        let lines = engine.go("go nodes 5000").lines;
        lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
    };
    let raw = lines(&mut engine, KIWIPETE);
    let units = raw.iter().filter_map(|line| line.split_once(" score cp ")?.1.split(' ').next());
    let units: Vec<i64> = units.map(|text| text.parse().expect("a number")).collect();
    let expected = centipawns.infos.iter().map(|info| info.score);
    let shown: Vec<_> = units.iter().map(|units| Score::Cp(units * 100 / 141)).collect();
    assert_eq!(shown, expected.collect::<Vec<_>>(), "{raw:#?}");
    let mate = lines(&mut engine, MATE);
    assert!(mate.iter().any(|line| line.contains(" score cp 31999 ")), "{mate:#?}");
    engine.quit();
}

/// What is reported in long searches only, and from when on, is for `search/tests/reports.rs` to
/// show; here it is what a client reads.
#[test]
fn long_searches_show_the_current_move_and_bounds() {
    let mut engine = Engine::ready();
    engine.send(&format!("setoption name UCI_ShowWDL value true\nposition fen {KIWIPETE}"));
    engine.send("go infinite");
    let lines = engine.until_line("currmove", PATIENCE, |text| text.contains(" currmove "));
    let words: Vec<&str> = lines[lines.len() - 1].text.split(' ').collect();
    let after = |name: &str| words[words.iter().position(|word| *word == name).expect(name) + 1];
    assert!(after("currmovenumber").parse::<u32>().is_ok_and(|count| count >= 1), "{words:?}");
    assert!(Oracle::new(KIWIPETE, Notation::Classic).is_legal(after("currmove")), "{words:?}");
    let lines = engine.until_line("a bound", PATIENCE, |text| text.contains("erbound "));
    let words: Vec<&str> = lines[lines.len() - 1].text.split(' ').collect();
    let at = words.iter().position(|word| word.ends_with("erbound")).expect("it is a bound");
    assert!(["cp", "mate"].contains(&words[at - 2]) && words[at + 1] == "wdl", "{words:?}");
    engine.send("stop");
    sound(&engine.search(), &Oracle::new(KIWIPETE, Notation::Classic));
    engine.quit();
}
