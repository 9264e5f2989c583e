//! The edit mode: a board changed piece by piece, of chess or of a variant.

use std::collections::BTreeMap;

use tamarin_game::played::Played;
use tamarin_game::position::Standing;
use tamarin_movegen::{Color, PieceKind};
use tamarin_uci::xboard::{EditCommand, EditError};

/// A board being edited.
pub struct Edit {
    /// A game of the kind that is edited.
    game: Played,
    /// The pieces as a FEN writes them, by the number of the square.
    pieces: BTreeMap<u8, String>,
    /// What is in hand, as the FEN has it.
    hands: String,
    /// Whose pieces are put on the board.
    color: Color,
}

impl Edit {
    /// Begins with the pieces of the position on the board and the color White.
    pub fn of(game: &Played) -> Self {
        let position = game.position();
        let piece = |Standing { at, piece, side, is_promoted }: Standing| {
            let mark = if is_promoted { "~" } else { "" };
            Some((position.square(&at)?, cased(&piece, side) + mark))
        };
        let pieces = position.pieces().into_iter().filter_map(piece).collect();
        let hands = game.fen().split([' ', '[']).nth(1).map(|hands| format!("[{hands}"));
        let hands = hands.filter(|text| text.ends_with(']')).unwrap_or_default();
        Self { game: game.clone(), pieces, hands, color: Color::White }
    }

    /// Carries out a line; `Done` changes nothing.
    ///
    /// # Errors
    /// If the game has no such square or piece.
    pub fn apply(&mut self, command: EditCommand<'_>) -> Result<(), EditError> {
        match command {
            EditCommand::Clear => {
                self.pieces.clear();
                self.hands.clear();
            }
            EditCommand::OtherColor => self.color = !self.color,
            EditCommand::Put(piece, square) => {
                let square = self.square(square)?;
                if !self.has_piece(piece) {
                    return Err(EditError);
                }
                self.pieces.insert(square, cased(piece, self.color));
            }
            EditCommand::Remove(square) => {
                let square = self.square(square)?;
                self.pieces.remove(&square);
            }
            EditCommand::Done => {}
        }
        Ok(())
    }

    fn square(&self, name: &str) -> Result<u8, EditError> {
        let position = self.game.position();
        let found = match position.rules() {
            Some(rules) => rules.parse_xboard_square(name),
            None => position.square(name),
        };
        found.ok_or(EditError)
    }

    fn has_piece(&self, name: &str) -> bool {
        match self.game.as_variant() {
            Some((_, rules)) => rules.piece_names().any(|one| one.eq_ignore_ascii_case(name)),
            None => name.parse().is_ok_and(|letter| PieceKind::from_char(letter).is_some()),
        }
    }

    /// The position that was set up. Kings and rooks on their first squares, or in variants what
    /// castles from where the game begins, may castle: the edit mode has no way to say otherwise.
    ///
    /// # Errors
    /// Why it is no position of the game.
    pub fn finish(self) -> Result<Played, String> {
        let (columns, rows) = self.game.position().size();
        let row = |row: u8| {
            let (mut text, mut empty) = (String::new(), 0);
            for square in row * columns..(row + 1) * columns {
                match self.pieces.get(&square) {
                    None => empty += 1,
                    Some(piece) => {
                        text += &number(std::mem::take(&mut empty));
                        text += piece;
                    }
                }
            }
            text + &number(empty)
        };
        let board = (0..rows).rev().map(row).collect::<Vec<_>>().join("/");
        let side = letter(self.game.side_to_move());
        let fen = format!("{board}{} {side} {} - 0 1", self.hands, self.rights());
        Ok(self.game.set_up(Some(&fen))?.game)
    }

