//! Plays the games from which the built-in opening book is made, and prints them as PGN.
//!
//! `cargo run --release -p tamarin-analysis --example opening_games -- GAMES > games.pgn`
//!
//! GAMES games begin with each of the openings, and a third as many with each way to them. The
//! next plies of a game are drawn among the moves that a search with several lines finds about equally
//! good, so that the games differ; of the first plies only moves on the way to an opening that has a
//! name are drawn, and the games of one way each go on with another move. The rest is played at a fixed number of nodes. Everything follows from the seed,
//! whatever the number of threads.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_analysis::analyzer::{Analyzer, Effort};
use tamarin_eval::{Score, ScoreValue};
use tamarin_game::engine_process::{EngineError, EngineSettings};
use tamarin_game::openings::{COMMONEST, lines_through};
use tamarin_movegen::{Color, Key, Move, Position};
use tamarin_search::Limits;

const SEED: u64 = 1851;

/// MiB of hash table: all that a search of so few nodes fills.
const HASH: usize = 4;

/// Plies that are drawn at most; later ones are the best move.
const DRAWN_PLIES: usize = 12;

/// Nodes and lines of the search before a move is drawn.
const DRAWN_NODES: u64 = 60_000;
const LINES: usize = 6;

/// The plies in which only moves on the way to a named opening are drawn, of at least as many plies.
const EARLY_PLIES: usize = 5;

/// A move this many centipawns worse than the best is not drawn: in the first plies, where people
/// choose by taste and the second best always is, and later, where most games are to stay together.
const EARLY_MARGIN: i32 = 30;
const MARGIN: i32 = 8;

/// What the margin exceeds the second best move of the first plies by.
const SECOND_MARGIN: i32 = 10;

/// No move of the first plies is drawn more often than this, in percent, if there is another one.
const MAX_SHARE: i32 = 60;

/// Nodes of every later search.
const NODES: u64 = 10_000;

/// A game is won after this number of plies at [`WIN_SCORE`] or more.
const WIN_PLIES: u32 = 4;
const WIN_SCORE: i32 = 400;

/// It is drawn after this number of plies in a row within [`DRAW_SCORE`], none of which is
/// among the first, and after `MAX_PLIES`.
const DRAW_PLIES: u32 = 8;
const DRAW_SCORE: i32 = 15;
const DRAW_FROM: usize = 50;
const MAX_PLIES: usize = 160;

/// A move and its score for the side to move, in centipawns.
type Scored = (Move, i32);

fn centipawns(score: Score) -> i32 {
    match score.to_uci() {
        ScoreValue::Centipawns(score) => score,
        ScoreValue::Mate(1..) => 10_000,
        ScoreValue::Mate(_) => -10_000,
    }
}

struct Player {
    analyzer: Analyzer,
    random: Xoshiro256PlusPlus,
    /// The lines of positions searched before a draw of a move.
    searched: HashMap<Key, Vec<Scored>>,
}

impl Player {
    /// The players of one task, whose draws are its own.
    fn new(task: usize) -> Result<Self, EngineError> {
        let engine = EngineSettings { hash: HASH, ..EngineSettings::default() };
        let effort = Effort { limits: Limits::nodes(NODES), lines: 1, engine };
        let random = Xoshiro256PlusPlus::seed_from_u64(SEED + task as u64);
        Ok(Self { analyzer: Analyzer::new(&effort, 1)?, random, searched: HashMap::new() })
    }

    fn search(&mut self, position: &Position, limits: &Limits, lines: usize) -> Vec<Scored> {
        let found = self.analyzer.analyze_within(position, limits, lines).expect("it answers");
        found.lines.iter().map(|line| (line.moves[0], centipawns(line.score))).collect()
    }

    /// One of the best moves at this ply, the likelier the better it is; none of `played` if there
    /// is another one.
    fn draw(&mut self, position: &Position, ply: usize, played: &[Move]) -> Scored {
        let mut lines = match self.searched.get(&position.key()) {
            Some(lines) => lines.clone(),
            None => {
                self.analyzer.new_game().expect("it answers");
                let search_moves = if ply < EARLY_PLIES { named(position) } else { Vec::new() };
                let count = if search_moves.is_empty() { LINES } else { search_moves.len() };
                let limits = Limits { search_moves, ..Limits::nodes(DRAWN_NODES) };
                let lines = self.search(position, &limits, count);
                self.searched.insert(position.key(), lines.clone());
                lines
            }
        };
        if lines.iter().any(|line| !played.contains(&line.0)) {
            lines.retain(|line| !played.contains(&line.0));
        }
        let weights = weights(position, &lines, ply);
        let mut ticket = self.random.random_range(0..weights.iter().sum());
        for (line, weight) in lines.iter().zip(weights) {
            ticket -= weight;
            if ticket < 0 {
                return *line;
            }
        }
        unreachable!("invariant: the ticket is below the sum")
    }

