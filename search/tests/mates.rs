//! Forced mates are found, reported in moves, and the line ends in mate.

use crate::common::{depth, nodes, position, replay, search};
use crate::long::long_or;
use tamarin_eval::ScoreValue;
use tamarin_search::{Engine, Limits, SearchOptions};

/// Position, moves to the mate.
const MATES: &[(&str, i32)] = &[
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
    ("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", 3),
    ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
];

#[test]
fn mates_are_found_and_played_out() {
    for &(fen, moves) in MATES {
        let (best, reports) = nodes(fen, 100_000);
        let last = reports.last().unwrap();
        assert_eq!(best.score.to_uci(), ScoreValue::Mate(moves), "{fen}: {reports:?}");
        assert_eq!(last.pv.len() as i32, 2 * moves - 1, "{fen}");
        let end = replay(fen, &last.pv);
        assert!(end.in_check() && !end.has_legal_move(), "{fen} does not end in mate");
    }
}

#[test]
fn no_loss_is_reported_before_all_moves_were_searched() {
    let budgets = long_or(40, 2);
    // Black is mated in six and in seven moves at best defense.
    for (fen, longest) in [
        ("8/1K6/8/8/7R/3N4/n7/kb5R b - - 0 1", 6),
        ("5r2/3n3p/3Q1kbN/2n2pN1/1p4R1/b1q3P1/P7/1KB4r b - - 0 1", 7),
    ] {
        let mut engine = Engine::new().unwrap();
        let mut losses = 0;
        for budget in (1..=budgets).map(|number| 400_000 / budgets * number) {
            engine.new_game();
            let limits = Limits::nodes(budget);
            let (best, _) = search(&mut engine, &position(fen), limits, &SearchOptions::default());
            if let ScoreValue::Mate(moves @ ..=0) = best.score.to_uci() {
                assert!(-moves >= longest, "{fen}, {budget} nodes: mated in {}", -moves);
                losses += 1;
            }
        }
        assert!(losses > 0, "{fen}: no loss was reported at all");
    }
}

#[test]
fn a_mate_in_the_wanted_number_of_moves_by_either_side_ends_the_search() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, mate, wanted) in [
        ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2, Some(2)),
        ("k7/7R/6R1/8/8/8/8/7K b - - 0 1", 2, Some(-1)),
        // The queen gives herself up, which the search prunes: a proof finds it.
        ("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", 5, Some(3)),
        // There is none, which ends the search too.
        (start, 2, None),
    ] {
        let limits = Limits { mate: Some(mate), nodes: Some(2_000), ..Limits::default() };
        let options = SearchOptions::default();
        let (best, reports) = search(&mut Engine::new().unwrap(), &position(fen), limits, &options);
        let found = match best.score.to_uci() {
            ScoreValue::Mate(moves) => Some(moves),
            ScoreValue::Centipawns(_) => None,
        };
        assert_eq!(found, wanted, "{fen}");
        assert!(best.nodes < 2_000, "{fen}: the search went on");
        let last = replay(fen, &reports.last().unwrap().pv);
        assert_eq!(last.in_check() && !last.has_legal_move(), wanted.is_some(), "{fen}");
    }
}

#[test]
fn a_root_without_moves_is_a_loss_or_a_draw() {
    for (fen, score) in [
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", ScoreValue::Mate(0)),
        ("k7/2Q5/8/8/8/8/8/7K b - - 0 1", ScoreValue::Centipawns(0)),
    ] {
        let (best, reports) = depth(fen, 4);
        assert_eq!((best.mv, best.score.to_uci()), (None, score));
        assert_eq!((reports.len(), reports[0].depth), (1, 0));
    }
}

/// After two plies to full depth, quiescence search plays the quiet check that mates.
#[test]
fn quiescence_search_tries_quiet_checks() {
    let (best, _) = depth("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2);
    assert_eq!(best.score.to_uci(), ScoreValue::Mate(2));
}
