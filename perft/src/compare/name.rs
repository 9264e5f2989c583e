//! Which rule a wrong move breaks: by the move, whether it is missing or illegal, checkers, pins
//! and rights. The rules are named as in `suites/rules.epd`.

use tamarin_movegen::{
    Bitboard, Color, File, Move, MoveKind, Piece, PieceKind, Position, Rank, Square, UciMove,
    between, castling_targets, line, pawn_attacks, piece_attacks, rook_attacks,
};

use crate::compare::driver::Place;
use crate::compare::suspect;

type Rule = Option<&'static str>;

pub const EP_BASE: &str =
    "en passant: a pawn that has just moved two squares may be taken, the next move only";
pub const EP_SINGLE: &str = "en passant: only after a move of two squares, not of one";
pub const RIGHT_MOVES: &str =
    "castling: the right ends when king or rook move, and stays lost when they return";
const EP_PIN: &str = "en passant: a pinned pawn may not leave the pin's diagonal";
const CHECK: &str = "check: move the king, close the line or take the piece";
const PIN_LINE: &str = "pin: a rook moves along the line, to and with the pinning piece";
const PIN_DIAGONAL: &str = "pin: a queen moves along the diagonal only";
const PROMOTION: &str = "promotion: four pieces, none optional";
pub const MATES: &str = "counting: mate and stalemate have no successors";
pub const KINGS: &str = "counting: bare kings go on";
pub const VICTIM: &str = "state: the pawn taken en passant leaves the board";
pub const ROOK: &str = "castling: the rook goes to f1, with check";
pub const PROMOTED: &str = "state: the new piece of a promotion stands on the board";
const GEOMETRY: &str = "piece: goes only where its kind goes";
const KING_GOES: &str = "king: may go to each square around it that is not attacked";
const KNIGHT_GOES: &str = "knight: goes to all squares of its kind";
const LINE_TAKES: &str = "piece: takes the first piece on its line";
const LINE_GOES: &str = "piece: goes as far as its lines are free";
const PAWN_TAKES: &str = "pawn: takes on both diagonals";
const PAWN_GOES: &str = "pawn: moves one square ahead";
const TWICE: &str = "moves: none is listed twice";
pub const FIFTY: &str = "counting: the fifty-move rule ends nothing";
const EP_FILE: &str = "en passant: the taker closes the file that the taken pawn closed: legal";
const EP_THIRD: &str = "en passant: a third piece still closes the rank: legal";
const EP_OPENS: &str = "en passant: opens the rank for the taker's own queen, with check: legal";
const EP_DISCOVERED: &str =
    "en passant: no answer to the check that the two-square move discovered";
const EP_PIN_CHECK: &str = "en passant: a pinned pawn may not take the pawn that gives check";
const EP_RANK: &str = "en passant: both pawns leave the rank, which opens it to a rook: illegal";
const EP_PIECE: &str =
    "en passant: only a pawn may take so, a bishop does not by going to the square";
const PAWN_CLOSES: &str = "pawn: a two-square move may close the line of a check";
const PAWN_PINNED: &str = "pawn: pinned on a diagonal may take the piece that pins it";
const PAWN_ATTACKS: &str = "king: a pawn attacks the diagonals, not the square in front of it";
const RANK_PROMOTION: &str = "promotion: a pawn pinned on its rank may not promote";
const PAWN_A8: &str = "promotion: a pawn on b7 has nothing to take on an empty a8";
const KING_TWO: &str = "double check: the king takes an unprotected piece";
const KING_TAKES: &str = "king: must take the unprotected queen that gives check";
const KINGS_APART: &str = "king: kings never stand side by side";
const KING_RETREATS: &str = "king: may not retreat along the line of the check";
const INNER_ROOK: &str = "Chess960: the outer rook may not jump over the inner rook";
const CHANGE: &str = "Chess960: king and rook change places";
const ROOK_PINNED: &str = "Chess960: the castling rook is pinned on the first rank: illegal";

