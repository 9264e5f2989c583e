//! The sounds, and what all files of the page weigh.

use std::path::Path;

use crate::client::{Then, serve};

#[path = "../../build/sounds.rs"]
mod made;

/// The swings of a sound, of 1.
fn samples(wav: &[u8]) -> Vec<f64> {
    let pairs = wav[44..].as_chunks().0.iter();
    pairs.map(|pair| f64::from(i16::from_le_bytes(*pair)) / f64::from(i16::MAX)).collect()
}

#[test]
fn sounds_are_served_as_the_program_in_the_tree_makes_them() {
    let served = serve();
    for name in made::NAMES {
        let (place, token) = (served.place, &served.token);
        let request = format!(
            "GET /{token}/assets/sounds/{name}.wav HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n"
        );
        let back = served.raw(request.as_bytes(), Then::Wait);
        let head = back.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let (head, body) = (String::from_utf8_lossy(&back[..head]), &back[head + 4..]);
        assert!(head.starts_with("HTTP/1.1 200") && head.contains("audio/wav"), "{head}");
        assert!(body == made::wav(name), "{name} is another one");
    }
    assert_eq!(served.get("assets/sounds/none.wav").status, 404);
}

#[test]
fn sounds_are_heard_differ_and_end_in_silence() {
    let all = made::NAMES.map(made::wav);
    for (name, wav) in made::NAMES.iter().zip(&all) {
        let size = |at: usize| u32::from_le_bytes(wav[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&wav[..4], size(4)), (b"RIFF".as_slice(), wav.len() - 8), "{name}");
        assert_eq!((&wav[36..40], size(40)), (b"data".as_slice(), wav.len() - 44), "{name}");
        let samples = samples(wav);
        let peak = samples.iter().fold(0.0, |peak: f64, value| peak.max(value.abs()));
        assert!((0.15..1.0).contains(&peak), "{name} swings by {peak}");
        assert!(samples.iter().rev().take(16).all(|value| value.abs() < 0.02), "{name} clicks");
        assert_eq!(all.iter().filter(|other| *other == wav).count(), 1, "{name} is there twice");
    }
}

/// The bytes of all files below a folder.
fn weight(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let one = |entry: std::fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => weight(&entry.path()),
        false => entry.metadata().unwrap().len(),
    };
    entries.map(one).sum()
}

#[test]
fn all_files_of_the_page_weigh_less_than_400_kb() {
    let page = weight(&Path::new(env!("CARGO_MANIFEST_DIR")).join("page"));
    let sounds: usize = made::NAMES.iter().map(|name| made::wav(name).len()).sum();
    println!("page {page} bytes, sounds {sounds} bytes");
    assert!(page > 100_000 && page + (sounds as u64) < 400_000, "{page} and {sounds} bytes");
}
