//! Files of games: what is written is read, damage is found, the filter, books.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::{CastlingStyle, Position};
use tamarin_train::data::{
    DataError, Filter, FilterWithChecks, Game, GameReader, GameResult, Packer, Ply, Problem,
};
use tamarin_train::openings::{book, shuffled};

use crate::support::{encoded, folder};

#[path = "../../fuzz/checks/packed.rs"]
mod check_packed;

/// Positions with castling both ways, captures en passant, promotions, and Chess960 rights.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 17",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 0 1",
    "r1k2r2/8/8/8/8/8/8/R1K2R2 b Af - 40 200",
];

fn random_game(seed: u64) -> Game {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let start = Position::from_fen(STARTS.choose(&mut random).unwrap()).unwrap();
    let mut position = start.clone();
    let mut plies = Vec::new();
    for _ in 0..random.random_range(0..200) {
        let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
        if position.halfmove_clock() >= 100 {
            break;
        }
        plies.push(Ply { mv, score: random.random() });
        position.make(mv);
    }
    let outcome = *GameResult::ALL.choose(&mut random).unwrap();
    Game { start, plies, outcome }
}

fn read(bytes: &[u8]) -> Vec<Result<Game, DataError>> {
    let mut games = Vec::new();
    for game in GameReader::new(bytes, Path::new("games.viri")) {
        let failed = game.is_err();
        games.push(game);
        if failed {
            break;
        }
    }
    games
}

fn text(game: &Game) -> (String, Vec<Ply>, GameResult) {
    (game.start.fen(CastlingStyle::Shredder), game.plies.clone(), game.outcome)
}

#[test]
fn games_are_read_as_they_were_written() {
    let games: Vec<_> = (0..300).map(random_game).collect();
    let bytes = encoded(&games);
    let found = read(&bytes);
    assert_eq!(found.len(), games.len());
    for (game, found) in games.iter().zip(found) {
        assert_eq!(text(game), text(&found.unwrap()));
    }
}

#[test]
fn the_crate_of_the_format_reads_the_same_games() {
    use viriformat::dataformat::{Game as Packed, WDL};
    for game in (0..60).map(random_game) {
        let bytes = game.encode().unwrap();
        let packed = Packed::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        let outcome = match packed.outcome() {
            WDL::Loss => GameResult::BlackWin,
            WDL::Draw => GameResult::Draw,
            WDL::Win => GameResult::WhiteWin,
        };
        assert_eq!(outcome, game.outcome);
        let mut theirs = Vec::new();
        packed.visit_positions(|board, score| {
            theirs.push((board.pieces.occupied().inner(), board.in_check(), board.ply(), score));
        });
        let mut ours = Vec::new();
        game.replay(|position, ply| {
            let count =
                2 * (usize::from(position.fullmove_number()) - 1) + position.side_to_move().index();
            ours.push((position.occupied().0, position.in_check(), count, ply.score.into()));
            Ok(())
        })
        .unwrap();
        assert_eq!(ours, theirs);
    }
}

/// What is wrong with the second of two games once a change is made to its bytes, and where
/// that is found, counted from the beginning of that game.
fn spoiled(change: impl Fn(&mut Vec<u8>)) -> (u64, Problem) {
    let first = random_game(1).encode().unwrap();
    let start = Position::startpos();
    let mv = start.parse_san("e4").unwrap();
    let game = Game { start, plies: vec![Ply { mv, score: 20 }], outcome: GameResult::Draw };
    let mut second = game.encode().unwrap();
    change(&mut second);
    let error = read(&[first.clone(), second].concat()).pop().unwrap().unwrap_err();
    assert_eq!(error.path, Path::new("games.viri"));
    (error.offset - first.len() as u64, error.problem)
}

#[test]
fn damage_is_reported_with_its_byte() {
    assert!(matches!(spoiled(|game| game[0] = 0), (_, Problem::Position(_))));
    assert!(matches!(spoiled(|game| game[3] = 1), (0, Problem::TooManyPieces(33))));
    assert!(matches!(spoiled(|game| game[9] = 0x77), (9, Problem::PieceCode(7))));
    assert!(matches!(spoiled(|game| game[30] = 3), (30, Problem::Outcome(3))));
    // The move of the bytes 0x070c goes from e2 to e4.
    let illegal =
        |low: u8, high: u8| spoiled(move |game| game[32..34].copy_from_slice(&[low, high]));
    assert!(matches!(illegal(0x4c, 0x08), (32, Problem::IllegalMove { ply: 1, .. })));
    assert!(matches!(illegal(0x0c, 0x87), (32, Problem::IllegalMove { ply: 1, .. })));
    assert!(matches!(illegal(0, 0), (32, Problem::IllegalMove { ply: 1, bits: 0 })));
    for length in [1, 31, 32, 35, 36, 39] {
        let (offset, problem) = spoiled(|game| game.truncate(length));
        assert!(matches!(problem, Problem::Truncated) && offset == 0, "{length}");
    }
    let endless = |game: &mut Vec<u8>| {
        game.truncate(32);
        game.extend([1; 100_000]);
    };
    assert!(matches!(spoiled(endless), (_, Problem::Endless)));
}

