//! A player as beginners are (`tamarin-train beginner`): the measure of the lowest level.
//!
//! It mates in one if it can, else captures the most valuable undefended piece, else plays any legal
//! move. It looks at nothing else: not at what its own moves leave en prise, nor at
//! exchanges.

use std::io::{self, BufRead, Write};

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::{CastlingNotation, Move, Position, SEE_VALUES};
use tamarin_uci::{Base, BestMoveLine, Command, PositionText, Reply, parse};

use crate::error::{Context, Result};

/// The arguments of `tamarin-train beginner`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Of its choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The player. The same seed plays the same moves.
#[derive(Clone, Debug)]
pub struct Beginner {
    random: Xoshiro256PlusPlus,
}

impl Beginner {
    /// A player whose choices depend on a seed.
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Its move; `None` if there is no legal one.
    pub fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let mates = moves.iter().copied().filter(|&mv| mates(position, mv));
        if let Some(mate) = self.any(&mates.collect::<Vec<_>>()) {
            return Some(mate);
        }
        let most = moves.iter().map(|&mv| prey(position, mv)).max()?;
        let best = moves.iter().copied().filter(|&mv| prey(position, mv) == most);
        self.any(&best.collect::<Vec<_>>())
    }

    fn any(&mut self, moves: &[Move]) -> Option<Move> {
        moves.choose(&mut self.random).copied()
    }
}

fn mates(position: &Position, mv: Move) -> bool {
    if !position.gives_check(mv) {
        return false;
    }
    let mut after = position.clone();
    after.make(mv);
    !after.has_legal_move()
}

/// The value of what a move takes, in centipawns, if the opponent cannot retake; else 0.
fn prey(position: &Position, mv: Move) -> i32 {
    let Some(captured) = position.captured_by(mv) else { return 0 };
    let mut after = position.clone();
    after.make(mv);
    let is_defended = after.legal_moves().iter().any(|answer| answer.to() == mv.to());
    if is_defended { 0 } else { SEE_VALUES[captured.index()] }
}

/// Speaks UCI on standard input and output until `quit` or the end of the input.
pub fn run(arguments: &Arguments) -> Result<()> {
    serve(arguments.seed).context("beginner")
}

fn serve(seed: u64) -> io::Result<()> {
    let mut player = Beginner::new(seed);
    let mut position = Position::startpos();
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let command = match parse(&line) {
            Ok(parsed) => parsed.command,
            Err(error) => {
                writeln!(output, "info string error: {error}")?;
                continue;
            }
        };
        match command {
            Command::Uci => {
                writeln!(output, "{}", Reply::IdName("Beginner"))?;
                writeln!(output, "{}", Reply::IdAuthor("the Tamarin developers"))?;
                writeln!(output, "{}", Reply::UciOk)?;
            }
            Command::IsReady => writeln!(output, "{}", Reply::ReadyOk)?,
            Command::Position(text) => match set_up(&text) {
                Ok(wanted) => position = wanted,
                Err(error) => {
                    writeln!(output, "info string error: {error}; the old position stays")?;
                }
            },
            Command::Go(_) => {
                let best = player.choose(&position).map_or(BestMoveLine::None, |mv| {
                    let best = position.uci(mv, CastlingNotation::Classic);
                    BestMoveLine::Move { mv: best, ponder: None }
                });
                writeln!(output, "{best}")?;
            }
            Command::Quit => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

fn set_up(text: &PositionText) -> Result<Position> {
    let mut position = match &text.base {
        Base::Start => Position::startpos(),
        Base::Fen(fen) => Position::from_fen(fen).context("no such position")?,
    };
    for word in text.moves.iter() {
        position.try_make_uci(word).context("no such move")?;
    }
    Ok(position)
}
