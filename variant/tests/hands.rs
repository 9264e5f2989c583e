//! Pieces in hand: what comes into it, where it is dropped, and how all that is written.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::variant::Crazyhouse;
use shakmaty::{CastlingMode, EnPassantMode, Position as _, fen::Fen, san::SanPlus, uci::UciMove};
use tamarin_variant::{Code, Color, Position, Reason, builtin, expand, hand, load, parse, picture};

use crate::common::{codes, play, remarks, texts};
use crate::long::long_or;

fn at(name: &str, fen: &str) -> Position {
    Position::from_fen(&builtin(name).unwrap(), fen).unwrap()
}

/// The squares on which a piece can be dropped.
fn drops(position: &Position, piece: &str) -> Vec<String> {
    let start = format!("{piece}@");
    let all = texts(position);
    all.iter().filter_map(|text| text.strip_prefix(&start).map(str::to_owned)).collect()
}

/// A game of the text with this start.
fn game(text: &str, fen: &str) -> Position {
    let source = format!("{text}\n@fen {fen}\n");
    let loaded = load(&source, None).unwrap_or_else(|remarks| panic!("{source}\n{remarks:?}"));
    assert_eq!(loaded.warnings, [], "{source}");
    Position::start(&loaded.game)
}

#[test]
fn crazyhouse_agrees_with_shakmaty() {
    let game = builtin("crazyhouse").unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut compared = 0;
    let wanted = long_or(20_000, 2_000);
    let mut seen_promoted = false;
    while compared < wanted {
        let mut ours = Position::start(&game);
        let mut theirs = Crazyhouse::default();
        for _ in 0..200 {
            let setup = Fen::from_position(&theirs, EnPassantMode::PseudoLegal);
            let placement = |fen: &str| fen.split('[').next().unwrap_or_default().to_owned();
            assert_eq!(placement(&ours.fen()), placement(&setup.to_string()));
            seen_promoted |= ours.fen().contains('~');
            let mut expected: Vec<String> = theirs
                .legal_moves()
                .into_iter()
                .map(|m| m.to_uci(CastlingMode::Standard).to_string())
                .collect();
            expected.sort_unstable();
            assert_eq!(texts(&ours), expected, "{}", ours.fen());
            compared += 1;
            let moves = ours.texts();
            if moves.is_empty() {
                assert_eq!(ours.in_check(), theirs.is_check());
                break;
            }
            let (text, m) = &moves[random.next_u64() as usize % moves.len()];
            let same = text.parse::<UciMove>().unwrap().to_move(&theirs).unwrap();
            if compared % 16 == 0 {
                // Theirs leaves out the letter of a pawn that is dropped.
                let san = SanPlus::from_move(theirs.clone(), same).to_string();
                assert_eq!(ours.parse_move(&san), Ok(*m), "{san}");
                let san = if san.starts_with('@') { format!("P{san}") } else { san };
                assert_eq!(ours.san(*m), san);
            }
            ours.make(*m);
            theirs.play_unchecked(same);
            // Their FEN is read as it is, hands included.
            let fen = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
            let read = Position::from_fen(&game, &fen).unwrap();
            for color in Color::ALL {
                assert_eq!(hand(&read, color), hand(&ours, color), "{fen}");
            }
        }
    }
    assert!(seen_promoted);
}