/// One chunk, and its games as they are read.
fn packed(games: impl IntoIterator<Item = Game>) -> (Vec<u8>, Vec<Game>) {
    let mut packer = Packer::default();
    let add = |game: Game| {
        let (read, chunk) = packer.add(&game).unwrap();
        assert!(chunk.is_none(), "a second chunk");
        read
    };
    let games = games.into_iter().map(add).collect();
    (packer.finish().unwrap(), games)
}

/// 100 games, a million with `TAMARIN_LONG_TESTS`.
#[test]
fn packed_games_are_read_as_they_were_up_to_the_rounding_of_scores() {
    let rounds = if std::env::var_os("TAMARIN_LONG_TESTS").is_some() { 10_000 } else { 1 };
    for round in 0..rounds {
        let games: Vec<_> = (round * 100..(round + 1) * 100).map(random_game).collect();
        let (chunk, rounded) = packed(games.iter().cloned());
        let found: Vec<_> = read(&chunk).into_iter().map(Result::unwrap).collect();
        assert_eq!(found.len(), games.len());
        for ((game, rounded), found) in games.iter().zip(&rounded).zip(&found) {
            assert_eq!(text(rounded), text(found));
            let moves = |game: &Game| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
            assert_eq!((moves(game), game.outcome), (moves(found), found.outcome));
            assert_eq!(text(game).0, text(found).0);
            let mut read = found.plies.iter();
            let rounds = game.replay(|position, ply| {
                assert!(is_rounded(position, ply, read.next().unwrap().score));
                Ok(())
            });
            rounds.unwrap();
        }
        // What is rounded is not rounded further.
        assert_eq!(packed(found).0, chunk);
    }
}

/// Whether a score is as near as docs/training.md says: half a step, or two and a half where nothing
/// is learned from the position.
fn is_rounded(position: &Position, Ply { mv, score }: Ply, read: i16) -> bool {
    let step = |score: i16| match score.unsigned_abs() {
        ..256 => 16,
        256..768 => 32,
        _ => 64,
    };
    let widest = step(score).max(step(read));
    let coarse = position.in_check() || mv.is_noisy();
    2 * (i32::from(score) - i32::from(read)).abs() <= if coarse { 5 * widest } else { widest }
}

#[test]
fn damaged_chunk_costs_itself_alone() {
    let chunks = [0..5, 5..9, 9..14].map(|seeds| packed(seeds.map(random_game)).0);
    let [first, second, third] = [0, 1, 2].map(|at| chunks[at].len());
    let remaining = |damage: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = chunks.concat();
        damage(&mut bytes);
        let mut reader = GameReader::new(bytes.as_slice(), Path::new("games.pack"));
        let (mut games, mut errors) = (0, Vec::new());
        for game in &mut reader {
            match game {
                Ok(_) => games += 1,
                Err(error) => errors.push(error.problem.to_string()),
            }
        }
        (games, errors.join(", "))
    };
    let damaged = "a damaged chunk of packed games";
    let cut = "the last chunk of packed games is cut off";
    for (name, damage, expected) in [
        ("nothing", &(|_: &mut Vec<u8>| {}) as &dyn Fn(&mut Vec<u8>), (14, "")),
        ("code", &|bytes: &mut Vec<u8>| bytes[first + second - 1] ^= 1, (10, damaged)),
        ("length", &|bytes: &mut Vec<u8>| bytes[first + 17] ^= 1, (10, damaged)),
        ("magic", &|bytes: &mut Vec<u8>| bytes[first] ^= 1, (10, damaged)),
        ("end", &|bytes: &mut Vec<u8>| bytes.truncate(first + second + third - 1), (9, cut)),
        ("header", &|bytes: &mut Vec<u8>| bytes.truncate(first + second + 9), (9, cut)),
        ("added", &|bytes: &mut Vec<u8>| bytes.extend([7; 40]), (14, damaged)),
    ] {
        let (games, errors) = remaining(damage);
        assert_eq!((games, errors.as_str()), expected, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damaged_packed_games_do_not_panic(
        seed in any::<u64>(), place in any::<prop::sample::Index>(), bits in any::<u8>(),
    ) {
        let (chunk, _) = packed([random_game(seed), random_game(!seed)]);
        let mut input = [&[2, 40], &chunk[28..]].concat();
        let place = place.index(input.len());
        input[place] ^= bits;
        check_packed::check(&input);
    }
}

proptest! {
    #[test]
    fn damaged_files_do_not_panic(
        seed in any::<u64>(), place in any::<prop::sample::Index>(), bits in 1_u8..,
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = random_game(seed).encode().unwrap();
        let place = place.index(bytes.len());
        bytes[place] ^= bits;
        let games = read(&bytes);
        // Whatever was still a game can be written again.
        for game in games.iter().flatten() {
            prop_assert!(game.encode().is_ok() || game.start.halfmove_clock() > 100);
        }
        bytes.truncate(cut.index(bytes.len()));
        read(&bytes);
    }

    #[test]
    fn noise_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read(&bytes);
    }
}

