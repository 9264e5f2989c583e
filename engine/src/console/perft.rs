//! `perft N` and `go perft N`: the count of leaf nodes below each root move.

use std::fmt::Write as _;

use tamarin_movegen::Position;
use tamarin_perft::{Control, Depth, Options};

use super::context::{Context, NoPosition};

/// Why nothing was counted.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// There is nothing to count from.
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    /// The depth is too large.
    #[error("perft {0}: the depth is 0 to {max}", max = Depth::MAX)]
    Depth(u32),
}

/// Prints `e2e4: 20` for each legal move, a blank line and `Nodes searched: N`, as Stockfish
/// does; scripts read it.
///
/// # Errors
/// If there is no position, or the depth is too large.
pub fn run(plies: u32, context: &Context<'_>) -> Result<(), PerftError> {
    let position = context.position()?;
    if plies == 0 {
        context.print("Nodes searched: 1");
        return Ok(());
    }
    let depth = u8::try_from(plies).ok().and_then(Depth::new).ok_or(PerftError::Depth(plies))?;
    context.print(&report(position, depth, context));
    Ok(())
}

fn report(position: &Position, depth: Depth, context: &Context<'_>) -> String {
    let outcome = tamarin_perft::run(position.board(), depth, &Options::default(), &Control::new());
    let mut text = String::new();
    for (mv, nodes) in &outcome.divide {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {nodes}", position.uci(*mv, context.notation));
    }
    let _ = write!(text, "\nNodes searched: {}", outcome.nodes());
    text
}
