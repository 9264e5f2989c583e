//! What must hold for every answer to `go`, whatever was asked.

use super::engine::Search;
use super::info::{Bound, Info, Score};
use super::oracle::Oracle;

/// Checks an answer against the position it is for.
///
/// # Panics
/// If a move is illegal, a line goes on after the end of the game, a mate score is not what its
/// line shows, or the move played is not the one announced.
pub fn sound(search: &Search, root: &Oracle) {
    assert!(
        root.is_legal(&search.best),
        "bestmove {} is illegal: {:#?}",
        search.best,
        search.lines
    );
    if let Some(reply) = &search.ponder {
        let after = root.after(&[&search.best]);
        assert!(after.is_legal(reply), "ponder {reply} is illegal after {}", search.best);
    }
    assert!(!search.infos.is_empty(), "no scored line before bestmove: {:#?}", search.lines);
    for info in &search.infos {
        line(info, root);
    }
    let last = search.last();
    assert_eq!(last.bound, Bound::Exact, "the last line is a bound: {}", last.text);
    assert_eq!(last.pv.first(), Some(&search.best), "bestmove is not what {} says", last.text);
}

/// Like [`sound`], for a weakened engine: it need not play the best move it announced.
pub fn legal(search: &Search, root: &Oracle) {
    assert!(root.is_legal(&search.best), "bestmove {} is illegal", search.best);
    for info in &search.infos {
        line(info, root);
    }
}

/// Checks one line of a search.
///
/// # Panics
/// If it is not true of the position.
pub fn line(info: &Info, root: &Oracle) {
    let text = &info.text;
    assert!(info.depth >= 1, "depth below one: {text}");
    assert!(!info.pv.is_empty(), "no line: {text}");
    let mut board = root.clone();
    for mv in &info.pv {
        assert!(!board.is_checkmate(), "the line goes on after mate: {text}");
        assert!(board.play(mv), "{mv} is illegal in the line: {text}");
    }
    let permille = |value: Option<i64>| value.is_none_or(|value| (0..=1000).contains(&value));
    assert!(permille(info.hashfull), "hashfull: {text}");
    if let Some(wdl) = info.wdl {
        assert_eq!(wdl.iter().sum::<i64>(), 1000, "wdl: {text}");
        assert!(wdl.iter().all(|part| *part >= 0), "wdl: {text}");
    }
    if let (Score::Mate(moves), Bound::Exact) = (info.score, info.bound) {
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(info.pv.len() as i64, plies, "length of the mate: {text}");
        assert!(board.is_checkmate(), "the line does not end in mate: {text}");
    }
}
