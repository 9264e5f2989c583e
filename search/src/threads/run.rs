//! A search from its beginning to its end, as its threads see it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tamarin_base::Signals;
use tamarin_eval::Score;
use tamarin_movegen::Move;

use crate::report::{BestMove, Note, Observer};
use crate::root::RootMove;
use crate::threads::data::ThreadData;
use crate::threads::shared::{LineIndex, SharedState, ThreadResult, without_draw_noise};
use crate::threads::vote::best_thread;
use crate::threads::wake::Children;
use crate::threads::worker::{MainThread, Worker};
use crate::tt;

/// Takes part in a search, as the main thread or as a helper thread.
///
/// The main thread wakes the others only when it has reported something: a client that
/// waits for the first line finds a processor free to read it.
pub(crate) fn run_search(shared: &SharedState, data: &mut ThreadData, children: &Children<'_>) {
    if data.thread == 0 {
        run_main_thread(shared, data, children);
    } else {
        children.wake();
        // A weakened search is one of few nodes, which are those of the main thread alone: its
        // strength does not depend on the number of threads.
        let result = match shared.skill {
            Some(_) => Ok(ThreadResult::default()),
            None => search_catching_panics(shared, data, None),
        };
        shared.helpers.add(result);
    }
}

/// Searches, and turns a panic into a note.
fn search_catching_panics(
    shared: &SharedState,
    data: &mut ThreadData,
    main: Option<MainThread<'_>>,
) -> Result<ThreadResult, Note> {
    let thread = data.thread;
    let lines = shared.lines_to_search();
    let search = AssertUnwindSafe(|| Worker::new(shared, &mut *data, main).iterate(lines));
    let result = catch_unwind(search);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let message = message.unwrap_or_else(|| "no message".to_owned());
        // The tables may be half written.
        data.clear();
        Note::WorkerPanicked { thread, message }
    })
}

/// Searches, waits for the helper threads, and answers.
fn run_main_thread(shared: &SharedState, data: &mut ThreadData, children: &Children<'_>) {
    let Some(mut observer) = shared.take_observer() else { return };
    let _finish = FinishOnDrop(&shared.signals);
    if shared.moves.is_empty() {
        return answer_without_moves(shared, &mut *observer);
    }
    let wanted = &shared.request.limits.search_moves;
    if !wanted.is_empty() && !wanted.iter().any(|mv| shared.moves.contains(mv)) {
        observer.note(&Note::NoWantedMoveIsLegal);
    }
    let main = MainThread { observer: &mut *observer, helpers: children };
    let result = search_catching_panics(shared, data, Some(main)).unwrap_or_else(|note| {
        observer.note(&note);
        any_legal_move(shared)
    });
    shared.signals.wait_until_answer_allowed();
    shared.signals.stop_threads();
    // If they are still asleep, they learn now that there is nothing to do.
    children.wake();
    let mut results = Vec::new();
    for helper in shared.helpers.wait_for(shared.threads() - 1) {
        match helper {
            Ok(result) => results.push(result),
            Err(note) => observer.note(&note),
        }
    }
    let damaged = shared.request.tablebases.take_damaged();
    if !damaged.is_empty() {
        observer.note(&Note::TablebasesDamaged(damaged));
    }
    answer(shared, result, results, &mut *observer);
}

/// Marks the search as finished even if the observer panics.
struct FinishOnDrop<'a>(&'a Signals);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop_threads();
        self.0.finish();
    }
}

/// The result after a failure: any legal move is better than none.
fn any_legal_move(shared: &SharedState) -> ThreadResult {
    let mut root = shared.root_moves();
    root.set_best_score(Score::DRAW);
    ThreadResult { lines: root.all().iter().take(1).cloned().collect(), depth: 0, reported: false }
}

fn answer_without_moves(shared: &SharedState, observer: &mut dyn Observer) {
    let score = if shared.request.position.in_check() { Score::mated_in(0) } else { Score::DRAW };
    observer.iteration(&shared.report_of(0, score, &[]));
    let answer = BestMove {
        mv: None,
        ponder: None,
        score,
        depth: 0,
        nodes: shared.nodes(),
        time: shared.signals.elapsed(),
    };
    shared.finish(observer, answer);
}

