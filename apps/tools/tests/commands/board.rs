//! The board as a process: its arguments.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::support::Launch;
use crate::support::engine::run;
use crate::support::files::Folder;
use crate::support::unread::Killed;

/// The state of the session that the server shows for these arguments.
fn shown(arguments: &[&str]) -> Value {
    let home = Folder::new();
    let launch = Launch::new().args(&["board", "--no-browser", "--hash", "1"]).args(arguments);
    let mut board =
        Killed(launch.configure(|command| _ = command.env("XDG_STATE_HOME", home.root())).spawn());
    let mut line = String::new();
    let out = board.0.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut line).expect("text");
    let address = line.trim().strip_prefix("http://").expect("an address");
    let (host, path) = address.split_once('/').expect("a token");
    let (token, session) = path.split_once("/?").expect("a session");
    let mut stream = TcpStream::connect(host).expect("it listens");
    let request = format!("GET /{token}/api/state?{session} HTTP/1.1\r\nHost: {host}");
    write!(stream, "{request}\r\nConnection: close\r\n\r\n").expect("it listens");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let (_, body) = text.split_once("\r\n\r\n").expect("a head");
    let answer: Value = serde_json::from_str(body).expect("JSON");
    answer["state"].clone()
}

#[test]
fn a_file_and_a_variant_of_the_command_line_are_on_the_board() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "1. e4 c5 *\n\n[White \"B\"]\n\n1. d4 *\n");
    let state = shown(&[&games]);
    assert_eq!((&state["file"]["games"], &state["kind"]), (&json!(2), &json!("analyse")));
    let state = shown(&["--variant", "Xiangqi"]);
    assert_eq!((&state["game"]["name"], &state["kind"]), (&json!("xiangqi"), &json!("play")));
}

#[test]
fn rejects_missing_file_unknown_variant_and_foreign_address() {
    let none = Folder::new().name("none.pgn");
    for arguments in [[&*none, "--no-browser"], ["--variant", &none], ["--address", "192.0.2.1"]] {
        let refused = run(&[&["board"], &arguments[..]].concat());
        assert_eq!(refused.code(), 2, "{arguments:?}: {}", refused.err);
        let is_one_line = refused.err.starts_with("error: ") && refused.err.lines().count() == 1;
        assert!(is_one_line, "{arguments:?}: {}", refused.err);
    }
    let wanted = "error: there is no variant or file \"xiangi\"; did you mean xiangqi?\n";
    assert_eq!(run(&["board", "--variant", "xiangi"]).err, wanted);
}
