//! `info` lines: what the search reports while it thinks.

use core::fmt;

use crate::words::write_field;
use crate::{Bound, Millis, ScoreValue};

/// One `info` line; absent fields are not printed, the default has none. Fields are printed in
/// the order of declaration, the variation last, integers only: clients rely on both.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine<M> {
    /// Completed iteration in plies.
    pub depth: Option<u32>,
    /// Deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// Rank of this variation, from 1.
    pub multipv: Option<u32>,
    /// The score, from the side to move's point of view.
    pub score: Option<ScoreText>,
    /// Positions visited by all threads.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// How full the table is, in permille.
    pub hashfull: Option<u16>,
    /// Positions found in the endgame tablebases.
    pub tbhits: Option<u64>,
    /// Time since `go`.
    pub time: Option<Millis>,
    /// The principal variation; nothing is printed when empty.
    pub pv: Vec<M>,
}

/// A score as printed: value, bound, and perhaps the chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreText {
    /// How good the position is.
    pub value: ScoreValue,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The expected results, when the client asked for them.
    pub wdl: Option<Wdl>,
}

/// Chances of a win, a draw and a loss in permille, with sum 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    win: u16,
    draw: u16,
    loss: u16,
}

impl Wdl {
    /// The three chances, unless their sum is not 1000.
    #[must_use]
    pub fn new(win: u16, draw: u16, loss: u16) -> Option<Self> {
        let sum = u32::from(win) + u32::from(draw) + u32::from(loss);
        (sum == 1000).then_some(Self { win, draw, loss })
    }
}

impl ScoreText {
    /// An exact score without chances.
    #[must_use]
    pub const fn exact(value: ScoreValue) -> Self {
        Self { value, bound: Bound::Exact, wdl: None }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        match self.wdl {
            Some(wdl) => write!(f, " wdl {wdl}"),
            None => Ok(()),
        }
    }
}

impl<M: fmt::Display> fmt::Display for InfoLine<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "seldepth", self.seldepth)?;
        write_field(f, "multipv", self.multipv)?;
        write_field(f, "score", self.score)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "nps", self.nps)?;
        write_field(f, "hashfull", self.hashfull)?;
        write_field(f, "tbhits", self.tbhits)?;
        write_field(f, "time", self.time)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            for mv in &self.pv {
                write!(f, " {mv}")?;
            }
        }
        Ok(())
    }
}

/// The root move being searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CurrentMove<M> {
    /// The iteration in plies.
    pub depth: u32,
    /// The move.
    pub mv: M,
    /// Its place in the move order, from 1.
    pub number: u32,
}

impl<M: fmt::Display> fmt::Display for CurrentMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, mv, number } = self;
        write!(f, "info depth {depth} currmove {mv} currmovenumber {number}")
    }
}
