//! `tamarin variant`: what its commands answer, to good and to bad input.

#![cfg(unix)]

use std::fs;

use serde_json::Value;

use crate::support::engine::Finished;
use crate::support::files::{Folder, text};
use crate::support::{Launch, times};

fn run(arguments: &[&str]) -> Finished {
    Launch::new().args(&[&["variant"], arguments].concat()).run()
}

/// What is printed when all is well.
fn good(arguments: &[&str]) -> String {
    let finished = run(arguments);
    assert_eq!(finished.status.code(), Some(0), "{arguments:?}: {}", finished.err);
    assert_eq!(finished.err, "", "{arguments:?}");
    finished.out
}

/// What is printed when it is not, and the exit status. Nothing else is printed then.
fn bad(arguments: &[&str], code: i32) -> String {
    let finished = run(arguments);
    assert_eq!(finished.status.code(), Some(code), "{arguments:?}: {}", finished.err);
    assert_eq!(finished.out, "", "{arguments:?}");
    assert!(!finished.err.contains("panicked"), "{}", finished.err);
    finished.err
}

/// A rook that captures only, on a board of two by three.
const SMALL: &str = "@name Small\n@royal k\nk W1\nr cW\n\nk . r\nR . K\n";

#[test]
fn the_list_names_every_game() {
    let list = good(&["list"]);
    assert!(list.lines().any(|line| line == "xiangqi          9 x 10  Xiangqi"), "{list}");
    let name = list.lines().last().and_then(|line| line.split(' ').next()).expect("a name");
    assert!(good(&["check", name]).starts_with(&format!("{name}: ")), "{name}");
}

#[test]
fn games_are_checked_and_written_out() {
    let folder = Folder::new();
    let file = folder.file("small.var", SMALL);
    let checked = good(&["check", &file]);
    assert_eq!(checked, format!("{file}: 3 by 2 squares, 2 pieces (k r), 64 moves in all\n"));
    assert!(good(&["expand", &file]).starts_with("k\n  {-square (1 0) -conditions (1 0)"));
    let rook = good(&["expand", &file, "r"]);
    assert!(rook.starts_with("r\n") && rook.lines().count() == 5, "{rook}");
    let idle = folder.file("idle.var", format!("{SMALL}\n").replace("k W1", "k W1 hot"));
    let warned = run(&["check", &idle]);
    assert_eq!(warned.status.code(), Some(0), "a warning refuses nothing");
    assert!(warned.out.contains("warning[V033]: the flag 'hot' is never set"), "{}", warned.out);
}

#[test]
fn pieces_and_positions_are_drawn() {
    let knight = good(&["show", "fide", "n", "--at", "b1"]);
    assert!(knight.contains("\n 3  x . x . . . . .\n 2  . . . x . . . .\n 1  . n . ."), "{knight}");
    let board = good(&["board", "xiangqi"]);
    assert!(board.starts_with("10  r n b a k a b n r\n 9  . ."), "{board}");
    assert!(board.contains("\nWhite to move\n"), "{board}");
    let mated = good(&["board", "fide", "--fen", "k7/1Q6/1K6/8/8/8/8/8", "b"]);
    assert!(mated.ends_with("Black to move, in check\nCheckmate: White wins\n"), "{mated}");
}

