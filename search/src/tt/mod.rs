//! The transposition table (TT): what the threads of a search know of positions seen before.

#[path = "../../../base/src/buckets.rs"]
mod bucket;
mod entry;
mod keys;
mod table;

pub use bucket::{BUCKET_SIZE, Bucket, Buckets, Slot};
pub use entry::Bound;
pub(crate) use entry::{DEPTH_OF_EVALUATION, Hit, ScoreContext, TableEntry};
pub(crate) use keys::key;
pub(crate) use table::TranspositionTable;
pub use table::{HASH_RANGE, TableError};
