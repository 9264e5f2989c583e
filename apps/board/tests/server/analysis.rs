//! Analysis: lines that grow, what was found before, reasons, what is known of each move.

use serde_json::json;

use crate::client::serve;

#[test]
fn lines_follow_the_board_and_what_was_found_is_kept() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    let mut events = served.listen(&session);
    assert!(
        served
            .bad(&session, &json!({"do": "analyse", "on": true, "lines": 11}))
            .contains("from 1 to 10")
    );
    served.good(&session, &json!({"do": "analyse", "on": true, "lines": 3}));
    let first = events.until("lines", |data| {
        data["depth"].as_u64() >= Some(5) && data["lines"].as_array().unwrap().len() == 3
    });
    assert_eq!(first["node"], 0);
    let best = &first["lines"][0];
    let wdl: u64 = best["wdl"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).sum();
    assert_eq!(wdl, 1000);
    assert!(best["san"].as_str().unwrap().starts_with("1. ") && best["score"]["cp"].is_i64());
    served.moves(&session, "e4");
    let next = events.until("lines", |data| data["node"] == 1);
    assert!(next["lines"][0]["san"].as_str().unwrap().starts_with("1... "), "{next}");
    events.until("lines", |data| data["node"] == 1 && data["depth"].as_u64() >= Some(3));
    // Stepping back shows at once what was found there.
    let state = served.good(&session, &json!({"do": "back"}));
    assert!(state["tree"][0]["score"]["cp"].is_i64(), "{state}");
    let again = events.until("lines", |data| data["node"] == 0);
    assert!(again["depth"].as_u64() >= first["depth"].as_u64(), "{again}");
    served.good(&session, &json!({"do": "analyse", "on": false}));
    assert_eq!(served.state(&session)["analysis"]["on"], false);
}

#[test]
fn more_lines_are_sent_although_the_search_before_was_deeper() {
    let served = serve();
    // A mate in one: a search of one line is at its greatest depth at once, of three never.
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let session = served.open(&json!({"kind": "analyse", "fen": fen}));
    let mut events = served.listen(&session);
    served.good(&session, &json!({"do": "analyse", "on": true, "lines": 1}));
    let deep = events.until("lines", |data| data["done"] == true);
    served.good(&session, &json!({"do": "analyse", "on": true, "lines": 3}));
    let wide = events.until("lines", |data| data["lines"].as_array().unwrap().len() == 3);
    assert!(wide["depth"].as_u64() < deep["depth"].as_u64(), "{wide}");
    assert_eq!(
        (&wide["done"], &wide["serial"]),
        (&json!(false), &served.state(&session)["serial"])
    );
    assert_eq!(served.state(&session)["tree"][0]["score"], json!({"mate": 1}));
}

#[test]
fn the_last_page_that_goes_stops_the_search_and_the_next_one_begins_it_again() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    let mut events = served.listen(&session);
    served.good(&session, &json!({"do": "analyse", "on": true}));
    events.until("lines", |_| true);
    assert_eq!(served.state(&session)["analysis"]["running"], true);
    drop(events);
    served.wait(&session, |state| state["analysis"]["running"] == false);
    let mut events = served.listen(&session);
    events.until("lines", |_| true);
    assert_eq!(served.state(&session)["analysis"]["running"], true);
}

#[test]
fn a_report_gives_every_move_its_score_and_mistakes_their_glyphs() {
    let served = serve();
    let pgn = "1. f3 e5 2. g4 $2 Qh4# 0-1";
    let session = served.open(&json!({"kind": "analyse", "pgn": pgn}));
    let state = served.good(&session, &json!({"do": "report", "on": true}));
    assert_eq!((&state["report"]["running"], &state["report"]["total"]), (&json!(true), &json!(5)));
    let state = served.wait(&session, |state| state["report"]["running"] == false);
    assert_eq!(state["report"]["done"], 5);
    let nodes = state["tree"].as_array().unwrap();
    assert!(nodes[..4].iter().all(|node| node["score"].is_object()), "{nodes:?}");
    assert_eq!(nodes[3]["score"], json!({"mate": -1}));
    assert_eq!(nodes[3]["nags"], json!([2]), "the glyph of the file stays");
    assert!(state["accuracy"]["white"].as_f64().unwrap() < 50.0);
    // Without that glyph the engine gives its own, and an undo takes it away.
    let plain = "1. f3 e5 2. g4 Qh4# 0-1";
    served.good(&session, &json!({"do": "load_pgn", "text": plain}));
    served.good(&session, &json!({"do": "report", "on": true}));
    let state = served.wait(&session, |state| state["report"]["running"] == false);
    assert_eq!(state["tree"][3]["nags"], json!([4]));
    let state = served.good(&session, &json!({"do": "undo"}));
    assert_eq!(state["tree"][3]["nags"], json!([]));
}

