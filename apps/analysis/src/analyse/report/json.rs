//! An analysis as a JSON object.

use serde_json::{Map, Value, json};
use tamarin_eval::Score;
use tamarin_movegen::{CastlingNotation, CastlingStyle, Color, Position};

use super::side_lines::{self, NULL_UCI};
use crate::analyse::analysis::{Critical, GameAnalysis, Moment, MoveReport, SideReport};
use crate::analyse::judge::{Consequence, Judgement, win_percent};
use crate::analyse::times::{MoveTime, times};
use crate::analyzer::{Line, PositionAnalysis};
use crate::score_json;
use tamarin_eval::wdl;
use tamarin_game::pgn::Played;
use tamarin_game::pgn::comment::{prose, shapes, thought};
use tamarin_game::score_text::{for_white, is_mate_on_board};
use tamarin_game::variation;

/// A game. All scores are from White's point of view; docs/analyse.md describes the fields.
pub fn game(analysis: &GameAnalysis, number: u64, line_length: usize) -> Value {
    let game = &analysis.game;
    let writer = Writer {
        line_length,
        notation: match game.is_chess960() {
            true => CastlingNotation::KingTakesRook,
            false => CastlingNotation::Classic,
        },
    };
    let tags: Map<String, Value> =
        game.tags.iter().map(|tag| (tag.name().to_owned(), tag.value().into())).collect();
    let mut positions = analysis.positions();
    let mut moves = Vec::new();
    let times = times(game);
    for (index, (played, report)) in game.moves.iter().zip(&analysis.moves).enumerate() {
        let Some(position) = positions.next() else { break };
        let mut object = writer.evaluation(&analysis.evaluations[index], &position);
        object.insert("ply".into(), (index + 1).into());
        object.insert("move".into(), variation::number(&position).into());
        object.insert("san".into(), played.plain_san(&position).into());
        object.insert("uci".into(), writer.uci(played, &position).into());
        insert_report(&mut object, report);
        insert_notes(&mut object, played.comments(), position.side_to_move());
        insert_time(&mut object, times[index]);
        let nags: Vec<u8> = played.glyphs().collect();
        insert_list(&mut object, "nags", nags);
        let variations = side_lines::write(&played.words, &position, writer.notation);
        insert_list(&mut object, "variations", variations);
        if let Some(found) = analysis.explanation(index) {
            object.insert("explanation".into(), found.to_json(writer.notation));
        }
        moves.push(Value::Object(object));
    }
    let last = positions.next().map(|position| {
        let evaluation = &analysis.evaluations[game.moves.len()];
        let mut object = writer.evaluation(evaluation, &position);
        if let Some(found) = analysis.explanation(game.moves.len()) {
            object.insert("explanation".into(), found.to_json(writer.notation));
        }
        Value::Object(object)
    });
    let mut lead = Map::new();
    insert_notes(&mut lead, game.comments(), Color::White);
    let mut object = json!({
        "game": number,
        "tags": tags,
        "start": game.start.fen(fen_style(game.is_chess960())),
        "chess960": game.is_chess960(),
        "result": analysis.outcome().to_string(),
        "moves": moves,
        "last": last,
        "white": side(&analysis.sides[Color::White]),
        "black": side(&analysis.sides[Color::Black]),
        "opening": analysis.opening(),
        "book_moves": analysis.phases.book_moves,
        "opening_ends": analysis.phases.middlegame,
        "endgame_begins": analysis.phases.endgame,
        "critical": analysis.critical.iter().map(critical).collect::<Vec<_>>(),
    });
    if let Value::Object(object) = &mut object {
        object.append(&mut lead);
    }
    object
}

/// What comments say: in words, as arrows and squares, and the thought of an engine that moved for
/// `side`.
fn insert_notes<'a>(
    object: &mut Map<String, Value>,
    comments: impl Iterator<Item = &'a str>,
    side: Color,
) {
    let (mut texts, mut drawn) = (Vec::new(), Vec::new());
    for comment in comments {
        drawn.extend(
            shapes(comment).iter().map(|shape| format!("{}{}", shape.color, shape.squares)),
        );
        match thought(comment) {
            Some(found) => {
                let score = found.score_for_white(side);
                object.insert("engine".into(), json!({ "score": score, "depth": found.depth }));
                texts.push(found.rest);
            }
            None => texts.push(prose(comment)),
        }
    }
    texts.retain(|text| !text.is_empty());
    insert_list(object, "comments", texts);
    insert_list(object, "shapes", drawn);
}