#[test]
fn moves_and_counts_are_printed() {
    let moves = good(&["moves", "nuttyknights"]);
    assert!(moves.contains("26 legal moves") && moves.contains("e2e4"), "{moves}");
    let forced = ["moves", "fide", "--fen", "7k/5K2/8/8/8/8/8/6R1", "b"];
    assert_eq!(good(&forced), "h8h7\n1 legal move\n");
    let san = good(&["moves", "fide", "--san", "--fen", "3n4/k1P5/8/8/8/8/8/K7 w"]);
    assert!(san.contains("cxd8=N") && san.contains("c8=Q "), "{san}");
    for threads in ["1", "3"] {
        let text = good(&["perft", "shogi_nodrop", "3", "--divide", "--threads", threads]);
        assert!(text.contains("\nNodes searched: 25470\n"), "{text}");
        let sum: u64 = text
            .lines()
            .filter_map(|line| line.split_once(": ").filter(|(name, _)| !name.contains(' ')))
            .filter_map(|(_, count)| count.parse::<u64>().ok())
            .sum();
        assert_eq!(sum, 25_470, "{text}");
    }
    let fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -";
    let json = good(&["perft", "clobberers", "2", "--fen", fen, "--json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["nodes"], &json["divide"]["e1b1"]), (&576.into(), &24.into()));
    assert!(good(&["perft", "fide", "0"]).contains("Nodes searched: 1\n"));
}

#[test]
fn rejects_unreadable_files() {
    let folder = Folder::new();
    assert_eq!(
        bad(&["board", "xianqi"], 2),
        "error: there is no game or file \"xianqi\"; did you mean 'xiangqi'?\n"
    );
    let missing = folder.name("missing.var");
    assert!(bad(&["check", &missing], 2).contains("`tamarin variant list` shows the games"));
    let printed = bad(&["moves", &text(folder.root())], 2);
    assert!(printed.starts_with("error: cannot read "), "{printed}");
    let junk: Vec<u8> = (0..20_000u32).map(|i| (i * i / 7 % 251) as u8).collect();
    let junk = folder.file("junk.var", junk);
    let printed = bad(&["check", &junk], 1);
    assert!(printed.starts_with(&format!("{junk}:1:1: error[V0")), "{printed}");
    assert!(printed.matches("error[").count() <= 20, "{printed}");
    // No file ends up in memory as a whole if it is longer than any game.
    let long = folder.file("long.var", vec![0; 5 << 20]);
    assert!(bad(&["check", &long], 1).contains("error[V027]"));
}

#[test]
fn reports_mistakes_with_line_and_column() {
    let folder = Folder::new();
    let file = folder
        .file("wrong.var", SMALL.replace("k W1", "k {-square (1 0) -conditions (1 0) emtpy}"));
    for command in ["check", "expand", "moves", "board"] {
        assert_eq!(
            bad(&[command, &file], 1),
            format!(
                "{file}:3:36: error[V012]: unknown condition 'emtpy'\n  \
                 k {{-square (1 0) -conditions (1 0) emtpy}}\n  {:35}^^^^^\n  \
                 help: did you mean 'empty'?\n",
                ""
            )
        );
    }
    let several = format!("@variant one\n{SMALL}\n@variant two\n@extends one\n@name Two\n");
    let several = folder.file("several.var", several);
    assert!(good(&["board", &several, "--variant", "one"]).contains("White to move"));
    let printed = bad(&["board", &several, "--variant", "three"], 1);
    assert!(printed.contains("there is no variant 'three'"), "{printed}");
    assert!(printed.contains("its variants are one, two"), "{printed}");
}

#[test]
fn games_of_fairy_stockfish_are_imported() {
    let folder = Folder::new();
    let ini = "[torpedo:chess]\ndoubleStepRegionWhite = *2 *3 *4 *5 *6\n\
        doubleStepRegionBlack = *7 *6 *5 *4 *3\n[other:torpedo]\ngating = true\n";
    let file = folder.file("variants.ini", ini);
    let game = folder.file("torpedo.var", good(&["import", &file, "torpedo"]));
    // Fairy-Stockfish's count, which differs from chess because pawns step twice from anywhere.
    assert!(good(&["perft", &game, "4"]).contains("Nodes searched: 209719\n"));
    let place = format!("{file}:5:1: warning[V036]: 'gating = true' is left out");
    let refused = bad(&["import", &file], 1);
    assert!(refused.starts_with(&place) && refused.contains("--lossy"), "{refused}");
    let warned = run(&["import", &file, "--lossy"]);
    assert!(warned.status.code() == Some(0) && warned.out.contains("@name other\n"));
    assert!(warned.out.contains("# Missing: 'gating = true' is left out"), "{}", warned.out);
    assert!(warned.err.starts_with(&place), "{}", warned.err);
    assert!(bad(&["import", &folder.name("none.ini")], 2).contains("no game or file"));
}

/// Memory that the system refuses is an error in words, and not the end by a signal.
#[cfg(target_os = "linux")]
#[test]
fn games_without_memory_are_refused() {
    for mebibytes in [60, 80, 100] {
        let finished = Launch::limited(&format!("-v {}", mebibytes << 10))
            .args(&["variant", "selfplay", "crazyhouse", "--games", "1", "--depth", "1"])
            .run();
        assert_eq!(finished.status.code(), Some(2), "{mebibytes} MiB: {}", finished.err);
        assert!(finished.err.starts_with("error: no memory for"), "{}", finished.err);
    }
}

#[test]
fn rejects_wrong_pieces_squares_and_positions() {
    let printed = bad(&["show", "fide", "x"], 2);
    assert_eq!(printed, "error: there is no piece \"x\"; the pieces are p n b r q k\n");
    assert_eq!(bad(&["expand", "fide", "x"], 2), printed);
    assert!(bad(&["show", "fide", "n", "--at", "i9"], 2).contains("\"i9\" is no square"));
    for (fen, message) in [
        ("4k3/8 w", "the board has 8 rows, not 2"),
        ("4k4/9/8/8/8/8/8/4K4 w", "row \"4k4\" has length 9, not 8"),
        ("4k3/8/8/8/8/8/8/4X3 w", "\"X\" is no piece"),
        ("4k3/8/8/8/8/8/8/4K3 x", "w or b"),
        ("4k3/8/8/8/8/8/8/4K3 w Z", "\"Z\" names no castling"),
        // The rook of X-FEN and of Shredder-FEN is there, the castling is not.
        ("4k3/8/8/8/8/8/8/R1K1R3 w K", "\"K\" names no castling"),
        ("4k3/8/8/8/8/8/8/R1K1R3 w A", "\"A\" names no castling"),
        ("4k3/8/8/8/8/8/8/4K3 w - z9", "\"z9\" is no square"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x", "\"x\" is no number"),
        ("4k3/4R3/8/8/8/8/8/4K3 w", "White can take a royal piece"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 {e1:hot}", "names no flags"),
        ("999999999999999999999999/8/8/8/8/8/8/8 w", "has length"),
    ] {
        let printed = bad(&["board", "fide", "--fen", fen], 2);
        assert!(
            printed.starts_with("error: bad position: ") && printed.contains(message),
            "{printed}"
        );
    }
    assert!(bad(&["perft", "fide", "21"], 2).contains("DEPTH"));
    assert!(bad(&["frobnicate"], 2).contains("unrecognized subcommand"));
}

#[test]
fn selfplay_is_recorded_and_resumed() {
    let folder = Folder::new();
    let (out, pgn) = (folder.name("games.jsonl"), folder.name("games.pgn"));
    let play = |more: &[&str]| {
        let fixed = ["selfplay", "minixiangqi", "--black", "thesis:sme", "--nodes", "60", "--swap"];
        let files = ["--out", &out, "--pgn", &pgn];
        run(&[&fixed[..], &files[..], more].concat())
    };
    let table = play(&["--games", "4"]);
    assert_eq!(table.status.code(), Some(0), "{}", table.err);
    let row = table.out.lines().find(|line| line.starts_with("thesis:sme")).expect("a row");
    assert_eq!(row.split_whitespace().nth(1), Some("4"), "{}", table.out);
    let games = fs::read_to_string(&out).expect("a file of games");
    assert_eq!(games.lines().count(), 4);
    let written = fs::read_to_string(&pgn).expect("a file of games in PGN");
    assert_eq!(written.matches("[Variant \"minixiangqi\"]").count(), 4, "{written}");
    for line in games.lines() {
        let game: Value = serde_json::from_str(line).expect("an object");
        let played = game["moves"].as_array().expect("moves").len();
        assert!(played > 4 && written.contains(game["result"].as_str().expect("a result")));
    }
    // A run that was cut off goes on: what is there is not played again.
    let kept: String = games.lines().take(2).map(|line| format!("{line}\n")).collect();
    let cut = format!("{kept}{}", &games.lines().nth(2).expect("a game")[..40]);
    fs::write(&out, cut).expect("a file that can be written");
    assert_eq!(play(&["--games", "4"]).status.code(), Some(0));
    let again = fs::read_to_string(&out).expect("a file of games");
    assert!(again.starts_with(&kept), "{again}");
    let mut sorted = [games.lines().collect::<Vec<_>>(), again.lines().collect()];
    sorted.iter_mut().for_each(|lines| lines.sort_unstable());
    assert_eq!(sorted[0], sorted[1], "the same games with the same moves");
}

#[test]
fn selfplay_of_a_file_has_the_name_of_the_variant() {
    let folder = Folder::new();
    let small = folder.file("small.var", "@extends losalamos\n");
    let two = "@variant one\n@extends losalamos\n@variant two\n@extends losalamos\n";
    let two = folder.file("file.var", two);
    for (file, variant, name) in
        [(&two, &["--variant", "one"][..], "one"), (&two, &[], "two"), (&small, &[], "small")]
    {
        let pgn = folder.name(&format!("{name}.pgn"));
        let fixed = ["selfplay", file, "--games", "1", "--nodes", "60", "--pgn", &pgn];
        good(&[&fixed[..], variant].concat());
        let written = fs::read_to_string(&pgn).expect("a file of games in PGN");
        assert!(written.contains(&format!("[Variant \"{name}\"]\n")), "{written}");
    }
}

#[test]
fn long_tournaments_have_their_tables() {
    for (kind, rows, games) in [("base", 3, 21), ("position", 7, 21)] {
        let arguments = [
            "tournament",
            kind,
            "--game",
            "minixiangqi",
            "--depths",
            "1",
            "--games",
            "1",
            "--json",
        ];
        let text = good(&arguments);
        let all: Value = serde_json::from_str(&text).expect("an object");
        assert_eq!(all["standings"].as_array().expect("rows").len(), rows);
        assert_eq!(all["games"].as_array().expect("games").len(), games);
        assert_eq!(all["pairs"].as_array().expect("pairs").len(), 21, "{kind}");
        let points = all["standings"].as_array().expect("rows").iter();
        let sum: f64 = points.map(|row| row["points"].as_f64().expect("points")).sum();
        assert_eq!(sum, games as f64, "{kind}");
    }
}

#[test]
fn long_the_table_of_iterators_is_complete() {
    // The order of the engine itself is the best from a depth of 3 on, which is for `make prove`.
    let depth = times("TAMARIN_ITERATORS_DEPTH", 2);
    let text = good(&["iterators", "--depth", &depth.to_string(), "--json"]);
    let all: Value = serde_json::from_str(&text).expect("an object");
    let cells = all["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 7 * 6);
    let mean = |name: &str| all["means"][name].as_f64().expect("a mean");
    for order in ["base", "mono", "faster", "strong", "captures"] {
        let is_better = mean("tamarin") < mean(order);
        assert!(is_better || depth < 3 && order == "mono", "{order}: {}", all["means"]);
    }
    let text = good(&["iterators", "--depth", "1", "--minimax"]);
    assert!(text.contains("branching factor") && text.contains("minimax"), "{text}");
}

#[test]
fn values_of_pieces_are_shown() {
    let table = good(&["values", "fide"]);
    let pawn = table.lines().find(|line| line.starts_with("p ")).expect("the pawn");
    assert_eq!(pawn.split_whitespace().last(), Some("100"), "{table}");
    let all: Value =
        serde_json::from_str(&good(&["values", "locusts", "--json"])).expect("an object");
    assert_eq!(all["pieces"].as_array().expect("pieces").len(), 3);
    let squares = good(&["values", "fide", "--evaluator", "loc(sme)", "--piece", "n"]);
    assert_eq!(squares.lines().count(), 8);
    assert!(bad(&["values", "fide", "--piece", "z"], 2).contains("there is no piece"));
    assert!(bad(&["values", "fide", "--evaluator", "queen"], 2).contains("no evaluator"));
    assert!(bad(&["selfplay", "fide", "--white", "deep:sme"], 2).contains("no policy"));
}

#[test]
fn flags_of_pieces_are_valued() {
    let folder = Folder::new();
    let rules = folder.name("teleport.var");
    let once = "n +teleport N1 {-vars a in <0,7> b in <0,7> -square ($a $b) \
                -conditions ($a $b) empty (0 0) *teleport -effects ($a $b) -teleport}";
    let empty = ". . . . . . . .\n".repeat(6);
    let ranks = format!("n . . . k . . n\n{empty}N . . . K . . N");
    fs::write(&rules, format!("@royal k\nk W1F1\n{once}\n\n{ranks}\n")).expect("it is written");
    let table = good(&["values", &rules]);
    let value = |start: &str| {
        let row = table.lines().find(|line| line.starts_with(start))?;
        row[start.len()..].split_whitespace().next()?.parse::<i64>().ok()
    };
    assert!(value("n +teleport ") > value("n   ") && value("n   ").is_some(), "{table}");
    let squares = good(&["values", &rules, "--piece", "n"]);
    assert_eq!((squares.lines().count(), squares.lines().nth(8)), (17, Some("+teleport")));
}

fn read(path: &std::path::Path) -> String {
    fs::read_to_string(path).expect("it was written")
}

/// Chess on three columns: games are over soon.
const NARROW: &str = "@royal k\n@stalemate loss\nk W1F1\nr W\nb F\np fmW1fcF1 promotion t[ROW = 4] \
    -> r\n\nr k b\np p p\n. . .\nP P P\nR K B\n";

#[test]
fn evaluators_are_learned_and_used() {
    let folder = Folder::new();
    let rules = folder.file("narrow.var", NARROW);
    let (eval, games) = (folder.path("narrow.eval"), folder.path("narrow.eval.games"));
    let arguments = ["learn", &rules, "--games", "40", "--nodes", "50", "--threads", "1"];
    let finished = run(&[&arguments[..], &["--quiet"]].concat());
    assert_eq!(finished.err, "", "nothing is printed");
    assert!(finished.out.contains("games of 50 nodes a ply, seed 1"), "{}", finished.out);
    let learned = read(&eval);
    assert!(learned.contains("\ntamarin-eval 1\n") && learned.ends_with("end\n"), "{learned}");
    assert!(!games.exists(), "the games are removed");
    // The same games give the same file, in lines that are printed.
    fs::remove_file(&eval).expect("it is there");
    let again = run(&[&arguments[..7], &["2"]].concat());
    assert!(again.err.contains("generation 3: "), "{}", again.err);
    assert_eq!(read(&eval), learned);
    let eval = eval.to_str().expect("a path");
    let values = good(&["values", &rules, "--evaluator", eval]);
    assert!(values.starts_with("piece    full board      empty         mean\n"), "{values}");
    let table = good(&["values", &rules, "--evaluator", eval, "--piece", "r"]);
    assert_eq!(table.lines().count(), 12, "{table}");
    let players = ["--white", eval, "--black", "sme", "--games", "2", "--swap", "--depth", "1"];
    assert!(good(&[&["selfplay", &rules], &players[..]].concat()).contains("narrow.eval"));
    // Those that come with the program.
    let values = good(&["values", "xiangqi", "--evaluator", "learned"]);
    assert!(values.starts_with("piece    full board      empty         mean\n"), "{values}");
    let royal = values.lines().find(|line| line.starts_with("k ")).unwrap();
    assert_eq!(royal.split_whitespace().collect::<Vec<_>>(), ["k", "0", "0", "0"]);
    let none = bad(&["values", &rules, "--evaluator", "learned"], 2);
    let wanted = "no learned evaluator comes with the program for this game;";
    assert!(none.contains(wanted), "{none}");
}

#[test]
fn rejects_learning_a_game_without_moves() {
    let folder = Folder::new();
    let rules = folder.file("over.var", "@royal none\na fmW1\n\nA\na\n");
    let refused = bad(&["learn", &rules, "--total-nodes", "10000", "--quiet"], 2);
    assert_eq!(refused, "error: the game is over at its start: there is nothing to learn\n");
    assert!(!folder.path("over.eval.games").exists());
}

#[test]
fn cut_off_learning_is_resumed() {
    let folder = Folder::new();
    let rules = folder.file("narrow.var", NARROW);
    let (whole, cut) = (folder.path("whole.eval"), folder.path("cut.eval"));
    let learn = |out: &std::path::Path| {
        let out = out.to_str().expect("a path");
        let budget = ["--total-nodes", "40000", "--nodes", "50", "--threads", "1", "--quiet"];
        run(&[&["learn", &rules, "--out", out], &budget[..]].concat())
    };
    learn(&whole);
    // A line that was not finished is written again.
    let games = folder.path("cut.eval.games");
    fs::write(&games, "tam").expect("the folder is ours");
    let finished = learn(&cut);
    assert_eq!(read(&cut), read(&whole), "{}", finished.err);
    assert!(!games.exists());
}

/// Another engine agrees on a game; where it plays another one, the moves that differ are found.
#[test]
fn perft_compares_the_counts_of_another_engine() {
    let tools = std::path::Path::new(env!("CARGO_BIN_EXE_tamarin-tools"));
    let engine = tools.with_file_name(format!("tamarin{}", std::env::consts::EXE_SUFFIX));
    let engine = format!("'{}'", engine.display());
    let fen = "4k3/4p3/8/8/8/8/4R3/4K3 w - - 0 1";
    let atomic = ["perft", "atomic", "3", "--engine", &engine];
    assert!(good(&atomic).contains("agrees to depth 3"));
    let chess = [&atomic[..], &["--uci-variant", "chess", "--fen", fen]].concat();
    let finished = run(&chess);
    assert_eq!(finished.status.code(), Some(1), "{}", finished.err);
    assert!(finished.out.contains("after e2e7:\nillegal: e8"), "{}", finished.out);
    assert!(
        bad(&["perft", "atomic", "1", "--engine", "/no/such"], 2).contains("cannot be started")
    );
}
