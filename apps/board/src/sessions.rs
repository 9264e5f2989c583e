//! All sessions of the server, and the thread that does what is due at them.

use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use tamarin_game::position::side_name;
use tamarin_game::results::{self, table};
use tamarin_movegen::Color;
use tamarin_search::TablebaseProbe;

use crate::error::BoardError;
use crate::library::Library;
use crate::players::Resources;
use crate::protocol::{FileCommand, Open};
use crate::session::{Folder, Saved, Session};

/// Tables at most; the one that was idle longest makes room.
pub const MAX_SESSIONS: usize = 32;

/// How often a session with something to do is looked at.
const EVERY: Duration = Duration::from_millis(10);

/// A session that many pages use.
pub type SharedSession = Arc<Mutex<Session>>;

pub struct Sessions {
    sessions: Mutex<HashMap<String, SharedSession>>,
    resources: Resources,
    folder: Option<Folder>,
    /// Learned evaluators by the text of their rules, at most [`MAX_SESSIONS`]: a page that opens
    /// another session sends the rules without the evaluator.
    learned: Mutex<HashMap<String, String>>,
    /// The sessions that invited players may use, by their tokens.
    guests: Mutex<HashMap<String, String>>,
    /// Held while a kept game is resumed, so that two requests do not do it twice.
    resuming: Mutex<()>,
    /// Something was asked for.
    is_awake: Mutex<bool>,
    woken: Condvar,
    is_closed: AtomicBool,
}

