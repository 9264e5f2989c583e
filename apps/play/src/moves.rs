//! Moves as people type them: forgiving reading, completion, suggestions.

use tamarin_movegen::{Color, Move, PieceKind, Position, SanError, Square, UciMove};

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// Several legal moves fit.
    Several(Vec<String>),
    /// It looks like a move, but no legal one fits.
    Illegal {
        reason: String,
        /// Legal moves that come near.
        near: Vec<String>,
    },
    /// It does not look like a move.
    NotAMove,
}

/// The most moves that a message lists.
const MAX_LISTED: usize = 8;

/// The legal move that a text means: algebraic notation or coordinates, in any case, with blanks,
/// hyphens or figurines, castling in all spellings.
pub fn read(position: &Position, text: &str) -> Result<Move, NoMove> {
    let text = plain(text);
    if let Ok(mv) = position.parse_san(&text) {
        return Ok(mv);
    }
    if let Some(mv) = coordinates(position, &text) {
        return Ok(mv);
    }
    let wanted = squeeze(&text);
    let fits: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| spellings(position, *mv).contains(&wanted))
        .collect();
    match fits.as_slice() {
        [one] => Ok(*one),
        [] => Err(explain(position, &text, &wanted)),
        several => Err(NoMove::Several(sans(position, several))),
    }
}

/// Does a move give checkmate?
pub fn is_mate(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.make(mv);
    after.in_check() && !after.has_legal_move()
}

/// Without blanks and with letters for figurines.
fn plain(text: &str) -> String {
    let letter = |sign: char| match sign {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '–' | '—' | '−' => '-',
        '×' => 'x',
        other => other,
    };
    let text: String = text.chars().map(letter).filter(|sign| !sign.is_whitespace()).collect();
    // Pawns have no letter in algebraic notation.
    text.trim_start_matches(['♙', '♟']).to_owned()
}

/// What two spellings of a move have in common: small letters, no marks.
fn squeeze(text: &str) -> String {
    let lower = text.to_lowercase().replace("e.p.", "");
    lower
        .chars()
        .filter(|sign| !"x:-=+#!?()/".contains(*sign))
        .map(|sign| if sign == '0' { 'o' } else { sign })
        .collect()
}

fn coordinates(position: &Position, text: &str) -> Option<Move> {
    let text: String = text.chars().filter(|sign| !"-x:=".contains(*sign)).collect();
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    position.resolve(text.parse::<UciMove>().ok()?).ok()
}

/// All that may be typed for a move, squeezed.
fn spellings(position: &Position, mv: Move) -> Vec<String> {
    let kind = position.moved_piece(mv).kind();
    let promotion = mv.promotion().map_or_else(String::new, |kind| kind.to_char().to_string());
    let (from, to) = (mv.from().to_string(), mv.to().to_string());
    if mv.is_castle() {
        let is_short = mv.to().file() > mv.from().file();
        let words: &[&str] =
            if is_short { &["oo", "castle", "castleshort"] } else { &["ooo", "castlelong"] };
        return words.iter().map(|word| (*word).to_owned()).collect();
    }
    let letter = match kind {
        PieceKind::Pawn => String::new(),
        kind => kind.to_char().to_string(),
    };
    let (file, rank) = (&from[..1], &from[1..]);
    let mut all = vec![
        squeeze(position.san(mv).as_str()),
        format!("{letter}{from}{to}{promotion}"),
        format!("{letter}{file}{to}{promotion}"),
        format!("{letter}{to}{promotion}"),
    ];
    if kind == PieceKind::Pawn {
        all.push(format!("p{to}{promotion}"));
        all.push(format!("p{from}{to}{promotion}"));
        if mv.is_capture() {
            // As `ed` for `exd5`.
            all.push(format!("{file}{}{promotion}", &to[..1]));
        }
    } else {
        all.push(format!("{letter}{rank}{to}{promotion}"));
    }
    all
}

fn sans(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(|mv| position.san(*mv).to_string()).collect();
    texts.sort();
    texts.truncate(MAX_LISTED);
    texts
}

