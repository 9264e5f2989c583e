//! The one queue of what was read and is not yet carried out, in bounded memory.
//!
//! The thread that reads the input pushes requests, the session takes them in their order. A `go`
//! of UCI stands in it with what `stop` and `ponderhit` did to it: both act the moment they are
//! read, possibly before its search has begun. So no `stop` is lost, and none ends a `go` that was
//! sent after it.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex, MutexGuard};
use tamarin_search::Controls;
use tamarin_uci::{Command, ParseError, Parsed};

/// What was read, in either protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// A line of UCI.
    Uci(Result<Parsed, ParseError>),
    /// A line of the XBoard protocol.
    XBoard(String),
    /// A line longer than [`MAX_LINE`](tamarin_base::files::lines::MAX_LINE).
    TooLong,
    /// A line that begins with this word was lost by an error in reading it.
    Lost(String),
    /// There was no room for the lines that stood here.
    Skipped {
        /// Whether the client was told so.
        is_reported: bool,
    },
    /// The client wants this protocol: the session ends, the process goes on.
    Protocol(Protocol),
    /// `quit`: the session ends.
    Quit,
    /// The end of the input: the session ends when a running search for a move has made it.
    End,
}

/// The protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    Uci,
    XBoard,
}

/// The longest line of the XBoard protocol that is urgent, in bytes.
const MAX_URGENT: usize = 256;

/// Commands of XBoard that end what is going on, or ask whether the engine is there.
const URGENT: [&str; 6] = ["?", "ping", "force", "exit", "result", "new"];

impl Request {
    /// How its search can end, if it is a `go` of UCI.
    fn go(&self) -> Option<Ending> {
        match self {
            Self::Uci(Ok(Parsed { command: Command::Go(go), .. })) => Some(Ending::of(go)),
            Self::Lost(word) if word == "go" => Some(Ending::ByItself),
            _ => None,
        }
    }

    /// Whether a client waits for its answer, so that it is taken where there is little room left.
    fn is_urgent(&self) -> bool {
        match self {
            Self::Uci(Ok(Parsed { command: Command::Go(_) | Command::IsReady, .. })) => true,
            Self::XBoard(line) if line.len() <= MAX_URGENT => {
                URGENT.contains(&line.split_ascii_whitespace().next().unwrap_or_default())
            }
            _ => false,
        }
    }

    /// Whether it computes for as long as it takes, and `stop` does not end it.
    const fn is_long(&self) -> bool {
        use tamarin_uci::Console::{Bench, GenFens, Perft};
        let Self::Uci(Ok(Parsed { command: Command::Console(command), .. })) = self else {
            return false;
        };
        matches!(command, Bench(_) | Perft(_) | GenFens(_))
    }
}

/// The most memory that waiting requests take, in bytes: 64 MiB.
const ROOM: usize = 64 << 20;

/// What requests that must be answered may take beyond that.
const URGENT_ROOM: usize = 1 << 20;

/// What a request takes beside its text, in bytes.
const OVERHEAD: usize = 512;

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
    /// How the search of this `go` can end.
    pub fn of(go: &tamarin_uci::Go) -> Self {
        match (go.has_limit(), go.ponder) {
            _ if go.infinite => Self::ByStop,
            (false, true) => Self::ByStopAfterPonderHit,
            (false, false) => Self::ByStop,
            (true, true) => Self::AfterPonderHit,
            (true, false) => Self::ByItself,
        }
    }

    /// How it can end after `ponderhit`; `None` if it does not ponder.
    const fn after_ponder_hit(self) -> Option<Self> {
        match self {
            Self::AfterPonderHit => Some(Self::ByItself),
            Self::ByStopAfterPonderHit => Some(Self::ByStop),
            Self::ByItself | Self::ByStop => None,
        }
    }
}

/// A `go` that is not answered yet.
struct Go {
    ending: Ending,
    stopped: bool,
    ponder_hit: bool,
    /// What stops its search, once that has begun.
    controls: Option<Controls>,
}

