//! Analysis: lines that grow, what was found before, reasons, what is known of each move.

use serde_json::{Value, json};

use crate::{parts, serve};

/// White mates in one.
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

fn is_deep(data: &Value, depth: u64) -> bool {
    data["depth"].as_u64() >= Some(depth)
}

fn lines(data: &Value) -> usize {
    data["lines"].as_array().unwrap().len()
}

#[test]
fn lines_follow_the_board_and_what_was_found_is_kept() {
    let served = serve();
    let table = served.analyse(json!({}));
    let mut events = table.listen();
    table.bad(json!({"do": "analyse", "on": true, "lines": 11}), "from 1 to 10");
    table.good(json!({"do": "analyse", "on": true, "lines": 3}));
    let first = events.until("lines", |data| is_deep(data, 5) && lines(data) == 3);
    assert_eq!(first["node"], 0);
    let best = &first["lines"][0];
    let wdl: u64 = best["wdl"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).sum();
    assert_eq!(wdl, 1000);
    assert!(best["san"].as_str().unwrap().starts_with("1. ") && best["score"]["cp"].is_i64());
    table.moves("e4");
    let next = events.until("lines", |data| data["node"] == 1);
    assert!(next["lines"][0]["san"].as_str().unwrap().starts_with("1... "), "{next}");
    events.until("lines", |data| data["node"] == 1 && is_deep(data, 3));
    // Stepping back shows at once what was found there.
    let state = table.does("back");
    assert!(state["scores"]["0"]["cp"].is_i64(), "{state}");
    let again = events.until("lines", |data| data["node"] == 0);
    assert!(is_deep(&again, first["depth"].as_u64().unwrap()), "{again}");
    // A table of another size, and an end at a depth.
    table.bad(json!({"do": "analyse", "on": true, "hash": 0}), "transposition table goes from 1");
    table.bad(json!({"do": "analyse", "on": true, "depth": 101}), "depth goes from 0 to 100");
    let state = table.good(json!({"do": "analyse", "on": true, "hash": 2, "depth": 3}));
    assert_eq!(parts(&state["analysis"], "hash depth"), json!([2, 3]));
    table.good(json!({"do": "goto", "node": 1}));
    table.wait(|state| state["analysis"]["running"] == false);
    table.good(json!({"do": "analyse", "on": true, "depth": 0}));
    events.until("lines", |data| is_deep(data, 5));
    // The last page that goes stops the search, and the next one begins it again.
    drop(events);
    table.wait(|state| state["analysis"]["running"] == false);
    table.listen().until("lines", |_| true);
    table.good(json!({"do": "analyse", "on": false}));
    assert_eq!(table.state()["analysis"]["on"], false);
}

#[test]
fn more_lines_are_sent_although_the_search_before_was_deeper() {
    let served = serve();
    // A search of one line is at its greatest depth at once, of three never.
    let table = served.analyse(json!({"fen": MATE}));
    let mut events = table.listen();
    table.good(json!({"do": "analyse", "on": true, "lines": 1}));
    let deep = events.until("lines", |data| data["done"] == true);
    table.good(json!({"do": "analyse", "on": true, "lines": 3}));
    let wide = events.until("lines", |data| lines(data) == 3);
    assert!(!is_deep(&wide, deep["depth"].as_u64().unwrap()), "{wide}");
    let state = table.state();
    assert_eq!(parts(&wide, "done serial"), json!([false, state["serial"]]));
    assert_eq!(state["scores"]["0"], json!({"mate": 1}));
}

#[test]
fn a_report_gives_every_move_its_score_and_mistakes_their_glyphs() {
    let served = serve();
    let table = served.analyse(json!({"pgn": "1. f3 e5 2. g4 $2 Qh4# 0-1"}));
    let state = table.good(json!({"do": "report", "on": true}));
    assert_eq!(parts(&state["report"], "running total"), json!([true, 5]));
    let state = table.wait(|state| state["report"]["running"] == false);
    assert_eq!(state["report"]["done"], 5);
    let nodes = state["tree"].as_array().unwrap();
    assert_eq!(state["scores"].as_object().unwrap().len(), 4, "{state}");
    // The glyph of the file stays.
    assert_eq!(parts(&nodes[3], "score nags"), json!([{"mate": -1}, [2]]));
    assert!(state["accuracy"]["white"].as_f64().unwrap() < 50.0);
    // Without that glyph the engine gives its own, and an undo takes it away.
    table.good(json!({"do": "load_pgn", "text": "1. f3 e5 2. g4 Qh4# 0-1"}));
    assert_eq!(table.report()["tree"][3]["nags"], json!([4]));
    assert_eq!(table.does("undo")["tree"][3]["nags"], json!([]));
}

