//! A storm of commands: random sequences against a model of what may come out.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::engine::Line;
use super::info::Info;
use super::oracle::{Notation, ROOTS, STARTPOS};
use super::{Engine, Oracle, PATIENCE, Random, check, ms};

pub const COMMANDS: usize = 30;

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
    position: Option<(String, Vec<String>)>,
    chess960: bool,
    asked: VecDeque<Asked>,
    ready: usize,
    introductions: usize,
}

impl Model {
    fn root(&self) -> Option<Oracle> {
        let notation = if self.chess960 { Notation::Chess960 } else { Notation::Classic };
        let (fen, moves) = self.position.as_ref()?;
        // The moves are kept as king takes rook, which both modes understand.
        Some(Oracle::new(fen, Notation::Chess960).after(moves).written(notation))
    }

    /// A line of the engine, which must be allowed now.
    fn hear(&mut self, text: &str) -> Result<(), &'static str> {
        match text.split(' ').next().unwrap_or_default() {
            "readyok" => self.ready = self.ready.checked_sub(1).ok_or("a readyok too many")?,
            "uciok" => {
                self.introductions = self.introductions.checked_sub(1).ok_or("a uciok too many")?;
            }
            "bestmove" => self.answer(text)?,
            "info" => Info::parse(text).map_or(Ok(()), |info| self.progress(info))?,
            _ => {}
        }
        Ok(())
    }

    fn answer(&mut self, text: &str) -> Result<(), &'static str> {
        let asked = self.asked.pop_front().ok_or("a bestmove that nobody asked for")?;
        let words: Vec<&str> = text.split(' ').collect();
        let ok = |good: bool, complaint| if good { Ok(()) } else { Err(complaint) };
        let Some(root) = &asked.root else {
            return ok(text == "bestmove 0000", "a move without a position");
        };
        if root.legal().is_empty() {
            return ok(text == "bestmove (none)", "a move where none is");
        }
        ok(asked.release == Release::Free, "an answer before its time")?;
        ok(root.is_legal(words[1]), "an illegal move")?;
        if let [_, best, "ponder", reply] = words[..] {
            ok(root.after(&[best]).is_legal(reply), "an illegal ponder move")?;
        }
        let last = asked.last.ok_or("no scored line")?;
        ok(last.pv.first().map(String::as_str) == Some(words[1]), "not the move announced")
    }

    fn progress(&mut self, info: Info) -> Result<(), &'static str> {
        let asked = self.asked.front_mut().ok_or("a line of no search")?;
        let Some(root) = &asked.root else { return Err("a line without a position") };
        if root.legal().is_empty() {
            return Ok(());
        }
        check::line(&info, root);
        if let Some(before) = &asked.last
            && (before.nodes > info.nodes || before.time > info.time)
        {
            return Err("nodes or time run backwards");
        }
        if info.multipv.unwrap_or(1) == 1 {
            asked.last = Some(info);
        }
        Ok(())
    }

    fn stop(&mut self) {
        self.asked.iter_mut().for_each(|asked| asked.release = Release::Free);
    }

    fn ponder_hit(&mut self) {
        let pondering = |asked: &&mut Asked| asked.release == Release::StopOrHit;
        if let Some(asked) = self.asked.iter_mut().find(pondering) {
            asked.release = Release::Free;
        }
    }
}

/// Makes one command and records it in the model.
fn command(random: &mut Random, model: &mut Model, network: &str) -> String {
    match random.below(20) {
        0..=3 => return position(random, model),
        4..=9 if model.asked.len() < 4 => return go(random, model),
        10..=12 => {
            model.stop();
            "stop"
        }
        13 => {
            model.ponder_hit();
            "ponderhit"
        }
        14 | 15 => {
            model.ready += 1;
            "isready"
        }
        16 | 17 => return format!("setoption name {}", option(random, model, network)),
        18 => {
            model.introductions += 1;
            "uci"
        }
        _ => random.pick(&["ucinewgame", "d", "eval", "debug on", "xyzzy", "", "go perft 1"]),
    }
    .to_owned()
}

