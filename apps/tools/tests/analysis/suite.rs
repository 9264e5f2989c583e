//! `tamarin suite`.

use std::path::Path;

use serde_json::Value;

use crate::support::engine::{good, run};
use crate::support::files::Folder;
use crate::support::times;

/// Mates and captures that nobody misses, in two groups; one answer is wrong on purpose.
const SUITE: &str = "# easy\n\
    6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back rank.1\";\n\
    6k1/5ppp/8/8/8/8/r4PPP/R5K1 w - - am Kf1; bm Rxa2; id \"back rank.2\";\n\
    4k3/8/8/8/8/8/8/4K2R w K - bm Kd2; am Rh8+ O-O Rh7 Kd1 Ke2 Kf2 Kf1; id \"wrong.1\";\n\
    k7/8/2K5/8/8/8/8/1R6 w - - dm 2; id \"mates.1\";\n\
    k7/7R/6R1/8/8/8/8/7K b - - bm #-1; id \"mates.2\";\n\
    6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; c8 \"100 40\"; c9 \"a1a8 a1a7\"; id \"points.1\";\n";

fn json(arguments: &[&str], wanted: i32) -> Value {
    let finished = run(&[&["suite", "--json"], arguments].concat());
    assert_eq!(finished.code(), wanted, "{}{}", finished.out, finished.err);
    serde_json::from_str(&finished.out).expect("a JSON object")
}

#[test]
fn answers_are_counted_and_compared_with_the_minimum() {
    let folder = Folder::new();
    let file = folder.file("suite.epd", SUITE);
    let found = json(&[&file, "--nodes", "20000"], 0);
    let rows = found["positions"].as_array().expect("rows");
    let points: Vec<u64> = rows.iter().filter_map(|row| row["points"].as_u64()).collect();
    assert_eq!((rows.len(), &points[..2], &points[3..]), (6, &[1, 1][..], &[1, 1, 100][..]));
    let kinds: Vec<&str> = rows.iter().filter_map(|row| row["goal"].as_str()).collect();
    assert_eq!(kinds, ["moves", "moves", "moves", "mate", "mate", "points"]);
    assert_eq!(
        (rows[0]["found"].as_str(), rows[0]["wanted"].as_str()),
        (Some("Ra8#"), Some("Ra8#"))
    );
    assert_eq!((&rows[0]["score"]["mate"], &rows[4]["score"]["mate"]), (&1.into(), &(-1).into()));
    let since = &rows[0]["solved_since"];
    assert!(since["depth"].as_u64() <= rows[0]["depth"].as_u64() && since["nodes"].is_u64());
    // The sums of the groups are those of all.
    let groups = found["groups"].as_array().expect("groups");
    let names: Vec<&str> = groups.iter().filter_map(|group| group["name"].as_str()).collect();
    assert_eq!(names, ["back rank", "wrong", "mates", "points"]);
    for field in ["positions", "solved", "points", "most"] {
        let sum: u64 = groups.iter().filter_map(|group| group[field].as_u64()).sum();
        assert_eq!(found["all"][field], sum, "{field}");
    }
    assert_eq!(found["all"]["most"], 105);
    for (minimum, wanted) in [("104", 0), ("95%", 0), ("106", 1)] {
        let arguments = ["suite", &file, "-n", "20000", "-q", "--minimum", minimum];
        assert_eq!(run(&arguments).code(), wanted, "{minimum}");
    }
    let found = json(&[&file, "-n", "20000", "--minimum", "1000"], 1);
    assert_eq!(found["minimum_met"], false);
}

#[test]
fn bad_lines_are_reported_with_their_number_and_the_others_are_searched() {
    let folder = Folder::new();
    let bad = "nonsense\n6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"asks for nothing\";\n\
        6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;\n6k1/5ppp/8/8/8/8/8/R3K3 w - - dm soon;\n";
    let file = folder.file("suite.epd", format!("{bad}{SUITE}"));
    let finished = run(&["suite", &file, "-n", "1000", "-q"]);
    assert_eq!(finished.code(), 1, "{}", finished.err);
    for (line, reason) in [(1, ""), (2, "neither bm"), (3, "bm: \"Ra9\""), (4, "dm: \"soon\"")] {
        assert!(finished.err.contains(&format!("line {line}: {reason}")), "{}", finished.err);
    }
    assert!(finished.out.contains("of     6 solved"), "{}", finished.out);
    let found = json(&[&file, "-n", "1000"], 1);
    assert_eq!(found["bad_lines"].as_array().map(Vec::len), Some(4));
}

#[test]
fn long_the_suites_at_hand_can_be_read_and_win_at_chess_is_mostly_solved() {
    let Some(data) = std::env::var_os("TAMARIN_TEST_DATA") else {
        println!("SKIP 1: TAMARIN_TEST_DATA names no folder");
        return;
    };
    let suites = Path::new(&data).join("suites");
    let path = |name: &str| suites.join(name).to_str().expect("a plain path").to_owned();
    for name in ["bratko_kopec", "strategic_sts", "endgame_eet", "zugzwang", "mates"] {
        good(&["suite", &path(&format!("{name}.epd")), "-n", "100", "-q", "--hash", "1"]);
    }
    // Every tenth of its positions, unless `make prove` asks for all.
    let every = times("TAMARIN_EVERY_POSITION", 10);
    let text = std::fs::read_to_string(path("win_at_chess.epd")).expect("it is there");
    let some: Vec<&str> = text.lines().step_by(every).collect();
    let file = Folder::new();
    let part = file.file("part.epd", some.join("\n") + "\n");
    let found = good(&["suite", &part, "-n", "20000", "-q", "--minimum", "65%"]);
    println!("{}", found.out);
}
