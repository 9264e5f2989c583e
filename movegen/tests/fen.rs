//! FEN: what is read, repaired and refused, and that writing gives it back.

use crate::corpus::checks;
use crate::games::{START, TestRng, seeded};
use proptest::prelude::*;
use rand::RngExt;
use tamarin_movegen::{
    CastlingStyle, Color, FenError, File, MAX_COUNTER, Piece, PieceKind, Position, Rank, Setup,
    SetupError, Square,
};

/// N. Petrović 1964: 218 legal moves, the most there can be.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn repairs(fen: &str) -> (String, Vec<String>) {
    let (setup, repairs) = Setup::parse(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    (setup.to_string(), repairs.iter().map(ToString::to_string).collect())
}

#[test]
fn canonical_texts_round_trip_exactly() {
    let texts = [
        START,
        MOST_MOVES,
        "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
        "8/8/8/8/8/8/8/K1k5 b - - 9999 9999",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        // Inner rooks keep their letters.
        "1r2k1rr/8/8/8/8/8/8/RR2K1RR w GBgq - 0 1",
    ];
    for text in texts {
        let (setup, repairs) = Setup::parse(text).unwrap();
        assert_eq!(repairs, [], "{text}");
        assert_eq!(setup.to_string(), text);
        assert_eq!(position(text).to_string(), text);
        let shredder = position(text).fen(CastlingStyle::Shredder);
        assert_eq!(position(&shredder).to_string(), text);
    }
}

#[test]
fn castling_is_read_in_every_dialect() {
    let cases = [
        // text, standard, Shredder
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kah - 0 1", "Kkq", "Hha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "-", "-"),
        // `K` is the outermost rook, the inner one needs its file.
        ("1k6/8/8/8/8/8/8/3K1RR1 w K - 0 1", "K", "G"),
        ("1k6/8/8/8/8/8/8/3K1RR1 w F - 0 1", "F", "F"),
        ("6k1/8/8/8/8/8/8/RR1K4 w B - 0 1", "B", "B"),
        ("6k1/8/8/8/8/8/8/RR1K4 w A - 0 1", "Q", "A"),
        // The rook beyond the opponent's bishop is still the outermost.
        ("4k3/8/8/8/8/8/8/1K1R1b1R w K - 0 1", "K", "H"),
        ("4k3/8/8/8/8/8/8/1K1R1b1R w D - 0 1", "D", "D"),
        // Double Chess960: each side has files of its own.
        ("1r3kr1/8/8/8/8/8/8/R2K3R w HAgb - 0 1", "KQkq", "HAgb"),
    ];
    for (text, standard, shredder) in cases {
        let position = position(text);
        let castling = |fen: String| fen.split(' ').nth(2).unwrap().to_owned();
        assert_eq!(castling(position.fen(CastlingStyle::Standard)), standard, "{text}");
        assert_eq!(castling(position.fen(CastlingStyle::Shredder)), shredder, "{text}");
        assert_eq!(castling(format!("{position:#}")), shredder, "{text}");
    }
}

#[test]
fn harmless_faults_are_repaired_and_named() {
    const NOT_IN_PLACE: &str = "dropped: king or rook not in place";
    let right = |letter| format!("castling right {letter:?} {NOT_IN_PLACE}");
    let cases = [
        // Missing fields.
        (
            "4k3/8/8/8/8/8/8/4K3 w - -",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            vec![
                "halfmove clock missing: taken as 0".to_owned(),
                "fullmove number missing: taken as 1".to_owned(),
            ],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 b",
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
            vec![
                "castling rights missing: taken as -".to_owned(),
                "en passant square missing: taken as -".to_owned(),
                "halfmove clock missing: taken as 0".to_owned(),
                "fullmove number missing: taken as 1".to_owned(),
            ],
        ),
        // Counters out of range.
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -5 0",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            vec![
                "halfmove clock out of range: taken as 0".to_owned(),
                "fullmove number out of range: taken as 1".to_owned(),
            ],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 10000 99999999999999999999999999",
            "4k3/8/8/8/8/8/8/4K3 w - - 9999 9999",
            vec![
                "halfmove clock out of range: taken as 9999".to_owned(),
                "fullmove number out of range: taken as 9999".to_owned(),
            ],
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - -0 007", "4k3/8/8/8/8/8/8/4K3 w - - 0 7", vec![]),
        // Castling rights without king or rook in place.
        (
            "r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1",
            vec![right('Q')],
        ),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", vec![right('K')]),
        (
            "4k2r/8/8/8/8/8/8/4K1R1 w Fha - 0 1",
            "4k2r/8/8/8/8/8/8/4K1R1 w k - 0 1",
            vec![right('F'), right('a')],
        ),
        // The king beside the rook's wing is as good as none: `Q` asks for a rook on its left.
        ("4k3/8/8/8/8/8/8/K6R w Q - 0 1", "4k3/8/8/8/8/8/8/K6R w - - 0 1", vec![right('Q')]),
    ];
    for (text, repaired, notes) in cases {
        assert_eq!(repairs(text), (repaired.to_owned(), notes), "{text}");
        assert_eq!(position(text).to_string(), repaired, "{text}");
    }
}

