//! The options: what `uci` announces and `setoption` does.

mod set;
mod table;

use std::io;

use tamarin_uci::{OptionError, OptionSpec, OptionValue, SetOption};

pub use self::set::{Change, SetError, UCI_VARIANT, check_output};
use self::set::{set_evaluator, set_log, set_variant};
use self::table::{Effect, OPTIONS};
use crate::engine::Engine;

/// Every option as `uci` announces it.
pub fn specs() -> impl Iterator<Item = OptionSpec> {
    OPTIONS.iter().map(|option| option.spec).chain(tunables())
}

/// The search parameters, in builds made for tuning them.
#[cfg(feature = "tune")]
fn tunables() -> impl Iterator<Item = OptionSpec> {
    let spec =
        |one: &tamarin_search::Tunable| OptionSpec::spin(one.name, one.default, one.min, one.max);
    tamarin_search::parameters().iter().map(spec)
}

#[cfg(not(feature = "tune"))]
fn tunables() -> impl Iterator<Item = OptionSpec> {
    std::iter::empty()
}

/// Carries out a `setoption`; `log_to` opens the log of both directions, a file of that path.
pub fn set(
    engine: &mut Engine,
    log_to: impl FnOnce(&str) -> io::Result<()>,
    text: &SetOption,
) -> Result<Change, SetError> {
    // Its former name.
    let name = if text.name.eq_ignore_ascii_case("Book Seed") { "Seed" } else { &text.name };
    let Some(option) = OPTIONS.iter().find(|option| option.spec.matches(name)) else {
        return set_tunable(engine.search_engine(), text);
    };
    if let Effect::Variant = option.effect {
        return set_variant(engine, text.value.as_deref());
    }
    let value = match option.spec.parse(text.value.as_deref()) {
        // Programs for beginners ask for less strength than there is.
        Err(OptionError::OutOfRange { option: "UCI_Elo", text, min, max }) => {
            let is_above = text.as_str().parse().is_ok_and(|elo: i64| elo > i64::from(max));
            let nearest = if is_above { max } else { min };
            engine.settings.elo = u16::try_from(nearest).unwrap_or(u16::MAX);
            return Ok(Change::Told(format!("UCI_Elo is {nearest}, the nearest to {text}")));
        }
        value => value?,
    };
    match (&option.effect, value) {
        (Effect::Search(effect), OptionValue::Spin(number)) => {
            effect(engine.search_engine(), usize::try_from(number).unwrap_or(1))?;
        }
        (Effect::Number(effect), OptionValue::Spin(number)) => {
            effect(&mut engine.settings, number);
        }
        (Effect::Check(effect), OptionValue::Check(on)) => effect(&mut engine.settings, on),
        (Effect::Button(effect), OptionValue::Pressed) => {
            effect(engine.search_engine());
            engine.clear_variant_hash();
        }
        (Effect::Log, OptionValue::String(path)) => set_log(engine, log_to, path)?,
        (Effect::Evaluator, OptionValue::Choice(word)) => set_evaluator(engine, word)?,
        (Effect::Text(effect), OptionValue::String(text)) => return effect(engine, &text),
        (_, value) => unreachable!("invariant: {value:?} is no value of {}", option.spec.name),
    }
    Ok(Change::InForce)
}

#[cfg(feature = "tune")]
fn set_tunable(engine: &mut tamarin_search::Engine, text: &SetOption) -> Result<Change, SetError> {
    let specs: Vec<_> = tunables().collect();
    let (spec, value) = tamarin_uci::resolve(&specs, text)?;
    if let OptionValue::Spin(number) = value {
        engine.set_parameter(spec.name, number)?;
    }
    Ok(Change::InForce)
}

#[cfg(not(feature = "tune"))]
fn set_tunable(_: &mut tamarin_search::Engine, text: &SetOption) -> Result<Change, SetError> {
    Err(OptionError::NoSuchOption { name: text.name.as_str().into() }.into())
}

#[cfg(test)]
mod tests {
    use super::table::Effect;
    use super::{Change, OPTIONS, SetError, set};
    use crate::engine::Engine;
    use crate::settings::Settings;
    use tamarin_game::evaluator::EvaluatorKind;
    use tamarin_search::{Strength, TableError, ThreadsError};
    use tamarin_uci::{Command, OptionKind, OptionSpec};

    /// Whether clients, which split option lines at these words and at blanks, read it.
    fn is_readable(spec: &OptionSpec) -> bool {
        let reserved = ["name", "type", "default", "min", "max", "var", "value"];
        let is_text = |text: &str| {
            !text.chars().any(char::is_control)
                && text.split(' ').all(|word| !word.is_empty())
                && text.to_lowercase().split(' ').all(|word| !reserved.contains(&word))
        };
        // fastchess reads a choice as one word; Banksia cuts the list at the letters `var`.
        let is_choice =
            |choice: &&str| is_text(choice) && !choice.contains(' ') && !choice.contains("var");
        is_text(spec.name)
            && match spec.kind {
                OptionKind::Spin { default, min, max } => (min..=max).contains(&default),
                OptionKind::Combo { default, choices } => {
                    choices.iter().all(is_choice) && choices.contains(&default)
                }
                OptionKind::String { default } => default.is_empty() || is_text(default),
                OptionKind::Check { .. } | OptionKind::Button => true,
            }
    }

