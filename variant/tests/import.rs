//! Games from configuration files of Fairy-Stockfish, by the counts of Fairy-Stockfish.

use crate::common::{play, texts, walk};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_variant::{Code, Diagnostic, Position, builtin, import, load, perft};

/// The thesis's games, as Fairy-Stockfish has them, and some others.
const GAMES: &str = "\
; Other armies
[nutty:chess]
customPiece1 = r:fsRbWbF
customPiece2 = n:vNF
customPiece3 = b:fhNsWbWbF
customPiece4 = q:fhNfsRK
knight = -
bishop = -
rook = -
queen = -
promotionPieceTypes = rnbq
castlingRookPieces = r

[clobberers:chess]
customPiece1 = r:BD
customPiece2 = n:WA
customPiece3 = b:FAD
archbishop = q
knight = -
bishop = -
rook = -
queen = -
promotionPieceTypes = rnbq
castlingRookPieces = r
castlingQueensideFile = b

[short:clobberers]
castlingQueensideFile = c

[quiet:shogi]
pieceDrops = false
capturesToHand = false
dropNoDoubled = -
immobilityIllegal = false
shogiPawnDropMateIllegal = false
perpetualCheckIllegal = false

[strict:quiet]
immobilityIllegal = true

[losalamos]
pawn = p
knight = n
rook = r
queen = q
king = k
maxRank = 6
maxFile = f
startFen = rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1
promotionRegionWhite = *6
promotionRegionBlack = *1
promotionPieceTypes = rnq
doubleStep = false
castling = false

[makruk]
pawn = p
knight = n
silver = s
fers = m
rook = r
king = k
startFen = rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1
promotionRegionWhite = *6 *7 *8
promotionRegionBlack = *3 *2 *1
promotionPieceTypes = m
doubleStep = false
castling = false
nMoveRule = 0

[big:capablanca]

[legan:chess]
pawn = -
customPiece1 = p:mflFcflW
startFen = knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1
castling = false
promotionRegionWhite = a8 b8 c8 d8 a7 a6 a5
promotionRegionBlack = e1 f1 g1 h1 h2 h3 h4

[crazy:chess]
pieceDrops = true
capturesToHand = true
nMoveRule = 0

[loop:crazy]
dropLoop = true
dropRegionWhite = *1 *2 *3 e5 *8
dropRegionBlack = *8 *7 *6 e4 *1
promotionZonePawnDrops = true

[given:chess]
pieceDrops = true
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[NNb] w KQkq - 0 1

[hands:shogi]

[mini:shogi]
maxRank = 5
maxFile = 5
startFen = rbsgk/4p/5/P4/KGSBR[-] w 0 1
promotionRegionWhite = *5
promotionRegionBlack = *1
lance = -
shogiKnight = -
promotedPieceType = p:g s:g b:h r:d
";

/// The counts of a game from depth 1 on.
fn check(name: &str, fen: Option<&str>, counts: &[u64]) {
    let imported = import(GAMES, Some(name)).unwrap_or_else(|remarks| panic!("{remarks:?}"));
    let game = load(&imported.text, None).unwrap().game;
    let mut position = match fen {
        Some(fen) => Position::from_fen(&game, fen).unwrap(),
        None => Position::start(&game),
    };
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&mut position, depth), count, "{name} {depth}\n{}", imported.text);
    }
}

/// A position of the last game of a file.
fn position(ini: &str, fen: &str) -> Position {
    let imported = import(ini, None).unwrap_or_else(|remarks| panic!("{ini}\n{remarks:?}"));
    Position::from_fen(&load(&imported.text, None).unwrap().game, fen).unwrap()
}

/// The moves that such a position has from a square.
fn moves_from(square: &str, ini: &str, fen: &str) -> Vec<String> {
    texts(&position(ini, fen)).into_iter().filter(|text| text.starts_with(square)).collect()
}

