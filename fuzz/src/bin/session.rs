//! Any lines as a session, UCI or XBoard: nothing panics, and everything is answered once.
#![no_main]

#[path = "../../checks/session.rs"]
mod check_session;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_session::check(bytes));
