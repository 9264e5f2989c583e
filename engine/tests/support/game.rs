//! Games of two engines with a referee: its clocks, and openings.

use std::time::Duration;

use super::check::sound;
use super::engine::Search;
use super::oracle::Positions;
use super::{Engine, Oracle, Random};

/// How much time a side has.
#[derive(Clone, Copy, Debug)]
pub enum Control {
    /// A clock, what each move adds, and after how many moves the first time is added again.
    Clock {
        base: Duration,
        increment: Duration,
        moves: Option<usize>,
    },
    Move(Duration),
}

/// The clocks of a game and the least that was ever left on one.
pub struct Clocks {
    control: Control,
    left: [Duration; 2],
    pub least: Duration,
}

impl Clocks {
    const fn new(control: Control) -> Self {
        let base = match control {
            Control::Clock { base, .. } => base,
            Control::Move(time) => time,
        };
        Self { control, left: [base; 2], least: base }
    }

    /// The `go` of this ply.
    fn go(&self, ply: usize) -> String {
        match self.control {
            Control::Move(time) => format!("go movetime {}", time.as_millis()),
            Control::Clock { increment, moves, .. } => {
                let [white, black] = self.left.map(|left| left.as_millis());
                let increment = increment.as_millis();
                let to_go = moves.map_or_else(String::new, |moves| {
                    format!(" movestogo {}", moves - ply / 2 % moves)
                });
                format!("go wtime {white} btime {black} winc {increment} binc {increment}{to_go}")
            }
        }
    }

    /// Takes a move's time off the clock; an error if the flag has fallen.
    fn press(&mut self, ply: usize, took: Duration) -> Result<(), String> {
        let left = &mut self.left[ply % 2];
        let before = *left;
        *left = before.checked_sub(took).ok_or(format!(
            "ply {ply} of {:?}: lost on time, {took:?} of {before:?}",
            self.control
        ))?;
        self.least = self.least.min(*left);
        match self.control {
            Control::Move(time) => *left = time,
            Control::Clock { base, increment, moves } => {
                *left += increment;
                if moves.is_some_and(|moves| (ply / 2 + 1).is_multiple_of(moves)) {
                    *left += base;
                }
            }
        }
        Ok(())
    }
}

/// Some random plies from the start.
fn opening(random: &mut Random) -> (Oracle, Vec<String>) {
    let mut board = Oracle::startpos();
    let mut moves = Vec::new();
    while moves.len() < 8 {
        let legal = board.legal();
        if legal.is_empty() {
            return opening(random);
        }
        moves.push(random.pick(&legal).clone());
        board = board.after(&moves[moves.len() - 1..]);
    }
    (board, moves)
}

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

/// Plays a game, White first of the players. `took` says what a search takes off the clock: the
/// time from writing `go` to reading `bestmove`, or of what is left what a test decides.
///
/// # Panics
/// If an answer is not sound, or none comes.
pub fn play(
    players: &mut [Engine; 2],
    control: Control,
    seed: u64,
    mut took: impl FnMut(&Search, Duration) -> Duration,
) -> Outcome {
    let (mut board, mut moves) = opening(&mut Random::new(seed));
    let mut positions = Positions::default();
    let (mut clocks, mut used, mut loss) = (Clocks::new(control), Duration::ZERO, None);
    for player in players.iter_mut() {
        player.send("ucinewgame");
        player.sync();
    }
    while loss.is_none() && !board.is_over() && moves.len() < LONGEST && positions.add(&board) < 3 {
        let ply = moves.len();
        let player = &mut players[ply % 2];
        player.send(&format!("position startpos moves {}", moves.join(" ")));
        player.sync();
        let search = player.go(&clocks.go(ply));
        sound(&search, &board);
        let took = took(&search, clocks.left[ply % 2]);
        used += took;
        loss = clocks.press(ply, took).err();
        board = board.after(&[&search.best]);
        moves.push(search.best);
    }
    Outcome { plies: moves.len(), used, clocks, loss }
}
