//! The thread pool: threads are started once and sleep between searches.

use core::ops::ControlFlow;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
#[cfg(not(target_family = "wasm"))]
use std::thread::{Builder, JoinHandle};

use tamarin_base::memory::has_reserve;
use tamarin_base::wait_until_all_idle;
use tamarin_eval::network::{AccumulatorStack, Network};

use crate::history::{SharedHistories, THREADS_PER_GROUP, ThreadHistories};
use crate::threads::data::ThreadData;
use crate::threads::run::run_search;
use crate::threads::shared::SharedState;
use crate::threads::wake::{Children, Task, TaskSlot, ThreadTree};
use crate::tt::TranspositionTable;

/// The smallest and greatest number of threads. WebAssembly has no other than the caller's.
pub const THREADS_RANGE: core::ops::RangeInclusive<usize> =
    1..=if cfg!(target_family = "wasm") { 1 } else { 1024 };

/// Bytes of stack a search takes at most: [`MAX_PLY`](tamarin_base::types::MAX_PLY) nodes, each at most a few KiB
/// even in a build that does not optimize. Only what is used takes memory.
#[cfg(not(target_family = "wasm"))]
const SEARCH_STACK: usize = 4 << 20;

/// The number of threads could not be changed; those before are still there.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// The number is outside [`THREADS_RANGE`].
    #[error("{wanted} threads are out of range, it must be from 1 to {}", THREADS_RANGE.end())]
    Range {
        /// The number asked for.
        wanted: usize,
    },
    /// The system has no memory for the threads.
    #[error("no memory for {wanted} threads")]
    Memory {
        /// The number asked for.
        wanted: usize,
        /// The number that is kept.
        kept: usize,
    },
    /// The system starts no more threads.
    #[error("the system refuses {wanted} threads")]
    Spawn {
        /// The number asked for.
        wanted: usize,
        /// The number that is kept.
        kept: usize,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

/// The network could not be used; the evaluator before it still is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for the accumulators of the network in {threads} threads")]
pub struct NetworkMemoryError {
    /// The number of threads, each of which has its own.
    pub threads: usize,
}

/// A change of the number of threads, as its errors have to name it.
#[derive(Clone, Copy)]
struct Resize {
    wanted: usize,
    kept: usize,
}

impl Resize {
    fn no_memory(self) -> ThreadsError {
        ThreadsError::Memory { wanted: self.wanted, kept: self.kept }
    }

    fn refused(self, source: io::Error) -> ThreadsError {
        ThreadsError::Spawn { wanted: self.wanted, kept: self.kept, source }
    }
}

/// A thread that was started. Dropping it waits for its task and ends it.
struct PooledThread {
    slot: Arc<TaskSlot>,
    own_histories: Arc<ThreadHistories>,
    histories: Arc<SharedHistories>,
    #[cfg(not(target_family = "wasm"))]
    handle: Option<JoinHandle<()>>,
    #[cfg(target_family = "wasm")]
    data: parking_lot::Mutex<ThreadData>,
}

impl PooledThread {
    /// Starts a thread. If it is of the group of the `previous` one, they share histories.
    fn start(
        index: usize,
        previous: Option<&Self>,
        network: Option<&Arc<Network>>,
        resize: Resize,
    ) -> Result<Self, ThreadsError> {
        let no_memory = || resize.no_memory();
        let histories = match previous.filter(|_| !index.is_multiple_of(THREADS_PER_GROUP)) {
            Some(previous) => Arc::clone(&previous.histories),
            None => Arc::new(SharedHistories::new().ok_or_else(no_memory)?),
        };
        let data = ThreadData::new(index, Arc::clone(&histories), network);
        let data = data.filter(|_| has_reserve()).ok_or_else(no_memory)?;
        let own_histories = Arc::clone(&data.histories);
        let slot = Arc::new(TaskSlot::default());
        #[cfg(not(target_family = "wasm"))]
        let handle = {
            let own_slot = Arc::clone(&slot);
            Builder::new()
                .name(format!("search {index}"))
                .stack_size(SEARCH_STACK)
                .spawn(move || idle_loop(&own_slot, data))
                .map_err(|source| resize.refused(source))?
        };
        Ok(Self {
            slot,
            own_histories,
            histories,
            #[cfg(not(target_family = "wasm"))]
            handle: Some(handle),
            #[cfg(target_family = "wasm")]
            data: data.into(),
        })
    }

    /// Wakes the thread for a task.
    fn give(&self, task: Task) {
        #[cfg(not(target_family = "wasm"))]
        self.slot.give(task);
        #[cfg(target_family = "wasm")]
        let _ = perform(&mut self.data.lock(), task);
    }
}

#[cfg(not(target_family = "wasm"))]
impl Drop for PooledThread {
    fn drop(&mut self) {
        self.slot.wait_until_idle();
        self.slot.give(Task::Exit);
        if let Some(handle) = self.handle.take() {
            // A thread that panicked outside a search has nothing left to tell.
            let _ = handle.join();
        }
    }
}

/// How much nicer the threads are for which there is no processor.
#[cfg(target_os = "linux")]
const BEYOND_CORES_NICE: i32 = 10;

/// Lets threads for which there is no processor run only when the others leave one: among a
/// thousand equals the thread that reads `stop` would wait for its turn for half a second and
/// more. Linux only, where a thread has a niceness of its own.
fn give_way_beyond_cores(thread: usize) {
    #[cfg(target_os = "linux")]
    if std::thread::available_parallelism().is_ok_and(|cores| thread >= cores.get()) {
        // A refusal costs nothing but the wait.
        let _ = rustix::process::getpriority_process(None).and_then(|niceness| {
            rustix::process::setpriority_process(None, niceness + BEYOND_CORES_NICE)
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = thread;
}

/// Does one task after the other, and sleeps between them.
#[cfg(not(target_family = "wasm"))]
fn idle_loop(slot: &TaskSlot, mut data: ThreadData) {
    give_way_beyond_cores(data.thread);
    slot.serve(|task| perform(&mut data, task));
}

fn perform(data: &mut ThreadData, task: Task) -> ControlFlow<()> {
    match task {
        Task::Search { shared, tree } => {
            let children = Children::new(&shared, &tree, data.thread);
            let search = AssertUnwindSafe(|| run_search(&shared, data, &children));
            // The search catches its own panics; this is for those of the observer
            // while it is informed of the end, after which there is nothing left to do.
            let _ = catch_unwind(search);
        }
        Task::SetNetwork(accumulators) => {
            data.evaluator.set_network(accumulators.map(|stack| *stack));
        }
        Task::ClearData => data.clear(),
        Task::ClearTable { table, part, parts } => table.clear(part, parts),
        Task::Exit => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

/// All threads of an engine, the main thread first.
pub(crate) struct ThreadPool {
    threads: Vec<PooledThread>,
    /// What evaluates; `None` is the hand-crafted terms.
    network: Option<Arc<Network>>,
}

impl ThreadPool {
    /// Starts the threads, which evaluate by the hand-crafted terms.
    pub fn new(threads: usize) -> Result<Self, ThreadsError> {
        let mut pool = Self { threads: Vec::new(), network: None };
        pool.resize(threads)?;
        Ok(pool)
    }

    /// How many threads there are.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Starts or ends threads until there are `wanted`; on failure there are as many as before.
    pub fn resize(&mut self, wanted: usize) -> Result<(), ThreadsError> {
        if !THREADS_RANGE.contains(&wanted) {
            return Err(ThreadsError::Range { wanted });
        }
        let resize = Resize { wanted, kept: self.len() };
        let mut started: Vec<PooledThread> = Vec::new();
        for index in resize.kept..wanted {
            let previous = started.last().or(self.threads.last());
            started.push(PooledThread::start(index, previous, self.network.as_ref(), resize)?);
        }
        self.threads.extend(started);
        self.threads.truncate(wanted);
        Ok(())
    }

    /// What evaluates; `None` is the hand-crafted terms.
    pub const fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// Evaluates by this network, or by the hand-crafted terms without one; on failure as before.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), NetworkMemoryError> {
        let mut accumulators = Vec::new();
        if let Some(network) = &network {
            let error = NetworkMemoryError { threads: self.len() };
            for _ in &self.threads {
                let stack = AccumulatorStack::new(Arc::clone(network));
                accumulators.push(Box::new(stack.ok_or(error)?));
            }
            if !has_reserve() {
                return Err(error);
            }
        }
        self.run_in_all(|_| Task::SetNetwork(accumulators.pop()));
        self.network = network;
        Ok(())
    }

    /// The histories of each thread.
    pub fn own_histories(&self) -> impl Iterator<Item = &ThreadHistories> {
        self.threads.iter().map(|thread| &*thread.own_histories)
    }

    /// The histories of each group of threads.
    pub fn shared_histories(&self) -> impl Iterator<Item = &SharedHistories> {
        self.threads.iter().step_by(THREADS_PER_GROUP).map(|thread| &*thread.histories)
    }

    /// Starts a search: wakes the main thread, which sees to the others.
    pub fn search(&self, shared: Arc<SharedState>) {
        let tree = ThreadTree::new(self.threads.iter().map(|thread| Arc::clone(&thread.slot)));
        if let Some(main) = self.threads.first() {
            main.give(Task::Search { shared, tree: Arc::new(tree) });
        }
    }

    /// Forgets what was learned in earlier searches, in all threads.
    pub fn clear_data(&self) {
        self.run_in_all(|_| Task::ClearData);
    }

    /// Empties the table, each thread a part of it.
    pub fn clear_table(&self, table: &Arc<TranspositionTable>) {
        let parts = self.len();
        self.run_in_all(|part| Task::ClearTable { table: Arc::clone(table), part, parts });
    }

    /// Gives every thread the task for its index, and waits until all are done.
    fn run_in_all(&self, mut task: impl FnMut(usize) -> Task) {
        for (index, thread) in self.threads.iter().enumerate() {
            thread.give(task(index));
        }
        self.wait_until_idle();
    }

    /// Blocks until all threads are asleep.
    pub fn wait_until_idle(&self) {
        wait_until_all_idle(self.threads.iter().map(|thread| &*thread.slot));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use rustix::process::getpriority_process;

    use super::*;

    #[test]
    fn threads_beyond_the_processors_give_way() {
        let niceness = |index| {
            let own = move || {
                give_way_beyond_cores(index);
                getpriority_process(None).unwrap()
            };
            thread::spawn(own).join().unwrap()
        };
        let cores = thread::available_parallelism().unwrap().get();
        let before = getpriority_process(None).unwrap();
        assert_eq!(niceness(cores - 1), before);
        let greatest = 19;
        assert_eq!(niceness(cores), (before + BEYOND_CORES_NICE).min(greatest));
    }
}
