//! The tree of moves, games as text, and files of games.

use std::fmt::Write as _;

use crate::{nodes, parts, serve};
use serde_json::{Value, json};

/// A game with everything that PGN has.
const RICH: &str = "[Event \"Test\"]\n[Site \"?\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n\
    [White \"A \\\"B\\\"\"]\n[Black \"C\"]\n[Result \"1-0\"]\n[Annotator \"D\"]\n\n\
    { before } 1. e4 $1 { [%clk 0:03:00] best [%cal Gd2d4] } (1. d4 d5 { solid } (1... Nf6 $2 2. c4) 2. c4) \
    (1. c4 { English } 1... e5) 1... e5 2. Nf3 ; to the end\n2... Nc6 3. Bb5 (3. Qxh8 a6) { last } 1-0\n\n";

/// The tree without the numbers of nodes, each move with what is said about it.
fn shape(state: &Value) -> Value {
    let nodes = state["tree"].as_array().unwrap();
    let find = |id: &Value| nodes.iter().find(|one| one["id"] == *id).unwrap();
    fn of(node: &Value, find: &dyn Fn(&Value) -> Value) -> Value {
        let children = node["children"].as_array().unwrap();
        let children: Vec<Value> = children.iter().map(|id| of(&find(id), find)).collect();
        json!([parts(node, "san lead comment nags clock shapes unread"), children])
    }
    of(&nodes[0], &|id| find(id).clone())
}

#[test]
fn what_is_read_is_written_as_it_was_and_read_again_after_a_change() {
    let served = serve();
    let table = served.analyse(json!({"pgn": RICH}));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&table.pgn()), words(RICH));
    let state = table.state();
    let shapes = json!([{"color": "G", "squares": "d2d4"}]);
    let said = parts(&state["tree"][1], "nags lead comment clock shapes");
    assert_eq!(said, json!([[1], "before", "best", "0:03:00", shapes]));
    assert_eq!(state["tree"][0]["children"].as_array().unwrap().len(), 3, "e4, d4 and c4");
    assert!(state.to_string().contains("Qxh8 a6"), "a variation that cannot be played stays");
    // After a change the whole tree is written anew, and read again as the same.
    let changed = table.good(json!({"do": "glyph", "nag": 14, "node": 1}));
    let text = table.pgn();
    assert!(text.contains("[Annotator \"D\"]") && text.contains("1. e4 $1 $14"), "{text}");
    let again = served.analyse(json!({"pgn": text}));
    assert_eq!(shape(&again.state()), shape(&changed));
    for _ in 0..2 {
        again.good(json!({"do": "glyph", "nag": 14, "node": 1}));
    }
    assert_eq!(again.pgn(), text);
}

#[test]
fn lines_are_added_promoted_deleted_and_each_change_is_undone() {
    let served = serve();
    let table = served.analyse(json!({}));
    table.moves("e4 e5");
    table.does("back");
    let state = table.moves("c5");
    assert_eq!(state["tree"][1]["children"], json!([2, 3]));
    assert_eq!(table.moves("Nf3")["tip"], 2);
    let state = table.does("promote_line");
    assert_eq!(parts(&state, "tree/1/children tip"), json!([[3, 2], 4]));
    table.bad(json!({"do": "promote_line"}), "main line already");
    table.bad(json!({"do": "delete_line", "node": 0}), "first position");
    let state = table.good(json!({"do": "delete_line", "node": 3}));
    assert_eq!(parts(&state, "at tree/1/san tree/2/san tree/3"), json!([1, "e4", "e5", null]));
    let state = table.does("undo");
    assert_eq!((nodes(&state), &state["at"]), (5, &json!(4)));
    assert_eq!(table.does("undo")["tree"][1]["children"], json!([2, 3]), "the promotion is undone");
    let undone = [(); 4].map(|()| table.does("undo"));
    assert_eq!(nodes(&undone[3]), 1);
    table.bad(json!({"do": "undo"}), "nothing to undo");
    let redone = [(); 6].map(|()| table.does("redo"));
    assert_eq!(parts(&redone[5], "tree/1/san tree/2/san tree/3"), json!(["e4", "e5", null]));
    table.bad(json!({"do": "redo"}), "nothing to redo");
    // What changes nothing leaves what was undone.
    table.does("undo");
    table.does("first");
    table.moves("e4");
    table.bad(json!({"do": "delete_line", "node": 0}), "");
    assert_eq!(nodes(&table.does("redo")), 3);
    table.does("undo");
    assert_eq!(table.moves("d5")["can"]["redo"], false, "a change does not");
}

#[test]
fn comments_keep_what_programs_say_and_glyphs_of_moves_replace_each_other() {
    let served = serve();
    let table = served.analyse(json!({"pgn": "1. e4 {[%clk 0:01:00] old} *"}));
    table.good(json!({"do": "goto", "node": 1}));
    let state = table.good(json!({"do": "comment", "text": "new } {\n line"}));
    assert_eq!(state["tree"][1]["comment"], "new ) ( line");
    assert!(table.pgn().contains("{ [%clk 0:01:00] new ) ( line }"), "{}", table.pgn());
    for (nag, expected) in [(1, json!([1])), (4, json!([4])), (4, json!([]))] {
        assert_eq!(table.good(json!({"do": "glyph", "nag": nag}))["tree"][1]["nags"], expected);
    }
    table.bad(json!({"do": "comment", "text": "x".repeat(5_000)}), "4000");
    table.bad(json!({"do": "glyph", "nag": 256}), "");
}

