//! Plays games against itself and writes positions for the evaluation's tuner.
//!
//! ```text
//! cargo run --release -p tamarin-search --example datagen -- 1000 5000 1 games.txt
//! ```
//!
//! The arguments are the number of games, nodes a move, the seed and the file to write.
//! Each line is `FEN | score | result`: the search's score in engine units and the game's
//! result (1.0, 0.5 or 0.0), both from White's view. The same arguments write the same
//! file: the seed chooses the openings, and searches with a node limit repeat themselves.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_eval::Score;
use tamarin_movegen::{CastlingStyle, Color, Position};
use tamarin_search::{Idle, Limits, SearchOptions, Silent};

/// A game is won once this score stands for [`WON_PLIES`], in engine units.
const WON_SCORE: i32 = 1_500;
const WON_PLIES: u32 = 4;
/// A game is drawn once, after [`DRAW_FROM`] plies, this score stands for [`DRAW_PLIES`].
const DRAWN_SCORE: i32 = 8;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM: usize = 80;
/// Longer games are called drawn.
const MOST_PLIES: usize = 400;
/// Openings the first search finds more lopsided than this are thrown away.
const OPENING_SCORE: i32 = 350;

type Error = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [games, nodes, seed, path] = arguments.as_slice() else {
        return Err("usage: datagen <games> <nodes> <seed> <file>".into());
    };
    let (games, nodes, seed): (u64, u64, u64) = (games.parse()?, nodes.parse()?, seed.parse()?);
    let mut output = BufWriter::new(File::create(path)?);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut player = Player::new(nodes)?;
    let (mut positions, mut results) = (0, [0; 3]);
    for game in 1..=games {
        let (lines, result) = player.game(&mut random);
        for line in &lines {
            writeln!(output, "{line} | {}", ["0.0", "0.5", "1.0"][result])?;
        }
        positions += lines.len();
        results[result] += 1;
        if game % 100 == 0 || game == games {
            let [losses, draws, wins] = results;
            println!("{game} games, {positions} positions, +{wins} ={draws} -{losses}");
        }
    }
    output.flush()?;
    Ok(())
}

/// An engine that plays both sides.
struct Player {
    idle: Idle,
    nodes: u64,
}

/// Counts for how many plies in a row a score has stood.
#[derive(Default)]
struct Streaks {
    white: u32,
    black: u32,
    draw: u32,
}

impl Streaks {
    /// Takes in the next score, White's view; the result if that decides the game:
    /// 0 Black wins, 1 draw, 2 White wins.
    fn decide(&mut self, score: i32, ply: usize) -> Option<usize> {
        let extend = |streak: u32, holds: bool| if holds { streak + 1 } else { 0 };
        self.white = extend(self.white, score >= WON_SCORE);
        self.black = extend(self.black, score <= -WON_SCORE);
        self.draw = extend(self.draw, score.abs() <= DRAWN_SCORE && ply >= DRAW_FROM);
        if self.white >= WON_PLIES {
            Some(2)
        } else if self.black >= WON_PLIES {
            Some(0)
        } else if self.draw >= DRAW_PLIES {
            Some(1)
        } else {
            None
        }
    }
}

impl Player {
    fn new(nodes: u64) -> Result<Self, Error> {
        let mut idle = Idle::new()?;
        idle.set_hash(4)?;
        Ok(Self { idle, nodes })
    }

    /// Plays one game; returns its quiet positions as `FEN | score` and the result for
    /// White: 0 lost, 1 drawn, 2 won.
    fn game(&mut self, random: &mut Xoshiro256PlusPlus) -> (Vec<String>, usize) {
        loop {
            let position = opening(random);
            self.idle.new_game();
            if let Some(game) = self.play(position) {
                return game;
            }
        }
    }

    /// Plays from `position`; nothing if that is too lopsided.
    fn play(&mut self, mut position: Position) -> Option<(Vec<String>, usize)> {
        let mut lines = Vec::new();
        let mut streaks = Streaks::default();
        for ply in 0..MOST_PLIES {
            if let Some(result) = over(&position) {
                return Some((lines, result));
            }
            let (best, score) = self.search(&position)?;
            let white_score = match position.side_to_move() {
                Color::White => score.units(),
                Color::Black => -score.units(),
            };
            if ply == 0 && white_score.abs() > OPENING_SCORE {
                return None;
            }
            let quiet = !position.in_check() && !best.is_noisy() && !score.is_decisive();
            if quiet && white_score.abs() < WON_SCORE {
                let fen = position.fen(CastlingStyle::Standard);
                lines.push(format!("{fen} | {white_score}"));
            }
            if let Some(result) = streaks.decide(white_score, ply) {
                return Some((lines, result));
            }
            position.make(best);
        }
        Some((lines, 1))
    }

    fn search(&mut self, position: &Position) -> Option<(tamarin_movegen::Move, Score)> {
        let (limits, options) = (Limits::nodes(self.nodes), SearchOptions::default());
        let answer = self.idle.search(position, limits, &options, Box::new(Silent));
        Some((answer.best?, answer.score))
    }
}

/// The start position after eight or nine random moves.
fn opening(random: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut position = Position::startpos();
        let plies = 8 + random.next_u64() % 2;
        let played = (0..plies).all(|_| {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return false;
            }
            position.make(moves[(random.next_u64() % moves.len() as u64) as usize]);
            true
        });
        if played && position.has_legal_move() {
            return position;
        }
    }
}

/// The result by the rules of the game, if it is over.
fn over(position: &Position) -> Option<usize> {
    if !position.has_legal_move() {
        return Some(match (position.in_check(), position.side_to_move()) {
            (false, _) => 1,
            (true, Color::White) => 0,
            (true, Color::Black) => 2,
        });
    }
    let drawn = position.is_fifty_move_draw()
        || position.is_insufficient_material()
        || position.is_repetition(0);
    drawn.then_some(1)
}
