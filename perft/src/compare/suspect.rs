//! What a wrong engine may have in mind: the moves it may give, the rules it may not have, what it
//! may count instead. And smaller positions.

use std::cmp::Ordering;
use std::collections::HashMap;

use tamarin_movegen::{
    Bitboard, Color, Key, Move, Piece, PieceKind, Position, Rank, Setup, Square, UciMove,
    king_attacks, pawn_attacks, piece_attacks,
};

use crate::compare::driver::Place;
use crate::compare::find::{Difference, correct};
use crate::compare::name;

/// The position without a piece, without rights (64) or the en passant square (65).
pub fn reduced(place: &Place, change: usize) -> Option<Place> {
    let mut setup = place.root.clone();
    match Square::from_index(change) {
        Some(square) => {
            setup.pieces[square].take().filter(|piece| piece.kind() != PieceKind::King)?;
            setup.castling = setup.castling.without(square);
        }
        None if change == Square::COUNT => {
            Some(setup.castling).filter(|rooks| rooks.any())?;
            setup.castling = Bitboard::EMPTY;
        }
        None => {
            setup.en_passant.take()?;
        }
    }
    if let Some(square) = setup.en_passant {
        let pawn = square.bitboard().forward(!setup.side_to_move).first()?;
        setup.pieces[pawn]?;
    }
    place.moves.iter().try_fold(Place::of(&setup)?, |next, &mv| {
        next.position.legal_moves().contains(&mv).then(|| next.child(mv))
    })
}

/// Moves of a wrong generator: as pieces go on an empty board, onto their own side too, as pawns go
/// and take at any time, castling with any rook of the king's rank as the king taking it.
pub fn tries(position: &Position) -> Vec<UciMove> {
    let us = position.side_to_move();
    let home = Rank::First.relative_to(us).bitboard();
    let mut list = Vec::new();
    for from in position.color(us) {
        let kind = position.piece_at(from).map_or(PieceKind::King, Piece::kind);
        let ahead = from.bitboard().forward(us);
        let targets = match kind {
            PieceKind::Pawn => ahead | ahead.forward(us) | pawn_attacks(us, from),
            PieceKind::King if home.has(from) => {
                king_attacks(from) | (position.of(us, PieceKind::Rook) & home)
            }
            kind => piece_attacks(kind, from, Bitboard::EMPTY),
        };
        for to in targets {
            let is_last = kind == PieceKind::Pawn && to.rank() == Rank::Eighth.relative_to(us);
            let kinds = PieceKind::PROMOTIONS.map(Some);
            let kinds = if is_last { &kinds[..] } else { &[None] };
            list.extend(kinds.iter().map(|&promotion| UciMove { from, to, promotion }));
        }
    }
    list
}

/// A move that a rule decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decided {
    pub rule: &'static str,
    /// Whether an engine without the rule has it too many, or does not have it.
    pub is_excess: bool,
    /// Whose move it is, and to which side: an engine may be wrong in one of them.
    color: Color,
    side: Ordering,
}

/// The moves of a position, legal or not, with their rules.
pub fn decided(place: &Place) -> Vec<Decided> {
    let color = place.position.side_to_move();
    let decided = |mv: UciMove, rule: Option<&'static str>, is_excess| {
        rule.map(|rule| Decided { rule, is_excess, color, side: mv.from.file().cmp(&mv.to.file()) })
    };
    let legal = place.position.legal_moves().into_iter();
    let missing = legal.map(|mv| decided(mv.into(), name::missing(place, mv, false), false));
    let illegal = tries(&place.position).into_iter().filter(|&mv| !place.is_legal(mv));
    missing.chain(illegal.map(|mv| decided(mv, name::illegal(place, mv), true))).flatten().collect()
}

