//! More commands than can wait: what there is no room for is skipped, which is reported once, and
//! what ends something still arrives.

use crate::long::long_or;
use crate::support::check::sound;
use crate::support::oracle::{Oracle, STARTPOS};
use crate::support::xboard::Client;
use crate::support::{Engine, PATIENCE};

/// The most that waiting commands may take, in KiB, and what the allocator may keep beside it.
#[cfg(target_os = "linux")]
const ALLOWED: u64 = (64 + 16) << 10;

/// Lines of a megabyte, 68 MiB in all, each of which takes its whole length of memory. They are
/// carried out at once: the first move is illegal.
fn long_lines() -> Vec<u8> {
    let line = format!("position startpos moves{}\n", " a1a1".repeat(200_000));
    line.repeat(72).into_bytes()
}

/// Lines that are short, so that they take more memory than their length.
fn short_lines(line: &str) -> Vec<u8> {
    format!("{line}\n").repeat(200_000).into_bytes()
}

fn is_skip(text: &str) -> bool {
    text.starts_with("info string error: there is no room for more commands that wait")
}

#[test]
fn a_flood_during_a_search_is_reported_once_and_the_search_can_be_stopped() {
    let mut engine = Engine::ready();
    for lines in [long_lines(), short_lines("position fen nonsense")] {
        engine.send("position startpos moves e2e4\ngo infinite");
        engine.until("info");
        #[cfg(target_os = "linux")]
        let before = engine.status("VmRSS:");
        engine.send_bytes(&lines);
        engine.until_line("the report", PATIENCE, is_skip);
        let said = engine.sync();
        assert!(!said.iter().any(|line| is_skip(&line.text)), "it is reported once");
        #[cfg(target_os = "linux")]
        {
            let grown = engine.status("VmRSS:").saturating_sub(before);
            println!("{} MiB of lines: {} MiB of memory", lines.len() >> 20, grown >> 10);
            assert!(grown <= ALLOWED, "{grown} KiB for commands that wait");
        }
        engine.send("stop");
        let search = engine.search();
        sound(&search, &Oracle::startpos().after(&["e2e4"]));
        // What had room is carried out, and only then are commands taken again.
        let said = engine.sync();
        let refused = said.iter().filter(|line| line.text.contains("position rejected"));
        assert!(refused.count() > 50, "what had room is carried out");
        assert!(!said.iter().any(|line| is_skip(&line.text)), "it is reported once");
        let search = engine.go("go depth 2");
        assert_eq!(search.best, "0000", "a move in a position that was skipped");
        engine.send("position startpos moves d2d4");
        sound(&engine.go("go depth 2"), &Oracle::startpos().after(&["d2d4"]));
    }
    engine.quit();
}

#[test]
fn quit_arrives_behind_a_flood_that_waits_for_a_long_command() {
    let all = [
        ("perft 12", "d"),
        ("perft 12", "isready"),
        ("perft 12", "go depth 1"),
        ("go infinite", "go depth 1"),
        ("go infinite", "isready"),
    ];
    for (begin, line) in all.into_iter().step_by(long_or(1, 2)) {
        let mut engine = Engine::ready();
        engine.send(begin);
        engine.send_bytes(&short_lines(line));
        engine.send("quit");
        engine.expect_exit();
    }
}

#[test]
fn a_flood_while_xboard_waits_for_a_move_is_reported_once_and_the_move_comes() {
    let oracle = Oracle::new(STARTPOS, crate::support::oracle::Notation::Classic);
    let mut client = Client::ready();
    client.send("st 36000\ngo");
    client.engine().send_bytes(&short_lines("usermove a1a1"));
    let begins = |text: &str| text.starts_with("Error (there is no room");
    client.until("the report", begins);
    let mv = client.moved("?", &oracle);
    let said = client.sync();
    assert!(!said.iter().any(|line| begins(line)), "it is reported once");
    assert!(said.iter().filter(|line| line.contains("a1a1")).count() > 50);
    // Nobody knows what was played.
    let said = client.said("usermove e7e5");
    assert_eq!(said.len(), 1, "{said:?} after {mv}");
    assert!(said[0].contains("no legal position"), "{said:?}");
    client.moved("new\nsd 2\ngo", &oracle);
    client.quit();
}
