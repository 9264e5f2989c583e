//! Memory, threads and lengths at their limits.

#![cfg(target_os = "linux")]

use crate::support::check::sound;
use crate::support::oracle::Notation;
use crate::support::{Engine, Launch, Oracle, Random, times};

/// Positions that are searched to the greatest depth, or have the most moves.
const DEEP: [&str; 3] = [
    // A fortress: nothing happens down to any depth.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

/// Enough nodes to reach the greatest depth where nothing happens, and the longest lines of
/// captures where everything is attacked.
const DEEP_NODES: u64 = 400_000;

/// With the largest table and more nodes where `TAMARIN_LONG_TESTS` is set, as `make prove` does.
#[test]
fn long_memory_stays_within_hash_and_a_share_for_each_thread() {
    let is_full = times("TAMARIN_LONG_TESTS", 0) > 0;
    let (sizes, nodes) = if is_full { (4, 200_000) } else { (3, 50_000) };
    for (hash, threads) in [(1, 1), (16, 4), (256, 2), (1024, 1)].into_iter().take(sizes) {
        let mut engine = Engine::ready();
        engine.send(&format!("setoption name Hash value {hash}"));
        engine.send(&format!("setoption name Threads value {threads}\nucinewgame"));
        engine.sync();
        // The table is cleared and so in memory as a whole.
        assert!(engine.status("VmRSS:") / 1024 >= hash, "readyok came before the memory");
        sound(&engine.go(&format!("go nodes {nodes}")), &Oracle::startpos());
        let used = engine.status("VmRSS:") / 1024;
        let allowed = hash + 32 + 16 * threads;
        println!("Hash {hash} Threads {threads}: {used} MiB of {allowed}");
        assert!(used <= allowed, "{used} MiB with Hash {hash} and {threads} threads");
        // The table of standard chess makes way for that of a variant.
        engine.send("setoption name UCI_Variant value minixiangqi\nposition startpos");
        engine.sync();
        engine.go(&format!("go nodes {nodes}"));
        let used = engine.status("VmRSS:") / 1024;
        assert!(used <= allowed, "{used} MiB in a variant with Hash {hash}, {threads} threads");
        // It is not taken again while the variant is played, not even for a moment. After
        // `ucinewgame` the table of the variant is in memory as a whole.
        forget_peak(&engine);
        let other_size = format!("setoption name Hash value {}", hash + 1);
        for command in ["ucinewgame", &other_size, "ucinewgame", "setoption name Clear Hash"] {
            engine.quietly(command);
            let used = engine.status("VmHWM:") / 1024;
            assert!(used <= allowed, "{used} MiB by {command} with {threads} threads");
        }
        engine.quit();
    }
}

/// From now on `VmHWM:` is the greatest resident memory since this call.
fn forget_peak(engine: &Engine) {
    std::fs::write(format!("/proc/{}/clear_refs", engine.id()), "5").expect("the process is ours");
}

#[test]
fn long_changing_sizes_a_hundred_times_leaks_nothing() {
    let mut engine = Engine::ready();
    let mut cycle = |rounds: usize| {
        for round in 0..rounds {
            let (hash, threads) = (1 + round % 7, 1 + round % 3);
            engine.send(&format!("setoption name Hash value {hash}"));
            engine.send(&format!("setoption name Threads value {threads}\nucinewgame"));
            engine.go("go nodes 2000");
        }
        engine.send("setoption name Hash value 4\nsetoption name Threads value 1\nucinewgame");
        engine.go("go nodes 2000");
        let files = std::fs::read_dir(format!("/proc/{}/fd", engine.id())).expect("it runs");
        (engine.status("VmRSS:"), engine.status("Threads:"), files.count())
    };
    let before = cycle(60);
    let after = cycle(100);
    println!("resident, threads, files: {before:?} then {after:?}");
    // Seen: less than half a MiB more or less. 11 KiB lost at each change would be more.
    let tolerance = 1 << 10;
    assert!(after.0 <= before.0 + tolerance, "memory grew from {} to {} KiB", before.0, after.0);
    assert_eq!((before.1, before.2), (after.1, after.2), "threads or files are left over");
}

#[test]
fn refused_memory_leaves_the_old_table_and_threads() {
    let mut engine = Launch::limited("-v 1500000").start();
    engine.send("uci");
    engine.until("uciok");
    let notes = engine.notes("setoption name Hash value 4000");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("16"), "{notes:?}");
    sound(&engine.go("go depth 6"), &Oracle::startpos());
    let threads = engine.status("Threads:");
    let notes = engine.notes("setoption name Threads value 1024");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].ends_with("Threads stays at 1"), "{notes:?}");
    assert_eq!(engine.status("Threads:"), threads, "threads are left over");
    sound(&engine.go("go depth 6"), &Oracle::startpos());
    engine.quietly("setoption name Threads value 2\nsetoption name Hash value 32");
    sound(&engine.go("go depth 6"), &Oracle::startpos());
    engine.quit();
}

