//! Searches the positions of a suite.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use parking_lot::Mutex;
use tamarin_eval::Score;
use tamarin_movegen::{Move, Position};
use tamarin_search::{BestMove, Limits, Note, Observer, Report, Reports};

use super::goal::Goal;
use crate::analyzer::{Analyzer, Effort};
use crate::error::Error;
use tamarin_base::complain;

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

/// Solves the tasks on all threads. The answers come in any order, with the index of their task;
/// fewer than all if `stop` is set.
pub fn solve(
    tasks: &Arc<Vec<Task>>,
    effort: &Effort,
    threads: usize,
    stop: &Arc<AtomicBool>,
) -> Result<Receiver<(usize, Solution)>, Error> {
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

fn one(task: &Task, analyzer: &mut Analyzer, limits: &Limits) -> Solution {
    analyzer.new_game();
    let most = task.goal.most();
    let watch = Watch { goal: task.goal.clone(), since: Arc::default() };
    let since = Arc::clone(&watch.since);
    let limits = match task.goal {
        // The search may end with the mate.
        Goal::Mate(moves) if moves > 0 => Limits { mate: Some(moves as u32), ..limits.clone() },
        _ => limits.clone(),
    };
    let found = analyzer.search(&task.position, limits, Reports::All, Box::new(watch));
    let points = task.goal.points(found.mv, found.score);
    let since = since.lock().filter(|_| points == most);
    let whole = Moment { time: found.time.get(), depth: found.depth, nodes: found.nodes };
    Solution {
        best: found.mv,
        score: found.score,
        points,
        depth: found.depth,
        nodes: found.nodes,
        time: found.time.get(),
        since: since.or((points == most).then_some(whole)),
    }
}

/// Remembers since when the best line has had all points.
struct Watch {
    goal: Goal,
    since: Arc<Mutex<Option<Moment>>>,
}

impl Observer for Watch {
    fn iteration(&mut self, report: &Report<'_>) {
        if report.line != 1 {
            return;
        }
        let points = self.goal.points(report.pv.first().copied(), report.score);
        let mut since = self.since.lock();
        if points == self.goal.most() {
            let moment =
                Moment { time: report.time.get(), depth: report.depth, nodes: report.nodes };
            since.get_or_insert(moment);
        } else {
            *since = None;
        }
    }

    fn note(&mut self, note: &Note) {
        complain(&note.to_string());
    }

    fn finished(&mut self, _best: &BestMove) {}
}
