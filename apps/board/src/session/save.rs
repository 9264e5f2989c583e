//! Games that outlive the process: each in a file of its own, written whole after every change,
//! with a lock that the system lets go of when the process ends, however it ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use tamarin_base::files::{LockedFile, read_own, state_folder, write_own};
use tamarin_game::ending::Ending;
use tamarin_game::pgn::Outcome;
use tamarin_game::tree::{NodeId, Tree};
use tamarin_movegen::{Color, PerColor};

use super::Session;
use crate::error::BoardError;
use crate::library::Library;
use crate::players::Resources;
use crate::protocol::{Kind, Open};
use crate::sessions::secret;

/// No kept game is larger.
const MAX_MEBIBYTES: u64 = 16;

/// So many games are kept, and as many analyses; those without a move or comment make room first,
/// then the older ones.
const MAX_GAMES: usize = 50;

/// So many games that were forgotten last can be restored.
const MAX_FORGOTTEN: usize = 20;

/// How the names of files of kept and of forgotten games end.
const KEPT: &str = "json";
const FORGOTTEN: &str = "forgotten";

/// A kept game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Saved {
    /// What opens the session, with the game as PGN.
    pub open: Open,
    /// The name of the game: rules and positions may be given without one.
    pub game: String,
    /// How many moves the tree has.
    pub moves: usize,
    /// There is a comment about the first position.
    pub has_lead: bool,
    /// The node on the board, by its place in the order of PGN.
    pub at: usize,
    /// The clocks, in milliseconds.
    pub clock: Option<[u64; 2]>,
    /// The clocks before each move of the main line.
    pub before: Vec<Option<[u64; 2]>>,
    /// The result and its reason, if the game is over.
    pub end: Option<[String; 2]>,
    pub names: [String; 2],
    /// The name of the opening at the end of the main line.
    #[serde(default)]
    pub opening: Option<String>,
    /// The accuracies of White and Black, as far as they were known.
    #[serde(default)]
    pub accuracy: [Option<f64>; 2],
    /// Nobody has helped the person who plays the engine.
    #[serde(default)]
    pub is_unaided: bool,
}

impl Saved {
    /// Returns `true` if there is nothing that a user has entered: no move, no comment, no position
    /// and no rules.
    pub const fn is_empty(&self) -> bool {
        let is_usual = self.open.fen.is_none() && self.open.rules.is_none();
        is_usual && !self.has_game()
    }

    /// Returns `true` if there is a move or a comment.
    const fn has_game(&self) -> bool {
        self.moves > 0 || self.has_lead
    }
}

/// Where games are kept.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Where results against the engine are kept, beside those of `play`.
    pub results: PathBuf,
}

/// The place of one game.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    /// Before anything is written others do not know the number of the game.
    file: Option<LockedFile>,
    last: String,
}

impl Folder {
    pub fn of_user() -> Result<Self, String> {
        let results = state_folder().map_err(|error| error.to_string())?;
        Ok(Self { results: results.clone(), ..Self::at(&results.join("board"))? })
    }

    pub fn at(path: &Path) -> Result<Self, String> {
        fs::create_dir_all(path).map_err(|error| failed(path, &error))?;
        Ok(Self { path: path.to_owned(), results: path.to_owned() })
    }

    /// The files of games that are kept beside.
    pub fn library(&self) -> Library {
        Library::at(self.path.join("files"))
    }

