//! Table and histories in a file: a search goes on where it was, and any other file is refused.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use tamarin_eval::network::Network;
use tamarin_movegen::Position;
use tamarin_search::{
    BestMove, Engine, HashEvaluator, HashFileError, HashSummary, Limits, SearchOptions, Silent,
};

const PROGRAM: &str = "Tamarin 1.2";

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

/// Captures, promotions and a closed center.
const POSITIONS: [&str; 3] = [
    MIDDLEGAME,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p1kp2/1p4p1/pP1Pp2p/P3P2P/5PP1/4K3/8 b - - 31 44",
];

fn engine(threads: usize, hash: usize) -> Engine {
    let mut engine = Engine::new().unwrap();
    engine.set_network(Some(Network::embedded())).unwrap();
    engine.set_threads(threads).unwrap();
    engine.set_hash(hash).unwrap();
    engine
}

fn search(engine: &mut Engine, fen: &str, limits: Limits) -> BestMove {
    let position = Position::from_fen(fen).unwrap();
    engine.search(&position, limits, &SearchOptions::default(), Box::new(Silent))
}

fn saved(engine: &Engine) -> Vec<u8> {
    let mut bytes = Vec::new();
    let summary = engine.save_hash(PROGRAM, &mut bytes).unwrap();
    assert_eq!(summary.entries, summary.kept);
    bytes
}

fn load(engine: &mut Engine, bytes: &[u8]) -> Result<HashSummary, HashFileError> {
    engine.load_hash(PROGRAM, Cursor::new(bytes))
}

/// An engine of the smallest size that has searched, and its file.
fn searched() -> (Engine, Vec<u8>) {
    let mut engine = engine(1, 1);
    search(&mut engine, MIDDLEGAME, Limits::nodes(5_000));
    let bytes = saved(&engine);
    (engine, bytes)
}

#[test]
fn a_search_goes_on_after_a_restart_as_without_one() {
    for fen in POSITIONS {
        let mut before = engine(1, 1);
        // The second search is stopped midway: all is saved as it is then.
        search(&mut before, fen, Limits::depth(6));
        search(&mut before, fen, Limits::nodes(40_000));
        let bytes = saved(&before);
        let mut after = engine(1, 1);
        load(&mut after, &bytes).unwrap();
        assert!(saved(&after) == bytes, "a file of what was loaded is the same file");
        let depth = Limits::depth(13);
        let expected = search(&mut before, fen, depth.clone());
        let found = search(&mut after, fen, depth.clone());
        let facts = |answer: BestMove| (answer.nodes, answer.mv, answer.ponder, answer.score);
        assert_eq!(facts(found), facts(expected), "{fen}");
        assert!(saved(&after) == saved(&before));
        let anew = search(&mut engine(1, 1), fen, depth);
        assert_ne!(anew.nodes, expected.nodes, "the file has an effect");
    }
}

#[test]
fn histories_of_all_threads_are_kept() {
    let mut many = engine(6, 1);
    search(&mut many, MIDDLEGAME, Limits::depth(11));
    let bytes = saved(&many);
    let mut again = engine(6, 1);
    assert_eq!(load(&mut again, &bytes).unwrap().threads, 6);
    assert!(saved(&again) == bytes);
    // More threads than in the file begin with empty histories.
    let mut more = engine(9, 1);
    load(&mut more, &bytes).unwrap();
    more.set_threads(6).unwrap();
    assert!(saved(&more) == bytes);
}

#[test]
fn a_table_of_another_size_takes_what_it_has_room_for() {
    let mut large = engine(1, 4);
    search(&mut large, MIDDLEGAME, Limits::nodes(300_000));
    let mut small = engine(1, 1);
    let summary = load(&mut small, &saved(&large)).unwrap();
    assert_eq!(summary.mebibytes, 4);
    // A MiB is 65,536 entries.
    assert!(summary.entries > 80_000, "{summary:?}");
    assert!((55_000..=65_536).contains(&summary.kept), "{summary:?}");
    let (small, bytes) = searched();
    let mut larger = engine(1, 3);
    let summary = load(&mut larger, &bytes).unwrap();
    assert_eq!(summary.kept, summary.entries);
    let entries = |engine: &Engine| engine.save_hash(PROGRAM, io::sink()).unwrap().entries;
    assert_eq!(entries(&larger), entries(&small));
}

#[test]
fn the_file_of_another_program_or_evaluator_is_refused() {
    let (mut engine, bytes) = searched();
    let refused = engine.load_hash("Tamarin 1.3", Cursor::new(&bytes)).unwrap_err();
    assert_eq!(refused.to_string(), "it was saved by Tamarin 1.2, and this is Tamarin 1.3");
    let network = Network::embedded().checksum();
    engine.set_network(None).unwrap();
    let empty = saved(&engine);
    let refused = load(&mut engine, &bytes).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "it belongs to the network {network:016x}, and the evaluator in force is the hand-crafted one"
        )
    );
    assert!(saved(&engine) == empty);
    engine.set_network(Some(Network::embedded())).unwrap();
    let refused = load(&mut engine, &empty).unwrap_err();
    let here = HashEvaluator::Network(network);
    assert!(
        matches!(refused, HashFileError::Evaluator { found: HashEvaluator::HandCrafted, here: found } if found == here)
    );
    assert!(load(&mut engine, &bytes).is_ok());
}

#[test]
fn a_file_that_is_cut_off_or_longer_is_refused() {
    let (mut engine, bytes) = searched();
    for length in
        (0..80).chain((80..bytes.len()).step_by(bytes.len() / 50)).chain([bytes.len() - 1])
    {
        let refused = load(&mut engine, &bytes[..length]).unwrap_err();
        let is_expected =
            matches!(refused, HashFileError::NoHashFile | HashFileError::Length { .. });
        assert!(is_expected, "{length} bytes: {refused:?}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(load(&mut engine, &longer), Err(HashFileError::Length { .. })));
    assert!(saved(&engine) == bytes, "the table is as it was");
}

#[test]
fn another_format_or_another_build_is_reported() {
    let (mut engine, bytes) = searched();
    let changed = |index: usize| {
        let mut bytes = bytes.clone();
        bytes[index] ^= 1;
        bytes
    };
    let mut reason = |index| load(&mut engine, &changed(index)).unwrap_err().to_string();
    assert_eq!(reason(0), "it is no saved hash table");
    assert_eq!(reason(8), "its format is 0, and this program reads 1");
    assert_eq!(reason(8 + 4 + 1 + PROGRAM.len()), "it was saved by another build of Tamarin 1.2");
    assert_eq!(reason(bytes.len() / 2), "its checksum is wrong: it is damaged");
    assert_eq!(reason(bytes.len() - 1), "its checksum is wrong: it is damaged");
}

/// A file that another program writes while it is read.
struct Changing {
    content: Cursor<Vec<u8>>,
    rewinds: u32,
}

impl Read for Changing {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.content.read(bytes)
    }
}

impl Seek for Changing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.rewinds += u32::from(to == SeekFrom::Start(0));
        if self.rewinds == 2 {
            let middle = self.content.get_ref().len() / 2;
            self.content.get_mut()[middle] ^= 1;
        }
        self.content.seek(to)
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_leaves_an_empty_table() {
    let (mut loaded, bytes) = searched();
    let file = Changing { content: Cursor::new(bytes), rewinds: 0 };
    let refused = loaded.load_hash(PROGRAM, file).unwrap_err();
    assert!(matches!(refused, HashFileError::Changed), "{refused:?}");
    assert!(saved(&loaded) == saved(&engine(1, 1)));
}
