//! Chances to win, draw and lose, from a score.

use tamarin_eval::{Score, UciScore};
use tamarin_movegen::{PieceKind, Position};
use tamarin_uci::Wdl;

/// Centipawns at which half of the games are won: with all the pieces on the board, and with
/// none. An advantage of so much is worth more where there is more to attack with.
const HALF_WON: [f64; 2] = [73.0, 190.0];

/// How far from [`HALF_WON`] the chance has changed by a factor of e: likewise.
const SPREAD: [f64; 2] = [81.0, 42.0];

/// Pawns and pieces at the start, counted 1, 3, 3, 5, 9 for both sides.
const FULL_MATERIAL: u32 = 78;

/// The chances of the side to move in permille; `None` never occurs for a score of a search.
///
/// A logistic curve, steeper the fewer pieces are left, fitted to 48,120 quiet positions of 600
/// games of the engine against itself at 40,000 nodes a move: row E3 of `docs/results.md`. Only
/// printed, never used by the search.
///
/// Source: the model is Stockfish's, with straight lines for its polynomials.
pub fn chances(score: Score, position: &Position) -> Option<Wdl> {
    let centipawns = match score.to_uci() {
        UciScore::MateIn(_) => return Wdl::new(1000, 0, 0),
        UciScore::MatedIn(_) => return Wdl::new(0, 0, 1000),
        UciScore::Centipawns(value) => f64::from(value),
    };
    let left = f64::from(material(position).min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
    let at = |ends: [f64; 2]| ends[1] + (ends[0] - ends[1]) * left;
    let (half, spread) = (at(HALF_WON), at(SPREAD));
    let won = |value: f64| (1000.0 / (1.0 + ((half - value) / spread).exp())).round() as u16;
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
    fn chances_are_even_at_zero_and_rise_with_the_score() {
        let start = Position::startpos();
        let of = |units: i32| {
            let wdl = chances(Score::new(units), &start).expect("a sum of 1000");
            assert_eq!(wdl.win() + wdl.draw() + wdl.loss(), 1000);
            (wdl.win(), wdl.loss())
        };
        let (win, loss) = of(0);
        assert_eq!(win, loss);
        assert_eq!(of(73).0, 500);
        let mut before = 0;
        for units in (-3000..=3000).step_by(50) {
            let (win, _) = of(units);
            assert!(win >= before, "less at {units} than before");
            before = win;
        }
    }

    #[test]
    fn the_same_advantage_wins_less_with_fewer_pieces() {
        let start = Position::startpos();
        let pawns: Position = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1".parse().expect("legal");
        let win = |position| chances(Score::new(100), position).map(Wdl::win);
        assert!(win(&pawns) < win(&start));
        // Far ahead is far ahead, and surer without pieces that could turn the tables.
        let lead = |position| chances(Score::new(400), position).map(Wdl::win);
        assert!(lead(&pawns) > lead(&start) && lead(&start) > Some(950));
    }

    #[test]
    fn mates_are_certain() {
        let start = Position::startpos();
        assert_eq!(chances(Score::mate_in(3), &start).map(Wdl::win), Some(1000));
        assert_eq!(chances(Score::mated_in(4), &start).map(Wdl::loss), Some(1000));
    }
}
