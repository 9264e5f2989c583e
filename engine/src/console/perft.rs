//! `perft N` and `go perft N`: the count of leaf nodes below each root move.

use std::fmt::Write as _;

use tamarin_movegen::Position;
use tamarin_perft::{Control, Depth, Options};

use super::context::Context;

/// Prints `e2e4: 20` for each legal move, a blank line and `Nodes searched: N`, as Stockfish
/// does; scripts read it.
pub fn run(plies: u32, context: &Context<'_>) {
    let Some(position) = context.current() else { return };
    let depth = u8::try_from(plies).ok().and_then(Depth::new);
    match (plies, depth) {
        (0, _) => context.print("Nodes searched: 1"),
        (_, Some(depth)) => context.print(&report(position, depth, context)),
        (_, None) => {
            let most = Depth::MAX;
            context.print(&format!("info string error: perft {plies}: the depth is 0 to {most}"));
        }
    }
}

fn report(position: &Position, depth: Depth, context: &Context<'_>) -> String {
    let outcome = tamarin_perft::run(position.board(), depth, &Options::default(), &Control::new());
    let mut text = String::new();
    for (mv, leaves) in &outcome.divide {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {leaves}", position.uci(*mv, context.notation));
    }
    let _ = write!(text, "\nNodes searched: {}", outcome.nodes());
    text
}
