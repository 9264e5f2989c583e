//! The `go` commands that have been read and not yet answered.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex};
use tamarin_search::Controls;

/// Identifies one `go` command: its number, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoId(u64);

/// How the search of a `go` can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself: it has a limit, such as a depth or a clock.
    ByItself,
    /// Not before `ponderhit`; then by itself.
    AfterPonderHit,
    /// Only by `stop`, or at the greatest depth.
    ByStop,
    /// Not before `ponderhit`; then as [`Self::ByStop`].
    ByStopAfterPonderHit,
}

impl Ending {
    /// How it can end after `ponderhit`; `None` if it does not ponder.
    const fn after_ponder_hit(self) -> Option<Self> {
        match self {
            Self::AfterPonderHit => Some(Self::ByItself),
            Self::ByStopAfterPonderHit => Some(Self::ByStop),
            Self::ByItself | Self::ByStop => None,
        }
    }
}

/// The pending `go` commands, oldest first: read, and not yet answered.
///
/// The reader thread acts on `stop` and `ponderhit` the moment it reads them, possibly before
/// the session has started the search they belong to. So each `go` is queued when it is read,
/// and a `stop` or `ponderhit` that comes before its search has started is recorded in the
/// queue: no `stop` is lost, and none ends a `go` that was sent after it.
#[derive(Default)]
pub struct SearchQueue {
    state: Mutex<State>,
    /// Notified after each change but the arrival of a `go`.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    pending: VecDeque<PendingGo>,
    /// The controls of the oldest pending `go`, once its search has started.
    running: Option<Controls>,
    /// How many `go` commands were queued so far.
    queued: u64,
}

struct PendingGo {
    id: GoId,
    ending: Ending,
    stopped: bool,
    ponder_hit: bool,
}

impl State {
    fn has_unbounded(&self) -> bool {
        self.pending.iter().any(|go| !go.stopped && go.ending != Ending::ByItself)
    }

    fn stop_at(&mut self, index: usize) {
        self.pending[index].stopped = true;
        if index == 0
            && let Some(controls) = &self.running
        {
            controls.stop();
        }
    }

    fn stop_where(&mut self, wanted: impl Fn(&PendingGo) -> bool) {
        for index in 0..self.pending.len() {
            if wanted(&self.pending[index]) {
                self.stop_at(index);
            }
        }
    }
}

impl SearchQueue {
    /// Queues a `go` that was just read.
    pub fn push(&self, ending: Ending) -> GoId {
        let mut state = self.state.lock();
        state.queued += 1;
        let id = GoId(state.queued);
        state.pending.push_back(PendingGo { id, ending, stopped: false, ponder_hit: false });
        id
    }

    /// The `go` that was queued last is not carried out.
    pub fn withdraw(&self, id: GoId) {
        self.change(|state| {
            state.pending.pop_back_if(|last| last.id == id);
        });
    }

    /// Returns `true` if this `go` is still to be answered.
    pub fn is_pending(&self, id: GoId) -> bool {
        self.state.lock().pending.iter().any(|go| go.id == id)
    }

    /// Returns `true` if a search is running.
    pub fn is_running(&self) -> bool {
        self.state.lock().running.is_some()
    }

    /// `stop`: ends the oldest search not stopped yet, and every other that would not end by
    /// itself: a client that sends `stop` expects the engine to become idle.
    pub fn stop(&self) {
        self.change(|state| {
            if let Some(oldest) = state.pending.iter().position(|go| !go.stopped) {
                state.stop_at(oldest);
            }
            state.stop_where(|go| go.ending != Ending::ByItself);
        });
    }

    /// End of input: no `stop` can come any more.
    pub fn stop_unbounded(&self) {
        self.change(|state| state.stop_where(|go| go.ending != Ending::ByItself));
    }

    /// `quit`: ends all of them.
    pub fn stop_all(&self) {
        self.change(|state| state.stop_where(|_| true));
    }

    /// Returns `true` if there is a `go`, not stopped yet, whose search does not end by itself.
    pub fn has_unbounded(&self) -> bool {
        self.state.lock().has_unbounded()
    }

    /// Returns `true` if there is a `go`, not stopped yet, whose search ends by itself.
    pub fn has_bounded(&self) -> bool {
        self.state.lock().pending.iter().any(|go| !go.stopped && go.ending == Ending::ByItself)
    }

    /// Waits until there is no `go` that [`has_unbounded`](Self::has_unbounded) speaks of.
    pub fn wait_until_bounded(&self) {
        self.changed.wait_while(&mut self.state.lock(), |state| state.has_unbounded());
    }

    /// `ponderhit`: the oldest pondering search goes on as an ordinary one.
    pub fn ponder_hit(&self) {
        self.change(|state| {
            let after = |go: &PendingGo| go.ending.after_ponder_hit().filter(|_| !go.stopped);
            let mut pending = state.pending.iter().enumerate();
            let found = pending.find_map(|(index, go)| Some((index, after(go)?)));
            let Some((index, ending)) = found else { return };
            state.pending[index].ponder_hit = true;
            state.pending[index].ending = ending;
            if index == 0
                && let Some(controls) = &state.running
            {
                controls.ponder_hit();
            }
        });
    }