#[test]
fn an_en_passant_square_stays_only_for_a_legal_capture() {
    let kept = [
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        // Check by the pawn itself.
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        // Check that stood there before the step.
        "1b2k3/8/8/2Pp4/5K2/8/8/8 w - d6 0 1",
        "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
        // One of two capturers is pinned; a pinned one stays on its line.
        "3r2k1/8/8/3PpP2/8/8/8/3K4 w - e6 0 1",
        "4k3/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1",
    ];
    for text in kept {
        assert_eq!(repairs(text), (text.to_owned(), vec![]));
        assert_eq!(position(text).to_string(), text);
    }
    let dropped = [
        // No pawn beside it; no pawn; the wrong side's; the wrong rank.
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - a1 0 1",
        // The passed square or the origin is taken.
        "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
        // Pinned: on the file, the diagonal, and by the rank that two pawns leave.
        "k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "k7/6b1/8/3pP3/8/8/1K6/8 w - d6 0 1",
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        // Some other check that the capture does not end.
        "4k3/8/8/3pP3/8/5n2/8/4K3 w - d6 0 1",
    ];
    for text in dropped {
        let mut fields: Vec<&str> = text.split(' ').collect();
        let square = std::mem::replace(&mut fields[3], "-");
        let note = format!(
            "en passant square {square} dropped: no double step there that can be captured"
        );
        assert_eq!(repairs(text), (fields.join(" "), vec![note]), "{text}");
        assert_eq!(position(text).en_passant(), None, "{text}");
    }
}

/// A text that cannot be read, and how the message about it starts.
const MALFORMED: &[(&str, &str)] = &[
    ("   ", "piece placement missing, column 4"),
    ("blah", "piece placement, column 2: expected a piece letter, a digit 1 to 8 or '/', found"),
    ("8/8/8/8/8/8/8/8  ", "side to move missing, column 18"),
    ("8/8/8/8/8/8/8 w - - 0 1", "piece placement, column 1: there are only 7 ranks, found"),
    ("8/8/8/8/8/8/8/8/8 w - - 0 1", "piece placement, column 17: there are more than 8 ranks"),
    ("8/8//8/8/8/8/8 w - - 0 1", "piece placement, column 5: rank 6 has fewer than 8 files"),
    ("44/8/8/8/8/8/18/8 w - - 0 1", "piece placement, column 14: rank 2 has more than 8 files"),
    ("8/8/8/8/8/8/8/ppé5 w - - 0 1", "piece placement, column 17: expected a piece letter"),
    ("8/8/8/8/8/8/8/8 W - - 0 1", "side to move, column 17: expected 'w' or 'b', found \"W\""),
    ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "castling rights, column 25: expected '-', letters of"),
    ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling rights, column 25: the same right twice"),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant square, column 25: expected '-' or a square"),
    ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "halfmove clock, column 27: expected a whole number"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "fullmove number, column 29: expected a whole number"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e1e2", "nothing may follow the fullmove number, column 31"),
];

#[test]
fn malformed_text_is_named_by_field_column_and_text() {
    for &(text, expected) in MALFORMED {
        let error = Position::from_fen(text).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with(expected), "{text}\n{message}\n{expected}");
        assert!(error.column().is_some(), "{text}");
        assert_eq!(Setup::parse(text).unwrap_err(), error);
    }
}

#[test]
fn positions_of_no_game_are_refused() {
    let cases = [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings instead of one"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has 0 kings instead of one"),
        ("4k3/8/8/8/8/8/8/K1K5 w - - 0 1", "White has 2 kings instead of one"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn stands on h1, on the first or last rank"),
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", "White has 17 pieces, more than 16"),
        (
            "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/K1k5 w - - 0 1",
            "White has 33 pieces, more than 16",
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/1N1QKQ2 w - - 0 1",
            "White has too many promoted pieces: 1 beside 8 pawns",
        ),
        (
            "2b1k1b1/pppppppp/4b3/8/8/8/8/4K3 w - - 0 1",
            "Black has too many promoted pieces: 2 beside 8 pawns",
        ),
        (
            "4k3/8/8/8/8/8/8/1R2KRR1 w GF - 0 1",
            "White has two castling rights on the same side of the king",
        ),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black is in check but it is not its turn"),
        ("8/8/8/8/8/8/8/Kk6 w - - 0 1", "Black is in check but it is not its turn"),
        ("4k3/8/8/8/1b2r3/5n2/8/4K3 w - - 0 1", "White is in check by more than two pieces"),
    ];
    for (text, expected) in cases {
        let error = Position::from_fen(text).unwrap_err();
        assert!(matches!(error, FenError::Setup(_)), "{text}: {error}");
        assert_eq!(error.to_string(), expected, "{text}");
        assert_eq!((error.field(), error.column()), (None, None));
    }
}