/// The rule of moves that are wrong only after other moves, and what the engine acts as if.
pub fn state(place: &Place, found: &Difference) -> Option<(&'static str, String)> {
    let position = &place.position;
    let us = position.side_to_move();
    let (king, pawns) = (position.king(us), position.of(us, PieceKind::Pawn));
    let is_pawn = |mv: &UciMove| {
        pawns.has(mv.from) && mv.from.file() != mv.to.file() && position.piece_at(mv.to).is_none()
    };
    let missing: Vec<Move> = match found.listed.is_empty() {
        true if found.yours < found.correct => position.legal_moves().to_vec(),
        _ => found.missing.clone(),
    };
    let castled: Bitboard = missing.iter().filter(|mv| mv.is_castle()).map(|mv| mv.to()).collect();
    let rights = |there: Bitboard| {
        let (here, there) = (rights(position, position.castling()), rights(position, there));
        format!("acts as if castling rights were {there}, should be {here}")
    };
    let square = |there: Option<Square>| {
        let text = |square: Option<Square>| square.map_or("-".to_owned(), |at| at.to_string());
        let (here, there) = (text(place.setup.en_passant), text(there));
        format!("acts as if the en passant square were {there}, should be {here}")
    };
    let keeps_right =
        |rook| Some((lost_right(place, rook), rights(position.castling().with(rook))));
    let takes_late = |mv: UciMove| Some((old_or_single(place, mv.to), square(Some(mv.to))));
    // Rights that have ended since the first position, and what reads as castling with one of them:
    // a king, where it is or was, that goes farther than kings go, onto its rook or twice.
    let home = Rank::First.relative_to(us).bitboard();
    let lost = (place.root.castling - position.castling()) & home;
    let is_castle = |mv: &&UciMove| {
        let is_king = mv.from == king
            || place.root.pieces[mv.from] == Some(Piece::new(us, PieceKind::King))
                && position.piece_at(mv.from).is_none();
        let is_step = king_attacks(mv.from).has(mv.to) && !position.color(us).has(mv.to);
        let is_far = !is_step || place.is_legal(**mv);
        is_king && lost.any() && mv.from.rank() == mv.to.rank() && is_far
    };
    if found.missing.is_empty()
        && let Some(mv) = found.illegal.iter().find(is_castle)
    {
        let is_side = |rook: &Square| (*rook > mv.from) == (mv.to > mv.from);
        let rook = Some(mv.to).filter(|&to| lost.has(to));
        return keeps_right(rook.or_else(|| lost.into_iter().find(is_side)).or(lost.first())?);
    }
    if castled.any() {
        let rule = match place.moves.iter().any(|mv| mv.is_castle()) {
            true => "castling: one side's castling leaves the other side's rights",
            false => "castling: another rook on the h-file may move without loss of the right",
        };
        return Some((rule, rights(position.castling() - castled)));
    }
    let first = place.moves.first().and_then(|mv| match () {
        () if mv.is_en_passant() => Some((name::VICTIM, "the taken pawn were still there")),
        () if mv.is_castle() => Some((name::ROOK, "the rook stood elsewhere")),
        () if mv.is_promotion() => Some((name::PROMOTED, "it were another piece")),
        () => None,
    });
    if let Some((rule, what)) = first {
        return Some((rule, format!("acts as if {what}")));
    }
    match found.illegal.iter().copied().find(is_pawn) {
        Some(mv) => takes_late(mv),
        None if missing.iter().any(|mv| mv.is_en_passant()) => {
            Some(("en passant: the square is set by a two-square move", square(None)))
        }
        None if !found.listed.is_empty() || found.yours <= found.correct => None,
        None if lost.any() => keeps_right(lost.lowest()),
        None => {
            let is_rule = |mv: &UciMove| name::illegal(place, *mv).is_some_and(name::is_late);
            takes_late(tries(position).into_iter().filter(is_pawn).find(is_rule)?)
        }
    }
}