#[test]
fn threats_are_searched_after_a_pass() {
    let served = serve();
    // White to move; Black threatens Ra1#.
    let table = served.analyse(json!({"fen": "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1"}));
    let mut events = table.listen();
    let on = json!({"do": "analyse", "on": true, "lines": 1, "threats": true});
    assert_eq!(table.good(on)["analysis"]["threats"], true);
    let event = events.until("threats", |data| is_deep(data, 4));
    assert_eq!(parts(&event["lines"][0], "mv score"), json!(["a2a1", {"mate": -1}]), "{event}");
    // In check nobody can pass.
    table.good(json!({"do": "set_fen", "fen": "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"}));
    let none = events.until("threats", |data| data["depth"] == 0);
    assert_eq!(none["lines"], json!([]));
    let state = table.good(json!({"do": "analyse", "on": true, "threats": false}));
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
        let table = served.analyse(json!({"fen": fen}));
        let mut events = table.listen();
        table.good(json!({"do": "analyse", "on": true, "lines": 2}));
        let lines = events.until("lines", |data| is_deep(data, 6));
        assert_eq!(lines["only"], is_only, "{lines}");
    }
}

/// The evaluation bar of a game gives nothing away but the score, and its search ends.
#[test]
fn a_game_has_scores_without_moves() {
    let served = serve();
    let table = served.people(json!({}));
    let mut events = table.listen();
    table.good(json!({"do": "analyse", "on": true, "lines": 3, "threats": true}));
    let event = events.until("lines", |data| is_deep(data, 5));
    let names: Vec<&String> = event["lines"][0].as_object().unwrap().keys().collect();
    assert_eq!((lines(&event), json!(names)), (1, json!(["score"])), "{event}");
    table.wait(|state| state["analysis"]["running"] == false);
    table.moves("e4");
    events.until("lines", |data| data["node"] == 1);
}

#[test]
fn hints_and_reasons_are_given_together() {
    let served = serve();
    let table = served.analyse(json!({"fen": MATE}));
    let mut events = table.listen();
    table.moves("Rd8#");
    table.does("explain");
    let said = events.until("explanation", |_| true);
    assert_eq!(said["text"][0], "1. Rd8# is checkmate.");
    assert!(said["proofs"][0].is_object(), "{said}");
    table.good(json!({"do": "explain", "node": 0}));
    let said = events.until("explanation", |data| data["node"] == 0);
    assert!(said["terms"]["families"].is_array(), "{}", said["terms"]);
    table.bad(json!({"do": "explain", "node": 99}), "no move 99");
    let questions = [json!({"do": "hint", "step": 1}), json!({"do": "explain", "node": 1})];
    for order in [[0, 1], [1, 0]] {
        let table = served.analyse(json!({}));
        let mut events = table.listen();
        table.moves("e4");
        for index in order {
            table.good(questions[index].clone());
        }
        let mut heard = [false; 2];
        while heard != [true; 2] {
            let (name, _) = events.next();
            heard[0] |= name == "hint";
            heard[1] |= name == "explanation";
        }
    }
}

#[test]
fn each_move_has_its_share_of_the_book_and_its_opening() {
    let served = serve();
    let moves = served.analyse(json!({})).get("moves").json();
    let moves = moves["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 20);
    let shares: f64 = moves.iter().filter_map(|one| one["book"].as_f64()).sum();
    assert!((shares - 1.0).abs() < 1e-6, "{shares}");
    assert!(moves.iter().any(|one| one["mv"] == "g1f3" && one["opening"].is_string()));
}

/// Lessons, and a puzzle of Lichess with the answer of the opponent; wrong moves are not played.
#[test]
fn puzzles_are_solved_with_hints_and_answers() {
    let served = serve();
    let table = served.analyse(json!({}));
    let puzzles = |text: &str| json!({"do": "puzzles", "text": text});
    table.bad(puzzles("nothing"), "no line is a puzzle");
    let state = table.does("puzzles");
    assert_eq!(parts(&state["puzzle"], "word number name"), json!(["lesson", 1, "The rook"]));
    let state = table.moves("d1d2");
    assert_eq!(parts(&state, "tip puzzle/solved"), json!([0, false]));
    assert!(
        state["puzzle"]["said"].as_str().unwrap().starts_with("Rd2 is not the solution. The rook")
    );
    let step = |step: &str| table.good(json!({"do": "puzzle", "step": step}));
    assert_eq!(step("hint")["puzzle"]["said"], "Hint: the rook moves.");
    assert_eq!(parts(&table.moves("Rxd5"), "tip puzzle/solved"), json!([1, true]));
    assert_eq!(parts(&step("next")["puzzle"], "number solved said"), json!([2, false, ""]));
    let line =
        "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760";
    let state = table.good(puzzles(line));
    assert_eq!(parts(&state, "at puzzle/count position/turn"), json!([1, 1, "white"]));
    assert_eq!(parts(&table.moves("a2e6"), "tip puzzle/solved"), json!([3, false]));
    assert_eq!(step("solution")["puzzle"]["said"], "The solution: 18. Be6+ Kd8 19. Qf8#.");
    assert_eq!(table.moves("Qf8#")["puzzle"]["solved"], true);
    assert_eq!(step("next")["puzzle"]["over"], true);
    table.bad(json!({"do": "puzzle", "step": "next"}), "not possible here");
}
