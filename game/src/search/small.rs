//! Players with small evaluators of other programs: plain alpha-beta to a fixed depth.
//!
//! Sources: the documents of Chess Mantis (Glasgow 2008, sections 3.4 and 4.4), whose evaluators
//! each add to the one before, and of JChess (Glasgow 2012, section 5.4). What one move and one
//! square of the center bring is by hand: the documents do not say.

use std::cmp::Reverse;

use tamarin_base::formula;
use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_movegen::{
    Bitboard, Color, Move, PieceKind, Position, Square, king_attacks, pawn_attacks, piece_attacks,
};

use super::{Answer, Ask, Found, FoundLine, Worth};
use crate::level::Level;
use crate::position;

/// A small evaluator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Small {
    /// Chance.
    Marmoset,
    /// Material.
    Capuchin,
    /// And pawns.
    Sifaka,
    /// And mates, freedom of pieces, the center, attacks about the king.
    Macaque,
    /// And castling, and whether the king belongs into the center.
    Mantis,
    /// Material, the squares of pawns and minor pieces.
    JchessEasy,
    /// And those of rooks and queens.
    JchessMedium,
}

/// The evaluators by name.
pub const SMALL: [(Small, &str); 7] = [
    (Small::Marmoset, "marmoset"),
    (Small::Capuchin, "capuchin"),
    (Small::Sifaka, "sifaka"),
    (Small::Macaque, "macaque"),
    (Small::Mantis, "mantis"),
    (Small::JchessEasy, "jchess-easy"),
    (Small::JchessMedium, "jchess-medium"),
];

/// By kind of piece, in centipawns.
const VALUES: [i32; 6] = [100, 300, 325, 500, 900, 0];

/// A win now. A later one scores less by its plies.
const MATE: i32 = 1_000_000;

/// Nodes of a search, whatever its depth: it is done before anybody waits.
const NODES: u32 = 100_000;

impl Small {
    /// The evaluator of that name; `random` and `material` are two of them.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Marmoset),
            "material" => Some(Self::Capuchin),
            _ => SMALL.iter().find(|(_, known)| *known == name).map(|(small, _)| *small),
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        SMALL[self as usize].1
    }

    /// What a position is worth to the side to move, in centipawns; the seed is for chance.
    fn evaluate(self, position: &Position, seed: u64) -> i32 {
        if self == Self::Marmoset {
            return formula::variety(seed ^ position.key(), 0);
        }
        let us = position.side_to_move();
        self.side(position, us) - self.side(position, !us)
    }

    fn side(self, position: &Position, color: Color) -> i32 {
        let pieces = || {
            let kinds = PieceKind::ALL.into_iter();
            kinds.flat_map(|kind| position.of(color, kind).into_iter().map(move |at| (kind, at)))
        };
        let material: i32 = pieces().map(|(kind, _)| VALUES[kind.index()]).sum();
        if matches!(self, Self::JchessEasy | Self::JchessMedium) {
            let squares = pieces().map(|(kind, at)| self.square(kind, at.relative_to(color)));
            return material + squares.sum::<i32>();
        }
        let mut total = material;
        if self >= Self::Sifaka {
            total += pawns(position, color);
        }
        if self >= Self::Macaque {
            total += pieces().map(|(kind, at)| activity(position, color, kind, at)).sum::<i32>();
        }
        if self >= Self::Mantis {
            total += king(position, color);
        }
        total
    }

    /// JChess: what a piece is worth on a square, as White sees it.
    fn square(self, kind: PieceKind, at: Square) -> i32 {
        let center = i32::from(is_center(at, 3));
        let is_edge = |index: usize| index == 0 || index == 7;
        let edges = [at.file().index(), at.rank().index()].into_iter().filter(|i| is_edge(*i));
        let edges = edges.count() as i32;
        match kind {
            PieceKind::Pawn => 20 * center + if at.rank().index() == 6 { 50 } else { 0 },
            PieceKind::Knight => 20 * center - 20 * edges,
            PieceKind::Bishop => 10 * center - 10 * edges,
            PieceKind::Queen if self == Self::JchessMedium => 5 * center - 10 * edges,
            PieceKind::Rook if self == Self::JchessMedium => {
                let is_file = matches!(at.file().index(), 3 | 4);
                5 * i32::from(is_file) + 10 * i32::from(at.rank().index() == 6)
            }
            _ => 0,
        }
    }
}

/// Whether a square is one of the center: from `least` to its mirror image, both ways.
fn is_center(at: Square, least: usize) -> bool {
    let range = least..=7 - least;
    range.contains(&at.file().index()) && range.contains(&at.rank().index())
}

/// Chess Mantis: passed, crowded, crippled and connected pawns, their number, the king's pawns.
fn pawns(position: &Position, color: Color) -> i32 {
    let (own, enemy) = (position.of(color, PieceKind::Pawn), position.of(!color, PieceKind::Pawn));
    let mut files = [0_i32; 10];
    own.into_iter().for_each(|at| files[at.file().index() + 1] += 1);
    let rank = |at: Square| at.relative_to(color).rank();
    let is_passed = |at: &Square| enemy.into_iter().all(|other| rank(other) <= rank(*at));
    let passed = 100 * own.into_iter().filter(is_passed).count() as i32;
    let crowded = files.iter().map(|count| match count {
        0 | 1 => 0,
        2 => 100,
        _ => 175,
    });
    let number = match own.len() {
        8 => 100,
        7 => 50,
        _ => 0,
    };
    let neighbors: i32 = files.windows(2).map(|pair| 2 * pair[0] * pair[1]).sum();
    let king = position.king(color);
    let shield = (pawn_attacks(color, king) | king.bitboard().forward(color)) & own;
    passed - crowded.sum::<i32>() - number - 50 * (files[1] + files[8])
        + 10 * (neighbors + shield.len() as i32)
}

