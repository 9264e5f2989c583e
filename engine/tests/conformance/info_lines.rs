//! `info` lines.

use tamarin_uci::{self as uci, InfoLine, ParsedReply, ScoreValue, parse_reply};

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::info::{Bound, Info, Score};
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle, PATIENCE, ms, times};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// One search of a position, checked.
fn search(setup: &str, fen: &str, go: &str) -> Search {
    let mut engine = Engine::ready();
    engine.send(&format!("{setup}\nposition fen {fen}"));
    let found = engine.go(go);
    sound(&found, &Oracle::new(fen, Notation::Classic));
    engine.quit();
    found
}

#[test]
fn numbers_are_whole() {
    // Info::parse refuses anything else in any field.
    let found = search("setoption name UCI_ShowWDL value true", KIWIPETE, "go depth 6");
    assert!(found.infos.len() >= 6);
    for info in &found.infos {
        assert!(!info.text.contains('.'), "{}", info.text);
    }
}

#[test]
fn one_line_says_everything_and_ends_with_the_moves() {
    let found = search("", KIWIPETE, "go depth 6");
    for Info { text, seldepth, multipv, nodes, nps, hashfull, tbhits, time, .. } in &found.infos {
        let all = [seldepth, multipv, nodes, nps, hashfull, tbhits, time];
        assert!(all.iter().all(|field| field.is_some_and(|value| value >= 0)), "{text}");
        assert!(text.starts_with("info depth "), "{text}");
        let order =
            ["seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"];
        let places: Vec<_> = order.iter().map(|word| text.find(&format!(" {word} "))).collect();
        assert!(places.is_sorted(), "{text}");
    }
}

#[test]
fn clients_read_what_the_strict_reader_reads() {
    // Two readers made apart from each other: the one of the tests and the parser of `uci`.
    let setup = "setoption name UCI_ShowWDL value true\nsetoption name MultiPV value 3";
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let mut scores = 0;
    for info in [KIWIPETE, mate].iter().flat_map(|fen| search(setup, fen, "go depth 7").infos) {
        let Some(ParsedReply::Info(read)) = parse_reply(&info.text) else { panic!("{info:?}") };
        let InfoLine { depth, seldepth, multipv, score, nodes, nps, hashfull, tbhits, time, pv } =
            &read.line;
        let score = score.expect("a score");
        let value = match score.value {
            ScoreValue::Centipawns(value) => Score::Cp(value.into()),
            ScoreValue::Mate(value) => Score::Mate(value.into()),
        };
        let bound = match score.bound {
            uci::Bound::Exact => Bound::Exact,
            uci::Bound::Lower => Bound::Lower,
            uci::Bound::Upper => Bound::Upper,
        };
        let wdl = score.wdl.map(|wdl| [wdl.win(), wdl.draw(), wdl.loss()].map(i64::from));
        assert_eq!((value, bound, wdl), (info.score, info.bound, info.wdl), "{}", info.text);
        let small = [depth, seldepth, multipv].map(|number| number.map(i64::from));
        assert_eq!(small, [Some(info.depth), info.seldepth, info.multipv], "{}", info.text);
        let large = [nodes, nps, tbhits].map(|number| number.map(|number| number as i64));
        assert_eq!(large, [info.nodes, info.nps, info.tbhits], "{}", info.text);
        let rest = (hashfull.map(i64::from), time.map(|time| time.0));
        assert_eq!(rest, (info.hashfull, info.time), "{}", info.text);
        assert_eq!(*pv, info.pv, "{}", info.text);
        scores |= if matches!(value, Score::Cp(_)) { 1 } else { 2 };
    }
    assert_eq!(scores, 3, "evaluations and mates");
}

#[test]
fn numbers_never_run_backwards() {
    let found = search("setoption name MultiPV value 3", KIWIPETE, "go movetime 400");
    for pair in found.infos.windows(2) {
        assert!(pair[0].depth <= pair[1].depth, "{} then {}", pair[0].text, pair[1].text);
        assert!(pair[0].nodes <= pair[1].nodes, "{} then {}", pair[0].text, pair[1].text);
        assert!(pair[0].time <= pair[1].time, "{} then {}", pair[0].text, pair[1].text);
        assert!(pair[1].seldepth >= Some(1), "{}", pair[1].text);
    }
}