    /// The search of the oldest `go` has started; a `stop` or `ponderhit` that was read before
    /// reaches it now.
    pub fn started(&self, id: GoId, controls: Controls) {
        let mut state = self.state.lock();
        let Some(go) = state.pending.front() else { return };
        if go.id != id {
            return; // It has ended already.
        }
        if go.ponder_hit {
            controls.ponder_hit();
        }
        if go.stopped {
            controls.stop();
        }
        state.running = Some(controls);
    }

    /// The oldest `go` is about to be answered: it leaves the queue.
    pub fn answered(&self, id: GoId) {
        self.change(|state| {
            if state.pending.front().is_some_and(|go| go.id == id) {
                state.pending.pop_front();
                state.running = None;
            }
        });
    }

    /// Changes the state, and notifies the threads that wait for a change.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock());
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::{Ending, GoId, SearchQueue};
    use std::sync::Arc;
    use tamarin_search::{Controls, Wait};
    use tamarin_variant_search::Signals;

    /// Which of the pending `go`s are stopped.
    fn stopped(queue: &SearchQueue) -> Vec<bool> {
        queue.state.lock().pending.iter().map(|go| go.stopped).collect()
    }

    fn filled(endings: &[Ending]) -> (SearchQueue, Vec<GoId>) {
        let queue = SearchQueue::default();
        let ids = endings.iter().map(|ending| queue.push(*ending)).collect();
        (queue, ids)
    }

    #[test]
    fn stop_before_any_go_is_forgotten() {
        let (queue, _) = filled(&[]);
        queue.stop();
        queue.push(Ending::ByItself);
        assert_eq!(stopped(&queue), [false]);
    }

    #[test]
    fn each_stop_ends_the_oldest_not_stopped_yet() {
        let (queue, ids) = filled(&[Ending::ByItself; 3]);
        queue.stop();
        assert_eq!(stopped(&queue), [true, false, false]);
        queue.stop();
        assert_eq!(stopped(&queue), [true, true, false]);
        queue.answered(ids[0]);
        queue.answered(ids[1]);
        queue.stop();
        assert_eq!(stopped(&queue), [true]);
    }

    #[test]
    fn stop_ends_queued_unbounded_searches_and_leaves_bounded_ones() {
        let (queue, _) = filled(&[Ending::ByStop, Ending::ByItself, Ending::ByStop]);
        queue.stop();
        assert_eq!(stopped(&queue), [true, false, true]);
    }

    #[test]
    fn end_of_input_stops_unbounded_searches() {
        let (queue, _) = filled(&[Ending::ByItself, Ending::AfterPonderHit, Ending::ByStop]);
        assert!(queue.has_unbounded());
        queue.stop_unbounded();
        assert_eq!(stopped(&queue), [false, true, true]);
        assert!(!queue.has_unbounded());
        queue.stop_all();
        assert_eq!(stopped(&queue), [true, true, true]);
    }

    #[test]
    fn ponderhit_makes_the_oldest_pondering_search_an_ordinary_one() {
        let (queue, _) =
            filled(&[Ending::ByItself, Ending::AfterPonderHit, Ending::AfterPonderHit]);
        queue.ponder_hit();
        queue.stop_unbounded();
        assert_eq!(stopped(&queue), [false, false, true]);
        let (queue, _) = filled(&[Ending::ByStop, Ending::ByStopAfterPonderHit]);
        queue.ponder_hit();
        assert!(queue.state.lock().pending[1].ponder_hit);
        queue.stop_unbounded();
        assert_eq!(stopped(&queue), [true, true]);
    }

    #[test]
    fn what_was_read_before_its_search_has_started_reaches_it() {
        let started = |read: fn(&SearchQueue)| {
            let (queue, ids) = filled(&[Ending::AfterPonderHit]);
            read(&queue);
            let signals = Arc::new(Signals::new(Wait::Ponder));
            queue.started(ids[0], Controls::from(Arc::clone(&signals)));
            (signals.stopped(), signals.clock_start().is_some())
        };
        assert_eq!(started(|_| ()), (false, false));
        assert_eq!(started(SearchQueue::stop), (true, false));
        assert_eq!(started(SearchQueue::ponder_hit), (false, true));
    }

    #[test]
    fn only_the_oldest_go_can_be_answered() {
        let (queue, ids) = filled(&[Ending::ByItself; 2]);
        queue.answered(ids[1]);
        assert_eq!(stopped(&queue).len(), 2);
        queue.answered(ids[0]);
        queue.answered(ids[0]);
        assert_eq!(stopped(&queue).len(), 1);
    }

    #[test]
    fn a_go_that_is_withdrawn_leaves_the_others() {
        let (queue, ids) = filled(&[Ending::ByStop; 2]);
        let ids = [ids[0], ids[1]];
        queue.withdraw(ids[0]);
        assert!(ids.iter().all(|id| queue.is_pending(*id)), "only the last can be withdrawn");
        queue.withdraw(ids[1]);
        assert_eq!(ids.map(|id| queue.is_pending(id)), [true, false]);
    }
}
