//! Tuning the search with the program, and its parts.
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use rand::RngExt;
use support::{command, text};
use tamarin_base::params::{ParameterError, Params};
use tamarin_train::pairs::Experiment;
use tamarin_train::play::random_of;
use tamarin_train::screen::{Change, PairResult, Screening, effects};
use tamarin_train::spsa::{self, Parameter, Tuner};

fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("spsa-{name}.json"));
    let _ = fs::remove_file(&path);
    path
}

fn program(arguments: &[&[&str]]) -> std::process::Command {
    let mut command = command(arguments);
    // The default of --table is as seen from the top of the work tree.
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command
}

fn printed(arguments: &[&[&str]]) -> String {
    support::printed(program(arguments))
}

#[track_caller]
fn rejected(arguments: &[&[&str]], why: &str) {
    support::rejected(program(arguments), why);
}

const QUICK: [&str; 6] = ["--nodes", "60", "--hash", "1", "--threads", "1"];
const SOME: [&str; 4] = ["--only", "razor,futility", "--skip", "capture"];

#[test]
fn parameters_are_set_by_name() {
    let mut params = Params::new();
    assert_eq!(params.set("aspiration_width", 20), Ok(()));
    assert_eq!(params.aspiration_width(), 20);
    assert!(matches!(params.set("aspiration_width", 2000), Err(ParameterError::Range { .. })));
    assert!(matches!(params.set("no_such", 1), Err(ParameterError::Unknown(_))));
    assert_eq!(params.aspiration_width(), 20);
}

#[test]
fn run_is_continued_and_prints_a_patch() {
    let [whole, again] = ["whole", "again"].map(fresh);
    let run = |path: &Path, more: &[&str]| {
        let out = ["spsa", "--out", text(path), "--pairs", "12", "--rate", "0.5"];
        printed(&[&out, &QUICK, &SOME, more])
    };
    let first = run(&whole, &["--run", "S1"]);
    assert!(first.starts_with("12 of 12 pairs at 60 nodes a move"));
    assert!(first.contains("+++ b/base/src/params/table.rs\n"));
    assert!(first.contains(", from Run(\"S1\");"), "nothing moved: {first}");
    assert!(first.contains("razor_base, int, ") && !first.contains("capture"));
    // Nothing is left to play: the same again, and with one thread the seed decides.
    assert_eq!(run(&whole, &["--run", "S1"]), first);
    assert_eq!(run(&again, &["--run", "S1"]), first);
    // A state with pairs left is continued; a pair that was being played is left out.
    let kept = fs::read_to_string(&whole).unwrap();
    for (next, shown, end) in [("9", "9 of 12", "12 of 12"), ("11", "9 of 12", "10 of 12")] {
        let cut = kept.replace("\"played\": 12", "\"played\": 9");
        let cut = cut.replace("\"next\": 12", &format!("\"next\": {next}"));
        // As earlier versions kept the usual random plies.
        fs::write(&whole, cut.replace("\"random_plies\": 8", "\"random_plies\": null")).unwrap();
        assert!(run(&whole, &["--show", "--random-plies", "8"]).starts_with(shown));
        assert!(run(&whole, &[]).starts_with(end));
    }
    // Neither other settings nor another engine continue it.
    let rejects = |more: &[&str], why: &str| {
        let out = ["spsa", "--out", text(&whole), "--pairs", "12", "--rate", "0.5"];
        rejected(&[&out, &QUICK, &SOME, more], why);
    };
    rejects(&["--seed", "2"], "its experiment or table is another one");
    rejects(&["--show", "--random-plies", "9"], "its settings is ");
    fs::write(&whole, kept.replace(tamarin_train::ENGINE, "0.0")).unwrap();
    rejects(&[], "its engine is \"0.0\"");
    fs::write(&whole, kept.replacen("\"fingerprint\": ", "\"fingerprint\": 1", 1)).unwrap();
    rejects(&[], "its engine's node count at depth 9 is 1");
}

#[test]
fn state_of_an_earlier_run_can_be_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results/spsa-s6.json");
    rejected(&[&["spsa", "--out", text(&path), "--show"]], "its engine is \"0.1");
}

