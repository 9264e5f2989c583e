//! Static exchange evaluation: exact values by hand, and against playing the captures out.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256StarStar;
use tamarin_movegen::{Move, Position, SEE_VALUES};

/// The largest threshold that a move reaches.
fn exact(position: &Position, mv: Move) -> i32 {
    let (mut low, mut high) = (-3000, 3000);
    assert!(position.see_at_least(mv, low) && !position.see_at_least(mv, high));
    while high - low > 1 {
        let middle = (low + high) / 2;
        if position.see_at_least(mv, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn exchanges_by_hand() {
    for (fen, san, value) in [
        // Undefended, defended, and traded.
        ("4k3/8/3p4/8/8/8/3R4/4K3 w - - 0 1", "Rxd6", 100),
        ("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1", "Rxd6", -400),
        ("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "exd5", 300),
        ("4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1", "exd6", 300),
        ("4k3/2p5/3n4/4P3/8/8/8/4K3 w - - 0 1", "exd6", 200),
        // Rooks and a queen behind each other.
        ("3rk3/3r4/3p4/8/8/3R4/3R4/3QK3 w - - 0 1", "Rxd6", 100),
        ("4k3/3r4/3p4/8/8/3R4/3R4/3QK3 w - - 0 1", "Rxd6", 100),
        ("3rk3/3r4/3n4/8/8/8/3R4/3QK3 w - - 0 1", "Rxd6", -200),
        // A bishop joins from behind a pawn.
        ("4k3/2p5/3p4/4P3/5B2/8/8/4K3 w - - 0 1", "exd6", 100),
        // A quiet move to an attacked square, and to a safe one.
        ("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "Nd5", -300),
        ("4k3/8/2p5/8/4P3/4N3/8/4K3 w - - 0 1", "Nd5", -200),
        ("4k3/8/8/8/8/4N3/8/4K3 w - - 0 1", "Nd5", 0),
        // En passant opens the file behind both pawns.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0),
        // Promotion, free, recaptured, and by capture.
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q", 800),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q", -100),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=Q", 1300),
        ("1rr4k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=Q", 400),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=N", 700),
        // A pawn recaptures with promotion.
        ("4k3/8/8/8/8/8/p7/1N2KR2 b - - 0 1", "a1=Q", 800),
        ("1r2k3/8/8/8/8/8/p7/1N2K3 b - - 0 1", "Rxb1+", 300),
        ("4k3/8/8/8/1r6/8/p7/1R2K3 b - - 0 1", "Rxb1+", 500),
        ("1k6/8/8/8/8/8/2p5/1NK4R w - - 0 1", "Kxc2", 100),
        ("1k6/8/8/8/8/1p6/p7/KN6 w - - 0 1", "Nc3", 0),
        // A king may take what is not defended, and only that.
        ("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "Kxd2", 900),
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", 100),
        ("8/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5+", -400),
        ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5+", 100),
        // The defender is pinned to its king, so it does not defend; along the pin it does.
        ("3k4/3n4/5p2/8/8/8/8/3RK1R1 w - - 0 1", "Rg6", 0),
        ("3k4/3n4/5p2/8/7B/8/8/3RK3 w - - 0 1", "Bxf6+", 100),
        ("3k4/8/3r4/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400),
        ("k7/1b6/8/3p4/4P3/8/6B1/4K3 w - - 0 1", "exd5", 100),
        // The piece that the captured queen has pinned may recapture: the pin line leads there.
        ("3k4/8/2p5/3q4/4P3/3R4/8/3K4 w - - 0 1", "exd5", 900),
        // A pinned attacker cannot recapture.
        ("4k3/4r3/2p5/3p4/2P5/4N3/8/4K3 w - - 0 1", "cxd5", 0),
        ("4k3/8/2p5/3p4/2P5/4N3/8/4K3 w - - 0 1", "cxd5", 100),
        // Castling risks nothing.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
    ] {
        let position = Position::from_fen(fen).expect(fen);
        let mv = position.parse_san(san).unwrap_or_else(|e| panic!("{san} in {fen}: {e}"));
        assert_eq!(exact(&position, mv), value, "{san} in {fen}");
    }
}

/// What a capture is worth when both sides go on with legal captures on its square, each
/// by the least valuable piece, or stop.
fn played_out(position: &mut Position, mv: Move) -> i32 {
    let won = position.captured_by(mv).map_or(0, |kind| SEE_VALUES[kind as usize])
        + mv.promotion().map_or(0, |kind| SEE_VALUES[kind as usize] - SEE_VALUES[0]);
    position.make(mv);
    let reply = position
        .legal_moves()
        .into_iter()
        .filter(|reply| reply.to() == mv.to() && reply.is_capture())
        .filter(|reply| reply.promotion().is_none_or(|kind| kind as usize == 4))
        .min_by_key(|&reply| position.moved_piece(reply).kind());
    let lost = reply.map_or(0, |reply| played_out(position, reply).max(0));
    position.unmake();
    won - lost
}

/// Legal play knows of checks elsewhere, which an exchange on one square does not; all
/// else must agree.
#[test]
fn exchanges_played_out() {
    let mut random = Xoshiro256StarStar::seed_from_u64(7);
    let (mut seen, mut agreed) = (0, 0);
    while seen < 20_000 {
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = position.legal_moves();
            let Some(&chosen) = moves.choose(&mut random) else { break };
            for &mv in moves.iter().filter(|mv| mv.is_capture() && !mv.is_en_passant()) {
                if mv.promotion().is_some_and(|kind| kind as usize != 4) || position.gives_check(mv)
                {
                    continue;
                }
                let expected = played_out(&mut position.clone(), mv);
                seen += 1;
                agreed += i32::from(exact(&position, mv) == expected);
            }
            position.make(chosen);
        }
    }
    println!("{agreed} of {seen} captures agree");
    assert!(agreed * 1000 >= seen * 999, "{agreed} of {seen} captures agree");
}
