//! Fitting with the program: what is written, continued and refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of a test's own with a few quick games in it.
fn folder(name: &str, games: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fit-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    let file = path.join("games.viri");
    let output = train(&[&[
        "datagen",
        "--nodes",
        "50",
        "--hash",
        "1",
        "--games",
        games,
        "--out",
        text(&file),
    ][..]]);
    assert!(output.status.success());
    path
}

fn command(arguments: &[&[&str]]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
    command.args(arguments.concat()).stdin(Stdio::null());
    command
}

fn train(arguments: &[&[&str]]) -> Output {
    command(arguments).output().expect("the program starts")
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The numbers after `validation` are errors; this is the one of the line that begins so.
fn validation_error(printed: &str, begin: &str) -> f64 {
    let line = printed.lines().find(|line| line.starts_with(begin)).expect(printed);
    let field = line.split(' ').rev().nth(1).unwrap();
    field.parse().expect(line)
}

#[test]
fn a_fit_lowers_the_error_and_tells_its_recipe() {
    let folder = folder("recipe", "60");
    let [games, out] = ["games.viri", "values.rs"].map(|name| folder.join(name));
    let settings = ["--epochs", "12", "--batch", "500", "--result-share", "1"];
    let note = ["--note", "Won a match."];
    let output = train(&[&["fit", text(&games), "--out", text(&out)], &settings[..], &note[..]]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let training = |begin| {
        let line = printed.lines().find(|line| line.starts_with(begin)).unwrap();
        line.split(' ').nth(2).unwrap().parse::<f64>().unwrap()
    };
    assert!(training("end:") < training("start:"), "{printed}");
    assert!(validation_error(&printed, "end:") > 0.0);
    let source = fs::read_to_string(&out).unwrap();
    let weights = |source: &str| source.matches(" s(").count();
    assert_eq!(weights(&source), weights(include_str!("../../eval/src/weights/values.rs")));
    let origin = source.lines().find(|line| line.starts_with("//! Origin: ")).unwrap();
    for part in ["60 games (games.viri)", "K 0.005", "12 epochs", "after. Won a match."] {
        assert!(origin.contains(part), "{origin}");
    }
}

#[test]
fn an_ablation_tells_what_terms_are_worth() {
    let folder = folder("ablation", "25");
    let games = folder.join("games.viri");
    let ablation = |names: &str| {
        let settings = ["--epochs", "2", "--batch", "500", "--without", "Material", "--without"];
        train(&[&["ablation", text(&games)], &settings[..], &[names]])
    };
    let output = ablation("Mobility: knight, Space");
    let printed = String::from_utf8(output.stdout).unwrap();
    let change = |name: &str| -> f64 {
        let line = printed.lines().find(|line| line.contains(name)).expect(&printed);
        line.split(' ').next().unwrap().parse().expect(line)
    };
    assert!(change("without Material (7 weights)") > 0.001, "{printed}");
    assert!(change("Space (10 weights)") < change("Material"), "{printed}");
    let output = ablation("Mobility: king");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("\"Mobility: king\""), "{said}");
}

#[test]
fn an_interrupted_fit_ends_where_another_does() {
    let folder = folder("interrupted", "40");
    let [games, whole, cut] = ["games.viri", "whole.rs", "cut.rs"].map(|name| folder.join(name));
    let state = folder.join("cut.rs.fit.json");
    let fit = |out: &Path, more: &[&str]| {
        let settings = ["--batch", "200", "--threads", "2", "--epochs"];
        let more = if more.is_empty() { &["300"] } else { more };
        let mut command =
            command(&[&["fit", text(&games), "--out", text(out)], &settings[..], more]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    assert!(fit(&whole, &[]).status().unwrap().success());
    let mut child = fit(&cut, &[]).spawn().unwrap();
    let begin = Instant::now();
    while !state.exists() {
        assert!(begin.elapsed() < Duration::from_secs(120), "no state is kept");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Another fit does not go on from there.
    let other = fit(&cut, &["301"]).output().unwrap();
    assert!(String::from_utf8_lossy(&other.stderr).contains("with other games or settings"));
    let again = fit(&cut, &[]).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stdout).contains("going on after epoch "));
    assert_eq!(fs::read_to_string(&whole).unwrap(), fs::read_to_string(&cut).unwrap());
    assert!(!state.exists());
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let folder = folder("empty", "3");
    let [games, out] = ["games.viri", "values.rs"].map(|name| folder.join(name));
    let output = train(&[&["fit", text(&games), "--out", text(&out), "--min-ply", "5000"]]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the games hold 0 positions"), "{said}");
    assert!(!out.exists());
}

#[test]
fn chances_are_fitted_to_games() {
    let folder = folder("wdl", "30");
    let games = folder.join("games.viri");
    let output = train(&[&["wdl", text(&games)]]);
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("half of the games are won at "), "{printed}");
    assert_eq!(printed.matches("const HALF_WON: [f64; 2] = ").count(), 2);
}
