//! Another chess program as a player, over the Universal Chess Interface.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, TryRecvError, unbounded};
use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_movegen::{CastlingNotation, CastlingStyle, Color, PerColor, Position};
use tamarin_search::{BestMove, Clock};
use tamarin_uci::{BestMoveLine, InfoLine, ParsedReply, ScoreValue, parse_reply};

use super::background_engine::{Answer, Line};
use super::launch::Launch;
use tamarin_base::files::lines::{self, next_line};
use tamarin_game::game::Game;

/// Patience with its start, with `isready` and with `stop`, and beyond its time for a move.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long it may take to leave after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// Its time for a move where no clock runs, in milliseconds.
const MOVE_TIME: u64 = 1000;

#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    #[error("cannot be started")]
    Start(#[source] io::Error),
    #[error("has ended by itself")]
    Ended,
    #[error("does not answer with {0:?} within 30 seconds")]
    Silent(&'static str),
    #[error("has no option {0:?}")]
    Option(String),
    #[error("wants to play {text:?} in {fen}")]
    Move { text: String, fen: String },
}

enum State {
    Idle,
    /// It thinks about this position; its best line so far.
    Thinking(Box<Position>, Option<Line>),
}

/// A running program; dropping it ends the process.
pub struct Program {
    name: String,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    state: State,
    /// How long it may think without a word.
    given: Duration,
    /// When it was asked for a move, or wrote its last line since.
    heard: Instant,
    has_chess960: bool,
}

impl Program {
    /// Starts it and sets its options.
    pub fn start(launch: &Launch) -> Result<Self, ProgramError> {
        let mut command = Command::new(launch.program());
        command.args(launch.arguments());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C at the terminal is for the game alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(ProgramError::Start)?;
        let stdin = child.stdin.take().expect("invariant: stdin is piped");
        let stdout = child.stdout.take().expect("invariant: stdout is piped");
        let (sender, lines) = unbounded();
        let reader = thread::Builder::new().name("program".to_owned());
        let started = reader.spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Ok(Some(line)) = next_line(&mut stdout) {
                let lines::Line::Text(text) = line else { continue };
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        let mut program = Self {
            name: launch.file_name(),
            child,
            stdin,
            lines,
            state: State::Idle,
            given: Duration::ZERO,
            heard: Instant::now(),
            has_chess960: false,
        };
        started.map_err(ProgramError::Start)?;
        program.set_up(launch)?;
        Ok(program)
    }

    /// What it calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn set_up(&mut self, launch: &Launch) -> Result<(), ProgramError> {
        self.send("uci")?;
        let (mut name, mut known) = (None, Vec::new());
        self.read_until("uciok", |reply| {
            match reply {
                ParsedReply::IdName(text) => name = Some(text.to_owned()),
                ParsedReply::Option(option) => known.push(option.name.to_lowercase()),
                ParsedReply::UciOk => return true,
                _ => {}
            }
            false
        })?;
        self.name = name.unwrap_or_else(|| launch.file_name());
        let has = |option: &str| known.contains(&option.to_lowercase());
        self.has_chess960 = has("UCI_Chess960");
        for (option, value) in launch.options() {
            if !has(option) {
                return Err(ProgramError::Option(option.clone()));
            }
            self.send(&format!("setoption name {option} value {value}"))?;
        }
        self.ready()
    }

    fn ready(&mut self) -> Result<(), ProgramError> {
        self.send("isready")?;
        self.read_until("readyok", |reply| reply == ParsedReply::ReadyOk)
    }

    pub fn new_game(&mut self) -> Result<(), ProgramError> {
        self.stop()?;
        self.send("ucinewgame")?;
        self.ready()
    }

    /// Lets it think about the game, with these clocks or for a second.
    pub fn think(
        &mut self,
        game: &Game,
        clocks: &PerColor<Option<Clock>>,
    ) -> Result<(), ProgramError> {
        self.stop()?;
        let notation = match game.is_chess960() {
            true if self.has_chess960 => CastlingNotation::KingTakesRook,
            _ => CastlingNotation::Classic,
        };
        if self.has_chess960 {
            self.send(&format!("setoption name UCI_Chess960 value {}", game.is_chess960()))?;
        }
        let mut text = format!("position fen {}", game.start().fen(CastlingStyle::Standard));
        let mut position = game.start().clone();
        for (index, turn) in game.turns().iter().enumerate() {
            text.push_str(if index == 0 { " moves " } else { " " });
            text.push_str(&position.uci(turn.mv, notation).to_string());
            position.make(turn.mv);
        }
        self.send(&text)?;
        let mover = position.side_to_move();
        self.send(&limits(clocks, mover))?;
        let given = clocks[mover].map_or(MOVE_TIME, |clock| clock.left.get());
        self.given = Duration::from_millis(given);
        self.heard = Instant::now();
        self.state = State::Thinking(Box::new(position), None);
        Ok(())
    }

    /// Returns `true` if it thinks about a move that has not been taken.
    pub const fn is_thinking(&self) -> bool {
        matches!(self.state, State::Thinking(..))
    }

    /// It shall move at once.
    pub fn move_now(&mut self) -> Result<(), ProgramError> {
        self.given = Duration::ZERO;
        self.heard = Instant::now();
        self.send("stop")
    }

    /// The move it has found and its score, once there is one. A program that neither answers nor
    /// says anything long after its time is an error.
    pub fn answer(&mut self) -> Result<Option<Answer>, ProgramError> {
        self.answer_at(Instant::now())
    }

    fn answer_at(&mut self, now: Instant) -> Result<Option<Answer>, ProgramError> {
        while self.is_thinking() {
            match self.lines.try_recv() {
                Ok(line) => {
                    self.heard = now;
                    if let Some(answer) = self.read(&line)? {
                        return Ok(Some(answer));
                    }
                }
                Err(TryRecvError::Empty) => {
                    let silence = now.saturating_duration_since(self.heard);
                    let is_silent = silence > self.given.saturating_add(PATIENCE);
                    return if is_silent {
                        Err(ProgramError::Silent("bestmove"))
                    } else {
                        Ok(None)
                    };
                }
                Err(TryRecvError::Disconnected) => return Err(ProgramError::Ended),
            }
        }
        Ok(None)
    }

    /// Takes in a line that it writes while it thinks.
    fn read(&mut self, line: &str) -> Result<Option<Answer>, ProgramError> {
        let State::Thinking(position, best) = &mut self.state else { return Ok(None) };
        let text = match parse_reply(line) {
            Some(ParsedReply::Info(info)) => {
                if let Some((depth, score)) = best_line(&info.line) {
                    *best = Some(Line { depth, score, pv: Vec::new() });
                }
                return Ok(None);
            }
            Some(ParsedReply::BestMove(BestMoveLine::Move { mv, .. })) => mv,
            Some(ParsedReply::BestMove(BestMoveLine::None)) => "(none)",
            Some(ParsedReply::BestMove(BestMoveLine::Null)) => "0000",
            _ => return Ok(None),
        };
        let found = text.parse().ok().and_then(|mv| position.resolve(mv).ok());
        let Some(mv) = found else {
            let fen = position.fen(CastlingStyle::Standard);
            return Err(ProgramError::Move { text: text.chars().take(24).collect(), fen });
        };
        let line = best.take();
        self.state = State::Idle;
        let (score, depth) =
            line.as_ref().map_or_else(Default::default, |line| (line.score, line.depth));
        let (ponder, nodes, time) = Default::default();
        let best = BestMove { mv: Some(mv), ponder, score, depth, nodes, time };
        Ok(Some(Answer { best: Some(best), line, lines: Vec::new(), result: None }))
    }

    /// Ends its thinking; the answer is lost.
    pub fn stop(&mut self) -> Result<(), ProgramError> {
        if self.is_thinking() {
            self.send("stop")?;
            self.read_until("bestmove", |reply| matches!(reply, ParsedReply::BestMove(_)))?;
            self.state = State::Idle;
        }
        Ok(())
    }

    fn send(&mut self, line: &str) -> Result<(), ProgramError> {
        let written = self.stdin.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| self.stdin.flush()).map_err(|_| ProgramError::Ended)
    }

    /// Reads replies until `is_last` returns `true`; `word` names that reply in an error.
    fn read_until(
        &self,
        word: &'static str,
        mut is_last: impl FnMut(ParsedReply<'_>) -> bool,
    ) -> Result<(), ProgramError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_deadline(deadline) {
                Ok(line) if parse_reply(&line).is_some_and(&mut is_last) => return Ok(()),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(ProgramError::Ended),
                Err(RecvTimeoutError::Timeout) => return Err(ProgramError::Silent(word)),
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A polite word first: some programs write files when they leave.
        let deadline = Instant::now() + FAREWELL;
        if self.send("stop").and_then(|()| self.send("quit")).is_ok() {
            while Instant::now() < deadline {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                thread::sleep(Duration::from_millis(5));
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command that lets a program think about a move of `mover`.
fn limits(clocks: &PerColor<Option<Clock>>, mover: Color) -> String {
    let (Some(white), Some(black)) = (clocks[Color::White], clocks[Color::Black]) else {
        return format!("go movetime {MOVE_TIME}");
    };
    let mut text = format!(
        "go wtime {} btime {} winc {} binc {}",
        white.left, black.left, white.increment, black.increment
    );
    if let Some(moves) = clocks[mover].and_then(|clock| clock.moves_to_go) {
        text.push_str(&format!(" movestogo {moves}"));
    }
    text
}

/// Depth and score of a line with an exact score of the best variation.
fn best_line<M>(info: &InfoLine<M>) -> Option<(u32, Score)> {
    let score = match info.exact_score()? {
        ScoreValue::Centipawns(number) => {
            // Rounded away from zero, so that the same centipawns come of it again.
            let units = u64::from(number.unsigned_abs()) * UNITS_PER_PAWN as u64;
            let most = Score::MAX_EVALUATION.units();
            let size = i32::try_from(units.div_ceil(100)).unwrap_or(most).min(most);
            Score::new(size * number.signum())
        }
        ScoreValue::Mate(moves) if moves > 0 => Score::mate_in(2 * moves.min(100) as usize - 1),
        ScoreValue::Mate(moves) => Score::mated_in(2 * moves.max(-100).unsigned_abs() as usize),
    };
    Some((info.depth?, score))
}

#[cfg(test)]
mod tests {
    use super::{best_line, limits};
    use tamarin_eval::Score;
    use tamarin_movegen::{Color, PerColor};
    use tamarin_search::{Clock, Millis};
    use tamarin_uci::{ParsedReply, parse_reply};

    fn read_info(text: &str) -> Option<(u32, Score)> {
        match parse_reply(text)? {
            ParsedReply::Info(info) => best_line(&info.line),
            _ => None,
        }
    }

    #[test]
    fn scores_are_read_from_the_best_exact_line() {
        let read =
            |text: &str| read_info(text).map(|(depth, score)| (depth, score.to_uci().to_string()));
        let cp = Some((12, "cp 50".to_owned()));
        assert_eq!(read("info depth 12 seldepth 20 multipv 1 score cp 50 nodes 9 pv e2e4"), cp);
        assert_eq!(read("info depth 3 score mate -2 pv e2e4"), Some((3, "mate -2".to_owned())));
        assert_eq!(read("info depth 3 score mate 1"), Some((3, "mate 1".to_owned())));
        assert!(read("info depth 1 score cp 2000000000").is_some());
        for text in [
            "info depth 12 multipv 2 score cp 50",
            "info depth 12 score cp 50 lowerbound",
            "info string depth 1 score cp 5",
            "info depth 12 currmove e2e4",
            "info depth x score cp 5",
            "info score cp",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(
            read_info("info depth 1 score mate -999999")
                .is_some_and(|(_, score)| score < Score::DRAW)
        );
    }

    #[test]
    fn clocks_are_sent_and_else_a_second() {
        assert_eq!(limits(&PerColor([None; 2]), Color::White), "go movetime 1000");
        let clock = |left, moves_to_go| {
            Some(Clock { left: Millis::new(left), increment: Millis::new(20), moves_to_go })
        };
        let clocks = PerColor([clock(5000, Some(3)), clock(4000, Some(4))]);
        for (mover, moves) in [(Color::White, 3), (Color::Black, 4)] {
            let wanted = format!("go wtime 5000 btime 4000 winc 20 binc 20 movestogo {moves}");
            assert_eq!(limits(&clocks, mover), wanted);
        }
    }

    #[cfg(unix)]
    mod silence {
        use super::super::{Program, ProgramError, State};
        use crate::launch::Launch;
        use std::time::{Duration, Instant};
        use tamarin_game::game::Game;
        use tamarin_movegen::{PerColor, Position};
        use tamarin_search::{Clock, Millis};

        /// A program that answers `uci` and `isready`, and `go` with these lines.
        fn program(on_go: &str) -> Program {
            let script = format!(
                "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                 go) {on_go};; quit) exit;; esac; done"
            );
            let command = ["/bin/sh", "-c", &script].map(str::to_owned);
            Program::start(&Launch::new(command.into(), Vec::new())).unwrap()
        }

        #[test]
        fn a_program_is_silent_30_seconds_after_its_time_or_its_last_line() {
            let seconds = Duration::from_secs;
            let is_silent = |found| matches!(found, Err(ProgramError::Silent("bestmove")));
            let game = Game::new(Position::startpos(), None);
            let begin = Instant::now();
            let mut talking = program("echo info depth 3 score cp 20");
            talking.think(&game, &PerColor([None; 2])).unwrap();
            let heard = begin + seconds(30);
            while !matches!(talking.state, State::Thinking(_, Some(_))) {
                assert!(talking.answer_at(heard).unwrap().is_none());
                std::thread::yield_now();
            }
            assert!(talking.answer_at(heard + seconds(31)).unwrap().is_none());
            assert!(is_silent(talking.answer_at(heard + seconds(32))));
            // Its own clock counts as time to think, but not after it was told to move.
            let clock = Clock {
                left: Millis::new(10_000_000),
                increment: Millis::new(0),
                moves_to_go: None,
            };
            let mut mute = program(":");
            mute.think(&game, &PerColor([Some(clock); 2])).unwrap();
            assert!(mute.answer_at(begin + seconds(9000)).unwrap().is_none());
            mute.move_now().unwrap();
            assert!(is_silent(mute.answer_at(begin + seconds(9000))));
        }
    }
}
