//! Games by other rules.

use std::ops::Range;

use crate::client::{Served, serve, serve_in};
use serde_json::{Value, json};
use tamarin_variant_search::evaluate::learned::Learned;

const RULES: &str = "@title \"Tiny\"\n";

/// Kings and rooks on 4 by 4 squares; White can take a rook, and so can Black.
const ROOKS: &str = "@royal k\n\nk W1F1\nr W\n\nboard:\n. . k r\n. . . .\n. . . .\nK . . R\n";

#[test]
fn xiangqi_and_a_board_of_twelve_by_twelve_are_played() {
    let served = serve();
    let people = |game: &str| {
        let person = json!({"kind": "person"});
        json!({"kind": "play", "game": game, "white": person, "black": person})
    };
    let session = served.open(&people("xiangqi"));
    let state = served.state(&session);
    assert_eq!((&state["game"]["files"], &state["game"]["ranks"]), (&json!(9), &json!(10)));
    let legal = state["legal"].as_array().unwrap();
    let mv = legal.iter().find(|one| one["from"] == "h3" && one["to"] == "e3").unwrap();
    let state = served.good(&session, &json!({"do": "move", "mv": mv["mv"]}));
    assert_eq!(state["position"]["last"], json!(["h3", "e3"]));
    assert!(served.bad(&session, &json!({"do": "move", "mv": "a1a9"})).contains("no legal move"));
    let text = served.pgn(&session);
    assert!(text.contains("[Variant \"xiangqi\"]"), "{text}");
    let again = served.open(&json!({"kind": "analyse", "game": "xiangqi", "pgn": text}));
    assert_eq!(served.state(&again)["tree"][1]["san"], state["tree"][1]["san"]);
    let session = served.open(&people("locusts12"));
    let state = served.state(&session);
    assert_eq!((&state["game"]["files"], &state["game"]["ranks"]), (&json!(12), &json!(12)));
    let mv = state["legal"][0]["mv"].clone();
    served.good(&session, &json!({"do": "move", "mv": mv}));
}

#[test]
fn a_game_of_a_variant_may_have_its_result_behind_the_moves_alone() {
    let served = serve();
    let game = "[Variant \"crazyhouse\"]\n\n1. e4 e5 1-0\n";
    let session = served.open(&json!({"kind": "analyse", "pgn": game}));
    assert_eq!(served.state(&session)["result"]["score"], "1-0");
    let text = served.pgn(&session);
    assert!(text.ends_with("1. e4 e5 1-0\n\n"), "{text}");
    let session = served.open(&json!({"kind": "analyse", "pgn": format!("{game}\n{game}")}));
    let index = served.get(&format!("api/index?session={session}")).json();
    assert_eq!((&index[0]["result"], &index[1]["result"]), (&json!("1-0"), &json!("1-0")));
}

#[test]
fn the_engine_plays_and_analyzes_variants() {
    let served = serve();
    let open = json!({"kind": "play", "game": "minixiangqi", "white": {"kind": "person"},
                      "black": {"kind": "engine", "level": 2}});
    let session = served.open(&open);
    let mv = served.state(&session)["legal"][0]["mv"].clone();
    served.good(&session, &json!({"do": "move", "mv": mv}));
    served.wait(&session, |state| state["position"]["turn"] == "white");
    let session = served.open(&json!({"kind": "analyse", "game": "knightmate"}));
    let mut events = served.listen(&session);
    served.good(&session, &json!({"do": "analyse", "on": true}));
    let lines = events.until("lines", |data| data["depth"].as_u64() >= Some(3));
    assert!(lines["lines"][0]["mv"].is_string());
    served.good(&session, &json!({"do": "hint", "step": 3}));
    assert!(events.until("hint", |_| true)["text"].as_str().unwrap().starts_with("Play "));
}

#[test]
fn several_lines_of_a_variant_differ_and_come_best_first() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse", "rules": ROOKS}));
    let mut events = served.listen(&session);
    served.good(&session, &json!({"do": "analyse", "on": true, "lines": 3, "threats": true}));
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
fn learned(rules: &str, value: u32) -> String {
    let game = tamarin_variant::load(rules, None).unwrap().game;
    let text = Learned::seed(&game).text();
    let line = text.lines().find(|line| line.starts_with("b value ")).unwrap();
    text.replace(line, &format!("b value {value}/{value}"))
}

/// The engine values the bishop as it was learned.
fn assert_learned(served: &Served, session: &str, expected: Range<i64>) {
    served.moves(session, "a1a2");
    served.good(session, &json!({"do": "report", "on": true}));
    let state = served.wait(session, |state| state["report"]["running"] == false);
    let score = state["tree"][0]["score"]["cp"].as_i64().unwrap();
    assert!(expected.contains(&score), "{state}");
}

