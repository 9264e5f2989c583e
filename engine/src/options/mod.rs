//! The table of options: how each is announced, and what setting it does.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tamarin_search::{
    CONTEMPT_RANGE, DEFAULT_CONTEMPT, Idle, Millis, NetworkMemoryError, TableError,
    TablebaseReport, ThreadsError,
};
use tamarin_uci::{Excerpt, OptionError, OptionSpec, OptionValue, SetOption};
use tamarin_variant::{BUILTINS, nearest_builtin};

use crate::book::{Book, BookError, Choice};
use crate::engine::Engine;
use crate::evaluator::{self, EvaluatorChoice, EvaluatorKind, NetworkError};
use crate::output::Output;
use crate::settings::Settings;
use crate::variant_game::{CHESS, LibraryError};

/// What setting an option changed.
#[derive(Debug)]
pub enum Change {
    /// The value is in force.
    InForce,
    /// The value is in force, and there is something to say about it.
    Told(String),
    /// These tablebases are in force.
    Tablebases(TablebaseReport),
    /// The variant in force begins anew, or it is standard chess again.
    Variant,
    /// Other variants can be chosen.
    Variants {
        /// The warnings about their files.
        warnings: Vec<String>,
        /// The one in force is among them and begins anew.
        begins: bool,
    },
}

