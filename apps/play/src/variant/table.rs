//! The table of a game of a variant: whose turn it is, the clocks, input and output.

use std::path::Path;
use std::time::{Duration, Instant};

use tamarin_movegen::PerColor;
use tamarin_variant::{Color, Move};
use tamarin_variant_search::{Engine, Limits, Options, Signals};

use super::failure::VariantFailure;
use super::game::VariantGame;
use super::offered;
use super::thinking;
use super::times::Times;
use crate::arguments::Arguments;
use crate::begin::Failure;
use crate::command::Side;
use crate::completion;
use crate::line_input::{LineInput, Waited};
use crate::players::random_side;
use crate::saving::Saving;
use tamarin_game::clock::{self, Clocks};
use tamarin_game::level::Level;
use tamarin_variant::{ending, picture};

/// A game with its players, input and output.
pub struct Table {
    pub(super) game: VariantGame,
    pub(super) engine: Engine,
    /// Which sides people play, White first.
    pub(super) people: [bool; 2],
    pub(super) level: Level,
    pub(super) clocks: Option<Clocks>,
    pub(super) times: Times,
    /// Time of the game up to when it was counted last, and when that was while the game runs.
    played: (Duration, Option<Instant>),
    /// How the game ended other than by the rules, and the result.
    pub(super) ended: Option<(String, &'static str)>,
    /// The game is over, and the end was announced.
    pub(super) was_over: bool,
    /// What both sides were called in a game that is over, once other players were chosen.
    pub(super) former_names: Option<[String; 2]>,
    pub(super) is_flipped: bool,
    pub(super) board_is_due: bool,
    pub(super) has_quit: bool,
    /// Chooses the side of `side random`, with the number of the game.
    seed: u64,
    pub(super) games: u64,
    human: String,
    pub(super) saving: Saving,
    pub(super) face: Face,
}

/// Where the lines go that a table says, and where those come from that are typed.
pub enum Face {
    /// Standard input and output, line by line.
    Lines(Box<LineInput>),
    /// A screen, which takes what was said from here.
    Screen(Vec<String>),
}

impl Table {
    /// A table as the command line wants it.
    pub fn new(
        game: VariantGame,
        arguments: &Arguments,
        saving: Saving,
        face: Face,
    ) -> Result<Self, Failure> {
        let engine = engine(&game, arguments)?;
        let seed = arguments.seed.unwrap_or_else(|| u64::from(std::process::id()));
        Ok(Self {
            game,
            engine,
            people: people(arguments.side(), seed),
            level: arguments.level().unwrap_or(thinking::DEFAULT_LEVEL),
            clocks: arguments.time.map(Clocks::new),
            times: Times::default(),
            played: (Duration::ZERO, None),
            ended: None,
            was_over: false,
            former_names: None,
            is_flipped: arguments.flip,
            board_is_due: true,
            has_quit: false,
            seed,
            games: 0,
            human: arguments.name.clone(),
            saving,
            face,
        })
    }

    /// People play these sides from now on, the engine the others.
    pub(super) fn set_side(&mut self, side: Side) {
        self.people = people(side, self.seed ^ self.games);
    }

    /// Plays until the player leaves or the input ends.
    pub fn run(&mut self) -> Result<(), Failure> {
        let greeting = self.greeting();
        self.line(&greeting)?;
        while !self.has_quit {
            let is_new = self.announce()?;
            let mover = self.game.position().side_to_move();
            if self.was_over {
                self.stop_clocks();
                if is_new && self.people == [false; 2] {
                    break;
                }
            } else if !self.people[mover.index()] {
                self.engine_moves()?;
                continue;
            }
            if std::mem::take(&mut self.board_is_due) {
                self.draw()?;
            }
            let Some(line) = self.next_line()? else { break };
            // A flag may have fallen meanwhile.
            if !line.is_empty() {
                self.perform(&line)?;
            }
        }
        Ok(())
    }

    /// Says how the game has ended, if it has and that was not said before. Whether it was said.
    pub(super) fn announce(&mut self) -> Result<bool, Failure> {
        self.count_time(Instant::now());
        let end = self.end();
        let was_over = std::mem::replace(&mut self.was_over, end.is_some());
        let Some((words, result)) = end.filter(|_| !was_over) else { return Ok(false) };
        self.keep()?;
        self.board_is_due = false;
        self.draw()?;
        self.line(&format!("{words}. {result}"))?;
        Ok(true)
    }

