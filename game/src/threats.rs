//! What the opponent threatens, seen without a search: a mate on the move, and won exchanges.

use tamarin_movegen::{Color, Move, PieceKind, Position};

use crate::moves::is_mate;

/// A capture that wins at least this by exchanges, in centipawns, is a threat.
const WORTH_SAYING: i32 = 100;

/// What is warned for, the worst loss first.
const KINDS: [PieceKind; 5] =
    [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn];

/// Warnings for the side to move: what the opponent would play if it were its turn, the worst
/// first. None in check, where something else has to be done first.
pub fn warnings(position: &Position) -> Vec<String> {
    if position.in_check() || !position.has_legal_move() {
        return Vec::new();
    }
    let mut other = position.clone();
    other.make_null();
    let opponent = other.side_to_move();
    let moves = other.legal_moves();
    if let Some(mv) = moves.into_iter().find(|mv| is_mate(&other, *mv)) {
        return vec![format!("{opponent:?} threatens mate: {}.", other.san(mv))];
    }
    let mut found = Vec::new();
    for kind in KINDS {
        for square in position.of(!opponent, kind) {
            let takes = |mv: &Move| mv.is_capture() && mv.to() == square;
            let wins = |mv: &Move| other.see_at_least(*mv, WORTH_SAYING);
            let best = other.legal_moves().into_iter().filter(takes).find(wins);
            found.extend(best.map(|mv| danger(&other, mv, kind)));
        }
    }
    found
}

fn danger(other: &Position, mv: Move, kind: PieceKind) -> String {
    let owner: Color = !other.side_to_move();
    let piece = format!("{kind:?}").to_lowercase();
    format!("{owner:?}'s {piece} on {} is in danger: {}.", mv.to(), other.san(mv))
}

#[cfg(test)]
mod tests {
    use super::warnings;
    use tamarin_movegen::Position;

    #[test]
    fn warns_of_mate_and_lost_pieces_the_worst_first() {
        let cases: [(&str, &[&str]); 8] = [
            ("4k3/8/4p3/3Q4/8/8/8/4K3 w", &["White's queen on d5 is in danger: exd5."]),
            // A protected knight that a bishop attacks.
            ("4k3/8/8/8/1b6/2N5/1P6/6K1 w", &[]),
            (
                "3rk3/8/4p3/5B2/8/8/8/3Q2K1 w",
                &[
                    "White's queen on d1 is in danger: Rxd1+.",
                    "White's bishop on f5 is in danger: exf5.",
                ],
            ),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w", &["White's pawn on e4 is in danger: dxe4."]),
            ("4k3/8/8/3p4/4P3/3P4/8/4K3 w", &[]),
            // The queen goes between.
            ("r5k1/5ppp/8/8/8/8/4QPPP/6K1 w", &[]),
            ("r5k1/5ppp/8/8/8/7Q/5PPP/6K1 w", &["Black threatens mate: Ra1#."]),
            // In check there is something else to do.
            ("4k3/8/8/8/4r3/8/8/Q3K3 w", &[]),
        ];
        for (fen, wanted) in cases {
            let position = Position::from_fen(&format!("{fen} - - 0 1")).unwrap();
            assert_eq!(warnings(&position), wanted, "{fen}");
        }
    }
}
