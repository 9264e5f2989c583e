//! The XBoard protocol, command by command.

use std::time::Instant;

#[cfg(target_os = "linux")]
use crate::support::Launch;
use crate::support::book_file::book;
use crate::support::files::Folder;
use crate::support::xboard::{Client, Thinking};
use crate::support::{Engine, Oracle, PATIENCE, ms};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_protocol_is_chosen_by_the_first_word_and_uci_always_wins() {
    for first in ["xboard\nprotover 2", "protover 2"] {
        let mut engine = Engine::start();
        engine.send(first);
        engine.until_line("features", PATIENCE, |text| text == "feature done=1");
        engine.send("post\nanalyze");
        engine.until_line("analysis", PATIENCE, |text| text.starts_with('5'));
        engine.send("uci");
        engine.until("uciok");
        engine.send("xboard");
        engine.go("go depth 2");
        engine.quit();
    }
    let mut engine = Engine::ready();
    engine.quietly("xboard");
    assert_eq!(engine.notes("protover 2").len(), 1);
    engine.quit();
}

#[test]
fn xboard_alone_is_silent_and_features_come_at_once_with_done_last() {
    let mut engine = Engine::start();
    engine.send("xboard");
    engine.silent_for(ms(100));
    engine.send("protover 1");
    engine.silent_for(ms(50));
    engine.send("protover 2");
    let lines = engine.until_line("features", ms(2000), |text| text == "feature done=1");
    assert!(lines.iter().all(|line| line.text.starts_with("feature ")), "{lines:#?}");
    for wanted in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "playother=1",
        "sigint=0",
        "sigterm=0",
        "colors=0",
        "analyze=1",
        "memory=1",
        "smp=1",
        "nps=1",
        "exclude=1",
        "variants=\"normal,fischerandom,fide,fide_thesis,nuttyknights,clobberers,shogi_nodrop,\
         locusts,locusts12,locusts_thesis,xiangqi,minixiangqi,makruk,asean,shatranj,\
         courier,losalamos,knightmate,amazon,almost,nightrider,grasshopper,hoppelpoppel,\
         newzealand,capablanca,janus,embassy,crazyhouse,shogi,\
         minishogi\"",
        "option=\"MultiPV -spin 1 1 256\"",
    ] {
        assert!(lines.iter().any(|line| line.text["feature ".len()..] == *wanted), "{wanted}");
    }
    engine.quit();
}

#[test]
fn what_only_informs_is_accepted_in_silence() {
    let mut client = Client::ready();
    client.quietly(
        "accepted ping\nrejected analyze\nrejected unheard_of\nrandom\ncomputer\n\
         name A Human Being\nrating 2000 2100\nics -\n\nxboard\npause\nresume\nlift a2\n?\nexit",
    );
}

#[test]
fn unknown_and_illegal_commands_are_reported_in_the_words_of_the_protocol() {
    let mut client = Client::ready();
    for (line, wanted) in [
        ("frobnicate 3", "Error (unknown command): frobnicate 3"),
        ("sd", "Error (missing argument): sd"),
        ("level 40", "Error (bad argument): level 40"),
        ("variant atomic", "Error (unknown variant): variant atomic"),
        ("undo", "Error (no move to take back): undo"),
        ("option Nonsense=1", "Error (No such option: Nonsense): option Nonsense=1"),
        ("usermove e2e5", "Illegal move (no piece can move that way): e2e5"),
        ("e7e5", "Illegal move (the piece belongs to the opponent): e7e5"),
        ("usermove nonsense", ""),
    ] {
        let said = client.said(line);
        assert_eq!(said.len(), 1, "{line:?}: {said:?}");
        if wanted.is_empty() {
            assert!(said[0].starts_with("Illegal move ("), "{said:?}");
        } else {
            assert_eq!(said[0], wanted);
        }
    }
    client.engine().send_bytes(b"\xff\xfe\0 \x07\nusermove \xe9\n");
    assert_eq!(client.sync().len(), 2);
    client.moved("sd 2\nusermove e2e4", &Oracle::startpos().after(&["e2e4"]));
    client.quit();
}

