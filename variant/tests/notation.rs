//! The features of the notation.

use std::sync::Arc;

use crate::common::{codes, moves, play, position, royal_position, targets, texts};
use tamarin_variant::ast::{Domain, Part};
use tamarin_variant::{Code, Game, Position, Reason, builtin, expand, load, parse, perft};

#[test]
fn squares_are_relative_or_absolute() {
    let both = "a {-square (1 2)} {-square ($0 $3)} {-square ($5 1)}";
    assert_eq!(moves(both, "8/8/8/8/8/8/8/A7 w"), ["a1b6", "a1c2", "a1d1"]);
    // Black's rows are turned over, its columns are not.
    assert_eq!(moves(both, "7a/8/8/8/8/8/8/8 b"), ["h8d8"]);
    assert_eq!(moves(both, "a7/8/8/8/8/8/8/8 b"), ["a8b3", "a8c7", "a8d8"]);
    let turned = format!("@symmetry rotate\n{both}");
    assert_eq!(moves(&turned, "7a/8/8/8/8/8/8/8 b"), ["h8e8", "h8f7", "h8g3"]);
    let unturned = format!("@symmetry none\n{both}");
    assert_eq!(moves(&unturned, "8/8/8/8/8/8/8/a7 b"), ["a1b6", "a1c2", "a1d1"]);
}

#[test]
fn coordinates_are_sums() {
    let text = "a {-vars a in [1] b in [2] -square (3-a -a+1)}
  {-vars a in [1] b in [2] -square (1-a b+1)}
  {-vars a in [1] b in [2] -square (a -b)}
  {-vars a in [1] -square (2a -3a)}
  {-vars a in [1] b in [2] -square (a-1 b-4)}";
    assert_eq!(moves(text, "8/8/8/8/3A4/8/8/8 w"), ["d4a6", "d4b4", "d4b5", "d4d6", "d4g4"]);
    let printed = parse(text).file.to_string();
    assert!(printed.contains("(3-a -a+1)") && printed.contains("(2a -3a)"), "{printed}");
    assert_eq!(parse(&printed).file, parse(text).file);
}

#[test]
fn domains_of_variables() {
    let count = |domain: &str| {
        let text = format!("a {{-vars a in [1,2] b in {domain} -square (a b)}}");
        moves(&text, "8/8/8/8/3A4/8/8/8 w").len()
    };
    assert_eq!(count("<1,3>"), 6);
    assert_eq!(count("<1,3)"), 4);
    assert_eq!(count("<1,1)"), 0);
    assert_eq!(count("[1,-1]"), 4);
    assert_eq!(count("[-1,0,2]"), 6);
    // A domain may use the variables before it.
    assert_eq!(count("<1,a)"), 1);
    assert_eq!(count("[a,-a]"), 4);
    let parsed = parse("a {-vars b in <1,a) -square (b 0)}");
    let Part::Move(text) = &parsed.file.variants[0].pieces[0].parts[0] else { panic!() };
    assert!(matches!(text.variables[0].domain, Domain::Range { .. }));
}

#[test]
fn sections_have_synonyms_and_any_order() {
    let texts = [
        "a {-square (1 0) -conditions (1 0) empty -effects . -> (0 1)}",
        "a {-target (1 0) -condition (1 0) unoccupied -effect . -> (0 1)}",
        "a {-effect . -> (0 1) -target (1 0) -conditions (1 0) empty}",
        "a {-conditions (1 0)empty -effects .->(0 1) -square (1 0)}",
        "a {\n  -square (1, 0)\n\n}".trim_end_matches("\n\n}"),
    ];
    for text in &texts[..4] {
        assert_eq!(moves(text, "8/8/8/8/3AA3/8/8/8 w").len(), 2, "{text}");
        let mut position = position(text, "8/8/8/8/3AA3/8/8/8 w");
        play(&mut position, &["d4d5"]);
        assert!(position.piece(28).is_none(), "{text}");
    }
    assert_eq!(moves("a {-square (1 0)}", "8/8/8/8/3A4/8/8/8 w"), ["d4d5"]);
    assert_eq!(codes("a {-effects . -> (1 0)}\n@royal none\n@fen A"), [Code::MissingTarget]);
}

