//! Tuning with the program: what is continued, printed and refused.
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("spsa-{name}.json"));
    let _ = fs::remove_file(&path);
    path
}

fn spsa(arguments: &[&str]) -> Output {
    let mut command = support::command(&[&["spsa"], arguments]);
    // The default of --table is as seen from the top of the work tree.
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.output().expect("the program starts")
}

const QUICK: [&str; 10] = [
    "--nodes",
    "60",
    "--hash",
    "1",
    "--threads",
    "1",
    "--only",
    "razor,futility",
    "--skip",
    "capture",
];

#[test]
fn a_run_learns_is_continued_and_prints_a_patch() {
    let whole = fresh("whole");
    let run = |path: &Path, more: &[&str]| {
        let path = path.to_str().unwrap();
        spsa(&[&["--out", path, "--pairs", "12", "--rate", "0.5"], &QUICK[..], more].concat())
    };
    let output = run(&whole, &["--run", "S1"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("12 of 12 pairs at 60 nodes a move"));
    assert!(printed.contains("+++ b/base/src/params/table.rs\n"));
    assert!(printed.contains(", from Run(\"S1\");"), "nothing moved: {printed}");
    assert!(printed.contains("razor_base, int, ") && !printed.contains("capture"));
    // Nothing is left to play: the same again, and with one thread the seed decides.
    assert_eq!(String::from_utf8(run(&whole, &["--run", "S1"]).stdout).unwrap(), printed);
    let again = fresh("again");
    assert_eq!(String::from_utf8(run(&again, &["--run", "S1"]).stdout).unwrap(), printed);
    // A state with pairs left is gone on with.
    let text = fs::read_to_string(&whole).unwrap();
    let cut = text.replace("\"played\": 12", "\"played\": 9");
    let cut = |next: &str| {
        let cut = cut.replace("\"next\": 12", next);
        assert!(cut.contains("\"played\": 9") && cut.contains(next));
        fs::write(&whole, cut).unwrap();
    };
    cut("\"next\": 9");
    let shown = String::from_utf8(run(&whole, &["--show"]).stdout).unwrap();
    assert!(shown.starts_with("9 of 12 pairs"));
    let output = run(&whole, &[]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("12 of 12 pairs"));
    // A pair that was being played is left out, and none is played twice.
    cut("\"next\": 11");
    let output = run(&whole, &[]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("10 of 12 pairs"));
    // Other settings are another run.
    let said = String::from_utf8(run(&whole, &["--seed", "2"]).stderr).unwrap();
    assert!(said.contains("of a run with other settings"), "{said}");
    // So is another engine.
    fs::write(&whole, text.replace(tamarin_train::ENGINE, "0.0")).unwrap();
    let said = String::from_utf8(run(&whole, &[]).stderr).unwrap();
    assert!(said.contains("of a run of 0.0"), "{said}");
    // So is one of this version that was built from other sources.
    let other = text.replacen("\"fingerprint\": ", "\"fingerprint\": 1", 1);
    assert_ne!(other, text);
    fs::write(&whole, other).unwrap();
    let said = String::from_utf8(run(&whole, &[]).stderr).unwrap();
    assert!(said.contains("of an engine that searches otherwise"), "{said}");
}

#[test]
fn a_run_that_is_not_there_is_not_shown() {
    let path = fresh("none");
    let out = path.to_str().unwrap();
    let screen = ["screen", "--out", out, "--change", "razor_depth=2", "--show"];
    let screen = support::command(&[&screen]).output().expect("the program starts");
    for output in [spsa(&["--out", out, "--show"]), screen] {
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("spsa-none.json is not there: no run to show"), "{said}");
        assert!(!output.status.success() && output.stdout.is_empty());
    }
    assert!(!path.exists());
}

