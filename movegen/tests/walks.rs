//! Random walks: every move made can be unmade, and nothing updated incrementally drifts.

use crate::long::long_or;
use crate::positions::{Generator, Theme, fen};
use tamarin_movegen::{Bitboard, Board, CastlingStyle, Color, Key, Move, Piece, Position, Square};

const PLIES: usize = 200;

/// All that can be seen of a position.
#[derive(Clone, PartialEq, Debug)]
struct Snapshot {
    board: Board,
    mailbox: [Option<Piece>; 64],
    keys: [Key; 5],
    counters: (u16, u16, usize),
    checks: (Bitboard, Bitboard),
    repetition: [bool; 3],
}

impl Snapshot {
    fn of(position: &Position) -> Self {
        Self {
            board: *position.board(),
            mailbox: Square::ALL.map(|square| position.piece_at(square)),
            keys: [
                position.key(),
                position.pawn_key(),
                position.minor_key(),
                position.non_pawn_key(Color::White),
                position.non_pawn_key(Color::Black),
            ],
            counters: (position.halfmove_clock(), position.fullmove_number(), position.plies()),
            checks: (position.checkers(), position.pinned()),
            repetition: [0, 8, PLIES].map(|ply| position.is_repetition(ply)),
        }
    }
}

/// A walk with a plain memory of everything.
struct Walk<'a> {
    generator: &'a mut Generator,
    position: Position,
    /// What the position was before each move made.
    before: Vec<Snapshot>,
    /// Was that move a null move?
    nulls: Vec<bool>,
    /// The moves made; none for a null move.
    moves: Vec<Option<Move>>,
}

impl<'a> Walk<'a> {
    fn new(generator: &'a mut Generator, theme: Theme) -> Self {
        let text = fen(&generator.draw(theme));
        let position = Position::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let (before, nulls, moves) = (Vec::new(), Vec::new(), Vec::new());
        Self { generator, position, before, nulls, moves }
    }

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
        let snapshot = Snapshot::of(&self.position);
        if !self.position.in_check() && self.generator.one_in(12) {
            self.position.make_null();
            self.before.push(snapshot);
            self.nulls.push(true);
            self.moves.push(None);
        } else if let Some(mv) = self.choose() {
            self.position.make(mv);
            self.before.push(snapshot);
            self.nulls.push(false);
            self.moves.push(Some(mv));
        } else {
            // The game is over: go back a while and try another way.
            let back = 1 + self.generator.below(self.before.len().max(1));
            for _ in 0..back.min(self.before.len()) {
                self.back();
            }
        }
        self.check();
    }

    fn back(&mut self) {
        match self.nulls.pop().expect("a move to unmake") {
            true => self.position.unmake_null(),
            false => self.position.unmake(),
        }
        self.moves.pop();
        let before = self.before.pop().expect("a snapshot a move");
        assert_eq!(Snapshot::of(&self.position), before);
    }

    /// The earlier boards that the present one may repeat, the latest first; distances
    /// in plies are one more than the index.
    fn past(&self) -> impl Iterator<Item = &Board> {
        let since_null = self.nulls.iter().rev().take_while(|&&null| !null).count();
        self.before.iter().rev().take(since_null).map(|snapshot| &snapshot.board)
    }

    fn check(&mut self) {
        if !cfg!(debug_assertions) {
            self.position.audit(); // debug builds do so by themselves
        }
        self.check_repetition();
        if self.generator.one_in(4) {
            self.check_upcoming_repetition();
        }
        if self.generator.one_in(16) {
            self.check_against_text();
        }
    }

    fn check_repetition(&self) {
        let distances = self.distances(self.position.board());
        for ply in [0, 1, 4, 5, 8, 12, PLIES] {
            let expected = is_draw(&distances, ply);
            assert_eq!(self.position.is_repetition(ply), expected, "ply {ply} {distances:?}");
        }
    }

    /// How many plies ago the board was there.
    fn distances(&self, board: &Board) -> Vec<usize> {
        (1..).zip(self.past()).filter(|&(_, past)| past == board).map(|(d, _)| d).collect()
    }

    fn check_upcoming_repetition(&self) {
        let position = &self.position;
        let reached: Vec<Vec<usize>> = position
            .legal_moves()
            .iter()
            .map(|&mv| self.distances(&position.board().play(mv)))
            .collect();
        for ply in [0, 1, 3, 4, 5, 9, PLIES] {
            let expected = reached.iter().any(|distances| is_draw(distances, ply));
            let found = position.has_upcoming_repetition(ply);
            assert_eq!(found, expected, "ply {ply} {reached:?} {position}");
        }
    }

    /// A position read from text has never been incremental.
    fn check_against_text(&self) {
        let text = self.position.fen(CastlingStyle::Shredder);
        let fresh = Position::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let (fresh, ours) = (Snapshot::of(&fresh), Snapshot::of(&self.position));
        assert_eq!((fresh.board, fresh.mailbox), (ours.board, ours.mailbox), "{text}");
        assert_eq!((fresh.keys, fresh.checks), (ours.keys, ours.checks), "{text}");
    }
}

/// Once behind the root, or twice anywhere.
fn is_draw(distances: &[usize], ply: usize) -> bool {
    distances.first().is_some_and(|&distance| distance < ply) || distances.len() > 1
}

/// Walks by theme; an eighth of them without `TAMARIN_LONG_TESTS`.
fn walk(seed: u64, themes: &[(Theme, usize)]) {
    let mut generator = Generator::new(seed);
    let share = long_or(1, 8);
    for &(theme, number) in themes {
        for _ in 0..number / share {
            let mut walk = Walk::new(&mut generator, theme);
            let start = format!("{:?}", walk.position);
            for _ in 0..PLIES {
                walk.step();
            }
            while !walk.before.is_empty() {
                walk.back();
            }
            assert_eq!(format!("{:?}", walk.position), start);
        }
    }
}

#[test]
fn games_from_all_starts() {
    walk(1, &[(Theme::Standard, 1_500), (Theme::Chess960, 2_000), (Theme::DoubleChess960, 1_500)]);
}

#[test]
fn games_from_sharp_positions() {
    let themes = [
        (Theme::EnPassant, 1_000),
        (Theme::Promotion, 1_000),
        (Theme::Pins, 1_000),
        (Theme::DoubleCheck, 1_000),
        (Theme::Castling, 1_000),
    ];
    walk(2, &themes);
}
