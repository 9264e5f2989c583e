//! A referee's clocks, and openings.

use std::time::Duration;

use super::{Oracle, Random};

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

impl Control {
    pub const fn start(self) -> Clocks {
        let base = match self {
            Self::Clock { base, .. } => base,
            Self::Move(time) => time,
        };
        Clocks { control: self, left: [base; 2], least: base }
    }
}

/// The clocks of a game and the least that was ever left on one.
pub struct Clocks {
    control: Control,
    left: [Duration; 2],
    pub least: Duration,
}

impl Clocks {
    /// What is left to the side that moves at this ply.
    pub const fn left(&self, ply: usize) -> Duration {
        self.left[ply % 2]
    }

    /// The `go` of this ply.
    pub fn go(&self, ply: usize) -> String {
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
    pub fn press(&mut self, ply: usize, took: Duration) -> Result<(), String> {
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
pub fn opening(random: &mut Random) -> (Oracle, Vec<String>) {
    let mut board = Oracle::startpos();
    let mut moves = Vec::new();
    while moves.len() < 8 {
        let legal = board.legal();
        if legal.is_empty() {
            return opening(random);
        }
        let mv = random.pick(&legal).clone();
        board = board.after(&[&mv]);
        moves.push(mv);
    }
    (board, moves)
}
