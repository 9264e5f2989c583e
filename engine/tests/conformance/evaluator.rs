//! The options `Evaluator` and `EvalFile`, and the commands that evaluate or search. Files that are
//! no network: `files.rs`.

#![cfg(unix)]

use serde_json::{Value, json};

use crate::support::Engine;
use crate::support::engine::{good, run};
use crate::support::files::Folder;
use crate::support::network_file::{WIDTH, queens};
use crate::support::xboard::Client;

/// White is a queen ahead, and Black a pawn.
const QUEEN: &str = "4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1";

/// What the session says of the position with a queen more.
fn evaluation(engine: &mut Engine) -> Value {
    engine.send(&format!("position fen {QUEEN}\neval --json"));
    let lines = engine.sync();
    let text = &lines.first().expect("an answer").text;
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Is the network of queens loaded?
fn knows_queens(evaluation: &Value) -> bool {
    evaluation["network"]["description"] == "nothing but queens"
}

/// The nodes of a benchmark of one position.
fn bench(engine: &mut Engine) -> String {
    engine.send(&format!("position fen {QUEEN}\nbench 1 1 9 current"));
    let lines = engine.sync();
    let nodes = lines.iter().find_map(|line| line.text.split_once(" nodes "));
    nodes.expect("the total").0.to_owned()
}

#[test]
fn network_evaluates_while_it_is_chosen() {
    let folder = Folder::new();
    let file = folder.file("queens.net", queens(WIDTH));
    let mut engine = Engine::ready();
    assert_eq!(evaluation(&mut engine)["evaluator"], "network");
    let inside = bench(&mut engine);
    engine.quietly("setoption name Evaluator value hand-crafted");
    let terms = evaluation(&mut engine);
    assert_eq!(terms["evaluator"], "hand-crafted");
    let by_terms = bench(&mut engine);
    assert_ne!(by_terms, inside);
    let notes = engine.notes(&format!("setoption name EvalFile value {file}"));
    let description = "Network: width 32, one output bucket: nothing but queens";
    assert_eq!(notes, [format!("{description}; not in use: Evaluator is hand-crafted")]);
    assert_eq!(bench(&mut engine), by_terms, "it was not chosen");
    engine.quietly("setoption name Evaluator value network");
    let network = evaluation(&mut engine);
    assert!(knows_queens(&network) && network["evaluator"] == "network");
    assert_eq!(network["score"], json!({ "units": 30, "centipawns": 21 }));
    assert_eq!(network["score"], network["network"]["score"]);
    assert_eq!(terms["score"], terms["hand_crafted"]["score"]);
    assert_eq!(network["hand_crafted"], terms["hand_crafted"]);
    let by_queens = bench(&mut engine);
    assert!(by_queens != inside && by_queens != by_terms);
    engine.quietly("setoption name EvalFile value <empty>");
    assert_eq!(bench(&mut engine), inside);
    engine.quietly("setoption name Evaluator value hand-crafted");
    assert_eq!(bench(&mut engine), by_terms);
    engine.quit();
    let mut client = Client::ready();
    assert_eq!(client.said(&format!("option EvalFile={file}")), [format!("# {description}")]);
    client.quietly("option Evaluator=hand-crafted");
    client.quit();
}

#[test]
fn eval_shows_what_each_piece_is_worth_to_the_network() {
    let folder = Folder::new();
    let file = folder.file("queens.net", queens(WIDTH));
    let shown = good(&["eval", "--eval-file", &file, QUEEN]);
    let values: Vec<&str> = shown.out.lines().filter(|line| line.contains("+0.21")).collect();
    // Below the queen, and the whole.
    assert_eq!(values[0], "|       |       |       | +0.21 |       |       |       |       |");
    assert_eq!(values[1], "Network evaluation: +0.21 (White's view)");
    assert_eq!(values[2], "Final evaluation: +0.21 (White's view, network)");
    assert!(shown.out.contains("Mobility") && shown.out.contains("Hand-crafted evaluation: "));
    let json = |fen: &str| -> Value {
        let shown = good(&["eval", "--json", "--eval-file", &file, fen]);
        serde_json::from_str(&shown.out).expect("one JSON object")
    };
    let network = &json(&QUEEN.replace(" w ", " b "))["network"];
    assert_eq!(network["score"], json!({ "units": 30, "centipawns": 21 }), "White's view");
    let pieces = json!([
        { "square": "d1", "piece": "Q", "units": 30 },
        { "square": "e1", "piece": "K", "units": null },
        { "square": "e7", "piece": "p", "units": 0 },
        { "square": "e8", "piece": "k", "units": null },
    ]);
    assert_eq!(network["pieces"], pieces);
    let check = json("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert_eq!(check["network"]["score"], Value::Null);
    let refused = run(&["eval", "--eval-file", &folder.file("text", "no network")]);
    assert_eq!((refused.code(), refused.out.as_str()), (2, ""));
}
