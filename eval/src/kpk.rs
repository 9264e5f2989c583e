//! King and pawn against king (KPK): a bitbase, one bit a position, computed on first use.

use once_cell::sync::Lazy;
use tamarin_movegen::{Bitboard, Color, Square, king_attacks, pawn_attacks};

/// Pawn squares: files a to d, ranks 2 to 7.
const PAWNS: usize = 24;

static BITBASE: Lazy<Bitbase> = Lazy::new(Bitbase::solve);

/// Returns `true` if White, who has the pawn, wins.
pub(crate) fn is_won(king: Square, black_king: Square, pawn: Square, side_to_move: Color) -> bool {
    let (king, black_king, pawn) = match pawn.index() % 8 < 4 {
        true => (king, black_king, pawn),
        false => (king.flip_file(), black_king.flip_file(), pawn.flip_file()),
    };
    let wins = match side_to_move {
        Color::White => &BITBASE.white_to_move,
        Color::Black => &BITBASE.black_to_move,
    };
    wins[index(pawn)][king.index()].has(black_king)
}

/// The squares of the black king on which White wins, by pawn and square of the white king.
type Sets = [[Bitboard; 64]; PAWNS];

/// All won positions.
struct Bitbase {
    /// With White to move.
    white_to_move: Sets,
    /// With Black to move.
    black_to_move: Sets,
}

impl Bitbase {
    /// Adds wins until no more are found (retrograde analysis).
    ///
    /// A pawn never moves back, so the squares of the pawn are done one after the other
    /// from the seventh rank down; for each, all squares of the black king at once.
    fn solve() -> Self {
        let none = [[Bitboard::EMPTY; 64]; PAWNS];
        let mut wins = Self { white_to_move: none, black_to_move: none };
        for row in (0..PAWNS).rev() {
            let pawn = pawn_at(row);
            loop {
                let before = wins.black_to_move[row];
                for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                    wins.white_to_move[row][king.index()] =
                        wins.wins_with_white_to_move(pawn, king);
                }
                for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                    wins.black_to_move[row][king.index()] =
                        wins.wins_with_black_to_move(pawn, king);
                }
                if wins.black_to_move[row] == before {
                    break;
                }
            }
        }
        wins
    }

    /// Where the black king loses because some move is known to win.
    fn wins_with_white_to_move(&self, pawn: Square, king: Square) -> Bitboard {
        let in_check = pawn_attacks(Color::White, pawn);
        let possible = !king_attacks(king).with(king).with(pawn) - in_check;
        let mut won = Bitboard::EMPTY;
        for step in king_attacks(king).without(pawn) {
            won |= self.black_to_move[index(pawn)][step.index()];
        }
        let stop = Square::from_masked(pawn as u8 + 8);
        if stop != king {
            won |= self.wins_by_push(pawn, stop, king).without(stop);
        }
        won & possible
    }

    /// Where the black king loses because the pawn walks to `stop`, or a square farther.
    fn wins_by_push(&self, pawn: Square, stop: Square, king: Square) -> Bitboard {
        if stop.index() >= 56 {
            // A queen that cannot be taken at once; any other promotion loses her.
            let guarded = king_attacks(king).has(stop);
            return if guarded { Bitboard::ALL } else { !king_attacks(stop) };
        }
        let single = self.black_to_move[index(stop)][king.index()];
        let double = Square::from_masked(stop as u8 + 8);
        if pawn.index() >= 16 || double == king {
            return single;
        }
        single | self.black_to_move[index(double)][king.index()]
    }

    /// Where the black king loses because every move of it is known to lose.
    fn wins_with_black_to_move(&self, pawn: Square, king: Square) -> Bitboard {
        let near = king_attacks(king).with(king);
        let in_check = pawn_attacks(Color::White, pawn);
        // An undefended pawn is among these, and taking it is among the escapes.
        let safe = !(near | in_check);
        let escapes = safe - self.white_to_move[index(pawn)][king.index()];
        let mated_or_moving = in_check | neighbors(safe);
        (mated_or_moving - neighbors(escapes) - near).without(pawn)
    }
}

/// The squares next to any square of `set`.
fn neighbors(set: Bitboard) -> Bitboard {
    let beside = set.east() | set.west();
    let three = set | beside;
    beside | three.north() | three.south()
}

const fn index(pawn: Square) -> usize {
    (pawn.index() / 8 - 1) * 4 + pawn.index() % 8
}

const fn pawn_at(index: usize) -> Square {
    Square::from_masked(((index / 4 + 1) * 8 + index % 4) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_as_many_as_others_count() {
        // The number of won positions with the pawn on files a to d that Stockfish's
        // bitbase finds, either side to move.
        let wins: u32 = [&BITBASE.white_to_move, &BITBASE.black_to_move]
            .into_iter()
            .flat_map(|sets| sets.as_flattened())
            .map(|lost| lost.len())
            .sum();
        assert_eq!(wins, 111_282);
    }
}
