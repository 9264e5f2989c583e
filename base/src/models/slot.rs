//! An entry of the transposition table that is read while others write it.

use std::sync::Arc;

use super::{explore, spawn};
use crate::slot::Slot;

type Write = (u64, u64);

const WRITES: [Write; 2] = [(0x11, 0x2200), (0x44, 0x8800)];
/// For the key of the first one.
const REWRITE: Write = (0x11, 0x8800);

/// Which write was read, if any.
fn outcome(read: Write, writes: &[Write]) -> &'static str {
    if read == (0, 0) {
        return "empty";
    }
    if let Some(&(_, entry)) = writes.iter().find(|(key, _)| *key == read.0) {
        let whole = writes.contains(&read);
        assert!(whole, "torn entry: {:#x} was read for the key of {entry:#x}", read.1);
        return "whole";
    }
    "of no key"
}

fn read_during_writes(name: &str, preemptions: Option<usize>, writes: &'static [Write]) {
    explore(name, preemptions, &["empty", "of no key", "whole"], move |outcomes| {
        let slot = Arc::new(Slot::default());
        let writers: Vec<_> = writes
            .iter()
            .map(|&(key, entry)| {
                let slot = Arc::clone(&slot);
                spawn(move || slot.store(key, entry))
            })
            .collect();
        outcomes.count(outcome(slot.load(), writes));
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        // One write may have lost one word and kept the other.
        assert_ne!(outcome(slot.load(), writes), "empty");
    });
}

#[test]
fn no_half_of_a_write_is_an_entry_of_a_key_that_was_written() {
    read_during_writes("slot, two keys", None, &WRITES);
}

#[test]
fn no_half_of_a_write_is_another_entry_of_the_same_key() {
    read_during_writes("slot, one key", None, const { &[WRITES[0], REWRITE] });
}

#[test]
fn three_writers_tear_nothing() {
    const ALL: [Write; 3] = [WRITES[0], WRITES[1], REWRITE];
    read_during_writes("slot, three writers", Some(2), &ALL);
}
