//! `tamarin variant iterators`: compares move orders by their branching factors, as tables 7.3 and 7.4 of
//! the thesis have it.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use indicatif::ProgressBar;
use serde_json::{Value, json};
use tamarin_variant::{Move, Position, builtin};
use tamarin_variant_search::evaluate::Evaluator;
use tamarin_variant_search::thesis::{MoveOrder, search_with_branching};
use tamarin_variant_search::{BestMove, EngineError, Limits, Signals};

use super::player::{Player, Policy};
use super::source::Failure;

/// What `iterators` takes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct IteratorsArguments {
    /// Plies to search for each move
    #[arg(long, value_name = "PLIES", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// The evaluators of the table.
const EVALUATORS: [&str; 7] = [
    "sme",
    "sme+1/100*loc",
    "sme+1/100*king(sme)",
    "sme+sking",
    "sme+imm",
    "sme+immc",
    "sme+sound",
];

/// Three answers: children for each expanded node, and the time of all three.
struct Cell {
    branching: [f64; 3],
    seconds: f64,
}

pub(super) fn run(arguments: &IteratorsArguments) -> Result<String, Failure> {
    let game = builtin("fide").ok_or_else(|| Failure::Unknown { name: "fide".to_owned() })?;
    let mut policies: Vec<(&str, Policy)> =
        MoveOrder::ALL.iter().map(|&order| (order.name(), Policy::Thesis(order))).collect();
    policies.push(("tamarin", Policy::Tamarin));
    let bar = ProgressBar::new((EVALUATORS.len() * policies.len()) as u64);
    let mut rows = Vec::new();
    for spec in EVALUATORS {
        let mut cells = Vec::new();
        let parsed = spec.parse().map_err(Failure::Evaluator)?;
        let evaluator = Arc::new(Evaluator::new(&game, &parsed));
        for &(_, policy) in &policies {
            cells.push(three_moves(&evaluator, policy, arguments.depth)?);
            bar.inc(1);
        }
        rows.push((spec, cells));
    }
    bar.finish_and_clear();
    let names: Vec<&str> = policies.iter().map(|&(name, _)| name).collect();
    Ok(if arguments.json { json(&rows, &names) } else { text(&rows, &names) })
}

/// The answers to 1. e4, to a queen move onto a square that Black does not attack, and to another
/// such move. The thesis does not say which squares those were: the second and the third answer are
/// means over all of them, and so is the time.
fn three_moves(
    evaluator: &Arc<Evaluator>,
    policy: Policy,
    depth: u32,
) -> Result<Cell, EngineError> {
    let mut answers = [Mean::default(); 3];
    let mut think = |position: &mut Position, player: &mut Player, number: usize| {
        let begin = Instant::now();
        let (answer, branching) = think_counting(player, position, depth);
        answers[number].add(branching, begin.elapsed().as_secs_f64());
        answer.mv.map(|m| position.make(m)).is_some()
    };
    let mut player = Player::with_evaluator(policy, Arc::clone(evaluator))?;
    let mut start = Position::start(evaluator.game());
    let pawn_move = start.parse_move("e2e4").ok();
    if let Some(m) = pawn_move.or_else(|| start.legal_moves().first().copied()) {
        start.make(m);
        think(&mut start, &mut player, 0);
    }
    for first in queen_moves(&start) {
        let mut position = start.clone();
        position.make(first);
        player.new_game();
        if !think(&mut position, &mut player, 1) {
            continue;
        }
        for second in queen_moves(&position) {
            let mut position = position.clone();
            position.make(second);
            player.new_game();
            think(&mut position, &mut player, 2);
        }
    }
    let seconds = answers.iter().map(|answer| answer.of(answer.seconds)).sum();
    Ok(Cell { branching: answers.map(|answer| answer.of(answer.branching)), seconds })
}

/// The answer of a player, and its branching factor.
fn think_counting(player: &mut Player, position: &Position, depth: u32) -> (BestMove, f64) {
    let (limits, signals) = (Limits::depth(depth), Signals::default());
    match player {
        Player::Tamarin(engine) => search_with_branching(engine, position, &limits, &signals),
        Player::Thesis(engine) => {
            let answer = engine.search(position, &limits, &signals, |_| ());
            (answer, engine.branching())
        }
    }
}

/// Sums over searches.
#[derive(Clone, Copy, Default)]
struct Mean {
    searches: u32,
    branching: f64,
    seconds: f64,
}

impl Mean {
    fn add(&mut self, branching: f64, seconds: f64) {
        self.searches += 1;
        self.branching += branching;
        self.seconds += seconds;
    }

    fn of(self, sum: f64) -> f64 {
        sum / f64::from(self.searches.max(1))
    }
}

/// The queen's moves onto squares that the opponent does not attack.
fn queen_moves(position: &Position) -> Vec<Move> {
    let theirs = position.side_to_move().other();
    let mut moves = position.legal_moves();
    moves.retain(|m| {
        m.origin().and_then(|from| position.piece(from)).is_some_and(|(_, name)| name == "q")
            && !position.is_attacked(m.to, theirs)
    });
    moves
}

/// Branching factors of the three moves, then their means, then seconds.
fn text(rows: &[(&str, Vec<Cell>)], names: &[&str]) -> String {
    let mut text = format!("{:<22}", "branching factor");
    names.iter().for_each(|name| text += &format!(" {name:>15}"));
    text.push('\n');
    for (spec, cells) in rows {
        let _ = write!(text, "{spec:<22}");
        for Cell { branching: [a, b, c], .. } in cells {
            let _ = write!(text, " {:>15}", format!("{a:.1},{b:.1},{c:.1}"));
        }
        text.push('\n');
    }
    let _ = write!(text, "{:<22}", "mean");
    means(rows, names.len()).iter().for_each(|mean| text += &format!(" {mean:>15.2}"));
    let _ = write!(text, "\n\n{:<22}", "seconds");
    names.iter().for_each(|name| text += &format!(" {name:>15}"));
    text.push('\n');
    for (spec, cells) in rows {
        let _ = write!(text, "{spec:<22}");
        cells.iter().for_each(|cell| text += &format!(" {:>15.3}", cell.seconds));
        text.push('\n');
    }
    text
}

fn means(rows: &[(&str, Vec<Cell>)], columns: usize) -> Vec<f64> {
    let mean = |column: usize| {
        let all: Vec<f64> = rows.iter().flat_map(|(_, cells)| cells[column].branching).collect();
        all.iter().sum::<f64>() / all.len().max(1) as f64
    };
    (0..columns).map(mean).collect()
}

fn json(rows: &[(&str, Vec<Cell>)], names: &[&str]) -> String {
    let cells = rows.iter().flat_map(|(spec, cells)| {
        cells.iter().zip(names).map(move |(cell, name)| {
            json!({ "evaluator": spec, "iterator": name, "branching": cell.branching,
                "seconds": cell.seconds })
        })
    });
    let cells: Vec<Value> = cells.collect();
    let means: serde_json::Map<String, Value> = names
        .iter()
        .zip(means(rows, names.len()))
        .map(|(name, mean)| ((*name).to_owned(), mean.into()))
        .collect();
    format!("{}\n", json!({ "cells": cells, "means": means }))
}
