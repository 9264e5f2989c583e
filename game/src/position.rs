//! A position of any game: chess, or a variant by its rules. All that the page knows of rules comes
//! from here, and here from the crates that play.

use std::sync::Arc;

use crate::ending::{Ending, color_of};
use crate::moves::{self, NoMove};
use crate::pgn::Outcome;
use crate::spelling::Spelling;
use tamarin_base::Score;
use tamarin_movegen as chess;
use tamarin_movegen::{CastlingNotation, CastlingStyle, Color, PerColor};
use tamarin_variant as variant;

/// A move of a [`Position`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    Chess(chess::Move),
    Variant(variant::Move),
}

impl Move {
    /// The move of chess, if it is one.
    pub const fn chess(self) -> Option<chess::Move> {
        if let Self::Chess(mv) = self { Some(mv) } else { None }
    }

    /// The move of a variant, if it is one.
    pub const fn variant(self) -> Option<variant::Move> {
        if let Self::Variant(mv) = self { Some(mv) } else { None }
    }
}

#[derive(Clone, Debug)]
pub struct LegalMove {
    pub mv: Move,
    /// As commands name it: `e2e4`, `e7e8q`.
    pub text: String,
    /// In algebraic notation.
    pub san: String,
    /// The square it leaves.
    pub from: String,
    /// The square that it goes to; for castling that of the king, and of the rook where the game
    /// is one of Chess960.
    pub to: String,
    /// What a piece becomes, as the text ends.
    pub promotion: Option<String>,
    /// The name of the piece that comes from the hand.
    pub drop: Option<String>,
    /// Where the king may be put down to castle besides `to`: on its rook, or on its target unless
    /// another move of the king leads there.
    pub also: Option<String>,
}

/// A piece on a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    pub at: String,
    /// The name of the piece, in capitals where it is one letter.
    pub piece: String,
    pub side: Color,
    /// It was promoted, and becomes what it was before in a hand.
    pub is_promoted: bool,
}

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Castling {
    /// By the squares of the king.
    Classic,
    /// As in Chess960: the king takes its rook.
    Chess960,
}

/// How the castling of a position is written: where a king or rook does not stand as in chess, as
/// in Chess960.
pub fn castling_of(position: &chess::Position) -> Castling {
    match crate::game::is_chess960(position) {
        true => Castling::Chess960,
        false => Castling::Classic,
    }
}

/// A position with the moves before it.
#[derive(Clone)]
pub enum Position {
    /// Of chess or Chess960.
    Chess(Box<chess::Position>, Castling),
    Variant(Box<variant::Position>),
}

pub const fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The beginning of a text, short enough to be repeated.
pub fn clip(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(24).collect()
}

impl From<chess::Position> for Position {
    fn from(position: chess::Position) -> Self {
        let castling = castling_of(&position);
        Self::Chess(Box::new(position), castling)
    }
}

impl From<variant::Position> for Position {
    fn from(position: variant::Position) -> Self {
        Self::Variant(Box::new(position))
    }
}

impl Position {
    /// The position of this FEN in a game by these rules, or its first one.
    ///
    /// # Errors
    /// Why the FEN is no position of this game.
    pub fn of_variant(rules: &Arc<variant::Game>, fen: Option<&str>) -> Result<Self, String> {
        let position = match fen {
            None => Ok(variant::Position::start(rules)),
            Some(fen) => variant::Position::from_fen(rules, fen),
        };
        Ok(position.map_err(|error| error.to_string())?.into())
    }

    /// That of chess.
    pub fn startpos() -> Self {
        chess::Position::startpos().into()
    }

    pub fn turn(&self) -> Color {
        match self {
            Self::Chess(position, _) => position.side_to_move(),
            Self::Variant(position) => color_of(position.side_to_move()),
        }
    }

    pub fn fen(&self) -> String {
        match self {
            Self::Chess(position, Castling::Classic) => position.fen(CastlingStyle::Standard),
            Self::Chess(position, Castling::Chess960) => position.fen(CastlingStyle::Shredder),
            Self::Variant(position) => position.fen(),
        }
    }

