//! `wdl`: what a score means, from the results of games.

use core::ops::{Range, RangeInclusive};

use tamarin_eval::UNITS_PER_PAWN;
use tamarin_eval::wdl::{self, Parameter, WdlModel, material};

use crate::data::{FilteredGames, GameResult, for_each_game};
use crate::error::{Result, reject};
use crate::report::report;

/// Prints the score that wins half of the games, the model of the chances to win, draw and
/// lose, and how well it agrees with the games.
pub fn run(arguments: &FilteredGames) -> Result<()> {
    let mut counts = Counts::default();
    for_each_game(&arguments.files, |_, game| {
        game.replay(|position, ply| {
            if arguments.filter.keeps(position, ply) {
                counts.add(ply.score.into(), material(position) as usize, game.outcome);
            }
            Ok(())
        })
    })?;
    let Some(pawn) = half_won(counts.results()) else {
        reject!(
            "the score does not tell who wins: at no score below 1,500 units half of the games are \
             won, or the games hold no position that is kept and has such a score"
        )
    };
    let pawn = pawn.round() as i32;
    let model = fit(&counts);
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

pub const FULL_MATERIAL: usize = wdl::FULL_MATERIAL as usize;

/// Scores further from zero count as this, in engine units.
pub const MAX_SCORE: i32 = 1_500;

/// Engine units that are counted together.
const BIN: i32 = 5;
const BINS: usize = (2 * MAX_SCORE / BIN) as usize + 1;

/// The most likely model for these games, for scores in engine units.
pub fn fit(counts: &Counts) -> WdlModel {
    let from = |[half_won, bare_half_won, spread, bare_spread]: [f64; 4]| WdlModel {
        half_won: Parameter { full: half_won, empty: bare_half_won },
        spread: Parameter { full: spread, empty: bare_spread },
    };
    let loss = |point: [f64; 4]| counts.cross_entropy(&from(point));
    from(minimum(loss, [100.0, 200.0, 80.0, 60.0], 20.0))
}

/// The probabilities that White loses, draws and wins, in the order of [`GameResult`].
pub fn chances(model: &WdlModel, score: f64, material: usize) -> [f64; 3] {
    let [win, draw, loss] = model.probabilities(score, material as u32);
    [loss, draw, win]
}

/// Results counted by material and score.
pub struct Counts {
    /// `[material][bin of scores][outcome]`.
    table: Vec<[[u64; 3]; BINS]>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { table: vec![[[0; 3]; BINS]; FULL_MATERIAL + 1] }
    }
}

/// What a model says of some positions, and what happened; each pair in this order.
pub struct Comparison {
    pub positions: u64,
    pub won: [f64; 2],
    pub drawn: [f64; 2],
}

impl Counts {
    /// A position with this score (engine units, White's view) in a game that ended so.
    pub fn add(&mut self, score: i32, material: usize, outcome: GameResult) {
        let bin = (score.clamp(-MAX_SCORE, MAX_SCORE) + MAX_SCORE + BIN / 2) / BIN;
        self.table[material.min(FULL_MATERIAL)][bin as usize][outcome.index()] += 1;
    }

    pub fn total(&self) -> u64 {
        self.table.iter().flatten().flatten().sum()
    }

    /// How often each result occurred at a score, over all material.
    pub fn results(&self) -> impl Iterator<Item = (f64, GameResult, u64)> + '_ {
        (0..BINS).flat_map(|bin| {
            GameResult::ALL.map(|outcome| {
                let count = self.table.iter().map(|row| row[bin][outcome.index()]).sum();
                (center(bin), outcome, count)
            })
        })
    }

    fn cells(&self) -> impl Iterator<Item = (usize, f64, &[u64; 3])> {
        self.table.iter().enumerate().flat_map(|(material, row)| {
            let cell = move |(bin, results)| (material, center(bin), results);
            row.iter().enumerate().map(cell)
        })
    }

    pub fn cross_entropy(&self, model: &WdlModel) -> f64 {
        let mut sum = 0.0;
        for (material, score, results) in self.cells().filter(|cell| *cell.2 != [0; 3]) {
            let chances = chances(model, score, material);
            for (&count, chance) in results.iter().zip(chances) {
                sum -= count as f64 * chance.max(1e-9).ln();
            }
        }
        sum / self.total().max(1) as f64
    }

    /// How a model does on positions with such material and scores; `None` without any.
    pub fn compare(
        &self,
        model: &WdlModel,
        materials: RangeInclusive<usize>,
        scores: Range<i32>,
    ) -> Option<Comparison> {
        let scores = f64::from(scores.start)..f64::from(scores.end);
        let (mut positions, mut predicted, mut seen) = (0, [0.0; 3], [0; 3]);
        for (material, score, results) in self.cells() {
            if !materials.contains(&material) || !scores.contains(&score) {
                continue;
            }
            let count: u64 = results.iter().sum();
            let chances = chances(model, score, material);
            for outcome in 0..3 {
                predicted[outcome] += chances[outcome] * count as f64;
                seen[outcome] += results[outcome];
            }
            positions += count;
        }
        let share = |outcome: GameResult| {
            let index = outcome.index();
            [predicted[index] / positions as f64, seen[index] as f64 / positions as f64]
        };
        let (won, drawn) = (share(GameResult::WhiteWin), share(GameResult::Draw));
        (positions > 0).then_some(Comparison { positions, won, drawn })
    }
}

