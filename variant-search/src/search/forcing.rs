//! How far forcing moves are followed in a game.

use tamarin_variant::Game;

/// A royal piece with more moves than there are squares within two steps roams the board.
const ROAMS: usize = 24;

/// How far checks and captures are followed. Royal pieces that go anywhere, as in Locusts, are in
/// check all the time: there extensions and captures without end would take up most of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Forcing {
    /// A check that leaves at most this number of moves is worth looking at more closely.
    pub few_evasions: usize,
    /// So many plies of captures are enough; where captures create pieces, they might go on for
    /// ever.
    pub capture_plies: usize,
}

impl Forcing {
    pub fn of(game: &Game) -> Self {
        let mut kinds = 0..game.piece_count() as u8;
        if kinds.any(|kind| game.is_royal(kind) && game.most_moves(kind) > ROAMS) {
            Self { few_evasions: 4, capture_plies: 4 }
        } else {
            Self { few_evasions: 10, capture_plies: 10 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_variant::{BUILTINS, builtin};

    #[test]
    fn only_the_kings_of_locusts_roam() {
        for found in BUILTINS {
            let game = builtin(found.name).unwrap();
            let roams = Forcing::of(&game).few_evasions == 4;
            assert_eq!(roams, found.name.starts_with("locusts"), "{}", found.name);
        }
    }
}
