//! Walks of one piece: where it gets with one, two and three moves of its own, and what it captures
//! on its way.

use std::collections::HashMap;
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_base::Signals;
use tamarin_variant::{Color, Game, Move, Piece, Position, SetupBoard, Square, SquareSet};

/// Moves of a walk.
pub(super) const STEPS: usize = 3;

/// The number of moves of 40 bytes beyond which a walker begins anew to keep them. Those of a piece
/// that reaches every square would fill the memory.
const MAX_KEPT: usize = 1 << 16;

/// About the greatest number of moves that a step of a walk looks at, so that no rules take minutes:
/// those of built-in games have fewer. Where there are more every second, third ... place stands for
/// all.
const MOST_HOPS: usize = 1 << 14;

/// When a walker has looked at so many moves in all, one place stands for all: no rules take much
/// longer than the largest of the built-in games, which have fewer.
const MUCH: usize = 1 << 20;

/// What a piece finds with exactly one, two and three moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Walk {
    /// Different squares where it is then.
    pub(super) squares: [f64; STEPS],
    /// Captures of all sequences of each number of moves together.
    pub(super) captures: [f64; STEPS],
}

/// Where a piece may be after some moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place {
    square: Square,
    /// The squares of the board that are empty by then: where the piece began and what it captured.
    emptied: SquareSet,
}

/// A move from a place.
#[derive(Clone, Copy)]
struct Hop {
    to: Square,
    /// The squares of the pieces captured.
    captured: SquareSet,
}

/// Walks pieces on one board. Walks from different squares lead to the same places, whose moves are
/// generated once for each piece.
pub(super) struct Walker<'a> {
    board: SetupBoard<'a>,
    /// The occupied squares of the board.
    occupied: SquareSet,
    /// Whose moves are kept.
    piece: Option<Piece>,
    hops: HashMap<Place, Vec<Hop>>,
    /// How many moves that are.
    kept: usize,
    /// How many moves were looked at in all.
    looked_at: usize,
    moves: Vec<Move>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(board: SetupBoard<'a>) -> Self {
        let occupied = board.side(Color::White).or(board.side(Color::Black));
        Self {
            board,
            occupied,
            piece: None,
            hops: HashMap::new(),
            kept: 0,
            looked_at: 0,
            moves: Vec::new(),
        }
    }

    /// Walks a piece from a square. It stays what it is, and nothing appears on the board; what it
    /// captures is gone from then on. Flags are those that it begins with.
    pub(super) fn walk(&mut self, piece: Piece, flags: u8, square: Square) -> Walk {
        if self.piece != Some(piece) {
            self.piece = Some(piece);
            self.forget();
        }
        let mut emptied = SquareSet::EMPTY;
        if self.occupied.has(square) {
            emptied.insert(square);
        }
        let most = if self.looked_at > MUCH { 1 } else { MOST_HOPS };
        let mut walk = Walk::default();
        let mut places = vec![(Place { square, emptied }, 1.0)];
        // What stood on the first square was not captured.
        let before = emptied.len();
        for step in 0..STEPS {
            let mut next = Vec::new();
            let mut reached = SquareSet::EMPTY;
            for &(place, ways) in &places {
                let first;
                let hops: &[Hop] = if step == 0 && flags != 0 {
                    first = self.generate(piece, flags, place);
                    &first
                } else {
                    self.hops_from(piece, place)
                };
                for &Hop { to, captured } in hops {
                    let emptied = place.emptied.or(captured);
                    reached.insert(to);
                    walk.captures[step] += ways * (emptied.len() - before) as f64;
                    next.push((Place { square: to, emptied }, ways));
                }
            }
            walk.squares[step] = reached.len() as f64;
            self.looked_at += next.len();
            if step + 1 < STEPS {
                let each = next.len().div_ceil(places.len().max(1)).max(1);
                places = thinned(merged(next), (most / each).max(1));
            }
        }
        walk
    }

    /// The moves without flags from a place, generated once as long as they are kept.
    fn hops_from(&mut self, piece: Piece, place: Place) -> &[Hop] {
        if !self.hops.contains_key(&place) {
            if self.kept > MAX_KEPT {
                self.forget();
            }
            let hops = self.generate(piece, 0, place);
            self.kept += hops.len();
            self.hops.insert(place, hops);
        }
        &self.hops[&place]
    }

    fn forget(&mut self) {
        self.hops.clear();
        self.kept = 0;
    }

    fn generate(&mut self, piece: Piece, flags: u8, place: Place) -> Vec<Hop> {
        let mut board = self.board;
        place.emptied.iter().for_each(|square| board.clear(square));
        board.put(place.square, piece, flags);
        board.moves_from(place.square, &mut self.moves);
        self.moves.iter().map(|&mv| Hop { to: mv.to, captured: board.captured(mv) }).collect()
    }
}

