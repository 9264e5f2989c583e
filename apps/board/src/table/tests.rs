//! What a table does while nobody looks.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_chess::evaluator::EvaluatorChoice;
use tamarin_search::TablebaseProbe;

use super::Table;
use crate::seeker::Resources;

/// Nothing that works takes so long, however busy the computer is.
const PATIENCE: Duration = Duration::from_secs(120);

fn table(open: Value) -> Table {
    let resources = Resources {
        hash: 1,
        threads: 1,
        evaluator: EvaluatorChoice::default(),
        tablebases: TablebaseProbe::default(),
        learned: None,
        invitation: Arc::default(),
    };
    let open = serde_json::from_value(open).unwrap();
    Table::open("0123456789abcdef".to_owned(), open, resources).unwrap()
}

fn perform(table: &mut Table, command: Value) {
    table.perform(serde_json::from_value(command).unwrap()).unwrap();
}

/// Plays a move, and waits for that of the engine.
fn play(table: &mut Table, mv: &str) {
    let (replied, since) = (table.tree.len() + 2, Instant::now());
    perform(table, json!({"do": "move", "mv": mv}));
    while table.tree.len() < replied {
        assert!(since.elapsed() < PATIENCE, "no reply to {mv}");
        table.advance(Instant::now());
        thread::yield_now();
    }
}

#[test]
fn the_engine_of_a_player_is_dropped_with_the_last_page_and_made_again() {
    let open = json!({"kind": "play", "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                      "black": {"kind": "engine", "level": 1}});
    let mut table = table(open);
    let has_engine = |table: &Table| table.players.0.iter().any(|one| one.seeker.is_some());
    let page = table.listen();
    play(&mut table, "e2e4");
    assert!(has_engine(&table));
    drop(page);
    table.leave();
    assert!(!has_engine(&table));
    let _page = table.listen();
    play(&mut table, "e4e5");
}

#[test]
fn the_engines_of_an_analysis_are_dropped_with_the_last_page_and_made_again() {
    let mut table = table(json!({"kind": "analyse"}));
    let engines = |table: &Table| {
        let analysis = &table.analysis;
        [&table.advisor, &analysis.seeker, &analysis.threats.seeker].map(Option::is_some)
    };
    let page = table.listen();
    perform(&mut table, json!({"do": "analyse", "on": true, "threats": true}));
    perform(&mut table, json!({"do": "hint", "step": 1}));
    table.advance(Instant::now());
    assert_eq!(engines(&table), [true; 3]);
    drop(page);
    table.leave();
    assert_eq!(engines(&table), [false; 3]);
    let _page = table.listen();
    table.advance(Instant::now());
    assert_eq!(engines(&table), [false, true, true], "nobody has asked for a hint since");
}
