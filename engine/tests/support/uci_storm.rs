//! A storm of commands: random sequences against a model of what may come out.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::engine::Line;
use super::info::Info;
use super::oracle::{Notation, STARTPOS};
use super::{Engine, Oracle, PATIENCE, Random, ms};

pub const COMMANDS: usize = 30;

const FENS: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/4P1k1/8/8/8/8/8/4K3 w - - 99 80",
];

/// What has to happen before a search may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Release {
    /// Nothing: it ends by itself, or was released.
    Free,
    /// `stop`.
    Stop,
    /// `stop` or `ponderhit`.
    StopOrHit,
}

/// A `go` that has not been answered.
struct Asked {
    text: String,
    root: Option<Oracle>,
    release: Release,
    last: Option<Info>,
}

/// What the engine should be doing.
struct Model {
    /// A file for `EvalFile`.
    network: String,
    position: Option<(String, Vec<String>)>,
    chess960: bool,
    asked: VecDeque<Asked>,
    ready: usize,
    introductions: usize,
}

impl Model {
    fn new(network: &str) -> Self {
        Self {
            network: network.to_owned(),
            position: Some((STARTPOS.to_owned(), Vec::new())),
            chess960: false,
            asked: VecDeque::new(),
            ready: 0,
            introductions: 0,
        }
    }

    fn root(&self) -> Option<Oracle> {
        let notation = if self.chess960 { Notation::Chess960 } else { Notation::Classic };
        // The moves are kept as king takes rook, which both modes understand.
        self.position
            .as_ref()
            .map(|(fen, moves)| Oracle::new(fen, Notation::Chess960).after(moves).written(notation))
    }

