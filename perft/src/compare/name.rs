//! Which rule a wrong move breaks: by the move, whether it is missing or illegal, checkers, pins
//! and rights. The rules are named as in `suites/rules.epd`.

use tamarin_movegen::{
    Bitboard, Color, File, Move, MoveKind, Piece, PieceKind, Position, Rank, Square, UciMove,
    between, bishop_attacks, line, pawn_attacks, piece_attacks, rook_attacks,
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

/// What a name needs to know of a position.
struct View<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    checkers: Bitboard,
    occupied: Bitboard,
    /// With or without a legal capture.
    en_passant: Option<Square>,
}

impl<'a> View<'a> {
    fn new(place: &'a Place) -> Self {
        let position = &place.position;
        let us = position.side_to_move();
        Self {
            position,
            us,
            king: position.king(us),
            checkers: position.checkers(),
            occupied: position.occupied(),
            en_passant: place.setup.en_passant,
        }
    }

    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.position.attackers_to(square, occupied) & self.position.color(!self.us)
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
        let enemies = self.position.color(!self.us);
        let of = |kind| self.position.pieces(kind) & enemies;
        let empty = Bitboard::EMPTY;
        let straight = of(PieceKind::Rook) | of(PieceKind::Queen);
        let diagonal = of(PieceKind::Bishop) | of(PieceKind::Queen);
        let sliders = (rook_attacks(self.king, empty) & straight)
            | (bishop_attacks(self.king, empty) & diagonal);
        let seen = sliders.into_iter().map(|slider| between(self.king, slider) & self.occupied);
        seen.filter(|set| set.has(square)).min_by_key(|set| set.len())
    }
}

/// The rule by which a move is legal that an engine does not have.
pub fn missing(place: &Place, mv: Move, are_all: bool) -> Rule {
    let view = View::new(place);
    if are_all && place.position.halfmove_clock() >= 100 {
        return Some(FIFTY);
    }
    if are_all && view.occupied.len() == 2 {
        return Some(KINGS);
    }
    let piece = view.position.piece_at(mv.from()).map(Piece::kind)?;
    match mv.kind() {
        MoveKind::Castle => missing_castle(&view, mv),
        MoveKind::EnPassant => Some(missing_en_passant(&view, mv)),
        _ if mv.is_promotion() => Some(missing_promotion(&view, mv)),
        _ if piece == PieceKind::King => {
            let up = mv.to().bitboard().forward(view.us);
            let pawn = view.position.of(!view.us, PieceKind::Pawn);
            match () {
                () if view.checkers.several() && view.checkers.has(mv.to()) => {
                    Some("double check: the king takes an unprotected piece")
                }
                () if view.checkers.has(mv.to()) => {
                    Some("king: must take the unprotected queen that gives check")
                }
                () if (up & pawn).any() => {
                    Some("king: a pawn attacks the diagonals, not the square in front of it")
                }
                () => Some(KING_GOES),
            }
        }
        _ if piece == PieceKind::Pawn => missing_pawn(&view, mv),
        _ => missing_piece(&view, mv).or(Some(match piece {
            PieceKind::Knight => KNIGHT_GOES,
            _ if mv.is_capture() => LINE_TAKES,
            _ => LINE_GOES,
        })),
    }
}

fn missing_castle(view: &View<'_>, mv: Move) -> Rule {
    let (king, rook) = (mv.from(), mv.to());
    let is_short = rook.file() > king.file();
    let rank = king.rank();
    let at = |file| Square::new(file, rank);
    let is_classic = king.file() == File::E && matches!(rook.file(), File::A | File::H);
    let (king_to, rook_to) =
        if is_short { (at(File::G), at(File::F)) } else { (at(File::C), at(File::D)) };
    if !is_classic {
        let rooks = view.position.of(view.us, PieceKind::Rook) & rank.bitboard();
        let is_outer = |square: Square| (square.file() > rook.file()) == is_short && square != rook;
        return match () {
            () if king == king_to => Some("Chess960: the king stays, the rook moves"),
            () if king == rook_to && rook == king_to => {
                Some("Chess960: king and rook change places")
            }
            () if rooks.into_iter().any(is_outer) => Some("Chess960: the inner rook castles"),
            () => None,
        };
    }
    let attacked = |square| view.attackers(square, view.occupied).any();
    Some(match () {
        () if !is_short && attacked(at(File::B)) => "castling: an attacked b1 does not matter",
        () if attacked(rook) => "castling: an attacked rook does not matter",
        () if view.us == Color::White => "castling: white, both sides",
        () => "castling: black, both sides",
    })
}

