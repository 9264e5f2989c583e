//! Where a report goes: standard output, or a file that survives the end of the process.
//!
//! A report `R` grows as `R.partial`, puzzles `P` as `P.partial`, bad games as `R.rejected.partial`;
//! `R.state` says how much of the input they cover. What was written after the last state is cut off
//! when a run goes on. At the end they take their names in one step each, so that `R` is the old
//! report or the new one. Bad games replace no file unless their name is given: they become
//! `R.rejected`, `R.rejected-2` and so on. A report on a device or into a pipe is written as it comes.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::input::Input;
use super::source::Place;
use crate::error::Error;
use crate::rejected::{RejectedGames, free_beside};
use tamarin_base::complain;
use tamarin_base::counted;
use tamarin_base::files::{NewFile, Target, open_own, read_own, write_own};

/// Between two states.
const STATE_EVERY: Duration = Duration::from_secs(1);

/// What a run has done so far, that of earlier runs included.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize, Serialize)]
pub struct Done {
    /// Where the input goes on.
    #[serde(flatten)]
    pub place: Place,
    /// Games or positions in the report.
    pub good: u64,
    /// Those left out.
    pub bad: u64,
    pub positions: u64,
    /// Inaccuracies, mistakes and blunders.
    pub judgements: [u64; 3],
}

impl Done {
    /// How many games and positions were read.
    pub fn counted(&self) -> String {
        counted(self.good + self.bad, "game or position", "games and positions")
    }
}

/// Where a report goes.
pub enum Output {
    Stdout(Beside),
    /// A device or a pipe, and its path.
    Stream(NewFile, PathBuf, Beside),
    File(Box<ReportFile>),
}

/// What is written beside a report that is no file, where the command line names files for it.
#[derive(Default)]
pub struct Beside {
    pub puzzles: Option<(NewFile, PathBuf)>,
    pub bad_games: Option<RejectedGames>,
}

impl Beside {
    /// To these files.
    pub fn to(puzzles: Option<Target>, rejected: Option<Target>) -> Result<Self, Error> {
        let path = |target: &Target| target.path().to_owned();
        let puzzles = match puzzles.map(|target| (path(&target), target)) {
            Some((path, target)) => Some((target.create().map_err(Error::file(&path))?, path)),
            None => None,
        };
        let bad_games = rejected.map(|target| RejectedGames::new(path(&target), target));
        Ok(Self { puzzles, bad_games })
    }

    fn write_puzzles(&mut self, text: &str) -> Result<(), Error> {
        let Some((file, path)) = &mut self.puzzles else { return Ok(()) };
        file.write_all(text.as_bytes()).map_err(Error::file(path))
    }

    /// What is to be said about files that were replaced.
    fn finish(self, is_complete: bool) -> Result<Vec<String>, Error> {
        let mut replaced = Vec::new();
        if let Some((file, path)) = self.puzzles.filter(|_| is_complete) {
            let old = file.finish().map_err(Error::file(&path))?;
            replaced.extend(old.map(|old| format!("{}: {old}", path.display())));
        }
        if let Some(games) = self.bad_games.filter(|games| !games.is_empty()) {
            let path = games.path().to_owned();
            let old = games.finish().map_err(Error::file(&path))?;
            tell_place(&path);
            replaced.extend(old.map(|old| format!("{}: {old}", path.display())));
        }
        Ok(replaced)
    }
}

