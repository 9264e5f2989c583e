//! Games and pictures that a session reads and writes.

use std::fs;
use std::path::Path;
use std::time::Instant;

use tamarin_base::counted;
use tamarin_movegen::Color;

use super::{Message, Session};
use crate::autosave::{self, SlotError, is_unfinished};
use crate::picture::Picture;
use crate::saving::replaced;
use crate::variant::Variant;
use crate::{record, svg};
use tamarin_base::with_causes;
use tamarin_game::clock::Clocks;
use tamarin_game::pgn::Wanted;

impl Session {
    pub fn pgn(&self) -> String {
        let variant = self.players.variant().map(|variant| variant.name.as_str());
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
    pub(super) fn keep(&mut self, out: &mut Vec<Message>) {
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
                out.push(Message::Text(format!("{} {old}.", path.display())));
            }
            (Err(error), Some(path)) => problem = Some((path, error)),
            _ => {}
        }
        match problem {
            Some((path, error)) if !self.loss_is_shown => {
                self.loss_is_shown = true;
                let place = path.display();
                out.push(Message::Refused(format!("The game cannot be kept in {place}: {error}")));
            }
            Some(_) => {}
            None => self.loss_is_shown = false,
        }
    }

    /// Another game takes the place of this one: the file of `--save` goes on with it, and this
    /// one, if it is unfinished, stays for `--resume`.
    pub(super) fn leave_game(&mut self, out: &mut Vec<Message>) {
        self.keep(out);
        self.storage.saving.begin_game();
        if self.is_to_be_kept() {
            self.take_slot(out);
        }
    }

    /// The next game is kept in another slot, if there is one; if not, the game goes on without.
    pub(super) fn take_slot(&mut self, out: &mut Vec<Message>) {
        let refused = |error: &SlotError| {
            out.push(Message::Refused(format!("The game is not kept for --resume: {error}")));
        };
        self.storage.slot = autosave::new_slot().inspect_err(refused).ok();
    }

    pub(super) fn save(&mut self, path: &Path, out: &mut Vec<Message>) {
        let game = self.pgn();
        out.push(match self.storage.saving.save(path, &game) {
            Ok(old) => {
                Message::Text(format!("The game is in {}.{}", path.display(), replaced(old)))
            }
            Err(error) => Message::Refused(format!("{}: {error}", path.display())),
        });
    }

    pub(super) fn load(
        &mut self,
        path: &Path,
        number: usize,
        now: Instant,
        out: &mut Vec<Message>,
    ) {
        let wanted = self.players.variant().map_or(Wanted::Chess, Variant::wanted);
        let record = match record::load(path, number, wanted) {
            Ok(record) => record,
            Err(error) => {
                let reason = with_causes(&error);
                out.push(Message::Refused(format!("{}: {reason}", path.display())));
                return;
            }
        };
        self.storage.saving.has_read(path);
        let mut said = Vec::new();
        self.begin(record.start.clone(), &mut said);
        out.extend(said.into_iter().filter(|one| matches!(one, Message::Refused(_))));
        self.game = record::resume(&record, self.control.map(Clocks::new));
        self.game.stop_clock(now);
        self.names = Some(record::names(&record));
        self.record = Some(record);
        let names = self.names();
        out.push(Message::Text(format!(
            "{} - {}, {}, from {}.",
            names[Color::White],
            names[Color::Black],
            counted(self.game.turns().len(), "ply", "plies"),
            path.display()
        )));
        out.push(Message::Board);
        out.extend(self.game.ending().map(Message::Ended));
    }

    pub(super) fn svg(&mut self, path: &Path, out: &mut Vec<Message>) {
        let (position, last) = self.shown();
        let picture = Picture::new(&position, last, self.bottom());
        let text = svg::draw(&picture, &self.view.theme, &position.fen());
        out.push(match self.storage.saving.save_picture(path, &text) {
            Ok(old) => {
                Message::Text(format!("The picture is in {}.{}", path.display(), replaced(old)))
            }
            Err(error) => Message::Refused(format!("{}: {error}", path.display())),
        });
    }
}
