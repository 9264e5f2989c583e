//! Games by other rules.

use std::ops::Range;

use crate::{Served, Table, parts, serve, serve_in};
use serde_json::{Value, json};
use tamarin_variant_search::evaluate::learned::Learned;

/// Kings and rooks on 4 by 4 squares; White can take a rook, and so can Black.
const ROOKS: &str = "@royal k\n\nk W1F1\nr W\n\nboard:\n. . k r\n. . . .\n. . . .\nK . . R\n";

#[test]
fn xiangqi_and_a_board_of_twelve_by_twelve_are_played() {
    let served = serve();
    let table = served.people(json!({"game": "xiangqi"}));
    let state = table.state();
    assert_eq!(parts(&state["game"], "files ranks"), json!([9, 10]));
    let mut legal = state["legal"].as_array().unwrap().iter();
    let mv = legal.find(|one| one["from"] == "h3" && one["to"] == "e3").unwrap();
    let state = table.good(json!({"do": "move", "mv": mv["mv"]}));
    assert_eq!(state["position"]["last"], json!(["h3", "e3"]));
    table.bad(json!({"do": "move", "mv": "a1a9"}), "no legal move");
    let text = table.pgn();
    assert!(text.contains("[Variant \"xiangqi\"]"), "{text}");
    let again = served.analyse(json!({"game": "xiangqi", "pgn": text})).state();
    assert_eq!(again["tree"][1]["san"], state["tree"][1]["san"]);
    let table = served.people(json!({"game": "locusts12"}));
    let state = table.state();
    assert_eq!(parts(&state["game"], "files ranks"), json!([12, 12]));
    table.good(json!({"do": "move", "mv": state["legal"][0]["mv"]}));
    // The result may stand behind the moves alone.
    let game = "[Variant \"crazyhouse\"]\n\n1. e4 e5 1-0\n";
    let table = served.analyse(json!({"pgn": game}));
    assert_eq!(table.state()["result"]["score"], "1-0");
    assert!(table.pgn().ends_with("1. e4 e5 1-0\n\n"), "{}", table.pgn());
    let table = served.analyse(json!({"pgn": format!("{game}\n{game}")}));
    assert_eq!(parts(&table.get("index").json(), "0/result 1/result"), json!(["1-0", "1-0"]));
}

