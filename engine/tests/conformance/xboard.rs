//! The XBoard protocol, command by command. Games and positions in any order: `xboard_model.rs`.

use std::thread;

use crate::support::book_file::book;
use crate::support::files::Folder;
use crate::support::xboard::{Client, Thinking};
use crate::support::{Engine, Oracle, PATIENCE, ms};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_protocol_begins_silently_announces_features_and_gives_way_to_uci() {
    let mut engine = Engine::start();
    engine.send("xboard\nprotover 1");
    engine.silent_for(ms(50));
    engine.send("protover 2");
    let lines = engine.until_line("features", PATIENCE, |text| text == "feature done=1");
    assert!(lines.iter().all(|line| line.text.starts_with("feature ")), "{lines:#?}");
    for wanted in
        ["ping=1", "sigint=0", "variants=\"normal,fischerandom,fide,", "option=\"MultiPV "]
    {
        let wanted = format!("feature {wanted}");
        assert!(lines.iter().any(|line| line.text.starts_with(&wanted)), "{wanted}");
    }
    engine.send("post\nanalyze");
    engine.until_line("analysis", PATIENCE, |text| text.starts_with('5'));
    engine.send("uci");
    engine.until("uciok");
    engine.send("xboard");
    engine.go("go depth 2");
    assert_eq!(engine.notes("protover 2").len(), 1);
    engine.quit();
}

#[test]
fn rejects_unknown_and_illegal_commands() {
    let mut client = Client::ready();
    // What only informs is accepted in silence.
    client
        .quietly("accepted ping\nrejected x\nrandom\ncomputer\nname A\nrating 1 2\n\npause\nexit");
    for (line, wanted) in [
        ("frobnicate 3", "Error (unknown command): frobnicate 3"),
        ("variant bughouse", "Error (unknown variant): variant bughouse"),
        ("undo", "Error (no move to take back): undo"),
        ("option Nonsense=1", "Error (No such option: Nonsense): option Nonsense=1"),
        ("usermove e2e5", "Illegal move (no piece can move that way): e2e5"),
        ("e7e5", "Illegal move (the piece belongs to the opponent): e7e5"),
    ] {
        assert_eq!(client.said(line), [wanted], "{line}");
    }
    client.engine().send_bytes(b"\xff\xfe\0 \x07\nusermove \xe9\n");
    assert_eq!(client.sync().len(), 2);
    let said = client.said(&"x".repeat(3 << 20));
    assert!(said.len() == 1 && said[0].starts_with("Error (line too long)"), "{said:?}");
    client.moved("sd 2\nusermove e2e4", &Oracle::startpos().after(&["e2e4"]));
    client.quit();
}

/// A repetition is no end of the game, but a draw that may be claimed.
#[test]
fn results_are_printed_in_force_mode_and_null_moves_played() {
    let mut client = Client::ready();
    let shuffle = "usermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\n".repeat(2);
    let pass = "new\nforce\nusermove @@@@\nusermove e7e5\nundo\nundo\nusermove e2e4";
    for (lines, wanted) in [
        ("usermove f2f3\nusermove e7e5\nusermove g2g4\nusermove d8h4", vec!["0-1 {Black mates}"]),
        (&*shuffle, vec![]),
        (pass, vec![]),
        ("setboard 4k3/8/8/8/8/8/8/4KR1r w - - 0 1\nusermove f1h1\nundo", vec![]),
        (
            "setboard 4k3/4R3/8/8/8/8/8/4K3 b - - 0 1\nusermove @@@@",
            vec!["Illegal move (no null move is possible here): @@@@"],
        ),
        ("usermove e8e7", vec!["1/2-1/2 {Draw by insufficient material}"]),
    ] {
        assert_eq!(client.said(&format!("force\n{lines}")), wanted, "{lines}");
        if !lines.starts_with("setboard") {
            client.quietly("new");
        }
    }
    client.quit();
}

#[test]
fn force_new_and_result_end_thinking_without_a_move() {
    let mut client = Client::ready();
    for command in
        ["force", "new", "result 1-0 {Black resigns}", "setboard 4k3/8/8/8/8/8/8/4KR2 w - -"]
    {
        client.send("new\nlevel 0 60 0\npost\nusermove e2e4");
        client.thinking(5);
        let said = client.said(command);
        assert!(said.iter().all(|line| !line.starts_with("move ")), "{said:?}");
        client.no_move_for(60);
    }
    client.quit();
}

