//! Setting the options that the engine announced, and what has commands of its own.

use tamarin_uci::xboard::{Feature, Reply};
use tamarin_uci::{OptionKind, OptionSpec, OptionValue, SetOption};

use super::Session;
use super::features::{RESIGN, variants};
use crate::client::HashCommand;
use crate::options::{self, Change, UCI_VARIANT};

/// What the program takes beside the transposition table and the threads, in MiB. Seen: 11 on
/// Linux, the program itself and the network included.
const BASE_MEMORY: u64 = 12;

/// What each thread takes, in MiB. Seen: 1.4 in a search of seconds, 3.4 in a game of an hour.
const THREAD_MEMORY: u64 = 4;

impl Session<'_> {
    /// Leaves the transposition table what the threads do not take of `memory`.
    pub(super) fn share_memory(&mut self) {
        let Some(memory) = self.memory else { return };
        let threads =
            u64::try_from(self.client.engine.search_engine().threads()).unwrap_or(u64::MAX);
        let taken = BASE_MEMORY.saturating_add(threads.saturating_mul(THREAD_MEMORY));
        self.set_number("Hash", memory.saturating_sub(taken).max(1));
    }

    /// Sets a number of the engine. One that is too great for it is cut, which is reported.
    pub(super) fn set_number(&mut self, name: &str, value: u64) {
        let range = options::specs().find(|spec| spec.matches(name)).map(|spec| spec.kind);
        let Some(OptionKind::Spin { max, .. }) = range else { return };
        let most = u64::try_from(max).unwrap_or_default();
        if value > most {
            let text = format!("{name}: {most} is set, the greatest value, instead of {value}");
            self.client.output.note(&text);
        }
        self.set_option(name, Some(&value.min(most).to_string()));
    }

    /// Carries out `savehash` or `loadhash`.
    pub(super) fn use_hash_file(&mut self, name: &str, command: HashCommand, path: &str) {
        if let Err(error) = self.client.use_hash_file(command, path) {
            self.error(&error.to_string(), &format!("{name} {path}"));
        }
    }

    pub(super) fn set_tablebases(&mut self, kind: &str, path: &str) {
        if kind == "syzygy" {
            self.set_option("SyzygyPath", Some(path));
        } else {
            self.error("unknown tablebases", &format!("egtpath {kind} {path}"));
        }
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        let line = || value.map_or(name.to_owned(), |value| format!("{name}={value}"));
        if RESIGN.matches(name) {
            match RESIGN.parse(value.map(|v| in_uci(&RESIGN, v))) {
                Ok(OptionValue::Check(on)) => self.resigns = on,
                Ok(_) => {}
                Err(error) => self.error(&error.to_string(), &format!("option {}", line())),
            }
            return;
        }
        let is_variant = |spec: OptionSpec| spec.name == UCI_VARIANT && spec.matches(name);
        if options::specs().any(is_variant) {
            self.error("use the command variant", &format!("option {}", line()));
            return;
        }
        // A check takes `1` and `0` as well as `true` and `false`.
        let spec = options::specs().find(|spec| spec.matches(name));
        let value_text = value.map(|text| spec.map_or(text, |spec| in_uci(&spec, text)).to_owned());
        match self.client.set_option(&SetOption { name: name.to_owned(), value: value_text }) {
            Ok(Change::Variants { begins, .. }) => {
                let variants = variants(&self.client.engine.library);
                self.client.output.line(&Reply::Feature(Feature::Text("variants", &variants)));
                if begins {
                    self.forget_game();
                    self.print_setup();
                }
            }
            Ok(_) => {}
            Err(reason) => self.error(&reason.to_string(), &format!("option {}", line())),
        }
    }
}

fn in_uci<'a>(spec: &OptionSpec, value: &'a str) -> &'a str {
    match (spec.kind, value) {
        (OptionKind::Check { .. }, "1") => "true",
        (OptionKind::Check { .. }, "0") => "false",
        _ => value,
    }
}