    /// Numbers of sessions are ours: nothing else becomes a part of a path.
    fn path(&self, id: &str) -> Option<PathBuf> {
        let is_id = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| self.path.join(format!("{id}.json")))
    }

    /// A slot of the game of this number, unless another process has it.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn slot(&self, id: &str) -> Result<Option<Slot>, String> {
        let Some(slot) = self.new_slot(id) else { return Ok(None) };
        let file = LockedFile::lock(&slot.path).map_err(|error| failed(&slot.path, &error))?;
        Ok(file.map(|file| Slot { file: Some(file), ..slot }))
    }

    /// A slot of a game that is new: there is no file before there is something to keep.
    pub fn new_slot(&self, id: &str) -> Option<Slot> {
        Some(Slot { path: self.path(id)?, file: None, last: String::new() })
    }

    /// A kept game.
    pub fn read(&self, id: &str) -> Option<Saved> {
        let bytes = read_own(&self.path(id)?, MAX_MEBIBYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The files with this end, the latest first: since when they are as they are, and of which game.
    fn files(&self, end: &str) -> Vec<(SystemTime, String)> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let one = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let id = name.strip_suffix(end)?.strip_suffix('.')?.to_owned();
            self.path(&id)?;
            let since = entry.metadata().and_then(|data| data.modified());
            Some((since.unwrap_or(SystemTime::UNIX_EPOCH), id))
        };
        let mut found: Vec<(SystemTime, String)> = entries.flatten().filter_map(one).collect();
        found.sort_by(|one, other| other.cmp(one));
        found
    }

    /// All kept games, the latest first, each with the time of its last change. Those beyond the
    /// number that is kept are removed.
    pub fn list(&self) -> Vec<(SystemTime, String)> {
        let mut found = self.files(KEPT);
        if found.len() > MAX_GAMES {
            let mut left = [MAX_GAMES; 2];
            // A file that cannot be read may be a game of another version.
            let kind = |id: &str| {
                let saved = self.read(id);
                let is_game = saved.as_ref().is_none_or(|saved| saved.open.kind != Kind::Analyse);
                (saved.is_none_or(|saved| saved.has_game()), is_game)
            };
            let mut rated: Vec<_> =
                found.into_iter().map(|(since, id)| (kind(&id), since, id)).collect();
            rated.sort_by(|one, other| (other.0.0, &other.1).cmp(&(one.0.0, &one.1)));
            rated.retain(|((_, is_game), _, id)| {
                let left = &mut left[usize::from(*is_game)];
                if *left == 0 && matches!(self.slot(id), Ok(Some(_))) {
                    self.remove(id, KEPT);
                    return false;
                }
                *left = left.saturating_sub(1);
                true
            });
            found = rated.into_iter().map(|(_, since, id)| (since, id)).collect();
            found.sort_by(|one, other| other.cmp(one));
        }
        found
    }

    /// Sets a game aside, so that it can be restored.
    pub fn forget(&self, id: &str) {
        if let Some(path) = self.path(id) {
            // One that stays is offered again, which does no harm.
            let _ = fs::rename(&path, path.with_extension(FORGOTTEN));
            let _ = fs::remove_file(path.with_extension("lock"));
        }
        for (_, id) in self.files(FORGOTTEN).into_iter().skip(MAX_FORGOTTEN) {
            self.remove(&id, FORGOTTEN);
        }
    }

    /// A game that was forgotten is kept again.
    pub fn restore(&self, id: &str) -> bool {
        let path = self.path(id).filter(|path| !path.exists());
        path.is_some_and(|path| fs::rename(path.with_extension(FORGOTTEN), path).is_ok())
    }

    fn remove(&self, id: &str, end: &str) {
        if let Some(path) = self.path(id) {
            let _ = fs::remove_file(path.with_extension(end));
            let _ = fs::remove_file(path.with_extension("lock"));
        }
    }

    /// The token of the addresses of this user's servers: addresses outlive a server.
    pub fn token(&self) -> io::Result<String> {
        let path = self.path.join("token");
        let kept = read_own(&path, 1).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let is_token =
            |text: &String| text.len() == 32 && text.bytes().all(|c| c.is_ascii_hexdigit());
        if let Some(token) = kept.filter(is_token) {
            return Ok(token);
        }
        let token = secret::<16>()?;
        write_own(&path, token.as_bytes())?;
        Ok(token)
    }
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

impl Slot {
    /// Keeps a game, once there is anything that a user has entered and it is not as it was read.
    ///
    /// # Errors
    /// If it cannot be written; what was kept before stays.
    fn keep(&mut self, saved: &Saved, is_changed: bool) -> Result<(), String> {
        let failed = |error: &io::Error| failed(&self.path, error);
        let file = match &mut self.file {
            Some(file) => file,
            None if saved.is_empty() || !is_changed => return Ok(()),
            none => {
                let file = LockedFile::lock(&self.path).map_err(|error| failed(&error))?;
                none.insert(file.ok_or_else(|| failed(&io::Error::other("it is locked")))?)
            }
        };
        let text = serde_json::to_string(saved).map_err(|error| error.to_string())?;
        if text != self.last {
            file.write(text.as_bytes()).map_err(|error| failed(&error))?;
            self.last = text;
        }
        Ok(())
    }