#[test]
fn imported_games_have_the_counts_of_fairy_stockfish() {
    let castling = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -";
    let open = "r3k2r/1P4P1/8/3Pp3/8/8/1p4p1/R3K2R w KQkq e6";
    check("nutty", None, &[26, 676, 19_054, 535_078]);
    check("nutty", Some(castling), &[25, 625, 15_206, 369_906]);
    check("nutty", Some(open), &[41, 1_114, 31_688]);
    check("clobberers", None, &[28, 784, 24_227]);
    check("clobberers", Some(castling), &[24, 576, 13_932, 334_597]);
    check("clobberers", Some(open), &[28, 663, 15_590]);
    check("short", Some(castling), &[24, 576, 13_930, 334_380]);
    check("quiet", None, &[30, 900, 25_470]);
    let sparse = "4k4/9/P1L1N1S1B/9/9/9/p1l1n1s1b/9/4K4 w";
    check("quiet", Some(sparse), &[34, 1_030, 28_385]);
    check("strict", Some(sparse), &[31, 839, 20_631]);
    check("losalamos", None, &[10, 100, 1_212, 14_332]);
    check("makruk", None, &[23, 529, 12_012]);
    check("big", None, &[28, 784, 25_228, 805_128]);
}

#[test]
fn pieces_are_dropped_as_in_fairy_stockfish() {
    check("mini", None, &[14, 181, 2_512]);
    check("mini", Some("r2gk/2s1p/1B3/P4/KG1R1[Sb] w - - 0 8"), &[30, 717]);
    let middle = "r1bqk2r/ppp1bppp/8/3P4/5B2/2N2N2/PP3PPP/R3K2R[QPnbpp] w KQkq - 0 10";
    check("crazy", Some(middle), &[113, 15_227]);
    let middle = "l5+S1l/1g2k1g2/p2ps2p1/2p1pP1Pp/1p3+n3/P1P1P3P/1P1PS4/2K1G4/LN5RL\
        [RBGNPbsnppp] w - - 0 40";
    check("hands", Some(middle), &[240, 41_558]);
    // Every empty square of the region, for pawns without the first row; what a promotion has made
    // stays that in hand. From 4k3/8/8/8/8/8/8/K7: three moves of the king.
    check("loop", Some("4k3/8/8/8/8/8/8/K7[N] w - - 0 1"), &[3 + 23 + 1 + 7]);
    check("loop", Some("4k3/8/8/8/8/8/8/K7[P] w - - 0 1"), &[3 + 16 + 1 + 7]);
    for (name, hands) in [("loop", "[Qr]"), ("crazy", "[Pr]")] {
        let game = load(&import(GAMES, Some(name)).unwrap().text, None).unwrap().game;
        let mut position = Position::from_fen(&game, "k7/8/8/8/8/8/1p1K4/2R5 b - - 0 1").unwrap();
        for text in ["b2c1q", "d2c1"] {
            let mv = position.parse_move(text).unwrap();
            position.make(mv);
        }
        assert!(position.fen().contains(hands), "{name}: {}", position.fen());
    }
    // Captures bring nothing where only the start gives pieces.
    let given = load(&import(GAMES, Some("given")).unwrap().text, None).unwrap().game;
    let mut position = Position::start(&given);
    assert_eq!(perft(&mut position, 1), 20 + 32);
    for text in ["N@d6", "e7d6"] {
        let mv = position.parse_move(text).unwrap();
        position.make(mv);
    }
    assert!(position.fen().contains("[Nb] w"), "{}", position.fen());
}

#[test]
fn pawns_of_shogi_do_not_mate_by_a_drop_into_a_region() {
    let ini = "[r:shogi]\ndropNoDoubled = -\ndropRegionWhite = *1 *2 *3 *4 *5 *6\n\
        dropRegionBlack = *9 *8 *7 *6 *5 *4\n";
    let imported = import(ini, None).unwrap();
    assert_eq!(imported.warnings, []);
    let loaded = load(&imported.text, None).unwrap();
    assert_eq!(loaded.warnings, [], "{}", imported.text);
    // The king has no move, and nothing takes the pawn; then it has one.
    let fen = "9/9/9/7pp/7pk/7p1/8G/9/K8[P] w - - 0 1";
    let position = Position::from_fen(&loaded.game, fen).unwrap();
    assert!(position.parse_move("P@i4").is_err());
    let position = Position::from_fen(&loaded.game, &fen.replace("7pp", "7p1")).unwrap();
    assert!(position.parse_move("P@i4").is_ok());
}

#[test]
fn what_is_odd_about_the_imported_game_is_reported() {
    let ini = "[a]\ncustomPiece1 = a:WH\nmaxRank = 3\nmaxFile = 3\nstartFen = a2/3/A2 w\n";
    let warnings = import(ini, None).unwrap().warnings;
    let message =
        "of the game that this makes: this move of 'a' can be played from no square".to_owned();
    assert_eq!(places(&warnings), [(1, 2, message)]);
    assert_eq!(warnings[0].code, Code::UnreachableMove);
}

