//! The conformance list: what clients send, and what the engine must do then.
//!
//! Every test drives the built program through pipes. The letter and number of its name are
//! those of the item it checks: A process, B readiness, C positions, D searches, E information,
//! F options, G console. `TAMARIN_BIN` may name another binary to test.

#[path = "../support/mod.rs"]
mod support;

mod a_process;
mod b_ready;
mod c_position;
mod d_search;
mod e_info;
mod f_options;
mod g_console;
mod harness;
mod model;
#[cfg(feature = "inject-panic")]
mod panics;
mod positions;
mod repeat;
mod scripts;
