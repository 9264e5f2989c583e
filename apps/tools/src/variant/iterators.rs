//! `tamarin variant iterators`: compares move orders by their branching factors, as tables 7.3 and 7.4 of
//! the thesis have it.

use std::sync::Arc;
use std::time::Instant;

use indicatif::ProgressBar;
use serde_json::{Value, json};
use tamarin_variant::{Move, Position, builtin};
use tamarin_variant_search::EngineError;
use tamarin_variant_search::evaluate::Evaluator;
use tamarin_variant_search::thesis::MoveOrder;

use super::player::{Effort, Player, Policy};
use super::source::Failure;
use super::standings::table_line;

/// What `iterators` takes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct IteratorsArguments {
    /// Plies to search for each move
    #[arg(long, value_name = "PLIES", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Compare with minimax, which cuts nothing: for depths up to 3
    #[arg(long)]
    minimax: bool,
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
    policies
        .retain(|&(_, policy)| arguments.minimax || policy != Policy::Thesis(MoveOrder::Minimax));
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
    let means = (0..names.len())
        .map(|column| mean(rows.iter().flat_map(|(_, cells)| cells[column].branching)))
        .collect::<Vec<f64>>();
    Ok(if arguments.json { json(&rows, &names, means) } else { text(&rows, &names, &means) })
}

/// The answers to 1. e4, to a queen move onto a square that Black does not attack, and to another
/// such move. The thesis does not say which squares those were: the second and the third answer are
/// means over all of them, and so is the time.
fn three_moves(
    evaluator: &Arc<Evaluator>,
    policy: Policy,
    depth: u32,
) -> Result<Cell, EngineError> {
    let mut answers: [Vec<(f64, f64)>; 3] = Default::default();
    let mut player = Player::with_evaluator(policy, Arc::clone(evaluator))?;
    let mut think = |position: &mut Position, number: usize| {
        let begin = Instant::now();
        player.new_game();
        let answer = player.think(position, Effort::depth(depth));
        answers[number].push((answer.branching, begin.elapsed().as_secs_f64()));
        answer.mv.map(|m| position.make(m)).is_some()
    };
    let mut start = Position::start(evaluator.game());
    let pawn_move = start.parse_move("e2e4").ok();
    if let Some(m) = pawn_move.or_else(|| start.legal_moves().first().copied()) {
        start.make(m);
        think(&mut start, 0);
    }
    for first in queen_moves(&start) {
        let mut position = start.clone();
        position.make(first);
        if !think(&mut position, 1) {
            continue;
        }
        for second in queen_moves(&position) {
            let mut position = position.clone();
            position.make(second);
            think(&mut position, 2);
        }
    }
    let seconds = answers.iter().map(|own| mean(own.iter().map(|answer| answer.1))).sum();
    let branching = answers.map(|own| mean(own.iter().map(|answer| answer.0)));
    Ok(Cell { branching, seconds })
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
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
fn text(rows: &[(&str, Vec<Cell>)], names: &[&str], means: &[f64]) -> String {
    let line = |heading: &str, cells: Vec<String>| {
        table_line(heading, 22, cells.into_iter().map(|cell| (cell, 15)))
    };
    let names = || names.iter().map(|&name| name.to_owned()).collect();
    let rows = |cell: fn(&Cell) -> String| {
        let rows = rows.iter().map(|(spec, cells)| line(spec, cells.iter().map(cell).collect()));
        rows.collect::<String>()
    };
    let factors = |Cell { branching: [a, b, c], .. }: &Cell| format!("{a:.1},{b:.1},{c:.1}");
    line("branching factor", names())
        + &rows(factors)
        + &line("mean", means.iter().map(|mean| format!("{mean:.2}")).collect())
        + "\n"
        + &line("seconds", names())
        + &rows(|cell| format!("{:.3}", cell.seconds))
}

fn json(rows: &[(&str, Vec<Cell>)], names: &[&str], means: Vec<f64>) -> String {
    let cells = rows.iter().flat_map(|(spec, cells)| {
        cells.iter().zip(names).map(move |(cell, name)| {
            json!({ "evaluator": spec, "iterator": name, "branching": cell.branching,
                "seconds": cell.seconds })
        })
    });
    let cells: Vec<Value> = cells.collect();
    let means: serde_json::Map<String, Value> =
        names.iter().zip(means).map(|(name, mean)| ((*name).to_owned(), mean.into())).collect();
    format!("{}\n", json!({ "cells": cells, "means": means }))
}