fn missing_en_passant(view: &View<'_>, mv: Move) -> &'static str {
    let from = mv.from();
    let victim = Square::new(mv.to().file(), from.rank());
    let both_gone = view.occupied.without(from).without(victim);
    let enemies = view.position.color(!view.us);
    let rooks = view.position.pieces(PieceKind::Rook) | view.position.pieces(PieceKind::Queen);
    let on_rank = from.rank().bitboard() & rooks;
    let is_rank = view.king.rank() == from.rank();
    match () {
        () if view.checkers.has(victim) => "en passant: takes the pawn that gives check",
        () if view.is_pinned(from) => "en passant: a pinned pawn may take along the pin's diagonal",
        () if view.king.file() == victim.file()
            && (rook_attacks(view.king, both_gone) & rooks & enemies).any() =>
        {
            "en passant: the taker closes the file that the taken pawn closed: legal"
        }
        () if is_rank && (on_rank & enemies).any() => {
            "en passant: a third piece still closes the rank: legal"
        }
        () if (on_rank - enemies).any() && view.position.king(!view.us).rank() == from.rank() => {
            "en passant: opens the rank for the taker's own queen, with check: legal"
        }
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

fn missing_pawn(view: &View<'_>, mv: Move) -> Rule {
    let is_two = mv.kind() == MoveKind::DoublePush;
    Some(match () {
        () if is_two && view.checkers.any() => {
            "pawn: a two-square move may close the line of a check"
        }
        () if view.checkers.any() => CHECK,
        () if view.is_pinned(mv.from()) && mv.is_capture() => {
            "pawn: pinned on a diagonal may take the piece that pins it"
        }
        () if view.is_pinned(mv.from()) => "pawn: pinned on its file may still advance",
        () => {
            let all = match () {
                () if is_two => "pawn: may move two squares at first",
                () if mv.is_capture() => PAWN_TAKES,
                () => PAWN_GOES,
            };
            return Some(missing_piece(view, mv).unwrap_or(all));
        }
    })
}

fn missing_piece(view: &View<'_>, mv: Move) -> Rule {
    if view.checkers.any() {
        return Some(CHECK);
    }
    if view.is_pinned(mv.from()) {
        return Some(view.by_line(mv.from(), PIN_LINE, PIN_LINE, PIN_DIAGONAL));
    }
    let screen = view.screen(mv.from())?;
    Some(if (screen & view.position.color(!view.us)).any() {
        "no pin: a piece of the other side stands between"
    } else {
        "no pin: two own pieces stand between"
    })
}

/// The rule that a move breaks; castling is the king taking its rook.
pub fn illegal(place: &Place, mv: UciMove) -> Rule {
    let view = View::new(place);
    let UciMove { from, to, .. } = mv;
    if view.position.legal_moves().iter().any(|&legal| UciMove::from(legal) == mv) {
        return Some(TWICE);
    }
    let piece = view.position.piece_at(from)?;
    if piece.color() != view.us {
        return None;
    }
    let own = view.position.color(view.us);
    let is_rook = view.position.of(view.us, PieceKind::Rook).has(to);
    let is_far = from.file().index().abs_diff(to.file().index()) >= 2;
    match piece.kind() {
        PieceKind::King
            if from.rank() == to.rank()
                && (is_far || (is_rook && view.position.castling().has(to))) =>
        {
            illegal_castle(place, &view, from, to)
        }
        PieceKind::King if own.has(to) => Some("king: does not take its own pieces"),
        _ if own.has(to) => Some("piece: does not take its own side"),
        PieceKind::King => illegal_king(&view, from, to),
        PieceKind::Pawn => illegal_pawn(place, &view, mv),
        kind if !piece_attacks(kind, from, view.occupied).has(to) => Some(GEOMETRY),
        kind => illegal_piece(&view, kind, from, to),
    }
}

fn illegal_castle(place: &Place, view: &View<'_>, king: Square, rook: Square) -> Rule {
    let rank = king.rank();
    let is_short = rook.file() > king.file();
    let at = |file| Square::new(file, rank);
    let (king_to, rook_to) =
        if is_short { (at(File::G), at(File::F)) } else { (at(File::C), at(File::D)) };
    let is_classic = king.file() == File::E && matches!(rook.file(), File::A | File::H);
    if !view.position.castling().has(rook) {
        let is_rook = view.position.of(view.us, PieceKind::Rook).has(rook);
        let is_right =
            place.root.castling.has(rook) || (is_rook && rank == Rank::First.relative_to(view.us));
        return Some(if is_right { suspect::lost_right(place, rook) } else { GEOMETRY });
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
            () if !is_classic && (blocked & view.position.of(view.us, PieceKind::Rook)).any() => {
                "Chess960: the outer rook may not jump over the inner rook"
            }
            () if !is_classic => "Chess960: the rook's square must be empty",
            () if blocked == at(File::B).bitboard() => "castling: b1 must be empty",
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
    match () {
        () if all.is_empty() && hidden.any() => {
            Some("Chess960: the castling rook is pinned on the first rank: illegal")
        }
        () if all.is_empty() => None,
        () if !is_classic => Some("Chess960: a long way, not across an attacked d1"),
        () if view.is_only(all, PieceKind::Pawn) => Some("castling: a pawn attacks f1"),
        () if view.is_only(all, PieceKind::King) => {
            Some("castling: the other king attacks f1 and g1")
        }
        () if view.is_only(all, PieceKind::Knight) => Some("castling: a knight attacks f1"),
        () => Some(match (across.any(), is_short) {
            (true, true) => "castling: not across an attacked f1",
            (true, false) => "castling: not across an attacked d1",
            (false, true) => "castling: not to an attacked g1",
            (false, false) => "castling: not to an attacked c1",
        }),
    }
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
    if from.distance(to) > 1 {
        return Some(GEOMETRY);
    }
    let gone = view.occupied.without(from);
    let attackers = view.attackers(to, gone.without(to));
    let takes = view.occupied.has(to);
    Some(match () {
        () if view.is_only(attackers, PieceKind::King) && !takes => {
            "king: kings never stand side by side"
        }
        () if view.attackers(to, view.occupied.without(to)).is_empty() && attackers.any() => {
            "king: may not retreat along the line of the check"
        }
        () if takes => "king: may not take a protected piece",
        () if view.is_only(attackers, PieceKind::Pawn) => {
            "king: a pawn attacks the diagonals, not the square in front of it"
        }
        () => "king: may not move into check",
    })
}

fn illegal_pawn(place: &Place, view: &View<'_>, mv: UciMove) -> Rule {
    let UciMove { from, to, promotion } = mv;
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    let is_last = to.rank() == Rank::Eighth.relative_to(view.us);
    let enemies = view.position.color(!view.us);
    if files == 0 && ranks == 1 && view.occupied.has(to) {
        return Some("pawn: does not take straight ahead");
    }
    if files == 0 && ranks == 2 && (between(from, to).with(to) & view.occupied).any() {
        return Some("pawn: two squares need both squares empty");
    }
    if files == 0 && ranks == 2 && from.rank() != Rank::Second.relative_to(view.us) {
        return Some("pawn: moves two squares only at first");
    }
    if files > 1 {
        let is_marker = view.en_passant == Some(to) || !enemies.has(to);
        return Some(match (is_marker, from.file()) {
            (true, File::H) => "en passant: never from the h-file to the a-file",
            (true, File::A) => "en passant: never from the a-file to the h-file",
            (false, File::A | File::H) => "pawn: captures do not wrap round the edge",
            _ => GEOMETRY,
        });
    }
    let up = from.bitboard().forward(view.us);
    let reached = up | up.forward(view.us) | up.east() | up.west();
    if !reached.has(to) {
        return Some(GEOMETRY);
    }
    if files == 1 && !enemies.has(to) {
        return illegal_en_passant(place, view, from, to);
    }
    if is_last != promotion.is_some()
        || matches!(promotion, Some(PieceKind::King | PieceKind::Pawn))
    {
        return Some(PROMOTION);
    }
    if view.checkers.any() || !view.is_pinned(from) {
        return illegal_piece(view, PieceKind::Pawn, from, to);
    }
    let rank = if is_last {
        "promotion: a pawn pinned on its rank may not promote"
    } else {
        "pawn: pinned on a rank may not move"
    };
    let (file, diagonal) =
        ("pawn: pinned on its file may not take", "pawn: pinned on a diagonal may not advance");
    Some(view.by_line(from, rank, file, diagonal))
}

fn illegal_en_passant(place: &Place, view: &View<'_>, from: Square, to: Square) -> Rule {
    let victim = Square::new(to.file(), from.rank());
    let pawns = view.position.of(!view.us, PieceKind::Pawn);
    if view.en_passant != Some(to) {
        return Some(match () {
            () if !pawns.has(victim) && to.rank() == Rank::Eighth.relative_to(view.us) => {
                "promotion: a pawn on b7 has nothing to take on an empty a8"
            }
            () if !pawns.has(victim) => "pawn: takes only what is there",
            () => suspect::old_or_single(place, to),
        });
    }
    let others = view.checkers.without(victim);
    Some(match () {
        () if others.any() => {
            "en passant: no answer to the check that the two-square move discovered"
        }
        () if view.checkers.any() => {
            "en passant: a pinned pawn may not take the pawn that gives check"
        }
        () if view.king.rank() == from.rank() => {
            "en passant: both pawns leave the rank, which opens it to a rook: illegal"
        }
        () if view.is_pinned(from) => {
            let file = "en passant: a pawn pinned on its file may not take";
            view.by_line(from, EP_PIN, file, EP_PIN)
        }
        () => "en passant: the taken pawn may not open a line to the king",
    })
}

/// Of a move as the piece goes, which leaves its king in check.
fn illegal_piece(view: &View<'_>, kind: PieceKind, from: Square, to: Square) -> Rule {
    if view.checkers.several() {
        return Some("double check: only the king may move");
    }
    if let Some(checker) = view.checkers.first() {
        let answers = between(view.king, checker).with(checker).has(to);
        return Some(match () {
            () if answers && view.is_pinned(from) => "check: a pinned piece may not answer it",
            () if view.en_passant == Some(to) && pawn_attacks(view.us, view.king).has(checker) => {
                "en passant: only a pawn may take so, a bishop does not by going to the square"
            }
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
