//! Positions that the first engines were tried on, and what their scores have to mean.

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::info::Score;
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle};

/// What a release build searches in a tenth of a second, at least. A limit of nodes and not of
/// time, so that a slow build and a busy machine find the same.
const TENTH_OF_A_SECOND: u32 = 150_000;

/// A tenth of a second of thought, judged.
fn judged(fen: &str, judge: impl Fn(&Search) -> bool) {
    let mut engine = Engine::ready();
    engine.quietly(&format!("position fen {fen}"));
    let search = engine.go(&format!("go nodes {TENTH_OF_A_SECOND} depth 20"));
    sound(&search, &Oracle::new(fen, Notation::Classic));
    engine.quit();
    assert!(judge(&search), "{fen}: {} {}", search.best, search.last().text);
}

/// Is the side to move better by at least `centipawns`?
fn ahead(search: &Search, centipawns: i64) -> bool {
    match search.last().score {
        Score::Cp(score) => score >= centipawns,
        Score::Mate(moves) => moves > 0,
    }
}

/// Is it worse by at least `centipawns`?
fn behind(search: &Search, centipawns: i64) -> bool {
    match search.last().score {
        Score::Cp(score) => score <= -centipawns,
        Score::Mate(moves) => moves <= 0,
    }
}

#[test]
fn a_skewer_wins_the_queen() {
    judged("k7/8/8/8/q7/8/8/1R3R1K w - - 0 1", |found| found.best == "b1a1" && ahead(found, 300));
}

#[test]
fn a_smothered_mate_is_found_and_counted() {
    judged("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", |found| {
        found.best == "f7h6" && found.last().score == Score::Mate(3)
    });
}

#[test]
fn a_pawn_that_nobody_catches_promotes() {
    judged("2k5/8/8/8/p7/8/8/4K3 b - - 0 1", |found| found.best == "a4a3" && ahead(found, 400));
}

#[test]
fn castling_gives_mate() {
    judged("8/8/8/8/8/8/R7/R3K2k w Q - 0 1", |found| {
        found.best == "e1c1" && found.last().score == Score::Mate(1)
    });
}

#[test]
fn a_lost_rook_is_a_lost_game() {
    judged("7k/8/8/8/R2K3q/8/8/8 w - - 0 1", |found| behind(found, 400));
}

#[test]
fn the_fastest_mate_is_preferred() {
    // Nearly every move wins; one gives mate.
    judged("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", |found| found.last().score == Score::Mate(1));
    judged("6k1/8/6K1/8/8/8/8/RQ6 w - - 0 1", |found| found.last().score == Score::Mate(1));
}

#[test]
fn a_queen_attacked_by_a_defended_rook_moves_away() {
    judged("3rk3/5ppp/8/8/3Q4/8/5PPP/6K1 w - - 0 1", |found| {
        found.best.starts_with("d4") && found.best != "d4d8" && ahead(found, 100)
    });
}

#[test]
fn a_coming_royal_fork_is_avoided() {
    // Black threatens Nc2+ with an attack on king and queen.
    let fen = "4k3/8/8/8/3n4/8/PP3PPP/Q3K3 w - - 0 1";
    judged(fen, |found| {
        let after = Oracle::new(fen, Notation::Classic).after(&[&found.best]);
        let mut forked = after.clone();
        let harmless = !forked.play("d4c2") || forked.legal().iter().any(|mv| mv.ends_with("c2"));
        ahead(found, 300) && harmless
    });
}
