//! The learned evaluator: weights of terms, made ready for a search.

use std::sync::Arc;

use tamarin_variant::{Color, Game, Occupant, Piece, Position, Square};

use super::layout::{Family, MOST_DISTANCE, Packed, RUNS, ScoreSum, Weight};
use super::visit::Shape;
use crate::evaluate::evaluator::{sum, sum_after};
use crate::evaluate::{Base, Component, Evaluator, Scaled, Spec};

const FLAGS: usize = 8;
/// A piece counts at most so much in the phase.
const MOST_PHASE: i32 = 400;

/// A piece on a square counts at most so much, and a flag of it so much, whatever a file says: 192
/// pieces with all flags fit 24 bits.
const MOST_PIECE: i32 = 27_000;
const MOST_FLAG: i32 = 2_000;

/// An evaluator whose weights were learned from games.
///
/// Scores are centipawns in the unit of the standard engine: 100 ahead score 62 % of the points
/// (`1 / (1 + exp(-0.005 * score))`).
#[derive(Debug)]
pub struct Learned {
    game: Arc<Game>,
    pub(crate) shape: Shape,
    pub(crate) weights: Vec<Weight>,
    /// How it was made, in one line.
    pub(crate) recipe: String,
    /// By slot of the piece times squares plus square: [`Packed`], for White.
    pieces: Vec<Packed>,
    /// By slot of the piece times 8 plus flag.
    flags: Vec<Packed>,
    /// By slot of the piece: one of them in hand.
    in_hand: Vec<i64>,
    /// The phase of the start position.
    full: i32,
}

impl Learned {
    pub(crate) fn new(
        game: &Arc<Game>,
        shape: Shape,
        weights: Vec<Weight>,
        recipe: String,
    ) -> Self {
        let squares = game.squares();
        let (mut pieces, mut flags, mut in_hand) = (Vec::new(), Vec::new(), Vec::new());
        for kind in 0..game.piece_count() as u8 {
            for color in Color::ALL {
                let piece = Piece { color, kind };
                for square in 0..squares as Square {
                    let mut sum = ScoreSum::new(&weights);
                    shape.visit_piece((piece, 0), square, &mut sum);
                    pieces.push(Packed::new(sum.sum.within(MOST_PIECE), phase(game, &shape, kind)));
                }
                let mut sum = ScoreSum::new(&weights);
                shape.visit_hand(piece, 1, &mut sum);
                let own = Packed::new(sum.sum.within(MOST_PIECE), phase(game, &shape, kind));
                in_hand.push(own.0);
                let first = shape.layout.kinds[usize::from(kind)].flags;
                let sign = if color == Color::White { 1 } else { -1 };
                flags.extend(
                    weights[first..first + FLAGS]
                        .iter()
                        .map(|weight| Packed::new(weight.times(sign).within(MOST_FLAG), 0)),
                );
            }
        }
        let mut learned = Self {
            game: Arc::clone(game),
            shape,
            weights,
            recipe,
            pieces,
            flags,
            in_hand,
            full: 1,
        };
        let start = learned.sum(&Position::start(game));
        learned.full = Packed(start).phase().max(1);
        learned
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// How it was made, in one line.
    pub fn recipe(&self) -> &str {
        &self.recipe
    }

    /// The same with another note of how it was made.
    pub(crate) fn with_recipe(&self, recipe: String) -> Self {
        Self::new(&self.game, self.shape.clone(), self.weights.clone(), recipe)
    }

    /// By kind: what a piece is worth in exchanges, in centipawns, at least 1; royal pieces have 0.
    pub fn piece_values(&self) -> Vec<i32> {
        (0..self.game.piece_count() as u8)
            .map(|kind| match self.game.is_royal(kind) {
                true => 0,
                false => self.value(kind).mean().max(1),
            })
            .collect()
    }

    /// What a piece of a kind is worth, without its square.
    pub fn value(&self, kind: u8) -> Weight {
        self.weights[self.shape.layout.kinds[usize::from(kind)].value]
    }

    /// What a piece on a square is worth to its owner, without its flags and all that depends on
    /// other pieces.
    pub fn on_square(&self, piece: Piece, square: Square) -> Weight {
        let index = piece.slot() * self.game.squares() + usize::from(square);
        let sign = if piece.color == Color::White { 1 } else { -1 };
        self.pieces[index].weight().times(sign)
    }

    #[inline]
    fn occupant(&self, occupant: Occupant, square: Square) -> i64 {
        let Some(piece) = occupant.piece else { return 0 };
        let mut value = self.pieces[piece.slot() * self.game.squares() + usize::from(square)].0;
        let mut flags = occupant.flags;
        while flags != 0 {
            value += self.flags[piece.slot() * FLAGS + flags.trailing_zeros() as usize].0;
            flags &= flags - 1;
        }
        value
    }

    /// What the pieces on their squares and in hand add up to, in a form of its own. Hundreds of
    /// pieces in hand with the greatest weights would not fit: the sum wraps around then.
    pub(crate) fn sum(&self, position: &Position) -> i64 {
        sum(position, |occupant, at| self.occupant(occupant, at), &self.in_hand)
    }

    /// The same after the last move, from what it was before it.
    #[inline]
    pub(crate) fn sum_after(&self, before: i64, position: &Position) -> i64 {
        sum_after(before, position, |occupant, at| self.occupant(occupant, at), &self.in_hand)
    }

    /// The phase of a position with that sum: from 0 without pieces to 1 with those of the start.
    pub(crate) fn phase(&self, sum: i64) -> f32 {
        Packed(sum).phase().min(self.full) as f32 / self.full as f32
    }

    fn tapered(&self, weight: Weight, phase: i32) -> i32 {
        let phase = i64::from(phase.min(self.full));
        let full = i64::from(self.full);
        let sum = i64::from(weight.middlegame) * phase + i64::from(weight.endgame) * (full - phase);
        (sum / full) as i32
    }

    /// The score for White of a position with that sum, in centipawns, by its pieces and squares
    /// alone.
    #[inline]
    pub(crate) fn rough_score(&self, sum: i64) -> i32 {
        self.tapered(Packed(sum).weight(), Packed(sum).phase())
    }

    /// The score for White of a position with that sum, in centipawns.
    pub(crate) fn score(&self, position: &Position, sum: i64) -> i32 {
        let mut terms = ScoreSum::new(&self.weights);
        self.shape.add_terms(position, &mut terms);
        let weight = terms.sum.plus(Packed(sum).weight());
        self.tapered(weight, Packed(sum).phase())
    }

    /// The score for White, in centipawns.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.score(position, self.sum(position))
    }

