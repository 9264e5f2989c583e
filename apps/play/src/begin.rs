//! What a session begins with, from the command line.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tamarin_movegen::{self as chess, Color, FenError, PerColor};
use tamarin_search::{NoTablebases, TablebaseProbe};

use super::arguments::{Arguments, DEFAULT_NAME, PiecesChoice};
use super::picture::Pieces;
use super::players::{EngineError, Opponent, Players, Resources};
use super::puzzles::{self, Course, Progress, Puzzle, Solved};
use super::record::{self, Record};
use super::saving::{self, Saving, Wanted};
use super::session::command::Side;
use super::session::{Session, Storage, View};
use super::variant::Variant;
use tamarin_base::complain;
use tamarin_base::files::{LockedFile, state_folder};
use tamarin_game::chess960;
use tamarin_game::clock::Clocks;
use tamarin_game::evaluator::EvaluatorError;
use tamarin_game::game::Game;
use tamarin_game::level::{DEFAULT_LEVEL, DEFAULT_VARIANT_LEVEL, Level, Tamarin};
use tamarin_game::pgn;
use tamarin_game::position::Position;
use tamarin_variant_search::LibraryError;

/// Why there is no game, or why it ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("the position")]
    Fen(#[from] FenError),
    #[error("bad position: {0}")]
    VariantFen(#[from] tamarin_variant::FenError),
    #[error("Chess960 begins with --chess960, or --chess960 N")]
    Chess960,
    #[error(
        "--{0}: ratings are for chess, and small evaluators; give 1 to 20, easy, medium or hard"
    )]
    Rating(&'static str),
    #[error("{}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error(
        "--{named} names an opponent, but you play {you}: add --side {} or --side none",
        if *.named == "white" { "black" } else { "white" }
    )]
    Taken { named: &'static str, you: &'static str },
    /// The game cannot be saved where it shall be, or there is none to resume.
    #[error(transparent)]
    Saving(io::Error),
    /// The engine cannot be started, or another program fails.
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Tablebases(#[from] NoTablebases),
    /// The network file cannot be used.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Variant(#[from] LibraryError),
    #[error("the terminal")]
    Terminal(#[from] io::Error),
}

/// The most lines of a file of puzzles that are complained about one by one.
const MAX_COMPLAINTS: usize = 10;

/// The session that the command line asks for.
pub fn begin(arguments: &Arguments) -> Result<Session, Failure> {
    match arguments.taken_twice() {
        Some(Color::White) => return Err(Failure::Taken { named: "white", you: "White" }),
        Some(Color::Black) => return Err(Failure::Taken { named: "black", you: "Black" }),
        None => {}
    }
    if arguments.variant.as_ref().is_some_and(|name| name.eq_ignore_ascii_case("chess960")) {
        return Err(Failure::Chess960);
    }
    let mut variant = arguments.variant.as_deref().map(Variant::find).transpose()?;
    let inputs = [&arguments.load, &arguments.puzzles].into_iter().flatten().cloned();
    let files = variant.as_ref().map(Variant::files).unwrap_or_default();
    let saving = Saving::new(arguments.save.as_ref(), inputs.chain(files).collect())
        .map_err(Failure::Saving)?;
    let course = course(arguments)?;
    let has_slots = !arguments.no_autosave && variant.as_ref().is_none_or(Variant::is_builtin);
    let has_slot = has_slots && course.is_none();
    let (game, record, slot) = beginning(arguments, has_slot, variant.as_ref())?;
    let mut names = record.as_ref().map(record::names);
    if let (None, Some(record), Position::Variant(_)) = (&variant, &record, game.start()) {
        variant = record.tag("Variant").map(Variant::find).transpose()?;
    }
    let opponents = opponents(arguments, variant.is_some())?;
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let resources = Resources {
        hash: arguments.hash as usize,
        threads: arguments.threads.into(),
        evaluator: arguments.evaluator.choice()?,
        seed: arguments.seed.unwrap_or_else(|| u64::from((nanos ^ (nanos >> 32)) as u32)),
        is_seed_drawn: arguments.seed.is_none(),
        uses_book: !arguments.no_book,
        ponders: arguments.ponder,
        resigns: arguments.resign,
        tablebases: tablebases(&arguments.syzygy)?,
        variant,
    };
    let mut players = Players::new(arguments.side(), opponents, resources);
    if arguments.resume
        && !arguments.names_opponents()
        && let Some(names) = &names
    {
        as_before(&mut players, names, arguments);
        if arguments.name == DEFAULT_NAME {
            tell_new_names(names, &players.names(DEFAULT_NAME));
        }
    }
    if arguments.resume {
        // Where the command line says others, the names are theirs at once.
        names = names.filter(|names| *names == players.names(&arguments.name));
    }
    players.start_programs()?;
    let pieces = match arguments.pieces {
        PiecesChoice::Unicode => Pieces::Unicode,
        PiecesChoice::Ascii => Pieces::Ascii,
        PiecesChoice::Blocks => Pieces::Blocks,
        PiecesChoice::Auto if has_unicode() => Pieces::Blocks,
        PiecesChoice::Auto => Pieces::Ascii,
    };
    // A game that is resumed has the clocks that were chosen when it began.
    let resumed = game.clocks().filter(|_| arguments.resume).map(Clocks::control);
    let view = View {
        is_flipped: arguments.flip,
        has_bar: arguments.bar,
        look: None,
        theme: arguments.theme,
        pieces,
    };
    let storage = Storage { slot, saving, has_slots };
    let mut session = Session::new(game, players, view, storage, course);
    session.control = arguments.time.or(resumed);
    (session.record, session.names) = (record, names);
    session.human.clone_from(&arguments.name);
    session.assistance.has_threats = arguments.threats;
    session.assistance.has_hints = arguments.hints;
    session.assistance.has_lines = arguments.lines;
    Ok(session)
}

/// Who plays where no person does.
fn opponents(arguments: &Arguments, is_variant: bool) -> Result<PerColor<Opponent>, Failure> {
    let default = if is_variant { DEFAULT_VARIANT_LEVEL } else { DEFAULT_LEVEL };
    let opponents = arguments.opponents(default);
    for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
        let is_of_chess = match &opponents[color] {
            Opponent::Tamarin(tamarin) => {
                matches!(tamarin.level, Level::Elo(_)) || tamarin.evaluator.is_small()
            }
            Opponent::Program(_) => false,
        };
        if is_variant && is_of_chess {
            return Err(Failure::Rating(name));
        }
    }
    Ok(opponents)
}

