//! Training networks with the program: what is written, continued and refused.

use std::fs;
use std::path::Path;
use std::process::Command;

use tamarin_eval::network::Network;

use crate::support::{
    command, folder_with_games, kill, printed, refusal, rejected, text, unfinished,
};

/// Trains a small network in a folder.
fn train(folder: &Path, out: &str, more: &[&str]) -> Command {
    let (games, out) = (folder.join("games.viri"), folder.join(out));
    let settings = ["--batch", "300", "--rate", "0.01"];
    command(&[&["net", text(&games), "--out", text(&out)], &settings[..], more])
}

fn network(path: &Path) -> Network {
    Network::from_bytes(&fs::read(path).unwrap()).unwrap()
}

/// The errors on the validation in the line of an evaluation: on targets and on results.
fn errors(printed: &str, evaluation: &str) -> [f64; 2] {
    let line = printed.lines().find(|line| line.starts_with(evaluation)).expect(printed);
    let mut fields =
        line[evaluation.len()..].split_whitespace().map(|field| field.parse().unwrap());
    [fields.next().unwrap(), fields.next().unwrap()]
}

#[test]
fn network_is_trained_compared_and_trained_further() {
    let folder = folder_with_games("net-further", 100);
    let more = ["--epochs", "6", "--width", "32", "--note", "Of tests."];
    let first = printed(train(&folder, "first.net", &more));
    let found = network(&folder.join("first.net"));
    assert_eq!((found.width(), found.buckets()), (32, 1));
    for part in
        ["of 100 games, 6 epochs, rate 0.01", "lambda 0.15", "targets of the validation. Of tests."]
    {
        assert!(found.description().contains(part), "{}", found.description());
    }
    let epochs: Vec<f64> = first
        .lines()
        .skip_while(|line| !line.starts_with("epoch"))
        .skip(1)
        .map_while(|line| line.split_whitespace().nth(1)?.parse().ok())
        .collect();
    assert!(epochs.len() == 6 && epochs[5] < epochs[0] / 1.5, "{first}");
    let [real, quantized] = ["network", "quantized"].map(|name| errors(&first, name));
    assert!((real[0] - quantized[0]).abs() < 2e-3 && real != quantized, "{first}");
    assert!(errors(&first, "hand-crafted")[0] < errors(&first, "hand-crafted")[1], "{first}");

    let start = folder.join("first.net");
    let more = ["--from", text(&start), "--scores", "hand-crafted", "--epochs", "1"];
    printed(train(&folder, "more.net", &more));
    let found = network(&folder.join("more.net"));
    let parts = ["of 100 games with hand-crafted scores, 1 epochs", " from first.net: "];
    assert!(parts.iter().all(|part| found.description().contains(part)), "{}", found.description());
    assert!(!found.description().contains("lambda"), "{}", found.description());

    let more = ["--from", text(&start), "--epochs", "1"];
    let again = printed(train(&folder, "again.net", &more));
    assert!(errors(&again, "network")[0] < 1.2 * real[0], "{first}{again}");
}

#[test]
fn interrupted_training_ends_where_another_does() {
    let folder = folder_with_games("net-interrupted", 60);
    let state = folder.join("cut.net.net.json");
    let cut = |epochs: &str, width: &str, min_ply: &str| {
        let more = ["--epochs", epochs, "--width", width, "--min-ply", min_ply];
        train(&folder, "cut.net", &more)
    };
    let more = ["--threads", "1", "--epochs", "40", "--width", "32"];
    printed(train(&folder, "whole.net", &more));
    let child = unfinished(cut("40", "32", "10"), &state);
    let second = refusal(cut("40", "32", "10"));
    kill(child);
    assert!(second.contains("cut.net is in use by another process"), "{second}");
    // Another training does not go on from there.
    for other in [cut("41", "32", "10"), cut("40", "64", "10"), cut("40", "32", "17")] {
        rejected(other, "its recipe is");
    }
    let again = printed(cut("40", "32", "10"));
    assert!(again.contains("resuming after epoch "), "{again}");
    let bytes = |name| fs::read(folder.join(name)).unwrap();
    assert!(bytes("whole.net") == bytes("cut.net"));
    assert!(!state.exists());
    fs::write(&state, "{").unwrap();
    assert!(refusal(cut("40", "32", "10")).contains("is no state of a training"));
}

#[test]
fn positions_beyond_the_memory_are_on_disk_and_found_again() {
    let folder = folder_with_games("net-disk", 500);
    let [state, dealt] =
        ["cut.net.net.json", "cut.net.positions.json"].map(|name| folder.join(name));
    let cut = |out: &str, more: &[&str]| {
        let settings = ["--memory", "1", "--epochs", "6", "--width", "32"];
        train(&folder, out, &[&settings[..], more].concat())
    };
    let whole = printed(cut("whole.net", &["--threads", "1"]));
    assert!(whole.contains(" parts on disk"), "{whole}");
    kill(unfinished(cut("cut.net", &[]), &state));
    // Neither other positions nor damaged ones are learned from.
    rejected(cut("cut.net", &["--mean-of", "2"]), "positions.json: its recipe is");
    let part = folder.join("cut.net.positions.1");
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[1..]).unwrap();
    let said = refusal(cut("cut.net", &[]));
    assert!(said.contains("cut.net.positions.1 is damaged; remove "), "{said}");
    fs::write(&part, bytes).unwrap();
    let games = fs::read(folder.join("games.viri")).unwrap();
    let mut others = games.clone();
    // The score of the last move of the last game.
    let score = games.len() - 6;
    others[score] ^= 1;
    fs::write(folder.join("games.viri"), others).unwrap();
    rejected(cut("cut.net", &[]), "positions.json: its summary of games is");
    fs::write(folder.join("games.viri"), games).unwrap();

    let again = printed(cut("cut.net", &[]));
    assert!(again.contains("resuming after epoch "), "{again}");
    let bytes = |name| fs::read(folder.join(name)).unwrap();
    assert!(bytes("whole.net") == bytes("cut.net"));
    assert!(!dealt.exists() && !part.exists() && !state.exists());
    // In memory the order is another one.
    let all = ["--epochs", "6", "--width", "32"];
    assert!(!printed(train(&folder, "memory.net", &all)).contains("on disk"));
    assert!(bytes("memory.net") != bytes("whole.net"));
}

