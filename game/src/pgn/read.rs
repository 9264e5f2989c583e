//! Reads a whole game in PGN.

use super::game::{Game, Outcome, Played, Tag, is_null_move};
use super::games::GameText;
use super::header::{self, Header};
use super::lexer::{Kind, Lexeme, Lexer};
use super::rules::{Rules, Wanted, start, start_of, value};
use super::words::{Gap, Token, Word};
use crate::position::Position;

/// Why a game is left out.
#[derive(Debug, thiserror::Error)]
pub enum Rejected {
    /// It is longer than a game can be.
    #[error("longer than 1 MiB")]
    TooLong,
    /// The tag `FEN` is no position.
    #[error("tag FEN: {0}")]
    Fen(String),
    /// The tag `Variant` names another game.
    #[error("a game of {0:?}, which is not read here{hint}", hint = where_read(.0))]
    Variant(String),
    /// A move is not legal, or none.
    #[error("ply {ply}: {reason}")]
    Move {
        /// Which of the game, from 1.
        ply: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A null move where passing is not possible, as in check.
    #[error("ply {ply}: null move {text:?} in check, where passing is not possible")]
    Pass {
        /// Which of the game, from 1.
        ply: usize,
        /// How it is written.
        text: String,
    },
    /// There are neither tags nor moves in it.
    #[error("neither tags nor moves")]
    NoGame,
    /// Neither the tags nor the moves tell who won, where that is asked.
    #[error("no result")]
    NoResult,
    /// The text breaks off, such as in a comment.
    #[error("malformed: {0}")]
    Malformed(&'static str),
}

/// Where a game of this variant is read.
fn where_read(variant: &str) -> &'static str {
    let is_known = tamarin_variant::builtin(&variant.to_lowercase()).is_some();
    if is_known { "; `tamarin play --load` reads it" } else { "" }
}

/// The game of chess of a text, with all that stands in it.
///
/// # Errors
/// If it is not a game of chess or Chess960, or breaks a rule.
pub fn read(text: &GameText) -> Result<Game, Rejected> {
    build(text, None, start)
}

/// The game of a text, of chess or a variant, with all that stands in it.
///
/// # Errors
/// If it is not a game of what is wanted, or breaks a rule.
pub fn read_any(text: &GameText, wanted: Wanted<'_>) -> Result<Game<Position>, Rejected> {
    build(text, None, |tags| start_of(tags, wanted))
}

/// The opening of a game, with its outcome: the first `plies` moves, up to a null move, and none of
/// the other words. Moves behind them are not checked.
///
/// # Errors
/// If it is not a game of chess or Chess960, or breaks a rule in its opening.
pub fn read_opening(text: &GameText, plies: usize) -> Result<Game, Rejected> {
    build(text, Some(plies), start)
}

/// What a game says of itself, and how many moves its main line seems to have, without a look at
/// its rules.
///
/// # Errors
/// If it is no PGN, or not of the wanted game.
pub fn summary(text: &GameText, wanted: Wanted<'_>) -> Result<(Game<Position>, usize), Rejected> {
    let mut plies = 0;
    let game = build_with(text, Some(0), |tags| start_of(tags, wanted), |_| plies += 1)?;
    match game.tags.is_empty() && plies == 0 {
        true => Err(Rejected::NoGame),
        false => Ok((game, plies)),
    }
}

fn build<P: Rules>(
    text: &GameText,
    opening: Option<usize>,
    start: impl FnOnce(&[Tag]) -> Result<P, Rejected>,
) -> Result<Game<P>, Rejected> {
    build_with(text, opening, start, |_| ())
}

/// The game of a text, or only its opening of this many plies; `skipped` gets the moves behind it.
fn build_with<P: Rules>(
    text: &GameText,
    opening: Option<usize>,
    start: impl FnOnce(&[Tag]) -> Result<P, Rejected>,
    mut skipped: impl FnMut(&str),
) -> Result<Game<P>, Rejected> {
    if text.is_cut {
        return Err(Rejected::TooLong);
    }
    let Header { tags, rest: untagged, end } = header::read(&text.bytes);
    let start = start(&tags)?;
    let outcome = value(&tags, "Result").map(Outcome::of).unwrap_or_default();
    let game = Game { tags, untagged, outcome, ..Game::of_position(start) };
    let position = game.start.clone();
    let mut builder = Builder { game, position, depth: 0, opening };
    let mut lexer = Lexer::new(&text.bytes, end);
    while let Some(found) = lexer.next()? {
        match opening {
            None => builder.take(lexer.word(&found), found.kind)?,
            Some(_) => builder.take_opening(&lexer, &found, &mut skipped)?,
        }
    }
    builder.finish()
}

/// A game on its way. However deep variations nest, this needs no recursion.
struct Builder<P: Rules> {
    game: Game<P>,
    /// After the moves so far.
    position: P,
    /// Variations that are open.
    depth: usize,
    /// The plies of the opening, if only that is read.
    opening: Option<usize>,
}

impl<P: Rules> Builder<P> {
    fn take(&mut self, mut word: Word, kind: Kind) -> Result<(), Rejected> {
        match kind {
            Kind::Open => self.depth += 1,
            Kind::Close if self.depth > 0 => self.depth -= 1,
            // One that closes nothing means nothing.
            Kind::Close => word.token = Token::Other(")".to_owned()),
            Kind::San | Kind::Other if self.depth == 0 => {
                if self.is_double_forfeit(&word.token) {
                    word.token = Token::Result("0-0".to_owned());
                } else if let Some(text) = self.position.move_text(&word.token) {
                    let mv = self.find(text)?;
                    let (Token::San(source) | Token::Other(source)) = word.token else {
                        return Ok(());
                    };
                    self.play(mv, source, word.gap);
                    return Ok(());
                }
            }
            _ => {}
        }
        if let Token::Result(text) = &word.token {
            self.mark(text);
        }
        self.push(word);
        Ok(())
    }

