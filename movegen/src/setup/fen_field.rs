//! The fields of a FEN, which are the parts of a setup.

use core::fmt;

/// One of the six fields of a FEN, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum FenField {
    Placement,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl FenField {
    /// What a missing field is taken to say.
    pub(crate) const fn default(self) -> &'static str {
        match self {
            Self::Placement => "an empty board",
            Self::SideToMove => "w",
            Self::Castling | Self::EnPassant => "-",
            Self::HalfmoveClock => "0",
            Self::FullmoveNumber => "1",
        }
    }
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "piece placement",
            Self::SideToMove => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}