/// Line, column and message of remarks.
fn places(remarks: &[Diagnostic]) -> Vec<(u32, u32, String)> {
    remarks.iter().map(|r| (r.span.line, r.span.column, r.message.clone())).collect()
}

#[test]
fn what_is_skipped_is_reported_with_its_line() {
    let ini = "[a:chess]\ngating = true\ncapturesToHand = false\n\
        pieceToCharTable = PNBRQ\nstalemateVale = loss\nchecking = true\n\
        promotionRegionWhite = *8 *7\n";
    let imported = import(ini, None).unwrap();
    assert!(imported.warnings.iter().all(|warning| warning.code == Code::LeftOut));
    let expected = [
        (2, 1, "'gating = true' is left out: there is no such rule here"),
        (5, 1, "'stalemateVale = loss' is left out: Fairy-Stockfish has no such key"),
        (7, 24, "'promotionRegionBlack' is left out: Black has the mirror image of White's"),
    ];
    let expected = expected.map(|(line, column, text)| (line, column, text.to_owned()));
    assert_eq!(places(&imported.warnings), expected);
    assert_eq!(imported.warnings[1].help.as_deref(), Some("did you mean 'stalemateValue'?"));
    // Keys that Fairy-Stockfish has.
    for (key, why) in [
        ("janggiCannon = c", "there is no such piece here"),
        ("janggiElephant = e", "there is no such piece here"),
        ("castlingKingPieceWhite = q", "there is no such rule here"),
        ("castlingKingPieceBlack = q", "there is no such rule here"),
        ("castlingRookPiecesWhite = n", "there is no such rule here"),
        ("castlingRookPiecesBlack = n", "there is no such rule here"),
        ("wallingRegion = *1", "there is no such rule here"),
        ("promotionRank = 6", "it is called 'promotionRegionWhite' now"),
        ("doubleStepRank = 3", "it is called 'doubleStepRegionWhite' now"),
        ("castlingRookPiece = n", "it is called 'castlingRookPieces' now"),
        ("whiteDropRegion = *1", "it is called 'dropRegionWhite' now"),
        ("blackDropRegion = *8", "it is called 'dropRegionBlack' now"),
    ] {
        let warnings = import(&format!("[a:chess]\n{key}\n"), None).unwrap().warnings;
        assert_eq!(places(&warnings), [(2, 1, format!("'{key}' is left out: {why}"))]);
    }
    let shogi = import("[a:shogi]\nstalemateValue = win\n", None).unwrap();
    assert_eq!(shogi.warnings, []);
    let ends = "@stalemate win\n@checkmate loss\n@repetition 4 draw\n@perpetual loss\n";
    assert!(shogi.text.contains(ends));
    // What a parent has is reported at its name: the start position of shogi has nine columns.
    let narrow = import("[a:shogi]\nmaxFile = 5\n", None).unwrap_err();
    let size = narrow.iter().find(|e| e.message.contains("the start position is not of 5 by 9"));
    let span = size.expect("the sizes differ").span;
    assert_eq!((span.line, span.column), (1, 4));
    // Pieces that know left from right: Black sees the board turned around.
    assert!(import(GAMES, Some("legan")).unwrap().text.contains("@symmetry rotate"));
}

#[test]
fn the_board_is_turned_for_pieces_that_differ_from_their_mirror_image() {
    let ini = |moves: &str| format!("[x:chess]\ncustomPiece1 = x:{moves}\ncastling = false\n");
    for (moves, symmetry) in
        [("flFbrF", "rotate"), ("lW", "rotate"), ("flNfrN", "mirror"), ("sWrFlF", "mirror")]
    {
        let text = import(&ini(moves), None).unwrap().text;
        assert!(text.contains(&format!("@symmetry {symmetry}\n")), "{moves}\n{text}");
    }
    let fen = "4k3/8/8/3x4/8/8/8/4K3 b - - 0 1";
    assert_eq!(moves_from("d5", &ini("flFbrF"), fen), ["d5c6", "d5e4"]);
}