fn position(random: &mut Random, model: &mut Model) -> String {
    if random.below(8) == 0 {
        model.position = None;
        let bad = ["fen 8/8/8/8/8/8/8/8 w - - 0 1", "startpos moves e2e4 e2e4", "nonsense"];
        return format!("position {}", random.pick(&bad));
    }
    let fen = if random.below(2) == 0 { STARTPOS } else { random.pick(&ROOTS) };
    let mut board = Oracle::new(fen, Notation::Chess960);
    let mut moves = Vec::new();
    for _ in 0..random.below(25) {
        let legal = board.legal();
        if legal.is_empty() {
            break;
        }
        moves.push(random.pick(&legal).clone());
        board = board.after(&moves[moves.len() - 1..]);
    }
    let text = if fen == STARTPOS { "startpos".to_owned() } else { format!("fen {fen}") };
    let text = format!("position {text} moves {}", moves.join(" "));
    model.position = Some((fen.to_owned(), moves));
    text
}

fn go(random: &mut Random, model: &mut Model) -> String {
    let root = model.root();
    let some_move = root.as_ref().and_then(|root| root.legal().first().cloned());
    let some_move = some_move.unwrap_or_else(|| "e2e4".to_owned());
    let pondering = model.asked.iter().any(|asked| asked.release == Release::StopOrHit);
    let number = 1 + random.below(4);
    let (text, release) = match random.below(if pondering { 9 } else { 11 }) {
        0 => (format!("depth {number}"), Release::Free),
        1 => (format!("nodes {}", number * 300), Release::Free),
        2 => (format!("movetime {}", number * 4), Release::Free),
        3 => (format!("wtime {0} btime {0} winc 1 binc 1", number * 30), Release::Free),
        4 => (format!("depth {number} searchmoves {some_move}"), Release::Free),
        5 => (format!("mate 1 depth {number}"), Release::Free),
        6 => ("wtime -5".to_owned(), Release::Free),
        7 => ("infinite".to_owned(), Release::Stop),
        8 => (format!("ponder infinite depth {number}"), Release::Stop),
        9 => (format!("ponder wtime {0} btime {0}", number * 30), Release::StopOrHit),
        _ => (format!("ponder depth {number}"), Release::StopOrHit),
    };
    let text = format!("go {text}");
    model.asked.push_back(Asked { text: text.clone(), root, release, last: None });
    text
}

fn option(random: &mut Random, model: &mut Model, network: &str) -> String {
    let number = 1 + random.below(4);
    match random.below(10) {
        0 | 1 => format!("MultiPV value {number}"),
        2 => format!("Hash value {number}"),
        3 => format!("Threads value {}", 1 + number % 3),
        4 => "Clear Hash".to_owned(),
        5 => {
            model.chess960 = random.below(2) == 0;
            format!("UCI_Chess960 value {}", model.chess960)
        }
        6 => format!("UCI_ShowWDL value {}", number == 1),
        7 => format!("Evaluator value {}", if number < 3 { "network" } else { "hand-crafted" }),
        8 => format!("EvalFile value {}", if number < 4 { network } else { "<empty>" }),
        _ => "Nonsense value 1".to_owned(),
    }
}

/// Reads what has come within the span.
fn listen(engine: &mut Engine, model: &mut Model, span: Duration) {
    let deadline = Instant::now() + span;
    loop {
        match engine.line_within(deadline.saturating_duration_since(Instant::now())) {
            Ok(Some(Line { text, .. })) => {
                model.hear(&text).unwrap_or_else(|complaint| engine.fail(complaint));
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
    let mut model = Model {
        position: Some((STARTPOS.to_owned(), Vec::new())),
        chess960: false,
        asked: VecDeque::new(),
        ready: 0,
        introductions: 0,
    };
    for _ in 0..COMMANDS {
        let text = command(&mut random, &mut model, network);
        engine.send(&text);
        if random.below(3) != 0 {
            let span = Duration::from_micros(random.below(8000) as u64);
            listen(engine, &mut model, span);
        }
    }
    model.stop();
    engine.send("stop");
    // The first isready may be answered during a search, before what waits behind it.
    for _ in 0..2 {
        engine.send("isready");
        model.ready += 1;
        let deadline = Instant::now() + PATIENCE;
        while model.ready > 0 || model.introductions > 0 || !model.asked.is_empty() {
            if Instant::now() > deadline {
                let texts: Vec<_> = model.asked.iter().map(|asked| &asked.text).collect();
                engine.fail(&format!("seed {seed}: unanswered: {texts:?}"));
            }
            listen(engine, &mut model, ms(5));
        }
    }
}
