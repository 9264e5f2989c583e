//! The parts of a training: records, positions, passes, gradients, shapes, files of positions.

use std::fs;

use clap::Parser;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_eval::network::{Orientation, UNITS_PER_LOGIT, bucket, features};
use tamarin_eval::{EvalCache, evaluate};
use tamarin_movegen::{Bitboard, PieceKind, Position, Setup};
use tamarin_train::data::{Filter, Game, GameResult, Ply};
use tamarin_train::net::load::{Source, Summary, Validation, mean_score};
use tamarin_train::net::model::{Shape, Values};
use tamarin_train::net::pass::{Pass, error, quantized_scores, scores, target};
use tamarin_train::net::positions::{Batch, Dealer, Parts, Positions};
use tamarin_train::net::record::{Record, code_of, piece_of};
use tamarin_train::net::training::{Method, Scores, State, Training};

use crate::support::{encoded, folder, material, numbered_games};

const METHOD: Method = Method {
    width: None,
    buckets: None,
    king_buckets: None,
    scores: Scores::Search,
    random_plies: 0,
    epochs: 4,
    batch: 2_500,
    rate: 0.01,
    tail: 0.0,
    final_rate: 0.001,
    warm_up: 0.1,
    mean_of: 1,
    lambda: 0.3,
    decay: 0.01,
    seed: 1,
};

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
                ..0 => GameResult::BlackWin,
                0 => GameResult::Draw,
                1.. => GameResult::WhiteWin,
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

