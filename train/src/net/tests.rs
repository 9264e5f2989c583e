use std::fs;
use std::path::PathBuf;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_eval::network::{Network, Orientation, bucket, features};
use tamarin_movegen::{Bitboard, Board, Color, PieceKind, Position, Setup};

use super::error::NetError;
use super::measure::{error, quantized_scores, scores, target};
use super::method::{Method, Scores};
use super::model::Shape;
use super::parts::{Dealer, Parts};
use super::pass::{POSITIONS, Pass, activation, add_activated, derivative};
use super::positions::{Batch, Positions};
use super::record::Record;
use super::training::{State, Training};
use super::values::{LANES, Values, add};
use crate::data::Outcome;

const METHOD: Method = Method {
    width: None,
    buckets: None,
    king_buckets: None,
    scores: Scores::Search,
    random_plies: 0,
    epochs: 4,
    batch: 2_500,
    rate: 0.01,
    final_rate: 0.001,
    warm_up: 0.1,
    mean_of: 1,
    lambda: 0.3,
    decay: 0.01,
    seed: 1,
};

/// White's material less Black's, in units: 100 a pawn.
fn material(board: &Board) -> i16 {
    let of = |color| {
        let values = [(PieceKind::Pawn, 100), (PieceKind::Knight, 300), (PieceKind::Bishop, 300)];
        let values = values.into_iter().chain([(PieceKind::Rook, 500), (PieceKind::Queen, 900)]);
        values.map(|(kind, value)| value * board.of(color, kind).len() as i16).sum::<i16>()
    };
    of(Color::White) - of(Color::Black)
}

/// Positions not in check a few random moves after a start position that lacks pieces on both
/// sides. Their score is their material, and the side with more of it has won.
fn positions(count: usize) -> Vec<(Position, Record)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut list = Vec::new();
    while list.len() < count {
        let mut setup = Setup::empty();
        for square in Bitboard::ALL {
            let piece = Position::startpos().piece_at(square);
            let is_king = piece.is_some_and(|piece| piece.kind() == PieceKind::King);
            setup.pieces[square] = piece.filter(|_| is_king || random.random_bool(0.6));
        }
        let Ok(mut position) = Position::from_setup(&setup) else { continue };
        for _ in 0..random.random_range(0..12) {
            let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
            position.make(mv);
        }
        if !position.in_check() {
            let score = material(position.board());
            let outcome = match score {
                ..0 => Outcome::BlackWin,
                0 => Outcome::Draw,
                1.. => Outcome::WhiteWin,
            };
            list.push((position.clone(), Record::new(&position, score, Some(outcome))));
        }
    }
    list
}

fn records(count: usize) -> Vec<Record> {
    positions(count).into_iter().map(|(_, record)| record).collect()
}

/// The squared error of a position, in double precision and as simple as it can be.
fn plain_error(shape: Shape, values: &[f64], position: &Position, target: f64) -> f64 {
    let Shape { width, buckets, king_buckets } = shape;
    let biases = 768 * king_buckets * width;
    let bucket = bucket(position.occupied().len() as usize, buckets);
    let us = position.side_to_move();
    let mut output = values[biases + width + 2 * buckets * width + bucket];
    for (side, color) in [us, !us].into_iter().enumerate() {
        let king = position.king(color);
        let king_bucket = Orientation::new(color, king).king_bucket(king, king_buckets);
        for neuron in 0..width {
            let row = |feature| values[(768 * king_bucket + feature) * width + neuron];
            let sum = features(position.board(), color).map(row).sum::<f64>();
            let activation = (sum + values[biases + neuron]).clamp(0.0, 1.0).powi(2);
            output += activation * values[biases + width + (2 * bucket + side) * width + neuron];
        }
    }
    (1.0 / (1.0 + (-output).exp()) - target).powi(2)
}

/// Parameters, or a gradient, in the order of the layers: `[row][neuron]`, then the output biases.
fn in_rows(shape: Shape, values: &[f32]) -> Vec<f32> {
    [&*shape.to_rows(values), &values[shape.output_biases()]].concat()
}

