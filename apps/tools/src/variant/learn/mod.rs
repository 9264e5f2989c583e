//! `tamarin variant learn`: an evaluator of a game from games that the program plays with itself.

mod arguments;
mod log;
mod progress;

use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tamarin_base::complain;
use tamarin_base::process::shutdown;

use tamarin_base::files::{Reader, Target};
use tamarin_variant::{Game, Position};
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::evaluation_file;
use tamarin_variant_search::learn::{Known, Stopped, learn};

use super::source::Failure;
pub(super) use arguments::LearnArguments;
use log::{Header, Log};
use progress::Progress;

/// The exit code of a run that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

pub(super) fn run(arguments: &LearnArguments) -> Result<String, Failure> {
    let source = &arguments.source;
    let game = source.load()?.game;
    if Position::start(&game).outcome().is_some() {
        return Err(Failure::Over);
    }
    let out = match (&arguments.out, source.file()) {
        (Some(out), _) => out.clone(),
        (None, Some(file)) => evaluation_file(file, source.variant.as_deref()),
        (None, None) => PathBuf::from(format!("{}.eval", source.game)),
    };
    let written = |source| Failure::Write { path: out.display().to_string(), source };
    let target = Target::of_user(&out).map_err(written)?;
    target.unlike(source.file()).map_err(written)?;
    target.check_writable().map_err(written)?;
    let settings = arguments.settings();
    let path = games_of(&out);
    let header = Header { game: &game, settings: &settings };
    // Beside a device or a pipe no games are kept.
    let keeps = std::fs::metadata(&out).map_or(true, |found| found.is_file());
    let (log, known) = match keeps {
        true => Log::open(&path, &header).map(|(log, known)| (Some(log), known))?,
        false => (None, Known::default()),
    };
    let stop = stop_on_signal();
    let progress = Progress::new(log, &settings, &known, &stop, arguments.quiet);
    let learned = learn(&game, &settings, known, &stop, &progress);
    let (games, failed) = progress.finish();
    if let Some(error) = failed {
        return Err(error);
    }
    let learned = match learned {
        Ok(learned) => learned,
        Err(Stopped::Told) => {
            return Err(Failure::Interrupted { kept: keeps.then_some((games, path)) });
        }
        Err(error) => return Err(Failure::Learning(error)),
    };
    let old = target.write(learned.text().as_bytes(), Reader::Awaited).map_err(written)?;
    if let Some(old) = old {
        complain(&format!("{}: {old}", out.display()));
    }
    // The games have done their work. If they cannot be removed they do no harm.
    if keeps {
        let _ = std::fs::remove_file(&path);
    }
    Ok(summary(&game, &learned, &out))
}

/// Where the games of a run are kept until it is done.
fn games_of(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".games");
    out.with_file_name(name)
}

/// Ctrl-C and the like end the run between two moves; the second one ends the process.
fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    shutdown::on_signal(Arc::default(), move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED.into());
        }
    });
    stop
}

/// What was learned: the values of the pieces, and where the rest is.
fn summary(game: &Game, learned: &Learned, out: &Path) -> String {
    let values = (0..game.piece_count() as u8).filter(|&kind| !game.is_royal(kind)).map(|kind| {
        let value = learned.value(kind);
        format!("{} {}/{}", game.piece_name(kind), value.middlegame, value.endgame)
    });
    let values: Vec<String> = values.collect();
    format!(
        "{}: {}\nvalues of the pieces in centipawns, with a full board and with an empty one: {}\n",
        out.display(),
        learned.recipe(),
        values.join(", ")
    )
}
