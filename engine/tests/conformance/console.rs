//! Commands beside the protocol, and the command line.

use std::fs;

use serde_json::{Value, json};

use crate::support::check::sound;
use crate::support::engine::Line;
use crate::support::oracle::Notation;
use crate::support::{Engine, Launch, Oracle, PATIENCE, ms};

fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// What a command prints, up to the answer to a following isready.
fn answer(engine: &mut Engine, command: &str) -> String {
    engine.send(command);
    joined(&engine.sync())
}

#[test]
fn d_shows_the_board() {
    let mut engine = Engine::ready();
    engine.send("position startpos moves e2e4 e7e5 d1h5");
    let text = answer(&mut engine, "d");
    assert!(text.contains("| r | n | b | q | k | b | n | r |"), "{text}");
    assert!(text.contains("Fen: rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2"));
    assert!(text.contains("Checkers:"), "{text}");
    let key = |text: &str| text.lines().find(|line| line.starts_with("Key:")).map(str::to_owned);
    // The same position by another way has the same key.
    engine.send("position startpos moves d2d3 e7e5 d1h5");
    assert_ne!(key(&answer(&mut engine, "d")), key(&text));
    engine.send("position fen rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 7 9");
    assert_eq!(key(&answer(&mut engine, "d")), key(&text));
    engine.send("position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert!(answer(&mut engine, "d").ends_with("Checkers: e2"));
    engine.quit();
}

#[test]
fn eval_and_texts_answer_readably() {
    let mut engine = Engine::ready();
    engine.send("position startpos moves e2e4");
    assert!(answer(&mut engine, "eval").lines().count() > 5);
    for (command, word) in [
        ("help", "position"),
        ("--help", "position"),
        ("help play", "play "),
        ("help xboard", "Protocol: uci, xboard, "),
        ("help nonsense", "error: \"nonsense\" is no command; help lists them"),
        ("license", "GNU General Public License"),
    ] {
        let text = answer(&mut engine, command);
        assert!(text.contains(word), "{command}: {text}");
    }
    assert!(answer(&mut engine, "help bench").starts_with("bench [hash]"));
    engine.send("position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert!(!answer(&mut engine, "eval").is_empty(), "eval in check");
    engine.notes("position fen nonsense");
    for command in ["d", "eval", "flip", "perft 2", "go perft 2"] {
        assert!(answer(&mut engine, command).contains("error"), "{command} without a position");
    }
    engine.quit();
}

/// What `tamarin eval --json` prints of a position by the hand-crafted terms.
fn eval_json(fen: &str) -> Value {
    eval_json_by("hand-crafted", fen)
}

fn eval_json_by(evaluator: &str, fen: &str) -> Value {
    let run = Launch::new().args(&["eval", "--json", "--evaluator", evaluator, fen]).run();
    assert!(run.status.success(), "{fen}: {}", run.out);
    serde_json::from_str(&run.out).expect("one JSON object")
}

/// A number of a JSON object.
fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("no whole number: {value}"))
}

/// Checks that White less Black is the total, that the terms add up to their family unless they
/// are danger units, and the families to the sum.
fn adds_up(json: &Value) {
    let json = &json["hand_crafted"];
    let families = json["families"].as_array().expect("a list");
    for phase in ["middlegame", "endgame"] {
        let total = |values: &Value| {
            let of = |side: &str| number(&values[side][phase]);
            assert_eq!(of("white") - of("black"), of("total"), "{values}");
            of("total")
        };
        let sum = |list: &[Value]| list.iter().map(total).sum::<i64>();
        assert_eq!(sum(families), total(&json["sum"]), "{json}");
        for family in families {
            let terms = sum(family["terms"].as_array().expect("a list"));
            match family["terms_unit"].as_str() {
                Some("score") => assert_eq!(terms, total(family), "{family}"),
                Some("bounded score") => assert!(terms.abs() >= total(family).abs(), "{family}"),
                unit => assert_eq!(unit, Some("danger"), "{family}"),
            }
        }
    }
    let share = |of: &Value| number(&of["value"]) as f64 / number(&of["full"]) as f64;
    let (phase, sum) = (share(&json["phase"]), &json["sum"]["total"]);
    let endgame = number(&sum["endgame"]) as f64 * share(&json["scale_factor"]);
    let tapered = number(&sum["middlegame"]) as f64 * phase + endgame * (1.0 - phase);
    assert!((tapered - number(&sum["tapered"]) as f64).abs() < 2.0, "{tapered} {sum}");
}

