//! What reaches the session, in the order in which it is carried out, in bounded memory.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;

use crate::memory::has_reserve;

/// The most memory that waiting requests take, in bytes: 64 MiB.
const ROOM: usize = 64 << 20;

/// How much of it is kept for urgent requests.
const URGENT_ROOM: usize = 1 << 20;

/// What a request takes beside its text, in bytes.
const OVERHEAD: usize = 512;

/// After this number of bytes it is asked again whether the system has memory left.
const STEP: usize = 1 << 20;

/// What the session can be asked for.
pub trait Waiting {
    /// Marks the place in the order at which requests were skipped for want of room.
    const SKIPPED: Self;
}

/// Whether a request is taken when there is no room for others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// No.
    Ordinary,
    /// As long as the room that is kept for such requests lasts.
    Urgent,
    /// Always: it ends the session.
    Final,
}

/// What the reader of the input and the search tell the session. `R` is what the protocol in use
/// can ask for.
enum Event<R> {
    /// The input asks for something.
    Request(Entry<R>),
    /// The running search has its move and is about to print it.
    SearchFinished,
}

/// A request that waits.
struct Entry<R> {
    request: R,
    place: Place,
}

/// The room that a request takes.
#[derive(Clone, Copy)]
enum Place {
    Bytes(usize),
    /// None. Requests are skipped until the session has come here.
    EndOfSkipping,
}

/// How much room is taken.
#[derive(Default)]
struct Room(Mutex<RoomState>);

#[derive(Default)]
struct RoomState {
    /// By the requests that wait, in bytes.
    taken: usize,
    /// Whether requests are skipped.
    skips: bool,
}

/// What there is for a request.
enum Found {
    Room,
    /// None, and there was some for the request before.
    NoMoreRoom,
    NoRoom,
}

impl Room {
    /// Room for a request of `size` bytes. With each [`STEP`] ordinary ones ask `has_reserve`
    /// whether the system has memory left.
    fn find(&self, size: usize, urgency: Urgency, has_reserve: impl FnOnce() -> bool) -> Found {
        let mut state = self.0.lock();
        let taken = state.taken + size;
        let is_new_step = taken / STEP > state.taken / STEP;
        let fits = match urgency {
            Urgency::Final => true,
            Urgency::Urgent => taken <= ROOM,
            Urgency::Ordinary => {
                !state.skips && taken <= ROOM - URGENT_ROOM && (!is_new_step || has_reserve())
            }
        };
        if fits {
            state.taken = taken;
            return Found::Room;
        }
        match std::mem::replace(&mut state.skips, true) {
            false => Found::NoMoreRoom,
            true => Found::NoRoom,
        }
    }

    fn leave(&self, place: Place) {
        let mut state = self.0.lock();
        match place {
            Place::Bytes(size) => state.taken -= size,
            Place::EndOfSkipping => state.skips = false,
        }
    }
}

/// The end of an inbox where requests are handed in.
pub struct Entrance<R> {
    events: Sender<Event<R>>,
    room: Arc<Room>,
}

impl<R> Clone for Entrance<R> {
    fn clone(&self) -> Self {
        Self { events: self.events.clone(), room: Arc::clone(&self.room) }
    }
}

impl<R: Waiting> Entrance<R> {
    /// Hands in a request that was read from a text of `length` bytes; `false` if there is no room
    /// for it.
    ///
    /// Without room, all requests but urgent ones are skipped until the session has come to
    /// this place in the order, which [`Waiting::SKIPPED`] marks.
    pub fn send(&self, request: R, length: usize, urgency: Urgency) -> bool {
        let size = length + OVERHEAD;
        match self.room.find(size, urgency, has_reserve) {
            Found::Room => {
                self.hand_in(request, Place::Bytes(size));
                return true;
            }
            Found::NoMoreRoom => self.hand_in(R::SKIPPED, Place::EndOfSkipping),
            Found::NoRoom => {}
        }
        false
    }

    /// The running search has its move and is about to print it.
    pub fn search_finished(&self) {
        // The session only goes away when the process ends.
        let _ = self.events.send(Event::SearchFinished);
    }

    fn hand_in(&self, request: R, place: Place) {
        // As above.
        let _ = self.events.send(Event::Request(Entry { request, place }));
    }
}

/// The session's end. Requests that come during a search wait here.
pub struct Inbox<R> {
    events: Receiver<Event<R>>,
    room: Arc<Room>,
    /// What came while a search ran, oldest first.
    waiting: VecDeque<Entry<R>>,
}

impl<R> Inbox<R> {
    /// An empty inbox, and its other end.
    pub fn new() -> (Entrance<R>, Self) {
        let (sender, events) = unbounded();
        let room = Arc::new(Room::default());
        let entrance = Entrance { events: sender, room: Arc::clone(&room) };
        (entrance, Self { events, room, waiting: VecDeque::new() })
    }

    /// The oldest request; waits for one. `None` when none can come any more.
    pub fn receive(&mut self) -> Option<R> {
        if let Some(entry) = self.waiting.pop_front() {
            return Some(self.take(entry));
        }
        loop {
            match self.events.recv() {
                Ok(Event::Request(entry)) => return Some(self.take(entry)),
                // From a search whose end nobody waited for, because the session panicked.
                Ok(Event::SearchFinished) => {}
                Err(_) => return None,
            }
        }
    }

    /// The oldest request, if one is there already.
    pub fn receive_now(&mut self) -> Option<R> {
        if let Some(entry) = self.waiting.pop_front() {
            return Some(self.take(entry));
        }
        loop {
            match self.events.try_recv() {
                Ok(Event::Request(entry)) => return Some(self.take(entry)),
                Ok(Event::SearchFinished) => {}
                Err(_) => return None,
            }
        }
    }