#[test]
fn what_was_learned_evaluates_also_in_the_next_game() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_in(folder.path());
    let mut open = json!({"kind": "analyse", "rules": BISHOP, "evaluation": learned(BISHOP, 2345)});
    let session = served.open(&open);
    let mut events = served.listen(&session);
    served.good(&session, &json!({"do": "analyse", "on": true}));
    // Around the bishop's value; deeper searches see more moves without progress, and a win fades.
    let event = events.until("lines", |data| data["depth"].as_u64() >= Some(3));
    let score = event["lines"][0]["score"]["cp"].as_i64().unwrap();
    assert!((1500..2445).contains(&score), "{event}");
    // The page begins another game by the same rules, and does not know of the evaluator.
    let next = json!({"kind": "analyse", "rules": BISHOP});
    served.good(&session, &json!({"do": "new", "kind": "analyse", "rules": BISHOP}));
    assert_learned(&served, &session, 1500..2445);
    assert_learned(&served, &served.open(&next), 1500..2445);
    // So it is at another server that has resumed the game.
    served.sessions.leave_all();
    let other = serve_in(folder.path());
    other.state(&session);
    assert_learned(&other, &other.open(&next), 1500..2445);
    // That of other rules is refused with the reason.
    open["evaluation"] = json!(learned(&BISHOP.replace("b F", "b F W1"), 2345));
    let answer = served.post("api/open", &open);
    assert!(answer.body.contains("line 5: it was learned for other rules"), "{}", answer.body);
}

#[test]
fn a_resumed_game_does_not_bring_back_what_was_learned_before() {
    let folder = tempfile::tempdir().unwrap();
    let serve = || serve_in(folder.path());
    let open = |value| {
        let evaluation = learned(BISHOP, value);
        json!({"kind": "analyse", "rules": BISHOP, "evaluation": evaluation})
    };
    let first = serve();
    let session = first.open(&open(2345));
    first.moves(&session, "a1a2");
    first.sessions.leave_all();
    let second = serve();
    second.open(&open(345));
    assert_eq!(second.state(&session)["tip"], 1);
    let next = second.open(&json!({"kind": "analyse", "rules": BISHOP}));
    assert_learned(&second, &next, 100..445);
}

/// White leaves its rook to Black's: that is a blunder, and taking it the only good move.
#[test]
fn a_game_of_a_variant_has_a_report() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse", "rules": ROOKS}));
    served.moves(&session, "a1a2 d4d1");
    let state = served.good(&session, &json!({"do": "report", "on": true}));
    assert_eq!(state["report"]["total"], 3);
    let state = served.wait(&session, |state| state["report"]["running"] == false);
    let nags: Vec<&Value> =
        state["tree"].as_array().unwrap().iter().map(|node| &node["nags"]).collect();
    assert_eq!(nags, [&json!([]), &json!([4]), &json!([8])], "{state}");
    assert!(state["accuracy"]["white"].as_f64().unwrap() < 50.0, "{}", state["accuracy"]);
    assert!(state["accuracy"]["black"].as_f64().unwrap() > 90.0, "{}", state["accuracy"]);
    assert_eq!(
        state["tree"].as_array().unwrap().iter().filter(|node| node["score"].is_object()).count(),
        3
    );
}

