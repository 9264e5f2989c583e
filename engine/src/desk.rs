//! What the reader of the input and the session share about the searches asked for.

use std::collections::VecDeque;

use parking_lot::Mutex;
use tamarin_search::Controls;

/// Names one `go` of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket(u64);

/// How the search of a `go` can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself: it has a depth, nodes, a time or a clock.
    ByItself,
    /// Not before `ponderhit`; then by itself.
    AfterPonderHit,
    /// Only by `stop`, or practically so.
    ByStop,
}

/// The searches asked for and not yet answered, oldest first.
///
/// The reader of the input acts on `stop` and `ponderhit` the moment it reads them, and the
/// session may not even have begun the search they mean. So each `go` gets a ticket when it is
/// read, and what comes too early is kept with the ticket: no `stop` is ever lost, and none
/// hits a `go` that came after it.
#[derive(Default)]
pub struct Desk {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    orders: VecDeque<Order>,
    /// The controls of the oldest order, once its search is under way.
    running: Option<Controls>,
    issued: u64,
}

struct Order {
    ticket: Ticket,
    ending: Ending,
    stopped: bool,
    ponder_hit: bool,
}

impl State {
    fn stop_at(&mut self, index: usize) {
        self.orders[index].stopped = true;
        if index == 0
            && let Some(controls) = &self.running
        {
            controls.stop();
        }
    }

    fn stop_where(&mut self, wanted: impl Fn(&Order) -> bool) {
        for index in 0..self.orders.len() {
            if wanted(&self.orders[index]) {
                self.stop_at(index);
            }
        }
    }
}

impl Desk {
    /// Notes a `go` that was just read.
    pub fn order(&self, ending: Ending) -> Ticket {
        let mut state = self.state.lock();
        state.issued += 1;
        let ticket = Ticket(state.issued);
        state.orders.push_back(Order { ticket, ending, stopped: false, ponder_hit: false });
        ticket
    }

    /// Is a search under way?
    pub fn is_running(&self) -> bool {
        self.state.lock().running.is_some()
    }

    /// `stop`: ends the oldest search not stopped yet, and every other that would not end by
    /// itself, because whoever sent it expects the engine to come to rest.
    pub fn stop(&self) {
        let mut state = self.state.lock();
        if let Some(oldest) = state.orders.iter().position(|order| !order.stopped) {
            state.stop_at(oldest);
        }
        state.stop_where(|order| order.ending != Ending::ByItself);
    }

    /// End of input: no `stop` can come any more.
    pub fn stop_endless(&self) {
        self.state.lock().stop_where(|order| order.ending != Ending::ByItself);
    }

    /// `quit`: ends all of them.
    pub fn stop_all(&self) {
        self.state.lock().stop_where(|_| true);
    }

    /// Would any search asked for go on without end?
    pub fn is_endless(&self) -> bool {
        let state = self.state.lock();
        state.orders.iter().any(|order| !order.stopped && order.ending != Ending::ByItself)
    }

    /// `ponderhit`: the oldest pondering search goes on as an ordinary one.
    pub fn ponder_hit(&self) {
        let mut state = self.state.lock();
        let pondering = |order: &Order| !order.stopped && order.ending == Ending::AfterPonderHit;
        let Some(index) = state.orders.iter().position(pondering) else { return };
        state.orders[index].ponder_hit = true;
        state.orders[index].ending = Ending::ByItself;
        if index == 0
            && let Some(controls) = &state.running
        {
            controls.ponder_hit();
        }
    }

    /// The search of the oldest order is under way; what came too early reaches it now.
    pub fn begin(&self, ticket: Ticket, controls: Controls) {
        let mut state = self.state.lock();
        let Some(order) = state.orders.front() else { return };
        if order.ticket != ticket {
            return; // It has ended already.
        }
        if order.ponder_hit {
            controls.ponder_hit();
        }
        if order.stopped {
            controls.stop();
        }
        state.running = Some(controls);
    }

    /// The oldest order is about to be answered.
    pub fn end(&self, ticket: Ticket) {
        let mut state = self.state.lock();
        if state.orders.front().is_some_and(|order| order.ticket == ticket) {
            state.orders.pop_front();
            state.running = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Desk, Ending, Ticket};

    /// Which of the orders still on the desk are stopped.
    fn stopped(desk: &Desk) -> Vec<bool> {
        desk.state.lock().orders.iter().map(|order| order.stopped).collect()
    }

    fn desk(endings: &[Ending]) -> (Desk, Vec<Ticket>) {
        let desk = Desk::default();
        let tickets = endings.iter().map(|ending| desk.order(*ending)).collect();
        (desk, tickets)
    }

    #[test]
    fn stop_before_any_go_is_forgotten() {
        let (desk, _) = desk(&[]);
        desk.stop();
        desk.order(Ending::ByItself);
        assert_eq!(stopped(&desk), [false]);
    }

    #[test]
    fn each_stop_ends_the_oldest_that_still_runs() {
        let (desk, tickets) = desk(&[Ending::ByItself; 3]);
        desk.stop();
        assert_eq!(stopped(&desk), [true, false, false]);
        desk.stop();
        assert_eq!(stopped(&desk), [true, true, false]);
        desk.end(tickets[0]);
        desk.end(tickets[1]);
        desk.stop();
        assert_eq!(stopped(&desk), [true]);
    }

    #[test]
    fn stop_leaves_a_queued_bounded_search_alone_but_no_endless_one() {
        let (desk, _) = desk(&[Ending::ByStop, Ending::ByItself, Ending::ByStop]);
        desk.stop();
        assert_eq!(stopped(&desk), [true, false, true]);
    }

    #[test]
    fn end_of_input_stops_what_would_never_end() {
        let (desk, _) = desk(&[Ending::ByItself, Ending::AfterPonderHit, Ending::ByStop]);
        assert!(desk.is_endless());
        desk.stop_endless();
        assert_eq!(stopped(&desk), [false, true, true]);
        assert!(!desk.is_endless());
        desk.stop_all();
        assert_eq!(stopped(&desk), [true, true, true]);
    }

    #[test]
    fn ponderhit_makes_the_oldest_pondering_search_an_ordinary_one() {
        let (desk, _) = desk(&[Ending::ByItself, Ending::AfterPonderHit, Ending::AfterPonderHit]);
        desk.ponder_hit();
        desk.stop_endless();
        assert_eq!(stopped(&desk), [false, false, true]);
    }

    #[test]
    fn only_the_oldest_order_can_end() {
        let (desk, tickets) = desk(&[Ending::ByItself; 2]);
        desk.end(tickets[1]);
        assert_eq!(stopped(&desk).len(), 2);
        desk.end(tickets[0]);
        desk.end(tickets[0]);
        assert_eq!(stopped(&desk).len(), 1);
    }
}