/// What a name needs to know of a position.
struct View<'a> {
    place: &'a Place,
    position: &'a Position,
    us: Color,
    king: Square,
    enemies: Bitboard,
    checkers: Bitboard,
    occupied: Bitboard,
}

impl<'a> View<'a> {
    fn new(place: &'a Place) -> Self {
        let position = &place.position;
        let us = position.side_to_move();
        let (king, enemies) = (position.king(us), position.color(!us));
        let (checkers, occupied) = (position.checkers(), position.occupied());
        Self { place, position, us, king, enemies, checkers, occupied }
    }

    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.position.attackers_to(square, occupied) & self.enemies
    }

    fn is_pinned(&self, square: Square) -> bool {
        self.position.pinned().has(square)
    }

    /// Which of three rules names the line on which a piece stands before its king.
    fn by_line<T>(&self, square: Square, rank: T, file: T, diagonal: T) -> T {
        match () {
            () if square.rank() == self.king.rank() => rank,
            () if square.file() == self.king.file() => file,
            () => diagonal,
        }
    }

    fn is_only(&self, set: Bitboard, kind: PieceKind) -> bool {
        set.any() && set.is_subset(self.position.pieces(kind))
    }

    /// The pieces between the king and an enemy slider that looks at it through this square.
    fn screen(&self, square: Square) -> Option<Bitboard> {
        let sliders = |kind| {
            let pieces = self.position.pieces(kind) | self.position.pieces(PieceKind::Queen);
            piece_attacks(kind, self.king, Bitboard::EMPTY) & pieces & self.enemies
        };
        let sliders = sliders(PieceKind::Rook) | sliders(PieceKind::Bishop);
        let seen = sliders.into_iter().map(|slider| between(self.king, slider) & self.occupied);
        seen.filter(|set| set.has(square)).min_by_key(|set| set.len())
    }
}

/// Whether a king and a rook castle as in standard chess.
pub fn is_classic(king: Square, rook: Square) -> bool {
    king.file() == File::E && matches!(rook.file(), File::A | File::H)
}

/// The rule by which a move is legal that an engine does not have.
pub fn missing(place: &Place, mv: Move, are_all: bool) -> Rule {
    let view = View::new(place);
    let kind = view.position.piece_at(mv.from()).map(Piece::kind)?;
    match mv.kind() {
        _ if are_all && place.position.halfmove_clock() >= 100 => Some(FIFTY),
        _ if are_all && view.occupied.len() == 2 => Some(KINGS),
        MoveKind::Castle => missing_castle(&view, mv),
        MoveKind::EnPassant => Some(missing_en_passant(&view, mv)),
        _ if mv.is_promotion() => Some(missing_promotion(&view, mv)),
        _ if kind == PieceKind::King => {
            let up = mv.to().bitboard().forward(view.us);
            let pawns = view.position.of(!view.us, PieceKind::Pawn);
            Some(match () {
                () if view.checkers.several() && view.checkers.has(mv.to()) => KING_TWO,
                () if view.checkers.has(mv.to()) => KING_TAKES,
                () if (up & pawns).any() => PAWN_ATTACKS,
                () => KING_GOES,
            })
        }
        _ => Some(missing_piece(&view, kind, mv)),
    }
}

fn missing_castle(view: &View<'_>, mv: Move) -> Rule {
    let (king, rook) = (mv.from(), mv.to());
    let is_short = rook > king;
    if !is_classic(king, rook) {
        let (king_to, rook_to) = castling_targets(king, rook);
        let rooks = view.position.of(view.us, PieceKind::Rook) & king.rank().bitboard();
        let is_outer = |square: Square| square != rook && (square > rook) == is_short;
        return match () {
            () if king == king_to => Some("Chess960: the king stays, the rook moves"),
            () if (king, rook) == (rook_to, king_to) => Some(CHANGE),
            () if rooks.into_iter().any(is_outer) => Some("Chess960: the inner rook castles"),
            () => None,
        };
    }
    let b1 = Square::new(File::B, king.rank());
    let attacked = |square| view.attackers(square, view.occupied).any();
    Some(match () {
        () if !is_short && attacked(b1) => "castling: an attacked b1 does not matter",
        () if attacked(rook) => "castling: an attacked rook does not matter",
        () if view.us == Color::White => "castling: white, both sides",
        () => "castling: black, both sides",
    })
}

