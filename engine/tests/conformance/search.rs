//! `go`, `stop`, `ponderhit`.

use std::thread;
use std::time::{Duration, Instant};

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::info::Score;
use crate::support::oracle::{Notation, ROOTS, STARTPOS};
use crate::support::{Engine, Oracle, PATIENCE, ms};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
const MATED: &str = "7k/8/6K1/8/8/8/8/1Q6 b - - 0 1";
const CHECKMATE: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const ONE_MOVE: &str = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";
const BARE_KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

fn oracle(fen: &str) -> Oracle {
    Oracle::new(fen, Notation::Classic)
}

/// A fresh engine at the position.
fn at(fen: &str) -> (Engine, Oracle) {
    let mut engine = Engine::ready();
    engine.send(&format!("position fen {fen}"));
    engine.sync();
    (engine, oracle(fen))
}

#[test]
fn each_go_is_answered_once_and_nothing_else_is() {
    let mut engine = Engine::ready();
    let goes = [
        "go depth 3",
        "go nodes 500",
        "go movetime 20",
        "go wtime 50 btime 50",
        "go wtime 1",
        "go searchmoves e2e4 depth 2",
        "go mate 1 depth 2",
    ];
    for go in goes {
        sound(&engine.go(go), &Oracle::startpos());
        engine.quietly("stop\nponderhit\nstop");
    }
    engine.silent_for(ms(50));
    engine.quit();
}

#[test]
fn a_node_limit_is_exact_with_one_thread_and_near_with_two() {
    let mut engine = Engine::ready();
    for limit in [1_i64, 10, 100, 1000, 7777, 50_000] {
        engine.send("ucinewgame");
        let search = engine.go(&format!("go nodes {limit}"));
        sound(&search, &Oracle::startpos());
        let nodes = search.last().nodes.expect("nodes are printed");
        // The first iteration is finished whatever the limit.
        assert!(nodes <= limit.max(100), "{nodes} nodes of {limit}");
    }
    engine.send("setoption name Threads value 2");
    let search = engine.go("go nodes 100000");
    let nodes = search.last().nodes.expect("nodes are printed");
    assert!(nodes <= 110_000, "{nodes} nodes of 100000");
    engine.quit();
}

#[test]
fn depth_is_reached_and_no_more() {
    let mut engine = Engine::ready();
    for depth in 1..=8_i64 {
        let search = engine.go(&format!("go depth {depth}"));
        sound(&search, &Oracle::startpos());
        assert_eq!(search.last().depth, depth);
    }
    assert_eq!(engine.go("go depth 0").last().depth, 1);
    assert_eq!(engine.go("go depth -5").last().depth, 1);
    engine.quit();
    // Bare kings reach any depth at once.
    let (mut engine, root) = at(BARE_KINGS);
    sound(&engine.go("go depth 1000000000"), &root);
    sound(&engine.go("go depth 99999999999999999999999"), &root);
    engine.quit();
}

#[test]
fn mate_ends_the_search_when_it_is_proven() {
    let (mut engine, root) = at(MATE_IN_TWO);
    for limit in [2, 3, 7] {
        engine.send("ucinewgame");
        let search = engine.go(&format!("go mate {limit}"));
        sound(&search, &root);
        assert!(matches!(search.last().score, Score::Mate(moves) if (1..=limit).contains(&moves)));
    }
    // Without a mate the other limits hold.
    engine.send("position startpos");
    sound(&engine.go("go mate 2 depth 4"), &Oracle::startpos());
    engine.send("go mate 2");
    engine.no_bestmove_for(ms(100));
    engine.send("stop");
    engine.search();
    engine.quit();
}

#[test]
fn infinite_waits_for_stop_whatever_is_found() {
    for fen in [MATE_IN_ONE, MATED, ONE_MOVE, BARE_KINGS, STARTPOS] {
        let (mut engine, root) = at(fen);
        engine.send("go infinite");
        engine.no_bestmove_for(ms(200));
        engine.send("stop");
        sound(&engine.search(), &root);
        engine.send("go infinite depth 2 nodes 50 movetime 10 wtime 5 btime 5");
        engine.no_bestmove_for(ms(100));
        engine.send("stop");
        sound(&engine.search(), &root);
        engine.quit();
    }
}

