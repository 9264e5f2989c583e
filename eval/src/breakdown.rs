//! The evaluation term by term, for people to read.

use core::fmt;

use tamarin_movegen::{Color, PerColor, Position};

use crate::evaluate::{phase, stronger, taper_and_scale, trace};
use crate::params::game_phase::FULL as FULL_PHASE;
use crate::rows::Family;
use crate::score::{Score, UNITS_PER_PAWN, UciScore};
use crate::tapered::{S, taper};
use crate::trace::Trace;
use crate::weights::{COUNT, FAMILIES, range};
use crate::{endgame, scale};

/// The evaluation of one position, family by family, from White's point of view.
///
/// `Display` is the table that the `eval` command shows: for each family the
/// middlegame and endgame values of both sides and their difference, in pawns.
///
/// ```
/// use tamarin_eval::Breakdown;
/// use tamarin_movegen::Position;
/// let table = Breakdown::new(&Position::startpos()).to_string();
/// assert!(table.contains("Mobility"));
/// ```
#[derive(Clone, Debug)]
pub struct Breakdown {
    rows: Vec<Row>,
    sum: Row,
    phase: i32,
    scale: i32,
    known: Option<Score>,
    total: i32,
    in_check: bool,
}

#[derive(Clone, Debug)]
struct Row {
    name: &'static str,
    sides: PerColor<S>,
}

impl Breakdown {
    /// Takes the evaluation of `position` apart.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let board = position.board();
        let traces = trace(board);
        let row = |name, score: &dyn Fn(&Trace) -> S| Row {
            name,
            sides: PerColor([score(&traces[Color::White]), score(&traces[Color::Black])]),
        };
        let rows: Vec<_> = FAMILIES
            .iter()
            .map(|family| match family.family {
                Family::KingDanger => row(family.name, &Trace::king_danger),
                linear => row(family.name, &|trace: &Trace| trace.linear(range(linear))),
            })
            .collect();
        let sum = row("Sum", &|trace: &Trace| trace.linear(0..COUNT) + trace.king_danger());
        let difference = sum.difference();
        let to_white = |score: Score| match position.side_to_move() {
            Color::White => score,
            Color::Black => -score,
        };
        let known = endgame::known(board).map(to_white);
        Self {
            rows,
            phase: phase(board),
            scale: scale::factor(board, stronger(difference)),
            known,
            total: known.map_or_else(|| taper_and_scale(board, difference), Score::units),
            sum,
            in_check: position.in_check(),
        }
    }

    /// The evaluation in engine units, from White's point of view.
    #[must_use]
    pub fn white_score(&self) -> Score {
        Score::new(self.total).clamp_to_evaluation()
    }

    /// The families of terms with what each counts for White, tapered and scaled as the whole is,
    /// in engine units. Their sum is the evaluation but for rounding, unless the endgame is a
    /// known one.
    ///
    /// ```
    /// use tamarin_eval::Breakdown;
    /// use tamarin_movegen::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1")?;
    /// let breakdown = Breakdown::new(&position);
    /// assert!(breakdown.families().any(|(name, units)| name == "Material" && units > 0));
    /// # Ok::<(), tamarin_movegen::FenError>(())
    /// ```
    pub fn families(&self) -> impl Iterator<Item = (&'static str, i32)> + '_ {
        self.rows.iter().map(|row| (row.name, taper(row.difference(), self.phase, self.scale)))
    }
}

impl Row {
    fn difference(&self) -> S {
        self.sides[Color::White] - self.sides[Color::Black]
    }
}

/// Engine units shown as pawns with two decimals.
fn pawns(units: i32) -> f64 {
    f64::from(units) / f64::from(UNITS_PER_PAWN)
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<14}", self.name)?;
        for side in [self.sides[Color::White], self.sides[Color::Black], self.difference()] {
            write!(f, " |{:>7.2}{:>7.2}", pawns(side.middlegame()), pawns(side.endgame()))?;
        }
        Ok(())
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = "---------------+---------------+---------------+---------------";
        writeln!(f, "{:<14} |{:^15}|{:^15}|{:^15}", "Term", "White", "Black", "Total")?;
        writeln!(f, "{:<14} |     MG     EG |     MG     EG |     MG     EG", "")?;
        writeln!(f, "{line}")?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        writeln!(f, "{line}\n{}\n", self.sum)?;
        writeln!(
            f,
            "Phase {}/{FULL_PHASE}, endgame scale {}/{}",
            self.phase,
            self.scale,
            scale::FULL
        )?;
        if self.known.is_some() {
            writeln!(f, "Known endgame: the terms above do not count")?;
        }
        if self.in_check {
            writeln!(f, "The side to move is in check: the search never evaluates here")?;
        }
        let score = self.white_score();
        let UciScore::Centipawns(centipawns) = score.to_uci() else {
            return write!(f, "Evaluation: {} (White's view)", score.to_uci());
        };
        write!(f, "Evaluation: {:+.2} (White's view)", f64::from(centipawns) / 100.0)
    }
}
