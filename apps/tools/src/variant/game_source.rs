//! The arguments that name a game.

/// Where a game comes from.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct GameSource {
    /// Name of a built-in game (see `tamarin variant list`), or a file
    #[arg(value_name = "NAME|FILE")]
    pub(super) game: String,
    /// Which variant of a file that has several [default: the last; `check` takes all]
    #[arg(long, value_name = "NAME")]
    pub(super) variant: Option<String>,
}