/// The states of the threads of a process, and how often each has been taken off a processor: two
/// equal answers in which all sleep mean that none has run in between, however busy the machine.
#[cfg(target_os = "linux")]
fn threads_at_rest(id: u32) -> Option<Vec<String>> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).expect("it runs");
    let mut found = Vec::new();
    for thread in threads {
        let path = thread.expect("it can be read").path().join("status");
        let status = std::fs::read_to_string(path).expect("it runs");
        let field = |name: &str| status.lines().find(|line| line.starts_with(name));
        if !field("State:")?.contains("(sleeping)") {
            return None;
        }
        let switches = ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"].map(field);
        found.push(format!("{switches:?}"));
    }
    found.sort();
    Some(found)
}

#[cfg(target_os = "linux")]
#[test]
fn waiting_for_stop_costs_no_processor_time() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        let (mut engine, root) = at(BARE_KINGS);
        engine.send(go);
        // Sooner or later the greatest depth is reached, and from then on nothing runs.
        let deadline = Instant::now() + PATIENCE;
        loop {
            let before = threads_at_rest(engine.id());
            engine.no_bestmove_for(ms(200));
            if before.is_some() && threads_at_rest(engine.id()) == before {
                break;
            }
            assert!(Instant::now() < deadline, "threads run while waiting after {go}");
        }
        engine.send("stop");
        sound(&engine.search(), &root);
        engine.quit();
    }
}

#[test]
fn ponder_waits_and_thinks_after_the_move_expected() {
    let mut engine = Engine::ready();
    for go in ["go ponder wtime 100 btime 100", "go ponder movetime 10", "go ponder depth 2"] {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send(go);
        engine.no_bestmove_for(ms(150));
        engine.send("stop");
        sound(&engine.search(), &Oracle::startpos().after(&["e2e4", "e7e5"]));
    }
    for fen in [MATE_IN_ONE, ONE_MOVE, BARE_KINGS] {
        engine.send(&format!("position fen {fen}\ngo ponder wtime 100 btime 100"));
        engine.no_bestmove_for(ms(150));
        engine.send("ponderhit");
        sound(&engine.search(), &oracle(fen));
    }
    // Without a limit it goes on to the greatest depth, which is near where nothing can happen.
    engine.send(&format!("position fen {BARE_KINGS}\ngo ponder"));
    engine.no_bestmove_for(ms(150));
    engine.send("ponderhit");
    sound(&engine.search(), &oracle(BARE_KINGS));
    engine.quit();
}

#[test]
fn ponderhit_and_stop_at_any_moment_give_one_move() {
    let mut engine = Engine::ready();
    for round in 0..60_u64 {
        let text = match round % 4 {
            0 => "go ponder wtime 200 btime 200\nponderhit\nstop\n",
            1 => "go ponder wtime 5 btime 5\nponderhit\n",
            2 => "go ponder wtime 200 btime 200\nstop\nponderhit\n",
            _ => "ponderhit\ngo ponder movetime 3\nponderhit\nponderhit\n",
        };
        engine.send_bytes(text.as_bytes());
        sound(&engine.search(), &Oracle::startpos());
    }
    for round in 0..60_u64 {
        engine.send("go ponder wtime 20 btime 20");
        thread::sleep(Duration::from_micros(round * 50));
        engine.send("ponderhit");
        thread::sleep(Duration::from_micros(round * 30));
        engine.send("stop");
        sound(&engine.search(), &Oracle::startpos());
    }
    engine.silent_for(ms(30));
    engine.quit();
}

#[test]
fn stop_right_after_go_gives_a_legal_scored_move() {
    let mut engine = Engine::ready();
    for round in 0..100_u64 {
        engine.send("go infinite");
        thread::sleep(Duration::from_micros(round * 20));
        engine.send("stop");
        sound(&engine.search(), &Oracle::startpos());
    }
    for index in 0..240 {
        let root = ROOTS[index % ROOTS.len()];
        engine.send(&format!("position fen {root}\ngo infinite\nstop"));
        sound(&engine.search(), &oracle(root));
    }
    engine.quit();
}

