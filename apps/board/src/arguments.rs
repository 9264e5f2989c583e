//! The arguments of `tamarin board`.

use std::net::IpAddr;
use std::path::PathBuf;

use tamarin_game::evaluator::EvaluatorArguments;
use tamarin_search::{HASH_RANGE, THREADS_RANGE};

/// The port of the server unless another program has it. A browser keeps the settings of the page
/// for one port.
pub const USUAL_PORT: u16 = 28_417;

/// A board in the browser: play, analyze and watch, chess and variants.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Games to analyze, in PGN
    #[arg(value_name = "FILE.pgn")]
    pub file: Option<PathBuf>,

    /// Port of the server [default: 28417, or a free one if that is taken]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,

    /// Address of the server; any other than the default lets in computers that know the whole
    /// address with its token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub address: IpAddr,

    /// Print the address only, and start no browser
    #[arg(long)]
    pub no_browser: bool,

    /// Begin with this variant: a built-in name, or a file with rules
    #[arg(long, value_name = "NAME|FILE.var")]
    pub variant: Option<String>,

    /// Threads of each engine [default: half of the cores]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u16).range(*THREADS_RANGE.start() as i64..=*THREADS_RANGE.end() as i64))]
    pub threads: Option<u16>,

    /// Transposition table of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 32,
          value_parser = clap::value_parser!(u32).range(*HASH_RANGE.start() as i64..=*HASH_RANGE.end() as i64))]
    pub hash: u32,

    /// Folders of Syzygy endgame tablebases
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    pub syzygy: String,

    #[command(flatten)]
    pub(crate) evaluator: EvaluatorArguments,
}
