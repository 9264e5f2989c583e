//! `stats`: what files of games hold.

use core::fmt;

use tamarin_movegen::{PieceKind, Position};

use crate::data::{FilterWithChecks, FilteredGames, Game, GameResult, for_each_game};
use crate::error::Result;
use crate::report::report;

/// Engine units in a row of the histogram of scores.
const BIN: i32 = 100;

/// Prints a row for each file, then results by phase and by score over all files.
pub fn run(arguments: &FilteredGames) -> Result<()> {
    let mut all = Stats::default();
    report!("{:>10} {:>12} {:>12} {:>6} {:>6}  results", "games", "plies", "kept", "kept", "plies");
    for path in &arguments.files {
        let mut stats = Stats::default();
        for_each_game(core::slice::from_ref(path), |_, game| stats.add(&game, &arguments.filter))?;
        report!("{}  {}", stats.row(), path.display());
        all.merge(&stats);
    }
    if arguments.files.len() > 1 {
        report!("{}  together", all.row());
    }
    report!("{}", all.to_string().trim_end());
    Ok(())
}

/// Counts by result: Black won, drawn, White won.
type Results = [u64; 3];

/// What games hold.
#[derive(Clone, Default, Debug)]
struct Stats {
    plies: u64,
    games: Results,
    /// Positions kept by phase: no pieces, 1 to 6, 7 to 12, 13 to 18, 19 to 24.
    phases: [Results; 5],
    /// Positions kept by score, in [`BIN`]s of units from White's view: the first bin holds
    /// scores below `FIRST_BIN`, the last those from its opposite on.
    scores: [Results; BINS],
}

const BINS: usize = 22;
const FIRST_BIN: i32 = -(BINS as i32 - 2) / 2 * BIN;

impl Stats {
    fn add(&mut self, game: &Game, filter: &FilterWithChecks) -> Result<()> {
        let outcome = game.outcome.index();
        self.games[outcome] += 1;
        self.plies += game.plies.len() as u64;
        game.replay(|position, ply| {
            if filter.keeps(position, ply) {
                self.phases[phase(position).div_ceil(6)][outcome] += 1;
                self.scores[bin(ply.score.into())][outcome] += 1;
            }
            Ok(())
        })
    }

    fn merge(&mut self, other: &Self) {
        let add = |sum: &mut Results, more: &Results| {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        self.plies += other.plies;
        add(&mut self.games, &other.games);
        self.phases.iter_mut().zip(&other.phases).for_each(|(sum, more)| add(sum, more));
        self.scores.iter_mut().zip(&other.scores).for_each(|(sum, more)| add(sum, more));
    }

    fn kept(&self) -> u64 {
        self.phases.iter().flatten().sum()
    }

    fn row(&self) -> String {
        let games: u64 = self.games.iter().sum();
        let share = 100.0 * self.kept() as f64 / self.plies.max(1) as f64;
        let length = self.plies as f64 / games.max(1) as f64;
        let [losses, draws, wins] = self.games;
        let (plies, kept) = (self.plies, self.kept());
        format!(
            "{games:>10} {plies:>12} {kept:>12} {share:>5.1}% {length:>6.1}  +{wins} ={draws} -{losses}"
        )
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PHASES: [&str; 5] =
            ["pawns only", "phase 1 to 6", "phase 7 to 12", "phase 13 to 18", "phase 19 to 24"];
        writeln!(f, "\npositions kept{:>12}{}", "", HEADING)?;
        for (name, results) in PHASES.iter().zip(&self.phases).rev() {
            writeln!(f, "{name:<26}{}", line(results, self.kept()))?;
        }
        writeln!(f, "\nscore in units, White's view{HEADING:>}")?;
        for (index, results) in self.scores.iter().enumerate() {
            let from = FIRST_BIN + BIN * (index as i32 - 1);
            let name = match index {
                0 => format!("below {FIRST_BIN}"),
                index if index == BINS - 1 => format!("{from} and above"),
                _ => format!("{from} to {}", from + BIN - 1),
            };
            writeln!(f, "{name:<26}{}", line(results, self.kept()))?;
        }
        Ok(())
    }
}

const HEADING: &str = "   positions   share   White    draw   Black    mean";

/// A count, its share of all, the shares of the results and White's mean score.
fn line(results: &Results, all: u64) -> String {
    let count: u64 = results.iter().sum();
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let [black, draw, white] = results.map(|part| share(part, count));
    let mean = GameResult::ALL
        .map(|outcome| f64::from(outcome.for_white()) * results[outcome.index()] as f64);
    let mean = mean.iter().sum::<f64>() / count.max(1) as f64;
    let share = share(count, all);
    format!("{count:>12} {share:>6.2}% {white:>6.1}% {draw:>6.1}% {black:>6.1}%   {mean:.3}")
}

fn bin(score: i32) -> usize {
    ((score - FIRST_BIN).div_euclid(BIN) + 1).clamp(0, BINS as i32 - 1) as usize
}

/// 24 with all pieces on the board, 0 with kings and pawns only.
fn phase(position: &Position) -> usize {
    let count = |kind| position.pieces(kind).len() as usize;
    let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
    (minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen)).min(24)
}
