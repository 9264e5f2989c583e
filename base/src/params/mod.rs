//! The numbers of the search that change play, and those that sizes of tables and types depend on:
//! constants in every build.

mod table;
mod tunable;

pub use table::*;
#[cfg(feature = "tune")]
pub use tunable::ParameterError;
pub use {table::parameters, tunable::Origin, tunable::Tunable};

/// The quiet history stays within plus and minus this.
pub const QUIET_HISTORY_LIMIT: i32 = 8192;

/// The capture history stays within plus and minus this.
pub const CAPTURE_HISTORY_LIMIT: i32 = 8192;

/// The pawn history stays within plus and minus this. Source: Stockfish 16.
pub const PAWN_HISTORY_LIMIT: i32 = 8192;

/// Rows of the pawn history, a power of two. Source: Stockfish 16.
pub const PAWN_HISTORY_SIZE: usize = 512;

/// The continuation history stays within plus and minus this. Source: Weiss 9340ece.
pub const CONTINUATION_HISTORY_LIMIT: i32 = 16384;

/// The correction history stays within plus and minus this. Source: Stockfish 16.1.
pub const CORRECTION_HISTORY_LIMIT: i32 = 1024;

/// Entries of the correction history for each table and color, a power of two.
/// Source: Stockfish 16.1.
pub const CORRECTION_HISTORY_SIZE: usize = 16384;

/// How many threads share continuation and correction histories. With more they would be in
/// each other's way: a cache line that one of them writes has to be passed to all the others.
/// Run V14 compares what two threads may share.
pub const THREADS_PER_GROUP: usize = 4;

/// How many quiet moves, and how many captures, of a node are punished at most.
/// Source: Weiss 9340ece.
pub const MALUS_MOVES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        for (index, tunable) in parameters().iter().enumerate() {
            assert!(tunable.min <= tunable.default, "{}", tunable.name);
            assert!(tunable.default <= tunable.max, "{}", tunable.name);
            assert!(tunable.step > 0, "{}", tunable.name);
            let doubled = parameters()[..index].iter().any(|other| other.name == tunable.name);
            assert!(!doubled, "{} is named twice", tunable.name);
        }
    }
}
