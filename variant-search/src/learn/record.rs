//! Games that the program plays with itself to learn from them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_variant::{Color, Game, Outcome, Position};

use crate::answer::BestMove;
use crate::limits::Limits;
use crate::search::Engine;
use tamarin_base::ScoreValue;
use tamarin_base::Signals;

/// Games begin with at least the first number of random plies, and fewer than the second.
const OPENING: (u64, u64) = (2, 10);
/// Openings that are tried until one does not end the game.
const MOST_OPENINGS: usize = 100;
/// Longer games end undecided.
const MOST_PLIES: usize = 240;
/// A side that is ahead by these centipawns for this number of plies in a row has won. Engines that
/// see 500 nodes could not always prove it: such games would be drawn by their length, and teach
/// that pieces are worth nothing in the endgame.
const ADJUDICATED: (i32, usize) = (1000, 6);
/// One game in this number is played to its end all the same, so that values cannot confirm
/// themselves.
const PLAYED_OUT: u64 = 4;
/// What is kept of a won or lost game's score.
const DECISIVE: i16 = 20_000;

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A side has won.
    Won(Color),
    /// By rule.
    Drawn,
    /// By its length.
    Undecided,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// How many random moves it began with.
    pub opening: usize,
    /// Each move as its number among the legal ones, in the order of generation.
    pub moves: Vec<u16>,
    /// The score of each move that is not random, for White, in centipawns; wins are 20,000.
    pub scores: Vec<i16>,
    /// How it has ended.
    pub ending: Ending,
    /// Nodes of all searches.
    pub nodes: u64,
}

impl Record {
    /// White's points: 0, a half or 1. An undecided game has half of them.
    pub fn points(&self) -> f64 {
        match self.ending {
            Ending::Won(Color::White) => 1.0,
            Ending::Won(Color::Black) => 0.0,
            Ending::Drawn | Ending::Undecided => 0.5,
        }
    }

    /// Calls `found` with every position of the game but the last and the number of its ply. `None`
    /// if the game has no such moves.
    pub fn replay(
        &self,
        game: &Arc<Game>,
        mut found: impl FnMut(usize, &Position, tamarin_variant::Move),
    ) -> Option<()> {
        let mut position = Position::start(game);
        let mut moves = Vec::new();
        for (ply, &number) in self.moves.iter().enumerate() {
            position.legal_moves_into(&mut moves);
            let m = *moves.get(usize::from(number))?;
            found(ply, &position, m);
            position.make(m);
        }
        Some(())
    }
}

/// Which game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Assignment {
    /// Decides the random moves, and whether the game is played out.
    pub(super) seed: u64,
    /// Nodes a ply.
    pub(super) nodes: u64,
}

/// The players of a game: one engine for both sides, or one each.
pub(super) enum Players<'a> {
    Same(&'a mut Engine),
    Each([&'a mut Engine; 2]),
}

impl Players<'_> {
    fn new_game(&mut self) {
        match self {
            Self::Same(engine) => engine.new_game(),
            Self::Each(engines) => engines.iter_mut().for_each(|engine| engine.new_game()),
        }
    }

    fn think(&mut self, position: &Position, nodes: u64) -> BestMove {
        let engine = match self {
            Self::Same(engine) => engine,
            Self::Each(engines) => &mut engines[position.side_to_move().index()],
        };
        engine.search(position, &Limits::nodes(nodes), &Signals::default(), |_| ())
    }
}

/// Random moves that do not end the game; none if they always do.
fn opening(game: &Arc<Game>, random: &mut impl Rng) -> (Position, Vec<u16>) {
    for _ in 0..MOST_OPENINGS {
        let mut position = Position::start(game);
        let plies = OPENING.0 + random.next_u64() % (OPENING.1 - OPENING.0);
        let mut numbers = Vec::new();
        for _ in 0..plies {
            let moves = position.legal_moves();
            let Some(at) = random.next_u64().checked_rem(moves.len() as u64) else { break };
            position.make(moves[at as usize]);
            numbers.push(at as u16);
        }
        if position.outcome().is_none() {
            return (position, numbers);
        }
    }
    (Position::start(game), Vec::new())
}

/// Plays a game; `None` if it was stopped before the end.
pub(super) fn play(
    game: &Arc<Game>,
    mut players: Players<'_>,
    assignment: Assignment,
    stop: &AtomicBool,
) -> Option<Record> {
    players.new_game();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(assignment.seed);
    let played_out = random.next_u64().is_multiple_of(PLAYED_OUT);
    let (mut position, mut moves) = opening(game, &mut random);
    let (opening, mut scores, mut nodes) = (moves.len(), Vec::new(), 0);
    let mut legal = Vec::new();
    let ending = loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(Outcome { winner, .. }) = position.outcome() {
            break winner.map_or(Ending::Drawn, Ending::Won);
        }
        if moves.len() >= MOST_PLIES {
            break Ending::Undecided;
        }
        if !played_out && let Some(winner) = adjudicated(&scores) {
            break Ending::Won(winner);
        }
        let answer = players.think(&position, assignment.nodes);
        nodes += answer.nodes;
        position.legal_moves_into(&mut legal);
        let number = answer.mv.and_then(|best| legal.iter().position(|&m| m == best));
        // Without a legal move the game had been over.
        let Some(number) = number else { break Ending::Undecided };
        let own = match answer.value {
            ScoreValue::Centipawns(score) => {
                score.clamp(-i32::from(DECISIVE), DECISIVE.into()) as i16
            }
            ScoreValue::Mate(moves) if moves > 0 => DECISIVE,
            ScoreValue::Mate(_) => -DECISIVE,
        };
        scores.push(if position.side_to_move() == Color::White { own } else { -own });
        moves.push(number as u16);
        position.make(legal[number]);
    };
    Some(Record { opening, moves, scores, ending, nodes })
}

/// The side that both players have seen far ahead for some plies.
fn adjudicated(scores: &[i16]) -> Option<Color> {
    let last = scores.len().checked_sub(ADJUDICATED.1)?;
    let least = i32::from(*scores[last..].iter().min()?);
    let most = i32::from(*scores[last..].iter().max()?);
    if least >= ADJUDICATED.0 {
        Some(Color::White)
    } else if most <= -ADJUDICATED.0 {
        Some(Color::Black)
    } else {
        None
    }
}
