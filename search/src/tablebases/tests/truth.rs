//! Values of known positions, and what follows from the rules.

use std::fs;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::Position as _;
use tamarin_movegen::{Position, Setup};

use super::damage::Folder;
use super::{RandomPositions, data, position, tables};
use crate::tablebases::tables::to_chess;
use crate::tablebases::{TablebaseProbe, Wdl};

#[test]
fn the_positions_of_the_truth_suite_have_their_values() {
    let Some(tables) = tables() else { return };
    let Some(path) = data("suites/syzygy_truth_4men.epd") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Vec<_> = line.splitn(5, ' ').collect();
        let operation = |name: &str| {
            let found = fields[4].split(';').find_map(|one| one.trim().strip_prefix(name));
            found
                .and_then(|value| value.trim().parse::<i32>().ok())
                .unwrap_or_else(|| panic!("{line}"))
        };
        let position = position(&format!("{} 0 1", fields[..4].join(" ")));
        assert_eq!(tables.wdl(&position).map(|wdl| wdl as i32), Some(operation("wdl ")), "{line}");
        assert_eq!(tables.dtz(&position), Some(operation("dtz ")), "{line}");
        count += 1;
    }
    assert_eq!(count, 200);
}

/// The result of a position whose clock has come to this.
fn result_at(tables: &TablebaseProbe, position: &Position, clock: i32) -> Option<i32> {
    let mut setup = Setup::from(position);
    setup.halfmove_clock = clock.unsigned_abs();
    tables.result(&Position::from_setup(&setup).expect("as legal as before"))
}

/// The move that ends the count is the hundredth ply at the latest, and the DTZ may be one too small.
#[test]
fn results_depend_on_the_clock() {
    let Some(tables) = tables() else { return };
    let folder = data("syzygy").expect("there are tables");
    let (probe, _) = TablebaseProbe::load(folder.to_str().unwrap());
    let mut positions = RandomPositions::new(&tables, 4, 13);
    for _ in 0..1000 {
        let position = positions.of(&tables, None);
        let dtz = tables.dtz(&position).expect("a table for each");
        let at = |clock| result_at(&probe, &position, clock);
        let room = 99 - dtz.abs();
        assert_eq!((at(0), at(room)), (Some(dtz.signum()), Some(dtz.signum())), "{position}");
        if dtz != 0 {
            assert!(at(room + 1).is_none_or(|result| result == dtz.signum()), "{position}");
            assert_eq!(at(room + 2), Some(0), "{position}");
        }
    }
}

#[test]
fn without_distances_results_are_known_until_the_clock_runs() {
    let Some(folder) = Folder::new("clock", &["KRvK.rtbw"]) else { return };
    let (probe, _) = TablebaseProbe::load(folder.path());
    let root = position("8/8/8/4k3/8/8/8/KR6 w - - 0 100");
    assert_eq!([0, 1, 92].map(|clock| result_at(&probe, &root, clock)), [Some(1), None, None]);
}

#[test]
fn positions_with_castling_rights_or_too_many_pieces_have_no_value() {
    let Some(tables) = tables() else { return };
    let rook = |rights: &str| position(&format!("4k3/8/8/8/8/8/8/4K2R w {rights} - 0 1"));
    assert_eq!(tables.wdl(&rook("-")), Some(Wdl::Win));
    assert_eq!((tables.wdl(&rook("K")), tables.dtz(&rook("K"))), (None, None));
    let inner_rook = position("7k/8/8/8/8/8/8/1RK5 w B - 0 1");
    assert_eq!(tables.wdl(&inner_rook), None);
    assert_eq!(tables.wdl(&Position::startpos()), None);
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1")), None);
}

/// Every position of random games, Chess960 with its castling rights included, becomes the same
/// position of the library.
#[test]
fn any_position_is_converted() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "8/8/8/KPp4r/1R3p1k/8/4P1P1/8 w - c6 0 2",
        "4k3/8/8/4r3/8/8/8/r3K3 w - - 0 1",
    ];
    for start in starts {
        for _ in 0..40 {
            let mut position = position(start);
            for _ in 0..120 {
                let moves = position.legal_moves();
                let chess = to_chess(&position).unwrap_or_else(|| panic!("{position:?}"));
                let ours = moves.iter().filter(|mv| !mv.is_castle()).count();
                assert_eq!(chess.legal_moves().len(), ours, "{position:?}");
                assert_eq!(chess.board().occupied().0, position.occupied().0);
                if moves.is_empty() {
                    break;
                }
                position.make(moves[random.next_u64() as usize % moves.len()]);
            }
        }
    }
}
