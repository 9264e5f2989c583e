//! The engine in a web page, without a server: `make dist-web`. The page, `index.html`, hands over a
//! position in FEN byte by byte, asks for an analysis and takes its text the same way.

use std::cell::RefCell;
use std::error::Error;
use std::mem;

use tamarin_base::pawns;
use tamarin_eval::ScoreValue;
use tamarin_eval::network::Network;
use tamarin_movegen::{CastlingNotation, Position};
use tamarin_search::{Collector, Engine, Limits, SearchOptions};

#[derive(Default)]
struct Page {
    engine: Option<Engine>,
    fen: Vec<u8>,
    answer: Vec<u8>,
}

thread_local!(static PAGE: RefCell<Page> = RefCell::default());

/// Takes the next byte of the position.
#[unsafe(no_mangle)]
pub extern "C" fn put(byte: u8) {
    PAGE.with_borrow_mut(|page| page.fen.push(byte));
}

/// Searches the position with about `nodes` nodes. The answer is depth, score from the mover's side,
/// nodes and moves, or what is wrong with the position; returns its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn analyze(nodes: u32) -> usize {
    PAGE.with_borrow_mut(|page| {
        let fen = mem::take(&mut page.fen);
        page.answer = answer(&mut page.engine, &String::from_utf8_lossy(&fen), nodes)
            .unwrap_or_else(|error| format!("error: {error}"))
            .into_bytes();
        page.answer.len()
    })
}

/// A byte of the answer; 0 behind its end.
#[unsafe(no_mangle)]
pub extern "C" fn get(index: usize) -> u8 {
    PAGE.with_borrow(|page| page.answer.get(index).copied().unwrap_or(0))
}

/// The engine lasts, and with it what it remembers of the searches before.
fn answer(engine: &mut Option<Engine>, fen: &str, nodes: u32) -> Result<String, Box<dyn Error>> {
    let position: Position = fen.parse()?;
    let engine = match engine {
        Some(engine) => engine,
        None => engine.insert(Engine::prepared(1, 16, Some(Network::embedded()))?),
    };
    let limits = Limits { nodes: Some(nodes.into()), ..Limits::default() };
    let collector = Collector::new();
    let best = engine.search(&position, limits, &SearchOptions::default(), collector.observer());
    let reports = collector.reports();
    let (Some(_), Some(report)) = (best.mv, reports.last()) else {
        return Ok("no legal move".into());
    };
    let score = match report.score.to_uci() {
        ScoreValue::Mate(moves @ ..0) => format!("mated in {}", -moves),
        ScoreValue::Mate(moves) => format!("mate in {moves}"),
        ScoreValue::Centipawns(_) => format!("{:+.2}", pawns(report.score.units())),
    };
    let uci = |&mv| position.uci(mv, CastlingNotation::Classic).to_string();
    let moves = report.pv.iter().map(uci).collect::<Vec<_>>().join(" ");
    let (depth, nodes) = (report.depth, report.nodes);
    Ok(format!("depth {depth}  {score}  {nodes} nodes  {moves}"))
}
