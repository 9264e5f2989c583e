//! Games and pictures that a session reads and writes.

use std::fs;
use std::io;
use std::path::Path;

use tamarin_base::files::Old;
use tamarin_base::{counted, with_causes};
use tamarin_movegen::Color;

use super::command::{Done, refused};
use super::{Message, Session};
use crate::picture::Picture;
use crate::saving::{self, is_unfinished};
use crate::variant::Variant;
use crate::{record, svg};
use tamarin_game::clock::Clocks;
use tamarin_game::pgn::Wanted;

impl Session {
    pub fn pgn(&self) -> String {
        let variant = self.players.resources.variant.as_ref().map(|variant| variant.name.as_str());
        record::write(&self.game, self.record.as_ref(), &self.names(), variant)
    }

    /// Returns `true` if `--resume` goes on with the game as it is.
    pub fn is_kept(&self) -> bool {
        self.is_in_slot && self.is_to_be_kept()
    }

    /// Returns `true` if there is an unfinished game and a slot for it.
    fn is_to_be_kept(&self) -> bool {
        self.storage.slot.is_some()
            && self.course.is_none()
            && self.game.ending().is_none()
            && !self.game.turns().is_empty()
    }

    /// Keeps the game if something has happened to it.
    pub(super) fn keep(&mut self) {
        if !std::mem::take(&mut self.is_changed) || self.course.is_some() {
            return;
        }
        let text = self.pgn();
        let mut problem = None;
        if let Some(slot) = &self.storage.slot {
            self.is_in_slot = false;
            // A record without a result may end in mate: it would be taken for an unfinished game.
            let is_over_unsaid = self.game.ending().is_some() && is_unfinished(&text);
            if self.game.turns().is_empty() || is_over_unsaid {
                // A game that stays is offered again, which does no harm.
                let _ = fs::remove_file(slot.path());
            } else if let Err(error) = slot.write(text.as_bytes()) {
                problem = Some((slot.path().to_owned(), error));
            } else {
                self.is_in_slot = true;
            }
        }
        let path = self.storage.saving.file().map(Path::to_owned);
        let has_begun = !self.game.turns().is_empty() || self.game.ending().is_some();
        match (self.storage.saving.keep(&text, has_begun), path) {
            (Ok(Some(old)), Some(path)) => {
                self.say(format!("{} {old}.", path.display()));
            }
            (Err(error), Some(path)) => problem = Some((path, error)),
            _ => {}
        }
        match problem {
            Some((path, error)) if !self.loss_is_shown => {
                self.loss_is_shown = true;
                let place = path.display();
                let text = format!("The game cannot be kept in {place}: {error}");
                self.messages.push(Message::Refused(text));
            }
            Some(_) => {}
            None => self.loss_is_shown = false,
        }
    }

    /// Another game takes the place of this one: the file of `--save` goes on with it, and this
    /// one, if it is unfinished, stays for `--resume`.
    pub(super) fn leave_game(&mut self) {
        self.keep();
        self.storage.saving.begin_game();
        if self.is_to_be_kept() {
            self.take_slot();
        }
    }

    /// The next game is kept in another slot, if there is one; if not, the game goes on without.
    pub(super) fn take_slot(&mut self) {
        let slot = saving::new_slot().inspect_err(|error| {
            let text = format!("The game is not kept for --resume: {error}");
            self.messages.push(Message::Refused(text));
        });
        self.storage.slot = slot.ok();
    }

    pub(super) fn save(&mut self, path: &Path) -> Done {
        let saved = self.storage.saving.save(path, &self.pgn());
        self.say_saved("game", path, saved)
    }

    fn say_saved(&mut self, what: &str, path: &Path, saved: io::Result<Option<Old>>) -> Done {
        let path = path.display();
        let old = saved.or_else(|error| refused(format!("{path}: {error}")))?;
        let replaced = old.map_or(String::new(), |old| format!(" It {old}."));
        self.say(format!("The {what} is in {path}.{replaced}"));
        Ok(())
    }

    pub(super) fn load(&mut self, path: &Path, number: usize) -> Done {
        let wanted = self.players.resources.variant.as_ref().map_or(Wanted::Chess, Variant::wanted);
        let record = record::load(path, number, wanted)
            .or_else(|error| refused(format!("{}: {}", path.display(), with_causes(&error))))?;
        self.storage.saving.has_read(path);
        self.begin_quietly(record.start.clone());
        self.game = record::resume(&record, self.control.map(Clocks::new));
        self.game.stop_clock(self.now);
        self.names = Some(record::names(&record));
        self.record = Some(record);
        let names = self.names();
        self.say(format!(
            "{} - {}, {}, from {}.",
            names[Color::White],
            names[Color::Black],
            counted(self.game.turns().len(), "ply", "plies"),
            path.display()
        ));
        self.messages.push(Message::Board);
        self.messages.extend(self.game.ending().map(Message::Ended));
        Ok(())
    }

    pub(super) fn svg(&mut self, path: &Path) -> Done {
        let (position, last) = self.shown();
        let picture = Picture::new(&position, last, self.bottom());
        let text = svg::draw(&picture, &self.view.theme, &position.fen());
        let saved = self.storage.saving.save_picture(path, &text);
        self.say_saved("picture", path, saved)
    }
}
