//! Positions as counts: what a fit needs to know of each position, read from text.

use std::io::BufRead;

use tamarin_movegen::{Color, FenError, Position};

use crate::terms::danger;
use crate::weights::COUNT;
use crate::{FULL_PHASE, endgame, phase, trace};

/// A weight and how often it counts.
#[derive(Clone, Copy, Debug)]
pub struct Coefficient {
    /// The weight's slot.
    pub slot: u16,
    /// White's count less Black's, or one side's own count for the king attack.
    pub count: i16,
}

/// Where the coefficients of a position lie and everything else about it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// First of its coefficients.
    first: u32,
    /// How many there are: linear, White's attack, Black's attack.
    lengths: [u8; 3],
    /// How much the middlegame counts, 0 to 1.
    pub middlegame: f32,
    /// How much of the endgame score counts if it favors White, or Black; 0 to 1.
    pub scales: [f32; 2],
    /// The search's score in engine units, White's view.
    pub score: f32,
    /// The game's result for White: 1, 0.5 or 0.
    pub result: f32,
}

/// Positions read for tuning.
#[derive(Clone, Default, Debug)]
pub struct DataSet {
    /// The positions, in the order they were read.
    pub samples: Vec<Sample>,
    coefficients: Vec<Coefficient>,
}

/// The coefficients of one position.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    /// Weights that count as they are, White less Black.
    pub linear: &'a [Coefficient],
    /// The attack on the enemy king: White's, then Black's.
    pub attacks: [&'a [Coefficient]; 2],
}

/// A line of training data cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// Not three fields.
    #[error("expected `FEN | score | result`, found {fields} fields")]
    Fields {
        /// How many there were.
        fields: usize,
    },
    /// The position is refused.
    #[error("the position cannot be used")]
    Fen(#[from] FenError),
    /// A number cannot be read.
    #[error("{field} is not a number: {text:?}")]
    Number {
        /// Which field.
        field: &'static str,
        /// What stood there.
        text: String,
    },
    /// The result is not one of a game.
    #[error("result is not 1.0, 0.5 or 0.0: {0}")]
    Result(f32),
}

impl DataSet {
    /// Reads lines `FEN | score | result`: the score in engine units and the result
    /// (1.0, 0.5 or 0.0) both from White's view. Positions in check and positions with
    /// a known result are skipped: the evaluation never judges them.
    ///
    /// Returns how many lines were skipped.
    ///
    /// # Errors
    /// The number of the first line that cannot be read, and why.
    pub fn read(&mut self, input: impl BufRead) -> Result<usize, (usize, LineError)> {
        let mut skipped = 0;
        for (number, line) in input.lines().enumerate() {
            let line = line.unwrap_or_default();
            if line.trim().is_empty() {
                continue;
            }
            if !self.add(&line).map_err(|error| (number + 1, error))? {
                skipped += 1;
            }
        }
        Ok(skipped)
    }

    /// Adds one line; says whether the position was of use.
    ///
    /// # Errors
    /// Why the line cannot be read.
    pub fn add(&mut self, line: &str) -> Result<bool, LineError> {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let &[fen, score, result] = fields.as_slice() else {
            return Err(LineError::Fields { fields: fields.len() });
        };
        let position = Position::from_fen(fen)?;
        let score = number("score", score)?;
        let result = number("result", result)?;
        if ![0.0, 0.5, 1.0].contains(&result) {
            return Err(LineError::Result(result));
        }
        let board = position.board();
        if position.in_check() || endgame::known(board).is_some() {
            return Ok(false);
        }
        let scale = |strong| endgame::scale(board, strong) as f32 / endgame::FULL_SCALE as f32;
        let mut sample = Sample {
            first: self.coefficients.len() as u32,
            lengths: [0; 3],
            middlegame: phase(board) as f32 / FULL_PHASE as f32,
            scales: [scale(Color::White), scale(Color::Black)],
            score,
            result,
        };
        let [white, black] = trace(board).0;
        let (white, black) = (white.counts(), black.counts());
        let attack = |slot: &usize| danger::RANGE.contains(slot);
        let linear = (0..COUNT).filter(|slot| !attack(slot));
        sample.lengths[0] = self.push(linear.map(|slot| (slot, white[slot] - black[slot])));
        sample.lengths[1] = self.push(danger::RANGE.map(|slot| (slot, white[slot])));
        sample.lengths[2] = self.push(danger::RANGE.map(|slot| (slot, black[slot])));
        self.samples.push(sample);
        Ok(true)
    }

    /// Keeps the counts that are not zero; returns how many.
    fn push(&mut self, counts: impl Iterator<Item = (usize, i16)>) -> u8 {
        let before = self.coefficients.len();
        self.coefficients.extend(
            counts
                .filter(|&(_, count)| count != 0)
                .map(|(slot, count)| Coefficient { slot: slot as u16, count }),
        );
        u8::try_from(self.coefficients.len() - before)
            .expect("invariant: fewer than 256 weights count in a position")
    }

    /// The coefficients of a sample of this set.
    #[must_use]
    pub fn counts(&self, sample: &Sample) -> Counts<'_> {
        let [linear, white, black] = sample.lengths.map(usize::from);
        let rest = &self.coefficients[sample.first as usize..];
        let (linear, rest) = rest.split_at(linear);
        let (white, rest) = rest.split_at(white);
        Counts { linear, attacks: [white, &rest[..black]] }
    }
}

fn number(field: &'static str, text: &str) -> Result<f32, LineError> {
    text.parse().map_err(|_| LineError::Number { field, text: text.to_owned() })
}
