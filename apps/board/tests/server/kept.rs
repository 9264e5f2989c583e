//! Games that outlive the server.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::{Table, parts, serve_in};
use serde_json::{Value, json};

#[test]
fn a_game_goes_on_at_another_server_with_its_clocks_and_notes() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_in(folder.path());
    let table = first.people(json!({"chess960": 100, "clock": {"base_s": 600}}));
    let legal = table.state()["legal"][0]["mv"].clone();
    table.good(json!({"do": "move", "mv": legal}));
    table.good(json!({"do": "name", "white": "Zoe"}));
    let before = table.good(json!({"do": "comment", "text": "said", "node": 1}));
    // The game is locked as long as its server lives: another one does not offer it.
    let other = serve_in(folder.path());
    assert!(other.kept().is_empty());
    let locked = other.table(&table.id).get("state");
    assert_eq!(locked.status, 404);
    assert!(locked.error().contains("another tamarin board"), "{}", locked.error());
    assert_eq!(first.kept()[0]["open"], true);
    first.sessions.leave_all();
    assert_eq!(other.kept()[0]["session"], table.id);
    let after = other.table(&table.id).state();
    for part in ["position", "tree", "players", "at", "game", "result"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    assert_eq!(after["clock"]["white_ms"], 600_000);
    let list = other.post(&format!("api/forget?session={}", table.id), &json!({})).json();
    assert_eq!(list, json!([]));
}

#[test]
fn trees_and_games_of_all_kinds_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let effects = "@royal none\na {-square (1 0)} {-square (1 0) -effects b -> (0 0)}\n\
                   p fW1 promotion t[ROW > 1] -> a|b\nb W\n@fen 3/1P1/A2 w\n";
    for (open, moves) in [
        (
            json!({"pgn": "{ first } 1. e4 (1. d4 { queen } d5 (1... f5 $2) 2. c4) e5 $1 (1... Qxh8 a6) *"}),
            "d4 Nf6",
        ),
        (json!({"game": "chess960", "chess960": 518}), "e4 e5"),
        (json!({"game": "crazyhouse"}), "e4 d5 exd5 Qxd5 P@e4"),
        (json!({"game": "minishogi", "fen": "2k2/4P/5/5/2K2[Gp] w - - 0 1"}), "G@b3"),
        (json!({"rules": effects}), "a1a2/2"),
    ] {
        let served = serve_in(folder.path());
        let table = served.analyse(open);
        let before = table.moves(moves);
        served.sessions.leave_all();
        let after = table.state();
        let shown = |state: &Value| {
            let tree = state["tree"].as_array().unwrap().iter();
            let node = |one: &Value| parts(one, "san lead comment nags unread").to_string();
            let mut tree: Vec<String> = tree.map(node).collect();
            tree.sort();
            (tree, parts(state, "position game result"))
        };
        assert_eq!(shown(&after), shown(&before));
    }
}

#[test]
fn a_move_that_is_taken_back_at_another_server_has_its_time_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_in(folder.path());
    let table = first.people(json!({"clock": {"base_s": 0.05}}));
    table.moves("e4 e5");
    let lost = table.wait(|state| !state["result"].is_null());
    assert_eq!(lost["clock"]["white_ms"], 0);
    first.sessions.leave_all();
    let second = serve_in(folder.path());
    let table = second.table(&table.id);
    assert_eq!(table.state()["result"], lost["result"]);
    let state = table.does("take_back");
    assert_eq!(parts(&state, "clock/white_ms clock/black_ms result tip"), json!([50, 50, null, 1]));
    assert!(!table.pgn().contains("Termination"), "{}", table.pgn());
}

#[test]
fn a_changed_game_is_kept_when_another_one_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let table = served.analyse(json!({}));
    table.moves("e4 e5");
    let file = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. d4 d5 *\n\n1. c4 *\n";
    table.good(json!({"do": "load_pgn", "text": file}));
    let rows = served.kept();
    let other = rows.iter().find(|row| row["session"] != table.id).unwrap();
    let other = served.table(other["session"].as_str().unwrap());
    assert!(other.pgn().contains("1. e4 e5 *"));
    // What was only read is not kept twice.
    let state = table.good(json!({"do": "show_game", "index": 1}));
    assert_eq!(served.kept().len(), 2);
    assert_eq!(state["players"]["white"]["name"], "?", "{}", state["players"]);
    table.good(json!({"do": "show_game", "index": 0}));
    table.good(json!({"do": "comment", "text": "solid", "node": 2}));
    table.good(json!({"do": "show_game", "index": 1}));
    assert_eq!(served.kept().len(), 3);
    table.good(json!({"do": "show_game", "index": 0}));
    assert!(table.pgn().contains("1. d4 d5 { solid } *"), "{}", table.pgn());
    table.moves("Nf3");
    table.good(json!({"do": "new", "kind": "analyse"}));
    assert_eq!(served.kept().len(), 4);
    table.good(json!({"do": "name", "white": "Ann"}));
    table.good(json!({"do": "new", "kind": "analyse"}));
    assert_eq!(served.kept().len(), 4, "a game without a move is not worth it");
    // So is one that was resumed.
    served.sessions.leave_all();
    other.good(json!({"do": "new", "kind": "analyse"}));
    assert_eq!(served.kept().len(), 5);
}

