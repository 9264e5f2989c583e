use std::path::Path;

use proptest::prelude::*;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::{CastlingStyle, Position};

use super::*;
use long::long_or;

#[path = "../../../movegen/tests/long/mod.rs"]
mod long;

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
    let outcome = *Outcome::ALL.choose(&mut random).unwrap();
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

fn text(game: &Game) -> (String, Vec<Ply>, Outcome) {
    (game.start.fen(CastlingStyle::Shredder), game.plies.clone(), game.outcome)
}

#[test]
fn games_are_read_as_they_were_written() {
    let games: Vec<_> = (0..300).map(random_game).collect();
    let bytes: Vec<u8> = games.iter().flat_map(|game| game.encode().unwrap()).collect();
    let found = read(&bytes);
    assert_eq!(found.len(), games.len());
    for (game, found) in games.iter().zip(found) {
        assert_eq!(text(game), text(&found.unwrap()));
    }
}

#[test]
fn the_crate_of_the_format_reads_the_same_games() {
    use viriformat::dataformat::{Game as Packed, WDL};
    for game in (0..long_or(300, 60)).map(random_game) {
        let bytes = game.encode().unwrap();
        let packed = Packed::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        let outcome = match packed.outcome() {
            WDL::Loss => Outcome::BlackWin,
            WDL::Draw => Outcome::Draw,
            WDL::Win => Outcome::WhiteWin,
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
        });
        assert_eq!(ours, theirs);
    }
}

/// What is wrong with the second of two games once a change is made to its bytes, and where
/// that is found, counted from the beginning of that game.
fn spoiled(change: impl Fn(&mut Vec<u8>)) -> (u64, Problem) {
    let first = random_game(1).encode().unwrap();
    let start = Position::startpos();
    let mv = start.parse_san("e4").unwrap();
    let game = Game { start, plies: vec![Ply { mv, score: 20 }], outcome: Outcome::Draw };
    let mut second = game.encode().unwrap();
    change(&mut second);
    let error = read(&[first.clone(), second].concat()).pop().unwrap().unwrap_err();
    assert_eq!(error.path, Path::new("games.viri"));
    (error.offset - first.len() as u64, error.problem)
}

#[test]
fn damage_is_named_with_its_place() {
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

proptest! {
    #[test]
    fn nothing_panics_on_damaged_files(
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
    fn nothing_panics_on_noise(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
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