/// The tablebases of these folders, if there are any in them.
fn tablebases(path: &str) -> Result<TablebaseProbe, Failure> {
    let (found, left_out) = TablebaseProbe::required(path)?;
    left_out.iter().for_each(|text| complain(text));
    Ok(found)
}

/// The positions to solve that the command line asks for.
fn course(arguments: &Arguments) -> Result<Option<Course>, Failure> {
    let puzzles = match &arguments.puzzles {
        Some(path) => puzzles_of(path)?,
        None if arguments.learn => puzzles::lessons(),
        None => return Ok(None),
    };
    let progress = if arguments.no_autosave { None } else { progress() };
    let solved = if arguments.again { Solved::Again } else { Solved::LeftOut };
    Ok(Some(Course::new(puzzles, progress, solved)))
}

/// What was solved on earlier days; the course goes on without if that cannot be used.
fn progress() -> Option<Progress> {
    let folder = state_folder().map_err(|error| error.to_string());
    let opened = folder.and_then(|folder| {
        let place = folder.join(puzzles::FILE_NAME);
        Progress::open(&folder).map_err(|error| format!("{}: {error}", place.display()))
    });
    opened.inspect_err(|why| complain(&format!("Progress is not kept: {why}"))).ok()
}

fn puzzles_of(path: &Path) -> Result<Vec<Puzzle>, Failure> {
    let (puzzles, bad) =
        puzzles::read(path).map_err(|source| Failure::File { path: path.to_owned(), source })?;
    for line in bad.iter().take(MAX_COMPLAINTS) {
        complain(&format!("{}: {line}", path.display()));
    }
    if bad.len() > MAX_COMPLAINTS {
        complain(&format!("... and {} more", bad.len() - MAX_COMPLAINTS));
    }
    Ok(puzzles)
}

/// The game that is begun, the record that it comes from, and the slot that it is kept in.
fn beginning(
    arguments: &Arguments,
    has_slot: bool,
    variant: Option<&Variant>,
) -> Result<(Game, Option<Record>, Option<LockedFile>), Failure> {
    let clocks = arguments.time.map(Clocks::new);
    let load = |path: &Path, number, wanted| {
        let failed = |source| Failure::File { path: path.to_owned(), source };
        record::load(path, number, wanted).map_err(failed)
    };
    if arguments.resume {
        let slot = state_folder().and_then(|folder| saving::take(&folder, Wanted::Unfinished));
        let slot = slot.map_err(Failure::Saving)?;
        let record = load(slot.path(), 1, pgn::Wanted::Any)?;
        let game = record::resume(&record, clocks);
        // Without its slot the kept game stays as it was.
        return Ok((game, Some(record), Some(slot).filter(|_| !arguments.no_autosave)));
    }
    let wanted = variant.map_or(pgn::Wanted::Any, Variant::wanted);
    let path = arguments.load.as_deref();
    let record = path.map(|path| load(path, arguments.game, wanted)).transpose()?;
    let slot = if has_slot { new_slot() } else { None };
    let game = match &record {
        Some(record) => record::resume(record, clocks),
        None => Game::new(start(arguments, variant)?, clocks),
    };
    Ok((game, record, slot))
}

