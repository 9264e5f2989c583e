//! How a family of terms declares its weights: rows with names.
//!
//! A weight is known here by its family and its index in the family. Where the family lies
//! in the vector of all weights is the business of [`crate::weights`].

/// A family of terms: one file in `terms/`, one line of the `eval` table.
///
/// The order is the order of the families in the vector of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    Material,
    PieceSquares,
    Mobility,
    Pawns,
    PassedPawns,
    Pieces,
    KingShelter,
    KingDanger,
    Threats,
    Space,
    Imbalance,
    Complexity,
}

/// One weight of a family.
#[derive(Clone, Copy)]
pub(crate) struct WeightIndex {
    pub(crate) family: Family,
    /// The index in the family, from 0.
    pub(crate) index: u16,
}

/// `N` weights of a family under one name.
#[derive(Clone, Copy)]
pub(crate) struct Row<const N: usize> {
    first: WeightIndex,
}

impl<const N: usize> Row<N> {
    /// The row whose first weight has the index `first` in its family.
    pub(crate) const fn new(family: Family, first: usize) -> Self {
        assert!(first + N <= u16::MAX as usize);
        Self { first: WeightIndex { family, index: first as u16 } }
    }

    /// The weight `index` of the row, which must be below `N`.
    #[inline]
    pub(crate) const fn at(self, index: usize) -> WeightIndex {
        debug_assert!(index < N);
        WeightIndex { family: self.first.family, index: self.first.index + index as u16 }
    }
}

impl From<Row<1>> for WeightIndex {
    #[inline]
    fn from(single: Row<1>) -> Self {
        single.first
    }
}

/// Declares the rows of one family: `NAME: Type of Family { row: length, … }`.
///
/// Makes the constant `NAME`, whose fields are the rows, and the list `ROWS` of their names
/// and lengths, from which [`crate::weights`] computes where each family begins.
macro_rules! rows {
    (
        $(#[$doc:meta])*
        $name:ident: $type:ident of $family:ident {
            $($(#[$row_doc:meta])* $row:ident: $length:expr,)+
        }
    ) => {
        pub(crate) struct $type {
            $($(#[$row_doc])* pub(crate) $row: $crate::rows::Row<{ $length }>,)+
        }

        $(#[$doc])*
        pub(crate) const $name: $type = {
            let next = 0;
            $(
                let ($row, next) =
                    ($crate::rows::Row::new($crate::rows::Family::$family, next), next + $length);
            )+
            let _ = next;
            $type { $($row),+ }
        };

        /// The names of the rows and how many weights each has.
        pub(crate) const ROWS: &[(&str, usize)] = &[$((stringify!($row), $length)),+];
    };
}
pub(crate) use rows;
