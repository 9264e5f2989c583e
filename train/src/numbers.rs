//! Numbers of the command line that not every value fits.

use core::ops::RangeInclusive;
use core::str::FromStr;

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("it has to be a number {0}")]
pub(crate) struct NumberError(&'static str);

fn within<T: FromStr + PartialOrd>(
    text: &str,
    range: &RangeInclusive<T>,
    meaning: &'static str,
) -> Result<T, NumberError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or(NumberError(meaning))
}

/// A part of a whole, 0 to 1.
pub(crate) fn share(text: &str) -> Result<f32, NumberError> {
    within(text, &(0.0..=1.0), "from 0 to 1")
}

/// A finite number above zero.
pub(crate) fn positive(text: &str) -> Result<f32, NumberError> {
    within(text, &(f32::MIN_POSITIVE..=f32::MAX), "above 0")
}

/// The same with twice the bits.
#[cfg(feature = "spsa")]
pub(crate) fn positive_f64(text: &str) -> Result<f64, NumberError> {
    within(text, &(f64::MIN_POSITIVE..=f64::MAX), "above 0")
}

/// A finite number, zero or above.
pub(crate) fn not_negative(text: &str) -> Result<f32, NumberError> {
    within(text, &(0.0..=f32::MAX), "of 0 or more")
}

/// A part of a time control, in seconds: twelve days at most, so that no sum of times overflows.
pub(crate) fn seconds(text: &str) -> Result<f64, NumberError> {
    within(text, &(0.0..=1e6), "of seconds from 0 to 1000000")
}

/// No learning rate is larger: a weight of the evaluation has some hundreds of units, a parameter of
/// a network is below 2.
const MAX_RATE: f32 = 100.0;

/// A learning rate.
pub(crate) fn rate(text: &str) -> Result<f32, NumberError> {
    within(text, &(f32::MIN_POSITIVE..=MAX_RATE), "above 0, at most 100")
}

/// The learning rate of the end, which may be 0.
pub(crate) fn final_rate(text: &str) -> Result<f32, NumberError> {
    within(text, &(0.0..=MAX_RATE), "from 0 to 100")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused() {
        for text in ["", "x", "nan", "inf", "-inf", "-1", "1e39"] {
            assert!(share(text).is_err(), "{text}");
            assert!(positive(text).is_err(), "{text}");
            assert!(not_negative(text).is_err(), "{text}");
        }
        assert_eq!((share("0"), share("0.3"), share("1")), (Ok(0.0), Ok(0.3), Ok(1.0)));
        assert!(share("1.01").is_err() && positive("0").is_err() && positive("1e-50").is_err());
        assert_eq!((positive("1e-6"), not_negative("0")), (Ok(1e-6), Ok(0.0)));
        for text in ["nan", "-1", "101", "1e38"] {
            assert!(rate(text).is_err() && final_rate(text).is_err(), "{text}");
        }
        for text in ["nan", "-1", "1000000.1", "1e19"] {
            assert!(seconds(text).is_err(), "{text}");
        }
        assert_eq!((seconds("0"), seconds("1e6")), (Ok(0.0), Ok(1e6)));
        assert_eq!((rate("100"), final_rate("0"), rate("0").is_err()), (Ok(100.0), Ok(0.0), true));
    }
}
