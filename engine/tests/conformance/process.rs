//! The process and its pipes.

use std::fs;
use std::thread;

use crate::support::check::sound;
use crate::support::engine::Line;
use crate::support::{Engine, Launch, Oracle, PATIENCE, ms};

fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn without_arguments_it_serves_and_says_nothing_unasked() {
    let mut engine = Engine::start();
    engine.silent_for(ms(150));
    engine.send("uci");
    engine.until("uciok");
    engine.quit();
}

#[test]
fn uci_is_answered_in_full_each_time() {
    let mut engine = Engine::start();
    engine.send("uci");
    let first = engine.until("uciok");
    engine.send("uci");
    let second = engine.until("uciok");
    assert_eq!(texts(&first), texts(&second));
    assert!(first.iter().any(|line| line.text.starts_with("id name Tamarin ")));
    assert!(first.iter().any(|line| line.text.starts_with("id author ")));
    engine.quit();
}

#[test]
fn nothing_but_id_and_options_comes_before_uciok() {
    let mut engine = Engine::start();
    engine.send("uci");
    for line in engine.until("uciok") {
        let known = ["id name ", "id author ", "option name ", "uciok"];
        assert!(known.iter().any(|start| line.text.starts_with(start)), "{:?}", line.text);
    }
    engine.quit();
}

#[test]
fn uci_wins_after_xboard() {
    let mut engine = Engine::start();
    engine.send("xboard");
    thread::sleep(ms(30));
    engine.send("uci");
    let before = engine.until("id");
    assert!(before[..before.len() - 1].iter().all(|line| line.text.is_empty()));
    engine.until("uciok");
    engine.go("go depth 1");
    engine.quit();
}

/// UCI begins with what it announces: castling as in chess, no position of the other protocol.
#[test]
fn nothing_of_xboard_is_left_under_uci() {
    let mut engine = Engine::start();
    for line in ["xboard", "protover 2", "variant fischerandom", "hard", "force"] {
        engine.send(line);
    }
    engine.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1\nuci");
    engine.until("uciok");
    let found = engine.go("go depth 1 searchmoves e2e4");
    assert_eq!(found.best, "e2e4");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(engine.go("go depth 1 searchmoves e1g1").best, "e1g1");
    engine.quit();
}

