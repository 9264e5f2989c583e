//! The features and options that the engine announces.

use tamarin_uci::OptionSpec;
use tamarin_uci::xboard::{Feature, Reply};

use crate::about::VERSION;
use crate::options::{self, UCI_VARIANT};
use crate::variant_game::Library;

/// Options that are not announced. The protocol sets them by commands of their own (`memory`,
/// `cores`, `hard` and `easy`, `variant`, `egtpath`), or has no place for what they show.
const NOT_ANNOUNCED: [&str; 7] =
    ["Hash", "Threads", "Ponder", "UCI_Chess960", UCI_VARIANT, "SyzygyPath", "UCI_ShowWDL"];

/// The option of this protocol alone.
pub const RESIGN: OptionSpec = OptionSpec::check("Resign", false);

/// The answer to `protover`: every feature, then `done=1`.
pub fn announcement(library: &Library) -> String {
    use Feature::{Flag, Text};
    let name = format!("Tamarin {VERSION}");
    let variants = variants(library);
    let features = [
        Text("myname", &name),
        Text("variants", &variants),
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

/// Every variant that can be played, as the feature has it.
pub fn variants(library: &Library) -> String {
    let mut text = String::from("normal,fischerandom");
    for name in library.names().filter(|name| !name.contains([',', '"'])) {
        text.push(',');
        text.push_str(name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::announcement;
    use crate::variant_game::Library;

    #[test]
    fn every_feature_reads_well_to_every_client_and_done_comes_last() {
        let text = announcement(&Library::default());
        assert!(text.contains("variants=\"normal,fischerandom,fide,"), "{text}");
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
