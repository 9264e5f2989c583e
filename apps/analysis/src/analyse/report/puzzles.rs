//! The mistakes of a game as puzzles: a line of EPD for each.

use std::fmt::Write as _;

use tamarin_eval::Score;
use tamarin_movegen::{CastlingStyle, Position};

use crate::analyse::analysis::{GameAnalysis, MoveReport};
use crate::analyse::judge::Judgement;
use crate::analyzer::PositionAnalysis;
use tamarin_eval::ScoreValue;
use tamarin_game::epd::quoted;
use tamarin_game::score_text::{for_white, with_sign};
use tamarin_game::variation;

/// A second line within this of the best one, in percent of the chance to win, is no less right.
const AS_GOOD: f64 = 5.0;

/// A line for each mistake and blunder of the game with this number, where something was to be
/// found: `bm` the best move and those as good, `am` the move played, `c0` what was played and by
/// whom, `c1` its refutation, `c2` the best line.
pub fn write(analysis: &GameAnalysis, number: u64, line_length: usize) -> String {
    let mut out = String::new();
    for (ply, (position, report)) in analysis.positions().zip(&analysis.moves).enumerate() {
        if report.judgement.is_some_and(|judgement| judgement >= Judgement::Mistake) {
            out.extend(puzzle(analysis, (number, ply), &position, report, line_length));
        }
    }
    out
}

fn puzzle(
    analysis: &GameAnalysis,
    (number, ply): (u64, usize),
    position: &Position,
    report: &MoveReport,
    line_length: usize,
) -> Option<String> {
    let played = analysis.game.moves[ply].mv?;
    let (before, after) = (&analysis.evaluations[ply], &analysis.evaluations[ply + 1]);
    let best = before.lines.first()?;
    let fen = position.fen(CastlingStyle::Standard);
    let board: Vec<&str> = fen.split_whitespace().take(4).collect();
    let mut out = board.join(" ");
    let sans: Vec<String> =
        right_moves(before, played).map(|mv| position.san(mv).to_string()).collect();
    let _ = write!(out, " bm {};", sans.join(" "));
    // Any mate as short is right.
    if let ScoreValue::Mate(moves @ 1..) = best.score.to_uci() {
        let _ = write!(out, " dm {moves};");
    }
    let san = position.san(played);
    let name = |tag| analysis.game.tag(tag).unwrap_or("?");
    let place = variation::number(position);
    let judgement = report.judgement.map_or("", Judgement::name).to_lowercase();
    let (white, black) = (name("White"), name("Black"));
    let _ = write!(out, " am {san};");
    let _ = write!(
        out,
        " id {};",
        quoted(&format!("{white} - {black}, game {number}, move {}", place_name(&place)))
    );
    // As far as it is known: "2024" of "2024.??.??".
    let date = analysis.game.tag("Date").and_then(|date| date.split(".?").next());
    let date = date.filter(|date| !date.starts_with('?'));
    let date = date.map_or(String::new(), |date| format!(", {date}"));
    let text = format!("played: {place} {san} ({judgement}) in {white} - {black}{date}");
    let _ = write!(out, " c0 {};", quoted(&text));
    let mut reply = position.clone();
    reply.make(played);
    if let Some(line) = after.lines.first() {
        let text = variation::numbered(&reply, &line.moves, line_length);
        let score = with_sign(for_white(after.score, reply.side_to_move()));
        let _ = write!(out, " c1 {};", quoted(&format!("refutation: {text} ({score})")));
    }
    let text = variation::numbered(position, &best.moves, line_length);
    let score = with_sign(for_white(best.score, position.side_to_move()));
    let _ = write!(out, " c2 {};", quoted(&format!("best: {text} ({score})")));
    let clock = position.halfmove_clock();
    let _ = writeln!(out, " hmvc {clock}; fmvn {};", position.fullmove_number());
    Some(out)
}

/// The best moves: those of the lines that were searched and are as good, of mates as short, never
/// the one played.
fn right_moves(
    before: &PositionAnalysis,
    played: tamarin_movegen::Move,
) -> impl Iterator<Item = tamarin_movegen::Move> {
    let chance = |score: Score| crate::analyse::judge::win_percent(score);
    let best = chance(before.score);
    let is_mate = before.score.is_mate();
    let good = before.lines.iter().filter(move |line| match is_mate {
        true => line.score == before.score,
        false => best - chance(line.score) <= AS_GOOD,
    });
    good.filter_map(|line| line.moves.first().copied()).filter(move |mv| *mv != played)
}

/// `12` for a move of White, `12...` for one of Black.
fn place_name(place: &str) -> &str {
    if place.ends_with("...") { place } else { place.trim_end_matches('.') }
}
