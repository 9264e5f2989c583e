//! Writes weights as the Rust source of `weights/values.rs`.

use std::fmt::Write as _;

use tamarin_eval::tuning::{Pair, rows};

/// The source text for these weights, rounded to whole units; `origin` is a sentence
/// that says where they come from. Its control characters, such as of names of files, become
/// blanks: a line break would end the comment.
pub fn source(weights: &[Pair], origin: &str) -> String {
    let origin = origin.replace(char::is_control, " ");
    let mut text = format!(
        "//! The default weights. Written by `tamarin-train fit`: do not edit.\n\
         //!\n//! Origin: {origin}\n\n\
         use super::Weights;\nuse crate::tapered::s;\n\n\
         /// Middlegame and endgame value of every weight, in engine units.\n\
         #[rustfmt::skip]\npub(crate) static WEIGHTS: Weights = [\n"
    );
    for (name, range) in rows() {
        let _ = writeln!(text, "    // {name}");
        for line in weights[range].chunks(8) {
            text.push_str("   ");
            for [middlegame, endgame] in line {
                let (middlegame, endgame) = (middlegame.round(), endgame.round());
                let _ = write!(text, " s({middlegame:>4}, {endgame:>4}),");
            }
            text.push('\n');
        }
    }
    text.push_str("];\n");
    text.replace("  -0,", "   0,").replace("  -0)", "   0)")
}
