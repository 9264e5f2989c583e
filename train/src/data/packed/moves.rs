//! The model of moves: a softmax over the legal moves, learned while coding.
//!
//! A move has one of several values of each of [`FEATURES`] features, and each value a weight; the
//! sum of its weights decides how likely it is. Only sums, products, quotients and square roots of
//! `f32`, in a fixed order, so that every computer finds the same chances.

use tamarin_movegen::{
    Bitboard, Color, Move, MoveKind, PieceKind, Position, Square, king_attacks, knight_attacks,
    pawns_attacks, piece_attacks,
};

use super::coder::{Coder, PARTS};

const FEATURES: usize = 15;

/// How many values each feature has.
const VALUES: [usize; FEATURES] = [
    // Piece and squares: target and phase, origin and phase, both.
    384 * 4,
    384 * 4,
    384 * 64,
    // What it gains and risks on the target: capture, piece, least attacker, support.
    7 * 6 * 6 * 3,
    // Flight: piece, least attacker at the origin, defended there, attacker and support on the target.
    6 * 6 * 2 * 6 * 3,
    // Check: kind of check, capture, piece, attacked.
    3 * 7 * 6 * 2,
    // Recapture: on the square of the last move, piece, capture, whether that was a capture.
    2 * 6 * 7 * 2,
    // The piece that moved last: again, back again; piece, phase, standing.
    3 * 6 * 4 * 3,
    // Piece and target beside those of the opponent's last move, and of the own one.
    384 * 384,
    384 * 384,
    // Castling, en passant, promotions.
    8,
    // Threat: piece, greatest piece that it attacks from the target, least attacker there.
    6 * 7 * 6,
    // A pawn's advance: passed, rank, phase.
    2 * 8 * 4,
    // Distance to the enemy king, piece, phase.
    8 * 6 * 4,
    // Standing, capture, whether it can be taken by less, check.
    3 * 7 * 2 * 2 * 4,
];

/// Where the values of each feature begin among all weights.
const STARTS: [usize; FEATURES] = {
    let mut starts = [0; FEATURES];
    let mut feature = 1;
    while feature < FEATURES {
        starts[feature] = starts[feature - 1] + VALUES[feature - 1];
        feature += 1;
    }
    starts
};
const ALL_VALUES: usize = STARTS[FEATURES - 1] + VALUES[FEATURES - 1];

/// What later moves see of a move; squares from the mover's side.
#[derive(Clone, Copy)]
pub struct Played {
    piece: usize,
    from: usize,
    to: usize,
    captures: bool,
}

impl Played {
    pub fn new(position: &Position, mv: Move) -> Self {
        let us = position.side_to_move();
        Self {
            piece: position.moved_piece(mv).kind() as usize,
            from: seen(us, mv.from()),
            to: seen(us, mv.to()),
            captures: mv.is_capture(),
        }
    }
}

/// The square's index as the side sees it.
const fn seen(us: Color, square: Square) -> usize {
    match us {
        Color::White => square as usize,
        Color::Black => square as usize ^ 56,
    }
}

/// A weight, and the sum of the squares of its steps.
#[derive(Clone, Copy)]
struct Weight {
    value: f32,
    squares: f32,
}

pub struct MoveModel {
    weights: Box<[Weight]>,
    features: Vec<[u32; FEATURES]>,
    chances: Vec<f32>,
    frequencies: Vec<u32>,
}

impl MoveModel {
    pub fn new() -> Self {
        Self {
            weights: vec![Weight { value: 0.0, squares: 1.0 }; ALL_VALUES].into(),
            features: Vec::new(),
            chances: Vec::new(),
            frequencies: Vec::new(),
        }
    }

    /// Encodes the index of a move among `moves`, or decodes one, and gives it.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        scene: &Scene<'_>,
        moves: &[Move],
        index: usize,
    ) -> usize {
        if moves.len() < 2 {
            return 0;
        }
        self.features.clear();
        self.features.extend(moves.iter().map(|&mv| scene.features(mv)));
        let total = self.weigh();
        // Each move keeps a part for itself.
        let room = (PARTS as usize - moves.len()) as f32;
        self.frequencies.clear();
        let parts = self.chances.iter().map(|chance| 1 + (chance / total * room) as u32);
        self.frequencies.extend(parts);
        // Rounding can exceed the sum by one in some thousands: the likeliest gives way.
        let excess = self.frequencies.iter().sum::<u32>().saturating_sub(PARTS);
        if let Some(most) = self.frequencies.iter_mut().max() {
            *most -= excess;
        }
        let index = coder.symbol(&self.frequencies, index);
        self.learn(index, total);
        index
    }

    /// The chance of each move, up to a factor: their sum.
    fn weigh(&mut self) -> f32 {
        let sum = |features: &[u32; FEATURES]| {
            features.iter().fold(0.0, |sum, &at| sum + self.weights[at as usize].value)
        };
        self.chances.clear();
        self.chances.extend(self.features.iter().map(sum));
        let most = self.chances.iter().copied().fold(f32::MIN, f32::max);
        self.chances.iter_mut().for_each(|chance| *chance = exp2(*chance - most));
        self.chances.iter().fold(0.0, |sum, chance| sum + chance)
    }

    /// A step of AdaGrad (Duchi, Hazan and Singer, 2011).
    fn learn(&mut self, played: usize, total: f32) {
        const RATE: f32 = 0.22;
        const LEAST_ERROR: f32 = 0.002;
        for (index, features) in self.features.iter().enumerate() {
            let error = f32::from(u8::from(index == played)) - self.chances[index] / total;
            if error.abs() < LEAST_ERROR {
                continue;
            }
            for &at in features {
                let weight = &mut self.weights[at as usize];
                weight.squares += error * error;
                weight.value += RATE * error / weight.squares.sqrt();
            }
        }
    }
}

