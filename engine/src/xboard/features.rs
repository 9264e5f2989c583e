//! The features and options that the engine announces, and setting the options.

use tamarin_uci::xboard::{Feature, Reply};
use tamarin_uci::{OptionKind, OptionSpec, OptionValue, SetOption};

use super::session::Session;
use crate::about::VERSION;
use crate::engine::Engine;
use crate::options::{self, Change};
use crate::output::Output;

/// Options that are not announced. The protocol sets them by commands of their own (`memory`,
/// `cores`, `hard` and `easy`, `variant`, `egtpath`), or has no place for what they show.
const NOT_ANNOUNCED: [&str; 6] =
    ["Hash", "Threads", "Ponder", "UCI_Chess960", "SyzygyPath", "UCI_ShowWDL"];

/// The option of this protocol alone.
const RESIGN: OptionSpec = OptionSpec::check("Resign", false);

/// The answer to `protover`: every feature, then `done=1`.
pub fn announcement() -> String {
    use Feature::{Flag, Text};
    let name = format!("Tamarin {VERSION}");
    let features = [
        Text("myname", &name),
        Text("variants", "normal,fischerandom"),
        Text("egt", "syzygy"),
        Flag("ping", 1),
        Flag("setboard", 1),
        Flag("playother", 1),
        Flag("san", 0),
        Flag("usermove", 1),
        Flag("time", 1),
        Flag("draw", 1),
        Flag("sigint", 0),
        Flag("sigterm", 0),
        Flag("reuse", 1),
        Flag("analyze", 1),
        Flag("colors", 0),
        Flag("ics", 0),
        Flag("name", 1),
        Flag("pause", 0),
        Flag("nps", 1),
        Flag("debug", 1),
        Flag("memory", 1),
        Flag("smp", 1),
        Flag("exclude", 1),
        Flag("highlight", 0),
    ];
    let options: Vec<_> = options::specs()
        .filter(|spec| !NOT_ANNOUNCED.iter().any(|name| spec.matches(name)))
        .chain([RESIGN])
        .collect();
    features
        .into_iter()
        .chain(options.iter().map(Feature::Option))
        .chain([Flag("done", 1)])
        .map(|feature| Reply::Feature(feature).to_string())
        .collect::<Vec<_>>()
        .join("\n")
}

/// What the program takes beside the tables, in MiB.
const BASE_MEMORY: u64 = 8;

/// What each thread takes, in MiB.
const THREAD_MEMORY: u64 = 8;

impl Session<'_> {
    /// Leaves the transposition table what the threads do not take of `memory`.
    pub(super) fn share_memory(&mut self) {
        let Some(memory) = self.memory else { return };
        let threads = u64::try_from(self.engine.idle().threads()).unwrap_or(u64::MAX);
        let taken = BASE_MEMORY.saturating_add(threads.saturating_mul(THREAD_MEMORY));
        self.set_number("Hash", memory.saturating_sub(taken).max(1));
    }

    /// Sets a number of the engine, as near to `value` as its range allows.
    pub(super) fn set_number(&mut self, name: &str, value: u64) {
        let range = options::specs().find(|spec| spec.matches(name)).map(|spec| spec.kind);
        let Some(OptionKind::Spin { max, .. }) = range else { return };
        let value = i32::try_from(value).unwrap_or(max).min(max);
        self.set_option(name, Some(&value.to_string()));
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
        match set(self.engine, &self.output, name, value) {
            Ok(Change::InForce) => {}
            Ok(Change::Tablebases(report)) => {
                let found = report.wdl + report.dtz > 0;
                for text in
                    found.then(|| report.to_string()).into_iter().chain(report.left_out_text())
                {
                    self.output.line(&Reply::Debug(&text));
                }
            }
            Err(reason) => self.error(&reason, &format!("option {}", line())),
        }
    }
}

/// Sets an option of the engine. A check takes `1` and `0` as well as `true` and `false`.
///
/// # Errors
/// Why the option keeps its value.
fn set(
    engine: &mut Engine,
    output: &Output,
    name: &str,
    value: Option<&str>,
) -> Result<Change, String> {
    let spec = options::specs().find(|spec| spec.matches(name));
    let value = value.map(|text| spec.map_or(text, |spec| in_uci(&spec, text)).to_owned());
    let text = SetOption { name: name.to_owned(), value };
    options::set(engine, output, &text).map_err(|error| error.to_string())
}

/// The value as UCI writes it.
fn in_uci<'a>(spec: &OptionSpec, value: &'a str) -> &'a str {
    match (spec.kind, value) {
        (OptionKind::Check { .. }, "1") => "true",
        (OptionKind::Check { .. }, "0") => "false",
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::announcement;

    #[test]
    fn every_feature_reads_well_to_every_client_and_done_comes_last() {
        let text = announcement();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.last(), Some(&"feature done=1"));
        for line in &lines {
            let feature = line.strip_prefix("feature ").expect("a feature");
            let (name, value) = feature.split_once('=').expect("a value");
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "{line}");
            // cutechess splits at every `=`, XBoard reads up to the second quote.
            assert!(!value.contains('='), "{line}");
            let quoted = value.len() >= 2 && value.starts_with('"') && value.ends_with('"');
            let inner = value.trim_matches('"');
            assert!(!inner.contains('"') && !inner.contains("..."), "{line}");
            assert!(quoted || inner.bytes().all(|byte| byte.is_ascii_digit()), "{line}");
        }
        assert!(lines.contains(&r#"feature option="MultiPV -spin 1 1 256""#), "{text}");
        assert!(lines.contains(&r#"feature option="Resign -check 0""#), "{text}");
        assert!(!text.contains("option=\"Hash"), "{text}");
    }
}
