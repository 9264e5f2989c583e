//! What a player may type in a game of a variant.

use std::path::{Path, PathBuf};
use std::time::Instant;

use tamarin_base::counted;
use tamarin_variant::{Color, Position};

use super::failure::VariantFailure;
use super::game::{VariantGame, find_move};
use super::offered::is_offered;
use super::table::Table;
use super::thinking;
use super::times::Times;
use crate::begin::Failure;
use crate::command::{COMMANDS, Command, Entry, Keyword, find};
use crate::saving::replaced;
use crate::session::Session;
use tamarin_game::clock::{self, Clocks};
use tamarin_game::level::Level;

impl Table {
    /// Carries out what was typed.
    pub(super) fn perform(&mut self, line: &str) -> Result<(), Failure> {
        let answer = self.answer(line)?;
        self.keep()?;
        match answer {
            Ok(text) if text.is_empty() => Ok(()),
            Ok(text) => self.line(text.trim_end()),
            Err(why) => self.line(&format!("! {why}")),
        }
    }

    /// What is said to a line: an answer, or why nothing was done.
    fn answer(&mut self, line: &str) -> Result<Result<String, String>, Failure> {
        // Squares of variants are not those of chess.
        let mut words = line.split_whitespace();
        if let (Some(word), Some(square), None) = (words.next(), words.next(), words.next())
            && find(word).is_some_and(|entry| entry.keyword == Keyword::Legal)
        {
            return Ok(self.legal(Some(square)));
        }
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let done = |()| String::new();
        Ok(match command {
            Command::Move(text) => return self.person_moves(&text).map(|found| found.map(done)),
            Command::Help(None) => Ok(help()),
            Command::Help(Some(name)) => match find(&name).filter(|entry| is_offered(entry)) {
                Some(entry) => Ok(help_line(entry)),
                None => Err(format!("there is no command {name:?} in variants")),
            },
            Command::Legal(_) => self.legal(None),
            Command::Undo(plies) => self.undo(plies).map(done),
            Command::Redo(plies) => self.redo(plies).map(done),
            Command::Hint => self.hint(),
            Command::Eval => Ok(thinking::evaluation(&self.engine, self.game.position())),
            Command::Time => Ok(self.time_text(Instant::now())),
            Command::Resign => self.resign().map(done),
            Command::Setup(fen) => self.set_up(&fen).map(done),
            Command::Load(path, number) => self.load(Path::new(&path), number).map(done),
            Command::Save(path) => {
                let path = PathBuf::from(path);
                let place = path.display();
                let game = self.pgn();
                match self.saving.save(&path, &game) {
                    Ok(old) => Ok(format!("Written to {place}.{}", replaced(old))),
                    Err(error) => Err(format!("{place}: {error}")),
                }
            }
            Command::Moves if self.game.plies() == 0 => Ok("No moves yet.".to_owned()),
            Command::Moves => Ok(self.game.moves()),
            Command::Fen => Ok(self.game.position().fen()),
            Command::Pgn => Ok(self.pgn()),
            other => self.change(&other),
        })
    }

    /// Commands that change how the game is played or shown.
    fn change(&mut self, command: &Command) -> Result<String, String> {
        match *command {
            Command::Level(Level::Elo(_)) => {
                let why = "ratings are for standard chess; give 1 to 20, easy, medium or hard";
                return Err(why.to_owned());
            }
            Command::Level(level) => {
                self.hold_names();
                self.level = level;
                return Ok(format!("The engine plays at {level}."));
            }
            Command::Side(side) => {
                self.hold_names();
                self.set_side(side);
                self.board_is_due = true;
            }
            Command::New => self.begin(None),
            Command::Board => self.board_is_due = true,
            Command::Flip => {
                self.is_flipped = !self.is_flipped;
                self.board_is_due = true;
            }
            Command::Quit => self.has_quit = true,
            _ => {
                let why = "this is only there in standard chess; say help for what there is";
                return Err(why.to_owned());
            }
        }
        Ok(String::new())
    }

    /// A game that is over keeps the names of those who played it, whoever plays next.
    fn hold_names(&mut self) {
        if self.end().is_some() {
            self.former_names = Some(self.names());
        }
    }

    /// Why nothing can be played, if the game is over.
    fn goes_on(&self) -> Result<(), String> {
        self.end().map_or(Ok(()), |(words, _)| Err(format!("the game is over: {words}")))
    }

    /// Why a person may not move, if it is the engine's turn.
    fn check_turn(&self) -> Result<(), String> {
        let mover = self.game.position().side_to_move();
        match self.people[mover.index()] {
            true => Ok(()),
            false => Err("It is the engine's turn. Say now or undo.".to_owned()),
        }
    }

    /// A good move for a person.
    fn hint(&mut self) -> Result<String, String> {
        self.goes_on()?;
        self.check_turn()?;
        thinking::hint(&mut self.engine, &self.game.position().clone())
            .ok_or_else(|| "there is no legal move".to_owned())
    }

