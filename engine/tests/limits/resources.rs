//! A large table and a thousand threads: how long they take.

use crate::alone;
use crate::support::check::sound;
use crate::support::{Engine, Oracle, PATIENCE, ms, retry_once};

/// A quarter of the memory that is free, at most 1 GiB: in MiB.
#[cfg(target_os = "linux")]
fn large_hash() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").expect("Linux tells");
    let line = text.lines().find(|line| line.starts_with("MemAvailable:")).expect("it is there");
    let kib: u64 =
        line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number");
    (kib / 1024 / 4).clamp(64, 1024)
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_table_is_ready_and_cleared_in_time() {
    let _turn = alone();
    let hash = large_hash();
    let mut engine = Engine::ready();
    let nodes = |engine: &mut Engine| {
        engine.send("position startpos moves e2e4 e7e5");
        engine.go("go depth 9").last().nodes
    };
    // A system that has to find the memory first may take seconds for it.
    engine.send(&format!("setoption name Hash value {hash}\nisready"));
    assert_eq!(engine.until_within("readyok", PATIENCE * 4).len(), 1, "the table was refused");
    println!("Hash {hash}: ready after {:?}", engine.asked().elapsed());
    assert!(engine.status("VmRSS:") / 1024 >= hash, "readyok came before the memory");
    let fresh = nodes(&mut engine);
    engine.send("position startpos moves e2e4");
    engine.go("go movetime 1000");
    retry_once(|| {
        engine.send("ucinewgame");
        let begun = std::time::Instant::now();
        engine.sync();
        let took = begun.elapsed();
        println!("Hash {hash}: cleared in {took:?}");
        // At a second a GiB the greatest table that clients give is done in their 15 seconds.
        let limit = ms(hash.max(256));
        if took <= limit { Ok(()) } else { Err(format!("{took:?} of {limit:?}")) }
    });
    assert_eq!(nodes(&mut engine), fresh, "something of the old game is left");
    engine.quit();
}

#[test]
fn a_thousand_threads_still_answer() {
    let _turn = alone();
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 1024");
    engine.send("isready");
    engine.until_within("readyok", PATIENCE);
    for go in ["go movetime 100", "go depth 5", "go wtime 2000 btime 2000", "go infinite\nstop"] {
        engine.send("position startpos moves e2e4");
        let search = engine.go(go);
        println!("1024 threads, {go:?}: {:?}", search.elapsed);
        sound(&search, &Oracle::startpos().after(&["e2e4"]));
    }
    retry_once(|| {
        engine.send("go infinite");
        engine.no_bestmove_for(ms(300));
        engine.send("stop");
        let took = engine.search().elapsed;
        println!("1024 threads, stop after 300 ms: {took:?}");
        if took < ms(500) { Ok(()) } else { Err(format!("{took:?} from stop to move")) }
    });
    engine.send("ucinewgame\nsetoption name Threads value 1");
    sound(&engine.go("go depth 4"), &Oracle::startpos().after(&["e2e4"]));
    engine.quit();
}
