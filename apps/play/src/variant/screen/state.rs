//! What the screen of a variant knows, and what keys and the mouse do.

use std::time::Instant;

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use tamarin_variant::{Color, Move, Position, Square};

use super::opponent::Opponent;
use crate::begin::Failure;
use crate::completion;
use crate::full_screen::is_command;
use crate::messages::{Log, Tone};
use crate::page::{self, Page};
use crate::text_board::Colors;
use crate::theme::{self, Theme};
use crate::typed::Typed;
use crate::variant::offered;
use crate::variant::table::{Face, Table};

/// Answers of more lines than this have a page of their own.
const MAX_SHORT: usize = 6;

/// Where the squares were drawn last: their first column and row, and the size of one.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The first column and row.
    pub origin: (u16, u16),
    /// Columns and rows of a square.
    pub square: (u16, u16),
}

pub struct State {
    pub table: Table,
    /// The engine that plays.
    pub opponent: Opponent,
    /// The colors of the board.
    pub theme: Theme,
    /// How many colors there are.
    pub colors: Colors,
    /// What is being typed, and was before.
    pub typed: Typed,
    /// The ply and the position that are looked at instead of the last ones.
    look: Option<(usize, Position)>,
    /// What was said, the newest last.
    pub log: Log,
    /// A long answer over the whole screen.
    pub page: Option<Page>,
    /// The square under the cursor, once the cursor has been used.
    pub cursor: Option<Square>,
    /// The piece that was taken up.
    pub selected: Option<Square>,
    pub place: Option<Place>,
    /// When the mode began, for what moves on the screen.
    pub began: Instant,
}

impl State {
    /// The screen at its beginning.
    pub fn new(table: Table, opponent: Opponent, theme: Theme, colors: Colors) -> Self {
        let mut log = Log::default();
        log.say(Tone::Plain, table.greeting());
        Self {
            table,
            opponent,
            theme,
            colors,
            typed: Typed::default(),
            look: None,
            log,
            page: None,
            cursor: None,
            selected: None,
            place: None,
            began: Instant::now(),
        }
    }

    pub const fn has_quit(&self) -> bool {
        self.table.has_quit
    }

    /// Returns `true` if it is up to the engine to move.
    pub fn waits_for_engine(&self) -> bool {
        let mover = self.table.game.position().side_to_move();
        !self.table.was_over && !self.table.people[mover.index()]
    }