#[test]
fn conditions_about_squares() {
    // The square before the piece is empty, a friend's or the opponent's; else no move exists.
    let boards = [
        "8/8/8/8/3A4/8/8/8 w",
        "8/8/8/3B4/3A4/8/8/8 w",
        "8/8/8/3b4/3A4/8/8/8 w",
        "3A4/8/8/8/8/8/8/8 w",
    ];
    let cases = [
        ("empty", [true, false, false, false]),
        ("unoccupied", [true, false, false, false]),
        ("occupied", [false, true, true, false]),
        ("opponent", [false, false, true, false]),
        ("opposite", [false, false, true, false]),
        ("friend", [false, true, false, false]),
    ];
    for (word, expected) in cases {
        let text = format!("a {{-square (0 1) -conditions (1 0) {word}}}\nb");
        for (board, holds) in boards.iter().zip(expected) {
            let rows: Vec<&str> = board.split([' ', '/']).take(8).collect();
            assert_eq!(moves(&text, board).len(), usize::from(holds), "{word} {board}");
            // The same for Black.
            let mirrored: Vec<String> =
                rows.iter().rev().map(|row| row.chars().map(swap_case).collect()).collect();
            let mirrored = format!("{} b", mirrored.join("/"));
            assert_eq!(moves(&text, &mirrored).len(), usize::from(holds), "{word} {mirrored}");
        }
    }
    for (word, expected) in [("attacked", 1), ("unattacked", 0)] {
        let text = format!("a {{-square (0 1) -conditions (1 0) {word}}}\nb W");
        assert_eq!(moves(&text, "3b4/8/8/8/3A4/8/8/8 w").len(), expected, "{word}");
        assert_eq!(moves(&text, "2b5/8/8/8/3A4/8/8/8 w").len(), 1 - expected, "{word}");
        assert_eq!(moves(&text, "3A4/8/8/8/8/8/8/8 w").len(), 0, "off the board, {word}");
    }
}

fn swap_case(c: char) -> char {
    if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}

#[test]
fn alternatives_and_several_conditions() {
    let boards = ["8/8/8/8/3A4/8/8/8 w", "8/8/8/3B4/3A4/8/8/8 w", "8/8/8/3b4/3A4/8/8/8 w"];
    let count = |conditions: &str| {
        let text = format!("a {{-square (0 1) -conditions {conditions}}}\nb");
        boards.map(|board| moves(&text, board).len())
    };
    assert_eq!(count("(1 0) empty|opposite"), [1, 0, 1]);
    assert_eq!(count("(1 0) friend|opponent"), [0, 1, 1]);
    assert_eq!(count("(1 0) empty|friend"), [1, 1, 0]);
    assert_eq!(count("(1 0) empty|friend|opponent"), [1, 1, 1]);
    assert_eq!(count("(1 0) occupied (1 0) opponent"), [0, 0, 1]);
    assert_eq!(count("(1 0) empty (1 0) friend"), [0, 0, 0]);
    assert_eq!(count("(1 0) friend|(0 0) opponent"), [0, 1, 0]);
}

#[test]
fn zones() {
    let rows =
        |zone: &str, fen: &str| moves(&format!("a {{-square (1 0) -conditions {zone}}}"), fen);
    let low = "8/8/8/8/8/8/A7/8 w";
    for (zone, holds) in [
        ("[ROW = 1]", true),
        ("[ROW < 1]", false),
        ("[ROW <= 1]", true),
        ("[ROW > 0]", true),
        ("[ROW >= 2]", false),
        ("[ROW != 1]", false),
        ("t[ROW = 2]", true),
        ("f[ROW = 2]", false),
        ("[ROW = 1 & COL = 0]", true),
        ("[ROW = 1 & COL = 1]", false),
        ("[ROW = 7 | COL = 0]", true),
        ("[ROW = 7]|t[ROW = 2]", true),
        ("ROW = 1", true),
        ("COL > 0", false),
    ] {
        assert_eq!(rows(zone, low).len(), usize::from(holds), "{zone}");
    }
    // Black's rows count from its side; its columns do so only when the board is turned.
    assert_eq!(rows("[ROW = 1]", "8/a7/8/8/8/8/8/8 b").len(), 1);
    assert_eq!(rows("[COL = 0]", "8/a7/8/8/8/8/8/8 b").len(), 1);
    let turned = "@symmetry rotate\na {-square (1 0) -conditions [COL = 0]}";
    assert_eq!(moves(turned, "8/a6a/8/8/8/8/8/8 b"), ["h7h6"]);
}

