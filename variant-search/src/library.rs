//! The variants that can be chosen by name: built-in ones, and those of files.

use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;
use std::{fs, io};

use tamarin_base::files::read_text;
use tamarin_variant::{
    BUILTINS, Builtin, Diagnostic, Game, Loaded, builtin, load, nearest_builtin, variant_name,
    variant_names,
};

use crate::any_evaluator::AnyEvaluator;
use crate::evaluate::learned::{EvalError, Learned};

/// What UCI calls standard chess.
pub const CHESS: &str = "chess";

/// What is said of a learned evaluator that does not fit its game.
pub const NOT_USED: &str = "it is not used";

/// The end of the names of files with variants, in folders.
const EXTENSION: &str = "var";

/// The greatest number of moves of the pieces of all games from files together, some 100 bytes each.
/// Chess has 7,000; one game has at most a million.
const MOST_MOVES: usize = 1 << 21;

/// All variants by name.
#[derive(Default)]
pub struct Library {
    /// Those of files. They come before built-in ones of the same name.
    files: Vec<Entry>,
    paths: Vec<PathBuf>,
}

/// A variant of a file.
struct Entry {
    name: String,
    game: Arc<Game>,
    /// The learned evaluator that was found beside the file.
    learned: Option<Arc<Learned>>,
}

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// A name that is neither that of a variant nor that of a file.
    #[error("there is no variant or file {name:?}; {hint}")]
    Unknown { name: String, hint: String },
    #[error("cannot read {path:?}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{0:?} is neither a file nor a folder")]
    Kind(PathBuf),
    #[error("there is no file *.var in {0:?}")]
    Empty(PathBuf),
    #[error("{}", .0.join("\n"))]
    Refused(Vec<String>),
    #[error("up to a variant of {path:?} all files have more than {most} moves of pieces")]
    TooLarge { path: PathBuf, most: usize },
    #[error("{path:?} has a variant {name:?}, and that name {reason}")]
    Name { path: PathBuf, name: String, reason: &'static str },
}

impl LibraryError {
    /// A name that nothing has, with the built-in variant that is meant if one has almost that
    /// name, or how chess is played.
    pub fn unknown(name: &str) -> Self {
        let hint = match (name.to_lowercase().as_str(), nearest_builtin(name)) {
            (CHESS | "standard", _) => "chess is played without --variant".to_owned(),
            (_, Some(near)) => format!("did you mean {near}?"),
            (_, None) => "tamarin variant list shows the variants".to_owned(),
        };
        Self::Unknown { name: name.to_owned(), hint }
    }
}

impl Library {
    /// The names of all variants but standard chess: built-in ones first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        BUILTINS.iter().map(|entry| entry.name).chain(self.names_of_files())
    }

    /// The names that no built-in variant has.
    pub fn names_of_files(&self) -> impl Iterator<Item = &str> {
        let names = self.files.iter().map(|entry| entry.name.as_str());
        names.filter(|name| Builtin::find(name).is_none())
    }

    /// Returns `true` if the variant of that name, in any case, is from a file.
    pub fn has_file(&self, name: &str) -> bool {
        self.files.iter().any(|entry| entry.name.eq_ignore_ascii_case(name))
    }

    /// The variant of that name, in any case, and its name.
    pub fn find(&self, name: &str) -> Option<(String, Arc<Game>)> {
        let own = self.files.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
        own.map(Entry::named).or_else(|| {
            let entry = Builtin::find(name)?;
            Some((entry.name.to_owned(), builtin(entry.name)?))
        })
    }

    /// The learned evaluator that was found beside the file of a game of this library.
    pub fn learned(&self, game: &Arc<Game>) -> Option<&Arc<Learned>> {
        let own = self.files.iter().find(|entry| Arc::ptr_eq(&entry.game, game));
        own.and_then(|entry| entry.learned.as_ref())
    }

    /// The last variant of one file. Warnings are added to those that are given.
    pub fn read_one(
        &mut self,
        path: &Path,
        warnings: &mut Vec<String>,
    ) -> Result<(String, Arc<Game>), LibraryError> {
        let mut games = Vec::new();
        for file in files(path)? {
            read_file(&file, MOST_MOVES, &mut games, warnings)?;
        }
        self.files = games;
        let empty = || LibraryError::Empty(path.to_owned());
        self.files.last().map(Entry::named).ok_or_else(empty)
    }

    /// Replaces the variants of files by those of other files, or of folders: the paths are
    /// separated as the system separates those of `PATH`. Gives the warnings about the files.
    ///
    /// # Errors
    /// If anything is wrong with one of them. Nothing has changed then.
    pub fn read(&mut self, paths: &str) -> Result<Vec<String>, LibraryError> {
        self.read_within(paths, MOST_MOVES)
    }

    /// The same for files that have at most `most` moves of pieces.
    fn read_within(&mut self, paths: &str, most: usize) -> Result<Vec<String>, LibraryError> {
        let (mut games, mut warnings, mut read) = (Vec::new(), Vec::new(), Vec::new());
        for path in std::env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()) {
            for file in files(&path)? {
                let before = games.len();
                read_file(&file, most, &mut games, &mut warnings)?;
                let names = games[before..].iter().map(|entry| Some(entry.name.as_str()));
                read.extend(names.chain([None]).map(|name| evaluation_file(&file, name)));
                read.push(file);
            }
        }
        self.files = games;
        self.paths = read;
        Ok(warnings)
    }

    /// The files whose variants there are, and where learned evaluators of them may be.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }
}

