//! Games of people and engines, command by command.

use crate::client::serve;
use serde_json::{Value, json};

fn people() -> Value {
    let person = |name| json!({"kind": "person", "name": name});
    json!({"kind": "play", "white": person("Ann"), "black": person("Bob")})
}

fn with(mut open: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        open[name] = value.clone();
    }
    open
}

#[test]
fn games_have_the_date_of_their_beginning_and_analyses_none() {
    let served = serve();
    let before = tamarin_game::pgn::header::today();
    let game = served.pgn(&served.open(&people()));
    let dates = [before, tamarin_game::pgn::header::today()];
    let has = |date: &String| {
        let tags = format!("[Event \"Casual game\"]\n[Site \"?\"]\n[Date \"{date}\"]\n[Round");
        game.starts_with(&tags)
    };
    assert!(dates.iter().any(has), "{game}");
    let analysis = served.pgn(&served.open(&json!({"kind": "analyse"})));
    assert!(analysis.contains("\n[Date \"????.??.??\"]\n"), "{analysis}");
}

#[test]
fn moves_are_played_by_squares_and_by_notation_and_bad_ones_are_refused() {
    let served = serve();
    let session = served.open(&people());
    let state = served.moves(&session, "e2e4 e5 Nf3 b8c6 f1c4 Bc5 e1g1");
    assert_eq!(state["position"]["turn"], "black");
    assert_eq!(state["position"]["last"], json!(["e1", "g1"]));
    assert_eq!(state["opening"], "Italian Game, Giuoco Piano");
    assert_eq!(state["tree"][7]["san"], "O-O");
    assert_eq!(state["tree"][7]["number"], 4);
    assert!(state["legal"].as_array().unwrap().len() > 25);
    for (mv, why) in [
        ("a1a8", "the piece belongs to the opponent"),
        ("c5f2q", "it is not a promotion"),
        ("e8g8", "no piece can move that way"),
        ("Ke3", "no legal move"),
        ("", "no legal move"),
        ("\u{e9}4\u{0}", "no legal move"),
    ] {
        let error = served.bad(&session, &json!({"do": "move", "mv": mv}));
        assert!(error.contains(why) && error.ends_with("the position stays as it is"), "{error}");
    }
    let wrong = served.bad(&session, &json!({"do": "move", "mv": "d7d6", "as": "white"}));
    assert!(wrong.contains("black's turn"), "{wrong}");
    served.good(&session, &json!({"do": "move", "mv": "d6", "as": "black"}));
}

