//! Answers to `go`, `stop`, `isready`, `quit` and the end of input.

use std::thread;
use std::time::{Duration, Instant};

use super::support::oracle::ROOTS;
use super::support::{Engine, Random, STATES, ms};
use super::table::{Answers, NOTHING, Promise, time_to};

/// All rows of the table.
pub fn measure(rounds: usize, answers: &mut Answers) {
    start(rounds, answers);
    isready(rounds, answers);
    for (threads, high) in [(1, 5), (2, 10)] {
        first_line(rounds, threads, high, answers);
    }
    for threads in [1, 2] {
        let promise = Promise { high: Some(10), most: Some(50), ..NOTHING };
        stop(threads, 1000 * rounds, promise, answers);
    }
    stop(64, 50 * rounds, Promise { median: Some(50), most: Some(500), ..NOTHING }, answers);
    thousand_threads(rounds, answers);
    large_table(rounds, answers);
    ends(rounds, answers);
    #[cfg(unix)]
    unread(rounds, answers);
    #[cfg(unix)]
    wake(rounds, answers);
}

fn with_threads(threads: usize) -> Engine {
    let mut engine = Engine::ready();
    engine.send(&format!("setoption name Threads value {threads}"));
    engine.sync();
    engine
}

fn start(rounds: usize, answers: &mut Answers) {
    let mut times = Vec::new();
    for _ in 0..40 * rounds {
        let mut engine = Engine::start();
        engine.send("uci\nisready");
        let lines = engine.until("readyok");
        times.push(lines[lines.len() - 1].at - engine.born());
        engine.quit();
    }
    answers.row("start to `readyok`", times, Promise { median: Some(50), ..NOTHING });
}

fn isready(rounds: usize, answers: &mut Answers) {
    let mut times = Vec::new();
    let mut engine = Engine::ready();
    for _ in 0..500 * rounds {
        thread::sleep(ms(1));
        engine.send("isready");
        times.push(time_to(&mut engine, "readyok"));
    }
    engine.quit();
    answers.row("`isready` to `readyok`, idle", times, NOTHING);
    for threads in [1, 2] {
        let mut times = Vec::new();
        let mut engine = with_threads(threads);
        engine.send("go infinite");
        for _ in 0..500 * rounds {
            thread::sleep(ms(1));
            engine.send("isready");
            times.push(time_to(&mut engine, "readyok"));
        }
        engine.send("stop");
        engine.search();
        engine.quit();
        let what = format!("`isready` to `readyok` in a search, {threads} thread(s)");
        answers.row(&what, times, Promise { high: Some(10), ..NOTHING });
    }
}

/// The first line of a search: after a new game, and with the table and caches of the searches
/// before.
fn first_line(rounds: usize, threads: usize, high: u64, answers: &mut Answers) {
    let once = |engine: &mut Engine, root: &str| {
        engine.send(&format!("position fen {root}"));
        engine.sync();
        engine.send("go infinite");
        let time = time_to(engine, "info");
        engine.send("stop");
        engine.search();
        time
    };
    let mut engine = with_threads(threads);
    let mut times = Vec::new();
    for index in 0..20 * ROOTS.len() * rounds {
        engine.send("ucinewgame");
        times.push(once(&mut engine, ROOTS[index % ROOTS.len()]));
    }
    engine.quit();
    answers.row(&format!("`go` to the first line, new game, {threads} thread(s)"), times, NOTHING);
    let mut engine = with_threads(threads);
    let mut times = Vec::new();
    for index in 0..1000 * rounds + ROOTS.len() {
        let time = once(&mut engine, ROOTS[index % ROOTS.len()]);
        if index >= ROOTS.len() {
            times.push(time);
        }
    }
    engine.quit();
    let what = format!("`go` to the first line, position known, {threads} thread(s)");
    answers.row(&what, times, Promise { high: Some(high), ..NOTHING });
}

/// 200 positions: [`ROOTS`], and from the perft suite.
fn roots() -> Vec<&'static str> {
    let suite = include_str!("../../../perft/suites/standard.epd").lines();
    let suite = suite.filter_map(|line| Some(line.split_once(" ;D1 ")?.0));
    ROOTS.into_iter().chain(suite).take(200).collect()
}

/// Stops searches of all of them at random moments of the first 50 ms.
fn stop(threads: usize, count: usize, promise: Promise, answers: &mut Answers) {
    let (mut times, roots) = (Vec::new(), roots());
    let mut engine = with_threads(threads);
    let mut random = Random::new(threads as u64);
    for index in 0..count {
        engine.send(&format!("position fen {}", roots[index % roots.len()]));
        engine.sync();
        engine.send("go infinite");
        thread::sleep(Duration::from_micros(random.below(50_000) as u64));
        engine.send("stop");
        times.push(engine.search().elapsed);
    }
    engine.quit();
    answers.row(&format!("`stop` to `bestmove`, {threads} thread(s)"), times, promise);
}

