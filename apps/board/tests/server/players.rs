//! The engine as a player.

use crate::client::serve;
use serde_json::{Value, json};

#[test]
fn the_engine_answers_and_a_premove_is_played_after_it() {
    let served = serve();
    let open = json!({"kind": "play", "white": {"kind": "person", "name": "Ann"},
                      "black": {"kind": "engine", "level": 1}});
    let session = served.open(&open);
    assert!(
        served.state(&session)["players"]["black"]["name"].as_str().unwrap().contains("level 1")
    );
    served.moves(&session, "a3");
    served.good(&session, &json!({"do": "premove", "mv": "a3a4"}));
    let state = served.wait(&session, |state| state["tree"].as_array().unwrap().len() >= 4);
    assert_eq!(state["tree"][3]["mv"], "a3a4");
    let state = served.wait(&session, |state| state["position"]["turn"] == "white");
    assert_eq!(state["tree"].as_array().unwrap().len(), 5);
    let state = served.good(&session, &json!({"do": "take_back"}));
    assert_eq!(state["tree"].as_array().unwrap().len(), 3, "the answer and the move before it");
    let wrong = served.bad(&session, &json!({"do": "resign", "side": "black"}));
    assert!(wrong.contains("no person"), "{wrong}");
}

#[test]
fn two_engines_play_while_somebody_looks_and_stop_on_request() {
    let served = serve();
    let engine = |evaluator| json!({"kind": "engine", "level": 1, "evaluator": evaluator});
    let open = json!({"kind": "watch", "white": engine("network"), "black": engine("hand-crafted"),
                      "clock": {"base_s": 20}});
    let session = served.open(&open);
    let mut events = served.listen(&session);
    events.until("state", |state| state["tree"].as_array().unwrap().len() > 6);
    let plies = served.good(&session, &json!({"do": "stop"}))["tree"].as_array().unwrap().len();
    assert_eq!(served.state(&session)["paused"], true);
    assert_eq!(served.state(&session)["thinking"], Value::Null);
    assert!(served.bad(&session, &json!({"do": "move", "mv": "e4"})).contains("turn"));
    served.good(&session, &json!({"do": "go"}));
    events.until("state", |state| state["tree"].as_array().unwrap().len() > plies);
}

#[test]
fn the_move_of_the_engine_has_no_hint() {
    let served = serve();
    let open = json!({"kind": "play", "white": {"kind": "engine", "level": 1},
                      "black": {"kind": "person"}});
    let session = served.open(&open);
    let state = served.wait(&session, |state| state["position"]["turn"] == "black");
    assert_eq!(state["can"]["hint"], true);
    let state = served.good(&session, &json!({"do": "back"}));
    assert_eq!(
        (&state["position"]["turn"], &state["can"]["hint"]),
        (&json!("white"), &json!(false))
    );
    let refused = served.bad(&session, &json!({"do": "hint", "step": 1}));
    assert!(refused.contains("white's turn"), "{refused}");
}

#[test]
fn hints_have_three_steps_and_threats_are_sent() {
    let served = serve();
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let open = json!({"kind": "play", "fen": fen, "white": {"kind": "person"},
                      "black": {"kind": "person"}});
    let session = served.open(&open);
    let mut events = served.listen(&session);
    for (step, text, squares) in [
        (1, "Think about a move of your rook.", json!([])),
        (2, "Move the rook on d1.", json!(["d1"])),
        (3, "Play Rd8#.", json!(["d1", "d8"])),
    ] {
        served.good(&session, &json!({"do": "hint", "step": step}));
        let hint = events.until("hint", |_| true);
        assert_eq!((&hint["text"], &hint["squares"]), (&json!(text), &squares));
    }
    assert_eq!(served.state(&session)["threat"], Value::Null);
    let fen = "r5k1/5ppp/8/8/8/7Q/5PPP/6K1 w - - 0 1";
    served.good(
        &session,
        &json!({"do": "new", "kind": "play", "fen": fen,
                               "black": {"kind": "person"}}),
    );
    let state = served.good(&session, &json!({"do": "threat", "on": true}));
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
fn who_walks_through_the_game_keeps_no_opponent_from_moving() {
    let served = serve();
    let people = json!({"kind": "play", "white": {"kind": "person"}, "black": {"kind": "person"}});
    let session = served.open(&people);
    let mut pages = [(); 2].map(|()| served.listen(&session));
    for page in &mut pages {
        page.until("state", |_| true);
    }
    served.good(&session, &json!({"do": "move", "mv": "e4", "as": "white"}));
    for walk in [json!({"do": "back"}), json!({"do": "first"}), json!({"do": "goto", "node": 0})] {
        let wrong = served.bad(&session, &walk);
        assert!(wrong.contains("it shows the last move until the game is over"), "{wrong}");
    }
    served.good(&session, &json!({"do": "last"}));
    served.good(&session, &json!({"do": "move", "mv": "e5", "as": "black"}));
    served.good(&session, &json!({"do": "resign", "side": "white"}));
    assert_eq!(served.good(&session, &json!({"do": "back"}))["at"], 1);
}

#[test]
fn an_earlier_move_on_the_board_makes_way_for_the_last_one_when_the_opponent_comes() {
    let served = serve();
    let people = json!({"kind": "play", "white": {"kind": "person"}, "black": {"kind": "person"}});
    let session = served.open(&people);
    let mut first = served.listen(&session);
    first.until("state", |_| true);
    served.moves(&session, "e4 e5");
    served.good(&session, &json!({"do": "back"}));
    first.until("state", |state| state["tip"] == 2 && state["at"] == 1);
    let mut second = served.listen(&session);
    assert_eq!(second.until("state", |_| true)["at"], 2);
    assert_eq!(first.until("state", |_| true)["at"], 2);
    served.good(&session, &json!({"do": "move", "mv": "Nf3", "as": "white"}));
}

#[test]
fn the_state_has_the_requests_of_its_players_and_clock_for_a_rematch() {
    let served = serve();
    let engine = json!({"kind": "engine", "elo": 1500, "evaluator": "hand-crafted"});
    let person = json!({"kind": "person", "name": "Ann"});
    let clock = json!({"move_s": 5});
    let open = json!({"kind": "play", "white": person, "black": engine, "clock": clock});
    let before = served.state(&served.open(&open));
    let request = &before["request"];
    let open = json!({"kind": "play", "white": request["black"], "black": request["white"],
                      "clock": request["clock"]});
    let after = served.state(&served.open(&open));
    assert_eq!(after["players"]["white"], before["players"]["black"]);
    assert_eq!(after["players"]["black"], before["players"]["white"]);
    assert_eq!(after["request"]["white"], request["black"]);
    assert_eq!(request["black"]["evaluator"], "hand-crafted");
    assert_eq!(after["clock"]["black_ms"], 5000);
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
