//! Explanations of positions of suites and of blunders, each sentence replayed by code of this
//! test's own, and, where a program is named, compared with its lines.
//!
//! `make prove-explain` runs all 250 positions; `OPPONENT=path` names the program.

mod cases;
mod opponent;
mod planted;
mod replay;

use std::sync::{Arc, LazyLock};

use tamarin_eval::network::Network;
use tamarin_explain::{Explanation, Found, GameResult, Inquiry, Request};
use tamarin_search::{Collector, Idle, Limits, SearchOptions};

use cases::Case;

static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(Network::embedded);

/// An engine with one thread, and with tablebases where there are any.
fn engine() -> Idle {
    let mut idle = Idle::new().unwrap();
    idle.set_network(Some(Arc::clone(&NETWORK))).unwrap();
    if let Some(folder) = cases::folder("syzygy") {
        idle.set_tablebases(folder.to_str().unwrap());
    }
    idle
}

/// Carries out a search with so many nodes.
fn search(idle: &mut Idle, request: &Request, nodes: u64) -> Option<Found> {
    let limits = Limits { search_moves: request.search_moves(), ..Limits::nodes(nodes) };
    let collector = Collector::new();
    let options = SearchOptions::default();
    let best = idle.search(&request.position, limits, &options, collector.observer());
    let moves = collector.reports().last().map(|report| report.pv.clone()).unwrap_or_default();
    let moves = if moves.first() == best.best.as_ref() { moves } else { vec![best.best?] };
    let result = idle.tablebase_result(&request.position).map(|value| match value {
        1.. => GameResult::Won,
        0 => GameResult::Drawn,
        _ => GameResult::Lost,
    });
    Some(Found { score: best.score, moves, result })
}

fn explain(idle: &mut Idle, case: &Case, nodes: u64) -> Explanation {
    idle.new_game();
    let position = case.position.clone();
    let inquiry = match case.mv {
        Some(mv) => Inquiry::of_move(position, mv),
        None => Inquiry::of_position(position),
    };
    inquiry.run(&mut |request| search(idle, request, nodes))
}

fn nodes(usual: u64) -> u64 {
    std::env::var("TAMARIN_EXPLAIN_NODES").map_or(usual, |text| text.parse().unwrap())
}

#[test]
fn every_claim_is_shown_by_its_own_line() {
    let mut idle = engine();
    let mut sentences = 0;
    let mut unproved = Vec::new();
    for case in cases::some() {
        let explanation = explain(&mut idle, &case, nodes(10_000));
        assert!(!explanation.sentences.is_empty(), "{}: nothing is said", case.name);
        for sentence in &explanation.sentences {
            if let Err(reason) = replay::check(&idle, &case, sentence) {
                let text = sentence.text.clone();
                unproved.push(format!("{}: {reason}: {text} {:?}", case.name, sentence.line.moves));
            }
        }
        sentences += explanation.sentences.len();
    }
    println!("{sentences} sentences replayed");
    assert!(unproved.is_empty(), "{}", unproved.join("\n"));
}

#[test]
fn the_same_question_has_the_same_answer() {
    let case = cases::blunders().remove(0);
    let text = || explain(&mut engine(), &case, 5_000).lines();
    assert_eq!(text(), text());
}

#[test]
fn the_main_claims_agree_with_another_program() {
    let Some(mut opponent) = opponent::Opponent::of_environment() else {
        // Nobody misses it: `make prove-explain OPPONENT=path` asks for it.
        println!("no opponent named: nothing to compare with");
        return;
    };
    let mut idle = engine();
    let (mut agree, mut all) = (0, 0);
    let mut kinds = std::collections::BTreeMap::<String, (u32, u32)>::new();
    for case in cases::some() {
        let explanation = explain(&mut idle, &case, nodes(10_000));
        let main = &explanation.sentences[0];
        let agrees = opponent.agrees(&explanation);
        all += 1;
        agree += u32::from(agrees);
        let kind = main.claim.to_json()["kind"].as_str().unwrap().to_owned();
        let entry = kinds.entry(kind).or_default();
        entry.0 += u32::from(agrees);
        entry.1 += 1;
        if !agrees {
            println!("differs: {}: {}", case.name, main.text);
        }
    }
    println!("{agree} of {all} agree: {kinds:?}");
    assert!(agree * 10 >= all * 9, "{agree} of {all} agree");
}