#[test]
fn a_question_mark_brings_the_move_and_a_ping_waits_for_it() {
    let mut client = Client::ready();
    let oracle = Oracle::startpos().after(&["e2e4"]);
    client.send("level 0 60 0\npost\nusermove e2e4");
    client.thinking(5);
    client.send("ping 77");
    let early = client.engine().line_within(ms(0));
    assert!(!matches!(early, Ok(Some(line)) if line.text == "pong 77"));
    client.moved("?", &oracle);
    let pong = client.until("the pong", |text| text.starts_with("pong"));
    assert_eq!(pong.last().unwrap(), "pong 77");
    client.quietly("?");
    // What changes nothing costs no move.
    for command in ["exit", "variant normal", "variant nonsense", "undo", "remove"] {
        client.send(&format!("new\nlevel 0 60 0\nsd 200\nforce\ngo\n{command}\n?"));
        client.wait_for_move();
        client.sync();
    }
    client.quit();
}

#[test]
fn thinking_is_shown_after_post() {
    let mut client = Client::ready();
    client.send("sd 5\npost\nusermove e2e4");
    let (mv, lines) = client.wait_for_move();
    let oracle = Oracle::startpos().after(&["e2e4"]);
    let thinking: Vec<_> = lines
        .iter()
        .filter(|line| !line.starts_with("# "))
        .map(|line| Thinking::parse(line).expect("thinking"))
        .collect();
    let last = thinking.last().expect("lines of thinking");
    assert_eq!((last.depth, &last.variation[0]), (5, &mv));
    for line in &thinking {
        oracle.after(&line.variation);
        assert!(line.score.abs() < 1000 && line.nodes > 0, "{line:?}");
    }
    client.send("option Minimal=1\nforce\nnew\nsd 4\nusermove e2e4");
    assert_eq!(client.wait_for_move().1.len(), 1);
    client.send("nopost\nforce\nnew\nsd 4\nusermove e2e4");
    assert_eq!(client.wait_for_move().1, [""; 0]);
    client.quit();
}

#[test]
fn after_an_illegal_board_nothing_is_done_until_a_legal_one_comes() {
    let mut client = Client::ready();
    client.quietly("force\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ne1g1");
    for bad in ["setboard nonsense", "setboard 4k2R/8/8/8/8/8/8/4K3 w - -", "edit\n#\nKe1\n."] {
        assert_eq!(client.said(bad)[0], "tellusererror Illegal position");
        assert!(client.said("e1e2")[0].starts_with("Illegal move ("));
        for line in ["go", "white", "black", "hint", "exclude e1e2", "include all"] {
            let said = client.said(line);
            assert!(said[0].starts_with("Error (no legal position)"), "{line}: {said:?}");
        }
        assert_eq!(client.said("bk"), [" no move in the book", ""]);
    }
    client.quietly(&format!("setboard {START}\ne2e4"));
    client.quietly("edit\n#\nKe1\nRh1\nPa2\nc\nKe8\nQd8\nxd8\n.\nwhite\nforce\ne1g1\ne8e7");
    client.quit();
}

#[test]
fn hints_and_the_book_are_printed_and_its_moves_played_with_own_book() {
    let folder = Folder::new();
    let moves = [("e2e4", 590), ("d2d4", 407), ("c2c4", 3), ("a2a3", 0)];
    let file = folder.file("book.bin", book(&moves.map(|(mv, weight)| (START, mv, 0, weight))));
    let mut client = Client::ready();
    let hint = client.said("hint");
    let text = hint[0].strip_prefix("Hint: ").expect("a hint");
    assert!(hint.len() == 1 && Oracle::startpos().is_legal(text), "{hint:?}");
    client.send("level 0 60 0\nforce\ngo\nhint\n?");
    let (_, mut said) = client.wait_for_move();
    said.extend(client.sync());
    assert!(said.iter().any(|line| line.starts_with("Hint: ")), "{said:?}");
    client.send("new\noption OwnBook=1\npost\nusermove e2e4");
    let (mv, lines) = client.wait_for_move();
    assert!(lines.is_empty() && Oracle::startpos().after(&["e2e4"]).is_legal(&mv), "{lines:?}");
    client.quietly(&format!("new\noption OwnBook=0\noption Book File={file}"));
    assert_eq!(client.said("bk"), [" e2e4 59%", " d2d4 41%", " c2c4 <1%", " a2a3 0%", ""]);
    client.send("sd 2\ngo");
    assert!(!client.wait_for_move().1.is_empty(), "nothing was searched");
    client.quit();
}

