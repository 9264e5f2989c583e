//! Commands beside the protocol, and the command line.

use crate::support::check::sound;
use crate::support::engine::{Line, run};
use crate::support::{Engine, Launch, Oracle, PATIENCE};

fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// What a command prints, up to the answer to a following isready.
fn answer(engine: &mut Engine, command: &str) -> String {
    engine.send(command);
    joined(&engine.sync())
}

#[test]
fn commands_are_answered_and_need_a_position() {
    let mut engine = Engine::ready();
    for (command, word) in [
        ("help", "position"),
        ("help bench", "bench [hash]"),
        ("help play", "play "),
        ("help xboard", "Protocol: uci, xboard, "),
        ("help nonsense", "error: \"nonsense\" is no command; help lists them"),
        ("license", "GNU General Public License"),
        ("eval", "Final evaluation: "),
        ("genfens 1 seed 42 book None", "info string genfens "),
        ("d", "| r | n | b | q | k | b | n | r |"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "info string "),
    ] {
        let text = answer(&mut engine, command);
        assert!(text.contains(word), "{command}: {text}");
    }
    engine.notes("position fen nonsense");
    for command in ["d", "eval", "perft 2", "go perft 2"] {
        assert!(answer(&mut engine, command).contains("error"), "{command} without a position");
    }
    engine.quit();
}

/// Programs written for Stockfish read the first line, `d` and `go perft` line by line.
#[test]
fn d_and_perft_have_the_lines_of_stockfish() {
    let run = Launch::new().args(&["go perft 1"]).run();
    assert!(run.out.ends_with("h2h4: 1\n\nNodes searched: 20\n\n"), "{}", run.out);
    let mut engine = Engine::ready();
    engine.send("setoption name UCI_Chess960 value true");
    let shown = answer(&mut engine, "d");
    assert!(shown.starts_with("\n +---+") && shown.contains(" w HAha - 0 1\nKey: "), "{shown}");
    engine.send("go infinite\nd");
    let shown = joined(&engine.until("Checkers:"));
    assert!(!shown.contains("bestmove"), "{shown}");
    engine.send("stop");
    engine.until("bestmove");
    let nowhere = answer(&mut engine, "position fen nonsense\nd");
    assert!(nowhere.contains("\nFen:\nKey:\nCheckers:\n"), "{nowhere}");
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
    let folder = crate::support::files::Folder::new();
    let file = folder.file(
        "two.fen",
        "# two\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n\n8/8/8/8/8/8/7R/K1k5 w - - 0 1\n",
    );
    let small = run(&["bench", "16", "1", "4"]);
    assert!(small.status.success());
    let (nodes, nps) = tally(&small.out);
    assert!(nodes > 500 && nps > 0, "{}", small.out);
    let mut engine = Engine::ready();
    // Nothing that was set or searched before may change it.
    engine.send("setoption name Hash value 1\nsetoption name MultiPV value 4\nposition startpos");
    engine.go("go depth 6");
    let mut bench = |arguments: &str| {
        engine.send(&format!("bench 16 1 {arguments}"));
        let done = |text: &str| text.ends_with(" nps");
        tally(&joined(&engine.until_line("nps", PATIENCE, done))).0
    };
    assert_eq!(bench("4 default depth"), nodes);
    assert!(bench("100 default nodes") > 100);
    assert_eq!(bench("2 current perft"), 400);
    assert!(bench("20 current movetime") > 0);
    assert!(bench(&format!("3 {file} depth")) > 10);
    for bad in ["bench x", "bench 16 1 3 /no/such/file", "bench 16 1 3 current nonsense"] {
        let text = answer(&mut engine, bad);
        assert!(text.contains("error"), "{bad}: {text}");
    }
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn an_endless_search_of_the_arguments_ends_the_process() {
    let mut engine = Launch::new().args(&["go", "infinite"]).start();
    engine.until_line("a line", PATIENCE, |text| text.starts_with("info depth 4 "));
    engine.send("stop");
    // Standard input stays open.
    let said = engine.expect_exit();
    assert!(said.iter().any(|line| line.text.starts_with("bestmove ")), "{said:?}");
    // Without `stop`, where there is nothing to search.
    for (position, status) in
        [("position startpos moves e2e5", 1), ("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0)]
    {
        let mut engine = Launch::new().args(&["go depth 6", position, "go infinite"]).start();
        let (said, ended) = engine.exit_within(PATIENCE);
        let answers = said.iter().filter(|line| line.text.starts_with("bestmove ")).count();
        assert_eq!((answers, ended.code()), (2, Some(status)), "{position}: {said:#?}");
    }
}

#[test]
fn failed_command_exits_with_1() {
    let failing: [&[&str]; 5] = [
        &["bench", "1", "1", "1", "/no/such/file"],
        &["perft 21"],
        &["setoption name Hash value 0", "go depth 1"],
        &["go", "depth", "2", "searchmoves", "e2e5"],
        &["position startpos moves e2e5", "go depth 1", "quit"],
    ];
    for arguments in failing {
        let run = run(arguments);
        assert_eq!(run.status.code(), Some(1), "{arguments:?}: {}", run.out);
        assert!(run.out.contains("info string "), "{arguments:?}: {}", run.out);
    }
}

#[test]
fn version_and_help_are_printed_and_unknown_arguments_refused() {
    let version = run(&["-V"]).out;
    let long = run(&["--version"]).out;
    let level = if cfg!(target_arch = "x86_64") { " x86-64" } else { std::env::consts::ARCH };
    assert!(long.starts_with(&version) && long.contains(level), "{long}");
    let uci = run(&["uci"]).out;
    assert!(uci.starts_with(&format!("id name {version}")) && version.starts_with("Tamarin 0."));
    for arguments in [["--help", ""], ["help", ""], ["help", "xboard"], ["xboard", "--help"]] {
        let arguments: Vec<&str> = arguments.into_iter().filter(|word| !word.is_empty()).collect();
        let help = run(&arguments);
        assert!(help.status.success() && help.out.len() > 200, "{}{}", help.out, help.err);
    }
    let help = run(&["help"]).out;
    for tool in ["play", "analyse", "suite", "mate", "book", "variant"] {
        assert!(help.contains(&format!("\n  tamarin {tool} ")), "{tool}: {help}");
    }
    let wrong = run(&["position startpos", "go depth 1", "nonsense", "quit"]);
    assert_eq!(wrong.code(), 2, "{}", wrong.out);
    assert!(wrong.out.is_empty() && wrong.err.contains("Usage"), "{}", wrong.err);
}
