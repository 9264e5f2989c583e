use tamarin_base::Bound;
use tamarin_eval::Score;
use tamarin_movegen::{MoveKind, PieceKind, Square};

use super::super::entry::DEPTH_OF_EVALUATION;
use super::*;

const ROOT: ScoreContext = ScoreContext { ply: 0, halfmove_clock: 0 };

fn entry(depth: i32) -> TableEntry {
    TableEntry {
        result: Some((Score::new(-123), Bound::Lower)),
        evaluation: Some(Score::new(45)),
        best: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
        depth,
        principal: true,
    }
}

fn store(table: &TranspositionTable, key: u64, ply: usize, entry: &TableEntry) {
    table.store(key, ply, entry, &Params::new());
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
        let hit = table.probe(key(depth as u64 & 0xFF), ROOT).unwrap();
        let wanted = entry(depth);
        assert_eq!(hit.result, wanted.result);
        assert_eq!(hit.evaluation, wanted.evaluation);
        assert_eq!(hit.best, wanted.best);
        assert_eq!(hit.depth, depth);
        assert!(hit.principal);
    }
    assert_eq!(table.probe(key(77), ROOT), None);
    table.clear(0, 1);
    assert_eq!(table.probe(key(0), ROOT), None);
}

#[test]
fn mates_count_from_where_they_are_seen() {
    let table = table();
    // Stored three plies from the root, mate two plies later.
    let mate = TableEntry { result: Some((Score::mate_in(5), Bound::Exact)), ..entry(4) };
    store(&table, key(1), 3, &mate);
    let at = |ply, halfmove_clock| {
        table.probe(key(1), ScoreContext { ply, halfmove_clock }).unwrap().result.unwrap().0
    };
    assert_eq!(at(3, 0), Score::mate_in(5));
    assert_eq!(at(9, 98), Score::mate_in(11));
    assert_eq!(at(9, 99), Score::MAX_EVALUATION, "the fifty-move rule comes first");
    let mated = TableEntry { result: Some((Score::mated_in(7), Bound::Exact)), ..entry(4) };
    store(&table, key(2), 3, &mated);
    let hit = table.probe(key(2), ScoreContext { ply: 1, halfmove_clock: 0 }).unwrap();
    assert_eq!(hit.result.unwrap().0, Score::mated_in(5));
}

#[test]
fn the_least_valuable_entry_makes_way() {
    let table = table();
    for number in 0..4 {
        store(&table, key(number), 0, &entry(10 + number as i32));
    }
    store(&table, key(4), 0, &entry(1));
    assert_eq!(table.probe(key(0), ROOT), None, "the shallowest is replaced");
    assert!((1..5).all(|number| table.probe(key(number), ROOT).is_some()));
    // Two searches later age counts for more than depth.
    table.begin_search();
    table.begin_search();
    store(&table, key(4), 0, &entry(2));
    store(&table, key(5), 0, &entry(1));
    assert_eq!(table.probe(key(1), ROOT), None, "the oldest and shallowest is replaced");
    assert!(table.probe(key(4), ROOT).is_some());
}

#[test]
fn a_deep_entry_outlives_a_shallow_one_of_its_position() {
    let table = table();
    store(&table, key(1), 0, &entry(20));
    store(&table, key(1), 0, &TableEntry { principal: false, ..entry(3) });
    assert_eq!(table.probe(key(1), ROOT).unwrap().depth, 20);
    let exact = TableEntry { result: Some((Score::DRAW, Bound::Exact)), best: None, ..entry(3) };
    store(&table, key(1), 0, &exact);
    let hit = table.probe(key(1), ROOT).unwrap();
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

#[test]
fn keys_after_plain_moves_are_right() {
    let params = Params::new();
    for clock in [0, 12, 13, 14, 20, 21, 22, 98] {
        let fen =
            format!("r2q1rk1/1b2bppp/p2p1n2/1p1Np3/4P3/P2Q1N2/1PP2PPP/R1B2RK1 w - - {clock} 30");
        let mut position = Position::from_fen(&fen).unwrap();
        let mut checked = 0;
        for mv in position.legal_moves() {
            let pawn = position.moved_piece(mv).kind() == PieceKind::Pawn;
            if pawn && !mv.is_noisy() {
                continue;
            }
            let predicted = key_after(&position, mv, &params);
            position.make(mv);
            assert_eq!(super::key(&position, &params), predicted, "{mv:?} at clock {clock}");
            position.unmake();
            checked += 1;
        }
        assert!(checked > 30);
        let predicted = key_after_null(&position, &params);
        position.make_null();
        assert_eq!(super::key(&position, &params), predicted, "passing at clock {clock}");
    }
}

#[test]
fn the_clock_is_part_of_the_key_in_steps() {
    let params = Params::new();
    let key = |clock: i32| clock_key(clock as u16, &params);
    let (first, step) = (params.tt_key_clock(), params.tt_key_clock_step());
    assert_eq!(key(first - 1), 0);
    let keys = [0, 1, 2].map(|steps| key(first + steps * step));
    assert!(keys[0] != 0 && keys[1] != keys[0] && keys[2] != keys[1]);
    assert_eq!(key(first + step - 1), keys[0]);
}
