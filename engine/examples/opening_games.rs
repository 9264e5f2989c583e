//! Plays the games from which the built-in opening book is made, and prints them as PGN.
//!
//! `cargo run --release -p tamarin-chess --example opening_games -- GAMES > games.pgn`
//!
//! The first plies of a game are drawn among the moves that a search with several lines finds
//! about equally good, so that the games differ; the rest is played at a fixed number of nodes.
//! Everything follows from the seed.

use std::collections::HashMap;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use parking_lot::Mutex;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_eval::UciScore;
use tamarin_movegen::{Color, Key, Move, Position};
use tamarin_search::{BestMove, Idle, Limits, Observer, Report, Reports, SearchOptions};

const SEED: u64 = 1851;

/// MiB of hash table: all that a search of so few nodes fills.
const HASH: usize = 4;

/// Plies that are drawn; later ones are the best move.
const DRAWN_PLIES: usize = 16;

/// Nodes and lines of the search before a move is drawn.
const DRAWN_NODES: u64 = 60_000;
const LINES: usize = 6;

/// A move this many centipawns worse than the best is not drawn.
const MARGIN: i32 = 30;

/// Nodes of every later search.
const NODES: u64 = 3_000;

/// A game is won after so many plies at so many centipawns, and drawn after `MAX_PLIES`.
const WIN_PLIES: u32 = 4;
const WIN_SCORE: i32 = 600;
const MAX_PLIES: usize = 240;

/// A move and its score for the side to move, in centipawns.
type Scored = (Move, i32);

/// Keeps the last line of each number.
struct Lines(Arc<Mutex<Vec<Scored>>>);

impl Observer for Lines {
    fn iteration(&mut self, report: &Report<'_>) {
        let Some(mv) = report.pv.first() else { return };
        let mut lines = self.0.lock();
        lines.truncate(report.line - 1);
        lines.push((*mv, centipawns(report)));
    }

    fn finished(&mut self, _: &BestMove) {}
}

fn centipawns(report: &Report<'_>) -> i32 {
    match report.score.to_uci() {
        UciScore::Centipawns(score) => score,
        UciScore::MateIn(_) => 10_000,
        UciScore::MatedIn(_) => -10_000,
    }
}

/// Both players.
struct Player {
    idle: Option<Idle>,
    random: Xoshiro256PlusPlus,
    /// The lines of positions searched before a draw of a move.
    searched: HashMap<Key, Vec<Scored>>,
}

impl Player {
    fn search(&mut self, position: &Position, nodes: u64, lines: usize) -> Vec<Scored> {
        let options = SearchOptions {
            contempt: 0,
            optimism: false,
            multi_pv: lines,
            reports: Reports::Minimal,
            ..SearchOptions::default()
        };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = Arc::new(Mutex::new(Vec::new()));
        let idle = self.idle.take().expect("invariant: one search at a time");
        let running = idle.go(position, limits, &options, Box::new(Lines(Arc::clone(&found))));
        self.idle = Some(running.wait());
        std::mem::take(&mut *found.lock())
    }

    fn new_game(&mut self) {
        self.idle.as_mut().expect("invariant: one search at a time").new_game();
    }

    /// One of the best moves, the likelier the better it is.
    fn draw(&mut self, position: &Position) -> Scored {
        let lines = match self.searched.get(&position.key()) {
            Some(lines) => lines.clone(),
            None => {
                self.new_game();
                let lines = self.search(position, DRAWN_NODES, LINES);
                self.searched.insert(position.key(), lines.clone());
                lines
            }
        };
        let best = lines.iter().map(|line| line.1).max().expect("invariant: there is a move");
        let weight = |line: &Scored| (MARGIN - (best - line.1)).max(0).pow(2);
        let mut ticket = self.random.random_range(0..lines.iter().map(weight).sum());
        for line in &lines {
            ticket -= weight(line);
            if ticket < 0 {
                return *line;
            }
        }
        unreachable!("invariant: the ticket is below the sum")
    }

    /// The moves of a game in algebraic notation, and its result.
    fn game(&mut self) -> (Vec<String>, &'static str) {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        let mut clear = 0;
        self.new_game();
        loop {
            if let Some(result) = over(&position) {
                return (moves, result);
            }
            let (mv, score) = if moves.len() < DRAWN_PLIES {
                self.draw(&position)
            } else {
                self.search(&position, NODES, 1)[0]
            };
            clear = if score.abs() >= WIN_SCORE { clear + 1 } else { 0 };
            if clear == WIN_PLIES {
                let white_wins = (position.side_to_move() == Color::White) == (score > 0);
                return (moves, if white_wins { "1-0" } else { "0-1" });
            }
            if moves.len() == MAX_PLIES {
                return (moves, "1/2-1/2");
            }
            moves.push(position.san(mv).to_string());
            position.make(mv);
        }
    }
}

fn over(position: &Position) -> Option<&'static str> {
    if !position.has_legal_move() {
        return Some(match (position.in_check(), position.side_to_move()) {
            (true, Color::White) => "0-1",
            (true, Color::Black) => "1-0",
            (false, _) => "1/2-1/2",
        });
    }
    let drawn = position.is_fifty_move_draw()
        || position.is_insufficient_material()
        || position.is_repetition(0);
    drawn.then_some("1/2-1/2")
}

fn main() -> Result<(), Box<dyn Error>> {
    let games: u32 = std::env::args().nth(1).ok_or("how many games?")?.parse()?;
    let mut idle = Idle::new()?;
    idle.set_hash(HASH)?;
    let random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut player = Player { idle: Some(idle), random, searched: HashMap::new() };
    let mut output = std::io::stdout().lock();
    for number in 1..=games {
        let (moves, result) = player.game();
        writeln!(output, "[Event \"opening games, seed {SEED}\"]\n[Round \"{number}\"]")?;
        writeln!(output, "[White \"Tamarin\"]\n[Black \"Tamarin\"]\n[Result \"{result}\"]\n")?;
        for (index, pair) in moves.chunks(2).enumerate() {
            writeln!(output, "{}. {}", index + 1, pair.join(" "))?;
        }
        writeln!(output, "{result}\n")?;
        output.flush()?;
    }
    Ok(())
}
