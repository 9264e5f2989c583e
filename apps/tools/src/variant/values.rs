//! `tamarin variant values`: what pieces are worth to an evaluator.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tamarin_variant::{Color, Game, Piece};
use tamarin_variant_search::AnyEvaluator;
use tamarin_variant_search::evaluate::Evaluator;
use tamarin_variant_search::evaluate::learned::{Learned, Weight};

use super::player::EvaluatorName;
use super::source::{Failure, GameSource, piece_names};
use super::standings::table_line;

/// What `values` takes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct ValuesArguments {
    #[command(flatten)]
    source: GameSource,
    /// The evaluator, a file that `variant learn` has written, or `learned`: the one that comes with
    /// the program
    #[arg(long, value_name = "EVALUATOR", default_value = "sme")]
    evaluator: EvaluatorName,
    /// Show this piece square by square
    #[arg(long, value_name = "NAME")]
    piece: Option<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &ValuesArguments) -> Result<String, Failure> {
    let game = arguments.source.load()?.game;
    let evaluator = arguments.evaluator.evaluator(&game)?;
    if let Some(name) = &arguments.piece {
        let kind = game.piece_names().position(|other| other == name);
        let kind = kind.ok_or_else(|| Failure::Piece(name.clone(), piece_names(&game)))?;
        let piece = Piece { color: Color::White, kind: kind as u8 };
        return Ok(match &evaluator {
            AnyEvaluator::Named(evaluator) => boards(evaluator, piece),
            AnyEvaluator::Learned(learned) => tables(learned, piece),
        });
    }
    let pieces: Vec<Value> = match &evaluator {
        AnyEvaluator::Named(evaluator) => named(evaluator),
        AnyEvaluator::Learned(learned) => values_of_learned(learned),
    };
    if arguments.json {
        let evaluator = arguments.evaluator.to_string();
        let object =
            json!({ "game": arguments.source.game, "evaluator": evaluator, "pieces": pieces });
        return Ok(format!("{object}\n"));
    }
    let columns: [(&str, &str, usize); 3] = match evaluator {
        AnyEvaluator::Named(_) => {
            [("White", "white", 10), ("Black", "black", 10), ("centipawns", "white_centipawns", 12)]
        }
        AnyEvaluator::Learned(_) => {
            [("full board", "middlegame", 10), ("empty", "endgame", 10), ("mean", "mean", 12)]
        }
    };
    let width = if pieces.iter().any(|piece| piece.get("flag").is_some()) { 16 } else { 8 };
    let head = columns.map(|(title, _, width)| (title.to_owned(), width));
    let row = |piece: &Value| {
        let cells = columns.map(|(_, key, width)| (piece[key].to_string(), width));
        let flag = piece["flag"].as_str().map_or_else(String::new, |flag| format!(" +{flag}"));
        let name = piece["piece"].as_str().unwrap_or_default();
        table_line(&format!("{name}{flag}"), width, cells)
    };
    Ok(table_line("piece", width, head) + &pieces.iter().map(row).collect::<String>())
}

/// The pieces' values in parts of a million of their vector, and in centipawns: without flags, then
/// with each valued one that they begin a game with.
fn named(evaluator: &Evaluator) -> Vec<Value> {
    let (game, values) = (evaluator.game(), evaluator.values());
    let row = |kind: u8, flag: Option<usize>| {
        let value = |color| {
            let piece = Piece { color, kind };
            let mean = flag.map_or(values.mean(piece), |flag| values.mean_with_flag(piece, flag));
            (mean, evaluator.centipawns(mean))
        };
        let [(white, white_cp), (black, black_cp)] = Color::ALL.map(value);
        let mut row = json!({ "piece": game.piece_name(kind), "white": white, "black": black,
            "white_centipawns": white_cp, "black_centipawns": black_cp });
        if let Some(flag) = flag {
            row["flag"] = game.flag_name(flag).into();
        }
        row
    };
    let kinds = 0..game.piece_count() as u8;
    kinds.flat_map(|kind| valued(evaluator, kind).map(move |flag| row(kind, flag))).collect()
}

/// No flag, then those with which a piece begins a game and which are worth something.
fn valued(evaluator: &Evaluator, kind: u8) -> impl Iterator<Item = Option<usize>> {
    let (flags, values) = (evaluator.game().start_flags(kind), evaluator.values());
    let piece = Piece { color: Color::White, kind };
    let is_valued = move |&flag: &usize| {
        flags >> flag & 1 != 0 && values.mean_with_flag(piece, flag) != values.mean(piece)
    };
    [None].into_iter().chain((0..8).filter(is_valued).map(Some))
}

/// The values square by square, without flags and with each.
fn boards(evaluator: &Evaluator, piece: Piece) -> String {
    let (game, values) = (evaluator.game(), evaluator.values());
    let table = |flag: Option<usize>| {
        let heading = flag.map_or_else(String::new, |flag| format!("+{}\n", game.flag_name(flag)));
        let value = |square| {
            let added = flag.map_or(0, |flag| values.flag(piece, flag, square));
            evaluator.centipawns(values.piece(piece, square) + added)
        };
        heading + &board(game, value)
    };
    valued(evaluator, piece.kind).map(table).collect()
}

/// The pieces' values in centipawns, with all pieces on the board and with none. Royal pieces, which
/// are never exchanged, have none.
fn values_of_learned(learned: &Learned) -> Vec<Value> {
    let game = learned.game();
    let pieces = (0..game.piece_count() as u8).map(|kind| {
        let value = if game.is_royal(kind) { Weight::default() } else { learned.value(kind) };
        json!({ "piece": game.piece_name(kind), "middlegame": value.middlegame,
            "endgame": value.endgame, "mean": value.mean() })
    });
    pieces.collect()
}

/// A number for every square, White's side below.
fn board(game: &Game, value: impl Fn(u8) -> i32) -> String {
    let mut text = String::new();
    for row in (0..game.rows()).rev() {
        for column in 0..game.columns() {
            let _ = write!(text, "{:>6}", value(row * game.columns() + column));
        }
        text.push('\n');
    }
    text
}

/// What a piece is worth square by square, with all pieces on the board and with none.
fn tables(learned: &Learned, piece: Piece) -> String {
    let game = learned.game();
    let middlegame = board(game, |square| learned.on_square(piece, square).middlegame);
    let endgame = board(game, |square| learned.on_square(piece, square).endgame);
    format!("with a full board\n{middlegame}with an empty one\n{endgame}")
}
