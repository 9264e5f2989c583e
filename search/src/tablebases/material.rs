//! The pieces that a table is for, as its file name says.

use shakmaty::{Board, Color, Piece, Role};
use shakmaty_syzygy::Metric;

/// The kind of a table by the extension of its file: `rtbw` or `rtbz`.
pub(super) fn metric(extension: &str) -> Option<Metric> {
    match extension {
        "rtbw" => Some(Metric::Wdl),
        "rtbz" => Some(Metric::Dtz),
        _ => None,
    }
}

/// The pieces of both sides, sorted: the same for `KQvKR` and `KRvKQ`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct MaterialKey([Vec<Role>; 2]);

impl MaterialKey {
    /// Reads a name such as `KQvKR`; `None` if it names no table of three to seven pieces.
    pub fn from_name(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let side = |text: &str| text.chars().map(Role::from_char).collect::<Option<Vec<_>>>();
        Self::new([side(white)?, side(black)?])
    }

    /// The pieces on the board.
    pub fn of_board(board: &Board) -> Option<Self> {
        let side = |color| {
            let pieces = board.by_color(color).into_iter();
            pieces.filter_map(|square| board.role_at(square)).collect()
        };
        Self::new([side(Color::White), side(Color::Black)])
    }

    fn new(mut sides: [Vec<Role>; 2]) -> Option<Self> {
        for side in &mut sides {
            side.sort_unstable();
            if side.iter().filter(|&&role| role == Role::King).count() != 1 {
                return None;
            }
        }
        let key = Self(sides.clone());
        sides.sort_unstable();
        (3..=7).contains(&key.pieces()).then_some(Self(sides))
    }

    /// How many pieces there are, kings included.
    pub fn pieces(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The pieces, those of one side after those of the other.
    pub fn iter(&self) -> impl Iterator<Item = Piece> {
        let of = |index: usize, color: Color| {
            self.0[index].iter().map(move |&role| Piece { color, role })
        };
        of(0, Color::White).chain(of(1, Color::Black))
    }
}