impl Output {
    /// Returns `true` if nothing was written yet, in earlier runs neither.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Stdout(_) | Self::Stream(..) => true,
            Self::File(file) => file.report.length == 0,
        }
    }

    /// Appends to the report.
    pub fn write(&mut self, text: &str) -> Result<(), Error> {
        match self {
            Self::Stdout(_) => {
                let mut stdout = io::stdout().lock();
                Ok(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())?)
            }
            Self::Stream(stream, path, _) => {
                stream.write_all(text.as_bytes()).map_err(Error::file(path))
            }
            Self::File(file) => file.report.append(text.as_bytes()),
        }
    }

    /// Appends to the puzzles beside the report.
    pub fn write_puzzles(&mut self, text: &str) -> Result<(), Error> {
        match self {
            Self::Stdout(beside) | Self::Stream(_, _, beside) => beside.write_puzzles(text),
            Self::File(file) => match &mut file.puzzles {
                Some((_, puzzles)) => puzzles.append(text.as_bytes()),
                None => Ok(()),
            },
        }
    }

    /// Keeps the part of an input between these places, behind a line with the reason: beside the
    /// report, or in the file that the command line names.
    pub fn reject(
        &mut self,
        inputs: &[Input],
        range: (Place, Place),
        why: &str,
    ) -> Result<(), Error> {
        match self {
            Self::Stdout(beside) | Self::Stream(_, _, beside) => match &mut beside.bad_games {
                Some(games) => {
                    let text = rejected_text(inputs, range, why)?;
                    games.append(text).map_err(Error::file(games.path()))
                }
                None => Ok(()),
            },
            Self::File(file) => file.reject(inputs, range, why),
        }
    }

    /// Writes down that so much is done, now and then.
    pub fn done(&mut self, done: &Done) -> Result<(), Error> {
        match self {
            Self::File(file) if file.last_state.elapsed() >= STATE_EVERY => file.save(done),
            Self::Stdout(_) | Self::Stream(..) | Self::File(_) => Ok(()),
        }
    }

    /// Writes down that so much is done.
    pub fn save(&mut self, done: &Done) -> Result<(), Error> {
        match self {
            Self::Stdout(_) | Self::Stream(..) => Ok(()),
            Self::File(file) => file.save(done),
        }
    }

    /// Gives the report its name. What is to be said about files that were replaced.
    pub fn finish(self, done: &Done) -> Result<Vec<String>, Error> {
        match self {
            Self::Stdout(beside) => beside.finish(true),
            Self::Stream(stream, path, beside) => {
                stream.finish().map_err(Error::file(&path))?;
                beside.finish(true)
            }
            Self::File(file) => file.finish(done),
        }
    }

    /// Ends a run that was cut off: without a report in a file no later run goes on.
    pub fn leave(self) -> Result<Vec<String>, Error> {
        match self {
            Self::Stdout(beside) | Self::Stream(_, _, beside) => beside.finish(false),
            Self::File(_) => Ok(Vec::new()),
        }
    }
}

/// The file that bad games beside this one go to: the first of their names that is free.
fn free_for_rejected(path: &Path) -> Result<Target, Error> {
    let (bad_games, free) = free_beside(path, "");
    free.map_err(Error::file(&bad_games))
}

fn tell_place(bad_games: &Path) {
    complain(&format!("bad games are in {}", bad_games.display()));
}

/// A part of an input behind a line with its place and the reason, which begins with % and is no part
/// of any game.
fn rejected_text(
    inputs: &[Input],
    (begin, end): (Place, Place),
    why: &str,
) -> Result<impl Read, Error> {
    let input = &inputs[begin.file];
    let source = input.from(begin.offset).map_err(Error::file(input.path()))?;
    let name = match inputs {
        [_] => String::new(),
        _ => format!("{}: ", input.path().display()),
    };
    let head = format!("% {name}line {}: {why}", begin.lines + 1).replace(char::is_control, " ");
    let head = io::Cursor::new(head + "\n");
    Ok(head.chain(source.take(end.offset - begin.offset)).chain(&b"\n\n"[..]))
}

struct Growing {
    file: File,
    path: PathBuf,
    length: u64,
}

impl Growing {
    /// The file with its first `length` bytes.
    fn open(path: PathBuf, length: u64) -> Result<Self, Error> {
        let mut file = open_own(&path).map_err(Error::file(&path))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Error::Busy(path)),
            // Where files cannot be locked runs may disturb each other.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        file.set_len(length)
            .and_then(|()| file.seek(SeekFrom::Start(length)))
            .map_err(Error::file(&path))?;
        Ok(Self { file, path, length })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(Error::file(&self.path))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(Error::file(&self.path))
    }

    /// Gives it its name. What is to be said about a file that was replaced.
    fn rename(self, target: &Target) -> Result<Option<String>, Error> {
        let path = target.path();
        let old = target.install(&self.path, &self.file).map_err(Error::file(path))?;
        Ok(old.map(|old| format!("{}: {old}", path.display())))
    }
}

pub struct ReportFile {
    target: Target,
    /// The arguments of the run, and its input.
    run: String,
    report: Growing,
    puzzles: Option<(Target, Growing)>,
    rejected: Option<Growing>,
    /// Where bad games go in the end, if not beside the report.
    rejected_to: Option<Target>,
    last_state: Instant,
}