#[test]
fn wild_positions_are_searched_by_more_threads_than_there_are_cores() {
    let mut engine = Engine::ready();
    for threads in [1, 4] {
        engine.quietly(&format!("setoption name Threads value {threads}"));
        for fen in ROOTS {
            engine.quietly(&format!("ucinewgame\nposition fen {fen}"));
            engine.send("go infinite");
            engine.no_bestmove_for(ms(30));
            engine.send("stop");
            sound(&engine.search(), &oracle(fen));
        }
    }
    engine.quit();
}

#[test]
fn any_limit_may_come_with_ponder() {
    let mut engine = Engine::ready();
    for limit in
        ["infinite", "depth 3", "nodes 1000", "movetime 20", "mate 1 depth 3", "", "wtime 50"]
    {
        engine.send(&format!("go ponder {limit}"));
        engine.no_bestmove_for(ms(60));
        engine.send("stop");
        sound(&engine.search(), &Oracle::startpos());
    }
    for limit in ["depth 3", "nodes 1000", "movetime 20", "wtime 50 btime 50"] {
        engine.send(&format!("go ponder {limit}"));
        engine.no_bestmove_for(ms(60));
        engine.send("ponderhit");
        sound(&engine.search(), &Oracle::startpos());
    }
    engine.quit();
}

#[test]
fn the_limit_reached_first_ends_the_search() {
    let mut engine = Engine::ready();
    let depth =
        engine.go("go depth 3 nodes 100000000 movetime 36000000 wtime 36000000 btime 36000000");
    assert_eq!(depth.last().depth, 3);
    let nodes =
        engine.go("go nodes 3000 depth 100 movetime 36000000 wtime 36000000 btime 36000000");
    assert!(nodes.last().nodes.is_some_and(|count| count <= 3000));
    engine.quit();
}

#[test]
fn searchmoves_restrict_the_root() {
    let mut engine = Engine::ready();
    let search = engine.go("go searchmoves a2a3 h2h3 depth 5");
    sound(&search, &Oracle::startpos());
    assert!(["a2a3", "h2h3"].contains(&search.best.as_str()), "{}", search.best);
    assert!(search.infos.iter().all(|info| ["a2a3", "h2h3"].contains(&info.pv[0].as_str())));
    // Illegal entries are ignored, the others hold.
    assert_eq!(engine.go("go depth 3 searchmoves a2a5 b1c3 e8e7").best, "b1c3");
    // With fewer moves than lines there are fewer lines.
    engine.send("setoption name MultiPV value 5");
    let two = engine.go("go depth 3 searchmoves a2a3 h2h3");
    assert_eq!(two.infos.iter().filter(|info| info.depth == 3).count(), 2);
    engine.send("setoption name MultiPV value 1");
    for list in ["0000", "a2a5 e8e7", "", "nonsense", "é2e4"] {
        let search = engine.go(&format!("go depth 3 searchmoves {list}"));
        sound(&search, &Oracle::startpos());
        let said = search.lines.iter().any(|line| line.text.starts_with("info string"));
        assert!(said || list.is_empty(), "nothing said about {list:?}");
        let all = "info string no legal searchmoves, searching all moves";
        let times = search.lines.iter().filter(|line| line.text == all).count();
        assert_eq!(times, usize::from(!list.is_empty()), "{list:?}");
    }
    engine.quit();
}

#[test]
fn a_bare_go_runs_until_stop_or_its_own_end() {
    let mut engine = Engine::ready();
    engine.send("go");
    engine.no_bestmove_for(ms(150));
    engine.send("stop");
    sound(&engine.search(), &Oracle::startpos());
    engine.send(&format!("position fen {BARE_KINGS}"));
    sound(&engine.go("go"), &oracle(BARE_KINGS));
    engine.quit();
}

