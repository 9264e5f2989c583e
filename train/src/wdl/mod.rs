//! `wdl`: what a score means, from the results of games.

mod model;
mod simplex;
mod win_model;

use std::path::PathBuf;

use tamarin_eval::UNITS_PER_PAWN;
use tamarin_movegen::{PieceKind, Position};

use crate::data::{FilterWithChecks, GamesError, Outcome, for_each_game};

use model::{Counts, FULL_MATERIAL, Model};

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    filter: FilterWithChecks,
}

/// Prints the score that wins half of the games, the model of the chances to win, draw and
/// lose, and how well it agrees with the games.
///
/// # Errors
/// If a file is damaged.
pub fn run(arguments: &Arguments) -> Result<(), GamesError> {
    let mut counts = Counts::default();
    for_each_game(&arguments.files, |_, game| {
        game.replay(|position, ply| {
            if arguments.filter.keeps(position, ply) {
                counts.add(ply.score.into(), material(position), game.outcome);
            }
        });
        Ok::<(), GamesError>(())
    })?;
    let model = Model::fit(&counts);
    let loss = counts.cross_entropy(&model);
    println!("{} positions; cross entropy {loss:.4} a position", counts.total());
    let pawn = half_won(&counts);
    println!(
        "half of the games are won at {pawn:.0} engine units; UNITS_PER_PAWN is {UNITS_PER_PAWN}"
    );
    print_constants(&model, f64::from(UNITS_PER_PAWN));
    print_constants(&model, pawn.round());
    print_table(&counts, &model);
    Ok(())
}

/// The score at which half of the games are won, over all positions.
fn half_won(counts: &Counts) -> f64 {
    let samples = counts.scores().flat_map(|(score, results)| {
        Outcome::ALL.into_iter().flat_map(move |outcome| {
            std::iter::repeat_n((score, outcome), results[outcome.index()] as usize)
        })
    });
    win_model::half_won(samples)
}

/// The constants of the model in centipawns, as the engine states them.
fn print_constants(model: &Model, units_per_pawn: f64) {
    let centipawns = |ends: [f64; 2]| ends.map(|units| (units * 100.0 / units_per_pawn).round());
    let ([half, bare_half], [spread, bare_spread]) =
        (centipawns(model.half_won), centipawns(model.spread));
    println!("with {units_per_pawn:.0} units a pawn, with all the pieces and with none:");
    println!("    const HALF_WON: [f64; 2] = [{half:.1}, {bare_half:.1}];");
    println!("    const SPREAD: [f64; 2] = [{spread:.1}, {bare_spread:.1}];");
}

/// Chances foretold and seen, by material and score.
fn print_table(counts: &Counts, model: &Model) {
    println!("\nmaterial     score    positions   won: model  seen   drawn: model  seen");
    for (from, to) in [(0, 19), (20, 39), (40, 59), (60, FULL_MATERIAL)] {
        for score in (-450..=450).step_by(100) {
            let range = (score - 50)..(score + 50);
            let Some(row) = counts.compare(model, from..=to, range) else { continue };
            let [won, drawn] = [row.won, row.drawn].map(|pair| pair.map(|share| 100.0 * share));
            println!(
                "{from:>3} to {to:<3} {score:>8} {:>12} {:>11.1} {:>5.1} {:>14.1} {:>5.1}",
                row.positions, won[0], won[1], drawn[0], drawn[1],
            );
        }
    }
}

/// Pawns and pieces counted 1, 3, 3, 5, 9 for both sides; 78 at the start.
fn material(position: &Position) -> usize {
    let values = [
        (PieceKind::Pawn, 1),
        (PieceKind::Knight, 3),
        (PieceKind::Bishop, 3),
        (PieceKind::Rook, 5),
        (PieceKind::Queen, 9),
    ];
    values.into_iter().map(|(kind, value)| position.pieces(kind).len() as usize * value).sum()
}
