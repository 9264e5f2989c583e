//! What XBoard has to know of a variant: its board, its pieces, and how squares are called.

use tamarin_variant::{Game, Move, MoveTextError, Position};

/// Boards with so many rows begin with row 0 in this protocol.
const ROWS_FROM_ZERO: u8 = 10;

/// XBoard's first pieces, in its order: they are drawn as the letters say.
const USUAL: [&str; 5] = ["p", "n", "b", "r", "q"];

/// How many kinds of pieces a side may have before the places of promoted ones begin.
const BASE: usize = 11;

/// The answer to `variant`: board and pieces, and the start position. `None` if XBoard cannot name the
/// pieces: each needs a letter, which may have `+` before it.
pub fn setup_lines(game: &std::sync::Arc<Game>) -> Option<String> {
    let white = letters(game)?;
    let table = format!("{}{}", white.to_uppercase(), white);
    let (columns, rows) = (game.columns(), game.rows());
    let fen = Position::start(game).fen();
    let mut lines = format!("setup ({table}) {columns}x{rows}+0_fairy {fen}");
    for kind in 0..game.piece_count() as u8 {
        let name = game.piece_name(kind).to_uppercase();
        match game.xbetza(kind) {
            Some([white, black]) if white == black => {
                lines += &format!("\npiece {name}& {white}");
            }
            Some([white, black]) => {
                let small = name.to_lowercase();
                lines += &format!("\npiece {name} {white}\npiece {small} {black}");
            }
            None => {}
        }
    }
    Some(lines)
}

/// The letters of one side in XBoard's order: pawn, knight, bishop, rook, queen, others, then promoted
/// ones at the places of what they were, and the king last. Places that nothing has are dots.
fn letters(game: &Game) -> Option<String> {
    let kinds: Vec<u8> = (0..game.piece_count() as u8).collect();
    let royal = kinds.iter().copied().find(|&kind| game.is_royal(kind));
    let mut base = vec![None; USUAL.len()];
    let mut others = Vec::new();
    for &kind in &kinds {
        let name = game.piece_name(kind);
        let plain = name.strip_prefix('+').unwrap_or(name);
        if plain.len() != 1 || !plain.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        if Some(kind) == royal {
            continue;
        }
        match USUAL.iter().position(|usual| *usual == name.to_lowercase()) {
            Some(place) => base[place] = Some(name),
            None if name.len() == 1 => others.push(name),
            None => {}
        }
    }
    base.extend(others.into_iter().map(Some));
    if base.len() > BASE {
        return None;
    }
    let promoted = kinds.iter().any(|&kind| game.piece_name(kind).len() > 1);
    let mut text: String = base.iter().map(|name| name.unwrap_or(".")).collect();
    if promoted {
        text.extend(std::iter::repeat_n('.', BASE - base.len()));
        for name in &base {
            let has = name.is_some_and(|name| {
                kinds.iter().any(|&kind| game.piece_name(kind) == format!("+{name}"))
            });
            text.push(if has { '+' } else { '.' });
        }
    }
    text.push_str(royal.map_or(".", |kind| game.piece_name(kind)));
    Some(text.to_lowercase())
}

/// The move as XBoard writes it.
pub fn move_text(position: &Position, m: Move) -> String {
    shifted(position.game(), &position.text(m), -1)
}

/// The legal move that the client means.
///
/// # Errors
/// Why there is none.
pub fn find_move(position: &Position, text: &str) -> Result<Move, String> {
    let game = position.game();
    position.parse_move(&shifted(game, text, 1)).map_err(|error| match error {
        MoveTextError::Ambiguous { moves, .. } => {
            let moves: Vec<String> = moves.iter().map(|text| shifted(game, text, -1)).collect();
            format!("it may be {}", moves.join(" or "))
        }
        _ => "the rules of this variant have no such move here".to_owned(),
    })
}

/// A move in coordinates with other numbers of rows, on boards whose rows begin with 0 here.
fn shifted(game: &Game, text: &str, by: i32) -> String {
    if game.rows() != ROWS_FROM_ZERO {
        return text.to_owned();
    }
    let shift = || {
        let (from, rest) = square(text, by)?;
        let (to, rest) = square(rest, by)?;
        Some(format!("{from}{to}{rest}"))
    };
    shift().unwrap_or_else(|| text.to_owned())
}

/// The square that a text begins with, its row changed, and what follows.
fn square(text: &str, by: i32) -> Option<(String, &str)> {
    let column = text.chars().next().filter(char::is_ascii_lowercase)?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let row: i32 = text[1..1 + digits].parse().ok()?;
    Some((format!("{column}{}", row + by), &text[1 + digits..]))
}

#[cfg(test)]
mod tests {
    use super::{find_move, move_text, setup_lines};
    use tamarin_variant::{Position, builtin, load};

    #[test]
    fn boards_and_pieces_are_told() {
        let lines = |name: &str| setup_lines(&builtin(name).unwrap()).unwrap();
        let clobberers = lines("clobberers");
        let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            clobberers.lines().collect::<Vec<_>>(),
            [
                &format!("setup (PNBRQKpnbrqk) 8x8+0_fairy {chess}"),
                "piece P& fmWfceFifmnD",
                "piece N& WA",
                "piece B& FAD",
                "piece R& F0D",
                "piece Q& F0N",
                "piece K WFirO2ilO3",
                "piece k WFirO3ilO2",
            ]
        );
        assert!(lines("xiangqi").starts_with("setup (PNBR.ACKpnbr.ack) 9x10+0_fairy rnbakabnr/9/"));
        let shogi = lines("shogi_nodrop");
        assert!(shogi.starts_with("setup (PNBR.GSL...++++..++K"), "{shogi}");
        let long = load("@royal king\nking W1\n\nw:king . b:king\n", None).unwrap().game;
        assert_eq!(setup_lines(&long), None);
    }

    #[test]
    fn rows_of_boards_with_ten_of_them_begin_with_0() {
        let position = Position::start(&builtin("xiangqi").unwrap());
        let m = find_move(&position, "h2h9").unwrap();
        assert_eq!((position.text(m), move_text(&position, m)), ("h3h10".into(), "h2h9".into()));
        assert!(find_move(&position, "h3h10").is_err());
        let small = Position::start(&builtin("minixiangqi").unwrap());
        assert_eq!(move_text(&small, small.parse_move("b1b2").unwrap()), "b1b2");
    }
}
