//! An analysis as an annotated game.

use tamarin_eval::{Score, UciScore};
use tamarin_explain::Explanation;
use tamarin_movegen::{CastlingStyle, Color, Position};

use crate::analyse::analysis::{Critical, GameAnalysis, Moment, MoveReport, SideReport};
use crate::analyse::judge::Judgement;
use crate::analyzer::PositionAnalysis;
use tamarin_chess::about::VERSION;
use tamarin_notation::pgn::{Movetext, Played, write_tag};
use tamarin_notation::score_text::{for_white, plain, with_sign};
use tamarin_notation::variation;

/// The good move that was the only one.
const NAG_ONLY_MOVE: u8 = 1;

/// The game with its own annotations and those of the analysis, and an empty line.
pub fn write(analysis: &GameAnalysis, line_length: usize) -> String {
    let mut out = tags(analysis);
    out.push('\n');
    let mut movetext = Movetext::default();
    for comment in &analysis.game.comments {
        movetext.comment(comment);
    }
    movetext.comment(&opening_comment(analysis));
    let mut number_is_due = true;
    let mut positions = analysis.positions();
    for index in 0..analysis.moves.len() {
        let Some(position) = positions.next() else { break };
        if number_is_due || position.side_to_move() == Color::White {
            movetext.push(&variation::number(&position));
        }
        let annotator = Annotator { analysis, position: &position, index, line_length };
        number_is_due = annotator.write(&mut movetext);
    }
    if let (true, Some(position)) = (analysis.moves.is_empty(), positions.next()) {
        for line in &analysis.evaluations[0].lines {
            let score = with_sign(for_white(line.score, position.side_to_move()));
            let moves = variation::numbered(&position, &line.moves, line_length);
            movetext.comment(&format!("{score} {moves}"));
        }
        for sentence in analysis.explanation(0).map_or(&[][..], Explanation::brief) {
            movetext.comment(&sentence.text);
        }
    }
    movetext.push(&analysis.outcome().to_string());
    out.push_str(&movetext.finish());
    out.push('\n');
    out
}

/// The tags of the game, those that every game has, and ours.
fn tags(analysis: &GameAnalysis) -> String {
    let game = &analysis.game;
    let mut out = String::new();
    let missing = |name: &str| game.tags.iter().all(|tag| tag.name != name);
    for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
        if missing(name) {
            write_tag(&mut out, name, if name == "Date" { "????.??.??" } else { "?" });
        }
    }
    for tag in &game.tags {
        write_tag(&mut out, &tag.name, &tag.value);
    }
    if missing("Result") {
        write_tag(&mut out, "Result", &analysis.outcome().to_string());
    }
    let start = game.start.fen(CastlingStyle::Standard);
    if missing("FEN") && start != Position::startpos().fen(CastlingStyle::Standard) {
        write_tag(&mut out, "SetUp", "1");
        write_tag(&mut out, "FEN", &start);
    }
    if missing("Annotator") {
        write_tag(&mut out, "Annotator", &format!("Tamarin {VERSION}"));
    }
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        let side = &analysis.sides[color];
        if let Some(accuracy) = side.accuracy {
            write_tag(&mut out, &format!("{name}Accuracy"), &format!("{accuracy:.1}"));
        }
        if let Some(loss) = side.average_loss {
            write_tag(&mut out, &format!("{name}AverageCentipawnLoss"), &format!("{loss:.0}"));
        }
    }
    out
}

/// What is told before the first move: both players and the first score.
fn opening_comment(analysis: &GameAnalysis) -> String {
    let first = analysis.evaluations.first();
    let side = analysis.game.start.side_to_move();
    let mut text = String::new();
    if let Some(evaluation) = first.and_then(|first| evaluation_text(for_white(first.score, side)))
    {
        text.push_str(&evaluation);
    }
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        if analysis.sides[color].moves > 0 {
            text.push_str(&format!(" {name}: {}.", side_text(&analysis.sides[color])));
        }
    }
    text
}