    /// The number of the move that is to be played.
    pub fn number(&self) -> u32 {
        match self {
            Self::Chess(position, _) => position.fullmove_number().into(),
            Self::Variant(position) => position.fullmoves(),
        }
    }

    /// The position of chess, if it is one.
    pub fn chess(&self) -> Option<&chess::Position> {
        match self {
            Self::Chess(position, _) => Some(position),
            Self::Variant(_) => None,
        }
    }

    /// The rules of the variant, if it is one.
    pub fn rules(&self) -> Option<&Arc<variant::Game>> {
        match self {
            Self::Chess(..) => None,
            Self::Variant(position) => Some(position.game()),
        }
    }

    fn notation(castling: Castling) -> CastlingNotation {
        match castling {
            Castling::Classic => CastlingNotation::Classic,
            Castling::Chess960 => CastlingNotation::KingTakesRook,
        }
    }

    /// A legal move as commands name it.
    pub fn text(&self, mv: Move) -> String {
        let notation = match self {
            Self::Chess(_, castling) => Self::notation(*castling),
            Self::Variant(_) => CastlingNotation::Classic,
        };
        self.write(mv, Spelling::Uci(notation))
    }

    /// A legal move in algebraic notation.
    pub fn san(&self, mv: Move) -> String {
        match (self, mv) {
            (Self::Chess(position, _), Move::Chess(mv)) => position.san(mv).to_string(),
            (Self::Variant(position), Move::Variant(mv)) => position.san(mv),
            _ => String::new(),
        }
    }

    /// The legal move that a text means, as [`moves::read`] reads it.
    pub fn find(&self, text: &str) -> Result<Move, String> {
        moves::read(self, text).map_err(|error| {
            let text = clip(text.trim());
            match error {
                NoMove::Several(_) => format!("{text:?}: {error}"),
                NoMove::Illegal { .. } => format!("{text:?} is no legal move: {error}"),
                NoMove::NotAMove => format!("{text:?} is no legal move"),
            }
        })
    }

    /// The legal move of a premove: where it names no piece to promote to, a queen, or what the
    /// rules name first.
    pub fn find_premove(&self, text: &str) -> Result<Move, String> {
        self.find(text).or_else(|error| {
            let legal = self.legal();
            let fits = legal.iter().filter(|one| format!("{}{}", one.from, one.to) == text);
            let first = fits.min_by_key(|one| one.promotion.as_deref() != Some("q"));
            first.map(|one| one.mv).ok_or(error)
        })
    }

    /// Plays a legal move.
    pub fn make(&mut self, mv: Move) {
        match (self, mv) {
            (Self::Chess(position, _), Move::Chess(mv)) => position.make(mv),
            (Self::Variant(position), Move::Variant(mv)) => position.make(mv),
            _ => {}
        }
    }

    /// Plays a legal move that is not to be unmade.
    pub fn advance(&mut self, mv: Move) {
        self.make(mv);
        if let Self::Chess(position, _) = self {
            position.clear_undo();
        }
    }

    /// Takes the last move back.
    pub fn unmake(&mut self) {
        match self {
            Self::Chess(position, _) => position.unmake(),
            Self::Variant(position) => drop(position.unmake()),
        }
    }

    pub fn in_check(&self) -> bool {
        match self {
            Self::Chess(position, _) => position.in_check(),
            Self::Variant(position) => position.in_check(),
        }
    }

    pub fn has_legal_move(&self) -> bool {
        match self {
            Self::Chess(position, _) => position.has_legal_move(),
            Self::Variant(position) => !position.legal_moves().is_empty(),
        }
    }

    pub fn is_legal(&self, mv: Move) -> bool {
        match (self, mv) {
            (Self::Chess(position, _), Move::Chess(mv)) => position.is_legal(mv),
            (Self::Variant(position), Move::Variant(mv)) => position.legal_moves().contains(&mv),
            _ => false,
        }
    }

