//! Positions as FEN.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Position;
use super::placement::{Playable, UNMOVED};
use super::state::State;
use crate::ast::Checks;
use crate::board::{Code, Color, Square};
use crate::fen_text::{self, Token};
use crate::game::{Castling, EnPassant, Game};
use crate::square_text;

/// What is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    #[error("the board has {expected} rows, not {found}")]
    Rows { found: usize, expected: u8 },
    #[error("row {row:?} has length {found}, not {expected}")]
    RowLength { row: String, found: usize, expected: u8 },
    #[error("{0:?} is no piece of this game")]
    Piece(String),
    #[error("the side to move is w or b, not {0:?}")]
    Side(String),
    #[error("{0:?} is nothing that can be in hand in this game")]
    Hand(String),
    #[error(
        "{0:?} names no castling of this game, in which pieces castle from their first squares"
    )]
    Castling(String),
    #[error("{0:?} is no square of this board")]
    Square(String),
    #[error("{0:?} is no number")]
    Number(String),
    #[error("nothing stands behind the number of the move, but here {0:?} does")]
    Fields(String),
    #[error("{0:?} names no flags; write {{a1:unmoved}}")]
    Flags(String),
    #[error(
        "{0:?} counts no checks of this game; write 3+3 for those to come or +0+0 for those given"
    )]
    Checks(String),
    #[error("{0} can take a royal piece at once")]
    RoyalCapture(Color),
}

impl Position {
    /// Reads a FEN: pieces and, in brackets behind them, what is in hand, side to move, castling rights, en-passant square, counters, and for
    /// what these do not say the flags of single squares, as `{a1:unmoved+other,b2:}`. Fields
    /// may be missing from the end. Pieces that stand where the start position has them are
    /// unmoved, those that castle only with the letter for it.
    ///
    /// # Errors
    /// If it is no position of the game.
    pub fn from_fen(game: &Arc<Game>, fen: &str) -> Result<Self, FenError> {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        let flags = fields.pop_if(|field| field.starts_with('{'));
        // Programs that play shogi leave out the fields of castling and of captures in passing, or
        // write one for both (or for the hands) and only the number of the move behind it.
        let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
        if fields.len() == 4 && is_number(fields[2]) {
            fields.splice(2..2, ["-", "-"]);
        } else if fields.len() == 4 && is_number(fields[3]) {
            fields.splice(3..3, ["-", "0"]);
        }
        let counts = matches!(game.rules.checks, Checks::Counted(_));
        let of_checks = fields.iter().skip(2).position(|field| counts && field.contains('+'));
        let checks = of_checks.map(|at| fields.remove(at + 2));
        if let Some(more) = fields.get(6) {
            return Err(FenError::Fields(clip(more)));
        }
        let field =
            |index: usize, default: &'static str| fields.get(index).copied().unwrap_or(default);
        let mut state = State::empty();
        let (board, hands) = split_hands(game, field(0, ""))?;
        place(game, board, &mut state)?;
        hold(game, hands, &mut state)?;
        state.side_to_move = match field(1, "w") {
            "w" => Color::White,
            "b" => Color::Black,
            // Red moves first in xiangqi.
            "r" if game.is_xiangqi() => Color::White,
            other => return Err(FenError::Side(clip(other))),
        };
        castle(game, field(2, "-"), &mut state)?;
        // Where Fairy-Stockfish counts the moves of an endgame, their limit stands for the square,
        // and the moves counted for those without progress.
        let is_counted = fields.len() == 6 && is_number(fields[3]);
        pass(game, if is_counted { "-" } else { field(3, "-") }, &mut state)?;
        let number = |text: &str| text.parse().map_err(|_| FenError::Number(clip(text)));
        let halfmoves = number(field(4, "0")).map(|count: u32| count.min(10_000))?;
        state.halfmoves = if is_counted { 0 } else { halfmoves };
        state.fullmoves = number(field(5, "1")).map(|count: u32| count.clamp(1, 1_000_000))?;
        if let Some(text) = checks {
            count_checks(game, text, &mut state)?;
        }
        if let Some(text) = flags {
            set_flags(game, text, &mut state)?;
        }
        let position = Self { game: Arc::clone(game), state };
        let mover = position.side_to_move();
        if position.state.placement().takes_royal(game, mover) {
            return Err(FenError::RoyalCapture(mover));
        }
        Ok(position)
    }