#[test]
fn the_engine_plays_and_analyzes_variants() {
    let served = serve();
    let engine = json!({"kind": "engine", "level": 2});
    let table = served.people(json!({"game": "minixiangqi", "black": engine}));
    let mv = table.state()["legal"][0]["mv"].clone();
    table.good(json!({"do": "move", "mv": mv}));
    table.wait(|state| state["position"]["turn"] == "white");
    // Several lines differ and come best first.
    let table = served.analyse(json!({"rules": ROOKS}));
    let mut events = table.listen();
    table.good(json!({"do": "analyse", "on": true, "lines": 3, "threats": true}));
    let event = events.until("lines", |data| data["depth"].as_u64() >= Some(3));
    let lines = event["lines"].as_array().unwrap();
    let mut moves: Vec<&str> = lines.iter().map(|line| line["mv"].as_str().unwrap()).collect();
    let scores: Vec<i64> = lines.iter().map(|line| line["score"]["cp"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    moves.sort_unstable();
    moves.dedup();
    assert_eq!((moves.len(), lines.len()), (3, 3), "{event}");
    // Black, if White passes, takes the rook.
    let event = events.until("threats", |data| data["depth"].as_u64() >= Some(3));
    assert_eq!(event["lines"][0]["mv"], "d4d1", "{event}");
}

/// A king and a bishop against a king: nobody wins.
const BISHOP: &str = "@royal k\n\nk W1F1\nb F\n\nboard:\n. . k .\n. . . .\n. . . .\nK . B .\n";

/// What was learned for rules with a bishop: that it has this value.
fn learned(rules: &str, value: u32) -> Value {
    let game = tamarin_variant::load(rules, None).unwrap().game;
    let text = Learned::seed(&game).text();
    let line = text.lines().find(|line| line.starts_with("b value ")).unwrap();
    let evaluation = text.replace(line, &format!("b value {value}/{value}"));
    json!({"rules": BISHOP, "evaluation": evaluation})
}

/// The engine values the bishop as it was learned.
fn assert_learned(table: &Table<'_>, expected: Range<i64>) {
    table.moves("a1a2");
    let state = table.report();
    let score = state["scores"]["0"]["cp"].as_i64().unwrap();
    assert!(expected.contains(&score), "{state}");
}

#[test]
fn what_was_learned_evaluates_also_in_the_next_game() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let table = served.analyse(learned(BISHOP, 2345));
    // Deeper searches see more moves without progress, and a win fades.
    assert_learned(&table, 1500..2445);
    // The page begins another game by the same rules, and does not know of the evaluator.
    table.good(json!({"do": "new", "kind": "analyse", "rules": BISHOP}));
    assert_learned(&table, 1500..2445);
    let next = |served: &Served, expected| {
        assert_learned(&served.analyse(json!({"rules": BISHOP})), expected);
    };
    next(&served, 1500..2445);
    // So it is at another server that has resumed the game.
    served.sessions.leave_all();
    let other = serve_in(folder.path());
    other.table(&table.id).state();
    next(&other, 1500..2445);
    // A resumed game does not bring back what was learned before.
    let third = serve_in(folder.path());
    other.sessions.leave_all();
    third.analyse(learned(BISHOP, 345));
    assert_eq!(third.table(&table.id).state()["tip"], 1);
    next(&third, 100..445);
    // That of other rules is refused with the reason.
    let mut open = learned(&BISHOP.replace("b F", "b F W1"), 2345);
    open["kind"] = json!("analyse");
    let answer = third.post("api/open", &open);
    assert!(answer.body.contains("line 5: it was learned for other rules"), "{}", answer.body);
}

/// White leaves its rook to Black's: that is a blunder, and taking it the only good move.
#[test]
fn a_game_of_a_variant_has_a_report() {
    let served = serve();
    let table = served.analyse(json!({"rules": ROOKS}));
    table.moves("a1a2 d4d1");
    let state = table.report();
    assert_eq!(state["report"]["total"], 3);
    let nags = parts(&state["tree"], "0/nags 1/nags 2/nags");
    assert_eq!(nags, json!([[], [4], [8]]), "{state}");
    assert!(state["accuracy"]["white"].as_f64().unwrap() < 50.0, "{}", state["accuracy"]);
    assert!(state["accuracy"]["black"].as_f64().unwrap() > 90.0, "{}", state["accuracy"]);
    let scores = parts(&state["scores"], "0 1 2");
    assert!(scores.as_array().unwrap().iter().all(Value::is_object), "{state}");
}

#[test]
fn captured_pieces_come_into_the_hand_and_are_dropped() {
    let served = serve();
    let table = served.people(json!({"game": "crazyhouse"}));
    let hands = |state: &Value| parts(state, "position/hands/white position/hands/black");
    let state = table.moves("e4 d5");
    assert_eq!(state["game"]["held"], json!(["q", "r", "b", "n", "p"]));
    assert_eq!(hands(&state), json!([{}, {}]));
    let state = table.moves("exd5 Qxd5");
    assert_eq!(hands(&state), json!([{"p": 1}, {"p": 1}]));
    let legal = state["legal"].as_array().unwrap();
    let drops: Vec<&Value> = legal.iter().filter(|mv| mv["drop"] == "p").collect();
    let drop = drops.iter().find(|mv| mv["to"] == "e4").unwrap();
    assert_eq!(parts(drop, "mv promotion"), json!(["P@e4", null]));
    assert!(drops.iter().all(|mv| mv["mv"].as_str().unwrap().starts_with("P@")));
    for mv in ["P@e8", "N@e4"] {
        table.bad(json!({"do": "move", "mv": mv}), "no legal move");
    }
    let state = table.moves("P@e4");
    assert_eq!(hands(&state), json!([{}, {"p": 1}]));
    assert_eq!(state["position"]["last"], json!(["e4", "e4"]));
    assert!(state["position"]["fen"].as_str().unwrap().contains("[p]"), "{state}");
    // The game comes back from its text, with hands; and from a position.
    let again = served.analyse(json!({"pgn": table.pgn()}));
    assert_eq!(again.does("last")["position"], state["position"]);
    let fen = "4k3/8/8/8/8/8/8/4K3[QPPn] w - - 0 1";
    let state = again.good(json!({"do": "set_fen", "fen": fen}));
    assert_eq!(hands(&state), json!([{"q": 1, "p": 2}, {"n": 1}]));
    assert_eq!(state["position"]["fen"], fen);
    assert_eq!(hands(&table.does("take_back")), json!([{"p": 1}, {"p": 1}]));
    // What a promotion has made is a pawn again in hand, and is marked.
    let state = again.good(json!({"do": "set_fen", "fen": "1k6/8/8/8/8/8/8/K5QQ~ w - - 0 1"}));
    let squares = state["position"]["squares"].as_array().unwrap();
    let promoted: Vec<&Value> = squares.iter().filter(|one| one["promoted"] == true).collect();
    assert_eq!((promoted.len(), &promoted[0]["at"]), (1, &json!("h1")), "{state}");
    let fen = "1k6/8/8/8/8/8/8/K5QQ w - - 3+1 0 1";
    let checks = served.analyse(json!({"game": "3check", "fen": fen})).state();
    assert_eq!(checks["position"]["checks"], json!({"white": 3, "black": 1}));
    // The engine drops too: here it mates so.
    let fen = "6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1";
    let table = served.analyse(json!({"game": "crazyhouse", "fen": fen}));
    let mut events = table.listen();
    for (step, said) in [(1, "Think about your hand."), (2, "Drop the r."), (3, "Play R@")] {
        table.good(json!({"do": "hint", "step": step}));
        let hint = events.until("hint", |hint| hint["step"] == step);
        assert!(hint["text"].as_str().unwrap().starts_with(said), "{hint}");
    }
}

#[test]
fn moves_that_differ_by_effects_alone_promote_to_nothing() {
    let rules = "@royal none\na {-square (1 0)} {-square (1 0) -effects b -> (0 0)}\n\
                 p fW1 promotion t[ROW > 1] -> a|b\nb W\n@fen 3/1P1/A2 w\n";
    let served = serve();
    let state = served.people(json!({"rules": rules})).state();
    let legal = state["legal"].as_array().unwrap().iter();
    let mut moves: Vec<_> = legal.map(|one| parts(one, "mv promotion")).collect();
    moves.sort_by_key(Value::to_string);
    let wanted = json!([["a1a2/1", null], ["a1a2/2", null], ["b2b3a", "a"], ["b2b3b", "b"]]);
    assert_eq!(json!(moves), wanted);
}

#[test]
fn rules_are_checked_in_place_and_played_at_once() {
    let served = serve();
    let games = served.get("api/games").json();
    let games = games.as_array().unwrap();
    for game in games {
        let name = game["name"].as_str().unwrap();
        assert_eq!(game["title"], tamarin_variant::builtin(name).unwrap().title());
    }
    let source = games.iter().find(|one| one["name"] == "minixiangqi").unwrap()["source"].clone();
    let table = served.people(json!({"rules": source}));
    assert_eq!(table.state()["game"]["files"], 7);
    let check = |text: &str| table.perform(&json!({"do": "rules", "text": text})).json();
    let source = source.as_str().unwrap();
    assert_eq!(check(source)["good"], true);
    let wrong = format!("{source}\n@nonsense 1\n");
    let (checked, line) = (check(&wrong), wrong.lines().count());
    let remark = parts(&checked, "good diagnostics/0/line diagnostics/0/error");
    assert_eq!(remark, json!([false, line, true]), "{checked}");
    // A remark about the whole file has no place.
    let checked = check("k W1\n");
    let remark = &checked["diagnostics"][0];
    assert!(remark["line"].is_null() && remark["help"].is_string(), "{checked}");
    let open = |rules: &str| served.post("api/open", &json!({"kind": "play", "rules": rules}));
    let answer = open("@title \"Tiny\"\n");
    assert_eq!(answer.status, 422);
    assert!(answer.json()["diagnostics"][0]["text"].is_string(), "{}", answer.body);
    let refused = open("@extends fidr\n").json();
    let remark = parts(&refused["diagnostics"][0], "line error help");
    assert_eq!(remark, json!([1, true, "did you mean 'fide'?"]), "{refused}");
}
