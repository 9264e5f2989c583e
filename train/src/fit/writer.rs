//! Writes weights as the Rust source of `weights/values.rs`.

use std::fmt::Write as _;

use super::Pair;
use crate::weights::FAMILIES;

/// The source text for these weights, rounded to whole units; `origin` is a sentence
/// that says where they come from.
#[must_use]
pub fn source(weights: &[Pair], origin: &str) -> String {
    let mut text = format!(
        "//! The default weights. Written by the tuner (crate feature `tune`): do not edit.\n\
         //!\n//! Origin: {origin}\n\n\
         use super::Weights;\nuse crate::tapered::s;\n\n\
         /// Middlegame and endgame value of every weight, in engine units.\n\
         #[rustfmt::skip]\npub(crate) static WEIGHTS: Weights = [\n"
    );
    let mut weights = weights.iter();
    for family in &FAMILIES {
        for &(name, length) in family.rows {
            let _ = writeln!(text, "    // {}: {name}", family.name);
            let row: Vec<_> = weights.by_ref().take(length).collect();
            for line in row.chunks(8) {
                text.push_str("   ");
                for [middlegame, endgame] in line {
                    let (middlegame, endgame) = (middlegame.round(), endgame.round());
                    let _ = write!(text, " s({middlegame:>4}, {endgame:>4}),");
                }
                text.push('\n');
            }
        }
    }
    text.push_str("];\n");
    text.replace("  -0,", "   0,").replace("  -0)", "   0)")
}
