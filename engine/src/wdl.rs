//! Win, draw and loss probabilities of a score.
//!
//! The side to move wins with probability `1 / (1 + exp((a - v) / b))`, `v` being its score in
//! centipawns, and loses with the same of `-v`. `a` is the score that wins half of the games; `b`
//! says how slowly the probability changes around it. Both depend on the material on the board.
//!
//! Source: the model is Stockfish's, with straight lines for its polynomials of `a` and `b`. The
//! numbers were fitted by `tamarin-train wdl` to 472,029 quiet positions of 6,000 games of the
//! engine with its network against itself at 5,000 nodes a move: E8 of `docs/results/notes.md`. They are for
//! printing only; no search uses them.

use tamarin_eval::{Score, UciScore};
use tamarin_movegen::{PieceKind, Position};
use tamarin_uci::Wdl;

/// A parameter of the model, in centipawns: linear in the material on the board.
struct Parameter {
    /// With all pieces on the board.
    full: f64,
    /// With none but the kings.
    empty: f64,
}

impl Parameter {
    /// The parameter with this share of all material on the board, 0 to 1.
    fn at(&self, share: f64) -> f64 {
        self.empty + (self.full - self.empty) * share
    }
}

/// The score that wins half of the games.
const A: Parameter = Parameter { full: 55.0, empty: 158.0 };

/// The change of the score that changes the odds of a win by a factor of e.
const B: Parameter = Parameter { full: 70.0, empty: 36.0 };

/// Pawns and pieces of both sides at the start, counted 1, 3, 3, 5, 9.
const FULL_MATERIAL: u32 = 78;

/// The probabilities for the side to move, in permille.
pub fn probabilities(score: Score, position: &Position) -> Option<Wdl> {
    let centipawns = match score.to_uci() {
        UciScore::MateIn(_) => return Wdl::new(1000, 0, 0),
        UciScore::MatedIn(_) => return Wdl::new(0, 0, 1000),
        UciScore::Centipawns(value) => f64::from(value),
    };
    let share = f64::from(material(position).min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
    let (a, b) = (A.at(share), B.at(share));
    let won = |value: f64| (1000.0 / (1.0 + ((a - value) / b).exp())).round() as u16;
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
    use super::probabilities;
    use tamarin_eval::Score;
    use tamarin_movegen::Position;
    use tamarin_uci::Wdl;

    #[test]
    fn probabilities_are_even_at_zero_and_rise_with_the_score() {
        let start = Position::startpos();
        let of = |units: i32| {
            let wdl = probabilities(Score::new(units), &start).expect("a sum of 1000");
            assert_eq!(wdl.win() + wdl.draw() + wdl.loss(), 1000);
            (wdl.win(), wdl.loss())
        };
        let (win, loss) = of(0);
        assert_eq!(win, loss);
        assert_eq!(of(78).0, 500);
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
        let win = |position| probabilities(Score::new(100), position).map(Wdl::win);
        assert!(win(&pawns) < win(&start));
        // Far ahead is far ahead, and surer without pieces that could turn the tables.
        let lead = |position| probabilities(Score::new(600), position).map(Wdl::win);
        assert!(lead(&pawns) > lead(&start) && lead(&start) > Some(950));
    }

    #[test]
    fn mates_are_certain() {
        let start = Position::startpos();
        assert_eq!(probabilities(Score::mate_in(3), &start).map(Wdl::win), Some(1000));
        assert_eq!(probabilities(Score::mated_in(4), &start).map(Wdl::loss), Some(1000));
    }
}