#[test]
fn moves_come_bare_or_with_usermove_and_the_engine_answers_as_black() {
    let mut client = Client::ready();
    let mut oracle = Oracle::startpos();
    client.send("sd 3");
    for text in ["usermove e2e4", "d2d4"] {
        let mv = text.split(' ').next_back().unwrap_or_default();
        assert!(oracle.play(mv));
        let reply = client.moved(text, &oracle);
        assert!(oracle.play(&reply));
    }
    client.quit();
}

#[test]
fn force_go_and_playother_decide_who_plays() {
    let mut client = Client::ready();
    client.send("sd 3");
    client.quietly("force\ne2e4\ne7e5\ng1f3");
    let mut oracle = Oracle::startpos().after(&["e2e4", "e7e5", "g1f3"]);
    let reply = client.moved("go", &oracle);
    assert!(oracle.play(&reply));
    client.quietly("force\nf3g1");
    assert!(oracle.play("f3g1"));
    client.quietly("playother");
    let legal = oracle.legal();
    assert!(oracle.play(&legal[0]));
    let reply = client.moved(&format!("usermove {}", legal[0]), &oracle);
    assert!(oracle.is_legal(&reply));
    // The commands of old clients.
    let mut client = Client::ready();
    client.send("sd 2");
    client.quietly("black");
    let black = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    let oracle = Oracle::new(black, crate::support::oracle::Notation::Classic);
    client.moved("usermove a7a6", &oracle.after(&["a7a6"]));
    client.quit();
}

#[test]
fn force_new_and_result_end_thinking_without_a_move() {
    for command in
        ["force", "new", "result 1-0 {Black resigns}", "setboard 4k3/8/8/8/8/8/8/4KR2 w - -"]
    {
        let mut client = Client::ready();
        client.send("level 0 60 0\npost\nusermove e2e4");
        client.thinking(5);
        let said = client.said(command);
        assert!(said.iter().all(|line| !line.starts_with("move ")), "{said:?}");
        client.no_move_for(60);
        client.quit();
    }
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
    assert_eq!(
        client.until("the pong", |text| text.starts_with("pong")).last().unwrap(),
        "pong 77"
    );
    client.quietly("?");
    client.quit();
}

#[test]
fn thinking_is_shown_after_post_and_not_after_nopost() {
    let mut client = Client::ready();
    client.send("sd 5\npost\nusermove e2e4");
    let (mv, lines) = client.wait_for_move();
    let oracle = Oracle::startpos().after(&["e2e4"]);
    let thinking: Vec<_> =
        lines.iter().map(|line| Thinking::parse(line).expect("thinking")).collect();
    let last = thinking.last().expect("lines of thinking");
    assert_eq!((last.depth, &last.variation[0]), (5, &mv));
    for line in &thinking {
        oracle.after(&line.variation);
        assert!(line.score.abs() < 1000 && line.nodes > 0, "{line:?}");
    }
    client.send("nopost\nforce\nnew\nsd 4\nusermove e2e4");
    let (_, lines) = client.wait_for_move();
    assert!(lines.is_empty(), "{lines:?}");
    client.quit();
}

#[test]
fn mates_are_a_hundred_thousand_and_the_moves() {
    let mut client = Client::ready();
    client.send("post\nsd 12");
    for (fen, wanted) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 100_001),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 100_001),
        ("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", -100_001),
    ] {
        client.send(&format!("force\nsetboard {fen}\ngo"));
        let (_, lines) = client.wait_for_move();
        let last = lines.iter().rev().find_map(|line| Thinking::parse(line)).expect("thinking");
        assert_eq!(last.score, wanted, "{fen}");
    }
    client.quit();
}