impl ReportFile {
    /// A report of the run that `run` describes, and what an earlier run of the same description did
    /// of it. `inputs` are the files that are read; puzzles and bad games go to files if those are
    /// named.
    ///
    /// # Errors
    /// If it cannot be written, or another run was cut off and `restart` does not say to forget it,
    /// or another file has the name of one of those beside the report. Then nothing was written.
    pub fn open(
        (target, puzzles, rejected_to): (Target, Option<Target>, Option<Target>),
        inputs: &[&Path],
        run: String,
        restart: Restart,
    ) -> Result<(Self, Done), Error> {
        let path = target.path();
        check_names(path, puzzles.as_ref().map(Target::path), inputs, restart)?;
        let state = match restart {
            Restart::Yes => None,
            // A run that has done nothing has nothing to lose: it was refused or stopped at once.
            Restart::No => {
                State::read(path).filter(|state| state.run == run || state.done != Done::default())
            }
        };
        if state.as_ref().is_some_and(|state| state.run != run) {
            return Err(Error::OtherRun(beside(path, ".state")));
        }
        let state = state.unwrap_or_default();
        let report = Growing::open(beside(path, ".partial"), state.report)?;
        let puzzles = puzzles
            .map(|puzzles| {
                let file = Growing::open(beside(puzzles.path(), ".partial"), state.puzzles)?;
                Ok::<_, Error>((puzzles, file))
            })
            .transpose()?;
        let mut rejected = Some(Growing::open(rejected_partial(path), state.rejected)?);
        if state.rejected == 0 {
            // Left by a run that is forgotten, or written after the last state.
            rejected = None;
            remove(&rejected_partial(path))?;
        }
        let last_state = Instant::now();
        let mut file = Self { target, run, report, puzzles, rejected, rejected_to, last_state };
        if state.done == Done::default() {
            // Without it a run that is cut off at once would look like none.
            file.save(&state.done)?;
        }
        Ok((file, state.done))
    }

    fn reject(&mut self, inputs: &[Input], range: (Place, Place), why: &str) -> Result<(), Error> {
        let mut text = rejected_text(inputs, range, why)?;
        let rejected = match &mut self.rejected {
            Some(rejected) => rejected,
            none => none.insert(Growing::open(rejected_partial(self.target.path()), 0)?),
        };
        let copied =
            io::copy(&mut text, &mut rejected.file).map_err(Error::file(&rejected.path))?;
        rejected.length += copied;
        Ok(())
    }

    fn save(&mut self, done: &Done) -> Result<(), Error> {
        self.report.sync()?;
        let puzzles = self.puzzles.as_ref().map(|(_, puzzles)| puzzles);
        for file in [self.rejected.as_ref(), puzzles].into_iter().flatten() {
            file.sync()?;
        }
        let state = State {
            run: self.run.clone(),
            report: self.report.length,
            puzzles: puzzles.map_or(0, |puzzles| puzzles.length),
            rejected: self.rejected.as_ref().map_or(0, |rejected| rejected.length),
            done: *done,
        };
        state.write(self.target.path())?;
        self.last_state = Instant::now();
        Ok(())
    }

    fn finish(mut self, done: &Done) -> Result<Vec<String>, Error> {
        let mut replaced = Vec::new();
        if let Some(rejected) = self.rejected.take() {
            let free = match self.rejected_to.take() {
                Some(target) => target,
                None => free_for_rejected(self.target.path())?,
            };
            replaced.extend(rejected.rename(&free)?);
            tell_place(free.path());
            // If the report cannot get its name, the next run has only that left to do.
            self.save(done)?;
        }
        let Self { target, report, puzzles, .. } = self;
        let path = target.path();
        for (target, file) in puzzles.into_iter().chain([(target.clone(), report)]) {
            if done.good > 0 {
                replaced.extend(file.rename(&target)?);
            } else {
                remove(&file.path)?;
            }
        }
        remove(&beside(path, ".state"))?;
        Ok(replaced)
    }
}

/// Makes sure that the files beside a report are those of an earlier run or not there.
fn check_names(
    path: &Path,
    puzzles: Option<&Path>,
    inputs: &[&Path],
    restart: Restart,
) -> Result<(), Error> {
    free_for_rejected(path)?;
    let of_report = [".partial", ".rejected.partial", ".state"].map(|suffix| (path, suffix));
    let of_puzzles = puzzles.map(|path| (path, ".partial"));
    for (of, suffix) in of_report.into_iter().chain(of_puzzles) {
        let own = beside(of, suffix);
        Target::of_program(&own)
            .and_then(|target| target.unlike(inputs))
            .map_err(Error::file(&own))?;
        let is_of_a_run = restart == Restart::Yes || beside(path, ".state").exists();
        let has_content = fs::metadata(&own).is_ok_and(|found| found.len() > 0);
        if suffix.ends_with(".partial") && has_content && !is_of_a_run {
            return Err(Error::InTheWay(own));
        }
    }
    Ok(())
}

/// Whether a run that was cut off is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restart {
    Yes,
    No,
}

/// What is known of a report that is not complete.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize, Serialize)]
struct State {
    run: String,
    /// Bytes of the report.
    report: u64,
    /// Bytes of the puzzles.
    #[serde(default)]
    puzzles: u64,
    /// Bytes of the file of bad games.
    rejected: u64,
    #[serde(flatten)]
    done: Done,
}