/// The first position of a game that is not loaded.
fn start(arguments: &Arguments, variant: Option<&Variant>) -> Result<Position, Failure> {
    if let Some(number) = arguments.chess960 {
        return Ok(chess960::start(number)?);
    }
    let fen = arguments.fen.join(" ");
    Ok(match (variant, arguments.fen.is_empty()) {
        (None, true) => Position::startpos(),
        (None, false) => chess::Position::from_fen(&fen)?.into(),
        (Some(variant), true) => variant.start(),
        (Some(variant), false) => variant.position(&fen)?,
    })
}

/// A place for the game, if there can be one; the game goes on without.
fn new_slot() -> Option<LockedFile> {
    let slot = saving::new_slot();
    slot.inspect_err(|error| complain(&format!("The game is not kept for --resume: {error}"))).ok()
}

/// The sides, levels and evaluators that the names of an unfinished game tell, where the command
/// line does not say others.
fn as_before(players: &mut Players, names: &PerColor<String>, arguments: &Arguments) {
    let engines = PerColor(Color::ALL.map(|color| Tamarin::of_name(&names[color])));
    let side = match (engines[Color::White], engines[Color::Black]) {
        (None, None) => Side::Both,
        (None, Some(_)) => Side::White,
        (Some(_), None) => Side::Black,
        (Some(_), Some(_)) => Side::None,
    };
    for color in Color::ALL {
        // The engine stays as it was on the other side too.
        if let Some(tamarin) = engines[color].or(engines[!color]) {
            let level = arguments.level().unwrap_or(tamarin.level);
            let evaluator = arguments.evaluator_kind().unwrap_or(tamarin.evaluator);
            players.set_opponent(color, Tamarin { level, evaluator });
        }
    }
    players.set_side(arguments.side.unwrap_or(side));
}

/// Says which people and programs of a kept game have other names now: programs are not started
/// by themselves.
fn tell_new_names(kept: &PerColor<String>, names: &PerColor<String>) {
    for (color, option, side) in
        [(Color::White, "white", "White"), (Color::Black, "black", "Black")]
    {
        let (was, is) = (&kept[color], &names[color]);
        if was != is && was != "?" && Tamarin::of_name(was).is_none() {
            let way = format!("--{option} uci:PROGRAM lets a program play, --name names you");
            complain(&format!("{side} was {was} and is {is} now; {way}"));
        }
    }
}

/// Does the locale say that chess signs can be shown?
fn has_unicode() -> bool {
    if cfg!(windows) {
        return true;
    }
    let value = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = value("LC_ALL").or_else(|| value("LC_CTYPE")).or_else(|| value("LANG"));
    locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::{Players, as_before};
    use crate::players::Resources;
    use crate::testing::arguments;
    use tamarin_game::level::Level;
    use tamarin_movegen::PerColor;

    /// The names of a game between a person with White and the engine at level 3 that is resumed.
    fn resumed(words: &[&str]) -> [String; 2] {
        let arguments = arguments(words);
        let opponents = arguments.opponents(Level::Number(13));
        let mut players = Players::new(arguments.side(), opponents, Resources::default());
        let names = ["Player", "Tamarin (level 3, hand-crafted)"].map(str::to_owned);
        as_before(&mut players, &PerColor(names), &arguments);
        players.names("Player").0
    }

    #[test]
    fn a_resumed_game_is_as_before_but_for_what_the_command_line_says() {
        let before = "Tamarin (level 3, hand-crafted)";
        for (words, names) in [
            (&["--resume"][..], ["Player", before]),
            (&["--resume", "--level", "9"], ["Player", "Tamarin (level 9, hand-crafted)"]),
            (&["--resume", "--easy"], ["Player", "Tamarin (easy, hand-crafted)"]),
            (&["--resume", "--evaluator", "network"], ["Player", "Tamarin (level 3)"]),
            (&["--resume", "--side", "both"], ["Player", "Player"]),
            (&["--resume", "--side", "black"], [before, "Player"]),
        ] {
            assert_eq!(resumed(words), names, "{words:?}");
        }
    }
}
