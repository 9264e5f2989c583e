//! What an earlier run has added to a game: its text, and how it is found again.
//!
//! All of it is known by its form, in games whose tags name Tamarin or give accuracies: words behind
//! `[%eval]`, glyphs and lines where these words name a mistake. Everything else is of somebody else
//! and stays.

use std::ops::Range;

use super::judge::{Consequence, Judgement};
use tamarin_game::pgn::comment::{commands, prose};
use tamarin_game::pgn::{Game, Token, Word, outside, variations};

/// The name in the tag `Annotator`, before a version.
pub const ANNOTATOR: &str = "Tamarin ";

/// What our sentences begin with where somebody else's glyph stands that looks like ours.
pub const BESIDE_GLYPH: &str = "Tamarin:";

/// What a comment with our reasons begins with.
pub const EXPLAINS: &str = "Tamarin explains:";

/// The good move that was the only one.
pub const NAG_ONLY_MOVE: u8 = 1;

/// A remark on a move that is no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remark {
    LastBookMove,
    OpeningEnds,
    /// A moment that decided something.
    Critical,
}

impl Remark {
    const ALL: [Self; 3] = [Self::LastBookMove, Self::OpeningEnds, Self::Critical];

    /// What it says in a comment.
    pub const fn text(self) -> &'static str {
        match self {
            Self::LastBookMove => "Last book move.",
            Self::OpeningEnds => "End of the opening.",
            Self::Critical => "Critical moment.",
        }
    }
}

/// What a comment says of a move that lost much, such as `Blunder: 17.9 % lost (allows mate in 2)`.
pub fn verdict(judgement: Judgement, loss: f64, consequence: Option<Consequence>) -> String {
    let mut name = judgement.name().to_owned();
    name[..1].make_ascii_uppercase();
    let consequence = consequence.map(|found| format!(" ({})", found.text()));
    format!("{name}: {loss:.1} % lost{}", consequence.unwrap_or_default())
}

/// Takes out of a game what an earlier run has added, but for its tags and `[%eval]`, whose values
/// are given anew.
pub fn remove(game: &mut Game) {
    let is_ours = game.tag("Annotator").is_some_and(|name| name.starts_with(ANNOTATOR))
        || ["WhiteAccuracy", "BlackAccuracy"].into_iter().any(|name| game.has_tag(name));
    if !is_ours {
        return;
    }
    let is_position = game.moves.is_empty();
    remove_sentences(&mut game.lead, is_position);
    for played in &mut game.moves {
        let found = remove_sentences(&mut played.words, false);
        remove_glyph(&mut played.words, &found);
        if found.judgement.is_some() {
            remove_lines(&mut played.words);
        }
    }
}

#[derive(Default)]
struct Said {
    judgement: Option<Judgement>,
    is_critical: bool,
    /// The glyph of the move is not ours.
    is_beside_glyph: bool,
}

/// Takes our sentences out of comments, and the comments that hold nothing else.
fn remove_sentences(words: &mut Vec<Word>, is_position: bool) -> Said {
    let mut said = Said::default();
    for index in indices(words, |token| token.comment().is_some()).into_iter().rev() {
        // The blank before the brace; a line ends without one.
        let end = if matches!(words[index].token, Token::Comment(_)) { " " } else { "" };
        let (Token::Comment(text) | Token::LineComment(text)) = &mut words[index].token else {
            continue;
        };
        let begin = commands(text).find(|found| found.name == "eval").map(|found| found.range.end);
        let rest = after_sentences(&text[begin.unwrap_or(0)..], &mut said);
        let is_empty = rest.trim().is_empty();
        let rest = if is_empty { end.to_owned() } else { rest.to_owned() };
        let is_line = is_position && is_line_of_position(text);
        let explains = joined(text).starts_with(EXPLAINS);
        match begin {
            Some(begin) => {
                text.truncate(begin);
                text.push_str(&rest);
            }
            // Where a side is mated, of lines of a position, or of reasons.
            None if is_line || explains || (!text.trim().is_empty() && is_empty) => {
                words.remove(index);
            }
            None => {}
        }
    }
    said
}

