//! Learned evaluators as text that people can read.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::sync::Arc;

use tamarin_variant::{Game, fingerprint, without_mark};

use super::evaluator::Learned;
use super::layout::{Block, Family, MOST_WEIGHT, RUNS, Weight};
use super::visit::Shape;

/// What a file begins with.
const HEADER: &str = "tamarin-eval 1";
/// Numbers of a line.
const PER_LINE: usize = 12;
/// Values in exchanges are at most so much.
const MOST_EXCHANGE: i32 = 30_000;

/// Why a text is no evaluator of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    #[error("line {line}: {reason}")]
    Line { line: usize, reason: String },
    #[error(
        "line {line}: it was learned for other rules ({found:016x}, the game has {expected:016x}): \
         the pieces, the start position or an end of the game have changed since"
    )]
    Stale { line: usize, found: u64, expected: u64 },
    #[error("line {line}: the file ends here, without its last line `end`")]
    Truncated { line: usize },
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.middlegame, self.endgame)
    }
}

impl FromStr for Weight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let number = part.parse::<i32>().ok();
            number.filter(|n| (-MOST_WEIGHT..=MOST_WEIGHT).contains(n)).ok_or_else(|| {
                format!(
                    "{:?} is no weight: two numbers up to {MOST_WEIGHT} with a stroke",
                    cut(text)
                )
            })
        };
        let (middlegame, endgame) = text.split_once('/').unwrap_or((text, ""));
        Ok(Self { middlegame: number(middlegame)?, endgame: number(endgame)? })
    }
}

/// The beginning of a word, for messages.
fn cut(word: &str) -> String {
    word.chars().take(20).collect()
}

impl Learned {
    /// A hash of its values: another one for other weights.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&self.values())
    }

    /// The evaluator as the text of a file. Lines of weights that are all zero are left out.
    pub fn text(&self) -> String {
        let game = self.game();
        format!(
            "# What Tamarin learned about this game by playing with itself, in centipawns:\n\
             # with all pieces on the board / without any. Made by `tamarin variant learn`.\n\
             {HEADER}\ngame {}\nrules {:016x}\nrecipe {}\n{}end\n",
            one_line(game.title()),
            game.fingerprint(),
            one_line(self.recipe()),
            self.values(),
        )
    }

    /// The lines of what pieces are worth in exchanges, and of weights.
    fn values(&self) -> String {
        let game = self.game();
        let mut text = String::new();
        for (kind, value) in self.shape.exchange.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} exchange {value}", game.piece_name(kind as u8));
        }
        for block in &self.shape.layout.blocks {
            let weights = &self.weights[block.first..block.first + block.len];
            for (i, row) in weights.chunks(self.row_length(block)).enumerate() {
                if row.iter().all(|weight| *weight == Weight::default()) {
                    continue;
                }
                let _ = write!(text, "{}", self.heading(block));
                if block.len > self.row_length(block) {
                    let _ = write!(text, " {}", i + 1);
                }
                row.iter().for_each(|weight| {
                    let _ = write!(text, " {weight}");
                });
                text.push('\n');
            }
        }
        text
    }

    fn row_length(&self, block: &Block) -> usize {
        row_length(&self.shape, block)
    }

    fn heading(&self, block: &Block) -> String {
        heading(self.game(), block)
    }

    /// The evaluator of a text that [`Self::text`] wrote for this game.
    ///
    /// # Errors
    /// The first line that is wrong, or that it was learned for other rules.
    pub fn parse(game: &Arc<Game>, text: &str) -> Result<Self, EvalError> {
        Reader { game, lines: without_mark(text).lines().enumerate(), last: 0 }.read()
    }
}

/// Squares are written in rows of the board.
fn row_length(shape: &Shape, block: &Block) -> usize {
    match (block.family, block.kind) {
        (Family::Squares, Some(kind)) => {
            let terms = &shape.layout.kinds[usize::from(kind)];
            terms.squares - terms.columns
        }
        (Family::Passed, _) => RUNS,
        _ => block.len.max(PER_LINE),
    }
}

/// What a line of weights begins with.
fn heading(game: &Game, block: &Block) -> String {
    match block.kind {
        Some(kind) => format!("{} {}", game.piece_name(kind), block.family.word()),
        None => format!("- {}", block.family.word()),
    }
}

/// The hash of the rules that a text was learned for, from its first lines.
fn rules_of(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("rules "))?;
    u64::from_str_radix(line, 16).ok()
}

/// A text without what would end its line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the lines of a file.
struct Reader<'a> {
    game: &'a Arc<Game>,
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the last line, from 1.
    last: usize,
}

