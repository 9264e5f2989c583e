//! The evaluation term by term, for people to read.

use core::fmt;
use core::ops::Range;

use tamarin_base::{Score, pawns};
use tamarin_movegen::{Color, PerColor, Position};

use crate::eval_cache::EvalCache;
use crate::evaluate::{evaluate, phase, stronger, taper_and_scale, trace};
use crate::params::game_phase::FULL as FULL_PHASE;
use crate::rows::Family;
use crate::tapered::{S, taper};
use crate::terms::complexity;
use crate::trace::Trace;
use crate::weights::{COUNT, FAMILIES, FamilyRows, range, rows_of};
use crate::{endgame, scale, white_view};

/// The evaluation of one position, family by family, from White's point of view.
///
/// `Display` is the table that the `eval` command shows: for each family the
/// middlegame and endgame values of both sides and their difference, in pawns.
#[derive(Clone, Debug)]
pub struct Breakdown {
    families: Vec<FamilyValues>,
    sum: TermValues,
    phase: i32,
    scale: i32,
    is_known: bool,
    /// What the terms add up to.
    total: Score,
    /// What the search uses: not the total in known endgames and after lazy evaluation.
    score: Score,
}

/// What the terms of a family count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermUnit {
    /// Engine units: the terms add up to their family.
    Score,
    /// Danger units: only their sum becomes a score, in a curve.
    Danger,
    /// Engine units; their sum is clamped to ± the endgame score.
    Bounded,
}

/// A term, a family of terms or all of them: the middlegame and endgame value for each side and
/// for White less Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermValues {
    /// What the `eval` table or the vector of weights calls it.
    pub name: &'static str,
    /// Of White.
    pub white: TermValue,
    /// Of Black, from Black's point of view.
    pub black: TermValue,
    /// White less Black.
    pub total: TermValue,
}

/// What something counts, in the unit of its family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermValue {
    /// In the middlegame.
    pub middlegame: i32,
    /// In the endgame, before the scale factor.
    pub endgame: i32,
    /// In this position: interpolated by its phase, the endgame scaled.
    pub tapered: i32,
}

/// A family of terms in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FamilyValues {
    /// What the family counts, in engine units.
    pub sum: TermValues,
    /// Its terms, in the order of the weights.
    pub terms: Vec<TermValues>,
    /// The unit of `terms`.
    pub unit: TermUnit,
}

impl Breakdown {
    /// Takes the evaluation of `position` apart.
    pub fn new(position: &Position) -> Self {
        let board = position.board();
        let traces = trace(board);
        let linear = of_both(&traces, |trace| trace.linear(0..COUNT) + trace.king_danger());
        let linear_difference = difference(linear);
        let trace = &traces[Color::White];
        let bonus = complexity::bonus(linear_difference.endgame().abs(), trace.complexity());
        let complexity = of_stronger(linear_difference, S::new(0, bonus));
        let sum = PerColor(Color::ALL.map(|color| linear[color] + complexity[color]));
        let (phase, scale) = (phase(board), scale::factor(board, stronger(difference(sum))));
        let values = |name, sides| TermValues::new(name, sides, phase, scale);
        let family = |family: &FamilyRows| {
            let (sum, unit) = match family.family {
                Family::KingDanger => (of_both(&traces, Trace::king_danger), TermUnit::Danger),
                Family::Complexity => (complexity, TermUnit::Bounded),
                _ => {
                    let range = range(family.family);
                    (of_both(&traces, |trace| trace.linear(range.clone())), TermUnit::Score)
                }
            };
            let term = |(name, range): (_, Range<usize>)| match unit {
                TermUnit::Bounded => {
                    values(name, of_stronger(linear_difference, trace.weighted(range)))
                }
                _ => values(name, of_both(&traces, |trace| trace.weighted(range.clone()))),
            };
            let terms = rows_of(family).map(term).collect();
            FamilyValues { sum: values(family.name, sum), terms, unit }
        };
        let total = Score::estimate(taper_and_scale(board, difference(sum)));
        let score = match position.in_check() {
            true => total,
            false => white_view(evaluate(position, &mut EvalCache::new()), position.side_to_move()),
        };
        Self {
            families: FAMILIES.iter().map(family).collect(),
            sum: values("Sum", sum),
            phase,
            scale,
            is_known: endgame::known(board).is_some(),
            total,
            score,
        }
    }

    /// The evaluation that the search uses, in engine units from White's point of view. In check,
    /// where it uses none: what the terms add up to.
    pub const fn white_score(&self) -> Score {
        self.score
    }

    /// All families with all their terms.
    pub fn values(&self) -> &[FamilyValues] {
        &self.families
    }

    /// The sum of all families, before known endgames, lazy evaluation and the limits of an
    /// evaluation.
    pub const fn sum(&self) -> TermValues {
        self.sum
    }

    /// The game phase and what it is with all pieces on the board.
    pub const fn phase(&self) -> (i32, i32) {
        (self.phase, FULL_PHASE)
    }

    /// The scale factor of the endgame score and what it is where all of it counts.
    pub const fn scale(&self) -> (i32, i32) {
        (self.scale, scale::FULL)
    }

    /// Returns `true` if the score is known without the terms.
    pub const fn is_known_endgame(&self) -> bool {
        self.is_known
    }
}

/// What both sides have of something.
fn of_both(traces: &PerColor<Trace>, score: impl Fn(&Trace) -> S) -> PerColor<S> {
    PerColor(Color::ALL.map(|color| score(&traces[color])))
}

/// The endgame half of a value, for the side that the endgame half of `score` favors.
fn of_stronger(score: S, value: S) -> PerColor<S> {
    let value = S::new(0, value.endgame());
    let ahead = stronger(score);
    PerColor(Color::ALL.map(|color| if color == ahead { value } else { S::ZERO }))
}

fn difference(sides: PerColor<S>) -> S {
    sides[Color::White] - sides[Color::Black]
}

impl TermValues {
    fn new(name: &'static str, sides: PerColor<S>, phase: i32, scale: i32) -> Self {
        let value = |score: S| TermValue {
            middlegame: score.middlegame(),
            endgame: score.endgame(),
            tapered: taper(score, phase, scale),
        };
        let (white, black) = (value(sides[Color::White]), value(sides[Color::Black]));
        Self { name, white, black, total: value(difference(sides)) }
    }
}

impl fmt::Display for TermValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<14}", self.name)?;
        for TermValue { middlegame, endgame, .. } in [self.white, self.black, self.total] {
            write!(f, " |{:>7.2}{:>7.2}", pawns(middlegame), pawns(endgame))?;
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
        for family in &self.families {
            writeln!(f, "{}", family.sum)?;
        }
        writeln!(f, "{line}\n{}\n", self.sum)?;
        writeln!(
            f,
            "Phase {}/{FULL_PHASE}, endgame scale {}/{}",
            self.phase,
            self.scale,
            scale::FULL
        )?;
        if self.is_known {
            writeln!(f, "Known endgame: the terms above do not count")?;
        } else if self.score != self.total {
            writeln!(f, "Lazy evaluation: only material, piece squares and pawns count")?;
        }
        write!(f, "Hand-crafted evaluation: {:+.2} (White's view)", pawns(self.score.units()))
    }
}