#[test]
fn pawns_are_dropped_neither_on_their_column_nor_to_mate() {
    let position = at("shogi", "4k4/9/9/9/9/9/P1P6/9/4K4[P] w - - 0 1");
    let columns: Vec<u8> =
        drops(&position, "P").iter().map(|square| square.as_bytes()[0]).collect();
    assert!(!columns.contains(&b'a') && !columns.contains(&b'c'), "{columns:?}");
    assert_eq!(columns.iter().filter(|&&column| column == b'b').count(), 8);
    // Nor on the last row, where it could never move.
    assert!(!drops(&position, "P").contains(&"b9".to_owned()));
    // A promoted pawn and one of the opponent are no pawns of one's own.
    let position = at("shogi", "4k4/9/9/9/9/9/+P1p6/9/4K4[P] w - - 0 1");
    let all = drops(&position, "P");
    assert!(all.contains(&"a5".to_owned()) && all.contains(&"c5".to_owned()), "{all:?}");

    // The king has no square, and nothing takes the pawn: not with a pawn, but with a gold.
    let mut position = at("shogi", "8k/9/8G/9/9/9/9/9/4K2R1[GP] w - - 0 1");
    assert!(!drops(&position, "P").contains(&"i8".to_owned()));
    let gold = position.parse_move("G@i8").unwrap();
    position.make(gold);
    assert_eq!(position.outcome().map(|outcome| outcome.reason), Some(Reason::Checkmate));
    // A pawn that is answered by capturing it may give check.
    let position = at("shogi", "7gk/9/8G/9/9/9/9/9/4K2R1[P] w - - 0 1");
    assert!(drops(&position, "P").contains(&"i8".to_owned()));
}

#[test]
fn drops_answer_checks() {
    let position = at("crazyhouse", "4k3/8/8/8/8/5n2/5PPP/6K1[NP] w - - 0 1");
    assert!(position.in_check());
    assert_eq!(texts(&position), ["g1f1", "g1h1", "g2f3"]);
    let position = at("crazyhouse", "4k3/8/8/8/8/8/5PPP/r5K1[NP] w - - 0 1");
    assert_eq!(drops(&position, "N"), ["b1", "c1", "d1", "e1", "f1"]);
    assert_eq!(drops(&position, "P"), [""; 0]);
    // Between a cannon and the king a piece gives the check that was none.
    let cannon = "@royal k\n@hand\nk W1F1\nc mWcpW drop\np fW1 drop\n";
    let position = game(cannon, "4c2k/8/8/8/8/8/8/4K3[PP] w");
    let forbidden = drops(&position, "P").into_iter().filter(|square| square.starts_with('e'));
    assert_eq!(forbidden.count(), 0);
}

#[test]
fn texts_of_drops() {
    let position = at("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Ppn] w - - 0 1");
    let m = position.parse_move("P@e4").unwrap();
    assert_eq!((position.text(m), position.san(m)), ("P@e4".into(), "P@e4".into()));
    assert_eq!((m.origin(), m.dropped()), (None, Some(5)));
    for text in ["p@e4", "@e4", "P@e4+"] {
        assert_eq!(position.parse_move(text), Ok(m), "{text}");
    }
    for text in ["N@e4", "P@e1", "P@e8", "P@", "@", "P@e9", "e4"] {
        assert!(position.parse_move(text).is_err(), "{text}");
    }
    let black = at("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Ppn] b - - 0 1");
    let check = black.parse_move("N@f3").unwrap();
    assert_eq!((black.text(check), black.san(check)), ("N@f3".into(), "N@f3+".into()));
    assert_eq!(black.explicit(check), ("hand n -> ($2 $5)".into(), String::new()));
    assert_eq!(black.parse_explicit("hand n -> (2 5)", ""), Ok(check));
    let long = game("@royal none\n@hand\npawn fW1 drop\n", "1/1/1[<w:pawn>] w");
    assert_eq!(texts(&long), ["pawn@a1", "pawn@a2", "pawn@a3"]);
    assert_eq!(long.fen(), "1/1/1[<w:pawn>] w - - 0 1");
}

