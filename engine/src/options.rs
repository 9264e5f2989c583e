//! The one table of options: how each is announced, and what setting it does.

use tamarin_search::{
    CONTEMPT_RANGE, DEFAULT_CONTEMPT, Idle, Millis, Reports, SearchOptions, Strength,
};
use tamarin_uci::{OptionSpec, OptionValue, SetOption};

use crate::output::Output;

/// The options that a search is given or that shape what is printed. Those of the table and the
/// threads live in [`Idle`], so that what is in force is known in one place.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Lines of analysis, 1 to 256.
    pub multi_pv: usize,
    /// What a move costs besides thinking.
    pub move_overhead: Millis,
    /// Does the client think of using the opponent's time?
    pub ponder: bool,
    /// Print castling as king takes rook.
    pub chess960: bool,
    /// Print win, draw and loss chances.
    pub show_wdl: bool,
    /// Play at [`Self::elo`].
    pub limit_strength: bool,
    /// The rating to play at, if limited.
    pub elo: u16,
    /// 0 to 20, the last being full strength.
    pub skill: u8,
    /// What a draw is worth less than nothing in a game, in centipawns.
    pub contempt: i32,
    /// Nodes that count as a millisecond; 0 for real time.
    pub node_time: u64,
    /// Print nothing but the last line of a search.
    pub minimal: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Millis::new(20),
            ponder: false,
            chess960: false,
            show_wdl: false,
            limit_strength: false,
            elo: 1320,
            skill: 20,
            contempt: DEFAULT_CONTEMPT,
            node_time: 0,
            minimal: false,
        }
    }
}

impl Settings {
    /// What a search has to know of them.
    pub fn search_options(&self) -> SearchOptions {
        SearchOptions {
            multi_pv: self.multi_pv,
            move_overhead: self.move_overhead,
            ponder: self.ponder,
            node_time: self.node_time,
            contempt: self.contempt,
            strength: match (self.limit_strength, self.skill) {
                (true, _) => Strength::Elo(self.elo),
                (false, 20) => Strength::Full,
                (false, level) => Strength::Skill(level),
            },
            reports: if self.minimal { Reports::Minimal } else { Reports::All },
            #[cfg(feature = "inject-panic")]
            panic_at_nodes: std::env::var("TAMARIN_PANIC_AT_NODES")
                .ok()
                .and_then(|count| count.parse().ok()),
            ..SearchOptions::default()
        }
    }
}

/// Everything that setting an option may change.
pub struct Levers<'a> {
    /// The table and the threads.
    pub idle: &'a mut Idle,
    /// The rest.
    pub settings: &'a mut Settings,
    /// Where the log is switched.
    pub output: &'a Output,
}

/// What setting an option says to the user: a remark, or why nothing changed.
type Outcome = Result<Option<String>, String>;

const DONE: Outcome = Ok(None);