/// The rule by which the moves before ended the right to castle with the rook of a corner.
pub fn lost_right(place: &Place, corner: Square) -> &'static str {
    let path = place.path();
    for ((before, after), &mv) in path.iter().zip(&path[1..]).zip(&place.moves) {
        let lost = before.position.castling() - after.position.castling();
        if lost.has(corner) && mv.to() == corner && !mv.is_castle() {
            return match before.position.piece_at(mv.from()).map(Piece::kind) {
                Some(PieceKind::Pawn) => {
                    "castling: the right ends when a promoting pawn takes the rook"
                }
                Some(PieceKind::Rook) if mv.from().file() == corner.file() => {
                    "castling: rook takes rook, both rights end"
                }
                _ => "castling: the right ends when the rook is taken",
            };
        }
    }
    name::RIGHT_MOVES
}

/// Whether a capture en passant comes too late, or after a single push.
pub fn old_or_single(place: &Place, square: Square) -> &'static str {
    let is_old = place.path().iter().any(|place| place.setup.en_passant == Some(square));
    if is_old { name::EP_BASE } else { name::EP_SINGLE }
}

/// Rights as a FEN has them.
fn rights(position: &Position, rooks: Bitboard) -> String {
    let letter = |rook: Square| {
        let us = if rook.rank() == Rank::First { Color::White } else { Color::Black };
        let is_short = rook.file() > position.king(us).file();
        Piece::new(us, if is_short { PieceKind::King } else { PieceKind::Queen }).to_char()
    };
    let mut letters: Vec<char> = rooks.into_iter().map(letter).collect();
    letters.sort_unstable();
    if letters.is_empty() { "-".to_owned() } else { letters.into_iter().collect() }
}

/// What an engine counts instead of the moves of the last ply.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// Checks at the last ply twice, mates too or not.
    Checks { mates: bool },
    /// A repetition ends the game, at the last ply too or not, and counts so many moves.
    Repetition { last: bool, moves: u64 },
    /// One field of the FEN, or the depth (4), is not in the key of a hash table.
    Hash(usize),
}

const REPETITION: &str = "counting: a repetition ends nothing";
const MISCOUNTS: [(How, &str); 9] = [
    (How::Checks { mates: false }, "counting: the checks at the last ply are counted twice"),
    (How::Checks { mates: true }, "counting: the checks at the last ply are counted twice"),
    (How::Repetition { last: true, moves: 0 }, REPETITION),
    (How::Repetition { last: false, moves: 0 }, REPETITION),
    (How::Repetition { last: false, moves: 1 }, REPETITION),
    (How::Hash(3), "state: same pieces, another en passant square: another count"),
    (How::Hash(2), "state: same pieces, another castling right: another count"),
    (How::Hash(1), "state: same pieces, another side to move: another count"),
    (How::Hash(4), "state: same position, another depth: another count"),
];

/// Counts with a mistake.
struct Miscount {
    how: How,
    /// In which order moves are played: what a hash table has depends on it.
    order: usize,
    path: Vec<Key>,
    table: HashMap<(String, u8), u64>,
}

impl Miscount {
    fn count(&mut self, position: &mut Position, depth: u8) -> u64 {
        let mut moves = position.legal_moves().to_vec();
        let (is_check, is_end) = (position.in_check(), moves.is_empty());
        match self.how {
            How::Checks { mates } if depth == 0 => {
                return 1 + u64::from(is_check && (mates || !is_end));
            }
            How::Repetition { last, moves }
                if (last || depth > 0) && self.path.contains(&position.key()) =>
            {
                return moves;
            }
            _ if depth == 0 => return 1,
            _ => {}
        }
        let entry = match self.how {
            How::Hash(dropped) => {
                let fen = position.to_string();
                let fields = fen.split(' ').take(4).enumerate();
                let kept = fields.filter(|(index, _)| *index != dropped).map(|(_, field)| field);
                Some((kept.collect::<String>(), if dropped == 4 { 0 } else { depth }))
            }
            _ => None,
        };
        if let Some(&count) = entry.as_ref().and_then(|entry| self.table.get(entry)) {
            return count;
        }
        let from = |mv: &Move| mv.from() as i16;
        let length = |mv: &Move| (mv.from() as i16 - mv.to() as i16).abs();
        match self.order {
            1 => moves.reverse(),
            2 => moves.sort_by_key(|mv| (from(mv), length(mv))),
            3 => moves.sort_by_key(|mv| (-from(mv), length(mv))),
            4 => moves.sort_by_key(|mv| (from(mv), -length(mv))),
            _ => {}
        }
        self.path.push(position.key());
        let mut count = 0;
        for mv in moves {
            position.make(mv);
            count += self.count(position, depth - 1);
            position.unmake();
        }
        self.path.pop();
        self.table.extend(entry.map(|entry| (entry, count)));
        count
    }
}

