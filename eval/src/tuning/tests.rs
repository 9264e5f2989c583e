use tamarin_movegen::{Color, Position};

use super::data::DataSet;
use super::optimizer::{self, Fit, Settings};
use super::scale::WinModel;
use super::{current, seed};
use crate::weights::COUNT;
use crate::{PawnTable, evaluate};

const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/5pk1/6p1/2b1p3/1pP1P1P1/1P1B1K2/8/8 b - - 0 1",
    "q3k3/pp3n2/8/3Q4/8/5N2/PP6/4K2R w K - 0 1",
    "2rq1rk1/pp2bppp/4pn2/8/3N4/2P1B3/PP2QPPP/3R1RK1 b - - 0 1",
];

fn settings() -> Settings {
    Settings {
        epochs: 200,
        batch: 4,
        rate: 2.0,
        result_share: 1.0,
        pull: 0.0,
        steepness: 0.005,
        seed: 7,
        threads: 2,
    }
}

fn games() -> DataSet {
    let mut data = DataSet::default();
    for (index, fen) in FENS.into_iter().enumerate() {
        let result = ["1.0", "0.5", "0.0"][index % 3];
        assert!(data.add(&format!("{fen} | {} | {result}", 40 - 20 * index as i32)).unwrap());
    }
    data
}

#[test]
fn real_numbers_agree_with_play() {
    let data = games();
    let weights = current();
    for (fen, sample) in FENS.into_iter().zip(&data.samples) {
        let position = Position::from_fen(fen).unwrap();
        let played = evaluate(&position, &mut PawnTable::new()).units() as f32;
        let white = if position.side_to_move() == Color::White { played } else { -played };
        let fitted = optimizer::score(&data, sample, &weights);
        // Play rounds in four places: twice in the curves, in the scale and the blend.
        assert!((fitted - white).abs() <= 4.0, "{fen}: {fitted} {white}");
    }
}

#[test]
fn gradient_points_along_the_error() {
    let data = games();
    let settings = settings();
    let start = current();
    let before = optimizer::error(&data, 0..FENS.len(), &start, &settings);
    let mut fit = Fit::new(&data, FENS.len(), start, settings);
    for epoch in 0..settings.epochs {
        fit.epoch(epoch);
    }
    let after = optimizer::error(&data, 0..FENS.len(), &fit.weights, &settings);
    assert!(after < before / 2.0, "{before} {after}");
}

#[test]
fn fits_repeat_exactly() {
    let data = games();
    let run = || {
        let mut fit = Fit::new(&data, FENS.len(), seed::seed(), settings());
        (0..5).for_each(|epoch| fit.epoch(epoch));
        fit.weights
    };
    assert_eq!(run(), run());
}

#[test]
fn bad_lines_are_refused() {
    let mut data = DataSet::default();
    let fen = FENS[0];
    for line in [
        fen.to_owned(),
        format!("{fen} | 10"),
        format!("{fen} | ten | 1.0"),
        format!("{fen} | 10 | 0.7"),
        "8/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5".to_owned(),
    ] {
        assert!(data.add(&line).is_err(), "{line}");
    }
    // In check, and a known draw: nothing to learn.
    assert!(!data.add("4k3/8/8/8/8/8/4q3/4K2R w - - 0 1 | 0 | 0.5").unwrap());
    assert!(!data.add("4k3/8/8/8/8/8/8/4KB2 w - - 0 1 | 0 | 0.5").unwrap());
    assert!(data.samples.is_empty());
}

#[test]
fn win_model_finds_the_score_that_wins_half() {
    // A world where the chance to win is a logistic curve around 120 units, width 60.
    let truth = WinModel { center: 120.0, width: 60.0 };
    let mut data = DataSet::default();
    for score in (-600..=600).step_by(10) {
        let wins = (truth.chance(f64::from(score)) * 100.0).round() as usize;
        let losses = (truth.chance(f64::from(-score)) * 100.0).round() as usize;
        for game in 0..100 {
            let result = match game {
                game if game < wins => "1.0",
                game if game >= 100 - losses => "0.0",
                _ => "0.5",
            };
            assert!(data.add(&format!("{} | {score} | {result}", FENS[0])).unwrap());
        }
    }
    let model = WinModel::fit(&data);
    assert!((model.center - truth.center).abs() < 2.0, "{model:?}");
    assert!((model.width - truth.width).abs() < 2.0, "{model:?}");
}

#[test]
fn seed_fills_the_vector() {
    let seed = seed::seed();
    assert_eq!(seed.len(), COUNT);
    assert!(seed.iter().filter(|pair| **pair != [0.0; 2]).count() > COUNT / 3);
}