#[test]
fn garbage_is_passed_over() {
    let mut engine = Engine::ready();
    let garbage = [
        "hello",
        "",
        "   ",
        "Unknown option option name Hash",
        "bestmove e2e4",
        "info depth 3",
        "go_infinite",
        "posi tion startpos",
        "\u{7f}\u{1}",
        "日本語 ♔♕",
        "setoption",
        "setoption name",
        "setoption value 3",
        "position",
        "debug",
        "%s%n%x",
    ];
    for line in garbage {
        assert!(engine.notes(line).len() <= 1, "more than one remark about {line:?}");
    }
    engine.send("position startpos");
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn words_before_a_command_are_skipped_and_comments_are_silent() {
    let mut engine = Engine::ready();
    engine.send("joho isready");
    engine.until("readyok");
    engine.quietly("# isready or not");
    engine.quit();
}

#[test]
fn any_line_end_and_any_blanks_are_understood() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\r\n");
    engine.until("uciok");
    engine.send_bytes(b"  isready \r\n");
    engine.until("readyok");
    engine.send_bytes(b"\tposition\t startpos   moves \te2e4  e7e5 \r\n\r\n");
    engine.send_bytes(b"go   depth\t2\r\n");
    sound(&engine.search(), &Oracle::startpos().after(&["e2e4", "e7e5"]));
    // The harness checks the form of every line that comes out.
    engine.quit();
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut engine = Engine::ready();
    engine.send_bytes(b"position startpos moves e2e4\xff\n");
    engine.send_bytes(b"\xe9\xfe\xff\0\0\n");
    engine.send_bytes(b"setoption name \xe9 value \0\n");
    engine.sync();
    engine.send_bytes(b"is\0ready\nposition startpos\n");
    sound(&engine.go("go depth 1"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn long_lines_are_read_whole_or_dropped_whole() {
    let mut engine = Engine::ready();
    let mut long = b"isready ".to_vec();
    long.resize(1_000_000, b' ');
    long.push(b'\n');
    engine.send_bytes(&long);
    engine.until("readyok");
    let longer = [vec![b'x'; 3 << 20], b"\nisready\n".to_vec()].concat();
    engine.send_bytes(&longer);
    let said = engine.until("readyok");
    assert!(said.len() <= 2, "{said:#?}");
    engine.quit();
}

/// Knights that go out and back: as many plies as wanted.
fn shuffle(plies: usize) -> String {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let all: Vec<_> = (0..plies).map(|ply| moves[ply % 4]).collect();
    format!("position startpos moves {}", all.join(" "))
}

#[test]
fn a_game_of_six_thousand_plies_is_followed() {
    let mut engine = Engine::ready();
    engine.send(&shuffle(6001));
    let oracle = Oracle::startpos().after(&["g1f3"]);
    sound(&engine.go("go depth 3"), &oracle);
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
    let mut pings = String::new();
    for _ in 0..500 {
        pings.push_str("isready\n");
    }
    engine.send_bytes(pings.as_bytes());
    let mut seen = 0;
    while seen < 500 {
        let lines = engine.until("readyok");
        seen += 1;
        for line in &lines[..lines.len() - 1] {
            assert!(line.text.starts_with("info "), "mixed line {:?}", line.text);
        }
    }
    engine.send("stop");
    sound(&engine.search(), &Oracle::startpos());
    engine.quit();
}

#[test]
fn eof_finishes_bounded_search() {
    for go in ["go depth 5", "go nodes 20000", "go movetime 200", "go wtime 1000 btime 1000"] {
        let mut engine = Engine::start();
        engine.send_bytes(format!("position startpos moves e2e4\n{go}\n").as_bytes());
        engine.close_stdin();
        let search = engine.search();
        sound(&search, &Oracle::startpos().after(&["e2e4"]));
        if go == "go depth 5" {
            assert_eq!(search.last().depth, 5);
        }
        engine.expect_exit();
    }
}

#[test]
fn eof_finishes_every_search_that_waits() {
    let mut engine = Engine::start();
    engine.send_bytes(b"go depth 4\nposition startpos moves e2e4\ngo depth 3\nd");
    engine.close_stdin();
    assert_eq!(engine.search().last().depth, 4);
    let second = engine.search();
    assert_eq!(second.last().depth, 3);
    sound(&second, &Oracle::startpos().after(&["e2e4"]));
    engine.until("Checkers:");
    engine.expect_exit();
}

#[test]
fn eof_stops_endless_search_with_its_move() {
    for go in ["go infinite", "go", "go ponder wtime 10000 btime 10000", "go ponder infinite"] {
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
    let folder = std::env::temp_dir().join(format!("tamarin-folder-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let mut engine = Launch::new()
        .configure(|command| {
            command.current_dir(&folder).env_clear();
        })
        .start();
    engine.send("uci\nisready\nposition startpos");
    engine.until("readyok");
    sound(&engine.go("go depth 4"), &Oracle::startpos());
    engine.quit();
    let left = fs::read_dir(&folder).expect("it is still there").count();
    fs::remove_dir(&folder).expect("it is empty");
    assert_eq!(left, 0, "files were left in the working directory");
}

#[test]
fn the_reader_never_blocks_on_work() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.until("info");
    engine.send_bytes(
        b"setoption name Hash value 64\nsetoption name Clear Hash\nsetoption name Threads value 2\n\
          ucinewgame\nposition startpos moves d2d4\nsetoption name MultiPV value 2\nisready\n",
    );
    let said = engine.until("readyok");
    assert!(said.iter().all(|line| !line.text.starts_with("bestmove")));
    engine.send("stop");
    sound(&engine.search(), &Oracle::startpos());
    sound(&engine.go("go depth 3"), &Oracle::startpos().after(&["d2d4"]));
    engine.quit();
}
