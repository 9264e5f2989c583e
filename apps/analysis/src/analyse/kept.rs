//! `--hash-file`: one engine for the whole run, and the file that it begins with and leaves.

use std::path::PathBuf;

use super::arguments::Arguments;
use super::input::Input;
use crate::analyzer::{Analyzer, Effort, Stop};
use crate::error::Error;
use tamarin_base::complain;
use tamarin_base::files::Target;

/// The engine of a run whose hash table is kept in a file.
pub struct Kept {
    /// The engine; `None` while it works, and after it has panicked.
    pub analyzer: Option<Analyzer>,
    /// Ends the search that runs.
    pub stop: Stop,
    path: PathBuf,
    target: Target,
    quiet: bool,
}

impl Kept {
    /// The engine that goes on with the file that the command line names, if it names one. The file
    /// must be none that is read or written otherwise.
    pub fn of(
        arguments: &Arguments,
        effort: &Effort,
        inputs: &[Input],
    ) -> Result<Option<Self>, Error> {
        let Some(path) = arguments.hash_file.clone() else { return Ok(None) };
        let files = inputs.iter().map(Input::file).chain(arguments.resources.eval_file());
        let others = files.chain(arguments.puzzles_beside()).chain(arguments.rejected.as_deref());
        let target = Target::of_user(&path)
            .and_then(|target| {
                target.unlike(others.chain(arguments.output()))?;
                target.check_writable()?;
                target.check_folder()?;
                Ok(target)
            })
            .map_err(Error::file(&path))?;
        let stop = Stop::default();
        let mut analyzer = Analyzer::new(effort, arguments.resources.threads())?;
        let there = (target.is_stream() || target.old().is_some()).then_some(target.path());
        let message = analyzer
            .keep(there, stop.clone())
            .map_err(|source| Error::Hash { path: path.clone(), source })?;
        let kept = Self { analyzer: Some(analyzer), stop, path, target, quiet: arguments.quiet };
        kept.tell(message);
        Ok(Some(kept))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written. Then an old file stays.
    pub fn save(mut self) -> Result<(), Error> {
        let Some(analyzer) = &mut self.analyzer else { return Ok(()) };
        let message = analyzer.save(self.target.path())?;
        self.tell(Some(message));
        Ok(())
    }

    fn tell(&self, text: Option<String>) {
        if let Some(text) = text.filter(|_| !self.quiet) {
            complain(&format!("{}: {text}", self.path.display()));
        }
    }
}
