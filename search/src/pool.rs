//! The threads: started once, asleep between searches.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use parking_lot::{Condvar, Mutex};

use crate::history::{SHARERS, SharedHistories};
use crate::job::Job;
use crate::memory::Memory;
use crate::tt::Table;

/// The smallest and greatest number of threads.
pub const THREADS_RANGE: core::ops::RangeInclusive<usize> = 1..=1024;

/// Stack of a worker: [`MAX_PLY`](crate::MAX_PLY) nodes, each at most a few KiB even in a
/// build that does not optimize. Only what is used takes memory.
const STACK: usize = 4 << 20;

/// Memory that has to be left over after a thread is made, so that the small needs of
/// the rest of the process, whose failure would be fatal, are met.
const RESERVE: usize = 24 << 20;

/// The number of threads could not be changed; those before are still there.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// The number is outside [`THREADS_RANGE`].
    #[error("{wanted} threads are out of range, it must be from 1 to 1024")]
    Range {
        /// The number asked for.
        wanted: usize,
    },
    /// The system has no memory for so many.
    #[error("no memory for {wanted} threads; keeping {kept}")]
    Memory {
        /// The number asked for.
        wanted: usize,
        /// The number in force.
        kept: usize,
    },
    /// The system starts no more threads.
    #[error("the system refuses {wanted} threads; keeping {kept}")]
    Spawn {
        /// The number asked for.
        wanted: usize,
        /// The number in force.
        kept: usize,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

/// Something for a thread to do.
pub(crate) enum Task {
    /// Take part in a search, and wake others for it.
    Search { job: Arc<Job>, crew: Arc<Crew> },
    /// Forget what was learned in earlier searches.
    Forget,
    /// Empty a part of the table.
    Clear { table: Arc<Table>, part: usize, parts: usize },
    /// End the thread.
    Quit,
}

#[derive(Default)]
struct Slot {
    task: Option<Task>,
    busy: bool,
}

/// Where a thread waits for its tasks, one at a time.
#[derive(Default)]
struct Mailbox {
    slot: Mutex<Slot>,
    changed: Condvar,
}

impl Mailbox {
    fn give(&self, task: Task) {
        let mut slot = self.slot.lock();
        debug_assert!(!slot.busy, "a thread is given one task at a time");
        *slot = Slot { task: Some(task), busy: true };
        self.changed.notify_all();
    }

    fn take(&self) -> Task {
        let mut slot = self.slot.lock();
        loop {
            if let Some(task) = slot.task.take() {
                return task;
            }
            self.changed.wait(&mut slot);
        }
    }

    fn done(&self) {
        self.slot.lock().busy = false;
        self.changed.notify_all();
    }

    fn wait_until_idle(&self) {
        let mut slot = self.slot.lock();
        while slot.busy {
            self.changed.wait(&mut slot);
        }
    }
}

/// All threads, as they know each other: where to wake whom.
pub(crate) struct Crew(Box<[Arc<Mailbox>]>);

impl Crew {
    /// The two threads, at most, that the given one has to wake.
    fn to_wake(&self, index: usize) -> core::ops::Range<usize> {
        let end = self.0.len();
        (2 * index + 1).min(end)..(2 * index + 3).min(end)
    }

    /// How many threads would be woken by the given one and those it wakes, itself included.
    fn followers(&self, index: usize) -> usize {
        if index >= self.0.len() {
            return 0;
        }
        1 + self.to_wake(index).map(|next| self.followers(next)).sum::<usize>()
    }
}

/// Wakes the threads below one in the tree when it is dropped. Waking takes time: with
/// very many threads no single one could do it soon enough.
pub(crate) struct Call<'a> {
    job: &'a Arc<Job>,
    crew: &'a Arc<Crew>,
    /// The thread that calls.
    index: usize,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        for next in self.crew.to_wake(self.index) {
            if self.job.control.halted() {
                // Too late to be of any help.
                self.job.excuse(self.crew.followers(next));
            } else {
                let (job, crew) = (Arc::clone(self.job), Arc::clone(self.crew));
                self.crew.0[next].give(Task::Search { job, crew });
            }
        }
    }
}