    /// Returns `true` if it is the same position after as many plies.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Chess(one, _), Self::Chess(two, _)) => {
                one.key() == two.key() && one.plies() == two.plies()
            }
            (Self::Variant(one), Self::Variant(two)) => {
                one.same_as(two) && one.halfmoves() == two.halfmoves()
            }
            _ => false,
        }
    }

    /// How many files and ranks the board has.
    pub fn size(&self) -> (u8, u8) {
        self.rules().map_or((8, 8), |game| (game.columns(), game.rows()))
    }

    /// The name of a square: `a1` is 0, and the first rank goes before the second.
    pub fn square_name(&self, square: u8) -> String {
        match self {
            Self::Chess(..) => {
                let square = chess::Square::from_index(square.into());
                square.map_or_else(String::new, |square| square.to_string())
            }
            Self::Variant(position) => position.game().square_name(square),
        }
    }

    /// The square of this name.
    pub fn square(&self, name: &str) -> Option<u8> {
        match self {
            Self::Chess(..) => u8::try_from(name.parse::<chess::Square>().ok()?.index()).ok(),
            Self::Variant(position) => position.game().parse_square(name),
        }
    }

    /// The position after a pass, if the side to move may pass in thought: it is not in check, and
    /// the other side can move then.
    pub fn passed(&self) -> Option<Self> {
        let mut passed = self.clone();
        match &mut passed {
            Self::Chess(position, _) if !position.in_check() => position.make_null(),
            Self::Variant(position) if !position.in_check() => position.make_null(),
            _ => return None,
        }
        (!self.legal().is_empty() && !passed.legal().is_empty()).then_some(passed)
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            Self::Chess(position, _) => {
                position.legal_moves().into_iter().map(Move::Chess).collect()
            }
            Self::Variant(position) => {
                position.legal_moves().into_iter().map(Move::Variant).collect()
            }
        }
    }

    pub fn legal(&self) -> Vec<LegalMove> {
        match self {
            Self::Chess(position, castling) => {
                let moves = position.legal_moves();
                let one = |mv: chess::Move| {
                    let uci = position.uci(mv, Self::notation(*castling));
                    LegalMove {
                        mv: Move::Chess(mv),
                        text: uci.to_string(),
                        san: position.san(mv).to_string(),
                        from: uci.from.to_string(),
                        to: uci.to.to_string(),
                        promotion: uci.promotion.map(|kind| kind.to_char().to_string()),
                        drop: None,
                        also: moves::also_castles(&moves, mv, uci.to),
                    }
                };
                moves.iter().copied().map(one).collect()
            }
            Self::Variant(position) => {
                let game = position.game();
                let sans = position.sans();
                let texts = position.texts().into_iter().zip(sans);
                let one = |((text, mv), (san, _)): ((String, variant::Move), (String, _))| {
                    // What comes from the hand has no square: `P@`.
                    let hand = text.split_inclusive('@').next().unwrap_or_default();
                    let from = mv.origin().map_or(hand.to_owned(), |from| game.square_name(from));
                    let to = game.square_name(mv.to);
                    let rest = text.get(from.len() + to.len()..).unwrap_or_default();
                    // `/1` and `/2` tell moves with other effects apart.
                    let is_promotion = !rest.is_empty() && !rest.starts_with('/');
                    let promotion = is_promotion.then(|| rest.to_owned());
                    let drop = self.dropped(Move::Variant(mv));
                    LegalMove {
                        mv: Move::Variant(mv),
                        text,
                        san,
                        from,
                        to,
                        promotion,
                        drop,
                        also: None,
                    }
                };
                texts.map(one).collect()
            }
        }
    }

    /// The name of the piece that a move puts on the board from the hand.
    pub fn dropped(&self, mv: Move) -> Option<String> {
        let (Self::Variant(position), Move::Variant(mv)) = (self, mv) else { return None };
        mv.dropped().map(|kind| position.game().piece_name(kind).to_owned())
    }

    /// The pieces that White and Black hold in hand: their names, and how many there are.
    pub fn hands(&self) -> PerColor<Vec<(String, u8)>> {
        let Self::Variant(position) = self else { return PerColor([Vec::new(), Vec::new()]) };
        let game = position.game();
        let of = |color| {
            let held = position.hand(color);
            held.map(|(kind, count)| (game.piece_name(kind).to_owned(), count)).collect()
        };
        PerColor([variant::Color::White, variant::Color::Black].map(of))
    }

    /// How many checks White and Black have still to give to win, in games that count them.
    pub fn checks_to_win(&self) -> PerColor<Option<u8>> {
        let Self::Variant(position) = self else { return PerColor([None; 2]) };
        PerColor([variant::Color::White, variant::Color::Black].map(|c| position.checks_to_win(c)))
    }

    /// The squares that a move leaves and goes to; a drop leaves none, and both are its target.
    pub fn squares_of(&self, mv: Move) -> [String; 2] {
        match (self, mv) {
            (Self::Chess(position, castling), Move::Chess(mv)) => {
                let uci = position.uci(mv, Self::notation(*castling));
                [uci.from.to_string(), uci.to.to_string()]
            }
            (Self::Variant(position), Move::Variant(mv)) => {
                let from = mv.origin().unwrap_or(mv.to);
                [from, mv.to].map(|square| position.game().square_name(square))
            }
            _ => [String::new(), String::new()],
        }
    }

    pub fn pieces(&self) -> Vec<Standing> {
        match self {
            Self::Chess(position, _) => {
                let one = |square| {
                    let piece: tamarin_movegen::Piece = position.piece_at(square)?;
                    let letter = piece.kind().to_char().to_ascii_uppercase();
                    let (at, side) = (square.to_string(), piece.color());
                    Some(Standing { at, piece: letter.to_string(), side, is_promoted: false })
                };
                position.occupied().into_iter().filter_map(one).collect()
            }
            Self::Variant(position) => {
                let game = position.game();
                let squares = 0..u8::try_from(game.squares()).unwrap_or(u8::MAX);
                let one = |square| {
                    let (color, name) = position.piece(square)?;
                    let (at, side) = (game.square_name(square), color_of(color));
                    let is_promoted = position.flags(square).contains(&"promoted");
                    Some(Standing { at, piece: name.to_owned(), side, is_promoted })
                };
                squares.filter_map(one).collect()
            }
        }
    }

    /// Where a royal piece of the side to move is attacked.
    pub fn checked(&self) -> Vec<String> {
        match self {
            Self::Chess(position, _) if position.in_check() => {
                vec![position.king(position.side_to_move()).to_string()]
            }
            Self::Variant(position) if position.in_check() => {
                let mover = position.side_to_move();
                let royals = position.royals(mover);
                let attacked = |square: &u8| position.is_attacked(*square, mover.other());
                let found = royals.iter().filter(attacked);
                found.map(|square| position.game().square_name(square)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// How the rules end the game here, without a claim.
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Self::Chess(position, _) => {
                let outcome = position.outcome()?;
                Some(outcome.winner.map_or_else(|| outcome.reason.into(), Ending::Checkmate))
            }
            Self::Variant(position) => position.outcome().map(Ending::Variant),
        }
    }

    /// The score for the side to move where the rules end the game.
    pub fn final_score(&self) -> Option<Score> {
        Some(match self.ending()?.outcome() {
            Outcome::Won(winner) if winner == self.turn() => Score::mate_in(0),
            Outcome::Won(_) => Score::mated_in(0),
            _ => Score::DRAW,
        })
    }

    /// The draw that the side to move may claim here.
    pub fn claim(&self) -> Option<Ending> {
        self.chess()?.claimable_draw().map(Ending::from)
    }

    /// Returns `true` if an engine may agree to a draw here, after `plies` plies: the game has gone
    /// on for ten moves, or half of the pieces are gone. How few pieces make an endgame of a variant
    /// is not known.
    pub fn draw_may_be_agreed(&self, plies: usize) -> bool {
        plies >= 20 || self.chess().is_some_and(|position| position.occupied().len() <= 16)
    }

    /// How the game ends when the time of a side has run out.
    pub fn timeout(&self, loser: Color) -> Ending {
        match self {
            Self::Chess(position, _) if !position.has_mating_material(!loser) => {
                Ending::TimeoutDraw
            }
            _ => Ending::TimeForfeit(!loser),
        }
    }
}
