//! King and pawn against king, solved: one bit a position, worked out on first use.

use once_cell::sync::Lazy;
use tamarin_movegen::{Bitboard, Color, Square, king_attacks, pawn_attacks};

/// Pawn squares: files a to d, ranks 2 to 7.
const PAWNS: usize = 24;
/// Positions: side to move, pawn, both kings.
const COUNT: usize = 2 * PAWNS * 64 * 64;

static WON: Lazy<Box<[u64]>> = Lazy::new(solve);

/// Does the side with the pawn, which walks north, win? `strong_to_move` says whether
/// it has the move.
pub(crate) fn is_won(king: Square, bare_king: Square, pawn: Square, strong_to_move: bool) -> bool {
    let state = if pawn.index() % 8 < 4 {
        State { king, bare_king, pawn, strong_to_move }
    } else {
        let (king, bare_king) = (king.flip_file(), bare_king.flip_file());
        State { king, bare_king, pawn: pawn.flip_file(), strong_to_move }
    };
    let index = state.index();
    WON[index / 64] >> (index % 64) & 1 != 0
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Unknown,
    /// Drawn, or not a position at all.
    NotWon,
    Won,
}

#[derive(Clone, Copy)]
struct State {
    king: Square,
    bare_king: Square,
    pawn: Square,
    strong_to_move: bool,
}

impl State {
    fn index(self) -> usize {
        let pawn = (self.pawn.index() / 8 - 1) * 4 + self.pawn.index() % 8;
        ((usize::from(self.strong_to_move) * PAWNS + pawn) * 64 + self.king.index()) * 64
            + self.bare_king.index()
    }

    fn from_index(index: usize) -> Self {
        let pawn = index / (64 * 64) % PAWNS;
        Self {
            king: Square::from_masked((index >> 6 & 63) as u8),
            bare_king: Square::from_masked((index & 63) as u8),
            pawn: Square::from_masked(((pawn / 4 + 1) * 8 + pawn % 4) as u8),
            strong_to_move: index >= COUNT / 2,
        }
    }

    /// What can be said without looking further.
    fn at_once(self) -> Outcome {
        let near = king_attacks(self.king).with(self.king);
        let attacked = pawn_attacks(Color::White, self.pawn);
        let check = attacked.has(self.bare_king);
        let overlap = self.pawn == self.king || self.pawn == self.bare_king;
        if near.has(self.bare_king) || overlap || (self.strong_to_move && check) {
            return Outcome::NotWon;
        }
        let stop = Square::from_masked(self.pawn as u8 + 8);
        if self.strong_to_move {
            // A queen at once that cannot be taken.
            let queens = stop as u8 >= 56 && stop != self.king && stop != self.bare_king;
            if queens && (near.has(stop) || self.bare_king.distance(stop) > 1) {
                return Outcome::Won;
            }
        } else {
            let steps = king_attacks(self.bare_king);
            let safe = steps - near - attacked;
            let takes = steps.has(self.pawn) && !king_attacks(self.king).has(self.pawn);
            if takes || (safe.is_empty() && !check) {
                return Outcome::NotWon;
            }
        }
        Outcome::Unknown
    }

    /// The positions one move later.
    fn next(self, mut visit: impl FnMut(Self)) {
        let later = Self { strong_to_move: !self.strong_to_move, ..self };
        if !self.strong_to_move {
            let near = king_attacks(self.king).with(self.king);
            let forbidden = near | pawn_attacks(Color::White, self.pawn);
            for bare_king in king_attacks(self.bare_king) - forbidden {
                visit(Self { bare_king, ..later });
            }
            return;
        }
        let forbidden = king_attacks(self.bare_king).with(self.pawn);
        for king in king_attacks(self.king) - forbidden {
            visit(Self { king, ..later });
        }
        let taken = Bitboard::EMPTY.with(self.king).with(self.bare_king);
        let stop = Square::from_masked(self.pawn as u8 + 8);
        // Promotions that do not win at once lose the queen.
        if stop.index() < 56 && !taken.has(stop) {
            visit(Self { pawn: stop, ..later });
            let double = Square::from_masked(stop as u8 + 8);
            if self.pawn.index() < 16 && !taken.has(double) {
                visit(Self { pawn: double, ..later });
            }
        }
    }

    /// What the outcomes one move later say.
    fn by_next(self, known: &[Outcome]) -> Outcome {
        let (mut won, mut not_won, mut moves) = (0, 0, 0);
        self.next(|state| {
            moves += 1;
            match known[state.index()] {
                Outcome::Unknown => (),
                Outcome::Won => won += 1,
                Outcome::NotWon => not_won += 1,
            }
        });
        if self.strong_to_move {
            if won > 0 {
                return Outcome::Won;
            } else if not_won == moves {
                return Outcome::NotWon;
            }
        } else if not_won > 0 {
            return Outcome::NotWon;
        } else if won == moves {
            return Outcome::Won;
        }
        Outcome::Unknown
    }
}

/// Settles positions until nothing changes; what is still open is drawn.
///
/// Source: the method of Stockfish's KPK bitbase, after H. Secelle's.
fn solve() -> Box<[u64]> {
    let mut known: Vec<_> = (0..COUNT).map(|index| State::from_index(index).at_once()).collect();
    let mut open: Vec<usize> =
        (0..COUNT).filter(|&index| known[index] == Outcome::Unknown).collect();
    loop {
        let before = open.len();
        open.retain(|&index| {
            let outcome = State::from_index(index).by_next(&known);
            known[index] = outcome;
            outcome == Outcome::Unknown
        });
        if open.len() == before {
            break;
        }
    }
    let mut bits = vec![0; COUNT / 64].into_boxed_slice();
    for (index, _) in known.iter().enumerate().filter(|&(_, &outcome)| outcome == Outcome::Won) {
        bits[index / 64] |= 1u64 << (index % 64);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_as_many_as_others_count() {
        // The number of won positions with the pawn on files a to d that Stockfish's
        // bitbase finds, either side to move.
        let wins: u32 = WON.iter().map(|bits| bits.count_ones()).sum();
        assert_eq!(wins, 111_282);
    }
}