struct Worker {
    mailbox: Arc<Mailbox>,
    shared: Arc<SharedHistories>,
    handle: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread. If it is of the group of the `previous` one, they share tables.
    fn start(
        index: usize,
        previous: Option<&Self>,
        (wanted, kept): (usize, usize),
    ) -> Result<Self, ThreadsError> {
        let no_memory = || ThreadsError::Memory { wanted, kept };
        let shared = match previous.filter(|_| !index.is_multiple_of(SHARERS)) {
            Some(previous) => Arc::clone(&previous.shared),
            None => Arc::new(SharedHistories::new().ok_or_else(no_memory)?),
        };
        let memory = Memory::new(index, Arc::clone(&shared)).ok_or_else(no_memory)?;
        Vec::<u8>::new().try_reserve_exact(RESERVE).map_err(|_| no_memory())?;
        let mailbox = Arc::new(Mailbox::default());
        let own = Arc::clone(&mailbox);
        let handle = Builder::new()
            .name(format!("search {index}"))
            .stack_size(STACK)
            .spawn(move || live(&own, memory))
            .map_err(|source| ThreadsError::Spawn { wanted, kept, source })?;
        Ok(Self { mailbox, shared, handle: Some(handle) })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.mailbox.wait_until_idle();
        self.mailbox.give(Task::Quit);
        if let Some(handle) = self.handle.take() {
            // A thread that panicked outside a search has nothing left to tell.
            let _ = handle.join();
        }
    }
}

/// The life of a thread.
fn live(mailbox: &Mailbox, mut memory: Memory) {
    loop {
        match mailbox.take() {
            Task::Search { job, crew } => {
                let call = Call { job: &job, crew: &crew, index: memory.thread };
                let search = AssertUnwindSafe(|| crate::drive::run(&job, &mut memory, call));
                // The search catches its own panics; this is for those of the observer
                // while it is told the end, after which there is nothing left to do.
                let _ = catch_unwind(search);
            }
            Task::Forget => memory.forget(),
            Task::Clear { table, part, parts } => table.clear(part, parts),
            Task::Quit => return,
        }
        mailbox.done();
    }
}

/// All threads of an engine.
pub(crate) struct Pool {
    workers: Vec<Worker>,
}

impl Pool {
    pub fn new(threads: usize) -> Result<Self, ThreadsError> {
        let mut pool = Self { workers: Vec::new() };
        pool.resize(threads)?;
        Ok(pool)
    }

    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// Starts or ends threads until there are `wanted`; on failure there are as many as before.
    pub fn resize(&mut self, wanted: usize) -> Result<(), ThreadsError> {
        if !THREADS_RANGE.contains(&wanted) {
            return Err(ThreadsError::Range { wanted });
        }
        let kept = self.len();
        let mut fresh: Vec<Worker> = Vec::new();
        for index in kept..wanted {
            let previous = fresh.last().or(self.workers.last());
            fresh.push(Worker::start(index, previous, (wanted, kept))?);
        }
        self.workers.extend(fresh);
        self.workers.truncate(wanted);
        Ok(())
    }

    /// Starts a search: wakes the first thread, which sees to the others.
    pub fn search(&self, job: Arc<Job>) {
        let crew = self.workers.iter().map(|worker| Arc::clone(&worker.mailbox)).collect();
        if let Some(first) = self.workers.first() {
            first.mailbox.give(Task::Search { job, crew: Arc::new(Crew(crew)) });
        }
    }

    /// Gives every thread the task that belongs to its index, without waiting.
    pub fn give_all(&self, mut task: impl FnMut(usize) -> Task) {
        for (index, worker) in self.workers.iter().enumerate() {
            worker.mailbox.give(task(index));
        }
    }

    /// Blocks until all threads are asleep.
    ///
    /// In the order of their numbers: a thread wakes only those after it, so that none can
    /// be woken any more once all before it sleep.
    pub fn wait_until_idle(&self) {
        for worker in &self.workers {
            worker.mailbox.wait_until_idle();
        }
    }
}
