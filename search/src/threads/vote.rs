//! The vote of the threads on the move to play (best-thread selection).

use crate::threads::shared::ThreadResult;

/// The result of the thread whose move has the most votes.
///
/// A thread's vote counts the more the deeper it searched and the better its score is; a
/// proven win beats all votes. Source: `Thread::get_best_thread` of Stockfish (67ae53b02).
pub(crate) fn best_thread(main: ThreadResult, helpers: Vec<ThreadResult>) -> ThreadResult {
    let mut results = vec![main];
    results.extend(helpers.into_iter().filter(|result| result.depth > 0));
    let Some(worst) = results.iter().map(ThreadResult::score).min() else { unreachable!() };
    let weight = |result: &ThreadResult| {
        i64::from(result.score().units() - worst.units() + 14) * i64::from(result.depth)
    };
    let votes = |result: &ThreadResult| -> i64 {
        let same_move = |other: &&ThreadResult| other.best_move() == result.best_move();
        results.iter().filter(same_move).map(weight).sum()
    };
    let rank = |result: &ThreadResult| {
        let score = result.score();
        let win = if score.is_win() { score.units() } else { 0 };
        (win, votes(result), weight(result))
    };
    let mut best = 0;
    for index in 1..results.len() {
        if rank(&results[index]) > rank(&results[best]) {
            best = index;
        }
    }
    ThreadResult { reported: best == 0 && results[0].reported, ..results.swap_remove(best) }
}