    /// The first line of a game: what is played, and by whom.
    pub(super) fn greeting(&self) -> String {
        let [white, black] = self.names();
        let title = self.game.position().game().title();
        format!("{title}. White: {white}. Black: {black}. Say help for the commands.")
    }

    /// How the game has ended, if it has: in words, and the result.
    pub(super) fn end(&self) -> Option<(String, &'static str)> {
        let by_rule = || {
            let outcome = self.game.outcome()?;
            let result = match outcome.winner {
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
                None => "1/2-1/2",
            };
            Some((ending(outcome), result))
        };
        self.ended.clone().or_else(by_rule).or_else(|| self.game.recorded_end())
    }

    /// The next line; an empty one if the flag of the player has fallen meanwhile.
    fn next_line(&mut self) -> Result<Option<String>, Failure> {
        let position = self.game.position().clone();
        let prompt = format!("{}. {}> ", position.fullmoves(), position.side_to_move());
        let complete = Box::new(move |typed: &str| {
            completion::complete_variant(&position, typed, offered::names())
        });
        let Face::Lines(input) = &mut self.face else { return Ok(None) };
        input.ask(prompt, complete);
        let color = self.clock_color();
        let now = Instant::now();
        let runs = self.has_opened() && self.end().is_none();
        let left = match (&mut self.clocks, runs) {
            (Some(clocks), true) => {
                clocks.start(color, now);
                Some(clocks.left(color, now))
            }
            _ => None,
        };
        let Face::Lines(input) = &mut self.face else { return Ok(None) };
        match input.wait(left)? {
            Waited::Line(line) => {
                self.look_at_flag();
                Ok(line)
            }
            Waited::Nothing => {
                self.look_at_flag();
                Ok(Some(String::new()))
            }
        }
    }

    /// Returns `true` once both sides have made their first move and the clocks run.
    pub(super) fn has_opened(&self) -> bool {
        self.game.plies() >= 2
    }

    /// The side to move, as clocks call it.
    pub(super) fn clock_color(&self) -> tamarin_movegen::Color {
        match self.game.position().side_to_move() {
            Color::White => tamarin_movegen::Color::White,
            Color::Black => tamarin_movegen::Color::Black,
        }
    }

    /// The side to move has lost if its time has run out.
    pub(super) fn look_at_flag(&mut self) {
        let color = self.clock_color();
        let is_out =
            self.clocks.as_ref().is_some_and(|clocks| clocks.is_out(color, Instant::now()));
        if is_out && self.end().is_none() {
            let loser = self.game.position().side_to_move();
            let result = if loser == Color::White { "0-1" } else { "1-0" };
            self.ended = Some((format!("{loser}'s time has run out"), result));
        }
    }

    /// Counts the time of the game, which runs from the first move to the end.
    pub(super) fn count_time(&mut self, now: Instant) {
        self.played.0 = self.game_time(now);
        let runs = self.game.plies() > 0 && self.end().is_none();
        self.played.1 = runs.then_some(now);
    }

    pub(super) fn game_time(&self, now: Instant) -> Duration {
        let (counted, since) = self.played;
        let running = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        counted + running
    }

    /// Another game: its time begins anew.
    pub(super) const fn restart_time(&mut self) {
        self.played = (Duration::ZERO, None);
    }

    /// Lets the clock of the side to move run, once both have moved.
    pub(super) fn run_clock(&mut self) {
        let (color, has_opened) = (self.clock_color(), self.has_opened());
        if let Some(clocks) = self.clocks.as_mut().filter(|_| has_opened) {
            clocks.start(color, Instant::now());
        }
    }

