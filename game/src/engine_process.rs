//! The engine `tamarin` in a process of its own, driven as by any other client.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tamarin_base::process::own_path;
use tamarin_eval::{Score, ScoreValue};
use tamarin_movegen::{CastlingNotation, CastlingStyle, Move, Position};
use tamarin_search::{BestMove, Limits, Millis, OwnedReport, Reports, TablebaseProbe};
use tamarin_uci::client::{Client, ClientError, Launch, Stopper};
use tamarin_uci::{Base, BestMoveLine, Go, ParsedInfo, PositionText};

use crate::about::NAME;
use crate::evaluator::EvaluatorChoice;

/// The program.
const PROGRAM: &str = "tamarin";

/// The variable of the environment that names the program where it is not beside this one.
pub const ENGINE_VARIABLE: &str = "TAMARIN_ENGINE";

/// How long it may take to answer, which is long where a large table is written to a slow disk.
const PATIENCE: Duration = Duration::from_hours(1);

/// The option for scores in the units of the search.
const RAW_SCORES: &str = "Raw Scores";

/// How moves are written, both ways.
const NOTATION: CastlingNotation = CastlingNotation::KingTakesRook;

/// What an engine is started with.
#[derive(Clone, Default, Debug)]
pub struct EngineSettings {
    /// Its transposition table, in MiB.
    pub hash: usize,
    pub evaluator: EvaluatorChoice,
    pub tablebases: TablebaseProbe,
}

/// Why there is no engine, or no answer of it.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(
        "the engine {PROGRAM} is neither in {} nor on the path: `make` or \
         `cargo build -p tamarin-chess` builds it", .0.display()
    )]
    Missing(PathBuf),
    #[error("the engine {} is of another version: build both anew", .0.display())]
    Version(PathBuf),
    #[error("the engine {PROGRAM}")]
    Client(#[from] ClientError),
    /// What it says to an option or a command.
    #[error("{0}")]
    Refused(String),
    #[error("{}: only a path in UTF-8 can be sent to the engine", .0.display())]
    Path(PathBuf),
    #[error("the engine {PROGRAM} has sent {0:?}, which is no legal move")]
    Move(String),
}

/// An engine that searches one position after the other.
#[derive(Debug)]
pub struct EngineProcess {
    client: Client,
    /// `MultiPV` and `Minimal`.
    lines: usize,
    reports: Reports,
}

impl EngineProcess {
    /// Starts an engine with this number of threads and takes its memory.
    pub fn start(settings: &EngineSettings, threads: usize) -> Result<Self, EngineError> {
        let (program, folder) = program();
        let launch = Launch { patience: PATIENCE, ..Launch::new(&program) };
        let client = Client::start(&launch, None).map_err(|error| match error {
            ClientError::Start(error) if error.kind() == io::ErrorKind::NotFound => {
                EngineError::Missing(folder)
            }
            other => other.into(),
        })?;
        if client.name() != NAME || client.option(RAW_SCORES).is_none() {
            return Err(EngineError::Version(program));
        }
        let mut engine = Self { client, lines: 1, reports: Reports::Minimal };
        for (name, value) in [
            ("Hash", settings.hash.to_string().as_str()),
            ("Threads", &threads.to_string()),
            ("Move Overhead", "0"),
            ("Minimal", "true"),
            (RAW_SCORES, "true"),
            ("UCI_Chess960", "true"),
            ("Evaluator", settings.evaluator.kind.name()),
        ] {
            engine.client.set(name, value)?;
        }
        let mut remarks = engine.client.ready()?;
        if let Some(path) = &settings.evaluator.path {
            engine.client.set("EvalFile", text(path)?)?;
            // Else it describes the network.
            remarks.extend(
                engine.client.ready()?.into_iter().filter(|text| text.ends_with("unchanged")),
            );
        }
        if !remarks.is_empty() {
            return Err(EngineError::Refused(remarks.join("; ")));
        }
        // What is to be said of them was said when this program read them.
        engine.client.set("SyzygyPath", text(Path::new(settings.tablebases.path()))?)?;
        engine.client.ready()?;
        Ok(engine)
    }