impl Entry {
    fn named(&self) -> (String, Arc<Game>) {
        (self.name.clone(), Arc::clone(&self.game))
    }
}

/// The file itself, or the files of a folder in order of their names.
fn files(path: &Path) -> Result<Vec<PathBuf>, LibraryError> {
    let failed = |source| LibraryError::File { path: path.to_owned(), source };
    let found = fs::metadata(path).map_err(failed)?;
    if found.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if !found.is_dir() {
        return Err(LibraryError::Kind(path.to_owned()));
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|end| end == EXTENSION) && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() { Err(LibraryError::Empty(path.to_owned())) } else { Ok(files) }
}

/// Adds every variant of a file.
fn read_file(
    path: &Path,
    most: usize,
    games: &mut Vec<Entry>,
    warnings: &mut Vec<String>,
) -> Result<(), LibraryError> {
    let text = tamarin_variant::read_text(path)
        .map_err(|source| LibraryError::File { path: path.to_owned(), source })?;
    let shown = path.display().to_string();
    let lines = |remarks: &[Diagnostic]| -> Vec<String> {
        remarks.iter().map(|remark| in_one_line(remark, &shown, &text)).collect()
    };
    let names = variant_names(&text);
    for (i, own) in names.iter().enumerate() {
        let Loaded { game, warnings: remarks } = load(&text, own.as_deref())
            .map_err(|remarks| LibraryError::Refused(lines(&remarks)))?;
        let before: usize = games.iter().map(|entry| entry.game.move_count()).sum();
        if before + game.move_count() > most {
            return Err(LibraryError::TooLarge { path: path.to_owned(), most });
        }
        let name = variant_name(path, own.as_deref());
        if let Some(reason) = fault(&name, games) {
            return Err(LibraryError::Name { path: path.to_owned(), name, reason });
        }
        for line in lines(&remarks) {
            if !warnings.contains(&line) {
                warnings.push(line);
            }
        }
        let is_last = i + 1 == names.len();
        let (learned, remark) = beside(&game, path, own.as_deref(), is_last);
        warnings.extend(remark);
        games.push(Entry { name, game, learned });
    }
    Ok(())
}

/// The learned evaluator beside the file with this text, for its last variant, and why its file
/// cannot be used.
pub fn learned_of_last(
    game: &Arc<Game>,
    path: &Path,
    text: &str,
) -> (Option<Arc<Learned>>, Option<String>) {
    let names = variant_names(text);
    beside(game, path, names.last().and_then(Option::as_deref), true)
}

/// The learned evaluator beside a file, and why its file cannot be used. That of
/// the last variant may also be called as the file.
fn beside(
    game: &Arc<Game>,
    path: &Path,
    variant: Option<&str>,
    is_last: bool,
) -> (Option<Arc<Learned>>, Option<String>) {
    let names = [variant].into_iter().chain((is_last && variant.is_some()).then_some(None));
    for name in names {
        match learned_beside(game, path, name) {
            Ok(None) => {}
            Ok(found) => return (found, None),
            Err(error) => {
                let instead = AnyEvaluator::standard(game).short_name();
                return (None, Some(format!("{error}; {NOT_USED}, {instead} evaluates")));
            }
        }
    }
    (None, None)
}

/// Why a variant cannot have the name.
fn fault(name: &str, games: &[Entry]) -> Option<&'static str> {
    if name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        Some("has blanks or is empty")
    } else if name.eq_ignore_ascii_case(CHESS) {
        Some("belongs to standard chess")
    } else if games.iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
        Some("is used twice")
    } else {
        None
    }
}

/// Place, code, message and help of a remark.
fn in_one_line(remark: &Diagnostic, file: &str, text: &str) -> String {
    let rendered = remark.render(file, text);
    let first = rendered.lines().next().unwrap_or_default();
    match &remark.help {
        Some(help) => format!("{first} ({help})"),
        None => first.to_owned(),
    }
}

/// The end of the names of such files.
const EVALUATION_EXTENSION: &str = "eval";
/// They are at most so large, in MiB.
const MOST_MIB: u64 = 4;

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    #[error("cannot read {path:?}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{}, {source}", .path.display())]
    Refused { path: PathBuf, source: EvalError },
}

