//! `tamarin analyse`: evaluates games and positions.

mod analysis;
mod arguments;
mod explaining;
mod input;
mod judge;
mod kept;
mod output;
mod own;
mod phases;
mod report;
mod run;
mod source;
mod times;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, bounded};

pub use self::analysis::{
    GameAnalysis, Moment, MoveReport, ONLY_MOVE, Seen, SideReport, accuracies,
    analyse as analyse_game,
};
pub use self::arguments::Arguments;
use self::input::Input;
pub use self::judge::{Consequence, Judgement, centipawns, judged_percent, win_percent};
use self::kept::Kept;
use self::output::{Beside, Done, Output, ReportFile, Restart};
pub use self::phases::Phases;
pub use self::report::Format;
use self::run::{Finished, RunSettings, unlisted};
use self::source::{Item, ItemError, ItemText, Kind, LineText, Origin, Place, Source};
use crate::analyzer::{Effort, Stop};
use crate::error::{Error, INTERRUPTED, exit_code};
use crate::progress::{Progress, Show};
use tamarin_base::complain;
use tamarin_base::counted;
use tamarin_base::files::Target;
use tamarin_base::process::shutdown;
use tamarin_game::about::VERSION;

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> ExitCode {
    exit_code(match arguments.origin() {
        Origin::Files(paths) => files(&paths, arguments),
        Origin::Position(text) => position(&text, arguments),
    })
}

/// Analyzes a position given on the command line.
fn position(text: &str, arguments: &Arguments) -> Result<ExitCode, Error> {
    let line = LineText { bytes: text.as_bytes().to_vec(), is_cut: false };
    let end = Place { offset: text.len() as u64, ..Place::default() };
    let item = Item { begin: Place::default(), end, text: ItemText::Position(line) };
    let bad = |error: ItemError| Error::Position { text: text.into(), reason: error.to_string() };
    let game = item.game().map_err(bad)?;
    let settings = RunSettings {
        style: arguments.style(Format::Text),
        effort: arguments.effort()?,
        threads: arguments.resources.threads(),
        progress: Arc::new(Progress::new(0, 0, Show::No)),
    };
    let mut kept = Kept::of(arguments, &settings.effort, &[])?;
    let (mut output, _) = open_output(arguments, &settings.effort, text, &[])?;
    // Ctrl-C is caught while this lives.
    let _interrupts = kept.as_ref().map(|kept| interrupts(kept.stop.clone()));
    let report = run::single(&settings, game, &mut kept)?;
    let saved = kept.map_or(Ok(()), Kept::save);
    let Some(Finished { text, puzzles, .. }) = report else {
        output.save(&Done::default())?;
        saved?;
        return Ok(interrupted(&Done::default(), &output));
    };
    let style = settings.style;
    output.write(&format!("{}{text}{}", style.begin("Position"), style.end()))?;
    output.write_puzzles(&puzzles)?;
    let replaced = output.finish(&Done { good: 1, ..Done::default() })?;
    report_replaced(&replaced, arguments);
    saved?;
    Ok(ExitCode::SUCCESS)
}

/// What messages and reports call the inputs.
fn name(inputs: &[Input]) -> PathBuf {
    match inputs {
        [one] => one.path().to_owned(),
        _ => format!("{} files", inputs.len()).into(),
    }
}

/// Something of each input, in their order.
fn of_each<T>(inputs: &[Input], ask: impl Fn(&Input) -> io::Result<T>) -> Result<Vec<T>, Error> {
    inputs.iter().map(|input| ask(input).map_err(Error::file(input.path()))).collect()
}

fn files(paths: &[PathBuf], arguments: &Arguments) -> Result<ExitCode, Error> {
    let open = |path: &PathBuf| Input::open(path).map_err(Error::file(path));
    let inputs: Vec<Input> = paths.iter().map(open).collect::<Result<_, _>>()?;
    let kinds = of_each(&inputs, Kind::of)?;
    let sizes = of_each(&inputs, Input::size)?;
    let style = arguments.style(match kinds.contains(&Kind::Games) {
        true => Format::Pgn,
        false => Format::Text,
    });
    // An empty file must not leave anything behind.
    if Source::new(&inputs, Place::default()).next()?.is_none() {
        return Err(Error::Empty(name(&inputs)));
    }
    let effort = arguments.effort()?;
    let identity = of_each(&inputs, Input::identity)?.join(" ");
    let mut kept = Kept::of(arguments, &effort, &inputs)?;
    let (mut output, done) = open_output(arguments, &effort, &identity, &inputs)?;
    let show = if arguments.quiet { Show::No } else { Show::Yes };
    let before = sizes[..done.place.file.min(sizes.len())].iter().sum::<u64>() + done.place.offset;
    if before > 0 && show == Show::Yes {
        complain(&format!("going on after {}", done.counted()));
    }
    let source = Source::new(&inputs, done.place);
    let progress = Arc::new(Progress::new(sizes.iter().sum(), before, show));
    let settings = RunSettings {
        style,
        effort,
        threads: arguments.resources.threads(),
        progress: Arc::clone(&progress),
    };
    if output.is_empty() {
        let name = name(&inputs);
        output.write(&style.begin(&name.file_name().unwrap_or_default().to_string_lossy()))?;
    }
    let interrupts = interrupts(kept.as_ref().map(|kept| kept.stop.clone()).unwrap_or_default());
    let ended =
        run::run(&settings, source, (&inputs, &mut output, done), &interrupts, kept.as_mut());
    progress.finish();
    let saved = kept.map_or(Ok(()), Kept::save);
    let done = match ended? {
        ControlFlow::Continue(done) => done,
        ControlFlow::Break(done) => {
            let code = interrupted(&done, &output);
            report_replaced(&output.leave()?, arguments);
            saved?;
            return Ok(code);
        }
    };
    if unlisted(done.bad) > 0 {
        complain(&format!("... and {} more", unlisted(done.bad)));
    }
    output.write(style.end())?;
    let replaced = output.finish(&done)?;
    report_replaced(&replaced, arguments);
    saved?;
    if done.good == 0 {
        return Err(Error::AllBad(name(&inputs)));
    }
    if show == Show::Yes {
        complain(&summary(&done, &progress));
    }
    Ok(ExitCode::from(u8::from(done.bad > 0)))
}

