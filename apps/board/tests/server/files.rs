//! Files of games.

use std::fmt::Write as _;

use crate::client::{Served, serve};
use serde_json::{Value, json};

fn file(games: usize) -> String {
    let mut text = String::new();
    for number in 0..games {
        let (moves, result) = match number % 3 {
            0 => ("1. f3 e5 2. g4 Qh4#", "0-1"),
            1 => ("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#", "1-0"),
            _ => ("1. e4 e5 2. Ke3", "*"),
        };
        let _ = write!(
            text,
            "[White \"W{number}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        );
    }
    text
}

fn rows(served: &Served, session: &str) -> Vec<Value> {
    served.get(&format!("api/index?session={session}")).json().as_array().unwrap().clone()
}

#[test]
fn a_file_has_an_index_whose_accuracies_come_one_by_one() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    let mut events = served.listen(&session);
    let state = served.good(&session, &json!({"do": "load_pgn", "text": file(6)}));
    assert_eq!(state["file"]["games"], 6);
    let index = rows(&served, &session);
    assert_eq!(index.len(), 6);
    assert_eq!(
        (&index[1]["white"], &index[1]["result"], &index[1]["plies"]),
        (&json!("W1"), &json!("1-0"), &json!(7))
    );
    assert!(index[2]["error"].as_str().unwrap().contains("illegal move"), "{}", index[2]);
    let first = events.until("file", |_| true);
    assert_eq!((&first["index"], &first["total"]), (&json!(0), &json!(6)));
    events.until("file", |data| data["over"] == true);
    served.wait(&session, |state| state["file"]["running"] == false);
    let state = served.good(&session, &json!({"do": "show_game", "index": 4}));
    assert_eq!(
        (&state["shown_game"], &state["players"]["white"]["name"]),
        (&json!(4), &json!("W4"))
    );
    assert_eq!(state["file"]["rated"], 4);
    let row = &rows(&served, &session)[0];
    let accuracy = |side| row[side].as_f64().unwrap();
    assert!(accuracy("accuracy_white") < accuracy("accuracy_black"), "{row}");
    let why = served.bad(&session, &json!({"do": "show_game", "index": 2}));
    assert!(why.contains("illegal move"), "{why}");
    assert!(served.bad(&session, &json!({"do": "show_game", "index": 6})).contains("no game 6"));
}

#[test]
fn pages_learn_at_once_that_the_games_of_a_file_are_being_analyzed() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    let mut events = served.listen(&session);
    events.until("state", |_| true);
    let all = |on: bool| json!({"do": "report", "on": on, "all": true});
    for begin in [json!({"do": "load_pgn", "text": file(60)}), all(true)] {
        let before = served.good(&session, &begin)["version"].as_u64();
        // Before the first game is done.
        loop {
            let (name, data) = events.try_next().unwrap();
            assert_ne!(name, "file", "{data}");
            let data: Value = serde_json::from_str(&data).unwrap();
            if data["version"].as_u64() > before && data["file"]["running"] == true {
                break;
            }
        }
        served.good(&session, &all(false));
        events.until("file", |data| data["over"] == true);
        assert_eq!(served.state(&session)["file"]["running"], false);
    }
}

#[test]
fn games_beyond_the_most_are_counted() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    for (games, taken, left_out) in [(5_000, 5_000, 0), (5_003, 5_000, 3)] {
        let text = "[White \"W\"]\n\n1. e4 *\n\n".repeat(games);
        let state = served.good(&session, &json!({"do": "load_pgn", "text": text}));
        let file = &state["file"];
        assert_eq!((&file["games"], &file["left_out"]), (&json!(taken), &json!(left_out)));
        served.good(&session, &json!({"do": "stop"}));
    }
}

#[test]
fn a_text_of_sixteen_mebibytes_is_taken_however_json_writes_it() {
    let served = serve();
    let limit = 16 << 20;
    // JSON has two bytes for a quote and for the end of a line.
    let line = format!("{}{}\n", " ".repeat(70), "\"".repeat(9));
    let mut text = "1. e4 *\n\n".to_owned();
    text.push_str(&line.repeat((limit - text.len()) / line.len()));
    text.push_str(&" ".repeat(limit - text.len()));
    let session = served.open(&json!({"kind": "analyse", "pgn": text}));
    assert_eq!(served.state(&session)["tree"][1]["san"], "e4");
}

