//! Where a report goes: standard output, or a file that survives the end of the process.
//!
//! A report `R` grows as `R.partial`, bad games as `R.rejected.partial`; `R.state` says how much of
//! the input they cover. What was written after the last state is cut off when a run goes on. At
//! the end they take their names in one step each, so that `R` is the old report or the new one.
//! Bad games replace no file: they become `R.rejected`, `R.rejected-2` and so on. A report on a
//! device or into a pipe is written as it comes.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::input::Input;
use crate::error::Error;
use crate::rejected::{free_beside, install};
use tamarin_base::complain;
use tamarin_base::counted;
use tamarin_base::files::{NewFile, Target, open_own, read_own, write_own};

/// Between two states.
const STATE_EVERY: Duration = Duration::from_secs(1);

/// What a run has done so far, that of earlier runs included.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize, Serialize)]
pub struct Done {
    /// Bytes of the input.
    pub offset: u64,
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
    /// Standard output; bad games go to a file beside the input.
    Stdout(BadGames),
    /// A device or a pipe, and its path; bad games go to a file beside the input.
    Stream(NewFile, PathBuf, BadGames),
    File(Box<ReportFile>),
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

    /// Keeps the bytes `begin..end` of the input beside the report, or beside the input if the
    /// report goes to standard output, behind a line with the reason.
    pub fn reject(&mut self, input: &Input, range: (u64, u64), why: &str) -> Result<(), Error> {
        match self {
            Self::Stdout(bad_games) | Self::Stream(_, _, bad_games) => {
                bad_games.keep(input, range, why)
            }
            Self::File(file) => file.reject(input, range, why),
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
            Self::Stdout(bad_games) => bad_games.finish(),
            Self::Stream(stream, path, bad_games) => {
                stream.finish().map_err(Error::file(&path))?;
                bad_games.finish()
            }
            Self::File(file) => file.finish(done),
        }
    }

    /// Ends a run that was cut off: bad games beside the input have no later run to name them.
    pub fn leave(self) -> Result<Vec<String>, Error> {
        match self {
            Self::Stdout(_) | Self::Stream(..) => self.finish(&Done::default()),
            Self::File(_) => Ok(Vec::new()),
        }
    }
}

/// Where bad games go that have no report to lie beside.
#[derive(Default)]
pub enum BadGames {
    /// There was none yet.
    #[default]
    None,
    /// In a file without a name, in the end beside this input.
    Kept(File, PathBuf),
    /// Nowhere, for there can be no such file.
    Lost,
}

