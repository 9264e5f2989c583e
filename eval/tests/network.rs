//! The network computes what plain arithmetic does, however it gets there: by vectors or one
//! number after the other, from the accumulators of any other position or from scratch.

use std::sync::Arc;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_eval::network::{AccumulatorStack, FEATURES, Network, NetworkBreakdown, Parameters};
use tamarin_eval::{Breakdown, EvalCache, Evaluator, Score, evaluate};
use tamarin_movegen::{Color, Position, Square};

use crate::support::{STARTS, walk, walk_from};

/// More positions to walk from: Chess960, promotions, captures en passant, kings in the middle.
const MORE_STARTS: [&str; 6] = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/3k4/2pp4/8/8/3PPP2/4K3/8 w - - 0 1",
    "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1",
];

/// Numbers of the size that training finds.
fn random_network(seed: u64, width: usize, buckets: usize, king_buckets: usize) -> Network {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut numbers = |count: usize, limit: i16| -> Vec<i16> {
        (0..count).map(|_| random.random_range(-limit..=limit)).collect()
    };
    let parameters = Parameters {
        description: "random".to_owned(),
        feature_weights: numbers(king_buckets * FEATURES * width, 60),
        feature_biases: numbers(width, 100),
        output_weights: numbers(buckets * 2 * width, 60),
        output_biases: (0..buckets).map(|bucket| 3_000 - 700 * bucket as i32).collect(),
    };
    Network::from_parameters(parameters).unwrap()
}

/// What the document says, written as it stands there, one number after the other.
fn by_the_document(parameters: &Parameters, position: &Position) -> i64 {
    let width = parameters.feature_biases.len();
    let us = position.side_to_move();
    let bucket = match parameters.output_biases.len() {
        1 => 0,
        _ => (position.occupied().len() as usize - 2) / 4,
    };
    let mut sum = 0;
    for (half, perspective) in [us, !us].into_iter().enumerate() {
        let king = position.king(perspective).index();
        let (king_file, king_rank) = (king % 8, king / 8);
        let king_rank = if perspective == Color::Black { 7 - king_rank } else { king_rank };
        let king_bucket = match (king_rank, king_file) {
            _ if parameters.feature_weights.len() == 768 * width => 0,
            (0, 0 | 1 | 6 | 7) => 0,
            (0, _) => 1,
            (1, _) => 2,
            _ => 3,
        };
        for neuron in 0..width {
            let mut value = i64::from(parameters.feature_biases[neuron]);
            for square in position.occupied() {
                let piece = position.piece_at(square).unwrap();
                let side = usize::from(piece.color() != perspective);
                let flipped =
                    if perspective == Color::Black { square.index() ^ 56 } else { square.index() };
                let seen = if king % 8 >= 4 { flipped ^ 7 } else { flipped };
                let feature = (side * 6 + piece.kind() as usize) * 64 + seen;
                let row = king_bucket * 768 + feature;
                value += i64::from(parameters.feature_weights[row * width + neuron]);
            }
            let value = value.clamp(0, 255);
            let weight = parameters.output_weights[(bucket * 2 + half) * width + neuron];
            sum += value * value * i64::from(weight);
        }
    }
    let output = sum / 255 + i64::from(parameters.output_biases[bucket]);
    output * 200 / (255 * 64)
}

#[test]
fn vectors_compute_what_the_document_says() {
    for (width, buckets, king_buckets) in [(32, 1, 1), (96, 8, 1), (256, 8, 1), (64, 8, 4)] {
        let network = random_network(width as u64, width, buckets, king_buckets);
        let parameters = network.parameters();
        let mut distinct = std::collections::HashSet::new();
        walk(4, |position| {
            let units = network.evaluate_from_scratch(position.board());
            assert_eq!(i64::from(units), by_the_document(&parameters, position), "{position}");
            distinct.insert(units);
        });
        assert!(distinct.len() > 100, "{}", distinct.len());
    }
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    for sign in [1, -1] {
        let mut parameters = random_network(1, 128, 1, 1).parameters();
        parameters.feature_weights.fill(992);
        parameters.feature_biases.fill(992);
        parameters.output_weights.fill(127 * sign);
        parameters.output_biases.fill((1 << 20) * i32::from(sign));
        let network = Network::from_parameters(parameters.clone()).unwrap();
        let position = Position::startpos();
        let units = network.evaluate_from_scratch(position.board());
        assert_eq!(i64::from(units), by_the_document(&parameters, &position));
        assert!(units * i32::from(sign) > 100_000);
    }
}

/// The score that the evaluator has to give.
fn expected(network: &Network, position: &Position) -> Score {
    let bare_king = Color::ALL.into_iter().any(|color| !position.color(color).several());
    if bare_king && Breakdown::new(position).is_known_endgame() {
        return evaluate(position, &mut EvalCache::new());
    }
    let limit = Score::KNOWN_WIN.units() - 1;
    Score::new(network.evaluate_from_scratch(position.board()).clamp(-limit, limit))
}

#[test]
fn accumulators_lead_from_any_position_to_any_other() {
    let networks = [(32, 8, 1), (64, 1, 1), (32, 8, 4)].map(|(width, buckets, king_buckets)| {
        Arc::new(random_network(5 + width as u64, width, buckets, king_buckets))
    });
    let starts = [&STARTS[..], &MORE_STARTS].concat();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(20);
    let mut evaluator = Evaluator::new();
    let mut compared = 0;
    for network in &networks {
        evaluator.set_network(AccumulatorStack::new(Arc::clone(network)));
        walk_from(&starts, 700, |position| {
            // Some nodes of a search are not evaluated; some others come from elsewhere.
            if random.random_bool(0.7) {
                let is_far = random.random_bool(0.1);
                let ply = if is_far { random.random_range(0..250) } else { position.plies() };
                let score = evaluator.evaluate(position, ply);
                assert_eq!(score, expected(network, position), "{position}");
                compared += 1;
            }
        });
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn a_piece_is_worth_what_the_score_loses_without_it() {
    let network = random_network(3, 64, 8, 1);
    let units = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        let units = network.evaluate_from_scratch(position.board());
        if position.side_to_move() == Color::White { units } else { -units }
    };
    for side in ["w", "b"] {
        let fen = |pieces: &str| format!("{pieces} {side} - - 0 1");
        let all = fen("4k3/3n4/8/8/8/8/4PR2/4K3");
        let position = Position::from_fen(&all).unwrap();
        let breakdown = NetworkBreakdown::new(&network, &position).unwrap();
        for (square, without) in [
            (Square::D7, "4k3/8/8/8/8/8/4PR2/4K3"),
            (Square::E2, "4k3/3n4/8/8/8/8/5R2/4K3"),
            (Square::F2, "4k3/3n4/8/8/8/8/4P3/4K3"),
        ] {
            let value = breakdown.piece(square).unwrap();
            assert_eq!(Some(value.piece), position.piece_at(square));
            assert_eq!(value.units, Some(units(&all) - units(&fen(without))), "{square} {side}");
        }
        assert_eq!(breakdown.piece(Square::E1).unwrap().units, None, "a king has no value");
        assert_eq!(breakdown.piece(Square::A1), None);
    }
}
