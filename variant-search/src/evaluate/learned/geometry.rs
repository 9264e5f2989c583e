//! What the learned evaluator knows of a game's board and pieces before it sees a position: how
//! pieces move on the empty board, where royal pieces stand in danger, how far it is to promotion.

use tamarin_variant::{Color, Game, Piece, SetupBoard, Square, SquareSet};

use crate::evaluate::terms::{NEVER, distances_from};

/// A zone with more squares does not count: that royal piece roams the board.
const MOST_ZONE: usize = 25;
/// A kind that promotes and has more moves on the empty board is no runner.
const RUNNER_MOVES: usize = 4;
/// A runner is at most so far from promotion where it is farthest, and at least as far as this.
const LEAST_RUN: u8 = 2;

/// The way of a runner to its promotion from a square.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Runway {
    /// Moves to promotion on the empty board, at least one; 0 if there is no way.
    pub(crate) distance: u8,
    /// Where its first move on a shortest way goes.
    pub(crate) next: SquareSet,
    /// All squares of the shortest ways.
    pub(crate) path: SquareSet,
    /// Where a piece of the same kind and the other side can stop it: it stands on the way, or
    /// gets to where it attacks the way or stands on it.
    pub(crate) stoppers: SquareSet,
}

/// What depends on the board alone.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub(crate) squares: usize,
    pub(crate) columns: usize,
    /// By side and square: the square as its owner sees it.
    pub(crate) view: [Vec<Square>; 2],
    /// By kind: whether it moves alike on both wings. Royal pieces do not count as such, because
    /// games seldom begin with them in the middle.
    pub(crate) folded: Vec<bool>,
    /// By kind: the most squares that it can go to on the empty board.
    pub(crate) most: Vec<usize>,
    /// By slot of the piece times squares plus the square: where a royal piece and its steps are.
    pub(crate) zones: Vec<SquareSet>,
    /// By slot of the piece: its ways from all squares, if it is a runner.
    pub(crate) runways: Vec<Option<Vec<Runway>>>,
}

impl Geometry {
    pub(crate) fn new(game: &Game) -> Self {
        let squares = game.squares();
        let all = 0..squares as Square;
        let steps: Vec<Steps> = slots(game).map(|piece| Steps::new(game, piece)).collect();
        let kinds = 0..game.piece_count();
        let most_of = |steps: &Steps| steps.moves.iter().map(SquareSet::len).max().unwrap_or(0);
        let zone = |(slot, steps): (usize, &Steps)| {
            let royal = game.is_royal((slot / 2) as u8);
            let zones = steps.moves.iter().zip(all.clone()).map(move |(moves, square)| {
                let mut zone = *moves;
                zone.insert(square);
                if royal && zone.len() <= MOST_ZONE { zone } else { SquareSet::EMPTY }
            });
            zones.collect::<Vec<_>>()
        };
        Self {
            squares,
            columns: usize::from(game.columns()),
            view: [all.clone().collect(), all.clone().map(|square| game.flip(square)).collect()],
            folded: kinds
                .clone()
                .map(|kind| !game.is_royal(kind as u8) && is_mirrored(game, &steps[kind * 2]))
                .collect(),
            most: kinds
                .map(|kind| most_of(&steps[kind * 2]).max(most_of(&steps[kind * 2 + 1])))
                .collect(),
            zones: steps.iter().enumerate().flat_map(zone).collect(),
            runways: (0..steps.len())
                .map(|slot| runways(game, (slot / 2) as u8, [&steps[slot], &steps[slot ^ 1]]))
                .collect(),
        }
    }

    /// The place of a square among the squares of a kind: its row from the owner's side, and its
    /// column, from the nearer edge for kinds that are folded.
    #[inline]
    pub(crate) fn place(&self, kind: u8, color: Color, square: Square) -> (usize, usize, usize) {
        let seen = usize::from(self.view[color.index()][usize::from(square)]);
        let (row, column) = (seen / self.columns, seen % self.columns);
        if self.folded[usize::from(kind)] {
            let files = self.columns.div_ceil(2);
            let file = column.min(self.columns - 1 - column);
            (row, file, row * files + file)
        } else {
            (row, column, row * self.columns + column)
        }
    }
}

/// All pieces of both sides, by slot.
fn slots(game: &Game) -> impl Iterator<Item = Piece> {
    (0..game.piece_count() as u8)
        .flat_map(|kind| Color::ALL.map(|color| Piece { color, kind }).into_iter())
}

