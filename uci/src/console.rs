//! Commands outside the protocol that people and test frameworks type.

use crate::Excerpt;
use crate::number::Number;
use crate::words::{Words, push_word};

/// A command for people and test frameworks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Console {
    /// `d`: show the board.
    Board,
    /// `eval [--json]`: show the evaluation's terms.
    Eval(EvalFormat),
    /// `bench`: the fixed-depth benchmark.
    Bench(Bench),
    /// `perft N` and `go perft N`: count the leaves at this depth in plies.
    Perft(u32),
    /// `help [COMMAND]` or `--help`: all commands, or this one.
    Help(Option<String>),
    /// `license` or `--license`.
    License,
    /// `genfens`: random openings for OpenBench.
    GenFens(GenFens),
}

/// How the terms of an evaluation are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvalFormat {
    /// A table for people.
    #[default]
    Table,
    /// `--json`: one JSON object.
    Json,
}

/// `bench [hash] [threads] [limit] [positions] [kind]`, every argument optional from the right.
/// Source: the argument order is Stockfish's, which scripts rely on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Table size in MiB.
    pub hash: Option<u64>,
    /// Search threads.
    pub threads: Option<u32>,
    /// The limit a position, in the unit of `kind`.
    pub limit: Option<u64>,
    /// What to search.
    pub positions: BenchPositions,
    /// What the limit counts.
    pub kind: BenchKind,
}

/// The positions of a benchmark.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum BenchPositions {
    /// `default`: the built-in list.
    #[default]
    Default,
    /// `current`: the current position.
    Current,
    /// A file with one FEN a line.
    File(String),
}

/// What a benchmark's limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BenchKind {
    /// `depth`: plies.
    #[default]
    Depth,
    /// `nodes`.
    Nodes,
    /// `movetime`: milliseconds.
    MoveTime,
    /// `perft`: plies of move generation.
    Perft,
}

/// `genfens N seed S book <None|file> [extra]`, OpenBench's request for openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFens {
    /// How many openings.
    pub count: u32,
    /// The seed: the same seed gives the same list.
    pub seed: u64,
    /// The book to start from, if not `None`.
    pub book: Option<String>,
    /// Anything after the book, with single spaces.
    pub extra: String,
}

/// Why a console command was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConsoleError {
    /// An argument that must be there is not.
    #[error("{command}: no {argument} given")]
    Missing {
        /// The command.
        command: &'static str,
        /// The argument.
        argument: &'static str,
    },
    /// An argument is not a whole number.
    #[error("{command}: {argument} is not a whole number: {text}")]
    Number {
        /// The command.
        command: &'static str,
        /// The argument.
        argument: &'static str,
        /// What was sent.
        text: Excerpt,
    },
    /// A word other than the expected one.
    #[error("{command}: expected {expected}, not {text}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// What may stand there.
        expected: &'static str,
        /// What was sent.
        text: Excerpt,
    },
}

/// The arguments of one command, read from left to right.
struct Arguments<'a, 'line> {
    command: &'static str,
    words: &'a mut Words<'line>,
}

impl Arguments<'_, '_> {
    /// The next argument as a number, if there is one.
    fn number(&mut self, argument: &'static str) -> Result<Option<Number>, ConsoleError> {
        let Some(word) = self.words.next() else { return Ok(None) };
        let command = self.command;
        match Number::parse(word) {
            Some(number) => Ok(Some(number)),
            None => Err(ConsoleError::Number { command, argument, text: word.into() }),
        }
    }

    /// The next argument as a number that must be there.
    fn required(&mut self, argument: &'static str) -> Result<Number, ConsoleError> {
        let command = self.command;
        self.number(argument)?.ok_or(ConsoleError::Missing { command, argument })
    }

    /// Consumes the word `expected`.
    fn word(&mut self, expected: &'static str) -> Result<(), ConsoleError> {
        match self.words.next() {
            Some(word) if word == expected => Ok(()),
            other => Err(self.unexpected(expected, other)),
        }
    }

    fn unexpected(&self, expected: &'static str, found: Option<&str>) -> ConsoleError {
        let command = self.command;
        match found {
            None => ConsoleError::Missing { command, argument: expected },
            Some(word) => ConsoleError::Unexpected { command, expected, text: word.into() },
        }
    }
}

/// The rest of the line as the name of a file.
pub(crate) fn file(command: &'static str, words: Words<'_>) -> Result<String, ConsoleError> {
    match words.rest() {
        "" => Err(ConsoleError::Missing { command, argument: "file" }),
        path => Ok(path.to_owned()),
    }
}

impl Console {
    pub(crate) fn parse_eval(words: &mut Words<'_>) -> Result<Self, ConsoleError> {
        let arguments = Arguments { command: "eval", words };
        match arguments.words.next() {
            None => Ok(Self::Eval(EvalFormat::Table)),
            Some("--json") => Ok(Self::Eval(EvalFormat::Json)),
            other => Err(arguments.unexpected("--json or nothing", other)),
        }
    }

    pub(crate) fn parse_bench(words: &mut Words<'_>) -> Result<Self, ConsoleError> {
        let mut arguments = Arguments { command: "bench", words };
        let hash = arguments.number("hash")?.map(Number::to_u64);
        let threads = arguments.number("threads")?.map(Number::to_u32);
        let limit = arguments.number("limit")?.map(Number::to_u64);
        let positions = match arguments.words.next() {
            None | Some("default") => BenchPositions::Default,
            Some("current") => BenchPositions::Current,
            Some(file) => BenchPositions::File(file.to_owned()),
        };
        let kind = match arguments.words.next() {
            None | Some("depth") => BenchKind::Depth,
            Some("nodes") => BenchKind::Nodes,
            Some("movetime") => BenchKind::MoveTime,
            Some("perft") => BenchKind::Perft,
            other => return Err(arguments.unexpected("depth, nodes, movetime or perft", other)),
        };
        Ok(Self::Bench(Bench { hash, threads, limit, positions, kind }))
    }

    pub(crate) fn parse_perft(words: &mut Words<'_>) -> Result<Self, ConsoleError> {
        let word = words.peek();
        let mut arguments = Arguments { command: "perft", words };
        let depth = arguments.required("depth")?;
        match depth.is_negative() {
            true => Err(arguments.unexpected("a depth of 0 or more", word)),
            false => Ok(Self::Perft(depth.to_u32())),
        }
    }

    pub(crate) fn parse_gen_fens(words: &mut Words<'_>) -> Result<Self, ConsoleError> {
        let mut arguments = Arguments { command: "genfens", words };
        let count = arguments.required("count")?.to_u32();
        arguments.word("seed")?;
        let seed = arguments.required("seed")?.to_u64();
        arguments.word("book")?;
        let book = match arguments.words.next() {
            Some(word) if word.eq_ignore_ascii_case(NO_BOOK) => None,
            Some(word) => Some(word.to_owned()),
            None => return Err(arguments.unexpected("None or a book", None)),
        };
        let mut extra = String::new();
        for word in arguments.words.by_ref() {
            push_word(&mut extra, word);
        }
        Ok(Self::GenFens(GenFens { count, seed, book, extra }))
    }
}

/// What OpenBench writes when an opening set needs no book.
const NO_BOOK: &str = "None";
