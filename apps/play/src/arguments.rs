//! The command line of `tamarin play`.

use core::str::FromStr;
use std::path::PathBuf;
use std::sync::Arc;

use tamarin_movegen::{Color, PerColor};

use super::players::Opponent;
use super::session::command::Side;
use tamarin_game::clock::TimeControl;
use tamarin_game::evaluator::{EvaluatorArguments, EvaluatorKind};
use tamarin_game::level::{Level, LevelError, Tamarin};
use tamarin_game::search::SMALL;
use tamarin_uci::client::{Launch, LaunchError};

/// What people are called in saved games if they do not say.
pub(super) const DEFAULT_NAME: &str = "Player";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "In the game `help` lists the commands (in the full-screen mode the key ?)."
)]
pub struct Arguments {
    /// Level of the engine, 1 to 20 [default: 13; in a variant 5]
    #[arg(long, value_name = "1-20", group = "strength",
          value_parser = clap::value_parser!(u8).range(1..=20))]
    level: Option<u8>,
    /// Rating of the engine, 500 to 3190
    #[arg(long, value_name = "N", group = "strength",
          value_parser = clap::value_parser!(u16).range(500..=3190))]
    elo: Option<u16>,
    /// For beginners: the engine answers within a second
    #[arg(long, group = "strength")]
    easy: bool,
    /// For club players: the engine answers within five seconds
    #[arg(long, group = "strength")]
    medium: bool,
    /// Full strength: the engine answers within fifteen seconds
    #[arg(long, group = "strength")]
    hard: bool,
    /// Who plays White, if no person does: a level (1 to 20, a rating, easy, medium, hard), an
    /// evaluator (network, hand-crafted; small ones with plain alpha-beta: random, capuchin, sifaka,
    /// macaque, mantis, jchess-easy, jchess-medium) or both, such as 10,hand-crafted; or another UCI
    /// program:
    /// "uci:COMMAND; OPTION=VALUE; ..."
    #[arg(long, value_name = "OPPONENT")]
    white: Option<OpponentArgument>,
    /// Who plays Black, if no person does
    #[arg(long, value_name = "OPPONENT")]
    black: Option<OpponentArgument>,
    /// Your side; `none` lets the engine play against itself [default: white]
    #[arg(long, value_enum)]
    pub(super) side: Option<Side>,
    /// Clocks: minutes, and seconds a move after a '+', such as 5+3, 0.5+1 or 40/90+30
    #[arg(long, value_name = "5+3")]
    pub(super) time: Option<TimeControl>,
    /// Go on with a game from a PGN file
    #[arg(long, value_name = "GAME.PGN", group = "beginning")]
    pub(super) load: Option<PathBuf>,
    /// Which game of that file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "load",
          value_parser = |text: &str| text.parse::<usize>().ok().filter(|n| *n > 0)
              .ok_or("a number from 1"))]
    pub(super) game: usize,
    /// Begin with this position
    #[arg(long, num_args = 1.., group = "beginning")]
    pub(super) fen: Vec<String>,
    /// Begin with position N of Chess960, 0 to 959; without a number with any
    #[arg(long, value_name = "N", group = "beginning", num_args = 0..=1,
          value_parser = clap::value_parser!(u16).range(..960))]
    pub(super) chess960: Option<Option<u16>>,
    /// Go on with the unfinished game that was played last
    #[arg(long, group = "beginning")]
    pub(super) resume: bool,
    /// Play a variant: a name of `tamarin variant list`, or a file
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all =
          ["elo", "resume", "chess960", "puzzles", "learn", "again", "syzygy", "threats", "bar",
           "ponder", "evaluator", "eval_file"])]
    pub(super) variant: Option<String>,
    /// Solve the positions of a file instead of playing: EPD, or the puzzles of Lichess as CSV
    #[arg(long, value_name = "FILE", groups = ["beginning", "course"])]
    pub(super) puzzles: Option<PathBuf>,
    /// Learn the rules and the first mates, a position for each
    #[arg(long, groups = ["beginning", "course"])]
    pub(super) learn: bool,
    /// Ask the puzzles or lessons that were solved before as well
    #[arg(long, requires = "course")]
    pub(super) again: bool,
    /// Keep the games of the session in this file, written anew after every move
    #[arg(long, value_name = "GAME.PGN")]
    pub(super) save: Option<PathBuf>,
    /// Keep no unfinished game for --resume, and no progress with puzzles
    #[arg(long)]
    pub(super) no_autosave: bool,
    /// Play line by line, also where there is a terminal for the full-screen mode
    #[arg(long)]
    pub(super) line: bool,
    /// Signs of the pieces
    #[arg(long, value_enum, default_value = "auto")]
    pub(super) pieces: PiecesChoice,
    /// Colors
    #[arg(long, value_enum, default_value = "auto")]
    pub(super) color: ColorChoice,
    /// Colors of the board: wood, green, blue, gray or contrast
    #[arg(long, default_value = "wood", value_parser = |name: &str|
          super::theme::find(name).ok_or_else(|| format!("themes are {}", super::theme::names())))]
    pub(super) theme: super::theme::Theme,
    /// Black's pieces below
    #[arg(long)]
    pub(super) flip: bool,
    /// Show the evaluation bar
    #[arg(long)]
    pub(super) bar: bool,
    /// Your name in saved games
    #[arg(long, default_value = DEFAULT_NAME)]
    pub(super) name: String,
    /// The engine opens without its book
    #[arg(long)]
    pub(super) no_book: bool,
    /// The engine also thinks while its opponent does
    #[arg(long)]
    pub(super) ponder: bool,
    /// Engines resign when they have been ten pawns behind for three moves
    #[arg(long)]
    pub(super) resign: bool,
    /// The same seed makes the same choices [default: another one each time]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Threads that think for each engine
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: u16,
    /// Transposition table of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub(super) hash: u32,
    /// Folders of Syzygy endgame tablebases, as the option SyzygyPath
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    pub(super) syzygy: String,
    /// Name what the opponent threatens, at each of your turns
    #[arg(long)]
    pub(super) threats: bool,
    /// Begin each of your turns with a hint
    #[arg(long)]
    pub(super) hints: bool,
    /// Show the best lines for the position on the board
    #[arg(long)]
    pub(super) lines: bool,
    #[command(flatten)]
    pub(super) evaluator: EvaluatorArguments,
}

