//! The conformance list: what clients send, and what the engine must do then.
//!
//! Every test drives the built program through pipes; `docs/reliability.md` says what
//! each file shows. `TAMARIN_BIN` may name another binary to test. What takes long has a name
//! that begins with `long_` and is no part of `make test`.

#[path = "../support/mod.rs"]
mod support;

mod book;
mod console;
mod documents;
mod endings;
mod evaluator;
mod files;
mod hash_file;
mod info_lines;
mod options;
mod other_program;
mod position;
mod process;
mod random_sessions;
mod readiness;
mod resources;
mod search;
mod tablebases;
mod variants;
mod xboard;
mod xboard_model;
