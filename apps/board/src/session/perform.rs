//! Commands of pages, and what is due without one.

use std::time::Instant;

use tamarin_game::clock::Clocks;

use super::core::Session;
use super::error::SessionError;
use super::game_file::GameFile;
use super::report::Report;
use super::rules::check_rules;
use crate::players::Player;
use crate::protocol::Command;

impl Session {
    /// Carries out a command, and gives the answer in JSON: the state after it.
    ///
    /// # Errors
    /// Why nothing was done.
    pub fn perform(&mut self, command: Command) -> Result<String, SessionError> {
        self.used = Instant::now();
        // A flag may have fallen meanwhile.
        self.advance(Instant::now());
        if let Command::Rules { text } = command {
            return Ok(check_rules(&text).to_string());
        }
        let is_kept = command.is_kept();
        self.carry_out(command, Instant::now())?;
        let state = if is_kept { self.changed() } else { self.send_state() };
        Ok(format!("{{\"state\":{state}}}"))
    }

    fn carry_out(&mut self, command: Command, now: Instant) -> Result<(), SessionError> {
        match command {
            Command::Move { mv, by } => self.person_moves(&mv, by, now),
            Command::Goto { .. }
            | Command::First
            | Command::Back
            | Command::Forward
            | Command::Last => self.show(&command),
            Command::PromoteLine { .. }
            | Command::DeleteLine { .. }
            | Command::Comment { .. }
            | Command::Glyph { .. }
            | Command::Undo
            | Command::Redo => self.edit(command),
            Command::New(open) => self.begin(*open),
            Command::TakeBack { side } => self.take_back(side),
            Command::Resign { side } => self.resign(side, now),
            Command::OfferDraw { side } => self.offer_draw(side, now),
            Command::DeclineDraw => self.decline_draw(),
            Command::ClaimDraw { side } => self.claim_draw(side, now),
            Command::Flag => self.flag(now),
            Command::Hint { step } => self.hint(step),
            Command::Premove { mv, by } => self.set_premove(mv, by, now),
            Command::CancelPremove => {
                self.premove = None;
                Ok(())
            }
            Command::Analyse { on, lines, threads, threats } => {
                self.analyse(on, lines, threads, threats)
            }
            Command::Explain { node } => self.explain(node),
            Command::Report { on, all: true } => self.report_all(on),
            Command::Report { on, all: false } => self.report(on),
            Command::Threat { on } => {
                self.warns = on;
                Ok(())
            }
            Command::SetFen { fen } => self.set_fen(fen),
            Command::LoadPgn { text } => self.load(&text),
            Command::ShowGame { index } => self.show_game(index),
            Command::Name { white, black } => self.name(white, black),
            Command::Stop => self.stop(now),
            Command::Go => self.go_on(),
            Command::Rules { .. } => Ok(()),
        }
    }

    /// Does what is due: clocks, moves of engines, lines. Whether there will be more to do soon.
    pub fn advance(&mut self, now: Instant) -> bool {
        if self.is_left() {
            return false;
        }
        self.run_clock(now);
        self.advance_engines(now);
        self.advance_analysis(now);
        self.advance_threats();
        self.advance_question();
        self.advance_file();
        self.advance_report();
        self.is_busy()
    }

    fn is_busy(&self) -> bool {
        let engines = self.players.0.iter().any(Player::is_thinking);
        let is_due = self.engine_is_due();
        let clocks = self.game.clocks().is_some_and(Clocks::is_running);
        let file = self.file.as_ref().is_some_and(GameFile::is_running);
        let report = self.report.as_ref().is_some_and(Report::is_running);
        engines
            || is_due
            || clocks
            || file
            || report
            || self.analysis.is_running()
            || self.asked.is_some()
    }
}