    /// Forgets earlier searches.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        Ok(self.client.new_game()?)
    }

    /// What stops a search from another thread.
    pub fn stopper(&self) -> Stopper {
        self.client.stopper()
    }

    /// Writes what it has learned to a file; what it says about it.
    pub fn save_hash(&mut self, path: &Path) -> Result<String, EngineError> {
        self.command(&format!("savehash {}", text(path)?))
    }

    /// Reads what another engine has written; what it says about it.
    pub fn load_hash(&mut self, path: &Path) -> Result<String, EngineError> {
        self.command(&format!("loadhash {}", text(path)?))
    }

    fn command(&mut self, line: &str) -> Result<String, EngineError> {
        let remarks = self.client.command(line)?.join("; ");
        match remarks.strip_prefix("error: ") {
            Some(error) => Err(EngineError::Refused(error.to_owned())),
            None => Ok(remarks),
        }
    }

    /// Searches a position, whose history counts for repetitions, for this number of best lines:
    /// how it ended, and what was reported. `begun` is run once the search runs, `note` for each
    /// remark of the engine.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        (lines, reports): (usize, Reports),
        begun: impl FnOnce(),
        note: impl Fn(&str),
    ) -> Result<(BestMove, Vec<OwnedReport>), EngineError> {
        if lines != self.lines {
            self.client.set("MultiPV", &lines.to_string())?;
            self.lines = lines;
        }
        if reports != self.reports {
            self.client.set("Minimal", &(reports == Reports::Minimal).to_string())?;
            self.reports = reports;
        }
        self.client.go(&position_text(position), &go(position, limits), None)?;
        begun();
        let mut found = Vec::new();
        let mut end = BestMove {
            mv: None,
            ponder: None,
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
            time: Millis::ZERO,
        };
        let mut failure = None;
        let answer = self.client.wait(|info| {
            info.text.iter().for_each(|text| note(text));
            match report(position, info) {
                Ok(report) => {
                    end.depth = info.line.depth.unwrap_or(end.depth);
                    end.nodes = info.line.nodes.unwrap_or(end.nodes);
                    end.time = info.line.time.unwrap_or(end.time);
                    if let Some(report) = report {
                        end.score = if report.line == 1 { report.score } else { end.score };
                        found.push(report);
                    }
                }
                Err(error) => failure = Some(error),
            }
        })?;
        if let BestMoveLine::Move { mv, .. } = answer.best {
            end.mv = Some(legal(position, &mv)?);
        }
        failure.map_or(Ok((end, found)), Err)
    }
}

/// The program and the folder where it is expected: that of this program; of a test or an example,
/// the one above. Elsewhere the environment names it, or the system looks for it.
fn program() -> (PathBuf, PathBuf) {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let own = own_path().unwrap_or_default();
    let folders = || own.ancestors().skip(1);
    let named = env::var_os(ENGINE_VARIABLE).map(PathBuf::from);
    let beside = folders().take(2).map(|folder| folder.join(&name));
    let found = named.into_iter().chain(beside).find(|path| path.is_file());
    let folder = folders().next().unwrap_or(Path::new("")).to_owned();
    (found.unwrap_or_else(|| name.into()), folder)
}

/// A path as a word of a command.
fn text(path: &Path) -> Result<&str, EngineError> {
    let text = path.to_str().filter(|text| !text.contains(char::is_control));
    text.ok_or_else(|| EngineError::Path(path.to_owned()))
}

/// A position with the moves before it that count for repetitions.
fn position_text(position: &Position) -> PositionText {
    let mut start = position.clone();
    let mut moves = Vec::new();
    while start.halfmove_clock() > 0 && start.plies() > 0 {
        let after = *start.board();
        start.unmake();
        let mut legal = start.legal_moves().into_iter();
        let Some(mv) = legal.find(|mv| start.board().play(*mv) == after) else {
            start.make_null();
            break;
        };
        moves.push(start.uci(mv, NOTATION).to_string());
    }
    let fen = start.fen(CastlingStyle::Shredder);
    PositionText { base: Base::Fen(fen), moves: moves.iter().rev().map(String::as_str).collect() }
}

fn go(position: &Position, limits: &Limits) -> Go {
    let moves = limits.search_moves.iter().map(|mv| position.uci(*mv, NOTATION).to_string());
    let moves: Vec<String> = moves.collect();
    Go {
        search_moves: moves.iter().map(String::as_str).collect(),
        depth: limits.depth,
        nodes: limits.nodes,
        mate: limits.mate,
        move_time: limits.move_time,
        ..Go::default()
    }
}

/// The line that an `info` is about; `None` if it is about something else.
fn report(position: &Position, info: &ParsedInfo<'_>) -> Result<Option<OwnedReport>, EngineError> {
    let line = &info.line;
    let (Some(score), Some(depth)) = (line.score, line.depth) else { return Ok(None) };
    let ScoreValue::Centipawns(units) = score.value else { return Ok(None) };
    let mut after = position.clone();
    let mut pv = Vec::with_capacity(line.pv.len());
    for text in &line.pv {
        let mv = legal(&after, text)?;
        after.make(mv);
        pv.push(mv);
    }
    Ok(Some(OwnedReport {
        depth,
        selective_depth: line.seldepth.unwrap_or(depth),
        line: line.multipv.map_or(1, |line| line as usize),
        score: Score::new(units),
        bound: score.bound,
        nodes: line.nodes.unwrap_or(0),
        time: line.time.unwrap_or(Millis::ZERO),
        tablebase_hits: line.tbhits.unwrap_or(0),
        pv,
    }))
}

fn legal(position: &Position, text: &str) -> Result<Move, EngineError> {
    let found = text.parse().ok().and_then(|mv| position.resolve(mv).ok());
    found.ok_or_else(|| EngineError::Move(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::position_text;
    use tamarin_movegen::Position;

    #[test]
    fn sends_the_moves_since_the_last_pawn_move_capture_or_null_move() {
        let mut position = Position::startpos();
        for mv in ["e2e4", "g8f6", "g1f3", "f6g8", "f3g1"] {
            position.try_make_uci(mv).expect("legal");
        }
        let from_pawn_move = "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - \
                              0 1 moves g8f6 g1f3 f6g8 f3g1";
        assert_eq!(position_text(&position).to_string(), from_pawn_move);
        position.make_null();
        position.try_make_uci("b1c3").expect("legal");
        let from_null_move =
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w HAha - 5 4 moves b1c3";
        assert_eq!(position_text(&position).to_string(), from_null_move);
    }
}
