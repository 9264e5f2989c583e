//! All tables of the server, and the thread that does what is due at them.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use tamarin_search::TablebaseProbe;

use crate::protocol::Open;
use crate::resources::Resources;
use crate::saved::{Folder, Saved};
use crate::table::{Table, TableError};

/// Tables at most; the one that was idle longest makes room.
pub const MAX_TABLES: usize = 32;

/// How often a table with something to do is looked at.
const EVERY: Duration = Duration::from_millis(10);

/// A table that many pages use.
pub type SharedTable = Arc<Mutex<Table>>;

pub struct Hall {
    tables: Mutex<HashMap<String, SharedTable>>,
    resources: Resources,
    folder: Option<Folder>,
    /// Learned evaluators by the text of their rules, at most [`MAX_TABLES`]: a page that opens
    /// another table sends the rules without the evaluator.
    learned: Mutex<HashMap<String, String>>,
    /// Held while a kept game is put on a table, so that two requests do not do it twice.
    resuming: Mutex<()>,
    /// Something was asked for.
    is_awake: Mutex<bool>,
    woken: Condvar,
    is_closed: AtomicBool,
}

/// A number of `BYTES` bytes that nobody can guess, in hexadecimal digits.
pub fn secret<const BYTES: usize>() -> io::Result<String> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Why there is no table of a number.
#[derive(Debug, thiserror::Error)]
pub enum NoTable {
    #[error("there is no such table; open one")]
    Unknown,
    #[error("another tamarin board has this game open; go on there, or end that program first")]
    Held,
    #[error("this game cannot be resumed: {0}")]
    Damaged(#[from] TableError),
    #[error("this game cannot be resumed, because it could not be kept: {0}")]
    Unwritable(String),
}

impl Hall {
    /// A hall without tables. `folder` has the games that were kept.
    pub fn new(resources: Resources, folder: Option<Folder>) -> io::Result<Arc<Self>> {
        let hall = Arc::new(Self {
            tables: Mutex::default(),
            resources,
            folder,
            learned: Mutex::default(),
            resuming: Mutex::new(()),
            is_awake: Mutex::new(false),
            woken: Condvar::new(),
            is_closed: AtomicBool::new(false),
        });
        let weak = Arc::downgrade(&hall);
        thread::Builder::new().name("tables".into()).spawn(move || attend(&weak))?;
        Ok(hall)
    }

    pub const fn tablebases(&self) -> &TablebaseProbe {
        &self.resources.tablebases
    }

    /// Others in the local network reach the page at this address.
    pub fn invite(&self, address: String) {
        // There is one server of a hall.
        let _ = self.resources.invitation.set(address);
    }

    /// How many tables there are.
    pub fn count(&self) -> usize {
        self.tables.lock().len()
    }

    /// Something was done at a table, and more may be due.
    pub fn wake(&self) {
        *self.is_awake.lock() = true;
        self.woken.notify_all();
    }

    /// The server ends.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.wake();
    }

    pub fn open(&self, mut open: Open) -> Result<SharedTable, TableError> {
        if let (Some(rules), None) = (&open.rules, &open.evaluation) {
            open.evaluation = self.learned.lock().get(rules).cloned();
        }
        let id = secret::<8>().map_err(|error| TableError::Begin(error.to_string()))?;
        let mut table = Table::open(id.clone(), open, self.resources.clone())?;
        if let Some(keeper) = self.folder.as_ref().and_then(|folder| folder.new_keeper(&id)) {
            table.keep_with(keeper);
        }
        self.remember(table.opened(), true);
        Ok(self.put(id, table))
    }

    fn put(&self, id: String, table: Table) -> SharedTable {
        let shared = Arc::new(Mutex::new(table));
        let mut tables = self.tables.lock();
        let mut left = None;
        if tables.len() >= MAX_TABLES {
            let age = |(id, table): (&String, &SharedTable)| {
                // A table at work is not idle.
                let table = table.try_lock()?;
                Some((table.pages() > 0, table.used, id.clone()))
            };
            if let Some((.., oldest)) = tables.iter().filter_map(age).min() {
                left = tables.remove(&oldest);
            }
        }
        tables.insert(id, Arc::clone(&shared));
        drop(tables);
        if let Some(table) = left {
            table.lock().stop_keeping();
        }
        self.wake();
        shared
    }

