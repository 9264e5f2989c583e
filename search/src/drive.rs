//! A search from its beginning to its end, as its threads live it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tamarin_eval::Score;
use tamarin_movegen::Move;

use crate::job::{Job, Outcome};
use crate::memory::Memory;
use crate::report::{BestMove, Note, Observer};
use crate::root::{RootMove, RootMoves};
use crate::worker::Worker;

/// Takes part in a search: the first thread leads it, the others help.
pub(crate) fn run(job: &Job, memory: &mut Memory) {
    if memory.thread == 0 {
        lead(job, memory);
    } else {
        let result = guarded(job, memory, None);
        job.hand_in(result);
    }
}

/// Searches, and turns a panic into a note.
fn guarded(
    job: &Job,
    memory: &mut Memory,
    observer: Option<&mut (dyn Observer + 'static)>,
) -> Result<Outcome, Note> {
    let thread = memory.thread;
    let lines = job.options.multi_pv.max(1);
    let search = AssertUnwindSafe(|| Worker::new(job, &mut *memory, observer).iterate(lines));
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
fn lead(job: &Job, memory: &mut Memory) {
    let Some(mut observer) = job.take_observer() else { return };
    if job.moves.is_empty() {
        job.control.halt();
        job.collect_helpers();
        answer_without_moves(job, &mut *observer);
        job.control.finish();
        return;
    }
    let wanted = &job.limits.search_moves;
    if !wanted.is_empty() && !wanted.iter().any(|mv| job.moves.contains(mv)) {
        observer.note(&Note::NoWantedMoveIsLegal);
    }
    let result = guarded(job, memory, Some(&mut *observer));
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
    answer(job, &outcome, &mut *observer);
    job.control.finish();
}

/// Any legal move is better than none.
fn fallback(job: &Job) -> Outcome {
    let mut root = RootMoves::new(&job.moves, &job.limits.search_moves);
    root.settle_first(Score::DRAW);
    Outcome { lines: root.all().iter().take(1).cloned().collect(), depth: 0 }
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

fn answer(job: &Job, outcome: &Outcome, observer: &mut dyn Observer) {
    let lines = outcome.lines.len();
    for (index, line) in outcome.lines.iter().enumerate() {
        observer.iteration(&job.report(outcome.depth.max(1), (index, lines), line));
    }
    let best = outcome.lines.first();
    observer.finished(&BestMove {
        best: best.map(|best| best.mv),
        ponder: best.and_then(|best| ponder_move(job, best)),
        score: best.and_then(|best| best.score).unwrap_or(Score::DRAW),
        depth: outcome.depth.max(1),
        nodes: job.nodes(),
        time: job.control.elapsed(),
    });
}

/// The answer the line expects, or else the one the table knows.
fn ponder_move(job: &Job, best: &RootMove) -> Option<Move> {
    if let Some(&mv) = best.line.get(1) {
        return Some(mv);
    }
    let mut position = job.position.clone();
    position.make(best.mv);
    let place = crate::tt::Place { ply: 1, halfmove_clock: position.halfmove_clock() };
    let known = job.table.probe(position.key(), place)?.best?;
    position.is_legal(known).then_some(known)
}