/// A number of `BYTES` bytes that cannot be guessed, in hexadecimal digits.
pub fn secret<const BYTES: usize>() -> io::Result<String> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Sessions {
    /// No session yet. `folder` has the games that were kept.
    pub fn new(mut resources: Resources, folder: Option<Folder>) -> io::Result<Arc<Self>> {
        resources.results = folder.as_ref().map(|folder| folder.results.clone());
        resources.library = folder.as_ref().map(|folder| Arc::new(folder.library()));
        let sessions = Arc::new(Self {
            sessions: Mutex::default(),
            resources,
            folder,
            learned: Mutex::default(),
            guests: Mutex::default(),
            resuming: Mutex::new(()),
            is_awake: Mutex::new(false),
            woken: Condvar::new(),
            is_closed: AtomicBool::new(false),
        });
        let weak = Arc::downgrade(&sessions);
        thread::Builder::new().name("sessions".into()).spawn(move || attend(&weak))?;
        Ok(sessions)
    }

    pub const fn tablebases(&self) -> &TablebaseProbe {
        &self.resources.tablebases
    }

    /// Others in the local network reach the page at this address.
    pub fn invite(&self, address: String) {
        // There is one server.
        let _ = self.resources.invitation.set(address);
    }

    /// The address of the page for an invited player of a side; `None` where no others are let in.
    pub fn invitation(&self, session: &SharedSession, side: Color) -> io::Result<Option<String>> {
        let Some(page) = self.resources.invitation.get() else { return Ok(None) };
        let mut session = session.lock();
        let token = session.guest_token(side)?;
        let id = session.id().to_owned();
        drop(session);
        let base = page.trim_end_matches('/').rsplit_once('/').map_or("", |(base, _)| base);
        let address = format!("{base}/{token}/?session={id}&side={}", side_name(side));
        self.guests.lock().insert(token, id);
        Ok(Some(address))
    }

    /// The session that the invited player with this token may use.
    pub fn of_guest(&self, token: &str) -> Option<String> {
        self.guests.lock().get(token).cloned()
    }

    /// How many sessions there are.
    pub fn count(&self) -> usize {
        self.sessions.lock().len()
    }

    /// Something was done in a session, and more may be due.
    pub fn wake(&self) {
        *self.is_awake.lock() = true;
        self.woken.notify_all();
    }

    /// The server ends.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.wake();
    }

    pub fn open(&self, mut open: Open) -> Result<SharedSession, BoardError> {
        if let Some(name) = &open.library {
            let library = self.resources.library.as_ref().ok_or(BoardError::NoSession)?;
            let failed = |source| BoardError::Library { name: name.clone(), source };
            open.pgn = Some(library.read(name).map_err(failed)?);
        }
        if let (Some(rules), None) = (&open.rules, &open.evaluation) {
            open.evaluation = self.learned.lock().get(rules).cloned();
        }
        let id = secret::<8>().map_err(|error| BoardError::Begin(error.to_string()))?;
        let mut session = Session::open(id.clone(), open, self.resources.clone())?;
        if let Some(slot) = self.folder.as_ref().and_then(|folder| folder.new_slot(&id)) {
            session.save_in(slot);
        }
        self.remember(session.opened(), true);
        Ok(self.put(id, session))
    }

    fn put(&self, id: String, session: Session) -> SharedSession {
        let shared = Arc::new(Mutex::new(session));
        let mut sessions = self.sessions.lock();
        let mut left = None;
        if sessions.len() >= MAX_SESSIONS {
            let age = |(id, session): (&String, &SharedSession)| {
                // One at work is not idle.
                let session = session.try_lock()?;
                Some((session.pages() > 0, session.used, id.clone()))
            };
            if let Some((.., oldest)) = sessions.iter().filter_map(age).min() {
                left = sessions.remove(&oldest);
            }
        }
        sessions.insert(id, Arc::clone(&shared));
        drop(sessions);
        if let Some(session) = left {
            session.lock().stop_saving();
        }
        self.wake();
        shared
    }

    /// Keeps what was learned for the rules of a session, for the next sessions with these rules. A game
    /// that is resumed, and not new, replaces nothing: what it has may be older.
    fn remember(&self, Open { rules, evaluation, .. }: &Open, is_new: bool) {
        let (Some(rules), Some(evaluation)) = (rules, evaluation) else { return };
        let mut learned = self.learned.lock();
        let is_wanted = match learned.contains_key(rules) {
            true => is_new,
            false => learned.len() < MAX_SESSIONS,
        };
        if is_wanted {
            learned.insert(rules.clone(), evaluation.clone());
        }
    }

    /// The session of this number, from a kept game if it is not there.
    pub fn find(&self, id: &str) -> Result<SharedSession, BoardError> {
        let there = || self.sessions.lock().get(id).map(Arc::clone);
        if let Some(session) = there() {
            return Ok(session);
        }
        let _alone = self.resuming.lock();
        if let Some(session) = there() {
            return Ok(session);
        }
        let folder = self.folder.as_ref().ok_or(BoardError::NoSession)?;
        let saved = folder.read(id).ok_or(BoardError::NoSession)?;
        let slot = folder.slot(id).map_err(BoardError::Unwritable)?.ok_or(BoardError::Held)?;
        let session = Session::resume(id.to_owned(), saved, self.resources.clone());
        let mut session = session.map_err(|error| BoardError::Damaged(Box::new(error)))?;
        session.save_in(slot);
        self.remember(session.opened(), false);
        Ok(self.put(id.to_owned(), session))
    }

    /// Games that can be resumed, the latest first; none that another process has. For one that
    /// cannot be saved, [`Self::find`] says why.
    pub fn list(&self) -> Value {
        let Some(folder) = &self.folder else { return json!([]) };
        // While their locks are tried no game is resumed.
        let _alone = self.resuming.lock();
        let one = |(since, id): &(SystemTime, String)| {
            let saved = folder.read(id)?;
            let is_open = self.sessions.lock().contains_key(id);
            let is_ours = is_open || !matches!(folder.slot(id), Ok(None));
            is_ours.then(|| row(id, &saved, is_open, *since))
        };
        let kept = folder.list();
        // Files that are open and were not changed.
        let only_open = |(id, session): (&String, &SharedSession)| {
            let is_kept = kept.iter().any(|(_, other)| other == id);
            let saved = session.try_lock().filter(|_| !is_kept)?.saved();
            (!saved.is_empty()).then(|| row(id, &saved, true, SystemTime::now()))
        };
        let open: Vec<Value> = self.sessions.lock().iter().filter_map(only_open).collect();
        open.into_iter().chain(kept.iter().filter_map(one)).collect()
    }

    pub fn library(&self) -> Option<&Library> {
        self.resources.library.as_deref()
    }

    /// The kept files of games by their names, with their sizes in bytes.
    pub fn files(&self) -> Value {
        let entries = self.library().map(Library::list).unwrap_or_default();
        let one =
            |(name, bytes, since)| json!({ "name": name, "bytes": bytes, "since": seconds(since) });
        entries.into_iter().map(one).collect()
    }

    /// The results of people against the engine, a line for each.
    pub fn results(&self) -> io::Result<Vec<String>> {
        let folder = self.resources.results.as_ref();
        folder.map_or_else(|| Ok(Vec::new()), |folder| Ok(table(&results::read(folder)?)))
    }

    /// Forgets a kept file, or restores it.
    pub fn change_files(&self, command: FileCommand) -> Result<(), BoardError> {
        let library = self.library().ok_or(BoardError::NoSession)?;
        let (done, name) = match command {
            FileCommand::Forget(name) => (library.forget(&name), name),
            FileCommand::Restore(name) => (library.restore(&name), name),
        };
        done.map_err(|source| BoardError::Library { name, source })
    }

    /// The token of the addresses of pages.
    pub fn token(&self) -> io::Result<String> {
        self.folder
            .as_ref()
            .map_or_else(secret::<16>, |folder| folder.token().or_else(|_| secret::<16>()))
    }

    /// A game that was forgotten is kept again.
    pub fn restore(&self, id: &str) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.restore(id))
    }

    /// A kept game is not wanted any more. One that a page shows stays.
    pub fn forget(&self, id: &str) -> Result<(), BoardError> {
        let is_shown = |session: &SharedSession| session.lock().pages() > 0;
        let session = self.sessions.lock().get(id).cloned();
        if session.as_ref().is_some_and(is_shown) {
            return Err(BoardError::Shown);
        }
        let ours = self.sessions.lock().remove(id);
        if let Some(session) = &ours {
            session.lock().stop_saving();
        }
        if let Some(folder) = &self.folder
            // One of another process stays.
            && (ours.is_some() || matches!(folder.slot(id), Ok(Some(_))))
        {
            folder.forget(id);
        }
        Ok(())
    }

    /// Leaves all sessions; those that are saved can be resumed.
    pub fn leave_all(&self) {
        let sessions = std::mem::take(&mut *self.sessions.lock());
        sessions.values().for_each(|session| session.lock().stop_saving());
    }

    /// Does what is due at all sessions; whether there will be more soon.
    fn advance(&self) -> bool {
        let sessions: Vec<SharedSession> = self.sessions.lock().values().cloned().collect();
        let mut is_busy = false;
        for session in sessions {
            // One at work does not keep the others waiting, nor does a panic at one stop their clocks.
            let advance = || session.try_lock().is_none_or(|mut one| one.advance(Instant::now()));
            is_busy |= catch_unwind(AssertUnwindSafe(advance)).unwrap_or(false);
        }
        is_busy
    }
}

/// Since 1970.
fn seconds(since: SystemTime) -> u64 {
    since.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn row(id: &str, saved: &Saved, is_open: bool, since: SystemTime) -> Value {
    json!({
        "since": seconds(since),
        "opening": saved.opening,
        "session": id,
        "kind": saved.open.kind,
        "game": saved.game,
        "white": saved.names[0],
        "black": saved.names[1],
        "plies": saved.moves,
        "empty": saved.is_empty(),
        "result": saved.end.as_ref().map(|end| &end[0]),
        "open": is_open,
    })
}

/// Does what is due until the server is gone.
fn attend(sessions: &Weak<Sessions>) {
    while let Some(sessions) = sessions.upgrade() {
        if sessions.is_closed.load(Ordering::Relaxed) {
            return;
        }
        let is_busy = sessions.advance();
        let mut is_awake = sessions.is_awake.lock();
        if !*is_awake {
            let patience = if is_busy { EVERY } else { Duration::from_millis(500) };
            sessions.woken.wait_for(&mut is_awake, patience);
        }
        *is_awake = false;
    }
}
