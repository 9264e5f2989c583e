//! An analysis as an annotated game.

use crate::explain::Explanation;
use tamarin_eval::Score;
use tamarin_movegen::{Color, Position};

use crate::analyse::analysis::{Critical, GameAnalysis, Moment, MoveReport, SideReport};
use crate::analyse::judge::Judgement;
use crate::analyse::own::{ANNOTATOR, BESIDE_GLYPH, EXPLAINS, NAG_ONLY_MOVE, Remark, verdict};
use crate::analyzer::Line;
use tamarin_game::about::VERSION;
use tamarin_game::pgn::comment::commands;
use tamarin_game::pgn::{self, Game, Token, Word, outside};
use tamarin_game::score_text::{for_white, is_mate_on_board, plain, with_sign};
use tamarin_game::variation;

/// The game with its own annotations and those of the analysis, and an empty line.
pub fn write(analysis: &GameAnalysis, line_length: usize) -> String {
    pgn::write(&annotated(analysis, line_length))
}

/// The game with its own annotations and those of the analysis. Analyzed again it gives the same.
fn annotated(analysis: &GameAnalysis, line_length: usize) -> Game {
    let mut game = analysis.game.clone();
    set_tags(&mut game, analysis);
    let (value, sentences) = opening(analysis);
    set_evaluation(&mut game.lead, value.as_deref(), &sentences);
    for (index, position) in analysis.positions().enumerate().take(analysis.moves.len()) {
        let annotator = Annotator { analysis, position: &position, index, line_length };
        annotator.add(&mut game.moves[index].words);
    }
    if analysis.moves.is_empty() {
        let end = game.lead.iter().take_while(|word| word.token.comment().is_some()).count();
        game.lead.splice(end..end, explanation(analysis, 0));
        let start = &analysis.game.start;
        for line in analysis.evaluations[0].lines.iter().rev() {
            let score = with_sign(for_white(line.score, start.side_to_move()));
            let moves = variation::numbered(start, &line.moves, line_length);
            game.lead.insert(end, Word::comment(&format!("{score} {moves}")));
        }
    }
    game.number_moves(0..analysis.moves.len());
    if analysis.outcome() != game.outcome {
        game.set_tag("Result", &analysis.outcome().to_string());
    }
    game.set_outcome(analysis.outcome());
    game
}

/// Why the move at `index` is good or bad, as a comment of its own, by which a later run knows it.
fn explanation(analysis: &GameAnalysis, index: usize) -> Option<Word> {
    let brief = analysis.explanation(index).map_or(&[][..], Explanation::brief);
    let sentences: Vec<&str> = brief.iter().map(|sentence| sentence.text.as_str()).collect();
    (!brief.is_empty()).then(|| Word::comment(&format!("{EXPLAINS} {}", sentences.join(" "))))
}

/// The tags that every game has, and ours.
fn set_tags(game: &mut Game, analysis: &GameAnalysis) {
    game.complete_tags();
    if game.tag("Annotator").is_none_or(|name| name.starts_with(ANNOTATOR)) {
        game.set_tag("Annotator", &format!("{ANNOTATOR}{VERSION}"));
    }
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        let side = &analysis.sides[color];
        if let Some(accuracy) = side.accuracy {
            game.set_tag(&format!("{name}Accuracy"), &format!("{accuracy:.1}"));
        }
        if let Some(loss) = side.average_loss {
            game.set_tag(&format!("{name}AverageCentipawnLoss"), &format!("{loss:.0}"));
        }
    }
}

/// What stands before the first move: the first score, and both players.
fn opening(analysis: &GameAnalysis) -> (Option<String>, String) {
    let side = analysis.game.start.side_to_move();
    let first = analysis.evaluations.first();
    let value = first.and_then(|first| evaluation(for_white(first.score, side)));
    let players = [("White", Color::White), ("Black", Color::Black)].into_iter();
    let sentences: Vec<String> = players
        .filter(|(_, color)| analysis.sides[*color].moves > 0)
        .map(|(name, color)| format!("{name}: {}.", side_text(&analysis.sides[color])))
        .collect();
    (value, sentences.join(" "))
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
fn evaluation(white: Score) -> Option<String> {
    (!is_mate_on_board(white)).then(|| format!("[%eval {}]", plain(white)))
}

/// Puts an evaluation and sentences in the place of the one that is there, or else into a comment
/// of their own behind the glyphs.
fn set_evaluation(words: &mut Vec<Word>, value: Option<&str>, sentences: &str) {
    let mut text: Vec<&str> = value.into_iter().chain([sentences]).collect();
    text.retain(|text| !text.is_empty());
    let mut text = text.join(" ");
    let comments: Vec<usize> = outside(words).map(|(index, _)| index).collect();
    // The last one goes first: comments that become empty are removed.
    let is_old = |word: &Word| {
        word.token.comment().is_some_and(|text| commands(text).any(|found| found.name == "eval"))
    };
    let old: Vec<usize> = comments.into_iter().filter(|index| is_old(&words[*index])).collect();
    for (rank, index) in old.iter().enumerate().rev() {
        let new = if rank == 0 { std::mem::take(&mut text) } else { String::new() };
        let (Token::Comment(comment) | Token::LineComment(comment)) = &mut words[*index].token
        else {
            continue;
        };
        replace_evaluations(comment, &new);
        if comment.trim().is_empty() {
            words.remove(*index);
        }
    }
    if !text.is_empty() {
        let glyphs = |word: &&Word| matches!(word.token, Token::Glyph { .. });
        let index = words.iter().take_while(glyphs).count();
        words.insert(index, Word::comment(&text));
    }
}

/// The first `[%eval]` of a comment becomes `new`, the others go.
fn replace_evaluations(comment: &mut String, new: &str) {
    let found = commands(comment).filter(|found| found.name == "eval");
    let ranges: Vec<_> = found.map(|found| found.range).collect();
    for (rank, range) in ranges.into_iter().enumerate().rev() {
        let new = if rank == 0 { new } else { "" };
        let is_blank = |at: Option<char>| at.is_none_or(char::is_whitespace);
        let before = is_blank(comment[..range.start].chars().next_back());
        let space = comment[range.end..].chars().next().filter(|c| c.is_whitespace());
        // With the command the blank behind it goes.
        let end = range.end + space.filter(|_| new.is_empty() && before).map_or(0, char::len_utf8);
        comment.replace_range(range.start..end, new);
    }
}

struct Annotator<'a> {
    analysis: &'a GameAnalysis,
    /// Before the move.
    position: &'a Position,
    index: usize,
    line_length: usize,
}