fn thousand_threads(rounds: usize, answers: &mut Answers) {
    let (mut starts, mut firsts, mut stops) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..5 * rounds {
        let mut engine = Engine::ready();
        engine.sync();
        engine.send("setoption name Threads value 1024\nisready");
        starts.push(time_to(&mut engine, "readyok"));
        for _ in 0..2 {
            engine.send("go infinite");
            firsts.push(time_to(&mut engine, "info"));
            engine.no_bestmove_for(ms(300));
            engine.send("stop");
            stops.push(engine.search().elapsed);
        }
        engine.quit();
    }
    answers.row("1 to 1,024 threads, to `readyok`", starts, NOTHING);
    answers.row("`go` to the first line, 1,024 threads", firsts, NOTHING);
    let promise = Promise { most: Some(500), ..NOTHING };
    answers.row("`stop` to `bestmove`, 1,024 threads", stops, promise);
}

fn large_table(rounds: usize, answers: &mut Answers) {
    let mut engine = Engine::ready();
    engine.sync();
    engine.send("setoption name Hash value 1024\nisready");
    let sized = time_to(&mut engine, "readyok");
    let mut times = Vec::new();
    for _ in 0..5 * rounds {
        engine.send("go nodes 10000");
        engine.search();
        engine.send("ucinewgame\nisready");
        times.push(time_to(&mut engine, "readyok"));
    }
    engine.quit();
    answers.row("`Hash` 1,024 MiB, to `readyok`", vec![sized], NOTHING);
    let promise = Promise { most: Some(1000), ..NOTHING };
    answers.row("`ucinewgame` with 1,024 MiB, to `readyok`", times, promise);
}

/// How soon the process has ended, in each of the states.
fn ends(rounds: usize, answers: &mut Answers) {
    let row = |answers: &mut Answers, what: &str, limit: u64, end: &dyn Fn(&mut Engine)| {
        let mut times = Vec::new();
        for round in 0..20 * rounds * STATES.len() {
            let mut engine = Engine::ready();
            engine.send(STATES[round % STATES.len()]);
            engine.sync();
            thread::sleep(ms(round as u64 % 20));
            let begun = Instant::now();
            end(&mut engine);
            engine.expect_exit();
            times.push(begun.elapsed());
        }
        answers.row(what, times, Promise { most: Some(limit), ..NOTHING });
    };
    row(answers, "`quit` in eight states, to the end of the process", 100, &|engine| {
        engine.send("quit");
    });
    row(answers, "end of input in eight states, to the end", 200, &Engine::close_stdin);
    #[cfg(unix)]
    for name in ["TERM", "INT"] {
        let what = format!("SIG{name} in eight states, to the end");
        row(answers, &what, 250, &|engine| {
            super::support::signal(engine.id(), &format!("-{name}"));
        });
    }
    #[cfg(unix)]
    {
        let states = STATES.iter().cycle().take(20 * rounds * STATES.len());
        let times = states.map(|state| super::support::unread::end_unheard(state)).collect();
        let promise = Promise { most: Some(200), ..NOTHING };
        answers.row("closed output in eight states, to the end", times, promise);
    }
}

/// A client that reads nothing ends, in eight states.
#[cfg(unix)]
fn unread(rounds: usize, answers: &mut Answers) {
    use super::support::unread::{UNREAD, end_unread};
    for (last, what) in [("", "end of input"), ("quit\n", "`quit`")] {
        let states = UNREAD.iter().cycle().take(UNREAD.len() * rounds);
        let times = states.map(|state| end_unread(state, last)).collect();
        let what = format!("{what} of a client that reads nothing, to the end");
        answers.row(&what, times, Promise { most: Some(1000), ..NOTHING });
    }
}

/// A suspended process: the time asleep is gone from the clock as well.
#[cfg(unix)]
fn wake(rounds: usize, answers: &mut Answers) {
    use super::support::signal;
    let mut times = Vec::new();
    for _ in 0..5 * rounds {
        let mut engine = Engine::ready();
        engine.send("go movetime 500");
        engine.no_bestmove_for(ms(50));
        signal(engine.id(), "-STOP");
        thread::sleep(ms(700));
        let woken = Instant::now();
        signal(engine.id(), "-CONT");
        let search = engine.search();
        times.push(search.lines[search.lines.len() - 1].at.saturating_duration_since(woken));
        engine.quit();
    }
    let promise = Promise { most: Some(50), ..NOTHING };
    answers.row("suspended beyond its time, waking to `bestmove`", times, promise);
}
