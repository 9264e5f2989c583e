//! Games of people and engines, command by command.

use crate::{nodes, parts, serve, with};
use serde_json::{Value, json};

#[test]
fn games_have_the_date_of_their_beginning_and_analyses_none() {
    let served = serve();
    let today = tamarin_game::pgn::header::today;
    let before = today();
    let game = served.people(json!({})).pgn();
    let has = |date: &String| {
        let tags = format!("[Event \"Casual game\"]\n[Site \"?\"]\n[Date \"{date}\"]\n[Round");
        game.starts_with(&tags)
    };
    assert!([before, today()].iter().any(has), "{game}");
    let analysis = served.analyse(json!({})).pgn();
    assert!(analysis.contains("\n[Date \"????.??.??\"]\n"), "{analysis}");
}

#[test]
fn moves_are_played_by_squares_and_by_notation_and_bad_ones_are_refused() {
    let served = serve();
    let table = served.people(json!({}));
    let state = table.moves("e2e4 e5 Nf3 b8c6 f1c4 Bc5 e1g1");
    let names = "position/turn position/last opening tree/7/san tree/7/number";
    let expected = json!(["black", ["e1", "g1"], "Italian Game, Giuoco Piano", "O-O", 4]);
    assert_eq!(parts(&state, names), expected);
    assert!(state["legal"].as_array().unwrap().len() > 25);
    for (mv, why) in [
        ("a1a8", "the piece belongs to the opponent"),
        ("c5f2q", "it is not a promotion"),
        ("e8g8", "no piece can move that way"),
        ("Ke3", "no legal move"),
        ("", "no legal move"),
        ("\u{e9}4\u{0}", "no legal move"),
        ("Ke3", "the position stays as it is"),
    ] {
        table.bad(json!({"do": "move", "mv": mv}), why);
    }
    table.bad(json!({"do": "move", "mv": "d7d6", "as": "white"}), "black's turn");
    table.good(json!({"do": "move", "mv": "d6", "as": "black"}));
}

