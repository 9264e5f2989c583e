//! The command line of `tamarin suite`.

use std::path::PathBuf;
use std::str::FromStr;

use super::group::Sum;
use crate::analyzer::Effort;
use crate::error::Error;
use crate::resources::{LimitArguments, ResourceArguments, time_help};

/// Time a position without any other limit, in milliseconds.
const DEFAULT_TIME: u64 = 1_000;

const EXIT_CODES: &str = "Exit codes: 0 the minimum is met, or none was given; 1 it is not, or lines \
    were left out; 2 bad input or unwritable output; 130 interrupted.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES,
    mut_arg("time", |time| time.help(time_help(DEFAULT_TIME))))]
pub struct Arguments {
    /// Positions with what is to be found in them: EPD with bm, am, dm, bm #n, or c8 and c9
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    #[command(flatten)]
    pub(crate) resources: ResourceArguments,

    /// The points that are enough for the exit code 0, or a share of all, such as 85%
    #[arg(short, long, value_name = "POINTS")]
    pub minimum: Option<Minimum>,

    /// Print a JSON object instead of a table
    #[arg(long)]
    pub json: bool,

    /// Print only the sums
    #[arg(short, long)]
    pub quiet: bool,
}

impl Arguments {
    /// The settings of each search.
    pub fn effort(&self) -> Result<Effort, Error> {
        self.resources.effort(self.limits.limits(DEFAULT_TIME), 1)
    }
}

/// What is enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Minimum {
    /// So many points.
    Points(u64),
    /// Such a share of all points, in percent.
    Percent(f64),
}

impl Minimum {
    /// Returns `true` if a result is enough.
    pub fn is_met_by(self, sum: &Sum) -> bool {
        match self {
            Self::Points(points) => sum.points >= points,
            Self::Percent(percent) => sum.percent() >= percent,
        }
    }
}

/// Neither points nor a share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("neither a number of points, such as 180, nor a share, such as 85%")]
pub struct MinimumError;

impl FromStr for Minimum {
    type Err = MinimumError;

    fn from_str(text: &str) -> Result<Self, MinimumError> {
        match text.strip_suffix('%') {
            None => text.parse().map(Self::Points).map_err(|_| MinimumError),
            Some(share) => {
                let percent = share.trim().parse().ok();
                percent
                    .filter(|percent| (0.0..=100.0).contains(percent))
                    .map(Self::Percent)
                    .ok_or(MinimumError)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Minimum, Sum};

    #[test]
    fn a_minimum_is_a_number_or_a_share() {
        let sum = Sum { positions: 3, solved: 1, points: 150, most: 300 };
        for (text, is_met) in
            [("150", true), ("151", false), ("50%", true), ("50.1%", false), ("0", true)]
        {
            let minimum: Minimum = text.parse().expect("a minimum");
            assert_eq!(minimum.is_met_by(&sum), is_met, "{text}");
        }
        for text in ["", "x", "-1", "101%", "%", "NaN%"] {
            assert!(text.parse::<Minimum>().is_err(), "{text}");
        }
    }
}
