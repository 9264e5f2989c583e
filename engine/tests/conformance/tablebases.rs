//! Endgame tablebases as a client sees them.

use std::path::{Path, PathBuf};

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::info::Score;
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle};

const FOUND: &str = "found 70 tablebases: 35 WDL, 35 DTZ, up to 4 pieces";

/// An engine with the outside tables; `None`, and a line that says so, where there are none.
fn with_tables() -> Option<(Engine, PathBuf)> {
    let data = std::env::var_os("TAMARIN_TEST_DATA");
    let folder = data.map(|data| Path::new(&data).join("syzygy")).filter(|path| path.is_dir());
    let Some(folder) = folder else {
        println!("SKIP 1: no syzygy where TAMARIN_TEST_DATA says");
        return None;
    };
    let mut engine = Engine::ready();
    let notes = engine.notes(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert_eq!(notes, [FOUND]);
    Some((engine, folder))
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

const ROOKS_AND_PAWN: &str = "8/8/8/3k4/8/2p5/1R6/K6r w - - 0 1";

#[test]
fn tables_are_loaded_replaced_and_unloaded_in_a_session() {
    let Some((mut engine, folder)) = with_tables() else { return };
    let folder = folder.display();
    assert!(hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 10")) > 0);
    engine.quietly("setoption name SyzygyPath value <empty>");
    assert_eq!(hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 10")), 0);
    let separator = if cfg!(windows) { ';' } else { ':' };
    let path = format!("{separator}/no/such/folder{separator}{folder}{separator}");
    let notes = engine.notes(&format!("setoption name SyzygyPath value {path}"));
    assert_eq!((notes.len(), notes[0].as_str()), (2, FOUND), "{notes:?}");
    assert!(notes[1].starts_with("tablebases left out: /no/such/folder ("), "{notes:?}");
    engine.send("setoption name Threads value 2");
    assert!(hits(&search(&mut engine, ROOKS_AND_PAWN, "go depth 12")) > 0);
    // During a search the option waits for its end.
    engine.send(&format!(
        "position fen {ROOKS_AND_PAWN}\ngo infinite\nsetoption name SyzygyPath value <empty>\n\
         setoption name SyzygyPath value {folder}\nstop"
    ));
    engine.search();
    let lines = engine.sync();
    assert_eq!(lines.iter().filter(|line| line.text.ends_with(FOUND)).count(), 1, "{lines:?}");
    engine.quit();
}

#[test]
fn the_root_is_scored_by_the_tables_and_the_options_have_effect() {
    let Some((mut engine, _)) = with_tables() else { return };
    engine.quietly("setoption name UCI_ShowWDL value true");
    let drawn = search(&mut engine, "7k/8/8/8/8/8/8/KNN5 w - - 0 1", "go nodes 2000");
    assert_eq!((drawn.last().score, drawn.last().wdl), (Score::Cp(0), Some([0, 1000, 0])));
    let mut score = |late: &str, option: &str| {
        engine.quietly(&format!("setoption name {option}"));
        let search = search(&mut engine, late, "go nodes 500");
        (search.last().score, hits(&search) > 0)
    };
    let late = "7k/8/8/8/8/8/8/KBN5 w - - 80 100";
    let cursed = score(late, "Syzygy50MoveRule value true");
    assert!(matches!(cursed, (Score::Cp(2..50), true)), "{cursed:?}");
    // A score that only tablebases give.
    let won = score(late, "Syzygy50MoveRule value false");
    assert!(matches!(won, (Score::Cp(90_000..), true)), "{won:?}");
    assert!(!score(late, "SyzygyProbeLimit value 3").1);
    engine.quit();
}
