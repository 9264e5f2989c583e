//! `tamarin analyse` with good input: reports in every form, reasons (`--explain`), puzzles.

use serde_json::Value;

use crate::support::engine::{good, run};
use crate::support::files::Folder;

/// A blunder that allows mate, a missed mate, comments and variations of others.
pub const GAMES: &str = "[Event \"one\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\
    { hello } 1. f3 $14 { odd [%eval 0.0] } (1. e4 e5 (1... c5)) e5 2. g4?? Qh4# 0-1\n\n\
    [Event \"two\"]\n[White \"C\"]\n[Black \"D\"]\n[Result \"*\"]\n\n\
    1. e4 e5 2. Qh5 Nf6 3. Bc4 Nc6 4. d3 *\n\n";

/// The JSON objects of a file of games.
pub fn objects(path: &str, options: &[&str]) -> Vec<Value> {
    let finished = run(&[&["analyse", path, "--format", "json", "-q"], options].concat());
    let lines = finished.out.lines();
    lines.map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

/// A game by each program: Cute Chess, Lichess with its own analysis, ChessBase, a table of notes.
pub const OTHERS: &str = "[Event \"?\"]\n[Date \"2019.01.14\"]\n[White \"SF\"]\n[Black \"SL\"]\n[Result \"1-0\"]\n\
    [Termination \"adjudication\"]\n[TimeControl \"900+5\"]\n\n1. e4 {book} e5 {0.00/31 48s} 2. Nf3 {+0.69/29 36s} \
    f6 {-2.12/31 12s, White wins by adjudication} 1-0\n\n\
    [Event \"Rated game\"]\n[Site \"https://lichess.org/x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\
    [Annotator \"lichess.org\"]\n\n1. f3?! { (0.1 -> -0.7) Inaccuracy. e4 was best. } { [%eval -0.7] [%clk 0:03:00] } \
    (1. e4 e5 (1... c5 2. Nf3) 2. Nf3 { +0.30 here }) 1... e5 { [%eval -0.6] [%clk 0:03:00] [%cal Ge5e4] } \
    2. g4 { [%eval #-1] [%clk 0:02:58] } 2... Qh4# { [%clk 0:02:55] } { Black wins. } 0-1\n\n\
    [White \"C\"]\n[Annotator \"Me\"]\n\n{before} 1.e4  $1 e5 {mine} 2.Qh5 Nf6 $6 ; to the end\n\
    3.Bc4 Nc6 (3... Qe7 $1 {only}) *\n\n";

#[test]
fn a_second_analysis_changes_nothing_and_notes_of_others_stay() {
    // One search repeats itself only with one thread.
    const FORM: [&str; 5] = ["-f", "pgn", "-q", "--threads", "1"];
    let folder = Folder::new();
    let games = folder.file("games.pgn", OTHERS);
    for options in [&["-n", "1500"][..], &["-n", "1500", "--lines", "2", "--explain=all"]] {
        let analysed = |input: &str| good(&[&["analyse", input], &FORM[..], options].concat()).out;
        let once = analysed(&games);
        let again = folder.file("once.pgn", &once);
        assert_eq!(analysed(&again), once);
        // Other limits replace what was said.
        let other = good(&[&["analyse", &again], &FORM[..], &["-n", "60"]].concat()).out;
        let fresh = good(&[&["analyse", &games], &FORM[..], &["-n", "60"]].concat()).out;
        assert_eq!(other, fresh);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = words(&once);
        for kept in [
            "{book}",
            "{0.00/31 48s}",
            "{-2.12/31 12s, White wins by adjudication}",
            "[Termination \"adjudication\"]",
            "{ (0.1 -> -0.7) Inaccuracy. e4 was best. }",
            "(1. e4 e5 (1... c5 2. Nf3) 2. Nf3 { +0.30 here })",
            "[%clk 0:03:00] [%cal Ge5e4] }",
            "1. f3?!",
            "{ [%clk 0:02:55] } { Black wins. }",
            "{before}",
            "{mine}",
            "; to the end",
            "(3... Qe7 $1 {only})",
            "[Annotator \"lichess.org\"]",
            "[Annotator \"Me\"]",
            "1.e4 $1",
        ] {
            assert!(text.contains(&words(kept)), "{kept}: {once}");
        }
        assert!(once.lines().filter(|line| line.starts_with("[Event ")).count() == 3, "{once}");
        assert!(
            once.contains("\n\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round"),
            "{once}"
        );
        assert_eq!(text.matches("[%eval").count(), 5 + 4 + 7, "{once}");
    }
    // A mate on the board has no evaluation, a blunder has its glyph once.
    let games = folder.file("games.pgn", GAMES);
    let text = good(&[&["analyse", &games, "-n", "20000"], &FORM[..]].concat()).out;
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert!(!text.contains("[%eval 0.0]") && !text.contains("#0"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let blunder = "2. g4?? { [%eval #-1] Blunder: ";
    assert!(words.contains(blunder) && words.contains("(allows mate in 1)"), "{text}");
    assert!(words.contains("[WhiteAccuracy "), "{text}");
}

#[test]
fn objects_say_what_was_found_and_their_counts_agree() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let found = objects(&games, &["--nodes", "20000", "--lines", "3", "--line-length", "5"]);
    assert_eq!(found.len(), 2);
    let moves = found[0]["moves"].as_array().expect("moves");
    assert_eq!(
        (&found[0]["opening"], &found[1]["opening"]),
        (&Value::Null, &"Wayward Queen Attack".into())
    );
    assert_eq!(moves[2]["judgement"], "blunder");
    assert_eq!(moves[2]["consequence"], "allows mate in 1");
    assert_eq!(moves[3]["eval"]["mate"], -1);
    assert_eq!((moves[3]["san"].as_str(), moves[3]["uci"].as_str()), (Some("Qh4#"), Some("d8h4")));
    assert_eq!(found[0]["last"]["eval"]["mate"], 0);
    assert_eq!(
        (found[0]["result"].as_str(), found[0]["tags"]["White"].as_str()),
        (Some("0-1"), Some("A"))
    );
    for game in &found {
        let moves = game["moves"].as_array().expect("moves");
        for (index, side) in ["white", "black"].into_iter().enumerate() {
            let own = || moves.iter().skip(index).step_by(2);
            assert_eq!(game[side]["moves"], own().count());
            for (name, plural) in
                [("inaccuracy", "inaccuracies"), ("mistake", "mistakes"), ("blunder", "blunders")]
            {
                let count = own().filter(|mv| mv["judgement"] == name).count();
                assert_eq!(game[side][plural], count, "{side} {plural}");
            }
        }
        for mv in moves {
            check_move(mv);
        }
    }
}

/// The fields of a move agree with each other.
fn check_move(mv: &Value) {
    let number = |name: &str| mv[name].as_f64().unwrap_or_else(|| panic!("{name} of {mv}"));
    let loss = number("loss");
    let name = mv["judgement"].as_str();
    let wanted = match loss {
        _ if loss >= 15.0 => Some("blunder"),
        _ if loss >= 10.0 => Some("mistake"),
        _ if loss >= 5.0 => Some("inaccuracy"),
        _ => None,
    };
    assert_eq!(name, wanted, "{mv}");
    assert_eq!(mv["is_best"] == true, mv["lines"][0]["san"][0] == mv["san"], "{mv}");
    assert!(mv["is_best"] == false || loss == 0.0, "{mv}");
    if let Some(centipawns) = mv["eval"]["cp"].as_f64() {
        let win = 100.0 / (1.0 + (-0.003_682_08 * centipawns.clamp(-1000.0, 1000.0)).exp());
        assert!((win - number("win")).abs() < 0.01, "{mv}");
    }
    let lines = mv["lines"].as_array().expect("lines");
    assert!(!lines.is_empty() && lines.len() <= 3, "{mv}");
    assert!(lines.iter().all(|line| line["san"].as_array().is_some_and(|sans| sans.len() <= 5)));
    let sum: u64 = mv["wdl"].as_array().expect("three").iter().filter_map(Value::as_u64).sum();
    assert_eq!(sum, 1000, "{mv}");
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES.repeat(3));
    let report =
        |threads: &str| good(&["analyse", &games, "-n", "3000", "-q", "--threads", threads]).out;
    let one = report("1");
    assert_eq!(one.matches("[Event ").count(), 6);
    assert_eq!(report("2"), one);
    assert_eq!(report("5"), one);
}

#[test]
fn positions_come_from_files_and_from_the_command_line() {
    let folder = Folder::new();
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let one = good(&["analyse", fen, "-n", "2000"]);
    assert!(one.out.contains("#1") && one.out.contains("1. Ra8#"), "{}", one.out);
    assert!(good(&["analyze", "startpos", "-d", "2"]).out.contains("depth 2"));
    let epd = "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"M\u{fc}ller\";\n7k/5Q2/6K1/8/8/8/8/8 b - -\n";
    let file = folder.file("positions.epd", epd);
    let text = good(&["analyse", &file, "-n", "2000", "-q"]).out;
    assert!(text.contains("M\u{fc}ller") && text.contains("stalemate"), "{text}");
    let found = objects(&file, &["-n", "2000"]);
    assert_eq!(found[0]["tags"]["Event"], "M\u{fc}ller");
    assert_eq!(found[0]["last"]["eval"]["mate"], 1);
    assert_eq!((found.len(), &found[1]["last"]["eval"]["cp"]), (2, &Value::from(0)));
}

#[test]
fn forms_follow_the_name_of_the_report() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    for (name, begin) in [
        ("a.pgn", "[Event"),
        ("a.JSONL", "{\"black\""),
        ("a.html", "<!doctype html>"),
        ("a.txt", "Game 1: A - B, 0-1"),
        ("unknown", "[Event"),
    ] {
        good(&["analyse", &games, "-o", &folder.name(name), "-n", "300", "-q"]);
        let text = folder.read(name);
        assert!(text.starts_with(begin), "{name}: {text}");
    }
    for name in ["a.pdf", "a.csv", "a.pgn.gz"] {
        let finished = run(&["analyse", &games, "-o", &folder.name(name), "-n", "300"]);
        assert_eq!(finished.code(), 2, "{name}: {}", finished.err);
        let known = "reports end in .pgn, .json, .jsonl, .ndjson, .html, .htm, .txt or .epd";
        assert!(finished.err.contains(known) && finished.err.contains(name), "{}", finished.err);
        assert!(!folder.has(name) && !folder.has(&format!("{name}.partial")));
    }
    let named = folder.name("a.csv");
    good(&["analyse", &games, "-o", &named, "-f", "json", "-n", "300", "-q"]);
    assert!(folder.read("a.csv").starts_with('{'));
    let text = good(&["analyse", &games, "-f", "text", "-n", "20000", "-q"]).out;
    assert!(text.contains("blunder, allows mate in 1"), "{text}");
    // A mate on the board is no number of moves.
    let last = text.lines().find(|line| line.contains("Qh4#")).expect("the last move");
    assert!(last.ends_with("    mate       ") && !text.contains("#0"), "{last:?}");
    let mated = good(&["analyse", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "-n", "10"]).out;
    assert!(mated.contains("    mate  checkmate") && !mated.contains("#0"), "{mated}");
    assert!(text.contains("White: accuracy "), "{text}");
}

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
}

