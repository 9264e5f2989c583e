//! Whole numbers that saturate instead of failing: a client's 10^30 means "as much as possible".

use tamarin_base::Millis;

/// A whole number as written: sign and magnitude, the magnitude saturated.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    negative: bool,
    magnitude: u64,
}

impl Number {
    /// Reads digits with an optional sign. Anything else is not a number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.as_bytes() {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        if digits.is_empty() {
            return None;
        }
        let mut magnitude = 0_u64;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            magnitude = magnitude.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        }
        Some(Self { negative, magnitude })
    }

    /// Reads a number with a decimal fraction, which is dropped.
    pub(crate) fn parse_decimal(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.')?;
        let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
        Self::parse(whole).filter(|_| is_fraction)
    }

    /// Returns `true` if it is below 0.
    pub(crate) const fn is_negative(self) -> bool {
        self.negative && self.magnitude > 0
    }

    /// The number as a count: negative is 0.
    pub(crate) fn to_u64(self) -> u64 {
        if self.negative { 0 } else { self.magnitude }
    }

    /// The number as a count: negative is 0, too large is the maximum.
    pub(crate) fn to_u32(self) -> u32 {
        u32::try_from(self.to_u64()).unwrap_or(u32::MAX)
    }

    /// The number as a count: negative is 0, too large is the maximum.
    pub(crate) fn to_u16(self) -> u16 {
        u16::try_from(self.to_u64()).unwrap_or(u16::MAX)
    }

    /// The number as a time: negative is none.
    pub(crate) fn to_millis(self) -> Millis {
        Millis::new(self.to_u64())
    }

    /// The number with its sign, clamped to the range.
    pub(crate) fn to_i32(self) -> i32 {
        match i32::try_from(self.magnitude) {
            Ok(magnitude) if self.negative => -magnitude,
            Ok(magnitude) => magnitude,
            Err(_) if self.negative => i32::MIN,
            Err(_) => i32::MAX,
        }
    }

    /// The number with its sign, saturated at both ends (the lower end is `-i64::MAX`).
    pub(crate) fn to_i64(self) -> i64 {
        let magnitude = i64::try_from(self.magnitude).unwrap_or(i64::MAX);
        if self.negative { -magnitude } else { magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn saturates_at_both_ends() {
        let huge = "1000000000000000000000000000000";
        let number = Number::parse(huge).unwrap();
        assert_eq!(
            (number.to_u64(), number.to_u32(), number.to_i64()),
            (u64::MAX, u32::MAX, i64::MAX)
        );
        let number = Number::parse(&format!("-{huge}")).unwrap();
        assert_eq!((number.to_u64(), number.to_u32(), number.to_i64()), (0, 0, -i64::MAX));
        let number = Number::parse("18446744073709551615").unwrap();
        assert_eq!(number.to_u64(), u64::MAX);
        assert_eq!(Number::parse("-1").unwrap().to_i64(), -1);
        assert_eq!(Number::parse("+007").unwrap().to_u32(), 7);
        assert_eq!(Number::parse("-0").unwrap().to_i64(), 0);
        for (text, wanted) in [
            ("2147483647", i32::MAX),
            ("2147483648", i32::MAX),
            ("-2147483647", -i32::MAX),
            ("-2147483648", i32::MIN),
            ("-3000000000", i32::MIN),
        ] {
            assert_eq!(Number::parse(text).unwrap().to_i32(), wanted, "{text}");
        }
        assert_eq!(Number::parse("65536").unwrap().to_u16(), u16::MAX);
        assert_eq!(Number::parse("-1").unwrap().to_u16(), 0);
    }

    #[test]
    fn refuses_what_is_not_a_whole_number() {
        for text in ["", "-", "+", "1.5", "1e6", "0x10", "--1", "1_000", "1,000", "٣", "1-", "nan"]
        {
            assert!(Number::parse(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn drops_a_decimal_fraction_and_nothing_else() {
        for (text, wanted) in
            [("569.9999999999999", 569), ("5000.5", 5000), ("-3.7", -3), ("+2.0", 2), ("7.", 7)]
        {
            assert_eq!(Number::parse_decimal(text).unwrap().to_i64(), wanted, "{text}");
        }
        for text in ["", "5", ".", ".5", "-.5", "1.5e3", "1e3.5", "1.2.3", "1,5", "1.-5", "x.5"] {
            assert!(Number::parse_decimal(text).is_none(), "{text:?}");
        }
    }
}
