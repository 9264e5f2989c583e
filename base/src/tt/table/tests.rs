use super::super::entry::DEPTH_OF_EVALUATION;
use super::*;
use crate::score::{Bound, Score};

const ROOT: ScoreContext = ScoreContext { ply: 0, plies_left: 100 };

type TableEntry = super::TableEntry<NonZeroU16>;

fn entry(depth: i32) -> TableEntry {
    TableEntry {
        result: Some((Score::new(-123), Bound::Lower)),
        evaluation: Some(Score::new(45)),
        best: NonZeroU16::new(0x1C0C),
        depth,
        principal: true,
    }
}

fn store(table: &TranspositionTable, key: u64, ply: usize, entry: &TableEntry) {
    table.store(key, ply, entry, &Params::new());
}

fn probe(table: &TranspositionTable, key: u64, context: ScoreContext) -> Option<TableEntry> {
    table.probe(key, context)
}

fn table() -> TranspositionTable {
    TranspositionTable::new(1, 0).unwrap()
}

/// Keys of one bucket, different from each other.
fn key(number: u64) -> u64 {
    0x8000_0000_0000_0001 + number
}

#[test]
fn what_is_stored_is_found() {
    let table = table();
    for depth in [DEPTH_OF_EVALUATION, 0, 1, 245] {
        store(&table, key(depth as u64 & 0xFF), 0, &entry(depth));
        let hit = probe(&table, key(depth as u64 & 0xFF), ROOT).unwrap();
        let wanted = entry(depth);
        assert_eq!(hit.result, wanted.result);
        assert_eq!(hit.evaluation, wanted.evaluation);
        assert_eq!(hit.best, wanted.best);
        assert_eq!(hit.depth, depth);
        assert!(hit.principal);
    }
    assert_eq!(probe(&table, key(77), ROOT), None);
    table.clear(0, 1);
    assert_eq!(probe(&table, key(0), ROOT), None);
}

#[test]
fn mates_count_from_where_they_are_seen() {
    let table = table();
    // Stored three plies from the root, mate two plies later.
    let mate = TableEntry { result: Some((Score::mate_in(5), Bound::Exact)), ..entry(4) };
    store(&table, key(1), 3, &mate);
    let at = |ply, plies_left| {
        probe(&table, key(1), ScoreContext { ply, plies_left }).unwrap().result.unwrap().0
    };
    assert_eq!(at(3, 100), Score::mate_in(5));
    assert_eq!(at(9, 2), Score::mate_in(11));
    assert_eq!(at(9, 1), Score::MAX_EVALUATION, "the fifty-move rule comes first");
    let mated = TableEntry { result: Some((Score::mated_in(7), Bound::Exact)), ..entry(4) };
    store(&table, key(2), 3, &mated);
    let hit = probe(&table, key(2), ScoreContext::at(1)).unwrap();
    assert_eq!(hit.result.unwrap().0, Score::mated_in(5));
}

#[test]
fn the_least_valuable_entry_makes_way() {
    let table = table();
    for number in 0..4 {
        store(&table, key(number), 0, &entry(10 + number as i32));
    }
    store(&table, key(4), 0, &entry(1));
    assert_eq!(probe(&table, key(0), ROOT), None, "the shallowest is replaced");
    assert!((1..5).all(|number| probe(&table, key(number), ROOT).is_some()));
    // Two searches later age counts for more than depth.
    table.begin_search();
    table.begin_search();
    store(&table, key(4), 0, &entry(2));
    store(&table, key(5), 0, &entry(1));
    assert_eq!(probe(&table, key(1), ROOT), None, "the oldest and shallowest is replaced");
    assert!(probe(&table, key(4), ROOT).is_some());
}

#[test]
fn a_deep_entry_outlives_a_shallow_one_of_its_position() {
    let table = table();
    store(&table, key(1), 0, &entry(20));
    store(&table, key(1), 0, &TableEntry { principal: false, ..entry(3) });
    assert_eq!(probe(&table, key(1), ROOT).unwrap().depth, 20);
    let exact = TableEntry { result: Some((Score::DRAW, Bound::Exact)), best: None, ..entry(3) };
    store(&table, key(1), 0, &exact);
    let hit = probe(&table, key(1), ROOT).unwrap();
    assert_eq!(hit.depth, 3);
    assert_eq!(hit.best, entry(3).best, "a known best move is not forgotten for none");
}

#[test]
fn the_share_in_use_is_reported() {
    let table = table();
    assert_eq!(table.permille_full(), 0);
    for bucket in &table.buckets.as_slice()[..125] {
        for slot in bucket {
            slot.store(9, PackedEntry::new(&TableEntry { best: None, ..entry(1) }, 0, 0).0);
        }
    }
    assert_eq!(table.permille_full(), 500);
    table.begin_search();
    assert_eq!(table.permille_full(), 0, "entries of earlier searches do not count");
}
