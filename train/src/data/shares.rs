//! Work on the games of files that all threads share.

use std::path::PathBuf;
use std::thread;

use super::{DataError, FileError, Game, for_each_game};

/// One game in so many is for validation: nothing is learned from its positions.
const VALIDATION: u64 = 20;

/// Games that are handed out together.
const CHUNK: usize = 4_096;

/// A game and its place among all games of all files.
pub(crate) struct NumberedGame {
    /// Its number, from 0.
    pub number: u64,
    /// The game.
    pub game: Game,
}

impl NumberedGame {
    /// Whether the game is kept for validation: every twentieth is.
    pub const fn for_validation(&self) -> bool {
        self.number.is_multiple_of(VALIDATION)
    }
}

/// Lets `threads` threads, at least one, `work` on shares of all games of all files; `take` gets
/// what comes of it in the order of the games, whatever the number of threads. Returns the number
/// of games.
pub(crate) fn for_each_share<T, E>(
    paths: &[PathBuf],
    threads: usize,
    work: impl Fn(&[NumberedGame]) -> Result<T, E> + Sync,
    mut take: impl FnMut(T),
) -> Result<u64, E>
where
    T: Send,
    E: Send + From<DataError> + From<FileError>,
{
    let mut number = 0;
    let mut chunk = Vec::with_capacity(CHUNK);
    for_each_game(paths, |_, game| {
        chunk.push(NumberedGame { number, game });
        number += 1;
        if chunk.len() == CHUNK {
            work_on_chunk(&chunk, threads, &work, &mut take)?;
            chunk.clear();
        }
        Ok::<(), E>(())
    })?;
    work_on_chunk(&chunk, threads, &work, &mut take)?;
    Ok(number)
}

fn work_on_chunk<T: Send, E: Send>(
    games: &[NumberedGame],
    threads: usize,
    work: &(impl Fn(&[NumberedGame]) -> Result<T, E> + Sync),
    take: &mut impl FnMut(T),
) -> Result<(), E> {
    let size = games.len().div_ceil(threads).max(1);
    let done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> =
            games.chunks(size).map(|share| scope.spawn(move || work(share))).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    });
    for share in done {
        take(share?);
    }
    Ok(())
}