#[test]
fn effects_and_taking_them_back() {
    let cases = [
        ("b -> (0 1)", "8/8/8/3A4/2b1B3/8/8/8"),
        (". -> (0 -1)", "8/8/8/3A4/8/8/8/8"),
        ("(0 -1) -> (0 3)", "8/8/8/3A4/6b1/8/8/8"),
        ("(1 0) +hot", "8/8/8/3A4/2b5/8/8/8"),
        ("(0 -1) -cold", "8/8/8/3A4/2b5/8/8/8"),
        ("-cold -> (0 -1)", "8/8/8/3A4/2b5/8/8/8"),
    ];
    for (effect, board) in cases {
        let text = format!("a hot {{-square (1 0) -effects {effect}}}\nb +cold");
        let mut game = position(&text, "8/8/8/8/2bA4/8/8/8 w");
        let before = game.clone();
        play(&mut game, &[&texts(&before.clone())[0]]);
        assert!(game.fen().starts_with(board), "{effect}: {}", game.fen());
        assert_eq!(game.flags(35).contains(&"hot"), effect.contains("+hot"), "{effect}");
        if effect.contains("-cold") {
            assert!(!game.flags(26).contains(&"cold"));
        }
        assert_ne!(game.key(), before.key());
        game.unmake();
        assert!(game.same_as(&before), "{effect}");
    }
}

#[test]
fn flags_live_as_long_as_they_say() {
    let mut game = Position::start(&builtin("fide").unwrap());
    play(&mut game, &["e2e4", "a7a6", "e4e5", "d7d5"]);
    assert!(texts(&game).contains(&"e5d6".to_owned()));
    play(&mut game, &["h2h3", "h7h6"]);
    assert!(!texts(&game).contains(&"e5d6".to_owned()));
    // A piece that may go anywhere once in a game.
    let once = "a +teleport W1
  {-vars a in <0,3> b in <0,3> -square ($a $b) -conditions ($a $b) empty (0 0) *teleport
   -effects ($a $b) -teleport}
b W1";
    let mut game = position(once, "b3/4/4/A3 w");
    let count = texts(&game).len();
    assert!(count >= 14, "{count}");
    play(&mut game, &["a1d4", "a4b4"]);
    assert_eq!(texts(&game), ["d4c4", "d4d3"]);
}

#[test]
fn unmoved_goes_with_the_first_move() {
    let mut game =
        Position::from_fen(&builtin("fide").unwrap(), "4k3/8/8/8/8/8/8/R3K2R w KQ").unwrap();
    play(&mut game, &["h1h2", "e8e7", "h2h1", "e7e8"]);
    let after = texts(&game);
    assert!(after.contains(&"e1c1".to_owned()) && !after.contains(&"e1g1".to_owned()));
    play(&mut game, &["e1e2", "e8e7", "e2e1", "e7e8"]);
    assert!(!texts(&game).contains(&"e1c1".to_owned()));
    // Not on created pieces, and lost by a piece that an effect moves.
    let text = "a {-square (1 0) -effects b -> (0 0)} {-square (0 1) -effects (0 -1) -> (2 0)}
b {-square (3 0) -conditions (0 0) *unmoved}
c W1";
    let mut game = position(text, "4/4/4/4/BA2/3c w");
    play(&mut game, &["b2b3", "d1c1"]);
    let own = texts(&game);
    assert!(own.contains(&"a2a5".to_owned()) && !own.contains(&"b2b5".to_owned()), "{own:?}");
    let mut game = position(text, "4/4/4/4/BA2/4 w");
    play(&mut game, &["b2c2"]);
    assert!(!game.flags(13).contains(&"unmoved"));
}

#[test]
fn a_piece_is_shown_with_its_moves_while_unmoved_if_it_has_the_flag() {
    let goes_to_e4 = |flag: &str| {
        let game = load(&format!("@extends fide\np fmW1fcF1ifmW2{flag}\n"), None).unwrap().game;
        let [from, to] = ["e2", "e4"].map(|name| game.parse_square(name).unwrap());
        let moved = Position::start(&game).parse_move("e2e4").is_ok();
        let shown = game.reach("p", from).unwrap();
        (shown.iter().any(|reach| reach.square == to && reach.quiet), moved)
    };
    assert_eq!([goes_to_e4(""), goes_to_e4(" +unmoved")], [(false, false), (true, true)]);
}

