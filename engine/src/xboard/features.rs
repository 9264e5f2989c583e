//! The features and options that the engine announces.

use tamarin_uci::OptionSpec;
use tamarin_uci::xboard::{Feature, Reply};

use super::variant_setup::setup_lines;
use crate::options::{self, UCI_VARIANT};
use tamarin_game::about::NAME;
use tamarin_variant_search::Library;

/// Options that are not announced. The protocol sets them by commands of their own (`memory`,
/// `cores`, `hard` and `easy`, `variant`, `egtpath`), or has no place for what they show.
const NOT_ANNOUNCED: [&str; 7] =
    ["Hash", "Threads", "Ponder", "UCI_Chess960", UCI_VARIANT, "SyzygyPath", "UCI_ShowWDL"];

/// The option of this protocol alone.
pub const RESIGN: OptionSpec = OptionSpec::check("Resign", false);

/// The answer to `protover`: every feature, then `done=1`.
pub fn announcement(library: &Library) -> String {
    use Feature::{Flag, Text};
    let variants = variants(library);
    let features = [
        Text("myname", NAME),
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

/// XBoard's names of chess and Chess960.
const KINDS_OF_CHESS: [&str; 2] = ["normal", "fischerandom"];

/// Every variant that can be played, as the feature has it.
pub fn variants(library: &Library) -> String {
    let names = library.names().filter(|name| is_playable(library, name));
    KINDS_OF_CHESS.into_iter().chain(names).collect::<Vec<_>>().join(",")
}

/// Built-in variants whose pieces XBoard cannot name.
const NOT_NAMEABLE: [&str; 1] = ["shogi_thesis"];

/// Returns `true` if `variant` takes the name, which reads well to every client. Built-in variants
/// are known: to compile them all takes a while.
fn is_playable(library: &Library, name: &str) -> bool {
    let is_word = !name.contains([',', '"', '=']) && !name.contains("...");
    let can_be_shown = if library.has_file(name) {
        library.find(name).is_some_and(|(_, rules)| setup_lines(&rules).is_some())
    } else {
        !NOT_NAMEABLE.contains(&name)
    };
    is_word && can_be_shown && !KINDS_OF_CHESS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{NOT_NAMEABLE, announcement, setup_lines, variants};
    use tamarin_variant_search::Library;

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

    #[test]
    fn every_built_in_variant_can_be_shown_but_for_the_known_ones() {
        let cannot_be_shown = |name: &&str| {
            let rules = tamarin_variant::builtin(name).unwrap();
            setup_lines(&rules).is_none()
        };
        let names = tamarin_variant::BUILTINS.iter().map(|entry| entry.name);
        assert_eq!(names.filter(cannot_be_shown).collect::<Vec<_>>(), NOT_NAMEABLE);
    }

    #[test]
    fn variants_that_would_be_refused_are_not_announced() {
        let folder = tempfile::tempdir().unwrap();
        let mut library = Library::default();
        for name in ["a=b", "a,b", "a...b", "normal", "fischerandom", "long", "good"] {
            let king = if name == "long" { "king" } else { "k" };
            let rules =
                format!("@variant {name}\n@royal {king}\n{king} W1\n\nw:{king} . b:{king}\n");
            std::fs::write(folder.path().join(format!("{}.var", name.len())), rules).unwrap();
            library.read(folder.path().to_str().unwrap()).unwrap();
            let is_listed = variants(&library).ends_with(&format!(",minishogi,{name}"));
            assert_eq!(is_listed, name == "good", "{name}");
            std::fs::remove_file(folder.path().join(format!("{}.var", name.len()))).unwrap();
        }
    }
}