    /// The position as FEN, which [`from_fen`](Self::from_fen) reads back.
    pub fn fen(&self) -> String {
        let plain = self.plain_fen();
        // What the ordinary fields do not say goes into a field of its own.
        let mut differing = Vec::new();
        if let Ok(read) = Self::from_fen(&self.game, &plain) {
            for square in 0..self.game.squares() as Square {
                let flags = self.state.live_flags(&self.game, square);
                if flags != read.state.live_flags(&self.game, square) {
                    let name = square_text::write(square, self.game.columns);
                    differing.push(format!("{name}:{}", self.flag_names(flags).join("+")));
                }
            }
        }
        match differing.is_empty() {
            true => plain,
            false => format!("{plain} {{{}}}", differing.join(",")),
        }
    }

    fn plain_fen(&self) -> String {
        let side = if self.side_to_move() == Color::White { 'w' } else { 'b' };
        let (rights, passed) = (self.rights(), self.passed());
        let (halfmoves, fullmoves) = (self.state.halfmoves, self.state.fullmoves);
        let hands = if self.game.has_hands() { self.hands() } else { String::new() };
        let checks = self.checks_left();
        let board = self.placement();
        format!("{board}{hands} {side} {rights} {passed} {checks}{halfmoves} {fullmoves}")
    }

    /// How many checks White and Black have still to give, where the game counts them: `3+3 `.
    fn checks_left(&self) -> String {
        match Color::ALL.map(|color| self.checks_to_win(color)) {
            [Some(white), Some(black)] => format!("{white}+{black} "),
            _ => String::new(),
        }
    }

    /// What is in hand: White's pieces, then Black's, each as often as it is there.
    fn hands(&self) -> String {
        let held = Color::ALL.into_iter().flat_map(|color| {
            let kinds = self.state.hands.of(&self.game, color);
            kinds.map(move |(kind, count)| {
                fen_text::write(self.game.piece_name(kind), color).repeat(usize::from(count))
            })
        });
        format!("[{}]", held.collect::<String>())
    }

    fn placement(&self) -> String {
        let (rows, columns) = (self.game.rows, self.game.columns);
        let mut lines = Vec::new();
        for row in (0..rows).rev() {
            let (mut line, mut empty) = (String::new(), 0);
            for column in 0..columns {
                match self.piece(row * columns + column) {
                    None => empty += 1,
                    Some((color, name)) => {
                        if empty > 0 {
                            line += &empty.to_string();
                        }
                        empty = 0;
                        line += &fen_text::write(name, color);
                        if self.state.flags(row * columns + column) & self.game.promoted != 0 {
                            line.push(fen_text::PROMOTED);
                        }
                    }
                }
            }
            if empty > 0 {
                line += &empty.to_string();
            }
            lines.push(line);
        }
        lines.join("/")
    }

    fn rights(&self) -> String {
        let game = &*self.game;
        let unmoved = |square: Square| self.state.flags(square) & UNMOVED != 0;
        let lives = |castling: &&Castling| unmoved(castling.king) && unmoved(castling.partner);
        let mut letters = String::new();
        for color in Color::ALL {
            let own = game.castlings.iter().filter(|castling| castling.color == color);
            let own: Vec<&Castling> = own.filter(lives).collect();
            let castles: BTreeSet<char> =
                own.iter().map(|castling| letter(game, castling)).collect();
            letters.extend(castles);
            let names = |square: &Square| {
                let castles = |c: &&Castling| [c.king, c.partner].contains(square);
                unmoved(*square) && !own.iter().any(castles)
            };
            let gates = self.state.gates(game, color);
            let named = gates.iter().filter(names).filter_map(|square| gate(game, color, square));
            letters.extend(named);
        }
        if letters.is_empty() { "-".to_owned() } else { letters }
    }

    fn passed(&self) -> String {
        let mover = self.side_to_move();
        let targets: Vec<Square> = self
            .game
            .en_passant
            .iter()
            .filter(|entry| entry.color == mover)
            .filter(|entry| self.state.flags(entry.victim) & entry.flag != 0)
            .map(|entry| entry.target)
            .collect();
        match targets.first() {
            Some(&target) => square_text::write(target, self.game.columns),
            None => "-".to_owned(),
        }
    }
}

