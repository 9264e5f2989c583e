//! The server: who may ask, and what is answered.

mod answer;
mod app;
mod assets;
mod check;
mod guard;
mod routes;
mod server;

pub use self::guard::Limits;
pub use self::server::{Server, Settings};
