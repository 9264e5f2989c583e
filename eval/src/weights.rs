//! The flat weight vector, and typed names for its slots.

use crate::tapered::S;
use crate::terms;

mod values;

pub(crate) use values::WEIGHTS;

/// The place of one weight in [`WEIGHTS`].
#[derive(Clone, Copy)]
pub(crate) struct Slot(u16);

impl Slot {
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// `N` weights in a row under one name.
#[derive(Clone, Copy)]
pub(crate) struct Slots<const N: usize> {
    first: u16,
}

impl<const N: usize> Slots<N> {
    /// The row that begins at `first`.
    pub(crate) const fn new(first: usize) -> Self {
        assert!(first + N <= u16::MAX as usize);
        Self { first: first as u16 }
    }

    /// The weight `index` of the row, which must be below `N`.
    #[inline]
    pub(crate) const fn at(self, index: usize) -> Slot {
        debug_assert!(index < N);
        Slot(self.first + index as u16)
    }
}

impl From<Slots<1>> for Slot {
    #[inline]
    fn from(single: Slots<1>) -> Self {
        single.at(0)
    }
}

/// Declares the slots of one family of terms: `NAME: Type after OTHER { field: length, … }`.
///
/// Makes the constant `NAME` whose fields are the rows, `RANGE` (where the family
/// lies in the flat vector) and `ROWS` (names and lengths, for the tuner).
macro_rules! slots {
    (
        $(#[$doc:meta])*
        $name:ident: $type:ident after $before:path {
            $($(#[$row_doc:meta])* $row:ident: $length:expr,)+
        }
    ) => {
        pub(crate) struct $type {
            $($(#[$row_doc])* pub(crate) $row: $crate::weights::Slots<{ $length }>,)+
        }

        $(#[$doc])*
        pub(crate) const $name: $type = {
            let next = $before.end;
            $(let ($row, next) = ($crate::weights::Slots::new(next), next + $length);)+
            assert!(next == RANGE.end);
            $type { $($row),+ }
        };

        /// Where this family lies in the flat vector.
        pub(crate) const RANGE: core::ops::Range<usize> =
            $before.end..$before.end $(+ $length)+;

        /// The names of the rows and how many weights each has.
        #[cfg(any(feature = "tune", test))]
        pub(crate) const ROWS: &[(&str, usize)] = &[$((stringify!($row), $length)),+];
    };
}
pub(crate) use slots;

/// Where the first family starts.
pub(crate) const START: core::ops::Range<usize> = 0..0;

/// A family of terms as the tuner and the `eval` table see it.
pub(crate) struct Family {
    /// What the `eval` table calls it.
    pub(crate) name: &'static str,
    /// Its slots.
    pub(crate) range: core::ops::Range<usize>,
    /// Names and lengths of its rows.
    #[cfg(any(feature = "tune", test))]
    pub(crate) rows: &'static [(&'static str, usize)],
}

macro_rules! families {
    ($($name:literal $module:ident,)+) => {
        /// All families in the order of their slots.
        pub(crate) const FAMILIES: &[Family] = &[$(
            Family {
                name: $name,
                range: terms::$module::RANGE,
                #[cfg(any(feature = "tune", test))]
                rows: terms::$module::ROWS,
            },
        )+];
    };
}

families! {
    "Material" material,
    "Piece squares" psqt,
    "Mobility" mobility,
    "Pawns" pawns,
    "Passed pawns" passed,
    "Pieces" pieces,
    "King shelter" king,
    "King attack" danger,
    "Threats" threats,
    "Space" space,
}

/// How many weights there are.
pub(crate) const COUNT: usize = terms::space::RANGE.end;

/// The weights as the tuner left them.
pub(crate) type Weights = [S; COUNT];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_tile_the_vector() {
        let mut next = 0;
        for family in FAMILIES {
            assert_eq!(family.range.start, next, "{}", family.name);
            let rows: usize = family.rows.iter().map(|&(_, length)| length).sum();
            next += rows;
            assert_eq!(family.range.end, next, "{}", family.name);
        }
        assert_eq!(next, COUNT);
    }
}
