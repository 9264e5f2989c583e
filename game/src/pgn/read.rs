//! Reads a whole game in PGN.

use tamarin_movegen::{Move, Position};

use super::game::{Game, Outcome, Played, Tag, is_null_move};
use super::games::GameText;
use super::header::{self, Header};
use super::lexer::{Found, Lexer};
use super::rejected::Rejected;
use super::words::{Gap, Token, Word};

/// Names of the tag `Variant` that mean chess or Chess960, in lower case.
const VARIANTS: [&str; 10] = [
    "standard",
    "normal",
    "chess",
    "from position",
    "chess960",
    "chess 960",
    "fischer random",
    "fischer random chess",
    "fischerandom",
    "fischerrandom",
];

/// Returns `true` if this value of the tag `Variant` means chess or Chess960.
pub fn is_chess(variant: &str) -> bool {
    VARIANTS.contains(&variant.to_lowercase().as_str())
}

/// The game of a text, with all that stands in it.
///
/// # Errors
/// If it is not a game of chess or Chess960, or breaks a rule.
pub fn read(text: &GameText) -> Result<Game, Rejected> {
    build(text, None)
}

/// The opening of a game, with its outcome: the first `plies` moves, up to a null move. Moves behind
/// them are not checked: they are words like others.
///
/// # Errors
/// If it is not a game of chess or Chess960, or breaks a rule in its opening.
pub fn read_opening(text: &GameText, plies: usize) -> Result<Game, Rejected> {
    build(text, Some(plies))
}

/// The game of a text, or only its opening of this many plies.
fn build(text: &GameText, opening: Option<usize>) -> Result<Game, Rejected> {
    if text.is_cut {
        return Err(Rejected::TooLong);
    }
    let Header { tags, rest: untagged, end } = header::read(&text.bytes);
    let (start, outcome) = start(&tags)?;
    let game = Game { tags, untagged, outcome, ..Game::of_position(start) };
    let position = game.start.clone();
    let mut builder = Builder { game, position, depth: 0, opening };
    let mut lexer = Lexer::new(&text.bytes, end);
    while let Some(found) = lexer.next().map_err(|error| Rejected::Malformed(error.into()))? {
        builder.take(found)?;
    }
    builder.finish()
}

/// The first position of a game with these tags, and the outcome that they tell.
///
/// # Errors
/// If it is not a game of chess or Chess960, or the position is none.
pub fn start(tags: &[Tag]) -> Result<(Position, Outcome), Rejected> {
    let (mut start, mut outcome) = (Position::startpos(), Outcome::Unknown);
    for tag in tags {
        match tag.name() {
            "FEN" => start = Position::from_fen(tag.value())?,
            "Result" => outcome = Outcome::of(tag.value()),
            "Variant" if !is_chess(tag.value()) => {
                return Err(Rejected::Variant(tag.value().to_owned()));
            }
            _ => {}
        }
    }
    Ok((start, outcome))
}

/// The tags and words of a text, without a look at the rules: for games of variants.
///
/// # Errors
/// If it is no PGN.
pub fn words(text: &GameText) -> Result<(Vec<Tag>, Vec<Word>), Rejected> {
    if text.is_cut {
        return Err(Rejected::TooLong);
    }
    let header = header::read(&text.bytes);
    let mut words = Vec::new();
    let mut lexer = Lexer::new(&text.bytes, header.end);
    while let Some(found) = lexer.next().map_err(|error| Rejected::Malformed(error.into()))? {
        words.push(found.word);
    }
    match header.tags.is_empty() && words.is_empty() {
        true => Err(Rejected::NoGame),
        false => Ok((header.tags, words)),
    }
}

/// A game on its way. However deep variations nest, this needs no recursion.
struct Builder {
    game: Game,
    /// After the moves so far.
    position: Position,
    /// Variations that are open.
    depth: usize,
    /// The plies of the opening, if only that is read.
    opening: Option<usize>,
}

impl Builder {
    fn take(&mut self, found: Found) -> Result<(), Rejected> {
        let Found { mut word, san } = found;
        let san = san.or_else(|| word.token.move_text().map(str::to_owned));
        match (&word.token, san) {
            (Token::Open, _) => self.depth += 1,
            (Token::Close, _) if self.depth > 0 => self.depth -= 1,
            // One that closes nothing means nothing.
            (Token::Close, _) => word.token = Token::Other(")".to_owned()),
            (Token::San(text) | Token::Other(text), Some(san)) if self.takes_moves() => {
                return self.make(&san, text.clone(), word.gap);
            }
            (Token::Result(text), _) if self.depth == 0 => {
                let outcome = Outcome::of(text);
                if outcome != Outcome::Unknown {
                    self.game.outcome = outcome;
                }
            }
            _ => {}
        }
        self.push(word);
        Ok(())
    }

