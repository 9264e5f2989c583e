use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{Client, ClientError, Launch};
use crate::{Base, BestMoveLine, Go, MoveWords, PositionText, ScoreValue};

/// An engine that answers `uci` and `isready`, and other commands with these shell commands.
fn launch(cases: &str) -> Launch {
    let script = format!(
        "while read -r word rest; do case $word in {cases} uci) echo 'id name Script'; \
         echo 'option name Hash type spin default 16 min 1 max 64'; \
         echo 'option name Clear type button'; echo uciok;; \
         isready) echo readyok;; quit) exit;; esac; done"
    );
    Launch { arguments: vec!["-c".to_owned(), script], ..Launch::new("/bin/sh") }
}

fn start(cases: &str) -> Client {
    Client::start(&launch(cases), None).unwrap()
}

fn go(client: &mut Client) -> Result<(), ClientError> {
    let position = PositionText { base: Base::Start, moves: MoveWords::default() };
    client.go(&position, &Go { nodes: Some(1), ..Go::default() }, None)
}

fn best(mv: &str) -> BestMoveLine<String> {
    BestMoveLine::Move { mv: mv.to_owned(), ponder: None }
}

#[test]
fn search_hands_on_info_lines_and_the_answer() {
    let on_go = "position) kept=$rest;; go) echo \"info depth 3 score cp 5 pv $kept $rest\"; \
                 echo noise; echo 'bestmove e2e4';;";
    let mut client = start(on_go);
    assert_eq!(client.name(), "Script");
    let mut heard = Vec::new();
    for _ in 0..2 {
        go(&mut client).unwrap();
        let answer = client.wait(|info| {
            heard.push((info.line.exact_score(), info.line.pv.join(" ")));
        });
        assert_eq!(answer.unwrap().best, best("e2e4"));
        client.new_game().unwrap();
    }
    let line = (Some(ScoreValue::Centipawns(5)), "startpos".to_owned());
    assert_eq!(heard, [line.clone(), line]);
    go(&mut client).unwrap();
    let answer = loop {
        if let Some(answer) = client.poll(|_| {}).unwrap() {
            break answer;
        }
        std::thread::yield_now();
    };
    assert_eq!((answer.best, client.is_searching()), (best("e2e4"), false));
}

#[test]
fn options_are_checked_and_remarks_returned() {
    let on_set = "setoption) echo \"info string $rest\";;";
    let mut client = start(on_set);
    assert!(matches!(client.set("Speed", "1"), Err(ClientError::NoOption(_))));
    let error = client.set("hash", "65").unwrap_err().to_string();
    assert_eq!(error, "option Hash: \"65\" is not a whole number from 1 to 64");
    client.set("hash", "64").unwrap();
    client.set("Clear", "").unwrap();
    assert_eq!(client.ready().unwrap(), ["name hash value 64", "name Clear"]);
    let wrong = Launch { options: vec![("Hash".into(), "x".into())], ..launch(on_set) };
    assert!(matches!(Client::start(&wrong, None), Err(ClientError::Value { .. })));
}

#[test]
fn stop_ends_a_search_from_any_thread() {
    let mut client = start("stop) echo bestmove d2d4;;");
    let stopper = client.stopper();
    stopper.stop();
    assert_eq!(client.ready().unwrap(), [""; 0]);
    assert!(client.stop().unwrap().is_none());
    go(&mut client).unwrap();
    assert!(client.poll(|_| {}).unwrap().is_none());
    std::thread::spawn(move || stopper.stop()).join().unwrap();
    assert_eq!(client.wait(|_| {}).unwrap().best, best("d2d4"));
    go(&mut client).unwrap();
    assert_eq!(client.stop().unwrap().unwrap().best, best("d2d4"));
}