#[test]
fn clocks_evaluations_and_ratings_of_a_record_are_shown() {
    let served = serve();
    let pgn = "[White \"Ann\"]\n[WhiteElo \"2105\"]\n\n1. e4 { [%eval 0.25] [%clk 0:03:00] } \
               1... e5 { [%eval #-3] [%clk 0:02:58] } *";
    let table = served.analyse(json!({"pgn": pgn}));
    assert_eq!(table.state()["clock"], Value::Null);
    let state = table.does("last");
    let names = "clock/white_ms clock/black_ms tree/1/score tree/2/score players/white/level";
    let expected = json!([180_000, 178_000, {"cp": 25}, {"mate": -3}, "2105"]);
    assert_eq!(parts(&state, names), expected);
}

#[test]
fn positions_are_set_up_and_the_board_is_walked() {
    let served = serve();
    let table = served.analyse(json!({}));
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    table.good(json!({"do": "threat", "on": true}));
    let state = table.good(json!({"do": "set_fen", "fen": fen}));
    assert_eq!(parts(&state, "position/fen threat_on"), json!([fen, true]));
    table.bad(json!({"do": "set_fen", "fen": "4k3/8/8/8/8/8/8/8 w - - 0 1"}), "bad position");
    table.moves("e1c1 e8e7 d1d2");
    assert!(table.pgn().contains("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]"));
    let walk = ["first", "forward", "forward", "back", "last", "forward"];
    assert_eq!(
        json!(walk.map(|command| table.does(command)["at"].clone())),
        json!([0, 1, 2, 1, 3, 3])
    );
}

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
    let table = served.analyse(json!({}));
    let mut events = table.listen();
    let state = table.good(json!({"do": "load_pgn", "text": file(6)}));
    assert_eq!(state["file"]["games"], 6);
    let index = table.get("index").json();
    assert_eq!(index.as_array().unwrap().len(), 6);
    assert_eq!(parts(&index[1], "white result plies"), json!(["W1", "1-0", 7]));
    assert!(index[2]["error"].as_str().unwrap().contains("illegal move"), "{}", index[2]);
    table.good(json!({"do": "report", "on": true, "all": true}));
    let first = events.until("file", |_| true);
    assert_eq!(parts(&first, "index total"), json!([0, 6]));
    events.until("file", |data| data["over"] == true);
    table.wait(|state| state["file"]["running"] == false);
    let state = table.good(json!({"do": "show_game", "index": 4}));
    assert_eq!(parts(&state, "shown_game players/white/name file/rated"), json!([4, "W4", 4]));
    let index = table.get("index").json();
    let accuracy = |side| index[0][side].as_f64().unwrap();
    assert!(accuracy("accuracy_white") < accuracy("accuracy_black"), "{index}");
    table.bad(json!({"do": "show_game", "index": 2}), "illegal move");
    table.bad(json!({"do": "show_game", "index": 6}), "no game 6");
}

#[test]
fn pages_learn_at_once_that_the_games_of_a_file_are_being_analyzed() {
    let served = serve();
    let table = served.analyse(json!({}));
    let mut events = table.listen();
    events.until("state", |_| true);
    let all = |on: bool| json!({"do": "report", "on": on, "all": true});
    let loaded = table.good(json!({"do": "load_pgn", "text": file(60)}));
    assert_eq!(loaded["file"]["running"], false, "nobody has asked for it");
    for _ in 0..2 {
        let before = Some(table.state()["version"].as_u64().unwrap());
        table.good(all(true));
        // Before the first game is done.
        loop {
            let (name, data) = events.next();
            assert_ne!(name, "file", "{data}");
            if data["version"].as_u64() > before && data["file"]["running"] == true {
                break;
            }
        }
        table.good(all(false));
        events.until("file", |data| data["over"] == true);
        assert_eq!(table.state()["file"]["running"], false);
    }
}

#[test]
fn games_beyond_the_most_are_counted() {
    let served = serve();
    let table = served.analyse(json!({}));
    for (games, expected) in [(5_000, json!([5_000, 0])), (5_003, json!([5_000, 3]))] {
        let text = "[White \"W\"]\n\n1. e4 *\n\n".repeat(games);
        let state = table.good(json!({"do": "load_pgn", "text": text}));
        assert_eq!(parts(&state["file"], "games left_out"), expected);
        table.does("stop");
    }
}

/// Two puzzles whose first positions, node 0, have different solutions.
const PUZZLES: [&str; 2] = [
    "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# 1-0\n\n",
    "[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0\n\n",
];

