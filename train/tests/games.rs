//! The commands on files of games: what they print, write and refuse.

use crate::support;
use std::fs;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::Position;
use tamarin_train::data::{Game, GameReader, GameResult};

use crate::support::{command, random_plies, text};

fn folder(name: &str) -> PathBuf {
    support::folder(&format!("games-{name}"))
}

fn printed(arguments: &[&str]) -> String {
    support::printed(command(&[arguments]))
}

#[track_caller]
fn rejected(arguments: &[&str], why: &str) {
    support::rejected(command(&[arguments]), why);
}

/// The bytes of games of random moves.
fn games(seed: u64, count: usize) -> Vec<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let game = |random: &mut Xoshiro256PlusPlus| {
        let count = random.random_range(20..120);
        let score =
            |_: &Position, random: &mut Xoshiro256PlusPlus| random.random_range(-3_000..3_000);
        let (start, plies) = random_plies(random, count, score);
        let outcome = *GameResult::ALL.choose(random).unwrap();
        Game { start, plies, outcome }.encode().unwrap()
    };
    (0..count).map(|_| game(&mut random)).collect()
}

/// The games of a file as bytes, in its order.
fn raw(path: &Path) -> Vec<Vec<u8>> {
    let mut reader = GameReader::open(path).unwrap();
    core::iter::from_fn(|| reader.next_raw().unwrap()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn closed_or_full_output_does_not_end_the_work() {
    let folder = folder("output");
    let [file, out] = ["games", "out"].map(|name| folder.join(name));
    let written = games(3, 5);
    fs::write(&file, written.concat()).unwrap();
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for (output, message) in [
        (OwnedFd::from(closed), ""),
        (full.into(), "error: standard output: No space left on device (os error 28)\n"),
    ] {
        let run = |arguments: &[&str]| {
            let output = output.try_clone().unwrap();
            let ended = command(&[arguments]).stdout(output).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&ended.stderr), message);
            assert_eq!(ended.status.code(), Some(2));
        };
        run(&["merge", text(&file), "--out", text(&out)]);
        assert_eq!(raw(&out), written);
        fs::remove_file(&out).unwrap();
        // Nothing is left to do, and how it ends is the same.
        run(&["export", text(&file)]);
    }
}

/// The second file of games is a pipe that nobody writes to, so that the command waits.
#[cfg(unix)]
#[test]
fn signals_leave_no_unfinished_file() {
    let folder = folder("interrupted");
    let [games, pipe, out] = ["games.viri", "pipe", "out"].map(|name| folder.join(name));
    fs::write(&games, self::games(1, 1).concat()).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let names = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let is_unfinished = |name: std::ffi::OsString| {
        [".tmp", ".lock"].iter().any(|end| name.to_string_lossy().ends_with(end))
    };
    for (name, signal, status) in [
        ("merge", "-INT", 130),
        ("shuffle", "-TERM", 143),
        ("export", "-INT", 130),
        ("fit", "-INT", 130),
        ("net", "-TERM", 143),
    ] {
        let arguments = [name, text(&games), text(&pipe), "--out", text(&out)];
        let mut child = command(&[&arguments]).stderr(Stdio::null()).spawn().unwrap();
        // Its reader has it open once both ends are, and the signal is heeded by then.
        let held = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        assert!(names().any(is_unfinished), "{name}");
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(status), "{name}");
        assert_eq!(names().count(), 2, "{name}");
        drop(held);
    }
}

#[test]
fn merging_keeps_every_game_in_order() {
    let folder = folder("merge");
    let [a, b, out] = ["a", "b", "out"].map(|name| folder.join(name));
    let (first, second) = (games(1, 30), games(2, 20));
    fs::write(&a, first.concat()).unwrap();
    fs::write(&b, second.concat()).unwrap();
    let said = printed(&["merge", text(&a), text(&b), "--out", text(&out)]);
    assert!(said.starts_with("50 games in "));
    assert_eq!(raw(&out), [first, second].concat());
    rejected(&["merge", text(&a), "--out", text(&out)], "exists");
}

#[test]
fn shuffling_keeps_every_game_and_no_order() {
    let folder = folder("shuffle");
    let names = ["in", "out", "again", "other", "parts"];
    let [input, out, again, other, parts] = names.map(|name| folder.join(name));
    let mut sorted = games(3, 2_000);
    fs::write(&input, sorted.concat()).unwrap();
    let shuffle = |path: &Path, more: &[&str]| {
        printed(&[&["shuffle", text(&input), "--out", text(path)], more].concat());
        raw(path)
    };
    let once = shuffle(&out, &[]);
    assert_eq!(once, shuffle(&again, &[]), "the seed decides");
    assert_ne!(once, shuffle(&other, &["--seed", "2"]));
    // Half a MiB a part.
    assert!(fs::metadata(&input).unwrap().len() > 1 << 19);
    let in_parts = shuffle(&parts, &["--memory", "1"]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 5, "the parts are removed");
    let fixed =
        |shuffled: &[Vec<u8>]| shuffled.iter().zip(&sorted).filter(|(new, old)| new == old).count();
    assert!(fixed(&once) < 10 && fixed(&in_parts) < 10);
    sorted.sort();
    for mut shuffled in [once, in_parts] {
        shuffled.sort();
        assert!(shuffled == sorted);
    }
}