/// The output of the network for a position, and its gradient times `slope` added to `gradient`:
/// whole rows at once, without tiles. Both lists are in the order of [`in_rows`]. Only the output
/// is a sum whose order depends on tiles: of both sides of a tile, then of the next one.
fn plain_pass(
    shape: Shape,
    values: &[f32],
    record: &Record,
    slope: f32,
    gradient: &mut [f32],
) -> f32 {
    let Shape { width, buckets, king_buckets } = shape;
    let position = record.position().unwrap();
    let bucket = bucket(record.piece_count(), buckets);
    let row = |row: usize| row * width..(row + 1) * width;
    let biases = 768 * king_buckets;
    // In the order of the squares, as a pass takes them.
    let features = [Color::White, Color::Black].map(|color| {
        let orientation = Orientation::new(color, position.king(color));
        let first = 768 * orientation.king_bucket(position.king(color), king_buckets);
        let feature = move |(of, kind, square)| first + orientation.feature(of, kind, square);
        record.pieces().map(feature).collect::<Vec<_>>()
    });
    let accumulators = [0, 1].map(|side| {
        let mut sums = values[row(biases)].to_vec();
        features[side].iter().for_each(|&feature| add(&mut sums, &values[row(feature)]));
        sums
    });
    let mut lanes = [0.0; LANES];
    for at in (0..width).step_by(shape.tile_width()) {
        for (side, sums) in accumulators.iter().enumerate() {
            let tile = at..at + shape.tile_width();
            let weights = &values[row(biases + 1 + 2 * bucket + side)];
            add_activated(&mut lanes, &sums[tile.clone()], &weights[tile]);
        }
    }
    for (side, sums) in accumulators.iter().enumerate() {
        let weights = row(biases + 1 + 2 * bucket + side);
        let activations: Vec<_> = sums.iter().map(|&sum| slope * activation(sum)).collect();
        add(&mut gradient[weights.clone()], &activations);
        let changes = sums.iter().zip(&values[weights]);
        let changes: Vec<_> =
            changes.map(|(&sum, weight)| slope * weight * derivative(sum)).collect();
        add(&mut gradient[row(biases)], &changes);
        features[side].iter().for_each(|&feature| add(&mut gradient[row(feature)], &changes));
    }
    let bias = (biases + 1 + 2 * buckets) * width + bucket;
    gradient[bias] += slope;
    lanes.iter().sum::<f32>() + values[bias]
}

#[test]
fn tiles_change_no_bit_of_outputs_and_gradients() {
    let records = records(POSITIONS + 40);
    for (width, buckets, king_buckets) in
        [(32, 1, 1), (64, 8, 1), (96, 8, 1), (256, 8, 1), (64, 8, 4)]
    {
        let shape = Shape::new(width, buckets, king_buckets).unwrap();
        let mut values = shape.unfold(&shape.random(9));
        values
            .iter_mut()
            .enumerate()
            .for_each(|(index, value)| *value += index as f32 % 7.0 * 1e-3);
        let (plain_values, mut plain) = (in_rows(shape, &values), vec![0.0; shape.length()]);
        let (mut pass, mut gradient) = (Pass::new(shape), Values::zeros(shape.length()));
        let mut outputs = Vec::new();
        let slope = |index: usize| (index as f32).sin();
        let slopes: Vec<_> = (0..records.len()).map(slope).collect();
        for (records, slopes) in records.chunks(POSITIONS).zip(slopes.chunks(POSITIONS)) {
            outputs.extend_from_slice(pass.forward(&values, records));
            pass.backward(&values, slopes, &mut gradient);
        }
        for ((record, &slope), output) in records.iter().zip(&slopes).zip(&outputs) {
            let wanted = plain_pass(shape, &plain_values, record, slope, &mut plain);
            assert_eq!(output.to_bits(), wanted.to_bits(), "{width} {buckets}");
        }
        let bits = |list: &[f32]| list.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert!(bits(&in_rows(shape, &gradient)) == bits(&plain), "{width} {buckets}");
        let learned = plain.iter().filter(|&&value| value != 0.0).count();
        assert!(learned > plain.len() / (8 * king_buckets), "{learned} of {}", plain.len());
    }
}