fn insert_list<T: Into<Value>>(object: &mut Map<String, Value>, name: &str, list: Vec<T>) {
    if !list.is_empty() {
        object.insert(name.into(), list.into());
    }
}

fn insert_time(object: &mut Map<String, Value>, time: MoveTime) {
    for (name, value) in [("clock", time.left), ("spent", time.spent)] {
        if let Some(value) = value {
            object.insert(name.into(), hundredths(value));
        }
    }
}

const fn fen_style(is_chess960: bool) -> CastlingStyle {
    if is_chess960 { CastlingStyle::Shredder } else { CastlingStyle::Standard }
}

/// How moves are written.
struct Writer {
    line_length: usize,
    notation: CastlingNotation,
}

impl Writer {
    /// A move in coordinates; a null move as UCI writes it.
    fn uci(&self, played: &Played, before: &Position) -> String {
        let uci = |mv| before.uci(mv, self.notation).to_string();
        played.mv.map_or_else(|| NULL_UCI.to_owned(), uci)
    }

    /// The fields about a position.
    fn evaluation(&self, evaluation: &PositionAnalysis, position: &Position) -> Map<String, Value> {
        let side = position.side_to_move();
        let mut object = Map::new();
        let lines: Vec<Value> =
            evaluation.lines.iter().map(|line| self.line(line, position)).collect();
        object.insert("eval".into(), score(for_white(evaluation.score, side)));
        let chance = win_percent(for_white(evaluation.score, side));
        object.insert("win".into(), hundredths(chance));
        let [own, draw, other] = wdl::permille(evaluation.score, position);
        let (white, black) = if side == Color::White { (own, other) } else { (other, own) };
        object.insert("wdl".into(), json!([white, draw, black]));
        object.insert("depth".into(), evaluation.depth.into());
        object.insert("nodes".into(), evaluation.nodes.into());
        object.insert("lines".into(), lines.into());
        object
    }

    fn line(&self, line: &Line, position: &Position) -> Value {
        let (moves, length) = (&line.moves, self.line_length);
        json!({
            "eval": score(for_white(line.score, position.side_to_move())),
            "san": variation::sans(position, moves, length),
            "uci": variation::coordinates(position, moves, length, self.notation),
        })
    }
}

/// The same as [`score_json`], and 0 moves for a mate on the board.
fn score(score: Score) -> Value {
    if is_mate_on_board(score) { json!({ "mate": 0 }) } else { score_json(score) }
}

/// Rounded to two digits.
fn hundredths(value: f64) -> Value {
    ((value * 100.0).round() / 100.0).into()
}

fn insert_report(object: &mut Map<String, Value>, report: &MoveReport) {
    object.insert("loss".into(), hundredths(report.loss));
    object.insert("cp_loss".into(), report.centipawn_loss.into());
    object.insert("accuracy".into(), hundredths(report.accuracy));
    object.insert("is_best".into(), report.is_best.into());
    let name = report.judgement.map(Judgement::name);
    object.insert("judgement".into(), name.into());
    let consequence = report.consequence.map(Consequence::text);
    object.insert("consequence".into(), consequence.into());
}

fn side(report: &SideReport) -> Value {
    let mut object = Map::new();
    object.insert("moves".into(), report.moves.into());
    object.insert("best".into(), report.best.into());
    for (judgement, count) in Judgement::ALL.into_iter().zip(report.judgements) {
        object.insert(judgement.plural().into(), count.into());
    }
    object.insert("accuracy".into(), report.accuracy.map_or(Value::Null, hundredths));
    object.insert("average_cp_loss".into(), report.average_loss.map_or(Value::Null, hundredths));
    Value::Object(object)
}

fn critical(critical: &Critical) -> Value {
    let reason = match critical.moment {
        Moment::Lost(judgement) => judgement.name(),
        Moment::OnlyMove => "only move",
    };
    json!({ "ply": critical.ply + 1, "reason": reason, "stake": hundredths(critical.stake) })
}
