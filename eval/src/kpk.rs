//! King and pawn against king, solved: one bit a position, worked out on first use.

use once_cell::sync::Lazy;
use tamarin_movegen::{Bitboard, Color, Square, king_attacks, pawn_attacks};

/// Pawn squares: files a to d, ranks 2 to 7.
const PAWNS: usize = 24;

static WINS: Lazy<Wins> = Lazy::new(Wins::solve);

/// Does the side with the pawn, which walks north, win? `strong_to_move` says whether
/// it has the move.
pub(crate) fn is_won(king: Square, bare_king: Square, pawn: Square, strong_to_move: bool) -> bool {
    let (king, bare_king, pawn) = match pawn.index() % 8 < 4 {
        true => (king, bare_king, pawn),
        false => (king.flip_file(), bare_king.flip_file(), pawn.flip_file()),
    };
    let sets = if strong_to_move { &WINS.strong_moves } else { &WINS.bare_moves };
    sets[row(pawn)][king.index()].has(bare_king)
}

/// The squares of the bare king that lose, for each pawn and each square of its king.
type Sets = [[Bitboard; 64]; PAWNS];

/// All won positions.
struct Wins {
    /// With the side of the pawn to move.
    strong_moves: Sets,
    /// With the bare king to move.
    bare_moves: Sets,
}

impl Wins {
    /// Adds wins to wins until no more are found.
    ///
    /// A pawn never comes back, so the squares of the pawn are done one after the other
    /// from the seventh rank down; for each, all squares of the bare king at once.
    fn solve() -> Self {
        let none = [[Bitboard::EMPTY; 64]; PAWNS];
        let mut wins = Self { strong_moves: none, bare_moves: none };
        for row in (0..PAWNS).rev() {
            let pawn = pawn_of(row);
            loop {
                let before = wins.bare_moves[row];
                for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                    wins.strong_moves[row][king.index()] = wins.with_strong_to_move(pawn, king);
                }
                for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                    wins.bare_moves[row][king.index()] = wins.with_bare_to_move(pawn, king);
                }
                if wins.bare_moves[row] == before {
                    break;
                }
            }
        }
        wins
    }

    /// Where the bare king loses because some move is known to win.
    fn with_strong_to_move(&self, pawn: Square, king: Square) -> Bitboard {
        let in_check = pawn_attacks(Color::White, pawn);
        let possible = !king_attacks(king).with(king).with(pawn) - in_check;
        let mut won = Bitboard::EMPTY;
        for step in king_attacks(king).without(pawn) {
            won |= self.bare_moves[row(pawn)][step.index()];
        }
        let stop = Square::from_masked(pawn as u8 + 8);
        if stop != king {
            won |= self.by_push(pawn, stop, king).without(stop);
        }
        won & possible
    }

    /// Where the bare king loses because the pawn walks to `stop`, or a square farther.
    fn by_push(&self, pawn: Square, stop: Square, king: Square) -> Bitboard {
        if stop.index() >= 56 {
            // A queen that cannot be taken at once; any other promotion loses her.
            let guarded = king_attacks(king).has(stop);
            return if guarded { Bitboard::ALL } else { !king_attacks(stop) };
        }
        let single = self.bare_moves[row(stop)][king.index()];
        let double = Square::from_masked(stop as u8 + 8);
        if pawn.index() >= 16 || double == king {
            return single;
        }
        single | self.bare_moves[row(double)][king.index()]
    }

    /// Where the bare king loses because every move of it is known to lose.
    fn with_bare_to_move(&self, pawn: Square, king: Square) -> Bitboard {
        let near = king_attacks(king).with(king);
        let in_check = pawn_attacks(Color::White, pawn);
        // An undefended pawn is among these, and taking it is among the escapes.
        let safe = !(near | in_check);
        let escapes = safe - self.strong_moves[row(pawn)][king.index()];
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

const fn row(pawn: Square) -> usize {
    (pawn.index() / 8 - 1) * 4 + pawn.index() % 8
}

const fn pawn_of(row: usize) -> Square {
    Square::from_masked(((row / 4 + 1) * 8 + row % 4) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_as_many_as_others_count() {
        // The number of won positions with the pawn on files a to d that Stockfish's
        // bitbase finds, either side to move.
        let wins: u32 = [&WINS.strong_moves, &WINS.bare_moves]
            .into_iter()
            .flat_map(|sets| sets.as_flattened())
            .map(|lost| lost.len())
            .sum();
        assert_eq!(wins, 111_282);
    }
}
