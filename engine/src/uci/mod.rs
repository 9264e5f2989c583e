//! UCI: the dialect of one protocol between the input, the engine and the output.

mod printer;
mod session;
mod translate;

pub use self::session::Session;
