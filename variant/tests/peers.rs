//! What programs tell each other about games: moves with all their effects, and whole boards.

use std::collections::BTreeSet;

use crate::common::position;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_variant::{
    BUILTINS, Color, MoveTextError, Occupant, Piece, Position, SetUpError, builtin,
};

fn explicit(position: &Position, text: &str) -> (String, String) {
    position.explicit(position.parse_move(text).unwrap())
}

fn pair(squares: &str, effects: &str) -> (String, String) {
    (squares.to_owned(), effects.to_owned())
}

#[test]
fn p3_moves_are_written_as_the_thesis_writes_them() {
    let game = builtin("fide").unwrap();
    let fen = |fen: &str| Position::from_fen(&game, fen).unwrap();
    let both = fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -");
    assert_eq!(explicit(&both, "e1g1"), pair("($0 $4) -> ($0 $6)", "($0 $7) -> ($0 $5)"));
    // Rows count from White's side for both.
    let black = fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -");
    assert_eq!(explicit(&black, "e8c8"), pair("($7 $4) -> ($7 $2)", "($7 $0) -> ($7 $3)"));
    let pawns = fen("8/P6k/8/4Pp2/8/8/1P6/K7 w - f6");
    assert_eq!(explicit(&pawns, "a7a8r"), pair("($6 $0) -> ($7 $0)", "r -> ($7 $0)"));
    assert_eq!(explicit(&pawns, "e5f6"), pair("($4 $4) -> ($5 $5)", ". -> ($4 $5)"));
    assert_eq!(explicit(&pawns, "b2b4"), pair("($1 $1) -> ($3 $1)", "+en_passant -> ($3 $1)"));
    assert_eq!(explicit(&pawns, "b2b3"), pair("($1 $1) -> ($2 $1)", ""));
    let teleport = "b +teleport W1 {-vars a in <0,7> b in <0,7> -square ($a $b) \
        -conditions ($a $b) empty (0 0) *teleport -effects ($a $b) -teleport}";
    let bird = position(teleport, "8/8/8/8/8/8/8/2B5 w");
    assert_eq!(explicit(&bird, "c1h4"), pair("($0 $2) -> ($3 $7)", "-teleport -> ($3 $7)"));
}

#[test]
fn p4_effects_tell_moves_with_the_same_target_apart() {
    let bomb = position(
        "a {-square (0 1) -effects . -> (0 2)}\n  {-square (0 1) -effects . -> (1 1)}",
        "4/1a1a/A1a1 w",
    );
    let same: Vec<_> =
        bomb.legal_moves().into_iter().filter(|m| (m.from, m.to) == (0, 1)).collect();
    assert_eq!(same.len(), 2);
    for (effects, left) in [(". -> ($0 $2)", 5), (". -> ($1 $1)", 2)] {
        let mut after = bomb.clone();
        after.make(bomb.parse_explicit("($0 $0) -> ($0 $1)", effects).unwrap());
        assert!(after.piece(left).is_some() && after.side(Color::Black).len() == 2, "{effects}");
    }
    // Coordinates number them in a fixed order, and take the first one without a number.
    assert_eq!(bomb.parse_move("a1b1"), bomb.parse_move("a1b1/1"));
    assert_ne!(bomb.parse_move("a1b1"), bomb.parse_move("a1b1/2"));
}

#[test]
fn the_first_is_taken_of_moves_that_do_the_same() {
    let twice = "a {-vars b in <1,2> -square (3 0) -conditions (b 0) friend (3 0) empty \
        -effects (b 0) -> (b 0)}\nw W1";
    let twice = position(twice, "2/W1/W1/A1 w");
    let same: Vec<_> =
        twice.legal_moves().into_iter().filter(|m| m.from == 0 && m.to == 6).collect();
    assert_eq!(same.len(), 2);
    assert!(same.iter().all(|&m| twice.explicit(m) == pair("($0 $0) -> ($3 $0)", "")));
    assert_eq!(twice.parse_explicit("($0 $0) -> ($3 $0)", ""), Ok(same[0]));
    // The effect that changes nothing may be sent as the file has it.
    let squares = "($0 $0) -> ($3 $0)";
    assert_eq!(twice.parse_explicit(squares, "($1 $0) -> ($1 $0)"), Ok(same[0]));
    assert!(twice.parse_explicit(squares, "($1 $0) -> ($2 $0)").is_err());
    // A piece is called as a flag with its sign.
    let names = "a {-square (1 0) -effects +q|a -> (1 0)} {-square (1 0) -effects (1 0) +q} \
        {-square (0 1) -conditions (0 0) *q} q\n\n+q W1";
    let read = position(names, "2/A1 w").parse_explicit("($0 $0) -> ($1 $0)", "+q -> ($1 $0)");
    assert!(
        matches!(&read, Err(MoveTextError::Ambiguous { moves, .. }) if moves.len() == 2),
        "{read:?}"
    );
}

