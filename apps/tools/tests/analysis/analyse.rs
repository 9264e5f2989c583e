//! `tamarin analyse` with good input.

use serde_json::Value;

use crate::analysis::folder::{Folder, code, good, run};

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

#[test]
fn annotated_games_keep_what_they_had_and_can_be_read_again() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let report = folder.name("report.pgn");
    let done = good(&["analyse", &games, "-o", &report, "--nodes", "20000"]);
    assert!(done.out.is_empty() && done.err.starts_with("2 analyzed, 0 left out"), "{}", done.err);
    let text = folder.read("report.pgn");
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for kept in [
        "[Event \"one\"]",
        "[Result \"0-1\"]",
        "{ hello }",
        "{ odd [%eval ",
        "$14",
        "[WhiteAccuracy ",
    ] {
        assert!(words.contains(kept), "{kept}: {text}");
    }
    // The evaluation of the game is replaced, the mate has none, the blunder has its glyph once.
    assert!(!text.contains("[%eval 0.0]") && !text.contains("#0"), "{text}");
    let blunder = "2. g4?? { [%eval #-1] Blunder: ";
    assert!(words.contains(blunder) && words.contains("(allows mate in 1)"), "{text}");
    // What is annotated can be analyzed again: its moves are legal, those of variations too.
    let again = objects(&report, &["--nodes", "100"]);
    let count = |game: &Value| game["moves"].as_array().map(Vec::len);
    assert_eq!((count(&again[0]), count(&again[1])), (Some(4), Some(7)));
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
fn analyzing_twice_changes_nothing_and_keeps_everybodys_notes() {
    // One search repeats itself only with one thread.
    const FORM: [&str; 5] = ["-f", "pgn", "-q", "--threads", "1"];
    let folder = Folder::new();
    let games = folder.file("games.pgn", OTHERS);
    for options in
        [&["-n", "3000"][..], &["-n", "3000", "--lines", "2"], &["-n", "3000", "--explain=all"]]
    {
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
    let position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    for options in [&[][..], &["--explain"]] {
        let analysed = |input: &str| {
            good(&[&["analyse", input, "-n", "2000"], &FORM[..], options].concat()).out
        };
        let once = analysed(position);
        assert_eq!(once.contains("Tamarin explains: 1. Ra8# is"), !options.is_empty(), "{once}");
        assert_eq!(analysed(&folder.file("position.pgn", &once)), once);
    }
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
    let words = good(&["analyse", "6k1/5ppp/8/8/8/8/8/R3K3", "w", "-", "-", "-n", "2000"]);
    assert!(words.out.contains("1. Ra8#"), "{}", words.out);
    assert!(good(&["analyze", "startpos", "-d", "2"]).out.contains("depth 2"));
    let epd = "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"M\u{fc}ller\";\n7k/5Q2/6K1/8/8/8/8/8 b - -\n";
    let file = folder.file("positions.epd", epd);
    let text = good(&["analyse", &file, "-n", "2000", "-q"]).out;
    assert!(text.contains("M\u{fc}ller") && text.contains("stalemate"), "{text}");
    let found = objects(&file, &["-n", "2000"]);
    assert_eq!(found[0]["tags"]["Event"], "M\u{fc}ller");
    assert_eq!(found[0]["last"]["eval"]["mate"], 1);
    assert_eq!((found.len(), &found[1]["last"]["eval"]["cp"]), (2, &Value::from(0)));
    let pgn = good(&["analyse", &file, "-n", "2000", "-q", "-f", "pgn"]).out;
    assert!(pgn.contains("[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]"), "{pgn}");
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
        assert_eq!(code(&finished), 2, "{name}: {}", finished.err);
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
    let white = folder.file("white.pgn", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n");
    let mates = good(&["analyse", &white, "-f", "text", "-n", "2000", "-q"]).out;
    let last = mates.lines().find(|line| line.contains("Qxf7#")).expect("the last move");
    assert!(last.ends_with("    mate       "), "{last:?}");
    assert_eq!(objects(&white, &["-n", "2000"])[0]["last"]["eval"]["mate"], 0);
    assert!(text.contains("White: accuracy "), "{text}");
}