/// A file of the user's, unlike those that are in use.
fn target(path: &Path, others: &[&Path]) -> Result<Target, Error> {
    let target = Target::of_user(path).map_err(Error::file(path))?;
    target.unlike(others).and_then(|()| target.check_writable()).map_err(Error::file(path))?;
    Ok(target)
}

/// Opens the output of a run with the input that `input` describes, which is in these files if in
/// any.
fn open_output(
    arguments: &Arguments,
    effort: &Effort,
    input: &str,
    files: &[Input],
) -> Result<(Output, Done), Error> {
    let mut inputs: Vec<&Path> =
        files.iter().map(Input::file).chain(arguments.resources.eval_file()).collect();
    let report = arguments.output().map(|path| target(path, &inputs)).transpose()?;
    inputs.extend(arguments.output());
    let puzzles = arguments.puzzles_beside().map(|path| target(path, &inputs)).transpose()?;
    inputs.extend(arguments.puzzles_beside());
    let rejected = arguments.rejected.as_deref().map(|path| target(path, &inputs)).transpose()?;
    let (Some(path), Some(target)) = (arguments.output(), report) else {
        return Ok((Output::Stdout(Beside::to(puzzles, rejected)?), Done::default()));
    };
    let style = arguments.style(Format::Text);
    let hash_file = arguments.hash_file.as_ref().map(|_| " --hash-file").unwrap_or_default();
    let run = format!("{VERSION} {style:?} {effort:?}{hash_file} {input}");
    let restart = if arguments.restart { Restart::Yes } else { Restart::No };
    if target.is_stream() {
        let stream = target.create().map_err(Error::file(path))?;
        let beside = Beside::to(puzzles, rejected)?;
        return Ok((Output::Stream(stream, path.to_owned(), beside), Done::default()));
    }
    if arguments.has_unknown_extension() {
        return Err(Error::Extension(path.to_owned()));
    }
    // The error shall name the report, not one of the files that grow beside it.
    fs::metadata(target.folder()).map_err(Error::file(path))?;
    let (file, done) = ReportFile::open((target, puzzles, rejected), &inputs, run, restart)?;
    Ok((Output::File(Box::new(file)), done))
}

fn report_replaced(lines: &[String], arguments: &Arguments) {
    if !arguments.quiet {
        lines.iter().for_each(|line| complain(line));
    }
}

/// Receives Ctrl-C and the like, which stop what heeds `stop`. The second one ends the process, once
/// a file that is being written is complete.
fn interrupts(stop: Stop) -> Receiver<()> {
    let (send, receive) = bounded(1);
    let is_interrupted = AtomicBool::new(false);
    shutdown::on_signal(Arc::default(), move || {
        if is_interrupted.swap(true, Ordering::Relaxed) {
            shutdown::after_writing(|| std::process::exit(INTERRUPTED.into()));
        }
        // Before its worker ends, so that the run never takes this for a worker that failed. A run
        // of a single position does not look here.
        let _ = send.try_send(());
        stop.stop();
    });
    receive
}

fn interrupted(done: &Done, output: &Output) -> ExitCode {
    let hint = match output {
        Output::File(_) => "; the same command goes on from there",
        Output::Stdout(_) | Output::Stream(..) => "",
    };
    complain(&format!("interrupted after {}{hint}", done.counted()));
    ExitCode::from(INTERRUPTED)
}

fn summary(done: &Done, progress: &Progress) -> String {
    let seconds = progress.elapsed().as_secs_f64();
    let counts: Vec<String> = Judgement::ALL
        .into_iter()
        .zip(done.judgements)
        .map(|(judgement, count)| judgement.counted(count))
        .collect();
    format!(
        "{} analyzed, {} left out, {}, {}, {seconds:.1} s{}",
        done.good,
        done.bad,
        counted(done.positions, "position", "positions"),
        counts.join(", "),
        progress.rate()
    )
}
