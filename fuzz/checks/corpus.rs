//! For tests: what the fuzz targets have collected, as it is and damaged at random.

use std::fs;
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The files of a corpus, a folder named from the crate's.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 5, "{} files in {}", files.len(), folder.display());
    files.sort();
    files
}

/// Gives every file of a corpus to the check of its target, and `rounds` damaged copies of each.
pub fn replay(folder: &str, rounds: usize, check: fn(&[u8])) {
    for (number, path) in files(folder).iter().enumerate() {
        println!("{}", path.display());
        let good = fs::read(path).unwrap();
        check(&good);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number as u64);
        (0..rounds).for_each(|_| check(&damaged(&good, &mut random)));
    }
}

/// A copy with some bytes changed, put in and taken away.
fn damaged(good: &[u8], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut bad = good.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..bad.len().max(1));
        match random.random_range(0..4) {
            0 => bad.truncate(at.max(1)),
            1 => bad.insert(at.min(bad.len()), random.random()),
            2 => bad.rotate_left(at / 16 * 16),
            _ if bad.is_empty() => bad.push(random.random()),
            _ => bad[at] = random.random(),
        }
    }
    bad
}