/// Two puzzles whose first positions, node 0, have different solutions.
const PUZZLES: [&str; 2] = [
    "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# 1-0\n\n",
    "[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0\n\n",
];

#[test]
fn a_hint_is_about_the_game_that_is_on_the_board_now() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse", "pgn": PUZZLES.concat()}));
    let mut events = served.listen(&session);
    for (command, piece) in [
        (json!({"do": "show_game", "index": 0}), "rook"),
        (json!({"do": "show_game", "index": 1}), "queen"),
        (json!({"do": "load_pgn", "text": PUZZLES[0]}), "rook"),
        (json!({"do": "set_fen", "fen": "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"}), "queen"),
    ] {
        let before = served.state(&session)["serial"].as_u64();
        let serial = served.good(&session, &command)["serial"].clone();
        assert!(serial.as_u64() > before, "{command}");
        served.good(&session, &json!({"do": "hint", "step": 1}));
        let hint = events.until("hint", |_| true);
        assert_eq!(hint["text"], format!("Think about a move of your {piece}."), "{command}");
        assert_eq!(hint["serial"], serial, "{command}");
        served.good(&session, &json!({"do": "hint", "step": 3}));
        events.until("hint", |hint| hint["step"] == 3);
    }
}

#[test]
fn a_changed_game_stays_when_it_is_chosen_again() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse", "pgn": file(2)}));
    served.good(&session, &json!({"do": "last"}));
    served.good(&session, &json!({"do": "comment", "text": "a mate"}));
    let state = served.good(&session, &json!({"do": "show_game", "index": 0}));
    assert_eq!(state["at"], 0, "its first position is shown");
    assert!(served.pgn(&session).contains("{ a mate }"));
    served.good(&session, &json!({"do": "show_game", "index": 1}));
    served.good(&session, &json!({"do": "show_game", "index": 0}));
    assert!(served.pgn(&session).contains("{ a mate }"), "the file has it too");
}

#[test]
fn a_file_of_games_of_a_variant_has_an_index_too() {
    let served = serve();
    let game = |white: &str, variant: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Variant \"{variant}\"]\n[Result \"0-1\"]\n\n{moves} 0-1\n\n")
    };
    let played = {
        let session = served.open(&json!({"kind": "analyse", "game": "minixiangqi"}));
        for _ in 0..3 {
            let mv = served.state(&session)["legal"][0]["mv"].clone();
            served.good(&session, &json!({"do": "move", "mv": mv}));
        }
        served.pgn(&session)
    };
    let line = played.trim().rsplit("\n\n").next().unwrap().trim_end_matches('*').to_owned();
    let text = [
        game("One", "minixiangqi", "1. Zz9"),
        game("Two", "minixiangqi", &line),
        game("Three", "chess", "1. e4"),
        game("Four", "Minixiangqi", ""),
    ]
    .concat();
    // The game is known by its tag. The first one that can be read is shown.
    let session = served.open(&json!({"kind": "analyse", "pgn": text}));
    let state = served.state(&session);
    assert_eq!(
        (&state["game"]["name"], &state["file"]["games"]),
        (&json!("minixiangqi"), &json!(4))
    );
    assert_eq!((&state["shown_game"], &state["at"]), (&json!(1), &json!(0)));
    assert_eq!(state["tree"].as_array().unwrap().len(), 4);
    let index = rows(&served, &session);
    let plies: Vec<&Value> = index.iter().map(|row| &row["plies"]).collect();
    assert_eq!(plies, [1, 3, 0, 0]);
    assert_eq!((&index[1]["white"], &index[1]["result"]), (&json!("Two"), &json!("0-1")));
    assert!(index[2]["error"].as_str().unwrap().contains("a game of \"chess\""), "{}", index[2]);
    let state = served.good(&session, &json!({"do": "show_game", "index": 3}));
    assert_eq!(state["players"]["white"]["name"], "Four");
    let why = served.bad(&session, &json!({"do": "show_game", "index": 0}));
    assert!(why.contains("Zz9"), "{why}");
}
