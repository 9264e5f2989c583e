//! Reads a whole game in PGN.

use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use tamarin_movegen::{Color, Position};

use super::game::{Game, Outcome, Played, Tag, decoded, ply_number};
use super::games::{GameText, MAX_TAG};
use super::line_comments::in_braces;
use super::rejected::Rejected;

/// Names of the tag `Variant` that mean chess or Chess960, in lower case.
const VARIANTS: [&str; 8] = [
    "standard",
    "normal",
    "chess",
    "from position",
    "chess960",
    "chess 960",
    "fischerandom",
    "fischerrandom",
];

/// Does this value of the tag `Variant` mean chess or Chess960?
pub fn is_chess(variant: &str) -> bool {
    VARIANTS.contains(&variant.to_lowercase().as_str())
}

/// The game of a text. Old evaluations (`[%eval]`) are left out.
///
/// # Errors
/// If it is not a game of chess or Chess960, or breaks a rule.
pub fn read(text: &GameText) -> Result<Game, Rejected> {
    if text.is_cut {
        return Err(Rejected::TooLong);
    }
    let bytes = in_braces(&text.bytes);
    let mut reader = Reader::build(&*bytes).set_supported_tag_line_length(MAX_TAG).finish();
    match reader.read_game(&mut WholeGame) {
        Ok(Some(game)) => game,
        Ok(None) => Err(Rejected::NoGame),
        Err(error) => Err(Rejected::Malformed(error)),
    }
}

/// Visits one game.
struct WholeGame;

/// A game on its way.
struct Builder {
    game: Game,
    /// After the moves so far.
    position: Position,
    /// The beginning of a long comment.
    comment: Vec<u8>,
    variation: Option<Variation>,
}

impl Visitor for WholeGame {
    type Tags = Game;
    type Movetext = Builder;
    type Output = Result<Game, Rejected>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Game> {
        ControlFlow::Continue(Game::of_position(Position::startpos()))
    }

