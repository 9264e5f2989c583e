//! What the search makes of the tables.

use tamarin_eval::Score;
use tamarin_movegen::Position;

use super::{position, tables};
use crate::options::TablebaseOptions;
use crate::root::RootMoves;
use crate::tablebases::RootRanking;

fn rank(fen: &str, options: TablebaseOptions) -> Option<RootMoves> {
    let root = position(fen);
    ranked(&root, options)
}

fn ranked(root: &Position, options: TablebaseOptions) -> Option<RootMoves> {
    let moves = root.legal_moves();
    let ranking = RootRanking::new(&tables()?, root, &moves, &options)?;
    let mut root = RootMoves::new(&moves, &[]);
    root.keep_best_ranked(&ranking, 1);
    Some(root)
}

const BISHOP_AND_KNIGHT: &str = "7k/8/8/8/8/8/8/KBN5 w - -";

#[test]
fn wins_out_of_reach_of_the_clock_are_cursed() {
    if tables().is_none() {
        return;
    }
    let score = |clock: u32, fifty_move_rule: bool| {
        let options = TablebaseOptions { fifty_move_rule, ..TablebaseOptions::default() };
        let root = rank(&format!("{BISHOP_AND_KNIGHT} {clock} 60"), options).unwrap();
        root.best().unwrap().tablebase.unwrap().score
    };
    assert_eq!(score(0, true), Score::TABLEBASE_WIN);
    for clock in [60, 80, 98] {
        let cursed = score(clock, true);
        assert!(cursed > Score::DRAW + 1 && cursed < Score::new(50), "{clock}: {cursed:?}");
        assert_eq!(score(clock, false), Score::TABLEBASE_WIN, "{clock}");
    }
    assert!(score(60, true) > score(98, true), "the nearer to a win the better");
}

/// While the clock leaves room, all winning moves may be searched; near its end, or once a
/// position has come twice, only those of the least distance.
#[test]
fn progress_is_forced_when_it_must_be() {
    let Some(tables) = tables() else { return };
    let count = |root: &Position| {
        let moves = ranked(root, TablebaseOptions::default()).unwrap();
        let distance = |mv| {
            let mut after = root.clone();
            after.make(mv);
            tables.dtz_of_move(&after).unwrap()
        };
        let least = root.legal_moves().iter().map(|&mv| distance(mv)).filter(|&d| d > 0).min();
        let all_least = moves.all().iter().all(|one| Some(distance(one.mv)) == least);
        (moves.all().len(), all_least)
    };
    let mut root = position("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    let (free, all_least) = count(&root);
    assert!(free > 10 && !all_least, "{free}");
    for text in ["Qb2+", "Kg8", "Qb1", "Kh8"] {
        root.make(root.parse_san(text).unwrap());
    }
    let (forced, all_least) = count(&root);
    assert!(forced < free && all_least, "{forced} of {free}");
    let late = position("7k/8/8/8/8/8/8/KQ6 w - - 90 1");
    assert!(count(&late).0 < free);
}

#[test]
fn lines_and_wanted_moves_widen_what_is_searched() {
    let Some(tables) = tables() else { return };
    // All moves win but the promotions to knight and bishop.
    let root = position("8/1P6/8/8/8/8/5k2/K7 w - - 0 1");
    let moves = root.legal_moves();
    let options = TablebaseOptions::default();
    let ranking = RootRanking::new(&tables, &root, &moves, &options).unwrap();
    let kept = |wanted: &[&str], lines: usize| {
        let wanted: Vec<_> = wanted.iter().map(|text| root.parse_san(text).unwrap()).collect();
        let mut moves = RootMoves::new(&moves, &wanted);
        moves.keep_best_ranked(&ranking, lines);
        moves
    };
    let winning = kept(&[], 1).all().len();
    assert!(winning < moves.len() && winning >= 2, "{winning} of {}", moves.len());
    assert_eq!(kept(&[], winning).all().len(), winning);
    assert_eq!(kept(&[], winning + 1).all().len(), moves.len(), "all the drawing moves too");
    assert_eq!(kept(&["b8=N", "b8=B"], 1).all().len(), 2);
    assert_eq!(kept(&["b8=N", "Ka2"], 1).all().len(), 1);
    assert_eq!(kept(&["b8=N", "Ka2"], 2).all().len(), 2);
    assert_eq!(kept(&["b8=Q", "b8=N"], 1).all().len(), 1);
    let mut all = kept(&[], 256);
    let scores: Vec<_> = all.all().iter().map(|one| one.tablebase.unwrap().score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b));
    // The second line may start with winning moves only, the one after them with the others.
    let last = all.all().last().unwrap().mv;
    all.begin_line(1);
    assert!(!all.allows(last));
    all.begin_line(winning);
    assert!(all.allows(last));
}

#[test]
fn probes_at_the_root_respect_limit_and_rights() {
    if tables().is_none() {
        return;
    }
    let options = |probe_limit| TablebaseOptions { probe_limit, ..TablebaseOptions::default() };
    let four = "4k3/8/8/8/8/8/8/KBN5 w - - 0 1";
    assert!(rank(four, options(4)).is_some());
    assert!(rank(four, options(3)).is_none());
    assert!(rank(four, options(0)).is_none());
    assert!(rank("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", options(7)).is_none());
    assert!(rank("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", options(7)).is_some());
}
