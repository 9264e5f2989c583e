//! The threads of a pool: tasks, sleep, and a search that wakes its helper threads while a `stop`
//! comes in.

use core::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

use super::{Outcomes, explore, spawn};
use crate::helper_results::HelperResults;
use crate::millis::Millis;
use crate::signals::Signals;
use crate::sync::{AtomicU64, Ordering};
use crate::task_slot::{TaskSlot, wait_until_all_idle};
use crate::thread_tree::ThreadTree;
use crate::time_limits::Wait;

#[test]
fn every_task_is_done_once_and_seen_by_who_waits() {
    explore("threads, two tasks", None, &["done"], |outcomes| {
        let (slot, sum) = (Arc::new(TaskSlot::default()), Arc::new(AtomicU64::new(0)));
        let (own_slot, own_sum) = (Arc::clone(&slot), Arc::clone(&sum));
        let thread = spawn(move || {
            own_slot.serve(|task| match task {
                0 => Break(()),
                task => {
                    own_sum.store(own_sum.load(Ordering::Relaxed) + task, Ordering::Relaxed);
                    Continue(())
                }
            });
        });
        for (task, expected) in [(1, 1), (10, 11)] {
            slot.give(task);
            slot.wait_until_idle();
            assert_eq!(sum.load(Ordering::Relaxed), expected);
        }
        slot.give(0);
        thread.join().unwrap();
        outcomes.count("done");
    });
}

/// A search without positions: what its threads do to each other is all there is.
struct Search {
    signals: Signals,
    results: HelperResults<usize>,
}

enum Task {
    Search { search: Arc<Search>, tree: Arc<ThreadTree<Task>> },
    Exit,
}

/// What thread `index` of a pool of `threads` does for a search. The main thread counts the
/// helper threads that were woken.
fn search(
    index: usize,
    threads: usize,
    task: &Search,
    tree: &ThreadTree<Task>,
    again: impl Fn() -> Task,
) -> Option<usize> {
    tree.wake_children(index, &task.signals, &task.results, again);
    if index > 0 {
        task.results.add(index);
        return None;
    }
    task.signals.wait_until_answer_allowed();
    task.signals.stop_threads();
    let mut woken = task.results.wait_for(threads - 1);
    woken.sort_unstable();
    woken.dedup();
    task.signals.finish();
    Some(woken.len())
}

/// One thread of a pool, until its exit.
fn serve(index: usize, threads: usize, slot: &TaskSlot<Task>, outcomes: &Outcomes) {
    slot.serve(|task| match task {
        Task::Exit => Break(()),
        Task::Search { search: task, tree } => {
            let again = || Task::Search { search: Arc::clone(&task), tree: Arc::clone(&tree) };
            if let Some(woken) = search(index, threads, &task, &tree, again) {
                outcomes.count(["none woken", "one woken", "two woken"][woken]);
            }
            Continue(())
        }
    });
}

/// A search of `threads` threads that is stopped at any moment, and the end of the pool.
fn stopped_search(outcomes: &Outcomes, threads: usize) {
    let slots: Vec<Arc<TaskSlot<Task>>> = (0..threads).map(|_| Arc::default()).collect();
    let handles: Vec<_> = slots
        .iter()
        .enumerate()
        .map(|(index, slot)| {
            let (slot, outcomes) = (Arc::clone(slot), outcomes.clone());
            spawn(move || serve(index, threads, &slot, &outcomes))
        })
        .collect();
    let signals = Signals::with_time(Wait::UntilStop, || Millis::ZERO);
    let search = Arc::new(Search { signals, results: HelperResults::default() });
    let tree = Arc::new(ThreadTree::new(slots.iter().map(Arc::clone)));
    slots[0].give(Task::Search { search: Arc::clone(&search), tree });
    search.signals.stop();
    wait_until_all_idle(slots.iter().map(|slot| &**slot));
    assert!(search.signals.is_finished(), "all threads sleep, and the search is not finished");
    slots.iter().for_each(|slot| slot.give(Task::Exit));
    handles.into_iter().for_each(|handle| handle.join().unwrap());
}

#[test]
fn a_search_of_two_threads_ends_whenever_it_is_stopped() {
    let expected = ["none woken", "one woken"];
    explore("threads, stop with one helper", Some(3), &expected, |outcomes| {
        stopped_search(outcomes, 2);
    });
}

#[test]
fn a_search_of_three_threads_ends_whenever_it_is_stopped() {
    let expected = ["none woken", "one woken", "two woken"];
    explore("threads, stop with two helpers", Some(2), &expected, |outcomes| {
        stopped_search(outcomes, 3);
    });
}
