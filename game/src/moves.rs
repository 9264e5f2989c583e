//! Moves as people type them: forgiving reading, completion, suggestions.

use core::fmt;

use tamarin_movegen as chess;
use tamarin_movegen::{PieceKind, SanError, Square, UciMove};
use tamarin_variant::{self as variant, MoveTextError};

use crate::position::{Move, Position};

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

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Several(list) => write!(f, "which one? {}", list.join(", ")),
            Self::Illegal { reason, near } if near.is_empty() => write!(f, "{reason}."),
            Self::Illegal { reason, near } => write!(f, "{reason}. Legal: {}", near.join(", ")),
            Self::NotAMove => f.write_str("no legal move"),
        }
    }
}

/// The most moves that a message lists.
const MAX_LISTED: usize = 8;

/// The legal move that a text in a file means: algebraic notation of any habit, with figurines or
/// with letters of capitals and files as they are meant, or coordinates.
///
/// # Errors
/// If no legal move fits, or several do.
pub fn written(position: &chess::Position, text: &str) -> Result<chess::Move, SanError> {
    position.parse_san(text).or_else(|error| {
        let plain = plain(text);
        let plain = plain.strip_suffix("ep").unwrap_or(&plain);
        let king = plain.strip_prefix('K').filter(|rest| rest.len() >= 4);
        let found = position.parse_san(plain).ok().or_else(|| coordinates(position, plain));
        let castled =
            || king.and_then(|text| coordinates(position, text)).filter(|mv| mv.is_castle());
        found.or_else(castled).ok_or(error)
    })
}

/// The legal move that a text means: algebraic notation or coordinates, in any case, with blanks,
/// hyphens or figurines, castling in all spellings.
pub fn read(position: &Position, text: &str) -> Result<Move, NoMove> {
    match position {
        Position::Chess(position, _) => read_chess(position, text).map(Move::Chess),
        Position::Variant(position) => read_variant(position, text).map(Move::Variant),
    }
}