    /// Does what is due: the end of the game, clocks, and the moves of the engine.
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.table.look_at_flag();
        self.table.announce()?;
        let position = self.table.game.position().clone();
        let is_engine = self.waits_for_engine();
        if self.table.was_over {
            self.table.stop_clocks();
            self.opponent.move_now();
        } else {
            self.table.run_clock();
        }
        match self.opponent.answer(&position) {
            Some(m) if is_engine => {
                self.selected = None;
                self.look = None;
                self.table.engine_plays(Some(m))?;
            }
            _ if is_engine && !self.opponent.is_thinking() => {
                let limits = self.table.limits();
                self.opponent.start(&position, limits)?;
            }
            _ => {}
        }
        self.take_lines();
        Ok(())
    }

    /// Takes what the table has said.
    fn take_lines(&mut self) {
        let Face::Screen(lines) = &mut self.table.face else { return };
        let lines = std::mem::take(lines);
        if lines.len() > MAX_SHORT {
            self.page = Some(Page::new("", lines));
            return;
        }
        for line in lines {
            let tone = if line.starts_with("! ") { Tone::Refused } else { Tone::Plain };
            self.log.say(tone, line);
        }
    }

    fn enter(&mut self) -> Result<(), Failure> {
        let typed = self.typed.take();
        self.typed.keep(&typed);
        self.look = None;
        self.log.say(Tone::Typed, format!("> {typed}"));
        if matches!(typed.trim(), "now" | "stop") && self.opponent.move_now() {
            return Ok(());
        }
        self.selected = None;
        self.table.perform(&typed)?;
        self.take_lines();
        Ok(())
    }

    /// Does what an event asks for.
    ///
    /// # Errors
    /// If the game cannot be kept.
    pub fn handle(&mut self, event: &Event) -> Result<(), Failure> {
        if page::take(&mut self.page, event) {
            return Ok(());
        }
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => Ok(()),
            Event::Key(key) if is_command(*key) => self.control(key.code),
            Event::Key(key) => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Paste(text) => {
                text.chars().for_each(|letter| self.typed.insert(letter));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Result<(), Failure> {
        let square = self.at(mouse.column, mouse.row);
        match (mouse.kind, square) {
            (MouseEventKind::ScrollUp, _) => self.look_at(self.ply().saturating_sub(1)),
            (MouseEventKind::ScrollDown, _) => self.look_at(self.ply() + 1),
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => return self.touch(square),
            // The end of a drag; a plain click ends where it began.
            (MouseEventKind::Up(MouseButton::Left), Some(square))
                if self.selected.is_some_and(|at| at != square) =>
            {
                return self.touch(square);
            }
            _ => {}
        }
        Ok(())
    }

    /// A key with Ctrl.
    fn control(&mut self, code: KeyCode) -> Result<(), Failure> {
        match code {
            KeyCode::Char('c' | 'q') => self.table.has_quit = true,
            KeyCode::Char('z') => return self.command("undo"),
            KeyCode::Char('y') => return self.command("redo"),
            KeyCode::Char('f') => return self.command("flip"),
            KeyCode::Char('t') => self.theme = theme::after(self.theme),
            KeyCode::Char('u') => drop(self.typed.take()),
            KeyCode::Char('p') => self.typed.recall(1),
            KeyCode::Char('n') => self.typed.recall(-1),
            _ => {}
        }
        Ok(())
    }

    fn key(&mut self, key: KeyEvent) -> Result<(), Failure> {
        match key.code {
            KeyCode::Char('?') if self.typed.input.is_empty() => return self.command("help"),
            KeyCode::Enter | KeyCode::Char(' ') if self.typed.input.is_empty() => match self.cursor
            {
                Some(square) => return self.touch(square),
                None => self.move_cursor(0, 0),
            },
            KeyCode::Enter => return self.enter(),
            KeyCode::Char(letter) => self.typed.insert(letter),
            KeyCode::Backspace => self.typed.erase(),
            KeyCode::Tab => self.complete(),
            KeyCode::Esc => {
                self.typed.take();
                self.selected = None;
            }
            KeyCode::PageUp => self.look_at(self.ply().saturating_sub(1)),
            KeyCode::PageDown => self.look_at(self.ply() + 1),
            KeyCode::Home => self.look_at(0),
            KeyCode::End => self.look_at(usize::MAX),
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::F(1) => return self.command("help"),
            KeyCode::F(2) => return self.command("flip"),
            KeyCode::F(3) => return self.command("hint"),
            KeyCode::F(4) => self.theme = theme::after(self.theme),
            KeyCode::F(9) => drop(self.opponent.move_now()),
            _ => {}
        }
        Ok(())
    }

    fn command(&mut self, command: &str) -> Result<(), Failure> {
        self.selected = None;
        self.look = None;
        self.table.perform(command)?;
        self.take_lines();
        Ok(())
    }

    /// Completes what is being typed as far as it is clear, and lists what it may become.
    fn complete(&mut self) {
        let position = self.table.game.position();
        let found = completion::complete_variant(position, &self.typed.input, offered::names());
        self.typed.complete(found);
    }

    /// The position that is shown: that of the game, or an earlier one that is looked at.
    pub fn shown(&self) -> &Position {
        self.look.as_ref().map_or(self.table.game.position(), |(_, position)| position)
    }

    /// The ply that is looked at, if it is not the last one.
    pub fn look(&self) -> Option<usize> {
        self.look.as_ref().map(|(ply, _)| *ply)
    }

    fn ply(&self) -> usize {
        self.look().unwrap_or_else(|| self.table.game.plies())
    }

    /// Shows the position after `ply` plies.
    fn look_at(&mut self, ply: usize) {
        self.selected = None;
        let game = &self.table.game;
        self.look = (ply < game.plies()).then(|| (ply, game.position_after(ply)));
    }

    /// The square in this row from the top and column from the left.
    pub fn square(&self, row: u8, column: u8) -> Option<Square> {
        let game = self.table.game.position().game();
        let (rows, columns) = (game.rows(), game.columns());
        if row >= rows || column >= columns {
            return None;
        }
        let (row, column) = match self.table.below() {
            Color::White => (rows - 1 - row, column),
            Color::Black => (row, columns - 1 - column),
        };
        Some(row * columns + column)
    }

    /// The square at a place of the screen.
    fn at(&self, x: u16, y: u16) -> Option<Square> {
        let place = self.place?;
        let column = x.checked_sub(place.origin.0)? / place.square.0;
        let row = y.checked_sub(place.origin.1)? / place.square.1;
        self.square(u8::try_from(row).ok()?, u8::try_from(column).ok()?)
    }

    /// Moves the cursor by `right` columns and `up` rows on the screen.
    fn move_cursor(&mut self, right: i16, up: i16) {
        let game = self.table.game.position().game();
        let (rows, columns) = (i16::from(game.rows()), i16::from(game.columns()));
        let Some(cursor) = self.cursor else {
            self.cursor = self.square(game.rows() - 1, game.columns() / 2);
            return;
        };
        let sign = if self.table.below() == Color::White { 1 } else { -1 };
        let row = (i16::from(cursor) / columns + sign * up).clamp(0, rows - 1);
        let column = (i16::from(cursor) % columns + sign * right).clamp(0, columns - 1);
        self.cursor = u8::try_from(row * columns + column).ok();
    }

    /// Where the selected piece may go.
    pub fn targets(&self) -> Vec<Move> {
        let Some(selected) = self.selected else { return Vec::new() };
        let moves = self.table.game.position().legal_moves();
        moves.into_iter().filter(|m| m.from == selected).collect()
    }

    /// Takes up or puts down a piece.
    fn touch(&mut self, square: Square) -> Result<(), Failure> {
        self.look = None;
        let position = self.table.game.position();
        let mover = position.side_to_move();
        let is_person = self.table.people[mover.index()] && !self.table.was_over;
        let moves: Vec<Move> = self.targets().into_iter().filter(|m| m.to == square).collect();
        let is_own = position.piece(square).is_some_and(|(color, _)| color == mover);
        match moves.as_slice() {
            [one] if is_person => {
                let text = position.text(*one);
                return self.command(&text);
            }
            [_, ..] if is_person => {
                let texts: Vec<String> = moves.iter().map(|m| position.san(*m)).collect();
                self.log.say(Tone::Plain, format!("Which one? Type {}", texts.join(" or ")));
                self.selected = None;
            }
            _ if is_own && is_person && self.selected != Some(square) => {
                self.selected = Some(square);
            }
            _ => self.selected = None,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::State;
    use crate::testing::{drag, key, wheel};
    use crate::text_board::Colors;
    use crate::theme;
    use crate::variant::screen::draw::draw;
    use crate::variant::screen::opponent::Opponent;
    use crate::variant::table::engine;
    use crate::variant::tests::table;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};

    /// Two people at a board of six by six squares of five columns and two rows.
    fn state() -> State {
        let words = ["--side", "both"];
        let table = table("losalamos", &words);
        let engine = engine(&table.game, &crate::testing::arguments(&words)).unwrap();
        let theme = theme::find("wood").unwrap();
        let mut state = State::new(table, Opponent::new(engine), theme, Colors::None);
        drawn(&mut state);
        state
    }

    fn drawn(state: &mut State) -> String {
        let mut terminal = Terminal::new(TestBackend::new(64, 20)).unwrap();
        terminal.draw(|frame| draw(frame, state)).unwrap();
        let content = terminal.backend().buffer().content();
        content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn pieces_are_dragged_and_the_wheel_goes_through_the_game() {
        let mut state = state();
        let place = state.place.unwrap();
        let at = |column: u16, row: u16| {
            (place.origin.0 + column * place.square.0, place.origin.1 + row * place.square.1)
        };
        for event in drag(at(0, 4), at(0, 3)) {
            state.handle(&event).unwrap();
        }
        assert_eq!(state.table.game.moves(), "1. a3\n");
        state.handle(&wheel(true)).unwrap();
        assert_eq!(state.look(), Some(0));
        state.handle(&wheel(false)).unwrap();
        assert_eq!(state.look(), None);
    }

    #[test]
    fn a_long_answer_is_gone_through() {
        let mut state = state();
        state.handle(&key(KeyCode::Char('?'), KeyModifiers::NONE)).unwrap();
        assert!(drawn(&mut state).contains("Cursor keys go through it"));
        (0..9).for_each(|_| state.handle(&wheel(false)).unwrap());
        let end = drawn(&mut state);
        assert!(end.contains("flip") && end.contains("leave"), "{end}");
        state.handle(&key(KeyCode::Char('x'), KeyModifiers::NONE)).unwrap();
        assert!(state.page.is_none() && state.look().is_none());
    }

    #[test]
    fn what_alt_gr_types_is_no_command() {
        let mut state = state();
        let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
        state.handle(&key(KeyCode::Char('@'), alt_gr)).unwrap();
        state.handle(&key(KeyCode::Char('q'), alt_gr)).unwrap();
        assert_eq!((state.typed.input.as_str(), state.has_quit()), ("@q", false));
        state.handle(&key(KeyCode::Char('f'), KeyModifiers::CONTROL)).unwrap();
        assert!(state.table.is_flipped);
    }
}