/// No move gives the last two, but public test positions hold such checks and play on from them
/// is well defined.
#[test]
fn double_checks_are_accepted() {
    for text in [
        "4k3/8/8/8/1b2r3/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/4r3/5n2/8/4K3 w - - 0 1",
        "4k3/8/8/8/4r3/8/5p2/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/r3K2r w - - 0 1",
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
    ] {
        assert_eq!(position(text).checkers().len(), 2, "{text}");
    }
}

#[test]
fn what_repair_would_change_is_refused_unrepaired() {
    let start = Setup::from(&Position::startpos());
    let refuse = |change: fn(&mut Setup), expected: SetupError| {
        let mut setup = start.clone();
        change(&mut setup);
        assert_eq!(Position::from_setup(&setup).unwrap_err(), expected);
        assert_eq!(setup.repair().len(), 1);
        assert!(Position::from_setup(&setup).is_ok());
    };
    refuse(
        |setup| setup.castling = setup.castling.with(Square::E4),
        SetupError::CastlingRight(Square::E4),
    );
    refuse(|setup| setup.en_passant = Some(Square::E6), SetupError::EnPassant(Square::E6));
    refuse(
        |setup| setup.fullmove_number = 0,
        SetupError::Counter { field: tamarin_movegen::FenField::FullmoveNumber, value: 0 },
    );
    refuse(
        |setup| setup.halfmove_clock = 10_000,
        SetupError::Counter { field: tamarin_movegen::FenField::HalfmoveClock, value: 10_000 },
    );
}

#[test]
fn the_most_moves_fit() {
    assert_eq!(position(MOST_MOVES).legal_moves().len(), 218);
}

/// Counters beyond the range of eight bits and near the largest, and long games from there.
#[test]
fn counters_go_on_from_their_largest_value() {
    for clock in [99, 100, 127, 128, 254, 255, 256, 9_998, 9_999] {
        let text = format!("4k2r/8/8/8/8/8/8/4K2R w - - {clock} {clock}");
        let mut position = position(&text);
        assert_eq!(position.to_string(), text);
        for (ply, uci) in ["h1g1", "h8g8", "g1h1", "g8h8"].iter().cycle().take(300).enumerate() {
            position.try_make_uci(uci).unwrap();
            assert_eq!(usize::from(position.halfmove_clock()), clock + ply + 1);
            assert_eq!(usize::from(position.fullmove_number()), clock + ply.div_ceil(2));
        }
        let setup = Setup::from(&position);
        assert!(setup.halfmove_clock <= MAX_COUNTER && setup.fullmove_number <= MAX_COUNTER);
        assert!(Position::from_setup(&setup).is_ok());
    }
}

/// Each prefix, and each text with something inserted or one character replaced.
#[test]
fn every_damaged_text_is_read_or_refused_without_panic() {
    let texts = [
        START,
        MOST_MOVES,
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 12 34",
    ];
    for text in texts {
        for end in 0..=text.len() {
            checks::fen(&text.as_bytes()[..end]);
            for inserted in ["", "8", "K", "/", " ", "é", "-", "9999999999"] {
                checks::fen(format!("{}{inserted}{}", &text[..end], &text[end..]).as_bytes());
                let rest = text.get(end + 1..).unwrap_or("");
                checks::fen(format!("{}{inserted}{rest}", &text[..end]).as_bytes());
            }
        }
    }
}