#[test]
fn the_last_line_is_exact_and_of_the_move_played() {
    // `sound` asserts both, here for searches cut short in all kinds of moments.
    let mut engine = Engine::ready();
    engine.send(&format!("setoption name Threads value 2\nposition fen {KIWIPETE}"));
    let root = Oracle::new(KIWIPETE, Notation::Classic);
    for nodes in (1..30).map(|step| step * step * 150) {
        sound(&engine.go(&format!("go nodes {nodes}")), &root);
    }
    for time in 1..30 {
        sound(&engine.go(&format!("go movetime {time}")), &root);
    }
    engine.quit();
}

#[test]
fn scores_are_those_of_the_side_to_move() {
    for (fen, wins) in [
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", false),
        ("q3k3/8/8/8/8/8/8/4K3 b - - 0 1", true),
        ("q3k3/8/8/8/8/8/8/4K3 w - - 0 1", false),
    ] {
        let positive = match search("", fen, "go depth 4").last().score {
            Score::Cp(score) => score > 0,
            Score::Mate(moves) => moves > 0,
        };
        assert_eq!(positive, wins, "{fen}");
    }
}

#[test]
fn mates_are_counted_in_moves_and_shown_to_the_end() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1_i64),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
        ("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", 3),
        ("7k/8/6K1/8/8/8/8/1Q6 b - - 0 1", -1),
        ("7k/8/5K2/8/8/8/8/1R6 w - - 0 1", 2),
    ];
    for (fen, moves) in mates {
        // What two threads find depends on which is first: they search until they have it.
        let until_found = format!("go nodes 4000000 mate {}", moves.max(1));
        for (setup, go) in [
            ("", "go nodes 100000 depth 20"),
            ("setoption name Threads value 2", &until_found),
            ("setoption name MultiPV value 4", "go nodes 100000 depth 20"),
        ] {
            // `sound` checks that every mate score is backed by a line of that length.
            let found = search(setup, fen, go);
            let text = &found.last().text;
            let Score::Mate(reported) = found.last().score else { panic!("{fen}: {text}") };
            // One line of one thread finds the shortest; the others may hold a longer one.
            assert!(
                reported.signum() == moves.signum() && reported.abs() >= moves.abs(),
                "{fen}: {text}"
            );
            assert!(reported == moves || !setup.is_empty(), "{fen}: {text}");
        }
    }
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
fn no_mate_of_the_suite_is_claimed_too_short() {
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
        engine.send(&format!(
            "setoption name Threads value {threads}\nsetoption name MultiPV value {lines}\n\
             ucinewgame\nposition fen {fen}"
        ));
        let search = engine.go("go nodes 30000");
        sound(&search, &Oracle::new(fen, Notation::Classic));
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
fn a_move_that_was_not_searched_has_no_line() {
    // All moves leave the side to move two queens down.
    let fen = "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1";
    let found = search("setoption name MultiPV value 3", fen, "go nodes 1");
    for info in &found.infos {
        assert!(matches!(info.score, Score::Cp(..-1000)), "{}", info.text);
    }
}

#[test]
fn lines_come_in_order_of_rank_and_never_outnumber_the_moves() {
    let found = search("setoption name MultiPV value 4", KIWIPETE, "go depth 5");
    for depth in 1..=5 {
        let exact: Vec<&Info> = found
            .infos
            .iter()
            .filter(|info| info.depth == depth && info.bound == Bound::Exact)
            .collect();
        let ranks: Vec<_> = exact.iter().rev().take(4).rev().map(|info| info.multipv).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4)], "depth {depth}");
        let last: Vec<_> = exact.iter().rev().take(4).rev().collect();
        let mut heads: Vec<_> = last.iter().map(|info| info.pv[0].clone()).collect();
        heads.sort();
        heads.dedup();
        assert_eq!(heads.len(), 4, "a move comes twice at depth {depth}");
        assert!(
            last.windows(2).all(|pair| worth(pair[0].score) >= worth(pair[1].score)),
            "worse before better at depth {depth}: {last:#?}"
        );
    }
    let few =
        search("setoption name MultiPV value 256", "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "go depth 4");
    assert!(few.infos.iter().all(|info| info.multipv == Some(1)));
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
fn chances_are_printed_only_when_asked_for() {
    let without = search("", KIWIPETE, "go depth 5");
    assert!(without.infos.iter().all(|info| info.wdl.is_none()));
    // `sound` checks that they sum up to 1000.
    let with = search("setoption name UCI_ShowWDL value true", KIWIPETE, "go depth 5");
    assert!(with.infos.iter().all(|info| info.wdl.is_some()));
    let won = search(
        "setoption name UCI_ShowWDL value true",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
        "go depth 3",
    );
    assert_eq!(won.last().wdl, Some([1000, 0, 0]));
    // A king and a bishop cannot win.
    let fen = "8/8/4k3/8/8/2B1K3/8/8 w - - 0 1";
    let drawn = search("setoption name UCI_ShowWDL value true", fen, "go depth 3");
    assert_eq!(drawn.last().wdl, Some([0, 1000, 0]), "{fen}");
}

#[test]
fn the_table_fills_and_speed_is_always_a_number() {
    let mut engine = Engine::ready();
    engine.send("setoption name Hash value 1");
    let found = engine.go("go nodes 300000");
    sound(&found, &Oracle::startpos());
    assert!(found.last().hashfull > Some(0), "{}", found.last().text);
    let instant = engine.go("go nodes 1");
    assert!(instant.last().nps.is_some());
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
    let first = &lines[lines.len() - 1];
    let words: Vec<&str> = first.text.split(' ').collect();
    let number = words.iter().position(|word| *word == "currmovenumber").expect("it is numbered");
    assert!(words[number + 1].parse::<u32>().is_ok_and(|count| count >= 1), "{}", first.text);
    let mv = words.iter().position(|word| *word == "currmove").expect("it is there");
    assert!(Oracle::new(KIWIPETE, Notation::Classic).is_legal(words[mv + 1]), "{}", first.text);
    let lines = engine.until_line("a bound", PATIENCE, |text| text.contains("erbound "));
    let text = &lines[lines.len() - 1].text;
    let words: Vec<&str> = text.split(' ').collect();
    let at = words.iter().position(|word| word.ends_with("erbound")).expect("it is a bound");
    assert!(["cp", "mate"].contains(&words[at - 2]), "{text}");
    assert_eq!(words[at + 1], "wdl", "{text}");
    engine.send("stop");
    sound(&engine.search(), &Oracle::new(KIWIPETE, Notation::Classic));
    engine.quit();
}

#[test]
fn minimal_output_is_the_last_line_only() {
    let mut engine = Engine::ready();
    engine.send("setoption name Minimal value true");
    let found = engine.go("go depth 8");
    sound(&found, &Oracle::startpos());
    assert_eq!(found.infos.len(), 1, "{:#?}", found.lines);
    assert_eq!(found.last().depth, 8);
    engine.quit();
}

#[test]
fn nothing_comes_after_the_move() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 4");
    for _ in 0..20 {
        sound(&engine.go("go movetime 15"), &Oracle::startpos());
        engine.silent_for(ms(10));
    }
    engine.quit();
}

#[test]
fn remarks_cannot_be_taken_for_scores() {
    let mut engine = Engine::ready();
    let provocations = [
        "position fen 1 score cp 5 w - - 0 1",
        "position startpos moves score cp 3",
        "setoption name score cp 3 value 4",
        "go score cp 3 depth 1",
        "info score cp 3",
    ];
    for line in provocations {
        engine.send(line);
        if line.starts_with("go") {
            engine.search();
        }
        for line in engine.sync() {
            assert!(line.text.starts_with("info string "), "{}", line.text);
        }
        engine.quietly("position startpos");
    }
    engine.quit();
}

#[test]
fn every_move_played_has_a_depth() {
    let mut engine = Engine::ready();
    for go in
        ["go movetime 0", "go nodes 1", "go wtime 0", "go infinite\nstop", "go wtime 1 winc 1"]
    {
        let found = engine.go(go);
        sound(&found, &Oracle::startpos());
        assert!(found.last().depth >= 1, "{go}");
    }
    engine.quit();
}
