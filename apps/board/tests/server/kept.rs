//! Games that outlive the server.

use std::fs::{File, read_dir};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::client::serve_in;
use serde_json::{Value, json};

/// A game of two persons.
fn two_persons() -> Value {
    let person = json!({"kind": "person", "name": "Ann"});
    json!({"kind": "play", "white": person, "black": person})
}

#[test]
fn a_game_goes_on_at_another_server_with_its_clocks_and_notes() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_in(folder.path());
    let person = json!({"kind": "person", "name": "Ann"});
    let open = json!({"kind": "play", "white": person, "black": person, "chess960": 100,
                      "clock": {"base_s": 600}});
    let session = first.open(&open);
    let legal = first.state(&session)["legal"][0]["mv"].clone();
    first.good(&session, &json!({"do": "move", "mv": legal}));
    let before = first.good(&session, &json!({"do": "comment", "text": "said", "node": 1}));
    // The game is locked as long as its server lives: another one does not offer it.
    let other = serve_in(folder.path());
    assert_eq!(other.get("api/sessions").json(), json!([]));
    let locked = other.get(&format!("api/state?session={session}"));
    assert_eq!(locked.status, 404);
    assert!(locked.error().contains("another tamarin board"), "{}", locked.error());
    assert_eq!(first.get("api/sessions").json()[0]["open"], true);
    first.sessions.leave_all();
    assert_eq!(other.get("api/sessions").json()[0]["session"], session.as_str());
    let after = other.wait(&session, |state| !state.is_null());
    for part in ["position", "tree", "players", "at", "game", "result"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    assert_eq!(after["clock"]["white_ms"], 600_000);
    let list = other.post(&format!("api/forget?session={session}"), &json!({})).json();
    assert_eq!(list, json!([]));
}

#[test]
fn a_move_that_is_taken_back_at_another_server_has_its_time_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_in(folder.path());
    let mut open = two_persons();
    open["clock"] = json!({"base_s": 0.05});
    let session = first.open(&open);
    first.moves(&session, "e4 e5");
    let lost = first.wait(&session, |state| !state["result"].is_null());
    assert_eq!(lost["clock"]["white_ms"], 0);
    first.sessions.leave_all();
    let second = serve_in(folder.path());
    let state = second.good(&session, &json!({"do": "take_back"}));
    let clock = &state["clock"];
    assert_eq!((&clock["white_ms"], &clock["black_ms"]), (&json!(50), &json!(50)));
    assert_eq!((&state["result"], &state["tip"]), (&json!(null), &json!(1)));
}

#[test]
fn a_changed_game_is_kept_when_another_one_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let session = served.open(&json!({"kind": "analyse"}));
    let kept = || served.get("api/sessions").json().as_array().unwrap().clone();
    let other = || {
        let rows = kept();
        let mut others = rows.iter().filter(|row| row["session"] != session.as_str());
        others.next().map(|row| row["session"].as_str().unwrap().to_owned())
    };
    served.moves(&session, "e4 e5");
    let file = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. d4 d5 *\n\n1. c4 *\n";
    served.good(&session, &json!({"do": "load_pgn", "text": file}));
    assert!(served.pgn(&other().unwrap()).contains("1. e4 e5 *"));
    // What was only read is not kept twice.
    let state = served.good(&session, &json!({"do": "show_game", "index": 1}));
    assert_eq!(kept().len(), 2);
    assert_eq!(state["players"]["white"]["name"], "?", "{}", state["players"]);
    served.good(&session, &json!({"do": "show_game", "index": 0}));
    served.good(&session, &json!({"do": "comment", "text": "solid", "node": 2}));
    served.good(&session, &json!({"do": "show_game", "index": 1}));
    assert_eq!(kept().len(), 3);
    served.good(&session, &json!({"do": "show_game", "index": 0}));
    assert!(served.pgn(&session).contains("1. d4 d5 { solid } *"), "{}", served.pgn(&session));
    served.moves(&session, "Nf3");
    served.good(&session, &json!({"do": "new", "kind": "analyse"}));
    assert_eq!(kept().len(), 4);
    served.good(&session, &json!({"do": "name", "white": "Ann"}));
    served.good(&session, &json!({"do": "new", "kind": "analyse"}));
    assert_eq!(kept().len(), 4, "a game without a move is not worth it");
}

#[test]
fn damaged_and_foreign_files_are_no_games() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("0123456789abcdef.json"), "{\"open\":").unwrap();
    std::fs::write(folder.path().join("passwords.json"), "{}").unwrap();
    let served = serve_in(folder.path());
    assert_eq!(served.get("api/sessions").json(), json!([]));
    for id in ["0123456789abcdef", "passwords", "../x", "..%2fx", ""] {
        assert_eq!(served.get(&format!("api/state?session={id}")).status, 404, "{id}");
    }
}

#[test]
fn a_kept_game_that_cannot_be_resumed_says_why_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_in(folder.path());
    let session = first.open(&two_persons());
    first.moves(&session, "e4");
    first.sessions.leave_all();
    let path = folder.path().join(format!("{session}.json"));
    let damaged = std::fs::read_to_string(&path).unwrap().replace("e2e4", "e2e5");
    std::fs::write(&path, &damaged).unwrap();
    let answer = first.get(&format!("api/state?session={session}"));
    assert_eq!(answer.status, 404);
    assert!(answer.error().starts_with("this game cannot be resumed: "), "{}", answer.error());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
}

