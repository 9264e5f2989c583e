//! Random walks: every move made can be unmade, what is updated incrementally does not drift, and
//! repetitions are those of the boards before.

use crate::corpus::checks;
use crate::long::long_or;
use crate::positions::{Generator, Theme, fen};
use tamarin_movegen::{Bitboard, Board, Color, Key, Move, Piece, Position, Square};

const PLIES: usize = 200;

/// Board, mailbox, keys, counters, checkers and pinned pieces of a position.
type Snapshot =
    (Board, [Option<Piece>; 64], [Key; 5], (u16, u16, usize), (Bitboard, Bitboard), [bool; 2]);

fn snapshot(position: &Position) -> Snapshot {
    let keys = [
        position.key(),
        position.pawn_key(),
        position.minor_key(),
        position.non_pawn_key(Color::White),
        position.non_pawn_key(Color::Black),
    ];
    let counters = (position.halfmove_clock(), position.fullmove_number(), position.plies());
    let checks = (position.checkers(), position.pinned());
    let mailbox = Square::ALL.map(|square| position.piece_at(square));
    let repetition = [8, PLIES].map(|ply| position.is_repetition(ply));
    (*position.board(), mailbox, keys, counters, checks, repetition)
}

/// A walk with a plain memory of everything.
struct Walk<'a> {
    generator: &'a mut Generator,
    position: Position,
    /// What the position was before each move made.
    before: Vec<Snapshot>,
    /// The moves made; `None` for a null move.
    moves: Vec<Option<Move>>,
}

impl Walk<'_> {
    /// A move at random, the way back more often, so that positions repeat.
    fn choose(&mut self) -> Option<Move> {
        let legal = self.position.legal_moves();
        if self.generator.one_in(2)
            && let [.., Some(last), Some(_)] = self.moves[..]
            && let Some(&back) =
                legal.iter().find(|mv| mv.from() == last.to() && mv.to() == last.from())
        {
            return Some(back);
        }
        (!legal.is_empty()).then(|| legal[self.generator.below(legal.len())])
    }

    fn step(&mut self) {
        let before = snapshot(&self.position);
        let passes = !self.position.in_check() && self.generator.one_in(12);
        let mv = if passes { None } else { self.choose() };
        match mv {
            None if passes => self.position.make_null(),
            Some(mv) => self.position.make(mv),
            None => {
                // The game is over: go back a while and try another way.
                let back = 1 + self.generator.below(self.before.len().max(1));
                (0..back.min(self.before.len())).for_each(|_| self.back());
                return self.check();
            }
        }
        self.before.push(before);
        self.moves.push(mv);
        self.check();
    }

    fn back(&mut self) {
        match self.moves.pop().expect("a move to unmake") {
            None => self.position.unmake_null(),
            Some(_) => self.position.unmake(),
        }
        assert_eq!(Some(snapshot(&self.position)), self.before.pop());
    }

    fn check(&self) {
        if !cfg!(debug_assertions) {
            self.position.audit(); // debug builds do so by themselves
        }
        if self.moves.len().is_multiple_of(4) {
            checks::replies(self.position.board());
        }
        let since_null = self.moves.iter().rev().take_while(|mv| mv.is_some()).count();
        let past = self.before.iter().rev().take(since_null).map(|snapshot| &snapshot.0);
        let same = (1..).zip(past).filter(|&(_, past)| past == self.position.board());
        let distances: Vec<usize> = same.map(|(distance, _)| distance).collect();
        for ply in [0, 1, 4, 5, 8, 12, PLIES] {
            // Once behind the root, or twice anywhere.
            let expected = distances.first().is_some_and(|&distance| distance < ply);
            let expected = expected || distances.len() > 1;
            assert_eq!(self.position.is_repetition(ply), expected, "ply {ply} {distances:?}");
        }
    }
}

/// Walks from positions of each theme: 1,250, or 100,000 with `TAMARIN_LONG_TESTS`.
#[test]
fn random_walks_from_all_kinds_of_positions() {
    let mut generator = Generator::new(1);
    for (theme, number) in [
        (Theme::Standard, 15_000),
        (Theme::Chess960, 20_000),
        (Theme::DoubleChess960, 15_000),
        (Theme::EnPassant, 10_000),
        (Theme::Promotion, 10_000),
        (Theme::Pins, 10_000),
        (Theme::DoubleCheck, 10_000),
        (Theme::Castling, 10_000),
    ] {
        for _ in 0..number / long_or(1, 80) {
            let position = Position::from_fen(&fen(&generator.draw(theme))).unwrap();
            let start = format!("{position:?}");
            let (before, moves) = (Vec::new(), Vec::new());
            let mut walk = Walk { generator: &mut generator, position, before, moves };
            (0..PLIES).for_each(|_| walk.step());
            while !walk.moves.is_empty() {
                walk.back();
            }
            assert_eq!(format!("{:?}", walk.position), start);
        }
    }
}