    /// Keeps a game under another number, which is new.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_as(&self, id: &str, saved: &Saved) -> Result<(), String> {
        let text = serde_json::to_string(saved).map_err(|error| error.to_string())?;
        let path = self.path.with_file_name(format!("{id}.json"));
        write_own(&path, text.as_bytes()).map_err(|error| failed(&path, &error))
    }
}

/// The clocks in milliseconds.
pub(super) fn millis(clocks: PerColor<Duration>) -> [u64; 2] {
    clocks.0.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
}

/// The clocks of these milliseconds.
fn durations(clocks: [u64; 2]) -> PerColor<Duration> {
    PerColor(clocks.map(Duration::from_millis))
}

/// The nodes of a tree, each line before those that leave it. PGN has them in this order too.
fn order(tree: &Tree) -> Vec<NodeId> {
    let (mut found, mut open) = (Vec::with_capacity(tree.size()), vec![0]);
    while let Some(id) = open.pop() {
        found.push(id);
        open.extend(tree.node(id).into_iter().flat_map(|node| node.children.iter().rev()));
    }
    found
}

impl Session {
    /// Saves the session, if it has a file.
    pub(super) fn keep(&mut self) {
        // Solved puzzles are nobody's games.
        let Some(mut slot) = self.slot.take_if(|_| self.solving.is_none()) else { return };
        let is_changed = self.record.is_none() || self.is_changed();
        let kept = slot.keep(&self.saved(), is_changed);
        self.slot = Some(slot);
        match kept {
            Ok(()) => self.is_loss_told = false,
            // It is said once, as soon as a page is there, and tried again after each change.
            Err(why) if !self.is_loss_told && self.sender.receiver_count() > 0 => {
                self.is_loss_told = true;
                self.notice(&format!("The game cannot be kept: {why}"));
            }
            Err(_) => {}
        }
    }

    /// Keeps the game on the board under a number of its own if it was changed: another one takes
    /// its place.
    pub(super) fn save_copy(&mut self) {
        let Some(slot) = self.slot.as_ref().filter(|_| self.is_changed() && self.solving.is_none())
        else {
            return;
        };
        let saved = self.saved();
        if saved.is_empty() {
            return;
        }
        let number = secret::<8>().map_err(|error| error.to_string());
        if let Err(why) = number.and_then(|id| slot.write_as(&id, &saved)) {
            self.notice(&format!("The game before cannot be kept: {why}"));
        }
    }

    /// The session as it is kept.
    pub fn saved(&self) -> Saved {
        let accuracy = self.accuracy();
        Saved {
            open: Open { pgn: Some(self.pgn()), ..self.opened.clone() },
            game: self.game_name(),
            moves: self.tree.size() - 1,
            has_lead: self.tree.node(0).is_some_and(|root| !root.comments.is_empty()),
            at: order(&self.tree).iter().position(|id| *id == self.at).unwrap_or(0),
            clock: self.game.clocks().map(|clocks| millis(clocks.both(Instant::now()))),
            before: self.game.turns().iter().map(|turn| turn.before.map(millis)).collect(),
            end: self.game.ending().map(|end| [end.outcome().to_string(), end.to_string()]),
            names: Color::ALL.map(|color| self.players[color].name.clone()),
            opening: self.opening_of(self.tree.tip()).map(str::to_owned),
            is_unaided: self.is_unaided,
            accuracy: ["white", "black"].map(|side| accuracy[side].as_f64()),
        }
    }

    /// A kept session as it was.
    ///
    /// # Errors
    /// If what was kept is invalid.
    pub fn resume(id: String, saved: Saved, resources: Resources) -> Result<Self, BoardError> {
        let mut session = Self::open(id, saved.open, resources)?;
        // It is not in a file of the user.
        session.unchanged = None;
        session.rated = saved.accuracy;
        session.is_unaided = saved.is_unaided;
        session.at = order(&session.tree).get(saved.at).copied().unwrap_or(0);
        let before = saved.before.into_iter().map(|clocks| clocks.map(durations));
        session.replay(&before.collect::<Vec<_>>());
        if let Some(left) = saved.clock {
            session.game.set_clocks(durations(left));
        }
        if let (None, Some([outcome, reason])) = (session.game.ending(), saved.end) {
            let recorded = Ending::Recorded(Outcome::of(&outcome));
            session.game.set_ending(Ending::of_text(&reason).unwrap_or(recorded));
        }
        for (player, name) in session.players.0.iter_mut().zip(saved.names) {
            player.name = name;
        }
        Ok(session)
    }
}
