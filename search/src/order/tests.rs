use std::sync::LazyLock;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_base::formula::weighted;
use tamarin_base::params::Params;
use tamarin_movegen::{Bitboard, Position, Square};

use super::*;
use crate::history::{
    ContinuationContext, ContinuationKey, Histories, SharedHistories, ThreadHistories,
};

/// What is fetched from it is of no interest here.
static TABLE: LazyLock<TranspositionTable> =
    LazyLock::new(|| TranspositionTable::new(1, 0).unwrap());

fn all_picked(mut picker: Picker, position: &Position, histories: &Histories<'_>) -> Vec<Move> {
    let continuation = [ContinuationKey::NONE; 3];
    let scorer = Scorer {
        params: &Params::new(),
        position,
        histories,
        continuation: &continuation,
        threats: &Threats::NONE,
    };
    core::iter::from_fn(|| picker.next(&scorer, &TABLE)).collect()
}

/// Positions of seeded random games, with a random legal move or none for each of the
/// picker's hints.
fn random_positions(mut check: impl FnMut(&Position, [Option<Move>; 2])) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..300 {
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut any =
                |list: &[Move]| list.get(random.next_u64() as usize % list.len()).copied();
            let hints = [any(&moves), any(&moves)];
            check(&position, hints);
            let played = any(&moves).unwrap();
            position.make(played);
        }
    }
}

#[test]
fn every_legal_move_comes_once() {
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    random_positions(|position, [tt_move, killer]| {
        let mut wanted = position.legal_moves().to_vec();
        wanted.sort();
        for hints in [(tt_move, killer), (None, killer), (tt_move, None), (None, None)] {
            let picker = Picker::new(Mode::All, hints.0, hints.1);
            let mut picked = all_picked(picker, position, &histories);
            if hints.0.is_some() {
                assert_eq!(picked.first().copied(), hints.0);
            }
            picked.sort();
            assert_eq!(picked, wanted, "{position:?} with {hints:?}");
        }
    });
}

#[test]
fn gains_lose_nothing_and_miss_nothing() {
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    random_positions(|position, _| {
        let mut picked =
            all_picked(Picker::new(Mode::SeeAtLeast(0), None, None), position, &histories);
        picked.sort();
        let queens = |kind| kind == PieceKind::Queen;
        let good = |mv: &Move| {
            mv.is_noisy() && mv.promotion().is_none_or(queens) && position.see_at_least(*mv, 0)
        };
        let mut wanted: Vec<_> = position.legal_moves().into_iter().filter(good).collect();
        wanted.sort();
        assert_eq!(picked, wanted);
    });
}

/// The score of a quiet move after the given earlier moves.
fn quiet_score(
    position: &Position,
    mv: &str,
    histories: &Histories<'_>,
    continuation: &ContinuationContext,
) -> i32 {
    let mv = position.parse_san(mv).unwrap();
    assert!(!mv.is_noisy());
    let threats = &Threats::by(position, !position.side_to_move());
    let params = &Params::new();
    Scorer { params, position, histories, continuation, threats }.for_quiets().score(mv)
}

#[test]
fn all_histories_of_a_quiet_move_add_up() {
    const BONUS: i32 = 1000;
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    let (position, params) = (Position::startpos(), Params::new());
    let mv = position.parse_san("e3").unwrap();
    let pawn = position.moved_piece(mv);
    let earlier =
        [Square::A3, Square::B3, Square::C3].map(|to| ContinuationKey::new(pawn, to, false));
    let score = || quiet_score(&position, "e3", &histories, &earlier);
    let mut expected = 0;
    assert_eq!(score(), expected);
    histories.quiet.of(position.side_to_move()).update(Bitboard::EMPTY, mv, BONUS);
    expected += weighted(params.order_quiet_history(), BONUS);
    assert_eq!(score(), expected, "quiet history");
    histories.pawn.row(position.pawn_key()).update(pawn, mv.to(), BONUS);
    expected += weighted(params.order_pawn_history(), BONUS);
    assert_eq!(score(), expected, "pawn history");
    let weights = [
        params.order_continuation_1(),
        params.order_continuation_2(),
        params.order_continuation_4(),
    ];
    for (key, weight) in earlier.into_iter().zip(weights) {
        let context = [key, ContinuationKey::NONE, ContinuationKey::NONE];
        histories.continuation.update(&context, pawn, mv.to(), BONUS);
        expected += weighted(weight, BONUS);
        assert_eq!(score(), expected, "continuation history");
    }
}

#[test]
fn quiet_moves_escape_lesser_pieces_and_give_checks() {
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    let params = Params::new();
    let (minor, rook, queen) =
        (params.order_threat_minor(), params.order_threat_rook(), params.order_threat_queen());
    for (fen, mv, expected) in [
        // A pawn attacks d4; a bishop d4 and e5; a rook the d-file.
        ("8/7k/8/2p5/3N4/8/8/K7 w - - 0 1", "Nc2", minor),
        ("8/7k/8/2p5/8/8/2N5/K7 w - - 0 1", "Nd4", -minor),
        ("8/7k/1p6/2p5/3B4/8/8/K7 w - - 0 1", "Bg1", minor),
        ("8/6bk/8/8/3R4/8/8/1K6 w - - 0 1", "Rc4", rook),
        ("8/6bk/8/8/2R5/8/8/1K6 w - - 0 1", "Rd4", -rook),
        ("3r4/7k/8/8/3Q4/8/8/1K6 w - - 0 1", "Qc3", queen),
        ("3r4/7k/8/8/8/Q7/8/1K6 w - - 0 1", "Qd3", -queen),
        // Pawns and kings fear no lesser piece.
        ("8/7k/8/2p5/8/3P4/8/K7 w - - 0 1", "d4", 0),
        ("8/7k/8/8/8/8/8/K5R1 w - - 0 1", "Rh1+", params.order_check()),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let score = quiet_score(&position, mv, &histories, &[ContinuationKey::NONE; 3]);
        assert_eq!(score, expected, "{fen} {mv}");
    }
}
