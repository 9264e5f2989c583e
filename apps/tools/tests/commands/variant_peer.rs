//! `tamarin variant serve` and `connect`: games over a connection, and peers that break the rules.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use tamarin_variant_search::evaluate::learned::Learned;

use crate::support::engine::{Finished, binary};
use crate::support::files::Folder;
use crate::support::{Launch, PATIENCE, ms};

/// A program that listens at some free port of this computer.
struct Server {
    child: Option<Child>,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(binary())
            .args(["variant", "serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let mut out = child.stdout.take().expect("a pipe");
        // Byte by byte: what follows belongs to the end of the test.
        let mut byte = [0];
        while out.read(&mut byte).expect("the pipe can be read") == 1 && byte != *b"\n" {
            line.push(char::from(byte[0]));
        }
        child.stdout = Some(out);
        let address = match arguments.contains(&"--json") {
            true => {
                let line: Value = serde_json::from_str(&line).expect("an object");
                line["listening"].as_str().map(str::to_owned)
            }
            false => line.strip_prefix("listening on ").map(str::to_owned),
        };
        let address = address.unwrap_or_else(|| panic!("{line:?}"));
        Self { address, child: Some(child) }
    }

    /// What it printed after it had accepted its number of connections.
    fn finish(mut self) -> Finished {
        let child = self.child.take().expect("it runs until here");
        Finished::of(child.wait_with_output().expect("it ends"))
    }

    fn connect(&self) -> Peer {
        Peer::new(TcpStream::connect(&self.address).expect("it listens"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Both fail if it is gone already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The other end of a connection, which may send anything.
struct Peer(BufReader<TcpStream>);

impl Peer {
    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        Self(BufReader::new(stream))
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        // The other end may have hung up, which is what some tests want.
        let _ = self.0.get_mut().write_all(bytes.as_ref());
    }

    fn say(&mut self, message: &Value) {
        self.send(format!("{message}\n"));
    }

    fn message(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a line in time");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    /// The next message is an error that says so; then the connection ends.
    fn expect_error(&mut self, wanted: &str) {
        let message = self.message();
        let said = message["message"].as_str().unwrap_or_default();
        assert!(message["type"] == "error" && said.contains(wanted), "{wanted}: {message}");
        let mut rest = Vec::new();
        self.0.read_to_end(&mut rest).expect("the end in time");
        assert_eq!(rest, b"");
    }

    /// Names the game; the program plays White or Black.
    fn set_up(&mut self, variant: &str, white: bool) {
        self.say(&json!({"type": "new_variant", "variant": variant}));
        self.say(&json!({"type": "play_color", "white": white}));
    }

    fn play(&mut self, squares: &str, effects: &str) {
        self.say(&json!({"type": "move", "move": squares, "effects": effects}));
    }
}

fn connect(address: &str, arguments: &[&str]) -> Finished {
    let fixed = ["variant", "connect", address, "--depth", "1"];
    Launch::new().args(&[&fixed[..], arguments].concat()).run()
}

fn games(report: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(report).unwrap_or_else(|_| panic!("{report:?}"));
    report["games"].as_array().expect("games").clone()
}

#[test]
fn p3_two_programs_play_the_five_games_of_the_thesis() {
    let folder = Folder::new();
    let [ours, theirs] = ["ours.pgn", "theirs.pgn"].map(|name| folder.name(name));
    let server = Server::start(&["--connections", "5", "--depth", "1", "--json", "--pgn", &theirs]);
    let mut played = Vec::new();
    for game in ["fide", "nuttyknights", "clobberers", "locusts", "shogi_nodrop"] {
        // The shortest game twice.
        let (count, times) = if game == "locusts" { (2, "2") } else { (1, "1") };
        let arguments = ["--variant", game, "--games", times, "--json", "--pgn", &ours];
        let done = connect(&server.address, &arguments);
        assert_eq!((done.status.code(), done.err.as_str()), (Some(0), ""), "{game}");
        let report = games(&done.out);
        assert!(report.len() == count && report.iter().all(|one| one["game"] == game), "{game}");
        assert!(count == 1 || report[0]["white"] != report[1]["white"], "the sides change");
        played.extend(report);
    }
    let server = server.finish();
    assert_eq!((server.status.code(), server.err.as_str()), (Some(0), ""));
    // Both ends tell the same games.
    let reported: Vec<Value> = server.out.lines().flat_map(games).collect();
    assert_eq!(reported.len(), 6);
    for (own, other) in played.iter().zip(&reported) {
        for field in ["game", "moves", "result", "reason", "fen"] {
            assert_eq!(own[field], other[field], "{own} {other}");
        }
        assert!(own["moves"].as_array().expect("moves").len() > 4, "{own}");
    }
    for file in [ours, theirs] {
        let file = fs::read_to_string(file).expect("games");
        assert_eq!(file.matches("[Variant ").count(), 6);
        for one in &played {
            assert!(file.contains(&format!("[Result {}]", one["result"])), "{one}");
        }
    }
}

#[test]
fn a_game_from_a_file_and_a_position_is_played_without_additions() {
    let folder = Folder::new();
    let rules = "@variant tiny\n@royal k\nk W1F1\nr W\n\nboard:\nk . r\n. . .\nR . K\n";
    let file = folder.file("small.var", rules);
    let pgn = folder.name("games.pgn");
    let server = Server::start(&["--connections", "2", "--depth", "1", "--file", &file]);
    // Both ends begin to count: with these counters one of them would see the limit of moves.
    let fen = ["--fen", "k2/2R/2K", "b", "-", "-", "98", "60"];
    let done = connect(
        &server.address,
        &[&["--variant", &file, "--color", "black", "--plain", "--pgn", &pgn][..], &fen].concat(),
    );
    assert_eq!((done.status.code(), done.err.as_str()), (Some(0), ""));
    assert!(done.out.starts_with("1. small, peer - Tamarin: 1"), "{}", done.out);
    let games = fs::read_to_string(&pgn).expect("games");
    assert!(games.contains("[FEN \"k2/2R/2K b - - 0 1\"]\n\n1... K"), "{games}");
    // The peer knows the game by its file, readers of the record by its own name.
    assert!(games.contains("[Variant \"tiny\"]\n"), "{games}");
    let unknown = folder.file("large.var", rules);
    let finished = connect(&server.address, &[&["--variant", &unknown][..], &fen].concat());
    assert_eq!(finished.status.code(), Some(2));
    assert_eq!(finished.err, "error: the peer says: there is no game \"large\" here\n");
    let server = server.finish();
    assert_eq!(server.status.code(), Some(2));
    assert!(server.out.starts_with("1. small, Tamarin - peer: 1"), "{}", server.out);
    assert!(server.err.contains("there is no game \"large\" here\n"), "{}", server.err);
}

/// A game in which White's rook may begin by taking a rook or a bishop.
const CHOICE: &str = "@royal k\nk W1F1\nr W\nb F\n\nboard:\n\
                      k . . . .\n. . . . .\n. b R . .\n. . . . K\n. . r . .\n";

/// A learned evaluator of that game by which a bishop is worth much more than a rook.
fn bishops_first() -> String {
    let game = tamarin_variant::load(CHOICE, None).expect("good rules").game;
    let text = Learned::seed(&game).text();
    let valued = |line: &str| match line {
        _ if line.starts_with("r value ") => "r value 100/100\n".to_owned(),
        _ if line.starts_with("b value ") => "b value 2000/2000\n".to_owned(),
        _ => format!("{line}\n"),
    };
    text.lines().map(valued).collect()
}

/// The first move of `serve` as White, and what it says on standard error.
fn served(file: &str, arguments: &[&str]) -> (String, String) {
    let fixed = ["--connections", "1", "--depth", "1", "--file", file];
    let server = Server::start(&[&fixed[..], arguments].concat());
    let mut peer = server.connect();
    peer.set_up("mine", true);
    let message = peer.message();
    peer.say(&json!({"type": "resign"}));
    drop(peer);
    (message["move"].as_str().expect("a move").to_owned(), server.finish().err)
}

/// The first move of `connect` as White, and what it says on standard error.
fn connected(file: &str, arguments: &[&str]) -> (String, String) {
    let address = fake_server(&[
        "{\"type\":\"hello\",\"version\":1,\"name\":\"x\"}",
        "{\"type\":\"resign\"}",
        "{\"type\":\"result\",\"result\":\"1-0\",\"reason\":\"\"}",
    ]);
    let done = connect(&address, &[&["--variant", file, "--json"][..], arguments].concat());
    (games(&done.out)[0]["moves"][0].as_str().expect("a move").to_owned(), done.err)
}

#[test]
fn the_learned_evaluator_beside_the_rules_plays_unless_another_is_named() {
    let folder = Folder::new();
    let file = folder.file("mine.var", CHOICE);
    let both = |arguments: &[&str]| [served(&file, arguments), connected(&file, arguments)];
    let quiet = |moves: [&str; 2]| moves.map(|text| (text.to_owned(), String::new()));
    let takes_the_rook = quiet(["($2 $2) -> ($0 $2)", "c3c1"]);
    assert_eq!(both(&[]), takes_the_rook);
    let eval = folder.file("mine.eval", bishops_first());
    assert_eq!(both(&[]), quiet(["($2 $2) -> ($2 $1)", "c3b3"]));
    assert_eq!(both(&["--player", "sme+imm"]), takes_the_rook);
    // One that cannot be used is named, and so is what plays instead.
    fs::write(eval, "no evaluator").expect("the folder is ours");
    let (_, said) = served(&file, &[]);
    assert!(said.starts_with("warning: ") && said.contains("mine.eval, line 1"), "{said}");
    assert!(said.ends_with("it is not used, sme+imm evaluates\n"), "{said}");
}

#[test]
fn peers_that_break_the_protocol_get_a_reason_and_others_go_on() {
    let server = Server::start(&["--connections", "10", "--depth", "1"]);
    let broken: [(&[u8], &str); 6] = [
        (b"{\"type\":\"hello\",\"version\":9,\"name\":\"x\"}\n", "version 9 of the protocol"),
        (b"{\"type\":\"play_color\",\"white\":true}\n", "the setup of a game"),
        (b"{\"type\":\"new_variant\",\"variant\":\"/etc/passwd\"}\n", "there is no game"),
        (b"\xff\xfe\0\n", "not a message"),
        (&[b'['; 60_000], ""),
        (&[b'a'; 200_000], "a line is longer than 65536 bytes"),
    ];
    for (bytes, wanted) in broken {
        let mut peer = server.connect();
        peer.send(bytes);
        if wanted.is_empty() {
            // A line that never ends, and a peer that goes away.
            continue;
        }
        peer.expect_error(wanted);
    }
    // Moves that are not legal, in a game.
    let mut peer = server.connect();
    peer.set_up("fide", false);
    peer.play("($1 $4) -> ($4 $4)", "");
    peer.expect_error("after 0 plies: \"($1 $4) -> ($4 $4)\" is no legal move");
    // An invalid board.
    let mut peer = server.connect();
    peer.say(&json!({"type": "new_variant", "variant": "fide"}));
    let squares = vec![vec![json!({"piece_id": 7, "flags": 0}); 8]; 8];
    let board = json!({"pos": {"squares": squares}, "white": true, "moves": 0});
    peer.say(&json!({"type": "new_position", "board": board}));
    peer.expect_error("there is no piece with the number 7");
    // A result before the end.
    let mut peer = server.connect();
    peer.say(&json!({"type": "hello", "version": 1, "name": "\u{1b}[31mred"}));
    assert_eq!(peer.message()["type"], "hello");
    peer.set_up("locusts", false);
    peer.say(&json!({"type": "result", "result": "1-0", "reason": "I say so"}));
    peer.expect_error("the game is 1-0 (I say so) to the peer");
    // After all that a game is played, to its end: the peer gives up.
    let mut peer = server.connect();
    peer.set_up("fide", true);
    assert_eq!(peer.message()["type"], "move");
    peer.say(&json!({"type": "resign"}));
    peer.0.get_mut().shutdown(Shutdown::Write).expect("an open connection");
    let server = server.finish();
    assert_eq!(server.status.code(), Some(2));
    assert!(server.out.starts_with("1. fide, Tamarin - peer: 1-0, resignation, 1 ply\n"));
    assert!(server.err.ends_with("error: 9 of 10 connections ended with an error\n"));
    assert!(!server.err.contains("panicked") && !server.err.contains('\u{1b}'), "{}", server.err);
}

#[test]
fn silent_peers_are_left_and_time_counts_for_whole_messages() {
    let server = Server::start(&["--connections", "2", "--depth", "1", "--patience", "1"]);
    // Where this test is too slow to say even this much in time, the answer is the same.
    let mut silent = server.connect();
    silent.set_up("fide", false);
    silent.expect_error("no message for 1 s");
    // Byte after byte, for as long as the server reads them: if each of them counted as a message,
    // the error would not come.
    let mut slow = server.connect();
    let mut stream = slow.0.get_ref().try_clone().expect("a second handle");
    let dribble = thread::spawn(move || {
        while stream.write_all(b" ").is_ok() {
            thread::sleep(ms(20));
        }
    });
    slow.expect_error("no message for 1 s");
    drop(slow);
    dribble.join().expect("no panic");
    assert_eq!(server.finish().status.code(), Some(2));
}

#[test]
fn idle_peers_keep_no_other_from_playing_until_all_places_are_taken() {
    let server = Server::start(&["--connections", "4", "--peers", "3", "--depth", "1"]);
    let idle = [server.connect(), server.connect()];
    let mut third = server.connect();
    third.set_up("fide", true);
    assert_eq!(third.message()["type"], "move");
    server.connect().expect_error("3 programs play here, and no more can");
    third.say(&json!({"type": "resign"}));
    drop(third);
    // As soon as the server has seen that, there is a place.
    let begun = Instant::now();
    let mut fourth = loop {
        let mut peer = server.connect();
        peer.set_up("fide", true);
        match peer.message()["type"].as_str() {
            Some("move") => break peer,
            other => assert_eq!(other, Some("error")),
        }
        assert!(begun.elapsed() < PATIENCE, "the place is not given back");
    };
    fourth.say(&json!({"type": "resign"}));
    drop((fourth, idle));
    let finished = server.finish();
    assert_eq!(finished.status.code(), Some(0), "{}", finished.err);
    assert_eq!(finished.out.matches("Tamarin - peer: 1-0, resignation").count(), 2);
    assert!(finished.err.lines().all(|line| line.contains("refused, 3 programs play here")));
}

#[test]
fn peers_that_leave_are_noticed() {
    let server = Server::start(&["--connections", "4", "--depth", "1"]);
    // At once; in the middle of a message; of the setup; of a game.
    drop(server.connect());
    server.connect().send("{\"type\":");
    server.connect().say(&json!({"type": "new_variant", "variant": "fide"}));
    let mut peer = server.connect();
    peer.set_up("fide", true);
    assert_eq!(peer.message()["type"], "move");
    drop(peer);
    let finished = server.finish();
    assert_eq!(finished.status.code(), Some(2));
    let ends = finished.err.matches("the connection").count();
    assert_eq!(ends, 3, "{}", finished.err);
    assert!(finished.err.ends_with("error: 3 of 4 connections ended with an error\n"));
}

#[test]
fn a_draw_is_accepted_by_who_stands_worse() {
    let server = Server::start(&["--connections", "1", "--depth", "1"]);
    let mut peer = server.connect();
    peer.say(&json!({"type": "hello", "version": 1, "name": "test"}));
    assert_eq!(peer.message()["version"], 1);
    peer.say(&json!({"type": "new_variant", "variant": "fide"}));
    let mut squares = vec![vec![json!({"piece_id": 0, "flags": 0}); 8]; 8];
    squares[0][0] = json!({"piece_id": 6, "flags": 0});
    squares[0][1] = json!({"piece_id": 4, "flags": 0});
    squares[7][7] = json!({"piece_id": -6, "flags": 0});
    let board = json!({"pos": {"squares": squares}, "white": true, "moves": 60});
    peer.say(&json!({"type": "new_position", "board": board}));
    peer.say(&json!({"type": "play_color", "white": false}));
    // Before it has thought, the program knows of no reason for a draw.
    peer.say(&json!({"type": "draw"}));
    peer.play("($0 $1) -> ($1 $1)", "");
    assert_eq!(peer.message()["type"], "move");
    peer.say(&json!({"type": "draw"}));
    peer.play("($0 $0) -> ($0 $1)", "");
    assert_eq!(peer.message(), json!({"type": "draw"}));
    let result = json!({"type": "result", "result": "1/2-1/2", "reason": "agreement"});
    assert_eq!(peer.message(), result);
    peer.say(&result);
    drop(peer);
    let finished = server.finish();
    assert_eq!(finished.status.code(), Some(0), "{}", finished.err);
    assert!(finished.out.contains("1/2-1/2, agreement, 3 plies"), "{}", finished.out);
}

/// A server that says these lines to each client.
fn fake_server(lines: &'static [&str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a connection");
        let mut peer = Peer::new(stream);
        for line in lines {
            peer.send(format!("{line}\n"));
        }
        peer.0.get_mut().shutdown(Shutdown::Write).expect("an open connection");
        // What the program says about it is lost here.
        let _ = peer.0.read_to_end(&mut Vec::new());
    });
    address
}

#[test]
fn servers_that_break_the_protocol_end_the_command() {
    let cases: [(&'static [&str], &str); 5] = [
        (&[], "the connection was closed in the middle"),
        (&["{\"type\":\"resign\"}"], "a message \"resign\", where hello was expected"),
        (&["{\"type\":\"error\",\"message\":\"\\u0007full\"}"], "the peer says: \\u{7}full"),
        (
            &[
                "{\"type\":\"hello\",\"version\":1,\"name\":\"x\"}",
                "{\"type\":\"move\",\"move\":\"e7e5\",\"effects\":\"\"}",
            ],
            "after 1 ply: \"e7e5\" is no legal move",
        ),
        (
            &[
                "{\"type\":\"hello\",\"version\":1,\"name\":\"x\"}",
                "{\"type\":\"resign\"}",
                "{\"type\":\"result\",\"result\":\"0-1\",\"reason\":\"\"}",
            ],
            "the game is 0-1 () to the peer, by the rules of this program it is 1-0 (resignation)",
        ),
    ];
    for (lines, wanted) in cases {
        let finished = connect(&fake_server(lines), &["--variant", "fide"]);
        assert_eq!(finished.status.code(), Some(2), "{wanted}: {}", finished.err);
        assert!(finished.err.contains(wanted), "{wanted}: {}", finished.err);
        assert!(!finished.err.contains("panicked"), "{}", finished.err);
    }
    let refused = connect("127.0.0.1:1", &["--variant", "fide"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.err.starts_with("error: 127.0.0.1:1: "), "{}", refused.err);
    let nowhere = connect("nowhere", &["--variant", "fide"]);
    assert!(nowhere.err.starts_with("error: nowhere: "), "{}", nowhere.err);
    let taken = fake_server(&[]);
    let finished = Launch::new().args(&["variant", "serve", "--listen", &taken]).run();
    assert!(finished.status.code() == Some(2) && finished.err.starts_with("error: 127.0.0.1:"));
}