#[test]
fn analysis_follows_the_board_and_reports_how_far_it_is() {
    let mut client = Client::ready();
    client.send("post\nanalyze");
    client.thinking(6);
    client.send(".");
    let lines = client.until("statistics", |text| text.starts_with("stat01: "));
    let words: Vec<_> = lines.last().expect("the line")["stat01: ".len()..].split(' ').collect();
    let [_, nodes, depth, left, all, mv] = words[..] else { panic!("{words:?}") };
    assert!(nodes.parse::<u64>().unwrap() > 0 && depth.parse::<u32>().unwrap() >= 6);
    assert!(left.parse::<u32>().unwrap() < 20 && all == "20");
    assert!(Oracle::startpos().is_legal(mv));
    // Its nodes are those of now, not of the last line.
    for variant in ["normal", "crazyhouse"] {
        client.said(&format!("exit\nvariant {variant}\nanalyze"));
        let mut last = client.thinking(4).nodes;
        let is_later = (0..1000).any(|_| {
            client.send(".");
            let mut lines = client.until("statistics", |text| text.starts_with("stat01: "));
            let now = lines.pop().expect("the line")["stat01: ".len()..].to_owned();
            let printed = lines.iter().filter_map(|line| Thinking::parse(line)).next_back();
            last = printed.map_or(last, |line| line.nodes);
            now.split(' ').nth(1).expect("nodes").parse::<u64>().unwrap() > last
        });
        assert!(is_later, "{variant}");
    }
    client.said("exit\nnew\nanalyze");
    let mut oracle = Oracle::startpos();
    for mv in ["e2e4", "e7e5"] {
        assert!(oracle.play(mv));
        client.said(&format!("usermove {mv}"));
        oracle.after(&client.thinking(6).variation);
    }
    client.said("undo");
    Oracle::startpos().after(&["e2e4"]).after(&client.thinking(6).variation);
    // It goes on after bad lines, and after commands that take some time.
    let said = client.said("frobnicate");
    assert_eq!(said.iter().filter(|line| line.starts_with("Error (")).count(), 1, "{said:?}");
    let folder = Folder::new();
    for command in ["savehash", "loadhash"] {
        client.send(&format!("{command} {}", folder.path("file").display()));
        client.until("a note", |text| text.starts_with("# hash "));
        client.thinking(6);
    }
    client.said("new");
    client.thinking(6);
    client.said("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    client.no_move_for(50);
    client.said("exit");
    client.said("new\nsd 2\nusermove e2e4");
    client.quit();
}

#[test]
fn excluded_moves_are_not_analyzed_until_they_are_included() {
    let mut client = Client::ready();
    let best = |client: &mut Client| client.thinking(7).variation[0].clone();
    client.send("post\nsetboard 4k3/pppp4/8/3q4/8/2N5/PPPP4/4K3 w - - 0 1\nanalyze");
    assert_eq!(best(&mut client), "c3d5");
    client.said("exclude c3d5");
    assert_ne!(best(&mut client), "c3d5");
    client.said("exclude all\ninclude c3a2 c3b1");
    assert!(["c3a2", "c3b1"].contains(&best(&mut client).as_str()));
    client.said("exclude all");
    client.no_move_for(30);
    client.said("include all");
    assert_eq!(best(&mut client), "c3d5");
    client.quit();
}

/// With which clocks the search goes on is tested in `xboard/time_control.rs`.
#[test]
fn the_engine_ponders_after_hard_and_keeps_thinking_on_a_hit() {
    let mut client = Client::ready();
    let mut oracle = Oracle::startpos().after(&["e2e4"]);
    client.send("hard\npost\nlevel 0 10 0\nsd 6\nusermove e2e4");
    let (mut mv, _) = client.wait_for_move();
    for turn in 0..4 {
        assert!(oracle.play(&mv));
        let hint = client.hint();
        assert!(oracle.is_legal(&hint), "{hint}");
        client.thinking(4);
        let said = client.said("");
        assert!(said.iter().all(|line| !line.starts_with("move ")));
        // Every second time it guessed right.
        let legal = oracle.legal();
        let other = legal.iter().find(|text| **text != hint).unwrap_or(&hint).clone();
        let reply = if turn % 2 == 0 { hint } else { other };
        assert!(oracle.play(&reply));
        client.send(&format!("time 59000\notim 59000\nusermove {reply}"));
        let (next, lines) = client.wait_for_move();
        assert!(oracle.is_legal(&next));
        if turn % 2 == 0 {
            let first = lines.iter().find_map(|line| Thinking::parse(line));
            assert!(first.is_none_or(|line| line.depth > 1), "the search began again: {lines:?}");
        }
        mv = next;
    }
    client.send("easy\nforce");
    client.sync();
    client.no_move_for(30);
    client.quit();
}

#[test]
fn draws_are_accepted_only_by_a_side_that_is_not_better() {
    let setup = |side: &str| format!("force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 {side} - - 0 1");
    let mut client = Client::ready();
    client.quietly("draw");
    // A queen up.
    client.send(&format!("{}\nsd 6\ngo", setup("w")));
    client.wait_for_move();
    client.quietly("draw");
    // A queen down.
    client.send(&format!("{}\ngo", setup("b")));
    client.wait_for_move();
    assert_eq!(client.said("draw"), ["offer draw"]);
    // An offer while it thinks is answered with the move, which does not come earlier.
    client.send(&format!("{}\nsd 200\nlevel 0 60 0\ngo\ndraw", setup("b")));
    client.no_move_for(100);
    client.send("?");
    assert_eq!(client.wait_for_move().1, ["offer draw"]);
    // One that is accepted in the opponent's time is not accepted again with the move.
    client.send(&format!("{}\nhard\ngo\n?", setup("b")));
    client.wait_for_move();
    let hint = client.hint();
    client.send(&format!("draw\nusermove {hint}\n?"));
    let (_, lines) = client.wait_for_move();
    assert_eq!(lines.iter().filter(|line| *line == "offer draw").count(), 1, "{lines:?}");
    // It may ponder again by now, with a hint of its own.
    client.said("easy");
    // What Black's search has found says nothing to White.
    client.send(&format!("{}\nsd 4\ngo", setup("b")));
    client.wait_for_move();
    client.quietly("force\nusermove d1g4\nplayother\ndraw");
    // An offer is forgotten when moves are taken back, by `force` and by the end of analysis.
    // No search ends before the lines behind it.
    let offer = format!("{}\nsd 200\nplayother\ndraw", setup("w"));
    for declined in [
        "usermove d1h5\nforce\nundo\nusermove d1g4\nsd 4\ngo",
        "force\nusermove b2b3\nsd 4\ngo",
        "analyze\nexit\nusermove b2b3\nsd 4\ngo",
    ] {
        client.quietly(&offer);
        client.send(declined);
        let (_, lines) = client.wait_for_move();
        assert!(lines.is_empty(), "{declined}: {lines:?}");
    }
    client.quit();
}

#[test]
fn it_resigns_only_if_it_may_and_after_several_lost_searches() {
    let mut client = Client::ready();
    for resigns in [false, true] {
        client.send(&format!("new\noption Resign={}\nsd 5", u8::from(resigns)));
        client.send("force\nsetboard 3qk3/pppp4/8/8/8/8/8/4K3 w - - 0 1");
        let mut turn = |shuffle: &&str| {
            client.send("go");
            let is_answer = |text: &str| text.starts_with("move ") || text == "resign";
            let has_moved = client.until("an answer", is_answer).pop() != Some("resign".to_owned());
            client.said(&format!("force\nusermove {shuffle}"));
            has_moved
        };
        let moves = ["a7a6", "a6a5", "b7b6", "b6b5", "c7c6"];
        assert_eq!(moves.iter().take_while(|mv| turn(mv)).count(), if resigns { 3 } else { 5 });
    }
    client.quit();
}

#[test]
fn memory_cores_options_and_tables_are_set() {
    let mut client = Client::ready();
    client.quietly(
        "memory 64\ncores 2\nmemory -5\ncores 0\noption Move Overhead=50\noption Clear Hash",
    );
    client.quietly("option UCI_LimitStrength=1\noption UCI_LimitStrength=0\noption MultiPV=2");
    let said = client.said(&format!("memory {}", u64::MAX));
    assert!(said[0].starts_with("# Hash: 33554432 is set, the greatest value, instead of 18"));
    assert!(said.len() == 2 && said[1].contains("Hash stays at "), "{said:?}");
    assert_eq!(client.said("egtpath nalimov /tables").len(), 1);
    let said = client.said("egtpath syzygy /no/such folder");
    assert_eq!(said[0], "# found 0 tablebases");
    assert!(said[1].starts_with("# tablebases left out: "), "{said:?}");
    assert!(client.said("option MultiPV=0")[0].starts_with("Error ("));
    client.send("post\nsd 4\nusermove e2e4");
    let (_, lines) = client.wait_for_move();
    let deepest: Vec<_> = lines.iter().filter(|line| line.starts_with("4 ")).collect();
    assert!(deepest.len() >= 2, "two lines of each depth: {lines:?}");
    client.quit();
}

/// What the process has in memory, in MiB. What of the program file is there depends on how it was
/// built: it counts as in a release, where it is 8 MiB as a whole.
#[cfg(target_os = "linux")]
fn resident(client: &mut Client) -> u64 {
    client.engine().status("RssAnon:") / 1024 + 8
}

#[cfg(target_os = "linux")]
#[test]
fn long_memory_is_what_the_whole_process_takes_before_the_pong() {
    for (memory, cores) in [(32, 1), (64, 4), (200, 1)] {
        let mut client = Client::ready();
        client.quietly(&format!("memory {memory}\ncores {cores}"));
        assert!(resident(&mut client) >= memory / 2, "the pong came before the memory");
        client.moved("sd 10\nusermove e2e4", &Oracle::startpos().after(&["e2e4"]));
        let taken = resident(&mut client);
        // Most of it is the table, which is cleared and so in memory as a whole.
        assert!((memory / 2..=memory).contains(&taken), "{taken} of {memory} MiB, {cores} threads");
        if memory == 200 {
            // The table of standard chess is given back when the search of a variant is made ready.
            client.said("variant capablanca");
            let taken = resident(&mut client);
            assert!(taken < 100, "{taken} MiB: the pong came before the search was ready");
        }
        client.quit();
    }
}

/// Things that an engine may be doing when its client goes away.
const STATES: [&str; 4] =
    ["edit", "analyze", "hard\nsd 3\nusermove e2e4", "st 3600\nusermove e2e4"];

#[test]
fn quit_ends_it_in_any_state_and_end_of_input_after_the_move() {
    // A search for a move has its time.
    let mut client = Client::ready();
    client.send("sd 8\nusermove e2e4");
    client.engine().close_stdin();
    client.wait_for_move();
    client.engine().expect_exit();
    for state in STATES {
        let mut client = Client::ready();
        client.send(state);
        thread::sleep(ms(50));
        client.send("quit");
        client.engine().expect_exit();
    }
}

#[cfg(unix)]
#[test]
fn sigint_is_ignored_and_sigterm_ends_it() {
    use crate::support::signal;
    for state in STATES {
        let mut client = Client::ready();
        client.send(state);
        thread::sleep(ms(50));
        for _ in 0..3 {
            signal(client.engine().id(), "-INT");
            thread::sleep(ms(20));
        }
        // It lives on and does what it did.
        client.send(".\n?");
        client.sync();
        signal(client.engine().id(), "-TERM");
        client.engine().expect_exit();
    }
    // UCI has no such custom, also where XBoard's protocol was tried first.
    let mut client = Client::ready();
    client.send("uci");
    client.until("uciok", |text| text == "uciok");
    signal(client.engine().id(), "-INT");
    client.engine().expect_exit();
}
