//! What must hold for a whole session of any lines, in this process: nothing panics, and each `go`,
//! `isready` and `uci` is answered once. Shared by the fuzz target and the tests.
//!
//! Lines that would take long, end the process or write files are left out or changed: searches
//! have few nodes, tables and threads are few.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tamarin_chess::{SessionEnd, converse};
use tamarin_uci::xboard::Command as XBoard;
use tamarin_uci::{Command, Console, SetOption};

/// Nodes of a search.
const NODES: u64 = 200;
/// Lines of a session.
const LINES: usize = 60;
/// Sizes and threads are at most this.
const MOST: u64 = 4;

/// Panics if a session of these lines breaks a promise. The first byte chooses the protocol.
pub fn check(bytes: &[u8]) {
    let Some((&first, lines)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(lines);
    let lines = text.split('\n').take(LINES);
    if first % 2 == 0 { uci(lines) } else { xboard(lines) }
}

/// Where the answers go.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics with it").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is said in a session of these lines.
fn answers(input: &str) -> Vec<String> {
    let said = Said::default();
    let end = converse(input.as_bytes(), Box::new(said.clone())).expect("threads can be started");
    assert_ne!(end, SessionEnd::AfterInternalError, "{input}");
    let said = said.0.lock().expect("nobody panics with it").clone();
    let said = String::from_utf8(said).expect("answers are text");
    assert!(said.is_empty() || said.ends_with('\n'), "half a line: {said:?}");
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    assert!(!lines.iter().any(|line| is_internal_error(line)), "{input}\n{lines:#?}");
    lines
}

/// Returns `true` for the report of an internal error in either protocol, not for a line with these
/// words that an error message repeats.
fn is_internal_error(line: &str) -> bool {
    ["info string internal error", "Error (internal error)"]
        .iter()
        .any(|report| line.starts_with(report))
}

fn uci<'a>(lines: impl Iterator<Item = &'a str>) {
    let mut input = "uci\n".to_owned();
    let mut wanted = [("bestmove", 0), ("readyok", 0), ("uciok", 1)];
    for line in lines {
        let line = match tamarin_uci::parse(line).map(|parsed| parsed.command) {
            Ok(Command::Quit | Command::SaveHash(_) | Command::LoadHash(_)) => continue,
            Ok(Command::Console(console)) if is_long(&console) => continue,
            Ok(Command::SetOption(SetOption { name, value }))
                if !is_allowed(&name, value.as_deref()) =>
            {
                continue;
            }
            Ok(Command::Go(mut go)) => {
                wanted[0].1 += 1;
                go.nodes = Some(go.nodes.map_or(NODES, |nodes| nodes.min(NODES)));
                go.to_string()
            }
            Ok(Command::IsReady) => {
                wanted[1].1 += 1;
                line.to_owned()
            }
            Ok(Command::Uci) => {
                wanted[2].1 += 1;
                line.to_owned()
            }
            _ => line.to_owned(),
        };
        input += &line;
        input.push('\n');
    }
    let said = answers(&input);
    for (word, count) in wanted {
        let is_it = |line: &&String| line.split(' ').next() == Some(word);
        assert_eq!(said.iter().filter(is_it).count(), count, "{word} after {input}\n{said:#?}");
    }
}

fn is_long(console: &Console) -> bool {
    match console {
        Console::Perft(depth) => *depth > 2,
        Console::Bench(_) | Console::GenFens(_) => true,
        _ => false,
    }
}

/// Leaves out options that take much memory, many threads, or a file to write, and variants, whose
/// evaluators take seconds to make.
fn is_allowed(name: &str, value: Option<&str>) -> bool {
    let name = name.to_ascii_lowercase();
    let number = value.and_then(|value| value.trim().parse::<u64>().ok());
    match name.as_str() {
        "uci_variant" => value.is_some_and(|value| value.trim() == "chess"),
        "hash" | "threads" => number.is_none_or(|number| number <= MOST),
        _ => !name.contains("log"),
    }
}

fn xboard<'a>(lines: impl Iterator<Item = &'a str>) {
    // A search for a move goes two plies deep, whatever the clocks say.
    let mut input = "xboard\nprotover 2\nsd 2\n".to_owned();
    let mut pings = 0;
    for line in lines {
        let deeper = match XBoard::parse(line) {
            Ok(XBoard::Quit | XBoard::Uci) => continue,
            Ok(XBoard::SaveHash(_) | XBoard::LoadHash(_)) => continue,
            Ok(XBoard::Variant(name)) if !matches!(&name[..], "normal" | "fischerandom") => {
                continue;
            }
            Ok(XBoard::Memory(number) | XBoard::Cores(number)) if number > 10 * MOST => continue,
            Ok(XBoard::Option { name, value }) if !is_allowed(&name, value.as_deref()) => {
                continue;
            }
            Ok(XBoard::Ping(_)) => {
                pings += 1;
                false
            }
            Ok(XBoard::New | XBoard::Depth(_)) => true,
            _ => false,
        };
        input += line;
        input.push('\n');
        if deeper {
            input += "sd 2\n";
        }
    }
    let said = answers(&input);
    let pongs = said.iter().filter(|line| line.starts_with("pong ")).count();
    // In the edit mode a ping is a line of it.
    assert!(pongs <= pings, "{pongs} pongs for {pings} pings: {input}\n{said:#?}");
}