#[test]
fn gradients_are_what_finite_differences_say() {
    let shape = Shape::new(32, 8, 1).unwrap();
    let values = shape.random(7);
    let mut pass = Pass::new(shape);
    let mut plain: Vec<f64> = in_rows(shape, &values).into_iter().map(f64::from).collect();
    // Of several buckets, with either side to move.
    for (position, record) in positions(400).iter().step_by(57) {
        let aim = target(record, 0.3);
        let guess = 1.0 / (1.0 + (-pass.forward(&values, &[*record])[0]).exp());
        let expected = plain_error(shape, &plain, position, aim.into());
        assert!((f64::from((guess - aim).powi(2)) - expected).abs() < 1e-6, "{position}");

        let mut gradient = Values::zeros(shape.length());
        let slope = 2.0 * (guess - aim) * guess * (1.0 - guess);
        pass.backward(&values, &[slope], &mut gradient);
        let gradient = in_rows(shape, &gradient);
        // The last feature weights, all biases, all output weights; and some of the others.
        for index in (0..760 * 32).step_by(61).chain(760 * 32..shape.length()) {
            let mut at = |change: f64| {
                let before = plain[index];
                plain[index] = before + change;
                let error = plain_error(shape, &plain, position, aim.into());
                plain[index] = before;
                error
            };
            let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
            let found = f64::from(gradient[index]);
            let limit = 1e-6 + 1e-3 * difference.abs();
            assert!((found - difference).abs() < limit, "{index}: {found} {difference}");
        }
    }
}

/// Errors on positions that a training has not seen.
#[derive(Debug)]
struct Errors {
    before: f64,
    after: f64,
    /// Those of a network that calls every position equal.
    balanced: f64,
}

/// Trains a network on the first 5,000 positions for `epochs`; the others are the measure.
fn train(shape: Shape, epochs: usize, all: &[Record]) -> (State, Errors) {
    let (training, validation) = all.split_at(5_000);
    let training = Positions::Memory(training.to_vec());
    let method = Method { epochs, batch: 100, ..METHOD };
    let mut run = Training::new(&training, shape, method, 2, State::new(shape.random(1)));
    let of_values =
        |values: &[f32]| error(validation, &scores(shape, values, validation, 2), method.lambda);
    let before = of_values(run.values());
    while run.state().epochs() < method.epochs {
        run.run_epoch(of_values, |_| ()).unwrap();
    }
    let after = of_values(run.values());
    assert_eq!(*run.values(), shape.unfold(&run.state().values));
    let balanced = error(validation, &vec![0.0; validation.len()], method.lambda);
    (run.state().clone(), Errors { before, after, balanced })
}

/// The scores of two positions.
fn scores_of(network: &Network, fens: [&str; 2]) -> [i32; 2] {
    fens.map(|fen| network.evaluate_from_scratch(Position::from_fen(fen).unwrap().board()))
}

#[test]
fn a_small_network_learns_material() {
    let shape = Shape::new(32, 1, 1).unwrap();
    let (state, errors) = train(shape, 10, &records(6_000));
    let balanced = errors.balanced;
    assert!(errors.after < errors.before / 4.0 && errors.after < balanced / 4.0, "{errors:?}");
    let network = shape.quantized(&state.values, String::new()).unwrap();
    let [up, down] = scores_of(
        &network,
        [
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        ],
    );
    assert!(up > 300 && down < -300, "{up} {down}");
}

