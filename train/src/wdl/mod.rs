//! `wdl`: what a score means, from the results of games.

pub mod model;
pub mod simplex;
pub mod win_model;

use std::path::PathBuf;

use tamarin_eval::UNITS_PER_PAWN;
use tamarin_eval::wdl::{Parameter, WdlModel, material};

use crate::data::{FilterWithChecks, GameResult, for_each_game};
use crate::error::{Result, reject};
use crate::report::report;

use model::{Counts, FULL_MATERIAL};

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
pub fn run(arguments: &Arguments) -> Result<()> {
    let mut counts = Counts::default();
    for_each_game(&arguments.files, |_, game| {
        game.replay(|position, ply| {
            if arguments.filter.keeps(position, ply) {
                counts.add(ply.score.into(), material(position) as usize, game.outcome);
            }
            Ok(())
        })
    })?;
    let Some(pawn) = half_won(&counts) else {
        reject!(
            "the score does not tell who wins: at no score below 1,500 units half of the games are \
             won, or the games hold no position that is kept and has such a score"
        )
    };
    let pawn = pawn.round() as i32;
    let model = model::fit(&counts);
    let loss = counts.cross_entropy(&model);
    report!("{} positions; cross entropy {loss:.4} a position", counts.total());
    report!("half of the games are won at {pawn} engine units; UNITS_PER_PAWN is {UNITS_PER_PAWN}");
    print_constants(&model, f64::from(UNITS_PER_PAWN));
    // Without draws half of the games are won at 0.
    if pawn > 0 {
        print_constants(&model, pawn.into());
    }
    print_table(&counts, &model);
    Ok(())
}

/// The score at which half of the games are won, over all positions; `None` if there is none.
fn half_won(counts: &Counts) -> Option<f64> {
    let samples = counts.scores().flat_map(|(score, results)| {
        GameResult::ALL.into_iter().map(move |outcome| (score, outcome, results[outcome.index()]))
    });
    win_model::half_won(samples)
}

/// Prints the constants of a model for scores in engine units.
fn print_constants(model: &WdlModel, units_per_pawn: f64) {
    let parameter = |Parameter { full, empty }| {
        let [full, empty] =
            [full, empty].map(|units: f64| (units * 100.0 / units_per_pawn).round());
        Parameter { full, empty }
    };
    let centipawns =
        WdlModel { half_won: parameter(model.half_won), spread: parameter(model.spread) };
    report!("with {units_per_pawn:.0} units a pawn, for eval/src/wdl.rs:");
    report!("{}", constants(&centipawns));
}

/// The constants of a model for scores in centipawns, as the source of [`tamarin_eval::wdl`] has
/// them.
pub fn constants(model: &WdlModel) -> String {
    let line = |name: &str, Parameter { full, empty }: Parameter| {
        format!("const {name}: Parameter = Parameter {{ full: {full:.1}, empty: {empty:.1} }};")
    };
    [line("HALF_WON", model.half_won), line("SPREAD", model.spread)].join("\n")
}

/// Chances predicted and seen, by material and score.
fn print_table(counts: &Counts, model: &WdlModel) {
    report!("\nmaterial     score    positions   won: model  seen   drawn: model  seen");
    for (from, to) in [(0, 19), (20, 39), (40, 59), (60, FULL_MATERIAL)] {
        for score in (-450..=450).step_by(100) {
            let range = (score - 50)..(score + 50);
            let Some(row) = counts.compare(model, from..=to, range) else { continue };
            let [won, drawn] = [row.won, row.drawn].map(|pair| pair.map(|share| 100.0 * share));
            report!(
                "{from:>3} to {to:<3} {score:>8} {:>12} {:>11.1} {:>5.1} {:>14.1} {:>5.1}",
                row.positions,
                won[0],
                won[1],
                drawn[0],
                drawn[1],
            );
        }
    }
}
