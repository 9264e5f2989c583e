//! The table of options: how each is announced, and what setting it does.

use tamarin_search::{CONTEMPT_RANGE, DEFAULT_CONTEMPT, Engine, Millis};
use tamarin_uci::OptionSpec;
use tamarin_variant::BUILTINS;

use super::set::{
    Change, SetError, UCI_VARIANT, set_book, set_eval_file, set_hash, set_tablebases, set_threads,
    set_variants,
};
use crate::settings::Settings;
use tamarin_game::evaluator::EvaluatorKind;
use tamarin_variant_search::CHESS;

/// What setting an option does, by its kind.
pub enum Effect {
    /// A number that changes the table or the threads.
    Search(fn(&mut Engine, usize) -> Result<(), SetError>),
    /// Any other number.
    Number(fn(&mut Settings, i32)),
    Check(fn(&mut Settings, bool)),
    Button(fn(&mut Engine)),
    /// Paths.
    Text(fn(&mut crate::engine::Engine, &str) -> Result<Change, SetError>),
    /// `Debug Log File`.
    Log,
    /// `Evaluator`.
    Evaluator,
    /// `UCI_Variant`.
    Variant,
}

/// An option: how it is announced, and what setting it does.
pub struct EngineOption {
    pub spec: OptionSpec,
    pub effect: Effect,
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

const fn checked(name: &'static str, effect: fn(&mut Settings, bool)) -> EngineOption {
    EngineOption { spec: OptionSpec::check(name, true), effect: Effect::Check(effect) }
}

const fn check(name: &'static str, effect: fn(&mut Settings, bool)) -> EngineOption {
    EngineOption { spec: OptionSpec::check(name, false), effect: Effect::Check(effect) }
}

const CONTEMPT: Range =
    Range { default: DEFAULT_CONTEMPT, min: *CONTEMPT_RANGE.start(), max: *CONTEMPT_RANGE.end() };

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

/// All options but the search parameters.
pub static OPTIONS: [EngineOption; 28] = [
    spin("Hash", Range { default: 16, min: 1, max: 33_554_432 }, Effect::Search(set_hash)),
    EngineOption {
        spec: OptionSpec::button("Clear Hash"),
        effect: Effect::Button(Engine::clear_hash),
    },
    spin("Threads", Range { default: 1, min: 1, max: 1024 }, Effect::Search(set_threads)),
    spin(
        "MultiPV",
        Range { default: 1, min: 1, max: 256 },
        Effect::Number(|set, lines| set.search.multi_pv = usize::try_from(lines).unwrap_or(1)),
    ),
    check("Ponder", |set, on| set.search.ponder = on),
    spin(
        "Move Overhead",
        Range { default: 20, min: 0, max: 5000 },
        Effect::Number(|set, ms| set.search.move_overhead = Millis::from_signed(ms.into())),
    ),
    check("UCI_Chess960", |settings, on| settings.chess960 = on),
    // Before the games that come from it: clients send stored values in this order.
    EngineOption {
        spec: OptionSpec::string("VariantPath", ""),
        effect: Effect::Text(set_variants),
    },
    EngineOption {
        spec: OptionSpec::combo(UCI_VARIANT, CHESS, &VARIANTS),
        effect: Effect::Variant,
    },
    checked("Learned Evaluator", |settings, on| settings.learned = on),
    check("UCI_ShowWDL", |settings, on| settings.show_wdl = on),
    check("Raw Scores", |settings, on| settings.raw_scores = on),
    check("UCI_LimitStrength", |settings, on| settings.limit_strength = on),
    spin(
        "UCI_Elo",
        Range { default: 1320, min: 500, max: 3190 },
        Effect::Number(|settings, elo| settings.elo = u16::try_from(elo).unwrap_or(u16::MAX)),
    ),
    spin(
        "Skill Level",
        Range { default: 20, min: 0, max: 20 },
        Effect::Number(|settings, level| settings.skill = u8::try_from(level).unwrap_or(20)),
    ),
    spin("Contempt", CONTEMPT, Effect::Number(|set, cp| set.search.contempt = cp)),
    EngineOption {
        spec: OptionSpec::combo("Evaluator", NETWORK, &[NETWORK, HAND_CRAFTED]),
        effect: Effect::Evaluator,
    },
    EngineOption { spec: OptionSpec::string("EvalFile", ""), effect: Effect::Text(set_eval_file) },
    EngineOption {
        spec: OptionSpec::string("SyzygyPath", ""),
        effect: Effect::Text(set_tablebases),
    },
    spin(
        "SyzygyProbeDepth",
        Range { default: 1, min: 1, max: 100 },
        Effect::Number(|set, plies| set.search.tablebases.probe_depth = plies.unsigned_abs()),
    ),
    spin(
        "SyzygyProbeLimit",
        Range { default: 7, min: 0, max: 7 },
        Effect::Number(|set, men| set.search.tablebases.probe_limit = men.unsigned_abs()),
    ),
    EngineOption {
        spec: OptionSpec::check("Syzygy50MoveRule", true),
        effect: Effect::Check(|set, on| set.search.tablebases.fifty_move_rule = on),
    },
    spin(
        "nodestime",
        Range { default: 0, min: 0, max: 10_000 },
        Effect::Number(|set, rate| set.search.node_time = u64::try_from(rate).unwrap_or(0)),
    ),
    check("Minimal", |settings, on| settings.minimal = on),
    check("OwnBook", |settings, on| settings.own_book = on),
    EngineOption { spec: OptionSpec::string("Book File", ""), effect: Effect::Text(set_book) },
    spin(
        "Seed",
        Range { default: 0, min: 0, max: i32::MAX },
        Effect::Number(|settings, seed| settings.seed = u32::try_from(seed).unwrap_or(0)),
    ),
    EngineOption { spec: OptionSpec::string("Debug Log File", ""), effect: Effect::Log },
];
