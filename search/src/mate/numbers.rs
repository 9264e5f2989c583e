//! Proof and disproof numbers.

/// How many leaves at least have to be solved to prove or refute a mate.
///
/// Source: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search",
/// Artificial Intelligence 66, 1994.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    /// Leaves to prove it; 0 if it is proven.
    pub proof: u32,
    /// Leaves to refute it; 0 if it is refuted.
    pub disproof: u32,
}

/// No number of leaves is enough.
pub(crate) const INFINITE: u32 = 1 << 30;

impl Numbers {
    pub const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    pub const REFUTED: Self = Self { proof: INFINITE, disproof: 0 };
    /// As a limit: go on until it is solved.
    pub const UNTIL_SOLVED: Self = Self { proof: INFINITE, disproof: INFINITE };

    pub const fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub const fn is_refuted(self) -> bool {
        self.disproof == 0
    }

    pub const fn is_solved(self) -> bool {
        self.is_proven() || self.is_refuted()
    }

    /// The same for the other side.
    pub const fn swapped(self) -> Self {
        Self { proof: self.disproof, disproof: self.proof }
    }

    /// Of a node whose side to move needs one child to be proven.
    pub fn of_any(children: impl Iterator<Item = Self>) -> Self {
        let mut numbers = Self::REFUTED;
        for child in children {
            numbers.proof = numbers.proof.min(child.proof);
            numbers.disproof = sum(numbers.disproof, child.disproof);
        }
        numbers
    }
}

/// Infinite if one of them is, and less if none is.
fn sum(a: u32, b: u32) -> u32 {
    if a >= INFINITE || b >= INFINITE { INFINITE } else { (a + b).min(INFINITE - 1) }
}
