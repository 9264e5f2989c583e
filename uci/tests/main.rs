//! The tests of what the crate promises, as one program: each program more costs a link.

#[path = "../../fuzz/checks/line.rs"]
mod check;
#[path = "../../fuzz/checks/reply.rs"]
mod check_reply;
#[path = "../../fuzz/checks/xboard.rs"]
mod check_xboard;

mod bad_input;
mod properties;
mod replies;
mod spec;
mod xboard_commands;