/// The moves of a piece alone on the board, and what it attacks, by square.
struct Steps {
    moves: Vec<SquareSet>,
    /// Its moves there make another piece of it.
    promotes: Vec<bool>,
    /// Where it captures a lone piece.
    captures: Vec<SquareSet>,
}

impl Steps {
    fn new(game: &Game, piece: Piece) -> Self {
        let squares = game.squares() as Square;
        let mut found = Self { moves: Vec::new(), promotes: Vec::new(), captures: Vec::new() };
        let mut list = Vec::new();
        for square in 0..squares {
            let mut board = SetupBoard::empty(game);
            board.put(square, piece, 0);
            board.moves_from(square, &mut list);
            let promotes = list.iter().any(|&m| {
                let mut after = board;
                after.play(m);
                after.piece(m.to).is_some_and(|other| other.kind != piece.kind)
            });
            found.moves.push(list.iter().map(|m| m.to).collect());
            found.promotes.push(promotes);
            let captured = (0..squares).filter(|&target| {
                let mut board = board;
                if target == square {
                    return false;
                }
                board.put_obstacle(target, piece.color.other());
                board.moves_from(square, &mut list);
                list.iter().any(|&m| board.captured(m).has(target))
            });
            found.captures.push(captured.collect());
        }
        found
    }
}

/// Whether the moves from each square are the mirror image of those from its mirror image.
fn is_mirrored(game: &Game, steps: &Steps) -> bool {
    let columns = game.columns();
    let mirror = |square: Square| square / columns * columns + (columns - 1 - square % columns);
    let same = |sets: &[SquareSet]| {
        (0..sets.len() as Square).all(|square| {
            let image: SquareSet = sets[usize::from(square)].iter().map(mirror).collect();
            image == sets[usize::from(mirror(square))]
        })
    };
    same(&steps.moves) && same(&steps.captures)
}

/// The ways of a piece from all squares, if it is a runner; `steps` are its own and those of the
/// other side's piece of the same kind.
fn runways(game: &Game, kind: u8, steps: [&Steps; 2]) -> Option<Vec<Runway>> {
    let [own, theirs] = steps;
    let squares = game.squares();
    if game.promotions(kind).is_empty() || own.moves.iter().any(|set| set.len() > RUNNER_MOVES) {
        return None;
    }
    let distances = distances(own);
    if distances.iter().all(|&distance| distance < LEAST_RUN) {
        return None;
    }
    // Where the other piece gets to with any number of moves.
    let all = 0..squares as Square;
    let reached = all.clone().map(|from| -> SquareSet {
        let distances = distances_from(&theirs.moves, from);
        all.clone().filter(|&at| distances[usize::from(at)] != NEVER).collect()
    });
    let reached: Vec<SquareSet> = reached.collect();
    let runway = |from: usize| {
        let distance = distances[from];
        if distance == 0 {
            return Runway::default();
        }
        let nearer = |at: usize| -> SquareSet {
            let is_nearer = |&to: &Square| {
                let left = distances[usize::from(to)];
                // The last move ends where the piece is another one.
                distances[at] == 1 || (left > 0 && left < distances[at])
            };
            own.moves[at].iter().filter(is_nearer).collect()
        };
        let next = nearer(from);
        let (mut path, mut front) = (next, next);
        for _ in 1..distance {
            let further = front.iter().filter(|&at| distances[usize::from(at)] > 0);
            let further = further.fold(SquareSet::EMPTY, |set, at| set.or(nearer(usize::from(at))));
            front = further.minus(path);
            path = path.or(front);
        }
        let stops = |&at: &Square| {
            let places = reached[usize::from(at)];
            let attacks = |at: Square| theirs.captures[usize::from(at)];
            !places.and(path).is_empty()
                || places.iter().any(|place| !attacks(place).and(path).is_empty())
        };
        let stoppers = (0..squares as Square).filter(stops).collect();
        Runway { distance, next, path, stoppers }
    };
    Some((0..squares).map(runway).collect())
}

/// By square: moves to promotion on the empty board; 0 if there is no way.
fn distances(steps: &Steps) -> Vec<u8> {
    let mut distances: Vec<u8> = steps.promotes.iter().map(|&now| u8::from(now)).collect();
    for distance in 2..u8::MAX {
        let before = distances.clone();
        let leads = |to: Square| before[usize::from(to)] == distance - 1;
        for (at, moves) in steps.moves.iter().enumerate() {
            if before[at] == 0 && moves.iter().any(leads) {
                distances[at] = distance;
            }
        }
        if distances == before {
            break;
        }
    }
    distances
}
