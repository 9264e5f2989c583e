//! Variants that extend others.

use crate::common::{codes, remarks, texts};
use tamarin_variant::{BUILTINS, Code, Position, expand, load};

/// The moves of a piece of a variant, written out.
fn written(source: &str, variant: Option<&str>, piece: &str) -> Vec<String> {
    let pieces = expand(source, variant).unwrap_or_else(|remarks| panic!("{source}\n{remarks:?}"));
    let (_, moves) = pieces.into_iter().find(|(name, _)| name == piece).expect(piece);
    moves.iter().map(ToString::to_string).collect()
}

#[test]
fn a_dialect_binds_the_pieces_of_its_variant_and_of_its_children() {
    let fide = "@extends fide\n";
    let riders = "@extends fide\n@betza xbetza\nn NN\n";
    assert_eq!(written(riders, None, "r"), written(fide, None, "r"));
    assert_eq!(written(riders, None, "n"), written("@extends fide\nn N\n", None, "n"));
    // A child reads as its parent does, or says otherwise.
    let family = format!(
        "@variant a\n{riders}@variant b\n@extends a\nb B\n@variant c\n@extends b\n@betza thesis\nq W1\n"
    );
    for (variant, piece, same) in [
        ("b", "b", "@extends fide\n"),
        ("b", "n", riders),
        ("c", "b", "@extends fide\n"),
        ("c", "n", riders),
        ("c", "r", "@extends fide\n"),
        ("c", "q", "@extends fide\nq x\"W\"\n"),
    ] {
        let expected = written(same, None, piece);
        assert_eq!(written(&family, Some(variant), piece), expected, "{variant} {piece}");
    }
}

#[test]
fn a_file_can_replace_a_built_in_game_and_extend_what_replaces_it() {
    let file = "@variant fide\n@extends fide\nn N\n@variant two\n@extends fide\nb FW1\n";
    assert_eq!(written(file, Some("two"), "n"), written("@extends fide\nn N\n", None, "n"));
    assert_eq!(written(file, Some("fide"), "b"), written("@extends fide\n", None, "b"));
    // A built-in game is a change of another built-in one, not of one in the file.
    let builtin = BUILTINS.iter().find(|entry| entry.name == "almost").expect("a game");
    assert!(builtin.source.contains("@extends fide"));
    let file = "@variant fide\n@extends fide\nn N\n@variant two\n@extends almost\n";
    assert_eq!(written(file, Some("two"), "n"), written("@extends fide\n", None, "n"));
    // No game is its own parent, or that of one before it.
    assert_eq!(codes("@variant a\n@extends b\n@variant b\n@extends a\n"), [Code::UnknownParent]);
    assert_eq!(codes("@variant a\n@extends a\n"), [Code::UnknownParent]);
}

#[test]
fn remarks_about_a_built_in_parent_stand_where_it_is_named() {
    let source = "@extends fide\n\nboard:\nk .\n. K\n";
    let found = remarks(source);
    assert!(found.iter().any(|remark| remark.code == Code::EmptyZone), "{found:?}");
    assert!(found.iter().any(|remark| remark.code == Code::UnreachableMove), "{found:?}");
    for remark in found {
        let shown = remark.render("small.var", source);
        assert!(shown.starts_with("small.var:1:10: warning["), "{shown}");
        assert!(shown.contains("\n  @extends fide\n           ^^^^\n"), "{shown}");
    }
    // Places in the file itself stay what they are.
    let own = "@extends fide\nq {-square (9 0)}\n";
    assert_eq!(
        remarks(own)[0].render("own.var", own).lines().next(),
        Some("own.var:2:3: warning[V032]: this move of 'q' can be played from no square")
    );
}

#[test]
fn pieces_that_are_not_royal_castle_too() {
    let game = load("@extends fide\n@royal none\n@stalemate loss\n", None).expect("a game").game;
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1";
    let mut position = Position::from_fen(&game, fen).expect("a position");
    let own = texts(&position);
    assert!(own.contains(&"e1g1".to_owned()) && !own.contains(&"e1c1".to_owned()), "{own:?}");
    assert_eq!(position.fen(), fen);
    assert!(position.sans().iter().any(|(text, _)| text == "O-O"));
    let castles = position.parse_move("e1g1").expect("a move");
    position.make(castles);
    assert_eq!(position.fen(), "r3k2r/8/8/8/8/8/8/R4RK1 b q - 1 1");
    // The letters are those of the royal piece where both castle.
    let both = "@extends fide\n@fen q3k2r/8/8/8/8/8/8/Q3K2R w Kk - 0 1\n\
                q WF +unmoved {-square (0 2) -conditions (0 0) *unmoved (0 7) *unmoved \
                -effects (0 7) -> (0 1)}\n";
    let game = load(both, None).expect("a game").game;
    let position = Position::start(&game);
    for castling in ["e1g1", "a1c1"] {
        assert!(texts(&position).contains(&castling.to_owned()), "{castling}");
    }
    let again = Position::from_fen(&game, &position.fen()).expect("a position");
    assert_eq!((again.key(), again.fen()), (position.key(), position.fen()));
}