    /// As [`Self::wait_for_search`], but `answer` is given first what waits already.
    pub fn attend_search(&mut self, mut answer: impl FnMut(R) -> Option<R>) {
        for entry in std::mem::take(&mut self.waiting) {
            self.offer(entry, &mut answer);
        }
        self.wait_for_search(answer);
    }

    /// Waits until the running search has its move. `answer` is given each request that comes
    /// meanwhile, and gives back those that have to wait until the search has ended.
    pub fn wait_for_search(&mut self, mut answer: impl FnMut(R) -> Option<R>) {
        while let Ok(Event::Request(entry)) = self.events.recv() {
            self.offer(entry, &mut answer);
        }
    }

    fn offer(
        &mut self,
        Entry { request, place }: Entry<R>,
        answer: &mut impl FnMut(R) -> Option<R>,
    ) {
        match answer(request) {
            Some(request) => self.waiting.push_back(Entry { request, place }),
            None => self.room.leave(place),
        }
    }

    /// The request, which is carried out now: its room is free.
    fn take(&self, entry: Entry<R>) -> R {
        self.room.leave(entry.place);
        entry.request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Waiting for i32 {
        const SKIPPED: Self = -1;
    }

    impl Waiting for &str {
        const SKIPPED: Self = "skipped";
    }

    /// Hands in a request that is no line of any length.
    fn send<R: Waiting>(entrance: &Entrance<R>, request: R) {
        assert!(entrance.send(request, 0, Urgency::Ordinary));
    }

    #[test]
    fn requests_during_a_search_are_answered_or_wait_in_order() {
        let (entrance, mut inbox) = Inbox::new();
        for number in 1..=4 {
            send(&entrance, number);
        }
        entrance.search_finished();
        send(&entrance, 5);
        drop(entrance);
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
        let (entrance, mut inbox) = Inbox::new();
        send(&entrance, "force");
        entrance.search_finished();
        inbox.wait_for_search(Some);
        send(&entrance, "ping");
        entrance.search_finished();
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
        let (entrance, mut inbox) = Inbox::new();
        entrance.search_finished();
        send(&entrance, "isready");
        assert_eq!(inbox.receive(), Some("isready"));
        drop(entrance);
        assert_eq!(inbox.receive(), None);
    }

    /// Lines of a KiB, room included, until there is no room for the next.
    fn fill(entrance: &Entrance<&str>) -> usize {
        let line = || entrance.send("line", 1024 - OVERHEAD, Urgency::Ordinary);
        std::iter::from_fn(|| line().then_some(())).take((2 * ROOM) >> 10).count()
    }

    #[test]
    fn a_flood_is_skipped_from_one_place_on_until_the_session_has_come_there() {
        let (entrance, mut inbox) = Inbox::new();
        let lines = (ROOM - URGENT_ROOM) >> 10;
        for _ in 0..2 {
            assert_eq!(fill(&entrance), lines);
            // Nothing is taken out of order, however short it is, and what is urgent is.
            assert!(!entrance.send("line", 0, Urgency::Ordinary));
            let urgent = || entrance.send("isready", 1024 - OVERHEAD, Urgency::Urgent);
            let taken = std::iter::from_fn(|| urgent().then_some(())).take((2 * ROOM) >> 10);
            assert_eq!(taken.count(), URGENT_ROOM >> 10);
            assert!(entrance.send("quit", 1 << 20, Urgency::Final));
            for _ in 0..lines {
                assert!(!entrance.send("line", 0, Urgency::Ordinary));
                assert_eq!(inbox.receive(), Some("line"));
            }
            assert_eq!(inbox.receive(), Some("skipped"));
            for _ in 0..URGENT_ROOM >> 10 {
                assert_eq!(inbox.receive(), Some("isready"));
            }
            assert_eq!(inbox.receive(), Some("quit"));
            assert_eq!(inbox.receive_now(), None);
        }
    }

    #[test]
    fn what_waits_for_a_search_keeps_its_room_and_what_is_answered_gives_it_back() {
        let (entrance, mut inbox) = Inbox::new();
        let lines = fill(&entrance);
        entrance.search_finished();
        inbox.wait_for_search(Some);
        assert_eq!(fill(&entrance), 0);
        entrance.search_finished();
        inbox.attend_search(|request| (request == "skipped").then_some(request));
        assert_eq!(fill(&entrance), 0);
        assert_eq!(inbox.receive(), Some("skipped"));
        assert_eq!(fill(&entrance), lines);
    }

    #[test]
    fn a_request_gives_back_the_room_that_it_took() {
        let (entrance, mut inbox) = Inbox::new();
        let lines = (ROOM - URGENT_ROOM) >> 10;
        for _ in 0..lines {
            assert!(entrance.send("line", 1024 - OVERHEAD, Urgency::Ordinary));
        }
        for _ in 0..3 {
            assert_eq!(inbox.receive(), Some("line"));
        }
        assert_eq!(fill(&entrance), 3);
    }

    #[test]
    fn the_system_is_asked_for_memory_once_a_step() {
        let room = Room::default();
        let mut asked = 0;
        for _ in 0..4 * (STEP >> 10) {
            let has_reserve = || {
                asked += 1;
                true
            };
            assert!(matches!(room.find(1024, Urgency::Ordinary, has_reserve), Found::Room));
        }
        assert_eq!(asked, 4);
        let below = STEP - 1024;
        assert!(matches!(room.find(below, Urgency::Ordinary, || false), Found::Room));
        assert!(matches!(room.find(1024, Urgency::Urgent, || false), Found::Room));
        assert!(matches!(room.find(STEP, Urgency::Ordinary, || false), Found::NoMoreRoom));
        assert!(matches!(room.find(1024, Urgency::Ordinary, || true), Found::NoRoom));
    }
}
