//! `tamarin analyse --explain`: reasons in every form of the report.

use serde_json::Value;

use crate::analysis::analyse::{GAMES, objects};
use crate::analysis::folder::{Folder, good};

#[test]
fn a_blunder_is_explained_in_every_form() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let report = |form: &str| {
        good(&["analyse", &games, "--explain", "-f", form, "-n", "2000", "-q", "--threads", "1"])
            .out
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    for form in ["pgn", "text", "json", "html"] {
        let text = report(form);
        assert!(text.contains("2. g4 allows mate in 1: 2... Qh4#."), "{form}: {text}");
        assert_eq!(report(form), text, "{form} is another the second time");
    }
}

#[test]
fn claims_are_there_for_programs_and_only_where_asked_for() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let explained = |options: &[&str]| -> Vec<Value> {
        let found = objects(&games, &[&["-n", "3000"], options].concat());
        found[0]["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|mv| mv["explanation"].clone())
            .collect()
    };
    assert!(explained(&[]).iter().all(Value::is_null));
    let mistakes = explained(&["--explain"]);
    let main = &mistakes[2][0];
    assert_eq!(
        (main["role"].as_str(), main["claim"]["kind"].as_str()),
        (Some("move"), Some("mate"))
    );
    assert_eq!((&main["claim"]["winner"], &main["claim"]["moves"]), (&"black".into(), &1.into()));
    assert_eq!(main["line"]["moves"], serde_json::json!(["g2g4", "d8h4"]));
    assert!(mistakes[3].is_null(), "the mate is no mistake: {}", mistakes[3]);
    let all = explained(&["--explain=all"]);
    assert!(all.iter().all(Value::is_array));
    assert_eq!(all[3][0]["text"], "2... Qh4# is checkmate.");
}

#[test]
fn positions_are_explained_by_their_best_move() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let out = good(&["analyse", fen, "--explain", "-n", "2000"]).out;
    assert!(out.contains("1. Ra8# is checkmate."), "{out}");
    let stalemate = good(&["analyse", "7k/5Q2/6K1/8/8/8/8/8 b - -", "--explain", "-n", "100"]).out;
    assert!(stalemate.contains("Black has no legal move: a draw by stalemate."), "{stalemate}");
    let folder = Folder::new();
    let start = "[FEN \"8/8/8/7N/8/8/7p/4K2k w - - 0 1\"]";
    let game = folder.file("stalemate.pgn", format!("{start}\n\n1. Kf2 1/2-1/2\n"));
    let over = good(&["analyse", &game, "--explain=all", "-f", "text", "-n", "1000"]).out;
    assert!(over.contains("draws by stalemate") && !over.contains("White's threat"), "{over}");
}