fn indices(words: &[Word], suits: impl Fn(&Token) -> bool) -> Vec<usize> {
    outside(words).filter(|(_, word)| suits(&word.token)).map(|(index, _)| index).collect()
}

/// What follows our sentences in a text.
fn after_sentences<'a>(text: &'a str, said: &mut Said) -> &'a str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let remark = |one: Remark| {
            let words: Vec<_> = one.text().split(' ').map(Wanted::Word).collect();
            after_words(trimmed, &words).map(|rest| (one, rest))
        };
        if let Some(behind) = after_words(trimmed, &[Wanted::Word(BESIDE_GLYPH)]) {
            said.is_beside_glyph = true;
            rest = behind;
        } else if let Some((remark, behind)) = Remark::ALL.into_iter().find_map(remark) {
            said.is_critical |= remark == Remark::Critical;
            rest = behind;
        } else if let Some((judgement, length)) = read_verdict(trimmed) {
            said.judgement = Some(judgement);
            rest = &trimmed[length..];
        } else if let Some(length) = read_side(trimmed) {
            rest = &trimmed[length..];
        } else {
            return rest;
        }
    }
}

/// The judgement that a text begins with, and its length.
fn read_verdict(text: &str) -> Option<(Judgement, usize)> {
    let (name, rest) = text.split_once(':')?;
    let judgement = Judgement::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(name))?;
    let lost = |last| [Wanted::Number, Wanted::Word("%"), Wanted::Word(last)];
    let rest = after_words(rest, &lost("lost")).or_else(|| after_words(rest, &lost("lost.")))?;
    let inside = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let rest = match inside {
        Some((inside, behind)) if Consequence::is_text(&joined(inside)) => {
            behind.strip_prefix('.').unwrap_or(behind)
        }
        _ => rest,
    };
    Some((judgement, text.len() - rest.len()))
}

/// The length of a sentence about a side at the beginning of a text: `White: accuracy 98.2 %,
/// 0 inaccuracies, 1 mistake, 0 blunders.`
fn read_side(text: &str) -> Option<usize> {
    let (name, rest) = text.split_once(':')?;
    if !matches!(name, "White" | "Black") {
        return None;
    }
    let mut rest =
        after_words(rest, &[Wanted::Word("accuracy"), Wanted::Number, Wanted::Word("%,")])?;
    for (judgement, end) in Judgement::ALL.into_iter().zip([",", ",", "."]) {
        let forms = [judgement.name(), judgement.plural()].map(|name| format!("{name}{end}"));
        let after = |form: &String| after_words(rest, &[Wanted::Number, Wanted::Word(form)]);
        rest = forms.iter().find_map(after)?;
    }
    Some(text.len() - rest.len())
}

enum Wanted<'a> {
    Word(&'a str),
    Number,
}