    /// What each family of terms counts for White and for Black in a position, in centipawns.
    /// Families that count nothing for either are left out.
    pub fn breakdown(&self, position: &Position) -> Vec<(Family, [i32; 2])> {
        let mut parts = Parts { learned: self, sums: Vec::new() };
        self.shape.visit_pieces(position, &mut parts);
        self.shape.visit(position, &mut parts);
        let phase = Packed(self.sum(position)).phase();
        let mut sums = parts.sums;
        sums.sort_by_key(|&(family, _)| family);
        let tapered = |sum: Weight| self.tapered(sum, phase);
        let rows = sums.into_iter().map(|(family, sums)| (family, sums.map(tapered)));
        rows.filter(|(_, sums)| *sums != [0, 0]).collect()
    }
}

/// How much a piece counts in the phase.
fn phase(game: &Game, shape: &Shape, kind: u8) -> i32 {
    if game.is_royal(kind) {
        return 0;
    }
    (shape.exchange[usize::from(kind)] / 10).clamp(1, MOST_PHASE)
}

/// Sums by family and side.
struct Parts<'a> {
    learned: &'a Learned,
    sums: Vec<(Family, [Weight; 2])>,
}

impl super::visit::Sink for Parts<'_> {
    fn add(&mut self, term: usize, color: Color, count: i32) {
        let blocks = &self.learned.shape.layout.blocks;
        let block = &blocks[blocks.partition_point(|block| block.first <= term) - 1];
        let at = match self.sums.iter().position(|(family, _)| *family == block.family) {
            Some(at) => at,
            None => {
                self.sums.push((block.family, [Weight::default(); 2]));
                self.sums.len() - 1
            }
        };
        let own = &mut self.sums[at].1[color.index()];
        *own = own.plus(self.learned.weights[term].times(count));
    }
}

/// Values by mobility are spread too widely: the power of the pawn's value that they are raised to.
const COMPRESSION: f64 = 0.6;
/// A square more to go to counts about so much, in centipawns.
const MOBILITY: i32 = 4;
const TEMPO: i32 = 10;
/// A step nearer to promotion of a passed piece.
const STEP: i32 = 12;

impl Learned {
    /// An evaluator that nothing was learned for yet: static mobility, compressed by a concave rule,
    /// with a little for mobility and for passed pieces.
    pub fn seed(game: &Arc<Game>) -> Self {
        let component = Component::Base(Base::Mobility);
        let spec = Spec { terms: vec![Scaled { up: 1, down: 1, component }] };
        let mobility = Evaluator::new(game, &spec);
        let kinds = 0..game.piece_count() as u8;
        let exchange: Vec<i32> = kinds
            .clone()
            .map(|kind| compressed(mobility.centipawns(mobility.values().mean_of_both(kind))))
            .collect();
        let shape = Shape::new(game, &exchange);
        let mut weights = vec![Weight::default(); shape.layout.len];
        for kind in kinds {
            let terms = &shape.layout.kinds[usize::from(kind)];
            if !game.is_royal(kind) {
                weights[terms.value] = Weight::both(exchange[usize::from(kind)]);
                weights[terms.hand] = weights[terms.value];
                for bucket in 0..terms.buckets {
                    let moves = (bucket * terms.most / (terms.buckets - 1)) as i32;
                    let more = moves - terms.most as i32 / 2;
                    weights[terms.mobility + bucket] = Weight::both(more * MOBILITY);
                }
            }
            let slot = Piece { kind, color: Color::White }.slot();
            if shape.geometry.runways[slot].is_some() {
                for distance in 0..MOST_DISTANCE {
                    let bonus = (MOST_DISTANCE - distance) as i32 * STEP;
                    let row = terms.passed + distance * RUNS;
                    weights[row..row + RUNS].fill(Weight::both(bonus));
                }
            }
        }
        weights[shape.layout.tempo] = Weight::both(TEMPO);
        Self::new(game, shape, weights, "nothing learned yet".to_owned())
    }
}

fn compressed(centipawns: i32) -> i32 {
    if centipawns <= 0 {
        return 0;
    }
    (100.0 * (f64::from(centipawns) / 100.0).powf(COMPRESSION)).round() as i32
}
