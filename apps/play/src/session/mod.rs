//! A game session: players, game, advice and files, without a screen.
//!
//! Whoever shows it calls [`Session::perform`] with what was typed and [`Session::advance`] as time
//! goes by, and shows the messages that come back.

mod assist;
pub mod command;
mod commands;
mod files;
mod setup;
mod solving;
#[cfg(test)]
mod tests;
mod texts;

use std::time::{Duration, Instant};

use tamarin_base::files::{LockedFile, state_folder};
use tamarin_eval::Score;
use tamarin_movegen::{Color, PerColor};

use super::advice::{Outcome, Question};
use super::picture::Pieces;
use super::players::{EngineError, Players};
use super::puzzles::Course;
use super::record::Record;
use super::saving::Saving;
use super::theme::Theme;
use super::variant::Variant;
pub use assist::Assistance;
use tamarin_game::clock::TimeControl;
use tamarin_game::ending::Ending;
use tamarin_game::game::Game;
use tamarin_game::pgn;
use tamarin_game::position::{Move, Position};
use tamarin_game::results;
use tamarin_game::score_text::as_thought;
use tamarin_game::search::Searcher;
use tamarin_game::variation;

/// Something to show: to be drawn on the screen or printed.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    Text(String),
    /// What was asked for cannot be done.
    Refused(String),
    /// A move was played. Nothing is said of those of people, who know them.
    Played(Option<String>),
    /// The board has changed or shall be shown again.
    Board,
    /// The game is over.
    Ended(Ending),
    /// The end of the session.
    Quit,
}

/// How the board is shown.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Whose pieces are below, if the player wants something else than usual.
    pub is_flipped: bool,
    /// Whether the evaluation bar is shown.
    pub has_bar: bool,
    /// The ply that is looked at; `None` is the present position.
    pub look: Option<usize>,
    pub theme: Theme,
    pub pieces: Pieces,
}

/// Where the game is kept.
#[derive(Debug, Default)]
pub struct Storage {
    pub slot: Option<LockedFile>,
    pub saving: Saving,
    /// Whether unfinished games are kept in slots at all.
    pub has_slots: bool,
}

/// A question that the engine thinks about.
struct Asked {
    question: Question,
    position: Position,
}

pub struct Session {
    pub game: Game,
    pub players: Players,
    /// How the board is shown.
    pub view: View,
    /// What White has of the position, from 0 to 1, and the score for White, if it is known.
    pub value: Option<(f64, Score)>,
    /// The game in the file that it comes from.
    pub record: Option<Record>,
    /// The names in the file that the game comes from, or those of a game that is over, until a
    /// move is played.
    pub names: Option<PerColor<String>>,
    /// What people are called.
    pub human: String,
    /// The time control that the player has chosen, if any: that of the next game.
    pub control: Option<TimeControl>,
    pub assistance: Assistance,
    storage: Storage,
    course: Option<Course>,
    advisor: Option<Searcher>,
    asked: Option<Asked>,
    is_paused: bool,
    /// Whether something has happened since the game was last kept.
    is_changed: bool,
    /// Whether the slot has the game as it is.
    is_in_slot: bool,
    /// Whether a move was taken back or advice was asked for in this game, or it was loaded.
    is_helped: bool,
    /// Whether it was said that a draw can be claimed here.
    claim_is_shown: bool,
    /// Whether it was said that the game cannot be kept.
    loss_is_shown: bool,
    /// What there is to show since the caller asked last.
    messages: Vec<Message>,
    /// When the caller asked last.
    now: Instant,
}

impl Session {
    /// A session at its beginning: a game, or positions to solve instead.
    pub fn new(
        game: Game,
        players: Players,
        view: View,
        storage: Storage,
        course: Option<Course>,
    ) -> Self {
        let mut session = Self {
            game,
            players,
            view,
            value: None,
            record: None,
            names: None,
            human: String::new(),
            control: None,
            assistance: Assistance::default(),
            storage,
            course,
            advisor: None,
            asked: None,
            is_paused: false,
            is_changed: true,
            is_in_slot: false,
            is_helped: false,
            claim_is_shown: false,
            loss_is_shown: false,
            messages: Vec::new(),
            now: Instant::now(),
        };
        session.place_puzzle();
        session
    }

    /// Whose pieces are below.
    pub fn bottom(&self) -> Color {
        let usual = match self.course.as_ref().and_then(Course::current) {
            Some(puzzle) => puzzle.position.side_to_move(),
            None => self.players.only_human().unwrap_or(Color::White),
        };
        if self.view.is_flipped { !usual } else { usual }
    }

    /// The position to be shown, and the move that led to it.
    pub fn shown(&self) -> (Position, Option<Move>) {
        let turns = self.game.turns();
        let plies = self.view.look.unwrap_or(turns.len()).min(turns.len());
        let last = plies.checked_sub(1).map(|index| turns[index].mv);
        (self.game.position_after(plies), last)
    }