    /// Returns `true` if a move that comes now is one of the main line and to be checked.
    fn takes_moves(&self) -> bool {
        let moves = &self.game.moves;
        let is_over = self.opening.is_some_and(|plies| {
            moves.len() >= plies || moves.last().is_some_and(|played| played.mv.is_none())
        });
        self.depth == 0 && !is_over
    }

    /// Plays the next move of the main line, written as `source`.
    fn make(&mut self, san: &str, source: String, gap: Gap) -> Result<(), Rejected> {
        let mv = self.find(san)?;
        let played = Played { mv, gap, san: source, words: Vec::new() };
        played.play(&mut self.position);
        self.game.moves.push(played);
        Ok(())
    }

    /// The next move of the main line; `None` is a null move.
    fn find(&self, san: &str) -> Result<Option<Move>, Rejected> {
        let ply = self.game.moves.len() + 1;
        if is_null_move(san) {
            let pass = Rejected::Pass { ply, text: san.to_owned() };
            return if self.position.in_check() { Err(pass) } else { Ok(None) };
        }
        let mv = self.position.parse_san(san);
        mv.map(Some).map_err(|source| Rejected::Move { ply, source })
    }

    fn push(&mut self, word: Word) {
        let index = self.game.moves.len();
        self.game.words_before(index).push(word);
    }

