//! Counts that independent programs agree on.
//!
//! Counts above a limit are left out: a million nodes, or what `TAMARIN_VARIANT_NODES` says.
//! `make prove-variants` counts all.

use tamarin_variant::{Game, Position, builtin, load, perft};

fn limit() -> u64 {
    let own = std::env::var("TAMARIN_VARIANT_NODES").ok().and_then(|text| text.parse().ok());
    own.unwrap_or(1_000_000)
}

/// Counts the nodes of the depths from `first` on and compares.
fn compare(game: &std::sync::Arc<Game>, fen: Option<&str>, first: u32, counts: &[u64]) {
    let mut position = match fen {
        Some(fen) => Position::from_fen(game, fen).unwrap(),
        None => Position::start(game),
    };
    for (depth, &expected) in (first..).zip(counts).filter(|(_, count)| **count <= limit()) {
        let found = perft(&mut position, depth);
        assert_eq!(found, expected, "{} {fen:?} at depth {depth}", game.title());
    }
}

/// A game that is built in, from depth 1.
fn check(name: &str, fen: Option<&str>, counts: &[u64]) {
    compare(&builtin(name).unwrap(), fen, 1, counts);
}

/// A game that a text describes.
fn check_text(text: &str, fen: Option<&str>, first: u32, counts: &[u64]) {
    let loaded = load(text, None).unwrap_or_else(|remarks| panic!("{text}\n{remarks:?}"));
    compare(&loaded.game, fen, first, counts);
}

