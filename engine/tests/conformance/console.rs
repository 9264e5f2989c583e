//! Commands beside the protocol, and the command line.

use std::fs;

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
fn eval_flip_and_texts_answer_readably() {
    let mut engine = Engine::ready();
    engine.send("position startpos moves e2e4");
    assert!(answer(&mut engine, "eval").lines().count() > 5);
    engine.quietly("flip");
    let flipped = answer(&mut engine, "d");
    assert!(flipped.contains("Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    for (command, word) in [
        ("help", "position"),
        ("--help", "position"),
        ("license", "GNU General Public License"),
        ("compiler", "rustc"),
    ] {
        let text = answer(&mut engine, command);
        assert!(text.contains(word), "{command}: {text}");
    }
    engine.send("position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert!(!answer(&mut engine, "eval").is_empty(), "eval in check");
    engine.notes("position fen nonsense");
    for command in ["d", "eval", "flip", "perft 2", "go perft 2"] {
        assert!(answer(&mut engine, command).contains("error"), "{command} without a position");
    }
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
    engine.send("bench 16 1 5 current movetime");
    engine.until_line("nps", PATIENCE, done);
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
fn a_command_that_fails_makes_the_exit_status_1_only_as_an_argument() {
    let failing: [&[&str]; 5] = [
        &["bench", "1", "1", "1", "/no/such/file"],
        &["perft 21"],
        &["position", "fen", "8/8/8/8/8/8/8/8", "w", "-", "-"],
        &["setoption name Hash value 0", "go depth 1"],
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
    let wrong: [&[&str]; 7] = [
        &["--nonsense"],
        &["--threads=4"],
        &["-x"],
        &["nonsense"],
        &["nonsense", "go", "depth", "1"],
        &["go", "depth", "1", "nonsense"],
        &["position startpos", "go depth 1", "nonsense", "quit"],
    ];
    for arguments in wrong {
        let run = Launch::new().args(arguments).run();
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(run.out.is_empty() && run.err.contains("Usage"), "{arguments:?}: {}", run.err);
    }
    let help = Launch::new().args(&["help"]).run();
    assert!(help.status.success() && help.out.contains("setoption"), "{}", help.out);
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
fn speedtest_ends_in_time_with_a_speed() {
    let run = Launch::new().args(&["speedtest", "2", "16", "1"]).run();
    assert!(run.status.success());
    assert!(run.out.contains("Nodes/second"), "{}", run.out);
    assert!(run.elapsed < ms(6000), "{:?}", run.elapsed);
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