impl Annotator<'_> {
    /// Adds everything about the move to the words behind it.
    fn add(&self, words: &mut Vec<Word>) {
        let is_judged = |word: &Word| matches!(word.token, Token::Glyph { code: 1..=6, .. });
        // Somebody else's opinion of the move stays the only one.
        let other = outside(words).find(|(_, word)| is_judged(word)).map(|(_, word)| &word.token);
        let own = self.glyph().map(Word::glyph);
        let looks_like_ours = own.as_ref().is_some_and(|own| other == Some(&own.token));
        let mut sentences = self.sentences();
        if looks_like_ours {
            sentences.insert_str(0, &format!("{BESIDE_GLYPH} "));
        }
        if let (Some(own), None) = (own, other) {
            words.insert(0, own);
        }
        let after = &self.analysis.evaluations[self.index + 1];
        let white = for_white(after.score, !self.position.side_to_move());
        set_evaluation(words, evaluation(white).as_deref(), &sentences);
        let is_note = |word: &&Word| {
            word.token.comment().is_some() || matches!(word.token, Token::Glyph { .. })
        };
        let index = words.iter().take_while(is_note).count();
        words.splice(index..index, explanation(self.analysis, self.index));
        if self.report().judgement.is_some() {
            let index = words.iter().take_while(is_note).count();
            let played = self.analysis.game.moves[self.index].mv;
            let lines = self.analysis.evaluations[self.index].lines.iter();
            // The move itself is no alternative to it.
            let others = lines.filter(|line| line.moves.first().copied() != played);
            words.splice(index..index, others.flat_map(|line| self.line(line)));
        }
    }

    fn report(&self) -> &MoveReport {
        &self.analysis.moves[self.index]
    }

    fn critical(&self) -> Option<&Critical> {
        self.analysis.critical.iter().find(|critical| critical.ply == self.index)
    }

    fn glyph(&self) -> Option<u8> {
        let only = self.critical().filter(|critical| critical.moment == Moment::OnlyMove);
        self.report().judgement.map(Judgement::nag).or(only.map(|_| NAG_ONLY_MOVE))
    }

    /// What was wrong with the move, and what else is said of it.
    fn sentences(&self) -> String {
        let report = self.report();
        let verdict = report.judgement.map(|name| verdict(name, report.loss, report.consequence));
        let phases = &self.analysis.phases;
        let remarks = [
            (Remark::LastBookMove, phases.book_moves == self.index + 1),
            (Remark::OpeningEnds, phases.middlegame == Some(self.index + 1)),
            (Remark::Critical, self.critical().is_some()),
        ];
        let remarks = remarks.into_iter().filter(|(_, holds)| *holds);
        let remarks = remarks.map(|(remark, _)| remark.text().to_owned());
        let mut remarks = remarks.peekable();
        let verdict = match remarks.peek() {
            Some(_) => verdict.map(|verdict| verdict + "."),
            None => verdict,
        };
        verdict.into_iter().chain(remarks).collect::<Vec<_>>().join(" ")
    }

    /// A line instead of the move, with its score.
    fn line(&self, line: &Line) -> Vec<Word> {
        let score = for_white(line.score, self.position.side_to_move());
        let moves = variation::numbered(self.position, &line.moves, self.line_length);
        let word = |text: &str| {
            let is_number = text.ends_with('.');
            let token = if is_number { Token::Number } else { Token::San };
            Word::new(token(text.to_owned()))
        };
        let moves = moves.split(' ').map(word);
        let end = [Word::comment(&with_sign(score)), Word::new(Token::Close)];
        std::iter::once(Word::new(Token::Open)).chain(moves).chain(end).collect()
    }
}