#[test]
fn a_table_is_kept_from_its_first_move_or_comment_on() {
    let folder = tempfile::tempdir().unwrap();
    let files = || read_dir(folder.path()).unwrap().count();
    let served = serve_in(folder.path());
    let session = served.open(&two_persons());
    assert_eq!((files(), served.get("api/sessions").json()), (0, json!([])));
    served.moves(&session, "e4");
    assert_eq!(served.get("api/sessions").json()[0]["plies"], 1);
    // What was taken back does not come back.
    served.good(&session, &json!({"do": "take_back"}));
    let row = &served.get("api/sessions").json()[0];
    assert_eq!((&row["plies"], &row["empty"]), (&json!(0), &json!(true)));
    let noted = served.open(&json!({"kind": "analyse"}));
    served.good(&noted, &json!({"do": "comment", "text": "said", "node": 0}));
    assert_eq!(served.get("api/sessions").json().as_array().unwrap().len(), 2);
    served.open(&json!({"kind": "analyse", "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}));
    let rows = served.get("api/sessions").json();
    assert_eq!(rows.as_array().unwrap().len(), 3);
    assert_eq!(rows.as_array().unwrap().iter().filter(|row| row["empty"] == false).count(), 2);
}

#[test]
fn what_cannot_be_kept_is_reported_once_and_kept_as_soon_as_it_can_be() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("board");
    let served = serve_in(&folder);
    // A file has the place of the folder.
    std::fs::remove_dir(&folder).unwrap();
    std::fs::write(&folder, "").unwrap();
    let session = served.open(&json!({"kind": "analyse", "pgn": "1. e4 e5 *"}));
    let mut events = served.listen(&session);
    events.until("state", |_| true);
    let comment = |text: &str| {
        let command = json!({"do": "comment", "text": text, "node": 1});
        served.good(&session, &command)["tree"].clone()
    };
    comment("one");
    let last = comment("two");
    let mut notices = Vec::new();
    loop {
        let (name, data) = events.try_next().unwrap();
        let data: Value = serde_json::from_str(&data).unwrap();
        match name.as_str() {
            "notice" => notices.push(data["text"].as_str().unwrap().to_owned()),
            "state" if data["tree"] == last => break,
            _ => {}
        }
    }
    assert_eq!(notices.len(), 1, "{notices:?}");
    let begin = format!("The game cannot be kept: {}", folder.display());
    assert!(notices[0].starts_with(&begin), "{notices:?}");
    std::fs::remove_file(&folder).unwrap();
    std::fs::create_dir(&folder).unwrap();
    comment("three");
    let kept = std::fs::read_to_string(folder.join(format!("{session}.json"))).unwrap();
    assert!(kept.contains("three"), "{kept}");
}

#[test]
fn a_kept_game_has_the_name_of_its_rules() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let name_of = |more: &Value, mv: &str| {
        let mut open = two_persons();
        for (name, value) in more.as_object().unwrap() {
            open[name] = value.clone();
        }
        let session = served.open(&open);
        served.moves(&session, mv);
        let rows = served.get("api/sessions").json();
        let row = rows.as_array().unwrap().iter().find(|row| row["session"] == session.as_str());
        row.unwrap()["game"].clone()
    };
    let rules = "@name Two Kings\n@royal k\n\nk W1F1\n\nboard:\n. k .\n. . .\n. K .\n";
    assert_eq!(name_of(&json!({"rules": rules}), "b1a1"), "Two Kings");
    assert_eq!(name_of(&json!({"fen": "4k3/8/8/8/8/8/8/1R1K4 w B - 0 1"}), "Kd2"), "chess960");
    assert_eq!(name_of(&json!({}), "e4"), "chess");
}

#[test]
fn games_with_moves_make_no_room_for_empty_ones() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_in(folder.path());
    let session = first.open(&two_persons());
    first.moves(&session, "e4");
    first.sessions.leave_all();
    let at = |path: &Path, seconds| {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    };
    let game = folder.path().join(format!("{session}.json"));
    at(&game, 1);
    let mut empty: Value = serde_json::from_slice(&std::fs::read(&game).unwrap()).unwrap();
    (empty["nodes"], empty["at"]) = (json!([]), json!(0));
    for number in 0..90 {
        // A position or rules alone are no game.
        empty["open"]["fen"] = json!((number % 3 == 1).then_some("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
        empty["open"]["rules"] = json!((number % 3 == 2).then_some("@extends chess"));
        let path = folder.path().join(format!("{number:016x}.json"));
        std::fs::write(&path, empty.to_string()).unwrap();
        at(&path, 2 + number);
    }
    let other = serve_in(folder.path());
    let list = other.get("api/sessions").json();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 50);
    assert_eq!(list.iter().filter(|row| row["session"] == session.as_str()).count(), 1, "{list:?}");
    assert!(game.exists());
}
