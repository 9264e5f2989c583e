//! What must hold for lines of any bytes from a peer. Shared by the fuzz target and the tests.

use std::sync::{Arc, LazyLock};

use tamarin_tools::variant::peer::board::{board, position};
use tamarin_tools::variant::peer::message::Message;
use tamarin_variant::{Game, Position, builtin};

/// The first byte chooses the game.
static GAMES: LazyLock<Vec<Arc<Game>>> = LazyLock::new(|| {
    let names = ["fide", "nuttyknights", "locusts", "shogi_nodrop", "xiangqi"];
    names.iter().filter_map(|name| builtin(name)).collect()
});
/// Replies that are looked at behind a board that was read.
const REPLIES: usize = 3;

/// Panics if reading these bytes as messages breaks a promise.
pub fn check(bytes: &[u8]) {
    let Some((&first, lines)) = bytes.split_first() else { return };
    let game = &GAMES[usize::from(first) % GAMES.len()];
    let mut current = Position::start(game);
    for line in lines.split(|&byte| byte == b'\n') {
        let message = match Message::read(line) {
            Ok(message) => message,
            Err(message) => {
                assert!(message.len() < 2000 && !message.contains(char::is_control), "{message:?}");
                continue;
            }
        };
        let written = message.line();
        assert_eq!(Message::read(written.trim_end().as_bytes()), Ok(message.clone()));
        assert!(written.ends_with('\n') && !written.trim_end().contains('\n'));
        match message {
            Message::NewPosition { board: read } => {
                let Ok(found) = position(game, &read) else { continue };
                assert_eq!(board(&found, read.moves), read, "the same board");
                current = found;
                walk(&current);
            }
            Message::Move { squares, effects } => {
                let Ok(m) = current.parse_explicit(&squares, &effects) else { continue };
                assert!(current.legal_moves().contains(&m), "{squares} {effects}");
                let (squares, effects) = current.explicit(m);
                assert_eq!(current.parse_explicit(&squares, &effects), Ok(m));
                current.make(m);
            }
            _ => {}
        }
    }
}

/// Plays some moves of a position and takes them back.
fn walk(position: &Position) {
    let mut after = position.clone();
    for m in position.legal_moves().into_iter().take(REPLIES) {
        after.make(m);
        assert!(after.outcome().is_some() || !after.legal_moves().is_empty());
        after.unmake();
    }
    assert!(after.same_as(position));
}
