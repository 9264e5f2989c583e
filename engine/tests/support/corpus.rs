//! For tests: what the fuzz targets have collected, and bytes that were damaged at random.

use std::fs;
use std::path::Path;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Gives every file of a corpus, a folder named from the crate's, to the check of its target.
pub fn replay(folder: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        check(&fs::read(&path).unwrap());
        count += 1;
    }
    assert!(count >= 5, "{count} files in {}", folder.display());
}

/// Files with some bytes changed, put in and taken away.
#[allow(dead_code, reason = "not every crate has a file of its own to damage")]
pub fn damaged(good: &[u8], rounds: usize, check: fn(&[u8])) {
    damaged_by(16, good, rounds, check);
}

/// The same for every file of a corpus, each with damages of its own.
#[allow(dead_code, reason = "some crates damage a file of their own instead")]
pub fn replay_damaged(folder: &str, rounds: usize, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for (number, path) in files.iter().enumerate() {
        println!("{}", path.display());
        let good = fs::read(path).unwrap();
        if !good.is_empty() {
            damaged_by(number as u64, &good, rounds, check);
        }
    }
}

fn damaged_by(seed: u64, good: &[u8], rounds: usize, check: fn(&[u8])) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..rounds {
        let mut bad = good.to_vec();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..bad.len());
            match random.random_range(0..4) {
                0 => bad.truncate(at.max(1)),
                1 => bad.insert(at, random.random()),
                2 => bad.rotate_left(at / 16 * 16),
                _ => bad[at] = random.random(),
            }
        }
        check(&bad);
    }
}
