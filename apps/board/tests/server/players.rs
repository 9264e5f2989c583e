//! The engine as a player.

use crate::client::serve;
use serde_json::{Value, json};

#[test]
fn the_engine_answers_and_a_premove_is_played_after_it() {
    let served = serve();
    let open = json!({"kind": "play", "white": {"kind": "person", "name": "Ann"},
                      "black": {"kind": "engine", "level": 1}});
    let table = served.open(&open);
    assert!(served.state(&table)["players"]["black"]["name"].as_str().unwrap().contains("level 1"));
    served.moves(&table, "a3");
    served.good(&table, &json!({"do": "premove", "mv": "a3a4"}));
    let state = served.wait(&table, |state| state["tree"].as_array().unwrap().len() >= 4);
    assert_eq!(state["tree"][3]["mv"], "a3a4");
    let state = served.wait(&table, |state| state["position"]["turn"] == "white");
    assert_eq!(state["tree"].as_array().unwrap().len(), 5);
    let state = served.good(&table, &json!({"do": "take_back"}));
    assert_eq!(state["tree"].as_array().unwrap().len(), 3, "the answer and the move before it");
    let wrong = served.bad(&table, &json!({"do": "resign", "side": "black"}));
    assert!(wrong.contains("no person"), "{wrong}");
}

#[test]
fn two_engines_play_while_somebody_looks_and_stop_on_request() {
    let served = serve();
    let engine = |evaluator| json!({"kind": "engine", "level": 1, "evaluator": evaluator});
    let open = json!({"kind": "watch", "white": engine("network"), "black": engine("hand-crafted"),
                      "clock": {"base_s": 20}});
    let table = served.open(&open);
    let mut events = served.listen(&table);
    events.until("state", |state| state["tree"].as_array().unwrap().len() > 6);
    let plies = served.good(&table, &json!({"do": "stop"}))["tree"].as_array().unwrap().len();
    assert_eq!(served.state(&table)["paused"], true);
    assert_eq!(served.state(&table)["thinking"], Value::Null);
    assert!(served.bad(&table, &json!({"do": "move", "mv": "e4"})).contains("turn"));
    served.good(&table, &json!({"do": "go"}));
    events.until("state", |state| state["tree"].as_array().unwrap().len() > plies);
}

#[test]
fn hints_have_three_steps_and_threats_are_sent() {
    let served = serve();
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let open = json!({"kind": "play", "fen": fen, "white": {"kind": "person"},
                      "black": {"kind": "person"}});
    let table = served.open(&open);
    let mut events = served.listen(&table);
    for (step, text, squares) in [
        (1, "Think about a move of your rook.", json!([])),
        (2, "Move the rook on d1.", json!(["d1"])),
        (3, "Play Rd8#.", json!(["d1", "d8"])),
    ] {
        served.good(&table, &json!({"do": "hint", "step": step}));
        let hint = events.until("hint", |_| true);
        assert_eq!((&hint["text"], &hint["squares"]), (&json!(text), &squares));
    }
    assert_eq!(served.state(&table)["threat"], Value::Null);
    let fen = "r5k1/5ppp/8/8/8/7Q/5PPP/6K1 w - - 0 1";
    served.good(
        &table,
        &json!({"do": "new", "kind": "play", "fen": fen,
                               "black": {"kind": "person"}}),
    );
    let state = served.good(&table, &json!({"do": "threat", "on": true}));
    assert_eq!(state["threat"], "Black threatens mate: Ra1#.");
}

#[test]
fn two_tables_are_two_games_and_two_pages_share_one() {
    let served = serve();
    let people = json!({"kind": "play", "white": {"kind": "person"}, "black": {"kind": "person"}});
    let (first, second) = (served.open(&people), served.open(&people));
    assert_ne!(first, second);
    let (mut white, mut black) = (served.listen(&first), served.listen(&first));
    let mut other = served.listen(&second);
    served.good(&first, &json!({"do": "move", "mv": "e4", "as": "white"}));
    for page in [&mut white, &mut black] {
        page.until("state", |state| state["tree"].as_array().unwrap().len() == 2);
    }
    served.moves(&second, "d4");
    let state = other.until("state", |state| state["tree"].as_array().unwrap().len() == 2);
    assert_eq!(state["tree"][1]["mv"], "d2d4");
}

#[test]
fn a_rating_beyond_the_range_is_refused_with_the_range() {
    let served = serve();
    let open = |elo| {
        let engine = json!({"kind": "engine", "elo": elo});
        served.post(
            "api/open",
            &json!({"kind": "play", "white": {"kind": "person"}, "black": engine}),
        )
    };
    assert_eq!(open(500).status, 200);
    let wrong = open(499).error();
    assert!(wrong.contains("a level from 1 to 20, or a rating from 500 to 3190"), "{wrong}");
}
