//! What must hold for a saved hash table of any bytes: it is refused and changes nothing, or searches
//! with it end in a legal move, and it can be saved and loaded again. Shared by the fuzz target and
//! the tests.

use std::io::{Cursor, sink};
use std::sync::LazyLock;

use tamarin_movegen::Position;
use tamarin_search::{Engine, Limits, SearchOptions, Silent};

const PROGRAM: &str = "Tamarin";
/// Nodes of a search.
const NODES: u64 = 300;
/// Bytes of the header, and where the histories end.
const HEADER: usize = 8 + 4 + 1 + PROGRAM.len() + 8 + 8 + 8 + 4 + 1 + 8;
const CHECKSUM: usize = 4;
/// Bytes of an entry.
const ENTRY: usize = 16;

/// Panics if loading a file breaks a promise. The first byte says whether the rest is the file, or
/// changes of a good one, and whether its checksum is made to fit.
pub fn check(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let mut file = if first % 4 == 0 { rest.to_vec() } else { changed(rest) };
    if first % 4 != 1 {
        sign(&mut file);
    }
    let mut loaded = engine();
    if loaded.load_hash(PROGRAM, Cursor::new(&file)).is_err() {
        assert_eq!(loaded.save_hash(PROGRAM, sink()).expect("a sink takes all").entries, 0);
        return;
    }
    search(&mut loaded);
    let saved = saved(&loaded);
    let mut again = engine();
    again.load_hash(PROGRAM, Cursor::new(&saved)).expect("it was just saved");
    let entries =
        |engine: &Engine| engine.save_hash(PROGRAM, sink()).expect("a sink takes all").entries;
    assert_eq!(entries(&again), entries(&loaded));
    search(&mut again);
}

fn engine() -> Engine {
    let mut engine = Engine::new().expect("a thread can be started");
    engine.set_hash(1).expect("there is a MiB");
    engine
}

fn search(engine: &mut Engine) {
    let position = Position::startpos();
    let options = SearchOptions::default();
    let best = engine.search(&position, Limits::nodes(NODES), &options, Box::new(Silent)).mv;
    assert!(best.is_some_and(|mv| position.is_legal(mv)), "{best:?}");
}

fn saved(engine: &Engine) -> Vec<u8> {
    let mut bytes = Vec::new();
    engine.save_hash(PROGRAM, &mut bytes).expect("there is memory");
    bytes
}

/// A good file after changes of four bytes each: where, two of the place, the new byte.
fn changed(changes: &[u8]) -> Vec<u8> {
    static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut engine = engine();
        search(&mut engine);
        saved(&engine)
    });
    let mut file = GOOD.clone();
    let entries = NODES as usize / 2 * ENTRY;
    let first_entry = file.len() - CHECKSUM - entries.min(file.len() - HEADER - CHECKSUM);
    for &[part, high, low, byte] in changes.as_chunks().0 {
        let place = usize::from(u16::from_be_bytes([high, low]));
        let index = match part % 4 {
            0 => place % HEADER,
            1 => HEADER + place * 64,
            2 => first_entry + place % entries,
            _ => {
                file.truncate(HEADER.max(file.len().saturating_sub(place)));
                continue;
            }
        };
        if let Some(found) = file.get_mut(index) {
            *found = byte;
        }
    }
    file
}

/// Makes the last bytes the checksum of the others.
fn sign(file: &mut [u8]) {
    if let Some((content, sum)) = file.split_last_chunk_mut::<CHECKSUM>() {
        *sum = crc32(content).to_le_bytes();
    }
}

/// The CRC-32 of gzip, by its definition.
fn crc32(bytes: &[u8]) -> u32 {
    static TABLE: LazyLock<[u32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|byte| {
            (0..8).fold(byte as u32, |sum, _| sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 })
        })
    });
    let step = |sum: u32, &byte: &u8| sum >> 8 ^ TABLE[usize::from(sum as u8 ^ byte)];
    !bytes.iter().fold(u32::MAX, step)
}