/// What follows these words, which any white space divides.
fn after_words<'a>(text: &'a str, wanted: &[Wanted<'_>]) -> Option<&'a str> {
    wanted.iter().try_fold(text, |rest, wanted| {
        let rest = rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let suits = match wanted {
            Wanted::Word(word) => rest[..end] == **word,
            Wanted::Number => rest[..end].parse::<f64>().is_ok(),
        };
        suits.then(|| &rest[end..])
    })
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a comment is a line of a position: a score and numbered moves.
fn is_line_of_position(text: &str) -> bool {
    let text = joined(text);
    let Some((score, moves)) = text.split_once(' ') else { return false };
    is_score(score) && moves.starts_with(|c: char| c.is_ascii_digit())
}

/// Pawns with a sign or moves to mate.
fn is_score(text: &str) -> bool {
    let is_mate = text.strip_prefix('#').is_some_and(|moves| moves.parse::<i32>().is_ok());
    is_mate || (text.starts_with(['+', '-']) && text.parse::<f64>().is_ok())
}

/// Takes the glyph away that goes with what was said of a move.
fn remove_glyph(words: &mut Vec<Word>, said: &Said) {
    if said.is_beside_glyph {
        return;
    }
    let only = said.is_critical.then_some(NAG_ONLY_MOVE);
    let Some(code) = said.judgement.map(Judgement::nag).or(only) else { return };
    let ours = Word::glyph(code).token;
    let found = indices(words, |token| *token == ours);
    found.first().into_iter().for_each(|index| drop(words.remove(*index)));
}

/// Takes variations away that have moves, a score at the end and nothing else.
fn remove_lines(words: &mut Vec<Word>) {
    let is_ours = |range: &Range<usize>| match &words[range.start + 1..range.end - 1] {
        [moves @ .., last] => {
            let are_moves =
                moves.iter().all(|word| matches!(word.token, Token::Number(_) | Token::San(_)));
            are_moves && matches!(&last.token, Token::Comment(text) if is_score(&prose(text)))
        }
        [] => false,
    };
    let found: Vec<_> = variations(words).into_iter().filter(is_ours).collect();
    for range in found.into_iter().rev() {
        words.drain(range);
    }
}

#[cfg(test)]
mod tests {
    use super::remove;
    use tamarin_game::pgn::games::GameText;
    use tamarin_game::pgn::{read, write};

    fn removed(tag: &str, moves: &str) -> String {
        let bytes = format!("[{tag}]\n\n{moves}").into_bytes();
        let mut game = read(&GameText { bytes, ..GameText::default() }).expect("a good game");
        remove(&mut game);
        let text = write(&game);
        joined(text.split_once("\n\n").expect("tags and moves").1)
    }

    fn joined(text: &str) -> String {
        super::joined(text)
    }

    const OURS: &str = "{ [%eval 0.3] White: accuracy 98.2 %, 0 inaccuracies, 1 mistake, 0 blunders. \
        Black: accuracy 1.0 %, 1 inaccuracy, 2 mistakes, 1 blunder. hello } 1. e4 $4 $14 { [%eval 0.1] \
        Blunder: 17.9 %\nlost (allows\nmate in 2). Last\nbook move. End of the opening. Critical moment. \
        [%clk 0:01:00] mine } ( 1. d4 d5 { +0.82 } ) (1. c4 { +0.82 good } ) (1. f4 $1 { +0.1 }) \
        { Tamarin
        explains: 1. e4 loses a pawn. } 1... e5 $1 { Critical moment. } 2. Nf3 $4 { Blunder: 3 pawns } ( 2. f4 { +0.10 } ) \
        2... Nc6 $2 { [%eval 0.0] Tamarin: Mistake: 10.0 % lost } ( 2... d6 { +0.10 } ) *";

    #[test]
    fn only_what_an_earlier_run_added_is_removed() {
        let wanted = "{ [%eval 0.3] hello } 1. e4 $14 { [%eval 0.1] [%clk 0:01:00] mine } \
            (1. c4 { +0.82 good } ) (1. f4 $1 { +0.1 }) 1... e5 2. Nf3 $4 { Blunder: 3 pawns } \
            ( 2. f4 { +0.10 } ) 2... Nc6 $2 { [%eval 0.0] } *";
        assert_eq!(removed("Annotator \"Tamarin 1.0\"", OURS), wanted);
        assert_eq!(removed("BlackAccuracy \"1.0\"", OURS), wanted);
    }

    #[test]
    fn a_comment_to_the_end_of_its_line_is_searched_too() {
        let ours = "1. e4 $4 ; [%eval 0.2] Blunder: 17.9 % lost weak\n( 1. d4 { +0.82 } ) 1... e5 $2 \
            ; [%eval 0.3] Mistake: 10.1 % lost.\n2. Nf3 ; Critical moment.\n*";
        let bytes = format!("[Annotator \"Tamarin 1.0\"]\n\n{ours}").into_bytes();
        let mut game = read(&GameText { bytes, ..GameText::default() }).expect("a good game");
        remove(&mut game);
        let wanted = "1. e4 ; [%eval 0.2] weak\n1... e5 ; [%eval 0.3]\n2. Nf3 *\n\n";
        assert!(write(&game).ends_with(wanted), "{}", write(&game));
    }
}