#[test]
fn bad_numbers_are_ignored_and_the_rest_holds_or_a_short_time() {
    let mut engine = Engine::ready();
    let depth_three = [
        "go depth 3 movetime infinite",
        "go movetime depth 3",
        "go nodes x depth 3",
        "go wtime btime depth 3",
        "go mate depth 3",
        "go movestogo depth 3",
        "go depth 3 depth",
        "go unknown words depth 3",
        "go wtime 1e9 depth 3",
        "go btime 36000000.5 depth 3.9",
        "go depth +3",
    ];
    for go in depth_three {
        let search = engine.go(go);
        sound(&search, &Oracle::startpos());
        assert_eq!(search.last().depth, 3, "{go}");
    }
    // The client waits for a move, and sends no `stop`.
    for go in [
        "go depth x",
        "go movetime",
        "go movetime 56.9999999999999",
        "go wtime 500.5 btime 500.5",
        "go wtime 1e9",
    ] {
        sound(&engine.go(go), &Oracle::startpos());
    }
    engine.send("go ponder wtime x");
    engine.no_bestmove_for(ms(150));
    sound(&engine.go("ponderhit"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn stop_when_idle_is_ignored() {
    let mut engine = Engine::ready();
    engine.quietly("stop");
    engine.quietly("position startpos\nstop\nstop");
    // And it does not hit the next search.
    let search = engine.go("go depth 5");
    assert_eq!(search.last().depth, 5);
    engine.quit();
}

#[test]
fn a_second_go_waits_for_the_first() {
    let mut engine = Engine::ready();
    engine.send("go depth 6\ngo depth 2");
    assert_eq!(engine.search().last().depth, 6);
    assert_eq!(engine.search().last().depth, 2);
    // What only stop can end does not outlive it, however many wait.
    engine.send("go infinite\ngo infinite\ngo ponder wtime 1000\nstop");
    for _ in 0..3 {
        sound(&engine.search(), &Oracle::startpos());
    }
    // A bounded search that waits is not what stop means.
    engine.send("go infinite\ngo depth 4\nstop");
    engine.search();
    assert_eq!(engine.search().last().depth, 4);
    engine.silent_for(ms(30));
    engine.quit();
}

fn assert_no_move(search: &Search, score: &str) {
    assert_eq!(search.best, "(none)", "{:#?}", search.lines);
    assert_eq!(search.ponder, None);
    let texts: Vec<_> = search.lines.iter().map(|line| line.text.as_str()).collect();
    assert!(
        texts.iter().any(|text| text.starts_with("info depth 0") && text.contains(score)),
        "{texts:#?}"
    );
}

#[test]
fn a_root_without_moves_is_answered_at_once() {
    let mut engine = Engine::ready();
    for (fen, score) in [(CHECKMATE, "score mate 0"), (STALEMATE, "score cp 0")] {
        for go in [
            "go depth 3",
            "go infinite",
            "go ponder wtime 10 btime 10",
            "go movetime 20",
            "go wtime 1",
            "go nodes 1",
            "go searchmoves e2e4",
            "go",
        ] {
            engine.send(&format!("position fen {fen}"));
            engine.send(go);
            assert_no_move(&engine.search(), score);
            engine.quietly("stop\nponderhit");
        }
    }
    engine.send("ucinewgame\nposition startpos");
    sound(&engine.go("go depth 3"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn the_ponder_move_is_legal_and_missing_where_the_game_ends() {
    let (mut engine, root) = at(MATE_IN_ONE);
    let mate = engine.go("go depth 4");
    sound(&mate, &root);
    assert_eq!(mate.ponder, None, "after mate there is nothing to think about");
    engine.send("position startpos");
    let search = engine.go("go depth 7");
    sound(&search, &Oracle::startpos());
    assert!(search.ponder.is_some(), "no answer expected after depth 7");
    // A line that is one move long has no answer; the one given, if any, is legal.
    for depth in 1..4 {
        sound(&engine.go(&format!("go depth {depth}")), &Oracle::startpos());
    }
    engine.quit();
}

#[test]
fn the_move_played_is_the_one_announced_last() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 2");
    let mut oracle = Oracle::startpos();
    let mut played: Vec<String> = Vec::new();
    for ply in 0..30 {
        engine.send(&format!("position startpos moves {}", played.join(" ")));
        let go = if ply % 2 == 0 { "go movetime 40" } else { "go wtime 400 btime 400" };
        let search = engine.go(go);
        // `sound` compares the move with the last line of the first variation.
        sound(&search, &oracle);
        oracle = oracle.after(&[&search.best]);
        played.push(search.best);
        if oracle.is_over() {
            break;
        }
    }
    engine.quit();
}
