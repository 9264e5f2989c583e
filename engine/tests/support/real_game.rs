//! Games of two engines on the real clock, for benchmarks: no test plays one. The referee takes the
//! whole time from writing `go` to reading `bestmove` off the clock.

use std::time::Duration;

use super::game::{Clocks, Control, opening};
use super::oracle::Positions;
use super::{Engine, Random};

/// After this number of plies a game is given up as a draw.
const LONGEST: usize = 160;

/// What became of a game.
pub struct Outcome {
    pub plies: usize,
    /// The time used by both sides.
    pub used: Duration,
    pub clocks: Clocks,
    /// What the referee says of a fallen flag.
    pub loss: Option<String>,
}

/// Plays a game, White first of the players.
///
/// # Panics
/// If a move is not legal, or none comes.
pub fn play(players: &mut [Engine; 2], control: Control, seed: u64) -> Outcome {
    let (mut board, mut moves) = opening(&mut Random::new(seed));
    let mut positions = Positions::default();
    let (mut clocks, mut used, mut loss) = (control.start(), Duration::ZERO, None);
    for player in players.iter_mut() {
        player.send("ucinewgame");
        player.sync();
    }
    while loss.is_none() && !board.is_over() && moves.len() < LONGEST {
        if positions.add(&board) == 3 {
            break;
        }
        let ply = moves.len();
        let player = &mut players[ply % 2];
        player.send(&format!("position startpos moves {}", moves.join(" ")));
        player.sync();
        let search = player.go(&clocks.go(ply));
        used += search.elapsed;
        loss = clocks.press(ply, search.elapsed).err();
        board = board.after(&[&search.best]);
        moves.push(search.best);
    }
    Outcome { plies: moves.len(), used, clocks, loss }
}
