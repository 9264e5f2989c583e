//! The evaluator that learning begins with: values made from the rules alone.

use std::sync::Arc;

use tamarin_variant::{Color, Game, Piece};

use super::evaluator::Learned;
use super::layout::MOST_DISTANCE;
use super::visit::Shape;
use super::weights::Weight;
use crate::evaluate::{Base, Component, Evaluator, Scaled, Spec};

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
                    let row = terms.passed + distance * super::layout::RUNS;
                    weights[row..row + super::layout::RUNS].fill(Weight::both(bonus));
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