#[test]
fn missing_run_is_not_shown() {
    let path = fresh("none");
    let why = "spsa-none.json is not there: no run to show";
    rejected(&[&["spsa", "--out", text(&path), "--show"]], why);
    let screen = ["screen", "--out", text(&path), "--change", "razor_depth=2", "--show"];
    rejected(&[&screen], why);
    assert!(!path.exists());
}

#[test]
fn mistakes_are_found_before_the_games() {
    let path = fresh("mistakes");
    for (mistake, message) in [
        (["--only", "razor,futilty"], "no search parameter has \"futilty\" in its name"),
        (["--only", "razor,"], "no search parameter has \"\" in its name"),
        (["--skip", "futilty"], "no search parameter has \"futilty\" in its name"),
        (["--only", "no such name"], "no search parameter has"),
        (["--table", "/nowhere"], "/nowhere"),
        (["--table", "README.md"], "the table has no line `"),
        (["--node-time", "5"], "--tc"),
        (["--tc", "40/2+1"], "one clock for all of its moves"),
        (["--tc", "0+1"], "is not a time control"),
    ] {
        rejected(&[&["spsa", "--out", text(&path), "--pairs", "1"], &mistake], message);
        assert!(!path.exists(), "{mistake:?}");
    }
    for (change, message) in [
        ("no_such=1", "there is no search parameter \"no_such\"; nothing was played"),
        ("razor_depth=99", "razor_depth must be from 1 to 8, not 99; nothing was played"),
        ("razor_depth=3,razor_depth=5", "razor_depth is changed twice"),
        ("razor_depth", "a change is like razor_base=220"),
        ("razor_depth=1,", "a change is like razor_base=220"),
        ("razor_depth=x", "a change is like razor_base=220"),
    ] {
        rejected(&[&["screen", "--out", text(&path), "--change", change]], message);
    }
}

#[test]
fn games_may_have_a_clock_of_time_or_of_nodes() {
    let rest = ["--hash", "1", "--threads", "1", "--rate", "0.5", "--only", "time_"];
    let run = |name: &str, pairs: &str, pace: &[&str]| {
        printed(&[&["spsa", "--out", text(&fresh(name)), "--pairs", pairs], pace, &rest])
    };
    let timed = run("clock", "1", &["--tc", "0.2+0.01"]);
    assert!(timed.starts_with("1 of 1 pairs at 0.2+0.01 s"), "{timed}");
    let nodes = ["--tc", "2+0.02", "--node-time", "5"];
    let first = run("node-time-1", "2", &nodes);
    assert!(first.starts_with("2 of 2 pairs at 2+0.02 s, 5 nodes a millisecond"), "{first}");
    assert_eq!(run("node-time-2", "2", &nodes), first);
}

#[test]
fn screening_measures_changes_and_is_continued() {
    let path = fresh("screen");
    let out = ["screen", "--out", text(&path), "--pairs", "24", "--nodes", "200", "--hash", "1"];
    let changes = ["--change", "razor_depth=2", "--change", "futility_base=60,futility_factor=40"];
    let first = printed(&[&out, &changes]);
    assert!(first.starts_with("24 of 24 pairs at 200 nodes a move\n"), "{first}");
    for change in ["razor_depth=2", "futility_base=60,futility_factor=40"] {
        assert_eq!(first.lines().filter(|line| line.ends_with(change)).count(), 1, "{first}");
    }
    // Nothing is left to play; the results are kept.
    assert_eq!(printed(&[&out, &changes]), first);
    rejected(&[&out, &changes[..2]], "its experiment or table is another one");
}

#[test]
fn openbench_gets_all_parameters() {
    let lines = printed(&[&["spsa", "--openbench"]]);
    assert_eq!(lines.lines().count(), tamarin_search::parameters().len());
    assert!(lines.lines().all(|line| line.split(", ").count() == 7), "{lines}");
}

fn parameter(name: &str, start: i32, range: [i32; 2], step: f64, value: f64) -> Parameter {
    let [min, max] = range;
    Parameter { name: name.to_owned(), start, min, max, step, value }
}

