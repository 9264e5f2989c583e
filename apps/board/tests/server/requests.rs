//! Who is let in, and requests that mean harm.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};

use crate::long::long_or;
use crate::{Served, Then, parts, serve, serve_in, serve_with, with};

#[test]
fn only_this_host_this_origin_and_this_token_are_let_in() {
    let served = serve();
    let (port, token) = (served.place.port(), &served.token);
    assert_eq!(token.len(), 32);
    let ask = |path: &str, headers: &str| {
        served.request("GET", path, &format!("{headers}\r\n"), "").status
    };
    let page = format!("/{token}/");
    for (headers, status) in [
        (format!("Host: 127.0.0.1:{port}"), 200),
        (format!("Host: localhost:{port}"), 200),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}"), 200),
        ("Host: evil.example".to_owned(), 403),
        (format!("Host: evil.example:{port}"), 403),
        (format!("Host: 127.0.0.1.evil.example:{port}"), 403),
        ("Host: 127.0.0.1".to_owned(), 403),
        // The near end of a tunnel.
        (format!("Host: 127.0.0.1:{}", port ^ 1), 200),
        (format!("Host: 127.0.0.1:{}\r\nOrigin: http://127.0.0.1:{port}", port ^ 1), 403),
        (format!("Host: 10.0.0.1:{port}"), 403),
        ("Origin: http://evil.example".to_owned(), 403),
        ("Origin: null".to_owned(), 403),
        (format!("Origin: https://127.0.0.1:{port}"), 403),
    ] {
        assert_eq!(ask(&page, &headers), status, "{headers}");
    }
    assert_eq!(ask(&format!("/{token}/api/sessions"), "Sec-Fetch-Site: cross-site"), 403);
    for path in ["/", "/x/", "//", &format!("/{}/", &token[1..]), &format!("/{token}x/")] {
        assert_eq!(ask(path, "Accept: *"), 404, "{path}");
    }
    // A browser is shown a page, and led to the one that is meant.
    let html = |path: &str| served.request("GET", path, "Accept: text/html\r\n", "");
    assert!(html("/x/").head.contains("text/html") && html("/x/").body.contains("tamarin board"));
    let led = html(&format!("/{token}"));
    assert_eq!((led.status, led.head.contains(&format!("location: /{token}/"))), (303, true));
    // Others are let in only where that is wanted.
    assert_eq!(served.analyse(json!({})).state()["invites"], false);
    let shared = serve_with(None, [0, 0, 0, 0]);
    for (host, status) in [("10.0.0.7", 200), ("evil.example", 403)] {
        let headers = format!("Host: {host}:{}\r\n", shared.place.port());
        let path = format!("/{}/", shared.token);
        assert_eq!(shared.request("GET", &path, &headers, "").status, status, "{host}");
    }
}

/// The token of the address that an invitation has.
fn guest(served: &Served, id: &str, side: &str) -> Served {
    let answer = served.post(&format!("api/invite?session={id}&side={side}"), &json!({})).json();
    let address = answer["address"].as_str().unwrap().to_owned();
    assert!(address.ends_with(&format!("/?session={id}&side={side}")), "{address}");
    let token = address.split('/').nth(3).unwrap().to_owned();
    assert_ne!(token, served.token);
    Served { place: served.place, token, sessions: Arc::clone(&served.sessions) }
}

#[test]
fn an_invitation_opens_one_side_of_one_game_and_nothing_else() {
    let served = serve_with(None, [0, 0, 0, 0]);
    let secret = served.analyse(json!({"pgn": "[White \"Secret\"]\n\n1. e4 *"}));
    let game = served.people(json!({}));
    let guest = guest(&served, &game.id, "black");
    let seat = guest.table(&game.id);
    assert_eq!((guest.get("").status, guest.get("api/games").status), (200, 200));
    assert!(!guest.get(&format!("api/state?session={}", game.id)).body.contains(&served.token));
    for path in [
        "api/sessions",
        "api/index",
        "api/state",
        "api/events",
        "api/files",
        "api/results",
        "api/pgn?all=1",
    ] {
        assert_eq!(guest.get(path).status, 403, "{path}");
    }
    for what in ["state", "pgn", "moves", "events"] {
        assert_eq!(guest.table(&secret.id).get(what).status, 403, "{what}");
    }
    for path in ["open", "forget", "restore", "invite"] {
        let path = format!("api/{path}?session={}", game.id);
        assert_eq!(guest.post(&path, &json!({"kind": "analyse"})).status, 403, "{path}");
    }
    for command in [
        json!({"do": "new", "kind": "analyse"}),
        json!({"do": "name", "white": "X"}),
        json!({"do": "analyse", "on": true}),
        json!({"do": "hint", "step": 1}),
        json!({"do": "comment", "text": "x"}),
        json!({"do": "stop"}),
    ] {
        seat.bad(command, "an invitation is for one side");
    }
    // It moves its own pieces only, whatever it says.
    seat.bad(json!({"do": "move", "mv": "e4", "as": "white"}), "white's turn");
    game.moves("e4");
    seat.moves("e5");
    // After a rematch it has the other side.
    let swapped = json!({"kind": "play", "white": {"kind": "person", "name": "Bob"}, "black": {"kind": "person", "name": "Ann"}});
    game.good(with(json!({"do": "new"}), swapped));
    seat.moves("d4");
}