    /// A line of the engine, which must be allowed now.
    fn hear(&mut self, text: &str) -> Result<(), String> {
        match text.split(' ').next().unwrap_or_default() {
            "readyok" => {
                self.ready = self.ready.checked_sub(1).ok_or("a readyok too many")?;
            }
            "uciok" => {
                self.introductions = self.introductions.checked_sub(1).ok_or("a uciok too many")?;
            }
            "bestmove" => self.answer(text)?,
            "info" => {
                if let Some(info) = Info::parse(text) {
                    self.progress(info)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn answer(&mut self, text: &str) -> Result<(), String> {
        let asked = self.asked.pop_front().ok_or("a bestmove that nobody asked for")?;
        let words: Vec<&str> = text.split(' ').collect();
        let Some(root) = &asked.root else {
            return if text == "bestmove 0000" {
                Ok(())
            } else {
                Err("a move without a position".into())
            };
        };
        if root.legal().is_empty() {
            return if text == "bestmove (none)" {
                Ok(())
            } else {
                Err("a move where none is".into())
            };
        }
        if asked.release != Release::Free {
            return Err(format!("{:?} answered before its time", asked.text));
        }
        if !root.is_legal(words[1]) {
            return Err(format!("{} is illegal after {:?}", words[1], asked.text));
        }
        if let [_, best, "ponder", reply] = words[..]
            && !root.after(&[best]).is_legal(reply)
        {
            return Err(format!("ponder {reply} is illegal"));
        }
        match &asked.last {
            None => Err(format!("no scored line for {:?}", asked.text)),
            Some(last) if last.pv.first().map(String::as_str) != Some(words[1]) => {
                Err(format!("{} is not what {:?} announced", words[1], last.text))
            }
            Some(_) => Ok(()),
        }
    }

    fn progress(&mut self, info: Info) -> Result<(), String> {
        let asked = self.asked.front_mut().ok_or("a line of no search")?;
        let Some(root) = &asked.root else { return Err("a line without a position".into()) };
        if root.legal().is_empty() {
            return Ok(());
        }
        let mut board = root.clone();
        if let Some(bad) = info.pv.iter().find(|mv| !board.play(mv)) {
            return Err(format!("{bad} is illegal in {:?}", info.text));
        }
        if let Some(before) = &asked.last
            && (before.nodes > info.nodes || before.time > info.time)
        {
            return Err(format!("{:?} after {:?}", info.text, before.text));
        }
        if info.multipv.unwrap_or(1) == 1 {
            asked.last = Some(info);
        }
        Ok(())
    }

    fn stop(&mut self) {
        for asked in &mut self.asked {
            asked.release = Release::Free;
        }
    }

    fn ponder_hit(&mut self) {
        let pondering = |asked: &&mut Asked| asked.release == Release::StopOrHit;
        if let Some(asked) = self.asked.iter_mut().find(pondering) {
            asked.release = Release::Free;
        }
    }
}

/// Makes one command and records it in the model.
fn command(random: &mut Random, model: &mut Model) -> String {
    match random.below(20) {
        0..=3 => position(random, model),
        4..=9 if model.asked.len() < 4 => go(random, model),
        10..=12 => {
            model.stop();
            "stop".to_owned()
        }
        13 => {
            model.ponder_hit();
            "ponderhit".to_owned()
        }
        14 | 15 => {
            model.ready += 1;
            "isready".to_owned()
        }
        16 | 17 => option(random, model),
        18 => {
            model.introductions += 1;
            "uci".to_owned()
        }
        _ => {
            let others =
                ["ucinewgame", "d", "eval", "debug on", "debug off", "xyzzy", "", "go perft 1"];
            (*random.pick(&others)).to_owned()
        }
    }
}

fn position(random: &mut Random, model: &mut Model) -> String {
    if random.below(8) == 0 {
        model.position = None;
        return (*random.pick(&[
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position startpos moves e2e4 e2e4",
            "position nonsense",
        ]))
        .to_owned();
    }
    let fen = if random.below(2) == 0 { STARTPOS } else { random.pick(&FENS) };
    let mut board = Oracle::new(fen, Notation::Chess960);
    let mut moves = Vec::new();
    for _ in 0..random.below(25) {
        let legal = board.legal();
        if legal.is_empty() {
            break;
        }
        let mv = random.pick(&legal).clone();
        board = board.after(&[&mv]);
        moves.push(mv);
    }
    let text = if fen == STARTPOS { "startpos".to_owned() } else { format!("fen {fen}") };
    let text = format!("position {text} moves {}", moves.join(" "));
    model.position = Some((fen.to_owned(), moves));
    text
}

fn go(random: &mut Random, model: &mut Model) -> String {
    let root = model.root();
    let some_move = root.as_ref().map_or_else(Vec::new, Oracle::legal);
    let some_move = some_move.first().cloned().unwrap_or_else(|| "e2e4".to_owned());
    let pondering = model.asked.iter().any(|asked| asked.release == Release::StopOrHit);
    let kinds = if pondering { 9 } else { 11 };
    let number = 1 + random.below(4);
    let (text, release) = match random.below(kinds) {
        0 => (format!("go depth {number}"), Release::Free),
        1 => (format!("go nodes {}", number * 300), Release::Free),
        2 => (format!("go movetime {}", number * 4), Release::Free),
        3 => (format!("go wtime {0} btime {0} winc 1 binc 1", number * 30), Release::Free),
        4 => (format!("go depth {number} searchmoves {some_move}"), Release::Free),
        5 => (format!("go mate 1 depth {number}"), Release::Free),
        6 => ("go wtime -5".to_owned(), Release::Free),
        7 => ("go infinite".to_owned(), Release::Stop),
        8 => (format!("go ponder infinite depth {number}"), Release::Stop),
        9 => (format!("go ponder wtime {0} btime {0}", number * 30), Release::StopOrHit),
        _ => (format!("go ponder depth {number}"), Release::StopOrHit),
    };
    model.asked.push_back(Asked { text: text.clone(), root, release, last: None });
    text
}

fn option(random: &mut Random, model: &mut Model) -> String {
    let number = 1 + random.below(4);
    match random.below(10) {
        0 | 1 => format!("setoption name MultiPV value {number}"),
        2 => format!("setoption name Hash value {number}"),
        3 => format!("setoption name Threads value {}", 1 + number % 3),
        4 => "setoption name Clear Hash".to_owned(),
        5 => {
            model.chess960 = random.below(2) == 0;
            format!("setoption name UCI_Chess960 value {}", model.chess960)
        }
        6 => format!("setoption name UCI_ShowWDL value {}", number == 1),
        7 => {
            let kind = if number < 3 { "network" } else { "hand-crafted" };
            format!("setoption name Evaluator value {kind}")
        }
        8 => {
            let file = if number < 4 { &model.network } else { "<empty>" };
            format!("setoption name EvalFile value {file}")
        }
        _ => "setoption name Nonsense value 1".to_owned(),
    }
}

/// Reads what has come within the span.
fn listen(engine: &mut Engine, model: &mut Model, span: Duration) {
    let deadline = Instant::now() + span;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match engine.line_within(left) {
            Ok(Some(Line { text, .. })) => {
                if let Err(complaint) = model.hear(&text) {
                    engine.fail(&complaint);
                }
            }
            Ok(None) => return,
            Err(_) => engine.fail("the output was closed"),
        }
    }
}

/// Sends a sequence to an engine that plays standard chess from the start position, and judges what
/// it says. `network` is a file for `EvalFile`. Afterwards the engine is idle, its options are any.
///
/// # Panics
/// If the engine says what the model does not allow, or is silent.
pub fn run(engine: &mut Engine, seed: u64, network: &str) {
    let mut random = Random::new(seed);
    let mut model = Model::new(network);
    for _ in 0..COMMANDS {
        let text = command(&mut random, &mut model);
        engine.send(&text);
        if random.below(3) != 0 {
            let span = Duration::from_micros(random.below(8000) as u64);
            listen(engine, &mut model, span);
        }
    }
    model.stop();
    engine.send("stop\nisready");
    model.ready += 1;
    let deadline = Instant::now() + PATIENCE;
    while model.ready > 0 || model.introductions > 0 || !model.asked.is_empty() {
        if Instant::now() > deadline {
            let texts: Vec<_> = model.asked.iter().map(|asked| asked.text.clone()).collect();
            engine.fail(&format!("seed {seed}: unanswered: {texts:?}"));
        }
        listen(engine, &mut model, ms(5));
    }
    // The isready above may have been answered during a search, before what waited behind it.
    engine.send("isready");
    model.ready += 1;
    while model.ready > 0 {
        listen(engine, &mut model, ms(5));
    }
}
