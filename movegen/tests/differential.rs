//! Our rules against those of cozy-chess, on seeded random positions: 5,000, or 100,000 with
//! `TAMARIN_LONG_TESTS`, as `make prove-rules` does.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use crate::corpus::checks;
use crate::long::long_or;
use crate::positions::{Generator, Theme, fen, legal_moves};
use cozy_chess::Board as Reference;
use tamarin_movegen::{Board, CastlingStyle, Generate, Move, MoveList, PieceKind, Position};

const POSITIONS: usize = 5_000;

/// How often as many positions.
fn rounds() -> u32 {
    long_or(20, 1)
}

/// The positions for a test that takes a hundred times as long as others: a sample.
fn few() -> impl Iterator<Item = &'static Reference> {
    ALL.iter().step_by(16)
}

/// All positions: walks from a fourth of the 960 starts and from pairs of them, then positions drawn
/// by theme.
static ALL: LazyLock<Vec<Reference>> = LazyLock::new(|| {
    let mut generator = Generator::new(0x5EED_0001);
    let mut all = Vec::with_capacity(POSITIONS);
    for round in 0..rounds() {
        for start in (round % 4..960).step_by(4) {
            add_walk(&mut generator, Reference::chess960_startpos(start), &mut all);
        }
        for _ in 0..100 {
            let [white, black] = [0, 0].map(|_: u32| generator.below(960) as u32);
            add_walk(&mut generator, Reference::double_chess960_startpos(white, black), &mut all);
        }
        let themes = [
            (Theme::EnPassant, 625),
            (Theme::Promotion, 500),
            (Theme::Pins, 500),
            (Theme::DoubleCheck, 375),
            (Theme::Castling, 280),
        ];
        for (theme, number) in themes {
            all.extend((0..number).map(|_| generator.draw(theme)));
        }
    }
    assert_eq!(all.len(), POSITIONS * rounds() as usize);
    all
});

/// The start and seven positions of one walk from it.
fn add_walk(generator: &mut Generator, start: Reference, all: &mut Vec<Reference>) {
    let mut board = start;
    all.push(board.clone());
    for _ in 0..7 {
        let plies = 1 + generator.below(24);
        generator.walk(&mut board, plies);
        all.push(board.clone());
    }
}

fn ours(reference: &Reference) -> (String, Position) {
    let text = fen(reference);
    let position = Position::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    (text, position)
}

/// Origin, target and promotion as numbers.
type Triple = (u8, u8, Option<u8>);

fn triple(mv: Move) -> Triple {
    (mv.from() as u8, mv.to() as u8, mv.promotion().map(|kind| kind as u8))
}

fn reference_triples(reference: &Reference) -> BTreeSet<Triple> {
    let triple = |mv: cozy_chess::Move| (mv.from as u8, mv.to as u8, mv.promotion.map(|p| p as u8));
    legal_moves(reference).into_iter().map(triple).collect()
}

#[test]
fn same_moves() {
    for reference in ALL.iter() {
        let (text, position) = ours(reference);
        let list = position.legal_moves();
        let moves: BTreeSet<Triple> = list.iter().map(|&mv| triple(mv)).collect();
        assert_eq!(moves, reference_triples(reference), "{text}");
        assert_eq!(moves.len(), list.len(), "duplicates: {text}");
        assert_eq!(position.board().legal_moves(), list, "{text}");
        assert_eq!(position.board().count_moves(), list.len() as u64, "{text}");
        assert_eq!(position.has_legal_move(), !list.is_empty(), "{text}");
    }
}

#[test]
fn same_checks_and_pins() {
    for reference in ALL.iter() {
        let (text, position) = ours(reference);
        assert_eq!(position.checkers().0, reference.checkers().0, "{text}");
        assert_eq!(position.in_check(), !reference.checkers().is_empty(), "{text}");
        let own = reference.colors(reference.side_to_move());
        assert_eq!(position.pinned().0, (reference.pinned() & own).0, "{text}");
    }
}

