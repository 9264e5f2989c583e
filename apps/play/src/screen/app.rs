//! What the full-screen mode knows besides the session.

use std::time::Instant;

use tamarin_game::position::{Move, Position};
use tamarin_movegen::{self as chess, Color, PieceKind};

use super::board::BoardArea;
use super::keys::help;
use super::new_game::NewGame;
use super::text::{Log, Page, Tone, Typed};
use crate::picture::{Picture, ends};
use crate::players::EngineError;
use crate::session::command::{self, Side};
use crate::session::{Message, Session};
use crate::text_board::Colors;

/// What lies over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    None,
    /// The choice of what a pawn becomes that goes from one square to another.
    Promotion(u8, u8),
    NewGame,
}

/// Answers of more lines than this have a page of their own.
const MAX_SHORT: usize = 4;

/// The state of the full-screen mode.
pub struct App {
    pub session: Session,
    /// How many colors there are.
    pub colors: Colors,
    /// What is being typed, and was before.
    pub typed: Typed,
    /// The square under the cursor, once the cursor has been used.
    pub cursor: Option<u8>,
    /// The piece that was taken up.
    pub selected: Option<u8>,
    pub log: Log,
    /// What lies over the board.
    pub overlay: Overlay,
    /// The help or a long answer, over the whole screen.
    pub page: Option<Page>,
    /// The dialog of [`Overlay::NewGame`].
    pub dialog: NewGame,
    /// When the mode began, for what moves on the screen.
    pub began: Instant,
    /// Where the board was drawn last.
    pub board: Option<BoardArea>,
    /// Whether the player leaves.
    pub has_quit: bool,
}

impl App {
    /// The full-screen mode at its beginning.
    pub fn new(mut session: Session, colors: Colors) -> Self {
        session.go_live();
        let dialog = NewGame::new(Side::White, None, None, "");
        let mut app = Self {
            session,
            colors,
            typed: Typed::default(),
            cursor: None,
            selected: None,
            log: Log::default(),
            overlay: Overlay::None,
            page: None,
            dialog,
            began: Instant::now(),
            board: None,
            has_quit: false,
        };
        if app.session.course().is_none() {
            let keys = "Type a move, click, or use the cursor keys and Enter; ? shows the help.";
            app.log.say(Tone::Plain, keys.to_owned());
        }
        let greeting = app.session.greeting();
        app.hear(greeting);
        app
    }

    /// Takes messages of the session in.
    pub fn hear(&mut self, messages: Vec<Message>) {
        for message in messages {
            match message {
                Message::Text(text) => self.log.say(Tone::Plain, text),
                Message::Refused(text) => self.log.say(Tone::Refused, text),
                Message::Played(said) => {
                    self.selected = None;
                    said.into_iter().for_each(|line| self.log.say(Tone::Plain, line));
                }
                Message::Board => {}
                Message::Ended(ending) => {
                    self.log.say(Tone::Ending, format!("{ending}. {}", ending.outcome()));
                }
                Message::Quit => self.has_quit = true,
            }
        }
    }

    /// Does what was typed.
    pub fn enter(&mut self) -> Result<(), EngineError> {
        let typed = self.typed.take();
        if matches!(typed.trim(), "?" | "help" | "h") {
            self.open_help();
            return Ok(());
        }
        if typed.trim() == "new" {
            self.open_dialog();
            return Ok(());
        }
        self.typed.keep(&typed);
        self.log.say(Tone::Typed, format!("> {typed}"));
        self.command(&typed)
    }

    /// Does what a key stands for.
    pub fn command(&mut self, command: &str) -> Result<(), EngineError> {
        let messages = self.session.perform(command, Instant::now())?;
        let texts = messages.iter().filter(|message| matches!(message, Message::Text(_)));
        if texts.count() <= MAX_SHORT {
            self.hear(messages);
            return Ok(());
        }
        let mut lines = Vec::new();
        let mut others = Vec::new();
        for message in messages {
            match message {
                Message::Text(line) => lines.push(line),
                other => others.push(other),
            }
        }
        self.page = Some(Page::new("", lines));
        self.hear(others);
        Ok(())
    }

    pub fn open_help(&mut self) {
        self.page = Some(Page::new(" Help", help(self.session.is_chess())));
    }