#[test]
fn a_hint_is_about_the_game_that_is_on_the_board_now() {
    let served = serve();
    let table = served.analyse(json!({"pgn": PUZZLES.concat()}));
    let mut events = table.listen();
    for (command, piece) in [
        (json!({"do": "show_game", "index": 0}), "rook"),
        (json!({"do": "show_game", "index": 1}), "queen"),
        (json!({"do": "load_pgn", "text": PUZZLES[0]}), "rook"),
        (json!({"do": "set_fen", "fen": "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"}), "queen"),
    ] {
        let before = table.state()["serial"].as_u64();
        let serial = table.good(command)["serial"].clone();
        assert!(serial.as_u64() > before, "{piece}");
        table.good(json!({"do": "hint", "step": 1}));
        let hint = events.until("hint", |_| true);
        let text = format!("Think about a move of your {piece}.");
        assert_eq!(parts(&hint, "text serial"), json!([text, serial]));
        table.good(json!({"do": "hint", "step": 3}));
        events.until("hint", |hint| hint["step"] == 3);
    }
}

#[test]
fn a_changed_game_stays_when_it_is_chosen_again() {
    let served = serve();
    let table = served.analyse(json!({"pgn": file(2)}));
    table.does("last");
    table.good(json!({"do": "comment", "text": "a mate"}));
    for index in [0, 1, 0] {
        // Its first position is shown.
        assert_eq!(table.good(json!({"do": "show_game", "index": index}))["at"], 0);
    }
    assert!(table.pgn().contains("{ a mate }"), "the file has it too");
}

#[test]
fn a_file_of_games_of_a_variant_has_an_index_too() {
    let served = serve();
    let game = |white: &str, variant: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Variant \"{variant}\"]\n[Result \"0-1\"]\n\n{moves} 0-1\n\n")
    };
    let played = served.analyse(json!({"game": "minixiangqi"}));
    for _ in 0..3 {
        let mv = played.state()["legal"][0]["mv"].clone();
        played.good(json!({"do": "move", "mv": mv}));
    }
    let played = played.pgn();
    let line = played.trim().rsplit("\n\n").next().unwrap().trim_end_matches('*');
    let text = [
        game("One", "minixiangqi", "1. Zz9"),
        game("Two", "minixiangqi", line),
        game("Three", "chess", "1. e4"),
        game("Four", "Minixiangqi", ""),
    ];
    // The game is known by its tag. The first one that can be read is shown.
    let table = served.analyse(json!({"pgn": text.concat()}));
    let state = table.state();
    let shown = parts(&state, "game/name file/games shown_game at");
    assert_eq!((shown, nodes(&state)), (json!(["minixiangqi", 4, 1, 0]), 4));
    let index = table.get("index").json();
    let shown = parts(&index, "0/plies 1/plies 2/plies 3/plies 1/white 1/result");
    assert_eq!(shown, json!([0, 3, 0, 0, "Two", "0-1"]));
    assert!(index[2]["error"].as_str().unwrap().contains("a game of \"chess\""), "{}", index[2]);
    let state = table.good(json!({"do": "show_game", "index": 3}));
    assert_eq!(state["players"]["white"]["name"], "Four");
    table.bad(json!({"do": "show_game", "index": 0}), "Zz9");
}

#[test]
fn drawings_are_kept_with_their_move() {
    let served = serve();
    let table = served.analyse(json!({"pgn": "1. e4 *"}));
    let shapes = |list: &[&str]| json!({"do": "shapes", "shapes": list, "node": 1});
    table.good(shapes(&["Ge2e4", "Rd4"]));
    assert!(
        table.pgn().contains("[%cal Ge2e4]") && table.pgn().contains("[%csl Rd4]"),
        "{}",
        table.pgn()
    );
    for bad in ["Ge2e9", "e2e4", "Gd4]x", "", "gd4"] {
        table.bad(shapes(&[bad]), "such a drawing");
    }
    assert_eq!(table.good(shapes(&[]))["tree"][1]["shapes"], json!([]));
    assert!(!table.pgn().contains('%'), "{}", table.pgn());
}

/// A page that has the tree of moves is not sent it again.
#[test]
fn the_tree_is_sent_when_it_has_changed() {
    let served = serve();
    let table = served.analyse(json!({"pgn": "1. e4 e5 2. Nf3 *"}));
    let mut events = table.listen();
    let first = events.until("state", |state| state["tree"].is_array());
    let mut stamp = first["tree_stamp"].clone();
    for (command, is_sent) in [
        (json!({"do": "forward"}), false),
        (json!({"do": "last"}), false),
        (json!({"do": "comment", "text": "developed"}), true),
        (json!({"do": "back"}), false),
        (json!({"do": "undo"}), true),
    ] {
        let path = format!("api/do?session={}&tree={}", table.id, stamp.as_str().unwrap());
        let answer = served.post(&path, &command).json()["state"].clone();
        let event = events.until("state", |state| state["version"] == answer["version"]);
        for state in [&answer, &event] {
            assert_eq!(state["tree"].is_array(), is_sent, "{command}: {state}");
        }
        stamp = answer["tree_stamp"].clone();
    }
    // A page that says nothing gets all of it.
    assert_eq!((nodes(&table.state()), &stamp), (4, &first["tree_stamp"]));
}
