//! More commands than can wait take bounded memory, and what ends something still arrives.

use crate::support::check::sound;
use crate::support::{Engine, Oracle};

/// The most that waiting commands may take, in KiB, and what the allocator may keep beside it.
#[cfg(target_os = "linux")]
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
        #[cfg(target_os = "linux")]
        let before = engine.status("VmRSS:");
        engine.send_bytes(lines.as_bytes());
        engine.sync();
        #[cfg(target_os = "linux")]
        {
            let grown = engine.status("VmRSS:").saturating_sub(before);
            assert!(grown <= ALLOWED, "{grown} KiB for commands that wait");
        }
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