#[cfg(unix)]
#[test]
fn failed_shuffle_leaves_no_file() {
    let folder = folder("failed-shuffle");
    let [file, out] = ["games", "out"].map(|name| folder.join(name));
    let whole = games(2, 400).concat();
    // The last game is cut off, so that it is found when the others have been dealt out.
    fs::write(&file, [&whole.repeat(10)[..], &whole[..whole.len() - 3]].concat()).unwrap();
    rejected(&["shuffle", text(&file), "--out", text(&out), "--memory", "1"], "byte");
    let names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["games"]);
    // Half a MiB a part.
    fs::File::options().write(true).open(&file).unwrap().set_len(300 << 20).unwrap();
    rejected(
        &["shuffle", text(&file), "--out", text(&out), "--memory", "1"],
        "600 parts would be needed, which is too many: give --memory 2 at",
    );
}

#[test]
fn exported_positions_are_those_that_are_kept() {
    let folder = folder("export");
    let [input, out] = ["in", "out"].map(|name| folder.join(name));
    fs::write(&input, games(4, 40).concat()).unwrap();
    let lines = printed(&["export", text(&input)]);
    printed(&["export", text(&input), "--out", text(&out)]);
    assert_eq!(fs::read_to_string(&out).unwrap(), lines);
    for line in lines.lines() {
        let fields: Vec<_> = line.split(" | ").collect();
        let [fen, score, result] = fields[..] else { panic!("{line}") };
        let position = Position::from_fen(fen).unwrap();
        assert!(!position.in_check() && position.fullmove_number() >= 6);
        assert!(score.parse::<i32>().unwrap().abs() <= 1_500);
        assert!(["0.0", "0.5", "1.0"].contains(&result));
    }
    let kept = lines.lines().count();
    let plies: usize = raw(&input).iter().map(|game| game.len() / 4 - 9).sum();
    let all = ["--min-ply", "0", "--max-score", "40000", "--checks", "--noisy"];
    let everything = printed(&[&["export", text(&input)], &all[..]].concat());
    assert_eq!(everything.lines().count(), plies);
    assert!(kept > 0 && kept < plies / 2);
    // The counts of `stats` are the same, by score and by phase, too.
    let stats = printed(&["stats", text(&input)]);
    let row: Vec<_> = stats.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[..3], ["40", &plies.to_string(), &kept.to_string()]);
    let count = |line: &str| line[26..].split_whitespace().next().unwrap().parse::<usize>();
    let sum = |name: &str| -> usize {
        let rows = stats.lines().filter(|line| line.starts_with(name) && line.contains('%'));
        rows.map(|line| count(line).expect(line)).sum()
    };
    assert_eq!(sum("pawns only") + sum("phase "), kept);
    let scores =
        lines.lines().map(|line| line.split(" | ").nth(1).unwrap().parse::<i32>().unwrap());
    assert_eq!(sum("100 to 199"), scores.filter(|score| (100..200).contains(score)).count());
}

#[test]
fn damaged_files_are_reported_with_the_byte() {
    let folder = folder("damage");
    let [whole, bent] = ["whole", "bent"].map(|name| folder.join(name));
    let games = games(5, 3);
    fs::write(&whole, games.concat()).unwrap();
    let mut spoiled = games.concat();
    let second = games[0].len() + 32;
    spoiled[second + 1] ^= 0xFF;
    fs::write(&bent, &spoiled).unwrap();
    rejected(
        &["stats", text(&whole), text(&bent)],
        &format!("bent, byte {second}: ply 1 is no legal move"),
    );
    rejected(&["stats", text(&whole), "/no/such/file"], "/no/such/file");
}

#[test]
fn games_of_fastchess_become_training_games() {
    let folder = folder("import");
    let [pgn, out] = ["games.pgn", "games.viri"].map(|name| folder.join(name));
    let good = "[Result \"0-1\"]\n\n1. f3 {book} e5 {+1.00/9 0.1s} 2. g4 {-M1/2 0.01s, n=5} \
        Qh4# {+M1/3 0.01s, Black mates} 0-1\n\n";
    let bad =
        ["1. e4 {+0.10/5 1s} 1-0[Termination \"time forfeit\"]\n1. e4 *\n\n", "1. e4 e5 1-0\n\n"];
    let late = "1. e4 {0.00/5} e5 1-0\n\n";
    fs::write(&pgn, format!("{good}{}{late}", bad.concat())).unwrap();
    let said = printed(&["import", text(&pgn), "--out", text(&out)]);
    assert_eq!(said, format!("2 games in {}, 3 left out\n", out.display()));
    let bytes = raw(&out);
    let first = GameReader::new(&*bytes[0], &out).next().unwrap().unwrap();
    let scores: Vec<i16> = first.plies.iter().map(|ply| ply.score).collect();
    let mate = |plies| tamarin_eval::Score::mate_in(plies).units() as i16;
    // From White's point of view, behind the move of the book.
    assert_eq!(scores, [-141, -mate(2), -mate(1)]);
    assert_eq!((first.start.fullmove_number(), first.outcome), (1, GameResult::BlackWin));
}