#[test]
fn a_region_without_squares_is_nowhere() {
    // Pawns never come down on the first row, and here no piece does elsewhere.
    let ini = "[x:chess]\npieceDrops = true\ncapturesToHand = true\n\
        dropRegionWhite = *1\ndropRegionBlack = *8\n";
    let held = position(ini, "4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1");
    assert_eq!(texts(&held).len(), 5 + 7);
    let none = "[x:shogi]\ndropRegionWhite = -\ndropRegionBlack = -\n";
    let held = position(none, "4k4/9/9/9/9/9/9/9/4K4[GP] w - - 0 1");
    assert_eq!(texts(&held).len(), 5);
    let none = "[x:shogi]\npromotionRegionWhite = -\npromotionRegionBlack = -\n";
    assert!(!import(none, None).unwrap().text.contains("promotion"));
}

#[test]
fn a_region_of_black_is_rotated_with_the_board() {
    let ini = |black: &str| {
        format!(
            "[x:chess]\ncustomPiece1 = x:lW\ncastling = false\n\
             promotionRegionWhite = a8 b8 c8 d8\npromotionRegionBlack = {black}\n"
        )
    };
    let message = "'promotionRegionBlack' is left out: Black has the rotated image of White's";
    let mirrored = import(&ini("a1 b1 c1 d1"), None).unwrap();
    assert_eq!(places(&mirrored.warnings), [(5, 24, message.to_owned())]);
    let rotated = ini("e1 f1 g1 h1");
    assert_eq!(import(&rotated, None).unwrap().warnings, []);
    let fen = "4k3/8/8/8/4K3/8/p6p/8 b - - 0 1";
    assert_eq!(moves_from("a2", &rotated, fen), ["a2a1"]);
    assert_eq!(moves_from("h2", &rotated, fen), ["h2h1b", "h2h1n", "h2h1q", "h2h1r"]);
}

#[test]
fn pawns_take_their_promoted_form_or_become_other_pieces() {
    let region = "promotionRegionWhite = *6 *7 *8\npromotionRegionBlack = *3 *2 *1\n";
    let last = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let ini = "[x:chess]\npromotedPieceType = p:q\n";
    let forced = ["a7a8+", "a7a8b", "a7a8n", "a7a8q", "a7a8r"];
    assert_eq!(moves_from("a7", ini, last), forced);
    let free = format!("{ini}mandatoryPiecePromotion = true\nmandatoryPawnPromotion = false\n");
    assert_eq!(moves_from("a7", &free, last), [&["a7a8"][..], &forced].concat());
    let near = "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1";
    let ini = format!(
        "[x:chess]\ncommoner = c\npromotedPieceType = p:c\npromotionPieceTypes = -\n{region}"
    );
    assert_eq!(moves_from("e5", &ini, near), ["e5e6+"]);
    // Another piece that promotes as pawns do.
    let ini = format!(
        "[x:chess]\npawn = -\ncustomPiece1 = p:fsmWfcF\npawnTypes = p\n\
         promotedPieceType = p:q\n{region}"
    );
    let expected = ["e5d5", "e5e6+", "e5e6b", "e5e6n", "e5e6q", "e5e6r", "e5f5"];
    assert_eq!(moves_from("e5", &ini, near), expected);
    let message = "'p:q' is left out for moves out of the promotion region".to_owned();
    assert_eq!(places(&import(&ini, None).unwrap().warnings), [(5, 21, message)]);
}

#[test]
fn a_captured_form_stays_what_it_is_in_a_game_with_drop_loop() {
    for (form, hand) in [("+p", "[G]"), ("+b", "[H]")] {
        let fen = format!("4k4/9/9/9/9/9/4{form}4/4G4/4K4[] w - - 0 1");
        let mut position = position("[x:shogi]\ndropLoop = true\n", &fen);
        play(&mut position, &["e2e3", "e9d9"]);
        assert!(position.fen().contains(hand), "{}", position.fen());
        assert!(position.parse_move(&format!("{}@a1", &hand[1..2])).is_ok(), "{form}");
    }
}

