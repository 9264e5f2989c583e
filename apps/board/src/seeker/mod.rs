//! Searches that are started and looked at: of chess or of a variant.

mod engine;
mod seek;
mod variant;

pub use self::engine::Seeker;
pub use self::seek::{Answer, Ask, Found, FoundLine, Resources, SeekerError, Shown, Worth};
pub use self::variant::variant_lines;