#[test]
fn engine_that_ends_is_an_error_with_its_last_words() {
    let mut client = start("go) echo first; echo 'out of luck' >&2; exit 3;;");
    go(&mut client).unwrap();
    let error = client.wait(|_| {}).unwrap_err().to_string();
    assert_eq!(error, "has ended by itself (exit status: 3): out of luck");
    assert!(matches!(go(&mut client), Err(ClientError::Ended { .. })));
    let missing = Client::start(&Launch::new("/no/such/program"), None);
    assert!(matches!(missing, Err(ClientError::Start(_))));
}

#[test]
fn silent_engine_is_an_error() {
    let mute = Launch { patience: Duration::from_millis(1), ..launch("uci) ;;") };
    let error = Client::start(&mute, None).unwrap_err();
    assert!(matches!(error, ClientError::Silent { word: "uciok" }), "{error:?}");
    // Other lines are no answer.
    let mut talking = start("go) while :; do echo info; done;;");
    let is_silent = |error| matches!(error, ClientError::Silent { word: "bestmove" });
    let position = PositionText { base: Base::Start, moves: MoveWords::default() };
    talking.go(&position, &Go::default(), Some(Duration::from_millis(1))).unwrap();
    assert!(is_silent(talking.wait(|_| {}).unwrap_err()));
    let mut hung = start("");
    let hour = Duration::from_secs(3600);
    hung.go(&position, &Go::default(), Some(hour)).unwrap();
    let now = Instant::now();
    assert!(hung.poll_at(now, |_| {}).unwrap().is_none());
    assert!(is_silent(hung.poll_at(now + hour, |_| {}).unwrap_err()));
}

/// The start of a line is no line, and an answer after the patience is none.
#[test]
fn late_and_partial_output_is_told_from_an_answer() {
    let late = |patience| {
        let launch = launch("uci) sleep 0.1; echo uciok;;");
        Client::start(&Launch { patience, ..launch }, None)
    };
    assert!(matches!(late(Duration::from_millis(1)), Err(ClientError::Silent { word: "uciok" })));
    assert!(late(Duration::from_secs(3600)).is_ok());
    let mut partial = start("go) printf 'info depth 1\nbestmove e2';; stop) echo e4;;");
    go(&mut partial).unwrap();
    let mut infos = 0;
    while infos == 0 {
        assert!(partial.poll(|_| infos += 1).unwrap().is_none());
    }
    assert!(partial.poll(|_| {}).unwrap().is_none());
    assert_eq!(partial.stop().unwrap().unwrap().best, best("e2e4"));
    let mut cut = start("go) printf 'bestmove e2'; exit 0;;");
    go(&mut cut).unwrap();
    assert!(matches!(cut.wait(|_| {}), Err(ClientError::Ended { .. })));
}

#[test]
fn other_programs_are_asked_in_their_own_words() {
    let mut client = Client::open(&launch("perft) echo noise; echo $rest;;"), None).unwrap();
    let limit = ("a number", Duration::from_mins(1));
    let take = |line: &str| line.parse::<u64>().ok();
    assert_eq!(client.ask("perft 20\nperft 400", limit, take).unwrap(), 20);
    assert_eq!(client.ask("", limit, take).unwrap(), 400);
    let word = ("a number", Duration::ZERO);
    assert!(matches!(client.ask("", word, take), Err(ClientError::Silent { word: "a number" })));
}

#[test]
fn waiting_is_cancelled_by_the_flag() {
    let cancelled = Arc::new(AtomicBool::new(false));
    let mut client = Client::start(&launch(""), Some(Arc::clone(&cancelled))).unwrap();
    go(&mut client).unwrap();
    cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(client.wait(|_| {}), Err(ClientError::Cancelled)));
}

#[test]
fn dropping_ends_programs_that_do_not_quit_and_their_children() {
    let mut client = start("go) sleep 1000 & while :; do sleep 1000; done;;");
    go(&mut client).unwrap();
    let lines = client.lines().clone();
    drop(client);
    // The output ends when the last process that holds it has ended.
    while lines.recv().is_ok() {}
}
