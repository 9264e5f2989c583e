//! Finds the magic factors of `src/magic_factors.rs` and prints that file.
//!
//! `cargo run --release -p tamarin-movegen --example find_magics > movegen/src/magic_factors.rs`
//!
//! A factor is magic for a square when multiplying any set of relevant blockers by it
//! brings an index into the top bits that two sets share only if they block alike.
//! Sparse random numbers are tried until one works, from a fixed seed, so that
//! everybody finds the same factors.
//! Source: <https://www.chessprogramming.org/Looking_for_Magics>

use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_movegen::Square;
use tamarin_movegen::magic::{Slider, blockers_mask, slow_attacks};

const SEED: u64 = 1960;

/// The factors for all squares of one kind of slider.
pub fn find(slider: Slider) -> [u64; 64] {
    let mut random = Xoshiro256StarStar::seed_from_u64(SEED + slider as u64);
    Square::ALL.map(|square| find_one(slider, square, &mut random))
}

fn find_one(slider: Slider, square: Square, random: &mut impl Rng) -> u64 {
    let mask = blockers_mask(slider, square).0;
    let bits = mask.count_ones();
    let mut subsets = Vec::with_capacity(1 << bits);
    let mut blockers = 0u64;
    loop {
        subsets.push((blockers, slow_attacks(slider, square, blockers)));
        blockers = blockers.wrapping_sub(mask) & mask;
        if blockers == 0 {
            break;
        }
    }
    // The attempt that last wrote a slot, so that the table need not be cleared.
    let mut table = vec![(0u32, 0u64); 1 << bits];
    for attempt in 1.. {
        let factor = random.next_u64() & random.next_u64() & random.next_u64();
        if (mask.wrapping_mul(factor) >> 56).count_ones() < 6 {
            continue; // too few high bits to spread the index
        }
        let works = subsets.iter().all(|&(blockers, attacks)| {
            let slot = &mut table[(blockers.wrapping_mul(factor) >> (64 - bits)) as usize];
            if slot.0 == attempt {
                return slot.1 == attacks;
            }
            *slot = (attempt, attacks);
            true
        });
        if works {
            return factor;
        }
    }
    unreachable!("the search for a factor does not end without one")
}

#[allow(dead_code)] // the test that includes this file needs only `find`
fn main() {
    println!("//! Magic factors by square, found by `examples/find_magics.rs`. Do not edit.");
    for (slider, name) in [(Slider::Bishop, "BISHOP_FACTORS"), (Slider::Rook, "ROOK_FACTORS")] {
        println!("\n/// Factors of the {}.", name.to_lowercase().replace("_factors", ""));
        println!("#[rustfmt::skip]");
        println!("pub(crate) const {name}: [u64; 64] = [");
        for row in find(slider).chunks(4) {
            let row: Vec<String> = row.iter().map(|factor| format!("{factor:#018x},")).collect();
            println!("    {}", row.join(" "));
        }
        println!("];");
    }
}
