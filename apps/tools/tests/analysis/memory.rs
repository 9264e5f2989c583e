//! Large files need no large memory.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};

use crate::support::engine::binary;
use crate::support::files::Folder;
use crate::support::{Random, times};

/// Writes games of about 8 KiB with a clock and a remark at each move until the file has `bytes`
/// bytes; every hundredth is bad.
fn write_games(path: &std::path::Path, bytes: u64) -> u64 {
    let file = File::create(path).expect("a temporary file");
    let mut out = BufWriter::new(file);
    let mut random = Random::new(3);
    let remark = "word ".repeat(200);
    let mut written = 0;
    let mut games = 0;
    while written < bytes {
        games += 1;
        let mut text = format!("[Event \"{games}\"]\n[White \"A\"]\n[Black \"B\"]\n\n");
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"];
        for mv in &moves[..4 + random.below(7)] {
            text += &format!("{mv} {{ [%clk 0:{:02}:00] {remark} }}\n", random.below(60));
        }
        text += if games % 100 == 0 { "Ke5 *\n\n" } else { "*\n\n" };
        written += text.len() as u64;
        out.write_all(text.as_bytes()).expect("there is room");
    }
    out.flush().expect("there is room");
    games
}

/// The most memory that a process ever had, in KiB.
fn peak(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// `TAMARIN_LARGE_PGN` says how many MiB the file has instead of 3. The memory that one of 1 MiB
/// takes is allowed for it as well, and no more than the noise of an allocator.
#[cfg(target_os = "linux")]
#[test]
fn long_a_large_file_streams_through_bounded_memory() {
    let size = times("TAMARIN_LARGE_PGN", 3) as u64;
    let (small, large) = (analyzed(1), analyzed(size));
    println!("1 MiB of games: {small} KiB of memory, {size} MiB: {large} KiB");
    assert!(large < small + 2048, "{small} KiB for 1 MiB, {large} KiB for {size} MiB");
}

/// Analyzes `size` MiB of games; the most memory it took, in KiB. The pipe holds the process back
/// until its objects are read, and so it still runs when it is asked for its memory.
fn analyzed(size: u64) -> u64 {
    let folder = Folder::new();
    let games = write_games(&folder.path("games.pgn"), size << 20);
    let mut child = Command::new(binary())
        .args(["analyse", &folder.name("games.pgn"), "-f", "json", "-n", "1", "--hash", "1"])
        .args(["-q", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let (mut most, mut lines) = (0, 0);
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        assert!(line.expect("text").starts_with('{'));
        if lines % 16 == 0 {
            most = most.max(peak(child.id()).unwrap_or(0));
        }
        lines += 1;
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "the bad games are reported");
    assert_eq!(lines, games - games / 100);
    most
}