#[test]
fn damaged_and_foreign_files_are_no_games() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("0123456789abcdef.json"), "{\"open\":").unwrap();
    fs::write(folder.path().join("passwords.json"), "{}").unwrap();
    let served = serve_in(folder.path());
    assert!(served.kept().is_empty());
    for id in ["0123456789abcdef", "passwords", "../x", "..%2fx", ""] {
        assert_eq!(served.table(id).get("state").status, 404, "{id}");
    }
    // One that cannot be resumed says why, and stays.
    let table = served.people(json!({}));
    table.moves("e4");
    served.sessions.leave_all();
    let path = folder.path().join(format!("{}.json", table.id));
    let damaged = fs::read_to_string(&path).unwrap().replace("1. e4", "1. e5");
    fs::write(&path, &damaged).unwrap();
    let answer = table.get("state");
    assert_eq!(answer.status, 404);
    assert!(answer.error().starts_with("this game cannot be resumed: "), "{}", answer.error());
    assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
}

#[test]
fn a_game_is_kept_from_its_first_move_or_comment_on_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let table = served.people(json!({}));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the token");
    assert!(served.kept().is_empty());
    table.moves("e4");
    assert_eq!(served.kept()[0]["plies"], 1);
    // What was taken back does not come back.
    table.does("take_back");
    assert_eq!(parts(&served.kept()[0], "plies empty"), json!([0, true]));
    let noted = served.analyse(json!({}));
    noted.good(json!({"do": "comment", "text": "said", "node": 0}));
    assert_eq!(served.kept().len(), 2);
    served.analyse(json!({"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}));
    let rows = served.kept();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows.iter().filter(|row| row["empty"] == false).count(), 2);
    let rules = "@name Two Kings\n@royal k\n\nk W1F1\n\nboard:\n. k .\n. . .\n. K .\n";
    for (more, mv, name) in [
        (json!({"rules": rules}), "b1a1", "Two Kings"),
        (json!({"fen": "4k3/8/8/8/8/8/8/1R1K4 w B - 0 1"}), "Kd2", "chess960"),
        (json!({}), "e4", "chess"),
    ] {
        let table = served.people(more);
        table.moves(mv);
        let rows = served.kept();
        assert_eq!(rows.iter().find(|row| row["session"] == table.id).unwrap()["game"], name);
    }
}

#[test]
fn what_cannot_be_kept_is_reported_once_and_kept_as_soon_as_it_can_be() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("board");
    let served = serve_in(&folder);
    // A file has the place of the folder.
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "").unwrap();
    let table = served.analyse(json!({"pgn": "1. e4 e5 *"}));
    let mut events = table.listen();
    events.until("state", |_| true);
    let comment = |text| table.good(json!({"do": "comment", "text": text, "node": 1}));
    comment("one");
    let last = comment("two")["tree"].clone();
    let mut notices = Vec::new();
    loop {
        let (name, data) = events.next();
        match name.as_str() {
            "notice" => notices.push(data["text"].as_str().unwrap().to_owned()),
            "state" if data["tree"] == last => break,
            _ => {}
        }
    }
    assert_eq!(notices.len(), 1, "{notices:?}");
    let begin = format!("The game cannot be kept: {}", folder.display());
    assert!(notices[0].starts_with(&begin), "{notices:?}");
    fs::remove_file(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    comment("three");
    let kept = fs::read_to_string(folder.join(format!("{}.json", table.id))).unwrap();
    assert!(kept.contains("three"), "{kept}");
}