/// Two to the power of `x`, which is at most 0, to four digits.
fn exp2(x: f32) -> f32 {
    if x < -40.0 {
        return 0.0;
    }
    let whole = x.floor();
    let part = x - whole;
    // The Taylor series of exp(part ln 2).
    let series = 1.0
        + part
            * (core::f32::consts::LN_2
                + part * (0.240_226_5 + part * (0.055_504_1 + part * 0.009_618_1)));
    f32::from_bits(((whole as i32 + 127) as u32) << 23) * series
}

/// Which squares a side attacks.
struct Attacks {
    /// By pawns, minor pieces, rooks, queens, the king.
    by: [Bitboard; 5],
    several: Bitboard,
}

impl Attacks {
    fn new(position: &Position, color: Color) -> Self {
        let occupied = position.occupied();
        let mut attacks = Self { by: [Bitboard::EMPTY; 5], several: Bitboard::EMPTY };
        let mut all = Bitboard::EMPTY;
        let mut add = |level: usize, set: Bitboard| {
            attacks.several |= all & set;
            all |= set;
            attacks.by[level] |= set;
        };
        add(0, pawns_attacks(color, position.of(color, PieceKind::Pawn)));
        for kind in PieceKind::ALL.into_iter().skip(1) {
            for square in position.of(color, kind) {
                add(worth(kind) - 1, piece_attacks(kind, square, occupied));
            }
        }
        attacks
    }

    /// The least attacker of a square: 0 for none, 1 for a pawn, to 5 for the king.
    fn least(&self, square: Square) -> usize {
        self.by.iter().position(|set| set.has(square)).map_or(0, |level| level + 1)
    }

    /// How many attack a square, 2 for more.
    fn count(&self, square: Square) -> usize {
        if self.several.has(square) { 2 } else { usize::from(self.least(square) > 0) }
    }
}

/// 1 for a pawn, 2 for a minor piece, to 5 for the king.
const fn worth(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Knight | PieceKind::Bishop => 2,
        PieceKind::Rook => 3,
        PieceKind::Queen => 4,
        PieceKind::King => 5,
    }
}

/// What all moves of a position share.
pub struct Scene<'a> {
    position: &'a Position,
    us: Color,
    enemy_king: Square,
    ours: Attacks,
    theirs: Attacks,
    checks: tamarin_movegen::CheckInfo,
    before: [Option<Played>; 2],
    phase: usize,
    standing: usize,
}

impl<'a> Scene<'a> {
    /// `before` has the opponent's last move and the own one, `standing` is 0 for clearly worse, 2
    /// for better.
    pub fn new(position: &'a Position, before: [Option<Played>; 2], standing: usize) -> Self {
        let us = position.side_to_move();
        let pieces = (position.occupied() & !position.pieces(PieceKind::Pawn)).len();
        Self {
            position,
            us,
            enemy_king: position.king(!us),
            ours: Attacks::new(position, us),
            theirs: Attacks::new(position, !us),
            checks: position.check_info(),
            before,
            phase: (pieces.saturating_sub(2) as usize / 4).min(3),
            standing,
        }
    }