#[test]
fn patch_changes_what_moved() {
    const TABLE: &str = "tunables! {
    /// Razoring: greatest depth.
    razor_depth = 4, 1 => 8, step 1, from ByHand;
    /// Razoring: margin at depth zero.
    razor_base = 200, 50 => 500, step 25, from Engine(\"Weiss (227)\");
}
";
    let parameters = [
        parameter("razor_depth", 4, [1, 8], 1.0, 4.3),
        parameter("razor_base", 200, [50, 500], 25.0, 187.6),
    ];
    let path = Path::new("t.rs");
    assert_eq!(
        spsa::patch(path, TABLE, &parameters, Some("S7")).unwrap(),
        "--- a/t.rs\n+++ b/t.rs\n@@ -5 +5 @@\n\
         -    razor_base = 200, 50 => 500, step 25, from Engine(\"Weiss (227)\");\n\
         +    razor_base = 188, 50 => 500, step 25, from Run(\"S7\");\n"
    );
    let kept = spsa::patch(path, TABLE, &parameters, None).unwrap();
    assert!(kept.contains("+    razor_base = 188, 50 => 500, step 25, from Engine"));
    let other = TABLE.replace("razor_depth = 4", "razor_depth = 5");
    assert!(spsa::patch(path, &other, &parameters, None).is_err());
    let openbench = spsa::openbench(&parameters, 0.002);
    assert!(openbench.starts_with("razor_depth, int, 4.3, 1, 8, 1, 0.002\n"), "{openbench}");
    // What moved most comes first.
    let names = spsa::summary(&parameters);
    let names: Vec<_> = names.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["razor_base", "razor_depth"]);
}

#[test]
fn table_of_this_build_can_be_patched() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../base/src/params/table.rs");
    let source = fs::read_to_string(&path).unwrap();
    let mut all: Vec<_> = tamarin_search::parameters().iter().map(Parameter::from).collect();
    all.iter_mut().for_each(|parameter| parameter.value += 1.0);
    let patch = spsa::patch(&path, &source, &all, Some("S1")).unwrap();
    assert_eq!(patch.matches("\n@@ ").count(), all.len());
    assert_eq!(patch.matches("from Run(\"S1\");\n").count(), all.len());
}

fn tuner(pairs: u64) -> Tuner {
    let parameters =
        vec![parameter("a", 50, [0, 200], 4.0, 50.0), parameter("b", 120, [0, 200], 8.0, 120.0)];
    Tuner { parameters, pairs, played: 0, rate: 0.002, seed: 3 }
}

#[test]
fn tuner_finds_the_best_values_in_spite_of_noise() {
    // Whoever is nearer to a = 80, b = 70 scores a little more; luck counts far more.
    let mut tuner = tuner(60_000);
    let strength = |values: &[i32]| {
        let squares = f64::from(values[0] - 80).powi(2) + f64::from(values[1] - 70).powi(2);
        -squares / 2_000.0
    };
    for pair in 0..tuner.pairs {
        let mut random = random_of(tuner.seed, pair);
        let tried = tuner.sides(pair, &mut random);
        let chance = 0.5 + (strength(&tried.plus) - strength(&tried.minus)) / 4.0;
        let mut game = || if random.random_bool(chance.clamp(0.0, 1.0)) { 1.0 } else { -1.0 };
        let lead = game() + game();
        tuner.learn(&tried, lead);
    }
    let [a, b] = [0, 1].map(|index| tuner.parameters[index].value);
    assert!((a - 80.0).abs() < 6.0 && (b - 70.0).abs() < 10.0, "{a} {b}");
}

#[test]
fn perturbations_shrink_to_the_step_and_round_right_on_average() {
    let mut tuner = tuner(1_000);
    let spread = |pair| {
        let tried = tuner.sides(pair, &mut random_of(tuner.seed, pair));
        let middle = f64::from(tried.plus[1] + tried.minus[1]) / 2.0;
        assert!((middle - 120.0).abs() <= 1.0, "{tried:?}");
        f64::from((tried.plus[1] - tried.minus[1]).abs()) / 2.0
    };
    assert!((spread(0) - 16.0).abs() <= 1.0 && (spread(999) - 8.0).abs() <= 1.0);
    tuner.parameters[0].value = 50.25;
    let sum = |pair| {
        let tried = tuner.sides(pair, &mut random_of(tuner.seed, pair));
        tried.plus[0] + tried.minus[0]
    };
    let mean = f64::from((0..1_000).map(sum).sum::<i32>()) / 2_000.0;
    assert!((mean - 50.25).abs() < 0.04, "{mean}");
}

