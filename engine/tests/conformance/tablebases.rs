//! Endgame tablebases as a client sees them.

use std::path::{Path, PathBuf};

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::info::{Bound, Score};
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle};

/// The outside tables; `None`, and a line that says so, where there are none.
fn folder() -> Option<PathBuf> {
    let data = std::env::var_os("TAMARIN_TEST_DATA");
    let folder = data.map(|data| Path::new(&data).join("syzygy")).filter(|path| path.is_dir());
    if folder.is_none() {
        println!("SKIP 1: no syzygy where TAMARIN_TEST_DATA says");
    }
    folder
}

const FOUND: &str = "found 70 tablebases: 35 WDL, 35 DTZ, up to 4 pieces";

fn with_tables() -> Option<Engine> {
    let folder = folder()?;
    let mut engine = Engine::ready();
    let notes = engine.notes(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert_eq!(notes, [FOUND]);
    Some(engine)
}

fn search(engine: &mut Engine, fen: &str, go: &str) -> Search {
    engine.quietly(&format!("ucinewgame\nposition fen {fen}"));
    let search = engine.go(go);
    sound(&search, &Oracle::new(fen, Notation::Classic));
    search
}

fn hits(search: &Search) -> i64 {
    search.last().tbhits.expect("every line has tbhits")
}

/// A score that only tablebases give.
const CERTAIN: i64 = 90_000;

const ROOKS_AND_PAWN: &str = "8/8/8/3k4/8/2p5/1R6/K6r w - - 0 1";
const BISHOP_AND_KNIGHT: &str = "7k/8/8/8/8/8/8/KBN5 w - - 0 60";

#[test]
fn draws_of_the_tables_are_certain() {
    let Some(mut engine) = with_tables() else { return };
    engine.quietly("setoption name UCI_ShowWDL value true");
    for fen in ["8/8/8/3k4/8/3K4/3P4/4b3 w - - 0 1", "8/8/4k3/8/3K4/3N4/3N4/8 w - - 0 1"] {
        let drawn = search(&mut engine, fen, "go depth 8");
        assert_eq!((hits(&drawn) > 0, drawn.last().wdl), (true, Some([0, 1000, 0])), "{fen}");
    }
}

#[test]
fn tables_are_loaded_replaced_and_unloaded_in_a_session() {
    let Some(mut engine) = with_tables() else { return };
    let folder = folder().expect("there was one").display().to_string();
    assert!(hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 10")) > 0);
    engine.quietly("setoption name SyzygyPath value <empty>");
    assert_eq!(hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 10")), 0);
    engine.quietly("setoption name SyzygyPath value");
    let separator = if cfg!(windows) { ';' } else { ':' };
    let path = format!("{separator}/no/such/folder{separator}{folder}{separator}");
    let notes = engine.notes(&format!("setoption name SyzygyPath value {path}"));
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert_eq!(notes[0], FOUND);
    assert!(notes[1].starts_with("tablebases left out: /no/such/folder ("), "{notes:?}");
    engine.send("setoption name Threads value 2");
    assert!(hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 12")) > 0);
    // During a search the option waits for its end.
    engine.send(&format!(
        "position fen {ROOKS_AND_PAWN}\ngo infinite\nsetoption name SyzygyPath value <empty>"
    ));
    engine.send(&format!("setoption name SyzygyPath value {folder}\nstop"));
    engine.search();
    let lines = engine.sync();
    assert_eq!(lines.iter().filter(|line| line.text.ends_with(FOUND)).count(), 1, "{lines:?}");
    engine.quit();
}

#[test]
fn the_root_is_scored_by_the_tables_unless_a_mate_is_found() {
    let Some(mut engine) = with_tables() else { return };
    let mut score = |fen: &str| {
        let search = search(&mut engine, fen, "go nodes 2000");
        assert!(search.infos.iter().all(|info| info.bound == Bound::Exact));
        assert!(hits(&search) > 0, "{fen}");
        search.last().score
    };
    assert!(matches!(score(BISHOP_AND_KNIGHT), Score::Cp(CERTAIN..)));
    let black = "7k/8/8/8/8/8/8/KBN5 b - - 0 60";
    assert!(matches!(score(black), Score::Cp(..=-90_000)));
    assert_eq!(score("7k/8/8/8/8/8/8/KNN5 w - - 0 1"), Score::Cp(0));
    assert!(matches!(score("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"), Score::Mate(1..=2)));
    // The bishop does not own the corner where the pawn promotes.
    assert_eq!(score("k7/8/8/8/8/8/P7/K1B5 w - - 0 1"), Score::Cp(0));
    engine.quit();
}

#[test]
fn many_lines_and_searchmoves_show_what_the_tables_say_of_each() {
    let Some(mut engine) = with_tables() else { return };
    let fen = "8/1P6/8/8/8/8/5k2/K7 w - - 0 1";
    let best = search(&mut engine, fen, "go depth 4");
    assert!(matches!(best.last().score, Score::Cp(CERTAIN..)), "{:?}", best.last());
    assert!(!["b7b8n", "b7b8b"].contains(&best.best.as_str()), "{}", best.best);
    for (wanted, drawn) in [("b7b8n", true), ("b7b8b", true), ("b7b8r", false)] {
        let found = search(&mut engine, fen, &format!("go depth 4 searchmoves {wanted}"));
        assert_eq!(found.best, wanted);
        assert_eq!(found.last().score == Score::Cp(0), drawn, "{wanted}");
    }
    engine.quietly("setoption name MultiPV value 8");
    let found = search(&mut engine, fen, "go depth 4");
    let last = &found.infos[found.infos.len() - 7..];
    let value = |score| match score {
        Score::Cp(value) => value,
        Score::Mate(moves) => 1_000_000 * i64::signum(moves),
    };
    let values: Vec<_> = last.iter().map(|info| value(info.score)).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert!(values[0] >= CERTAIN && values[6] == 0, "{values:?}");
    engine.quit();
}

#[test]
fn the_options_of_the_probes_have_effect() {
    let Some(mut engine) = with_tables() else { return };
    let late = "7k/8/8/8/8/8/8/KBN5 w - - 80 100";
    let cursed = search(&mut engine, late, "go nodes 500").last().score;
    assert!(matches!(cursed, Score::Cp(2..50)), "{cursed:?}");
    engine.quietly("setoption name Syzygy50MoveRule value false");
    let won = search(&mut engine, late, "go nodes 500").last().score;
    assert!(matches!(won, Score::Cp(CERTAIN..)), "{won:?}");
    engine.quietly("setoption name Syzygy50MoveRule value true");
    engine.quietly("setoption name SyzygyProbeLimit value 3");
    assert_eq!(hits(&search(&mut engine, BISHOP_AND_KNIGHT, "go depth 3")), 0);
    engine.quietly("setoption name SyzygyProbeLimit value 0");
    assert_eq!(hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 10")), 0);
    engine.quietly("setoption name SyzygyProbeLimit value 7");
    let often = hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 10"));
    engine.quietly("setoption name SyzygyProbeDepth value 8");
    let seldom = hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 10"));
    assert!(often > seldom, "{often} and {seldom}");
    engine.quit();
}

#[test]
fn files_that_are_no_tables_are_reported_once_and_cost_nothing() {
    let name = format!("tamarin-tables-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(folder.join("KRvK.rtbw")).expect("a folder of our own");
    std::fs::write(folder.join("KQvK.rtbw"), "no table").expect("a file of our own");
    std::fs::write(folder.join("README.txt"), "no table").expect("a file of our own");
    let mut engine = Engine::ready();
    let notes = engine.notes(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert_eq!(notes[0], "found 0 tablebases");
    for part in ["KQvK.rtbw (8 bytes is not the size of a table)", "KRvK.rtbw (not a file)"] {
        assert!(notes[1].contains(part), "{notes:?}");
    }
    let found = search(&mut engine, "7k/8/8/8/8/8/8/KQ6 w - - 0 1", "go depth 4");
    assert_eq!(hits(&found), 0);
    engine.quit();
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_folder_without_tables_is_reported() {
    let name = format!("tamarin-no-tables-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder of our own");
    let mut engine = Engine::ready();
    let notes = engine.notes(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert_eq!(notes, ["found 0 tablebases"]);
    engine.quit();
    std::fs::remove_dir_all(&folder).expect("it is ours");
}