#[test]
fn the_quantized_network_is_the_real_one_with_rounded_parameters() {
    for (width, buckets) in [(32, 8), (128, 1)] {
        let shape = Shape::new(width, buckets, 1).unwrap();
        let mut values = shape.random(5);
        // As large as any parameter may get; on both sides, so that scores stay moderate.
        let mut rows = shape.to_rows(&values);
        // Of the size that training gives them.
        rows[..768 * width].iter_mut().for_each(|weight| *weight *= 3.5);
        rows[17] = 1.98;
        rows[768 * width] = -1.98;
        rows[769 * width + 3] = 1.98;
        values = shape.with_rows(&rows, &values[shape.output_biases()]);
        let network = shape.quantized(&values, String::new()).unwrap();
        let (same, rounded) = Shape::of_network(&network);
        assert_eq!(same, shape);
        assert_eq!(shape.quantized(&rounded, String::new()), Ok(network.clone()));
        let layers = [768 * width + width, 2 * buckets * width, buckets];
        let steps = [255.0, 64.0, 255.0 * 64.0];
        let steps = layers.into_iter().zip(steps).flat_map(|(count, step)| vec![step; count]);
        for (step, (value, rounded)) in
            steps.zip(in_rows(shape, &values).iter().zip(in_rows(shape, &rounded)))
        {
            assert!((value - rounded).abs() <= 0.5001 / step, "{value} {rounded}");
        }
        // Integers are cut off twice: of the sum, 200 / (255 * 64) units at most, then a unit.
        let records = records(500);
        let real = scores(shape, &rounded, &records, 1);
        let integer = quantized_scores(&network, &records, 1);
        let distance = real.iter().zip(&integer).map(|(real, integer)| (real - integer).abs());
        let worst = distance.fold(0.0, f32::max);
        assert!(worst > 0.1 && worst < 1.02, "{worst}");
        assert!(integer.iter().any(|score| score.abs() > 30.0));
    }
}

/// A shape with king buckets, and trained parameters of it in which no two buckets are alike.
fn with_king_buckets() -> (Shape, Values) {
    let shape = Shape::new(32, 8, 4).unwrap();
    let mut trained = shape.random(7);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    trained.iter_mut().for_each(|value| *value += random.random_range(-0.02..0.02));
    (shape, trained)
}

#[test]
fn what_king_buckets_share_is_unfolded_and_folded() {
    let (shape, trained) = with_king_buckets();
    let values = shape.unfold(&trained);
    // Behind the parameters lies what the buckets share, in one tile here: the width is 32.
    let shared = &trained[shape.length()..];
    assert_eq!(shared.len(), 768 * 32);
    for (index, value) in values.iter().enumerate() {
        let more = if index < 4 * 768 * 32 { shared[index % (768 * 32)] } else { 0.0 };
        assert_eq!(*value, trained[index] + more, "{index}");
    }
    let again = shape.unfold(&shape.fold(values.clone()));
    assert!(again.iter().zip(&*values).all(|(left, right)| (left - right).abs() < 1e-6));
    // Without king buckets nothing is shared.
    let plain = Shape::new(32, 8, 1).unwrap();
    assert_eq!(plain.unfold(&plain.random(3)), plain.random(3));
    assert_eq!(plain.fold(plain.random(3)), plain.random(3));
    // With buckets that are alike it is the same network.
    let (_, alike) = plain.with_king_buckets(&plain.random(3), 4);
    assert_eq!(alike, shape.unfold(&shape.random(3)));
    let records = records(300);
    assert_eq!(
        scores(shape, &alike, &records, 1),
        scores(plain, &plain.random(3), &records, 1).as_slice()
    );
    // And the real network is the one of integers, which knows of no shared weights.
    let network = shape.quantized(&values, String::new()).unwrap();
    assert_eq!(network.king_buckets(), 4);
    let (same, rounded) = Shape::of_network(&network);
    assert_eq!(same, shape);
    let real = scores(shape, &rounded, &records, 2);
    let integer = quantized_scores(&network, &records, 2);
    assert!(real.iter().zip(&integer).all(|(real, integer)| (real - integer).abs() < 1.02));
    assert_ne!(real, scores(shape, &alike, &records, 2));
}