impl<'a> Reader<'a> {
    /// The next line that is neither empty nor a comment.
    fn line(&mut self) -> Result<&'a str, EvalError> {
        for (i, line) in self.lines.by_ref() {
            self.last = i + 1;
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(line);
            }
        }
        Err(EvalError::Truncated { line: self.last.max(1) })
    }

    fn wrong(&self, reason: impl Into<String>) -> EvalError {
        EvalError::Line { line: self.last, reason: reason.into() }
    }

    /// The rest of the next line, which begins with a word.
    fn rest_of(&mut self, word: &str) -> Result<&'a str, EvalError> {
        let line = self.line()?;
        let rest = line.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.map(str::trim).ok_or_else(|| {
            self.wrong(format!("{:?} stands where a line with `{word}` is expected", cut(line)))
        })
    }

    fn read(mut self) -> Result<Learned, EvalError> {
        let header = self.line()?;
        if header != HEADER {
            let found = cut(header);
            return Err(self.wrong(format!("{found:?} is not `{HEADER}`: no learned evaluator")));
        }
        self.rest_of("game")?;
        let rules = self.rest_of("rules")?;
        let found = u64::from_str_radix(rules, 16).ok().filter(|_| rules.len() == 16);
        let found =
            found.ok_or_else(|| self.wrong("the hash of the rules has 16 digits 0 to f"))?;
        let expected = self.game.fingerprint();
        if found != expected {
            return Err(EvalError::Stale { line: self.last, found, expected });
        }
        let recipe = self.rest_of("recipe")?.to_owned();
        let exchange = self.exchange()?;
        let shape = Shape::new(self.game, &exchange);
        let weights = self.weights(&shape)?;
        Ok(Learned::new(self.game, shape, weights, recipe))
    }

    /// The values in exchanges, one line for each kind of piece, in order.
    fn exchange(&mut self) -> Result<Vec<i32>, EvalError> {
        let game = self.game;
        let mut values = Vec::new();
        for name in game.piece_names() {
            let rest = self.rest_of(&format!("{name} exchange"))?;
            let value =
                rest.parse::<i32>().ok().filter(|value| (0..=MOST_EXCHANGE).contains(value));
            values.push(value.ok_or_else(|| {
                self.wrong(format!("{:?} is no value from 0 to {MOST_EXCHANGE}", cut(rest)))
            })?);
        }
        Ok(values)
    }

    fn weights(&mut self, shape: &Shape) -> Result<Vec<Weight>, EvalError> {
        let mut weights = vec![Weight::default(); shape.layout.len];
        let mut read = vec![false; shape.layout.len];
        loop {
            let line = self.line()?;
            if line == "end" {
                break;
            }
            let mut words = line.split_whitespace();
            let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            let name = format!("{first} {second}");
            let blocks = &shape.layout.blocks;
            let block = blocks.iter().find(|block| heading(self.game, block) == name);
            let block =
                block.ok_or_else(|| self.wrong(format!("there is no term {:?}", cut(&name))))?;
            let length = row_length(shape, block);
            let row = if block.len > length {
                let rows = block.len.div_ceil(length);
                let number = words.next().and_then(|word| word.parse::<usize>().ok());
                let number = number.filter(|row| (1..=rows).contains(row));
                number.ok_or_else(|| self.wrong(format!("a row from 1 to {rows} is expected")))? - 1
            } else {
                0
            };
            let at = block.first + row * length;
            let len = length.min(block.first + block.len - at);
            if std::mem::replace(&mut read[at], true) {
                return Err(self.wrong(format!("{name:?} is there a second time")));
            }
            let found: Result<Vec<Weight>, String> = words.map(str::parse).collect();
            let found = found.map_err(|reason| self.wrong(reason))?;
            if found.len() != len {
                let reason = format!("{} weights where {len} are expected", found.len());
                return Err(self.wrong(reason));
            }
            weights[at..at + len].copy_from_slice(&found);
        }
        match self.line() {
            Err(EvalError::Truncated { .. }) => Ok(weights),
            _ => Err(self.wrong("nothing may follow the line `end`")),
        }
    }
}

/// The texts of evaluators by the names of their games.
macro_rules! texts {
    ($($game:literal)*) => {
        &[$(($game, include_str!(concat!("embedded/", $game, ".eval")))),*]
    };
}

/// Built-in games and the texts of their evaluators, as `tamarin variant learn` has written them:
/// each names its recipe. docs/variants.md has their matches.
pub(super) const EMBEDDED: &[(&str, &str)] = texts![
    "almost" "amazon" "asean" "capablanca" "clobberers" "courier" "crazyhouse" "embassy" "fide"
    "fide_thesis" "grasshopper" "hoppelpoppel" "janus" "knightmate" "locusts" "locusts12"
    "locusts_thesis" "losalamos" "makruk" "minishogi" "minixiangqi" "newzealand" "nightrider"
    "nuttyknights" "shatranj" "shogi" "shogi_nodrop" "shogi_thesis" "xiangqi"
];

impl Learned {
    /// The evaluator that comes with the program for a game with these rules, if there is one. Of
    /// the others only the first lines are looked at.
    pub fn embedded(game: &Arc<Game>) -> Option<Self> {
        let rules = game.fingerprint();
        let (_, text) = EMBEDDED.iter().find(|(_, text)| rules_of(text) == Some(rules))?;
        let learned = Self::parse(game, text);
        Some(learned.expect("invariant: what comes with the program fits its games"))
    }
}