    /// Completes what is being typed as far as it is clear, and lists what it may become.
    pub fn complete(&mut self) {
        let (position, _) = self.session.shown();
        let found = command::complete(&position, &self.typed.input);
        self.typed.complete(found);
    }

    /// Moves the cursor by `columns` and `rows` on the screen.
    pub fn move_cursor(&mut self, columns: isize, rows: isize) {
        let (position, last) = self.session.shown();
        let bottom = self.session.bottom();
        let picture = Picture::new(&position, last, bottom);
        let (files, ranks) = position.size();
        let Some(cursor) = self.cursor else {
            self.cursor = match (last, &position) {
                (Some(mv), _) => Some(ends(mv)[1]),
                (None, Position::Chess(position, _)) => Some(position.king(bottom).index() as u8),
                _ => picture.square(usize::from(ranks) - 1, usize::from(files) / 2),
            };
            return;
        };
        let (row, column) = picture.place(cursor);
        let step = |at: usize, by: isize, count: u8| {
            at.saturating_add_signed(by).min(usize::from(count) - 1)
        };
        self.cursor = picture.square(step(row, rows, ranks), step(column, columns, files));
    }

    /// Takes up or puts down a piece.
    pub fn touch(&mut self, square: u8) -> Result<(), EngineError> {
        if self.session.view.look.is_some() {
            self.command("look last")?;
        }
        let position = self.session.game.position();
        let name = position.square_name(square);
        let is_own =
            position.pieces().iter().any(|one| one.at == name && one.side == position.turn());
        let moves = self.selected.map_or_else(Vec::new, |from| self.moves_between(from, square));
        match (self.selected, moves.as_slice()) {
            (Some(selected), _) if selected == square => self.selected = None,
            (Some(_), [mv]) => return self.play(*mv),
            (Some(from), [Move::Chess(_), ..]) => self.overlay = Overlay::Promotion(from, square),
            (Some(_), [_, ..]) => {
                let texts: Vec<String> = moves.iter().map(|mv| position.san(*mv)).collect();
                self.log.say(Tone::Plain, format!("Which one? Type {}", texts.join(" or ")));
                self.selected = None;
            }
            _ if is_own => self.selected = Some(square),
            _ => self.selected = None,
        }
        Ok(())
    }

    /// The legal moves from one square to another; castling is the king's move, or its rook's
    /// square.
    fn moves_between(&self, from: u8, to: u8) -> Vec<Move> {
        let is_castle = |mv: &Move| mv.chess().is_some_and(chess::Move::is_castle);
        let takes_rook = |mv: &Move| {
            mv.chess().is_some_and(|mv| mv.is_castle() && mv.to().index() == usize::from(to))
        };
        let fits = |mv: &Move| {
            let [start, end] = ends(*mv);
            start == from && (end == to || takes_rook(mv))
        };
        // Drops are typed.
        let is_step = |mv: &Move| matches!(mv, Move::Chess(_)) || ends(*mv)[0] != ends(*mv)[1];
        let moves = self.session.game.position().moves().into_iter();
        let found: Vec<Move> = moves.filter(|mv| fits(mv) && is_step(mv)).collect();
        // In Chess960 a step of the king may look like castling: the step is meant.
        let plain: Vec<Move> = found.iter().copied().filter(|mv| !is_castle(mv)).collect();
        if plain.is_empty() { found } else { plain }
    }

    /// What the pawn becomes has been chosen.
    pub fn promote(&mut self, kind: PieceKind) -> Result<(), EngineError> {
        let Overlay::Promotion(from, to) = self.overlay else { return Ok(()) };
        self.overlay = Overlay::None;
        let moves = self.moves_between(from, to);
        match moves.into_iter().find(|mv| mv.chess().and_then(chess::Move::promotion) == Some(kind))
        {
            Some(mv) => self.play(mv),
            None => Ok(()),
        }
    }

    /// Opens the dialog for a new game, with what is played now.
    pub fn open_dialog(&mut self) {
        let session = &self.session;
        let control = session.game.clocks().map(tamarin_game::clock::Clocks::control);
        let (side, level) = (session.players.side(), session.players.level());
        self.dialog = NewGame::new(side, level, control, &session.human);
        self.dialog.has_chess960 = session.is_chess();
        self.overlay = Overlay::NewGame;
    }

