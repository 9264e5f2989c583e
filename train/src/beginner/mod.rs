//! A player as beginners are (`tamarin-train beginner`): the measure of the lowest level.
//!
//! It mates in one if it can, else takes the most valuable man that nobody defends, else plays
//! any legal move. It looks at nothing else: not at what its own moves leave en prise, nor at
//! exchanges.

mod session;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::{Move, Position, SEE_VALUES};

pub use session::{Arguments, BeginnerError, run};

/// The player. The same seed plays the same moves.
#[derive(Clone, Debug)]
pub struct Beginner {
    random: Xoshiro256PlusPlus,
}

impl Beginner {
    /// A player whose choices depend on a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Its move; `None` if there is no legal one.
    pub fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let mates = moves.iter().copied().filter(|&mv| mates(position, mv));
        if let Some(mate) = self.any(&mates.collect::<Vec<_>>()) {
            return Some(mate);
        }
        let most = moves.iter().map(|&mv| prey(position, mv)).max()?;
        let best = moves.iter().copied().filter(|&mv| prey(position, mv) == most);
        self.any(&best.collect::<Vec<_>>())
    }

    fn any(&mut self, moves: &[Move]) -> Option<Move> {
        moves.choose(&mut self.random).copied()
    }
}

fn mates(position: &Position, mv: Move) -> bool {
    if !position.gives_check(mv) {
        return false;
    }
    let mut after = position.clone();
    after.make(mv);
    !after.has_legal_move()
}

/// The value of what a move takes, in centipawns, if the opponent cannot retake; else 0.
fn prey(position: &Position, mv: Move) -> i32 {
    let Some(captured) = position.captured_by(mv) else { return 0 };
    let mut after = position.clone();
    after.make(mv);
    let is_defended = after.legal_moves().iter().any(|answer| answer.to() == mv.to());
    if is_defended { 0 } else { SEE_VALUES[captured.index()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All moves that it plays in a position, with many seeds, in SAN.
    fn played(fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let choose = |seed| Beginner::new(seed).choose(&position).unwrap();
        let mut names: Vec<_> =
            (0..200).map(|seed| position.san(choose(seed)).to_string()).collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn it_mates_in_one_before_it_takes_anything() {
        assert_eq!(played("6k1/5ppp/8/8/8/8/1q6/B2R2K1 w - - 0 1"), ["Rd8#"]);
    }

    #[test]
    fn it_takes_the_most_valuable_man_that_nobody_defends() {
        // The queen on d8 is defended, the rook on a4 and the pawn on h4 are not.
        assert_eq!(played("3qk3/8/8/8/r2Q3p/8/8/6K1 w - - 0 1"), ["Qxa4+"]);
    }

    #[test]
    fn it_plays_any_other_move_without_a_thought() {
        assert_eq!(played(&Position::startpos().to_string()).len(), 20);
        // Its queen is attacked, and stays where it is in most of the moves.
        let moves = played("4k3/1p6/2p5/3Q4/8/8/8/4K3 w - - 0 1");
        assert!(moves.iter().any(|mv| mv.starts_with('K')), "{moves:?}");
    }

    #[test]
    fn without_a_legal_move_it_has_none() {
        let mated = Position::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(Beginner::new(1).choose(&mated), None);
    }
}