#[test]
fn eval_gives_every_term_as_json() {
    let fen = "r1bq1rk1/pp3pp1/2n1p2p/2b5/3P4/2NB1N2/PP3PPP/R2Q1RK1 w - - 0 12";
    let json = eval_json(fen);
    adds_up(&json);
    assert_eq!((&json["fen"], &json["side_to_move"]), (&json!(fen), &json!("white")));
    assert_eq!((&json["point_of_view"], &json["in_check"]), (&json!("white"), &json!(false)));
    assert_eq!(json["hand_crafted"]["sum"]["total"]["tapered"], json["score"]["units"]);
    let (units, pawn) = (number(&json["score"]["units"]), number(&json["units_per_pawn"]));
    assert_eq!(json["score"]["centipawns"], json!(units * 100 / pawn));
    let families =
        |json: &Value| json["hand_crafted"]["families"].as_array().expect("a list").clone();
    let terms = |family: &Value| family["terms"].as_array().map_or(0, Vec::len);
    assert!(families(&json).iter().map(terms).sum::<usize>() > 60);

    // The same position for the other side: what was White's is Black's.
    let mirrored = eval_json("r2q1rk1/pp3ppp/2nb1n2/3p4/2B5/2N1P2P/PP3PP1/R1BQ1RK1 b - - 0 12");
    adds_up(&mirrored);
    assert_eq!(number(&mirrored["score"]["units"]), -units);
    for (one, other) in families(&json).iter().zip(families(&mirrored)) {
        assert_eq!((&one["white"], &one["black"]), (&other["black"], &other["white"]), "{one}");
    }

    // An endgame that is scaled, one that is known, and a check.
    let drawish = eval_json("4k3/5p2/2b5/8/8/2B5/1P3P2/4K3 w - - 0 1");
    adds_up(&drawish);
    let scale = &drawish["hand_crafted"]["scale_factor"];
    assert!(number(&scale["value"]) < number(&scale["full"]));
    let known = eval_json("3k4/8/3K4/8/8/8/8/Q7 b - - 0 1");
    assert_eq!(known["hand_crafted"]["known_endgame"], json!(true));
    assert!(number(&known["score"]["units"]) > 3_000, "White's point of view: {known}");
    let check = eval_json("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert_eq!((&check["in_check"], &check["score"]), (&json!(true), &Value::Null));
}

#[test]
fn eval_takes_a_position_as_argument() {
    let of = |args: &[&str]| Launch::new().args(args).run();
    let table = of(&["eval"]);
    assert!(table.status.success() && table.out.contains("Mobility"), "{}", table.out);
    let start = eval_json_by("network", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let json = |args: &[&str]| -> Value { serde_json::from_str(&of(args).out).expect("JSON") };
    assert_eq!(json(&["eval", "--json"]), start);
    let words = ["8/8/4k3/8/8/8/4P3/4K3", "w", "-", "-", "0", "1"];
    let list: Vec<&str> = ["eval", "--json"].into_iter().chain(words).collect();
    assert_eq!(json(&list), eval_json_by("network", &words.join(" ")));
    let bad = of(&["eval", "--json", "8/8/8/8/8/8/8/8 w - - 0 1"]);
    assert_eq!((bad.status.code(), bad.out.as_str()), (Some(2), ""));

    let mut engine = Engine::ready();
    engine.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let text = answer(&mut engine, "eval --json");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("one line"), start);
    assert!(answer(&mut engine, "eval nonsense").starts_with("info string error"));
    engine.quit();
}

/// The total of a perft, and how many moves it lists.
fn perft(engine: &mut Engine, command: &str) -> (u64, usize) {
    engine.send(command);
    let found = |text: &str| text.starts_with("Nodes searched: ");
    let lines = engine.until_line("Nodes searched", PATIENCE, found);
    let total = lines[lines.len() - 1].text["Nodes searched: ".len()..].parse();
    let split = lines.iter().filter_map(|line| line.text.split_once(": "));
    let counts: Vec<u64> =
        split.filter(|(mv, _)| mv.len() <= 5).filter_map(|(_, count)| count.parse().ok()).collect();
    let total = total.expect("a number");
    if total > 1 {
        assert_eq!(counts.iter().sum::<u64>(), total, "the parts are not the whole");
    }
    (total, counts.len())
}

#[test]
fn perft_counts_right_with_a_line_for_each_move() {
    let mut engine = Engine::ready();
    assert_eq!(perft(&mut engine, "perft 4"), (197_281, 20));
    assert_eq!(perft(&mut engine, "go perft 3"), (8_902, 20));
    assert_eq!(perft(&mut engine, "go perft 1"), (20, 20));
    assert_eq!(perft(&mut engine, "perft 0"), (1, 0));
    engine.send("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert_eq!(perft(&mut engine, "go perft 3"), (12_189, 21));
    engine.send("position startpos moves e2e4 e7e5 e1e2");
    assert_eq!(perft(&mut engine, "go perft 1").0, 29);
    for bad in ["perft", "perft abc", "perft 1.5", "go perft", "go perft x", "perft 99999999999"] {
        let text = answer(&mut engine, bad);
        assert!(text.starts_with("info string error"), "{bad}: {text}");
    }
    engine.quit();
}

#[test]
fn perft_is_ended_by_quit() {
    let mut engine = Engine::ready();
    engine.send("go perft 12");
    std::thread::sleep(ms(50));
    engine.quit();
}

/// Nodes and speed by the expressions of OpenBench: the last line that has both.
fn tally(text: &str) -> (u64, u64) {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let before = |unit: &str| {
        let at = words.iter().position(|word| *word == unit).unwrap_or_else(|| panic!("{line}"));
        words[at - 1].parse().unwrap_or_else(|_| panic!("{line}"))
    };
    (before("nodes"), before("nps"))
}

#[test]
fn bench_gives_one_count_by_any_way() {
    let small = Launch::new().args(&["bench", "16", "1", "4"]).run();
    assert!(small.status.success());
    let (nodes, nps) = tally(&small.out);
    assert!(nodes > 500 && nps > 0, "{}", small.out);
    let mut engine = Engine::ready();
    // Nothing that was set or searched before may change it.
    engine.send("setoption name Hash value 1\nsetoption name MultiPV value 4\nposition startpos");
    engine.go("go depth 6");
    let done = |text: &str| text.ends_with(" nps");
    engine.send("bench 16 1 4 default depth");
    let lines = engine.until_line("nps", PATIENCE, done);
    assert_eq!(tally(&joined(&lines)).0, nodes);
    engine.send("bench 16 1 100 default nodes");
    let counted = tally(&joined(&engine.until_line("nps", PATIENCE, done))).0;
    assert!(counted > 100);
    engine.send("bench 16 1 2 current perft");
    assert_eq!(tally(&joined(&engine.until_line("nps", PATIENCE, done))).0, 400);
    engine.send("bench 16 1 50 current movetime");
    let text = joined(&engine.until_line("nps", PATIENCE, done));
    let total = text.lines().find_map(|line| line.strip_prefix("Total time (ms) : "));
    assert!(total.is_some_and(|total| total.parse::<u64>().is_ok_and(|ms| ms >= 50)), "{text}");
    for bad in ["bench x", "bench 16 1 3 /no/such/file", "bench 16 1 3 current nonsense"] {
        let text = answer(&mut engine, bad);
        assert!(text.contains("error"), "{bad}: {text}");
    }
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn bench_reads_positions_from_a_file() {
    let path = std::env::temp_dir().join(format!("tamarin-bench-{}.fen", std::process::id()));
    fs::write(&path, "# two\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n\n8/8/8/8/8/8/7R/K1k5 w - - 0 1\n")
        .expect("a temporary file");
    let name = path.to_str().expect("a plain name").to_owned();
    let run = Launch::new().args(&["bench", "1", "1", "3", &name, "depth"]).run();
    fs::remove_file(&path).expect("it can be removed");
    assert!(run.status.success());
    assert!(tally(&run.out).0 > 10, "{}", run.out);
}

#[test]
fn arguments_are_one_command_unless_one_holds_a_blank() {
    let one = Launch::new().args(&["go", "depth", "4"]).run();
    assert!(one.status.success());
    assert!(one.out.contains("info depth 4 ") && one.out.contains("bestmove "), "{}", one.out);
    let same = Launch::new().args(&["go depth 4"]).run();
    assert!(same.out.contains("info depth 4 ") && same.out.contains("bestmove "), "{}", same.out);
    let several = Launch::new().args(&["position startpos moves e2e4", "go depth 5", "quit"]).run();
    assert!(several.status.success());
    assert!(several.out.contains("info depth 5 "), "{}", several.out);
    let best = several.out.lines().last().and_then(|line| line.split(' ').nth(1)).unwrap_or("");
    assert!(Oracle::startpos().after(&["e2e4"]).is_legal(best), "{}", several.out);
    let fen = ["position", "fen", "4k3/8/8/8/8/8/8/4K2R", "w", "K", "-", "0", "1"];
    assert!(Launch::new().args(&fen).run().status.success());
    let endless = Launch::new().args(&["go", "infinite"]).run();
    assert!(endless.status.success() && endless.out.contains("bestmove "), "{}", endless.out);
}

#[test]
fn an_endless_search_of_the_arguments_ends_the_process_with_stop() {
    let mut engine = Launch::new().args(&["go", "infinite"]).start();
    engine.until_line("a line", PATIENCE, |text| text.starts_with("info depth 4 "));
    engine.send("stop");
    // Standard input stays open.
    let said = engine.expect_exit();
    assert!(said.iter().any(|line| line.text.starts_with("bestmove ")), "{said:?}");
}

#[test]
fn an_endless_search_that_ends_without_stop_ends_the_process() {
    for (position, go, status) in [
        ("position startpos moves e2e5", "go infinite", 1),
        // Mate.
        ("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go infinite", 0),
        // No side can mate.
        ("position fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1", "go", 0),
    ] {
        // Standard input is waited for while the first search runs, and stays open.
        let mut engine = Launch::new().args(&["go depth 6", position, go]).start();
        let (said, ended) = engine.exit_within(PATIENCE);
        let answers = said.iter().filter(|line| line.text.starts_with("bestmove ")).count();
        assert_eq!((answers, ended.code()), (2, Some(status)), "{position}: {said:#?}");
    }
}

#[test]
fn a_command_that_fails_makes_the_exit_status_1_only_as_an_argument() {
    let failing: [&[&str]; 6] = [
        &["bench", "1", "1", "1", "/no/such/file"],
        &["perft 21"],
        &["position", "fen", "8/8/8/8/8/8/8/8", "w", "-", "-"],
        &["setoption name Hash value 0", "go depth 1"],
        &["go", "depth", "2", "searchmoves", "e2e5"],
        &["position startpos moves e2e5", "go depth 1", "quit"],
    ];
    for arguments in failing {
        let run = Launch::new().args(arguments).run();
        assert_eq!(run.status.code(), Some(1), "{arguments:?}: {}", run.out);
        assert!(run.out.contains("info string "), "{arguments:?}: {}", run.out);
    }
    let mut engine = Engine::ready();
    for line in ["bench 1 1 1 /no/such/file", "perft 21", "nonsense"] {
        assert!(answer(&mut engine, line).contains("error"), "{line}");
    }
    engine.quit();
}

#[test]
fn version_help_and_unknown_arguments() {
    let version = Launch::new().args(&["--version"]).run();
    assert!(version.status.success());
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    let name = lines.iter().find_map(|line| line.text.strip_prefix("id name ")).unwrap_or("");
    assert_eq!(version.out.trim(), name);
    engine.quit();
    for flag in ["--help", "-h"] {
        let help = Launch::new().args(&[flag]).run();
        assert!(help.status.success());
        assert!(help.out.contains("Usage"), "{}", help.out);
    }
    let wrong: [&[&str]; 10] = [
        &["--nonsense"],
        &["--threads=4"],
        &["-x"],
        &["nonsense"],
        &["nonsense", "go", "depth", "1"],
        &["go", "depth", "1", "nonsense"],
        &["uci", "nonsense"],
        &["xboard", "post"],
        &["d", "nonsense"],
        &["position startpos", "go depth 1", "nonsense", "quit"],
    ];
    for arguments in wrong {
        let run = Launch::new().args(arguments).run();
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(run.out.is_empty() && run.err.contains("Usage"), "{arguments:?}: {}", run.err);
    }
    let help = Launch::new().args(&["help"]).run();
    assert!(help.status.success() && help.out.contains("setoption"), "{}", help.out);
    for words in [["help", "xboard"], ["xboard", "--help"]] {
        let help = Launch::new().args(&words).run();
        assert!(help.status.success() && help.out.contains("xboard"), "{}", help.err);
    }
    for tool in ["play", "analyse", "suite", "mate", "book", "variant"] {
        assert!(help.out.contains(&format!("\n  tamarin {tool} ")), "{tool}: {}", help.out);
    }
}

#[test]
fn the_names_of_the_protocols_mean_to_serve() {
    for arguments in [["uci"], ["--uci"], ["xboard"]] {
        let mut engine = Launch::new().args(&arguments).start();
        if arguments == ["xboard"] {
            engine.send("ping 1");
            engine.until("pong");
            engine.send("uci");
        }
        if arguments != ["--uci"] {
            engine.until("uciok");
        }
        engine.send("isready");
        engine.until("readyok");
        sound(&engine.go("go depth 1"), &Oracle::startpos());
        engine.quit();
    }
}

#[test]
fn genfens_gives_legal_positions_the_same_for_the_same_seed() {
    let make = |seed: &str| {
        let command = format!("genfens 10 seed {seed} book None");
        let run = Launch::new().args(&[&command, "quit"]).run();
        assert!(run.status.success());
        let fens: Vec<String> = run
            .out
            .lines()
            .filter_map(|line| line.strip_prefix("info string genfens "))
            .map(str::to_owned)
            .collect();
        assert_eq!(fens.len(), 10, "{}", run.out);
        for fen in &fens {
            assert_eq!(fen.split(' ').count(), 6, "{fen}");
            assert!(!Oracle::new(fen, Notation::Classic).legal().is_empty(), "{fen}");
        }
        fens
    };
    assert_eq!(make("42"), make("42"));
    assert_ne!(make("42"), make("43"));
    let missing = Launch::new().args(&["genfens 3 seed 1 book /no/such/book.epd", "quit"]).run();
    assert!(missing.out.contains("info string error"), "{}", missing.out);
    assert_eq!(missing.status.code(), Some(1));
}