/// The beginning of a text: messages do not repeat more.
fn clip(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// `K` and `Q` for the right and the left side of White, small letters for Black.
fn letter(game: &Game, castling: &Castling) -> char {
    let kingside = castling.partner % game.columns > castling.king % game.columns;
    match (castling.color, kingside) {
        (Color::White, true) => 'K',
        (Color::White, false) => 'Q',
        (Color::Black, true) => 'k',
        (Color::Black, false) => 'q',
    }
}

/// The letter of the column of a square of a side's first row, by which a piece can be gated there.
/// `K` and `Q` are those of castlings.
fn gate(game: &Game, color: Color, square: Square) -> Option<char> {
    let (row, column) = (square / game.columns, square % game.columns);
    let (home, first) = match color {
        Color::White => (0, b'A'),
        Color::Black => (game.rows - 1, b'a'),
    };
    let letter = (first + column) as char;
    (row == home && !"KQkq".contains(letter)).then_some(letter)
}

fn place(game: &Game, board: &str, state: &mut State) -> Result<(), FenError> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != usize::from(game.rows) {
        return Err(FenError::Rows { found: rows.len(), expected: game.rows });
    }
    for (i, row) in rows.iter().enumerate() {
        let found = fen_text::width(row);
        if found != usize::from(game.columns) {
            let expected = game.columns;
            return Err(FenError::RowLength { row: clip(row), found, expected });
        }
        let mut square = (rows.len() - 1 - i) * usize::from(game.columns);
        for token in fen_text::tokens(row) {
            match token {
                Token::Empty(count) => square += count,
                Token::Piece(text) => {
                    let (name, promoted) = fen_text::unmarked(text);
                    let known = piece(game, name).filter(|_| !promoted || game.promoted != 0);
                    let code = known.ok_or_else(|| FenError::Piece(clip(text)))?;
                    let flags = match promoted {
                        true => game.promoted,
                        false => start_flags(game, square, code),
                    };
                    state.write(game, square as Square, code, flags);
                    square += 1;
                }
            }
        }
    }
    Ok(())
}

/// The board of a FEN, and what stands in brackets, or as one row more, behind it.
fn split_hands<'a>(game: &Game, placement: &'a str) -> Result<(&'a str, &'a str), FenError> {
    let Some((board, hands)) = placement.split_once('[') else {
        let is_row = game.has_hands() && placement.matches('/').count() == usize::from(game.rows);
        return Ok(placement.rsplit_once('/').filter(|_| is_row).unwrap_or((placement, "")));
    };
    match hands.strip_suffix(']') {
        Some(hands) => Ok((board, if hands == "-" { "" } else { hands })),
        None => Err(FenError::Hand(clip(hands))),
    }
}

/// Puts pieces into the hands. Programs that know pieces in hand write an empty hand behind the
/// board of any game.
fn hold(game: &Game, hands: &str, state: &mut State) -> Result<(), FenError> {
    for token in fen_text::tokens(hands) {
        let error = || FenError::Hand(clip(hands));
        let Token::Piece(text) = token else { return Err(error()) };
        let held = piece(game, text).and_then(Code::as_piece).ok_or_else(error)?;
        let count = state.hands.count(game, held.color, held.kind);
        if !game.held.contains(&held.kind) || count == u8::MAX {
            return Err(error());
        }
        state.hold(game, held.color, held.kind, count + 1);
    }
    Ok(())
}

fn piece(game: &Game, text: &str) -> Option<Code> {
    let exact = |name: &str| game.pieces.iter().position(|piece| piece.name.value == name);
    match text.split_once(':') {
        Some(("w", name)) => exact(name).map(|piece| Code::new(Color::White, piece)),
        Some(("b", name)) => exact(name).map(|piece| Code::new(Color::Black, piece)),
        _ => {
            let find = |wanted: &str| {
                game.pieces.iter().position(|piece| piece.name.value.to_lowercase() == wanted)
            };
            fen_text::by_case(text, |wanted| {
                find(wanted).or_else(|| find(game.xiangqi_letter(wanted)?))
            })
        }
    }
}

/// The flags of a piece that has not moved, if it stands where the game begins; else only those
/// that it keeps.
fn start_flags(game: &Game, square: usize, code: Code) -> u8 {
    let definition = &game.pieces[code.piece()];
    let at_home = game.start[square] == code && definition.carries_unmoved;
    definition.start_flags | if at_home { UNMOVED } else { 0 }
}