/// What is wrong with a text that no legal move fits.
fn explain(position: &Position, text: &str, wanted: &str) -> NoMove {
    let squares: Vec<Square> = squares(wanted);
    let Some(&target) = squares.last() else {
        let is_castle = matches!(wanted, "oo" | "ooo" | "castle" | "castleshort" | "castlelong");
        return if is_castle {
            NoMove::Illegal { reason: "castling is not possible here".to_owned(), near: Vec::new() }
        } else {
            NoMove::NotAMove
        };
    };
    let reason = match text.parse::<UciMove>().map(|mv| position.resolve(mv)) {
        Ok(Err(error)) => strip(&error.to_string()),
        _ => {
            // Only trying shows whether a lower case first letter is a piece or a file.
            let mut capital = text.to_owned();
            let first = text.chars().next().unwrap_or(' ').to_ascii_uppercase();
            if "NRQK".contains(first) {
                capital.replace_range(..1, &first.to_string());
            }
            match position.parse_san(&capital) {
                Err(SanError::Ambiguous { from, .. }) => {
                    let [a, b] = from.map(|square| format!("{square}"));
                    return NoMove::Several(near(position, target, &[a, b]));
                }
                Err(error @ SanError::Illegal { .. }) => strip(&error.to_string()),
                _ => return NoMove::NotAMove,
            }
        }
    };
    let from = squares.first().filter(|_| squares.len() > 1).map(Square::to_string);
    let near = near(position, target, from.as_slice());
    NoMove::Illegal { reason, near }
}

/// The squares that a squeezed text names.
fn squares(text: &str) -> Vec<Square> {
    let bytes = text.as_bytes();
    let pairs = bytes.windows(2).filter_map(|pair| std::str::from_utf8(pair).ok());
    pairs.filter_map(|pair| pair.parse().ok()).collect()
}

/// The reason alone, without the text that it quotes.
fn strip(message: &str) -> String {
    message.rsplit_once(": ").map_or(message, |(_, reason)| reason).to_owned()
}

/// Legal moves to a square, or else from one of the squares named.
fn near(position: &Position, target: Square, from: &[String]) -> Vec<String> {
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    let to_target: Vec<Move> =
        moves.iter().copied().filter(|mv| !mv.is_castle() && mv.to() == target).collect();
    if !to_target.is_empty() {
        return sans(position, &to_target);
    }
    let from_there: Vec<Move> =
        moves.into_iter().filter(|mv| from.contains(&mv.from().to_string())).collect();
    sans(position, &from_there)
}

/// The legal moves that what has been typed so far may become, in algebraic notation; of what
/// begins like coordinates, as coordinates.
pub fn complete(position: &Position, typed: &str) -> Vec<String> {
    let typed = plain(typed);
    let lower = typed.to_lowercase();
    let mut exact = Vec::new();
    let mut any_case = Vec::new();
    let mut as_coordinates = Vec::new();
    for mv in position.legal_moves() {
        let san = position.san(mv).to_string();
        let uci = position.uci(mv, tamarin_movegen::CastlingNotation::Classic).to_string();
        if uci.starts_with(&lower) {
            as_coordinates.push(uci);
        }
        if san.starts_with(&typed) {
            exact.push(san);
        } else if squeeze(&san).starts_with(&squeeze(&typed)) {
            any_case.push(san);
        }
    }
    let mut found = [exact, any_case, as_coordinates]
        .into_iter()
        .find(|list| !list.is_empty())
        .unwrap_or_default();
    found.sort();
    found
}

/// The legal moves by kind of piece, each list sorted; those from one square only, if given.
pub fn legal(position: &Position, from: Option<Square>) -> Vec<(PieceKind, Vec<String>)> {
    let mut lists: Vec<(PieceKind, Vec<String>)> = Vec::new();
    for kind in PieceKind::ALL {
        let mut list: Vec<String> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| position.moved_piece(*mv).kind() == kind)
            .filter(|mv| from.is_none_or(|square| mv.from() == square))
            .map(|mv| position.san(mv).to_string())
            .collect();
        if !list.is_empty() {
            list.sort();
            lists.push((kind, list));
        }
    }
    lists
}

/// A line of moves with numbers, as in `12. Nf3 d5 13. O-O`.
pub fn line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for (index, mv) in moves.iter().enumerate() {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => text.push_str(&format!("{number}. ")),
            Color::Black if index == 0 => text.push_str(&format!("{number}... ")),
            Color::Black => {}
        }
        text.push_str(position.san(*mv).as_str());
        text.push(' ');
        position.make(*mv);
    }
    text.truncate(text.trim_end().len());
    text
}
