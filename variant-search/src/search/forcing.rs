//! How far forcing moves are followed in a game.

use tamarin_variant::Game;

/// A royal piece with more moves than there are squares within two steps roams the board.
const ROAMS: usize = 24;

/// How far checks and captures are followed. Royal pieces that go anywhere, as in Locusts, are in
/// check all the time: there extensions and captures without end would take up most of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Forcing {
    /// A check counts as one if it leaves at most this number of moves; `None` if every check does.
    pub most_evasions: Option<usize>,
    /// So many plies of quiescence search are enough: where captures create pieces, they might go on
    /// for ever.
    pub quiescence_plies: usize,
    /// In this number of plies of it all moves out of check are tried.
    pub evasion_plies: usize,
}

impl Forcing {
    pub fn of(game: &Game) -> Self {
        let mut kinds = 0..game.piece_count() as u8;
        if kinds.any(|kind| game.is_royal(kind) && game.most_moves(kind) > ROAMS) {
            Self { most_evasions: Some(4), quiescence_plies: 4, evasion_plies: 2 }
        } else {
            Self { most_evasions: None, quiescence_plies: 16, evasion_plies: 12 }
        }
    }
}