#[test]
fn games_with_moves_make_no_room_for_empty_ones() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_in(folder.path());
    let table = first.people(json!({}));
    table.moves("e4");
    first.sessions.leave_all();
    let at = |path: &Path, seconds| {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    };
    let game = folder.path().join(format!("{}.json", table.id));
    at(&game, 1);
    let mut empty: Value = serde_json::from_slice(&fs::read(&game).unwrap()).unwrap();
    empty["moves"] = json!(0);
    for number in 0..90 {
        // A position or rules alone are no game.
        empty["open"]["fen"] = json!((number % 3 == 1).then_some("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
        empty["open"]["rules"] = json!((number % 3 == 2).then_some("@extends chess"));
        let path = folder.path().join(format!("{number:016x}.json"));
        fs::write(&path, empty.to_string()).unwrap();
        at(&path, 2 + number);
    }
    let list = serve_in(folder.path()).kept();
    assert_eq!(list.len(), 50);
    assert_eq!(list.iter().filter(|row| row["session"] == table.id).count(), 1, "{list:?}");
    assert!(game.exists());
}

#[test]
fn a_file_that_was_only_read_takes_no_place_of_a_kept_game() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let table = served.people(json!({}));
    table.moves("e4 e5");
    let mut last = None;
    for number in 0..60 {
        let text = format!("[White \"W{number}\"]\n\n1. d4 d5 *");
        last = Some(served.analyse(json!({ "pgn": text })));
    }
    let files = || fs::read_dir(folder.path()).unwrap().flatten();
    let count = || files().filter(|one| one.path().extension() == Some("json".as_ref())).count();
    assert_eq!(count(), 1);
    let is_listed = |id: &str| served.kept().iter().any(|row| row["session"] == id);
    let last = last.unwrap();
    assert!(is_listed(&table.id) && is_listed(&last.id), "what is open is listed");
    last.moves("c4");
    assert_eq!(count(), 2);
    // However many analyses there are, games stay.
    for number in 0..60 {
        served.analyse(json!({"pgn": "1. d4 *"})).moves(["c4", "Nf3"][number % 2]);
    }
    served.sessions.leave_all();
    let kinds = served.kept().iter().map(|row| row["kind"].clone()).collect::<Vec<_>>();
    let of = |kind: &str| kinds.iter().filter(|one| *one == kind).count();
    assert_eq!((of("play"), of("analyse")), (1, 50));
}

#[test]
fn what_was_forgotten_can_be_restored() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let table = served.people(json!({}));
    table.moves("e4 e5");
    let ask = |what: &str| served.post(&format!("api/{what}?session={}", table.id), &json!({}));
    let mut events = table.listen();
    events.until("state", |_| true);
    assert!(ask("forget").error().contains("a page shows this game"));
    served.sessions.leave_all();
    assert_eq!((ask("forget").status, served.kept().len()), (200, 0));
    assert_eq!((ask("restore").status, ask("restore").status), (200, 404));
    assert_eq!(parts(&served.kept()[0], "session opening"), json!([table.id, "Open Game"]));
    assert_eq!(table.state()["tip"], 2);
}

#[test]
fn addresses_outlive_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = [serve_in(folder.path()).token.clone(), serve_in(folder.path()).token.clone()];
    assert_eq!(tokens[0], tokens[1]);
    fs::write(folder.path().join("token"), "../../x").unwrap();
    assert_ne!(serve_in(folder.path()).token, tokens[0], "a damaged token is made anew");
}

#[test]
fn a_report_is_kept_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let table = served.analyse(json!({"pgn": "1. f3 e5 2. g4 Qh4# 0-1"}));
    table.report();
    let before = table.good(json!({"do": "shapes", "shapes": ["Gf2f3"], "node": 0}));
    let text = table.pgn().split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["[%eval #-1]", "[%eval -", "g4 $4", "(2. "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    served.sessions.leave_all();
    let after = table.state();
    let line = |state: &Value| {
        let nodes = state["tree"].as_array().unwrap().iter();
        let main =
            nodes.filter(|node| ["f3", "e5", "g4", "Qh4#"].iter().any(|san| node["san"] == *san));
        let mut shown: Vec<String> =
            main.map(|node| parts(node, "san score nags").to_string()).collect();
        shown.sort();
        shown
    };
    assert_eq!((&after["accuracy"], line(&after)), (&before["accuracy"], line(&before)));
    let root = |state: &Value| parts(&state["tree"][0], "score/cp shapes");
    assert!(root(&before)[0].is_i64() && root(&before)[1][0]["squares"] == "f2f3", "{before}");
    assert_eq!(root(&after), root(&before));
}

#[test]
fn all_games_of_a_file_are_saved_with_their_changes() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let positions = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"Push\";\n\n8/8/8/4k3/8/8/4P3/4K3\n";
    for (text, first, second) in [
        ("1. e4 *\n\n[White \"Zoe\"]\n\n1. d4 *\n", "1. e4 e5 *", "[White \"Zoe\"]\n\n1. d4 *"),
        (positions, "[White \"Push\"]", "4k3/8/8/4P3/4K3 w - - 0 1\"]"),
    ] {
        let table = served.analyse(json!({ "pgn": text }));
        if first.contains("e5") {
            table.moves("e4 e5");
        }
        table.good(json!({"do": "show_game", "index": 1}));
        let all = served.get(&format!("api/pgn?session={}&all=1", table.id)).body;
        assert!(all.contains(first) && all.contains(second), "{all}");
    }
}

