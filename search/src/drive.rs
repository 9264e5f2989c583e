//! A search from its beginning to its end, as its threads live it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tamarin_eval::Score;
use tamarin_movegen::Move;

use crate::job::{Control, Job, Outcome, shown};
use crate::memory::Memory;
use crate::pool::Call;
use crate::report::{BestMove, Note, Observer};
use crate::root::{RootMove, RootMoves};
use crate::tt;
use crate::worker::{Lead, Worker};

/// Takes part in a search: the first thread leads it, the others help.
///
/// The first thread calls the others only when it has something to show: a client that
/// waits for the first line finds a processor free to read it.
pub(crate) fn run(job: &Job, memory: &mut Memory, call: Call<'_>) {
    if memory.thread == 0 {
        lead(job, memory, call);
    } else {
        drop(call);
        let result = guarded(job, memory, None);
        job.hand_in(result);
    }
}

/// Searches, and turns a panic into a note.
fn guarded(job: &Job, memory: &mut Memory, lead: Option<Lead<'_>>) -> Result<Outcome, Note> {
    let thread = memory.thread;
    let lines = job.lines_to_search();
    let search = AssertUnwindSafe(|| Worker::new(job, &mut *memory, lead).iterate(lines));
    let result = catch_unwind(search);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let message = message.unwrap_or_else(|| "no message".to_owned());
        // What was learned may be half written.
        memory.forget();
        Note::WorkerPanicked { thread, message }
    })
}

/// Searches, waits for the others, and answers.
fn lead(job: &Job, memory: &mut Memory, call: Call<'_>) {
    let Some(mut observer) = job.take_observer() else { return };
    let _ending = Ending(&job.control);
    if job.moves.is_empty() {
        job.control.halt();
        drop(call);
        job.collect_helpers();
        return answer_without_moves(job, &mut *observer);
    }
    let wanted = &job.limits.search_moves;
    if !wanted.is_empty() && !wanted.iter().any(|mv| job.moves.contains(mv)) {
        observer.note(&Note::NoWantedMoveIsLegal);
    }
    let lead = Lead { observer: &mut *observer, call: Some(call) };
    let result = guarded(job, memory, Some(lead));
    let outcome = result.unwrap_or_else(|note| {
        observer.note(&note);
        fallback(job)
    });
    job.control.wait_until_released();
    job.control.halt();
    let helpers = job.collect_helpers();
    for note in &helpers.notes {
        observer.note(note);
    }
    answer(job, outcome, helpers.outcomes, &mut *observer);
}

/// Ends the search even if the observer panics.
struct Ending<'a>(&'a Control);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.halt();
        self.0.finish();
    }
}

/// Any legal move is better than none.
fn fallback(job: &Job) -> Outcome {
    let mut root = RootMoves::new(&job.moves, &job.limits.search_moves);
    root.settle_first(Score::DRAW);
    Outcome { lines: root.all().iter().take(1).cloned().collect(), depth: 0, told: false }
}

fn answer_without_moves(job: &Job, observer: &mut dyn Observer) {
    let score = if job.position.in_check() { Score::mated_in(0) } else { Score::DRAW };
    observer.iteration(&job.report_of(0, score, &[]));
    observer.finished(&BestMove {
        best: None,
        ponder: None,
        score,
        depth: 0,
        nodes: job.nodes(),
        time: job.control.elapsed(),
    });
}

/// Tells the lines that count, if that was not done, and the move.
fn answer(job: &Job, mut outcome: Outcome, helpers: Vec<Outcome>, observer: &mut dyn Observer) {
    if let Some(handicap) = job.handicap {
        let chosen = handicap.choose(&outcome.lines, &job.options, job.position.key());
        outcome.lines.swap(0, chosen);
        outcome.told &= chosen == 0;
    } else if job.lines_to_show() == 1 && job.limits.depth.is_none() {
        outcome = elect(outcome, helpers);
    }
    let lines = outcome.lines.len().min(job.lines_to_show());
    let depth = outcome.depth.max(1);
    if !outcome.told {
        for (index, line) in outcome.lines.iter().take(lines).enumerate() {
            observer.iteration(&job.report(depth, (index, lines), line));
        }
    }
    let best = outcome.lines.first();
    observer.finished(&BestMove {
        best: best.map(|best| best.mv),
        ponder: best.and_then(|best| ponder_move(job, best)),
        score: shown(best.and_then(|best| best.score).unwrap_or(Score::DRAW)),
        depth,
        nodes: job.nodes(),
        time: job.control.elapsed(),
    });
}

/// The outcome to believe: that of the move most of the work speaks for.
///
/// Each thread speaks for its move the louder the deeper it got and the better its score
/// is; a proven mate outvotes everything. Source: Stockfish's voting (67ae53b02).
fn elect(main: Outcome, helpers: Vec<Outcome>) -> Outcome {
    let mut outcomes = vec![main];
    outcomes.extend(helpers.into_iter().filter(|outcome| outcome.depth > 0));
    let Some(worst) = outcomes.iter().map(Outcome::score).min() else { unreachable!() };
    let voice = |outcome: &Outcome| {
        i64::from(outcome.score().units() - worst.units() + 14) * i64::from(outcome.depth)
    };
    let votes = |outcome: &Outcome| -> i64 {
        outcomes.iter().filter(|other| other.mv() == outcome.mv()).map(voice).sum()
    };
    let rank = |outcome: &Outcome| {
        let score = outcome.score();
        // Sure things by their distance, the rest by votes, then by the thread's own voice.
        let sure = if score.is_win() { score.units() } else { 0 };
        (sure, votes(outcome), voice(outcome))
    };
    let mut best = 0;
    for index in 1..outcomes.len() {
        if rank(&outcomes[index]) > rank(&outcomes[best]) {
            best = index;
        }
    }
    Outcome { told: best == 0 && outcomes[0].told, ..outcomes.swap_remove(best) }
}

/// The answer the line expects, or else the one the table knows.
fn ponder_move(job: &Job, best: &RootMove) -> Option<Move> {
    if let Some(&mv) = best.line.get(1) {
        return Some(mv);
    }
    let mut position = job.position.clone();
    position.make(best.mv);
    let place = tt::Place { ply: 1, halfmove_clock: position.halfmove_clock() };
    let known = job.table.probe(tt::key(&position), place)?.best?;
    position.is_legal(known).then_some(known)
}