#[test]
fn fens_leave_out_flags_that_no_move_asks_for() {
    let fide = builtin("fide").unwrap();
    let mut game = Position::start(&fide);
    play(&mut game, &["e2e4", "e7e5", "e1e2", "a7a6"]);
    let fen = "rnbqkbnr/1ppp1ppp/p7/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w kq - 0 3";
    assert_eq!(game.fen(), fen);
    assert_eq!(Position::from_fen(&fide, fen).unwrap().key(), game.key());
    // Written into a FEN such a flag changes nothing, one of a castling does.
    let with = |flags: &str| Position::from_fen(&fide, &format!("{fen} {flags}")).unwrap();
    let dead = with("{a1:unmoved}");
    assert_eq!((dead.key(), dead.fen().as_str()), (game.key(), fen));
    let lost = with("{a8:}");
    assert_ne!(lost.key(), game.key());
    assert_eq!(lost.fen(), fen.replace("kq", "k"));
    // A king elsewhere that is unmoved can castle with the rook beside it.
    let king = "@extends fide\nk W1 +unmoved\n  {-square (0 2) -conditions (0 0) *unmoved \
                (0 3) *unmoved -effects (0 3) -> (0 1)}";
    let game = load(king, None).unwrap().game;
    let fen = "4k3/8/8/8/8/8/8/3K2R1 w - - 0 1 {d1:unmoved,g1:unmoved}";
    let read = Position::from_fen(&game, fen).unwrap();
    assert!(texts(&read).contains(&"d1f1".to_owned()));
    assert_eq!(read.fen(), fen);
    let alone = Position::from_fen(&game, &fen.replace("d1:unmoved,", "")).unwrap();
    assert_eq!(alone.fen(), fen.split(" {").next().unwrap());
    assert_ne!(alone.key(), read.key());
}

#[test]
fn fens_have_en_passant_only_of_what_makes_a_double_step() {
    let fide = builtin("fide").unwrap();
    let captures = |fen: &str| {
        let position = Position::from_fen(&fide, fen).unwrap();
        texts(&position).contains(&"e5d6".to_owned())
    };
    assert!(captures("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"));
    assert!(!captures("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1"), "a knight");
    assert!(!captures("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1"), "one's own pawn");
    // Here knights can be captured so too, and the flag comes from another piece.
    let odd = "@extends fide\nn {-square (2 1) -effects (2 1) +en_passant}\n\
               b {-square (1 1) -effects (1 2) +en_passant}\n";
    let odd = load(odd, None).unwrap().game;
    for piece in ["n", "r"] {
        let fen = format!("4k3/8/8/3{piece}P3/8/8/8/4K3 w - d6 0 1");
        let position = Position::from_fen(&odd, &fen).unwrap();
        assert!(texts(&position).contains(&"e5d6".to_owned()), "{piece}");
    }
}

