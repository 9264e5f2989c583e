//! The vote of the threads on the move to play (best-thread selection).

use tamarin_base::params::Params;
use tamarin_eval::Score;

use crate::threads::shared::ThreadResult;

/// The result of the thread whose move has the most votes.
///
/// A thread's vote counts the more the deeper it searched and the better its score is; a
/// proven win beats all votes. Of the threads with that move, one that has proven it to lose
/// is believed. Source: `Thread::get_best_thread` of Stockfish (67ae53b02).
pub(crate) fn best_thread(
    main: ThreadResult,
    helpers: Vec<ThreadResult>,
    params: &Params,
) -> ThreadResult {
    let mut results = vec![main];
    results.extend(helpers.into_iter().filter(|result| result.depth > 0));
    let worst = results.iter().map(ThreadResult::score).min().unwrap_or(Score::DRAW);
    let weight = |result: &ThreadResult| {
        let margin = result.score().units() - worst.units();
        i64::from(margin + params.vote_base()) * i64::from(result.depth)
    };
    let votes = |result: &ThreadResult| -> i64 {
        let same_move = |other: &&ThreadResult| other.best_move() == result.best_move();
        results.iter().filter(same_move).map(weight).sum()
    };
    let rank = |result: &ThreadResult| {
        let score = result.score();
        let win = if score.is_win() { score.units() } else { 0 };
        (win, votes(result), score.is_loss(), weight(result))
    };
    let mut best = 0;
    for index in 1..results.len() {
        if rank(&results[index]) > rank(&results[best]) {
            best = index;
        }
    }
    ThreadResult { reported: best == 0 && results[0].reported, ..results.swap_remove(best) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::shared::result;

    fn vote(results: &[ThreadResult]) -> ThreadResult {
        best_thread(results[0].clone(), results[1..].to_vec(), &Params::new())
    }

    fn winner(results: &[ThreadResult]) -> usize {
        let best = vote(results).best_move();
        results.iter().position(|result| result.best_move() == best).unwrap()
    }

    #[test]
    fn depth_score_and_number_of_threads_decide() {
        let score = |units| Score::new(units);
        assert_eq!(winner(&[result(0, score(10), 12), result(1, score(10), 12)]), 0, "a tie");
        assert_eq!(winner(&[result(0, score(10), 12), result(1, score(10), 14)]), 1, "depth");
        assert_eq!(winner(&[result(0, score(10), 12), result(1, score(40), 11)]), 1, "score");
        assert_eq!(winner(&[result(0, score(-400), 12), result(1, score(-400), 14)]), 1, "depth");
        let two = [result(0, score(20), 12), result(1, score(15), 12), result(1, score(15), 11)];
        assert_eq!(winner(&two), 1, "two threads");
    }

    #[test]
    fn a_proven_win_beats_all_votes() {
        let good = Score::new(500);
        let mate = result(1, Score::mate_in(9), 5);
        assert_eq!(winner(&[result(0, good, 30), mate, result(0, good, 30)]), 1);
        let faster = [result(0, Score::mate_in(9), 30), result(1, Score::mate_in(3), 9)];
        assert_eq!(winner(&faster), 1);
    }

    #[test]
    fn a_proven_loss_is_believed_of_its_own_move_only() {
        let lost = result(0, Score::mated_in(2), 200);
        let best = vote(&[lost.clone(), result(0, Score::new(1100), 1)]);
        assert_eq!((best.score(), best.depth), (Score::mated_in(2), 200));
        let best = vote(&[result(0, Score::new(1100), 1), lost.clone()]);
        assert_eq!(best.score(), Score::mated_in(2));
        let other_move = result(1, Score::new(-900), 20);
        assert_eq!(winner(&[lost.clone(), other_move]), 1);
        let won = result(1, Score::mate_in(3), 5);
        assert_eq!(vote(&[lost, won]).score(), Score::mate_in(3));
    }
}
