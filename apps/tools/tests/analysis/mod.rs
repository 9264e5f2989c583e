//! The commands that analyze: `tamarin analyse`, `suite` and `mate`, as processes, with good input
//! and with every kind of bad input.

mod analyse;
mod bad_input;
mod cut_off;
mod engine;
mod hash_file;
#[cfg(target_os = "linux")]
mod input;
mod mate;
mod memory;
mod page;
mod suite;
