//! Algebraic notation against shakmaty, and what lenient reading accepts and refuses.

use crate::games::{RICH, TestRng, play_randomly, seeded};
use rand::RngExt;
use rand::seq::IndexedRandom;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove as ReferenceMove};
use tamarin_movegen::{
    CastlingNotation, CastlingStyle, IllegalMove, Move, Position, SanError, Square,
};

/// How many moves of random games each kind of start contributes.
const MOVES: usize = 25_000;

fn reference(position: &Position) -> Chess {
    let fen: Fen = position.fen(CastlingStyle::Shredder).parse().unwrap();
    fen.into_position(CastlingMode::Chess960).unwrap()
}

/// Each move in and out: the same text as shakmaty's, and back.
fn compare(position: &Position, moves: &[Move]) -> usize {
    let reference = reference(position);
    for &mv in moves {
        let uci = position.uci(mv, CastlingNotation::KingTakesRook).to_string();
        let uci: ReferenceMove = uci.parse().unwrap();
        let expected =
            SanPlus::from_move(reference.clone(), uci.to_move(&reference).unwrap()).to_string();
        assert_eq!(position.san(mv).as_str(), expected, "{position} {mv:?}");
        check_readings(position, mv, &expected);
    }
    moves.len()
}

/// The text and its sloppier spellings all read as this move.
fn check_readings(position: &Position, mv: Move, text: &str) {
    let bare = text.trim_end_matches(['+', '#']);
    let mut spellings = vec![text.to_owned(), format!(" {bare}!? "), bare.replace('x', "")];
    if mv.is_castle() {
        spellings.push(bare.replace('O', "0"));
        spellings.push(bare.replace('O', "o"));
    } else {
        spellings.push(bare.replace('=', ""));
        spellings.push(bare.replace('x', ":"));
        if let Some((push, kind)) = bare.split_once('=') {
            spellings.push(format!("{push}({kind})"));
            spellings.push(format!("{push}{}", kind.to_lowercase()));
        }
        let letter: String = text.chars().filter(|c| "NBRQK".contains(*c)).take(1).collect();
        let letter = if text.starts_with(&letter) { letter } else { String::new() };
        let promotion = bare.split_once('=').map_or("", |(_, kind)| kind);
        for separator in ["", "-", "x"] {
            spellings.push(format!("{letter}{}{separator}{}{promotion}", mv.from(), mv.to()));
        }
    }
    if mv.is_en_passant() {
        spellings.push(format!("{text} e.p."));
        spellings.push(format!("{bare}e.p."));
        spellings.push(format!("{bare} ep"));
    }
    for spelling in spellings {
        let read = position.parse_san(&spelling);
        assert_eq!(read.as_ref(), Ok(&mv), "{position} {spelling:?}");
    }
}

fn compare_games(seed: u64, mut start: impl FnMut(&mut TestRng) -> Position) {
    let mut rng = seeded(seed);
    let (mut played, mut compared) = (0, 0);
    while played < MOVES {
        let start = start(&mut rng);
        play_randomly(&mut rng, &start, 200, |position, chosen| {
            // Every move played, and in every fourth position all that could have been.
            compared += match played % 4 {
                0 => compare(position, &position.legal_moves()),
                _ => compare(position, &[chosen]),
            };
            played += 1;
        });
    }
    println!("{played} moves of random games, {compared} texts compared");
}

#[test]
fn standard_games_agree_with_shakmaty() {
    compare_games(0x5A4E_0001, |rng| match rng.random() {
        true => Position::from_fen(RICH.choose(rng).unwrap()).unwrap(),
        false => Position::startpos(),
    });
}

#[test]
fn chess960_games_agree_with_shakmaty() {
    compare_games(0x5A4E_0002, |rng| {
        let white = rng.random_range(0..960);
        let black = if rng.random() { white } else { rng.random_range(0..960) };
        Position::double_chess960(white, black).unwrap()
    });
}

