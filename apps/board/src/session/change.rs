//! Moving about in the tree, and changing it.

use super::core::Session;
use super::error::SessionError;
use crate::players::Player;
use crate::protocol::Command;
use tamarin_game::tree::{NodeId, TreeError};

impl Session {
    /// Puts another position of the tree on the board, unless an opponent at another page would lose
    /// sight of the game.
    pub(super) fn show(&mut self, command: &Command) -> Result<(), SessionError> {
        let node = |id: NodeId| self.tree.node(id).ok_or(TreeError::NoNode(id));
        let at = node(self.at)?;
        let shown = match command {
            Command::Goto { node: id } => node(*id).map(|_| *id)?,
            Command::First => 0,
            Command::Back => at.parent.unwrap_or(0),
            Command::Forward => at.children.first().copied().unwrap_or(self.at),
            Command::Last => self.tree.line_from(self.at).last().copied().unwrap_or(0),
            _ => self.at,
        };
        if self.is_shared_game() && shown != self.tree.tip() {
            return Err(SessionError::Shared);
        }
        self.at = shown;
        Ok(())
    }

    /// Returns `true` if two persons play, and several pages show the board.
    pub(super) fn is_shared_game(&self) -> bool {
        let has_engine = self.players.0.iter().any(Player::is_engine);
        self.is_game() && self.game.ending().is_none() && !has_engine && self.pages() > 1
    }

    /// Changes the tree; it can be undone. In a game only comments and glyphs are changed.
    pub(super) fn edit(&mut self, command: Command) -> Result<(), SessionError> {
        let is_note = matches!(command, Command::Comment { .. } | Command::Glyph { .. });
        if self.is_game() && !is_note {
            return Err(SessionError::Kind("editing the moves"));
        }
        let at = self.at;
        if matches!(command, Command::Undo | Command::Redo) {
            let shown = match command {
                Command::Undo => self.tree.undo(at)?,
                _ => self.tree.redo(at)?,
            };
            self.at = if self.tree.node(shown).is_some() { shown } else { 0 };
            return Ok(());
        }
        let before = self.tree.checkpoint(at);
        self.edit_tree(command)?;
        self.tree.keep_for_undo(before);
        Ok(())
    }

    fn edit_tree(&mut self, command: Command) -> Result<(), TreeError> {
        let at = self.at;
        match command {
            Command::PromoteLine { node } => self.tree.promote(node.unwrap_or(at)),
            Command::DeleteLine { node } => {
                let before = self.tree.delete(node.unwrap_or(at))?;
                if self.tree.node(at).is_none() {
                    self.at = before;
                }
                Ok(())
            }
            Command::Comment { text, node } => self.tree.set_comment(node.unwrap_or(at), &text),
            Command::Glyph { nag, node } => self.tree.toggle_glyph(node.unwrap_or(at), nag),
            _ => Ok(()),
        }
    }
}
