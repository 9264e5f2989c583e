//! A retrograde solver of all positions with three pieces, the oracle of the tables.

use shakmaty_syzygy::{MaybeRounded, Metric};
use tamarin_movegen::{Board, Color, Move, Piece, PieceKind, Position, Setup, Square};

use super::tables;
use crate::tablebases::Wdl;

/// Side to move, the king that has a piece beside it, the other king, the piece.
const POSITIONS: usize = 2 * 64 * 64 * 64;

/// A move that resets the clock; what is below the bit is the position it leads to.
const ZEROING: u32 = 1 << 24;

/// Codes of moves that leave the three pieces: to a drawn or to a lost position of the opponent.
const TO_DRAW: u32 = 1 << 25;
const TO_LOSS: u32 = 1 << 26;

/// What the solver knows of each position.
struct Solution {
    /// For the side to move: 1 won, 0 drawn, -1 lost. Impossible positions are 0.
    value: Vec<i8>,
    /// Plies to the next pawn move or capture, or to mate; `None` for draws.
    plies: Vec<Option<u16>>,
}

fn index(board: &Board, kind: PieceKind) -> usize {
    let piece = board.of(Color::White, kind).first().expect("the piece is on the board");
    let side = usize::from(board.side_to_move() == Color::Black);
    let kings = [Color::White, Color::Black].map(|color| board.king(color).index());
    ((side * 64 + kings[0]) * 64 + kings[1]) * 64 + piece.index()
}

/// The position of an index; `None` if no such position is legal. `strong` has the piece.
fn position(index: usize, kind: PieceKind, strong: Color) -> Option<Position> {
    let square = |shift: usize| {
        let square = Square::ALL[index >> shift & 63];
        if strong == Color::White { square } else { Square::ALL[square.index() ^ 56] }
    };
    let mut setup = Setup::empty();
    let pieces = [(square(12), strong, PieceKind::King), (square(6), !strong, PieceKind::King)];
    for (square, color, kind) in pieces.into_iter().chain([(square(0), strong, kind)]) {
        if setup.pieces[square].is_some() {
            return None;
        }
        setup.pieces[square] = Some(Piece::new(color, kind));
    }
    setup.side_to_move = if index >> 18 == 0 { strong } else { !strong };
    Position::from_setup(&setup).ok()
}

/// The moves of all positions, one position after the other.
struct Graph {
    /// Where the moves of each position begin; those of impossible positions are `None`.
    first: Vec<Option<u32>>,
    moves: Vec<u32>,
    /// How many moves each has.
    count: Vec<u8>,
    in_check: Vec<bool>,
}

impl Graph {
    fn new(kind: PieceKind, promoted: &[(PieceKind, Solution)]) -> Self {
        let mut graph = Self {
            first: vec![None; POSITIONS],
            moves: Vec::new(),
            count: vec![0; POSITIONS],
            in_check: vec![false; POSITIONS],
        };
        for number in 0..POSITIONS {
            let Some(position) = position(number, kind, Color::White) else { continue };
            graph.first[number] = Some(graph.moves.len() as u32);
            graph.in_check[number] = position.in_check();
            let moves = position.legal_moves();
            graph.count[number] = moves.len() as u8;
            let codes = moves.iter().map(|&mv| code(&position, mv, kind, promoted));
            graph.moves.extend(codes);
        }
        graph
    }

    fn of(&self, number: usize) -> &[u32] {
        let first = self.first[number].map_or(0, |first| first as usize);
        &self.moves[first..first + usize::from(self.count[number])]
    }
}

fn code(position: &Position, mv: Move, kind: PieceKind, promoted: &[(PieceKind, Solution)]) -> u32 {
    if position.captured_by(mv).is_some() {
        return TO_DRAW;
    }
    let zeroing = position.moved_piece(mv).kind() == PieceKind::Pawn;
    let board = position.board().play(mv);
    for (kind, solution) in promoted {
        if board.of(Color::White, *kind).any() {
            let lost = solution.value[index(&board, *kind)] < 0;
            return if lost { TO_LOSS } else { TO_DRAW };
        }
    }
    index(&board, kind) as u32 | if zeroing { ZEROING } else { 0 }
}

impl Solution {
    fn new(graph: &Graph) -> Self {
        let mut solution = Self { value: vec![0; POSITIONS], plies: vec![None; POSITIONS] };
        while solution.find_values(graph) {}
        let mut plies = 0;
        while solution.find_plies(graph, plies) || plies == 0 {
            plies += 1;
        }
        solution
    }

    /// The value of a move for the side that makes it.
    fn value_of(&self, code: u32) -> i8 {
        match code {
            TO_DRAW => 0,
            TO_LOSS => 1,
            _ => -self.value[(code & !ZEROING) as usize],
        }
    }