#[test]
fn disambiguation_names_no_more_than_needed() {
    let cases = [
        // A pinned rival does not count.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
        // Same file: the rank. Same file and same rank: both.
        ("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        ("6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        // A pawn's capture always names the file.
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "c4d5", "cxd5"),
        // Castling that gives check, and mate.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("3k4/7R/8/8/8/8/2R1R3/R3K3 w Q - 0 1", "e1c1", "O-O-O#"),
        ("7k/P5Q1/8/8/8/8/8/4K3 b - - 0 1", "h8g7", "Kxg7"),
    ];
    for (fen, uci, san) in cases {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.resolve(uci.parse().unwrap()).unwrap();
        assert_eq!(position.san(mv).as_str(), san, "{fen}");
    }
}

#[test]
fn errors_name_column_and_text() {
    let cases = [
        ("", "column 1: expected a piece letter, a file or castling, found \"\""),
        ("  ", "column 3: expected a piece letter, a file or castling, found \"\""),
        ("nf3", "column 1: expected a piece letter, a file or castling, found \"nf3\""),
        ("♘f3", "column 1: expected a piece letter, a file or castling, found \"♘f3\""),
        ("O", "column 2: expected '-', found \"\""),
        ("0-", "column 3: expected 'O', found \"\""),
        ("O-O-O-O", "column 6: expected the end of the move, found \"-O\""),
        ("N", "column 2: expected the target square, found \"\""),
        ("Nf", "column 3: expected the target square, found \"\""),
        ("Nf9", "column 3: expected the target square, found \"9\""),
        ("exd", "column 4: expected the rank of the target square, found \"\""),
        ("e4-", "column 4: expected the target square, found \"\""),
        ("e8=", "column 4: expected Q, R, B or N, found \"\""),
        ("e8=K", "column 4: expected Q, R, B or N, found \"K\""),
        ("e8(Q", "column 5: expected ')', found \"\""),
        ("e4 e5", "column 4: expected the end of the move, found \"e5\""),
        ("exd6 e.p. e.p.", "column 11: expected the end of the move, found \"e.p.\""),
        ("Nf3\u{0}", "column 4: expected the end of the move, found \"\\0\""),
        ("e5", "illegal move \"e5\": no piece can move that way"),
        ("Ke2", "illegal move \"Ke2\": no piece can move that way"),
        ("O-O", "illegal move \"O-O\": no piece can move that way"),
        ("e4=Q", "illegal move \"e4=Q\": it is not a promotion"),
    ];
    let position = Position::startpos();
    for (text, expected) in cases {
        let error = position.parse_san(text).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text:?}");
    }
}

#[test]
fn refused_moves_say_why() {
    let pinned = Position::from_fen("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1").unwrap();
    let error = pinned.parse_san("Nc3").unwrap_err();
    let reason = IllegalMove::KingInCheck;
    assert_eq!(error, SanError::Illegal { text: "Nc3".to_owned(), reason });

    let promotion = Position::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let error = promotion.parse_san("a8").unwrap_err();
    let reason = IllegalMove::PromotionMissing;
    assert_eq!(error, SanError::Illegal { text: "a8".to_owned(), reason });

    let knights = Position::from_fen("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1").unwrap();
    let error = knights.parse_san("Ne4").unwrap_err();
    let from = [Square::C3, Square::G3];
    assert_eq!(error, SanError::Ambiguous { text: "Ne4".to_owned(), from });
    assert_eq!(error.to_string(), "ambiguous move \"Ne4\": the piece may come from c3 or g3");
}

#[test]
fn a_bishop_is_not_a_file() {
    let position = Position::from_fen("2r1k3/1P6/8/8/8/2n5/1P3B2/4K3 w - - 0 1").unwrap();
    let uci = |text: &str| position.resolve(text.parse().unwrap()).unwrap();
    assert_eq!(position.parse_san("bxc3"), Ok(uci("b2c3")));
    assert_eq!(position.parse_san("bc3"), Ok(uci("b2c3")));
    assert_eq!(position.parse_san("b8b"), Ok(uci("b7b8b")));
    assert_eq!(position.parse_san("bxc8b+"), Ok(uci("b7c8b")));
    assert_eq!(position.parse_san("b7b8b"), Ok(uci("b7b8b")));
    assert_eq!(position.parse_san("Bd4"), Ok(uci("f2d4")));
    assert_eq!(position.parse_san("Pb4"), Ok(uci("b2b4")));
}
