//! Running the program, and games for it that no engine has played.

#![allow(dead_code, reason = "each test binary uses its own part of this module")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::{Board, Color, PieceKind, Position};
use tamarin_train::data::{Game, GameResult, Ply};

/// A folder of a test's own, empty. No two tests may use the same name.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The program with these arguments.
pub fn command(arguments: &[&[&str]]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
    command.args(arguments.concat()).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program, which has to succeed, and gives what it printed.
pub fn printed(mut command: Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// Runs the program, which has to fail, and gives what it complained of.
pub fn refusal(mut command: Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    assert!(!status.success(), "{}", String::from_utf8_lossy(&stdout));
    String::from_utf8(stderr).unwrap()
}

/// Runs the program, which has to fail for this reason.
#[track_caller]
pub fn rejected(command: Command, why: &str) {
    let said = refusal(command);
    assert!(said.contains(why), "{why} is not in {said}");
}

/// The games of files as bytes.
pub fn encoded(games: &[Game]) -> Vec<u8> {
    games.iter().flat_map(|game| game.encode().unwrap()).collect()
}

/// Games of 60 random moves at most, which White wins; the score of every position of a game is
/// its number, from 1.
pub fn numbered_games(count: i16) -> Vec<Game> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let game = |score| {
        let (start, plies) = random_plies(&mut random, 60, |_, _| score);
        Game { start, plies, outcome: GameResult::WhiteWin }
    };
    (1..=count).map(game).collect()
}

/// So many random moves from the start position, or fewer if the game is over before.
pub fn random_plies(
    random: &mut Xoshiro256PlusPlus,
    count: usize,
    mut score: impl FnMut(&Position, &mut Xoshiro256PlusPlus) -> i16,
) -> (Position, Vec<Ply>) {
    let mut position = Position::startpos();
    let mut plies = Vec::new();
    for _ in 0..count {
        let Some(&mv) = position.legal_moves().choose(random) else { break };
        plies.push(Ply { mv, score: score(&position, random) });
        position.make(mv);
    }
    (Position::startpos(), plies)
}

/// Waits until something has happened, two minutes at most.
pub fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !happened() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A process that has kept its state and is not done. Where the system can, it stands still, so
/// that it does not come to its end while the test goes on. One that was done before it stood
/// still is started again.
pub fn unfinished(mut command: Command, state: &Path) -> Child {
    let begin = Instant::now();
    loop {
        let mut child = command.spawn().expect("the program starts");
        let mut is_done = || child.try_wait().expect("a child can be waited for").is_some();
        wait_for("no state is kept", || is_done() || state.exists());
        pause(&child);
        if state.exists() && child.try_wait().expect("a child can be waited for").is_none() {
            return child;
        }
        kill(child);
        assert!(begin.elapsed() < Duration::from_secs(120), "done without a state");
    }
}

#[cfg(unix)]
fn pause(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-STOP", &id]).status().expect("kill runs").success());
}

#[cfg(not(unix))]
fn pause(_: &Child) {}

pub fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A folder of a test's own with a file of games of random moves, `games.viri`; scores and results
/// are by material.
pub fn folder_with_games(name: &str, count: usize) -> PathBuf {
    let folder = folder(name);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let games: Vec<_> = (0..count).map(|_| random_game(&mut random)).collect();
    fs::write(folder.join("games.viri"), encoded(&games)).unwrap();
    folder
}

fn random_game(random: &mut Xoshiro256PlusPlus) -> Game {
    let count = random.random_range(40..100);
    let (start, plies) = random_plies(random, count, |position, _| material(position.board()));
    let mut end = start.clone();
    plies.iter().for_each(|ply| end.make(ply.mv));
    let outcome = match material(end.board()) {
        ..-150 => GameResult::BlackWin,
        -150..=150 => GameResult::Draw,
        _ => GameResult::WhiteWin,
    };
    Game { start, plies, outcome }
}

/// White's material less Black's, in units: 100 a pawn.
pub fn material(board: &Board) -> i16 {
    let of = |color| {
        let values = [(PieceKind::Pawn, 100), (PieceKind::Knight, 300), (PieceKind::Bishop, 300)];
        let values = values.into_iter().chain([(PieceKind::Rook, 500), (PieceKind::Queen, 900)]);
        values.map(|(kind, value)| value * board.of(color, kind).len() as i16).sum::<i16>()
    };
    of(Color::White) - of(Color::Black)
}
