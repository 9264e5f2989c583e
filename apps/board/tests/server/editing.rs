//! The tree of moves, and games as text.

use crate::client::serve;
use serde_json::{Value, json};

/// A game with everything that PGN has.
const RICH: &str = "[Event \"Test\"]\n[Site \"?\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n\
    [White \"A \\\"B\\\"\"]\n[Black \"C\"]\n[Result \"1-0\"]\n[Annotator \"D\"]\n\n\
    { before } 1. e4 $1 { [%clk 0:03:00] best [%cal Gd2d4] } (1. d4 d5 { solid } (1... Nf6 $2 2. c4) 2. c4) \
    (1. c4 { English } 1... e5) 1... e5 2. Nf3 ; to the end\n2... Nc6 3. Bb5 (3. Qxh8 a6) { last } 1-0\n\n";

fn sans(state: &Value) -> Vec<String> {
    let san = |one: &Value| one["san"].as_str().map(str::to_owned);
    state["tree"].as_array().unwrap().iter().filter_map(san).collect()
}

/// The tree without the numbers of nodes, each move with what is said about it.
fn shape(state: &Value) -> Value {
    let nodes = state["tree"].as_array().unwrap();
    let find = |id: &Value| nodes.iter().find(|one| one["id"] == *id).unwrap();
    fn of(node: &Value, find: &dyn Fn(&Value) -> Value) -> Value {
        let children = node["children"].as_array().unwrap();
        let children: Vec<Value> = children.iter().map(|id| of(&find(id), find)).collect();
        json!([
            node["san"],
            node["lead"],
            node["comment"],
            node["nags"],
            node["clock"],
            node["shapes"],
            node["unread"],
            children
        ])
    }
    of(&nodes[0], &|id| find(id).clone())
}

#[test]
fn what_is_read_is_written_as_it_was_and_read_again_after_a_change() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse", "pgn": RICH}));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&served.pgn(&session)), words(RICH));
    let state = served.state(&session);
    assert_eq!(state["tree"][1]["nags"], json!([1]));
    assert_eq!(state["tree"][1]["lead"], "before");
    assert_eq!(state["tree"][1]["comment"], "best");
    assert_eq!(state["tree"][1]["clock"], "0:03:00");
    assert_eq!(state["tree"][1]["shapes"], json!([{"color": "G", "squares": "d2d4"}]));
    let first: Vec<String> =
        state["tree"][0]["children"].as_array().unwrap().iter().map(Value::to_string).collect();
    assert_eq!(first.len(), 3, "e4, d4 and c4");
    assert!(state.to_string().contains("Qxh8 a6"), "a variation that cannot be played stays");
    // After a change the whole tree is written anew, and read again as the same.
    served.good(&session, &json!({"do": "glyph", "nag": 14, "node": 1}));
    let (changed, text) = (served.state(&session), served.pgn(&session));
    assert!(text.contains("[Annotator \"D\"]") && text.contains("1. e4 $1 $14"), "{text}");
    let again = served.open(&json!({"kind": "analyse", "pgn": text}));
    assert_eq!(shape(&served.state(&again)), shape(&changed));
    served.good(&again, &json!({"do": "glyph", "nag": 14, "node": 1}));
    served.good(&again, &json!({"do": "glyph", "nag": 14, "node": 1}));
    assert_eq!(served.pgn(&again), text);
}

#[test]
fn lines_are_added_promoted_deleted_and_each_change_is_undone() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    served.moves(&session, "e4 e5");
    served.good(&session, &json!({"do": "back"}));
    let state = served.moves(&session, "c5");
    assert_eq!(state["tree"][1]["children"], json!([2, 3]));
    let state = served.moves(&session, "Nf3");
    assert_eq!(state["tip"], 2);
    let state = served.good(&session, &json!({"do": "promote_line"}));
    assert_eq!((&state["tree"][1]["children"], &state["tip"]), (&json!([3, 2]), &json!(4)));
    assert!(served.bad(&session, &json!({"do": "promote_line"})).contains("main line already"));
    assert!(
        served.bad(&session, &json!({"do": "delete_line", "node": 0})).contains("first position")
    );
    let state = served.good(&session, &json!({"do": "delete_line", "node": 3}));
    assert_eq!((sans(&state), &state["at"]), (vec!["e4".to_owned(), "e5".to_owned()], &json!(1)));
    let state = served.good(&session, &json!({"do": "undo"}));
    assert_eq!((sans(&state).len(), &state["at"]), (4, &json!(4)));
    let state = served.good(&session, &json!({"do": "undo"}));
    assert_eq!(state["tree"][1]["children"], json!([2, 3]), "the promotion is undone");
    for _ in 0..4 {
        served.good(&session, &json!({"do": "undo"}));
    }
    assert_eq!(sans(&served.state(&session)), Vec::<String>::new());
    assert!(served.bad(&session, &json!({"do": "undo"})).contains("nothing to undo"));
    for _ in 0..6 {
        served.good(&session, &json!({"do": "redo"}));
    }
    assert_eq!(sans(&served.state(&session)), ["e4", "e5"]);
    assert!(served.bad(&session, &json!({"do": "redo"})).contains("nothing to redo"));
}