/// `TAMARIN_ADDRESS_SPACES` says how many processes.
#[test]
fn long_in_a_small_address_space_tables_and_threads_are_refused_and_nothing_aborts() {
    let mut random = Random::new(36);
    let (mut refused, mut asked) = (0, 0);
    for _ in 0..times("TAMARIN_ADDRESS_SPACES", 10) {
        let kib = 90_000 + random.below(330_000);
        let mut engine = Launch::limited(&format!("-v {kib}")).start();
        let hash = format!("setoption name Hash value {}", random.pick(&[64, 200, 300]));
        let threads = format!("setoption name Threads value {}", random.pick(&[16, 64, 200]));
        let mut options = [hash, threads];
        options.rotate_left(random.below(2));
        for option in &options {
            let notes = engine.notes(option);
            asked += 1;
            refused += notes.len();
            let kept = |note: &String| note.contains("stays at");
            assert!(notes.len() <= 1 && notes.iter().all(kept), "{kib} KiB, {option}: {notes:?}");
        }
        sound(&engine.go("go nodes 10000"), &Oracle::startpos());
        engine.quit();
    }
    assert!(0 < refused && refused < asked, "{refused} of {asked} refused");
}

#[test]
fn long_the_deepest_lines_and_the_most_moves_fit_the_stack() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 2");
    for root in DEEP {
        engine.send(&format!("ucinewgame\nposition fen {root}"));
        let search = engine.go(&format!("go depth 1000000000 nodes {DEEP_NODES}"));
        sound(&search, &Oracle::new(root, Notation::Classic));
    }
    engine.notes("setoption name MultiPV value 256");
    let search = engine.go("go depth 2");
    assert_eq!(search.infos.iter().filter_map(|info| info.multipv).max(), Some(218));
    engine.quit();
}

/// The most that waiting commands may take, in KiB, and what the allocator may keep beside it. What
/// ends something still arrives.
const ALLOWED: u64 = (64 + 16) << 10;

#[test]
fn long_a_flood_during_a_search_takes_bounded_memory_and_leaves_stop_and_quit() {
    let mut engine = Engine::ready();
    // Lines of a megabyte, each of which takes its length of memory, and short ones, which take more.
    let long = format!("position startpos moves{}\n", " a1a1".repeat(200_000)).repeat(72);
    let short = "position fen nonsense\n".repeat(200_000);
    for lines in [long, short] {
        engine.send("position startpos moves e2e4\ngo infinite");
        engine.until("info");
        let before = engine.status("VmRSS:");
        engine.send_bytes(lines.as_bytes());
        engine.sync();
        let grown = engine.status("VmRSS:").saturating_sub(before);
        assert!(grown <= ALLOWED, "{grown} KiB for commands that wait");
        engine.send("stop");
        sound(&engine.search(), &Oracle::startpos().after(&["e2e4"]));
        // Whatever was carried out or skipped, there is no position until the next one.
        engine.sync();
        assert_eq!(engine.go("go depth 2").best, "0000");
        engine.send("position startpos moves d2d4");
        sound(&engine.go("go depth 2"), &Oracle::startpos().after(&["d2d4"]));
    }
    engine.send("perft 12");
    engine.send_bytes("d\n".repeat(200_000).as_bytes());
    engine.send("quit");
    engine.expect_exit();
}