#[test]
fn two_people_ask_each_other() {
    let served = serve_with(None, [0, 0, 0, 0]);
    let game = served.people(json!({}));
    let guest = guest(&served, &game.id, "black");
    let seat = guest.table(&game.id);
    let mut pages = [game.listen(), seat.listen()];
    for page in &mut pages {
        page.until("state", |_| true);
    }
    game.moves("e4");
    seat.moves("e5");
    let asked = seat.does("take_back");
    assert_eq!(parts(&asked, "tip take_back_asked"), json!([2, "black"]));
    game.does("decline_take_back");
    pages[1].until("notice", |data| data["text"] == "Ann does not let Bob take back.");
    seat.does("take_back");
    assert_eq!(parts(&game.does("take_back"), "tip take_back_asked"), json!([1, null]));
    seat.moves("c5");
    game.bad(json!({"do": "hint", "step": 1}), "two people");
    game.good(json!({"do": "offer_draw", "side": "white"}));
    seat.does("decline_draw");
    pages[0].until("notice", |data| data["text"] == "Bob declines the draw.");
    let [mut host, other] = pages;
    drop(other);
    host.until("notice", |data| data["text"] == "The page of another player was closed.");
}

#[test]
fn answers_forbid_everything_that_is_not_from_here() {
    let served = serve();
    let answer = served.get("");
    assert!(answer.head.contains("content-security-policy: default-src 'self'"), "{}", answer.head);
    for header in ["x-frame-options: deny", "x-content-type-options: nosniff", "etag: "] {
        assert!(answer.head.contains(header), "{header}");
    }
    let tag = answer.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let path = format!("/{}/", served.token);
    let again = served.request("GET", &path, &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert_eq!(served.get("api/open").status, 404, "another method");
    assert!(served.get("assets/sounds/move.wav").head.contains("content-type: audio/wav"));
    assert_eq!(served.get("assets/sounds/none.wav").status, 404);
}

#[test]
fn texts_have_a_longest_length_however_json_writes_them() {
    let served = serve();
    let limit = 16 << 20;
    // JSON has two bytes for a quote and for the end of a line.
    let line = format!("{}{}\n", " ".repeat(70), "\"".repeat(9));
    let mut text = "1. e4 *\n\n".to_owned();
    text.push_str(&line.repeat((limit - text.len()) / line.len()));
    text.push_str(&" ".repeat(limit - text.len()));
    let table = served.analyse(json!({"pgn": text}));
    assert_eq!(table.state()["tree"][1]["san"], "e4");
    let games = " ".repeat(limit + 1);
    let answer = table.perform(&json!({"do": "load_pgn", "text": games}));
    assert_eq!(answer.status, 413);
    assert!(answer.error().contains("larger than 16 MiB"), "{}", answer.error());
    let long = json!({"do": "comment", "text": "x".repeat(70 << 10)});
    assert_eq!(table.perform(&long).status, 413);
}

#[test]
fn sessions_make_room_for_new_ones() {
    let served = serve();
    let first = served.analyse(json!({}));
    let _page = first.listen();
    let second = served.analyse(json!({}));
    for _ in 0..40 {
        served.analyse(json!({}));
    }
    assert_eq!(served.sessions.count(), 32);
    assert_eq!(second.get("state").status, 404);
    assert_eq!(first.get("state").status, 200, "a page shows it");
}

/// Stands in files that nobody may read.
const SECRET: &str = "the-secret-of-the-file";

type Random = Xoshiro256PlusPlus;

fn one<'a, T>(random: &mut Random, all: &'a [T]) -> &'a T {
    all.choose(random).unwrap()
}