    pub fn names(&self) -> PerColor<String> {
        self.names.clone().unwrap_or_else(|| self.players.names(&self.human))
    }

    /// Returns `true` if it is up to a person to do something.
    pub fn waits_for_human(&self) -> bool {
        !self.engine_is_due() && self.asked.is_none()
    }

    /// Returns `true` if somebody has paused the game.
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// When the flag of the side to move falls, if its clock runs.
    pub fn time_left(&self, now: Instant) -> Option<Duration> {
        let is_running = !self.is_paused
            && self.course.is_none()
            && self.game.has_opened()
            && self.game.ending().is_none();
        let clocks = self.game.clocks().filter(|_| is_running)?;
        Some(clocks.left(self.game.mover(), now))
    }

    /// Returns `true` if the engine thinks about a move or a question.
    pub fn is_thinking(&self) -> bool {
        self.players.is_thinking() || self.asked.is_some()
    }

    /// Returns `true` unless a variant is played.
    pub const fn is_chess(&self) -> bool {
        self.players.resources.variant.is_none()
    }

    /// The first position of the game that is played.
    fn start_position(&self) -> Position {
        self.players.resources.variant.as_ref().map_or_else(Position::startpos, Variant::start)
    }

    /// The puzzles, if there are any.
    pub const fn course(&self) -> Option<&Course> {
        self.course.as_ref()
    }

    /// Does what is due: runs the clocks, lets the engine move, answers questions, keeps the game.
    /// Gives what there is to show.
    pub fn advance(&mut self, now: Instant) -> Result<Vec<Message>, EngineError> {
        self.now = now;
        let rests = self.is_paused || self.course.is_some();
        if rests {
            self.game.stop_clock(now);
        } else if self.game.has_opened() {
            self.game.start_clock(now);
        }
        if self.game.check_time(now) {
            self.ended();
        }
        self.game.count_time(rests, now);
        self.advance_question()?;
        self.advance_engine()?;
        self.tell_claim();
        self.assist()?;
        self.analyze()?;
        self.keep();
        Ok(std::mem::take(&mut self.messages))
    }

    /// Returns `true` if the game waits for a move of an engine.
    fn engine_is_due(&self) -> bool {
        self.game.ending().is_none()
            && !self.is_paused
            && self.course.is_none()
            && self.players.is_engine(self.game.mover())
    }

    fn advance_engine(&mut self) -> Result<(), EngineError> {
        if !self.engine_is_due() {
            return Ok(());
        }
        let mover = self.game.mover();
        if let Some(answer) = self.players.sides[mover].answer()? {
            let is_legal = |mv: &Move| self.game.position().is_legal(*mv);
            let found = answer.best.filter(is_legal);
            // After a failure of the search any legal move is better than none.
            let any = || self.game.position().legal().first().map(|one| one.mv);
            if let Some(mv) = found.or_else(any) {
                self.make(mv);
                if let Some(score) = answer.found.score() {
                    self.game.comment(as_thought(score, answer.found.depth));
                }
                self.players.ponder(answer.expected, &self.game, self.now)?;
            }
        } else if !self.players.is_thinking() {
            if self.players.gives_up(mover) {
                self.game.resign(mover, self.now);
                self.ended();
            } else if self.players.claims(&self.game) {
                if self.game.claim(None, self.now).is_ok() {
                    self.say(format!("{mover:?} claims a draw."));
                    self.ended();
                }
            } else if let Some(mv) = self.players.book_move(&self.game) {
                self.players.sides[mover].stop_pondering();
                self.make(mv);
            } else {
                self.players.start(&self.game, self.now)?;
            }
        }
        Ok(())
    }

    /// Plays a legal move.
    fn make(&mut self, mv: Move) {
        let color = self.game.mover();
        let text = variation::numbered(self.game.position(), &[mv], usize::MAX);
        self.replace_names();
        self.game.play(mv, self.now);
        self.after_change();
        let said = match &self.course {
            Some(_) => Some(format!("Answer: {text}")),
            None if self.players.is_engine(color) => {
                Some(format!("{}: {text}", self.names()[color]))
            }
            None => None,
        };
        self.messages.push(Message::Played(said));
        if self.game.ending().is_none() {
            self.messages.push(Message::Board);
        }
        self.ended();
    }

    /// Ends what goes on in a game, and says how it ended, if it did.
    fn ended(&mut self) {
        let Some(ending) = self.game.ending() else { return };
        self.players.stop();
        self.replace_names();
        self.is_changed = true;
        self.messages.extend([Message::Board, Message::Ended(ending)]);
        self.keep_result(ending);
    }

