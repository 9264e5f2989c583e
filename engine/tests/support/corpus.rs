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
pub fn damaged(good: &[u8], rounds: usize, check: fn(&[u8])) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
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