    fn tag(
        &mut self,
        game: &mut Game,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let tag =
            Tag { name: decoded(name).into_owned(), value: decoded(&value.decode()).into_owned() };
        match tag.name.as_str() {
            "FEN" => match Position::from_fen(&tag.value) {
                Ok(start) => game.start = start,
                Err(error) => return ControlFlow::Break(Err(error.into())),
            },
            "Result" => game.outcome = Outcome::of(&tag.value),
            "Variant" if !is_chess(&tag.value) => {
                return ControlFlow::Break(Err(Rejected::Variant(tag.value)));
            }
            _ => {}
        }
        game.tags.push(tag);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Self::Output, Builder> {
        let position = game.start.clone();
        ControlFlow::Continue(Builder { game, position, comment: Vec::new(), variation: None })
    }

    fn san(&mut self, builder: &mut Builder, san: SanPlus) -> ControlFlow<Self::Output> {
        let text = san.to_string();
        if let Some(variation) = &mut builder.variation {
            variation.play(&text);
            return ControlFlow::Continue(());
        }
        match builder.position.parse_san(&text) {
            Ok(mv) => {
                builder.position.make(mv);
                let (nags, comments, variations) = Default::default();
                builder.game.moves.push(Played { mv, nags, comments, variations });
                ControlFlow::Continue(())
            }
            Err(source) => {
                let ply = builder.game.moves.len() + 1;
                ControlFlow::Break(Err(Rejected::Move { ply, source }))
            }
        }
    }

    fn nag(&mut self, builder: &mut Builder, nag: Nag) -> ControlFlow<Self::Output> {
        match (&mut builder.variation, builder.game.moves.last_mut()) {
            (Some(variation), _) => variation.word(&format!("${}", nag.0)),
            (None, Some(played)) => played.nags.push(nag.0),
            (None, None) => {}
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(
        &mut self,
        builder: &mut Builder,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        builder.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        builder: &mut Builder,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        builder.comment.extend_from_slice(comment.as_bytes());
        let bytes = std::mem::take(&mut builder.comment);
        let text = without_evaluation(&decoded(&bytes));
        let game = &mut builder.game;
        match &mut builder.variation {
            _ if text.is_empty() => {}
            Some(variation) => variation.word(&format!("{{ {text} }}")),
            None => match game.moves.last_mut() {
                Some(played) => played.comments.push(text),
                None => game.comments.push(text),
            },
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, builder: &mut Builder) -> ControlFlow<Self::Output, Skip> {
        match &mut builder.variation {
            Some(variation) => variation.open(),
            None => {
                let next = ply_number(&builder.position);
                builder.variation = Some(Variation::new(next.saturating_sub(1)));
            }
        }
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, builder: &mut Builder) -> ControlFlow<Self::Output> {
        if let Some(variation) = &mut builder.variation
            && variation.close()
        {
            let text = std::mem::take(&mut variation.text);
            builder.variation = None;
            // A variation before the first move is one of nothing.
            if let Some(played) = builder.game.moves.last_mut() {
                played.variations.push(text);
            }
        }
        ControlFlow::Continue(())
    }

    fn outcome(
        &mut self,
        builder: &mut Builder,
        outcome: pgn_reader::Outcome,
    ) -> ControlFlow<Self::Output> {
        if builder.variation.is_none() {
            builder.game.outcome = match outcome {
                pgn_reader::Outcome::Known(KnownOutcome::Decisive { winner }) => {
                    Outcome::Won(if winner.is_white() { Color::White } else { Color::Black })
                }
                pgn_reader::Outcome::Known(KnownOutcome::Draw) => Outcome::Draw,
                pgn_reader::Outcome::Unknown => builder.game.outcome,
            };
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, builder: Builder) -> Self::Output {
        let Builder { mut game, variation, .. } = builder;
        if game.tags.is_empty() && game.moves.is_empty() {
            return Err(Rejected::NoGame);
        }
        // What was left open ends with the game.
        if let (Some(mut variation), Some(played)) = (variation, game.moves.last_mut()) {
            while !variation.close() {}
            played.variations.push(variation.text);
        }
        Ok(game)
    }
}

/// The text of a variation, with its move numbers. However deep variations nest, this needs no
/// recursion.
struct Variation {
    text: String,
    /// The next ply of each variation that is open.
    plies: Vec<u32>,
    /// Whether the next move needs a number whoever plays it.
    number_is_due: bool,
}

impl Variation {
    /// A variation that begins with the ply `ply`.
    fn new(ply: u32) -> Self {
        Self { text: "(".to_owned(), plies: vec![ply], number_is_due: true }
    }

    fn word(&mut self, word: &str) {
        self.text.push(' ');
        self.text.push_str(word);
        self.number_is_due = true;
    }

    fn play(&mut self, san: &str) {
        let Some(ply) = self.plies.last_mut() else { return };
        let number = *ply / 2 + 1;
        let text = match (ply.is_multiple_of(2), self.number_is_due) {
            (true, _) => format!(" {number}. {san}"),
            (false, true) => format!(" {number}... {san}"),
            (false, false) => format!(" {san}"),
        };
        *ply += 1;
        self.text.push_str(&text);
        self.number_is_due = false;
    }

    /// Another variation begins, instead of the last move.
    fn open(&mut self) {
        let next = self.plies.last().copied().unwrap_or(0);
        self.word("(");
        self.plies.push(next.saturating_sub(1));
    }

    /// The innermost one ends; whether it was the outermost.
    fn close(&mut self) -> bool {
        self.word(")");
        self.plies.pop();
        self.plies.is_empty()
    }
}

/// A comment without `[%eval ...]`, its words divided by single blanks.
fn without_evaluation(comment: &str) -> String {
    let mut rest = comment;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("[%eval") {
        kept.push_str(before);
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::games::GameText;
    use super::{Rejected, read};
    use crate::pgn::Outcome;
    use tamarin_movegen::Color;

    fn text(text: &[u8]) -> GameText {
        GameText { bytes: text.into(), ..GameText::default() }
    }

    #[test]
    fn everything_that_was_noted_is_kept() {
        let game = read(&text(
            b"[White \"M\xfcller \\\"A\\\"\"]\n[Black \"\xc3\x85\"]\n{ before } 1. e4! { best [%eval 0.3] by \n test } \
            (1. d4 d5 (1... Nf6 $2 2. c4) 2. c4 {Gambit}) (1. c4) 1... e5 $14 2. Nf3 ; to } d4\n1-0\n",
        ))
        .expect("a good game");
        assert_eq!(game.tag("White"), Some("M\u{fc}ller \"A\""));
        assert_eq!(game.tag("Black"), Some("\u{c5}"));
        assert_eq!(game.comments, ["before"]);
        assert_eq!(game.outcome, Outcome::Won(Color::White));
        let [first, second, third] = &game.moves[..] else { panic!("{:?}", game.moves) };
        assert_eq!((first.nags.as_slice(), second.nags.as_slice()), (&[1][..], &[14][..]));
        assert_eq!(first.comments, ["best by test"]);
        assert_eq!(
            first.variations,
            ["( 1. d4 d5 ( 1... Nf6 $2 2. c4 ) 2. c4 { Gambit } )", "( 1. c4 )"]
        );
        assert!(third.variations.is_empty());
        assert_eq!(third.comments, ["to ) d4"]);
    }

    #[test]
    fn variations_may_nest_deeply_and_stay_open() {
        const DEPTH: usize = 10_000;
        let nested = format!("1. e4 {} e5 1-0", "(1. d4 ".repeat(DEPTH));
        let game = read(&text(nested.as_bytes())).expect("a good game");
        assert_eq!(game.moves.len(), 1);
        let variation = &game.moves[0].variations[0];
        assert_eq!(variation.matches('(').count(), DEPTH);
        assert_eq!(variation.matches(')').count(), DEPTH);
        let closed = format!("1. e4 {}{} e5 1-0", "(1. d4 ".repeat(DEPTH), ")".repeat(DEPTH));
        assert_eq!(read(&text(closed.as_bytes())).expect("a good game").moves.len(), 2);
        assert_eq!(read(&text(b"1. e4 ) ) e5 *")).expect("a good game").moves.len(), 2);
    }

    #[test]
    fn long_comments_are_kept_whole() {
        let long = "word ".repeat(20_000);
        let game = read(&text(format!("1. e4 {{{long}}} e5 *").as_bytes())).expect("a good game");
        assert_eq!(game.moves[0].comments, [long.trim_end()]);
        assert_eq!(game.moves.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let rejected = |bytes: &[u8]| read(&text(bytes)).expect_err("it is wrong").to_string();
        assert!(rejected(b"1. e4 e5 2. Ke3 *").starts_with("ply 3: illegal move \"Ke3\""));
        assert!(rejected(b"[FEN \"8/8 w\"]\n*").starts_with("tag FEN: "));
        assert_eq!(rejected(b"[Variant \"Atomic\"]\n*"), "a game of \"Atomic\"");
        assert_eq!(rejected(b"\x00\x01\xff\xfe"), "neither tags nor moves");
        assert!(rejected(b"[Event \"a\"]\n1. e4 { open").starts_with("malformed: "));
        let cut = GameText { is_cut: true, ..GameText::default() };
        assert!(matches!(read(&cut), Err(Rejected::TooLong)));
    }
}