    fn finish(mut self) -> Result<Game, Rejected> {
        if self.game.tags.is_empty() && self.game.moves.is_empty() {
            return Err(Rejected::NoGame);
        }
        // What was left open ends with the game.
        for _ in 0..self.depth {
            self.push(Word::new(Token::Close));
        }
        Ok(self.game)
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::GameText;
    use super::{Rejected, read, read_opening};
    use crate::pgn::{Outcome, Played, Token, variations, write};
    use tamarin_movegen::Color;

    fn text(text: &[u8]) -> GameText {
        GameText { bytes: text.into(), ..GameText::default() }
    }

    /// The variations of a move as they are written.
    fn sides(played: &Played) -> Vec<String> {
        let written = |range| {
            let mut lines = crate::pgn::Movetext::default();
            lines.words(&played.words[range]);
            lines.finish().trim_end().to_owned()
        };
        variations(&played.words).into_iter().map(written).collect()
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
        assert_eq!(game.comments().collect::<Vec<_>>(), [" before "]);
        assert_eq!(game.outcome, Outcome::Won(Color::White));
        let [first, second, third] = &game.moves[..] else { panic!("{:?}", game.moves) };
        assert_eq!(first.glyphs().chain(second.glyphs()).collect::<Vec<_>>(), [1, 14]);
        assert_eq!(first.comments().collect::<Vec<_>>(), [" best [%eval 0.3] by \n test "]);
        assert_eq!(sides(first), ["(1. d4 d5 (1... Nf6 $2 2. c4) 2. c4 {Gambit})", "(1. c4)"]);
        assert_eq!(third.comments().collect::<Vec<_>>(), [" to } d4"]);
        let written = write(&game);
        assert!(
            written.starts_with(
                "[White \"M\u{fc}ller \\\"A\\\"\"]\n[Black \"\u{c5}\"]\n\n{ before } 1. e4! { best"
            ),
            "{written}"
        );
        assert!(written.ends_with("1... e5 $14 2. Nf3 ; to } d4\n1-0\n\n"), "{written}");
    }

    #[test]
    fn variations_may_nest_deeply_and_stay_open() {
        const DEPTH: usize = 10_000;
        let nested = format!("1. e4 {} e5 1-0", "(1. d4 ".repeat(DEPTH));
        let game = read(&text(nested.as_bytes())).expect("a good game");
        assert_eq!(game.moves.len(), 1);
        let written = write(&game);
        assert_eq!(written.matches('(').count(), DEPTH);
        assert_eq!(written.matches(')').count(), DEPTH);
        let closed = format!("1. e4 {}{} e5 1-0", "(1. d4 ".repeat(DEPTH), ")".repeat(DEPTH));
        assert_eq!(read(&text(closed.as_bytes())).expect("a good game").moves.len(), 2);
        let stray = read(&text(b"1. e4 ) ) e5 *")).expect("a good game");
        assert_eq!((stray.moves.len(), write(&stray).as_str()), (2, "1. e4 ) ) e5 *\n\n"));
    }

    #[test]
    fn long_comments_are_kept_whole() {
        let long = "word ".repeat(20_000);
        let game = read(&text(format!("1. e4 {{{long}}} e5 *").as_bytes())).expect("a good game");
        assert_eq!(game.moves[0].comments().collect::<Vec<_>>(), [long]);
        assert_eq!(game.moves.len(), 2);
    }

    #[test]
    fn words_without_meaning_are_kept_and_mean_nothing() {
        let odd = "1. e4 Z1 1/2 $x $999 0-2 \u{bd}e5 [ ] \u{201c}N\u{201d} 1... e5 \u{bd}-\u{bd}";
        let game = read(&text(odd.as_bytes())).expect("a good game");
        assert_eq!((game.moves.len(), game.outcome), (2, Outcome::Draw));
        assert_eq!(write(&game), format!("{odd}\n\n"));
        let marks = game.moves[0].words.iter().filter(|word| matches!(word.token, Token::Other(_)));
        assert!(marks.count() >= 5, "{game:?}");
    }

    #[test]
    fn null_moves_are_kept_and_pass_the_turn() {
        let source =
            "1. e4 -- 2. d4 $10 (2. Nf3 Z0! (2... -- --) 3. d4) 2... Z0 {waits} 3. Be2 --+ *";
        let game = read(&text(source.as_bytes())).expect("a good game");
        let played: Vec<_> =
            game.moves.iter().map(|one| (one.san.as_str(), one.mv.is_some())).collect();
        let wanted = [
            ("e4", true),
            ("--", false),
            ("d4", true),
            ("Z0", false),
            ("Be2", true),
            ("--+", false),
        ];
        assert_eq!(played, wanted);
        assert_eq!(write(&game), format!("{source}\n\n"));
        let mut position = game.start.clone();
        let names: Vec<String> = game
            .moves
            .iter()
            .map(|one| {
                let name = one.plain_san(&position);
                one.play(&mut position);
                name
            })
            .collect();
        assert_eq!(names, ["e4", "--", "d4", "--", "Be2", "--"]);
        assert!(
            position.to_string().starts_with("rnbqkbnr/pppppppp/8/8/3PP3/8/PPP1BPPP/RNBQK1NR w")
        );
        let pass = read(&text(b"1. e4 d5 2. Bb5+ -- 3. Bxe8 *")).expect_err("it is in check");
        let wanted = "ply 4: null move \"--\" in check, where passing is not possible";
        assert_eq!(pass.to_string(), wanted);
        // In a variation nothing is checked.
        assert!(read(&text(b"1. e4 d5 2. Bb5+ c6 (2... -- 3. Bxe8) *")).is_ok());
    }

    /// A letter of Windows-1252 before a move makes it no move, nor does it become one when it is
    /// written in UTF-8.
    #[test]
    fn a_move_glued_to_a_letter_is_none() {
        for latin in [
            &b"1. e4 \xbde5 \xbd e5 *"[..],
            b"1. e4 \xc2e5 e5 *",
            b"1. e4 \xc2\xbde5 e5 *",
            b"1. e4 \x96e5 \x8ae5 e5 *",
        ] {
            let game = read(&text(latin)).expect("a good game");
            assert_eq!(game.moves.len(), 2, "{latin:?}: {game:?}");
            let written = write(&game);
            let again = read(&text(written.as_bytes())).expect("it was written well");
            assert_eq!((again.moves.len(), write(&again)), (2, written));
        }
        // A dash of Windows-1252 is the same in UTF-8.
        let dash =
            read(&text(b"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0\x960 1/2\x961/2")).expect("good");
        let again = read(&text(write(&dash).as_bytes())).expect("it was written well");
        assert_eq!((dash.moves.len(), dash.outcome), (7, Outcome::Draw));
        assert_eq!((again.moves.len(), again.outcome), (7, Outcome::Draw));
        let odd = read(&text("1. e4 \u{bd}e7 e5 \u{bd}-\u{bd}".as_bytes())).expect("a good game");
        assert_eq!((odd.moves.len(), odd.outcome), (2, Outcome::Draw));
    }

    #[test]
    fn what_typesetting_puts_around_a_move_hides_none() {
        for sign in ["\u{a0}", "\u{2009}", "\u{200b}", "\u{2026}", "\u{feff}"] {
            let source =
                format!("1. e4 e5 2. Nf3 {{best}} 2...{sign}Nc6{sign} 3.{sign}Bb5 a6 *\n\n");
            let game = read(&text(source.as_bytes())).expect("a good game");
            assert_eq!((game.moves.len(), write(&game)), (6, source));
        }
        let latin = read(&text(b"1. e4 e5 2.\xa0Nf3 {best} 2\x85Nc6 *")).expect("a good game");
        assert_eq!(latin.moves.len(), 4);
        for odd in [
            "1. e4 e5 2.\u{a0}Nf3\u{a0}Nc6 3. Bc4 *",
            "1. d4 d5 2. \u{41a}f3 \u{41a}f6 3. e3 e6 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O\u{2013}O *",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. \u{41e}-\u{41e} *",
        ] {
            let refused = read(&text(odd.as_bytes()));
            assert!(matches!(refused, Err(Rejected::Move { .. })), "{odd}");
        }
    }

    #[test]
    fn a_draw_in_windows_1252_is_a_draw() {
        for draw in [&b"1. e4 e5 \xbd-\xbd"[..], b"1. e4 e5 \xbd\x96\xbd"] {
            let game = read(&text(draw)).expect("a good game");
            assert_eq!((game.moves.len(), game.outcome), (2, Outcome::Draw));
            let again = read(&text(write(&game).as_bytes())).expect("it was written well");
            assert_eq!((again.moves.len(), again.outcome), (2, Outcome::Draw));
        }
    }

    #[test]
    fn moves_in_other_manners_are_read_and_kept_as_written() {
        let source = "1. e2-e4 e7-e5 2. Bf1-c4 Nb8-c6 3. Ng1-f3 d6 4. o-o a7:b6?! (4... Lg4) *";
        let refused = read(&text(source.as_bytes())).expect_err("no pawn can take on b6");
        assert!(refused.to_string().starts_with("ply 8: illegal move \"a7:b6\""), "{refused}");
        let source = source.replace("a7:b6", "a7-a6");
        let game = read(&text(source.as_bytes())).expect("a good game");
        assert_eq!((game.moves.len(), write(&game)), (8, format!("{source}\n\n")));
        let mate = read(&text(b"1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7++ 1-0")).expect("good");
        assert_eq!(mate.moves.len(), 7);
        for (odd, wanted) in [
            ("1. e4 e5 2. Sf3 Sc6", "ply 3: column 1: expected a piece letter"),
            ("1. e4 e5 2. \u{2658}f3", "ply 3: column 1: expected a piece letter"),
            ("1. e4 e5xx 2. Nf3", "ply 2: column 4: expected the target square"),
            ("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8/P Kg7", "ply 1: column 4: expected Q"),
        ] {
            let refused = read(&text(odd.as_bytes())).expect_err("no move of chess").to_string();
            assert!(refused.starts_with(wanted), "{odd}: {refused}");
        }
    }

    #[test]
    fn assessments_glued_to_moves_are_kept_as_written() {
        let signs =
            "\u{b1} \u{2213} \u{2a72} \u{2a71} \u{221e} +\u{2212} \u{2212}+ +\u{2013} \u{2013}+";
        let ascii = "+/- -/+ +/= =/+ +- -+ ++- += =+ = , =,";
        for mark in ascii.split(' ').chain(signs.split(' ')) {
            for mv in ["Nf3", "Ng1-f3"] {
                let source = format!("1. e4 e5 2. {mv}{mark} Nc6 1-0\n\n");
                let game = read(&text(source.as_bytes())).expect("a good game");
                assert_eq!((game.moves.len(), write(&game)), (4, source));
            }
        }
        let latin = read(&text(b"1. e4\xb1 e5, 2. Bc4 Bc5 3. Nf3 Nf6 4. O-O= *")).expect("good");
        let wanted = "1. e4\u{b1} e5, 2. Bc4 Bc5 3. Nf3 Nf6 4. O-O= *\n\n";
        assert_eq!((latin.moves.len(), write(&latin).as_str()), (7, wanted));
        let promotion = |moves: &str| {
            let source = format!("[FEN \"8/4P2k/8/8/8/8/8/K7 w - - 0 1\"]\n1. {moves} Kg7 *");
            read(&text(source.as_bytes())).map(|game| game.moves.len())
        };
        assert_eq!(promotion("e8=Q=").expect("a good game"), 2);
        let refused = promotion("e8=").expect_err("it names no piece").to_string();
        assert_eq!(refused, "ply 1: illegal move \"e8\": it does not say what the pawn becomes");
        // A letter is no assessment: `N` could be a novelty or a knight.
        assert!(read(&text(b"1. e4 e5 2. Nf3N Nc6 *")).is_err());
    }

    #[test]
    fn an_opening_ends_before_what_is_not_checked() {
        let opening = |source: &str| read_opening(&text(source.as_bytes()), 2);
        for rest in ["2. Kd8", "2. Sf3 Sc6", "2. Nf3 (2. d4) Nc6"] {
            let game = opening(&format!("1. e4 e5 {rest} 1-0")).expect("a good opening");
            assert_eq!((game.moves.len(), game.outcome), (2, Outcome::Won(Color::White)), "{rest}");
        }
        let passed = opening("1. -- Kd4 1-0").expect("a good opening");
        assert_eq!((passed.moves.len(), passed.moves[0].mv), (1, None));
        let refused = opening("1. e4 Ke4 1-0").expect_err("it is illegal").to_string();
        assert!(refused.starts_with("ply 2: illegal move \"Ke4\""), "{refused}");
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