#[test]
fn hands_in_fens_and_pictures() {
    let fen = "4k3/8/8/8/8/8/8/4K3[QPPnpp] w - - 0 1";
    let position = at("crazyhouse", fen);
    assert_eq!(position.fen(), fen);
    let black = "In hand: n 2p\n";
    let white = "In hand: Q 2P\n";
    let text = picture(&position, Color::White);
    assert!(text.starts_with(black) && text.ends_with(white), "{text}");
    let turned = picture(&position, Color::Black);
    assert!(turned.starts_with(white) && turned.ends_with(black), "{turned}");
    assert!(!picture(&Position::start(&builtin("fide").unwrap()), Color::White).contains("hand"));
    // An empty hand may be left out or be written in other ways.
    for hands in ["", "[]", "[-]"] {
        let read = at("crazyhouse", &format!("4k3/8/8/8/8/8/8/4K3{hands} w"));
        assert_eq!(read.fen(), "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
    }
    // Shogi without the fields that say nothing there.
    let read = at("shogi", "4k4/9/9/9/9/9/9/9/4K4[Rbp] b 3 7");
    assert_eq!(read.fen(), "4k4/9/9/9/9/9/9/9/4K4[Rbp] b - - 3 7");
    let game = builtin("crazyhouse").unwrap();
    for hands in ["[K]", "[x]", "[3]", "[P", "[<w:pawn>]", "[p~"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3{hands} w");
        assert!(Position::from_fen(&game, &fen).is_err(), "{hands}");
    }
    let many = format!("4k3/8/8/8/8/8/8/4K3[{}] w", "P".repeat(256));
    assert!(Position::from_fen(&game, &many).is_err());
    // A game without hands takes none.
    let fide = builtin("fide").unwrap();
    assert!(Position::from_fen(&fide, "4k3/8/8/8/8/8/8/4K3[P] w").is_err());
    assert!(Position::from_fen(&fide, "4k3/8/8/8/8/8/8/Q~3K3 w").is_err());
}

/// Moves, SAN and FENs of gating as Fairy-Stockfish writes them, but for the order of hands.
#[test]
fn gated_pieces_come_onto_the_squares_that_are_left() {
    let start = "r1bqk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R[HEhe] w KQBCDkqcd - 0 1";
    let position = at("seirawan", start);
    assert_eq!(position.fen(), start);
    let cases = [
        ("e1f1", "Kf1", "RNBQ1K1R[HEhe] b ABCDHkqcd - 1 1"),
        ("e1f1e", "Kf1/E", "RNBQEK1R[Hhe] b ABCDHkqcd - 0 1"),
        ("e1g1", "O-O", "RNBQ1RK1[HEhe] b ABCDkqcd - 1 1"),
        ("e1g1h", "O-O/He1", "RNBQHRK1[Ehe] b ABCDkqcd - 0 1"),
        ("h1e1e", "O-O/Eh1", "RNBQ1RKE[Hhe] b ABCDkqcd - 0 1"),
        ("h1g1", "Rg1", "RNBQK1R1[HEhe] b QBCDkqcd - 1 1"),
    ];
    for (text, san, after) in cases {
        let m = position.parse_move(text).unwrap();
        assert_eq!((position.text(m), position.san(m)), (text.to_owned(), san.to_owned()));
        assert_eq!(position.parse_move(san), Ok(m));
        let mut next = position.clone();
        next.make(m);
        let board = "r1bqk2r/pppppppp/8/8/8/8/PPPPPPPP/";
        assert_eq!(next.fen(), format!("{board}{after}"), "{text}");
        next.unmake();
        assert!(next.same_as(&position), "{text}");
    }
    let m = position.parse_move("h1e1e").unwrap();
    let effects = "($0 $7) -> ($0 $5) hand e -> ($0 $7)";
    assert_eq!(position.explicit(m), ("($0 $4) -> ($0 $6)".to_owned(), effects.to_owned()));
    // What is gated does not shield the king that the move leaves in check.
    let pinned = at("seirawan", "4k3/8/8/8/8/8/8/KN5r[HE] w B - 0 1");
    assert_eq!(texts(&pinned), ["a1a2", "a1b2"]);
    // Which squares are left untouched matters as long as there is something to gate.
    let shuffled = |hand: &str| {
        let mut position = at("seirawan", &format!("4k3/8/8/8/8/8/8/4K1N1[{hand}] w G - 0 1"));
        let before = position.key();
        play(&mut position, &["g1f3", "e8e7", "f3g1", "e7e8"]);
        position.key() == before
    };
    assert_eq!(["H", "", "h"].map(shuffled), [false, true, true]);
    let idle = "@extends fide\n@gating q\n";
    assert_eq!(codes(idle), [Code::IdleHand]);
}

#[test]
fn keys_know_hands() {
    let keys: Vec<u64> = ["", "P", "PP", "p", "N", "Pp"]
        .iter()
        .map(|hands| at("crazyhouse", &format!("4k3/8/8/8/8/8/8/4K3[{hands}] w")).key())
        .collect();
    let mut different = keys.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), keys.len());
    let fen = "4k3/8/8/8/8/8/8/4K3[PPn] w - - 0 1";
    let empty = at("crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w");
    let set = empty.with_hand(Color::White, 5, 2).with_hand(Color::Black, 4, 1);
    assert!(set.same_as(&at("crazyhouse", fen)), "{set:?}");
}