#[test]
fn results_follow_the_move_that_ends_the_game() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "1-0 {White mates}"),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b q - 0 1", "0-1 {Black mates}"),
        ("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "1/2-1/2 {Draw by insufficient material}"),
        ("7k/8/8/8/8/8/5R2/K7 w - - 99 80", "1/2-1/2 {Draw by fifty move rule}"),
    ];
    for (fen, wanted) in cases {
        let mut client = Client::ready();
        client.send(&format!("force\nsetboard {fen}\nsd 6\ngo"));
        client.wait_for_move();
        assert_eq!(client.sync(), [wanted], "{fen}");
        client.quit();
    }
    // The opponent's move may end it as well.
    let mut client = Client::ready();
    client.quietly("force\nf2f3\ne7e5\ng2g4\nsetboard rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\nplayother");
    assert_eq!(client.said("usermove d8h4"), ["0-1 {Black mates}"]);
    assert_eq!(client.said("go"), ["0-1 {Black mates}"]);
    client.quit();
}

#[test]
fn the_third_repetition_is_a_draw() {
    let mut client = Client::ready();
    client.quietly("playother\nforce\ng1f3\ng8f6\nf3g1\nf6g8\ng1f3\ng8f6\nf3g1");
    client.quietly("playother");
    let said = client.said("usermove f6g8");
    assert_eq!(said, ["1/2-1/2 {Draw by repetition}"]);
    client.quit();
}

#[test]
fn a_board_is_set_and_an_illegal_one_refused_until_a_legal_one_comes() {
    let mut client = Client::ready();
    client.quietly("force\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ne1g1");
    for bad in [
        "setboard 8/8/8/8/8/8/8/8 w - - 0 1",
        "setboard nonsense",
        "setboard 4k2R/8/8/8/8/8/8/4K3 w - -",
    ] {
        assert_eq!(client.said(bad)[0], "tellusererror Illegal position");
        assert!(client.said("e1e2")[0].starts_with("Illegal move ("));
        for line in ["go", "white", "black", "hint", "exclude e1e2", "include all"] {
            let said = client.said(line);
            assert!(said[0].starts_with("Error (no legal position)"), "{line}: {said:?}");
        }
        assert_eq!(client.said("bk"), [" no move in the book", ""]);
        assert!(client.said("e1e2")[0].starts_with("Illegal move ("), "the old game goes on");
    }
    client.quietly(&format!("setboard {START}\ne2e4"));
    client.quit();
}

#[test]
fn a_board_is_edited_piece_by_piece() {
    let mut client = Client::ready();
    client.quietly("force\nedit\n#\nKe1\nRh1\nPa2\nc\nKe8\nQd8\nxd8\n.\ne1g1\ne8e7");
    assert!(client.said("edit\nnonsense\n.")[0].starts_with("Error ("));
    assert_eq!(client.said("edit\n#\nKe1\n.")[0], "tellusererror Illegal position");
    // A null move by an old client, then a board with Black to move.
    client.quietly("new\nforce\na2a3\nedit\n#\nKe1\nPe2\nc\nKe8\nPe7\n.\ne8d8");
    client.quit();
}

#[test]
fn moves_are_taken_back() {
    let mut client = Client::ready();
    client.quietly("force\ne2e4\ne7e5\nundo\nc7c5\nremove\nd2d4");
    let oracle = Oracle::startpos().after(&["d2d4"]);
    client.moved("sd 2\ngo", &oracle);
    client.send("remove\nusermove e2e4");
    client.wait_for_move();
    client.quietly(&format!("force\nsetboard {START}"));
    assert_eq!(client.said("undo").len(), 1);
    client.quit();
}

#[test]
fn hints_and_the_book_are_printed_at_any_time() {
    let mut client = Client::ready();
    let hint = client.said("hint");
    let text = hint[0].strip_prefix("Hint: ").expect("a hint");
    assert!(hint.len() == 1 && Oracle::startpos().is_legal(text), "{hint:?}");
    let book = client.said("bk");
    assert!(book[0].starts_with(' ') && book.last().is_some_and(String::is_empty), "{book:?}");
    let first = book[0].trim().split(' ').next().unwrap_or_default();
    assert!(Oracle::startpos().is_legal(first), "{book:?}");
    let book = client.said("setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nbk");
    assert!(book.len() == 2 && book[0].starts_with(' ') && book[1].is_empty(), "{book:?}");
    client.quietly(&format!("setboard {START}"));
    let mut oracle = Oracle::startpos().after(&["e2e4"]);
    let reply = client.moved("sd 4\nusermove e2e4", &oracle);
    assert!(oracle.play(&reply));
    let hint = client.said("hint");
    assert!(oracle.is_legal(hint[0].strip_prefix("Hint: ").expect("a hint")), "{hint:?}");
    client.quit();
}