enum Effect {
    Spin(fn(&mut Levers<'_>, i32) -> Outcome),
    Check(fn(&mut Settings, bool)),
    Press(fn(&mut Levers<'_>)),
    Text(fn(&mut Levers<'_>, &str) -> Outcome),
    /// Taken, but without any effect yet.
    Later,
}

struct Entry {
    spec: OptionSpec,
    effect: Effect,
}

const fn spin(
    name: &'static str,
    [default, min, max]: [i32; 3],
    effect: fn(&mut Levers<'_>, i32) -> Outcome,
) -> Entry {
    Entry { spec: OptionSpec::spin(name, default, min, max), effect: Effect::Spin(effect) }
}

const fn check(name: &'static str, effect: fn(&mut Settings, bool)) -> Entry {
    Entry { spec: OptionSpec::check(name, false), effect: Effect::Check(effect) }
}

const fn later(spec: OptionSpec) -> Entry {
    Entry { spec, effect: Effect::Later }
}

static TABLE: [Entry; 19] = [
    spin("Hash", [16, 1, 33_554_432], set_hash),
    Entry {
        spec: OptionSpec::button("Clear Hash"),
        effect: Effect::Press(|on| on.idle.clear_hash()),
    },
    spin("Threads", [1, 1, 1024], set_threads),
    spin("MultiPV", [1, 1, 256], |on, value| {
        on.settings.multi_pv = usize::try_from(value).unwrap_or(1);
        DONE
    }),
    check("Ponder", |settings, on| settings.ponder = on),
    spin("Move Overhead", [20, 0, 5000], |on, value| {
        on.settings.move_overhead = Millis::from_signed(value.into());
        DONE
    }),
    check("UCI_Chess960", |settings, on| settings.chess960 = on),
    check("UCI_ShowWDL", |settings, on| settings.show_wdl = on),
    check("UCI_LimitStrength", |settings, on| settings.limit_strength = on),
    spin("UCI_Elo", [1320, 1320, 3190], |on, value| {
        on.settings.elo = u16::try_from(value).unwrap_or(u16::MAX);
        DONE
    }),
    spin("Skill Level", [20, 0, 20], |on, value| {
        on.settings.skill = u8::try_from(value).unwrap_or(20);
        DONE
    }),
    spin(
        "Contempt",
        [DEFAULT_CONTEMPT, *CONTEMPT_RANGE.start(), *CONTEMPT_RANGE.end()],
        |on, v| {
            on.settings.contempt = v;
            DONE
        },
    ),
    later(OptionSpec::string("SyzygyPath", "")),
    later(OptionSpec::spin("SyzygyProbeDepth", 1, 1, 100)),
    later(OptionSpec::spin("SyzygyProbeLimit", 7, 0, 7)),
    later(OptionSpec::check("Syzygy50MoveRule", true)),
    spin("nodestime", [0, 0, 10_000], |on, value| {
        on.settings.node_time = u64::try_from(value).unwrap_or(0);
        DONE
    }),
    check("Minimal", |settings, on| settings.minimal = on),
    Entry { spec: OptionSpec::string("Debug Log File", ""), effect: Effect::Text(set_log) },
];

fn set_hash(on: &mut Levers<'_>, mebibytes: i32) -> Outcome {
    let wanted = usize::try_from(mebibytes).unwrap_or(1);
    match on.idle.set_hash(wanted) {
        Ok(()) => DONE,
        Err(error) => Err(format!("{error}; Hash stays at {} MiB", on.idle.hash())),
    }
}

fn set_threads(on: &mut Levers<'_>, count: i32) -> Outcome {
    let wanted = usize::try_from(count).unwrap_or(1);
    match on.idle.set_threads(wanted) {
        Ok(()) => DONE,
        Err(error) => Err(format!("{error}; Threads stays at {}", on.idle.threads())),
    }
}

fn set_log(on: &mut Levers<'_>, path: &str) -> Outcome {
    match on.output.log_to(path) {
        Ok(()) => DONE,
        Err(error) => Err(format!("cannot write to {path:?} ({error}); Debug Log File unchanged")),
    }
}

/// Every option as `uci` announces it.
pub fn specs() -> impl Iterator<Item = OptionSpec> {
    TABLE.iter().map(|entry| entry.spec).chain(tunables())
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

/// Carries out a `setoption`.
///
/// # Errors
/// Why nothing changed, as one line.
pub fn set(levers: &mut Levers<'_>, text: &SetOption) -> Outcome {
    let Some(entry) = TABLE.iter().find(|entry| entry.spec.matches(&text.name)) else {
        return set_tunable(levers, text);
    };
    let value = entry.spec.parse(text.value.as_deref()).map_err(|error| error.to_string())?;
    match (&entry.effect, value) {
        (Effect::Spin(effect), OptionValue::Spin(number)) => effect(levers, number),
        (Effect::Check(effect), OptionValue::Check(on)) => {
            effect(levers.settings, on);
            DONE
        }
        (Effect::Press(effect), OptionValue::Pressed) => {
            effect(levers);
            DONE
        }
        (Effect::Text(effect), OptionValue::String(text)) => effect(levers, &text),
        (Effect::Later, _) => {
            Ok(Some(format!("{} is accepted and takes effect in a later version", entry.spec.name)))
        }
        (_, value) => unreachable!("invariant: {value:?} is no value of {}", entry.spec.name),
    }
}

#[cfg(feature = "tune")]
fn set_tunable(levers: &mut Levers<'_>, text: &SetOption) -> Outcome {
    let specs: Vec<_> = tunables().collect();
    let (spec, value) = tamarin_uci::resolve(&specs, text).map_err(|error| error.to_string())?;
    let OptionValue::Spin(number) = value else { return DONE };
    match levers.idle.set_parameter(spec.name, number) {
        Ok(()) => DONE,
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(not(feature = "tune"))]
fn set_tunable(_: &mut Levers<'_>, text: &SetOption) -> Outcome {
    let name = text.name.as_str().into();
    Err(tamarin_uci::OptionError::NoSuchOption { name }.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Effect, Levers, Settings, TABLE, set};
    use crate::output::Output;
    use tamarin_search::{Idle, Millis, Strength};
    use tamarin_uci::{Command, OptionKind};

    #[test]
    fn every_option_reads_well_to_every_client() {
        for entry in &TABLE {
            entry.spec.check_grammar().expect("the grammar of the strictest client");
            let fits = match entry.effect {
                Effect::Spin(_) => matches!(entry.spec.kind, OptionKind::Spin { .. }),
                Effect::Check(_) => matches!(entry.spec.kind, OptionKind::Check { .. }),
                Effect::Press(_) => matches!(entry.spec.kind, OptionKind::Button),
                Effect::Text(_) => matches!(entry.spec.kind, OptionKind::String { .. }),
                Effect::Later => true,
            };
            assert!(fits, "{} has an effect of another kind", entry.spec.name);
        }
    }

    /// Sets options in one engine; what was said, line by line, and the settings at the end.
    fn after(lines: &[&str]) -> (Vec<Result<Option<String>, String>>, Settings, usize) {
        let mut idle = Idle::new().expect("one thread and 16 MiB");
        let mut settings = Settings::default();
        let output = Output::new(Box::new(std::io::sink()), Box::new(|| ()));
        let mut said = Vec::new();
        for line in lines {
            let Ok(Command::SetOption(text)) = line.parse() else { panic!("{line:?}") };
            let mut levers = Levers { idle: &mut idle, settings: &mut settings, output: &output };
            said.push(set(&mut levers, &text));
        }
        (said, settings, idle.hash())
    }

    #[test]
    fn names_are_found_in_any_case_and_with_any_blanks() {
        let (said, settings, hash) = after(&[
            "setoption name MoveOverhead value 150",
            "setoption name uci_chess960 value TRUE",
            "setoption name  HASH  value 3",
            "setoption name clear   hash",
            "setoption name Skill Level value 7",
        ]);
        assert!(said.iter().all(|one| *one == Ok(None)), "{said:?}");
        assert_eq!(settings.move_overhead, Millis::new(150));
        assert!(settings.chess960);
        assert_eq!(hash, 3);
        assert_eq!(settings.search_options().strength, Strength::Skill(7));
    }

    #[test]
    fn bad_values_change_nothing_and_are_told() {
        let (said, settings, hash) = after(&[
            "setoption name MultiPV value 0",
            "setoption name MultiPV value many",
            "setoption name MultiPV",
            "setoption name Ponder value perhaps",
            "setoption name Hash value 33554433",
            "setoption name Hash value -1",
            "setoption name Nonsense value 1",
        ]);
        assert!(said.iter().all(Result::is_err), "{said:?}");
        assert_eq!((settings.multi_pv, settings.ponder, hash), (1, false, 16));
        let last = said.last().and_then(|one| one.as_ref().err());
        assert_eq!(last.map(String::as_str), Some("No such option: Nonsense"));
    }

    #[test]
    fn limited_strength_outranks_the_skill_level() {
        let (_, settings, _) = after(&[
            "setoption name Skill Level value 3",
            "setoption name UCI_Elo value 2000",
            "setoption name UCI_LimitStrength value true",
        ]);
        assert_eq!(settings.search_options().strength, Strength::Elo(2000));
    }
}
