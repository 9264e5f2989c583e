//! How many useful squares each piece reaches, and where it stands.

use tamarin_movegen::PieceKind;

use crate::side::Side;
use crate::tally::Tally;
use crate::terms::{danger, psqt};
use crate::weights::{Slot, slots};

slots! {
    /// Mobility, by the number of squares reached inside the mobility area.
    MOBILITY: MobilitySlots after psqt::RANGE {
        /// Knight: 0 to 8 squares.
        knight: 9,
        /// Bishop: 0 to 13 squares, more when it looks through queens.
        bishop: 15,
        /// Rook: 0 to 14 squares.
        rook: 15,
        /// Queen: 0 to 27 squares.
        queen: 28,
    }
}

/// Goes over the knights, bishops, rooks and queens of one side: counts their
/// squares and mobility, and collects what they attack for the terms after this.
pub(crate) fn mobility<T: Tally>(us: &mut Side, t: &mut T) {
    reach_of(us, PieceKind::Knight, |squares| MOBILITY.knight.at(squares), t);
    reach_of(us, PieceKind::Bishop, |squares| MOBILITY.bishop.at(squares), t);
    reach_of(us, PieceKind::Rook, |squares| MOBILITY.rook.at(squares), t);
    reach_of(us, PieceKind::Queen, |squares| MOBILITY.queen.at(squares), t);
}

#[inline(always)]
fn reach_of<T: Tally>(us: &mut Side, kind: PieceKind, slot: impl Fn(usize) -> Slot, t: &mut T) {
    for square in us.own[kind] {
        let reach = us.reach(kind, square);
        t.add(slot((reach & us.mobility_area).len() as usize), 1);
        psqt::place(us, kind, square, t);
        danger::attacker(us, kind, reach, t);
    }
}
