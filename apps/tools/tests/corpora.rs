//! Replays the committed fuzz corpora of sessions, networks, tablebases and hash tables through the checks of
//! their targets: they need no more than what the crates offer to everybody.

#[path = "../../../fuzz/checks/hash.rs"]
mod check_hash;
#[path = "../../../fuzz/checks/network.rs"]
mod check_network;
#[path = "../../../fuzz/checks/session.rs"]
mod check_session;
#[path = "../../../fuzz/checks/syzygy.rs"]
mod check_syzygy;

use std::fs;
use std::path::Path;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the corpus is committed") {
        let path = entry.expect("a file").path();
        println!("{}", path.display());
        check(&fs::read(&path).expect("a file"));
        count += 1;
    }
    assert!(count >= 5, "{count} files in {}", folder.display());
}

#[test]
fn every_session_of_the_corpus_keeps_the_promises() {
    replay("session", check_session::check);
}

#[test]
fn every_network_of_the_corpus_keeps_the_promises() {
    replay("network", check_network::check);
}

#[test]
fn every_tablebase_of_the_corpus_keeps_the_promises() {
    replay("syzygy", check_syzygy::check);
}

#[test]
fn every_hash_table_of_the_corpus_keeps_the_promises() {
    replay("hash", check_hash::check);
}