#[test]
fn each_mistake_is_a_position_with_best_move_and_refutation() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let path = folder.name("mine.epd");
    // Enough for every mate of the games, the same on every computer.
    good(&["analyse", &games, "--puzzles", &path, "-n", "20000", "--threads", "1"]);
    let text = folder.read("mine.epd");
    let (both, report) = (folder.name("both.epd"), folder.name("report.json"));
    let two = ["-o", &report, "--puzzles", &both, "-n", "20000", "--threads", "1"];
    good(&[&["analyse", &games], &two[..]].concat());
    assert_eq!(
        (folder.read("both.epd"), folder.read("report.json").lines().count()),
        (text.clone(), 2)
    );
    assert!(!folder.has("both.epd.partial") && !folder.has("report.json.state"));
    let lines: Vec<&str> = text.lines().collect();
    // 2. g4 allows mate, 4. d3 misses one; 2... Nf6 is a matter of taste.
    let allowed = lines.iter().find(|line| line.contains("am g4;")).expect("a blunder");
    assert!(allowed.starts_with("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - bm "));
    for wanted in [
        "id \"A - B, game 1, move 2\";",
        "c0 \"played: 2. g4 (blunder) in A - B\";",
        "c1 \"refutation: 2... Qh4# (#-1)\";",
        "c2 \"best: 2. ",
        "hmvc 0; fmvn 2;",
    ] {
        assert!(allowed.contains(wanted), "{wanted} is missing in {allowed}");
    }
    let missed = lines.iter().find(|line| line.contains("am d3;")).expect("a missed mate");
    assert!(missed.contains(" bm Qxf7#; dm 1; am d3; id \"C - D, game 2, move 4\";"), "{missed}");
    assert!(lines.iter().all(|line| line.contains("blunder") || line.contains("mistake")));
    let suite = good(&["suite", &path, "-n", "20000"]);
    let found = suite.out.lines().filter(|line| line.trim_start().starts_with("ok "));
    assert_eq!(found.count(), lines.len(), "{}", suite.out);
}