    /// Finds further won and lost positions.
    fn find_values(&mut self, graph: &Graph) -> bool {
        let mut changed = false;
        for number in 0..POSITIONS {
            if self.value[number] != 0 || graph.first[number].is_none() {
                continue;
            }
            let moves = graph.of(number);
            let best = moves.iter().map(|&code| self.value_of(code)).max();
            let mated = moves.is_empty() && graph.in_check[number];
            let value = if mated { -1 } else { best.unwrap_or(0) };
            self.value[number] = value;
            changed |= value != 0;
        }
        changed
    }

    /// Finds the positions that are `plies` plies from zeroing; gives whether there were any.
    fn find_plies(&mut self, graph: &Graph, plies: u16) -> bool {
        let mut found = Vec::new();
        for number in 0..POSITIONS {
            if self.value[number] == 0 || self.plies[number].is_some() {
                continue;
            }
            let mut moves = graph.of(number).iter();
            let after = |code: u32| self.plies[(code & !ZEROING) as usize];
            let zeroing = |code: u32| code == TO_LOSS || code & ZEROING != 0;
            let here = if self.value[number] > 0 {
                moves.any(|&code| {
                    self.value_of(code) > 0
                        && if zeroing(code) {
                            plies == 1
                        } else {
                            plies > 0 && after(code) == Some(plies - 1)
                        }
                })
            } else {
                // The side without a piece has no zeroing move but a capture, which draws.
                moves.all(|&code| after(code).is_some_and(|then| then < plies))
            };
            if here {
                found.push(number);
            }
        }
        for &number in &found {
            self.plies[number] = Some(plies);
        }
        !found.is_empty()
    }
}

/// One position in this number is compared; all with `TAMARIN_ALL_POSITIONS`, as `make
/// prove-tablebases` does, which takes a minute: half of the distances are found by a search of a
/// ply. The numbers are odd, so that every square and both sides to move come up.
const VALUES: usize = 5;
const DISTANCES: usize = VALUES * 11;

/// The legal positions of a material, and every ninth with the colors exchanged, have the values
/// in the tables that the solver found, and the distances where those are compared.
fn compare(kind: PieceKind, solution: &Solution, graph: &Graph) -> usize {
    let tables = tables().expect("the caller has looked");
    let all = std::env::var_os("TAMARIN_ALL_POSITIONS").is_some();
    let mut count = 0;
    for number in (0..POSITIONS).filter(|&number| graph.first[number].is_some()) {
        if !all && number % VALUES != 0 {
            continue;
        }
        for strong in [Color::White, Color::Black] {
            if strong == Color::Black && number % 9 != 0 {
                continue;
            }
            let position = position(number, kind, strong).expect("it was legal before");
            let value = i32::from(solution.value[number]);
            assert_eq!(tables.wdl(&position).map(|wdl| wdl as i32), Some(2 * value), "{position}");
            count += 1;
            if !all && number % DISTANCES != 0 {
                continue;
            }
            let dtz = tables.probe_position(&position, &[Metric::Dtz], |library, chess| {
                library.probe_dtz(chess)
            });
            // Mate on the board counts as a ply.
            let plies = i32::from(solution.plies[number].unwrap_or(0)).max(1) * value;
            match dtz.expect("a table for each") {
                MaybeRounded::Precise(dtz) => assert_eq!(dtz.0, plies, "{position}"),
                MaybeRounded::Rounded(dtz) => {
                    assert!((0..=1).contains(&(plies.abs() - dtz.0.abs())), "{position}");
                    assert_eq!(dtz.0.signum(), value, "{position}");
                }
            }
        }
    }
    count
}

#[test]
fn positions_of_three_pieces_are_as_a_retrograde_solver_finds_them() {
    if tables().is_none() {
        return;
    }
    let pieces = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];
    let mut solved = Vec::new();
    let mut count = 0;
    for kind in pieces.into_iter().chain([PieceKind::Pawn]) {
        let promoted = if kind == PieceKind::Pawn { &solved[..] } else { &[] };
        let graph = Graph::new(kind, promoted);
        let solution = Solution::new(&graph);
        let won = solution.value.iter().filter(|&&value| value > 0).count();
        count += compare(kind, &solution, &graph);
        println!("{kind:?}: {won} positions won");
        solved.push((kind, solution));
    }
    println!("{count} positions compared");
    // Both kings and a piece have 62 * 64 * 63 places, less kings in touch and checks.
    assert!(count > 1_500_000 / VALUES, "{count}");
    assert_eq!(Wdl::Win as i32, 2);
}
