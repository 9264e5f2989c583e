//! UCI: the dialect of one protocol between the input, the engine and the output.

mod position;
mod printer;
mod reader;
mod session;
mod translate;
mod variant;
mod variant_printer;

pub use self::reader::{Reader, Request};
pub use self::session::Session;
