//! What reaches the session, in the order in which it is carried out.

use std::collections::VecDeque;

use crossbeam::channel::{Receiver, Sender, unbounded};

/// What the reader of the input and the search tell the session. `R` is what the protocol in use
/// can ask for.
pub enum Event<R> {
    /// The input asks for something.
    Request(R),
    /// The running search has its move and is about to print it.
    SearchFinished,
}

/// The session's end of the channel. Requests that come during a search wait here.
pub struct Inbox<R> {
    events: Receiver<Event<R>>,
    /// What came while a search ran, oldest first.
    waiting: VecDeque<R>,
}

impl<R> Inbox<R> {
    /// An empty inbox, and the other end of its channel.
    pub fn new() -> (Sender<Event<R>>, Self) {
        let (sender, events) = unbounded();
        (sender, Self { events, waiting: VecDeque::new() })
    }

    /// The oldest request; waits for one. `None` when none can come any more.
    pub fn receive(&mut self) -> Option<R> {
        if let Some(request) = self.waiting.pop_front() {
            return Some(request);
        }
        loop {
            match self.events.recv() {
                Ok(Event::Request(request)) => return Some(request),
                // From a search whose end nobody waited for, because the session panicked.
                Ok(Event::SearchFinished) => {}
                Err(_) => return None,
            }
        }
    }

    /// The oldest request, if one is there already.
    pub fn receive_now(&mut self) -> Option<R> {
        if let Some(request) = self.waiting.pop_front() {
            return Some(request);
        }
        loop {
            match self.events.try_recv() {
                Ok(Event::Request(request)) => return Some(request),
                Ok(Event::SearchFinished) => {}
                Err(_) => return None,
            }
        }
    }

    /// As [`Self::wait_for_search`], but `answer` is given first what waits already.
    pub fn attend_search(&mut self, mut answer: impl FnMut(R) -> Option<R>) {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting.extend(waiting.into_iter().filter_map(&mut answer));
        self.wait_for_search(answer);
    }

    /// Waits until the running search has its move. `answer` is given each request that comes
    /// meanwhile, and gives back those that have to wait until the search has ended.
    pub fn wait_for_search(&mut self, mut answer: impl FnMut(R) -> Option<R>) {
        while let Ok(Event::Request(request)) = self.events.recv() {
            self.waiting.extend(answer(request));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Inbox};

    #[test]
    fn requests_during_a_search_are_answered_or_wait_in_order() {
        let (sender, mut inbox) = Inbox::new();
        for number in 1..=4 {
            sender.send(Event::Request(number)).expect("the inbox is there");
        }
        sender.send(Event::SearchFinished).expect("the inbox is there");
        sender.send(Event::Request(5)).expect("the inbox is there");
        drop(sender);
        let mut answered = Vec::new();
        inbox.wait_for_search(|number| {
            if number == 2 {
                answered.push(number);
                return None;
            }
            Some(number)
        });
        assert_eq!(answered, [2]);
        let later: Vec<_> = std::iter::from_fn(|| inbox.receive()).collect();
        assert_eq!(later, [1, 3, 4, 5]);
    }

    #[test]
    fn a_search_that_is_attended_hears_of_what_waited_before() {
        let (sender, mut inbox) = Inbox::new();
        sender.send(Event::Request("force")).expect("the inbox is there");
        sender.send(Event::SearchFinished).expect("the inbox is there");
        inbox.wait_for_search(Some);
        sender.send(Event::Request("ping")).expect("the inbox is there");
        sender.send(Event::SearchFinished).expect("the inbox is there");
        let mut heard = Vec::new();
        inbox.attend_search(|request| {
            heard.push(request);
            (request == "force").then_some(request)
        });
        assert_eq!(heard, ["force", "ping"]);
        assert_eq!(inbox.receive_now(), Some("force"));
        assert_eq!(inbox.receive_now(), None);
    }

    #[test]
    fn the_end_of_a_search_that_nobody_waits_for_is_passed_over() {
        let (sender, mut inbox) = Inbox::new();
        sender.send(Event::SearchFinished).expect("the inbox is there");
        sender.send(Event::Request("isready")).expect("the inbox is there");
        assert_eq!(inbox.receive(), Some("isready"));
        drop(sender);
        assert_eq!(inbox.receive(), None);
    }
}