#[test]
fn shares_of_the_book_are_rounded() {
    let folder = Folder::new("xboard-shares");
    let moves = [("e2e4", 590), ("d2d4", 407), ("c2c4", 3), ("a2a3", 0)];
    let file = folder.file("book.bin", book(&moves.map(|(mv, weight)| (START, mv, 0, weight))));
    let mut client = Client::ready();
    client.quietly(&format!("option Book File={file}"));
    assert_eq!(client.said("bk"), [" e2e4 59%", " d2d4 41%", " c2c4 <1%", " a2a3 0%", ""]);
    client.quit();
}

#[test]
fn a_hint_that_comes_with_the_search_is_answered() {
    let mut client = Client::ready();
    client.send("level 0 60 0\nforce\ngo\nhint\n?");
    let (_, mut said) = client.wait_for_move();
    said.extend(client.sync());
    assert!(said.iter().any(|line| line.starts_with("Hint: ")), "{said:?}");
    client.quit();
}

#[test]
fn moves_of_the_book_are_played_with_own_book_only() {
    let mut client = Client::ready();
    client.send("option OwnBook=1\npost\nusermove e2e4");
    let (mv, lines) = client.wait_for_move();
    assert!(lines.is_empty() && Oracle::startpos().after(&["e2e4"]).is_legal(&mv), "{lines:?}");
    client.send("force\nnew\noption OwnBook=0\nsd 2\nusermove e2e4");
    let (_, lines) = client.wait_for_move();
    assert!(!lines.is_empty(), "nothing was searched");
    client.quit();
}