    pub(super) fn stop_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(Instant::now());
        }
    }

    /// The limits of the engine's search for its move, whose clock runs from now on.
    pub(super) fn limits(&mut self) -> Limits {
        let color = self.clock_color();
        let now = Instant::now();
        let counts = PerColor(Color::ALL.map(|color| self.game.moves_of(color)));
        let has_opened = self.has_opened();
        let clock = self.clocks.as_mut().and_then(|clocks| {
            if has_opened {
                clocks.start(color, now);
            }
            clocks.for_search(counts, now)[color]
        });
        self.level.variant_limits(clock)
    }

    /// The engine thinks and makes its move.
    fn engine_moves(&mut self) -> Result<(), Failure> {
        let limits = self.limits();
        let position = self.game.position().clone();
        let answer = thinking::think(&mut self.engine, &position, &limits, &Signals::default());
        self.engine_plays(answer.mv)
    }

    /// The engine makes the move that it has found, unless its flag has fallen.
    pub(super) fn engine_plays(&mut self, found: Option<Move>) -> Result<(), Failure> {
        let position = self.game.position().clone();
        self.look_at_flag();
        let Some(m) = found.filter(|_| self.ended.is_none()) else { return Ok(()) };
        let number = position.fullmoves();
        let dots = if position.side_to_move() == Color::White { "." } else { "..." };
        let name = &self.names()[position.side_to_move().index()];
        self.line(&format!("{name}: {number}{dots} {}", position.san(m)))?;
        self.play(m)
    }

    /// Plays a legal move of the side to move.
    pub(super) fn play(&mut self, m: Move) -> Result<(), Failure> {
        let (mover, color) = (self.game.position().side_to_move(), self.clock_color());
        let has_opened = self.has_opened();
        let now = Instant::now();
        self.game.play(m);
        if let Some(clocks) = &mut self.clocks {
            let before = clocks.both(now);
            if has_opened {
                clocks.press(color, self.game.moves_of(mover), now);
            }
            self.times.play(before, clocks.both(now));
        }
        self.count_time(now);
        self.board_is_due = true;
        self.keep()
    }

    /// Keeps the game in the file of `--save`, if there is one.
    pub(super) fn keep(&mut self) -> Result<(), Failure> {
        let path = self.saving.file().map(Path::to_owned).unwrap_or_default();
        let text = self.pgn();
        let has_begun = self.game.plies() > 0 || self.end().is_some();
        match self.saving.keep(&text, has_begun) {
            Ok(None) => Ok(()),
            Ok(Some(old)) => self.line(&format!("{} {old}.", path.display())),
            Err(error) => {
                self.saving.give_up(&text);
                let place = path.display();
                self.line(&format!("! {place}: {error}; the game is not kept any more"))
            }
        }
    }

    pub(super) fn pgn(&self) -> String {
        let [white, black] = self.names();
        let result = self.end().map_or("*", |(_, result)| result);
        let control = self.clocks.as_ref().map(Clocks::control);
        self.game.pgn([&white, &black], result, control)
    }

    /// What both sides are called.
    pub(super) fn names(&self) -> [String; 2] {
        if let Some(names) = &self.former_names {
            return names.clone();
        }
        self.people.map(|is_person| match is_person {
            true => self.human.clone(),
            false => format!("Tamarin ({})", self.level),
        })
    }

    /// The side whose pieces are below: that of the person.
    pub(super) const fn below(&self) -> Color {
        match (self.people, self.is_flipped) {
            ([false, true], false) | ([true, _] | [false, false], true) => Color::Black,
            _ => Color::White,
        }
    }

    /// Draws the board with the side that a person plays below, unless a screen does it.
    pub(super) fn draw(&mut self) -> Result<(), Failure> {
        if matches!(self.face, Face::Screen(_)) {
            return Ok(());
        }
        let below = self.below();
        let position = self.game.position();
        let mut text = format!("\n{}\n", picture(position, below));
        if position.in_check() && self.end().is_none() {
            text.push_str("Check!\n");
        }
        if let Some(clocks) = &self.clocks {
            let left = clocks.both(Instant::now()).0.map(clock::show);
            text.push_str(&format!("White {}, Black {}\n", left[0], left[1]));
        }
        self.write(&text)
    }

    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.write(&format!("{text}\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.face {
            Face::Lines(input) => Ok(input.write(text)?),
            Face::Screen(lines) => {
                lines.extend(text.lines().map(str::to_owned));
                Ok(())
            }
        }
    }
}

/// An engine for a game, as the command line wants it.
pub fn engine(game: &VariantGame, arguments: &Arguments) -> Result<Engine, Failure> {
    let options = Options {
        hash_mib: arguments.hash as usize,
        threads: arguments.threads.into(),
        ..Options::default()
    };
    Ok(Engine::with_evaluator(game.evaluator(), &options).map_err(VariantFailure::from)?)
}

/// Which sides people play, White first.
fn people(side: Side, seed: u64) -> [bool; 2] {
    side.people().unwrap_or_else(|| random_side(seed)).0
}
