//! The sink of the terms for play: adds up a score.

use tamarin_movegen::{PerKind, PerSquare, PieceKind, Square};

use crate::perspective::{KingArea, KingAreas};
use crate::rows::{Row, WeightIndex};
use crate::sink::TermSink;
use crate::tapered::S;
use crate::terms::king_danger;
use crate::terms::psqt::{self, PSQT};
use crate::weights::{WEIGHTS, position};

/// Adds up the score of one side.
#[derive(Clone, Copy, Default)]
pub(crate) struct ScoreSum {
    score: S,
    danger: S,
}

impl ScoreSum {
    /// What this side has in total.
    pub(crate) fn total(self) -> S {
        self.score + king_danger::danger_score(self.danger)
    }
}

impl TermSink for ScoreSum {
    #[inline]
    fn add(&mut self, weight: impl Into<WeightIndex>, count: i32) {
        self.score += WEIGHTS[position(weight.into())] * count;
    }

    #[inline]
    fn add_danger(&mut self, weight: impl Into<WeightIndex>, count: i32) {
        self.danger += WEIGHTS[position(weight.into())] * count;
    }

    #[inline]
    fn add_piece(&mut self, areas: KingAreas, kind: PieceKind, square: Square) {
        self.score += OWN_SQUARES[areas.own.index()][kind][square];
        self.score += ENEMY_SQUARES[areas.enemy.index()][kind][square];
    }
}

/// One table of piece squares for each area of a king.
type AreaTables = [PerKind<PerSquare<S>>; KingArea::COUNT];

/// The squares by the own king with the material added: `[area][kind][square]`.
static OWN_SQUARES: AreaTables = tables(PSQT.own_king, Material::Added);

/// The squares by the enemy's king: `[area][kind][square]`.
static ENEMY_SQUARES: AreaTables = tables(PSQT.enemy_king, Material::Apart);

/// Whether the material is part of a table.
#[derive(Clone, Copy)]
enum Material {
    Added,
    Apart,
}

/// The tables of one row of piece squares.
const fn tables<const N: usize>(row: Row<N>, material: Material) -> AreaTables {
    let mut tables = [PerKind([PerSquare([S::ZERO; 64]); 6]); KingArea::COUNT];
    let mut area = 0;
    while area < KingArea::COUNT {
        let mut kind = 0;
        while kind < 6 {
            let value = match (material, psqt::value(PieceKind::ALL[kind])) {
                (Material::Added, Some(value)) => WEIGHTS[position(value)],
                _ => S::ZERO,
            };
            let mut square = 0;
            while square < 64 {
                let (king, piece) = (KingArea::from_index(area), PieceKind::ALL[kind]);
                let weight = row.at(psqt::index(king, piece, Square::ALL[square]));
                tables[area].0[kind].0[square] = value.plus(WEIGHTS[position(weight)]);
                square += 1;
            }
            kind += 1;
        }
        area += 1;
    }
    tables
}