    /// Keeps what was learned for the rules of a table, for the next tables with these rules. A game
    /// that is resumed, and not new, replaces nothing: what it has may be older.
    fn remember(&self, Open { rules, evaluation, .. }: &Open, is_new: bool) {
        let (Some(rules), Some(evaluation)) = (rules, evaluation) else { return };
        let mut learned = self.learned.lock();
        let is_wanted = match learned.contains_key(rules) {
            true => is_new,
            false => learned.len() < MAX_TABLES,
        };
        if is_wanted {
            learned.insert(rules.clone(), evaluation.clone());
        }
    }

    /// The table of this number, from a kept game if it is not there.
    pub fn find(&self, id: &str) -> Result<SharedTable, NoTable> {
        let there = || self.tables.lock().get(id).map(Arc::clone);
        if let Some(table) = there() {
            return Ok(table);
        }
        let _alone = self.resuming.lock();
        if let Some(table) = there() {
            return Ok(table);
        }
        let folder = self.folder.as_ref().ok_or(NoTable::Unknown)?;
        let saved = folder.read(id).ok_or(NoTable::Unknown)?;
        let keeper = folder.keeper(id).map_err(NoTable::Unwritable)?.ok_or(NoTable::Held)?;
        let mut table = Table::resume(id.to_owned(), saved, self.resources.clone())?;
        table.keep_with(keeper);
        self.remember(table.opened(), false);
        Ok(self.put(id.to_owned(), table))
    }

    /// Games that can be gone on with, the latest first; none that another process has. For one
    /// that cannot be kept, [`Self::find`] says why.
    pub fn list(&self) -> Value {
        let Some(folder) = &self.folder else { return json!([]) };
        // While their locks are tried no game is put on a table.
        let _alone = self.resuming.lock();
        let one = |id: String| {
            let saved = folder.read(&id)?;
            let is_open = self.tables.lock().contains_key(&id);
            let is_ours = is_open || !matches!(folder.keeper(&id), Ok(None));
            is_ours.then(|| row(&id, &saved, is_open))
        };
        folder.list().into_iter().filter_map(one).collect()
    }

    /// A kept game is not wanted any more.
    pub fn forget(&self, id: &str) {
        let ours = self.tables.lock().remove(id);
        if let Some(table) = &ours {
            table.lock().stop_keeping();
        }
        if let Some(folder) = &self.folder
            // One of another process stays.
            && (ours.is_some() || matches!(folder.keeper(id), Ok(Some(_))))
        {
            folder.remove(id);
        }
    }

    /// Leaves all tables; those that are kept can be gone on with.
    pub fn leave_all(&self) {
        let tables = std::mem::take(&mut *self.tables.lock());
        tables.values().for_each(|table| table.lock().stop_keeping());
    }

    /// Does what is due at all tables; whether there will be more soon.
    fn advance(&self) -> bool {
        let tables: Vec<SharedTable> = self.tables.lock().values().cloned().collect();
        let mut is_busy = false;
        for table in tables {
            is_busy |= table.lock().advance(Instant::now());
        }
        is_busy
    }
}

fn row(id: &str, saved: &Saved, is_open: bool) -> Value {
    json!({
        "table": id,
        "kind": saved.open.kind,
        "game": saved.game.as_ref().or(saved.open.game.as_ref()).map_or("chess", String::as_str),
        "white": saved.names[0],
        "black": saved.names[1],
        "plies": saved.nodes.len(),
        "empty": saved.is_empty(),
        "result": saved.end.as_ref().map(|end| &end[0]),
        "open": is_open,
    })
}

/// Looks after the tables until the hall is gone.
fn attend(hall: &Weak<Hall>) {
    while let Some(hall) = hall.upgrade() {
        if hall.is_closed.load(Ordering::Relaxed) {
            return;
        }
        let is_busy = hall.advance();
        let mut is_awake = hall.is_awake.lock();
        if !*is_awake {
            let patience = if is_busy { EVERY } else { Duration::from_millis(500) };
            hall.woken.wait_for(&mut is_awake, patience);
        }
        *is_awake = false;
    }
}