#[test]
fn fide() {
    check("fide", None, &[20, 400, 8_902, 197_281, 4_865_609]);
    check("fide_thesis", None, &[20, 400, 8_902, 197_281, 4_865_609]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    check("fide", Some(kiwipete), &[48, 2_039, 97_862, 4_085_603]);
    check("fide", Some("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -"), &[14, 191, 2_812, 43_238]);
    let position4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    check("fide", Some(position4), &[6, 264, 9_467, 422_333]);
    let position5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
    check("fide", Some(position5), &[44, 1_486, 62_379, 2_103_487]);
    let position6 = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    check("fide", Some(position6), &[46, 2_079, 89_890]);
}

/// Counts of a plain program, written for them.
#[test]
fn remarkable_rookies() {
    check("rookies", None, &[24, 576, 15_667]);
    let open = "r3k2r/1P4P1/8/3Pp3/8/8/1p4p1/R3K2R w KQkq e6";
    check("rookies", Some(open), &[35, 742, 17_661]);
    let middle = "r3k2r/pp4pp/2nq4/3Pp3/2b2B2/4Q3/PP4PP/R3K1NR w KQkq e6";
    check("rookies", Some(middle), &[46, 2_070]);
}

#[test]
fn nutty_knights() {
    check("nuttyknights", None, &[26, 676, 19_054, 535_078, 16_200_068]);
    let bare = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -";
    check("nuttyknights", Some(bare), &[25, 625, 15_206, 369_906]);
    let open = "r3k2r/1P4P1/8/3Pp3/8/8/1p4p1/R3K2R w KQkq e6";
    check("nuttyknights", Some(open), &[41, 1_114, 31_688, 831_542]);
}

#[test]
fn colorbound_clobberers() {
    check("clobberers", None, &[28, 784, 24_227, 742_952, 24_759_802]);
    let bare = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -";
    check("clobberers", Some(bare), &[24, 576, 13_932, 334_597]);
    let open = "r3k2r/1P4P1/8/3Pp3/8/8/1p4p1/R3K2R w KQkq e6";
    check("clobberers", Some(open), &[28, 663, 15_590, 343_106]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    check("clobberers", Some(kiwipete), &[41, 1_880, 80_244, 3_597_820]);
}

#[test]
fn shogi_without_drops() {
    check("shogi_nodrop", None, &[30, 900, 25_470, 719_731, 19_858_714]);
    check("shogi_thesis", None, &[30, 900, 25_440, 718_566, 19_778_376]);
    let strict = "@extends shogi_nodrop\n@immobile illegal\n";
    check_text(strict, None, 1, &[30, 900, 25_470, 719_731, 19_858_714]);
    let sparse = "4k4/9/P1L1N1S1B/9/9/9/p1l1n1s1b/9/4K4 w";
    check("shogi_nodrop", Some(sparse), &[34, 1_030, 28_385, 761_610]);
    check_text(strict, Some(sparse), 1, &[31, 839, 20_631, 485_938]);
    let middle = "l4gk1l/4s2b1/p1nppg1pp/2p2np2/1r1s3P1/2P1PNP2/PPNPSG2P/1BKG5/L6RL w";
    check("shogi_nodrop", Some(middle), &[33, 1_141, 37_098, 1_332_439]);
    check_text(strict, Some(middle), 1, &[33, 1_141, 36_974, 1_323_617]);
    let thesis = "4<b:玉>4/9/<w:歩>1<w:香>1<w:桂>1<w:銀>1<w:角>/9/9/9/\
        <b:歩>1<b:香>1<b:桂>1<b:銀>1<b:角>/9/4<w:玉>4 w";
    check("shogi_thesis", Some(thesis), &[34, 1_030, 28_165]);
}

#[test]
fn locusts() {
    check("locusts", None, &[34, 655, 12_845, 147_405, 1_851_887, 16_362_663]);
    check("locusts_thesis", None, &[34, 655, 12_845, 147_405, 1_851_887, 15_187_788]);
    check("locusts12", None, &[98, 6_977, 498_851, 25_445_729]);
    let rows: [(&str, &[u64], &[u64]); 3] = [
        ("8/1l2k1e1/8/3L4/2E1l3/8/3K1L2/8 w", &[29, 762, 20_416, 497_566], &[12, 101, 993, 6_553]),
        (
            "8/1l2k1e1/5l2/3L4/1E2l3/2e5/3K1L2/8 w",
            &[21, 785, 16_268, 614_094],
            &[9, 98, 875, 10_012],
        ),
        (
            "7e/1l2k3/2L2l2/1l1L2E1/1E2l3/2e5/3K1L2/4E3 b",
            &[7, 337, 10_734, 412_763],
            &[7, 117, 1_260, 14_463],
        ),
    ];
    for (fen, source, thesis) in rows {
        check("locusts", Some(fen), source);
        check("locusts_thesis", Some(fen), thesis);
    }
}

#[test]
fn games_of_fairy_stockfish() {
    let games: [(&str, &[u64]); 12] = [
        ("xiangqi", &[44, 1_920, 79_666, 3_290_240, 133_312_995]),
        ("minixiangqi", &[19, 331, 6_664, 127_164]),
        ("janggi", &[32, 1_024, 33_000, 1_065_277]),
        ("makruk", &[23, 529, 12_012, 273_026]),
        ("shatranj", &[16, 256, 4_176, 68_122]),
        ("courier", &[26, 678, 18_406, 500_337]),
        ("losalamos", &[10, 100, 1_212, 14_332]),
        ("knightmate", &[18, 324, 6_765, 139_774]),
        ("amazon", &[22, 484, 12_483, 318_185]),
        ("nightrider", &[24, 576, 15_586, 419_019]),
        ("grasshopper", &[28, 782, 22_314, 635_298]),
        ("capablanca", &[28, 784, 25_228, 805_128]),
    ];
    for (name, counts) in games {
        check(name, None, counts);
    }
}

/// The start positions as Fairy-Stockfish counts them, that of crazyhouse and the position with
/// everything in hand as shakmaty does.
#[test]
fn games_with_hands() {
    check("crazyhouse", None, &[20, 400, 8_902, 197_281, 4_888_832]);
    let all = "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1";
    check("crazyhouse", Some(all), &[301, 75_353, 15_634_852]);
    let middle = "r1bqk2r/ppp1bppp/8/3P4/5B2/2N2N2/PP3PPP/R3K2R[QPnbpp] w KQkq - 0 10";
    check("crazyhouse", Some(middle), &[113, 15_227, 1_345_539]);
    check("shogi", None, &[30, 900, 25_470, 719_731, 19_861_490]);
    let middle = "l5+S1l/1g2k1g2/p2ps2p1/2p1pP1Pp/1p3+n3/P1P1P3P/1P1PS4/2K1G4/LN5RL\
        [RBGNPbsnppp] w - - 0 40";
    check("shogi", Some(middle), &[240, 41_558, 8_065_605]);
    check("minishogi", None, &[14, 181, 2_512, 35_401, 533_203]);
    check("minishogi", Some("r2gk/2s1p/1B3/P4/KG1R1[Sb] w - - 0 8"), &[30, 717, 14_831]);
    check("seirawan", None, &[28, 784, 24_830, 782_599]);
    let middle = "reb1k2r/ppppqppp/2nb1n2/4p3/4P3/N1P2N2/PB1PQPPP/RE2KBHR[h] b KQkqc - 3 7";
    check("seirawan", Some(middle), &[35, 876, 30_174, 890_467]);
}

/// Positions of which one count is published, in Fairy-Stockfish's `tests/perft.sh`.
#[test]
fn single_counts() {
    let lines = include_str!("fairy_perft.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split("; ").collect();
        let &[name, fen, depth, count] = fields.as_slice() else { panic!("{line}") };
        let fen = Some(fen).filter(|fen| *fen != "startpos");
        let (depth, count) = (depth.parse().unwrap(), count.parse().unwrap());
        compare(&builtin(name).unwrap(), fen, depth, &[count]);
    }
}

/// FENs of another program are read as they are.
#[test]
fn long_fens_of_fairy_stockfish() {
    let lines = include_str!("fairy_stockfish.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split("; ").collect();
        let &[name, fen, one, two] = fields.as_slice() else { panic!("{line}") };
        let mut position = Position::from_fen(&builtin(name).unwrap(), fen)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(perft(&mut position, 1).to_string(), one, "{line}");
        assert_eq!(perft(&mut position, 2).to_string(), two, "{line}");
        // What it prints comes out again, but for a square on which nobody can capture.
        let fields = |fen: &str| {
            let all: Vec<String> = fen.split(' ').map(str::to_owned).collect();
            [&all[..3], &all[4..6]].concat()
        };
        assert_eq!(fields(&position.fen()), fields(fen), "{line}");
    }
}

#[test]
fn variants_of_lichess() {
    let lines = include_str!("lichess.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split("; ").collect();
        let &[name, fen, counts] = fields.as_slice() else { panic!("{line}") };
        let counts = counts.split(' ').map(|count| count.parse().unwrap());
        check(name, Some(fen), &counts.collect::<Vec<u64>>());
    }
}