impl State {
    /// The state of the report at `path`, if it was cut off and all files are there.
    fn read(path: &Path) -> Option<Self> {
        let text = read_own(&beside(path, ".state"), 1).ok()?;
        let state: Self = serde_json::from_slice(&text).ok()?;
        let has = |path: PathBuf, length: u64| {
            length == 0 || fs::metadata(path).is_ok_and(|found| found.len() >= length)
        };
        let is_whole = has(beside(path, ".partial"), state.report)
            && has(rejected_partial(path), state.rejected);
        is_whole.then_some(state)
    }

    fn write(&self, path: &Path) -> Result<(), Error> {
        let path = beside(path, ".state");
        let text = serde_json::to_vec(self).map_err(|error| Error::file(&path)(error.into()))?;
        write_own(&path, &text).map_err(Error::file(&path))
    }
}

/// The path with something appended to its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

fn rejected_partial(path: &Path) -> PathBuf {
    beside(path, ".rejected.partial")
}

/// Removes a file if it is there.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::file(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, Input, Output, Place, ReportFile, Restart, Target, beside};
    use crate::error::Error;
    use std::fs;

    fn at(offset: u64) -> Place {
        Place { offset, ..Place::default() }
    }

    #[test]
    fn what_came_after_the_last_state_is_cut_off() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("report");
        fs::write(&path, "old").expect("there is room");
        let open = |run: &str, restart| {
            let target = Target::of_user(&path).expect("it can be followed");
            ReportFile::open((target, None, None), &[], run.to_owned(), restart)
        };
        let (file, done) = open("a", Restart::No).expect("the folder can be written");
        assert_eq!(done, Done::default());
        assert!(matches!(open("a", Restart::No), Err(Error::Busy(_))));
        let mut output = Output::File(Box::new(file));
        output.write("one").expect("there is room");
        let so_far = Done { place: at(7), good: 1, ..Done::default() };
        output.save(&so_far).expect("there is room");
        output.write("lost").expect("there is room");
        drop(output);
        assert!(matches!(open("b", Restart::No), Err(Error::OtherRun(_))));
        let (file, done) = open("a", Restart::No).expect("it goes on");
        assert_eq!(done, so_far);
        let mut output = Output::File(Box::new(file));
        output.write("two").expect("there is room");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        output.finish(&so_far).expect("there is room");
        assert_eq!(fs::read(&path).expect("it is there"), b"onetwo");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
    }

    #[test]
    fn a_run_whose_report_got_no_name_goes_on_without_its_bad_games() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, input] = ["report", "input"].map(|name| folder.path().join(name));
        fs::write(&input, b"good bad").expect("there is room");
        let inputs = [Input::open(&input).expect("it is there")];
        let open = || {
            let target = Target::of_user(&path).expect("it can be followed");
            let opened =
                ReportFile::open((target, None, None), &[&input], "a".to_owned(), Restart::No);
            let (file, done) = opened.expect("the folder can be written");
            (Output::File(Box::new(file)), done)
        };
        let (mut output, _) = open();
        output.write("one").expect("there is room");
        output.reject(&inputs, (at(5), at(8)), "because").expect("there is room");
        let whole = Done { place: at(8), good: 1, bad: 1, ..Done::default() };
        output.save(&whole).expect("there is room");
        fs::create_dir(&path).expect("the name is free");
        let refused = output.finish(&whole);
        assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
        fs::remove_dir(&path).expect("it is empty");
        let (output, done) = open();
        assert_eq!(done, whole);
        output.finish(&done).expect("there is room");
        assert_eq!(fs::read(&path).expect("it is there"), b"one");
        let bad_games = fs::read(beside(&path, ".rejected")).expect("it is there");
        assert_eq!(bad_games, b"% line 1: because\nbad\n\n");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 3);
    }

    #[test]
    fn a_restart_forgets_the_bad_games_of_the_run_before() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, input] = ["report", "input"].map(|name| folder.path().join(name));
        fs::write(&input, b"bad").expect("there is room");
        let inputs = [Input::open(&input).expect("it is there")];
        let open = |run: &str, restart| {
            let target = Target::of_user(&path).expect("it can be followed");
            let opened = ReportFile::open((target, None, None), &[&input], run.to_owned(), restart);
            Output::File(Box::new(opened.expect("the folder can be written").0))
        };
        let mut output = open("a", Restart::No);
        output.reject(&inputs, (at(0), at(3)), "because").expect("there is room");
        output.save(&Done { place: at(3), bad: 1, ..Done::default() }).expect("there is room");
        drop(output);
        let mut output = open("b", Restart::Yes);
        output.write("one").expect("there is room");
        output.finish(&Done { good: 1, ..Done::default() }).expect("there is room");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2);
        // Nothing is in the way of the next one.
        open("b", Restart::No);
    }
}