    fn rights(&self) -> String {
        if self.game.as_variant().is_some() {
            let start = self.game.set_up(None).map(|start| start.game.fen()).unwrap_or_default();
            return start.split(' ').nth(2).unwrap_or("-").to_owned();
        }
        let holds = |square: u8, piece| self.pieces.get(&square).is_some_and(|text| text == piece);
        let rights = [("K", 4, 7, "R"), ("Q", 4, 0, "R"), ("k", 60, 63, "r"), ("q", 60, 56, "r")];
        let rights = rights.into_iter().filter(|(right, king, from, rook)| {
            let piece = if right.starts_with(char::is_uppercase) { "K" } else { "k" };
            holds(*king, piece) && holds(*from, rook)
        });
        let rights: String = rights.map(|(right, ..)| right).collect();
        if rights.is_empty() { "-".to_owned() } else { rights }
    }
}

/// The same position with this side to move.
///
/// # Errors
/// Why that is no position of the game.
pub fn with_side_to_move(game: &Played, color: Color) -> Result<Played, String> {
    let fen = game.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    (fields[1], fields[3]) = (letter(color), "-");
    Ok(game.set_up(Some(&fields.join(" ")))?.game)
}

const fn letter(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}

/// A piece by the case of its letter: capitals are White's.
fn cased(piece: &str, color: Color) -> String {
    match color {
        Color::White => piece.to_uppercase(),
        Color::Black => piece.to_lowercase(),
    }
}

/// A number of empty squares in a row.
fn number(empty: u8) -> String {
    if empty == 0 { String::new() } else { empty.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{Edit, with_side_to_move};
    use tamarin_game::played::Played;
    use tamarin_movegen::Color;
    use tamarin_uci::xboard::EditCommand;
    use tamarin_variant::builtin;

    fn variant(name: &str) -> Played {
        Played::variant(name.to_owned(), &builtin(name).expect("it is built in"))
    }

    fn edited(game: &Played, lines: &str) -> Result<String, String> {
        let mut edit = Edit::of(game);
        for line in lines.split(' ') {
            let command = EditCommand::parse(line).expect("a line of the edit mode");
            edit.apply(command).map_err(|error| format!("{line}: {error}"))?;
        }
        edit.finish().map(|game| game.fen())
    }

    #[test]
    fn boards_are_cleared_filled_and_changed_in_every_game() {
        let chess = Played::chess();
        for (game, lines, wanted) in [
            (&chess, "# Ke1 Rh1 Pa2 c Ke8 Ra8 Qd8 xd8", "r3k3/8/8/8/8/8/P7/4K2R w Kq - 0 1"),
            (&chess, "xe2 Pe4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"),
            (&chess, "# Kd1 Rh1 c Ke8", "4k3/8/8/8/8/8/8/3K3R w - - 0 1"),
            // Rows begin with 0 on boards of ten; `+` belongs to the letter; hands stay.
            (&variant("xiangqi"), "# Ke0 Ra1 c Kd9", "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1"),
            (&variant("minishogi"), "# Ke1 +Pa3 c Ka5", "k4/5/+P4/5/4K[] w - - 0 1"),
            (&variant("capablanca"), "# Kf1 Rj1 c Kf8", "5k4/10/10/10/10/10/10/5K3R w K - 0 1"),
        ] {
            assert_eq!(edited(game, lines).as_deref(), Ok(wanted), "{lines}");
        }
        for lines in ["# Ra1", "Za4", "Ei4", "Pa9", "Pa44"] {
            assert!(edited(&chess, lines).is_err(), "{lines}");
        }
    }

    #[test]
    fn the_side_to_move_can_be_changed_unless_a_check_forbids_it() {
        for (game, checked) in [
            (Played::chess(), "4k3/8/8/8/8/8/8/4RK2 b - - 0 1"),
            (variant("makruk"), "4k3/8/8/8/8/8/8/4RK2 b - - 0 1"),
        ] {
            let black = with_side_to_move(&game, Color::Black).expect("legal");
            assert_eq!(black.side_to_move(), Color::Black);
            let check = game.set_up(Some(checked)).expect("legal").game;
            assert!(with_side_to_move(&check, Color::White).is_err());
        }
    }
}
