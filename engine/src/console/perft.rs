//! `perft N` and `go perft N`: the count of leaf nodes below each root move.

use std::fmt::Write as _;

use tamarin_movegen::Position;
use tamarin_perft::{Control, Depth, Options};
use tamarin_variant::divide;

use super::context::{Context, NoPosition};
use tamarin_game::position as game;

/// Why nothing was counted.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// There is nothing to count from.
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    #[error("perft {0}: the depth is 0 to {max}", max = Depth::MAX)]
    Depth(u32),
}

/// Prints `e2e4: 20` for each legal move, a blank line and `Nodes searched: N`, as Stockfish
/// does; scripts read it.
pub fn run(plies: u32, context: &Context<'_>) -> Result<(), PerftError> {
    let game = context.game()?;
    if plies == 0 {
        context.print("Nodes searched: 1");
        return Ok(());
    }
    let depth = u8::try_from(plies).ok().and_then(Depth::new).ok_or(PerftError::Depth(plies))?;
    context.print(&match game.position() {
        game::Position::Chess(position, _) => count(position, depth, context),
        game::Position::Variant(position) => count_variant(position, plies),
    });
    Ok(())
}

fn count(position: &Position, depth: Depth, context: &Context<'_>) -> String {
    let outcome = tamarin_perft::run(position.board(), depth, &Options::default(), &Control::new());
    let text = |mv| position.uci(mv, context.notation).to_string();
    report(outcome.divide.iter().map(|(mv, nodes)| (text(*mv), *nodes)), outcome.nodes())
}

fn count_variant(position: &tamarin_variant::Position, plies: u32) -> String {
    let counts = divide(&mut position.clone(), plies);
    let all = counts.iter().map(|(_, nodes)| nodes).sum();
    report(counts.iter().map(|(mv, nodes)| (position.text(*mv), *nodes)), all)
}

fn report(counts: impl Iterator<Item = (String, u64)>, all: u64) -> String {
    let mut text = String::new();
    for (mv, nodes) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{mv}: {nodes}");
    }
    let _ = write!(text, "\nNodes searched: {all}");
    text
}
