//! Commands of pages, and what is due without one.

use std::time::Instant;

use tamarin_game::clock::Clocks;
use tamarin_game::pgn::comment::shapes as shapes_of;
use tamarin_game::tree::{NodeId, Tree, TreeError};
use tamarin_movegen::Color;

use super::Session;
use super::begin::check_rules;
use super::games::GameFile;
use super::report::Report;
use crate::error::BoardError;
use crate::players::Player;
use crate::protocol::{Command, SideName};

/// Arrows and squares of a move at most.
const MAX_SHAPES: usize = 64;

impl Session {
    /// Carries out a command, and gives the answer in JSON: the state after it, without the tree for
    /// a page that has it by the stamp `known`.
    ///
    /// # Errors
    /// Why nothing was done.
    pub fn perform(&mut self, command: Command, known: Option<&str>) -> Result<String, BoardError> {
        self.used = Instant::now();
        // A flag may have fallen meanwhile.
        self.advance(Instant::now());
        if let Command::Rules { text } = command {
            return Ok(check_rules(&text).to_string());
        }
        let is_kept = command.is_kept();
        self.carry_out(command, Instant::now())?;
        let state = if is_kept { self.changed() } else { self.send_state() };
        Ok(format!("{{\"state\":{}}}", state.json(known)))
    }

    /// The same for an invited player, who speaks for one side.
    ///
    /// # Errors
    /// The same, and if it is not for such a player.
    pub fn perform_of_guest(
        &mut self,
        token: &str,
        command: Command,
        known: Option<&str>,
    ) -> Result<String, BoardError> {
        let side = match self.side_of_guest(token).ok_or(BoardError::Guest)? {
            Color::White => SideName::White,
            Color::Black => SideName::Black,
        };
        self.perform(command.of_guest(side).ok_or(BoardError::Guest)?, known)
    }

