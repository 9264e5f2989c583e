//! Scores in steps, each told from the two before it.

use super::coder::{Bit, Coder, Number};
use crate::data::GameResult;

/// The step nearest to a score in engine units: 16 units wide below 256, 32 below 768, 64 beyond.
pub const fn step_of(score: i16) -> i32 {
    let size = score.unsigned_abs() as i32;
    let step = match size {
        ..256 => (size + 8) / 16,
        256..768 => 16 + (size - 240) / 32,
        _ => 32 + (size - 736) / 64,
    };
    if score < 0 { -step } else { step }
}

/// The score of a step, in engine units.
pub const fn score_of(step: i32) -> i16 {
    let size = match step.abs() {
        size @ ..16 => 16 * size,
        size @ 16..32 => 256 + 32 * (size - 16),
        size => 768 + 64 * (size - 32),
    };
    let size = if size > i16::MAX as i32 { i16::MAX } else { size as i16 };
    if step < 0 { -size } else { size }
}

/// That of the greatest score.
const MOST: i32 = step_of(i16::MAX);

/// How large a number is: 0, 1, 2 to 3, 4 to 7, and so on, 64 and above in the last.
fn magnitude(number: u32) -> usize {
    ((u32::BITS - number.leading_zeros()) as usize).min(SIZES - 1)
}
const SIZES: usize = 8;

/// What a score is told from, in steps from White's side, and what its chances depend on.
pub struct Context {
    pub last: i32,
    pub before: i32,
    pub ply: usize,
    pub result: GameResult,
    /// Whether the score before was a coarse one, and whether this one is: four steps wide, in
    /// check and where the move captures or promotes, since nothing is learned from it.
    pub was_coarse: bool,
    pub coarse: bool,
}

impl Context {
    /// Two thirds of the way from the score of two plies ago, which is of the same side, to the last.
    fn guess(&self) -> i32 {
        let (last, before) = (self.last, self.before);
        if self.ply < 2 { last } else { (2 * last + before + (last + before).signum()) / 3 }
    }
}

pub struct ScoreModel {
    changed: Vec<Bit>,
    below: Vec<Bit>,
    size: Vec<Number>,
}

/// Combinations of the change before, the score's size, and the two that say whether it is coarse.
const PLACES: usize = SIZES * SIZES * 4;

impl ScoreModel {
    pub fn new() -> Self {
        Self {
            changed: vec![Bit::NEW; PLACES * 3],
            below: vec![Bit::NEW; 3 * 2 * 3 * SIZES * 2],
            size: vec![Number::NEW; PLACES],
        }
    }

    /// Encodes a score in steps, or decodes one, and gives what decoding gives.
    pub fn code(&mut self, coder: &mut impl Coder, context: &Context, score: i32) -> i32 {
        let Context { last, before, ply, result, was_coarse, coarse } = *context;
        let guess = context.guess();
        let size = magnitude(guess.unsigned_abs());
        let change = magnitude((last - before).unsigned_abs());
        let place =
            ((change * SIZES + size) * 2 + usize::from(was_coarse)) * 2 + usize::from(coarse);
        let unit = if coarse { 4 } else { 1 };
        let steps = ((score - guess).abs() + unit / 2) / unit;
        if !self.changed[place * 3 + result.index()].code(coder, steps != 0) {
            return guess;
        }
        let trend = (last.cmp(&before) as i8 + 1) as usize;
        let place_of_sign =
            (((trend * 2 + ply % 2) * 3 + result.index()) * SIZES + size) * 2 + usize::from(coarse);
        let below = self.below[place_of_sign].code(coder, score < guess);
        let steps = 1 + self.size[place].code(coder, (steps as u32).saturating_sub(1));
        let change = unit * steps as i32;
        (guess + if below { -change } else { change }).clamp(-MOST, MOST)
    }
}
