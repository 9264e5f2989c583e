//! The commands of `tamarin-tools` as processes, as one program: each program more costs a link.
//! `TAMARIN_BIN` may name another binary to test.

#[path = "../../../movegen/tests/long/mod.rs"]
mod long;
#[path = "../../../engine/tests/support/mod.rs"]
mod support;

#[cfg(unix)]
mod analysis;
mod commands;
mod corpora;
#[cfg(target_os = "linux")]
mod files;
#[cfg(unix)]
mod play;
