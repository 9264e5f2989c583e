//! Files of games.

use std::fmt::Write as _;

use crate::client::serve;
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

#[test]
fn a_file_has_an_index_whose_accuracies_come_one_by_one() {
    let served = serve();
    let table = served.open(&json!({"kind": "analyse"}));
    let mut events = served.listen(&table);
    let state = served.good(&table, &json!({"do": "load_pgn", "text": file(6)}));
    let index = state["index"].as_array().unwrap();
    assert_eq!(index.len(), 6);
    assert_eq!(
        (&index[1]["white"], &index[1]["result"], &index[1]["plies"]),
        (&json!("W1"), &json!("1-0"), &json!(7))
    );
    assert!(index[2]["error"].as_str().unwrap().contains("illegal move"), "{}", index[2]);
    let first = events.until("file", |_| true);
    assert_eq!((&first["index"], &first["total"]), (&json!(0), &json!(6)));
    events.until("file", |data| data["over"] == true);
    let state = served.good(&table, &json!({"do": "show_game", "index": 4}));
    assert_eq!(
        (&state["shown_game"], &state["players"]["white"]["name"]),
        (&json!(4), &json!("W4"))
    );
    let row = &state["index"][0];
    let accuracy = |side| row[side].as_f64().unwrap();
    assert!(accuracy("accuracy_white") < accuracy("accuracy_black"), "{row}");
    let why = served.bad(&table, &json!({"do": "show_game", "index": 2}));
    assert!(why.contains("illegal move"), "{why}");
    assert!(served.bad(&table, &json!({"do": "show_game", "index": 6})).contains("no game 6"));
}

#[test]
fn five_hundred_games_are_read_and_their_analysis_is_canceled() {
    let served = serve();
    let table = served.open(&json!({"kind": "analyse"}));
    let mut events = served.listen(&table);
    let state = served.good(&table, &json!({"do": "load_pgn", "text": file(500)}));
    assert_eq!(state["index"].as_array().unwrap().len(), 500);
    events.until("file", |_| true);
    served.good(&table, &json!({"do": "stop"}));
    let end = events.until("file", |data| data["over"] == true);
    assert_eq!(end["canceled"], true, "{end}");
    let rows = served.state(&table)["index"].as_array().unwrap().clone();
    assert!(rows.iter().any(|row| row["accuracy_white"] == Value::Null));
    assert!(served.bad(&table, &json!({"do": "load_pgn", "text": " \n"})).contains("no game"));
}
