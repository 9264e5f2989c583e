//! The principal variation (PV): a triangular table, filled from the deepest ply up.

use arrayvec::ArrayVec;
use tamarin_movegen::Move;

use tamarin_base::types::MAX_PLY;

/// A line of moves from some node on.
pub(crate) type Line = ArrayVec<Move, MAX_PLY>;

/// The best line known from each ply of the current line on.
pub(crate) struct PvTable(Box<[Line]>);

impl PvTable {
    /// Empty lines.
    pub fn new() -> Self {
        Self(vec![Line::new(); MAX_PLY + 2].into_boxed_slice())
    }

    /// A node begins: nothing is known from its ply on.
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The best line at `ply` is now `mv` and then the best line of the next ply.
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(mv);
        for &mv in rest.iter().take(MAX_PLY - 1) {
            line.push(mv);
        }
    }

    /// The best line from `ply` on.
    pub fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_movegen::{MoveKind, Square};

    #[test]
    fn lines_grow_from_the_deepest_ply_up() {
        let a = Move::new(Square::A2, Square::A3, MoveKind::Quiet);
        let b = Move::new(Square::B2, Square::B3, MoveKind::Quiet);
        let mut table = PvTable::new();
        table.extend(1, b);
        table.extend(0, a);
        assert_eq!(table.line(0), [a, b]);
        table.clear(1);
        table.extend(0, b);
        assert_eq!(table.line(0), [b]);
    }
}
