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
use crate::weights::{COUNT, FAMILIES, FamilyRows, range};
use crate::{endgame, scale, white_view};

/// The evaluation of one position, family by family, from White's point of view.
///
/// `Display` is the table that the `eval` command shows: for each family the
/// middlegame and endgame values of both sides and their difference, in pawns.
#[derive(Clone, Debug)]
pub struct Breakdown {
    families: Vec<FamilyBreakdown>,
    sum: Row,
    phase: i32,
    scale: i32,
    is_known: bool,
    /// What the terms add up to.
    total: Score,
    /// What the search uses: not the total in known endgames and after lazy evaluation.
    score: Score,
}

/// A family of terms: what it counts as a whole, and its terms one by one.
#[derive(Clone, Debug)]
struct FamilyBreakdown {
    sum: Row,
    terms: Vec<Row>,
    unit: TermUnit,
}

#[derive(Clone, Debug)]
struct Row {
    name: &'static str,
    sides: PerColor<S>,
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
        let mut families: Vec<_> =
            FAMILIES.iter().map(|family| FamilyBreakdown::new(family, &traces)).collect();
        let all = |trace: &Trace| trace.linear(0..COUNT) + trace.king_danger();
        let mut sum = Row::new("Sum", &traces, all);
        let complexity = FamilyBreakdown::complexity(sum.difference(), &traces[Color::White]);
        sum.sides =
            PerColor(Color::ALL.map(|color| sum.sides[color] + complexity.sum.sides[color]));
        families[Family::Complexity as usize] = complexity;
        let difference = sum.difference();
        let total = Score::estimate(taper_and_scale(board, difference));
        let score = match position.in_check() {
            true => total,
            false => white_view(evaluate(position, &mut EvalCache::new()), position.side_to_move()),
        };
        Self {
            families,
            phase: phase(board),
            scale: scale::factor(board, stronger(difference)),
            is_known: endgame::known(board).is_some(),
            total,
            score,
            sum,
        }
    }

    /// The evaluation that the search uses, in engine units from White's point of view. In check,
    /// where it uses none: what the terms add up to.
    pub const fn white_score(&self) -> Score {
        self.score
    }

    /// All families with all their terms.
    pub fn values(&self) -> Vec<FamilyValues> {
        let family = |family: &FamilyBreakdown| FamilyValues {
            sum: self.values_of(&family.sum),
            terms: family.terms.iter().map(|term| self.values_of(term)).collect(),
            unit: family.unit,
        };
        self.families.iter().map(family).collect()
    }

    /// The sum of all families, before known endgames, lazy evaluation and the limits of an
    /// evaluation.
    pub fn sum(&self) -> TermValues {
        self.values_of(&self.sum)
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

    fn values_of(&self, row: &Row) -> TermValues {
        let value = |score: S| TermValue {
            middlegame: score.middlegame(),
            endgame: score.endgame(),
            tapered: taper(score, self.phase, self.scale),
        };
        TermValues {
            name: row.name,
            white: value(row.sides[Color::White]),
            black: value(row.sides[Color::Black]),
            total: value(row.difference()),
        }
    }
}

impl FamilyBreakdown {
    /// The complexity, which belongs to the side that the endgame score `score` favors. `trace`
    /// is White's.
    fn complexity(score: S, trace: &Trace) -> Self {
        let ahead = stronger(score);
        let row = |name, value: S| {
            let of = |color| if color == ahead { S::new(0, value.endgame()) } else { S::ZERO };
            Row { name, sides: PerColor(Color::ALL.map(of)) }
        };
        let bonus = complexity::bonus(score.endgame().abs(), trace.complexity());
        let family = &FAMILIES[Family::Complexity as usize];
        let terms = rows_of(family).map(|(name, range)| row(name, trace.weighted(range)));
        let unit = TermUnit::Bounded;
        Self { terms: terms.collect(), sum: row(family.name, S::new(0, bonus)), unit }
    }

    fn new(family: &FamilyRows, traces: &PerColor<Trace>) -> Self {
        let row = |(name, range): (_, Range<usize>)| {
            Row::new(name, traces, |trace| trace.weighted(range.clone()))
        };
        let terms = rows_of(family).map(row).collect();
        let linear = |trace: &Trace| trace.linear(range(family.family));
        let (sum, unit) = match family.family {
            Family::KingDanger => {
                (Row::new(family.name, traces, Trace::king_danger), TermUnit::Danger)
            }
            _ => (Row::new(family.name, traces, linear), TermUnit::Score),
        };
        Self { sum, terms, unit }
    }
}

/// The rows of a family and where they lie in the vector of weights.
fn rows_of(family: &FamilyRows) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    family.rows.iter().scan(range(family.family).start, |next, &(name, length)| {
        let start = *next;
        *next += length;
        Some((name, start..*next))
    })
}

impl Row {
    fn new(name: &'static str, traces: &PerColor<Trace>, score: impl Fn(&Trace) -> S) -> Self {
        Self { name, sides: PerColor(Color::ALL.map(|color| score(&traces[color]))) }
    }

    fn difference(&self) -> S {
        self.sides[Color::White] - self.sides[Color::Black]
    }
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
