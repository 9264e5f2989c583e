//! The board as a process: what it prints, and what is left after a hard end.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::Launch;
use crate::support::engine::{Finished, binary};
use crate::support::files::Folder;

/// A server in a process of its own.
struct Board {
    process: Child,
    host: String,
    path: String,
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Board {
    fn start(home: &Path, arguments: &[&str]) -> Self {
        let mut process = Command::new(binary())
            .args(["board", "--no-browser", "--hash", "1"])
            .args(arguments)
            .env("XDG_STATE_HOME", home)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("text");
        let address = line.trim().strip_prefix("http://").expect("an address");
        let (host, path) = address.split_once('/').expect("a token");
        Self { process, host: host.to_owned(), path: path.to_owned() }
    }

    fn ask(&self, request: &str, body: &Value) -> Value {
        let (method, path) = request.split_once(' ').expect("two words");
        let token = self.path.split('/').next().expect("a token");
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        write!(
            stream,
            "{method} /{token}/api/{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        )
        .expect("it listens");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let (_, body) = text.split_once("\r\n\r\n").expect("a head");
        serde_json::from_str(body).expect("JSON")
    }

    fn state(&self, session: &str) -> Value {
        self.ask(&format!("GET state?session={session}"), &Value::Null)["state"].clone()
    }
}

#[test]
fn a_game_goes_on_after_the_process_was_killed() {
    let home = Folder::new("board-kill");
    let board = Board::start(&home.0, &[]);
    let person = json!({"kind": "person", "name": "Ann"});
    let open = json!({"kind": "play", "white": person, "black": person, "clock": {"base_s": 600}});
    let session = board.ask("POST open", &open)["session"].as_str().expect("a session").to_owned();
    for mv in ["e4", "e5", "Nf3"] {
        board.ask(&format!("POST do?session={session}"), &json!({"do": "move", "mv": mv}));
    }
    let before = board.state(&session);
    let token = board.path.clone();
    // `kill` is the signal that no process outlives or notices.
    drop(board);
    let board = Board::start(&home.0, &[]);
    assert_ne!(board.path, token, "each server has a token of its own");
    let games = board.ask("GET sessions", &Value::Null);
    assert_eq!((&games[0]["session"], &games[0]["plies"]), (&json!(session), &json!(3)));
    let after = board.state(&session);
    for part in ["position", "tree", "players", "game"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    let left = after["clock"]["black_ms"].as_u64().expect("a clock");
    assert!(left > 0 && left <= 600_000);
    let moved =
        board.ask(&format!("POST do?session={session}"), &json!({"do": "move", "mv": "Nc6"}));
    assert_eq!(moved["state"]["tree"][4]["san"], "Nc6");
}

#[test]
fn a_file_and_a_variant_of_the_command_line_are_on_the_board() {
    let home = Folder::new("board-arguments");
    let games = home.file("games.pgn", "1. e4 c5 *\n\n[White \"B\"]\n\n1. d4 *\n");
    let session = |board: &Board| {
        let (_, id) = board.path.split_once("?session=").expect("a session");
        board.state(id)
    };
    let state = session(&Board::start(&home.0, &[&games]));
    assert_eq!(state["file"]["games"], 2);
    assert_eq!(state["kind"], "analyse");
    let state = session(&Board::start(&home.0, &["--variant", "Xiangqi"]));
    assert_eq!((&state["game"]["name"], &state["kind"]), (&json!("xiangqi"), &json!("play")));
}

#[test]
fn what_cannot_be_is_said_and_exits_with_2() {
    let home = Folder::new("board-refused");
    let none = home.0.join("none.pgn").display().to_string();
    for arguments in [[&*none, "--no-browser"], ["--variant", &none], ["--address", "192.0.2.1"]] {
        let Finished { status, err, .. } = Launch::new().args(&["board"]).args(&arguments).run();
        assert_eq!(status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.starts_with("error: ") && err.lines().count() == 1, "{arguments:?}: {err}");
    }
    let Finished { err, .. } = Launch::new().args(&["board", "--variant", "xiangi"]).run();
    let wanted = "error: there is no variant or file \"xiangi\"; did you mean xiangqi?\n";
    assert_eq!(err, wanted);
}
