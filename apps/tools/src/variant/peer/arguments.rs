//! The command lines of `serve` and `connect`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tamarin_base::complain;
use tamarin_variant::variant_names;
use tamarin_variant::{Color, Game, read_text};
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::evaluation_file;

use crate::variant::player::{Effort, Player, PlayerName};
use crate::variant::source::{Failure, GameSource, Playable, target};

/// What both commands take.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PlayArguments {
    /// Who plays here: an evaluator such as sme+imm, with thesis: before it the thesis's engine, or
    /// a file that `variant learn` has written [default: as everywhere, a learned evaluator beside
    /// the file of the rules, else a built-in one, else sme+imm]
    #[arg(long, value_name = "PLAYER")]
    pub(super) player: Option<PlayerName>,
    /// For each move [default: a second]
    #[command(flatten)]
    effort: Effort,
    /// Seconds to wait for each message of the peer
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
        value_parser = clap::value_parser!(u32).range(1..=86_400))]
    patience: u32,
    /// Append all finished games to this file as PGN
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
}

impl PlayArguments {
    /// Who plays a game here. `learned` is what was found beside its file.
    pub(super) fn player(
        &self,
        game: &Arc<Game>,
        learned: Option<&Arc<Learned>>,
    ) -> Result<Player, Failure> {
        match &self.player {
            Some(name) => Player::new(game, name),
            None => Player::standard(game, learned),
        }
    }

    /// What reports and files of games call that player.
    pub(super) fn player_name(&self) -> String {
        self.player.as_ref().map_or_else(|| "Tamarin".to_owned(), PlayerName::to_string)
    }

    /// A game, and the learned evaluator beside its file unless another player is named. If there
    /// is one that cannot be used, the reason is printed.
    pub(super) fn load(&self, game: &str) -> Result<Playable, Failure> {
        let source = GameSource { game: game.to_owned(), variant: None };
        let playable = source.load_to_play(self.player.is_none())?;
        if let Some(remark) = &playable.remark {
            complain(&format!("warning: {remark}"));
        }
        Ok(playable)
    }

    pub(super) fn effort(&self) -> Effort {
        self.effort.or_movetime(1000)
    }

    /// Makes sure that the file of games differs from these files of rules and from those of the
    /// evaluators that play them.
    pub(super) fn check_pgn<P: AsRef<Path>>(
        &self,
        rules: impl IntoIterator<Item = P>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.pgn else { return Ok(()) };
        let mut inputs = Vec::new();
        for file in rules {
            let file = file.as_ref();
            if self.player.is_none() {
                // Where the rules cannot be read, loading them says so.
                let text = if file.is_file() { read_text(file).ok() } else { None };
                let names = text.map_or_else(Vec::new, |text| variant_names(&text));
                let names = names.iter().map(Option::as_deref).chain([None]);
                inputs.extend(names.map(|name| evaluation_file(file, name)));
            }
            inputs.push(file.to_owned());
        }
        let player = self.player.as_ref().and_then(|player| player.evaluator.file());
        inputs.extend(player.map(Path::to_owned));
        target(path, inputs).map(|_| ())
    }

    pub(super) fn patience(&self) -> Duration {
        Duration::from_secs(self.patience.into())
    }
}

/// What `serve` takes.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ServeArguments {
    /// Where to listen. To let other computers connect, give another address, such as
    /// 0.0.0.0:5757; port 0 is any free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:5757")]
    pub(super) listen: String,
    /// Offer the game of this file too, under the file's name without its ending; several times
    /// for several
    #[arg(long, value_name = "FILE")]
    pub(super) file: Vec<String>,
    /// End after N connections [default: go on]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) connections: Option<u32>,
    /// Play with N programs at once; those beyond are refused
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(super) peers: u32,
    /// Games of one connection at most; then it ends
    #[arg(long, value_name = "N", default_value_t = 1000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) games: u32,
    #[command(flatten)]
    pub(super) play: PlayArguments,
}

/// What `connect` takes.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ConnectArguments {
    /// Where the other program listens
    #[arg(value_name = "ADDR:PORT")]
    pub(super) address: String,
    /// Which game: a built-in one, or a file, which the other program has to know by its name
    /// without the ending
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) variant: String,
    /// Which side to play in the first game; it changes after every game
    #[arg(long, value_enum, default_value_t = Side::White)]
    pub(super) color: Side,
    /// How many games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) games: u32,
    /// Position that the games begin with; its counters start anew [default: the start position]
    #[arg(long, num_args = 1..)]
    pub(super) fen: Vec<String>,
    /// Send nothing but the messages that the thesis has
    #[arg(long)]
    pub(super) plain: bool,
    #[command(flatten)]
    pub(super) play: PlayArguments,
}

/// A side by name.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}