/// The moves of the games of a file with what became of them, and the games that reach a position,
/// also by another order of moves; a file is kept, opened again, and never loses games.
#[test]
fn own_games_are_kept_found_and_explored() {
    const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"2000\"]\n[Date \"2024.05.01\"]\n\n1. d4 d5 2. c4 1-0\n\n\
        [White \"Bob\"]\n[Black \"Ann\"]\n[WhiteElo \"2100\"]\n\n1. d4 Nf6 2. c4 e6 1/2-1/2\n\n\
        [White \"Cy\"]\n[Black \"Ann\"]\n\n1. c4 d5 2. d4 0-1\n\n";
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let table = served.analyse(json!({"pgn": GAMES}));
    let played = |table: &Table<'_>, mv: &str| {
        let moves = table.get("moves").json();
        moves["moves"].as_array().unwrap().iter().find(|one| one["mv"] == mv).unwrap().clone()
    };
    let names = "played/games played/white played/draws played/black played/elo";
    assert_eq!(parts(&played(&table, "d2d4"), names), json!([2, 1, 1, 0, 2050]));
    assert_eq!(parts(&played(&table, "c2c4"), names), json!([1, 0, 0, 1, null]));
    assert_eq!(played(&table, "e2e4")["played"], Value::Null);
    let dropping = GAMES.replace("[White ", "[Variant \"Crazyhouse\"]\n[White ");
    let moves = played(&served.analyse(json!({"pgn": dropping})), "d2d4");
    assert_eq!(parts(&moves, names), json!([2, 1, 1, 0, 2050]), "games of variants too");
    table.does("last");
    assert_eq!(table.get("found").json(), json!([0, 2]));
    assert_eq!(table.get("index").json()[0]["date"], "2024.05.01");
    // It is kept, and what is changed in it too.
    let keep = |name: &str| json!({"do": "keep_file", "name": name});
    table.bad(keep("../x"), "a name has letters");
    assert_eq!(table.good(keep("My games"))["file"]["name"], "My games");
    table.good(json!({"do": "comment", "text": "kept"}));
    table.good(keep("My games"));
    let files = served.get("api/files").json();
    assert_eq!(parts(&files, "0/name 1"), json!(["My games", null]));
    served.sessions.leave_all();
    let other = serve_in(folder.path());
    let again = other.analyse(json!({"library": "My games"}));
    assert_eq!(parts(&again.state()["file"], "games name"), json!([3, "My games"]));
    assert!(again.pgn().contains("kept") && again.get("index").json()[2]["white"] == "Cy");
    // Other games come behind those; an older copy replaces nothing.
    let single = other.analyse(json!({"pgn": "1. e4 *"}));
    single.good(keep("My games"));
    again.bad(keep("My games"), "has changed since");
    assert_eq!(other.analyse(json!({"library": "My games"})).state()["file"]["games"], 4);
    // Without a file the games of all kept ones are explored.
    assert_eq!(played(&other.analyse(json!({})), "d2d4")["played"]["games"], 2);
    for (command, count) in [("forget", 0), ("restore", 1)] {
        let left = other.post("api/files", &json!({command: "My games"}));
        assert_eq!(left.json().as_array().unwrap().len(), count, "{command}");
    }
    assert_eq!(other.post("api/files", &json!({"restore": "My games"})).status, 422);
    assert_eq!(other.post("api/open", &json!({"kind": "analyse", "library": "None"})).status, 422);
}

/// A game without help counts, whether it is resumed or not; others do not.
#[test]
fn results_against_the_engine_are_kept_with_a_rating() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let open = || {
        let white = json!({"kind": "person", "name": "Ann"});
        let table = served
            .open(json!({"kind": "play", "white": white, "black": {"kind": "engine", "level": 1}}));
        table.moves("e4");
        table.wait(|state| state["tip"] == 2);
        table
    };
    for (command, counts) in [
        (json!({"do": "hint", "step": 1}), 0),
        (json!({"do": "take_back"}), 0),
        (json!({"do": "goto", "node": 1}), 1),
        (json!({"do": "threat", "on": true}), 1),
    ] {
        let table = open();
        table.good(command);
        table.does("resign");
        let results = served.get("api/results").json();
        let line = format!("Ann: {counts} game, 0 won, 0 drawn, {counts} lost; rating about");
        let is_there = results[0].as_str().is_some_and(|text| text.starts_with(&line));
        assert_eq!(
            (results.as_array().unwrap().len(), is_there),
            (counts, counts > 0),
            "{results}"
        );
    }
}