#[test]
fn wins_move_values_within_their_range_and_draws_do_not() {
    let mut tuner = tuner(10);
    let before = tuner.parameters.clone();
    let tried = tuner.sides(0, &mut random_of(tuner.seed, 0));
    tuner.learn(&tried, 0.0);
    assert_eq!(tuner.parameters, before);
    tuner.learn(&tried, 1.0);
    for (index, before) in before.iter().enumerate() {
        let toward = tuner.parameters[index].value - before.value;
        assert!(toward * f64::from(tried.plus[index] - tried.minus[index]) > 0.0);
    }
    tuner.rate = 10.0;
    for pair in 0..10 {
        let tried = tuner.sides(pair, &mut random_of(tuner.seed, pair));
        assert!(tried.plus.iter().chain(&tried.minus).all(|value| (0..=200).contains(value)));
        tuner.learn(&tried, 2.0);
        assert!(tuner.parameters.iter().all(|p| (0.0..=200.0).contains(&p.value)));
    }
}

fn screening(changes: &[&str], pairs: u64) -> Screening {
    let changes: Vec<Change> = changes.iter().map(|text| text.parse().unwrap()).collect();
    Screening::new(&changes, pairs, 7).unwrap()
}

#[test]
fn worth_of_changes_is_found() {
    let mut run = screening(&["razor_depth=3", "iir_depth=5", "probcut_depth=6"], 600);
    let drawn = |pair| PairResult { pair, lead: 0.0 };
    let drawn = Screening { results: (0..100).map(drawn).collect(), ..run.clone() };
    for run in [&run, &drawn] {
        assert!(run.table().starts_with("too few pairs"), "{}", run.table());
    }
    for pair in 0..600 {
        let mut random = random_of(run.seed(), pair);
        let sides = run.sides(pair, &mut random);
        // The second change wins a game in ten, the third loses one in twenty; luck counts more.
        let luck = if random.random() { 1.0 } else { -1.0 };
        let lead = 0.4 * sides.directions[1] - 0.2 * sides.directions[2] + luck;
        run.learn(&sides, lead);
    }
    let table = run.table();
    let changes: Vec<_> = table.lines().skip(1).map(|line| &line[16..]).collect();
    assert_eq!(changes, ["iir_depth=5", "razor_depth=3", "probcut_depth=6"], "{table}");
    // 0.4 points of a pair are 0.1 a game: 60 % of the points, 70 Elo.
    let elo: f64 = table.lines().nth(1).unwrap()[..7].trim().parse().unwrap();
    assert!((55.0..85.0).contains(&elo), "{table}");
}

#[test]
fn effects_are_least_squares_with_their_errors() {
    // Not balanced: the first change goes up more often when the second does.
    let directions = [(1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    // By hand: products [[5, 1], [1, 5]], inverse [[5, -1], [-1, 5]] / 24.
    let mut one = directions.map(|(a, b)| (vec![a, b], 0.0));
    one[0].1 = 1.0;
    let value = 4.0 / 24.0;
    let rest = (1.0_f64 - 2.0 * value).powi(2) + (2.0 * value).powi(2) * 2.0;
    let error = 1.959_964 * (rest / 3.0 * 5.0 / 24.0).sqrt();
    for effect in effects(&one).unwrap() {
        assert!((effect.value - value).abs() < 1e-12 && (effect.error - error).abs() < 1e-6);
    }
    // Too few rows, or changes that always go together, say nothing.
    assert_eq!(effects(&[]).or(effects(&one[..2])), None);
    let together: Vec<_> = [1.0, -1.0, 1.0].map(|a| (vec![a, a], a)).to_vec();
    assert_eq!(effects(&together), None);
}
