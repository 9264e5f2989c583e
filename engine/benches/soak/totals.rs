//! The sums of all parts of a soak, and the file that keeps them.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// What is asked for, in all parts together.
pub const GAMES: u64 = 10_000;
/// The same of commands in UCI sessions.
pub const UCI_COMMANDS: u64 = 1_000_000;
/// The same of commands in XBoard sessions.
pub const XBOARD_COMMANDS: u64 = 100_000;
/// Memory that a process may have more of at the end of a part than at its beginning, in KiB.
pub const DRIFT: u64 = 1024;

/// What all parts together did and found.
#[derive(Default, Deserialize, Serialize)]
pub struct Totals {
    /// The program that all parts are of.
    version: String,
    pub parts: u64,
    pub milliseconds: u64,
    pub games: u64,
    pub plies: u64,
    /// Games lost on time.
    pub lost: u64,
    /// The least that was left on a clock after a move, in microseconds.
    pub least_left: u64,
    pub uci_commands: u64,
    pub xboard_commands: u64,
    /// What was wrong otherwise: illegal moves, silence, a crash.
    pub failures: u64,
    /// The most that the memory of a process grew by within a part, in KiB.
    pub drift: u64,
    /// Processes whose memory was compared.
    pub compared: u64,
}

impl Totals {
    fn new(version: &str) -> Self {
        Self { version: version.to_owned(), least_left: u64::MAX, ..Self::default() }
    }

    /// What the parts before found; nothing if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is not one of these, or is of another program.
    pub fn read(path: &Path, version: &str) -> Result<Self, String> {
        let name = path.display();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::new(version)),
            Err(error) => return Err(format!("{name}: {error}")),
        };
        let totals: Self = serde_json::from_str(&text)
            .map_err(|_| format!("{name} is no file of sums: remove it to begin anew"))?;
        if totals.version != version {
            let old = totals.version;
            return Err(format!(
                "{name} has the sums of {old}, this is {version}: remove it to begin anew"
            ));
        }
        Ok(totals)
    }

    /// Replaces the file in one step.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let new = path.with_extension("new");
        fs::write(&new, serde_json::to_string_pretty(self)?)?;
        fs::rename(&new, path)
    }

    /// The sums beside what is asked for, in Markdown.
    pub fn table(&self) -> String {
        let seconds = self.milliseconds / 1000;
        let least = match self.least_left {
            u64::MAX => "none".to_owned(),
            microseconds => format!("{:.1} ms", microseconds as f64 / 1000.0),
        };
        let drift = match self.compared {
            0 => "not measured".to_owned(),
            processes => format!("{} KiB ({processes} processes)", self.drift),
        };
        format!(
            "\n| soak of {} | found | asked for |\n|---|---:|---:|\n\
            | parts, time | {}, {} h {:02} min | |\n\
            | games at 1 s + 10 ms | {} | {GAMES} |\n\
            | moves | {} | |\n\
            | games lost on time | {} | 0 |\n\
            | least left on a clock | {least} | |\n\
            | UCI commands in storms | {} | {UCI_COMMANDS} |\n\
            | XBoard commands in storms | {} | {XBOARD_COMMANDS} |\n\
            | failures of other kinds | {} | 0 |\n\
            | growth of a process's memory in a part | {drift} | {DRIFT} KiB |\n",
            self.version,
            self.parts,
            seconds / 3600,
            seconds / 60 % 60,
            self.games,
            self.plies,
            self.lost,
            self.uci_commands,
            self.xboard_commands,
            self.failures,
        )
    }
}
