//! `tamarin variant values`: what pieces are worth to an evaluator.

use std::fmt::Write as _;

use serde_json::json;
use tamarin_variant::{Color, Piece};
use tamarin_variant_search::evaluate::{Evaluator, Spec};

use super::game_source::GameSource;
use super::source::Failure;

/// What `values` takes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct ValuesArguments {
    #[command(flatten)]
    source: GameSource,
    /// The evaluator
    #[arg(long, value_name = "EVALUATOR", default_value = "sme")]
    evaluator: Spec,
    /// Show this piece square by square
    #[arg(long, value_name = "NAME")]
    piece: Option<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &ValuesArguments) -> Result<String, Failure> {
    let game = arguments.source.load()?.game;
    let evaluator = Evaluator::new(&game, &arguments.evaluator);
    if let Some(name) = &arguments.piece {
        let kind = game.piece_names().position(|other| other == name);
        let kind =
            kind.ok_or_else(|| Failure::Piece(name.clone(), super::source::piece_names(&game)))?;
        return Ok(squares(&evaluator, Piece { color: Color::White, kind: kind as u8 }));
    }
    let value = |kind, color| {
        let mean = evaluator.values().mean(Piece { color, kind });
        (mean, evaluator.centipawns(mean))
    };
    let kinds = 0..game.piece_count() as u8;
    if arguments.json {
        let pieces = kinds.map(|kind| {
            let [(white, white_cp), (black, black_cp)] = Color::ALL.map(|color| value(kind, color));
            json!({ "piece": game.piece_name(kind), "white": white, "black": black,
                "white_centipawns": white_cp, "black_centipawns": black_cp })
        });
        let evaluator = evaluator.spec().to_string();
        let pieces: Vec<_> = pieces.collect();
        let object =
            json!({ "game": arguments.source.game, "evaluator": evaluator, "pieces": pieces });
        return Ok(format!("{object}\n"));
    }
    let mut text = format!("{:<8} {:>10} {:>10} {:>12}\n", "piece", "White", "Black", "centipawns");
    for kind in kinds {
        let [(white, cp), (black, _)] = Color::ALL.map(|color| value(kind, color));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<8} {white:>10} {black:>10} {cp:>12}", game.piece_name(kind));
    }
    Ok(text)
}

/// The centipawns of a piece on every square, White's side below.
fn squares(evaluator: &Evaluator, piece: Piece) -> String {
    let game = evaluator.game();
    let mut text = String::new();
    for row in (0..game.rows()).rev() {
        for column in 0..game.columns() {
            let value = evaluator.values().piece(piece, row * game.columns() + column);
            let _ = write!(text, "{:>6}", evaluator.centipawns(value));
        }
        text.push('\n');
    }
    text
}