/// Signs of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum PiecesChoice {
    /// Pictures and chess signs where the locale has them, else letters.
    Auto,
    /// Chess signs.
    Unicode,
    /// Letters.
    Ascii,
    /// Pictures of half blocks on squares that are large enough, else chess signs.
    Blocks,
}

/// Whether colors are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum ColorChoice {
    /// In a terminal that has them, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Arguments {
    /// The level of the engine, if it says one.
    pub(super) fn level(&self) -> Option<Level> {
        match (self.level, self.elo, self.easy, self.medium, self.hard) {
            (Some(level), ..) => Some(Level::Number(level)),
            (_, Some(rating), ..) => Some(Level::Elo(rating)),
            (_, _, true, ..) => Some(Level::Easy),
            (_, _, _, true, _) => Some(Level::Medium),
            (_, _, _, _, true) => Some(Level::Hard),
            _ => None,
        }
    }

    /// Which sides people play.
    pub(super) fn side(&self) -> Side {
        self.side.unwrap_or(Side::White)
    }

    /// What evaluates, if it says that or names a network.
    pub(super) fn evaluator_kind(&self) -> Option<EvaluatorKind> {
        (self.evaluator != EvaluatorArguments::default()).then(|| self.evaluator.kind())
    }

    /// Who plays White and Black where no person does.
    pub(super) fn opponents(&self, default: Level) -> PerColor<Opponent> {
        let level = self.level().unwrap_or(default);
        let both = Tamarin { level, evaluator: self.evaluator.kind() };
        PerColor([&self.white, &self.black].map(|named| match named {
            Some(argument) => argument.with_defaults(both),
            None => Opponent::Tamarin(both),
        }))
    }

    /// A color that is given an opponent and is that of a person.
    pub(super) fn taken_twice(&self) -> Option<Color> {
        let people = self.side().people()?;
        let named = PerColor([self.white.is_some(), self.black.is_some()]);
        Color::ALL.into_iter().find(|&color| people[color] && named[color])
    }

    /// Returns `true` if it says who plays a color.
    pub(super) const fn names_opponents(&self) -> bool {
        self.white.is_some() || self.black.is_some()
    }
}

/// An opponent as the command line names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpponentArgument {
    /// The engine; what is not said is as for both sides.
    Tamarin {
        /// How well it plays.
        level: Option<Level>,
        evaluator: Option<EvaluatorKind>,
    },
    /// Another program that speaks UCI.
    Program(Arc<Launch>),
}