    /// The same where only moves and the outcome count.
    fn take_opening(
        &mut self,
        lexer: &Lexer<'_>,
        found: &Lexeme,
        skipped: &mut impl FnMut(&str),
    ) -> Result<(), Rejected> {
        match found.kind {
            Kind::Open => self.depth += 1,
            Kind::Close => self.depth = self.depth.saturating_sub(1),
            Kind::Result => self.mark(&lexer.text(found)),
            Kind::San | Kind::Other if self.depth == 0 => {
                let is_over = self.is_over();
                if is_over && self.opening != Some(0) {
                    return Ok(());
                }
                let word = lexer.word(found);
                match self.position.move_text(&word.token) {
                    _ if self.is_double_forfeit(&word.token) => {}
                    Some(text) if is_over => skipped(text),
                    Some(text) => {
                        let mv = self.find(text)?;
                        self.play(mv, String::new(), Gap::BLANK);
                    }
                    None => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns `true` if a word is the result by which both sides lose, and not castling.
    fn is_double_forfeit(&self, token: &Token) -> bool {
        matches!(token, Token::San(text) if text == "0-0")
            && value(&self.game.tags, "Result") == Some("0-0")
            && self.position.find_move("0-0").is_err()
    }

    /// Returns `true` if all plies of the opening are there.
    fn is_over(&self) -> bool {
        let moves = &self.game.moves;
        self.opening.is_some_and(|plies| {
            moves.len() >= plies || moves.last().is_some_and(|played| played.mv.is_none())
        })
    }

    /// A termination marker outranks the tag.
    fn mark(&mut self, text: &str) {
        let outcome = Outcome::of(text);
        if self.depth == 0 && outcome != Outcome::Unknown {
            self.game.outcome = outcome;
        }
    }

    /// Plays the next move of the main line, written as `san`.
    fn play(&mut self, mv: Option<P::Move>, san: String, gap: Gap) {
        let played = Played { mv, gap, san, words: Vec::new() };
        played.play(&mut self.position);
        self.game.moves.push(played);
    }

    /// The next move of the main line; `None` is a null move.
    fn find(&self, text: &str) -> Result<Option<P::Move>, Rejected> {
        let ply = self.game.moves.len() + 1;
        if is_null_move(text) {
            let pass = Rejected::Pass { ply, text: text.to_owned() };
            return if self.position.may_pass() { Ok(None) } else { Err(pass) };
        }
        self.position.find_move(text).map(Some).map_err(|reason| Rejected::Move { ply, reason })
    }

    fn push(&mut self, word: Word) {
        let index = self.game.moves.len();
        self.game.words_before(index).push(word);
    }

    fn finish(mut self) -> Result<Game<P>, Rejected> {
        if self.game.tags.is_empty() && self.game.moves.is_empty() && self.opening != Some(0) {
            return Err(Rejected::NoGame);
        }
        // What was left open ends with the game.
        for _ in 0..self.depth {
            self.push(Word::new(Token::Close));
        }
        Ok(self.game)
    }
}