/// Captured and dropped again, a position comes back, though both are progress.
#[test]
fn positions_repeat_across_captures() {
    let mut position = game("@royal none\n@hand\n@nmove none\na W1 drop\n", "Aaa1[] w");
    let before = position.key();
    for _ in 0..2 {
        play(&mut position, &["a1b1", "c1b1", "A@a1"]);
        assert_ne!(position.key(), before);
        play(&mut position, &["A@c1"]);
    }
    assert_eq!((position.key(), position.halfmoves()), (before, 0));
    assert_eq!(position.occurrences(), 3);
    assert_eq!(position.outcome().map(|outcome| outcome.reason), Some(Reason::Repetition));
    // Nothing before a pass counts.
    position.make_null();
    position.unmake();
    assert_eq!(position.occurrences(), 3);
    position.make_null();
    position.make_null();
    assert_eq!((position.key(), position.occurrences()), (before, 1));
}

#[test]
fn hands_by_rules() {
    // What cannot be dropped leaves the game.
    let mut position = game("@royal none\n@hand\na W1 drop\nb W1\n", "bA/2[] w");
    play(&mut position, &["b2a2"]);
    assert_eq!(hand(&position, Color::White), None);
    // Only what is given at the start.
    let mut position = game("@royal none\n@hand given\na W1 drop\n", "aA/2[A] w");
    play(&mut position, &["b2a2"]);
    assert_eq!(hand(&position, Color::White).as_deref(), Some("A"));
    // An effect on the piece that is dropped, and on others.
    let text = "@royal none\n@hand\n@nmove none\na W1 +hot drop {-conditions (0 1) opponent \
                -effects . -> (0 1)}\nb {-square (1 0) -conditions (0 0) *hot} drop hot\n";
    let mut position = game(text, "2/1b[AA] w");
    assert_eq!(drops(&position, "A"), ["a1"]);
    play(&mut position, &["A@a1"]);
    assert_eq!(
        (hand(&position, Color::White).as_deref(), position.fen().as_str()),
        (Some("A B"), "2/A1[AB] b - - 0 1 {a1:}")
    );
    // Taken over from another game and switched off.
    let off = load("@extends crazyhouse\n@hand none\n", None).unwrap();
    assert!(!off.game.has_hands());
    assert_eq!(
        Position::start(&off.game).fen().split(' ').next(),
        Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    );
}

#[test]
fn a_piece_that_is_moved_on_stays_on_the_board() {
    let push = "-square (0 0) -conditions (1 0) opponent (2 0) empty -effects (1 0) -> (2 0)";
    let text = format!("@royal none\n@hand\ne {{{push} (0 0) -> (1 0)}}\np fW1 drop");
    let mut pushed = game(&text, "4/1p2/1E2/4 w");
    play(&mut pushed, &["b2b2"]);
    assert!(pushed.fen().starts_with("1p2/1E2/4/4[] b"), "{}", pushed.fen());
}

#[test]
fn no_mate_binds_any_move() {
    let text = "@royal k\nk W1F1\nr W\n\
                q {-vars a in <1,7> b in <1,a) -square (a 0) -conditions (b 0) empty (a 0) empty nomate}\n  \
                {-vars a in <1,7> b in <1,a) -square (0 a) -conditions (0 b) empty}\n";
    let position = game(text, "7k/6R1/8/8/8/8/8/Q5RK w");
    let upward = |position: &Position| {
        let all = texts(position);
        all.into_iter().filter(|text| text.starts_with("a1a")).collect::<Vec<_>>()
    };
    assert_eq!(upward(&position), ["a1a2", "a1a3", "a1a4", "a1a5", "a1a6", "a1a7"]);
    // Without the rook that guards the other it is no mate.
    let position = game(text, "7k/6R1/8/8/8/8/8/Q6K w");
    assert_eq!(upward(&position).last().map(String::as_str), Some("a1a8"));
}

