//! Positions that a player puts together.

use tamarin_game::position::clip;
use tamarin_movegen::{Color, Piece, Position, Setup, Square};

/// The position that a text describes: a FEN, or changes of `current` one after the other.
pub fn position(current: &Position, text: &str) -> Result<Position, String> {
    let text = text.trim().trim_matches('"');
    if text.split_whitespace().next().is_some_and(|word| word.contains('/')) {
        return Position::from_fen(text).map_err(|error| error.to_string());
    }
    let mut setup = Setup::from(current);
    setup.en_passant = None;
    setup.halfmove_clock = 0;
    for word in text.split_whitespace() {
        change(&mut setup, word)?;
    }
    setup.repair();
    Position::from_setup(&setup).map_err(|error| format!("no position of a game: {error}"))
}

fn change(setup: &mut Setup, word: &str) -> Result<(), String> {
    match word.to_lowercase().as_str() {
        "start" | "startpos" => *setup = Setup::from(&Position::startpos()),
        "clear" => *setup = Setup { side_to_move: setup.side_to_move, ..Setup::empty() },
        "white" | "w" => setup.side_to_move = Color::White,
        "black" | "b" => setup.side_to_move = Color::Black,
        "castling" => {
            // What is not possible is dropped when the setup is repaired.
            let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
            setup.castling = corners.into_iter().collect();
        }
        "none" => setup.castling = tamarin_movegen::Bitboard::EMPTY,
        _ => {
            let words = "start, clear, +Nf3, +nf6, -e2, white, black, castling, none";
            let unknown = || format!("{:?}: say a FEN, or {words}", clip(word));
            place(setup, word).ok_or_else(unknown)?;
        }
    }
    Ok(())
}

/// `+Nf3` or `-f3`.
fn place(setup: &mut Setup, word: &str) -> Option<()> {
    if let Some(square) = word.strip_prefix('-') {
        setup.pieces[square.parse::<Square>().ok()?] = None;
        return Some(());
    }
    let rest = word.strip_prefix('+')?;
    let piece = Piece::from_char(rest.chars().next()?)?;
    let square: Square = rest.get(1..)?.parse().ok()?;
    setup.pieces[square] = Some(piece);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::position;
    use tamarin_movegen::Position;

    fn made(text: &str) -> Result<String, String> {
        let position = position(&Position::startpos(), text);
        position.map(|position| position.to_string())
    }

    #[test]
    fn positions_are_put_together() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1";
        assert_eq!(made(fen).as_deref(), Ok(fen));
        assert_eq!(made("clear +Ke1 +ke8 +Ra1 black castling").as_deref(), Ok(fen));
        let without_queens = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
        assert_eq!(made("-d1 -d8").as_deref(), Ok(without_queens));
        assert_eq!(made("clear start").as_deref(), Ok(&*Position::startpos().to_string()));
        // A right without its rook is dropped.
        assert!(made("-h1").unwrap().contains(" w Qkq "));
    }

    #[test]
    fn an_invalid_one_is_refused() {
        for text in ["clear", "-e1", "+Qe9", "+é4", "nonsense", "8/8/8 w", "+Ke4", "+pa1"] {
            assert!(made(text).is_err(), "{text}");
        }
    }
}
