//! The command `board`: its arguments, the server that it starts, and a browser.

use std::io::{self, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;

use tamarin_base::files::{read_text, remove_unfinished_on_signal};
use tamarin_base::{complain, with_causes};
use tamarin_game::evaluator::EvaluatorArguments;
use tamarin_game::packed::read_unpacked;
use tamarin_game::pgn::decoded_lines;
use tamarin_search::{HASH_RANGE, THREADS_RANGE, TablebaseProbe};
use tamarin_uci::client::{Launch, LaunchError};
use tamarin_variant::name_of_last;
use tamarin_variant_search::{Library, LibraryError, NOT_USED};

use crate::error::BoardError;
use crate::players::Resources;
use crate::protocol::{Kind, Open};
use crate::server::Server;
use crate::session::Folder;
use crate::sessions::Sessions;

/// Larger files of games are refused.
const MAX_MEBIBYTES: u64 = 16;

/// Larger files of rules are refused.
const MAX_RULES_MEBIBYTES: u64 = 1;

/// The port of the server unless another program has it. A browser keeps the settings of the page
/// for one port.
const USUAL_PORT: u16 = 28_417;

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

    /// Another UCI engine to play against and to analyze with: its command line, and behind semicolons
    /// its options; may be repeated
    #[arg(long, value_name = "COMMAND[; NAME=VALUE]")]
    pub engine: Vec<String>,

    /// Folders of Syzygy endgame tablebases
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    pub syzygy: String,

    #[command(flatten)]
    evaluator: EvaluatorArguments,
}

/// Serves until the process is ended. The exit code is 2 if that cannot be.
pub fn run(arguments: &Arguments) -> ExitCode {
    match serve(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&format!("error: {}", with_causes(&failure)));
            ExitCode::from(2)
        }
    }
}

fn serve(arguments: &Arguments) -> Result<(), BoardError> {
    remove_unfinished_on_signal();
    let half = || thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2));
    let (tablebases, report) = TablebaseProbe::load(&arguments.syzygy);
    report.left_out_text().iter().for_each(|text| complain(text));
    let threads = arguments.threads.map_or_else(half, usize::from);
    let evaluator = arguments.evaluator.choice()?;
    let programs = programs(&arguments.engine)?;
    let resources = Resources::new(arguments.hash as usize, threads);
    let resources = Resources { evaluator, tablebases, programs, ..resources };
    let folder = Folder::of_user().map_err(|why| complain(&format!("games are not kept: {why}")));
    let sessions = Sessions::new(resources, folder.ok()).map_err(BoardError::Start)?;
    let first = match first_session(arguments)? {
        Some(open) => Some(sessions.open(open)?.lock().id().to_owned()),
        None => None,
    };
    let server = bind(arguments.address, arguments.port, &sessions)?;
    let query = first.map_or(String::new(), |id| format!("?session={id}"));
    let url = server.url() + &query;
    let mut out = io::stdout().lock();
    writeln!(out, "{url}").map_err(BoardError::Output)?;
    if let Some(invitation) = server.invitation() {
        writeln!(out, "On your other devices, with all games: {invitation}{query}")
            .map_err(BoardError::Output)?;
    }
    out.flush().map_err(BoardError::Output)?;
    drop(out);
    if !arguments.no_browser
        && let Err(error) = server.url_once(&query).and_then(|url| browse(&url))
    {
        complain(&format!("no browser started ({error}); open the address yourself"));
    }
    server.run().map_err(BoardError::Start)
}

/// Other engines by the names of their files; of several of one name the later ones are numbered.
fn programs(commands: &[String]) -> Result<Arc<[(String, Launch)]>, LaunchError> {
    let mut found: Vec<(String, Launch)> = Vec::new();
    for command in commands {
        let launch: Launch = command.parse()?;
        let base = launch.file_name();
        let names = (2..).map(|number| format!("{base} {number}"));
        let mut names = std::iter::once(base.clone()).chain(names);
        let is_free = |name: &String| found.iter().all(|(other, _)| other != name);
        if let Some(name) = names.find(is_free) {
            found.push((name, launch));
        }
    }
    Ok(found.into())
}

/// Listens at a port; where none is asked for, at the usual one, or if that is taken at a free one.
fn bind(
    address: IpAddr,
    port: Option<u16>,
    sessions: &Arc<Sessions>,
) -> Result<Server, BoardError> {
    let at = |port| {
        let server = Server::bind(address, port, Arc::clone(sessions));
        server.map_err(|source| BoardError::Bind { address, port, source })
    };
    match port {
        Some(port) => at(port),
        None => at(USUAL_PORT).or_else(|_| at(0)),
    }
}

