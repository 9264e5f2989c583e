//! The command line of `tamarin variant`.

use super::iterators::IteratorsArguments;
use super::learn::LearnArguments;
use super::peer::{ConnectArguments, ServeArguments};
use super::selfplay::{SelfplayArguments, TournamentArguments};
use super::source::GameSource;
use super::values::ValuesArguments;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(clap::Subcommand, Clone, Debug)]
pub(super) enum Command {
    /// List the games that come with the program
    List,
    /// Read a file and tell what is wrong with it
    Check {
        #[command(flatten)]
        source: GameSource,
    },
    /// Write out the moves of a piece, or of all, in the notation with braces
    Expand {
        #[command(flatten)]
        source: GameSource,
        /// Name of the piece [default: all]
        piece: Option<String>,
    },
    /// Print a game from a variants.ini of Fairy-Stockfish as a file of this program
    Import {
        /// The file
        file: String,
        /// Which game [default: the last]
        name: Option<String>,
        /// Write a game with rules that cannot be said too, and name in the file what is missing
        #[arg(long)]
        lossy: bool,
    },
    /// Draw where a piece goes
    Show {
        #[command(flatten)]
        source: GameSource,
        /// Name of the piece
        piece: String,
        /// Where it stands [default: the middle]
        #[arg(long, value_name = "SQUARE")]
        at: Option<String>,
    },
    /// Count the leaf nodes of the tree of legal moves
    Perft(PerftArguments),
    /// List the legal moves
    Moves {
        #[command(flatten)]
        source: GameSource,
        /// Write moves in the manner of SAN: Nf3, cxd8=Q+, O-O
        #[arg(long)]
        san: bool,
        /// Position [default: the start position]
        #[arg(long, num_args = 1..)]
        fen: Vec<String>,
    },
    /// Learn what pieces are worth and where they belong, by playing the game against itself
    ///
    /// Writes a file of text that the engine finds beside the rules: my.eval for my.var. Ctrl-C keeps
    /// the games that were played, and the same command goes on with them. A second Ctrl-C ends the
    /// program at once.
    Learn(Box<LearnArguments>),
    /// Show what pieces are worth to an evaluator
    Values(ValuesArguments),
    /// Play games between two evaluators
    Selfplay(Box<SelfplayArguments>),
    /// Play the tournaments of the thesis "Generalized chess engine" (Otmar 2024): base evaluators, or
    /// position evaluators
    Tournament(Box<TournamentArguments>),
    /// Compare orders of moves: branching factors and times
    ///
    /// A row is an evaluator, a column an order: base (as generated), mono (by evaluation), faster
    /// (by the values of the pieces), strong (strongest piece first), captures (captures first), all
    /// in plain alpha-beta with a table; tamarin is Tamarin's own search. The three numbers are
    /// children for each expanded node in three searches of chess for Black: after 1. e4, after a
    /// queen move, after a second one. Depth 5 takes some minutes.
    Iterators(IteratorsArguments),
    /// Wait for other programs to play with over a network, any game they ask for
    Serve(Box<ServeArguments>),
    /// Play with a program that waits at an address
    Connect(Box<ConnectArguments>),
    /// Draw a position
    Board {
        #[command(flatten)]
        source: GameSource,
        /// Position [default: the start position]
        #[arg(long, num_args = 1..)]
        fen: Vec<String>,
    },
}

/// What `perft` takes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct PerftArguments {
    #[command(flatten)]
    pub(super) source: GameSource,
    /// Plies to count
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(super) depth: u32,
    /// Position to count from [default: the start position]
    #[arg(long, num_args = 1..)]
    pub(super) fen: Vec<String>,
    /// Show the count behind every move
    #[arg(long)]
    pub(super) divide: bool,
    /// Threads to count with [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Write one JSON object instead of text
    #[arg(long)]
    pub(super) json: bool,
    /// Compare the counts of another engine, depth after depth: a command line, UCI options behind
    /// semicolons, as in "fairy-stockfish; VariantPath=my.ini"
    #[arg(long, value_name = "CMD", conflicts_with_all = ["json", "divide"])]
    pub(super) engine: Option<String>,
    /// What that engine calls the game [default: its name]
    #[arg(long, value_name = "NAME", requires = "engine")]
    pub(super) uci_variant: Option<String>,
    /// Seconds that engine may take for a count
    #[arg(long, value_name = "S", default_value_t = 10, requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(super) timeout: u64,
}