#[test]
fn games_of_earlier_versions_can_be_read() {
    let Some(folder) = std::env::var_os("TAMARIN_TEST_DATA") else {
        println!("SKIP: TAMARIN_TEST_DATA is not set");
        return;
    };
    let path = Path::new(&folder).join("selfplay/06daec8.viri");
    if !path.exists() {
        println!("SKIP: no {}", path.display());
        return;
    }
    let (mut games, mut plies, mut outcomes) = (0, 0, [0; 3]);
    for game in GameReader::open(&path).unwrap() {
        let game = game.unwrap();
        games += 1;
        plies += game.plies.len();
        outcomes[game.outcome.index()] += 1;
    }
    assert_eq!((games, plies), (20_295, 2_362_083));
    assert_eq!(outcomes, [7_310, 5_841, 7_144]);
}

#[test]
fn filter_leaves_out_opening_checks_captures_and_large_scores() {
    const FILTER: Filter = Filter::USUAL;
    let keeps = |filter: Filter, fen: &str, san: &str, score: i16| {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_san(san).unwrap();
        filter.keeps(&position, Ply { mv, score })
    };
    let quiet = "4k3/8/8/8/8/8/3nP3/4K2R w K - 0 9";
    assert!(keeps(FILTER, quiet, "Kf2", -1_500) && !keeps(FILTER, quiet, "Kf2", -1_501));
    assert!(!keeps(FILTER, quiet, "Kf2", i16::MIN) && !keeps(FILTER, quiet, "Kxd2", 0));
    assert!(keeps(Filter { noisy: true, ..FILTER }, quiet, "Kxd2", 0));
    let check = "4k3/8/8/8/8/5n2/4P3/4K3 w - - 0 9";
    assert!(!keeps(FILTER, check, "Kf2", 0));
    let check = Position::from_fen(check).unwrap();
    let ply = Ply { mv: check.parse_san("Kf2").unwrap(), score: 0 };
    assert!(FilterWithChecks { checks: true, filter: FILTER }.keeps(&check, ply));
    // Plies are counted by the move number.
    let at = |side, number| format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 {number}");
    assert!(!keeps(FILTER, &at('b', 5), "Kf8", 0) && keeps(FILTER, &at('w', 6), "Kf2", 0));
    assert!(keeps(Filter { min_ply: 9, ..FILTER }, &at('b', 5), "Kf8", 0));
}

#[test]
fn books_are_fen_or_epd_without_repetitions_and_finished_games() {
    let path = folder("data-books").join("book.epd");
    let (open, mate) = ("4k3/8/8/8/8/8/4P3/4K3 w - -", "R3k3/8/4K3/8/8/8/8/8 b - -");
    let lines = [
        "\u{feff}# comment\n",
        open,
        mate,
        &format!("{open} bm e4; id \"a\";"),
        "4k3/4p3/8/8/8/8/8/4K3 b - - 3 40",
        "4k3/8/8/8/8/8/8/4K3 w - -",
    ];
    fs::write(&path, lines.join("\n")).unwrap();
    let order = |seed| -> Vec<_> {
        shuffled(&path, seed).unwrap().iter().map(ToString::to_string).collect()
    };
    let mut fens = order(1);
    fens.sort();
    assert_eq!(fens, ["4k3/4p3/8/8/8/8/8/4K3 b - - 3 40", &format!("{open} 0 1")]);
    assert_eq!(order(1), order(1));
    assert!((2..9).any(|seed| order(seed) != order(1)));
    assert_eq!(book(&path, false).unwrap().len(), 5);
    for (text, why) in [
        (format!("{open}\nnonsense\n"), "book.epd, line 2"),
        ("\n".to_owned(), "book.epd holds no position"),
        (mate.to_owned(), "book.epd holds no position"),
    ] {
        fs::write(&path, text).unwrap();
        let said = shuffled(&path, 1).unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
    }
}