/// The session that the command line asks for.
fn first_session(arguments: &Arguments) -> Result<Option<Open>, BoardError> {
    let mut open = Open::default();
    let failed = |path: &PathBuf| {
        let path = path.clone();
        move |source| BoardError::File { path, source }
    };
    if let Some(name) = &arguments.variant {
        if let Some((name, _)) = Library::default().find(name) {
            open.game = Some(name);
        } else {
            let path = PathBuf::from(name);
            if !path.exists() {
                return Err(LibraryError::unknown(name).into());
            }
            let rules = read_text(&path, MAX_RULES_MEBIBYTES).map_err(failed(&path))?;
            open.game = Some(name_of_last(&path, &rules));
            open.rules = Some(rules);
            open.evaluation = learned_beside(&path);
        }
        open.kind = if arguments.file.is_some() { Kind::Analyse } else { Kind::Play };
    }
    if let Some(path) = &arguments.file {
        open.pgn = Some(read_games(path).map_err(failed(path))?);
    }
    Ok((arguments.variant.is_some() || arguments.file.is_some()).then_some(open))
}

/// The text of a file of games, unpacked.
fn read_games(path: &Path) -> io::Result<String> {
    Ok(decoded_lines(&read_unpacked(path, MAX_MEBIBYTES)?))
}

/// The learned evaluator beside a file of rules. If there is one that cannot be used, the reason is
/// printed; what is wrong with the rules, the page says.
fn learned_beside(path: &Path) -> Option<String> {
    let (mut library, mut warnings) = (Library::default(), Vec::new());
    let (_, game) = library.read_one(path, &mut warnings).ok()?;
    warnings.iter().filter(|line| line.contains(NOT_USED)).for_each(|line| complain(line));
    library.learned(&game).map(|learned| learned.text())
}

/// Starts the browser of the user.
fn browse(url: &str) -> io::Result<()> {
    let mut command = match () {
        () if cfg!(windows) => {
            let mut command = Command::new("rundll32");
            command.arg("url.dll,FileProtocolHandler");
            command
        }
        () if cfg!(target_os = "macos") => Command::new("open"),
        () => Command::new("xdg-open"),
    };
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    thread::Builder::new().name("browser".into()).spawn(move || child.wait())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Arguments, USUAL_PORT, bind, first_session, read_games};
    use crate::players::Resources;
    use crate::sessions::Sessions;
    use std::fs;
    use std::io::Write as _;
    use std::net::{Ipv4Addr, TcpListener};
    use tamarin_game::evaluator::EvaluatorArguments;

    #[test]
    fn the_game_of_a_rules_file_has_the_name_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ride.var");
        fs::write(&path, "@name My Riders\n@extends losalamos\nn N\n").unwrap();
        let arguments = Arguments {
            file: None,
            port: None,
            address: Ipv4Addr::LOCALHOST.into(),
            no_browser: true,
            variant: Some(path.display().to_string()),
            threads: None,
            engine: Vec::new(),
            hash: 1,
            syzygy: String::new(),
            evaluator: EvaluatorArguments::default(),
        };
        let open = first_session(&arguments).unwrap().unwrap();
        assert_eq!(open.game.as_deref(), Some("ride"));
    }

    #[test]
    fn a_second_server_has_another_port_than_the_usual_one() {
        let sessions = Sessions::new(Resources::new(1, 1), None).unwrap();
        let here = Ipv4Addr::LOCALHOST;
        let is_usual = |url: &str| url.starts_with(&format!("http://{here}:{USUAL_PORT}/"));
        let first = bind(here.into(), None, &sessions).unwrap();
        // Some other program may have the usual port.
        assert!(is_usual(&first.url()) || TcpListener::bind((here, USUAL_PORT)).is_err());
        let second = bind(here.into(), None, &sessions).unwrap();
        assert!(!is_usual(&second.url()), "{}", second.url());
    }

    #[test]
    fn games_in_latin_1_are_read() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"[White \"M\xfcller\"]\n\n1. e4 {gr\xc3\xbcn} *\n").unwrap();
        let text = read_games(file.path()).unwrap();
        assert_eq!(text, "[White \"M\u{fc}ller\"]\n\n1. e4 {gr\u{fc}n} *\n");
    }
}
