//! Whole sessions, as clients hold them.

use std::thread;

use crate::support::check::sound;
use crate::support::info::{Bound, Info};
use crate::support::{Engine, Launch, Oracle, ms};

#[test]
fn an_infinite_search_is_pinged_and_stopped() {
    let mut engine = Engine::ready();
    engine.send("position startpos\ngo infinite");
    engine.no_bestmove_for(ms(100));
    engine.send("isready");
    let said = engine.until("readyok");
    assert!(said.iter().all(|line| !line.text.starts_with("bestmove")));
    engine.send("stop");
    sound(&engine.search(), &Oracle::startpos());
    engine.quietly("");
    engine.quit();
}

#[test]
fn a_thousand_searches_in_one_write_give_a_thousand_moves_in_order() {
    let openings = ["e2e4", "d2d4", "c2c4", "g1f3", "b2b3"];
    let mut text = String::new();
    for index in 0..1000 {
        let first = openings[index % openings.len()];
        text.push_str(&format!("position startpos moves {first}\ngo infinite\nstop\n"));
    }
    let mut engine = Engine::ready();
    engine.send_bytes(text.as_bytes());
    for index in 0..1000 {
        let first = openings[index % openings.len()];
        sound(&engine.search(), &Oracle::startpos().after(&[first]));
    }
    engine.quietly("");
    engine.quit();
}

#[test]
fn options_between_go_and_stop_hold_for_the_next_search() {
    let mut engine = Engine::ready();
    engine.send_bytes(
        b"go infinite\nsetoption name MultiPV value 3\nsetoption name Hash value 64\nstop\n\
          isready\ngo depth 5\n",
    );
    sound(&engine.search(), &Oracle::startpos());
    let second = engine.search();
    sound(&second, &Oracle::startpos());
    assert_eq!(second.infos.iter().filter(|info| info.depth == 5).count(), 3);
    engine.quit();
}

#[test]
fn the_same_search_says_the_same_words_after_ucinewgame() {
    let mut engine = Engine::ready();
    let mut run = |go: &str| {
        engine.send("ucinewgame\nposition startpos moves e2e4 c7c5");
        let search = engine.go(go);
        let exact = search.infos.iter().filter(|info| info.bound == Bound::Exact);
        let lines: Vec<String> = exact.map(Info::timeless).collect();
        (lines, search.best, search.ponder)
    };
    for go in ["go nodes 1000", "go nodes 30000", "go depth 7"] {
        let first = run(go);
        run("go nodes 12345");
        assert_eq!(first, run(go), "{go}");
    }
    engine.quit();
}

#[test]
fn a_found_mate_waits_for_its_word() {
    let mut engine = Engine::ready();
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo infinite");
    engine.no_bestmove_for(ms(300));
    engine.send("stop");
    assert_eq!(engine.search().best, "a1a8");
    engine.send("go ponder wtime 1000 btime 1000");
    engine.no_bestmove_for(ms(200));
    engine.send("ponderhit");
    assert_eq!(engine.search().best, "a1a8");
    engine.quietly("ponderhit");
    engine.quit();
}

#[test]
fn after_every_bad_position_the_engine_lives_and_plays_the_next() {
    let mut engine = Engine::ready();
    for fen in crate::position::IMPOSSIBLE {
        engine.send(&format!("position fen {fen} moves e2e4"));
        engine.sync();
        assert_eq!(engine.go("go depth 1").best, "0000", "{fen}");
        engine.quietly("position startpos");
        sound(&engine.go("go depth 1"), &Oracle::startpos());
    }
    engine.quit();
}

#[test]
fn a_client_that_vanishes_leaves_no_process() {
    let mut bounded = Engine::ready();
    bounded.send("go depth 8");
    bounded.close_stdin();
    sound(&bounded.search(), &Oracle::startpos());
    bounded.expect_exit();
    assert_eq!(bounded.errors(), Vec::<String>::new());
    let mut endless = Engine::ready();
    endless.send("go infinite");
    endless.no_bestmove_for(ms(50));
    endless.close_stdin();
    endless.expect_exit();
    assert_eq!(endless.errors(), Vec::<String>::new());
}

#[test]
fn odd_values_of_the_great_options_leave_a_working_engine() {
    let mut engine = Engine::ready();
    let lines = [
        "setoption name Hash value 1",
        "setoption name Hash value 3",
        "setoption name Hash value 33554432",
        "setoption name Hash value -1",
        "setoption name Hash value x",
        "setoption name Threads value 0",
        "setoption name Threads value 3",
        "setoption name Clear Hash",
        "setoption name Clear Hash value 1",
        "setoption name Nonsense value 1",
        "setoption name",
        "setoption name  value ",
        "setoption name Threads value 1",
    ];
    for line in lines {
        assert!(engine.notes(line).len() <= 1, "{line}");
        sound(&engine.go("go depth 3"), &Oracle::startpos());
    }
    engine.quit();
}

#[test]
fn four_benches_at_once_give_one_count() {
    let runs: Vec<_> = (0..4)
        .map(|_| thread::spawn(|| Launch::new().args(&["bench", "1", "1", "4"]).run()))
        .collect();
    let counts: Vec<String> = runs
        .into_iter()
        .map(|run| run.join().expect("no panic"))
        .map(|run| {
            assert!(run.status.success());
            let last = run.out.lines().last().unwrap_or_default().to_owned();
            last.split(" nodes ").next().unwrap_or_default().to_owned()
        })
        .collect();
    assert!(counts[0].parse::<u64>().is_ok_and(|count| count > 0), "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0] == pair[1]), "{counts:?}");
}