/// Where the learned evaluator of a file of rules is: `my.eval` for `my.var`, and for a variant of
/// it that is chosen by name `my.NAME.eval`, with `_` for each separator of paths in the name.
#[must_use]
pub fn evaluation_file(rules: &Path, variant: Option<&str>) -> PathBuf {
    match variant {
        None => rules.with_extension(EVALUATION_EXTENSION),
        Some(name) => rules
            .with_extension(format!("{}.{EVALUATION_EXTENSION}", name.replace(is_separator, "_"))),
    }
}

/// The evaluator of a game in a file.
pub fn read_evaluation(path: &Path, game: &Arc<Game>) -> Result<Learned, EvaluationError> {
    let text = read_text(path, MOST_MIB)
        .map_err(|source| EvaluationError::File { path: path.to_owned(), source })?;
    Learned::parse(game, &text)
        .map_err(|source| EvaluationError::Refused { path: path.to_owned(), source })
}

/// The learned evaluator beside a file of rules, if there is one.
pub fn learned_beside(
    game: &Arc<Game>,
    rules: &Path,
    variant: Option<&str>,
) -> Result<Option<Arc<Learned>>, EvaluationError> {
    match read_evaluation(&evaluation_file(rules, variant), game) {
        Ok(learned) => Ok(Some(Arc::new(learned))),
        Err(EvaluationError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::{Library, LibraryError};
    use std::fs;

    const CORNER: &str = "@extends fide\nq W\n";

    #[test]
    fn unknown_name_hints_at_the_nearest() {
        for (name, hint) in [
            ("xianqi", "did you mean xiangqi?"),
            ("Chess", "chess is played without --variant"),
            ("go", "tamarin variant list shows the variants"),
        ] {
            assert!(LibraryError::unknown(name).to_string().ends_with(hint), "{name}");
        }
    }

    #[test]
    fn files_and_folders_are_read_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::write(path("a.var"), format!("@variant one\n{CORNER}@variant two\n{CORNER}")).unwrap();
        fs::write(path("corner.var"), CORNER).unwrap();
        fs::write(path("notes.txt"), "no variant").unwrap();
        let mut library = Library::default();
        let of_files = |library: &Library| {
            library.names_of_files().map(str::to_owned).collect::<Vec<_>>().join(" ")
        };
        library.read(folder.path().to_str().unwrap()).unwrap();
        assert_eq!(of_files(&library), "one two corner");
        assert_eq!(library.find("CORNER").unwrap().0, "corner");
        assert_eq!(library.find("Makruk").unwrap().0, "makruk");
        assert!(library.find("chess").is_none());
        let joined = std::env::join_paths([path("corner.var"), path("a.var")]).unwrap();
        library.read(joined.to_str().unwrap()).unwrap();
        assert_eq!(of_files(&library), "corner one two");
        // Another case makes no other name.
        fs::write(path("house.var"), format!("@variant Crazyhouse\n{CORNER}")).unwrap();
        library.read(&path("house.var")).unwrap();
        let names = library.names().filter(|name| name.eq_ignore_ascii_case("crazyhouse"));
        assert_eq!(names.count(), 1);
        assert!(library.has_file("crazyhouse"));
        library.read(joined.to_str().unwrap()).unwrap();
        // A bad file changes nothing.
        fs::write(path("bad.var"), "@extends fide\nq WX\n").unwrap();
        let error = library.read(&path("bad.var")).unwrap_err();
        assert!(
            matches!(&error, LibraryError::Refused(lines) if lines[0].contains("bad.var:2:4: error[V015]"))
        );
        assert_eq!(of_files(&library), "corner one two");
        library.read("").unwrap();
        assert_eq!(of_files(&library), "");
    }

    #[test]
    fn all_files_together_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let paths = folder.path().to_str().unwrap();
        let mut library = Library::default();
        fs::write(folder.path().join("a.var"), CORNER).unwrap();
        library.read(paths).unwrap();
        let moves = library.find("a").unwrap().1.move_count();
        fs::write(folder.path().join("b.var"), CORNER).unwrap();
        let error = library.read_within(paths, 2 * moves - 1).unwrap_err();
        assert!(matches!(error, LibraryError::TooLarge { .. }), "{error}");
        assert_eq!(library.names_of_files().collect::<Vec<_>>(), ["a"]);
        library.read_within(paths, 2 * moves).unwrap();
    }

    #[test]
    fn names_that_clients_cannot_send_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let reason = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, CORNER).unwrap();
            let found = Library::default().read(path.to_str().unwrap());
            found.unwrap_err().to_string()
        };
        assert!(reason("Chess.var").ends_with("belongs to standard chess"));
        assert!(reason("my game.var").ends_with("has blanks or is empty"));
        let twice = folder.path().join("twice.var");
        fs::write(&twice, format!("@variant a\n{CORNER}@variant A\n{CORNER}")).unwrap();
        let error = Library::default().read(twice.to_str().unwrap()).unwrap_err();
        assert!(error.to_string().ends_with("is used twice"), "{error}");
    }
}