/// Takes `unmoved` from the pieces that castle, then gives it to those that the letters name.
fn castle(game: &Game, letters: &str, state: &mut State) -> Result<(), FenError> {
    let set = |state: &mut State, square: Square, unmoved: bool| {
        let flags = state.flags(square) & !UNMOVED | u8::from(unmoved);
        state.write(game, square, state.code(square), flags);
    };
    let at_home =
        |state: &State, square: Square| state.code(square) == game.start[usize::from(square)];
    let castles = game.castlings.iter().flat_map(|castling| [castling.king, castling.partner]);
    for square in game.gates.iter().chain(castles) {
        if state.code(square) != Code::EMPTY {
            set(state, square, false);
        }
    }
    // Fairy-Stockfish writes these letters before the first move of any game.
    let is_usual = |letter: char| game.castlings.is_empty() && "KQkq".contains(letter);
    let gates = Color::ALL.map(|color| state.gates(game, color));
    for wanted in letters.chars().filter(|&c| c != '-' && !is_usual(c)) {
        let named = |color: Color| {
            let mut gates = gates[color.index()].iter();
            gates.find(|&square| gate(game, color, square) == Some(wanted))
        };
        if let Some(square) = Color::ALL.into_iter().find_map(named) {
            set(state, square, at_home(state, square));
            continue;
        }
        let named = game.castlings.iter().find(|castling| {
            let file = (b'a' + castling.partner % game.columns) as char;
            let own = castling.color == Color::White;
            let file = if own { file.to_ascii_uppercase() } else { file };
            wanted == letter(game, castling) || wanted == file
        });
        // Where nothing is left to be gated, columns say nothing.
        let is_idle = || {
            let all = game.gates.iter().flat_map(|square| Color::ALL.map(|color| (color, square)));
            all.into_iter().any(|(color, square)| gate(game, color, square) == Some(wanted))
        };
        let Some(castling) = named else {
            if is_idle() {
                continue;
            }
            return Err(FenError::Castling(wanted.to_string()));
        };
        if at_home(state, castling.king) && at_home(state, castling.partner) {
            set(state, castling.king, true);
            set(state, castling.partner, true);
        } else if castles_elsewhere(game, castling, wanted, state) {
            return Err(FenError::Castling(wanted.to_string()));
        }
    }
    Ok(())
}

/// Returns `true` if the letter names pieces that stand on other squares of their row: in X-FEN those
/// on one side of the king, in Shredder-FEN that of a column. Such castlings are of Chess960.
fn castles_elsewhere(game: &Game, castling: &Castling, wanted: char, state: &State) -> bool {
    let stands = |square: Square, at: Square| state.code(at) == game.start[usize::from(square)];
    let row = castling.king - castling.king % game.columns;
    let Some(king) = (row..row + game.columns).find(|&at| stands(castling.king, at)) else {
        return false;
    };
    let is_right = castling.partner > castling.king;
    let mut side = (row..row + game.columns).filter(|&at| (at > king) == is_right);
    match wanted == letter(game, castling) {
        true => side.any(|at| stands(castling.partner, at)),
        false => side.any(|at| at == castling.partner && stands(at, at)),
    }
}

/// Gives the flag that goes away to the pieces that can be captured on the squares, if a move can
/// have given it. A step over several squares names them all, as `e3e4`.
fn pass(game: &Game, text: &str, state: &mut State) -> Result<(), FenError> {
    let mover = state.side_to_move;
    let mut rest = if text == "-" { "" } else { text };
    while !rest.is_empty() {
        let (target, more) = square_text::split(rest, game.rows, game.columns)
            .ok_or_else(|| FenError::Square(clip(text)))?;
        rest = more;
        let entries =
            game.en_passant.iter().filter(|entry| entry.color == mover && entry.target == target);
        for &EnPassant { victim, flag, .. } in entries {
            let code = state.code(victim);
            if code.color() == Some(mover.other()) && game.bears(code, victim, flag) {
                state.write(game, victim, code, state.flags(victim) | flag);
            }
        }
    }
    Ok(())
}

/// `3+3`: the checks that White and Black have still to give; or as lichess writes them, `+0+0`:
/// those that they have given.
fn count_checks(game: &Game, text: &str, state: &mut State) -> Result<(), FenError> {
    let error = || FenError::Checks(clip(text));
    let Checks::Counted(limit) = game.rules.checks else { return Err(error()) };
    let given = text.strip_prefix('+');
    let (white, black) = given.unwrap_or(text).split_once('+').ok_or_else(error)?;
    for (color, count) in Color::ALL.into_iter().zip([white, black]) {
        let count: u8 = count.parse().ok().filter(|&n| n <= limit).ok_or_else(error)?;
        let count = if given.is_some() { count } else { limit - count };
        state.count_checks(game, color, count);
    }
    Ok(())
}

/// `{a1:unmoved+other,b2:}`.
fn set_flags(game: &Game, text: &str, state: &mut State) -> Result<(), FenError> {
    let error = || FenError::Flags(clip(text));
    let inner = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).ok_or_else(error)?;
    for entry in inner.split(',').filter(|entry| !entry.is_empty()) {
        let (square, names) = entry.split_once(':').ok_or_else(error)?;
        let square = square_text::read(square, game.rows, game.columns).ok_or_else(error)?;
        let mut flags = 0;
        for name in names.split('+').filter(|name| !name.is_empty()) {
            let number = game.flags.iter().position(|flag| flag.name == name);
            flags |= 1 << number.ok_or_else(error)?;
        }
        if state.code(square) == Code::EMPTY {
            return Err(error());
        }
        state.write(game, square, state.code(square), flags);
    }
    Ok(())
}