#[test]
fn captured_pieces_come_into_the_hand_and_are_dropped() {
    let served = serve();
    let person = json!({"kind": "person"});
    let open = json!({"kind": "play", "game": "crazyhouse", "white": person, "black": person});
    let session = served.open(&open);
    let state = served.moves(&session, "e4 d5");
    assert_eq!(state["game"]["held"], json!(["q", "r", "b", "n", "p"]));
    assert_eq!(state["position"]["hands"], json!({"white": {}, "black": {}}));
    let state = served.moves(&session, "exd5 Qxd5");
    assert_eq!(state["position"]["hands"], json!({"white": {"p": 1}, "black": {"p": 1}}));
    let legal = state["legal"].as_array().unwrap();
    let drops: Vec<&Value> = legal.iter().filter(|mv| mv["drop"] == "p").collect();
    let drop = drops.iter().find(|mv| mv["to"] == "e4").unwrap();
    assert_eq!((&drop["mv"], &drop["promotion"]), (&json!("P@e4"), &Value::Null));
    assert!(drops.iter().all(|mv| mv["mv"].as_str().unwrap().starts_with("P@")));
    assert!(served.bad(&session, &json!({"do": "move", "mv": "P@e8"})).contains("no legal move"));
    assert!(served.bad(&session, &json!({"do": "move", "mv": "N@e4"})).contains("no legal move"));
    let state = served.moves(&session, "P@e4");
    assert_eq!(state["position"]["hands"], json!({"white": {}, "black": {"p": 1}}));
    assert_eq!(state["position"]["last"], json!(["e4", "e4"]));
    assert!(state["position"]["fen"].as_str().unwrap().contains("[p]"), "{state}");
    // The game comes back from its text, with hands; and from a position.
    let again = served.open(&json!({"kind": "analyse", "pgn": served.pgn(&session)}));
    let read = served.good(&again, &json!({"do": "last"}));
    assert_eq!(read["position"], state["position"]);
    let fen = "4k3/8/8/8/8/8/8/4K3[QPPn] w - - 0 1";
    let state = served.good(&again, &json!({"do": "set_fen", "fen": fen}));
    assert_eq!(state["position"]["hands"], json!({"white": {"q": 1, "p": 2}, "black": {"n": 1}}));
    assert_eq!(state["position"]["fen"], fen);
    let state = served.good(&session, &json!({"do": "take_back"}));
    assert_eq!(state["position"]["hands"], json!({"white": {"p": 1}, "black": {"p": 1}}));
    // What a promotion has made is a pawn again in hand, and is marked.
    let fen = "1k6/8/8/8/8/8/8/K5QQ~ w - - 0 1";
    let state = served.good(&again, &json!({"do": "set_fen", "fen": fen}));
    let squares = state["position"]["squares"].as_array().unwrap();
    let promoted: Vec<&Value> = squares.iter().filter(|one| one["promoted"] == true).collect();
    assert_eq!((promoted.len(), &promoted[0]["at"]), (1, &json!("h1")), "{state}");
    // The engine drops too: here it mates so.
    let fen = "6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1";
    let session = served.open(&json!({"kind": "analyse", "game": "crazyhouse", "fen": fen}));
    let mut events = served.listen(&session);
    for (step, said) in [(1, "Think about your hand."), (2, "Drop the r."), (3, "Play R@")] {
        served.good(&session, &json!({"do": "hint", "step": step}));
        let hint = events.until("hint", |hint| hint["step"] == step);
        assert!(hint["text"].as_str().unwrap().starts_with(said), "{hint}");
    }
}

#[test]
fn moves_that_differ_by_effects_alone_promote_to_nothing() {
    let rules = "@royal none\na {-square (1 0)} {-square (1 0) -effects b -> (0 0)}\n\
                 p fW1 promotion t[ROW > 1] -> a|b\nb W\n@fen 3/1P1/A2 w\n";
    let served = serve();
    let person = json!({"kind": "person"});
    let open = json!({"kind": "play", "rules": rules, "white": person, "black": person});
    let state = served.state(&served.open(&open));
    let legal = state["legal"].as_array().unwrap().iter();
    let mut moves: Vec<_> = legal.map(|one| (&one["mv"], &one["promotion"])).collect();
    moves.sort_by_key(|(mv, _)| mv.to_string());
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
    let session = served
        .open(&json!({"kind": "play", "rules": source, "white": {"kind": "person"},
                                    "black": {"kind": "person"}}));
    assert_eq!(served.state(&session)["game"]["files"], 7);
    let checked = served.perform(&session, &json!({"do": "rules", "text": source})).json();
    assert_eq!(checked["good"], true, "{checked}");
    let wrong = format!("{}\n@nonsense 1\n", source.as_str().unwrap());
    let lines = wrong.lines().count();
    let checked = served.perform(&session, &json!({"do": "rules", "text": wrong})).json();
    assert_eq!(checked["good"], false);
    let remark = &checked["diagnostics"][0];
    assert_eq!(
        (remark["line"].as_u64(), &remark["error"]),
        (Some(lines as u64), &json!(true)),
        "{checked}"
    );
    // A remark about the whole file has no place.
    let checked = served.perform(&session, &json!({"do": "rules", "text": "k W1\n"})).json();
    let remark = &checked["diagnostics"][0];
    assert!(remark["line"].is_null() && remark["help"].is_string(), "{checked}");
    let answer = served.post("api/open", &json!({"kind": "play", "rules": RULES}));
    assert_eq!(answer.status, 422);
    assert!(answer.json()["diagnostics"][0]["text"].is_string(), "{}", answer.body);
    let misspelt = json!({"kind": "play", "rules": "@extends fidr\n"});
    let refused = served.post("api/open", &misspelt).json();
    let remark = &refused["diagnostics"][0];
    assert_eq!((&remark["line"], &remark["error"]), (&json!(1), &json!(true)), "{refused}");
    assert_eq!(remark["help"], "did you mean 'fide'?");
}