const TEXTS: [&str; 12] = [
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

fn value(random: &mut Random, depth: u32) -> Value {
    match random.random_range(0..7) {
        0 => Value::Null,
        1 => json!(random.random::<i64>()),
        2 => json!(random.random_range(-3..40)),
        3 => json!(random.random::<f64>() * 1e300),
        4 => json!(random.random::<bool>()),
        5 if depth > 0 => json!([value(random, depth - 1), value(random, depth - 1)]),
        _ => json!(one(random, &TEXTS)),
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
        json!({"do": "redo"}),
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
        json!({"do": "keep_file", "name": "x"}),
        json!({"do": "puzzles", "text": "x"}),
        json!({"do": "puzzle", "step": "hint"}),
        json!({"kind": "play", "game": "makruk"}),
        json!({"kind": "analyse", "library": "x"}),
        json!({"forget": "x"}),
    ];
    let mut found = one(random, &all).clone();
    if random.random_bool(0.5) {
        let names: Vec<String> = found.as_object().unwrap().keys().cloned().collect();
        let name = one(random, &names).clone();
        found[name] = value(random, 2);
    }
    found
}

const PATHS: [&str; 21] = [
    "api/files",
    "api/found",
    "api/results",
    "api/restore",
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

const IDS: [&str; 7] =
    ["", "x", "../secret", "%2e%2e%2fsecret", "0123456789abcdef", "/etc/passwd", "..%5csecret"];

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
    let token = if random.random_bool(0.05) { "wrong" } else { &served.token };
    let id = match random.random_bool(0.8) {
        true => one(random, sessions).as_str(),
        false => one(random, &IDS),
    };
    let path = format!("/{token}/{}?session={id}", one(random, &PATHS));
    let host = match random.random_bool(0.95) {
        true => served.place.to_string(),
        false => "evil.example".to_owned(),
    };
    let length = if random.random_bool(0.97) { body.len() } else { random.random_range(0..99) };
    let mut bytes = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
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
    let mut sessions = Vec::new();
    let mut random = Random::seed_from_u64(38);
    let (mut good, mut bad) = (0, 0);
    let requests = long_or(10_000, 2_000);
    for number in 0..requests {
        // Sessions are forgotten on the way; there is always one of each kind.
        if number % 500 == 0 {
            let variant = json!({"game": "minixiangqi"});
            let tables =
                [served.analyse(json!({})), served.people(json!({})), served.people(variant)];
            sessions = tables.map(|table| table.id).to_vec();
        }
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
    }
    assert!(good > requests / 20 && bad > requests / 4, "{good} good, {bad} bad");
    served.analyse(json!({})).moves("e4 e5");
    // Nothing but games of ours is in the folder.
    for entry in fs::read_dir(&games).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (id, end) = name.split_once('.').unwrap_or((&name, ""));
        assert!(name == "token" || id.len() == 16 && matches!(end, "json" | "lock"), "{name}");
    }
    let outside = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(outside, 5, "the secrets and the folder of games");
}

/// Events come over a WebSocket to pages of this server, and to none of another site.
#[test]
fn events_over_a_websocket_are_for_own_pages() {
    let served = serve();
    let table = served.analyse(json!({}));
    for (origin, status, text) in [
        ("http://evil.example".to_owned(), "403", "another site"),
        (format!("http://{}", served.place), "101", "{\"event\":\"state\",\"data\":{"),
    ] {
        let mut stream = TcpStream::connect(served.place).unwrap();
        stream.set_read_timeout(Some(crate::PATIENCE)).unwrap();
        let Served { place, token, .. } = &served;
        write!(
            stream,
            "GET /{token}/api/events?session={} HTTP/1.1\r\nHost: {place}\r\nOrigin: {origin}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            table.id
        )
        .unwrap();
        let (mut said, mut buffer) = (String::new(), [0; 4096]);
        while !said.contains(text) {
            let count = stream.read(&mut buffer).unwrap();
            assert_ne!(count, 0, "{said}");
            said += &String::from_utf8_lossy(&buffer[..count]);
        }
        assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{said}");
    }
}