fn missing_en_passant(view: &View<'_>, mv: Move) -> &'static str {
    let from = mv.from();
    let victim = Square::new(mv.to().file(), from.rank());
    let both_gone = view.occupied.without(from).without(victim);
    let rooks = view.position.pieces(PieceKind::Rook) | view.position.pieces(PieceKind::Queen);
    let on_rank = from.rank().bitboard() & rooks;
    let closes = view.king.file() == victim.file()
        && (rook_attacks(view.king, both_gone) & rooks & view.enemies).any();
    let is_rank = |king: Square| king.rank() == from.rank();
    match () {
        () if view.checkers.has(victim) => "en passant: takes the pawn that gives check",
        () if view.is_pinned(from) => "en passant: a pinned pawn may take along the pin's diagonal",
        () if closes => EP_FILE,
        () if is_rank(view.king) && (on_rank & view.enemies).any() => EP_THIRD,
        () if is_rank(view.position.king(!view.us)) && (on_rank - view.enemies).any() => EP_OPENS,
        () if from.file() == File::A => "en passant: a pawn on the a-file may take",
        () if from.file() == File::H => "en passant: a pawn on the h-file may take",
        () if view.us == Color::Black => "en passant: black takes too",
        () => EP_BASE,
    }
}

fn missing_promotion(view: &View<'_>, mv: Move) -> &'static str {
    match () {
        () if view.checkers.has(mv.to()) => "promotion: takes the knight that gives check",
        () if view.checkers.any() => "promotion: closes the line of a check",
        () if view.is_pinned(mv.from()) => "promotion: a pinned pawn takes the piece that pins it",
        () if view.us == Color::Black => "promotion: black, by a move and by a capture",
        () if mv.is_capture() => "promotion: by capture, four pieces",
        () => PROMOTION,
    }
}

fn missing_piece(view: &View<'_>, kind: PieceKind, mv: Move) -> &'static str {
    let (from, takes) = (mv.from(), mv.is_capture());
    let is_two = mv.kind() == MoveKind::DoublePush;
    if view.checkers.any() {
        return if is_two { PAWN_CLOSES } else { CHECK };
    }
    if view.is_pinned(from) {
        return match kind {
            PieceKind::Pawn if takes => PAWN_PINNED,
            PieceKind::Pawn => "pawn: pinned on its file may still advance",
            _ => view.by_line(from, PIN_LINE, PIN_LINE, PIN_DIAGONAL),
        };
    }
    match (kind, view.screen(from)) {
        (_, Some(screen)) if (screen & view.enemies).any() => {
            "no pin: a piece of the other side stands between"
        }
        (_, Some(_)) => "no pin: two own pieces stand between",
        (PieceKind::Pawn, _) if is_two => "pawn: may move two squares at first",
        (PieceKind::Pawn, _) if takes => PAWN_TAKES,
        (PieceKind::Pawn, _) => PAWN_GOES,
        (PieceKind::Knight, _) => KNIGHT_GOES,
        _ if takes => LINE_TAKES,
        _ => LINE_GOES,
    }
}

/// The rule that a move breaks; castling is the king taking its rook.
pub fn illegal(place: &Place, mv: UciMove) -> Rule {
    let view = View::new(place);
    let UciMove { from, to, .. } = mv;
    if place.is_legal(mv) {
        return Some(TWICE);
    }
    let piece = view.position.piece_at(from)?;
    if piece.color() != view.us {
        return None;
    }
    let own = view.position.color(view.us);
    let is_far = from.file().index().abs_diff(to.file().index()) >= 2;
    let corners = own & view.position.castling();
    let is_castle = from.rank() == to.rank() && (is_far || corners.has(to));
    match piece.kind() {
        PieceKind::King if is_castle => illegal_castle(&view, from, to),
        PieceKind::King if own.has(to) => Some("king: does not take its own pieces"),
        _ if own.has(to) => Some("piece: does not take its own side"),
        PieceKind::King => illegal_king(&view, from, to),
        PieceKind::Pawn => illegal_pawn(&view, mv),
        kind if !piece_attacks(kind, from, view.occupied).has(to) => Some(GEOMETRY),
        kind => illegal_piece(&view, kind, from, to),
    }
}

fn illegal_castle(view: &View<'_>, king: Square, rook: Square) -> Rule {
    let is_classic = is_classic(king, rook);
    let (king_to, rook_to) = castling_targets(king, rook);
    let rooks = view.position.of(view.us, PieceKind::Rook);
    if !view.position.castling().has(rook) {
        let is_home = king.rank() == Rank::First.relative_to(view.us);
        let is_right = view.place.root.castling.has(rook) || (rooks.has(rook) && is_home);
        return Some(if is_right { suspect::lost_right(view.place, rook) } else { GEOMETRY });
    }
    let span = |a: Square, b: Square| between(a, b).with(a).with(b);
    let path = (span(king, king_to) | span(rook, rook_to)).without(king).without(rook);
    let blocked = path & view.occupied;
    if view.checkers.any() {
        let is_pawn = view.is_only(view.checkers, PieceKind::Pawn);
        return Some(match (is_classic, is_pawn) {
            (false, _) => "Chess960: not out of check",
            (_, true) => "castling: not out of a pawn's check",
            (_, false) => "castling: not out of check",
        });
    }
    if blocked.any() {
        return Some(match () {
            () if !is_classic && (blocked & rooks).any() => INNER_ROOK,
            () if !is_classic => "Chess960: the rook's square must be empty",
            () if blocked.is_subset(File::B.bitboard()) => "castling: b1 must be empty",
            () if blocked == king_to.bitboard() => "castling: c1 and g1 must be empty",
            () => "castling: d1 and f1 must be empty",
        });
    }
    let attackers = |squares: Bitboard| {
        let occupied = view.occupied.without(king);
        squares.into_iter().fold(Bitboard::EMPTY, |set, at| set | view.attackers(at, occupied))
    };
    let across = attackers(between(king, king_to));
    let all = across | attackers(king_to.bitboard());
    let hidden = view.attackers(king_to, view.occupied.without(king).without(rook).with(rook_to));
    Some(match () {
        () if all.is_empty() && hidden.any() => ROOK_PINNED,
        () if all.is_empty() => return None,
        () if !is_classic => "Chess960: a long way, not across an attacked d1",
        () if view.is_only(all, PieceKind::Pawn) => "castling: a pawn attacks f1",
        () if view.is_only(all, PieceKind::King) => "castling: the other king attacks f1 and g1",
        () if view.is_only(all, PieceKind::Knight) => "castling: a knight attacks f1",
        () => match (across.any(), rook > king) {
            (true, true) => "castling: not across an attacked f1",
            (true, false) => "castling: not across an attacked d1",
            (false, true) => "castling: not to an attacked g1",
            (false, false) => "castling: not to an attacked c1",
        },
    })
}

/// Whether a rule says when a capture en passant is too late.
pub fn is_late(rule: &str) -> bool {
    matches!(rule, EP_BASE | EP_SINGLE)
}

/// Whether a rule says only how a piece goes: such moves are in every position.
pub fn is_general(rule: &str) -> bool {
    matches!(
        rule,
        GEOMETRY | KING_GOES | KNIGHT_GOES | LINE_GOES | LINE_TAKES | PAWN_GOES | PAWN_TAKES
    )
}

fn illegal_king(view: &View<'_>, from: Square, to: Square) -> Rule {
    let gone = view.occupied.without(to);
    let attackers = view.attackers(to, gone.without(from));
    let takes = view.occupied.has(to);
    Some(match () {
        () if from.distance(to) > 1 => GEOMETRY,
        () if view.is_only(attackers, PieceKind::King) && !takes => KINGS_APART,
        () if view.attackers(to, gone).is_empty() && attackers.any() => KING_RETREATS,
        () if takes => "king: may not take a protected piece",
        () if view.is_only(attackers, PieceKind::Pawn) => PAWN_ATTACKS,
        () => "king: may not move into check",
    })
}

fn illegal_pawn(view: &View<'_>, mv: UciMove) -> Rule {
    let UciMove { from, to, promotion } = mv;
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    let is_last = to.rank() == Rank::Eighth.relative_to(view.us);
    let takes = view.enemies.has(to);
    let up = from.bitboard().forward(view.us);
    let reached = up | up.forward(view.us) | up.east() | up.west();
    let is_marker = view.place.setup.en_passant == Some(to) || !takes;
    Some(match (files, ranks) {
        (0, 1) if view.occupied.has(to) => "pawn: does not take straight ahead",
        (0, 2) if (between(from, to).with(to) & view.occupied).any() => {
            "pawn: two squares need both squares empty"
        }
        (0, 2) if from.rank() != Rank::Second.relative_to(view.us) => {
            "pawn: moves two squares only at first"
        }
        (2.., _) => match (is_marker, from.file()) {
            (true, File::H) => "en passant: never from the h-file to the a-file",
            (true, File::A) => "en passant: never from the a-file to the h-file",
            (false, File::A | File::H) => "pawn: captures do not wrap round the edge",
            _ => GEOMETRY,
        },
        _ if !reached.has(to) => GEOMETRY,
        (1, _) if !takes => return Some(illegal_en_passant(view, from, to)),
        _ if is_last != promotion.is_some()
            || matches!(promotion, Some(PieceKind::King | PieceKind::Pawn)) =>
        {
            PROMOTION
        }
        _ if view.checkers.any() || !view.is_pinned(from) => {
            return illegal_piece(view, PieceKind::Pawn, from, to);
        }
        _ => {
            let rank = if is_last { RANK_PROMOTION } else { "pawn: pinned on a rank may not move" };
            let file = "pawn: pinned on its file may not take";
            view.by_line(from, rank, file, "pawn: pinned on a diagonal may not advance")
        }
    })
}

fn illegal_en_passant(view: &View<'_>, from: Square, to: Square) -> &'static str {
    let victim = Square::new(to.file(), from.rank());
    let is_there = view.position.of(!view.us, PieceKind::Pawn).has(victim);
    let is_last = to.rank() == Rank::Eighth.relative_to(view.us);
    let is_now = view.place.setup.en_passant == Some(to);
    match () {
        () if !is_now && !is_there && is_last => PAWN_A8,
        () if !is_now && !is_there => "pawn: takes only what is there",
        () if !is_now => suspect::old_or_single(view.place, to),
        () if view.checkers.without(victim).any() => EP_DISCOVERED,
        () if view.checkers.any() => EP_PIN_CHECK,
        () if view.king.rank() == from.rank() => EP_RANK,
        () if view.is_pinned(from) => {
            view.by_line(from, EP_PIN, "en passant: a pawn pinned on its file may not take", EP_PIN)
        }
        () => "en passant: the taken pawn may not open a line to the king",
    }
}

/// Of a move as the piece goes, which leaves its king in check.
fn illegal_piece(view: &View<'_>, kind: PieceKind, from: Square, to: Square) -> Rule {
    if let Some(checker) = view.checkers.first() {
        let answers = between(view.king, checker).with(checker).has(to);
        let is_marker = view.place.setup.en_passant == Some(to);
        return Some(match () {
            () if view.checkers.several() => "double check: only the king may move",
            () if answers && view.is_pinned(from) => "check: a pinned piece may not answer it",
            () if is_marker && pawn_attacks(view.us, view.king).has(checker) => EP_PIECE,
            () => CHECK,
        });
    }
    if !view.is_pinned(from) || line(view.king, from).has(to) {
        return None;
    }
    Some(match kind {
        PieceKind::Knight => "pin: a knight may not move",
        _ => view.by_line(from, PIN_LINE, PIN_LINE, PIN_DIAGONAL),
    })
}
