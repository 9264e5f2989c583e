//! What the clocks showed around each ply of a game, for moves that are taken back.

use std::time::{Duration, Instant};

use tamarin_movegen::PerColor;

use tamarin_game::clock::Clocks;

/// The clocks around a ply: before its mover's time was added to, and after it.
struct Around {
    before: PerColor<Duration>,
    after: PerColor<Duration>,
}

/// The clocks around the last plies of a game that has clocks. Those before them come from a
/// loaded game, and took no time.
#[derive(Default)]
pub struct Times {
    played: Vec<Around>,
    /// Around the plies taken back, the next one to be played again last.
    undone: Vec<Around>,
}

impl Times {
    /// A move was played, between these times.
    pub fn play(&mut self, before: PerColor<Duration>, after: PerColor<Duration>) {
        self.undone.clear();
        self.played.push(Around { before, after });
    }

    /// The last move was taken back: the clocks are as they were before it, and stand still.
    pub fn undo(&mut self, clocks: Option<&mut Clocks>) {
        let Some(clocks) = clocks else { return };
        let around = self.played.pop().unwrap_or_else(|| {
            let full = Clocks::new(clocks.control()).both(Instant::now());
            Around { before: full, after: full }
        });
        clocks.set(around.before);
        self.undone.push(around);
    }

    /// The next move was played again: the clocks are as they were after it, and stand still.
    pub fn redo(&mut self, clocks: Option<&mut Clocks>) {
        let Some((clocks, around)) = clocks.zip(self.undone.pop()) else { return };
        clocks.set(around.after);
        self.played.push(around);
    }
}
