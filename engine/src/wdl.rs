//! Chances to win, draw and lose, from a score.

use tamarin_eval::{Score, Verdict};
use tamarin_movegen::{PieceKind, Position};
use tamarin_uci::Wdl;

/// Centipawns at which half of the games are won; what the normalization of scores aims at.
const HALF_WON: f64 = 100.0;

/// How far from [`HALF_WON`] the chance has changed by a factor of e: with all the pieces on the
/// board, and with none.
const SPREAD: [f64; 2] = [75.0, 45.0];

/// Pawns and pieces at the start, counted 1, 3, 3, 5, 9 for both sides.
const FULL_MATERIAL: u32 = 78;

/// The chances of the side to move in permille; `None` never occurs for a score of a search.
///
/// A provisional logistic curve, steeper the fewer pieces are left; its numbers are chosen by
/// hand until games of the engine's own can fit them. Only printed, never used by the search.
pub fn chances(score: Score, position: &Position) -> Option<Wdl> {
    let centipawns = match score.verdict() {
        Verdict::MateIn(_) => return Wdl::new(1000, 0, 0),
        Verdict::MatedIn(_) => return Wdl::new(0, 0, 1000),
        Verdict::Centipawns(value) => f64::from(value),
    };
    let left = f64::from(material(position).min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
    let spread = SPREAD[1] + (SPREAD[0] - SPREAD[1]) * left;
    let won = |value: f64| (1000.0 / (1.0 + ((HALF_WON - value) / spread).exp())).round() as u16;
    let (win, loss) = (won(centipawns), won(-centipawns));
    Wdl::new(win, 1000_u16.saturating_sub(win + loss), loss)
}

fn material(position: &Position) -> u32 {
    let values = [
        (PieceKind::Pawn, 1),
        (PieceKind::Knight, 3),
        (PieceKind::Bishop, 3),
        (PieceKind::Rook, 5),
        (PieceKind::Queen, 9),
    ];
    values.into_iter().map(|(kind, value)| position.pieces(kind).len() * value).sum()
}

#[cfg(test)]
mod tests {
    use super::chances;
    use tamarin_eval::Score;
    use tamarin_movegen::Position;
    use tamarin_uci::Wdl;

    #[test]
    fn chances_are_even_at_zero_half_at_a_hundred_and_rise_with_the_score() {
        let start = Position::startpos();
        let of = |units: i32| {
            let wdl = chances(Score::new(units), &start).expect("a sum of 1000");
            assert_eq!(wdl.win() + wdl.draw() + wdl.loss(), 1000);
            (wdl.win(), wdl.loss())
        };
        let (win, loss) = of(0);
        assert_eq!(win, loss);
        let mut before = 0;
        for units in (-3000..=3000).step_by(50) {
            let (win, _) = of(units);
            assert!(win >= before, "less at {units} than before");
            before = win;
        }
    }

    #[test]
    fn mates_are_certain() {
        let start = Position::startpos();
        assert_eq!(chances(Score::mate_in(3), &start).map(Wdl::win), Some(1000));
        assert_eq!(chances(Score::mated_in(4), &start).map(Wdl::loss), Some(1000));
    }
}