#[test]
fn the_usual_random_plies_may_be_given_or_left_out() {
    let path = fresh("random-plies");
    let run = |more: &[&str]| {
        let out = ["--out", path.to_str().unwrap(), "--pairs", "1"];
        spsa(&[&out, &QUICK[..], more].concat())
    };
    let output = run(&[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let kept = fs::read_to_string(&path).unwrap();
    // As earlier versions kept the state.
    let earlier = kept.replace("\"random_plies\": 8", "\"random_plies\": null");
    assert_ne!(earlier, kept);
    for state in [kept, earlier] {
        fs::write(&path, &state).unwrap();
        for given in [&["--show"][..], &["--show", "--random-plies", "8"]] {
            let output = run(given);
            assert!(output.status.success(), "{given:?} with {state}: {output:?}");
        }
        let said = String::from_utf8(run(&["--show", "--random-plies", "9"]).stderr).unwrap();
        assert!(said.contains("of a run with other settings"), "{said}");
    }
}

#[test]
fn mistakes_are_found_before_the_games() {
    let path = fresh("mistakes");
    let cases = [
        (["--only", "razor,futilty"], "no search parameter has \"futilty\" in its name"),
        (["--only", "razor,"], "no search parameter has \"\" in its name"),
        (["--skip", ""], "no search parameter has \"\" in its name"),
        (["--skip", "futilty"], "no search parameter has \"futilty\" in its name"),
        (["--table", "/nowhere"], "/nowhere"),
        (["--table", "README.md"], "the table has no line `"),
    ];
    for (mistake, message) in cases {
        let out = path.to_str().unwrap();
        let output = spsa(&[&["--out", out, "--pairs", "1"], &QUICK[..6], &mistake].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(message), "{said}");
        assert!(!path.exists(), "{mistake:?}");
    }
}

#[test]
fn games_may_have_a_clock() {
    let path = fresh("clock");
    let output = spsa(&[
        "--out",
        path.to_str().unwrap(),
        "--pairs",
        "1",
        "--tc",
        "0.2+0.01",
        "--hash",
        "1",
        "--only",
        "aspiration",
    ]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("1 of 1 pairs at 0.2+0.01 s"));
}

#[test]
fn a_clock_of_nodes_plays_the_same_games_again() {
    let run = |name: &str| {
        let path = fresh(name);
        let out = path.to_str().unwrap();
        let pace = ["--pairs", "2", "--tc", "2+0.02", "--node-time", "5", "--threads", "1"];
        let rest = ["--hash", "1", "--rate", "0.5", "--only", "time_"];
        spsa(&[&["--out", out][..], &pace, &rest].concat())
    };
    let (first, second) = (run("node-time-1"), run("node-time-2"));
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let printed = String::from_utf8_lossy(&first.stdout);
    assert!(printed.starts_with("2 of 2 pairs at 2+0.02 s, 5 nodes a millisecond"), "{printed}");
    assert_eq!(first.stdout, second.stdout);
    let without_a_clock =
        spsa(&["--out", fresh("node-time-3").to_str().unwrap(), "--node-time", "5"]);
    assert_eq!(without_a_clock.status.code(), Some(2));
}

#[test]
fn a_screening_measures_changes_and_is_continued() {
    let path = fresh("screen");
    let screen = |more: &[&str]| {
        let out = path.to_str().unwrap();
        let quick = ["--nodes", "60", "--hash", "1", "--threads", "1", "--pairs", "8"];
        support::command(&[&["screen", "--out", out], &quick[..], more]).output().unwrap()
    };
    let changes = ["--change", "razor_depth=2", "--change", "futility_base=60,futility_factor=40"];
    let output = screen(&changes);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("8 of 8 pairs at 60 nodes a move\n"), "{printed}");
    for change in ["razor_depth=2", "futility_base=60,futility_factor=40"] {
        assert_eq!(printed.lines().filter(|line| line.ends_with(change)).count(), 1, "{printed}");
    }
    // Nothing is left to play; the results are kept.
    assert_eq!(String::from_utf8(screen(&changes).stdout).unwrap(), printed);
    let said = String::from_utf8(screen(&changes[..2]).stderr).unwrap();
    assert!(said.contains("of a run with other settings"), "{said}");
    for (change, message) in [
        ("no_such=1", "there is no search parameter \"no_such\"; nothing was played"),
        ("razor_depth=99", "razor_depth must be from 1 to 8, not 99; nothing was played"),
        ("razor_depth", "a change is like razor_base=220"),
    ] {
        let output = screen(&["--change", change]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(message), "{said}");
    }
}

#[test]
fn openbench_gets_all_parameters() {
    let output = spsa(&["--openbench"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), tamarin_search::parameters().len());
    for line in printed.lines() {
        assert_eq!(line.split(", ").count(), 7, "{line}");
    }
    let output = spsa(&["--openbench", "--only", "no such name"]);
    assert!(!output.status.success());
}
