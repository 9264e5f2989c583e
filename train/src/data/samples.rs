//! Games to test with.

use std::fs;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::Position;

use super::{Game, Outcome, Ply};

/// Games of 60 random moves at most, which White wins; the score of every position of a game is
/// its number, from 1.
pub(crate) fn random_games(count: i16) -> Vec<Game> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let game = |score| {
        let start = Position::startpos();
        let mut position = start.clone();
        let mut plies = Vec::new();
        for _ in 0..60 {
            let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
            plies.push(Ply { mv, score });
            position.make(mv);
        }
        Game { start, plies, outcome: Outcome::WhiteWin }
    };
    (1..=count).map(game).collect()
}

/// A file that is removed in the end.
pub(crate) struct GamesFile(PathBuf);

impl GamesFile {
    /// Writes games; no other test may use the name.
    pub fn new(name: &str, games: &[Game]) -> Self {
        let path = std::env::temp_dir().join(format!("tamarin-{name}-{}.viri", std::process::id()));
        let bytes: Vec<u8> = games.iter().flat_map(|game| game.encode().unwrap()).collect();
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for GamesFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