    #[test]
    fn every_option_reads_well_to_every_client() {
        for option in &OPTIONS {
            assert!(is_readable(&option.spec), "{}", option.spec);
            let fits = match option.effect {
                Effect::Search(_) | Effect::Number(_) => {
                    matches!(option.spec.kind, OptionKind::Spin { .. })
                }
                Effect::Check(_) => matches!(option.spec.kind, OptionKind::Check { .. }),
                Effect::Button(_) => matches!(option.spec.kind, OptionKind::Button),
                Effect::Variant | Effect::Evaluator => {
                    matches!(option.spec.kind, OptionKind::Combo { .. })
                }
                Effect::Log | Effect::Text(_) => {
                    matches!(option.spec.kind, OptionKind::String { .. })
                }
            };
            assert!(fits, "{} has an effect of another kind", option.spec.name);
        }
    }

    /// Logging can be ended but not begun.
    fn no_log(path: &str) -> std::io::Result<()> {
        if path.is_empty() { Ok(()) } else { Err(std::io::ErrorKind::NotFound.into()) }
    }

    /// Sets options of one engine: what each line gave, and the engine at the end.
    fn after<'a>(
        lines: impl IntoIterator<Item = &'a str>,
    ) -> (Vec<Result<Change, SetError>>, Engine) {
        let mut engine = Engine::new().expect("one thread and 16 MiB");
        let set_line = |line: &str| {
            let Ok(Command::SetOption(text)) = line.parse() else { panic!("{line:?}") };
            set(&mut engine, no_log, &text)
        };
        (lines.into_iter().map(set_line).collect(), engine)
    }

    #[test]
    fn the_defaults_announced_are_in_force() {
        let lines: Vec<_> = OPTIONS
            .iter()
            .filter_map(|option| match option.spec.kind {
                OptionKind::Spin { default, .. } => Some((option.spec.name, default.to_string())),
                OptionKind::Check { default } => Some((option.spec.name, default.to_string())),
                OptionKind::Combo { default, .. } => Some((option.spec.name, default.to_owned())),
                _ => None,
            })
            .map(|(name, value)| format!("setoption name {name} value {value}"))
            .collect();
        let (results, mut engine) = after(lines.iter().map(String::as_str));
        assert!(results.iter().all(Result::is_ok), "{results:?}");
        assert_eq!(engine.settings, Settings::default());
        assert_eq!(engine.evaluator.kind, EvaluatorKind::default());
        assert_eq!((engine.search_engine().hash(), engine.search_engine().threads()), (16, 1));
    }

    #[test]
    fn takes_the_elo_nearest_to_one_out_of_range() {
        for (asked, elo) in [("400", 500), ("-1", 500), ("9999", 3190)] {
            let (results, engine) = after([&*format!("setoption name UCI_Elo value {asked}")]);
            assert!(matches!(&results[..], [Ok(Change::Told(_))]), "{results:?}");
            assert_eq!(engine.settings.elo, elo);
        }
    }

    #[test]
    fn errors_say_once_what_stays_in_force() {
        let (results, _) = after([
            "setoption name MultiPV value 0",
            "setoption name Book File value /missing/book.bin",
            "setoption name EvalFile value /missing/network.nnue",
            "setoption name Debug Log File value /missing/log",
            "setoption name UCI_Variant value missing",
            "setoption name VariantPath value /missing.var",
        ]);
        let mut errors: Vec<SetError> = results.into_iter().filter_map(Result::err).collect();
        assert_eq!(errors.len(), 6);
        let tables = [
            TableError::TooLarge { mib: 9999, available: 100, kept: 16 },
            TableError::Refused { mib: 9999, kept: 16 },
        ];
        errors.extend(tables.map(|source| SetError::Hash { mebibytes: 16, source }));
        let threads = [
            ThreadsError::Memory { wanted: 1024, kept: 1 },
            ThreadsError::Spawn { wanted: 1024, kept: 1, source: std::io::Error::other("limit") },
        ];
        errors.extend(threads.map(|source| SetError::Threads { threads: 1, source }));
        for error in errors {
            let text = error.to_string();
            let said = ["stays at", "unchanged", "is kept", "keeping"];
            let count: usize = said.iter().map(|words| text.matches(words).count()).sum();
            assert_eq!(count, 1, "{text}");
        }
    }

    #[test]
    fn limited_strength_outranks_the_skill_level() {
        let (_, engine) = after([
            "setoption name Skill Level value 3",
            "setoption name UCI_Elo value 2000",
            "setoption name UCI_LimitStrength value true",
        ]);
        assert_eq!(engine.settings.search_options().strength, Strength::Elo(2000));
    }
}