#[test]
fn gradients_of_shared_weights_are_what_finite_differences_say() {
    let (shape, trained) = with_king_buckets();
    let values = shape.unfold(&trained);
    let mut all = positions(500);
    // With kings of both sides all over the board.
    all.extend(["8/2k5/8/3pp3/8/2P1K3/8/8 w - - 0 1", "8/8/2k5/8/4P3/8/3K4/8 b - - 0 1"].map(
        |fen| {
            let position = Position::from_fen(fen).unwrap();
            let record = Record::new(&position, 50, Some(Outcome::Draw));
            (position, record)
        },
    ));
    let mut pass = Pass::new(shape);
    for (position, record) in all.iter().rev().step_by(83) {
        let aim = target(record, 0.3);
        let guess = 1.0 / (1.0 + (-pass.forward(&values, &[*record])[0]).exp());
        let mut gradient = Values::zeros(shape.length());
        let mut shared = vec![0.0; 768 * 32];
        pass.backward(&values, &[2.0 * (guess - aim) * guess * (1.0 - guess)], &mut gradient);
        shape.share_gradient(&mut gradient, &mut shared);
        let found = [&*gradient, &*shared].concat();
        let error_at = |index: usize, change: f64| {
            // In double precision, but for the unfolding: a tile is the whole width.
            let mut wide: Vec<f64> = trained.iter().map(|&value| value.into()).collect();
            wide[index] += change;
            let (own, shared) = wide.split_at(shape.length());
            let mut own = own.to_vec();
            for (place, own) in own.iter_mut().take(4 * 768 * 32).enumerate() {
                *own += shared[place % (768 * 32)];
            }
            plain_error(shape, &own, position, aim.into())
        };
        let checked = (0..found.len()).filter(|&index| found[index] != 0.0).step_by(7);
        // Each with what is shared in its place.
        let behind = |index: usize| shape.length() + index % (768 * 32);
        let checked = checked.filter(|&index| index < 4 * 768 * 32);
        let checked: Vec<_> = checked.flat_map(|index| [index, behind(index)]).collect();
        assert!(checked.len() > 30, "{}", checked.len());
        for index in checked.into_iter().chain((0..found.len()).step_by(5_003)) {
            let difference = (error_at(index, 1e-6) - error_at(index, -1e-6)) / 2e-6;
            let limit = 1e-6 + 1e-3 * difference.abs();
            assert!((f64::from(found[index]) - difference).abs() < limit, "{index}: {difference}");
        }
    }
}

#[test]
fn what_is_common_to_all_king_buckets_is_learned_once() {
    let shape = Shape::new(32, 1, 4).unwrap();
    // No king has left the first two ranks.
    let at_home = |record: &Record| {
        let mut pieces = record.pieces();
        pieces.all(|(color, kind, square)| {
            let relative = square.relative_to(color);
            kind != PieceKind::King || (relative.index() < 16)
        })
    };
    let all: Vec<_> = records(6_500).into_iter().filter(at_home).collect();
    let (state, errors) = train(shape, 6, &all);
    assert!(errors.after < errors.before / 4.0, "{errors:?}");
    // What a queen is worth to kings in the middle of the board is known from the others.
    let network = shape.quantized(&shape.unfold(&state.values), String::new()).unwrap();
    let [up, down] = scores_of(
        &network,
        [
            "rnb2bnr/pppppppp/8/3k4/8/3K4/PPPPPPPP/RNBQ1BNR w - - 0 1",
            "rnb2bnr/pppppppp/8/3k4/8/3K4/PPPPPPPP/RNBQ1BNR b - - 0 1",
        ],
    );
    assert!(up - down > 200, "{up} {down}");
}

#[test]
fn neither_interruptions_nor_threads_change_a_training() {
    for king_buckets in [1, 4] {
        neither_changes_a_training_of(Shape::new(32, 8, king_buckets).unwrap());
    }
}

fn neither_changes_a_training_of(shape: Shape) {
    let positions = Positions::Memory(records(4_000));
    let run = |threads, epochs, state| {
        let mut training = Training::new(&positions, shape, METHOD, threads, state);
        while training.state().epochs() < epochs {
            training.run_epoch(|values| f64::from(values[0]), |_| ()).unwrap();
        }
        training.state().clone()
    };
    let start = || State::new(shape.random(1));
    let whole = run(1, METHOD.epochs, start());
    assert_eq!(run(3, METHOD.epochs, start()), whole);
    let half = serde_json::to_string(&run(2, 2, start())).unwrap();
    assert_eq!(run(2, METHOD.epochs, serde_json::from_str(&half).unwrap()), whole);
    assert_ne!(run(1, 3, start()), whole);
}

#[test]
fn a_state_of_another_size_does_not_fit() {
    let shape = Shape::new(32, 1, 1).unwrap();
    let state = State::new(shape.random(1));
    assert!(state.fits(shape));
    assert!(!state.fits(Shape::new(64, 1, 1).unwrap()));
    assert!(!state.fits(Shape::new(32, 8, 1).unwrap()));
}