impl Go {
    const fn is_unbounded(&self) -> bool {
        !self.stopped && !matches!(self.ending, Ending::ByItself)
    }

    fn stop(&mut self) {
        self.stopped = true;
        if let Some(controls) = &self.controls {
            controls.stop();
        }
    }
}

struct Entry {
    /// `None` once it was answered during a search.
    request: Option<Request>,
    go: Option<Go>,
    /// The bytes that it takes; 0 for the mark of skipped requests.
    size: usize,
}

struct State {
    waiting: VecDeque<Entry>,
    /// How many of them the running search was told of.
    offered: usize,
    /// What they take, in bytes.
    taken: usize,
    /// Whether requests are skipped until the session comes to the mark.
    skips: bool,
    /// The `go` that is being carried out.
    current: Option<Go>,
    /// Whether the request taken last [computes](Request::is_long).
    is_long: bool,
    /// Whether the search that began last has its move.
    has_ended: bool,
}

impl State {
    /// The `go`s that are not answered, oldest first.
    fn gos(&mut self) -> impl Iterator<Item = &mut Go> {
        let waiting = self.waiting.iter_mut().filter_map(|entry| entry.go.as_mut());
        self.current.iter_mut().chain(waiting)
    }

    fn pop(&mut self) -> Option<Entry> {
        let entry = self.waiting.pop_front()?;
        self.offered = self.offered.saturating_sub(1);
        self.taken -= entry.size;
        self.skips &= entry.size > 0;
        Some(entry)
    }

    /// Takes the oldest request.
    fn take(&mut self) -> Option<Request> {
        loop {
            let entry = self.pop()?;
            if entry.request.is_some() {
                self.current = entry.go;
                self.is_long = entry.request.as_ref().is_some_and(Request::is_long);
                return entry.request;
            }
        }
    }
}

/// The queue between the reader of the input and the session.
pub struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

