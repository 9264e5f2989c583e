//! Requests that mean harm.

use std::fs;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};

use crate::client::{Served, Then, serve_in};
use crate::long::long_or;

/// Stands in files that nobody may read.
const SECRET: &str = "the-secret-of-the-file";

/// So many requests; a fifth of them where tests are to be short.
fn requests() -> usize {
    long_or(10_000, 2_000)
}

type Random = Xoshiro256PlusPlus;

fn one<'a, T>(random: &mut Random, all: &'a [T]) -> &'a T {
    all.choose(random).unwrap()
}

fn value(random: &mut Random, depth: u32) -> Value {
    let texts = [
        "e2e4",
        "",
        "/etc/passwd",
        "../secret.json",
        "\u{0}",
        "}",
        "\u{1F600}",
        "xiangqi",
        "play",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "1. e4 (1. d4 (1. c4 (",
        "@extends \"../../secret\"",
    ];
    match random.random_range(0..7) {
        0 => Value::Null,
        1 => json!(random.random::<i64>()),
        2 => json!(random.random_range(-3..40)),
        3 => json!(random.random::<f64>() * 1e300),
        4 => json!(random.random::<bool>()),
        5 if depth > 0 => json!([value(random, depth - 1), value(random, depth - 1)]),
        _ => json!(one(random, &texts)),
    }
}

/// A good command, and in half of the cases something else in it.
fn command(random: &mut Random) -> Value {
    let all = [
        json!({"do": "move", "mv": "e2e4"}),
        json!({"do": "goto", "node": 1}),
        json!({"do": "back"}),
        json!({"do": "promote_line"}),
        json!({"do": "delete_line"}),
        json!({"do": "comment", "text": "x"}),
        json!({"do": "glyph", "nag": 3}),
        json!({"do": "undo"}),
        json!({"do": "take_back"}),
        json!({"do": "resign", "side": "white"}),
        json!({"do": "offer_draw"}),
        json!({"do": "premove", "mv": "e7e5", "as": "black"}),
        json!({"do": "set_fen", "fen": "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"}),
        json!({"do": "load_pgn", "text": "1. e4 (1. d4) e5 *"}),
        json!({"do": "show_game", "index": 0}),
        json!({"do": "name", "white": "x"}),
        json!({"do": "rules", "text": "@title"}),
        json!({"do": "new", "kind": "analyse", "pgn": "1. e4 *", "clock": {"base_s": 3}}),
        json!({"do": "analyse", "on": false, "lines": 2}),
        json!({"kind": "play", "game": "makruk"}),
    ];
    let mut found = one(random, &all).clone();
    if random.random_bool(0.5) {
        let names: Vec<String> = found.as_object().unwrap().keys().cloned().collect();
        let name = one(random, &names).clone();
        found[name] = value(random, 2);
    }
    found
}

fn path(random: &mut Random, served: &Served, sessions: &[String]) -> String {
    let ends = [
        "api/do",
        "api/open",
        "api/state",
        "api/moves",
        "api/pgn",
        "api/sessions",
        "api/games",
        "api/forget",
        "",
        "assets/app.js",
        "assets/../../../etc/passwd",
        "assets/%2e%2e/%2e%2e/secret.txt",
        "assets//etc/passwd",
        "../secret.txt",
        "assets/..\\..\\secret.txt",
        "api/%00",
        "assets/",
    ];
    let ids =
        ["", "x", "../secret", "%2e%2e%2fsecret", "0123456789abcdef", "/etc/passwd", "..%5csecret"];
    let token = if random.random_bool(0.05) { "wrong" } else { &served.token };
    let id =
        if random.random_bool(0.8) { one(random, sessions).as_str() } else { *one(random, &ids) };
    format!("/{token}/{}?session={id}", one(random, &ends))
}

/// One request, from nearly good to nonsense.
fn request(random: &mut Random, served: &Served, sessions: &[String]) -> (Vec<u8>, Then) {
    if random.random_bool(0.05) {
        let bytes = (0..random.random_range(1..200)).map(|_| random.random());
        return (bytes.collect(), Then::Leave);
    }
    let method = one(random, &["GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "get"]);
    let mut body = command(random).to_string().into_bytes();
    if random.random_bool(0.1) {
        let at = random.random_range(0..body.len().max(1));
        body.insert(at, random.random());
    }
    let path = path(random, served, sessions);
    let host =
        if random.random_bool(0.95) { served.place.to_string() } else { "evil.example".to_owned() };
    let length = if random.random_bool(0.97) { body.len() } else { random.random_range(0..99) };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(&body);
    (bytes, if length > body.len() { Then::Leave } else { Then::Wait })
}

#[test]
fn random_requests_crash_nothing_and_read_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["secret", "secret.json", "secret.txt", "secret.var"] {
        fs::write(folder.path().join(name), SECRET).unwrap();
    }
    let games = folder.path().join("board");
    let served = serve_in(&games);
    let person = json!({"kind": "person"});
    let mut sessions = vec![
        served.open(&json!({"kind": "analyse"})),
        served.open(&json!({"kind": "play", "white": person, "black": person})),
        served.open(
            &json!({"kind": "play", "game": "minixiangqi", "white": person, "black": person}),
        ),
    ];
    let mut random = Random::seed_from_u64(38);
    let (mut good, mut bad) = (0, 0);
    for number in 0..requests() {
        let (bytes, then) = request(&mut random, &served, &sessions);
        let back = served.raw(&bytes, then);
        let text = String::from_utf8_lossy(&back);
        assert!(!text.contains(SECRET) && !text.contains("root:x:"), "{number}: {text}");
        let status: u16 = text.get(9..12).and_then(|text| text.parse().ok()).unwrap_or(400);
        assert!(status < 500, "{number}: {}\n{text}", String::from_utf8_lossy(&bytes));
        if status < 300 {
            good += 1;
        } else {
            bad += 1;
        }
        // Tables are forgotten on the way; there is always one of each kind.
        if number % 500 == 499 {
            sessions = vec![
                served.open(&json!({"kind": "analyse"})),
                served.open(&json!({"kind": "play", "white": person, "black": person})),
                served.open(&json!({"kind": "analyse", "game": "xiangqi"})),
            ];
        }
    }
    assert!(good > requests() / 20 && bad > requests() / 4, "{good} good, {bad} bad");
    let session = served.open(&json!({"kind": "analyse"}));
    served.moves(&session, "e4 e5");
    // Nothing but games of ours is in the folder.
    for entry in fs::read_dir(&games).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (id, end) = name.split_once('.').unwrap();
        assert!(id.len() == 16 && matches!(end, "json" | "lock"), "{name}");
    }
    let outside = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(outside, 5, "the secrets and the folder of games");
}
