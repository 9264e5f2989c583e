//! Writes the Zobrist keys and decides whether `pext` is the fast way to look up sliders.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Any fixed number would do; this one is part of the engine's identity, because node
/// counts depend on which positions share a slot of the transposition table.
const ZOBRIST_SEED: u64 = 0x7A3A_4214_C0DE_1960;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(fast_pext)");
    write_zobrist_keys();
    if has_fast_pext() {
        println!("cargo::rustc-cfg=fast_pext");
    }
}

fn write_zobrist_keys() {
    let mut random = Xoshiro256StarStar::seed_from_u64(ZOBRIST_SEED);
    let mut keys = |name: &str, doc: &str, count: usize| {
        let mut text = format!("/// {doc}\npub(crate) static {name}: [u64; {count}] = [\n");
        for _ in 0..count {
            writeln!(text, "    {:#018x},", random.next_u64()).expect("writing to a string");
        }
        text.push_str("];\n");
        text
    };
    let text = keys("PIECE_KEYS", "Keys of the pieces, `[piece][square]` flattened.", 12 * 64)
        + &keys("CASTLING_KEYS", "Keys of castling rights, by the rook's `[color][file]`.", 16)
        + &keys("EN_PASSANT_KEYS", "Keys of the en-passant file.", 8)
        + &keys("SIDE_KEY", "Key of Black to move.", 1);
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("zobrist_keys.rs"), text).expect("OUT_DIR is writable");
}

/// BMI2 is present and its `pext` is not the slow microcode of AMD before Zen 3.
fn has_fast_pext() -> bool {
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let is_x86_64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    is_x86_64 && features.split(',').any(|f| f == "bmi2") && !is_slow_pext(&target_cpu())
}

fn is_slow_pext(cpu: &str) -> bool {
    matches!(cpu, "bdver4" | "znver1" | "znver2")
}

/// The `-C target-cpu` in force, `native` resolved to the name of the processor.
fn target_cpu() -> String {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let mut cpu = String::new();
    for flag in flags.split('\x1f') {
        if let Some((_, name)) = flag.split_once("target-cpu=") {
            cpu = name.to_owned();
        }
    }
    if cpu == "native" { native_cpu().unwrap_or(cpu) } else { cpu }
}

/// What `rustc` takes the processor of this machine for.
fn native_cpu() -> Option<String> {
    let rustc = env::var_os("RUSTC")?;
    let output = Command::new(rustc).args(["--print", "target-cpus"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().find(|line| line.trim_start().starts_with("native"))?;
    let name = line.split("currently ").nth(1)?;
    Some(name.trim_end_matches([')', '.', ' ']).to_owned())
}
