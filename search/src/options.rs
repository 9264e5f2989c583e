//! The options of a search.

use core::ops::RangeInclusive;

use tamarin_base::Millis;
use tamarin_eval::UNITS_PER_PAWN;

/// How well to play.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strength {
    /// As well as it can.
    #[default]
    Full,
    /// A level from 0 to 20; 20 is full strength. Greater numbers count as 20.
    Skill(u8),
    /// About this rating, 500 to 3190; clamped.
    Elo(u16),
}

/// Which progress is reported to the observer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reports {
    /// Every finished iteration and, in long searches for one line, every bound.
    #[default]
    All,
    /// Only the final lines.
    Minimal,
}

/// The contempts there are, in centipawns.
pub const CONTEMPT_RANGE: RangeInclusive<i32> = -100..=100;

/// The default contempt, in centipawns: none, for nothing is known of the opponent. 24, the
/// default of Stockfish 11, gained nothing that could be measured (runs M29 to M31 of
/// docs/results/matches.csv).
pub const DEFAULT_CONTEMPT: i32 = 0;

/// When endgame tablebases are probed, if there are any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseOptions {
    /// The least remaining depth, in plies, at which positions with the greatest number of
    /// pieces are probed: that of the largest table, but at most `probe_limit`. Those with fewer
    /// pieces always are.
    pub probe_depth: u32,
    /// The greatest number of pieces that is probed, kings included; 0 probes nothing.
    pub probe_limit: u32,
    /// Whether wins that the fifty-move rule makes draws (cursed wins) count as draws.
    pub fifty_move_rule: bool,
}

impl Default for TablebaseOptions {
    fn default() -> Self {
        Self { probe_depth: 1, probe_limit: 7, fifty_move_rule: true }
    }
}

/// The options of one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// How many best lines to find, 1 to 256; clamped.
    pub multi_pv: usize,
    /// Time that each move loses on the way between the engine and the clock.
    pub move_overhead: Millis,
    /// Whether the engine ponders: it may then spend a little more.
    pub ponder: bool,
    /// Node time: nodes that count as a millisecond; zero means that real time counts.
    pub node_time: u64,
    /// By how much a draw is worth less than an equal game while a clock runs, in centipawns
    /// with all pieces on the board; clamped to [`CONTEMPT_RANGE`]. Not used in analysis.
    pub contempt: i32,
    /// Whether evaluations lean towards the side that is ahead at the root. Training games
    /// do without: their scores are what the evaluation is fitted to.
    pub optimism: bool,
    /// When tablebases are probed.
    pub tablebases: TablebaseOptions,
    /// How well to play.
    pub strength: Strength,
    /// Which progress to report.
    pub reports: Reports,
    /// How long a search has to last until its bounds and the current root move are reported.
    pub report_delay: Millis,
    /// Seed of play that is weakened or varies. The same seed plays the same game.
    pub seed: u64,
    /// Whether play varies: moves whose scores differ by less than [`formula::VARIETY`] are chosen
    /// from by chance, unless weakened play errs more than that.
    ///
    /// [`formula::VARIETY`]: tamarin_base::formula::VARIETY
    pub varies: bool,
    /// After how many nodes of a thread that thread panics.
    #[cfg(feature = "inject-panic")]
    pub panic_at_nodes: Option<u64>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Millis::new(20),
            ponder: false,
            node_time: 0,
            contempt: DEFAULT_CONTEMPT,
            optimism: true,
            tablebases: TablebaseOptions::default(),
            strength: Strength::Full,
            reports: Reports::All,
            report_delay: Millis::new(3000),
            seed: 0,
            varies: false,
            #[cfg(feature = "inject-panic")]
            panic_at_nodes: None,
        }
    }
}

impl SearchOptions {
    /// The contempt in score units.
    pub(crate) fn contempt_units(&self) -> i32 {
        let centipawns = self.contempt.clamp(*CONTEMPT_RANGE.start(), *CONTEMPT_RANGE.end());
        centipawns * UNITS_PER_PAWN / 100
    }
}
