//! How long `stop`, `isready` and `go` take.

use std::thread;
use std::time::Duration;

use crate::alone;
use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle, Random, ms, retry_once};

/// Positions of all kinds: openings, middlegames, endgames, mates, draws, explosions of captures.
const ROOTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/8/6K1/8/8/8/8/1Q6 b - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "7k/8/8/8/8/8/1r6/K7 w - - 0 1",
    "8/8/4k3/8/8/2BNK3/8/8 w - - 0 1",
    "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

/// The middle, the 99th percentile and the greatest of some times.
#[derive(Debug)]
struct Spread {
    median: Duration,
    high: Duration,
    most: Duration,
}

fn spread(mut times: Vec<Duration>) -> Spread {
    times.sort();
    let last = times.len() - 1;
    Spread { median: times[last / 2], high: times[last * 99 / 100], most: times[last] }
}

/// Times by the clock, and what counts of them.
#[derive(Default)]
struct Times {
    clock: Vec<Duration>,
    counted: Vec<Duration>,
}

impl Times {
    fn add(&mut self, clock: Duration, counted: Duration) {
        self.clock.push(clock);
        self.counted.push(counted);
    }

    fn add_search(&mut self, search: &Search) {
        self.add(search.elapsed, search.spent);
    }

    /// Adds the time until a line that begins with `word` came out of the engine.
    fn add_line(&mut self, engine: &mut Engine, word: &str) {
        let lines = engine.until(word);
        let elapsed = lines[lines.len() - 1].at.saturating_duration_since(engine.asked());
        self.add(elapsed, engine.spent(elapsed));
    }

    /// Prints them, and gives those that count.
    fn judge(self, what: &str) -> Spread {
        let (clock, counted) = (spread(self.clock), spread(self.counted));
        println!("{what}: {clock:?}");
        println!("  less what other programs took: {counted:?}");
        counted
    }
}

/// Stops searches at random moments; the times from `stop` to `bestmove`.
fn stop_times(threads: usize, count: usize) -> Spread {
    let mut times = Times::default();
    let mut engine = Engine::ready();
    engine.send(&format!("setoption name Threads value {threads}"));
    let mut random = Random::new(threads as u64);
    for index in 0..count {
        let root = ROOTS[index % ROOTS.len()];
        engine.send(&format!("position fen {root}"));
        engine.sync();
        engine.send("go infinite");
        thread::sleep(Duration::from_micros(random.below(10_000) as u64));
        engine.send("stop");
        let search = engine.search();
        times.add_search(&search);
        sound(&search, &Oracle::new(root, Notation::Classic));
    }
    engine.quit();
    times.judge(&format!("stop to bestmove, {threads} threads, {count} stops"))
}

#[test]
fn stop_is_answered_within_ten_milliseconds() {
    let _turn = alone();
    for threads in [1, 2] {
        retry_once(|| {
            let found = stop_times(threads, 1000);
            if found.high <= ms(10) && found.most <= ms(50) {
                Ok(())
            } else {
                Err(format!("{found:?}"))
            }
        });
    }
}

#[test]
fn many_threads_stop_soon() {
    let _turn = alone();
    retry_once(|| {
        let found = stop_times(64, 50);
        let soon = found.median <= ms(50) && found.most <= ms(500);
        if soon { Ok(()) } else { Err(format!("{found:?}")) }
    });
}

#[test]
fn go_and_stop_in_one_write_give_a_legal_move_each_time() {
    let _turn = alone();
    let mut engine = Engine::ready();
    for index in 0..1000 {
        let root = ROOTS[index % ROOTS.len()];
        engine.send(&format!("position fen {root}\ngo infinite\nstop"));
        sound(&engine.search(), &Oracle::new(root, Notation::Classic));
    }
    engine.quit();
}

