//! Explanations of positions of suites and of blunders, each sentence replayed by code of this
//! test's own, and, where a program is named, compared with its lines.
//!
//! `make prove-explain` runs all 250 positions; `OPPONENT=path` names the program.

mod cases;
mod opponent;
mod replay;

use tamarin_analysis::analyzer::{Analyzer, Effort};
use tamarin_analysis::explain::{Explanation, Inquiry};
use tamarin_game::engine_process::EngineSettings;
use tamarin_movegen::Position;
use tamarin_search::{Limits, TablebaseProbe};

use cases::Case;

/// Tablebases, where there are any.
fn tables() -> TablebaseProbe {
    let folder = cases::folder("syzygy").unwrap_or_default();
    TablebaseProbe::load(folder.to_str().unwrap()).0
}

/// An engine with one thread and searches of `nodes` nodes, and with tablebases where there are any.
fn engine(nodes: u64) -> Analyzer {
    let engine = EngineSettings { hash: 16, tablebases: tables(), ..EngineSettings::default() };
    let effort = Effort { limits: Limits::nodes(nodes), lines: 1, engine };
    Analyzer::new(&effort, 1).unwrap()
}

fn explain(engine: &mut Analyzer, case: &Case) -> Explanation {
    engine.new_game().unwrap();
    let position = case.position.clone();
    let inquiry = match case.mv {
        Some(mv) => Inquiry::of_move(position, mv),
        None => Inquiry::of_position(position),
    };
    inquiry.run(&mut |request| engine.answer(request).unwrap())
}

fn nodes(usual: u64) -> u64 {
    std::env::var("TAMARIN_EXPLAIN_NODES").map_or(usual, |text| text.parse().unwrap())
}

#[test]
fn long_every_claim_is_shown_by_its_own_line() {
    let (mut engine, tables) = (engine(nodes(10_000)), tables());
    let mut sentences = 0;
    let mut unproved = Vec::new();
    for case in cases::some() {
        let explanation = explain(&mut engine, &case);
        assert!(!explanation.sentences.is_empty(), "{}: nothing is said", case.name);
        for sentence in &explanation.sentences {
            if let Err(reason) = replay::check(&tables, &case, sentence) {
                let text = sentence.text.clone();
                unproved.push(format!("{}: {reason}: {text} {:?}", case.name, sentence.line.moves));
            }
        }
        sentences += explanation.sentences.len();
    }
    println!("{sentences} sentences replayed");
    assert!(unproved.is_empty(), "{}", unproved.join("\n"));
}

/// A rook wins against a bare king, but not within the eight plies that the clock leaves.
#[test]
fn a_win_that_the_clock_prevents_is_a_draw() {
    if cases::folder("syzygy").is_none() {
        println!("SKIP 1: no syzygy where TAMARIN_TEST_DATA says");
        return;
    }
    let (mut engine, tables) = (engine(5_000), tables());
    for (clock, words) in [(0, "keeps the win"), (60, "keeps the win"), (92, "keeps the draw")] {
        let name = format!("8/8/8/4k3/8/8/8/KR6 w - - {clock} 100");
        let position = Position::from_fen(&name).unwrap();
        let case = Case { name, position, mv: None };
        let explanation = explain(&mut engine, &case);
        assert!(explanation.sentences[0].text.contains(words), "{:?}", explanation.lines());
        for sentence in &explanation.sentences {
            assert_eq!(replay::check(&tables, &case, sentence), Ok(()), "{}", sentence.text);
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let case = cases::blunders().remove(0);
    let text = || explain(&mut engine(5_000), &case).lines();
    assert_eq!(text(), text());
}

#[test]
fn the_main_claims_agree_with_another_program() {
    let Some(mut opponent) = opponent::Opponent::of_environment() else {
        println!("SKIP 1: no program in TAMARIN_OPPONENT whose lines claims are compared with");
        return;
    };
    let mut engine = engine(nodes(10_000));
    let mut sums = std::collections::BTreeMap::<String, (usize, usize)>::new();
    let (mut agree, mut all) = (0, 0);
    for (number, case) in cases::some().into_iter().enumerate() {
        let explanation = explain(&mut engine, &case);
        let main = &explanation.sentences[0];
        let compared = opponent.compare(&explanation);
        let agrees = usize::from(compared.is_ok());
        (agree, all) = (agree + agrees, all + 1);
        let kind = main.claim.to_json()["kind"].as_str().unwrap().to_owned();
        // Thresholds were chosen by the cases with even numbers.
        let half = if number % 2 == 0 { "even numbers" } else { "odd numbers" };
        for key in [kind, half.to_owned()] {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + agrees, sum.1 + 1);
        }
        if let Err(found) = compared {
            let own = main.line.text(0, usize::MAX);
            println!(
                "differs: {number}: {}\n  {}\n  {own}\n  opponent: {found}",
                case.name, main.text
            );
        }
    }
    println!("{agree} of {all} agree: {sums:?}");
    assert!(agree * 10 >= all * 9, "{agree} of {all} agree");
}