#[test]
fn same_fen_round_trip() {
    for reference in ALL.iter() {
        let (text, position) = ours(reference);
        assert_eq!(position.fen(CastlingStyle::Shredder), text);
        let standard = position.fen(CastlingStyle::Standard);
        let again = Position::from_fen(&standard).unwrap();
        assert_eq!(again.board(), position.board(), "{standard}");
        assert_eq!(again.key(), position.key(), "{standard}");
        assert_eq!(again.fen(CastlingStyle::Shredder), text);
    }
    for reference in few() {
        checks::fen(fen(reference).as_bytes());
    }
}

#[test]
fn same_positions_after_every_move() {
    for reference in ALL.iter() {
        let (text, mut position) = ours(reference);
        for mv in position.legal_moves() {
            let wanted = triple(mv);
            let same = |other: &cozy_chess::Move| {
                (other.from as u8, other.to as u8, other.promotion.map(|p| p as u8)) == wanted
            };
            let other = legal_moves(reference).into_iter().find(same).unwrap();
            let mut after = reference.clone();
            after.play_unchecked(other);
            position.make(mv);
            let expected = fen(&after);
            assert_eq!(position.fen(CastlingStyle::Shredder), expected, "{mv:?} in {text}");
            position.unmake();
        }
    }
}

/// Of 2,500 positions, or 20,000.
#[test]
fn long_legality_of_every_code_is_membership() {
    for reference in ALL.iter().step_by(long_or(5, 2)) {
        let (text, position) = ours(reference);
        let legal: HashSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
        let mut accepted = 0;
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            if position.is_legal(mv) {
                assert!(legal.contains(&mv.bits()), "{mv:?} in {text}");
                accepted += 1;
            }
        }
        assert_eq!(accepted, legal.len(), "{text}");
    }
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    for reference in ALL.iter() {
        let (text, position) = ours(reference);
        let generate = |which| {
            let mut list = MoveList::new();
            position.generate(which, &mut list);
            list
        };
        let (noisy, quiet) = (generate(Generate::Noisy), generate(Generate::Quiet));
        assert!(noisy.iter().all(|mv| mv.is_noisy()), "{text}");
        assert!(!quiet.iter().any(|mv| mv.is_noisy()), "{text}");
        let parts: BTreeSet<Move> = noisy.iter().chain(&quiet).copied().collect();
        let all: BTreeSet<Move> = generate(Generate::All).into_iter().collect();
        assert_eq!(parts, all, "{text}");
        assert_eq!(noisy.len() + quiet.len(), all.len(), "{text}");
    }
}

#[test]
fn gives_check_is_check_afterwards() {
    for reference in ALL.iter() {
        let (text, mut position) = ours(reference);
        let info = position.check_info();
        for mv in position.legal_moves() {
            let (alone, with_info) =
                (position.gives_check(mv), position.gives_check_with(mv, &info));
            position.make(mv);
            assert_eq!(alone, position.in_check(), "{mv:?} in {text}");
            assert_eq!(with_info, position.in_check(), "{mv:?} in {text}");
            position.unmake();
        }
    }
}

#[test]
fn children_are_the_boards_after_each_move() {
    for reference in ALL.iter() {
        let (text, mut position) = ours(reference);
        let board = *position.board();
        let mut children: Vec<Board> = Vec::new();
        board.for_each_child(|child| children.push(*child));
        let moves = position.legal_moves();
        assert_eq!(children.len(), moves.len(), "{text}");
        for mv in moves {
            position.make(mv);
            let after = *position.board();
            position.unmake();
            assert_eq!(board.play(mv), after, "{mv:?} in {text}");
            assert!(children.contains(&after), "{mv:?} in {text}");
        }
    }
}

#[test]
fn captured_pieces_are_those_that_vanish() {
    for reference in ALL.iter() {
        let (text, position) = ours(reference);
        let enemy = !position.side_to_move();
        for mv in position.legal_moves() {
            let after = position.board().play(mv);
            let vanished = PieceKind::ALL
                .into_iter()
                .find(|&kind| after.of(enemy, kind) != position.of(enemy, kind));
            assert_eq!(position.captured_by(mv), vanished, "{mv:?} in {text}");
            assert_eq!(mv.is_capture(), vanished.is_some(), "{mv:?} in {text}");
        }
    }
}