#[test]
fn isready_is_answered_within_ten_milliseconds_of_a_search() {
    let _turn = alone();
    for threads in [1, 2] {
        retry_once(|| {
            let mut times = Times::default();
            let mut engine = Engine::ready();
            engine.send(&format!("setoption name Threads value {threads}\ngo infinite"));
            for _ in 0..500 {
                thread::sleep(ms(1));
                engine.send("isready");
                times.add_line(&mut engine, "readyok");
            }
            engine.send("stop");
            sound(&engine.search(), &Oracle::startpos());
            engine.quit();
            let what = format!("isready to readyok in a search, {threads} threads, 500 pings");
            let found = times.judge(&what);
            if found.high <= ms(10) { Ok(()) } else { Err(format!("{found:?}")) }
        });
    }
}

#[test]
fn the_first_line_of_a_search_comes_within_ten_milliseconds() {
    // The first depth of the explosion of captures takes 100,000 nodes the first time. Of 200
    // searches, one more slow one, by a stall of the machine, would decide the 99th percentile.
    const SEARCHES: usize = 1000;
    let _turn = alone();
    // With two threads on two cores the reader has to wait until the system takes a core from
    // one of them: some 5 ms.
    for (threads, limit) in [(1, ms(5)), (2, ms(10))] {
        retry_once(|| {
            let mut times = Times::default();
            let mut engine = Engine::ready();
            engine.send(&format!("setoption name Threads value {threads}"));
            for index in 0..SEARCHES {
                engine.send(&format!("position fen {}", ROOTS[index % ROOTS.len()]));
                engine.sync();
                engine.send("go infinite");
                times.add_line(&mut engine, "info");
                engine.send("stop");
                engine.search();
            }
            engine.quit();
            let found =
                times.judge(&format!("go to the first line, {threads} threads, {SEARCHES} times"));
            if found.high <= limit { Ok(()) } else { Err(format!("{found:?}")) }
        });
    }
}

#[test]
fn the_engine_starts_within_fifty_milliseconds() {
    let _turn = alone();
    retry_once(|| {
        let mut times = Times::default();
        for _ in 0..20 {
            let mut engine = Engine::start();
            engine.send("uci\nisready");
            engine.until("readyok");
            let elapsed = engine.born().elapsed();
            times.add(elapsed, engine.spent(elapsed));
            engine.quit();
        }
        let found = times.judge("start to readyok, 20 starts");
        if found.median <= ms(50) { Ok(()) } else { Err(format!("{found:?}")) }
    });
}

#[test]
fn stop_right_after_go_gives_a_legal_scored_move_soon() {
    let _turn = alone();
    retry_once(|| {
        let mut engine = Engine::ready();
        let mut slowest = Duration::ZERO;
        for round in 0..100_u64 {
            engine.send("go infinite");
            thread::sleep(Duration::from_micros(round * 20));
            engine.send("stop");
            let search = engine.search();
            sound(&search, &Oracle::startpos());
            slowest = slowest.max(search.spent);
        }
        engine.quit();
        if slowest < ms(50) { Ok(()) } else { Err(format!("{slowest:?} from stop to move")) }
    });
}

#[test]
fn stop_is_fast_where_the_search_is_hardest() {
    let _turn = alone();
    let wild = [
        "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "k7/8/8/8/8/8/8/K7 w - - 0 1",
        "7k/8/6K1/8/8/8/8/1Q6 b - - 0 1",
    ];
    for fen in wild {
        for threads in [1, 4] {
            retry_once(|| {
                let mut engine = Engine::ready();
                let notes = engine.notes(&format!("position fen {fen}"));
                assert!(notes.is_empty(), "{fen}: {notes:?}");
                engine.send(&format!("setoption name Threads value {threads}\ngo infinite"));
                engine.no_bestmove_for(ms(60));
                engine.send("stop");
                let search = engine.search();
                sound(&search, &Oracle::new(fen, Notation::Classic));
                let took = search.spent;
                engine.quit();
                if took < ms(50) { Ok(()) } else { Err(format!("{took:?} in {fen}")) }
            });
        }
    }
}