/// A board of a few random pieces, half the time with a pawn that looks as if it had just stepped.
fn random_setup(rng: &mut TestRng) -> Setup {
    let mut setup = Setup::empty();
    setup.side_to_move = Color::ALL[rng.random_range(0..2)];
    // Mostly sliders, pawns and knights; kings among them now and then.
    for _ in 0..rng.random_range(0..10) {
        let pieces = if rng.random_ratio(1, 50) { 12 } else { 10 };
        setup.pieces[Square::ALL[rng.random_range(0..64)]] =
            Some(Piece::ALL[rng.random_range(0..pieces)]);
    }
    let extra = if rng.random_ratio(1, 60) { 40 } else { 0 };
    for _ in 0..extra {
        setup.pieces[Square::ALL[rng.random_range(0..64)]] =
            Some(Piece::ALL[rng.random_range(0..10)]);
    }
    for king in [Piece::WhiteKing, Piece::BlackKing] {
        if !rng.random_ratio(1, 100) {
            setup.pieces[Square::ALL[rng.random_range(0..64)]] = Some(king);
        }
    }
    // One setup in twenty keeps its pawns on the back ranks.
    for square in Square::ALL {
        let is_pawn = setup.pieces[square].is_some_and(|piece| piece.kind() == PieceKind::Pawn);
        if is_pawn
            && matches!(square.rank(), Rank::First | Rank::Eighth)
            && !rng.random_ratio(1, 20)
        {
            setup.pieces[square] = None;
        }
    }
    if rng.random() {
        let us = setup.side_to_move;
        let (file, side) = (rng.random_range(0..8), if rng.random() { 1 } else { -1 });
        let at = |rank: Rank| Square::new(File::ALL[file], rank.relative_to(us));
        setup.pieces[at(Rank::Sixth)] = None;
        setup.pieces[at(Rank::Seventh)] = None;
        setup.pieces[at(Rank::Fifth)] = Some(Piece::new(!us, PieceKind::Pawn));
        if let Some(beside) = at(Rank::Fifth).offset(side, 0) {
            setup.pieces[beside] = Some(Piece::new(us, PieceKind::Pawn));
        }
        setup.en_passant = Some(at(Rank::Sixth));
    }
    setup
}

/// What is refused is what shakmaty refuses, and an en passant square stays where it has a legal
/// capture. (Checks that no move gives are shakmaty's to refuse alone.)
#[test]
fn validation_agrees_with_shakmaty() {
    use shakmaty::{
        CastlingMode, Chess, EnPassantMode, Position as _, PositionErrorKinds, fen::Fen,
    };
    let refused = PositionErrorKinds::EMPTY_BOARD
        | PositionErrorKinds::MISSING_KING
        | PositionErrorKinds::TOO_MANY_KINGS
        | PositionErrorKinds::PAWNS_ON_BACKRANK
        | PositionErrorKinds::OPPOSITE_CHECK
        | PositionErrorKinds::TOO_MUCH_MATERIAL;
    let mut rng = seeded(0xFE4_0002);
    let (mut accepted, mut en_passant) = (0, 0);
    for _ in 0..50_000 {
        let fen = random_setup(&mut rng).to_string();
        let reference = fen.parse::<Fen>().unwrap().into_position::<Chess>(CastlingMode::Standard);
        let ours = Position::from_fen(&fen);
        let errors = match &reference {
            Ok(_) => PositionErrorKinds::empty(),
            Err(error) => error.kinds(),
        };
        if matches!(ours, Err(FenError::Setup(SetupError::TooManyCheckers(_)))) {
            assert!(errors.contains(PositionErrorKinds::IMPOSSIBLE_CHECK), "{fen}");
            continue;
        }
        assert_eq!(ours.is_err(), errors.intersects(refused), "{fen} {ours:?} {errors:?}");
        let Ok(position) = ours else { continue };
        accepted += 1;
        let reference = reference.or_else(shakmaty::PositionError::ignore_invalid_ep_square);
        if let Ok(reference) = reference {
            let theirs = reference.ep_square(EnPassantMode::Legal).map(|square| square.to_string());
            let ours = position.en_passant().map(|square| square.to_string());
            assert_eq!(ours, theirs, "{fen}");
            en_passant += usize::from(ours.is_some());
        }
    }
    assert!(accepted >= 20_000 && en_passant >= 5_000, "{accepted} {en_passant}");
    println!("{accepted} of 50000 setups accepted, {en_passant} with en passant");
}

proptest! {
    #[test]
    fn sparse_boards_are_read_or_refused(
        pieces in prop::collection::vec((0usize..64, 0usize..12), 0..12),
        kings in (0usize..64, 0usize..64),
        black in any::<bool>(),
        castling in any::<u64>(),
        en_passant in prop::option::of(0usize..64),
        counters in (any::<u32>(), any::<u32>()),
    ) {
        let mut setup = Setup::empty();
        for (square, piece) in pieces {
            setup.pieces[Square::ALL[square]] = Some(Piece::ALL[piece]);
        }
        setup.pieces[Square::ALL[kings.0]] = Some(Piece::WhiteKing);
        setup.pieces[Square::ALL[kings.1]] = Some(Piece::BlackKing);
        setup.side_to_move = if black { Color::Black } else { Color::White };
        setup.castling = tamarin_movegen::Bitboard(castling);
        setup.en_passant = en_passant.map(|square| Square::ALL[square]);
        (setup.halfmove_clock, setup.fullmove_number) = counters;
        setup.repair();
        prop_assert_eq!(setup.repair(), []);
        prop_assert_eq!(&Setup::parse(&setup.to_string()).unwrap().0, &setup);
        checks::fen(setup.to_string().as_bytes());
    }
}
