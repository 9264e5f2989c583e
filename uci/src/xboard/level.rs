//! Times as the XBoard protocol writes them.

use crate::Millis;

/// The longest time there is: a million hours.
const MAX_MILLIS: u64 = 3_600_000_000_000;

/// `level`: the time control of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// How many moves `base` is for; 0 for the whole game.
    pub moves: u32,
    /// The time for these moves.
    pub base: Millis,
    /// What each move adds.
    pub increment: Millis,
}

impl Level {
    /// Forty moves in five minutes: what holds when no client said anything.
    pub const DEFAULT: Self =
        Self { moves: 40, base: Millis::new(300_000), increment: Millis::ZERO };

    /// Reads what follows `level`: moves, minutes (`5`, `0:30`), seconds (`2`, `0.1`).
    pub(super) fn parse(words: &[&str]) -> Option<Self> {
        let [moves, base, increment] = words else { return None };
        Some(Self {
            moves: crate::number::Number::parse(moves)?.to_u32(),
            base: minutes(base)?,
            increment: seconds(increment)?,
        })
    }
}

/// Minutes, or minutes and seconds with a colon; either may have decimals.
fn minutes(text: &str) -> Option<Millis> {
    let Some((whole, rest)) = text.split_once(':') else {
        return Some(clamped(decimal(text)?.saturating_mul(60)));
    };
    let whole = decimal(whole)?.saturating_mul(60);
    Some(clamped(whole.saturating_add(decimal(rest)?)))
}

/// Seconds with or without decimals, or minutes and seconds with a colon.
pub(super) fn seconds(text: &str) -> Option<Millis> {
    if text.contains(':') { minutes(text) } else { Some(clamped(decimal(text)?)) }
}

fn clamped(thousandths: u64) -> Millis {
    Millis::new(thousandths.min(MAX_MILLIS))
}

/// A number with or without decimals in thousandths, saturated; below zero it is zero.
fn decimal(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let mut thousandths = 0_u64;
    let padded = fraction.bytes().chain(*b"000").take(3);
    for digit in whole.bytes().chain(padded) {
        thousandths = thousandths.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    }
    Some(if negative { 0 } else { thousandths })
}

#[cfg(test)]
mod tests {
    use super::{Level, seconds};
    use crate::Millis;

    fn level(text: &str) -> Option<(u32, u64, u64)> {
        let words: Vec<_> = text.split(' ').collect();
        Level::parse(&words).map(|level| (level.moves, level.base.get(), level.increment.get()))
    }

    #[test]
    fn every_way_to_write_a_time_control_is_read() {
        assert_eq!(level("40 5 0"), Some((40, 300_000, 0)));
        assert_eq!(level("0 2 12"), Some((0, 120_000, 12_000)));
        assert_eq!(level("40 0:30 0"), Some((40, 30_000, 0)));
        assert_eq!(level("0 1:05 0.1"), Some((0, 65_000, 100)));
        assert_eq!(level("0 0.5 .25"), Some((0, 30_000, 250)));
        assert_eq!(level("0 0:00.5 0"), Some((0, 500, 0)));
        assert_eq!(level("-3 -5 -1"), Some((0, 0, 0)));
        let huge = "9".repeat(40);
        let longest = 3_600_000_000_000;
        assert_eq!(level(&format!("{huge} {huge} {huge}")), Some((u32::MAX, longest, longest)));
    }

    #[test]
    fn what_is_no_time_control_is_refused() {
        for text in ["", "40 5", "40 5 0 0", "40 five 0", "40 5: 0", "40 1:2:3 0", "x 5 0", "1 . 0"]
        {
            assert_eq!(level(text), None, "{text:?}");
        }
        assert_eq!(seconds("1e3"), None);
        assert_eq!(seconds("86400"), Some(Millis::new(86_400_000)));
    }
}