/// A name beside which parts lie until the end of a test.
struct PartsName(PathBuf);

impl PartsName {
    fn new(name: &str) -> Self {
        let name = format!("tamarin-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn deal(&self, records: &[Record], count: usize) -> Parts {
        let mut dealer = Dealer::new(&self.0, count, 5).unwrap();
        records.chunks(100).for_each(|records| dealer.deal(records).unwrap());
        dealer.finish().unwrap()
    }
}

impl Drop for PartsName {
    fn drop(&mut self) {
        for number in 0..16 {
            let _ = fs::remove_file(format!("{}.positions.{number}", self.0.display()));
        }
    }
}

/// The numbers of positions, each of which has its number for a score, in the order of an epoch, and
/// the sizes of the batches.
fn order(positions: &Positions, seed: u64, size: usize) -> (Vec<i16>, Vec<usize>) {
    let (mut order, mut sizes) = (Vec::new(), Vec::new());
    let visit = |batch: Batch<'_>| {
        let score = |&index: &u32| batch.records[index as usize].score;
        order.extend(batch.order.iter().map(score));
        sizes.push(batch.order.len());
    };
    positions.for_each_batch(seed, size, visit).unwrap();
    (order, sizes)
}

#[test]
fn an_epoch_shows_every_position_once_in_memory_and_on_disk() {
    let one = records(1)[0];
    let numbered = (0..5_000).map(|score| {
        let mut record = one;
        record.score = score;
        record
    });
    let numbered: Vec<_> = numbered.collect();
    let name = PartsName::new("order");
    let memory = Positions::Memory(numbered.clone());
    for (positions, parts) in [(memory, 0), (Positions::Disk(name.deal(&numbered, 7)), 7)] {
        let (first, sizes) = order(&positions, 1, 300);
        let mut sorted = first.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..5_000), "{parts}");
        assert_eq!(sizes, [vec![300; 16], vec![200]].concat(), "{parts}");
        assert_eq!(order(&positions, 1, 300).0, first, "{parts}");
        assert_ne!(order(&positions, 2, 300).0, first, "{parts}");
        // Of numbers in random order one of two is above the one before, and any batch has numbers
        // from all over.
        let rises = first.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((2_350..2_650).contains(&rises), "{rises}");
        for batch in first.chunks(300) {
            let mean =
                batch.iter().map(|&number| f64::from(number)).sum::<f64>() / batch.len() as f64;
            assert!((2_000.0..3_000.0).contains(&mean), "{mean}");
        }
    }
}

#[test]
fn parts_are_read_again_later_and_noticed_if_damaged() {
    let records = records(400);
    let name = PartsName::new("damage");
    let parts = name.deal(&records, 3);
    assert_eq!((parts.count(), parts.positions()), (3, 400));
    let state = serde_json::to_string(&parts.state()).unwrap();
    let again = Parts::new(&name.0, serde_json::from_str(&state).unwrap());
    assert_eq!(again, parts);
    let read = |number| {
        let mut list = Vec::new();
        again.read(number, &mut list).map(|()| list)
    };
    let mut all = [0, 1, 2].map(|number| read(number).unwrap()).concat();
    let mut wanted = records;
    for list in [&mut all, &mut wanted] {
        list.sort_by_key(Record::pack);
    }
    assert!(all == wanted);
    let path = format!("{}.positions.1", name.0.display());
    let bytes = fs::read(&path).unwrap();
    for damage in [0, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[damage] ^= 1;
        fs::write(&path, changed).unwrap();
        assert!(matches!(read(1), Err(NetError::DamagedPart(at)) if at.to_str() == Some(&path)));
    }
    for cut in [bytes[..bytes.len() - 1].to_vec(), [&bytes[..], &[0; 27]].concat()] {
        fs::write(&path, cut).unwrap();
        assert!(matches!(read(1), Err(NetError::DamagedPart(_))));
    }
    fs::remove_file(&path).unwrap();
    assert!(read(1).unwrap_err().to_string().contains("positions.1"));
    assert!(read(0).is_ok());
}
