//! What the search makes of the tables.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use tamarin_base::{Millis, Signals, Wait};
use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_movegen::Position;

use super::damage::Folder;
use super::{position, tables};
use crate::limits::Limits;
use crate::options::{SearchOptions, TablebaseOptions};
use crate::root::RootMoves;
use crate::tablebases::{RootRanking, Wdl};
use crate::threads::data::ThreadData;
use crate::threads::shared::{LineIndex, SharedState};
use crate::threads::worker::Worker;

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
    let half_a_pawn = Score::new(UNITS_PER_PAWN / 2);
    for clock in [60, 80, 98] {
        let cursed = score(clock, true);
        assert!(cursed > Score::DRAW + 1 && cursed < half_a_pawn, "{clock}: {cursed:?}");
        assert_eq!(score(clock, false), Score::TABLEBASE_WIN, "{clock}");
    }
    assert!(score(60, true) > score(98, true), "the nearer to a win the better");
    assert_eq!((score(99, true), score(99, false)), (Score::DRAW, Score::TABLEBASE_WIN));
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

/// A probe may have to wait for the disk, as long as thousands of nodes take.
#[test]
fn after_a_probe_the_search_looks_at_the_clock() {
    let Some(tables) = tables() else { return };
    let root = position("8/8/3k4/3r4/8/2BK4/4P3/8 w - - 0 1");
    let limits = Limits { move_time: Some(Millis::new(3_600_000)), ..Limits::depth(14) };
    let mut shared = SharedState::of(root, limits, SearchOptions::default(), 1);
    shared.request.tablebases = Arc::new(tables);
    let looks = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&looks);
    shared.signals = Arc::new(Signals::with_time(Wait::No, move || {
        counter.fetch_add(1, Ordering::Relaxed);
        Millis::ZERO
    }));
    let mut data = ThreadData::of_thread(0);
    let mut worker = Worker::new(&shared, &mut data, None);
    worker.iterate(1);
    let (hits, looks) = (worker.tablebase_hits, looks.load(Ordering::Relaxed));
    let by_nodes = worker.nodes / 1024;
    assert!(hits > 100 + by_nodes, "{hits}, {by_nodes}");
    // After the last one no node need follow.
    assert!(looks + 1 >= hits, "{looks} for {hits}");
}

#[test]
fn lines_end_where_the_verdict_of_the_tables_changes() {
    let Some(tables) = tables() else { return };
    let tables = Arc::new(tables);
    let mut cut = 0;
    for fen in [
        "8/8/8/3K4/1k6/8/2R5/8 b - - 0 1",
        "8/8/8/8/3k4/8/1K4R1/5r2 w - - 0 1",
        "8/2k5/8/2P5/2K5/8/8/8 w - - 0 1",
    ] {
        for depth in 1..8 {
            let limits = Limits::depth(depth);
            let mut shared = SharedState::of(position(fen), limits, SearchOptions::default(), 1);
            shared.request.tablebases = Arc::clone(&tables);
            let root = &shared.request.position;
            let moves = shared.root_moves();
            let ranking =
                RootRanking::new(&tables, root, &shared.moves, &TablebaseOptions::default());
            let mut data = ThreadData::of_thread(0);
            let mut result = Worker::new(&shared, &mut data, None).iterate(1);
            let best = &mut result.lines[0];
            best.tablebase = ranking.as_ref().and_then(|ranking| ranking.rank(best.mv));
            let shown = shared.report(depth, LineIndex { index: 0, lines: 1 }, best).pv;
            assert!(moves.all().iter().any(|one| one.mv == shown[0]));
            cut += usize::from(shown.len() < best.line.len());
            let mut after = root.clone();
            let values = shown.iter().map(|&mv| {
                after.make(mv);
                tables.wdl_by_clock(&after).unwrap()
            });
            let values: Vec<_> = values.collect();
            assert!(values.windows(2).all(|two| two[1] == -two[0]), "{fen}, {depth}: {values:?}");
        }
    }
    assert!(cut > 0, "no line had to be cut");
}

/// Without DTZ tables only winning moves are kept too, and the search goes on probing.
#[test]
fn without_distances_the_root_is_ranked_by_win_draw_and_loss() {
    let Some(folder) = Folder::new("wdl-root", &["KQvK.rtbw", "KRvK.rtbw"]) else { return };
    let (tables, _) = folder.load();
    // The king may take the queen.
    let root = position("8/8/8/8/8/4k3/8/KQ6 w - - 0 1");
    let moves = root.legal_moves();
    let ranking = RootRanking::new(&tables, &root, &moves, &TablebaseOptions::default()).unwrap();
    assert!(!ranking.suffices());
    for &mv in &moves {
        let mut after = root.clone();
        after.make(mv);
        let wins = tables.wdl(&after) == Some(Wdl::Loss);
        assert_eq!(ranking.rank(mv).unwrap().rank > 0, wins, "{}", root.san(mv));
    }
    assert!(moves.iter().any(|&mv| ranking.rank(mv).unwrap().rank == 0), "no move draws");
}