#[test]
fn minimal_prints_the_last_line_of_each_search_and_the_progress_is_known() {
    let mut client = Client::ready();
    client.send("option Minimal=1\npost\nanalyze");
    let begin = Instant::now();
    loop {
        assert!(begin.elapsed() < PATIENCE, "no progress");
        let said = client.said(".");
        // Before the search has begun there is no answer.
        let Some(line) = said.iter().find_map(|line| line.strip_prefix("stat01: ")) else {
            continue;
        };
        let words: Vec<_> = line.split(' ').collect();
        if words[1] != "0" && words[2] != "1" {
            break;
        }
    }
    client.said("exit");
    client.send("sd 4\ngo");
    let (mv, lines) = client.wait_for_move();
    let [line] = &lines[..] else { panic!("{lines:?}") };
    let line = Thinking::parse(line).expect("a line of thinking");
    assert_eq!((line.depth, line.variation.first()), (4, Some(&mv)));
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
    let mut oracle = Oracle::startpos();
    for mv in ["e2e4", "e7e5"] {
        assert!(oracle.play(mv));
        client.said(&format!("usermove {mv}"));
        oracle.after(&client.thinking(6).variation);
    }
    client.said("undo");
    Oracle::startpos().after(&["e2e4"]).after(&client.thinking(6).variation);
    client.said("new");
    client.thinking(6);
    client.said("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    client.no_move_for(50);
    client.said("exit");
    client.no_move_for(50);
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

#[test]
fn the_engine_ponders_after_hard_and_keeps_thinking_on_a_hit() {
    let mut client = Client::ready();
    let mut oracle = Oracle::startpos().after(&["e2e4"]);
    client.send("hard\npost\nlevel 40 0:05 0\ntime 500\nusermove e2e4");
    let (mut mv, _) = client.wait_for_move();
    let mut hits = 0;
    for turn in 0..4 {
        assert!(oracle.play(&mv));
        let lines = client.until("a hint", |text| text.starts_with("Hint: "));
        let hint = lines.last().unwrap()["Hint: ".len()..].to_owned();
        assert!(oracle.is_legal(&hint), "{hint}");
        client.thinking(4);
        let said = client.said("");
        assert!(said.iter().all(|line| !line.starts_with("move ")));
        // Every second time it guessed right.
        let legal = oracle.legal();
        let other = legal.iter().find(|text| **text != hint).unwrap_or(&hint).clone();
        let reply = if turn % 2 == 0 { hint } else { other };
        hits += usize::from(turn % 2 == 0);
        assert!(oracle.play(&reply));
        client.send(&format!("time 480\notim 480\nusermove {reply}"));
        let (next, lines) = client.wait_for_move();
        assert!(oracle.is_legal(&next));
        if turn % 2 == 0 {
            let first = lines.iter().find_map(|line| Thinking::parse(line));
            assert!(first.is_none_or(|line| line.depth > 1), "the search began again: {lines:?}");
        }
        mv = next;
    }
    assert_eq!(hits, 2);
    client.send("easy\nforce");
    client.sync();
    client.no_move_for(30);
    client.quit();
}

#[test]
fn pondering_goes_on_with_a_clock_that_is_little_less() {
    let mut client = Client::ready();
    let oracle = Oracle::startpos().after(&["e2e4"]);
    client.send("hard\npost\nlevel 0 10 0\ntime 60000\notim 60000\nusermove e2e4");
    // A search that was stopped too early expects no move.
    client.thinking(6);
    client.send("?");
    let (mv, _) = client.wait_for_move();
    let oracle = oracle.after(&[&mv]);
    let hint = client.until("a hint", |text| text.starts_with("Hint: ")).pop().expect("the hint");
    let hint = hint["Hint: ".len()..].to_owned();
    client.thinking(6);
    // Half a second less.
    client.send(&format!("time 59950\notim 59950\nusermove {hint}"));
    client.thinking(7);
    client.send("?");
    let (mv, lines) = client.wait_for_move();
    assert!(oracle.after(&[&hint]).is_legal(&mv), "{mv}");
    let again = |line: &String| Thinking::parse(line).is_some_and(|line| line.depth < 6);
    assert!(!lines.iter().any(again), "the search began again: {lines:?}");
    client.quit();
}

#[test]
fn a_ponder_search_without_a_time_for_the_move_begins_again_with_the_clock() {
    let mut client = Client::ready();
    // XBoard rounds a time below a second down.
    client.send("hard\npost\nst 0\ntime 50\notim 50\nusermove e2e4");
    client.wait_for_move();
    let hint = client.until("a hint", |text| text.starts_with("Hint: ")).pop().expect("the hint");
    client.thinking(4);
    client.send(&format!("time 50\notim 50\nusermove {}", &hint["Hint: ".len()..]));
    let (_, lines) = client.wait_for_move();
    let first = |line: &String| Thinking::parse(line).is_some_and(|line| line.depth == 1);
    assert!(lines.iter().any(first), "the search went on: {lines:?}");
    client.quit();
}

#[test]
fn draws_are_accepted_only_by_a_side_that_is_not_better() {
    let mut client = Client::ready();
    client.quietly("draw");
    // A queen up.
    client.send("force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1\nsd 6\ngo");
    client.wait_for_move();
    client.quietly("draw");
    // A queen down.
    client.send("force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1\ngo");
    client.wait_for_move();
    assert_eq!(client.said("draw"), ["offer draw"]);
    // An offer while it thinks is answered with the move, which does not come earlier.
    client.send(
        "force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1\nsd 200\nlevel 0 60 0\ngo\ndraw",
    );
    client.no_move_for(100);
    client.send("?");
    let (_, lines) = client.wait_for_move();
    assert_eq!(lines, ["offer draw"]);
    // One that is accepted in the opponent's time is not accepted again with the move.
    client.send("force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1\nhard\ngo\n?");
    client.wait_for_move();
    let hint = client.until("a hint", |text| text.starts_with("Hint: ")).pop().expect("the hint");
    client.send(&format!("draw\nusermove {}\n?", &hint["Hint: ".len()..]));
    let (_, lines) = client.wait_for_move();
    assert_eq!(lines.iter().filter(|line| *line == "offer draw").count(), 1, "{lines:?}");
    // It may ponder again by now, with a hint of its own.
    client.said("easy");
    // What Black's search has found says nothing to White.
    client.send("force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1\nsd 4\ngo");
    client.wait_for_move();
    client.quietly("force\nusermove d1g4\nplayother\ndraw");
    // One that came before moves were taken back is forgotten.
    client.send(
        "force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1\nusermove d1h5\ngo\ndraw\n\
         force\nundo\nusermove d1g4\nsd 4\ngo",
    );
    let (_, lines) = client.wait_for_move();
    assert!(lines.is_empty(), "{lines:?}");
    client.quit();
}

/// Black is a queen down, and would accept the draw as soon as it has searched.
#[test]
fn an_offer_of_a_draw_is_declined_by_a_move_of_the_book_and_by_force() {
    let folder = Folder::new("xboard-draw");
    let after_a3 = "4k3/pppp4/8/8/8/P7/1PPP4/3QK3 b - - 0 1";
    let file = folder.file("book.bin", book(&[(after_a3, "a7a6", 0, 1)]));
    let mut client = Client::ready();
    client.quietly(&format!("sd 4\noption OwnBook=1\noption Book File={file}"));
    client.quietly("force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1\nplayother\ndraw");
    client.send("usermove a2a3");
    assert_eq!(client.wait_for_move(), ("a7a6".to_owned(), vec![]));
    client.send("usermove a3a4");
    let (_, lines) = client.wait_for_move();
    assert_eq!(lines, [""; 0], "the offer was declined a move before");
    for declined in ["force\nusermove b2b3\ngo", "analyze\nexit\nusermove b2b3\ngo"] {
        client.quietly("force\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1\nplayother\ndraw");
        client.send(declined);
        let (_, lines) = client.wait_for_move();
        assert_eq!(lines, [""; 0], "{declined}");
    }
    client.quit();
}

#[test]
fn a_command_that_changes_nothing_costs_no_move() {
    for command in ["exit", "variant normal", "variant nonsense", "undo", "remove"] {
        let mut client = Client::ready();
        client.send(&format!("level 0 60 0\nsd 200\nforce\ngo\n{command}\n?"));
        client.wait_for_move();
        client.quit();
    }
}

#[test]
fn it_resigns_only_if_it_may_and_after_several_lost_searches() {
    for resigns in [false, true] {
        let mut client = Client::ready();
        client.send(&format!("option Resign={}\nsd 5", u8::from(resigns)));
        client.send("force\nsetboard 3qk3/pppp4/8/8/8/8/8/4K3 w - - 0 1");
        let mut turns = 0;
        for shuffle in ["a7a6", "a6a5", "b7b6", "b6b5", "c7c6"] {
            client.send("go");
            let lines =
                client.until("an answer", |text| text.starts_with("move ") || text == "resign");
            turns += 1;
            if lines.last().is_some_and(|line| line == "resign") {
                break;
            }
            client.quietly(&format!("force\nusermove {shuffle}"));
        }
        assert_eq!(turns, if resigns { 4 } else { 5 });
        client.quit();
    }
}

/// A new series of lost searches begins where moves were taken back.
#[test]
fn searches_of_moves_taken_back_do_not_count_for_a_resignation() {
    let mut client = Client::ready();
    client.send("option Resign=1\nsd 5");
    client.send("force\nsetboard 3qk3/pppp4/8/8/8/8/8/4K3 w - - 0 1");
    for line in ["usermove a7a6", "usermove a6a5", "undo", "usermove b7b6", "usermove b6b5"] {
        client.send("go");
        let lines = client.until("an answer", |text| text.starts_with("move ") || text == "resign");
        assert!(lines.last().is_some_and(|line| line != "resign"), "before {line}");
        client.quietly(&format!("force\n{line}"));
    }
    client.quit();
}

#[test]
fn a_position_that_is_repaired_says_so() {
    let mut client = Client::ready();
    let lines = client.said("force\nsetboard 4k3/8/8/8/8/8/8/4K3 w KQ e3 0 1");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("# position repaired: "), "{lines:?}");
    client.quit();
}

#[test]
fn every_kind_of_time_control_ends_a_search() {
    // Without the limit that counts, each of them would search for hours.
    for control in [
        "level 40 600 0\ntime 100\notim 100",
        "level 0 600 0.1\ntime 100\notim 100",
        "level 0 0 0\ntime 50\notim 50",
        "level 1 600 0\ntime 100\notim 100",
        "st 0.3",
        "st 0\ntime 30",
        "st 36000\ntime 40",
        "sd 200\ntime 100\notim 100",
        "level 0 600 0\nsd 3",
        "st 86400\nsd 4",
        "nps 1\nst 5000",
        "st 5000\nnps 1",
        "nps 1\nlevel 0 600 0\ntime 500000",
    ] {
        let mut client = Client::ready();
        client.moved(&format!("{control}\nusermove e2e4"), &Oracle::startpos().after(&["e2e4"]));
        client.quit();
    }
}

#[test]
fn a_clock_of_nodes_is_what_the_client_says() {
    let mut client = Client::ready();
    client.send("post\nnps 1000\nlevel 0 0:01 0\nusermove e2e4");
    client.wait_for_move();
    // Ten minutes now, 600,000 nodes, where the whole clock was a second.
    client.send("time 60000\nusermove d2d4");
    let (_, lines) = client.wait_for_move();
    let last = lines.iter().rev().find_map(|line| Thinking::parse(line)).expect("thinking");
    assert!((1000..600_000).contains(&last.nodes), "{last:?}");
    client.quit();
}

#[test]
fn nodes_that_count_as_time_are_searched_exactly() {
    for control in ["st 1\nnps 5000", "nps 1\nst 5000"] {
        let mut client = Client::ready();
        client.send(&format!("post\n{control}\nusermove e2e4"));
        let (_, lines) = client.wait_for_move();
        let last = lines.iter().rev().find_map(|line| Thinking::parse(line)).expect("thinking");
        assert!((2000..=5000).contains(&last.nodes), "{control:?}: {last:?}");
        client.quit();
    }
}

#[test]
fn memory_cores_options_and_tables_are_set() {
    let mut client = Client::ready();
    client.quietly(
        "memory 64\ncores 2\nmemory -5\ncores 0\noption Move Overhead=50\noption Clear Hash",
    );
    client.quietly("option UCI_LimitStrength=1\noption UCI_LimitStrength=0\noption MultiPV=2");
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

/// With so little address space nobody waits for a thousand threads: they are refused.
#[cfg(target_os = "linux")]
#[test]
fn numbers_beyond_the_range_say_what_is_set() {
    let mut client = Client::of(Launch::limited("-v 600000").start());
    let said = client.said("cores 99999");
    assert_eq!(said[0], "# Threads: 1024 is set, the greatest value, instead of 99999", "{said:?}");
    assert!(said[1].contains("Threads stays at 1"), "{said:?}");
    assert_eq!(said.len(), 2, "{said:?}");
    let said = client.said(&format!("memory {}", u64::MAX));
    assert!(said[0].starts_with("# Hash: 33554432 is set, the greatest value, instead of 18"));
    assert!(said[1].contains("Hash stays at 16 MiB") && said.len() == 2, "{said:?}");
    client.quietly("memory 64\ncores 2");
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
fn memory_is_what_the_whole_process_takes() {
    for (memory, cores) in [(32, 1), (128, 2), (64, 4), (200, 1)] {
        let mut client = Client::ready();
        // In either order.
        if cores == 2 {
            client.quietly(&format!("cores {cores}\nmemory {memory}"));
        } else {
            client.quietly(&format!("memory {memory}\ncores {cores}"));
        }
        client.moved("sd 10\nusermove e2e4", &Oracle::startpos().after(&["e2e4"]));
        let taken = resident(&mut client);
        // Most of it is the table, which is cleared and so in memory as a whole.
        assert!((memory / 2..=memory).contains(&taken), "{taken} of {memory} MiB, {cores} threads");
        client.quit();
    }
}

/// While a variant is played the table of standard chess takes no memory: it is given back when the
/// search of the variant is made ready.
#[cfg(target_os = "linux")]
#[test]
fn the_search_is_ready_before_the_pong() {
    let mut client = Client::ready();
    client.quietly("memory 200");
    assert!(resident(&mut client) >= 100, "the pong came before the memory");
    client.said("variant capablanca");
    let taken = resident(&mut client);
    assert!(taken < 100, "{taken} MiB: the pong came before the search of the variant was ready");
    client.quit();
}

#[test]
fn chess960_castles_with_the_letter_o() {
    let mut client = Client::ready();
    client.quietly("variant fischerandom\nforce\nsetboard 1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1\nO-O\nO-O-O\nundo\ne8b8");
    client.send(
        "variant fischerandom\nsetboard 8/8/8/8/8/5k2/7R/R3K3 w Q - 0 1\npost\nsd 1\nanalyze",
    );
    client.sync();
    client.send("exclude all\ninclude O-O-O");
    let lines = client.until("castling", |text| text.contains("\tO-O-O"));
    assert!(!lines.is_empty());
    client.send("variant normal");
    client.until("castling", |text| text.contains("\te1c1"));
    client.quit();
}

#[test]
fn the_end_of_input_leaves_a_search_for_a_move_its_time_and_ends_others() {
    let mut client = Client::ready();
    client.send("sd 8\nusermove e2e4");
    client.engine().close_stdin();
    client.wait_for_move();
    client.engine().expect_exit();
    for endless in ["analyze", "hard\nsd 3\nusermove e2e4"] {
        let mut client = Client::ready();
        client.send(endless);
        std::thread::sleep(ms(100));
        client.engine().close_stdin();
        client.engine().expect_exit();
    }
}

#[test]
fn quit_ends_it_in_any_state() {
    for state in
        ["", "force", "analyze", "hard\nsd 4\nusermove e2e4", "edit", "level 0 60 0\nusermove e2e4"]
    {
        let mut client = Client::ready();
        client.send(state);
        std::thread::sleep(ms(50));
        client.send("quit");
        client.engine().expect_exit();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_ignored_and_a_termination_ends_it() {
    let signal = |client: &mut Client, name: &str| {
        let id = client.engine().id().to_string();
        let sent = std::process::Command::new("kill").args([name, &id]).status();
        assert!(sent.expect("kill runs").success());
    };
    for state in
        ["", "force", "analyze", "hard\nsd 4\nusermove e2e4", "level 0 60 0\nusermove e2e4"]
    {
        let mut client = Client::ready();
        client.send(state);
        std::thread::sleep(ms(50));
        for _ in 0..3 {
            signal(&mut client, "-INT");
            std::thread::sleep(ms(60));
        }
        // It lives on and does what it did.
        client.send("?");
        client.sync();
        signal(&mut client, "-TERM");
        client.engine().expect_exit();
    }
    // UCI has no such custom, also where XBoard's protocol was tried first.
    let mut client = Client::ready();
    client.send("uci");
    client.until("uciok", |text| text == "uciok");
    signal(&mut client, "-INT");
    client.engine().expect_exit();
}

#[test]
fn a_long_line_is_dropped_and_the_next_is_read() {
    let mut client = Client::ready();
    let long = [vec![b'x'; 3 << 20], b"\n".to_vec()].concat();
    client.engine().send_bytes(&long);
    let said = client.sync();
    assert!(said.len() == 1 && said[0].starts_with("Error (line too long)"), "{said:?}");
    client.quit();
}

/// These searches end by a command alone: what cannot be carried out must not wait for their end.
#[test]
fn bad_lines_are_answered_in_analysis_and_while_pondering() {
    for endless in ["analyze", "nopost\nhard\nsd 3\nusermove e2e4"] {
        let mut client = Client::ready();
        client.send(endless);
        // It is pondering when it says what it expects, and analyzing at once.
        if endless != "analyze" {
            client.until("Hint: ", |text| text.starts_with("Hint: "));
        }
        std::thread::sleep(ms(50));
        let said = client.said("frobnicate");
        let errors = said.iter().filter(|line| line.starts_with("Error (")).count();
        assert_eq!(errors, 1, "{endless}: {said:?}");
        let said = client.said(&"x".repeat(3 << 20));
        let errors = said.iter().filter(|line| line.starts_with("Error (line too long)")).count();
        assert_eq!(errors, 1, "{endless}: {said:?}");
        client.quit();
    }
}
