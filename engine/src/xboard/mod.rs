//! The XBoard protocol: the dialect between its clients and the engine.

mod during_search;
mod edit;
mod exclude;
mod features;
mod observer;
mod options;
mod playing;
mod session;
mod time_control;
mod variant_setup;

pub use self::session::Session;
