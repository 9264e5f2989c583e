//! What must hold for a tablebase file of any bytes: it is left out or probed, and searches with it
//! give legal moves. Shared by the fuzz target and the tests.

use std::cell::RefCell;
use std::fs;
use std::panic;
use std::path::PathBuf;
use std::sync::Once;

use tamarin_movegen::Position;
use tamarin_search::{Collector, Engine, Limits, Note, SearchOptions};

/// A name of a table, and positions of its material.
const TABLES: [(&str, &str); 5] = [
    (
        "KQvK",
        "4k3/8/8/8/8/8/8/3QK3 w - - 0 1|8/8/8/4k3/8/8/1Q6/K7 b - - 0 1|\
         7k/5Q2/8/8/8/8/8/K7 w - - 9 9",
    ),
    (
        "KRvK",
        "4k3/8/8/8/8/8/8/3RK3 w - - 0 1|8/8/8/4k3/8/8/1R6/K7 b - - 0 1|\
         7k/5R2/8/8/8/8/8/K7 w - - 90 99",
    ),
    (
        "KPvK",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1|8/3P4/8/4k3/8/8/8/K7 b - - 0 1|\
         8/8/8/8/8/k7/p7/1K6 w - - 0 1",
    ),
    (
        "KNvKN",
        "4k1n1/8/8/8/8/8/8/3NK3 w - - 0 1|8/8/2n5/4k3/8/2N5/8/K7 b - - 0 1|\
         7k/8/5Nn1/8/8/8/8/K7 w - - 0 1",
    ),
    (
        "KRvKR",
        "4k2r/8/8/8/8/8/8/3RK3 w - - 0 1|8/8/8/1r2k3/8/8/1R6/K7 b - - 0 1|\
         7k/5R2/6r1/8/8/8/8/K7 w - - 0 1",
    ),
];
/// How a file of distances to zeroing begins.
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];
/// Nodes of a search.
const NODES: u64 = 100;

/// Panics if using these bytes as a table breaks a promise. The last byte chooses its name.
pub fn check(bytes: &[u8]) {
    thread_local!(static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) });
    let Some((&last, file)) = bytes.split_last() else { return };
    expect_panics_of_the_library();
    let (name, positions) = &TABLES[usize::from(last) % TABLES.len()];
    BENCH
        .with_borrow_mut(|bench| bench.get_or_insert_with(Bench::new).check(file, name, positions));
}

/// The library panics on some damaged files, which the engine catches and takes for damage. A
/// fuzzer ends at any panic: at those it shall not.
fn expect_panics_of_the_library() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !info.location().is_some_and(|at| at.file().contains("shakmaty-syzygy")) {
                usual(info);
            }
        }));
    });
}

/// An engine and a folder for one table.
struct Bench {
    engine: Engine,
    folder: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("tamarin-syzygy-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let mut engine = Engine::new().expect("an engine");
        engine.set_hash(1).expect("a small table");
        Self { engine, folder }
    }

    fn check(&mut self, file: &[u8], name: &str, positions: &str) {
        let ending = if file.starts_with(&DTZ_MAGIC) { "rtbz" } else { "rtbw" };
        let path = self.folder.join(format!("{name}.{ending}"));
        fs::write(&path, file).expect("there is room");
        let report = self.engine.set_tablebases(self.folder.to_str().expect("a plain path"));
        let tables = report.wdl + report.dtz + report.left_out.len();
        assert_eq!(tables, 1, "{report:?}");
        for fen in positions.split('|') {
            let position = Position::from_fen(fen).expect("a position");
            let collector = Collector::new();
            let options = SearchOptions::default();
            let limits = Limits::nodes(NODES);
            let best = self.engine.search(&position, limits, &options, collector.observer());
            assert!(best.mv.is_some_and(|mv| position.is_legal(mv)), "{fen}: {best:?}");
            for note in collector.notes() {
                assert!(!matches!(note, Note::WorkerPanicked { .. }), "{note:?}");
            }
        }
        self.engine.set_tablebases("");
        fs::remove_file(&path).expect("it was written");
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // What cannot be removed is the system's to clean up.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
