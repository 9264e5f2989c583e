//! Values of the command line that not every text is: numbers in a range, notes.

use core::ops::RangeInclusive;
use core::str::FromStr;

fn within<T: FromStr + PartialOrd>(
    text: &str,
    range: &RangeInclusive<T>,
    meaning: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("it has to be a number {meaning}"))
}

/// A part of a whole, 0 to 1.
pub fn share(text: &str) -> Result<f32, String> {
    within(text, &(0.0..=1.0), "from 0 to 1")
}

/// A finite number above zero.
pub fn positive(text: &str) -> Result<f32, String> {
    within(text, &(f32::MIN_POSITIVE..=f32::MAX), "above 0")
}

/// The same with twice the bits.
#[cfg(feature = "spsa")]
pub fn positive_f64(text: &str) -> Result<f64, String> {
    within(text, &(f64::MIN_POSITIVE..=f64::MAX), "above 0")
}

/// A finite number, zero or above.
pub fn not_negative(text: &str) -> Result<f32, String> {
    within(text, &(0.0..=f32::MAX), "of 0 or more")
}

/// No learning rate is larger: a weight of the evaluation has some hundreds of units, a parameter of
/// a network is below 2.
const MAX_RATE: f32 = 100.0;

pub fn rate(text: &str) -> Result<f32, String> {
    within(text, &(f32::MIN_POSITIVE..=MAX_RATE), "above 0, at most 100")
}

/// The learning rate of the end, which may be 0.
pub fn final_rate(text: &str) -> Result<f32, String> {
    within(text, &(0.0..=MAX_RATE), "from 0 to 100")
}

/// A note on one line: in Rust source it is part of a comment, which a line break would end.
pub fn note(text: &str) -> Result<String, String> {
    match text.chars().enumerate().find(|(_, letter)| letter.is_control()) {
        Some((index, found)) => Err(format!(
            "column {} is {found:?}: a note has no line breaks or other control characters",
            index + 1
        )),
        None => Ok(text.to_owned()),
    }
}
