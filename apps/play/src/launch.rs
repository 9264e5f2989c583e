//! How another program is started.

use std::path::Path;

/// How to start a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program and its arguments.
    command: Vec<String>,
    /// Names and values.
    options: Vec<(String, String)>,
}

impl Launch {
    /// A program with its arguments, and the options to set: their names and values.
    pub const fn new(command: Vec<String>, options: Vec<(String, String)>) -> Self {
        Self { command, options }
    }

    pub fn program(&self) -> &str {
        &self.command[0]
    }

    /// What it is given on its command line.
    pub fn arguments(&self) -> &[String] {
        &self.command[1..]
    }

    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// What to call it before it has sent its name.
    pub fn file_name(&self) -> String {
        let name = Path::new(self.program()).file_stem();
        name.map_or_else(|| self.program().to_owned(), |name| name.to_string_lossy().into_owned())
    }
}