/// Why an option was not set. It keeps its value.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// There is no such option, or its value is out of range or of another type.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// There is not so much memory.
    #[error("{source}; Hash stays at {mebibytes} MiB")]
    Hash {
        /// The size in force, in MiB.
        mebibytes: usize,
        /// What failed.
        source: TableError,
    },
    /// The system does not start so many threads.
    #[error("{source}; Threads stays at {threads}")]
    Threads {
        /// The number in force.
        threads: usize,
        /// What failed.
        source: ThreadsError,
    },
    /// The log file cannot be opened.
    #[error("cannot write to {path:?} ({source}); Debug Log File unchanged")]
    Log {
        /// The path as sent.
        path: String,
        /// What failed.
        source: io::Error,
    },
    /// The file is no book.
    #[error("cannot use {path:?} as a book ({source}); Book File unchanged")]
    Book {
        /// The path as sent.
        path: String,
        /// What is wrong with it.
        source: BookError,
    },
    /// The file is no network.
    #[error("cannot use {path:?} as a network ({source}); EvalFile unchanged")]
    EvalFile {
        /// The path as sent.
        path: String,
        /// What is wrong with it.
        source: NetworkError,
    },
    /// The threads cannot evaluate by the network.
    #[error("{source}; Evaluator unchanged")]
    Evaluator {
        /// What failed.
        source: NetworkMemoryError,
    },
    /// There is no such variant.
    #[error("option UCI_Variant: {name} is not a choice, the old value is kept{hint}")]
    Variant {
        /// The name as sent.
        name: Excerpt,
        /// A name like it, if there is one.
        hint: String,
    },
    /// The files are no variants, or one of them is not.
    #[error("{0}\nVariantPath unchanged")]
    Variants(#[from] LibraryError),
    /// A parameter of the search does not take the value.
    #[cfg(feature = "tune")]
    #[error(transparent)]
    Parameter(#[from] tamarin_search::ParameterError),
}

/// What setting an option does, by its kind.
enum Effect {
    /// A number that changes the table or the threads.
    Search(fn(&mut Idle, usize) -> Result<(), SetError>),
    /// Any other number.
    Number(fn(&mut Settings, i32)),
    Check(fn(&mut Settings, bool)),
    Choice(fn(&mut Settings, &'static str)),
    Button(fn(&mut Idle)),
    /// `Debug Log File`.
    Log,
    /// `SyzygyPath`.
    Tablebases,
    /// `Book File`.
    BookFile,
    /// `Evaluator`.
    Evaluator,
    /// `EvalFile`.
    EvalFile,
    /// `UCI_Variant`.
    Variant,
    /// `VariantPath`.
    Variants,
}

struct EngineOption {
    spec: OptionSpec,
    effect: Effect,
}

/// The default and the limits of a number.
#[derive(Clone, Copy)]
struct Range {
    default: i32,
    min: i32,
    max: i32,
}

const fn spin(name: &'static str, range: Range, effect: Effect) -> EngineOption {
    EngineOption { spec: OptionSpec::spin(name, range.default, range.min, range.max), effect }
}

const fn check(name: &'static str, effect: fn(&mut Settings, bool)) -> EngineOption {
    EngineOption { spec: OptionSpec::check(name, false), effect: Effect::Check(effect) }
}

const CONTEMPT: Range =
    Range { default: DEFAULT_CONTEMPT, min: *CONTEMPT_RANGE.start(), max: *CONTEMPT_RANGE.end() };

/// The variant that is played; those of files are choices too.
pub const UCI_VARIANT: &str = "UCI_Variant";

/// The choices of `Book Choice`.
const BEST: &str = "best";
const WEIGHTED: &str = "weighted";

/// The choices of `Evaluator`.
const HAND_CRAFTED: &str = EvaluatorKind::HandCrafted.name();
const NETWORK: &str = EvaluatorKind::Network.name();

/// The choices of `UCI_Variant` that need no file.
static VARIANTS: [&str; BUILTINS.len() + 1] = {
    let mut names = [CHESS; BUILTINS.len() + 1];
    let mut i = 0;
    while i < BUILTINS.len() {
        names[i + 1] = BUILTINS[i].name;
        i += 1;
    }
    names
};

static OPTIONS: [EngineOption; 28] = [
    spin("Hash", Range { default: 16, min: 1, max: 33_554_432 }, Effect::Search(set_hash)),
    EngineOption {
        spec: OptionSpec::button("Clear Hash"),
        effect: Effect::Button(Idle::clear_hash),
    },
    spin("Threads", Range { default: 1, min: 1, max: 1024 }, Effect::Search(set_threads)),
    spin(
        "MultiPV",
        Range { default: 1, min: 1, max: 256 },
        Effect::Number(|settings, lines| settings.multi_pv = usize::try_from(lines).unwrap_or(1)),
    ),
    check("Ponder", |settings, on| settings.ponder = on),
    spin(
        "Move Overhead",
        Range { default: 20, min: 0, max: 5000 },
        Effect::Number(|settings, ms| settings.move_overhead = Millis::from_signed(ms.into())),
    ),
    check("UCI_Chess960", |settings, on| settings.chess960 = on),
    EngineOption {
        spec: OptionSpec::combo(UCI_VARIANT, CHESS, &VARIANTS),
        effect: Effect::Variant,
    },
    EngineOption { spec: OptionSpec::string("VariantPath", ""), effect: Effect::Variants },
    check("UCI_ShowWDL", |settings, on| settings.show_wdl = on),
    check("UCI_LimitStrength", |settings, on| settings.limit_strength = on),
    spin(
        "UCI_Elo",
        Range { default: 1320, min: 1320, max: 3190 },
        Effect::Number(|settings, elo| settings.elo = u16::try_from(elo).unwrap_or(u16::MAX)),
    ),
    spin(
        "Skill Level",
        Range { default: 20, min: 0, max: 20 },
        Effect::Number(|settings, level| settings.skill = u8::try_from(level).unwrap_or(20)),
    ),
    spin("Contempt", CONTEMPT, Effect::Number(|settings, cp| settings.contempt = cp)),
    EngineOption {
        spec: OptionSpec::combo("Evaluator", NETWORK, &[NETWORK, HAND_CRAFTED]),
        effect: Effect::Evaluator,
    },
    EngineOption { spec: OptionSpec::string("EvalFile", ""), effect: Effect::EvalFile },
    EngineOption { spec: OptionSpec::string("SyzygyPath", ""), effect: Effect::Tablebases },
    spin(
        "SyzygyProbeDepth",
        Range { default: 1, min: 1, max: 100 },
        Effect::Number(|settings, plies| settings.tablebases.probe_depth = plies.unsigned_abs()),
    ),
    spin(
        "SyzygyProbeLimit",
        Range { default: 7, min: 0, max: 7 },
        Effect::Number(|settings, men| settings.tablebases.probe_limit = men.unsigned_abs()),
    ),
    EngineOption {
        spec: OptionSpec::check("Syzygy50MoveRule", true),
        effect: Effect::Check(|settings, on| settings.tablebases.fifty_move_rule = on),
    },
    spin(
        "nodestime",
        Range { default: 0, min: 0, max: 10_000 },
        Effect::Number(|settings, rate| settings.node_time = u64::try_from(rate).unwrap_or(0)),
    ),
    check("Minimal", |settings, on| settings.minimal = on),
    check("OwnBook", |settings, on| settings.own_book = on),
    EngineOption { spec: OptionSpec::string("Book File", ""), effect: Effect::BookFile },
    spin(
        "Book Depth",
        Range { default: 40, min: 1, max: 1000 },
        Effect::Number(|settings, plies| settings.book_depth = u32::try_from(plies).unwrap_or(1)),
    ),
    EngineOption {
        spec: OptionSpec::combo("Book Choice", WEIGHTED, &[BEST, WEIGHTED]),
        effect: Effect::Choice(|settings, word| {
            settings.book_choice = if word == BEST { Choice::Best } else { Choice::Weighted };
        }),
    },
    spin(
        "Book Seed",
        Range { default: 0, min: 0, max: i32::MAX },
        Effect::Number(|settings, seed| settings.book_seed = u32::try_from(seed).unwrap_or(0)),
    ),
    EngineOption { spec: OptionSpec::string("Debug Log File", ""), effect: Effect::Log },
];

fn set_hash(idle: &mut Idle, mebibytes: usize) -> Result<(), SetError> {
    idle.set_hash(mebibytes).map_err(|source| SetError::Hash { mebibytes: idle.hash(), source })
}

fn set_threads(idle: &mut Idle, threads: usize) -> Result<(), SetError> {
    idle.set_threads(threads)
        .map_err(|source| SetError::Threads { threads: idle.threads(), source })
}

/// Reads a book; without a path the built-in one is used again.
fn set_book(engine: &mut Engine, path: String) -> Result<(), SetError> {
    engine.book = match path.as_str() {
        "" => None,
        path_text => match Book::read(Path::new(path_text)) {
            Ok(book) => Some(book),
            Err(source) => return Err(SetError::Book { path, source }),
        },
    };
    Ok(())
}

fn set_evaluator(engine: &mut Engine, word: &str) -> Result<(), SetError> {
    let kind = EvaluatorKind::from_name(word).expect("invariant: a choice of the option");
    engine
        .set_evaluator(engine.evaluator.of_kind(kind))
        .map_err(|source| SetError::Evaluator { source })
}

/// Reads a network; without a path the one inside the program is used again.
fn set_eval_file(engine: &mut Engine, path: String) -> Result<Change, SetError> {
    match try_eval_file(engine, &path) {
        Ok(change) => Ok(change),
        Err(source) => Err(SetError::EvalFile { path, source }),
    }
}

fn try_eval_file(engine: &mut Engine, path: &str) -> Result<Change, NetworkError> {
    let file = match path {
        "" => None,
        path => Some(Arc::new(evaluator::read(Path::new(path))?)),
    };
    let unused = match engine.evaluator.kind {
        EvaluatorKind::Network => "",
        EvaluatorKind::HandCrafted => "; not in use: Evaluator is hand-crafted",
    };
    let text = file.as_deref().map(|network| evaluator::describe(network) + unused);
    engine.set_evaluator(EvaluatorChoice { file, ..engine.evaluator.clone() })?;
    Ok(text.map_or(Change::InForce, Change::Told))
}

fn set_variant(engine: &mut Engine, name: Option<&str>) -> Result<Change, SetError> {
    let name = name.ok_or(OptionError::MissingValue { option: UCI_VARIANT })?.trim_ascii();
    if engine.set_variant(name) {
        return Ok(Change::Variant);
    }
    let near = nearest_builtin(name).map(|near| format!("; did you mean {near}?"));
    Err(SetError::Variant { name: name.into(), hint: near.unwrap_or_default() })
}

/// Reads files of variants. The one in force begins anew if it is from a file and still there; else
/// it stays in force until another one is chosen.
fn set_variants(engine: &mut Engine, paths: &str) -> Result<Change, SetError> {
    let warnings = engine.library.read(paths)?;
    let name = engine.player.as_ref().map(|player| player.name().to_owned());
    let name = name.filter(|name| engine.library.has_file(name));
    let begins = name.is_some_and(|name| engine.set_variant(&name));
    Ok(Change::Variants { warnings, begins })
}

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

/// Carries out a `setoption`; `output` holds the log.
///
/// # Errors
/// If the option keeps its value.
pub fn set(engine: &mut Engine, output: &Output, text: &SetOption) -> Result<Change, SetError> {
    let Some(option) = OPTIONS.iter().find(|option| option.spec.matches(&text.name)) else {
        return set_tunable(engine.idle(), text);
    };
    if let Effect::Variant = option.effect {
        return set_variant(engine, text.value.as_deref());
    }
    let value = option.spec.parse(text.value.as_deref())?;
    match (&option.effect, value) {
        (Effect::Search(effect), OptionValue::Spin(number)) => {
            effect(engine.idle(), usize::try_from(number).unwrap_or(1))?;
        }
        (Effect::Number(effect), OptionValue::Spin(number)) => {
            effect(&mut engine.settings, number);
        }
        (Effect::Check(effect), OptionValue::Check(on)) => effect(&mut engine.settings, on),
        (Effect::Button(effect), OptionValue::Pressed) => {
            effect(engine.idle());
            engine.clear_variant_hash();
        }
        (Effect::Log, OptionValue::String(path)) => {
            output.log_to(&path).map_err(|source| SetError::Log { path, source })?;
        }
        (Effect::Tablebases, OptionValue::String(path)) => {
            return Ok(Change::Tablebases(engine.idle().set_tablebases(&path)));
        }
        (Effect::Choice(effect), OptionValue::Choice(word)) => effect(&mut engine.settings, word),
        (Effect::BookFile, OptionValue::String(path)) => set_book(engine, path)?,
        (Effect::Evaluator, OptionValue::Choice(word)) => set_evaluator(engine, word)?,
        (Effect::EvalFile, OptionValue::String(path)) => return set_eval_file(engine, path),
        (Effect::Variants, OptionValue::String(paths)) => return set_variants(engine, &paths),
        (_, value) => unreachable!("invariant: {value:?} is no value of {}", option.spec.name),
    }
    Ok(Change::InForce)
}

#[cfg(feature = "tune")]
fn set_tunable(idle: &mut Idle, text: &SetOption) -> Result<Change, SetError> {
    let specs: Vec<_> = tunables().collect();
    let (spec, value) = tamarin_uci::resolve(&specs, text)?;
    if let OptionValue::Spin(number) = value {
        idle.set_parameter(spec.name, number)?;
    }
    Ok(Change::InForce)
}

#[cfg(not(feature = "tune"))]
fn set_tunable(_: &mut Idle, text: &SetOption) -> Result<Change, SetError> {
    Err(OptionError::NoSuchOption { name: text.name.as_str().into() }.into())
}

#[cfg(test)]
mod tests {
    use super::{Change, Effect, EvaluatorKind, OPTIONS, SetError, set};
    use crate::engine::Engine;
    use crate::output::Output;
    use crate::settings::Settings;
    use tamarin_search::{Millis, Strength};
    use tamarin_uci::{Command, OptionKind};

    #[test]
    fn every_option_reads_well_to_every_client() {
        for option in &OPTIONS {
            option.spec.check_grammar().expect("the grammar of the strictest client");
            let fits = match option.effect {
                Effect::Search(_) | Effect::Number(_) => {
                    matches!(option.spec.kind, OptionKind::Spin { .. })
                }
                Effect::Check(_) => matches!(option.spec.kind, OptionKind::Check { .. }),
                Effect::Button(_) => matches!(option.spec.kind, OptionKind::Button),
                Effect::Choice(_) | Effect::Variant | Effect::Evaluator => {
                    matches!(option.spec.kind, OptionKind::Combo { .. })
                }
                Effect::Log
                | Effect::Tablebases
                | Effect::BookFile
                | Effect::EvalFile
                | Effect::Variants => {
                    matches!(option.spec.kind, OptionKind::String { .. })
                }
            };
            assert!(fits, "{} has an effect of another kind", option.spec.name);
        }
    }

    /// Sets options of one engine: what each line gave, and the engine at the end.
    fn after<'a>(
        lines: impl IntoIterator<Item = &'a str>,
    ) -> (Vec<Result<Change, SetError>>, Engine) {
        let mut engine = Engine::new().expect("one thread and 16 MiB");
        let output = Output::new(Box::new(std::io::sink()), Box::new(|| ()));
        let set_line = |line: &str| {
            let Ok(Command::SetOption(text)) = line.parse() else { panic!("{line:?}") };
            set(&mut engine, &output, &text)
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
        assert_eq!((engine.idle().hash(), engine.idle().threads()), (16, 1));
    }

    #[test]
    fn names_are_found_in_any_case_and_with_any_blanks() {
        let (results, mut engine) = after([
            "setoption name MoveOverhead value 150",
            "setoption name uci_chess960 value TRUE",
            "setoption name  HASH  value 3",
            "setoption name clear   hash",
            "setoption name Skill Level value 7",
        ]);
        assert!(results.iter().all(|one| matches!(one, Ok(Change::InForce))), "{results:?}");
        assert_eq!(engine.settings.move_overhead, Millis::new(150));
        assert!(engine.settings.chess960);
        assert_eq!(engine.idle().hash(), 3);
        assert_eq!(engine.settings.search_options().strength, Strength::Skill(7));
    }

    #[test]
    fn bad_values_change_nothing_and_are_told() {
        let (results, mut engine) = after([
            "setoption name MultiPV value 0",
            "setoption name MultiPV value many",
            "setoption name MultiPV",
            "setoption name Ponder value perhaps",
            "setoption name Hash value 33554433",
            "setoption name Hash value -1",
            "setoption name Nonsense value 1",
        ]);
        assert!(results.iter().all(Result::is_err), "{results:?}");
        assert_eq!(engine.settings, Settings::default());
        assert_eq!(engine.idle().hash(), 16);
        let last = results.last().and_then(|one| one.as_ref().err()).map(ToString::to_string);
        assert_eq!(last.as_deref(), Some("No such option: Nonsense"));
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
