//! Searches the positions of a suite.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use tamarin_eval::Score;
use tamarin_game::engine_process::EngineError;
use tamarin_movegen::{Move, Position};
use tamarin_search::{Limits, Reports};

use super::goal::Goal;
use crate::analyzer::{Analyzer, Effort};
use crate::error::Error;

/// A position and what is to be found in it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The line of the file, from 1.
    pub line: usize,
    /// Its name, or nothing.
    pub id: String,
    pub position: Position,
    /// What is to be found.
    pub goal: Goal,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The move, if any is legal.
    pub best: Option<Move>,
    /// Its score for the side to move.
    pub score: Score,
    pub points: u32,
    /// The last iteration, in plies.
    pub depth: u32,
    pub nodes: u64,
    /// Time of the search, in milliseconds.
    pub time: u64,
    /// When all points were found and kept to the end.
    pub since: Option<Moment>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Milliseconds since its beginning.
    pub time: u64,
    /// The iteration, in plies.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
}

/// The index of a task, and its answer.
type Answered = (usize, Result<Solution, EngineError>);

/// Solves the tasks on all threads. The answers come in any order, with the index of their task;
/// fewer than all if `stop` is set.
pub fn solve(
    tasks: &Arc<Vec<Task>>,
    effort: &Effort,
    threads: usize,
    stop: &Arc<AtomicBool>,
) -> Result<Receiver<Answered>, Error> {
    let next = Arc::new(AtomicUsize::new(0));
    let workers = threads.min(tasks.len()).max(1);
    let (send, receive) = bounded(tasks.len().max(1));
    for _ in 0..workers {
        let mut analyzer = Analyzer::new(effort, threads / workers)?;
        let limits = effort.limits.clone();
        let (tasks, next, stop, send) =
            (Arc::clone(tasks), Arc::clone(&next), Arc::clone(stop), send.clone());
        let work = move || {
            while !stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index) else { return };
                if send.send((index, one(task, &mut analyzer, &limits))).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("suite".into()).spawn(work).map_err(Error::Thread)?;
    }
    Ok(receive)
}

fn one(task: &Task, analyzer: &mut Analyzer, limits: &Limits) -> Result<Solution, EngineError> {
    analyzer.new_game()?;
    let most = task.goal.most();
    let limits = match task.goal {
        // The search may end with the mate.
        Goal::Mate(moves) if moves > 0 => Limits { mate: Some(moves as u32), ..limits.clone() },
        _ => limits.clone(),
    };
    let (found, reports) = analyzer.search(&task.position, &limits, (1, Reports::All))?;
    let points = task.goal.points(found.mv, found.score);
    let mut since = None;
    for report in reports.iter().filter(|report| report.line == 1) {
        let is_whole = task.goal.points(report.pv.first().copied(), report.score) == most;
        let (time, depth, nodes) = (report.time.get(), report.depth, report.nodes);
        since = is_whole.then(|| since.unwrap_or(Moment { time, depth, nodes }));
    }
    let since = since.filter(|_| points == most);
    let whole = Moment { time: found.time.get(), depth: found.depth, nodes: found.nodes };
    Ok(Solution {
        best: found.mv,
        score: found.score,
        points,
        depth: found.depth,
        nodes: found.nodes,
        time: found.time.get(),
        since: since.or((points == most).then_some(whole)),
    })
}