/// The same of chess.
pub fn read_chess(position: &chess::Position, text: &str) -> Result<chess::Move, NoMove> {
    let text = plain(text);
    if let Ok(mv) = written(position, &text) {
        return Ok(mv);
    }
    let wanted = squeeze(&text);
    let fits: Vec<chess::Move> = position
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

/// The same of a variant.
fn read_variant(position: &variant::Position, text: &str) -> Result<variant::Move, NoMove> {
    let text: String = text.split_whitespace().collect();
    match position.parse_move(&text) {
        Ok(mv) => return Ok(mv),
        Err(MoveTextError::Ambiguous { moves, .. }) => return Err(NoMove::Several(moves)),
        Err(_) => {}
    }
    let wanted = squeeze(&plain(&text));
    let names: Vec<_> = position.sans().into_iter().zip(position.texts()).collect();
    let fits = names.iter().filter(|((san, _), (text, _))| {
        [san, text].iter().any(|name| !wanted.is_empty() && squeeze(name) == wanted)
    });
    let fits: Vec<_> = fits.collect();
    if let [((_, mv), _)] = fits.as_slice() {
        return Ok(*mv);
    }
    if !fits.is_empty() {
        return Err(NoMove::Several(fits.iter().map(|(_, (text, _))| text.clone()).collect()));
    }
    let ends = |mv: &variant::Move| wanted.ends_with(&position.game().square_name(mv.to));
    let near = names.iter().filter(|((_, mv), _)| ends(mv)).map(|((san, _), _)| san.clone());
    let near: Vec<String> = near.take(MAX_LISTED).collect();
    let reason = "no legal move".to_owned();
    Err(if near.is_empty() { NoMove::NotAMove } else { NoMove::Illegal { reason, near } })
}

/// Returns `true` if a move gives checkmate.
pub fn is_mate(position: &chess::Position, mv: chess::Move) -> bool {
    let mut after = position.clone();
    after.make(mv);
    after.in_check() && !after.has_legal_move()
}

/// Without blanks and the number before a move, with letters for figurines.
fn plain(text: &str) -> String {
    let letter = |sign: char| match sign {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '\u{2010}'..='\u{2015}' | '−' => '-',
        // Cyrillic.
        '\u{41e}' | '\u{43e}' => 'O',
        '×' => 'x',
        other => other,
    };
    let text: String = text.chars().map(letter).filter(|sign| !sign.is_whitespace()).collect();
    let number = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let text = if number.starts_with('.') { number.trim_start_matches('.') } else { &text };
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

fn coordinates(position: &chess::Position, text: &str) -> Option<chess::Move> {
    let text: String = text.chars().filter(|sign| !"-x:=".contains(*sign)).collect();
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    position.resolve(text.parse::<UciMove>().ok()?).ok()
}

/// All that may be typed for a move, squeezed.
fn spellings(position: &chess::Position, mv: chess::Move) -> Vec<String> {
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

fn sans(position: &chess::Position, moves: &[chess::Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(|mv| position.san(*mv).to_string()).collect();
    texts.sort();
    texts.truncate(MAX_LISTED);
    texts
}

/// What is wrong with a text that no legal move fits.
fn explain(position: &chess::Position, text: &str, wanted: &str) -> NoMove {
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
fn near(position: &chess::Position, target: Square, from: &[String]) -> Vec<String> {
    let moves: Vec<chess::Move> = position.legal_moves().into_iter().collect();
    let to_target: Vec<chess::Move> =
        moves.iter().copied().filter(|mv| !mv.is_castle() && mv.to() == target).collect();
    if !to_target.is_empty() {
        return sans(position, &to_target);
    }
    let from_there: Vec<chess::Move> =
        moves.into_iter().filter(|mv| from.contains(&mv.from().to_string())).collect();
    sans(position, &from_there)
}

/// The legal moves that what has been typed so far may become, in algebraic notation; of what
/// begins like coordinates, as coordinates.
pub fn complete(position: &Position, typed: &str) -> Vec<String> {
    let typed = plain(typed);
    let (lower, squeezed) = (typed.to_lowercase(), squeeze(&typed));
    let [mut exact, mut any_case, mut as_coordinates] = [const { Vec::new() }; 3];
    for one in position.legal() {
        if one.text.to_lowercase().starts_with(&lower) {
            as_coordinates.push(one.text);
        }
        if one.san.starts_with(&typed) {
            exact.push(one.san);
        } else if squeeze(&one.san).starts_with(&squeezed) {
            any_case.push(one.san);
        }
    }
    let mut found = [exact, any_case, as_coordinates]
        .into_iter()
        .find(|list| !list.is_empty())
        .unwrap_or_default();
    found.sort();
    found.dedup();
    found
}

/// The legal moves by kind of piece, each list sorted; those from one square only, if given. Of
/// variants in one list, without the name of a piece.
pub fn legal(position: &Position, from: Option<u8>) -> Vec<(String, Vec<String>)> {
    let from = from.map(|square| position.square_name(square));
    let mut lists: Vec<(String, Vec<String>)> = match position {
        Position::Chess(..) => PieceKind::ALL.map(|kind| (format!("{kind:?}"), Vec::new())).into(),
        Position::Variant(_) => vec![(String::new(), Vec::new())],
    };
    for one in position.legal() {
        let index = match (position, one.mv) {
            (Position::Chess(position, _), Move::Chess(mv)) => {
                position.moved_piece(mv).kind().index()
            }
            _ => 0,
        };
        if from.as_ref().is_none_or(|from| *from == one.from) {
            lists[index].1.push(one.san);
        }
    }
    lists.retain(|(_, list)| !list.is_empty());
    lists.iter_mut().for_each(|(_, list)| list.sort());
    lists
}

/// Where the king may be put down to castle besides the square `to` of a text: on its rook, or on
/// its target unless another move of the king leads there.
pub(crate) fn also_castles(legal: &[chess::Move], mv: chess::Move, to: Square) -> Option<String> {
    let side = if mv.to() > mv.from() { chess::File::G } else { chess::File::C };
    let target = Square::new(side, mv.from().rank());
    let other = if to == mv.to() { target } else { mv.to() };
    let goes_there = |one: &chess::Move| one.from() == mv.from() && one.to() == other && *one != mv;
    let is_meant = mv.is_castle() && other != mv.from() && !legal.iter().any(goes_there);
    is_meant.then(|| other.to_string())
}

#[cfg(test)]
mod tests {
    use super::{NoMove, complete, legal, read};
    use crate::position::Position;
    use tamarin_movegen as chess;
    use tamarin_variant as variant;

    fn at(fen: &str) -> Position {
        chess::Position::from_fen(fen).unwrap().into()
    }

    fn meant(position: &Position, text: &str) -> String {
        match read(position, text) {
            Ok(mv) => position.san(mv),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn moves_are_understood_however_they_are_typed() {
        let start = Position::startpos();
        for text in [
            "Nf3", "nf3", "NF3", "g1f3", "G1F3", "g1-f3", "Ng1-f3", "♘f3", " n f3 ", "Nf3!?",
            "1. Nf3", "1...Nf3",
        ] {
            assert_eq!(meant(&start, text), "Nf3", "{text}");
        }
        for text in ["e4", "E4", "e2e4", "e2-e4", "e2 e4", "pe4", "Pe4", "♙e4", "e2–e4"] {
            assert_eq!(meant(&start, text), "e4", "{text}");
        }
        let castle = at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        for text in
            ["O-O", "0-0", "o-o", "OO", "00", "oo", "castle", "e1g1", "e1h1", "Castle short"]
        {
            assert_eq!(meant(&castle, text), "O-O", "{text}");
        }
        for text in ["O-O-O", "0-0-0", "ooo", "castle long", "e1c1"] {
            assert_eq!(meant(&castle, text), "O-O-O", "{text}");
        }
        let captures = at("4k3/1P6/8/3pP3/8/8/8/R3K2R w - d6 0 1");
        for text in ["exd6", "ed", "ed6", "e5d6", "exd", "e:d6", "exd6 e.p.", "EXD6"] {
            assert_eq!(meant(&captures, text), "exd6", "{text}");
        }
        for text in ["b8=Q+", "b8q", "b8Q", "b7b8q", "B8=Q", "b8=q"] {
            assert_eq!(meant(&captures, text), "b8=Q+", "{text}");
        }
    }

    #[test]
    fn a_bishop_and_a_pawn_are_distinguished_or_asked_about() {
        let both = at("4k3/8/8/2p5/1P6/B7/8/4K3 w - - 0 1");
        assert_eq!(meant(&both, "bxc5"), "bxc5");
        let bishop = at("4k3/8/8/2p5/8/B7/8/4K3 w - - 0 1");
        assert_eq!(meant(&bishop, "bxc5"), "Bxc5");
        let promotion = at("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        let error = read(&promotion, "a8").unwrap_err();
        assert!(
            matches!(&error, NoMove::Illegal { reason, near } if reason.contains("becomes")
                && near.len() == 4),
            "{error:?}"
        );
    }

    #[test]
    fn what_is_wrong_is_explained_with_moves_that_come_near() {
        let start = Position::startpos();
        let error = |position: &Position, text: &str| read(position, text).unwrap_err();
        assert_eq!(error(&start, "hello"), NoMove::NotAMove);
        assert_eq!(error(&start, ""), NoMove::NotAMove);
        assert_eq!(error(&start, "é♘\0"), NoMove::NotAMove);
        let NoMove::Illegal { reason, near } = error(&start, "e2e5") else { panic!() };
        assert_eq!(
            (reason.as_str(), near),
            ("no piece can move that way", vec!["e3".into(), "e4".into()])
        );
        let NoMove::Illegal { near, .. } = error(&start, "Nf4") else { panic!() };
        assert_eq!(near, ["f4"]);
        assert!(matches!(error(&start, "O-O"), NoMove::Illegal { .. }));
        let knights = at("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1");
        assert_eq!(error(&knights, "ne4"), NoMove::Several(vec!["Nce4".into(), "Nge4".into()]));
        assert_eq!(error(&knights, "Ne4"), NoMove::Several(vec!["Nce4".into(), "Nge4".into()]));
    }

    #[test]
    fn what_is_typed_is_completed() {
        let start = Position::startpos();
        assert_eq!(complete(&start, "N"), ["Na3", "Nc3", "Nf3", "Nh3"]);
        assert_eq!(complete(&start, "nf"), ["Nf3"]);
        assert_eq!(complete(&start, "e"), ["e3", "e4"]);
        assert_eq!(complete(&start, "e2"), ["e2e3", "e2e4"]);
        assert_eq!(complete(&start, "g1"), ["g1f3", "g1h3"]);
        assert!(complete(&start, "x9").is_empty());
        assert_eq!(complete(&start, "").len(), 20);
    }

    #[test]
    fn legal_moves_come_by_piece_or_square() {
        let start = Position::startpos();
        let kinds: Vec<String> = legal(&start, None).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, ["Pawn", "Knight"]);
        let from = |name| legal(&start, start.square(name));
        assert_eq!(from("e2"), [("Pawn".into(), vec!["e3".into(), "e4".into()])]);
        assert!(from("e4").is_empty());
    }

    #[test]
    fn moves_of_variants_are_read_and_completed() {
        let at = |name| -> Position {
            let rules = variant::builtin(name).unwrap();
            variant::Position::start(&rules).into()
        };
        let xiangqi = at("xiangqi");
        for text in ["h3e3", "H3-E3", "h3 e3", "Che3", "che3"] {
            assert_eq!(meant(&xiangqi, text), "Che3", "{text}");
        }
        assert!(read(&xiangqi, "Ce3").unwrap_err().to_string().contains("Cbe3, Che3"));
        assert_eq!(read(&xiangqi, "xyz").unwrap_err(), NoMove::NotAMove);
        assert_eq!(complete(&xiangqi, "a4"), ["a4a5"]);
        assert_eq!(legal(&xiangqi, xiangqi.square("h3"))[0].1.len(), 12);
        let house = at("crazyhouse");
        for text in ["Nf3", "nf3", "♘f3", "g1f3"] {
            assert_eq!(meant(&house, text), "Nf3", "{text}");
        }
    }
}