#[test]
fn spaces_and_dollars_do_not_matter_and_all_else_does() {
    let game = builtin("fide").unwrap();
    let start = Position::start(&game);
    let m = start.parse_move("e2e4").unwrap();
    for (squares, effects) in [
        ("($1 $4)->($3 $4)", "+en_passant->($3 $4)"),
        (" ( 1 4 ) -> ( 3\t4 ) ", "+en_passant  -> (3 4)"),
    ] {
        assert_eq!(start.parse_explicit(squares, effects), Ok(m));
    }
    for (squares, effects) in [
        ("($1 $4) -> ($3 $4)", ""),
        ("($1 $4) -> ($3 $4)", "+en_passant -> ($3 $3)"),
        ("($1 $4) -> ($3 $4)", "-en_passant -> ($3 $4)"),
        ("($1 $4) -> ($4 $4)", ""),
        ("($6 $4) -> ($4 $4)", "+en_passant -> ($4 $4)"),
        ("($1 $4) -> ($3 $4) ($3 $4)", "+en_passant -> ($3 $4)"),
        ("", ""),
        ("e2e4", ""),
        ("($1 $44) -> ($-3 $4)", "é -> (\0)"),
    ] {
        let read = start.parse_explicit(squares, effects);
        assert!(matches!(read, Err(MoveTextError::Illegal(_))), "{squares} {effects}: {read:?}");
    }
}

#[test]
fn moves_and_boards_come_back_in_every_game() {
    for entry in BUILTINS {
        let game = builtin(entry.name).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(57);
        let mut position = Position::start(&game);
        for ply in 0..40 {
            let moves = position.legal_moves();
            let texts: BTreeSet<_> = moves.iter().map(|&m| position.explicit(m)).collect();
            assert_eq!(texts.len(), moves.len(), "{} {}", entry.name, position.fen());
            let occupants: Vec<Occupant> =
                (0..game.squares()).map(|square| position.occupant(square as u8)).collect();
            let read = Position::set_up(&game, &occupants, position.side_to_move(), ply).unwrap();
            let read = Color::ALL.into_iter().fold(read, |read, color| {
                let held = position.hand(color);
                held.fold(read, |read, (kind, count)| read.with_hand(color, kind, count))
            });
            let with = |read: Position, side| read.with_checks(side, position.checks(side));
            let read = Color::ALL.into_iter().fold(read, with);
            assert_eq!(read.key(), position.key(), "{} {}", entry.name, position.fen());
            assert_eq!(read.legal_moves(), moves);
            assert_eq!(read.fullmoves(), position.fullmoves());
            let Some(at) = (random.next_u64() as usize).checked_rem(moves.len()) else { break };
            let (squares, effects) = position.explicit(moves[at]);
            assert_eq!(position.parse_explicit(&squares, &effects), Ok(moves[at]));
            position.make(moves[at]);
        }
    }
}

#[test]
fn boards_that_are_no_positions_are_refused() {
    let game = builtin("fide").unwrap();
    let start = Position::start(&game);
    let good: Vec<Occupant> = (0..64).map(|square| start.occupant(square)).collect();
    let read = |occupants: &[Occupant]| {
        Position::set_up(&game, occupants, Color::White, 0).map(|position| position.fen())
    };
    assert_eq!(read(&good), Ok(start.fen()));
    assert_eq!(read(&good[1..]), Err(SetUpError::Squares { found: 63, expected: 64 }));
    let with = |square: usize, occupant: Occupant| {
        let mut all = good.clone();
        all[square] = occupant;
        read(&all)
    };
    let piece = |color, kind| Some(Piece { color, kind });
    let unknown = Occupant { piece: piece(Color::White, 6), flags: 0 };
    assert_eq!(with(0, unknown), Err(SetUpError::Piece("a1".to_owned())));
    let obstacle = Occupant { piece: piece(Color::White, Piece::OBSTACLE), flags: 0 };
    assert_eq!(with(0, obstacle), Err(SetUpError::Piece("a1".to_owned())));
    let flagged = Occupant { piece: piece(Color::White, 0), flags: 128 };
    assert_eq!(with(9, flagged), Err(SetUpError::Flags("b2".to_owned())));
    let ghost = Occupant { piece: None, flags: 1 };
    assert_eq!(with(17, ghost), Err(SetUpError::Flags("b3".to_owned())));
    // A white rook before the black king, White to move.
    let rook = Occupant { piece: piece(Color::White, 3), flags: 0 };
    assert_eq!(with(52, rook), Err(SetUpError::RoyalCapture(Color::White)));
}
