//! The pieces that Fairy-Stockfish knows by name and that can be played here, in XBoard's dialect
//! of Betza notation.
//!
//! Source: the list at the head of Fairy-Stockfish's `variants.ini`.

/// Name and moves. The pawn's double step and captures in passing, and castling, come from other
/// keys.
pub(super) const PIECES: &[(&str, &str)] = &[
    ("pawn", "fmWfcF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("king", "K"),
];

/// The most custom pieces.
const CUSTOM: usize = 25;

/// The number of a custom piece.
fn custom(key: &str) -> Option<usize> {
    let number = key.strip_prefix("customPiece")?.parse().ok()?;
    (1..=CUSTOM).contains(&number).then_some(number)
}

/// The place of a piece in the order in which Fairy-Stockfish reads them: custom pieces and the king
/// come last.
pub(super) fn order(key: &str) -> Option<usize> {
    let place = PIECES.iter().position(|(name, _)| *name == key);
    let place = place.map(|place| if key == "king" { usize::MAX } else { place });
    place.or_else(|| custom(key).map(|number| PIECES.len() + number))
}

/// Whether a key defines a piece, and its moves if they are known by the key.
pub(super) fn moves(key: &str) -> Option<&'static str> {
    if custom(key).is_some() {
        return Some("");
    }
    PIECES.iter().find(|(name, _)| *name == key).map(|&(_, moves)| moves)
}