/// A walker on each of some boards.
pub(super) fn walkers(boards: Vec<SetupBoard<'_>>) -> Vec<Walker<'_>> {
    boards.into_iter().map(Walker::new).collect()
}

/// The mean of a value over the boards of some walkers: every fourth of them once they have looked at
/// more moves than in any built-in game.
pub(super) fn mean(walkers: &mut [Walker<'_>], value: impl Fn(&mut Walker<'_>) -> f64) -> f64 {
    let has_much = walkers.first().is_some_and(|walker| walker.looked_at > MUCH + MUCH / 8);
    let each = if has_much { 4 } else { 1 };
    let count = walkers.len().div_ceil(each) as f64;
    walkers.iter_mut().step_by(each).map(value).sum::<f64>() / count
}

/// One entry for each place, with all ways to it.
fn merged(mut places: Vec<(Place, f64)>) -> Vec<(Place, f64)> {
    places.sort_unstable_by_key(|&(place, _)| place);
    places.dedup_by(|(later, ways), (first, all)| {
        let same = later == first;
        *all += if same { *ways } else { 0.0 };
        same
    });
    places
}

/// At most so many places, which stand for all.
fn thinned(places: Vec<(Place, f64)>, most: usize) -> Vec<(Place, f64)> {
    let every = places.len().div_ceil(most).max(1);
    let kept = places.into_iter().step_by(every);
    kept.map(|(place, ways)| (place, ways * every as f64)).collect()
}

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
    /// What stops the trials.
    pub(super) signals: Arc<Signals>,
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
            signals: Arc::default(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::walk::Boards;
    use tamarin_variant::{builtin, load};

    /// All sequences of moves one by one, each on boards of its own.
    fn sequences(board: &SetupBoard<'_>, piece: Piece, square: Square) -> Walk {
        let mut walk = Walk::default();
        let mut start = *board;
        start.clear(square);
        let mut front = vec![(start, square, 0)];
        for step in 0..STEPS {
            let (mut next, mut reached) = (Vec::new(), SquareSet::EMPTY);
            for (board, square, captures) in front {
                let mut board = board;
                board.put(square, piece, 0);
                let mut moves = Vec::new();
                board.moves_from(square, &mut moves);
                for m in moves {
                    let mut after = board;
                    after.clear(square);
                    let captured = board.captured(m);
                    captured.iter().for_each(|victim| after.clear(victim));
                    let captures = captures + captured.len();
                    reached.insert(m.to);
                    walk.captures[step] += captures as f64;
                    next.push((after, m.to, captures));
                }
            }
            walk.squares[step] = reached.len() as f64;
            front = next;
        }
        walk
    }

    #[test]
    fn walks_count_what_all_sequences_reach_and_capture() {
        for name in ["fide", "locusts", "xiangqi"] {
            let game = builtin(name).unwrap();
            let boards = Boards::new(&game);
            let all = [boards.obstacle_boards(&game), boards.random_boards()].concat();
            for (i, board) in all.iter().enumerate().step_by(3) {
                let mut walker = Walker::new(*board);
                for kind in (0..game.piece_count() as u8).filter(|&kind| !game.is_royal(kind)) {
                    let piece = Piece { color: Color::ALL[i % 2], kind };
                    let square = (i * 7 + usize::from(kind) * 5) % game.squares();
                    let square = square as Square;
                    let expected = sequences(board, piece, square);
                    assert_eq!(walker.walk(piece, 0, square), expected, "{name} {i} {kind}");
                }
            }
        }
    }

    #[test]
    fn a_piece_that_reaches_every_square_takes_neither_much_memory_nor_time() {
        let game = load("@extends fide\n@royal none\nq U", None).expect("good rules").game;
        let queen = (0..game.piece_count() as u8).find(|&kind| game.piece_name(kind) == "q");
        let queen = Piece { color: Color::White, kind: queen.expect("a queen") };
        let boards = Boards::new(&game);
        let board = boards.random_boards()[0];
        let mut walker = Walker::new(board);
        for square in 0..6 {
            let before = walker.looked_at;
            let walk = walker.walk(queen, 0, square);
            assert_eq!(walk, Walker::new(board).walk(queen, 0, square), "{square}");
            // The first step looks at each square once.
            assert!(walker.looked_at - before <= 2 * (MOST_HOPS + game.squares()) + game.squares());
            let kept: usize = walker.hops.values().map(Vec::len).sum();
            assert!(kept <= MAX_KEPT + game.squares(), "{kept} moves after {square}");
        }
        let squares = game.squares();
        (0..2 * squares).for_each(|at| _ = walker.walk(queen, 0, (at % squares) as Square));
        let most = MUCH + 2 * (MOST_HOPS + squares) + 2 * squares * STEPS * squares;
        assert!(walker.looked_at <= most, "{} moves in all", walker.looked_at);
        for (looked_at, expected) in [(MUCH, COUNT), (2 * MUCH, COUNT / 4)] {
            let mut all = walkers(boards.random_boards());
            all[0].looked_at = looked_at;
            let walks = std::cell::Cell::new(0);
            let value = |_: &mut Walker<'_>| {
                walks.set(walks.get() + 1);
                1.0
            };
            assert_eq!((mean(&mut all, value), walks.get()), (1.0, expected));
        }
    }
}