impl BadGames {
    fn keep(&mut self, input: &Input, range: (u64, u64), why: &str) -> Result<(), Error> {
        let mut text = rejected_text(input, range, why)?;
        if matches!(self, Self::None) {
            let (path, target) = free_beside(input.path(), "");
            *self = match target.and_then(|target| tempfile::tempfile_in(target.folder())) {
                Ok(games) => Self::Kept(games, input.path().to_owned()),
                Err(error) => {
                    complain(&format!("bad games are not kept: {}: {error}", path.display()));
                    Self::Lost
                }
            };
        }
        if let Self::Kept(games, input) = self {
            io::copy(&mut text, games).map_err(Error::file(&beside(input, ".rejected")))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<String>, Error> {
        let Self::Kept(games, input) = self else { return Ok(Vec::new()) };
        // Only now: another run may have taken the name that was free at first.
        let target = free_for_rejected(&input)?;
        let path = target.path().to_owned();
        let old = install(games, target).map_err(Error::file(&path))?;
        tell_place(&path);
        Ok(old.map(|old| format!("{}: {old}", path.display())).into_iter().collect())
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

/// The bytes `begin..end` of a file behind a line with the reason, which begins with % and is no part
/// of any game.
fn rejected_text(input: &Input, range: (u64, u64), why: &str) -> Result<impl Read, Error> {
    let (begin, end) = range;
    let source = input.from(begin).map_err(Error::file(input.path()))?;
    let head = format!("% byte {begin}: {}\n", why.replace(char::is_control, " "));
    Ok(io::Cursor::new(head).chain(source.take(end - begin)).chain(&b"\n\n"[..]))
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
    rejected: Option<Growing>,
    last_state: Instant,
}

impl ReportFile {
    /// A report of the run that `run` describes, and what an earlier run of the same description did
    /// of it. `inputs` are the files that are read.
    ///
    /// # Errors
    /// If it cannot be written, or another run was cut off and `restart` does not say to forget it,
    /// or another file has the name of one of those beside the report. Then nothing was written.
    pub fn open(
        target: Target,
        inputs: &[&Path],
        run: String,
        restart: Restart,
    ) -> Result<(Self, Done), Error> {
        let path = target.path();
        check_names(path, inputs, restart)?;
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
        let mut rejected = Some(Growing::open(rejected_partial(path), state.rejected)?);
        if state.rejected == 0 {
            // Left by a run that is forgotten, or written after the last state.
            rejected = None;
            remove(&rejected_partial(path))?;
        }
        let last_state = Instant::now();
        let mut file = Self { target, run, report, rejected, last_state };
        if state.done == Done::default() {
            // Without it a run that is cut off at once would look like none.
            file.save(&state.done)?;
        }
        Ok((file, state.done))
    }

    fn reject(&mut self, input: &Input, range: (u64, u64), why: &str) -> Result<(), Error> {
        let mut text = rejected_text(input, range, why)?;
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
        if let Some(rejected) = &self.rejected {
            rejected.sync()?;
        }
        let state = State {
            run: self.run.clone(),
            report: self.report.length,
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
            let free = free_for_rejected(self.target.path())?;
            replaced.extend(rejected.rename(&free)?);
            tell_place(free.path());
            // If the report cannot get its name, the next run has only that left to do.
            self.save(done)?;
        }
        let Self { target, report, .. } = self;
        let path = target.path();
        if done.good > 0 {
            replaced.extend(report.rename(&target)?);
        } else {
            remove(&report.path)?;
        }
        remove(&beside(path, ".state"))?;
        Ok(replaced)
    }
}

/// Makes sure that the files beside a report are those of an earlier run or not there.
fn check_names(path: &Path, inputs: &[&Path], restart: Restart) -> Result<(), Error> {
    free_for_rejected(path)?;
    for suffix in [".partial", ".rejected.partial", ".state"] {
        let own = beside(path, suffix);
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
    use super::{BadGames, Done, Input, Output, ReportFile, Restart, Target, beside};
    use crate::error::Error;
    use std::fs;

    #[test]
    fn what_came_after_the_last_state_is_cut_off() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("report");
        fs::write(&path, "old").expect("there is room");
        let open = |run: &str, restart| {
            let target = Target::of_user(&path).expect("it can be followed");
            ReportFile::open(target, &[], run.to_owned(), restart)
        };
        let (file, done) = open("a", Restart::No).expect("the folder can be written");
        assert_eq!(done, Done::default());
        assert!(matches!(open("a", Restart::No), Err(Error::Busy(_))));
        let mut output = Output::File(Box::new(file));
        output.write("one").expect("there is room");
        let so_far = Done { offset: 7, good: 1, ..Done::default() };
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
        let input_file = Input::open(&input).expect("it is there");
        let open = || {
            let target = Target::of_user(&path).expect("it can be followed");
            let opened = ReportFile::open(target, &[&input], "a".to_owned(), Restart::No);
            let (file, done) = opened.expect("the folder can be written");
            (Output::File(Box::new(file)), done)
        };
        let (mut output, _) = open();
        output.write("one").expect("there is room");
        output.reject(&input_file, (5, 8), "because").expect("there is room");
        let whole = Done { offset: 8, good: 1, bad: 1, ..Done::default() };
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
        assert_eq!(bad_games, b"% byte 5: because\nbad\n\n");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 3);
    }

    #[test]
    fn a_restart_forgets_the_bad_games_of_the_run_before() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, input] = ["report", "input"].map(|name| folder.path().join(name));
        fs::write(&input, b"bad").expect("there is room");
        let input_file = Input::open(&input).expect("it is there");
        let open = |run: &str, restart| {
            let target = Target::of_user(&path).expect("it can be followed");
            let opened = ReportFile::open(target, &[&input], run.to_owned(), restart);
            Output::File(Box::new(opened.expect("the folder can be written").0))
        };
        let mut output = open("a", Restart::No);
        output.reject(&input_file, (0, 3), "because").expect("there is room");
        output.save(&Done { offset: 3, bad: 1, ..Done::default() }).expect("there is room");
        drop(output);
        let mut output = open("b", Restart::Yes);
        output.write("one").expect("there is room");
        output.finish(&Done { good: 1, ..Done::default() }).expect("there is room");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2);
        // Nothing is in the way of the next one.
        open("b", Restart::No);
    }

    #[test]
    fn two_runs_at_once_keep_the_bad_games_of_both() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("input");
        fs::write(&path, b"bad").expect("there is room");
        let input = Input::open(&path).expect("it is there");
        let mut runs = [BadGames::None, BadGames::None].map(Output::Stdout);
        for (run, why) in runs.iter_mut().zip(["one", "two"]) {
            run.reject(&input, (0, 3), why).expect("there is room");
        }
        for run in runs {
            run.finish(&Done::default()).expect("there is room");
        }
        for (suffix, why) in [(".rejected", "one"), (".rejected-2", "two")] {
            let kept = fs::read_to_string(beside(&path, suffix)).expect("it is there");
            assert_eq!(kept, format!("% byte 0: {why}\nbad\n\n"));
        }
    }
}