/// A player in a few words.
pub fn side_text(side: &SideReport) -> String {
    let counts: Vec<String> = Judgement::ALL
        .into_iter()
        .zip(side.judgements)
        .map(|(judgement, count)| judgement.counted(count as u64))
        .collect();
    let accuracy = side.accuracy.map_or(String::new(), |value| format!("accuracy {value:.1} %, "));
    format!("{accuracy}{}", counts.join(", "))
}

/// `[%eval 0.35]`, or nothing where a side is mated: readers know no such value.
fn evaluation_text(white: Score) -> Option<String> {
    let is_mated = |score: Score| score.to_uci() == UciScore::MatedIn(0);
    (!is_mated(white) && !is_mated(-white)).then(|| format!("[%eval {}]", plain(white)))
}

/// Writes one move.
struct Annotator<'a> {
    analysis: &'a GameAnalysis,
    /// Before the move.
    position: &'a Position,
    index: usize,
    line_length: usize,
}

impl Annotator<'_> {
    /// The move with everything about it; whether the next move needs its number again.
    fn write(&self, movetext: &mut Movetext) -> bool {
        let played = &self.analysis.game.moves[self.index];
        movetext.push(self.position.san(played.mv).as_str());
        for nag in self.nags(played) {
            movetext.push(&format!("${nag}"));
        }
        let comment = self.comment();
        if !comment.is_empty() {
            movetext.comment(&comment);
        }
        for comment in &played.comments {
            movetext.comment(comment);
        }
        let has_line = self.report().judgement.is_some();
        if has_line {
            self.better_line(movetext);
        }
        for variation in &played.variations {
            movetext.push(variation);
        }
        has_line
            || !comment.is_empty()
            || !played.comments.is_empty()
            || !played.variations.is_empty()
    }

    fn report(&self) -> &MoveReport {
        &self.analysis.moves[self.index]
    }

    fn before(&self) -> &PositionAnalysis {
        &self.analysis.evaluations[self.index]
    }

    fn critical(&self) -> Option<&Critical> {
        self.analysis.critical.iter().find(|critical| critical.ply == self.index)
    }

    /// Ours, then those of the game that say something else than how good the move is.
    fn nags(&self, played: &Played) -> Vec<u8> {
        let only = self.critical().filter(|critical| critical.moment == Moment::OnlyMove);
        let ours = self.report().judgement.map(Judgement::nag).or(only.map(|_| NAG_ONLY_MOVE));
        match ours {
            None => played.nags.clone(),
            Some(nag) => {
                let others = played.nags.iter().copied().filter(|nag| !(1..=6).contains(nag));
                std::iter::once(nag).chain(others).collect()
            }
        }
    }

    /// The evaluation after the move, and what was wrong with it.
    fn comment(&self) -> String {
        let after = &self.analysis.evaluations[self.index + 1];
        let white = for_white(after.score, !self.position.side_to_move());
        let mut words: Vec<String> = evaluation_text(white).into_iter().collect();
        let report = self.report();
        if let Some(judgement) = report.judgement {
            let mut name = judgement.name().to_owned();
            name[..1].make_ascii_uppercase();
            words.push(format!("{name}: {:.1} % lost", report.loss));
            words.extend(report.consequence.map(|found| format!("({})", found.text())));
        }
        let phases = &self.analysis.phases;
        if phases.book_moves > 0 && phases.book_moves == self.index + 1 {
            words.push("Last book move.".to_owned());
        }
        if phases.middlegame == Some(self.index + 1) {
            words.push("End of the opening.".to_owned());
        }
        if self.critical().is_some() {
            words.push("Critical moment.".to_owned());
        }
        let why = self.analysis.explanation(self.index).map_or(&[][..], Explanation::brief);
        words.extend(why.iter().map(|sentence| sentence.text.clone()));
        words.join(" ")
    }

    /// The best line instead of the move, with its score.
    fn better_line(&self, movetext: &mut Movetext) {
        for line in &self.before().lines {
            let score = for_white(line.score, self.position.side_to_move());
            let moves = variation::numbered(self.position, &line.moves, self.line_length);
            movetext.push(&format!("( {moves}"));
            movetext.comment(&with_sign(score));
            movetext.push(")");
        }
    }
}