#[test]
fn threats_are_searched_after_a_pass() {
    let served = serve();
    // White to move; Black threatens Ra1#.
    let fen = "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1";
    let session = served.open(&json!({"kind": "analyse", "fen": fen}));
    let mut events = served.listen(&session);
    let on = json!({"do": "analyse", "on": true, "lines": 1, "threats": true});
    assert_eq!(served.good(&session, &on)["analysis"]["threats"], true);
    let event = events.until("threats", |data| data["depth"].as_u64() >= Some(4));
    let best = &event["lines"][0];
    assert_eq!((&best["mv"], &best["score"]), (&json!("a2a1"), &json!({"mate": -1})), "{event}");
    // In check nobody can pass.
    served.good(&session, &json!({"do": "set_fen", "fen": "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"}));
    let none = events.until("threats", |data| data["depth"] == 0);
    assert_eq!(none["lines"], json!([]));
    let state = served.good(&session, &json!({"do": "analyse", "on": true, "threats": false}));
    assert_eq!(state["analysis"]["threats"], false);
}

#[test]
fn the_only_good_move_is_named() {
    let served = serve();
    // A queen hangs, and nothing else is worth a look; then many moves are alike.
    for (fen, is_only) in [
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
    ] {
        let session = served.open(&json!({"kind": "analyse", "fen": fen}));
        let mut events = served.listen(&session);
        served.good(&session, &json!({"do": "analyse", "on": true, "lines": 2}));
        let lines = events.until("lines", |data| data["depth"].as_u64() >= Some(6));
        assert_eq!(lines["only"], is_only, "{lines}");
    }
}

/// The evaluation bar of a game gives nothing away but the score, and its search ends.
#[test]
fn a_game_has_scores_without_moves() {
    let served = serve();
    let person = json!({"kind": "person"});
    let session = served.open(&json!({"kind": "play", "white": person, "black": person}));
    let mut events = served.listen(&session);
    served.good(&session, &json!({"do": "analyse", "on": true, "lines": 3, "threats": true}));
    let lines = events.until("lines", |data| data["depth"].as_u64() >= Some(5));
    let line = lines["lines"][0].as_object().unwrap();
    assert_eq!(line.keys().collect::<Vec<_>>(), ["score"], "{lines}");
    assert_eq!(lines["lines"].as_array().unwrap().len(), 1);
    served.wait(&session, |state| state["analysis"]["running"] == false);
    served.moves(&session, "e4");
    events.until("lines", |data| data["node"] == 1);
}

#[test]
fn moves_are_explained_with_proofs_and_terms() {
    let served = serve();
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let session = served.open(&json!({"kind": "analyse", "fen": fen}));
    let mut events = served.listen(&session);
    served.moves(&session, "Rd8#");
    served.good(&session, &json!({"do": "explain"}));
    let said = events.until("explanation", |_| true);
    assert_eq!(said["text"][0], "1. Rd8# is checkmate.");
    assert!(said["proofs"][0].is_object(), "{said}");
    served.good(&session, &json!({"do": "explain", "node": 0}));
    let said = events.until("explanation", |data| data["node"] == 0);
    assert!(said["terms"]["families"].is_array(), "{}", said["terms"]);
    assert!(served.bad(&session, &json!({"do": "explain", "node": 99})).contains("no move 99"));
}

#[test]
fn a_hint_and_an_explanation_are_both_answered() {
    let served = serve();
    let hint = json!({"do": "hint", "step": 1});
    let explain = json!({"do": "explain", "node": 1});
    for commands in [[&explain, &hint], [&hint, &explain]] {
        let session = served.open(&json!({"kind": "analyse"}));
        let mut events = served.listen(&session);
        served.moves(&session, "e4");
        for command in commands {
            served.good(&session, command);
        }
        let mut heard = [false; 2];
        while heard != [true; 2] {
            let (name, _) = events.try_next().expect("the stream goes on");
            heard[0] |= name == "hint";
            heard[1] |= name == "explanation";
        }
    }
}

#[test]
fn each_move_has_its_share_of_the_book_and_its_opening() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    let moves = served.get(&format!("api/moves?session={session}")).json();
    let moves = moves["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 20);
    let shares: f64 = moves.iter().filter_map(|one| one["book"].as_f64()).sum();
    assert!((shares - 1.0).abs() < 1e-6, "{shares}");
    assert!(moves.iter().any(|one| one["mv"] == "g1f3" && one["opening"].is_string()));
}
