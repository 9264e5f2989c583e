//! What the full-screen mode knows besides the session.

use std::collections::VecDeque;
use std::time::Instant;

use tamarin_movegen::{CastlingNotation, Color, Move, PieceKind, Square};

use super::board::BoardArea;
use super::new_game::NewGame;
use crate::command::Side;
use crate::completion;
use crate::opponent::EngineError;
use crate::picture::{Picture, target};
use crate::puzzles::Course;
use crate::session::{Message, Session};
use crate::text_board::Colors;
use crate::typed::Typed;

/// The most lines of messages that are kept.
const MAX_LOG: usize = 500;

/// What lies over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    None,
    /// The help, from this line on.
    Help(u16),
    /// A long answer, from this line on.
    Page(u16),
    /// The choice of what a pawn becomes that goes from one square to another.
    Promotion(Square, Square),
    NewGame,
}

/// Answers of more lines than this have a page of their own.
const MAX_SHORT: usize = 4;

/// What kind of line a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Typed,
    /// Something to know.
    Plain,
    /// Something that cannot be done.
    Refused,
    Ending,
}

/// The state of the full-screen mode.
pub struct App {
    pub session: Session,
    /// How many colors there are.
    pub colors: Colors,
    /// What is being typed, and was before.
    pub typed: Typed,
    /// The square under the cursor, once the cursor has been used.
    pub cursor: Option<Square>,
    /// The piece that was taken up.
    pub selected: Option<Square>,
    /// What was said, the newest last.
    pub log: VecDeque<(Tone, String)>,
    /// What lies over the board.
    pub overlay: Overlay,
    /// The lines of [`Overlay::Page`].
    pub page: Vec<String>,
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
            log: VecDeque::new(),
            overlay: Overlay::None,
            page: Vec::new(),
            dialog,
            began: Instant::now(),
            board: None,
            has_quit: false,
        };
        match app.session.task() {
            Some(_) => {
                let welcome = app.session.course().and_then(Course::welcome);
                let lines: Vec<String> =
                    welcome.into_iter().chain(app.session.task_lines()).collect();
                lines.into_iter().for_each(|line| app.say(Tone::Plain, line));
            }
            None => app.say(
                Tone::Plain,
                "Type a move, click, or use the cursor keys and Enter; ? shows the help."
                    .to_owned(),
            ),
        }
        if let Some(ending) = app.session.game.ending() {
            app.say(Tone::Ending, format!("{ending}. {}", ending.outcome()));
        }
        app
    }

    fn say(&mut self, tone: Tone, text: String) {
        self.log.push_back((tone, text));
        while self.log.len() > MAX_LOG {
            self.log.pop_front();
        }
    }

    /// Takes messages of the session in.
    pub fn hear(&mut self, messages: Vec<Message>) {
        for message in messages {
            match message {
                Message::Text(text) => self.say(Tone::Plain, text),
                Message::Refused(text) => self.say(Tone::Refused, text),
                Message::Played { color, text } => {
                    self.selected = None;
                    if self.session.players.is_engine(color) {
                        let name = self.session.names()[color].clone();
                        self.say(Tone::Plain, format!("{name}: {text}"));
                    }
                }
                Message::Board => {}
                Message::Ended(ending) => {
                    self.say(Tone::Ending, format!("{ending}. {}", ending.outcome()));
                }
                Message::Quit => self.has_quit = true,
            }
        }
    }

    /// Does what was typed.
    pub fn enter(&mut self) -> Result<(), EngineError> {
        let typed = self.typed.take();
        if matches!(typed.trim(), "?" | "help" | "h") {
            self.overlay = Overlay::Help(0);
            return Ok(());
        }
        if typed.trim() == "new" {
            self.open_dialog();
            return Ok(());
        }
        self.typed.keep(&typed);
        self.say(Tone::Typed, format!("> {typed}"));
        self.command(&typed)
    }

    /// Does what a key stands for.
    pub fn command(&mut self, command: &str) -> Result<(), EngineError> {
        let messages = self.session.perform(command, Instant::now())?;
        let texts = messages.iter().filter(|message| matches!(message, Message::Text(_)));
        if texts.count() > MAX_SHORT {
            self.page = messages
                .into_iter()
                .filter_map(|message| match message {
                    Message::Text(line) => Some(line),
                    _ => None,
                })
                .collect();
            self.overlay = Overlay::Page(0);
        } else {
            self.hear(messages);
        }
        Ok(())
    }

    /// Completes what is being typed as far as it is clear, and lists what it may become.
    pub fn complete(&mut self) {
        let (position, _) = self.session.shown();
        let found = completion::complete(&position, &self.typed.input);
        self.typed.complete(found);
    }

    /// Moves the cursor by `columns` and `rows` on the screen.
    pub fn move_cursor(&mut self, columns: isize, rows: isize) {
        let (position, last) = self.session.shown();
        let picture = Picture::new(&position, last, self.session.bottom());
        let Some(cursor) = self.cursor else {
            self.cursor = Some(last.map_or(position.king(self.session.bottom()), target));
            return;
        };
        let column = picture.files().iter().position(|file| *file == cursor.file());
        let row = picture.ranks().iter().position(|rank| *rank == cursor.rank());
        if let (Some(column), Some(row)) = (column, row) {
            let step = |at: usize, by: isize| at.saturating_add_signed(by).min(7);
            self.cursor = picture.square(step(row, rows), step(column, columns));
        }
    }

    /// Takes up or puts down a piece.
    pub fn touch(&mut self, square: Square) -> Result<(), EngineError> {
        if self.session.view.look.is_some() {
            self.command("look last")?;
        }
        let position = self.session.game.position();
        let is_own =
            position.piece_at(square).is_some_and(|piece| piece.color() == position.side_to_move());
        let moves = self.selected.map_or_else(Vec::new, |from| self.moves_between(from, square));
        match (self.selected, moves.as_slice()) {
            (Some(selected), _) if selected == square => self.selected = None,
            (Some(_), [mv]) => return self.play(*mv),
            (Some(from), [_, ..]) => self.overlay = Overlay::Promotion(from, square),
            _ if is_own => self.selected = Some(square),
            _ => self.selected = None,
        }
        Ok(())
    }

    /// The legal moves from one square to another; castling is the king's move, or its rook's
    /// square.
    fn moves_between(&self, from: Square, to: Square) -> Vec<Move> {
        let moves = self.session.game.position().legal_moves();
        let fits = |mv: &Move| mv.from() == from && (target(*mv) == to || mv.to() == to);
        let found: Vec<Move> = moves.into_iter().filter(fits).collect();
        // In Chess960 a step of the king may look like castling: the step is meant.
        let plain: Vec<Move> = found.iter().copied().filter(|mv| !mv.is_castle()).collect();
        if plain.is_empty() { found } else { plain }
    }

    /// What the pawn becomes has been chosen.
    pub fn promote(&mut self, kind: PieceKind) -> Result<(), EngineError> {
        let Overlay::Promotion(from, to) = self.overlay else { return Ok(()) };
        self.overlay = Overlay::None;
        let moves = self.moves_between(from, to);
        match moves.into_iter().find(|mv| mv.promotion() == Some(kind)) {
            Some(mv) => self.play(mv),
            None => Ok(()),
        }
    }

    /// Opens the dialog for a new game, with what is played now.
    pub fn open_dialog(&mut self) {
        let session = &self.session;
        let control = session.game.clocks().map(crate::clock::Clocks::control);
        let (side, level) = (session.players.side(), session.players.level());
        self.dialog = NewGame::new(side, level, control, session.human());
        self.overlay = Overlay::NewGame;
    }

    /// Begins the game of the dialog.
    pub fn begin(&mut self) {
        self.overlay = Overlay::None;
        self.selected = None;
        let dialog = self.dialog.clone();
        let name = dialog.name().to_owned();
        let messages = self.session.begin_as(dialog.players(), dialog.clocks(), name);
        self.hear(messages);
    }

    fn play(&mut self, mv: Move) -> Result<(), EngineError> {
        self.selected = None;
        let text = self.session.game.position().uci(mv, CastlingNotation::KingTakesRook);
        self.command(&text.to_string())
    }

    /// Whose names and clocks stand at the top.
    pub fn top(&self) -> Color {
        !self.session.bottom()
    }
}
