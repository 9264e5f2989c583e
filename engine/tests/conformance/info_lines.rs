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
fn one_line_says_everything_and_numbers_never_run_backwards() {
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
    engine.quietly("setoption name Minimal value true\nsetoption name MultiPV value 1");
    let found = at(&mut engine, KIWIPETE, "go depth 6");
    assert_eq!((found.infos.len(), found.last().depth), (1, 6), "{:#?}", found.lines);
    engine.quit();
}

#[test]
fn the_last_line_is_exact_and_of_the_move_played() {
    // `sound` asserts both, here for searches cut short in all kinds of moments.
    let mut engine = Engine::ready();
    engine.send(&format!("setoption name Threads value 2\nposition fen {KIWIPETE}"));
    let root = Oracle::new(KIWIPETE, Notation::Classic);
    for step in 1..15 {
        sound(&engine.go(&format!("go nodes {}", step * step * 300)), &root);
        sound(&engine.go(&format!("go movetime {}", 2 * step)), &root);
    }
    assert!(engine.go("go nodes 100000").last().hashfull > Some(0));
    engine.quit();
}

#[test]
fn scores_are_those_of_the_side_to_move() {
    let mut engine = Engine::ready();
    for (fen, wins) in [
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", false),
        ("q3k3/8/8/8/8/8/8/4K3 b - - 0 1", true),
        ("q3k3/8/8/8/8/8/8/4K3 w - - 0 1", false),
    ] {
        let score = at(&mut engine, fen, "go depth 4").last().score;
        assert_eq!(worth(score) > 0, wins, "{fen}");
    }
    engine.quit();
}

/// A number that orders scores.
fn worth(score: Score) -> i64 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
        Score::Mate(moves) => -1_000_000 - moves,
    }
}

#[test]
fn mates_are_counted_in_moves_and_shown_to_the_end() {
    let mut engine = Engine::ready();
    for (fen, moves) in [
        (MATE, 1),
        ("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", 3),
        ("7k/8/6K1/8/8/8/8/1Q6 b - - 0 1", -1),
    ] {
        // `sound` checks that every mate score is backed by a line of that length.
        let found = at(&mut engine, fen, "go nodes 100000 depth 20");
        assert_eq!(found.last().score, Score::Mate(moves), "{fen}");
    }
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
    // Every tenth of its positions, unless `make prove` asks for all.
    let every = times("TAMARIN_EVERY_POSITION", 10);
    for (index, (fen, shortest)) in suite.iter().step_by(every).enumerate() {
        let (threads, lines) = [(1, 1), (1, 4), (2, 1)][index % 3];
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name MultiPV value {lines}"));
        let search = at(&mut engine, fen, "go nodes 30000");
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
fn lines_come_in_order_of_rank_and_never_outnumber_the_moves() {
    let mut engine = Engine::ready();
    engine.send("setoption name MultiPV value 4");
    let found = at(&mut engine, KIWIPETE, "go depth 5");
    for depth in 1..=5 {
        let is_exact = |info: &&Info| info.depth == depth && info.bound == Bound::Exact;
        let exact: Vec<&Info> = found.infos.iter().filter(is_exact).collect();
        let last = &exact[exact.len() - 4..];
        let ranks: Vec<_> = last.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4)], "depth {depth}");
        let heads: std::collections::BTreeSet<_> = last.iter().map(|info| &info.pv[0]).collect();
        assert_eq!(heads.len(), 4, "a move comes twice at depth {depth}");
        let scores: Vec<i64> = last.iter().rev().map(|info| worth(info.score)).collect();
        assert!(scores.is_sorted(), "worse before better at depth {depth}: {last:#?}");
    }
    let few = at(&mut engine, "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "go depth 4");
    assert!(few.infos.iter().all(|info| info.multipv == Some(1)));
    engine.quit();
}

#[test]
fn chances_are_printed_only_when_asked_for() {
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

#[test]
fn remarks_cannot_be_taken_for_scores() {
    let mut engine = Engine::ready();
    for line in [
        "position fen 1 score cp 5 w - - 0 1",
        "position startpos moves score cp 3",
        "setoption name score cp 3 value 4",
        "info score cp 3",
    ] {
        engine.notes(line);
    }
    engine.send("position startpos\ngo score cp 3 depth 1");
    let remarks = engine.search().lines;
    let is_remark = |text: &str| !text.contains("score cp 3") || text.starts_with("info string ");
    assert!(remarks.iter().all(|line| is_remark(&line.text)), "{remarks:#?}");
    engine.quit();
}
