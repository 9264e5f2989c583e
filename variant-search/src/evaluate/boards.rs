//! Boards on which pieces are tried: empty, with random obstacles, and from random games.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;
use tamarin_variant::{Color, Game, Position, SetupBoard, Square};

/// Boards of each kind.
const COUNT: usize = 12;
/// The random numbers are always the same, so that a game always gives the same values.
const SEED: u64 = 1978;
/// Random games have at least this number of plies, and less than [`MOST_PLIES`].
const LEAST_PLIES: usize = 10;
const MOST_PLIES: usize = 40;

/// The boards that a game's pieces are tried on. The empty board is not listed.
pub(super) struct Boards {
    /// Squares with obstacles and their owners.
    pub(super) obstacles: Vec<Vec<(Square, Color)>>,
    /// Positions of random games.
    pub(super) random: Vec<Position>,
}

impl Boards {
    pub(super) fn new(game: &Arc<Game>) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let start = Position::start(game);
        let pieces: usize = Color::ALL.iter().map(|&color| start.side(color).len()).sum();
        // Half as many obstacles as pieces, on at least an eighth of the squares.
        let obstacles = (pieces / 2).max(game.squares() / 8).max(1);
        Self {
            obstacles: (0..COUNT).map(|_| scattered(game, obstacles, &mut random)).collect(),
            random: (0..COUNT).map(|_| playout(&start, &mut random)).collect(),
        }
    }
}

/// Below `limit`, nearly uniform.
fn below(random: &mut impl Rng, limit: usize) -> usize {
    (random.next_u64() as usize) % limit
}

fn scattered(game: &Game, count: usize, random: &mut impl Rng) -> Vec<(Square, Color)> {
    let mut squares: Vec<Square> = (0..game.squares() as Square).collect();
    (0..count.min(squares.len()))
        .map(|i| {
            let square = squares.swap_remove(below(random, squares.len()));
            (square, Color::ALL[i % 2])
        })
        .collect()
}

/// A position that random moves lead to.
fn playout(start: &Position, random: &mut impl Rng) -> Position {
    let plies = LEAST_PLIES + below(random, MOST_PLIES - LEAST_PLIES);
    let mut position = start.clone();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.make(moves[below(random, moves.len())]);
    }
    position
}

impl Boards {
    /// The boards with obstacles.
    pub(super) fn obstacle_boards<'a>(&self, game: &'a Game) -> Vec<SetupBoard<'a>> {
        let board = |obstacles: &Vec<(Square, Color)>| {
            let mut board = SetupBoard::empty(game);
            for &(square, color) in obstacles {
                board.put_obstacle(square, color);
            }
            board
        };
        self.obstacles.iter().map(board).collect()
    }

    /// The boards of the random games.
    pub(super) fn random_boards(&self) -> Vec<SetupBoard<'_>> {
        self.random.iter().map(SetupBoard::of).collect()
    }
}