    fn features(&self, mv: Move) -> [u32; FEATURES] {
        let (position, phase, standing) = (self.position, self.phase, self.standing);
        let kind = position.moved_piece(mv).kind();
        let piece = kind as usize;
        let (from, to) = (seen(self.us, mv.from()), seen(self.us, mv.to()));
        let taken = position.captured_by(mv);
        let captured = taken.map_or(6, |kind| kind as usize);
        let (at_origin, attacker) = (self.theirs.least(mv.from()), self.theirs.least(mv.to()));
        let defended = usize::from(self.ours.least(mv.from()) > 0);
        let support = self.support(mv, kind);
        let check = self.check(mv);
        let [theirs, own] = self.before;
        let recapture = usize::from(theirs.is_some_and(|theirs| theirs.to ^ 56 == to));
        let after_capture = usize::from(theirs.is_some_and(|theirs| theirs.captures));
        let again = own.map_or(0, |own| match own.to == from {
            true if own.from == to => 2,
            same => usize::from(same),
        });
        let place = piece * 64 + to;
        // The place before, or that of a pawn on the first rank: there is none.
        let last =
            |played: Option<Played>| played.map_or(0, |played| played.piece * 64 + played.to);
        let attacked = usize::from(attacker > 0);
        let by_less = usize::from(attacker > 0 && (attacker < worth(kind) || support == 0));
        let values = [
            place * 4 + phase,
            (piece * 64 + from) * 4 + phase,
            place * 64 + from,
            ((captured * 6 + piece) * 6 + attacker) * 3 + support,
            (((piece * 6 + at_origin) * 2 + defended) * 6 + attacker) * 3 + support,
            ((check * 7 + captured) * 6 + piece) * 2 + attacked,
            ((recapture * 6 + piece) * 7 + captured) * 2 + after_capture,
            ((again * 6 + piece) * 4 + phase) * 3 + standing,
            last(theirs) * 384 + place,
            last(own) * 384 + place,
            special(mv),
            (piece * 7 + self.victim(mv, kind)) * 6 + attacker,
            if kind == PieceKind::Pawn { self.advance(mv) * 4 + phase } else { phase },
            (distance(mv.to(), self.enemy_king) * 6 + piece) * 4 + phase,
            (((standing * 7 + captured) * 2 + by_less) * 2 + usize::from(check > 0)) * 4 + phase,
        ];
        let mut features = [0; FEATURES];
        for ((feature, value), start) in features.iter_mut().zip(values).zip(STARTS) {
            *feature = (start + value) as u32;
        }
        features
    }

    /// How many others protect the piece on its target, 2 for more or a pawn.
    fn support(&self, mv: Move, kind: PieceKind) -> usize {
        let to = mv.to();
        let steps = kind == PieceKind::Pawn && !mv.is_capture();
        let itself = usize::from(!steps && !mv.is_castle());
        let others = self.ours.count(to).saturating_sub(itself);
        let pawn = others > 0 && kind != PieceKind::Pawn && self.ours.by[0].has(to);
        (others + usize::from(pawn)).min(2)
    }

    /// 0 for no check, 1 by the piece that moves, 2 by another.
    fn check(&self, mv: Move) -> usize {
        if !self.position.gives_check_with(mv, &self.checks) {
            return 0;
        }
        let lands = mv.promotion().unwrap_or(self.position.moved_piece(mv).kind());
        if self.checks.check_squares(lands).has(mv.to()) { 1 } else { 2 }
    }

    /// The greatest enemy piece, king apart, that is attacked from the target; 6 for none.
    fn victim(&self, mv: Move, kind: PieceKind) -> usize {
        let (position, to) = (self.position, mv.to());
        let occupied = position.occupied().without(mv.from());
        let reach = match mv.promotion().unwrap_or(kind) {
            PieceKind::Pawn => pawns_attacks(self.us, to.bitboard()),
            PieceKind::Knight => knight_attacks(to),
            PieceKind::King => king_attacks(to),
            slider => piece_attacks(slider, to, occupied),
        };
        let victims = [
            PieceKind::Queen,
            PieceKind::Rook,
            PieceKind::Bishop,
            PieceKind::Knight,
            PieceKind::Pawn,
        ];
        let hit = |&victim: &PieceKind| (reach & position.of(!self.us, victim)).any();
        victims.into_iter().find(hit).map_or(6, |victim| victim as usize)
    }

    /// 8 more for a pawn that no enemy pawn can stop or take, and its rank.
    fn advance(&self, mv: Move) -> usize {
        let (file, rank) = (mv.to() as usize % 8, seen(self.us, mv.to()) / 8);
        let stops = |pawn: Square| {
            (pawn as usize % 8).abs_diff(file) <= 1 && seen(self.us, pawn) / 8 > rank
        };
        let passed = !self.position.of(!self.us, PieceKind::Pawn).into_iter().any(stops);
        usize::from(passed) * 8 + rank
    }
}

/// The steps of a king between two squares.
fn distance(a: Square, b: Square) -> usize {
    let (a, b) = (a as usize, b as usize);
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}

fn special(mv: Move) -> usize {
    match (mv.promotion(), mv.kind()) {
        (Some(PieceKind::Queen), _) => 1,
        (Some(kind), _) => 1 + kind as usize,
        (None, MoveKind::EnPassant) => 5,
        (None, MoveKind::Castle) => 6 + usize::from(mv.to() > mv.from()),
        (None, _) => 0,
    }
}
