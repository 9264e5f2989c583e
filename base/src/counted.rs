//! Numbers with what they count.

use core::fmt::Display;

/// A number and what it counts, with the word for one and for several: `1 ply`, `2 plies`.
///
/// ```
/// use tamarin_base::counted;
///
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(counted(0, "ply", "plies"), "0 plies");
/// ```
pub fn counted<N>(count: N, one: &str, several: &str) -> String
where
    N: Copy + Display + PartialEq + From<u8>,
{
    let word = if count == N::from(1) { one } else { several };
    format!("{count} {word}")
}