fn center(bin: usize) -> f64 {
    f64::from(bin as i32 * BIN - MAX_SCORE)
}

/// The score that wins half of the games: the `center` of a chance to win at a score `x` of
/// `1 / (1 + exp((center - x) / width))`.
///
/// The most likely one for scores (engine units, White's view), the outcomes of their games and how
/// often they occurred, both sides' views of each. Scores of [`MAX_SCORE`] and more are left out;
/// `None` without wins, or if the chance does not rise with the score or is below a half at all that
/// count.
pub fn half_won(samples: impl IntoIterator<Item = (f64, GameResult, u64)>) -> Option<f64> {
    let max_score = f64::from(MAX_SCORE);
    let counted =
        samples.into_iter().filter(|&(score, _, count)| score.abs() < max_score && count > 0);
    let views: Vec<_> = counted
        .flat_map(|(score, outcome, count)| {
            let view = |score, winner| (score / SLOPE_UNIT, outcome == winner, count as f64);
            [view(score, GameResult::WhiteWin), view(-score, GameResult::BlackWin)]
        })
        .collect();
    if !views.iter().any(|&(_, is_won, _)| is_won) {
        return None;
    }
    // Of what happened, the negative logarithm of the likelihood.
    let loss = |[slope, offset]: [f64; 2]| -> f64 {
        let of = |&(score, is_won, count): &(f64, bool, f64)| {
            let z = if is_won { slope * score + offset } else { -(slope * score + offset) };
            // ln(1 + exp(-z)), where exp does not overflow.
            count * ((-z).max(0.0) + (-z.abs()).exp().ln_1p())
        };
        views.iter().map(of).sum()
    };
    let [slope, offset] = minimum(loss, [0.0; 2], 1.0);
    (slope > 0.0).then(|| -offset / slope * SLOPE_UNIT).filter(|&center| center < max_score)
}

/// Engine units by which the odds of a win change about as much as by a step of the offset.
const SLOPE_UNIT: f64 = 100.0;

/// Steps at most; a smooth function of four numbers takes about two hundred.
const STEPS: usize = 2_000;

/// Where `function` is smallest, searched from `start` with first steps of about `size`.
///
/// Source: J. Nelder and R. Mead, "A simplex method for function minimization", 1965, with
/// their coefficients.
fn minimum<const N: usize>(
    function: impl Fn([f64; N]) -> f64,
    start: [f64; N],
    size: f64,
) -> [f64; N] {
    let mut simplex = vec![(function(start), start)];
    for axis in 0..N {
        let mut point = start;
        point[axis] += size;
        simplex.push((function(point), point));
    }
    for _ in 0..STEPS {
        simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ((lowest, best), (highest, worst)) = (simplex[0], simplex[N]);
        if highest - lowest <= 1e-13 * lowest.abs() {
            break;
        }
        let mut middle = [0.0; N];
        for (_, point) in &simplex[..N] {
            middle.iter_mut().zip(point).for_each(|(sum, part)| *sum += part / N as f64);
        }
        // From the worst point through the middle of the others.
        let along = |factor: f64| {
            let point =
                core::array::from_fn(|axis| middle[axis] + factor * (middle[axis] - worst[axis]));
            (function(point), point)
        };
        let reflected = along(1.0);
        if reflected.0 < lowest {
            let expanded = along(2.0);
            simplex[N] = if expanded.0 < reflected.0 { expanded } else { reflected };
        } else if reflected.0 < simplex[N - 1].0 {
            simplex[N] = reflected;
        } else {
            let contracted = along(if reflected.0 < highest { 0.5 } else { -0.5 });
            if contracted.0 < highest.min(reflected.0) {
                simplex[N] = contracted;
            } else {
                for (value, point) in &mut simplex[1..] {
                    *point = core::array::from_fn(|axis| (point[axis] + best[axis]) / 2.0);
                    *value = function(*point);
                }
            }
        }
    }
    simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
    simplex[0].1
}