/// Chooses the move, reports the final lines if that was not done, and answers.
fn answer(
    shared: &SharedState,
    mut result: ThreadResult,
    helpers: Vec<ThreadResult>,
    observer: &mut dyn Observer,
) {
    if let Some(skill) = &shared.skill {
        let chosen = skill.choose(&shared.request.position, &result.lines);
        // The others keep their order.
        result.lines[..=chosen].rotate_right(1);
        // A line that was shown is not shown again in another place.
        result.reported &= chosen < shared.lines_to_show();
    } else if shared.lines_to_show() == 1 && shared.request.limits.depth.is_none() {
        result = best_thread(result, helpers, &shared.request.params);
    }
    // After an early stop only the first moves have a score.
    let scored = result.lines.iter().take_while(|line| line.has_score()).count();
    let lines = scored.max(1).min(result.lines.len()).min(shared.lines_to_show());
    let depth = result.depth.max(1);
    if !result.reported {
        for (index, line) in result.lines.iter().take(lines).enumerate() {
            observer.iteration(&shared.report(depth, LineIndex { index, lines }, line));
        }
    }
    let best = result.lines.first();
    let answer = BestMove {
        mv: best.map(|best| best.mv),
        ponder: best.and_then(|best| ponder_move(shared, best)),
        score: without_draw_noise(
            best.map_or(Score::DRAW, |best| best.shown().0),
            &shared.request.params,
        ),
        depth,
        nodes: shared.nodes(),
        time: shared.signals.elapsed(),
    };
    shared.finish(observer, answer);
}

/// The second move of the line, or else the best move the table has for the position, unless that is
/// a draw by the rules.
fn ponder_move(shared: &SharedState, best: &RootMove) -> Option<Move> {
    if let Some(&mv) = best.line.get(1) {
        return Some(mv);
    }
    let mut position = shared.request.position.clone();
    position.make(best.mv);
    if position.is_repetition(1) || position.is_fifty_move_draw() || position.is_dead() {
        return None;
    }
    let context = tt::score_context(1, &position);
    let key = tt::key(&position, &shared.request.params);
    let table_move = shared.request.table.probe(key, context)?.best?;
    position.is_legal(table_move).then_some(table_move)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::options::SearchOptions;
    use crate::report::Silent;
    use crate::root::RootMoves;
    use crate::threads::shared::result;
    use tamarin_base::Bound;
    use tamarin_movegen::Position;

    #[test]
    fn a_move_that_ends_the_game_has_no_answer() {
        for (moves, is_third) in [(3, false), (7, true)] {
            let mut root = Position::startpos();
            for text in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(moves) {
                root.make(root.resolve(text.parse().unwrap()).unwrap());
            }
            let home = root.resolve("f6g8".parse().unwrap()).unwrap();
            let options = SearchOptions::default();
            let shared = SharedState::of(root.clone(), Limits::default(), options, 1);
            // What earlier searches know of the position after the move.
            let start = Position::startpos();
            let answer = start.legal_moves()[0];
            let entry = tt::TableEntry {
                result: Some((Score::DRAW, Bound::Exact)),
                evaluation: None,
                best: Some(answer),
                depth: 9,
                principal: true,
            };
            let params = &shared.request.params;
            shared.request.table.store(tt::key(&start, params), 1, &entry, params);
            let lines = RootMoves::new(&[home], &[]);
            let found = ponder_move(&shared, &lines.all()[0]);
            assert_eq!(found, (!is_third).then_some(answer));
        }
    }

    #[test]
    fn threads_vote_on_the_only_line_of_a_search_without_a_depth() {
        let two_lines = SearchOptions { multi_pv: 2, ..SearchOptions::default() };
        for (limits, options, voted) in [
            (Limits::default(), SearchOptions::default(), true),
            (Limits::depth(8), SearchOptions::default(), false),
            (Limits::default(), two_lines, false),
        ] {
            let shared = SharedState::of_startpos(limits, options, 2);
            let (main, helper) = (result(0, Score::new(10), 8), result(1, Score::new(300), 8));
            let expected = if voted { helper.best_move() } else { main.best_move() };
            answer(&shared, main, vec![helper], &mut Silent);
            assert_eq!(shared.answer().unwrap().mv, expected, "{:?}", shared.request.limits);
        }
    }
}
