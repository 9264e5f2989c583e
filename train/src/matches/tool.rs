//! Other programs that play matches.

use std::env;

use super::sprt::{Model, Sprt};

/// A program that plays matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    Fastchess,
    Cutechess,
}

impl Tool {
    /// The first of them on the path that has such a test.
    pub fn find(sprt: Option<Sprt>) -> Option<Self> {
        let path = env::var_os("PATH")?;
        let is_there = |tool: &Self| {
            env::split_paths(&path).any(|dir| {
                dir.join(tool.program()).with_extension(env::consts::EXE_EXTENSION).is_file()
            })
        };
        let tools = [Self::Fastchess, Self::Cutechess];
        tools.into_iter().filter(|tool| tool.has_test(sprt)).find(is_there)
    }

    /// Whether it can end a match by this test, if there is one.
    pub fn has_test(self, sprt: Option<Sprt>) -> bool {
        self == Self::Fastchess || sprt.is_none_or(|sprt| sprt.model == Model::Logistic)
    }

    pub fn program(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess-cli",
        }
    }
}
