//! Fitting with the program: what is written, continued and refused.

use std::fs;
use std::path::Path;

use crate::support::{
    command, folder_with_games, kill, printed, refusal, rejected, text, unfinished,
};

#[test]
fn fit_lowers_the_error_and_records_its_recipe() {
    let folder = folder_with_games("fit-recipe", 100);
    let [games, out] = ["games.viri", "values.rs"].map(|name| folder.join(name));
    let settings = ["--epochs", "12", "--batch", "500", "--result-share", "1"];
    let note = ["--note", "Won a match."];
    let fit = command(&[&["fit", text(&games), "--out", text(&out)], &settings[..], &note[..]]);
    let printed = printed(fit);
    // start: error 0.1 training, 0.2 validation
    let errors = |begin| -> [f64; 2] {
        let line = printed.lines().find(|line| line.starts_with(begin)).unwrap();
        [2, 4].map(|field| line.split(' ').nth(field).unwrap().parse().expect(line))
    };
    let ([training, validation], before) = (errors("end:"), errors("start:"));
    assert!(training < before[0] && validation < before[1], "{printed}");
    let source = fs::read_to_string(&out).unwrap();
    let weights = |source: &str| source.matches(" s(").count();
    assert_eq!(weights(&source), weights(include_str!("../../eval/src/weights/values.rs")));
    let origin = source.lines().find(|line| line.starts_with("//! Origin: ")).unwrap();
    for part in ["100 games (games.viri)", "K 0.005", "12 epochs", "after. Won a match."] {
        assert!(origin.contains(part), "{origin}");
    }
}

#[test]
fn ablation_measures_terms() {
    let folder = folder_with_games("fit-ablation", 60);
    let games = folder.join("games.viri");
    let ablation = |names: &str| {
        let settings = ["--epochs", "2", "--batch", "500", "--without", "Material", "--without"];
        command(&[&["ablation", text(&games)], &settings[..], &[names]])
    };
    let printed = printed(ablation("Mobility: knight, Space"));
    let change = |name: &str| -> f64 {
        let line = printed.lines().find(|line| line.contains(name)).expect(&printed);
        line.split(' ').next().unwrap().parse().expect(line)
    };
    assert!(change("without Material (7 weights)") > 0.001, "{printed}");
    assert!(change("Space (10 weights)") < change("Material"), "{printed}");
    rejected(ablation("Mobility: king"), "\"Mobility: king\"");
}

#[test]
fn interrupted_fit_ends_where_another_does() {
    let folder = folder_with_games("fit-interrupted", 60);
    let [games, whole, cut] = ["games.viri", "whole.rs", "cut.rs"].map(|name| folder.join(name));
    let state = folder.join("cut.rs.fit.json");
    let fit = |out: &Path, more: &[&str]| {
        let settings = ["--batch", "200", "--threads", "2", "--epochs", "30"];
        command(&[&["fit", text(&games), "--out", text(out)], &settings[..], more])
    };
    printed(fit(&whole, &[]));
    let child = unfinished(fit(&cut, &[]), &state);
    let second = refusal(fit(&cut, &[]));
    kill(child);
    assert!(second.contains("cut.rs is in use by another process"), "{second}");
    // Another fit does not go on from there.
    for other in [["--min-ply", "17"], ["--final-rate", "0.02"]] {
        rejected(fit(&cut, &other), "its recipe is");
    }
    let again = printed(fit(&cut, &[]));
    assert!(again.contains("resuming after epoch "), "{again}");
    assert_eq!(fs::read_to_string(&whole).unwrap(), fs::read_to_string(&cut).unwrap());
    assert!(!state.exists());
}

#[test]
fn rejects_what_cannot_be_fitted() {
    let folder = folder_with_games("fit-empty", 3);
    let [games, out] = ["games.viri", "values.rs"].map(|name| folder.join(name));
    let said =
        |more: &str| refusal(command(&[&["fit", text(&games), "--out", text(&out)], &[more]]));
    let empty = said("--min-ply=5000");
    assert!(empty.contains("the games hold 0 positions"), "{empty}");
    let numbers = ["--rate=nan", "--rate=1e38", "--final-rate=-1", "--k=0", "--result-share=1.5"];
    for number in numbers {
        let said = said(number);
        assert!(said.contains("it has to be a number "), "{said}");
    }
    let broken = said("--note=Won\npub const A: u8 = 0;");
    assert!(broken.contains("column 4 is '\\n': a note has no line breaks"), "{broken}");
    // No fit can judge checks.
    assert!(said("--checks").contains("unexpected argument '--checks'"));
    assert!(!out.exists());
}

#[test]
fn diverged_weights_are_not_written() {
    let folder = folder_with_games("fit-diverged", 60);
    let [games, out, state] =
        ["games.viri", "values.rs", "values.rs.fit.json"].map(|name| folder.join(name));
    let settings = ["--batch", "200", "--epochs", "2", "--regularization", "3e38"];
    rejected(
        command(&[&["fit", text(&games), "--out", text(&out)], &settings[..]]),
        "epoch 1: a weight of \"",
    );
    assert!(!out.exists() && !state.exists());
}

#[test]
fn wdl_prints_constants_of_the_games() {
    let folder = folder_with_games("fit-wdl", 30);
    let printed = printed(command(&[&["wdl", text(&folder.join("games.viri"))]]));
    assert!(printed.contains("half of the games are won at "), "{printed}");
    for name in ["HALF_WON", "SPREAD"] {
        let begin = format!("\nconst {name}: Parameter = Parameter {{ full: ");
        assert_eq!(printed.matches(&begin).count(), 2, "{printed}");
        assert!(include_str!("../../eval/src/wdl.rs").contains(&begin), "{begin}");
    }
    rejected(
        command(&[&["wdl", text(&folder.join("games.viri")), "--min-ply", "5000"]]),
        "the score does not tell who wins",
    );
}