#[test]
fn king_buckets_are_trained_and_added_to_an_initial_network() {
    let folder = folder_with_games("net-kings", 60);
    let more = ["--epochs", "2", "--width", "32", "--buckets", "8"];
    printed(train(&folder, "plain.net", &more));
    let start = folder.join("plain.net");
    let more = ["--from", text(&start), "--king-buckets", "4", "--epochs", "2"];
    let said = printed(train(&folder, "four.net", &more));
    let found = network(&folder.join("four.net"));
    assert_eq!((found.width(), found.buckets(), found.king_buckets()), (32, 8, 4));
    let [real, quantized] = ["network", "quantized"].map(|name| errors(&said, name));
    assert!((real[0] - quantized[0]).abs() < 2e-3, "{said}");
    let four = folder.join("four.net");
    rejected(
        train(&folder, "x.net", &["--from", text(&four), "--king-buckets", "1"]),
        "four.net has width 32, 8 output and 4 king buckets",
    );
    printed(train(&folder, "more.net", &["--from", text(&four), "--epochs", "1"]));
    assert_eq!(network(&folder.join("more.net")).king_buckets(), 4);
    rejected(
        train(&folder, "x.net", &["--king-buckets", "3"]),
        "it has 3 king buckets, not 1 or 4",
    );
}

#[test]
fn weights_decay_to_zero_or_to_those_of_the_initial_network() {
    let folder = folder_with_games("net-decay", 60);
    printed(train(&folder, "first.net", &["--width", "32", "--king-buckets", "4"]));
    let start = folder.join("first.net");
    // Each step takes back all that the steps before it have changed.
    let again = |out: &str, more: &[&str]| {
        let (games, out) = (folder.join("games.viri"), folder.join(out));
        let files = ["net", text(&games), "--out", text(&out), "--from", text(&start)];
        let rates = ["--rate", "0.0001", "--final-rate", "0.0001", "--warm-up", "0"];
        let settings = ["--batch", "300", "--epochs", "1", "--decay", "10000"];
        printed(command(&[&files[..], &rates, &settings, more]));
    };
    again("zero.net", &[]);
    again("kept.net", &["--decay-to-initial"]);
    let weights = |name| network(&folder.join(name)).parameters().feature_weights;
    assert!(weights("zero.net").iter().all(|&weight| weight == 0));
    assert!(weights("kept.net") == weights("first.net"));
    assert!(weights("kept.net").iter().any(|&weight| weight != 0));

    rejected(train(&folder, "x.net", &["--decay-to-initial"]), "--from");
}

#[test]
fn rejects_what_makes_no_network_before_the_work() {
    let folder = folder_with_games("net-refused", 2);
    let said = |more: &[&str]| refusal(train(&folder, "out.net", more));
    assert!(said(&["--width", "40"]).contains("its width is 40"));
    assert!(said(&["--buckets", "3"]).contains("it has 3 output buckets"));
    let note = "x".repeat(256);
    assert!(said(&["--note", &note]).contains("its description has "));
    assert!(said(&["--min-ply", "5000"]).contains("the games hold 0 positions"));

    let [missing, foreign, small] =
        ["missing.net", "foreign.net", "small.net"].map(|name| folder.join(name));
    assert!(said(&["--from", text(&missing)]).contains("missing.net"));
    fs::write(&foreign, "1. e4").unwrap();
    assert!(said(&["--from", text(&foreign)]).contains("foreign.net: it is not a network"));
    assert!(!folder.join("out.net").exists());

    fs::write(&small, tiny().to_bytes()).unwrap();
    let other = said(&["--from", text(&small), "--width", "64"]);
    assert!(other.contains("small.net has width 32, 1 output and 1 king buckets"), "{other}");
}

#[test]
fn diverged_parameters_are_not_written() {
    let folder = folder_with_games("net-diverged", 60);
    let [games, out, state] =
        ["games.viri", "out.net", "out.net.net.json"].map(|name| folder.join(name));
    let rates = ["--rate", "100", "--warm-up", "0", "--decay", "3e38"];
    let files = ["net", text(&games), "--out", text(&out)];
    rejected(
        command(&[&files[..], &rates, &["--epochs", "2", "--width", "32"]]),
        "epoch 1: a parameter is no finite number any more",
    );
    assert!(!out.exists() && !state.exists());
}

/// A network that knows nothing.
fn tiny() -> Network {
    Network::from_parameters(tamarin_eval::network::Parameters {
        feature_weights: vec![0; 768 * 32],
        feature_biases: vec![0; 32],
        output_weights: vec![0; 64],
        output_biases: vec![0],
        ..Default::default()
    })
    .unwrap()
}