impl Default for Inbox {
    fn default() -> Self {
        let state = State {
            waiting: VecDeque::new(),
            offered: 0,
            taken: 0,
            skips: false,
            current: None,
            is_long: false,
            has_ended: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl Inbox {
    /// Adds a request that was read from a line of `length` bytes. Without room it is skipped, as
    /// all that follow are, but urgent ones, until the session comes to this place.
    pub fn push(&self, request: Request, length: usize) {
        let size = length + OVERHEAD;
        let mut state = self.change();
        let room = if request.is_urgent() { ROOM + URGENT_ROOM } else { ROOM };
        let is_skipped = state.skips && !request.is_urgent();
        if !is_skipped && state.taken + size <= room {
            add(&mut state, request, size);
        } else if !std::mem::replace(&mut state.skips, true) {
            add(&mut state, Request::Skipped { is_reported: false }, 0);
        }
    }

    /// Adds a request for which there is always room: it ends the session.
    pub fn push_last(&self, request: Request) {
        add(&mut self.change(), request, OVERHEAD);
    }

    /// The oldest request; waits for one.
    pub fn next(&self) -> Request {
        let mut state = self.state.lock();
        loop {
            if let Some(request) = state.take() {
                return request;
            }
            self.changed.wait(&mut state);
        }
    }

    /// The oldest request, if one is there already.
    pub fn next_now(&self) -> Option<Request> {
        self.state.lock().take()
    }

    /// A search is about to begin: what [`Self::attend`] waits for has not come yet.
    pub fn search_begins(&self) {
        self.state.lock().has_ended = false;
    }

    /// The search of the current `go` has begun; a `stop` or `ponderhit` that was read before
    /// reaches it now.
    pub fn search_began(&self, controls: Controls) {
        let mut state = self.state.lock();
        // Otherwise it is answered already.
        let Some(go) = &mut state.current else { return };
        if go.ponder_hit {
            controls.ponder_hit();
        }
        if go.stopped {
            controls.stop();
        }
        go.controls = Some(controls);
    }

    /// The running search has its move and is about to print it: the current `go` is answered.
    pub fn search_ended(&self) {
        let mut state = self.change();
        state.current = None;
        state.has_ended = true;
    }

    /// Returns `true` if the request taken last is a `go` that is not answered.
    pub fn is_unanswered(&self) -> bool {
        self.state.lock().current.is_some()
    }

    /// Waits until the running search has its move. `answer` is given each request once that comes
    /// meanwhile, and returns `true` if it is carried out; else it waits.
    pub fn attend(&self, mut answer: impl FnMut(&mut Request) -> bool) {
        let mut state = self.state.lock();
        while !state.has_ended {
            let offered = state.offered;
            let Some(entry) = state.waiting.get_mut(offered) else {
                self.changed.wait(&mut state);
                continue;
            };
            if let Some(mut request) = entry.request.take() {
                // It may print, and so wait for the client, which the reader must not.
                let is_answered = MutexGuard::unlocked(&mut state, || answer(&mut request));
                state.waiting[offered].request = Some(request).filter(|_| !is_answered);
            }
            state.offered += 1;
            while state.waiting.front().is_some_and(|entry| entry.request.is_none()) {
                state.pop();
            }
        }
    }

    /// As [`Self::attend`], with what came in earlier searches as well.
    pub fn attend_all(&self, answer: impl FnMut(&mut Request) -> bool) {
        self.state.lock().offered = 0;
        self.attend(answer);
    }

    /// `stop`: ends the oldest search not stopped yet, and every other that would not end by
    /// itself: a client that sends `stop` expects the engine to become idle.
    pub fn stop(&self) {
        let mut state = self.change();
        if let Some(oldest) = state.gos().find(|go| !go.stopped) {
            oldest.stop();
        }
        state.gos().filter(|go| go.is_unbounded()).for_each(Go::stop);
    }

    /// End of input: no `stop` can come any more.
    pub fn stop_unbounded(&self) {
        self.change().gos().filter(|go| go.is_unbounded()).for_each(Go::stop);
    }

    /// `quit`: ends all of them.
    pub fn stop_all(&self) {
        self.change().gos().for_each(Go::stop);
    }

    /// `ponderhit`: the oldest pondering search goes on as an ordinary one.
    pub fn ponder_hit(&self) {
        let mut state = self.change();
        let after = |go: &Go| go.ending.after_ponder_hit().filter(|_| !go.stopped);
        let Some((go, ending)) = state.gos().find_map(|go| after(go).map(|ending| (go, ending)))
        else {
            return;
        };
        (go.ponder_hit, go.ending) = (true, ending);
        if let Some(controls) = &go.controls {
            controls.ponder_hit();
        }
    }

    /// Returns `true` if the request taken last [computes](Request::is_long).
    pub fn is_long(&self) -> bool {
        self.state.lock().is_long
    }

    /// Returns `true` if there is a `go`, not stopped yet, whose search does not end by itself.
    pub fn has_unbounded(&self) -> bool {
        self.state.lock().gos().any(|go| go.is_unbounded())
    }

    /// Returns `true` if there is a `go`, not stopped yet, whose search ends by itself.
    pub fn has_bounded(&self) -> bool {
        self.state.lock().gos().any(|go| !go.stopped && go.ending == Ending::ByItself)
    }

    /// Waits until there is no `go` that [`has_unbounded`](Self::has_unbounded) speaks of.
    pub fn wait_until_bounded(&self) {
        let is_unbounded = |state: &mut State| state.gos().any(|go| go.is_unbounded());
        self.changed.wait_while(&mut self.state.lock(), is_unbounded);
    }

    /// The state, to change it: who waits for a change looks again.
    fn change(&self) -> MutexGuard<'_, State> {
        let state = self.state.lock();
        self.changed.notify_all();
        state
    }
}

fn add(state: &mut State, request: Request, size: usize) {
    let go =
        request.go().map(|ending| Go { ending, stopped: false, ponder_hit: false, controls: None });
    state.taken += size;
    state.waiting.push_back(Entry { request: Some(request), go, size });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tamarin_search::Wait;
    use tamarin_variant_search::Signals;

    fn line(number: u32) -> Request {
        Request::XBoard(number.to_string())
    }

    fn uci(text: &str) -> Request {
        Request::Uci(tamarin_uci::parse(text))
    }

    fn ready() -> Request {
        uci("isready")
    }

    /// A `go` whose search can end so.
    fn go(ending: Ending) -> Request {
        uci(match ending {
            Ending::ByItself => "go depth 1",
            Ending::AfterPonderHit => "go ponder depth 1",
            Ending::ByStop => "go infinite",
            Ending::ByStopAfterPonderHit => "go ponder",
        })
    }

    fn filled(requests: impl IntoIterator<Item = Request>) -> Inbox {
        let inbox = Inbox::default();
        requests.into_iter().for_each(|request| inbox.push(request, 0));
        inbox
    }

    fn gos(endings: &[Ending]) -> Inbox {
        filled(endings.iter().copied().map(go))
    }

    /// Which of the `go`s that are not answered are stopped.
    fn stopped(inbox: &Inbox) -> Vec<bool> {
        inbox.state.lock().gos().map(|go| go.stopped).collect()
    }

    fn rest(inbox: &Inbox) -> Vec<Request> {
        std::iter::from_fn(|| inbox.next_now()).collect()
    }

    #[test]
    fn stop_before_any_go_is_forgotten() {
        let inbox = gos(&[]);
        inbox.stop();
        inbox.push(go(Ending::ByItself), 0);
        assert_eq!(stopped(&inbox), [false]);
    }

    #[test]
    fn each_stop_ends_the_oldest_not_stopped_yet() {
        let inbox = gos(&[Ending::ByItself; 3]);
        inbox.next();
        inbox.stop();
        assert_eq!(stopped(&inbox), [true, false, false]);
        inbox.stop();
        assert_eq!(stopped(&inbox), [true, true, false]);
        inbox.search_ended();
        inbox.next();
        inbox.search_ended();
        inbox.stop();
        assert_eq!(stopped(&inbox), [true]);
    }

    #[test]
    fn stop_ends_waiting_unbounded_searches_and_leaves_bounded_ones() {
        let inbox = gos(&[Ending::ByStop, Ending::ByItself, Ending::ByStop]);
        inbox.stop();
        assert_eq!(stopped(&inbox), [true, false, true]);
    }

    #[test]
    fn end_of_input_stops_unbounded_searches() {
        let inbox = gos(&[Ending::ByItself, Ending::AfterPonderHit, Ending::ByStop]);
        assert!(inbox.has_unbounded() && inbox.has_bounded());
        inbox.stop_unbounded();
        assert_eq!(stopped(&inbox), [false, true, true]);
        assert!(!inbox.has_unbounded());
        inbox.stop_all();
        assert_eq!(stopped(&inbox), [true, true, true]);
    }

    #[test]
    fn ponderhit_makes_the_oldest_pondering_search_an_ordinary_one() {
        let inbox = gos(&[Ending::ByItself, Ending::AfterPonderHit, Ending::AfterPonderHit]);
        inbox.ponder_hit();
        inbox.stop_unbounded();
        assert_eq!(stopped(&inbox), [false, false, true]);
        let inbox = gos(&[Ending::ByStop, Ending::ByStopAfterPonderHit]);
        inbox.ponder_hit();
        assert!(inbox.state.lock().gos().nth(1).is_some_and(|go| go.ponder_hit));
        inbox.stop_unbounded();
        assert_eq!(stopped(&inbox), [true, true]);
    }

    #[test]
    fn what_was_read_before_its_search_has_begun_reaches_it() {
        let begun = |read: fn(&Inbox)| {
            let inbox = gos(&[Ending::AfterPonderHit]);
            inbox.next();
            read(&inbox);
            let signals = Arc::new(Signals::new(Wait::Ponder));
            inbox.search_began(Controls::from(Arc::clone(&signals)));
            (signals.stopped(), signals.clock_start().is_some())
        };
        assert_eq!(begun(|_| ()), (false, false));
        assert_eq!(begun(Inbox::stop), (true, false));
        assert_eq!(begun(Inbox::ponder_hit), (false, true));
    }

    #[test]
    fn requests_during_a_search_are_answered_or_wait_in_order() {
        let inbox = filled([line(1), line(2), ready(), line(3)]);
        let mut offered = Vec::new();
        inbox.attend(|request| {
            offered.push(request.clone());
            if offered.len() == 4 {
                inbox.search_ended();
            }
            *request == ready()
        });
        assert_eq!(offered, [line(1), line(2), ready(), line(3)]);
        assert_eq!(rest(&inbox), [line(1), line(2), line(3)]);
    }

    #[test]
    fn the_next_search_hears_of_waiting_requests_only_if_it_asks() {
        let inbox = filled([line(1)]);
        let hear = |all: bool| {
            let mut heard = Vec::new();
            let mut answer = |request: &mut Request| {
                heard.push(request.clone());
                if *request == ready() {
                    inbox.search_ended();
                }
                *request == ready()
            };
            inbox.search_begins();
            inbox.push(ready(), 0);
            match all {
                true => inbox.attend_all(&mut answer),
                false => inbox.attend(&mut answer),
            }
            heard
        };
        assert_eq!(hear(false), [line(1), ready()]);
        assert_eq!(hear(false), [ready()]);
        assert_eq!(hear(true), [line(1), ready()]);
        assert_eq!(rest(&inbox), [line(1)]);
    }

    #[test]
    fn a_flood_is_skipped_from_one_place_on_until_the_session_comes_there() {
        let inbox = Inbox::default();
        let lines = ROOM / OVERHEAD;
        for _ in 0..2 {
            for _ in 0..lines + 10 {
                inbox.push(line(1), 0);
            }
            for _ in 0..2 * URGENT_ROOM / OVERHEAD {
                inbox.push(ready(), 0);
            }
            inbox.push_last(line(9));
            for _ in 0..lines {
                // However much room there is again, nothing is taken out of order.
                inbox.push(line(2), 0);
                assert_eq!(inbox.next(), line(1));
            }
            let rest = rest(&inbox);
            assert_eq!(
                (rest[0].clone(), rest[rest.len() - 1].clone()),
                (Request::Skipped { is_reported: false }, line(9))
            );
            assert_eq!(rest.len() - 2, URGENT_ROOM / OVERHEAD);
        }
    }

    #[test]
    fn a_search_ends_by_itself_when_anything_bounds_it() {
        let of = |line: &str| match line.parse() {
            Ok(Command::Go(go)) => Ending::of(&go),
            other => panic!("{line:?} gives {other:?}"),
        };
        for line in [
            "go depth 3",
            "go nodes 1",
            "go movetime 5",
            "go movetime 569.9999999999999",
            "go movetime x",
            "go btime 9",
            "go mate 2",
        ] {
            assert_eq!(of(line), Ending::ByItself, "{line}");
        }
        for line in ["go", "go infinite", "go infinite depth 3", "go searchmoves e2e4", "go mate 0"]
        {
            assert_eq!(of(line), Ending::ByStop, "{line}");
        }
        for line in ["go ponder wtime 5", "go ponder wtime x"] {
            assert_eq!(of(line), Ending::AfterPonderHit, "{line}");
        }
        for line in ["go ponder", "go ponder mate 0", "go ponder searchmoves e2e4"] {
            assert_eq!(of(line), Ending::ByStopAfterPonderHit, "{line}");
        }
        assert_eq!(of("go ponder infinite wtime 5"), Ending::ByStop);
    }
}
