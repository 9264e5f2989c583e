//! The process, its pipes and its end of input.

use crate::support::check::sound;
use crate::support::engine::Line;
use crate::support::files::Folder;
use crate::support::{Engine, Launch, Oracle, PATIENCE, ms};

fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn uci_is_answered_with_id_and_options_each_time() {
    let mut engine = Engine::start();
    engine.silent_for(ms(100));
    let born = Launch::new().run().out;
    assert!(
        born.starts_with("Tamarin ") && born.ends_with(" by the Tamarin developers\n"),
        "{born}"
    );
    engine.send("uci");
    let first = engine.until("uciok");
    engine.send("uci");
    assert_eq!(texts(&first), texts(&engine.until("uciok")));
    for start in ["id name Tamarin ", "id author ", "option name Hash "] {
        assert!(first.iter().any(|line| line.text.starts_with(start)), "{start}");
    }
    for line in texts(&first) {
        let known = ["id name ", "id author ", "option name ", "uciok"];
        assert!(known.iter().any(|start| line.starts_with(start)), "{line:?}");
    }
    engine.quit();
}

/// UCI begins with what it announces: castling as in chess, no position of the other protocol.
#[test]
fn nothing_of_xboard_is_left_under_uci() {
    let mut engine = Engine::start();
    engine.send("xboard\nprotover 2\nvariant fischerandom\nhard\nforce");
    engine.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1\nuci");
    engine.until("uciok");
    assert_eq!(engine.go("go depth 1 searchmoves e2e4").best, "e2e4");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(engine.go("go depth 1 searchmoves e1g1").best, "e1g1");
    engine.quit();
}

#[test]
fn garbage_gets_at_most_one_line_and_changes_nothing() {
    let mut engine = Engine::ready();
    let garbage = ["hello", "", "bestmove e2e4", "go_infinite", "日本語 ♔♕", "setoption", "%s%n%x"];
    for line in garbage {
        assert!(engine.notes(line).len() <= 1, "more than one remark about {line:?}");
    }
    engine.send_bytes(b"\xe9\xfe\xff\0\0\nsetoption name \xe9 value \0\n");
    engine.sync();
    // A long line is read whole, a longer one skipped whole.
    engine.send(&format!("isready{}", " ".repeat(1_000_000)));
    engine.until("readyok");
    engine.send(&"x".repeat(3 << 20));
    assert!(engine.sync().len() <= 1);
    engine.send_bytes(b"\tposition\t startpos   moves \te2e4  e7e5 \r\n\r\n");
    sound(&engine.go("go depth 2"), &Oracle::startpos().after(&["e2e4", "e7e5"]));
    engine.quit();
}

#[test]
fn a_game_of_six_thousand_plies_is_followed() {
    let mut engine = Engine::ready();
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let all: Vec<_> = (0..6001).map(|ply| moves[ply % 4]).collect();
    engine.send(&format!("position startpos moves {}", all.join(" ")));
    sound(&engine.go("go depth 3"), &Oracle::startpos().after(&["g1f3"]));
    engine.send("d");
    let board = engine.until("Fen:");
    let fen = &board[board.len() - 1].text;
    assert!(fen.contains("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -"), "{fen}");
    engine.until("Checkers:");
    engine.quit();
}

#[test]
fn lines_of_several_threads_never_mix() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 4\nsetoption name MultiPV value 8\ngo infinite");
    engine.send(&["isready"; 300].join("\n"));
    for _ in 0..300 {
        let lines = engine.until("readyok");
        for line in &lines[..lines.len() - 1] {
            assert!(line.text.starts_with("info "), "mixed line {:?}", line.text);
        }
    }
    engine.send("stop");
    sound(&engine.search(), &Oracle::startpos());
    engine.quit();
}

#[test]
fn eof_finishes_bounded_searches() {
    for go in ["go depth 5", "go wtime 1000 btime 1000"] {
        let mut engine = Engine::start();
        engine.send_bytes(format!("{go}\nposition startpos moves e2e4\ngo depth 3\nd").as_bytes());
        engine.close_stdin();
        let search = engine.search();
        sound(&search, &Oracle::startpos());
        assert!(go != "go depth 5" || search.last().depth == 5);
        let second = engine.search();
        sound(&second, &Oracle::startpos().after(&["e2e4"]));
        assert_eq!(second.last().depth, 3);
        engine.until("Checkers:");
        engine.expect_exit();
    }
}

#[test]
fn eof_stops_endless_search_with_its_move() {
    for go in ["go infinite", "go ponder wtime 10000 btime 10000"] {
        let mut engine = Engine::ready();
        engine.send(go);
        engine.no_bestmove_for(ms(60));
        engine.close_stdin();
        sound(&engine.search(), &Oracle::startpos());
        engine.expect_exit();
    }
}

#[test]
fn quit_stops_a_search_with_its_move_and_leaves_short_work_its_time() {
    // Ten minutes of grace: on a busy machine too the process ends by itself, having said all this.
    let launch = Launch::new().configure(|command| {
        command.env("TAMARIN_LEAST_GRACE", "600000");
    });
    let mut engine = launch.start();
    engine.send_bytes(b"position startpos\nd\nperft 3\ngo infinite\nquit\n");
    engine.until("Checkers:");
    engine.until_line("the count", PATIENCE, |text| text == "Nodes searched: 8902");
    sound(&engine.search(), &Oracle::startpos());
    engine.expect_exit();
}

#[test]
fn directory_and_environment_do_not_matter_and_no_file_is_left() {
    let folder = Folder::new();
    let launch = Launch::new().configure(|command| {
        command.current_dir(folder.root()).env_clear();
    });
    let mut engine = launch.start();
    engine.send("uci\nisready\nposition startpos");
    engine.until("readyok");
    sound(&engine.go("go depth 4"), &Oracle::startpos());
    engine.quit();
    let left = std::fs::read_dir(folder.root()).expect("it is still there").count();
    assert_eq!(left, 0, "files were left in the working directory");
}

#[test]
fn commands_during_a_search_wait_in_order_and_isready_is_answered() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.until("info");
    engine.send(
        "setoption name Hash value 64\nsetoption name Clear Hash\nsetoption name Threads value 2\n\
         ucinewgame\nposition startpos moves d2d4\nsetoption name MultiPV value 2\ngo depth 3",
    );
    assert!(engine.sync().iter().all(|line| line.text.starts_with("info ")));
    engine.no_bestmove_for(ms(30));
    engine.send("stop");
    let first = engine.search();
    sound(&first, &Oracle::startpos());
    assert!(first.infos.iter().all(|info| info.multipv == Some(1)));
    let second = engine.search();
    sound(&second, &Oracle::startpos().after(&["d2d4"]));
    assert!(second.infos.iter().filter(|info| info.depth == 3).count() >= 2);
    engine.quit();
}