/// Chess Mantis: moves, those to the center, a place there, and attacks about the enemy's king.
fn activity(position: &Position, color: Color, kind: PieceKind, at: Square) -> i32 {
    let center = |at: Square| i32::from(is_center(at, 2)) + i32::from(is_center(at, 3));
    let attacks = match kind {
        PieceKind::Pawn => pawn_attacks(color, at) & position.color(!color),
        _ => piece_attacks(kind, at, position.occupied()) & !position.color(color),
    };
    let inner = king_attacks(position.king(!color));
    let outer: Bitboard = inner.into_iter().fold(inner, |all, square| all | king_attacks(square));
    let attack = i32::from((attacks & inner).any()) + i32::from((attacks & outer).any());
    let reached: i32 = attacks.into_iter().map(center).sum();
    2 * attacks.len() as i32 + 2 * reached + 4 * center(at) + attack
}

/// Chess Mantis: a castled king, and one in the center, which is good once few pieces are left.
fn king(position: &Position, color: Color) -> i32 {
    let all: i32 = position
        .occupied()
        .into_iter()
        .filter_map(|at| position.piece_at(at))
        .fold(0, |sum, piece| sum + VALUES[piece.kind().index()]);
    let at = position.king(color).relative_to(color);
    let has_castled = at.rank().index() == 0 && matches!(at.file().index(), 1 | 2 | 6);
    10 * i32::from(has_castled) + if is_center(at, 2) { 20 - all / 80 } else { 0 }
}

/// A search.
struct Search {
    small: Small,
    seed: u64,
    nodes: u32,
}

impl Search {
    /// Captures first, of valuable pieces first; equal moves by chance.
    fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = position.legal_moves().to_vec();
        moves.sort_by_cached_key(|mv| {
            let victim = position.captured_by(*mv).map_or(0, |kind| VALUES[kind.index()]);
            (Reverse(victim), formula::variety(self.seed ^ position.key(), mv.bits().into()))
        });
        moves
    }

    /// The score for the side to move, and the best move; `None` after too many nodes. Evaluators
    /// before Macaque do not know that a game is over.
    fn negamax(
        &mut self,
        position: &mut Position,
        (depth, ply): (u32, i32),
        (mut alpha, beta): (i32, i32),
    ) -> Option<(i32, Option<Move>)> {
        self.nodes += 1;
        if self.nodes > NODES {
            return None;
        }
        if ply > 0 && (position.is_repetition(ply as usize) || position.is_fifty_move_draw()) {
            return Some((0, None));
        }
        let moves = if depth == 0 { Vec::new() } else { self.moves(position) };
        if moves.is_empty() {
            let is_over = self.small >= Small::Macaque && !position.has_legal_move();
            let score = match (is_over, position.in_check()) {
                (true, true) => ply - MATE,
                (true, false) => 0,
                (false, _) => self.small.evaluate(position, self.seed),
            };
            return Some((score, None));
        }
        let mut best = (-MATE, None);
        for mv in moves {
            position.make(mv);
            let found = self.negamax(position, (depth - 1, ply + 1), (-beta, -alpha));
            position.unmake();
            let score = -found?.0;
            if best.1.is_none() || score > best.0 {
                best = (score, Some(mv));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// A player with a small evaluator. Its searches are over when they have begun.
pub struct SmallPlayer {
    small: Small,
    pub(super) answer: Option<Answer>,
}

impl SmallPlayer {
    pub const fn new(small: Small) -> Self {
        Self { small, answer: None }
    }

    /// Searches as deep as the level says, up to six plies, or as the nodes suffice for.
    pub fn start(&mut self, position: &Position, ask: &Ask) {
        let depth = match ask.level {
            Some(Level::Number(level)) => u32::from(level).min(6),
            Some(Level::Easy) => 2,
            Some(Level::Medium) => 3,
            _ => 4,
        };
        let mut search = Search { small: self.small, seed: ask.seed, nodes: 0 };
        let mut found = Found::default();
        for depth in 1..=ask.depth.unwrap_or(depth) {
            let mut root = position.clone();
            let answer = search.negamax(&mut root, (depth, 0), (-MATE, MATE));
            let Some((score, Some(mv))) = answer else { break };
            let score = match score.abs() > MATE / 2 {
                true if score > 0 => Score::mate_in((MATE - score) as usize),
                true => Score::mated_in((MATE + score) as usize),
                false => Score::new(score * UNITS_PER_PAWN / 100).clamp_to_evaluation(),
            };
            let mv = position::Move::Chess(mv);
            found.lines = vec![FoundLine { worth: Worth::Chess(score), pv: vec![mv] }];
            (found.depth, found.nodes) = (depth, search.nodes.into());
        }
        let best = found.lines.first().map(|line| line.pv[0]);
        self.answer = Some(Answer { best, found, ..Answer::default() });
    }
}