    /// Keeps the result of a game of chess between a person and the engine, without help, from the
    /// usual position on, with both sides' moves.
    fn keep_result(&mut self, ending: Ending) {
        let advice = &self.assistance;
        let is_advised = advice.has_hints || advice.has_lines || advice.has_threats;
        let is_helped = self.is_helped || is_advised || self.view.has_bar;
        let is_loaded = self.record.is_some();
        self.is_helped = true;
        let Some(human) = self.players.only_human() else { return };
        let Some(rating) = self.players.rating(!human) else { return };
        let is_usual = self.game.start().is_same(&Position::startpos());
        let is_game = self.course.is_none() && is_usual && self.game.turns().len() > 1;
        if is_helped || is_loaded || !is_game || !self.storage.has_slots {
            return;
        }
        let half_points = match ending.outcome() {
            pgn::Outcome::Won(winner) => 2 * u8::from(winner == human),
            _ => 1,
        };
        let game = results::Played { person: self.human.clone(), rating, half_points };
        if let Err(error) = state_folder().and_then(|folder| results::add(&folder, game)) {
            self.say(format!("The result is not kept: {error}"));
        }
    }

    /// The players of the file that the game comes from give way to those who go on with it.
    fn replace_names(&mut self) {
        let now = self.players.names(&self.human);
        let left = self.names.take_if(|names| *names != now);
        let is_known = |before: &PerColor<String>| {
            Color::ALL.into_iter().any(|color| before[color] != now[color] && before[color] != "?")
        };
        if left.is_some_and(|before| is_known(&before)) {
            let (white, black) = (&now[Color::White], &now[Color::Black]);
            self.say(format!(
                "The game is now saved as {white} - {black}, without the tags of players who left."
            ));
        }
    }

    /// What there is to show at the beginning, besides the players of a game.
    pub fn greeting(&self) -> Vec<Message> {
        let welcome = self.course.as_ref().and_then(Course::welcome);
        let resources = &self.players.resources;
        let has_engine = Color::ALL.iter().any(|color| self.players.is_engine(*color));
        let is_told = resources.is_seed_drawn && has_engine && self.course.is_none();
        let seed =
            is_told.then(|| format!("--seed {} repeats the engine's choices.", resources.seed));
        let texts = welcome.into_iter().chain(seed).chain(self.task_lines()).map(Message::Text);
        texts.chain(self.game.ending().map(Message::Ended)).collect()
    }

    fn after_change(&mut self) {
        self.view.look = None;
        self.value = None;
        self.is_changed = true;
        self.claim_is_shown = false;
    }

    /// Says once that a draw can be claimed.
    fn tell_claim(&mut self) {
        let game = &self.game;
        if self.claim_is_shown
            || self.course.is_some()
            || game.ending().is_some()
            || self.players.is_engine(game.mover())
        {
            return;
        }
        if let Some(ending) = game.position().claim() {
            self.claim_is_shown = true;
            self.say(format!("{ending}? Say claim to end the game."));
        }
    }

    /// Asks the engine; an earlier question is forgotten.
    fn ask(&mut self, question: Question, position: Position) -> Result<(), EngineError> {
        let advisor = match &mut self.advisor {
            Some(advisor) => advisor,
            none => none.insert(self.players.advisor()?),
        };
        advisor.start(&question.searched(&position), &question.ask())?;
        self.asked = Some(Asked { question, position });
        Ok(())
    }

    fn drop_question(&mut self) {
        if let Some(advisor) = &mut self.advisor {
            advisor.stop();
        }
        self.asked = None;
    }

    fn advance_question(&mut self) -> Result<(), EngineError> {
        if self.asked.is_none() {
            let (position, _) = self.shown();
            let wants_value = self.view.has_bar && self.value.is_none();
            if wants_value && position.has_legal_move() && !self.players.is_thinking() {
                self.ask(Question::Value, position)?;
            }
            return Ok(());
        }
        let Some(answer) = self.advisor.as_mut().and_then(Searcher::answer) else {
            return Ok(());
        };
        let Some(asked) = self.asked.take() else { return Ok(()) };
        let outcome = asked.question.answer(&asked.position, &answer);
        self.take_outcome(outcome, asked.position)
    }

    /// Takes what has become of a question about a position.
    fn take_outcome(&mut self, outcome: Outcome, position: Position) -> Result<(), EngineError> {
        match outcome {
            Outcome::Text(lines) => self.messages.extend(lines.into_iter().map(Message::Text)),
            Outcome::Share(share, score) => {
                // The game may have gone on meanwhile.
                if position.is_same(&self.shown().0) {
                    self.value = Some((share, score));
                }
            }
            Outcome::Verdict(mv, is_right) => self.judged(mv, is_right)?,
            Outcome::Solution(mv) => self.found(mv),
            Outcome::Next(question) => self.ask(question, position)?,
        }
        Ok(())
    }
}