#[test]
fn drops_are_read_and_printed() {
    let source = "@hand\n@royal none\n@fen 3/3[Aa] w\n\na W1 drop [ROW = 0]|[COL = 1] \
                  {-vars b in <0,1> -conditions (b 0) !=c nomate}\n\nb F1 drop hand a *hot hot\n\nc W1 \
                  hand b drop nomate\n";
    let parsed = parse(source);
    assert_eq!(parsed.remarks, []);
    let printed = parsed.file.to_string();
    assert!(
        printed
            .contains("drop [ROW = 0]|[COL = 1] {-vars b in <0,1> -conditions (b 0) !=c nomate}"),
        "{printed}"
    );
    assert!(printed.contains("b F1\n  drop hand a *hot hot"), "{printed}");
    assert_eq!(parse(&printed).file, parsed.file, "{printed}");
    // The zone and `nomate` may change places.
    let pieces = |drop: &str| {
        let text = format!("@hand\n@royal none\n@fen 3/3[A] w\na W1 drop {drop}\n");
        assert_eq!(remarks(&text), [], "{drop}");
        expand(&text, None).unwrap()[0].1.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let wanted = pieces("{-conditions [ROW = 0] nomate}");
    for drop in ["nomate [ROW = 0]", "[ROW = 0] nomate", "[ROW = 0] nomate {-conditions nomate}"] {
        assert_eq!(pieces(drop), wanted, "{drop}");
    }
}

#[test]
fn braces_on_the_line_after_a_drop_are_those_of_a_move() {
    for drop in ["drop", "drop nomate", "drop [ROW < 3]", "drop [ROW < 3] nomate"] {
        let text = format!("@royal none\n@hand\na W1 {drop}\n  {{-square (2 0)}}\n");
        let position = game(&text, "3/3/A2[] w");
        assert!(texts(&position).contains(&"a1a3".to_owned()), "{drop}");
    }
}

#[test]
fn remarks_about_hands() {
    let place = |source: &str| {
        let all = remarks(source);
        let [remark] = all.as_slice() else { panic!("{source}: {all:?}") };
        (remark.code, remark.span.line, remark.span.column)
    };
    assert_eq!(place("@royal none\na W1 drop\n@fen A1"), (Code::IdleHand, 2, 6));
    assert_eq!(place("@royal none\n@hand\na W1\n@fen A1"), (Code::IdleHand, 2, 1));
    assert_eq!(place("@hand maybe\n@royal none\na W1 drop\n@fen A1"), (Code::DirectiveValue, 1, 7));
    assert_eq!(place("@hand\n@royal none\na W1 drop hand q\n@fen A1"), (Code::UnknownPiece, 3, 16));
    assert_eq!(
        place("@hand\n@royal none\na W1 drop hand a *x\n@fen A1"),
        (Code::UnknownFlag, 3, 19)
    );
    assert_eq!(
        place("@hand\n@royal none\na W1 drop {-square (1 0)}\n@fen A1"),
        (Code::Syntax, 3, 20)
    );
    assert_eq!(
        place("@hand\n@royal none\na W1 drop {-conditions (0 0) !=q}\n@fen A1"),
        (Code::UnknownPiece, 3, 32)
    );
    assert_eq!(
        place("@hand\n@royal none\na W1 drop [ROW = 9]\n@fen A1"),
        (Code::UnreachableMove, 3, 6)
    );
    let many: String = ('a'..='q').map(|name| format!("{name} W1 drop\n")).collect();
    assert_eq!(codes(&format!("@hand\n@royal none\n{many}@fen A1")), [Code::TooMany]);
}