#[test]
fn fens_of_fairy_stockfish_name_castlings_and_several_squares_to_capture_on() {
    let makruk = builtin("makruk").unwrap();
    let start = Position::start(&makruk).fen();
    let read = Position::from_fen(&makruk, &start.replace(" w - ", " w KQkq ")).unwrap();
    assert_eq!(read.fen(), start);
    assert!(Position::from_fen(&makruk, &start.replace(" w - ", " w Z ")).is_err());
    // The limit of an endgame whose moves are counted, and how many were.
    let counted = Position::from_fen(&makruk, "3k4/3r4/8/8/8/8/8/4K3 w - 64 12 40").unwrap();
    assert_eq!(counted.fen(), "3k4/3r4/8/8/8/8/8/4K3 w - - 0 40");
    assert!(Position::from_fen(&makruk, "3k4/3r4/8/8/8/8/8/4K3 w - 30 45").is_err());

    let pawn = "p {-square (3 0) -conditions (1 0) empty (2 0) empty (3 0) empty \
          -effects (3 0) +passed} \
        {-square (1 1) -conditions (0 1) opponent (0 1) *passed (1 1) empty -effects . -> (0 1)} \
        {-square (1 1) -conditions (-1 1) opponent (-1 1) *passed (1 1) empty \
          -effects . -> (-1 1)} passed_";
    let start = position(pawn, "8/4p3/8/3P4/3P4/8/8/8 b");
    let read = |squares: &str| {
        let fen = format!("8/8/8/3P4/3Pp3/8/8/8 w - {squares} 0 1");
        Position::from_fen(start.game(), &fen)
    };
    let captures = |squares: &str| {
        let moves = texts(&read(squares).unwrap()).into_iter();
        moves.filter(|text| text.contains('e')).collect::<Vec<_>>()
    };
    assert_eq!(captures("-"), [""; 0]);
    assert_eq!(captures("e5e6"), ["d4e5", "d5e6"]);
    for wrong in ["e5e", "e5e9", "e5-"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn fens_end_with_the_number_of_the_move() {
    let fide = builtin("fide").unwrap();
    let bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for more in ["foo bar", "+0+0", "{e1:} foo"] {
        let error = Position::from_fen(&fide, &format!("{bare} {more}")).unwrap_err();
        let word = more.split(' ').next().unwrap();
        let expected =
            format!("nothing stands behind the number of the move, but here {word:?} does");
        assert_eq!(error.to_string(), expected);
    }
    assert!(Position::from_fen(&fide, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1").is_err());
    assert!(Position::from_fen(&fide, &format!("{bare} {{e1:}}")).is_ok());
    let shogi = builtin("shogi").unwrap();
    assert!(Position::from_fen(&shogi, "4k4/9/9/9/9/9/9/9/4K4[-] w 0 1").is_ok());
    // Cute Chess writes only the number of the move behind the side or one dash.
    for hands in ["", "[]", "[-]", "[Pb]"] {
        let own = if hands.len() < 4 { "[]" } else { hands };
        let read = Position::from_fen(&shogi, &format!("4k4/9/9/9/9/9/9/9/4K4{hands} b - 7"));
        assert_eq!(read.unwrap().fen(), format!("4k4/9/9/9/9/9/9/9/4K4{own} b - - 0 7"));
    }
    let red = "3k5/9/9/9/9/9/9/9/9/4K4 r - - 0 1";
    assert!(Position::from_fen(&builtin("xiangqi").unwrap(), red).is_ok());
    assert!(Position::from_fen(&shogi, "4k4/9/9/9/9/9/9/9/4K4 r - - 0 1").is_err());
    assert!(Position::from_fen(&shogi, "4k4/9/9/9/9/9/9/9/4K4[-] w 0 1 foo").is_err());
}

#[test]
fn a_name_with_a_plus_begins_a_piece() {
    let source = "@royal none\n@fen 8\np fW1\n+p W1F1\n+r {-square (0 1)\n-effects\n+hot -> (0 1)}\n  \
                  +unmoved\n_hot\n{-square (0 2) -conditions (0 0) *hot}\n";
    let game = load(source, None).unwrap().game;
    assert_eq!(game.piece_names().collect::<Vec<_>>(), ["p", "+p", "+r"]);
    let moves: Vec<usize> =
        expand(source, None).unwrap().iter().map(|(_, moves)| moves.len()).collect();
    assert_eq!(moves, [1, 8, 2]);
}

#[test]
fn atoms_and_numbers() {
    let counts = "\
        W:14 F:13 D:6 N:12 H:4 A:5 C:8 Z:8 G:4 W1:4 F1:4 D1:4 N1:8 H1:4 A1:4 C1:8 Z1:8 \
        G1:4 W2:8 U:63 Q:1";
    for word in counts.split_whitespace() {
        let (piece, count) = word.split_once(':').unwrap();
        assert_eq!(targets(piece).len().to_string(), count, "{piece}: {:?}", targets(piece));
    }
    assert_eq!(targets("Q"), ["d4"]);
    let three = expand("p fmW1fcF1\n@royal none\n@fen 8/8", None).unwrap();
    assert_eq!(three[0].1.len(), 3);
}

#[test]
fn directions() {
    let cases = "\
        fW1:d5 bW1:d3 lW1:c4 rW1:e4 vW1:d3,d5 sW1:c4,e4 fsW1:c4,d5,e4 fF1:c5,e5 flF1:c5 \
        brF1:e3 lF1:c3,c5 fN1:c6,e6 ffN1:c6,e6 fhN1:b5,c6,e6,f5 sN1:b3,b5,f3,f5 \
        bN1:c2,e2 flN1:b5 vN1:c2,c6,e2,e6";
    for case in cases.split_whitespace() {
        let (piece, squares) = case.split_once(':').unwrap();
        assert_eq!(targets(piece).join(","), squares, "{piece}");
    }
    assert_eq!(targets("cW"), [""; 0]);
    assert_eq!(targets("mW1"), targets("W1"));
    let capture = "a cW1\nb";
    assert_eq!(moves(capture, "8/8/8/3b4/3A4/8/8/8 w"), ["d4d5"]);
}

#[test]
fn hops_cylinders_and_bends() {
    let board = "8/3b4/8/3b4/3A4/8/8/8 w";
    let with = |piece: &str| moves(&format!("a {piece}\nb"), board);
    assert_eq!(with("pW"), ["d4d6", "d4d7"]);
    assert_eq!(with("gW"), ["d4d6"]);
    assert_eq!(with("jfW"), ["d4d6", "d4d7"]);
    assert_eq!(moves("a oW1", "4/4/A3/4 w"), ["a2a1", "a2a3", "a2b2", "a2d2"]);
    // All the way round, the other way round, but not to its own square.
    assert_eq!(moves("a osW", "4/4/A3/4 w"), ["a2b2", "a2c2", "a2d2"]);
    assert_eq!(
        moves("a fzF3", "8/8/8/8/8/8/8/3A4 w"),
        ["d1a2", "d1b1", "d1c2", "d1c4", "d1d3", "d1e2", "d1e4", "d1f1", "d1g2"]
    );
    assert_eq!(moves("a qN2", "8/8/8/8/3A4/8/8/8 w").len(), 14);
}

#[test]
fn xbetza() {
    let with = |piece: &str, fen: &str| moves(&format!("a x\"{piece}\" +unmoved\nb"), fen);
    assert_eq!(with("imfW3", "8/8/8/8/8/8/3A4/8 w"), ["d2d3", "d2d4", "d2d5"]);
    assert_eq!(with("imfD", "8/8/8/8/3b4/8/3A4/8 w"), [""; 0]);
    assert_eq!(with("imfD", "8/8/8/8/8/3b4/3A4/8 w"), ["d2d4"]);
    assert_eq!(with("ifmnD", "8/8/8/8/8/3b4/3A4/8 w"), [""; 0], "lame");
    assert_eq!(with("jfD", "8/8/8/8/8/3b4/3A4/8 w"), ["d2d4"], "it has to jump");
    assert_eq!(with("jfD", "8/8/8/8/8/8/3A4/8 w"), [""; 0]);
    assert_eq!(with("fnN", "8/8/8/8/8/3b4/3A4/8 w"), [""; 0], "the horse of xiangqi");
    // XBoard's pawn and king.
    let chess = "@betza xbetza\np fmWfceFifmnD +unmoved\nk KisO2 +unmoved\nr R +unmoved";
    let mut game = royal_position(chess, "r3k2r/p1p5/8/1P6/8/8/8/R3K2R w KQkq");
    let own = texts(&game);
    assert!(own.contains(&"e1g1".to_owned()) && own.contains(&"e1c1".to_owned()), "{own:?}");
    play(&mut game, &["e1g1", "c7c5"]);
    assert_eq!(game.piece(5).unwrap().1, "r");
    play(&mut game, &["b5c6"]);
    assert!(game.piece(34).is_none(), "captured in passing");
    // Two steps in one move: capture and go on, or come back.
    let lion = "8/8/8/3b4/3A4/8/8/8 w";
    assert_eq!(with("fcafmW", lion), ["d4d6"]);
    assert_eq!(with("fcabW", lion), ["d4d4"]);
    for (text, code) in [("tW", Code::UnsupportedBetza), ("@W", Code::UnsupportedBetza)] {
        let source = format!("@royal none\na x\"{text}\"\n@fen A");
        assert_eq!(codes(&source), [code], "{text}");
    }
}

#[test]
fn boards_of_any_size() {
    for (rows, columns) in
        [(1, 1), (1, 16), (16, 1), (12, 12), (16, 12), (12, 16), (13, 14), (10, 9)]
    {
        let row = |first: &str| format!("{first}{}", " .".repeat(columns - 1));
        let mut text = "@royal none\na W\n\nboard:\n".to_owned();
        for i in (0..rows).rev() {
            text += &(row(if i == 0 { "A" } else { "." }) + "\n");
        }
        let game = load(&text, None).unwrap().game;
        assert_eq!((usize::from(game.rows()), usize::from(game.columns())), (rows, columns));
        assert_eq!(Position::start(&game).legal_moves().len(), rows + columns - 2);
    }
    let long = "@royal none\nking W1\nbishop F\n\nboard:\nb:king .\n. w:bishop\n";
    let game = load(long, None).unwrap().game;
    assert_eq!(Position::start(&game).piece(1), Some((tamarin_variant::Color::White, "bishop")));
}

#[test]
fn the_end_of_a_game() {
    let end = |stalemate: &str, fen: &str| {
        let text = format!("@extends fide\n@stalemate {stalemate}");
        let game = load(&text, None).unwrap().game;
        Position::from_fen(&game, fen).unwrap().outcome()
    };
    use tamarin_variant::Color::{Black, White};
    let stuck = "k7/2Q5/8/8/8/8/8/K7 b";
    for (rule, winner) in [("draw", None), ("loss", Some(White)), ("win", Some(Black))] {
        let outcome = end(rule, stuck).unwrap();
        assert_eq!((outcome.reason, outcome.winner), (Reason::Stalemate, winner), "{rule}");
    }
    let mate = end("draw", "k7/1Q6/1K6/8/8/8/8/8 b").unwrap();
    assert_eq!((mate.reason, mate.winner), (Reason::Checkmate, Some(White)));
    assert_eq!(end("draw", "k7/8/8/8/8/8/8/K6R b"), None);
    let mut game = Position::start(&builtin("fide").unwrap());
    for _ in 0..2 {
        assert_eq!(game.outcome(), None);
        play(&mut game, &["g1f3", "g8f6", "f3g1", "f6g8"]);
    }
    assert_eq!(game.outcome().unwrap().reason, Reason::Repetition);
    let mut game =
        Position::from_fen(&builtin("fide").unwrap(), "k7/8/8/8/8/8/8/K6R w - - 99 80").unwrap();
    play(&mut game, &["h1h2"]);
    assert_eq!(game.outcome().unwrap().reason, Reason::MoveLimit);
}

/// A flag that goes away with any move may open an attack far from that move.
#[test]
fn an_attack_may_open_when_a_flag_goes_away() {
    let text = "@royal k
k W1F1
w W1
g {-square (1 0) -conditions (0 1) !*hot}
h {-square (0 1) -effects (0 1) +hot} hot_";
    let game = royal_position(text, "3k/W3/gh2/K3 w - - 0 1 {b2:hot}");
    assert!(!game.in_check());
    assert_eq!(texts(&game), ["a1a2", "a1b1", "a1b2", "a3a2"]);
}

#[test]
fn moves_in_the_manner_of_san() {
    let sans = |name: &str, fen: &str| {
        let position = Position::from_fen(&builtin(name).unwrap(), fen).unwrap();
        let mut texts: Vec<String> = position.sans().into_iter().map(|(text, _)| text).collect();
        texts.sort_unstable();
        texts
    };
    let castling = sans("fide", "4k3/8/8/8/8/8/3P4/R3K2R w KQ");
    assert!(["O-O", "O-O-O", "Rd1", "d3", "Kf2"].iter().all(|t| castling.contains(&(*t).into())));
    let promoting = sans("fide", "3n4/k1P5/8/8/8/8/8/K7 w");
    for text in ["c8=Q", "c8=N+", "cxd8=Q", "Ka2"] {
        assert!(promoting.contains(&text.to_owned()), "{text} {promoting:?}");
    }
    // Two silvers, and a pawn that may promote.
    let shogi = sans("shogi_nodrop", "4k4/9/9/P8/9/9/9/3S1S3/4K4 w");
    for text in ["a7", "a7=+P", "Sde3", "Sfe3", "Sd3"] {
        assert!(shogi.contains(&text.to_owned()), "{text} {shogi:?}");
    }
    let cannon = sans("xiangqi", "4rk3/9/9/4p4/9/9/9/4C4/9/3K5 w");
    assert!(cannon.contains(&"Cxe10".to_owned()) && cannon.contains(&"Ce6".to_owned()));
    // Long names, and moves that look alike, are written out.
    let text = "@royal none\nking W1 {-square (1 0) -effects (0 1) -> (0 1)}\n@fen 2/<w:king>1 w";
    let start = Position::start(&load(text, None).unwrap().game);
    assert_eq!(start.sans().len(), 3);
    assert!(start.sans().iter().all(|(san, m)| *san == start.text(*m)), "{:?}", start.sans());
    let alike = position("a W1 {-square (1 0) -effects (0 1) -> (0 1)}", "2/A1 w");
    assert_eq!(alike.san(alike.parse_move("a1b1").unwrap()), "Ab1");
    assert_eq!(alike.san(alike.parse_move("a1a2/2").unwrap()), "a1a2/2");
    let error = alike.parse_move("Aa2").unwrap_err().to_string();
    assert_eq!(error, "\"Aa2\" may be a1a2/1 or a1a2/2");
    assert!(alike.parse_move("Ac3").unwrap_err().to_string().contains("no legal move"));
}

/// Effects far from the king may bring a rook before it, or a second king before a rook.
#[test]
fn effects_may_not_expose_a_royal_piece() {
    let rook = "@royal k\nk W1\nr W\na {-square (0 1) -effects (3 3) -> (-2 3)}";
    let game = royal_position(rook, "5r/6/6/2A3/6/K5 w");
    assert_eq!(texts(&game), ["a1a2", "a1b1"]);
    assert_eq!(game.count_legal_moves(), 2);
    let king = "@royal k\nk W1\nr W\na {-square (0 1) -effects k -> (0 0)}";
    let game = royal_position(king, "2r3/6/6/2A3/6/K5 w");
    assert_eq!(texts(&game), ["a1a2", "a1b1"]);
    assert_eq!(game.count_legal_moves(), 2);
}

#[test]
fn what_is_written_for_xboard_means_the_same() {
    let castles = "r3k2r/1P4P1/8/3Pp3/8/8/1p4p1/R3K2R w KQkq e6 0 1";
    for name in ["fide", "nuttyknights", "clobberers"] {
        let original = builtin(name).unwrap();
        let mut text = format!("@extends {name}\n");
        for (kind, piece) in (0..).zip(original.piece_names()) {
            let [white, _] = original.xbetza(kind).expect(name);
            text += &format!("{piece} x\"{white}\"");
            text += if piece == "p" { " promotion t[ROW = 7] -> q|r|b|n\n" } else { "\n" };
        }
        let read = load(&text, None).unwrap_or_else(|remarks| panic!("{remarks:?}")).game;
        let count = |game: &Arc<Game>| perft(&mut Position::from_fen(game, castles).unwrap(), 3);
        assert_eq!(count(&read), count(&original), "{text}");
    }
    let locusts = builtin("locusts").unwrap();
    assert!((0..3).all(|kind| locusts.xbetza(kind).is_none()));
}

/// XBoard turns the board for Black.
#[test]
fn directions_of_black_for_xboard_follow_the_symmetry() {
    let castles = "W1 {-square (0 2) -conditions (0 0) *hot (0 1) empty (0 2) empty \
        -effects (0 3) -> (0 1)}\nb {-square (1 0) -effects (1 0) +hot} hot";
    for (piece, symmetry, expected) in [
        ("flF1brF1", "mirror", ["flFbrF", "frFblF"]),
        ("flF1brF1", "rotate", ["flFbrF", "flFbrF"]),
        ("flF1brF1", "none", ["flFbrF", "brFflF"]),
        (castles, "mirror", ["WirO2", "WilO2"]),
        (castles, "rotate", ["WirO2", "WirO2"]),
    ] {
        let position = position(&format!("@symmetry {symmetry}\na {piece}"), "4/A3 w");
        assert_eq!(position.game().xbetza(0), Some(expected), "{piece} {symmetry}");
    }
}

#[test]
fn what_xboard_has_no_words_for_is_not_written() {
    let castling = "(0 1) empty (0 2) empty -effects (0 3) -> (0 1)}";
    let passing = "(0 1) opponent (0 1) *passed -effects . -> (0 1)}";
    for (piece, written) in [
        ("W1 {-square (2 0)}", None),
        ("W1 {-square (2 0) -conditions (2 0) empty [ROW = 1]}", None),
        ("W1 {-square (2 0) -conditions (1 0) empty (2 0) empty}", None),
        ("W1 {-square (2 0) -conditions (1 0) empty (2 0) empty [ROW = 1]}", Some("WifmnD")),
        ("W1 {-square (2 0) -conditions (1 0) empty (2 0) empty (0 0) *hot}", Some("WifmnD")),
        (&format!("F1 {{-square (1 1) -conditions (1 1) empty {passing}"), None),
        (&format!("fcF1 {{-square (1 1) -conditions {passing}"), None),
        (&format!("fcF1 {{-square (1 1) -conditions (1 1) empty {passing}"), Some("fceF")),
        (&format!("W1 {{-square (0 2) -conditions {castling}"), None),
        (&format!("W1 {{-square (0 2) -conditions (0 0) *hot {castling}"), Some("WirO2")),
    ] {
        let flags = "b {-square (1 0) -effects (1 0) +hot (1 0) +passed} hot passed_";
        let position = position(&format!("a {piece}\n{flags}"), "4/A3 w");
        let white = position.game().xbetza(0).map(|[white, _]| white);
        assert_eq!(white, written, "{piece}");
    }
}

#[test]
fn reads_xiangqi_with_h_and_e_and_hands_behind_a_slash() {
    let rules = builtin("XiangQi").unwrap();
    let fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1";
    let start = Position::from_fen(&rules, fen).unwrap();
    assert_eq!(start.fen(), Position::start(&rules).fen());
    let read = |text: &str| start.text(start.parse_move(text).unwrap());
    assert_eq!(["Hc3", "Nc3", "Ea3", "Ba3"].map(read), ["b1c3", "b1c3", "c1a3", "c1a3"]);
    let unknown = |fen: &str| Position::from_fen(&builtin("fide").unwrap(), fen).unwrap_err();
    assert_eq!(unknown("h7/8/8/8/8/8/8/K6k w").to_string(), "\"h\" is no piece of this game");
    let house = builtin("crazyhouse").unwrap();
    let read = |fen: &str| Position::from_fen(&house, fen).map(|position| position.fen());
    let brackets = "4k3/8/8/8/8/8/8/4K3[QNp] w - - 0 1";
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3/NQp w - - 0 1"), read(brackets));
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3/ w - - 0 1"), read("4k3/8/8/8/8/8/8/4K3[] w - - 0 1"));
    assert!(read("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1").is_err());
}