#[test]
fn gradients_are_finite_differences_whatever_tiles_and_buckets() {
    for (width, buckets, king_buckets) in [(32, 8, 1), (64, 1, 1), (96, 8, 4)] {
        let shape = Shape::new(width, buckets, king_buckets).unwrap();
        let values = shape.unfold(&shape.random(7));
        let mut pass = Pass::new(shape);
        let mut plain: Vec<f64> = in_rows(shape, &values).into_iter().map(f64::from).collect();
        let positions = positions(400);
        let together = scores(shape, &values, &records(400), 1);
        // Of several buckets, with either side to move.
        for (number, (position, record)) in positions.iter().enumerate().step_by(199) {
            let aim = target(record, 0.3);
            let output = pass.forward(&values, &[*record])[0];
            assert_eq!(UNITS_PER_LOGIT as f32 * output, together[number]);
            let guess = 1.0 / (1.0 + (-output).exp());
            let expected = plain_error(shape, &plain, position, aim.into());
            assert!((f64::from((guess - aim).powi(2)) - expected).abs() < 1e-6, "{position}");

            let mut gradient = Values::zeros(shape.length());
            pass.backward(&values, &[2.0 * (guess - aim) * guess * (1.0 - guess)], &mut gradient);
            let gradient = in_rows(shape, &gradient);
            // The last feature weights, biases and output weights; and some of the others.
            let others = 760 * king_buckets * width;
            for index in (0..others).step_by(97).chain((others..shape.length()).step_by(5)) {
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
}

#[test]
fn small_network_learns_material() {
    let shape = Shape::new(32, 1, 1).unwrap();
    let all = records(6_000);
    let (training, validation) = all.split_at(5_000);
    let training = Positions::Memory(training.to_vec());
    let method = Method { epochs: 10, batch: 100, ..METHOD };
    let mut run = Training::new(&training, shape, method, 2, State::new(shape.random(1)));
    let of_scores = |scores: &[f32]| error(validation, scores, method.lambda);
    let of_values = |values: &[f32]| of_scores(&scores(shape, values, validation, 2));
    let before = of_values(&run.values());
    while run.state.epochs() < method.epochs {
        run.run_epoch(of_values, |_| ()).unwrap();
    }
    let (after, balanced) = (of_values(&run.values()), of_scores(&vec![0.0; validation.len()]));
    assert!(after < before / 4.0 && after < balanced / 4.0, "{before} {after} {balanced}");
    let network = shape.quantized(&run.state.values, String::new()).unwrap();
    let [up, down] = ["w", "b"].map(|side| {
        let fen = format!("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {side} KQkq - 0 1");
        network.evaluate_from_scratch(Position::from_fen(&fen).unwrap().board())
    });
    assert!(up > 300 && down < -300, "{up} {down}");
}

#[test]
fn network_is_the_mean_of_the_parameters_of_the_tail() {
    for king_buckets in [1, 4] {
        let shape = Shape::new(32, 1, king_buckets).unwrap();
        let training = Positions::Memory(records(200));
        let method = Method { epochs: 4, batch: 200, tail: 0.5, ..METHOD };
        let mut run = Training::new(&training, shape, method, 1, State::new(shape.random(1)));
        let steps = [(); 4].map(|()| {
            run.run_epoch(|_| 0.0, |_| ()).unwrap();
            run.state.values.clone()
        });
        let mean: Vec<f32> = steps[2]
            .iter()
            .zip(&*steps[3])
            .map(|(one, other)| f32::midpoint(*one, *other))
            .collect();
        let (found, wanted) = (run.values(), shape.unfold(&mean));
        assert_ne!(*found, *shape.unfold(&steps[3]));
        let close = |(found, wanted): (&f32, &f32)| (found - wanted).abs() < 1e-6;
        assert!(found.iter().zip(&*wanted).all(close));
    }
}

#[test]
fn quantized_network_has_rounded_parameters() {
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
fn shared_weights_are_unfolded_and_folded() {
    let (shape, trained) = with_king_buckets();
    let values = shape.unfold(&trained);
    // Behind the parameters lies what the buckets share, in one tile here: the width is 32.
    let shared = &trained[shape.length()..];
    assert_eq!(shared.len(), 768 * 32);
    for (index, value) in values.iter().enumerate() {
        let more = if index < 4 * 768 * 32 { shared[index % (768 * 32)] } else { 0.0 };
        assert_eq!(*value, trained[index] + more, "{index}");
    }
    // The slope of what is shared is the sum of those of all buckets.
    let (mut gradient, mut sums) = (values.clone(), vec![0.0; 768 * 32]);
    shape.share_gradient(&mut gradient, &mut sums);
    for (index, sum) in sums.iter().enumerate() {
        let wanted: f32 = (0..4).map(|bucket| values[bucket * 768 * 32 + index]).sum();
        assert_eq!(*sum, wanted, "{index}");
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
fn interruptions_and_threads_change_no_training() {
    for king_buckets in [1, 4] {
        neither_changes_a_training_of(Shape::new(32, 8, king_buckets).unwrap());
    }
}

fn neither_changes_a_training_of(shape: Shape) {
    let positions = Positions::Memory(records(4_000));
    let run = |threads, epochs, state| {
        let mut training = Training::new(&positions, shape, METHOD, threads, state);
        while training.state.epochs() < epochs {
            training.run_epoch(|values| f64::from(values[0]), |_| ()).unwrap();
        }
        training.state.clone()
    };
    let start = || State::new(shape.random(1));
    let whole = run(1, METHOD.epochs, start());
    assert_eq!(run(3, METHOD.epochs, start()), whole);
    let half = serde_json::to_string(&run(2, 2, start())).unwrap();
    assert_eq!(run(2, METHOD.epochs, serde_json::from_str(&half).unwrap()), whole);
    assert_ne!(run(1, 3, start()), whole);
}

/// Deals positions out to files beside this name.
fn deal(out: &std::path::Path, records: &[Record], count: usize) -> Parts {
    let mut dealer = Dealer::new(out, count, 5).unwrap();
    records.chunks(100).for_each(|records| dealer.deal(records).unwrap());
    dealer.finish().unwrap()
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
fn epoch_shows_every_position_once_in_memory_and_on_disk() {
    let one = records(1)[0];
    let numbered = (0..5_000).map(|score| {
        let mut record = one;
        record.score = score;
        record
    });
    let numbered: Vec<_> = numbered.collect();
    let name = folder("net-order").join("out");
    let memory = Positions::Memory(numbered.clone());
    for (positions, parts) in [(memory, 0), (Positions::Disk(deal(&name, &numbered, 7)), 7)] {
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
fn parts_are_read_again_unless_damaged() {
    let records = records(400);
    let name = folder("net-damage").join("out");
    let parts = deal(&name, &records, 3);
    assert_eq!((parts.count(), parts.positions()), (3, 400));
    let state = serde_json::to_string(&parts.contents).unwrap();
    let again = Parts { out: name.clone(), contents: serde_json::from_str(&state).unwrap() };
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
    let path = format!("{}.positions.1", name.display());
    let is_damaged = || read(1).unwrap_err().to_string().contains("out.positions.1 is damaged");
    let bytes = fs::read(&path).unwrap();
    for damage in [0, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[damage] ^= 1;
        fs::write(&path, changed).unwrap();
        assert!(is_damaged());
    }
    for cut in [bytes[..bytes.len() - 1].to_vec(), [&bytes[..], &[0; 27]].concat()] {
        fs::write(&path, cut).unwrap();
        assert!(is_damaged());
    }
    fs::remove_file(&path).unwrap();
    assert!(read(1).unwrap_err().to_string().contains("positions.1"));
    assert!(read(0).is_ok());
}

const GAMES: i16 = 80;

/// All that [`Source::load`] gives of these games.
fn load(name: &str, games: &[Game], method: &Method, most: usize) -> (Vec<Record>, Validation) {
    let path = folder(name).join("games.viri");
    fs::write(&path, encoded(games)).unwrap();
    let source = Source { files: &[path], filter: &Filter::USUAL, method, threads: 3 };
    let mut training = Vec::new();
    let take = |mut records| {
        training.append(&mut records);
        Ok(())
    };
    let (validation, Summary { training: count, .. }) = source.load(most, take).unwrap();
    assert_eq!(count, training.len());
    (training, validation)
}

#[test]
fn positions_have_the_scores_and_results_of_their_games() {
    let (training, validation) = load("net-search", &numbered_games(GAMES), &METHOD, usize::MAX);
    let numbers = |records: &[Record]| {
        let mut numbers: Vec<_> = records.iter().map(|record| record.score.abs()).collect();
        numbers.dedup();
        numbers
    };
    let mut all = [numbers(&training), numbers(&validation.records)].concat();
    assert!((1..=8).contains(&numbers(&validation.records).len()));
    all.sort_unstable();
    assert_eq!(all, (1..=GAMES).collect::<Vec<_>>());
    // Both sides are to move, and White has won: a score above zero is White's.
    let right = |record: &Record| (record.score > 0) == (record.points() == Some(1.0));
    assert!(training.iter().all(right) && training.iter().any(|record| record.score < 0));
}

#[test]
fn means_are_of_the_next_scores_of_the_game() {
    let mut games = numbered_games(GAMES);
    for game in &mut games {
        let scores = (-300..).step_by(7).chain([i16::MAX; 2]);
        game.plies.iter_mut().zip(scores).for_each(|(ply, score)| ply.score = score);
        // A mate in the end.
        game.plies.last_mut().unwrap().score = 29_000;
    }
    let loaded = |mean_of| load("net-means", &games, &Method { mean_of, ..METHOD }, usize::MAX);
    let [own, four] = [1, 4].map(loaded);
    assert_eq!(own.1.records, four.1.records);
    assert_eq!(own.0.len(), four.0.len());
    // Three steps of 7 on average 10.5 more for White, or as much less for Black; but at the end.
    let pairs = own.0.iter().zip(&four.0);
    let moved = pairs.map(|(own, mean)| (i32::from(mean.score) - i32::from(own.score)).abs());
    let (between, at_the_end): (Vec<_>, Vec<_>) = moved.partition(|moved| [10, 11].contains(moved));
    assert!(between.len() > 500 && (50..=4 * 80).contains(&at_the_end.len()));
    assert!(at_the_end.iter().all(|&moved| moved > 300), "{at_the_end:?}");
}

#[test]
fn mean_limits_mates() {
    let mv = *Position::startpos().legal_moves().first().unwrap();
    for (scores, mean) in [
        (&[-31_000][..], -31_000),
        (&[1, 2], 2),
        (&[-1, -2], -2),
        (&[100, 32_000], 1_050),
        (&[0, i16::MIN, -1], -667),
    ] {
        let plies: Vec<_> = scores.iter().map(|&score| Ply { mv, score }).collect();
        assert_eq!(mean_score(&plies), mean, "{scores:?}");
    }
}

#[test]
fn hand_crafted_scores_are_of_more_positions() {
    let games = numbered_games(GAMES);
    let loaded = |scores| {
        load("net-scores", &games, &Method { scores, random_plies: 2, ..METHOD }, usize::MAX)
    };
    let [search, found] = [Scores::Search, Scores::HandCrafted].map(loaded);
    assert_eq!(found.1.records, search.1.records);
    assert!(found.0.len() > 3 * search.0.len());
    assert!(found.0.iter().all(|record| record.points().is_none()));
    // Without castling rights many a score is another one.
    let same = |record: &&Record| {
        let position = record.position().unwrap();
        evaluate(&position, &mut EvalCache::new()).units() == i32::from(record.score)
    };
    assert!(found.0.iter().filter(same).count() > found.0.len() / 2);
}

#[derive(Parser)]
struct MethodLine {
    #[command(flatten)]
    method: Method,
}

fn rates(arguments: &[&str], steps: u64) -> Vec<f32> {
    let method = MethodLine::parse_from([&["net"], arguments].concat()).method;
    (0..steps).map(|step| method.rate_of(step, steps)).collect()
}

#[test]
fn rate_rises_in_the_warm_up_and_falls_along_a_cosine() {
    let falling = rates(&["--warm-up", "0", "--rate", "0.1", "--final-rate", "0.02"], 5);
    assert_eq!((falling[0], falling[4]), (0.1, 0.02));
    assert!((falling[2] - 0.06).abs() < 1e-6, "{falling:?}");
    let rates_of = |warm_up, steps| rates(&["--warm-up", warm_up, "--rate", "0.5"], steps);
    let warm = rates_of("0.2", 20);
    for (rate, wanted) in warm.iter().zip([0.1, 0.2, 0.3, 0.4, 0.5]) {
        assert!((rate - wanted).abs() < 1e-6, "{warm:?}");
    }
    assert!(warm[4..].is_sorted_by(|left, right| left > right), "{warm:?}");
    // A third of the way down the cosine: 3/4 of the rate and 1/4 of the final one.
    assert!((warm[9] - 0.375_002).abs() < 1e-5 && warm[19] == 0.000_008, "{warm:?}");
    let tail = ["--warm-up", "0", "--rate", "0.1", "--final-rate", "0.02", "--tail", "0.3"];
    let tail = rates(&tail, 10);
    assert!(tail[5] > 0.02 && tail[6..] == [0.02; 4], "{tail:?}");
    // Nothing but warm-up, and a single step.
    assert_eq!(rates_of("1", 2), [0.5 / 3.0, 1.0 / 3.0]);
    assert_eq!(rates_of("1", 1), [0.25]);
}

#[test]
fn record_holds_the_pieces_as_the_side_to_move_sees_them() {
    let start = Position::startpos();
    let record = Record::new(&start, 25, Some(GameResult::Draw));
    assert_eq!((record.score, record.points(), record.piece_count()), (25, Some(0.5), 32));
    let (codes, squares) = record.codes_and_squares();
    for (index, (color, kind, square)) in record.pieces().enumerate() {
        let piece = start.piece_at(square).unwrap();
        assert_eq!((piece.color(), piece.kind()), (color, kind), "{square:?}");
        assert_eq!(piece_of(codes[index]), Some((color, kind)));
        let pair = (code_of(color, kind), square.index());
        assert_eq!((codes[index], usize::from(squares[index])), pair);
    }
    let record = |fen: &str, score, outcome| {
        let record = Record::new(&Position::from_fen(fen).unwrap(), score, outcome);
        assert_eq!(Record::unpack(&record.pack()), record);
        record
    };
    let white = "r3k2r/pp3ppp/2n5/3q4/8/2N1B3/PPP2PPP/R2QK2R w KQkq - 0 12";
    let black = "r2qk2r/ppp2ppp/2n1b3/8/3Q4/2N5/PP3PPP/R3K2R b KQkq - 0 12";
    let white = record(white, 120, Some(GameResult::WhiteWin));
    assert_eq!(record(black, -120, Some(GameResult::BlackWin)), white);
    assert_ne!(record(black, 120, Some(GameResult::BlackWin)), white);
    assert_ne!(record(black, -120, None), white);
}