#[test]
fn what_changes_nothing_leaves_what_was_undone() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    served.moves(&session, "e4 e5");
    served.good(&session, &json!({"do": "undo"}));
    served.good(&session, &json!({"do": "first"}));
    served.moves(&session, "e4");
    served.bad(&session, &json!({"do": "delete_line", "node": 0}));
    let state = served.good(&session, &json!({"do": "redo"}));
    assert_eq!(sans(&state), ["e4", "e5"]);
    served.good(&session, &json!({"do": "undo"}));
    let state = served.moves(&session, "c5");
    assert_eq!(state["can"]["redo"], false, "a change does not");
}

#[test]
fn comments_keep_what_programs_say_and_glyphs_of_moves_replace_each_other() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse", "pgn": "1. e4 {[%clk 0:01:00] old} *"}));
    served.good(&session, &json!({"do": "goto", "node": 1}));
    let state = served.good(&session, &json!({"do": "comment", "text": "new } {\n line"}));
    assert_eq!(state["tree"][1]["comment"], "new ) ( line");
    assert!(
        served.pgn(&session).contains("{ [%clk 0:01:00] new ) ( line }"),
        "{}",
        served.pgn(&session)
    );
    served.good(&session, &json!({"do": "glyph", "nag": 1}));
    let state = served.good(&session, &json!({"do": "glyph", "nag": 4}));
    assert_eq!(state["tree"][1]["nags"], json!([4]));
    let state = served.good(&session, &json!({"do": "glyph", "nag": 4}));
    assert_eq!(state["tree"][1]["nags"], json!([]));
    let long = "x".repeat(5_000);
    assert!(served.bad(&session, &json!({"do": "comment", "text": long})).contains("4000"));
    served.bad(&session, &json!({"do": "glyph", "nag": 256}));
}

#[test]
fn clocks_evaluations_and_ratings_of_a_record_are_shown() {
    let served = serve();
    let pgn = "[White \"Ann\"]\n[WhiteElo \"2105\"]\n\n1. e4 { [%eval 0.25] [%clk 0:03:00] } \
               1... e5 { [%eval #-3] [%clk 0:02:58] } *";
    let session = served.open(&json!({"kind": "analyse", "pgn": pgn}));
    assert_eq!(served.state(&session)["clock"], Value::Null);
    let state = served.good(&session, &json!({"do": "last"}));
    assert_eq!(state["clock"]["white_ms"], 180_000);
    assert_eq!(state["clock"]["black_ms"], 178_000);
    assert_eq!(state["tree"][1]["score"], json!({"cp": 25}));
    assert_eq!(state["tree"][2]["score"], json!({"mate": -3}));
    assert_eq!(state["players"]["white"]["level"], "2105");
}

#[test]
fn positions_are_set_up_and_the_board_is_walked() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    served.good(&session, &json!({"do": "threat", "on": true}));
    let state = served.good(&session, &json!({"do": "set_fen", "fen": fen}));
    assert_eq!((&state["position"]["fen"], &state["threat_on"]), (&json!(fen), &json!(true)));
    let why = served.bad(&session, &json!({"do": "set_fen", "fen": "4k3/8/8/8/8/8/8/8 w - - 0 1"}));
    assert!(why.contains("bad position"), "{why}");
    served.moves(&session, "e1c1 e8e7 d1d2");
    assert!(served.pgn(&session).contains("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]"));
    let at = |command| served.good(&session, &json!({"do": command}))["at"].clone();
    let walked = ["first", "forward", "forward", "back", "last", "forward"].map(at);
    assert_eq!(walked.to_vec(), [0, 1, 2, 1, 3, 3].map(Value::from));
}