#[test]
fn king_takes_rook_in_chess960() {
    let served = serve();
    let table = served.people(json!({"fen": "4k3/8/8/8/8/8/8/5K1R w K - 0 1"}));
    let state = table.state();
    assert_eq!(state["game"]["name"], "chess960");
    let legal = state["legal"].as_array().unwrap().iter();
    let castles: Vec<&Value> = legal.filter(|one| one["san"] == "O-O").collect();
    assert_eq!((castles.len(), &castles[0]["mv"]), (1, &json!("f1h1")));
    let state = table.moves("f1h1");
    assert!(state["position"]["fen"].as_str().unwrap().starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
    assert!(table.pgn().contains("[Variant \"Chess960\"]"));
    // Without a number it begins at a position that is drawn.
    let drawn = [(); 4].map(|()| {
        let state = served.people(json!({"game": "chess960"})).state();
        assert_eq!(state["game"]["name"], "chess960");
        state["position"]["fen"].clone()
    });
    assert!(drawn.iter().any(|fen| *fen != drawn[0]), "{drawn:?}");
}

#[test]
fn clocks_are_for_the_game_or_so_many_moves() {
    let served = serve();
    for (clock, tag) in [
        (json!({"base_s": 300, "increment_s": 3}), "300+3"),
        (json!({"base_s": 300, "moves": 40}), "40/300"),
    ] {
        let table = served.people(json!({ "clock": clock }));
        table.moves("e4");
        let pgn = table.pgn();
        assert!(pgn.contains(&format!("[TimeControl \"{tag}\"]")), "{pgn}");
    }
}

#[test]
fn moves_are_taken_back_and_played_again_with_their_clocks() {
    let served = serve();
    let table = served.people(json!({"clock": {"base_s": 300, "increment_s": 3}}));
    table.bad(json!({"do": "take_back"}), "no move to take back");
    table.bad(json!({"do": "redo"}), "no move was taken back");
    // The clocks wait for both first moves.
    assert_eq!(parts(&table.moves("e4")["clock"], "running white_ms"), json!([null, 300_000]));
    assert_eq!(table.moves("e5")["clock"]["running"], "white");
    let before = table.moves("Nf3");
    assert_eq!(before["clock"]["running"], "black");
    assert!(before["clock"]["white_ms"].as_u64().unwrap() > 290_000);
    assert!(before["tree"][3]["clock"].as_str().unwrap().starts_with("0:0"));
    let state = table.does("take_back");
    assert_eq!(
        (nodes(&state), parts(&state, "position/turn can/redo")),
        (3, json!(["white", true]))
    );
    let state = table.does("redo");
    assert_eq!(state["clock"]["white_ms"], before["clock"]["white_ms"]);
    let names = "position players result can/redo";
    assert_eq!(parts(&state, names), parts(&before, names));
    let names = "san mv comment clock";
    assert_eq!(parts(&state["tree"][3], names), parts(&before["tree"][3], names));
    // One side takes back its own move, and the answer to it.
    let to = |node: u64| json!({"do": "take_back", "node": node});
    table.bad(to(99), "no");
    let state = table.good(to(1));
    assert_eq!(parts(&state, "tip at position/turn can/redo"), json!([1, 1, "black", true]));
    table.bad(to(1), "no move to take back");
    assert_eq!([0; 2].map(|_| nodes(&table.does("redo"))), [3, 4]);
    let take_back = |side: &str| json!({"do": "take_back", "side": side});
    assert_eq!(table.good(take_back("black"))["tip"], 1);
    table.bad(take_back("black"), "no move to take back");
    assert_eq!(table.good(take_back("white"))["tip"], 0);
}

#[test]
fn draws_are_offered_declined_accepted_and_claimed() {
    let served = serve();
    let table = served.people(json!({}));
    table.moves("e4 e5");
    table.bad(json!({"do": "claim_draw"}), "no draw can be claimed");
    table.bad(json!({"do": "decline_draw"}), "no draw is offered");
    let offer = |side| table.good(json!({"do": "offer_draw", "side": side}));
    assert_eq!(offer("white")["draw_offer"], "white");
    assert_eq!(table.does("decline_draw")["draw_offer"], Value::Null);
    offer("white");
    let result = &offer("black")["result"];
    assert_eq!(result["score"], "1/2-1/2");
    assert!(result["reason"].as_str().unwrap().contains("agreement"));
    let table = served.people(json!({}));
    let state = table.moves("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(state["can"]["claim_draw"], true);
    table.bad(json!({"do": "claim_draw", "side": "black"}), "white's turn");
    let state = table.good(json!({"do": "claim_draw", "side": "white"}));
    assert!(state["result"]["reason"].as_str().unwrap().contains("repetition"));
}

#[test]
fn a_side_resigns_or_loses_on_time_and_the_game_is_over() {
    let served = serve();
    let table = served.people(json!({}));
    table.moves("e4");
    let state = table.good(json!({"do": "resign", "side": "white"}));
    assert_eq!(state["result"]["score"], "0-1");
    table.bad(json!({"do": "resign"}), "the game is over");
    assert!(table.pgn().contains("[Termination \"normal\"]"));
    let state = table.good(json!({"do": "new", "kind": "play", "chess960": 0}));
    assert_eq!(state["result"], Value::Null);
    assert!(state["position"]["fen"].as_str().unwrap().starts_with("bbqnnrkr/"));
    let table = served.people(json!({"clock": {"base_s": 0.05}}));
    table.bad(json!({"do": "flag"}), "no time has run out");
    table.moves("e4 e5");
    let state = table.wait(|state| state["result"] != Value::Null);
    assert_eq!(parts(&state, "result/score clock/white_ms"), json!(["0-1", 0]));
    table.bad(json!({"do": "move", "mv": "Nf3"}), "the game is over");
}

#[test]
fn premoves_are_played_in_their_turn_or_forgotten_if_they_are_illegal() {
    let served = serve();
    let table = served.people(json!({}));
    let premove = |mv| json!({"do": "premove", "mv": mv});
    table.bad(premove("\u{e9}"), "");
    assert_eq!(table.good(premove("e7e5"))["premove"], "e7e5");
    assert_eq!(table.does("cancel_premove")["premove"], Value::Null);
    table.good(premove("e7e5"));
    assert_eq!(nodes(&table.moves("e4")), 3, "it was played at once");
    table.good(premove("d8h4"));
    assert_eq!(nodes(&table.moves("g3")), 5, "Qh4 was legal");
    table.good(premove("a8a1"));
    let state = table.moves("gxh4");
    assert_eq!((nodes(&state), &state["premove"]), (6, &Value::Null));
    // It is that of the side which sends it: White's move has come before Black's premove.
    let table = served.people(json!({}));
    table.moves("e4");
    assert_eq!(nodes(&table.good(with(premove("e7e5"), json!({"as": "black"})))), 3);
    // Without a piece to promote to it makes a queen.
    for game in ["chess", "fide"] {
        for (mv, expected) in [("e7e8", "e7e8q"), ("e7e8n", "e7e8n")] {
            let fen = "7k/4P3/8/8/8/8/8/K7 b - - 0 1";
            let table = served.people(json!({"game": game, "fen": fen}));
            table.good(premove(mv));
            assert_eq!(table.moves("h8g7")["tree"][2]["mv"], expected, "{game}");
        }
    }
}

/// By what the state says the same game can be begun once more.
#[test]
fn the_state_has_the_first_position_unless_it_is_the_usual_one() {
    let served = serve();
    let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (more, first) in [
        (json!({}), None),
        (json!({"fen": pawn}), Some(pawn)),
        (json!({"game": "xiangqi"}), None),
        (json!({"chess960": 0}), Some("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1")),
        (
            json!({"chess960": 518}),
            Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"),
        ),
    ] {
        let state = served.people(more).state();
        assert_eq!(state["game"]["start"], json!(first));
        let again = json!({"game": state["game"]["name"], "fen": state["game"]["start"]});
        let again = served.people(again).state();
        assert_eq!(parts(&again, "position game"), parts(&state, "position game"));
    }
}

#[test]
fn the_engine_answers_and_a_premove_is_played_after_it() {
    let served = serve();
    let person = json!({"kind": "person", "name": "Ann"});
    let engine = json!({"kind": "engine", "level": 1});
    let table = served.open(json!({"kind": "play", "white": person, "black": engine}));
    let state = table.state();
    assert!(state["players"]["black"]["name"].as_str().unwrap().contains("level 1"));
    table.moves("a3");
    table.good(json!({"do": "premove", "mv": "a3a4"}));
    let state = table.wait(|state| nodes(state) >= 4);
    assert_eq!(state["tree"][3]["mv"], "a3a4");
    let before = table.wait(|state| state["position"]["turn"] == "white");
    assert_eq!(nodes(&before), 5);
    // The answer and the move before it are taken back, and played again.
    assert_eq!(nodes(&table.does("take_back")), 3);
    let state = table.does("redo");
    assert_eq!(parts(&state, "position can/redo"), json!([before["position"], false]));
    table.bad(json!({"do": "resign", "side": "black"}), "no person");
    // The move of the engine has no hint.
    assert_eq!(state["can"]["hint"], true);
    let state = table.does("back");
    assert_eq!(parts(&state, "position/turn can/hint"), json!(["black", false]));
    table.bad(json!({"do": "hint", "step": 1}), "black's turn");
}

#[test]
fn two_engines_play_while_somebody_looks_and_stop_on_request() {
    let served = serve();
    let engine = |evaluator| json!({"kind": "engine", "level": 1, "evaluator": evaluator});
    let (white, black) = (engine("network"), engine("hand-crafted"));
    let clock = json!({"base_s": 20});
    let mut open = json!({"kind": "watch", "white": white, "black": black, "clock": clock});
    let drawn = || served.open(open.clone()).state()["seed"].clone();
    assert_ne!(drawn(), drawn());
    open["seed"] = 77.into();
    let table = served.open(open);
    assert_eq!(table.state()["seed"], 77);
    let mut events = table.listen();
    events.until("state", |state| state["position"]["ply"].as_u64() > Some(5));
    let plies = table.does("stop")["position"]["ply"].as_u64();
    assert_eq!(parts(&table.state(), "paused thinking"), json!([true, null]));
    table.bad(json!({"do": "move", "mv": "e4"}), "turn");
    table.does("go");
    events.until("state", |state| state["position"]["ply"].as_u64() > plies);
}

#[test]
fn hints_have_three_steps_and_threats_are_sent() {
    let served = serve();
    let table = served.people(json!({"fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"}));
    let mut events = table.listen();
    for (step, text, squares) in [
        (1, "Think about a move of your rook.", json!([])),
        (2, "Move the rook on d1.", json!(["d1"])),
        (3, "Play Rd8#.", json!(["d1", "d8"])),
    ] {
        table.good(json!({"do": "hint", "step": step}));
        let hint = events.until("hint", |_| true);
        assert_eq!(parts(&hint, "text squares"), json!([text, squares]));
    }
    assert_eq!(table.state()["threat"], Value::Null);
    let table = served.people(json!({"fen": "r5k1/5ppp/8/8/8/7Q/5PPP/6K1 w - - 0 1"}));
    let state = table.good(json!({"do": "threat", "on": true}));
    assert_eq!(state["threat"], "Black threatens mate: Ra1#.");
}

#[test]
fn two_pages_share_a_game_and_see_its_last_move() {
    let served = serve();
    let (table, other) = (served.people(json!({})), served.people(json!({})));
    let mut first = table.listen();
    first.until("state", |_| true);
    let mut page = other.listen();
    table.moves("e4 e5");
    other.moves("d4");
    assert_eq!(page.until("state", |state| nodes(state) == 2)["tree"][1]["mv"], "d2d4");
    // An earlier move makes way for the last one when the opponent comes.
    table.does("back");
    first.until("state", |state| state["tip"] == 2 && state["at"] == 1);
    let mut second = table.listen();
    assert_eq!(second.until("state", |_| true)["at"], 2);
    assert_eq!(first.until("state", |_| true)["at"], 2);
    table.good(json!({"do": "move", "mv": "Nf3", "as": "white"}));
    for page in [&mut first, &mut second] {
        page.until("state", |state| nodes(state) == 4);
    }
    for walk in [json!({"do": "back"}), json!({"do": "first"}), json!({"do": "goto", "node": 0})] {
        table.bad(walk, "it shows the last move until the game is over");
    }
    table.does("last");
    table.good(json!({"do": "resign", "side": "white"}));
    assert_eq!(table.does("back")["at"], 2);
}

#[test]
fn the_state_has_the_requests_of_its_players_and_clock_for_a_rematch() {
    let served = serve();
    let engine = json!({"kind": "engine", "elo": 1500, "evaluator": "hand-crafted"});
    let table = served.people(json!({"black": engine, "clock": {"move_s": 5}}));
    let state = table.good(json!({"do": "name", "white": "A\u{0}\"B\""}));
    assert_eq!(state["players"]["white"]["name"], "A \"B\"");
    assert!(table.pgn().contains("[White \"A \\\"B\\\"\"]"));
    let request = &state["request"];
    let (white, black) = (&request["black"], &request["white"]);
    let again = json!({"white": white, "black": black, "clock": request["clock"]});
    let again = served.people(again).state();
    let names = "players/black players/white request/black request/white";
    let swapped = "players/white players/black request/white request/black";
    assert_eq!(parts(&again, swapped), parts(&state, names));
    let names = "request/white/evaluator clock/black_ms";
    assert_eq!(parts(&again, names), json!(["hand-crafted", 5000]));
}

#[test]
fn values_out_of_range_and_unknown_words_are_refused() {
    let served = serve();
    for (open, why) in [
        (json!({"kind": "play", "white": {"kind": "engine", "level": 0}}), "a level from 1 to 20"),
        (
            json!({"kind": "play", "white": {"kind": "engine", "elo": 499}}),
            "a rating from 500 to 3190",
        ),
        (json!({"kind": "play", "black": {"kind": "engine", "evaluator": "luck"}}), ""),
        (json!({"kind": "play", "white": {"kind": "engine"}, "black": {"kind": "engine"}}), ""),
        (json!({"kind": "watch", "white": {"kind": "person"}}), ""),
        (json!({"kind": "play", "clock": {"base_s": -1}}), ""),
        (json!({"kind": "play", "clock": {"base_s": 1e9}}), ""),
        (json!({"kind": "play", "clock": {"base_s": 0}}), ""),
        (json!({"kind": "play", "clock": {"base_s": 9, "moves": 0}}), "one move or more"),
        (json!({"kind": "play", "clock": {"move_s": 9, "moves": 3}}), "one move or more"),
        (json!({"kind": "play", "chess960": 960}), ""),
        (json!({"kind": "play", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), ""),
        (json!({"kind": "play", "game": "xianqi"}), "\"xiangqi\""),
        (json!({"kind": "analyse", "pgn": "1. e4 e5 2. Ke3 *"}), ""),
        (json!({"kind": "dance"}), ""),
        (json!({"kind": "play", "file": "/etc/passwd"}), ""),
        (json!([]), ""),
    ] {
        let answer = served.post("api/open", &open);
        assert!(matches!(answer.status, 400 | 422), "{open}: {}", answer.body);
        assert!(answer.error().len() > 5 && answer.error().contains(why), "{}", answer.body);
    }
    assert_eq!(served.sessions.count(), 0);
    let table = served.people(json!({}));
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
        table.bad(command, "");
    }
    let answer = served.table("../../etc/passwd").perform(&json!({"do": "undo"}));
    assert_eq!(answer.status, 404);
}

/// Another program plays and analyzes; of one that fails the reason is told.
#[cfg(unix)]
#[test]
fn other_engines_play_and_analyze() {
    const SCRIPT: &str = "while read -r word rest; do case $word in \
        uci) echo 'id name Script'; echo uciok;; isready) echo readyok;; \
        go) case $rest in infinite) echo 'info depth 5 score cp 30 nodes 10 time 1 pv e2e4 e7e5';; \
        *) echo 'bestmove e7e5';; esac;; stop) echo 'bestmove e2e4';; quit) exit;; esac; done";
    let arguments = ["-c", SCRIPT].map(str::to_owned).to_vec();
    let launch =
        tamarin_uci::client::Launch { arguments, ..tamarin_uci::client::Launch::new("/bin/sh") };
    let missing = tamarin_uci::client::Launch::new("/no/such/program");
    let programs = [("Script".to_owned(), launch), ("Gone".to_owned(), missing)].into();
    let resources = tamarin_board::Resources { programs, ..tamarin_board::Resources::new(1, 1) };
    let served = crate::serve_of(resources, None, [127, 0, 0, 1]);
    let program =
        |name: &str| json!({"kind": "play", "black": {"kind": "program", "program": name}});
    let table = served.open(program("Script"));
    let mut events = table.listen();
    assert_eq!(
        parts(&table.moves("e4"), "players/black/name programs"),
        json!(["Script", ["Script", "Gone"]])
    );
    let state = table.wait(|state| nodes(state) == 3);
    assert_eq!(state["tree"][2]["san"], "e5");
    table.moves("d4");
    events.until("notice", |notice| notice.to_string().contains("Script: wants to play"));
    assert_eq!(table.wait(|state| state["paused"] == true)["tip"], 3);
    let gone = served.open(program("Gone"));
    let mut events = gone.listen();
    gone.moves("e4");
    events.until("notice", |notice| notice.to_string().contains("cannot be started"));
    let table = served.analyse(json!({}));
    let mut events = table.listen();
    let by = |name: &str| json!({"do": "analyse", "on": true, "program": name});
    table.bad(by("None"), "there is no engine");
    assert_eq!(table.good(by("Script"))["analysis"]["program"], "Script");
    let lines = events.until("lines", |lines| lines["depth"] == 5);
    assert_eq!(parts(&lines["lines"][0], "san score"), json!(["1. e4 e5", {"cp": 30}]));
    assert_eq!(table.good(by(""))["analysis"]["program"], Value::Null);
    table.good(by("Gone"));
    events.until("notice", |notice| notice.to_string().contains("cannot be started"));
    assert_eq!(table.state()["analysis"]["on"], false);
}
