//! What helps a player beside the game: warnings, hints and lines that come unasked, the name of
//! the opening, the time of the game.

use std::time::{Duration, Instant};

use tamarin_base::counted;
use tamarin_game::openings;
use tamarin_movegen::Position;
use tamarin_search::{Limits, SearchOptions};

use super::{Message, Session};
use crate::advice::{self, LINES, Question, line_texts};
use crate::assistance::Assistance;
use crate::command::Switch;
use crate::game::{Game, Turn};
use crate::opponent::EngineError;
use crate::threats;
use tamarin_game::clock;
use tamarin_game::search::BackgroundEngine;

impl Session {
    pub(super) fn count_time(&mut self, now: Instant) {
        let runs = !self.is_paused
            && self.course.is_none()
            && self.game.ending().is_none()
            && !self.game.turns().is_empty();
        if let Some(before) = self.assistance.counted {
            self.assistance.played += now.saturating_duration_since(before);
        }
        self.assistance.counted = runs.then_some(now);
    }

    /// The time of the game, without pauses.
    pub fn game_time(&self, now: Instant) -> Duration {
        let since = self.assistance.counted;
        let running = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.assistance.played + running
    }

    /// Another game: its time begins anew.
    pub(super) fn restart_time(&mut self) {
        self.assistance.played = Duration::ZERO;
        self.assistance.counted = None;
    }

    /// What `time` answers.
    pub(super) fn time_text(&self, now: Instant) -> String {
        clock::report(self.game_time(now), self.game.clocks(), self.game.has_opened(), now)
    }

    /// The name of the opening of the position that is shown.
    pub fn opening(&self) -> Option<&'static str> {
        opening(&self.game, self.view.look)
    }

    /// What `opening` answers.
    pub(super) fn opening_text(&self) -> String {
        match self.opening() {
            Some(name) => format!("Opening: {name}."),
            None => "This opening has no name here.".to_owned(),
        }
    }

    /// Turns something on or off, and says so.
    pub(super) fn switch(
        &mut self,
        what: &str,
        switch: Option<Switch>,
        field: fn(&mut Assistance) -> &mut bool,
        out: &mut Vec<Message>,
    ) {
        let field = field(&mut self.assistance);
        *field = switch.map_or(!*field, |to| to == Switch::On);
        let state = if *field { "on" } else { "off" };
        self.assistance.shown = None;
        out.push(Message::Text(format!("{what}: {state}.")));
    }

    /// Lines for the position on the board, or no more.
    pub(super) fn set_lines(&mut self, switch: Option<Switch>, out: &mut Vec<Message>) {
        self.switch("Analysis", switch, |assistance| &mut assistance.has_lines, out);
        self.assistance.analyzed = None;
        if !self.assistance.has_lines {
            self.assistance.analyst = None;
        }
    }

    fn place(&self, position: &Position) -> (u64, usize) {
        (position.key(), self.view.look.unwrap_or(self.game.turns().len()))
    }

    /// Warns and hints once a turn, where that is wanted.
    pub(super) fn assist(&mut self, messages: &mut Vec<Message>) -> Result<(), EngineError> {
        let wants = self.assistance.has_threats || self.assistance.has_hints;
        let mover = self.game.mover();
        if !wants
            || self.game.ending().is_some()
            || self.course.is_some()
            || self.players.is_engine(mover)
        {
            return Ok(());
        }
        let place = (self.game.position().key(), self.game.turns().len());
        if self.assistance.shown == Some(place) {
            return Ok(());
        }
        // An evaluation for the bar gives way to the hint, which waits for other answers.
        let is_free =
            self.asked.as_ref().is_none_or(|asked| matches!(asked.question, Question::Value));
        if self.assistance.has_hints && !is_free {
            return Ok(());
        }
        self.assistance.shown = Some(place);
        if self.assistance.has_threats {
            let texts = threats::warnings(self.game.position());
            messages.extend(texts.into_iter().map(Message::Text));
        }
        if self.assistance.has_hints {
            let position = self.game.position().clone();
            self.ask(Question::Hint, position)?;
        }
        Ok(())
    }

    /// Follows the position on the board with lines, where that is wanted.
    pub(super) fn analyze(&mut self) -> Result<(), EngineError> {
        let (position, _) = self.shown();
        let place = self.place(&position);
        if !self.assistance.has_lines || self.assistance.analyzed == Some(place) {
            return Ok(());
        }
        if !self.assistance.is_live {
            if self.asked.is_none() && position.has_legal_move() && !self.players.is_thinking() {
                self.assistance.analyzed = Some(place);
                self.ask(Question::Lines, position)?;
            }
            return Ok(());
        }
        self.assistance.analyzed = Some(place);
        if self.assistance.analyst.is_none() {
            self.assistance.analyst = Some(self.players.advisor()?);
        }
        let Some(analyst) = &mut self.assistance.analyst else { return Ok(()) };
        if position.has_legal_move() {
            let options = SearchOptions { multi_pv: LINES, ..advice::options() };
            analyst.start(&position, Limits::default(), &options);
        } else {
            analyst.stop();
        }
        Ok(())
    }

    /// The lines of analysis mode as they are now; empty where it is off.
    pub fn analysis_lines(&self) -> Vec<String> {
        let (position, _) = self.shown();
        if self.assistance.analyzed != Some(self.place(&position)) {
            return Vec::new();
        }
        let lines =
            self.assistance.analyst.as_ref().map(BackgroundEngine::lines).unwrap_or_default();
        line_texts(&position, &lines)
    }

    /// Returns `true` in analysis mode.
    pub const fn has_lines(&self) -> bool {
        self.assistance.has_lines
    }

    /// The lines follow the board from now on, and thoughts are shown: there is a screen.
    pub const fn go_live(&mut self) {
        self.assistance.is_live = true;
        self.assistance.shows_thoughts = true;
    }

    /// The moves that the engine to move considers, the latest first, and how deep it looks.
    pub fn thoughts(&self) -> Option<String> {
        if !self.assistance.shows_thoughts || !self.players.is_thinking() {
            return None;
        }
        let mover = self.game.mover();
        let name = self.names()[mover].clone();
        let (depth, considered) = self.players.thoughts(mover);
        let position = self.game.position();
        let sans: Vec<String> = considered
            .iter()
            .filter(|mv| position.is_legal(**mv))
            .map(|mv| position.san(*mv).to_string())
            .collect();
        Some(match sans.is_empty() {
            true => format!("{name} thinks"),
            false => {
                let depth = counted(depth, "ply", "plies");
                format!("{name} considers {} ({depth})", sans.join(", "))
            }
        })
    }
}

fn opening(game: &Game, look: Option<usize>) -> Option<&'static str> {
    let plies = look.unwrap_or(usize::MAX).min(game.turns().len());
    let mut position = game.start().clone();
    let after = |turn: &Turn| {
        position.make(turn.mv);
        position.clone()
    };
    let later = game.turns().iter().take(plies).map(after);
    openings::name(std::iter::once(game.start().clone()).chain(later))
}