    fn person_moves(&mut self, text: &str) -> Result<Result<(), String>, Failure> {
        if let Err(why) = self.goes_on() {
            return Ok(Err(why));
        }
        let text: String = text.split_whitespace().collect();
        let found = find_move(self.game.position(), &text);
        let found = found.map_err(|why| format!("{why}; say legal or help"));
        match found.and_then(|m| self.check_turn().map(|()| m)) {
            Ok(m) => self.play(m).map(Ok),
            Err(why) => Ok(Err(why)),
        }
    }

    /// The legal moves, or those from one square.
    fn legal(&self, square: Option<&str>) -> Result<String, String> {
        let position = self.game.position();
        let from = match square {
            None => None,
            Some(name) => {
                let found = position.game().parse_square(&name.to_lowercase());
                Some(found.ok_or_else(|| format!("{name:?} is no square of this board"))?)
            }
        };
        let moves = position.sans().into_iter();
        let moves = moves.filter(|(_, m)| from.is_none_or(|square| m.from == square));
        let texts: Vec<String> = moves.map(|(text, _)| text).collect();
        Ok(match texts.len() {
            0 => "No legal moves.".to_owned(),
            count => {
                let count = counted(count, "legal move", "legal moves");
                format!("{count}: {}", texts.join(" "))
            }
        })
    }

    /// Takes back `plies` plies, or the moves since the last turn of the player.
    fn undo(&mut self, plies: Option<usize>) -> Result<(), String> {
        let mover = self.game.position().side_to_move();
        let plies = plies.unwrap_or(match self.people {
            [true, true] | [false, false] => 1,
            people if people[mover.index()] => 2,
            _ => 1,
        });
        if plies > self.game.plies() {
            return Err(format!(
                "only {} been played",
                counted(self.game.plies(), "ply has", "plies have")
            ));
        }
        for _ in 0..plies {
            if self.game.undo() {
                self.times.undo(self.clocks.as_mut());
            }
        }
        self.ended = None;
        self.was_over = false;
        self.former_names = None;
        self.board_is_due = true;
        Ok(())
    }

    fn redo(&mut self, plies: Option<usize>) -> Result<(), String> {
        self.goes_on()?;
        let plies = plies.unwrap_or(if self.people == [true; 2] { 1 } else { 2 });
        let mut done = 0;
        while done < plies && self.game.redo() {
            self.times.redo(self.clocks.as_mut());
            done += 1;
        }
        if done == 0 {
            return Err("nothing was taken back".to_owned());
        }
        self.board_is_due = true;
        Ok(())
    }

    fn time_text(&self, now: Instant) -> String {
        clock::report(self.game_time(now), self.clocks.as_ref(), self.has_opened(), now)
    }

    fn resign(&mut self) -> Result<(), String> {
        self.goes_on()?;
        let loser = match self.people {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => self.game.position().side_to_move(),
        };
        let result = if loser == Color::White { "0-1" } else { "1-0" };
        self.ended = Some((format!("{loser} resigns"), result));
        Ok(())
    }

    /// Begins anew, with this position or the start position.
    fn begin(&mut self, start: Option<Position>) {
        self.game.restart(start);
        self.begun();
    }

    /// Another game is on the board.
    fn begun(&mut self) {
        self.saving.begin_game();
        self.games += 1;
        self.ended = None;
        self.was_over = false;
        self.former_names = None;
        self.restart_time();
        self.board_is_due = true;
        self.engine.new_game();
        self.times = Times::default();
        self.clocks = self.clocks.as_ref().map(|clocks| Clocks::new(clocks.control()));
    }

    fn set_up(&mut self, fen: &str) -> Result<(), String> {
        let fen = fen.trim_matches('"');
        let start = Position::from_fen(self.game.position().game(), fen);
        self.begin(Some(start.map_err(|error| format!("bad position: {error}"))?));
        Ok(())
    }

    fn load(&mut self, path: &Path, number: usize) -> Result<(), String> {
        let rules = self.game.position().game();
        let loaded: Result<VariantGame, VariantFailure> =
            super::load(path, number, self.game.name(), rules);
        self.game = loaded.map_err(|error| error.to_string())?;
        self.saving.has_read(path);
        self.begun();
        Ok(())
    }
}

/// A line for each command.
fn help() -> String {
    let mut text = String::from("Type a move (e4, Nf3, e2e4, h2h3+) or a command:");
    for entry in COMMANDS.iter().filter(|entry| is_offered(entry)) {
        text.push('\n');
        text.push_str(&help_line(entry));
    }
    text
}

/// A command with what it does in variants.
fn help_line(entry: &Entry) -> String {
    let meaning = match entry.names[0] {
        "setup" => "a FEN of this variant",
        "level" => "1 to 20, easy, medium or hard",
        "side" => "play white, black, both or none",
        "load" => "go on with a game of a PGN file",
        "hint" => "a good move",
        "eval" => "what the position is worth",
        "moves" => "the moves so far",
        "quit" => "leave",
        _ => entry.meaning,
    };
    Session::help_line(&Entry { meaning, ..*entry })
}
