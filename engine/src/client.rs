//! The client that is served, and what the sessions of both protocols do alike.

use std::sync::Arc;

use tamarin_uci::SetOption;

use crate::engine::{Engine, WITHOUT_TABLE};
use crate::hash_file::{HashCommand, HashFileError};
use crate::inbox::Inbox;
use crate::options::{self, Change, SetError};
use crate::output::Output;

/// How the sessions ended, all together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionEnd {
    /// All commands were carried out.
    Success,
    /// A command was rejected, or failed for a reason outside the engine.
    AfterError,
    /// A command was not carried out because of an error in the engine.
    AfterInternalError,
}

/// A client with the engine that serves it.
pub struct Client {
    pub engine: Engine,
    pub output: Arc<Output>,
    pub inbox: Arc<Inbox>,
    pub end: SessionEnd,
}

impl Client {
    /// A command was rejected or failed.
    pub const fn note_error(&mut self) {
        if matches!(self.end, SessionEnd::Success) {
            self.end = SessionEnd::AfterError;
        }
    }

    /// Sets an option and prints what there is to say about it, but for variants.
    ///
    /// # Errors
    /// Why the option keeps its value.
    pub fn set_option(&mut self, text: &SetOption) -> Result<Change, SetError> {
        let output = &self.output;
        let change = options::set(&mut self.engine, |path| output.log_to(path), text)?;
        match &change {
            Change::InForce | Change::Variant => {}
            Change::Told(text) => output.note(text),
            Change::Tablebases(report) => {
                output.note(&report.to_string());
                if let Some(left_out) = report.left_out_text() {
                    output.note(&left_out);
                }
            }
            Change::Variants { warnings, .. } => warnings.iter().for_each(|text| output.note(text)),
        }
        Ok(change)
    }

    /// Makes ready what the first search would have to wait for.
    pub fn prepare(&mut self) {
        if let Err(error) = self.engine.prepare() {
            self.note_error();
            self.output.note(&format!("error: {error}"));
            self.output.note(WITHOUT_TABLE);
        }
    }

    /// Carries out `savehash` or `loadhash`.
    pub fn use_hash_file(&mut self, command: HashCommand, path: &str) -> Result<(), HashFileError> {
        self.output.note(&command(&mut self.engine, path)?);
        Ok(())
    }
}
