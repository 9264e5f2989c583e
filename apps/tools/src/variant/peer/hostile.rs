//! Lines of any bytes from a peer: what the fuzz target checks, for its corpus and for damaged ones.

#[path = "../../../../../fuzz/checks/peer.rs"]
mod check_peer;
#[path = "../../../../../engine/tests/support/corpus.rs"]
mod corpus;

use tamarin_variant::{Position, builtin};

use self::corpus::{damaged, replay};
use super::board::board;
use super::message::Message;

#[test]
fn every_line_of_the_corpus_keeps_the_promises() {
    replay("../../fuzz/corpus/peer", check_peer::check);
}

#[test]
fn damaged_messages_keep_the_promises() {
    let start = Position::start(&builtin("fide").unwrap());
    let messages = [
        Message::NewPosition { board: board(&start, 0) },
        Message::Move {
            squares: "($1 $4) -> ($3 $4)".to_owned(),
            effects: "+en_passant -> ($3 $4)".to_owned(),
        },
        Message::PlayColor { white: true },
    ];
    let lines: String = messages.iter().map(Message::line).collect();
    damaged(format!("\0{lines}").as_bytes(), 1_000, check_peer::check);
}
