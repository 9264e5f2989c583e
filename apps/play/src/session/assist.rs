//! What helps a player beside the game: warnings, hints and lines that come unasked, the name of
//! the opening, the time of the game.

use tamarin_base::counted;
use tamarin_game::openings;
use tamarin_game::position::Position;
use tamarin_game::search::{Ask, Searcher};
use tamarin_game::threats;

use super::command::Done;
use super::{Message, Session};
use crate::advice::{LINES, Question, line_texts};
use crate::players::EngineError;
use tamarin_game::clock;
use tamarin_game::game::Game;

/// What comes unasked.
#[derive(Default)]
pub struct Assistance {
    /// Whether threats are named.
    pub has_threats: bool,
    /// Whether each turn begins with a hint.
    pub has_hints: bool,
    /// Whether lines are shown for the position on the board.
    pub has_lines: bool,
    /// Whether they are followed while they grow, as on a screen, or asked for once.
    pub is_live: bool,
    /// Whether the moves that the engine considers are shown.
    pub shows_thoughts: bool,
    /// The position for which warnings and hints were given.
    pub shown: Option<Position>,
    /// That for which there are lines.
    pub analyzed: Option<Position>,
    /// What finds them on a screen, once it was needed.
    pub analyst: Option<Searcher>,
}

impl Session {
    /// What `time` answers.
    pub(super) fn time_text(&self) -> String {
        let total = self.game.total_time(self.now);
        clock::report(total, self.game.clocks(), self.game.has_opened(), self.now)
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

    /// Something was turned on or off.
    pub(super) fn say_switch(&mut self, what: &str, is_on: bool) -> Done {
        self.assistance.shown = None;
        self.say(format!("{what}: {}.", if is_on { "on" } else { "off" }));
        Ok(())
    }

    /// Lines for the position on the board, or no more.
    pub(super) fn set_lines(&mut self, is_on: bool) -> Done {
        self.assistance.has_lines = is_on;
        self.assistance.analyzed = None;
        if !is_on {
            self.assistance.analyst = None;
        }
        self.say_switch("Analysis", is_on)
    }

    /// Warns and hints once a turn, where that is wanted.
    pub(super) fn assist(&mut self) -> Result<(), EngineError> {
        let wants = self.assistance.has_threats || self.assistance.has_hints;
        let mover = self.game.mover();
        if !wants
            || self.game.ending().is_some()
            || self.course.is_some()
            || self.players.is_engine(mover)
        {
            return Ok(());
        }
        let position = self.game.position().clone();
        if self.assistance.shown.as_ref().is_some_and(|shown| shown.is_same(&position)) {
            return Ok(());
        }
        // An evaluation for the bar gives way to the hint, which waits for other answers.
        let is_free =
            self.asked.as_ref().is_none_or(|asked| matches!(asked.question, Question::Value));
        if self.assistance.has_hints && !is_free {
            return Ok(());
        }
        self.assistance.shown = Some(position.clone());
        if let Some(chess) = position.chess().filter(|_| self.assistance.has_threats) {
            self.messages.extend(threats::warnings(chess).into_iter().map(Message::Text));
        }
        if self.assistance.has_hints {
            self.ask(Question::Hint, position)?;
        }
        Ok(())
    }

    /// Follows the position on the board with lines, where that is wanted.
    pub(super) fn analyze(&mut self) -> Result<(), EngineError> {
        let (position, _) = self.shown();
        if !self.assistance.has_lines || self.is_analyzed(&position) {
            return Ok(());
        }
        if !self.assistance.is_live {
            if self.asked.is_none() && position.has_legal_move() && !self.players.is_thinking() {
                self.assistance.analyzed = Some(position.clone());
                self.ask(Question::Lines, position)?;
            }
            return Ok(());
        }
        self.assistance.analyzed = Some(position.clone());
        if self.assistance.analyst.is_none() {
            self.assistance.analyst = Some(self.players.advisor()?);
        }
        let Some(analyst) = &mut self.assistance.analyst else { return Ok(()) };
        if position.has_legal_move() {
            analyst.start(&position, &Ask { lines: LINES, ..Ask::default() })?;
        } else {
            analyst.stop();
        }
        Ok(())
    }

    fn is_analyzed(&self, position: &Position) -> bool {
        self.assistance.analyzed.as_ref().is_some_and(|analyzed| analyzed.is_same(position))
    }

    /// The lines of analysis mode as they are now; empty where it is off.
    pub fn analysis_lines(&self) -> Vec<String> {
        let (position, _) = self.shown();
        if !self.is_analyzed(&position) {
            return Vec::new();
        }
        let analyst = self.assistance.analyst.as_ref();
        line_texts(&position, &analyst.map(Searcher::found).unwrap_or_default())
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
        let found = self.players.sides[mover].thoughts();
        let position = self.game.position();
        let sans: Vec<String> = found
            .considered
            .iter()
            .filter(|mv| position.is_legal(**mv))
            .map(|mv| position.san(*mv).to_string())
            .collect();
        Some(match sans.is_empty() {
            true => format!("{name} thinks"),
            false => {
                let depth = counted(found.depth, "ply", "plies");
                format!("{name} considers {} ({depth})", sans.join(", "))
            }
        })
    }
}

/// The name of the opening of a game, after so many plies.
fn opening(game: &Game, look: Option<usize>) -> Option<&'static str> {
    let plies = look.unwrap_or(usize::MAX).min(game.turns().len());
    let mut position = game.start().chess()?.clone();
    let mut positions = vec![position.clone()];
    for mv in game.turns().iter().take(plies).filter_map(|turn| turn.mv.chess()) {
        position.make(mv);
        positions.push(position.clone());
    }
    openings::name(&positions)
}
