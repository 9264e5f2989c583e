//! What a weak player overlooks.
//!
//! A line is seen up to the first move that is overlooked. What comes after it does not count: the
//! player takes the material on the board at that point for what the line brings. So a mistake is
//! the likelier the longer and the quieter its refutation: each move of it is another chance to
//! stop looking, greater the deeper it lies, and greater for quiet moves than for checks and
//! captures.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_movegen::{Color, Move, PieceKind, Position, SEE_VALUES, Square};

use super::numbers::{
    OVERLOOKED_AT_MOST, OVERLOOKED_CAPTURE, OVERLOOKED_CHECK, OVERLOOKED_RECAPTURE,
};

/// How easily a move is seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sight {
    /// Takes what has just moved.
    Recapture,
    /// Takes something, or promotes.
    Capture,
    /// Gives check.
    Check,
    /// Any other move.
    Quiet,
}

/// How blind a player is: the chance to overlook a quiet move of unlimited depth, in 1/1024.
/// Beyond 1024 even captures are overlooked most of the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Blindness(pub u64);

impl Blindness {
    /// The chance to overlook a move `ply` plies after the root, in 1/1024.
    fn chance(self, sight: Sight, ply: usize) -> u64 {
        let share = match sight {
            Sight::Recapture => OVERLOOKED_RECAPTURE,
            Sight::Capture => OVERLOOKED_CAPTURE,
            Sight::Check => OVERLOOKED_CHECK,
            Sight::Quiet => 1024,
        };
        // A half of it at the root, two thirds a ply deeper, then three quarters, and so on.
        let plies = ply as u64;
        (self.0 * share * (plies + 1) / (1024 * (plies + 2))).min(OVERLOOKED_AT_MOST)
    }

    /// What a line that has this score is worth to the player, in score units from its point of
    /// view; `None` if the first move does not come to mind.
    pub fn judge(
        self,
        root: &Position,
        (line, score): (&[Move], Score),
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<i32> {
        let player = root.side_to_move();
        let mut position = root.clone();
        let mut target = None;
        let mut seen = None;
        for (ply, &mv) in line.iter().enumerate() {
            let chance = self.chance(sight(&position, mv, target), ply);
            let overlooks = random.next_u64() % 1024 < chance;
            if overlooks && ply == 0 {
                return None;
            }
            if overlooks && seen.is_none() {
                seen = Some(balance(&position, player));
            }
            target = Some(mv.to());
            position.make(mv);
        }
        let Some(seen) = seen else { return Some(score.units()) };
        if score.is_mate() {
            return Some(seen);
        }
        Some(score.units() - (balance(&position, player) - seen))
    }
}

/// How easily a move is seen after one to the square `target`.
fn sight(position: &Position, mv: Move, target: Option<Square>) -> Sight {
    if mv.is_capture() && target == Some(mv.to()) {
        Sight::Recapture
    } else if mv.is_noisy() {
        Sight::Capture
    } else if position.gives_check(mv) {
        Sight::Check
    } else {
        Sight::Quiet
    }
}

/// The material of a player less that of the opponent, in score units.
fn balance(position: &Position, player: Color) -> i32 {
    let count = |color, kind| position.of(color, kind).len() as i32;
    let kinds = PieceKind::ALL.iter();
    let centipawns: i32 = kinds
        .map(|&kind| (count(player, kind) - count(!player, kind)) * SEE_VALUES[kind.index()])
        .sum();
    centipawns * UNITS_PER_PAWN / SEE_VALUES[PieceKind::Pawn.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn chances_grow_with_length_and_quietness() {
        let kinds = [Sight::Recapture, Sight::Capture, Sight::Check, Sight::Quiet];
        let blindness = Blindness(900);
        for ply in 0..6 {
            let chances = kinds.map(|kind| blindness.chance(kind, ply));
            assert!(chances.is_sorted_by(|low, high| low < high), "{chances:?}");
            let deeper = kinds.map(|kind| blindness.chance(kind, ply + 1));
            assert!((0..4).all(|kind| chances[kind] < deeper[kind]), "{chances:?} {deeper:?}");
        }
        assert_eq!(Blindness(0).chance(Sight::Quiet, 9), 0);
        assert!(Blindness(9000).chance(Sight::Quiet, 9) < 1024);
    }

    #[test]
    fn material_lost_after_the_last_move_seen_does_not_count() {
        let root = Position::from_fen("4k3/8/8/3q4/8/8/3R4/K7 w - - 0 1").unwrap();
        let kb1 = root.parse_san("Kb1").unwrap();
        let mut after = root.clone();
        after.make(kb1);
        let line = [kb1, after.parse_san("Qxd2").unwrap()];
        let judged: Vec<i32> = (0..400)
            .filter_map(|seed| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                Blindness(1500).judge(&root, (&line, Score::new(-900)), &mut random)
            })
            .collect();
        let blind = -900 + 5 * UNITS_PER_PAWN;
        assert!(judged.contains(&-900) && judged.contains(&blind));
        assert!(judged.iter().all(|&score| score == -900 || score == blind), "{judged:?}");
        // A mate that is overlooked is no mate: what is on the board counts.
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let seen = (0..400)
            .filter_map(|_| Blindness(1500).judge(&root, (&line, Score::mated_in(2)), &mut random));
        let balance = -4 * UNITS_PER_PAWN;
        assert!(seen.into_iter().any(|score| score == balance));
    }
}