#[test]
fn king_takes_rook_in_chess960() {
    let served = serve();
    let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    let session = served.open(&with(people(), &json!({"fen": fen})));
    let state = served.state(&session);
    assert_eq!(state["game"]["name"], "chess960");
    let castles: Vec<&Value> =
        state["legal"].as_array().unwrap().iter().filter(|one| one["san"] == "O-O").collect();
    assert_eq!((castles.len(), &castles[0]["mv"]), (1, &json!("f1h1")));
    let state = served.moves(&session, "f1h1");
    assert!(state["position"]["fen"].as_str().unwrap().starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
    assert!(served.pgn(&session).contains("[Variant \"Chess960\"]"));
}

#[test]
fn moves_are_taken_back_with_their_clocks() {
    let served = serve();
    let session =
        served.open(&with(people(), &json!({"clock": {"base_s": 300, "increment_s": 3}})));
    assert!(served.bad(&session, &json!({"do": "take_back"})).contains("no move to take back"));
    let state = served.moves(&session, "e4");
    assert_eq!(state["clock"]["running"], Value::Null, "the clocks wait for both first moves");
    assert_eq!(state["clock"]["white_ms"], 300_000);
    let state = served.moves(&session, "e5");
    assert_eq!(state["clock"]["running"], "white");
    let state = served.moves(&session, "Nf3");
    assert_eq!(state["clock"]["running"], "black");
    assert!(state["clock"]["white_ms"].as_u64().unwrap() > 290_000);
    assert!(state["tree"][3]["clock"].as_str().unwrap().starts_with("0:0"));
    let state = served.good(&session, &json!({"do": "take_back"}));
    assert_eq!(state["tree"].as_array().unwrap().len(), 3);
    assert_eq!(state["position"]["turn"], "white");
}

#[test]
fn take_back_of_one_side() {
    let served = serve();
    let session = served.open(&people());
    served.moves(&session, "e4 e5 Nf3");
    let take_back = |side: &str| json!({"do": "take_back", "side": side});
    let state = served.good(&session, &take_back("black"));
    assert_eq!(state["tip"], 1, "Black's move, and the answer to it");
    let wrong = served.bad(&session, &take_back("black"));
    assert!(wrong.contains("no move to take back"), "{wrong}");
    assert_eq!(served.good(&session, &take_back("white"))["tip"], 0);
}

#[test]
fn draws_are_offered_declined_accepted_and_claimed() {
    let served = serve();
    let session = served.open(&people());
    served.moves(&session, "e4 e5");
    assert!(served.bad(&session, &json!({"do": "claim_draw"})).contains("no draw can be claimed"));
    assert!(served.bad(&session, &json!({"do": "decline_draw"})).contains("no draw is offered"));
    let state = served.good(&session, &json!({"do": "offer_draw", "side": "white"}));
    assert_eq!(state["draw_offer"], "white");
    let state = served.good(&session, &json!({"do": "decline_draw"}));
    assert_eq!(state["draw_offer"], Value::Null);
    served.good(&session, &json!({"do": "offer_draw", "side": "white"}));
    let state = served.good(&session, &json!({"do": "offer_draw", "side": "black"}));
    assert_eq!(state["result"]["score"], "1/2-1/2");
    assert!(state["result"]["reason"].as_str().unwrap().contains("agreement"));
    let session = served.open(&people());
    let state = served.moves(&session, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(state["can"]["claim_draw"], true);
    let wrong = served.bad(&session, &json!({"do": "claim_draw", "side": "black"}));
    assert!(wrong.contains("white's turn"), "{wrong}");
    let state = served.good(&session, &json!({"do": "claim_draw", "side": "white"}));
    assert!(state["result"]["reason"].as_str().unwrap().contains("repetition"));
}

#[test]
fn a_side_resigns_and_the_game_is_over() {
    let served = serve();
    let session = served.open(&people());
    served.moves(&session, "e4");
    let state = served.good(&session, &json!({"do": "resign", "side": "white"}));
    assert_eq!(state["result"]["score"], "0-1");
    assert!(served.bad(&session, &json!({"do": "resign"})).contains("the game is over"));
    assert!(served.pgn(&session).contains("[Termination \"normal\"]"));
    let state = served.good(&session, &json!({"do": "new", "kind": "play", "chess960": 0}));
    assert_eq!(state["result"], Value::Null);
    assert!(state["position"]["fen"].as_str().unwrap().starts_with("bbqnnrkr/"));
}

#[test]
fn a_flag_falls_and_ends_the_game() {
    let served = serve();
    let session = served.open(&with(people(), &json!({"clock": {"base_s": 0.05}})));
    assert!(served.bad(&session, &json!({"do": "flag"})).contains("no time has run out"));
    served.moves(&session, "e4 e5");
    let state = served.wait(&session, |state| state["result"] != Value::Null);
    assert_eq!(state["result"]["score"], "0-1");
    assert_eq!(state["clock"]["white_ms"], 0);
    assert!(served.bad(&session, &json!({"do": "move", "mv": "Nf3"})).contains("the game is over"));
}

#[test]
fn players_have_names_and_premoves_are_forgotten_if_they_are_illegal() {
    let served = serve();
    let session = served.open(&people());
    let state = served.good(&session, &json!({"do": "name", "white": "A\u{0}\"B\"", "black": "x"}));
    assert_eq!(state["players"]["white"]["name"], "A \"B\"");
    assert!(served.pgn(&session).contains("[White \"A \\\"B\\\"\"]"));
    served.bad(&session, &json!({"do": "premove", "mv": "\u{e9}"}));
    let state = served.good(&session, &json!({"do": "premove", "mv": "e7e5"}));
    assert_eq!(state["premove"], "e7e5");
    let state = served.good(&session, &json!({"do": "cancel_premove"}));
    assert_eq!(state["premove"], Value::Null);
    served.good(&session, &json!({"do": "premove", "mv": "e7e5"}));
    let state = served.moves(&session, "e4");
    assert_eq!(state["tree"].as_array().unwrap().len(), 3, "it was played at once");
    served.good(&session, &json!({"do": "premove", "mv": "d8h4"}));
    let state = served.moves(&session, "g3");
    assert_eq!(state["tree"].as_array().unwrap().len(), 5, "Qh4 was legal");
    served.good(&session, &json!({"do": "premove", "mv": "a8a1"}));
    let state = served.moves(&session, "gxh4");
    assert_eq!(state["tree"].as_array().unwrap().len(), 6);
    assert_eq!(state["premove"], Value::Null);
}

#[test]
fn a_premove_is_that_of_the_side_which_sends_it() {
    let served = serve();
    let session = served.open(&people());
    // White's move has come before Black's premove.
    served.moves(&session, "e4");
    let premove = json!({"do": "premove", "mv": "e7e5", "as": "black"});
    let state = served.good(&session, &premove);
    assert_eq!(state["tree"].as_array().unwrap().len(), 3, "it was played at once");
}

#[test]
fn a_premove_without_a_piece_to_promote_to_makes_a_queen() {
    let served = serve();
    let fen = "7k/4P3/8/8/8/8/8/K7 b - - 0 1";
    for game in ["chess", "fide"] {
        let session = served.open(&with(people(), &json!({"game": game, "fen": fen})));
        served.good(&session, &json!({"do": "premove", "mv": "e7e8"}));
        assert_eq!(served.moves(&session, "h8g7")["tree"][2]["mv"], "e7e8q", "{game}");
        let session = served.open(&with(people(), &json!({"game": game, "fen": fen})));
        served.good(&session, &json!({"do": "premove", "mv": "e7e8n"}));
        assert_eq!(served.moves(&session, "h8g7")["tree"][2]["mv"], "e7e8n", "{game}");
    }
}

#[test]
fn chess960_without_a_number_begins_at_a_position_that_is_drawn() {
    let served = serve();
    let drawn: Vec<Value> = (0..4)
        .map(|_| {
            let session = served.open(&with(people(), &json!({"game": "chess960"})));
            let state = served.state(&session);
            assert_eq!(state["game"]["name"], "chess960");
            state["position"]["fen"].clone()
        })
        .collect();
    assert!(drawn.iter().any(|fen| *fen != drawn[0]), "{drawn:?}");
}

/// By what the state says the same game can be begun once more.
#[test]
fn the_state_has_the_first_position_unless_it_is_the_usual_one() {
    let served = serve();
    let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (more, first) in [
        (json!({}), Value::Null),
        (json!({"fen": pawn}), json!(pawn)),
        (json!({"game": "xiangqi"}), Value::Null),
        (json!({"chess960": 0}), json!("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1")),
        (
            json!({"chess960": 518}),
            json!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"),
        ),
    ] {
        let session = served.open(&with(people(), &more));
        let state = served.state(&session);
        assert_eq!(state["game"]["start"], first, "{more}");
        let again = json!({"game": state["game"]["name"], "fen": state["game"]["start"]});
        let again = served.state(&served.open(&with(people(), &again)));
        assert_eq!(
            (&again["position"], &again["game"]),
            (&state["position"], &state["game"]),
            "{more}"
        );
    }
}

#[test]
fn values_out_of_range_and_unknown_words_are_refused() {
    let served = serve();
    for open in [
        json!({"kind": "play", "white": {"kind": "engine", "level": 0}}),
        json!({"kind": "play", "white": {"kind": "engine", "elo": 100}}),
        json!({"kind": "play", "black": {"kind": "engine", "evaluator": "luck"}}),
        json!({"kind": "play", "white": {"kind": "engine"}, "black": {"kind": "engine"}}),
        json!({"kind": "watch", "white": {"kind": "person"}}),
        json!({"kind": "play", "clock": {"base_s": -1}}),
        json!({"kind": "play", "clock": {"base_s": 1e9}}),
        json!({"kind": "play", "clock": {"base_s": 0}}),
        json!({"kind": "play", "chess960": 960}),
        json!({"kind": "play", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}),
        json!({"kind": "play", "game": "xianqi"}),
        json!({"kind": "analyse", "pgn": "1. e4 e5 2. Ke3 *"}),
        json!({"kind": "dance"}),
        json!({"kind": "play", "file": "/etc/passwd"}),
        json!([]),
    ] {
        let answer = served.post("api/open", &open);
        assert!(matches!(answer.status, 400 | 422), "{open}: {}", answer.body);
        assert!(answer.error().len() > 5, "{open}");
    }
    assert_eq!(served.sessions.count(), 0);
    let hint = served.post("api/open", &json!({"kind": "play", "game": "xianqi"})).error();
    assert!(hint.contains("\"xiangqi\""), "{hint}");
    let session = served.open(&people());
    for command in [
        json!({"do": "dance"}),
        json!({"do": "move"}),
        json!({"do": "goto", "node": 7}),
        json!({"do": "goto", "node": -1}),
        json!({"do": "hint", "step": 4}),
        json!({"do": "show_game", "index": 0}),
        json!({"do": "load_pgn", "text": "1. e4 *"}),
        json!({"do": "set_fen", "fen": "4k3/8/8/8/8/8/8/4K2R w - - 0 1"}),
        json!({"do": "undo"}),
        json!({"do": "new", "kind": "play", "fen": "x"}),
        json!({"do": "move", "mv": "e4", "path": "/etc/passwd"}),
    ] {
        assert!(served.bad(&session, &command).len() > 5, "{command}");
    }
    assert_eq!(served.perform("../../etc/passwd", &json!({"do": "undo"})).status, 404);
}
