//! Any bytes as the input of one target, which is named when this is compiled: what is linked, and so
//! instrumented, is what the target needs.
#![no_main]

#[path = "../checks/book.rs"]
mod book;
#[path = "../checks/epd.rs"]
mod epd;
#[path = "../checks/evaluation.rs"]
mod evaluation;
#[path = "../checks/hash.rs"]
mod hash;
#[path = "../checks/line.rs"]
mod line;
#[path = "../checks/network.rs"]
mod network;
#[path = "../checks/packed.rs"]
mod packed;
#[path = "../checks/peer.rs"]
mod peer;
#[path = "../checks/pgn.rs"]
mod pgn;
#[allow(dead_code, reason = "tests use more positions")]
#[path = "../checks/position.rs"]
mod position;
#[path = "../checks/puzzle.rs"]
mod puzzle;
#[path = "../checks/reply.rs"]
mod reply;
#[path = "../checks/session.rs"]
mod session;
#[path = "../checks/syzygy.rs"]
mod syzygy;
#[path = "../checks/variant.rs"]
mod variant;
#[path = "../checks/xboard.rs"]
mod xboard;

/// The target: `FUZZ_TARGET`, which `.ci/fuzz` sets, or `fen`.
const TARGET: &str = match option_env!("FUZZ_TARGET") {
    Some(name) => name,
    None => "fen",
};

const CHECK: fn(&[u8]) = match TARGET.as_bytes() {
    b"book" => book::check,
    b"epd" => epd::check,
    b"evaluation" => evaluation::check,
    b"fen" => position::fen,
    b"hash" => hash::check,
    b"line" => line::check,
    b"network" => network::check,
    b"packed" => packed::check,
    b"peer" => peer::check,
    b"pgn" => pgn::check,
    b"puzzle" => puzzle::check,
    b"reply" => reply::check,
    b"san" => position::san,
    b"session" => session::check,
    b"syzygy" => syzygy::check,
    b"uci_move" => position::uci_move,
    b"variant" => variant::check,
    b"xboard" => xboard::check,
    _ => panic!("FUZZ_TARGET names no target"),
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| CHECK(bytes));
