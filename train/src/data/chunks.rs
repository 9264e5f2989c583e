//! Work on the games of files that all threads share.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_base::Fnv1a;

use super::{Game, for_each_game};
use crate::error::{Result, reject};
use crate::parallel::map_chunks;

/// One game in this number, on average, is for validation: nothing is learned from its positions.
const VALIDATION: u64 = 20;

/// Games that are read before the threads work on them.
const GAMES_IN_MEMORY: usize = 4_096;

/// A game and the hash of its bytes.
pub struct HashedGame {
    pub hash: u64,
    pub game: Game,
}

impl HashedGame {
    /// Returns `true` if the game is kept for validation. Its content alone decides, so that it is
    /// so in every fit and training, whatever the files and their order.
    pub const fn for_validation(&self) -> bool {
        self.hash.is_multiple_of(VALIDATION)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct GameSet {
    pub games: u64,
    /// A hash of all of them in their order.
    pub checksum: u64,
}

/// Lets `threads` threads, at least one, `work` on chunks of all games of all files; `take` gets
/// what comes of it in the order of the games, whatever the number of threads.
pub fn for_each_chunk<T: Send>(
    paths: &[PathBuf],
    threads: usize,
    work: impl Fn(&[HashedGame]) -> Result<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<GameSet> {
    let (mut games, mut checksum) = (0, Fnv1a::default());
    let mut pending = Vec::with_capacity(GAMES_IN_MEMORY);
    let mut work_on = |pending: &[HashedGame]| {
        map_chunks(pending, threads, &work).into_iter().try_for_each(|done| take(done?))
    };
    for_each_game(paths, |raw, game| {
        let hash = Fnv1a::hash(raw);
        checksum.write(&hash.to_le_bytes());
        games += 1;
        pending.push(HashedGame { hash, game });
        if pending.len() == GAMES_IN_MEMORY {
            work_on(&pending)?;
            pending.clear();
        }
        Ok(())
    })?;
    work_on(&pending)?;
    Ok(GameSet { games, checksum: checksum.finish() })
}

/// Makes sure that there is something to learn from and to validate with.
pub fn check_counts(training: usize, validation: usize) -> Result<()> {
    if training == 0 || validation == 0 {
        reject!(
            "the games hold {training} positions to learn from and {validation} to validate with"
        );
    }
    Ok(())
}
