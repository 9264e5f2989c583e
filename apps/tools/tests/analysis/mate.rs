//! `tamarin mate`.

use serde_json::Value;

use crate::support::engine::run;

const IN_THREE: &str = "5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1";

fn answer(arguments: &[&str], wanted: i32) -> String {
    let finished = run(&[&["mate"], arguments].concat());
    assert_eq!(finished.code(), wanted, "{arguments:?}: {}{}", finished.out, finished.err);
    finished.out
}

#[test]
fn verdict_is_shown_with_the_line_or_as_an_object() {
    let text = answer(&[IN_THREE, "5"], 0);
    for part in ["Proven: White mates in 3 moves", "not in fewer", "Line: 1. Nh6+ ", "Nf7#"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let shortest = answer(&[IN_THREE], 0);
    assert!(shortest.contains("Proven: White mates in 3 moves, whatever"), "{shortest}");
    let open = answer(&["startpos", "-n", "1000"], 3);
    assert!(open.contains("Undecided: whether White can force mate in "), "{open}");
    let text = answer(&[IN_THREE, "2"], 1);
    assert!(text.contains("Refuted: White cannot force mate in 2 moves"), "{text}");
    let text = answer(&[IN_THREE, "4", "--json", "--all"], 0);
    let found: Value = serde_json::from_str(&text).expect("a JSON object");
    assert_eq!((found["verdict"].as_str(), &found["proven"]), (Some("proven"), &3.into()));
    assert_eq!((&found["is_shortest"], &found["goal"]), (&true.into(), &4.into()));
    let line = found["line"].as_array().expect("a line");
    assert_eq!((line.len(), line[4].as_str()), (5, Some("Nf7#")));
    let first = found["first_moves"].as_array().expect("moves");
    let mates = first.iter().filter(|mv| mv["verdict"] == "proven");
    assert!(mates.map(|mv| mv["san"].clone()).any(|san| san == "Nh6+"), "{text}");
}

#[test]
fn rejects_what_is_no_position_or_number() {
    for arguments in [
        ["8/8/8/8/8/8/8/8 w - - 0 1", "3"],
        [IN_THREE, "many"],
        ["M\u{fc}ll", "3"],
        [&"x".repeat(100_000), "3"],
    ] {
        let finished = run(&[&["mate"], &arguments[..]].concat());
        assert_eq!(finished.code(), 2, "{}{}", finished.out, finished.err);
        assert!(finished.err.starts_with("error: ") && finished.out.is_empty(), "{}", finished.err);
    }
    let zero = run(&["mate", IN_THREE, "0"]);
    let wanted = "error: \"0\" is no number of moves: 1 to 120, or -0 to -120\n";
    assert_eq!(zero.err, wanted);
}
