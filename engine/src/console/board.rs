//! `d`, `eval` and `perft`: the current position.

use std::fmt::Write as _;

use tamarin_movegen::{CastlingNotation, File, Piece, Position, Rank, Square};
use tamarin_perft::{Control, Depth, Options};
use tamarin_uci::EvalFormat;
use tamarin_variant_search::AnyEvaluator;

use super::{Context, NoPosition};
use tamarin_game::evaluation::{self, Shown};
use tamarin_game::played::Played;
use tamarin_game::position as game;
use tamarin_variant::{divide, draw};

/// `d`: the board and FEN; in chess key and checkers, in variants the side to move.
///
/// # Errors
/// If there is no position. Clients that wait for the lines of Stockfish get empty ones.
pub fn show(context: &Context<'_>) -> Result<(), NoPosition> {
    let game = context.game().inspect_err(|_| context.print("Fen:\nKey:\nCheckers:"))?;
    context.print(&diagram(game, context.notation));
    Ok(())
}

/// What `d` prints: in chess as Stockfish does, with an empty line before the board.
pub fn diagram(game: &Played, notation: CastlingNotation) -> String {
    match game.position() {
        game::Position::Chess(position, _) => chess_diagram(position, notation),
        game::Position::Variant(position) => draw(position).trim_end().to_owned(),
    }
}

fn chess_diagram(position: &Position, notation: CastlingNotation) -> String {
    const RULE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = format!("\n{RULE}");
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let letter = position.piece_at(Square::new(file, rank)).map_or(' ', Piece::to_char);
            text.push_str(&format!(" | {letter}"));
        }
        text.push_str(&format!(" | {}\n{RULE}", rank.to_char()));
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let checkers: Vec<_> = position.checkers().into_iter().map(|at| at.to_string()).collect();
    let fen = match notation {
        CastlingNotation::Classic => format!("{position}"),
        CastlingNotation::KingTakesRook => format!("{position:#}"),
    };
    text.push_str(&format!(
        "Fen: {fen}\nKey: {:016X}\nCheckers: {}",
        position.key(),
        checkers.join(" ")
    ));
    text.trim_end().to_owned()
}

/// `eval`: the evaluation by the network with the value of each piece, and the hand-crafted terms
/// for both sides. In variants the terms of a learned evaluator, or the part that depends on the pieces
/// alone and the rest.
pub fn evaluate(format: EvalFormat, context: &Context<'_>) -> Result<(), NoPosition> {
    if let (game::Position::Variant(position), EvalFormat::Table, Some(evaluator)) =
        (context.game()?.position(), format, &context.variant_evaluator)
    {
        context.print(&variant_evaluation(evaluator, position));
        return Ok(());
    }
    let position = context.chess("eval --json")?;
    let network = context.evaluator.loaded_network();
    let shown = Shown { network: &network, searches_with: context.evaluator.kind };
    context.print(&match format {
        EvalFormat::Table => evaluation::to_text(position, &shown),
        EvalFormat::Json => evaluation::to_json(position, &shown).to_string(),
    });
    Ok(())
}

/// The evaluator's name and its terms, for White.
fn variant_evaluation(evaluator: &AnyEvaluator, position: &tamarin_variant::Position) -> String {
    let pawns = |centipawns: i32| format!("{:+.2}", f64::from(centipawns) / 100.0);
    let whole = evaluator.evaluate(position);
    let material = evaluator.material(position);
    let mut text = format!("Evaluator {evaluator}\n");
    match evaluator {
        AnyEvaluator::Named(_) => {
            let rest = pawns(whole - material);
            text += &format!("pieces    {:>8}\nthe rest  {rest:>8}\n", pawns(material));
        }
        AnyEvaluator::Learned(learned) => {
            text += &format!("{:<10} {:>8} {:>8} {:>8}\n", "term", "White", "Black", "total");
            for (family, [white, black]) in learned.breakdown(position) {
                let words = [white, black, white - black].map(pawns);
                let [white, black, total] = &words;
                text += &format!("{:<10} {white:>8} {black:>8} {total:>8}\n", family.word());
            }
        }
    }
    format!("{text}\nEvaluation {} (for White)", pawns(whole))
}

/// Why nothing was counted.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// There is nothing to count from.
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    #[error("perft {0}: the depth is 0 to {max}", max = Depth::MAX)]
    Depth(u32),
}

/// Prints `e2e4: 20` for each legal move, a blank line, `Nodes searched: N` and another blank line,
/// as Stockfish does; programs wait for each of them.
pub fn perft(plies: u32, context: &Context<'_>) -> Result<(), PerftError> {
    let game = context.game()?;
    if plies == 0 {
        context.print(&counted([].into_iter(), 1));
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
    counted(outcome.divide.iter().map(|(mv, nodes)| (text(*mv), *nodes)), outcome.nodes())
}

fn count_variant(position: &tamarin_variant::Position, plies: u32) -> String {
    let counts = divide(&mut position.clone(), plies);
    let all = counts.iter().map(|(_, nodes)| u128::from(*nodes)).sum();
    counted(counts.iter().map(|(mv, nodes)| (position.text(*mv), u128::from(*nodes))), all)
}

fn counted(counts: impl Iterator<Item = (String, u128)>, all: u128) -> String {
    let mut text = String::new();
    for (mv, nodes) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{mv}: {nodes}");
    }
    let _ = writeln!(text, "\nNodes searched: {all}");
    text
}

#[cfg(test)]
mod tests {
    use super::chess_diagram;
    use tamarin_movegen::{CastlingNotation, Position};

    #[test]
    fn the_diagram_has_white_below_and_names_what_gives_check() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 3 40").expect("legal");
        let text = chess_diagram(&position, CastlingNotation::Classic);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[2], " |   |   |   |   | k |   |   |   | 8");
        assert_eq!(rows[14], " |   |   |   |   | R |   |   |   | 2");
        assert!(text.contains("Fen: 4k3/8/8/8/8/8/4R3/4K3 b - - 3 40"), "{text}");
        assert!(text.ends_with("Checkers: e2"), "{text}");
    }
}