    fn carry_out(&mut self, command: Command, now: Instant) -> Result<(), BoardError> {
        let here = self.tree.node(self.at);
        match command {
            Command::Move { mv, r#as: by } => self.person_moves(&mv, by, now),
            Command::Goto { node } => self.show(node),
            Command::First => self.show(0),
            Command::Back => self.show(here.and_then(|node| node.parent).unwrap_or(0)),
            Command::Forward => {
                let next = here.and_then(|node| node.children.first()).copied();
                self.show(next.unwrap_or(self.at))
            }
            Command::Last => self.show(self.tree.line_from(self.at).last().copied().unwrap_or(0)),
            Command::PromoteLine { .. } | Command::DeleteLine { .. } | Command::Undo
                if self.is_game() =>
            {
                Err(BoardError::Kind("editing the moves"))
            }
            Command::PromoteLine { node } => {
                self.edit(|tree, at| tree.promote(node.unwrap_or(at)).map(|()| at))
            }
            Command::DeleteLine { node } => self.edit(|tree, at| {
                let before = tree.delete(node.unwrap_or(at))?;
                Ok(if tree.node(at).is_some() { at } else { before })
            }),
            Command::Comment { text, node } => {
                self.edit(|tree, at| tree.set_comment(node.unwrap_or(at), &text).map(|()| at))
            }
            Command::Glyph { nag, node } => {
                self.edit(|tree, at| tree.toggle_glyph(node.unwrap_or(at), nag).map(|()| at))
            }
            Command::Shapes { shapes, node } => self.draw(&shapes, node),
            Command::Undo => self.change(Tree::undo),
            Command::Redo if self.is_game() => self.play_again(now),
            Command::Redo => self.change(Tree::redo),
            Command::New(open) => self.begin(*open),
            Command::TakeBack { node: Some(node), .. } => self.take_back_to(node),
            Command::TakeBack { side, .. } => self.take_back(side),
            Command::DeclineTakeBack => self.decline_take_back(),
            Command::Resign { side } => self.resign(side, now),
            Command::OfferDraw { side } => self.offer_draw(side, now),
            Command::DeclineDraw => self.decline_draw(),
            Command::ClaimDraw { side } => self.claim_draw(side, now),
            Command::Flag => self.flag(now),
            Command::Hint { step } => {
                self.is_unaided = false;
                self.hint(step)
            }
            Command::Premove { mv, r#as: by } => self.set_premove(mv, by, now),
            Command::CancelPremove => {
                self.premove = None;
                Ok(())
            }
            Command::Analyse(request) => self.analyse(request),
            Command::Explain { node } => self.explain(node),
            Command::Report { on, all: Some(true) } => self.report_all(on),
            Command::Report { on, .. } => self.report(on),
            Command::Threat { on } => {
                self.warns = on;
                self.is_unaided &= !on;
                Ok(())
            }
            Command::Puzzles { text } => self.begin_puzzles(text.as_deref()),
            Command::Puzzle { step } => self.puzzle_step(step),
            Command::SetFen { fen } => self.set_fen(fen),
            Command::LoadPgn { text } => self.load(&text),
            Command::ShowGame { index } => self.show_game(index),
            Command::KeepFile { name } => self.keep_file(name),
            Command::Name { white, black } => {
                self.rename([white, black]);
                Ok(())
            }
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::Go => self.go_on(),
            Command::Rules { .. } => Ok(()),
        }
    }

    /// Puts another position of the tree on the board, unless an opponent at another page would lose
    /// sight of the game.
    fn show(&mut self, id: NodeId) -> Result<(), BoardError> {
        self.tree.node(id).ok_or(TreeError::NoNode(id))?;
        if self.is_shared_game() && id != self.tree.tip() {
            return Err(BoardError::Shared);
        }
        self.at = id;
        Ok(())
    }

    /// Returns `true` if two persons play, and several pages show the board.
    pub(super) fn is_shared_game(&self) -> bool {
        let has_engine = self.players.0.iter().any(Player::is_engine);
        self.is_going_on() && !has_engine && self.pages() > 1
    }

    /// Changes the tree, given the node on the board, and shows the node that comes of it. It can be
    /// undone.
    pub(super) fn edit(
        &mut self,
        change: impl FnOnce(&mut Tree, NodeId) -> Result<NodeId, TreeError>,
    ) -> Result<(), BoardError> {
        let before = self.tree.checkpoint(self.at);
        self.at = change(&mut self.tree, self.at)?;
        self.tree.keep_for_undo(before);
        Ok(())
    }

    /// Arrows and squares of a node, as `[%cal]` and `[%csl]`.
    fn draw(&mut self, shapes: &[String], node: Option<NodeId>) -> Result<(), BoardError> {
        if self.is_game() {
            return Err(BoardError::Kind("drawing"));
        }
        let id = node.unwrap_or(self.at);
        self.tree.node(id).ok_or(TreeError::NoNode(id))?;
        let text = |name: &str, length: usize| {
            let own = shapes.iter().filter(|shape| shape.len() == length).cloned();
            (name.to_owned(), own.collect::<Vec<_>>().join(","))
        };
        let both = [text("csl", 3), text("cal", 5)];
        let read = both.iter().flat_map(|(name, value)| shapes_of(&format!("[%{name} {value}]")));
        if read.count() != shapes.len() || shapes.len() > MAX_SHAPES {
            return Err(BoardError::Kind("such a drawing"));
        }
        self.edit(|tree, at| {
            both.iter().for_each(|(name, value)| tree.set_command(id, name, value));
            Ok(at)
        })
    }

    /// Undoes a change of the tree, or makes it again.
    fn change(
        &mut self,
        change: impl FnOnce(&mut Tree, NodeId) -> Result<NodeId, TreeError>,
    ) -> Result<(), BoardError> {
        let shown = change(&mut self.tree, self.at)?;
        self.at = if self.tree.node(shown).is_some() { shown } else { 0 };
        Ok(())
    }

    /// Does what is due: clocks, moves of engines, lines. Whether there will be more to do soon.
    pub fn advance(&mut self, now: Instant) -> bool {
        if self.is_left() {
            return false;
        }
        self.run_clock(now);
        self.advance_engines(now);
        self.advance_analysis(now);
        self.advance_question();
        self.advance_report();
        self.is_busy()
    }

    fn is_busy(&self) -> bool {
        self.players.0.iter().any(Player::is_thinking)
            || self.engine_is_due()
            || self.game.clocks().is_some_and(Clocks::is_running)
            || self.file.as_ref().is_some_and(GameFile::is_running)
            || self.report.as_ref().is_some_and(Report::is_running)
            || self.analysis.is_running()
            || self.asked.is_some()
    }
}
