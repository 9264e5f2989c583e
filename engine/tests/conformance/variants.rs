//! Variants under UCI and XBoard: choosing them, positions, searches, files.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;

use crate::support::engine::Search;
use crate::support::files::Folder;
use crate::support::xboard::{Client, Thinking};
use crate::support::{Engine, PATIENCE, ms};

fn playing(variant: &str) -> Engine {
    let mut engine = Engine::ready();
    let notes = engine.notes(&format!("setoption name UCI_Variant value {variant}"));
    assert!(notes[0].starts_with(&format!("variant {variant} ")), "{notes:?}");
    engine
}

/// The legal moves of the position in force, by `go perft 1`.
fn legal_moves(engine: &mut Engine) -> Vec<String> {
    engine.send("go perft 1");
    let lines = engine.until("Nodes");
    let moves = lines.iter().filter_map(|line| line.text.strip_suffix(": 1"));
    moves.map(str::to_owned).collect()
}

/// The count of `go perft`.
fn perft(engine: &mut Engine, depth: u32) -> u64 {
    engine.send(&format!("go perft {depth}"));
    let last = engine.until("Nodes").pop().expect("a count");
    last.text.trim_start_matches("Nodes searched: ").parse().expect("a number")
}

/// What a command prints up to a line that holds `last`.
fn printed(engine: &mut Engine, command: &str, last: &str) -> String {
    engine.send(command);
    let lines = engine.until_line(last, PATIENCE, |text| text.contains(last));
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

fn evaluation(engine: &mut Engine) -> String {
    printed(engine, "eval", "Evaluation ")
}

/// The last line of a search begins with the move that was answered.
fn check_last_line(search: &Search) {
    let last = search.last();
    assert_eq!(last.pv.first(), Some(&search.best), "{search:#?}");
    assert!(last.nodes.is_some() && last.nps.is_some() && last.hashfull.is_some(), "{last:#?}");
    assert!(last.seldepth >= Some(last.depth) && last.time.is_some(), "{last:#?}");
}

#[test]
fn a_variant_is_chosen_announced_and_left_without_a_trace() {
    let mut engine = Engine::ready();
    let notes = engine.notes("setoption name UCI_Variant value NuttyKnights");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let wanted =
        format!("variant nuttyknights files 8 ranks 8 pocket 0 template fairy startpos {start}");
    assert_eq!(notes, [wanted]);
    assert_eq!(perft(&mut engine, 3), 19_054);
    let notes = engine.notes("setoption name UCI_Variant value nutyknights");
    let kept = "option UCI_Variant: \"nutyknights\" is not a choice, the old value is kept; \
        did you mean nuttyknights?";
    assert_eq!(notes, [kept]);
    engine.notes("position startpos moves a1a9");
    assert_eq!(engine.go("go depth 1").best, "0000");
    let notes = engine.notes("setoption name UCI_Variant value xiangqi");
    assert!(notes[0].starts_with("variant xiangqi files 9 ranks 10 pocket 0 "), "{notes:?}");
    assert_eq!(perft(&mut engine, 2), 1_920);
    engine.quietly("position startpos moves h3h10 i10h10");
    let shown = printed(&mut engine, "d", " to move");
    assert!(shown.starts_with("10  r n b a k a b r .\n 9  . . . . . . . . .\n"), "{shown}");
    assert!(shown.contains("\nFEN: rnbakabr1/9/1c5c1/"), "{shown}");
    // There is no position of chess that could be searched.
    let current = ["error: bench: current is for standard chess only"];
    assert_eq!(engine.notes("bench 1 1 1 current depth"), current);
    engine.quietly("setoption name UCI_Variant value chess");
    assert_eq!(perft(&mut engine, 3), 8_902);
    engine.quit();
}

#[test]
fn every_kind_of_search_gives_one_legal_move() {
    let mut engine = playing("minixiangqi");
    engine.quietly("setoption name Threads value 2\nposition startpos");
    let moves = legal_moves(&mut engine);
    for go in [
        "go depth 4",
        "go nodes 2000",
        "go movetime 30",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime -5 btime 100",
    ] {
        let search = engine.go(go);
        assert!(moves.contains(&search.best), "{go}: {}", search.best);
        check_last_line(&search);
        assert!(go != "go depth 4" || search.last().depth == 4, "{search:#?}");
    }
    let search = engine.go("go depth 2 searchmoves a2a3 z9z9");
    assert_eq!(search.best, "a2a3", "{search:#?}");
    let note = "info string searchmoves: \"z9z9\" is no legal move, ignored";
    assert!(search.lines.iter().any(|line| line.text == note), "{search:#?}");
    for (go, end) in
        [("go infinite depth 1", "stop"), ("go ponder wtime 200 btime 200", "ponderhit")]
    {
        engine.send(go);
        engine.no_bestmove_for(ms(100));
        engine.sync();
        check_last_line(&engine.go(end));
    }
    engine.quit();
}

#[test]
fn an_invalid_position_of_the_variant_is_reported() {
    let mut engine = playing("capablanca");
    for (line, reason) in [
        ("position fen 8/8/8 w", "the board has 8 rows, not 3"),
        ("position startpos moves e2e4 j7j5 a1a9", "move 3: \"a1a9\" is no legal move"),
        ("position", "position: expected startpos or fen"),
    ] {
        let wanted = format!(
            "error: position rejected: {reason}; there is no position until a valid position command"
        );
        assert_eq!(engine.notes(line), [wanted], "{line}");
        assert_eq!(engine.go("go depth 1").best, "0000", "{line}");
    }
    engine.quietly("position startpos moves e2e4 j7j5");
    assert_eq!(engine.notes("go perft 21"), ["error: perft 21: the depth is 0 to 20"]);
    engine.quit();
}

#[test]
fn variants_of_files_are_chosen_reloaded_and_kept_when_the_file_is_bad() {
    let folder = Folder::new();
    let file = folder.file("mine.var", "@variant mine\n@extends fide\nq W\n");
    let path = format!("setoption name VariantPath value {file}");
    let mut engine = Engine::ready();
    engine.quietly(&path);
    engine.send("uci");
    let lines = engine.until("uciok");
    let place = |start: &str| lines.iter().position(|line| line.text.starts_with(start));
    let choices = place("option name UCI_Variant type combo default chess ").expect("announced");
    assert!(lines[choices].text.ends_with(" var minishogi var mine"), "{}", lines[choices].text);
    // Clients send stored values in the order of the options.
    assert!(place("option name VariantPath ") < Some(choices), "games before their files");
    engine.notes("setoption name UCI_Variant value mine");
    let position = "position fen 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    engine.quietly(position);
    assert!(!legal_moves(&mut engine).contains(&"a1h8".to_owned()));
    // The same path again reads the file again, and the variant begins anew.
    fs::write(&file, "@variant mine\n@extends fide\nq WF\n").expect("the folder is ours");
    assert!(engine.notes(&path)[0].starts_with("variant mine files 8 ranks 8 "));
    engine.quietly(position);
    assert!(legal_moves(&mut engine).contains(&"a1h8".to_owned()));
    fs::write(&file, "@variant mine\n@extends fide\nq WX\n").expect("the folder is ours");
    let notes = engine.notes(&path);
    assert!(notes[0].starts_with(&format!("{file}:3:4: error[V015]: ")), "{notes:?}");
    assert_eq!(notes.last().map(String::as_str), Some("VariantPath unchanged"));
    assert_eq!(legal_moves(&mut engine).len(), 22, "the old rules and position are in force");
    engine.quietly("setoption name VariantPath value <empty>");
    engine.quietly("setoption name UCI_Variant value chess");
    let notes = engine.notes("setoption name UCI_Variant value mine");
    assert!(notes[0].contains("is not a choice"), "{notes:?}");
    engine.quit();
}

/// A learned evaluator of rules, as `variant learn` writes it, in which a queen counts so much.
fn learned(rules: &str, queen: i32) -> String {
    use tamarin_variant_search::evaluate::learned::Learned;
    let game = tamarin_variant::load(rules, None).expect("good rules").game;
    let text = Learned::seed(&game).text();
    let line = text.lines().find(|line| line.starts_with("q value ")).expect("a queen");
    text.replace(line, &format!("q value {queen}/{queen}"))
}

#[test]
fn learned_evaluators_are_found_beside_their_rules() {
    let folder = Folder::new();
    let rules = "@variant a/b\n@extends fide\nq W\n";
    let file = folder.file("mine.var", rules);
    // A name with a slash is no folder.
    folder.file("mine.a_b.eval", learned(rules, 1234));
    let path = format!("setoption name VariantPath value {file}");
    let mut engine = Engine::ready();
    engine.quietly(&path);
    engine.notes("setoption name UCI_Variant value a/b");
    engine.quietly("position fen 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
    let shown = evaluation(&mut engine);
    assert!(shown.starts_with("Evaluator learned (nothing learned yet)\n"), "{shown}");
    assert!(shown.contains("value        +12.34    +0.00   +12.34\n"), "{shown}");
    check_last_line(&engine.go("go depth 3"));
    engine.quietly("setoption name Learned Evaluator value false");
    let shown = evaluation(&mut engine);
    assert!(shown.starts_with("Evaluator sme+imm\n"), "{shown}");
    engine.quietly("setoption name Learned Evaluator value true");
    // Other rules: the file is refused, with its line and what evaluates instead.
    fs::write(&file, "@variant a/b\n@extends fide\nq F\n").expect("the folder is ours");
    let line = &engine.notes(&path)[0];
    assert!(line.contains("mine.a_b.eval, line 5: it was learned for other rules ("), "{line}");
    assert!(line.ends_with("it is not used, sme+imm evaluates"), "{line}");
    // The rules of a built-in game by another name have its evaluator.
    fs::write(&file, "@variant mine\n@extends xiangqi\n").expect("the folder is ours");
    engine.notes(&path);
    engine.notes("setoption name UCI_Variant value mine");
    let shown = evaluation(&mut engine);
    assert!(shown.starts_with("Evaluator learned (") && !shown.contains("nothing"), "{shown}");
    engine.quit();
}

/// How many different moves six games begin with.
fn first_moves(mut begin: impl FnMut() -> String) -> usize {
    (0..6).map(|_| begin()).collect::<BTreeSet<_>>().len()
}

#[test]
fn weakened_and_random_play_varies_and_no_other_play() {
    let limited = "UCI_LimitStrength value true\nsetoption name UCI_Elo value 2800";
    for variant in ["chess", "nuttyknights", "xiangqi"] {
        for (option, go, varies) in [
            (limited, "go depth 3", true),
            (limited, "go nodes 400", false),
            ("Skill Level value 20", "go depth 3", false),
        ] {
            let mut engine = Engine::ready();
            engine.send(&format!("setoption name UCI_Variant value {variant}"));
            // The same games each time.
            engine.send("setoption name Seed value 1");
            engine.notes(&format!("setoption name {option}"));
            let many = first_moves(|| engine.go(&format!("ucinewgame\n{go}")).best) > 1;
            assert_eq!(many, varies, "{variant} {option} {go}");
            engine.quit();
        }
        for (random, varies) in [("random", true), ("random\nrandom", false), ("", false)] {
            let mut client = Client::ready();
            client.send("option Seed=1");
            let name = variant.replace("chess", "normal");
            let many = first_moves(|| {
                client.send(&format!("new\nvariant {name}\nsd 3\n{random}\ngo"));
                let (first, lines) = client.wait_for_move();
                let is_told = lines.iter().any(|line| line.starts_with("# random: Seed "));
                assert_eq!(is_told, varies, "{lines:?}");
                first
            });
            assert_eq!(many > 1, varies, "{variant} {random:?}");
            client.quit();
        }
    }
}

#[test]
fn several_lines_are_shown_as_in_chess() {
    let mut engine = playing("xiangqi");
    engine.quietly("setoption name MultiPV value 3");
    let search = engine.go("go depth 3");
    let depths = |number| {
        let of = search.infos.iter().filter(move |info| info.multipv == Some(number));
        of.map(|info| info.depth).collect::<Vec<_>>()
    };
    assert_eq!([depths(1), depths(2), depths(3)], [1, 2, 3].map(|_| vec![1, 2, 3]));
    check_last_line(&search);
    let last = &search.infos[search.infos.len() - 3..];
    let firsts: BTreeSet<_> = last.iter().map(|info| &info.pv[0]).collect();
    assert_eq!(firsts.len(), 3, "{last:?}");
    engine.quit();
}

#[test]
fn xboard_plays_variants_with_clocks_analysis_and_hints() {
    let mut client = Client::ready();
    let said = client.said("variant nuttyknights");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(said[0], format!("setup (PNBRQKpnbrqk) 8x8+0_fairy {start}"));
    client.send("level 0 0:02 0.1\npost\ntime 200\notim 200\nusermove e2e4");
    let (first, lines) = client.wait_for_move();
    assert!(lines.iter().any(|line| Thinking::parse(line).is_some()), "{lines:?}");
    // The engine's move is one of Black, which it can take back and play again.
    client.quietly(&format!("force\nundo\nnopost\nusermove {first}"));
    client.send("sd 2\nst 5\ngo\n?");
    client.wait_for_move();
    client.said("variant minixiangqi\nforce");
    client.send("post\nanalyze");
    assert!(!client.thinking(3).variation.is_empty());
    client.send("usermove a2a3");
    client.thinking(2);
    client.no_move_for(60);
    let said = client.said("nopost\nexit\nhint");
    assert!(said.last().is_some_and(|line| line.starts_with("Hint: ")), "{said:?}");
    // In xiangqi stalemate loses; rows begin with 0.
    client.said("variant xiangqi");
    client.quietly("force\nsetboard 3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1");
    assert_eq!(client.said("go"), ["1-0 {Stalemate: White wins}"]);
    client.said("new\nvariant xiangqi\nsd 1");
    client.send("usermove h2e2");
    let (text, _) = client.wait_for_move();
    assert!(text.len() == 4 && text.ends_with(|c: char| c.is_ascii_digit()), "{text}");
    client.quit();
}

#[test]
fn xboard_rejects_illegal_moves_and_commands_of_chess_in_variants() {
    let mut client = Client::ready();
    client.said("variant shogi_nodrop\nforce");
    for (line, wanted) in [
        ("usermove e1e5", "Illegal move (the rules of this variant have no such move here): e1e5"),
        ("setboard 8/8 w - -", "tellusererror Illegal position"),
        ("usermove c3c4", "Illegal move (no legal position): c3c4"),
        ("go", "Error (no legal position): go"),
        ("exclude c3c4", "Error (not in variants): exclude"),
        ("nps 100", "Error (not in variants): nps"),
        ("option UCI_Variant=fide", "Error (use the command variant): option UCI_Variant=fide"),
    ] {
        let said = client.said(line);
        assert_eq!(said.first().map(String::as_str), Some(wanted), "{line}: {said:?}");
    }
    client.quietly("edit\n#\nKe1\nPe7\nc\nKe9\n.\nwhite\nforce\nusermove e7e8+\nundo");
    assert_eq!(client.said("undo"), ["Error (no move to take back): undo"]);
    client.quietly("new\nforce\nusermove e2e4\nusermove e7e5");
    client.quit();
}

/// Games differ in their rules of repetition: the client knows whose it plays.
#[test]
fn xboard_claims_no_repetition_in_variants_and_passes_there_too() {
    let mut client = Client::ready();
    client.said("variant makruk\nforce");
    let shuffle = "usermove d1c2\nusermove e8f7\nusermove c2d1\nusermove f7e8\n";
    let said = client.said(&format!("{}usermove @@@@\nusermove e8f7", shuffle.repeat(3)));
    assert!(said.is_empty(), "{said:?}");
    client.quit();
}

#[test]
fn xboard_lists_variants_of_files_and_begins_anew_when_they_are_read_again() {
    let folder = Folder::new();
    let file = folder.file("mine.var", "@variant mine\n@extends fide\nq W\n");
    let path = format!("option VariantPath={file}");
    let mut client = Client::ready();
    let said = client.said(&path);
    assert!(said[0].ends_with(",minishogi,mine\""), "{said:?}");
    client.said("variant mine\nforce");
    client.quietly("usermove e2e4");
    let said = client.said(&path);
    assert!(said[1].starts_with("setup (PNBRQKpnbrqk) 8x8+0_fairy "), "{said:?}");
    assert_eq!(client.said("undo"), ["Error (no move to take back): undo"]);
    // Rules whose pieces have no letters leave the game as it is.
    client.quietly("usermove e2e4");
    let long = "@variant mine\n@extends fide\nq W\n@variant long\n@royal king\nking W1\n\nw:king . b:king\n";
    folder.file("mine.var", long);
    client.said(&path);
    client.quietly("usermove e2e4");
    let refused = ["Error (XBoard cannot name its pieces): variant long"];
    assert_eq!(client.said("variant long"), refused);
    client.quietly("undo");
    // Of the variant in force that is said, too.
    folder.file("mine.var", "@variant mine\n@royal king\nking W1\n\nw:king . b:king\n");
    assert_eq!(client.said(&path)[1..], ["Error (XBoard cannot name its pieces): variant mine"]);
    client.quit();
}
