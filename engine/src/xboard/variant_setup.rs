//! What XBoard has to know of a variant: its board and its pieces.

use tamarin_variant::{Game, Position};

/// XBoard's first pieces, in its order: they are drawn as the letters say.
const USUAL: [&str; 5] = ["p", "n", "b", "r", "q"];

/// How many kinds of pieces a side may have before the places of promoted ones begin.
const BASE: usize = 11;

/// The answer to `variant`: board and pieces, and the start position. `None` if XBoard cannot name the
/// pieces: each needs a letter, which may have `+` before it.
pub fn setup_lines(game: &std::sync::Arc<Game>) -> Option<String> {
    let white = letters(game)?;
    let table = format!("{}{}", white.to_uppercase(), white);
    let (columns, rows, held) = (game.columns(), game.rows(), game.held_kinds().len());
    let fen = Position::start(game).fen();
    let mut lines = format!("setup ({table}) {columns}x{rows}+{held}_fairy {fen}");
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

#[cfg(test)]
mod tests {
    use super::setup_lines;
    use tamarin_variant::{builtin, load};

    #[test]
    fn boards_and_pieces_are_sent() {
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
        let held = lines("crazyhouse");
        assert!(held.starts_with("setup (PNBRQKpnbrqk) 8x8+5_fairy rnbqkbnr"), "{held}");
        assert!(held.contains("RNBQKBNR[] w KQkq - 0 1"), "{held}");
        let long = load("@royal king\nking W1\n\nw:king . b:king\n", None).unwrap().game;
        assert_eq!(setup_lines(&long), None);
    }
}
