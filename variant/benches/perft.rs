//! Speed of perft and of compiling, game by game: `make bench-variants`.
//!
//! One thread, no cache, moves of the last ply counted and not played. With the path of a
//! Fairy-Stockfish (built for large boards) as the last argument, both programs take turns
//! within each round, so that a slow moment of the machine hits both alike; the table shows
//! medians. An argument that is a number sets the number of rounds; names of games leave the
//! others out.

use std::fs;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use tamarin_variant::{BUILTINS, Position, builtin, load, perft};

/// A game from its start position.
struct Case {
    name: &'static str,
    /// What Fairy-Stockfish calls it.
    theirs: Option<&'static str>,
    depth: u32,
    nodes: u64,
}

const fn case(name: &'static str, theirs: Option<&'static str>, depth: u32, nodes: u64) -> Case {
    Case { name, theirs, depth, nodes }
}

const CASES: [Case; 7] = [
    case("fide", Some("chess"), 5, 4_865_609),
    case("nuttyknights", Some("nuttyknights"), 5, 16_200_068),
    case("clobberers", Some("clobberers"), 5, 24_759_802),
    case("shogi_nodrop", Some("shogi_nodrop"), 5, 19_858_714),
    case("xiangqi", Some("xiangqi"), 4, 3_290_240),
    case("locusts", None, 6, 16_362_663),
    case("locusts12", None, 4, 25_445_729),
];

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|text| !text.starts_with('-')).collect();
    let rounds = arguments.iter().find_map(|text| text.parse().ok()).unwrap_or(5);
    let named = |name: &str| arguments.iter().any(|text| text == name);
    let all = !BUILTINS.iter().any(|entry| named(entry.name));
    let is_name = |text: &str| BUILTINS.iter().any(|entry| entry.name == text);
    let peer = arguments.iter().find(|text| text.parse::<usize>().is_err() && !is_name(text));
    let mut peer = peer.map(|path| Peer::start(path));
    println!("Million nodes a second, one thread, median of {rounds} rounds");
    println!(
        "{:<16}{:>6}{:>10}{:>18}{:>8}",
        "game", "depth", "tamarin", "Fairy-Stockfish", "ratio"
    );
    for case in CASES.iter().filter(|case| all || named(case.name)) {
        let (ours, theirs) = measure(case, rounds, peer.as_mut());
        print!("{:<16}{:>6}{ours:>10.1}", case.name, case.depth);
        match theirs {
            Some(theirs) => println!("{theirs:>18.1}{:>8.2}", ours / theirs),
            None => println!(),
        }
    }
    println!("\nMilliseconds to read and compile a game, median of {rounds} rounds");
    for entry in BUILTINS.iter().filter(|entry| all || named(entry.name)) {
        println!("{:<16}{:>6.1}", entry.name, compile(entry.source, rounds));
    }
}

/// Median speeds of both programs, in million nodes a second.
fn measure(case: &Case, rounds: usize, mut peer: Option<&mut Peer>) -> (f64, Option<f64>) {
    let game = builtin(case.name).expect("a built-in game");
    let mut position = Position::start(&game);
    let start = Instant::now();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let before = cpu_seconds("/proc/thread-self/schedstat", start);
        assert_eq!(perft(black_box(&mut position), case.depth), case.nodes, "{}", case.name);
        let seconds = cpu_seconds("/proc/thread-self/schedstat", start) - before;
        ours.push(case.nodes as f64 / seconds / 1e6);
        if let (Some(peer), Some(name)) = (peer.as_deref_mut(), case.theirs) {
            let (nodes, seconds) = peer.perft(name, case.depth);
            assert_eq!(nodes, case.nodes, "{name} by Fairy-Stockfish");
            theirs.push(nodes as f64 / seconds / 1e6);
        }
    }
    (median(ours), (!theirs.is_empty()).then(|| median(theirs)))
}

fn compile(source: &str, rounds: usize) -> f64 {
    // The system counts in steps of some milliseconds.
    const TIMES: u32 = 10;
    let start = Instant::now();
    let times = (0..rounds.max(1)).map(|_| {
        let before = cpu_seconds("/proc/thread-self/schedstat", start);
        for _ in 0..TIMES {
            black_box(load(black_box(source), None).expect("a game that compiles"));
        }
        (cpu_seconds("/proc/thread-self/schedstat", start) - before) * 1e3 / f64::from(TIMES)
    });
    median(times.collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Time that a thread has had a processor, where the system reports it (Linux), so that other
/// programs disturb less; else time.
fn cpu_seconds(path: &str, start: Instant) -> f64 {
    fs::read_to_string(path)
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds: f64| nanoseconds / 1e9)
}

/// A Fairy-Stockfish behind pipes.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    start: Instant,
}

impl Peer {
    fn start(path: &str) -> Self {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut peer = Self { child, input, output, start: Instant::now() };
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/fairy.ini");
        peer.send(&format!("setoption name VariantPath value {games}"));
        peer
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("Fairy-Stockfish reads");
    }

    /// Nodes and seconds of its processor.
    fn perft(&mut self, variant: &str, depth: u32) -> (u64, f64) {
        self.send(&format!("setoption name UCI_Variant value {variant}"));
        self.send("position startpos");
        self.send("isready");
        self.answer("readyok");
        let before = self.seconds();
        self.send(&format!("go perft {depth}"));
        let nodes = self.answer("Nodes searched: ");
        (nodes.parse().expect("a count"), self.seconds() - before)
    }

    /// What follows a text at the beginning of a line.
    fn answer(&mut self, wanted: &str) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "Fairy-Stockfish ended");
            if let Some(rest) = line.trim_end().strip_prefix(wanted) {
                return rest.to_owned();
            }
        }
    }

    /// Time that all its threads have had a processor.
    fn seconds(&self) -> f64 {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let paths = tasks.into_iter().flatten().flatten().map(|task| task.path().join("schedstat"));
        let times: Vec<f64> =
            paths.map(|path| cpu_seconds(&path.to_string_lossy(), self.start)).collect();
        if times.is_empty() { self.start.elapsed().as_secs_f64() } else { times.iter().sum() }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}
