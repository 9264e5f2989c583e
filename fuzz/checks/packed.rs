//! What must hold for packed games of any code: every game that is read can be packed again, and is
//! read the same. Shared by the fuzz target and the tests.

use std::path::Path;

use tamarin_train::data::{Game, GameReader, Packer};

/// Panics if a chunk breaks a promise. The first two bytes count its games and tens of plies, the rest
/// is its code; its checksums are right.
pub fn check(bytes: &[u8]) {
    let Some((&[games, tens], code)) = bytes.split_first_chunk() else { return };
    let mut chunk = b"\xFFTPK\xFF\xFF\xFF\x01".to_vec();
    let plies = 10 * u32::from(tens);
    for field in [games.into(), plies, code.len() as u32, crc32fast::hash(code)] {
        chunk.extend(field.to_le_bytes());
    }
    chunk.extend(crc32fast::hash(&chunk).to_le_bytes());
    chunk.extend(code);
    let games = read(&chunk);
    let mut packer = Packer::default();
    for game in &games {
        packer.add(game).expect("a game that was read is one");
    }
    let again = packer.finish().map_or_else(Vec::new, |chunk| read(&chunk));
    assert!(
        games
            .iter()
            .map(Game::encode)
            .map(Result::ok)
            .eq(again.iter().map(Game::encode).map(Result::ok))
    );
}

fn read(chunk: &[u8]) -> Vec<Game> {
    GameReader::new(chunk, Path::new("games")).map_while(Result::ok).collect()
}