    /// Begins the game of the dialog.
    pub fn begin(&mut self) {
        self.overlay = Overlay::None;
        self.selected = None;
        let dialog = self.dialog.clone();
        let name = dialog.name().to_owned();
        let messages = self.session.begin_as(&dialog, name);
        self.hear(messages);
    }

    fn play(&mut self, mv: Move) -> Result<(), EngineError> {
        self.selected = None;
        let text = self.session.game.position().text(mv);
        self.command(&text)
    }

    /// Whose names and clocks stand at the top.
    pub fn top(&self) -> Color {
        !self.session.bottom()
    }
}

#[cfg(test)]
mod tests {
    use super::App;
    use crate::screen::draw::draw;
    use crate::screen::keys::handle;
    use crate::testing::{key, session};
    use crate::text_board::Colors;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers};
    use std::time::{Duration, Instant};
    use tamarin_movegen::PerColor;

    fn app(words: &[&str]) -> App {
        App::new(session(words), Colors::None)
    }

    fn drawn(app: &mut App, columns: u16, rows: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| draw(frame, app)).unwrap();
        let content = terminal.backend().buffer().content();
        content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn a_new_game_has_the_players_and_clocks_of_the_old_one() {
        let mut app = app(&["--side", "none", "--white", "2", "--black", "1800", "--time", "7+2"]);
        app.open_dialog();
        app.begin();
        let names = ["Tamarin (level 2)", "Tamarin (Elo 1800)"].map(str::to_owned);
        assert_eq!(app.session.names(), PerColor(names));
        let control = app.session.game.clocks().unwrap().control();
        assert_eq!(control.to_string(), "7+2");
    }

    /// The end of a game is said although the answer to the command takes a page.
    #[test]
    fn nothing_is_lost_beside_a_page() {
        let mut app = app(&["--side", "both", "--time", "0.0001"]);
        for mv in ["e4", "e5"] {
            app.command(mv).unwrap();
        }
        app.session.game.start_clock(Instant::now());
        std::thread::sleep(Duration::from_millis(10));
        app.command("eval").unwrap();
        assert!(app.page.is_some());
        let last = app.log.last().unwrap();
        assert!(last.starts_with("White's time has run out"), "{last}");
    }

    #[test]
    fn what_alt_gr_types_is_no_command() {
        let mut app = app(&[]);
        for letter in ['\\', '[', 'q'] {
            let event = key(KeyCode::Char(letter), KeyModifiers::CONTROL | KeyModifiers::ALT);
            handle(&mut app, &event).unwrap();
        }
        assert_eq!((app.typed.input.as_str(), app.has_quit), ("\\[q", false));
    }

    #[test]
    fn the_dialog_leaves_nothing_for_the_game_beneath() {
        let mut app = app(&["--side", "both"]);
        app.command("e4").unwrap();
        app.open_dialog();
        handle(&mut app, &Event::Paste(" Ann".to_owned())).unwrap();
        let control = |letter| key(KeyCode::Char(letter), KeyModifiers::CONTROL);
        handle(&mut app, &control('z')).unwrap();
        assert_eq!((app.dialog.name(), app.typed.input.as_str()), ("Player Ann", ""));
        assert_eq!((app.session.game.turns().len(), app.has_quit), (1, false));
        handle(&mut app, &control('c')).unwrap();
        assert!(app.has_quit);
    }

    #[test]
    fn the_task_of_a_lesson_stays_beside_the_board() {
        let mut app = app(&["--learn"]);
        (0..20).for_each(|_| app.command("legal a9").unwrap());
        let screen = drawn(&mut app, 80, 24);
        assert!(screen.contains("Lesson 1 of 17, The rook:"), "{screen}");
    }

    #[test]
    fn too_small_a_terminal_is_told_what_is_needed() {
        let mut app = app(&[]);
        assert!(drawn(&mut app, 60, 13).contains("14 rows"));
        assert!(!drawn(&mut app, 60, 14).contains("too small"));
        for command in ["bar", "analyse"] {
            app.command(command).unwrap();
        }
        assert!(drawn(&mut app, 60, 14).contains("15 rows"));
        assert!(!drawn(&mut app, 60, 15).contains("too small"));
    }
}
