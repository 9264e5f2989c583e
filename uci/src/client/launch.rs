//! How an engine is started.

use core::str::FromStr;
use std::path::PathBuf;
use std::time::Duration;

/// A program, its arguments and the options to set. As text: a command line, in which quotes keep
/// blanks together, and options behind semicolons: `"/my engines/fish" --fast; UCI_Elo=1800`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program; without a folder it is looked up as the system does.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Names and values, set in this order at the start. An engine that lacks one is an error.
    pub options: Vec<(String, String)>,
    /// What becomes of its error output.
    pub stderr: Stderr,
    /// How long it may take to answer `uci`, `isready` and `stop`.
    pub patience: Duration,
}

/// What becomes of the error output of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stderr {
    /// The last lines are kept, and told if the engine ends by itself.
    Keep,
    /// It goes where that of this program goes.
    Inherit,
}

/// A text does not say how to start an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// There are no words.
    #[error("no command is given")]
    NoCommand,
    /// A quotation mark stands alone.
    #[error("a quote is not closed: {0}")]
    OpenQuote(String),
    /// Something else than a name, an equals sign and a value.
    #[error("{0:?} is no option: write NAME=VALUE")]
    Option(String),
}

impl Launch {
    /// A program without arguments and options.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            options: Vec::new(),
            stderr: Stderr::Keep,
            patience: Duration::from_secs(30),
        }
    }

    /// What to call the engine before it has sent its name: the file without its ending.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.program.file_stem().unwrap_or(self.program.as_os_str()).to_string_lossy().into_owned()
    }
}

impl FromStr for Launch {
    type Err = LaunchError;

    fn from_str(text: &str) -> Result<Self, LaunchError> {
        // The words, and the number of the part between semicolons that each stands in.
        let mut words: Vec<(usize, String)> = Vec::new();
        let (mut part, mut quote, mut is_inside) = (0, None, false);
        for c in text.chars() {
            let is_end = quote.is_none() && (c == ';' || (part == 0 && c.is_whitespace()));
            if is_end {
                part += usize::from(c == ';');
                is_inside = false;
                continue;
            }
            if !is_inside {
                words.push((part, String::new()));
                is_inside = true;
            }
            match quote {
                Some(open) if c == open => quote = None,
                None if matches!(c, '"' | '\'') => quote = Some(c),
                _ => words.last_mut().expect("invariant: one was begun").1.push(c),
            }
        }
        if quote.is_some() {
            return Err(LaunchError::OpenQuote(text.trim().to_owned()));
        }
        words.retain(|(_, word)| !word.trim().is_empty());
        let options = words.split_off(words.partition_point(|(part, _)| *part == 0));
        let mut words = words.into_iter().map(|(_, word)| word);
        let program = words.next().ok_or(LaunchError::NoCommand)?;
        let options = options.into_iter().map(|(_, text)| match text.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => Err(LaunchError::Option(text.trim().to_owned())),
        });
        let options = options.collect::<Result<_, LaunchError>>()?;
        Ok(Self { arguments: words.collect(), options, ..Self::new(program) })
    }
}

#[cfg(test)]
mod tests {
    use super::{Launch, LaunchError};
    use std::path::Path;

    #[test]
    fn reads_quotes_and_options() {
        let text = r#" "/my engines/a;b" --name 'it is "x"' ; Skill Level = 3;EvalFile='a;b';"#;
        let launch: Launch = text.parse().unwrap();
        assert_eq!(launch.program, Path::new("/my engines/a;b"));
        assert_eq!(launch.arguments, ["--name", r#"it is "x""#]);
        let options = [("Skill Level", "3"), ("EvalFile", "a;b")];
        assert_eq!(launch.options, options.map(|(name, value)| (name.into(), value.into())));
        assert_eq!(Launch::new("/bin/fish.exe").file_name(), "fish");
    }

    #[test]
    fn rejects_missing_command_open_quote_and_bare_option() {
        let parse = str::parse::<Launch>;
        for text in ["", "  ", ";Hash=1", "''"] {
            assert_eq!(parse(text), Err(LaunchError::NoCommand), "{text:?}");
        }
        assert_eq!(parse("fish 'x"), Err(LaunchError::OpenQuote("fish 'x".to_owned())));
        assert_eq!(parse("fish; Hash"), Err(LaunchError::Option("Hash".to_owned())));
    }
}