impl OpponentArgument {
    /// The opponent, where `both` is what is said for both sides.
    pub fn with_defaults(&self, both: Tamarin) -> Opponent {
        match self {
            Self::Tamarin { level, evaluator } => Opponent::Tamarin(Tamarin {
                level: level.unwrap_or(both.level),
                evaluator: evaluator.unwrap_or(both.evaluator),
            }),
            Self::Program(launch) => Opponent::Program(Arc::clone(launch)),
        }
    }
}

/// A level, an evaluator, or both with a comma.
fn tamarin(text: &str) -> Result<OpponentArgument, String> {
    let unknown = |error: LevelError| {
        let small = SMALL.map(|(_, name)| name).join(", ");
        let others = format!("or network, hand-crafted, random, {small}, or both with a comma");
        format!("{error}; {others}; or uci: and the command of a program")
    };
    let (mut level, mut evaluator) = (None, None);
    for part in text.split(',').map(str::trim) {
        let kind = EvaluatorKind::from_name(part);
        let is_new = match kind {
            Some(kind) => evaluator.replace(kind).is_none(),
            None => level.replace(part.parse().map_err(unknown)?).is_none(),
        };
        if !is_new {
            let all = "give a level, an evaluator, or both with a comma";
            return Err(format!("{text:?} says twice what it means: {all}"));
        }
    }
    Ok(OpponentArgument::Tamarin { level, evaluator })
}

impl FromStr for OpponentArgument {
    type Err = String;

    /// A level, an evaluator or both (`10,hand-crafted`), or `uci:` with the command line of a
    /// program and its options: `uci:stockfish; UCI_Elo=1800`.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some(text) = text.trim().strip_prefix("uci:") else { return tamarin(text) };
        let launch = text.parse().map_err(|error: LaunchError| format!("after uci: {error}"))?;
        Ok(Self::Program(Arc::new(launch)))
    }
}

#[cfg(test)]
mod tests {
    use super::{LaunchError, OpponentArgument};
    use crate::players::Opponent;
    use tamarin_game::evaluator::EvaluatorKind;
    use tamarin_game::level::{Level, Tamarin};

    #[test]
    fn opponents_are_levels_or_commands_with_options() {
        let hard = OpponentArgument::Tamarin { level: Some(Level::Hard), evaluator: None };
        assert_eq!("hard".parse(), Ok(hard));
        let text = "uci:'/my bin/fish' --fast; Skill Level = 3;UCI_Elo=1500";
        let Ok(OpponentArgument::Program(launch)) = text.parse() else { panic!("{text}") };
        assert_eq!(*launch, text["uci:".len()..].parse().unwrap());
        let parse = str::parse::<OpponentArgument>;
        assert_eq!(parse("uci:"), Err(format!("after uci: {}", LaunchError::NoCommand)));
        assert!(parse("fish").is_err());
    }

    #[test]
    fn a_side_may_have_an_evaluator_of_its_own() {
        let both = Tamarin { level: Level::Number(5), evaluator: EvaluatorKind::Network };
        let terms = |level| Tamarin { level, evaluator: EvaluatorKind::HandCrafted };
        for (text, expected) in [
            ("hand-crafted", terms(Level::Number(5))),
            ("10,hand-crafted", terms(Level::Number(10))),
            ("hand-crafted, elo 2000", terms(Level::Elo(2000))),
            ("network", both),
            ("7", Tamarin { level: Level::Number(7), ..both }),
        ] {
            let argument: OpponentArgument = text.parse().unwrap();
            assert_eq!(argument.with_defaults(both), Opponent::Tamarin(expected), "{text}");
        }
        let by_terms: OpponentArgument = "7".parse().unwrap();
        let opponent = by_terms.with_defaults(terms(Level::Easy));
        assert_eq!(opponent, Opponent::Tamarin(terms(Level::Number(7))));
        for twice in ["7,8", "network,hand-crafted", "7,network,network"] {
            let error = twice.parse::<OpponentArgument>().unwrap_err();
            assert!(error.contains("says twice what it means"), "{error}");
        }
        for wrong in ["10,", ",", "10,neural"] {
            let error = wrong.parse::<OpponentArgument>().unwrap_err();
            assert!(error.contains("is no level"), "{error}");
        }
    }
}
