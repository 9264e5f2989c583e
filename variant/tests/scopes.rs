//! What pieces can go to and guard, and the number that identifies rules.

use crate::common::walk;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_variant::{Scopes, SetupBoard, Square, SquareSet, builtin, load};

#[test]
fn scopes_have_the_targets_of_moves() {
    for name in ["fide", "nuttyknights", "xiangqi", "shogi_nodrop", "grasshopper", "locusts"] {
        let game = builtin(name).unwrap();
        let scopes = Scopes::new(&game);
        let mut moves = Vec::new();
        walk(&game, &mut Xoshiro256PlusPlus::seed_from_u64(3), 60, |position| {
            for square in 0..game.squares() as Square {
                let board = SetupBoard::of(position);
                board.moves_from(square, &mut moves);
                let targets: SquareSet = moves.iter().map(|m| m.to).collect();
                let scope = position.scope::<4>(square, &scopes);
                assert_eq!(scope.moves, targets, "{name} {square} {}", position.fen());
                let captures = moves.iter().filter(|m| board.captured(**m).has(m.to));
                let captures: SquareSet = captures.map(|m| m.to).collect();
                let guarded = captures.minus(scope.attacks);
                assert!(guarded.is_empty(), "{name} {square} {}", position.fen());
            }
        });
    }
}

#[test]
fn pieces_guard_friends_and_empty_squares() {
    for name in ["fide", "nuttyknights", "shogi_nodrop"] {
        let game = builtin(name).unwrap();
        let scopes = Scopes::new(&game);
        let mut moves = Vec::new();
        walk(&game, &mut Xoshiro256PlusPlus::seed_from_u64(5), 60, |position| {
            for square in 0..game.squares() as Square {
                let Some(piece) = position.piece_at(square) else { continue };
                let can_capture = |&target: &Square| {
                    let mut board = SetupBoard::of(position);
                    board.put_obstacle(target, piece.color.other());
                    board.moves_from(square, &mut moves);
                    target != square && moves.iter().any(|m| m.to == target)
                };
                let attacks: SquareSet =
                    (0..game.squares() as Square).filter(can_capture).collect();
                let scope = position.scope::<4>(square, &scopes);
                assert_eq!(scope.attacks, attacks, "{name} {square} {}", position.fen());
            }
        });
    }
}

#[test]
fn rules_have_a_number() {
    let number = |text: &str| load(text, None).unwrap().game.fingerprint();
    let rules = "@extends fide\nn N1\n";
    let own = number(rules);
    // What decides nothing.
    assert_eq!(
        own,
        number("# A comment.\n@name Another title\n@extends fide\n\nn N1 # the same\n")
    );
    assert_eq!(own, builtin("fide").unwrap().fingerprint());
    // What decides something.
    for other in [
        "@extends fide\nn N1W1\n",
        "@extends fide\n@stalemate loss\n",
        "@extends fide\n@checkmate win\n",
        "@extends fide\n@repetition 2 draw\n",
        "@extends fide\n@nmove 40 draw\n",
        "@extends fide\n@immobile illegal\n",
        "@extends fide\n@symmetry rotate\n",
        "@extends fide\n@royal k q\n",
        "@extends fide\nn N1 +unmoved\n",
        "@extends fide\n@fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n",
    ] {
        assert_ne!(number(other), own, "{other}");
    }
}
