//! Opening, middlegame and endgame.

use tamarin_movegen::{Bitboard, Color, PieceKind, Position, Rank};

use tamarin_game::book::Book;
use tamarin_game::pgn::Game;

/// Where the phases of a game begin. Plies are counted from 0, the first position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Phases {
    /// How many of the first moves are in the built-in opening book.
    pub book_moves: usize,
    /// The first position of the middlegame: the opening has ended.
    pub middlegame: Option<usize>,
    /// The first position of the endgame.
    pub endgame: Option<usize>,
}

/// With no more pieces than these besides kings and pawns the opening has ended.
const MIDDLEGAME_PIECES: u32 = 10;

/// With no more than these the endgame begins.
const ENDGAME_PIECES: u32 = 6;

/// A side with fewer pieces than these on its first rank has developed.
const BACK_RANK_PIECES: u32 = 4;

impl Phases {
    /// The phases of a game.
    ///
    /// Source: the numbers are those of `Divider` in scalachess, without its third criterion of
    /// mixed ranks.
    pub fn of(game: &Game) -> Self {
        let mut phases = Self::default();
        let mut position = game.start.clone();
        let mut in_book = true;
        for ply in 0..=game.moves.len() {
            if phases.middlegame.is_none() && is_middlegame(&position) {
                phases.middlegame = Some(ply);
            }
            if phases.endgame.is_none() && pieces(&position).len() <= ENDGAME_PIECES {
                phases.endgame = Some(ply);
            }
            let Some(played) = game.moves.get(ply) else { break };
            let known = |position: &Position| {
                Book::built_in().moves(position).iter().any(|found| Some(found.mv) == played.mv)
            };
            in_book = in_book && known(&position);
            phases.book_moves += usize::from(in_book);
            played.play(&mut position);
        }
        phases
    }
}

/// Everything but kings and pawns.
fn pieces(position: &Position) -> Bitboard {
    position.occupied() & !position.pieces(PieceKind::Pawn) & !position.pieces(PieceKind::King)
}

fn is_middlegame(position: &Position) -> bool {
    let has_developed = |color: Color| {
        let rank = Rank::First.relative_to(color).bitboard();
        (position.color(color) & rank).len() < BACK_RANK_PIECES
    };
    pieces(position).len() <= MIDDLEGAME_PIECES
        || has_developed(Color::White)
        || has_developed(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::Phases;
    use tamarin_game::pgn::games::GameText;
    use tamarin_game::pgn::read;

    fn phases(text: &str) -> Phases {
        let text = GameText { bytes: text.into(), ..GameText::default() };
        Phases::of(&read(&text).expect("a good game"))
    }

    #[test]
    fn development_ends_the_opening() {
        let opening = phases("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 *");
        assert_eq!((opening.middlegame, opening.endgame), (None, None));
        assert!(opening.book_moves >= 2, "{opening:?}");
        let developed = phases(
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 6. Nc3 O-O 7. Be3 Be6 8. Qd2 *",
        );
        assert_eq!((developed.middlegame, developed.endgame), (Some(15), None));
    }

    #[test]
    fn few_pieces_are_an_endgame_and_strange_moves_no_book() {
        let endgame = phases("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. Rh8+ *");
        assert_eq!((endgame.middlegame, endgame.endgame), (Some(0), Some(0)));
        assert_eq!(phases("1. h4 a6 2. e4 e5 *").book_moves, 0);
    }
}
