//! An analysis as text for a terminal.

use std::fmt::Write as _;

use crate::explain::Explanation;
use tamarin_eval::Score;
use tamarin_movegen::{CastlingStyle, Color, Position};

use super::pgn::side_text;
use crate::analyse::analysis::{GameAnalysis, Moment};
use crate::analyzer::PositionAnalysis;
use tamarin_game::score_text::{for_white, in_words, is_mate_on_board};
use tamarin_game::variation;

/// The game with this number as a table of its moves, and an empty line.
pub fn write(analysis: &GameAnalysis, number: u64, line_length: usize) -> String {
    let game = &analysis.game;
    let mut out = String::new();
    if game.moves.is_empty() {
        return position(analysis, line_length);
    }
    let name = |tag| game.tag(tag).unwrap_or("?");
    let (white, black) = (name("White"), name("Black"));
    // Writing to a string cannot fail.
    let _ = writeln!(out, "Game {number}: {white} - {black}, {}\n", analysis.outcome());
    let _ = writeln!(out, "{:>8}  {:8}{:>8}{:>7}  best", "", "move", "score", "loss");
    let mut positions = analysis.positions();
    for (index, report) in analysis.moves.iter().enumerate() {
        let Some(before) = positions.next() else { break };
        let after = &analysis.evaluations[index + 1];
        let score = score_text(for_white(after.score, !before.side_to_move()));
        let loss = report.judgement.map_or(String::new(), |_| format!("{:.0} %", report.loss));
        let san = game.moves[index].plain_san(&before);
        let _ = write!(out, "{:>8}  {san:8}{score:>8}{loss:>7}", variation::number(&before));
        if let Some(judgement) = report.judgement {
            let best = analysis.evaluations[index].lines.first();
            let moves = best.map_or(&[][..], |line| &line.moves);
            let text = variation::sans(&before, moves, line_length.min(4)).join(" ");
            let consequence = report.consequence.map(|found| format!(", {}", found.text()));
            let _ =
                write!(out, "  {text}  {}{}", judgement.name(), consequence.unwrap_or_default());
        }
        out.push('\n');
        explanation(&mut out, analysis, index);
    }
    out.push_str(&summary(analysis));
    out
}

/// Why a move is good or bad, below it.
fn explanation(out: &mut String, analysis: &GameAnalysis, ply: usize) {
    let lines = analysis.explanation(ply).map(Explanation::lines).unwrap_or_default();
    for line in lines {
        let _ = writeln!(out, "          {line}");
    }
}

/// The lines about the game as a whole.
fn summary(analysis: &GameAnalysis) -> String {
    let mut out = String::from("\n");
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        let side = &analysis.sides[color];
        let loss = side.average_loss.map_or(String::new(), |loss| format!(", {loss:.0} cp a move"));
        let _ = writeln!(out, "{name}: {}{loss}", side_text(side));
    }
    let phases = &analysis.phases;
    let place =
        |ply: usize| match ply.checked_sub(1).and_then(|last| analysis.positions().nth(last)) {
            Some(position) => format!("after {}", san_with_number(analysis, &position, ply - 1)),
            None => "from the start".to_owned(),
        };
    if phases.book_moves > 0 {
        let _ = writeln!(out, "Book: up to {}", place(phases.book_moves).replace("after ", ""));
    }
    let ends = phases.middlegame.filter(|ply| *ply > 0);
    let ends = ends.map(|ply| format!("ends {}", place(ply)));
    let opening: Vec<String> = analysis.opening().into_iter().chain(ends).collect();
    if !opening.is_empty() {
        let _ = writeln!(out, "Opening: {}", opening.join(", "));
    }
    if let Some(ply) = phases.endgame {
        let _ = writeln!(out, "Endgame: {}", place(ply));
    }
    for critical in &analysis.critical {
        let Some(position) = analysis.positions().nth(critical.ply) else { break };
        let reason = match critical.moment {
            Moment::Lost(judgement) => judgement.name(),
            Moment::OnlyMove => "the only move",
        };
        let mv = san_with_number(analysis, &position, critical.ply);
        let _ = writeln!(out, "Critical: {mv}, {reason}, {:.0} % at stake", critical.stake);
    }
    out.push('\n');
    out
}

/// The score for White, or `mate` where a side is mated on the board.
fn score_text(white: Score) -> String {
    if is_mate_on_board(white) { "mate".to_owned() } else { in_words(white) }
}

fn san_with_number(analysis: &GameAnalysis, position: &Position, index: usize) -> String {
    let san = analysis.game.moves[index].plain_san(position);
    format!("{} {san}", variation::number(position))
}

/// A position without moves: its lines.
fn position(analysis: &GameAnalysis, line_length: usize) -> String {
    let start = &analysis.game.start;
    let mut out = String::new();
    if let Some(name) = analysis.game.tag("Event") {
        let _ = writeln!(out, "{name}");
    }
    let _ = writeln!(out, "{}", start.fen(CastlingStyle::Standard));
    let evaluation: &PositionAnalysis = &analysis.evaluations[0];
    for line in &evaluation.lines {
        let score = in_words(for_white(line.score, start.side_to_move()));
        let moves = variation::numbered(start, &line.moves, line_length);
        let _ = writeln!(out, "{score:>8}  depth {}  {moves}", evaluation.depth);
    }
    if evaluation.lines.is_empty() {
        let (score, over) = match start.in_check() {
            true => ("mate", "checkmate"),
            false => ("+0.00", "stalemate"),
        };
        let _ = writeln!(out, "{score:>8}  {over}");
    }
    explanation(&mut out, analysis, 0);
    out.push('\n');
    out
}