/// The greatest count that is made with mistakes.
const MOST_MISCOUNTED: u64 = 200_000;

/// A perft of N that counts N + 1 plies.
pub const DEEPER: &str = "counting: the depth is the number of plies, the first included";

/// Where an engine may end the game: it counts no moves there, or one.
type IsEnd = fn(&Position) -> bool;
const ENDS: [(&str, IsEnd); 5] = [
    (name::MATES, |position| !position.has_legal_move()),
    (name::MATES, |position| !position.has_legal_move() && position.in_check()),
    (name::MATES, |position| !position.has_legal_move() && !position.in_check()),
    (name::FIFTY, |position| position.halfmove_clock() >= 100),
    (name::KINGS, Position::is_insufficient_material),
];

/// The rules that explain a wrong count over positions that are right when asked for alone.
pub fn miscounted(place: &Place, depth: u8, found: &Difference) -> Vec<&'static str> {
    let count = |depth: u8| correct(place, depth);
    let mut rules = Vec::new();
    let mut add = |fits: bool, rule| {
        if fits && !rules.contains(&rule) {
            rules.push(rule);
        }
    };
    add(found.correct <= MOST_MISCOUNTED && found.yours == count(depth + 1), DEEPER);
    if depth == 1 {
        return rules;
    }
    let all: u64 = (1..=depth).map(count).sum();
    add(found.yours == all, "counting: the totals of all depths are added");
    let children = place.position.legal_moves().into_iter().map(|mv| place.child(mv));
    let children: Vec<(Place, u64)> =
        children.map(|child| (child.clone(), correct(&child, depth - 1))).collect();
    for (rule, is_end) in ENDS {
        let ends = children.iter().filter(|(child, _)| is_end(&child.position));
        let (number, moves) = ends.fold((0, 0), |(n, sum), (_, count)| (n + 1, sum + count));
        let without = found.correct - moves;
        add(number > 0 && [without, without + number].contains(&found.yours), rule);
    }
    let fewer = |&(mv, yours): &(Move, u64)| {
        let child = place.child(mv);
        let rooks = child.setup.castling;
        let sets = rooks.into_iter().map(|rook| rooks.without(rook)).chain([Bitboard::EMPTY]);
        let mut setups = sets.map(|castling| Setup { castling, ..child.setup.clone() });
        rooks.any()
            && setups.any(|setup| {
                Place::of(&setup).is_some_and(|place| correct(&place, depth - 1) == yours)
            })
    };
    let undone = "state: taking a move back does not restore the castling rights";
    add(found.wrong.iter().any(fewer), undone);
    for &(how, rule) in MISCOUNTS.iter().filter(|_| found.correct <= MOST_MISCOUNTED) {
        let fits = |order| {
            let mut miscount = Miscount { how, order, path: Vec::new(), table: HashMap::new() };
            miscount.count(&mut place.position.clone(), depth) == found.yours
        };
        add((0..5).any(fits), rule);
    }
    let root = (children.len() as u64).pow(u32::from(depth));
    let repeated = "counting: the moves of the root are counted again, no move is played";
    add(found.yours == root, repeated);
    rules
}
