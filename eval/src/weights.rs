//! The vector of all weights, and where each family of terms lies in it.

use core::ops::Range;

use crate::rows::{Family, WeightIndex};
use crate::tapered::S;
use crate::terms::{
    complexity, imbalance, king_danger, king_shelter, material, mobility, passed, pawns, pieces,
    psqt, space, threats,
};

mod values;

pub(crate) use values::WEIGHTS;

/// A family of terms as the tuner and the `eval` table see it.
pub(crate) struct FamilyRows {
    pub(crate) family: Family,
    /// What the `eval` table calls it.
    pub(crate) name: &'static str,
    /// Names and lengths of its rows.
    pub(crate) rows: &'static [(&'static str, usize)],
}

/// All families in the order of the vector. A family begins where the one before it ends.
pub(crate) const FAMILIES: [FamilyRows; 12] = [
    FamilyRows { family: Family::Material, name: "Material", rows: material::ROWS },
    FamilyRows { family: Family::PieceSquares, name: "Piece squares", rows: psqt::ROWS },
    FamilyRows { family: Family::Mobility, name: "Mobility", rows: mobility::ROWS },
    FamilyRows { family: Family::Pawns, name: "Pawns", rows: pawns::ROWS },
    FamilyRows { family: Family::PassedPawns, name: "Passed pawns", rows: passed::ROWS },
    FamilyRows { family: Family::Pieces, name: "Pieces", rows: pieces::ROWS },
    FamilyRows { family: Family::KingShelter, name: "King shelter", rows: king_shelter::ROWS },
    FamilyRows { family: Family::KingDanger, name: "King danger", rows: king_danger::ROWS },
    FamilyRows { family: Family::Threats, name: "Threats", rows: threats::ROWS },
    FamilyRows { family: Family::Space, name: "Space", rows: space::ROWS },
    FamilyRows { family: Family::Imbalance, name: "Imbalance", rows: imbalance::ROWS },
    FamilyRows { family: Family::Complexity, name: "Complexity", rows: complexity::ROWS },
];

/// Where each family begins, and the length of the vector last.
const STARTS: [usize; FAMILIES.len() + 1] = {
    let mut starts = [0; FAMILIES.len() + 1];
    let mut index = 0;
    while index < FAMILIES.len() {
        assert!(FAMILIES[index].family as usize == index, "families in the order of the enum");
        let mut end = starts[index];
        let mut row = 0;
        while row < FAMILIES[index].rows.len() {
            end += FAMILIES[index].rows[row].1;
            row += 1;
        }
        starts[index + 1] = end;
        index += 1;
    }
    starts
};

/// How many weights there are.
pub(crate) const COUNT: usize = STARTS[FAMILIES.len()];

/// The weights as the tuner left them.
pub(crate) type Weights = [S; COUNT];

/// Where the king danger lies. It is not linear.
pub(crate) const KING_DANGER: Range<usize> = range(Family::KingDanger);

/// Where the complexity lies, the other family that is not linear.
pub(crate) const COMPLEXITY: Range<usize> = range(Family::Complexity);

/// Returns `true` for a weight of a linear family: what it counts is simply added.
pub(crate) fn is_linear(index: usize) -> bool {
    !KING_DANGER.contains(&index) && !COMPLEXITY.contains(&index)
}

/// Where a family lies in the vector.
pub(crate) const fn range(family: Family) -> Range<usize> {
    STARTS[family as usize]..STARTS[family as usize + 1]
}

/// The position of a weight in the vector.
pub(crate) const fn position(weight: WeightIndex) -> usize {
    STARTS[weight.family as usize] + weight.index as usize
}

/// The rows of a family and where they lie in the vector.
pub(crate) fn rows_of(
    family: &FamilyRows,
) -> impl Iterator<Item = (&'static str, Range<usize>)> + use<> {
    family.rows.iter().scan(range(family.family).start, |next, &(name, length)| {
        let start = *next;
        *next += length;
        Some((name, start..*next))
    })
}
