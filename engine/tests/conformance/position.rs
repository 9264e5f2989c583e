//! Positions and moves.

use crate::support::check::sound;
use crate::support::info::Score;
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle, PATIENCE};

/// The `Fen:` line of `d`.
fn fen(engine: &mut Engine) -> String {
    engine.send("d");
    let lines = engine.until("Fen:");
    let text = lines[lines.len() - 1].text.trim_start_matches("Fen: ").to_owned();
    engine.until("Checkers:");
    text
}

/// The legal moves according to `go perft 1`, sorted.
fn moves(engine: &mut Engine) -> Vec<String> {
    engine.send("go perft 1");
    let lines = engine.until_line("Nodes", PATIENCE, |text| text.starts_with("Nodes searched: "));
    let moves = lines.iter().filter_map(|line| line.text.split_once(": 1"));
    let mut all: Vec<_> = moves.map(|(mv, _)| mv.to_owned()).filter(|mv| mv.len() <= 5).collect();
    all.sort();
    all
}

fn expected(fen: &str, notation: Notation) -> Vec<String> {
    let mut all = Oracle::new(fen, notation).legal();
    all.sort();
    all
}

#[test]
fn every_way_to_write_a_position_is_understood() {
    let mut engine = Engine::ready();
    let full = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let ways = [
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - -",
        "position fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"",
    ];
    for way in ways {
        engine.send("position startpos");
        engine.notes(way);
        assert_eq!(fen(&mut engine), full, "{way}");
    }
    engine.notes("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4 e8d7");
    assert_eq!(fen(&mut engine), "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2");
    engine.quietly("position startpos moves");
    assert!(fen(&mut engine).starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"));
    engine.quit();
}

#[test]
fn go_without_a_position_searches_the_start() {
    let mut engine = Engine::start();
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn castling_rights_are_read_in_every_style() {
    let mut engine = Engine::ready();
    engine.send("setoption name UCI_Chess960 value true");
    // The same rights as KQkq, as Shredder letters, and with inner rooks in X-FEN.
    let cases = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        "rr2k3/8/8/8/8/8/8/RR2K1RR w GBb - 0 1",
    ];
    for case in cases {
        engine.quietly(&format!("position fen {case}"));
        assert_eq!(moves(&mut engine), expected(case, Notation::Chess960), "{case}");
    }
    engine.quit();
}

#[test]
fn an_en_passant_square_that_nobody_uses_is_dropped() {
    let mut engine = Engine::ready();
    let cases = [
        // After 1.e4: no black pawn stands beside.
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        // The square is not behind a pawn that could just have moved there.
        "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
    ];
    for case in cases {
        engine.notes(&format!("position fen {case}"));
        let found = fen(&mut engine);
        assert!(found.split(' ').nth(3) == Some("-"), "{case} became {found}");
        engine.go("go depth 3");
    }
    // One that is of use stays, and so does the capture.
    engine.quietly("position fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert!(moves(&mut engine).contains(&"e5d6".to_owned()));
    engine.quit();
}

/// Positions that no game reaches, and texts that are none.
pub const IMPOSSIBLE: [&str; 26] = [
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/8/4K3 w - - 0 1",
    "4kk2/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
    "kK6/8/8/8/8/8/8/8 w - - 0 1",
    "rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w !!!! - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1",
    "startpos",
    "blah",
    "rnbqkbnr",
    "w - -",
    "",
];

#[test]
fn impossible_positions_are_refused_and_leave_no_position() {
    let mut engine = Engine::ready();
    for case in IMPOSSIBLE {
        engine.quietly("position startpos");
        let notes = engine.notes(&format!("position fen {case}"));
        assert_eq!(notes.len(), 1, "{case:?}: {notes:?}");
        assert!(notes[0].starts_with("error: "), "{case:?}: {notes:?}");
        let search = engine.go("go depth 3");
        assert_eq!(search.best, "0000", "{case:?} searched something");
        assert_eq!(engine.go("go infinite").best, "0000", "{case:?}");
    }
    engine.quietly("position startpos moves e2e4");
    sound(&engine.go("go depth 2"), &Oracle::startpos().after(&["e2e4"]));
    engine.quit();
}

#[test]
fn what_a_fen_only_claims_is_repaired_with_one_note() {
    let mut engine = Engine::ready();
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 0", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - -5 3", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 3"),
    ];
    for (case, wanted) in cases {
        let notes = engine.notes(&format!("position fen {case}"));
        assert_eq!(notes.len(), 1, "{case}: {notes:?}");
        assert!(!notes[0].starts_with("error"), "{case}: {notes:?}");
        assert_eq!(fen(&mut engine), wanted);
    }
    engine.notes("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 99999999999999 99999999999999");
    let root = Oracle::new("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Notation::Classic);
    assert!(root.is_legal(&engine.go("go depth 2").best));
    engine.quit();
}

#[test]
fn an_illegal_move_rejects_the_whole_command() {
    let mut engine = Engine::ready();
    let bad = [
        "position startpos moves e2e4 e7e5 e4e5",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e7e5",
        "position startpos moves 0000",
        "position startpos moves e1g1",
        "position startpos moves e2e4q",
        "position startpos moves e2e4 nonsense",
        "position startpos moves é2e4",
    ];
    for line in bad {
        engine.quietly("position startpos moves d2d4");
        let notes = engine.notes(line);
        assert_eq!(notes.len(), 1, "{line}: {notes:?}");
        assert!(notes[0].starts_with("error: "), "{line}: {notes:?}");
        assert_eq!(engine.go("go depth 1").best, "0000", "{line} left a position");
    }
    engine.quietly("position startpos");
    sound(&engine.go("go depth 1"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn positions_may_follow_each_other() {
    let mut engine = Engine::ready();
    let mut played = Vec::new();
    for mv in ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4"] {
        played.push(mv);
        engine.quietly(&format!("position startpos moves {}", played.join(" ")));
    }
    sound(&engine.go("go depth 3"), &Oracle::startpos().after(&played));
    engine.quit();
}

#[test]
fn the_game_counts_for_repetition() {
    let mut engine = Engine::ready();
    // Black is a queen up and goes back and forth. The position of the start would come for the
    // third time with the eighth ply.
    let start = "6k1/5ppp/8/8/8/5q2/5P1K/8 w - - 0 1";
    let dance = ["h2g1", "f3d1", "g1h2", "d1f3", "h2g1", "f3d1", "g1h2"];
    for (plies, is_draw) in [(3, false), (7, true)] {
        engine.send(&format!("position fen {start} moves {}", dance[..plies].join(" ")));
        let search = engine.go("go depth 4 searchmoves d1f3");
        match search.last().score {
            Score::Cp(0) => assert!(is_draw, "a draw after {plies} plies"),
            score => assert!(!is_draw, "{score:?} after {plies} plies"),
        }
    }
    engine.quit();
}

#[test]
fn a_drawn_root_still_gets_a_legal_move() {
    let mut engine = Engine::ready();
    let roots = [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 150 90",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K1N1 b - - 99 90",
    ];
    for root in roots {
        engine.notes(&format!("position fen {root}"));
        let fen = root.replace(" 150 ", " 100 ");
        let search = engine.go("go depth 4");
        assert!(Oracle::new(&fen, Notation::Classic).is_legal(&search.best), "{root}");
    }
    engine.quit();
}

#[test]
fn moves_are_lower_case_and_read_in_either() {
    let mut engine = Engine::ready();
    let root = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    engine.send(&format!("position fen {root}"));
    let search = engine.go("go depth 4 searchmoves e7e8q");
    assert_eq!(search.best, "e7e8q");
    for spelling in ["e7e8Q", "e7e8q", "E7E8Q"] {
        engine.quietly(&format!("position fen {root} moves {spelling}"));
        assert!(fen(&mut engine).starts_with("4Q3/6k1/8/8/8/8/8/4K3 b"), "{spelling}");
    }
    engine.quietly(&format!("position fen {root} moves e7e8n"));
    assert!(fen(&mut engine).starts_with("4N3/6k1/8/8/8/8/8/4K3 b"));
    engine.quit();
}

#[test]
fn castling_is_read_in_both_spellings_and_printed_in_the_one_asked_for() {
    let mut engine = Engine::ready();
    let root = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (mode, short, long) in [("false", "e1g1", "e1c1"), ("true", "e1h1", "e1a1")] {
        engine.quietly(&format!("setoption name UCI_Chess960 value {mode}"));
        for spelling in ["e1g1", "e1h1"] {
            engine.quietly(&format!("position fen {root} moves {spelling}"));
            assert!(fen(&mut engine).starts_with("r3k2r/8/8/8/8/8/8/R4RK1 b"), "{mode} {spelling}");
            engine.quietly(&format!("position fen {root}"));
            assert_eq!(engine.go(&format!("go depth 2 searchmoves {spelling}")).best, short);
        }
        for spelling in ["e1c1", "e1a1"] {
            engine.quietly(&format!("position fen {root} moves {spelling}"));
            assert!(fen(&mut engine).starts_with("r3k2r/8/8/8/8/8/8/2KR3R b"), "{mode} {spelling}");
            engine.quietly(&format!("position fen {root}"));
            assert_eq!(engine.go(&format!("go depth 2 searchmoves {spelling}")).best, long);
        }
    }
    engine.quit();
}

#[test]
fn a_king_move_stays_one_where_castling_ends_on_the_same_square() {
    let mut engine = Engine::ready();
    engine.send("setoption name UCI_Chess960 value true");
    let root = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    engine.quietly(&format!("position fen {root} moves f1g1"));
    assert!(fen(&mut engine).starts_with("4k3/8/8/8/8/8/8/6KR b"));
    engine.quietly(&format!("position fen {root} moves f1h1"));
    assert!(fen(&mut engine).starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
    engine.quit();
}

#[test]
fn a_chess960_position_without_the_option_is_still_played_right() {
    let mut engine = Engine::ready();
    let roots = [
        "4k3/8/8/8/8/8/8/2K4R w H - 0 1",
        "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];
    for root in roots {
        engine.quietly(&format!("position fen {root}"));
        assert_eq!(moves(&mut engine), expected(root, Notation::Classic), "{root}");
        sound(&engine.go("go depth 4"), &Oracle::new(root, Notation::Classic));
    }
    engine.quietly("position fen 4k3/8/8/8/8/8/8/2K4R w H - 0 1");
    assert_eq!(engine.go("go depth 2 searchmoves c1h1").best, "c1h1");
    engine.quit();
}

#[test]
fn commands_during_a_search_wait_and_none_is_lost() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.until("info");
    engine.send("position startpos moves e2e4\nsetoption name MultiPV value 2\ngo depth 3");
    engine.no_bestmove_for(std::time::Duration::from_millis(50));
    engine.send("stop");
    sound(&engine.search(), &Oracle::startpos());
    let second = engine.search();
    sound(&second, &Oracle::startpos().after(&["e2e4"]));
    assert_eq!(second.infos.iter().filter(|info| info.depth == 3).count(), 2);
    engine.quit();
}

#[test]
fn two_searches_in_one_write_give_two_moves() {
    let mut engine = Engine::ready();
    engine.send_bytes(
        b"position startpos\ngo infinite\nstop\nposition startpos moves e2e4\ngo infinite\nstop\n",
    );
    sound(&engine.search(), &Oracle::startpos());
    sound(&engine.search(), &Oracle::startpos().after(&["e2e4"]));
    engine.quietly("position startpos");
    engine.quit();
}