    /// The moves of a game that begins with a line, in algebraic notation, and its result. The move
    /// after the line is not in `played`, if there is another one, and joins them.
    fn game(&mut self, line: &str, played: &mut Vec<Move>) -> (Vec<String>, &'static str) {
        let mut position = Position::startpos();
        let mut moves: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        for san in &moves {
            position.make(position.parse_san(san).expect("invariant: openings are legal"));
        }
        let (mut clear, mut level) = (0, 0);
        let first = moves.len();
        self.analyzer.new_game().expect("it answers");
        loop {
            if let Some(result) = over(&position) {
                return (moves, result);
            }
            let (mv, score) = if moves.len() == first {
                let drawn = self.draw(&position, first, played);
                played.push(drawn.0);
                drawn
            } else if moves.len() < DRAWN_PLIES {
                self.draw(&position, moves.len(), &[])
            } else {
                self.search(&position, &Limits::nodes(NODES), 1)[0]
            };
            clear = if score.abs() >= WIN_SCORE { clear + 1 } else { 0 };
            if clear == WIN_PLIES {
                let white_wins = (position.side_to_move() == Color::White) == (score > 0);
                return (moves, if white_wins { "1-0" } else { "0-1" });
            }
            let is_level = moves.len() >= DRAW_FROM && score.abs() <= DRAW_SCORE;
            level = if is_level { level + 1 } else { 0 };
            if level == DRAW_PLIES || moves.len() == MAX_PLIES {
                return (moves, "1/2-1/2");
            }
            moves.push(position.san(mv).to_string());
            position.make(mv);
        }
    }
}

/// The moves of the first plies on the way to an opening that has a name.
fn named(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|&mv| {
        let mut next = position.clone();
        next.make(mv);
        lines_through(&next, EARLY_PLIES) > 0
    });
    moves
}

/// How likely each line is to be drawn after `ply` plies: the likelier the better it is, and of
/// the first plies the more openings with names lie ahead. None of these is likelier than
/// `MAX_SHARE`, and there are at least two.
fn weights(position: &Position, lines: &[Scored], ply: usize) -> Vec<i32> {
    let mut scores: Vec<i32> = lines.iter().map(|line| line.1).collect();
    scores.sort_unstable_by_key(|&score| -score);
    let best = *scores.first().expect("invariant: there is a move");
    let is_early = ply < EARLY_PLIES;
    let second = scores.get(1).map_or(0, |second| best - second + SECOND_MARGIN);
    let margin = if is_early { EARLY_MARGIN.max(second) } else { MARGIN };
    let weight = |line: &Scored| {
        let points = (margin - (best - line.1)).max(0);
        if !is_early {
            return points.pow(2);
        }
        let mut next = position.clone();
        next.make(line.0);
        points * i32::try_from(lines_through(&next, EARLY_PLIES)).unwrap_or(i32::MAX / 1000)
    };
    let mut weights: Vec<i32> = lines.iter().map(weight).collect();
    let (sum, most) = (weights.iter().sum::<i32>(), weights.iter().max().copied().unwrap_or(0));
    let others = sum - most;
    if is_early && others > 0 {
        let limit = (others * MAX_SHARE / (100 - MAX_SHARE)).max(1);
        weights.iter_mut().for_each(|weight| *weight = (*weight).min(limit));
    }
    weights
}

fn over(position: &Position) -> Option<&'static str> {
    Some(match position.outcome_with_claims()?.winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    })
}

/// The beginnings of games, and how many are played from each: the openings, and the ways to them.
fn tasks(games: u32) -> Vec<(String, u32)> {
    let mut ways: Vec<String> = Vec::new();
    for (opening, _) in COMMONEST {
        let moves: Vec<&str> = opening.split(' ').collect();
        ways.extend((0..moves.len()).map(|plies| moves[..plies].join(" ")));
    }
    ways.sort();
    ways.dedup();
    let ways = ways.into_iter().map(|way| (way, games.div_ceil(3)));
    COMMONEST.iter().map(|(opening, _)| ((*opening).to_owned(), games)).chain(ways).collect()
}

/// The games of one task as PGN.
fn play(number: usize, line: &str, games: u32) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut player = Player::new(number)?;
    let mut pgn = String::new();
    let is_way = COMMONEST.iter().all(|(opening, _)| *opening != line);
    let mut played = Vec::new();
    for round in 1..=games {
        let (moves, result) = player.game(line, &mut played);
        if !is_way {
            played.clear();
        }
        writeln!(pgn, "[Event \"opening games, seed {SEED}\"]")?;
        writeln!(pgn, "[Round \"{}.{round}\"]", number + 1)?;
        writeln!(pgn, "[White \"Tamarin\"]\n[Black \"Tamarin\"]\n[Result \"{result}\"]\n")?;
        for (index, pair) in moves.chunks(2).enumerate() {
            writeln!(pgn, "{}. {}", index + 1, pair.join(" "))?;
        }
        writeln!(pgn, "{result}\n")?;
    }
    Ok(pgn)
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let games: u32 = std::env::args().nth(1).ok_or("how many games?")?.parse()?;
    let tasks = tasks(games);
    let next = AtomicUsize::new(0);
    let output = Mutex::new(vec![String::new(); tasks.len()]);
    let work = || -> Result<(), Box<dyn Error + Send + Sync>> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((line, games)) = tasks.get(number) else { return Ok(()) };
            let pgn = play(number, line, *games)?;
            output.lock()[number] = pgn;
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker panicked"))
    })?;
    print!("{}", output.into_inner().concat());
    Ok(())
}