#[test]
fn a_piece_that_is_not_royal_castles_in_an_imported_game() {
    let ini = "[a:chess]\nking = -\ncommoner = k\ncastlingKingPiece = k\n";
    let imported = import(ini, None).unwrap_or_else(|remarks| panic!("{remarks:?}"));
    let game = load(&imported.text, None).unwrap().game;
    let position = Position::from_fen(&game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for castles in ["e1g1", "e1c1"] {
        assert!(position.parse_move(castles).is_ok(), "{}", imported.text);
    }
    // It may stand on attacked squares and pass them.
    let ini = "[a:chess]\npromotionPieceTypes = q\ncommoner = m\nking = -\n\
        castlingKingPiece = m\n\
        startFen = rnbqmbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQMBNR w KQkq - 0 1\n";
    let fen = "r3m2r/8/8/8/8/8/8/4M1R1 b kq - 0 1";
    let expected = ["e8c8", "e8d7", "e8d8", "e8e7", "e8f7", "e8f8", "e8g8"];
    assert_eq!(moves_from("e8", ini, fen), expected);
}

/// Sections, a position, and Fairy-Stockfish's count of its moves in so many plies.
#[test]
fn promotions_add_up_over_parents() {
    let small = "[small:shogi]\npromotedPieceType = g:s\n";
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w";
    let bare = "4k4/9/2P5R/9/9/9/9/9/4K4[] w";
    let last = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
    for (ini, fen, depth, count) in [
        (small.to_owned(), start, 3, 25_470),
        (small.to_owned(), bare, 1, 33),
        (format!("{small}[smaller:small]\npromotedPieceType = n:s l:-\n"), bare, 1, 33),
        (format!("{small}[smaller:small]\npromotedPieceType = r:-\n"), bare, 1, 20),
        ("[a:chess]\npromotionPieceTypes = -\n".to_owned(), last, 1, 3),
    ] {
        let imported = import(&ini, None).unwrap();
        let game = load(&imported.text, None).unwrap().game;
        let mut position = Position::from_fen(&game, fen).unwrap();
        assert_eq!(perft(&mut position, depth), count, "{ini}{fen}\n{}", imported.text);
    }
}

/// The games that a section may extend are the ones built in here.
#[test]
fn parents_are_the_games_that_are_built_in() {
    for name in [
        "capablanca",
        "shogi",
        "crazyhouse",
        "kingofthehill",
        "3check",
        "antichess",
        "losalamos",
        "makruk",
        "janus",
        "embassy",
        "minishogi",
    ] {
        let imported = import(&format!("[own:{name}]\n"), None).unwrap();
        let own = load(&imported.text, None).unwrap().game;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for _ in 0..4 {
            walk(&builtin(name).unwrap(), &mut random, 60, |position| {
                let fen = position.fen();
                let read = Position::from_fen(&own, &fen);
                let read = read.unwrap_or_else(|error| panic!("{name} {fen}: {error}"));
                assert_eq!(texts(&read), texts(position), "{name} {fen}\n{}", imported.text);
                assert_eq!(read.decided(), position.decided(), "{name} {fen}");
            });
        }
    }
}

#[test]
fn goals_of_sections_are_read() {
    for (keys, line) in [
        ("flagPiece = k\nflagRegionWhite = *8\nflagRegionBlack = *1", "@goal k [ROW = 7]"),
        (
            "flagPiece = qn\nflagRegionWhite = a8 b8\nflagRegionBlack = a1 b1\nflagMove = true",
            "@goal q n [ROW = 7 & COL = 0]|[ROW = 7 & COL = 1] last",
        ),
        ("checkCounting = true", "@checks 3"),
        ("checking = false", "@checks forbidden"),
        ("mustCapture = true", "@captures compulsory"),
        ("extinctionValue = loss\nextinctionPieceTypes = *", "@extinction loss"),
        ("extinctionValue = win\nextinctionPieceTypes = qr", "@extinction win q r"),
        ("nFoldValue = loss\nnFoldValueAbsolute = true", "@repetition 3 loss first"),
    ] {
        let imported = import(&format!("[own:chess]\n{keys}\n"), None).unwrap();
        let has = imported.text.lines().any(|own| own.trim_end() == line);
        assert!(has && imported.warnings.is_empty(), "{keys}\n{}", imported.text);
    }
}

#[test]
fn files_that_are_wrong_are_refused() {
    for (ini, line, column, message) in [
        ("", 0, 0, "there is no [name] in this file"),
        ("king = k\n[a:chess]", 1, 1, "this key stands before the first [name]"),
        ("[a:chess]\nking", 2, 1, "neither [name], nor key = value, nor a comment"),
        ("[a:b]", 1, 4, "there is no game 'b' before this one"),
        ("[a:b]\n[b:a]", 1, 4, "there is no game 'b' before this one"),
        ("[a:a]", 1, 4, "there is no game 'a' before this one"),
        ("[a:chess]\nmaxFile = z", 2, 11, "'maxFile' is 1 to 12, not 'z'"),
        ("[a:chess]\nking = kk", 2, 8, "a piece is one letter, or letter:moves"),
        ("[a:chess]\ncustomPiece1 = w:fX", 2, 19, "'X' is no atom here"),
        ("[a:chess]\ncastling = maybe", 2, 12, "'castling' is true or false, not 'maybe'"),
        (
            "[a:chess]\nstalemateValue = lost",
            2,
            18,
            "'stalemateValue' is win, loss or draw, not 'lost'",
        ),
        ("[a:chess]\npromotionPieceTypes = qx", 2, 23, "there is no piece 'x'"),
        (
            "[a:chess]\ndoubleStepRegionWhite = *99",
            2,
            25,
            "'*99' is no square and no row such as *8",
        ),
        ("[a:chess]\nmaxRank = 7", 0, 0, "the start position is not of 8 by 7 squares"),
        (
            "[a:chess]\nstartFen = 8/8/8/8/8/8/8/9 w",
            2,
            12,
            "the start position is not of 8 by 8 squares",
        ),
        (
            "[a:chess]\nstartFen = 8/8/8/8/8/8/8/7x w",
            1,
            2,
            "this makes no game: the start position is wrong: \"x\" is no piece of this game",
        ),
    ] {
        let remarks = import(ini, ini.contains("[b:a]").then_some("a")).unwrap_err();
        let errors: Vec<Diagnostic> = remarks.into_iter().filter(Diagnostic::is_error).collect();
        let expected = (line, column, message.to_owned());
        assert!(places(&errors).contains(&expected), "{ini}\n{errors:?}");
    }
    let unknown = import("[alpha:chess]\n", Some("alhpa")).unwrap_err();
    assert_eq!(unknown[0].help.as_deref(), Some("did you mean 'alpha'?"));
}

/// The lines of an imported game that define pieces.
fn pieces(ini: &str) -> Vec<String> {
    let imported = import(ini, None).unwrap_or_else(|remarks| panic!("{ini}\n{remarks:?}"));
    let lines = imported.text.lines();
    lines.filter(|line| line.starts_with(|c: char| c.is_alphabetic())).map(str::to_owned).collect()
}

#[test]
fn pawns_by_type_promote_not_pieces_with_the_letter_p() {
    let line = |ini: &str, letter: char| pieces(ini).into_iter().find(|l| l.starts_with(letter));
    let has = |ini: &str, text: &str| assert!(pieces(ini).contains(&text.to_owned()), "{ini}");
    let board = "rnbqkbnr/aaaaaaaa/8/8/8/8/AAAAAAAA/RNBQKBNR w KQkq - 0 1";
    let renamed = format!("[x:chess]\npawn = a\nstartFen = {board}\n");
    has(&renamed, "a fmWfcF promotion t[ROW = 7] -> q|r|b|n");
    // Without a parent there are no pieces to become, and other pieces are no pawns.
    let bare = "startFen = r6k/p7/8/8/8/8/P7/R6K w - - 0 1\ncastling = false\n";
    has(&format!("[x]\nking = k\nsoldier = p\nrook = r\n{bare}"), "p fsW");
    let pawn = format!("[x]\nking = k\npawn = p\nrook = r\n{bare}");
    assert!(line(&pawn, 'p').unwrap().starts_with("p fmWfcF only t[ROW = 0]|"));
    has(&format!("{pawn}promotionPieceTypes = r\n"), "p fmWfcF promotion t[ROW = 7] -> r");
    has("[y:chess]\nsoldier = p\npawn = -\n", "p fsW");
    let custom = "[z:chess]\npawn = -\ncustomPiece1 = p:mfFcfW\n";
    has(custom, "p mfFcfW");
    has(&format!("{custom}pawnTypes = p\n"), "p mfFcfW promotion t[ROW = 7] -> q|r|b|n");
    // What a parent says of a piece is true of it under another letter, and not without it.
    let renamed = "startFen = rnbwkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBWKBNR w KQkq - 0 1\n";
    has(&format!("[x:chess]\nqueen = w\n{renamed}"), "p fmWfcF promotion t[ROW = 7] -> w|r|b|n");
    let bare = "startFen = 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n";
    has(
        &format!("[x:chess]\nqueen = -\nbishop = -\n{bare}"),
        "p fmWfcF promotion t[ROW = 7] -> r|n",
    );
}

#[test]
fn a_piece_takes_its_letter_from_another() {
    let soldiers = pieces("[a:chess]\nsoldier = p\n");
    assert_eq!(soldiers.iter().filter(|line| line.starts_with('p')).count(), 1);
    assert!(soldiers.contains(&"p fsW".to_owned()), "{soldiers:?}");
    // In the order of the types, whatever the order of the lines.
    for ini in ["[a:chess]\nwazir = q\nfers = q\n", "[a:chess]\nfers = q\nwazir = q\n"] {
        assert!(pieces(ini).contains(&"q W".to_owned()), "{ini}");
    }
    // As `allwayspawns` of Fairy-Stockfish.
    let pawns = pieces("[a:chess]\ncustomPiece1 = p:mWfceF\npawnTypes = p\n");
    assert!(pawns.contains(&"p mWfceF promotion t[ROW = 7] -> q|r|b|n".to_owned()), "{pawns:?}");
    // The piece that is gone promotes to nothing, and nothing to it.
    for queen in ["customPiece1 = q:QN", "queen = q"] {
        let queens = pieces(&format!("[a:chess]\n{queen}\n"));
        assert!(queens.iter().any(|line| line.ends_with("-> r|b|n")), "{queens:?}");
    }
    // It is the same pawn and the same rook when they are said again.
    let again = "[a:chess]\npawnTypes = p\ncastlingRookPieces = r\n[b:a]\nrook = r\npawn = p\n";
    assert!(pieces(again).contains(&"r R +unmoved".to_owned()), "{:?}", pieces(again));
    assert!(pieces(again).contains(&"p fmWfcF promotion t[ROW = 7] -> q|b|n".to_owned()));
}

#[test]
fn either_side_has_rights_to_castle() {
    let start = |board: &str, rights: &str| {
        let ini = format!("[s:chess]\nstartFen = {board} w {rights} - 0 1\n");
        let imported = import(&ini, None).unwrap_or_else(|remarks| panic!("{ini}\n{remarks:?}"));
        let game = load(&imported.text, None).unwrap().game;
        let fen = Position::start(&game).fen();
        (fen.split(' ').nth(2).unwrap().to_owned(), places(&imported.warnings))
    };
    let rights = |board: &str, rights: &str| {
        let (found, warnings) = start(board, rights);
        assert_eq!(warnings, [], "{board} {rights}");
        found
    };
    let (white, black) = ("R3K2R", "r3k2r/8/8/8/8/8/8");
    assert_eq!(rights(&format!("{black}/4K3"), "kq"), "kq");
    assert_eq!(rights(&format!("4k3/8/8/8/8/8/8/{white}"), "KQ"), "KQ");
    assert_eq!(rights(&format!("{black}/{white}"), "KQkq"), "KQkq");
    assert_eq!(rights(&format!("{black}/{white}"), "HAa"), "KQq");
    // Kings on different files.
    assert_eq!(rights("r2k3r/8/8/8/8/8/8/R3K2R", "KQkq"), "KQkq");
    // A right without its rook.
    let message = "the right to castle 'q' is left out: there is no king with a rook for it";
    let expected = ("KQk".to_owned(), vec![(2, 12, message.to_owned())]);
    assert_eq!(start("4k2r/8/8/8/8/8/8/R3K2R", "KQkq"), expected);
    // Black castles as White does.
    let ini = "[s:chess]\nstartFen = r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1\n";
    let game = load(&import(ini, None).unwrap().text, None).unwrap().game;
    for castles in ["e8g8", "e8c8"] {
        assert!(Position::start(&game).parse_move(castles).is_ok(), "{castles}");
    }
}

#[test]
fn no_text_panics() {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};
    let mut random = Xoshiro256PlusPlus::seed_from_u64(19);
    let mut below = |limit: usize| random.next_u64() as usize % limit.max(1);
    let sound: Vec<char> = GAMES.chars().collect();
    for round in 0..80 {
        let mut text = sound.clone();
        for _ in 0..1 + below(8) {
            let (start, at) = (below(sound.len()), below(text.len()));
            let end = (start + below(12)).min(sound.len());
            let cut = (at + below(12)).min(text.len());
            text.splice(at..cut, sound[start..end].iter().copied());
        }
        let text: String = text.into_iter().collect();
        // It is refused, or it is a game.
        let name = ["nutty", "quiet", "makruk", "legan"][round % 4];
        if let Ok(imported) = import(&text, Some(name)) {
            assert_eq!(imported.name, name);
        }
    }
}
