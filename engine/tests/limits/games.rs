//! Games of the engine against itself with a referee at the pipes: no loss on time, no illegal
//! move, no answer that does not come.
//!
//! `TAMARIN_GAMES` asks for more games of each control than the usual run has.

use std::collections::HashMap;
use std::time::Duration;

use crate::alone;
use crate::support::check::sound;
use crate::support::{Engine, Oracle, Random, ms, retry_once};

/// Games of each time control.
const GAMES: usize = 2;
/// After so many plies a game is given up as a draw.
const LONGEST: usize = 160;

/// How much time a side has.
#[derive(Clone, Copy, Debug)]
enum Control {
    /// A clock, what each move adds, and after how many moves the first time is added again.
    Clock { base: Duration, increment: Duration, moves: Option<usize> },
    /// So much for each move.
    Move(Duration),
}

const CONTROLS: [Control; 5] = [
    Control::Clock { base: ms(1000), increment: ms(10), moves: None },
    Control::Clock { base: ms(200), increment: ms(2), moves: None },
    Control::Clock { base: ms(500), increment: ms(0), moves: None },
    Control::Clock { base: ms(500), increment: ms(0), moves: Some(40) },
    Control::Move(ms(30)),
];

/// The clocks of a game and the least that was ever left on one.
struct Clocks {
    control: Control,
    left: [Duration; 2],
    least: Duration,
}

impl Clocks {
    fn new(control: Control) -> Self {
        let base = match control {
            Control::Clock { base, .. } => base,
            Control::Move(time) => time,
        };
        Self { control, left: [base; 2], least: base }
    }

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
        let mv = random.pick(&legal).clone();
        board = board.after(&[&mv]);
        moves.push(mv);
    }
    (board, moves)
}

/// Plays one game; the clocks at its end and its length, or what went wrong.
fn play(control: Control, seed: u64) -> Result<(Clocks, usize), String> {
    let mut players = [Engine::ready(), Engine::ready()];
    let (mut board, mut moves) = opening(&mut Random::new(seed));
    let mut seen = HashMap::new();
    let mut clocks = Clocks::new(control);
    for player in &mut players {
        player.send("ucinewgame");
        player.sync();
    }
    while !board.is_over() && moves.len() < LONGEST {
        let times = seen.entry(board.board().hash()).or_insert(0);
        *times += 1;
        if *times == 3 {
            break;
        }
        let ply = moves.len();
        let player = &mut players[ply % 2];
        player.send(&format!("position startpos moves {}", moves.join(" ")));
        player.sync();
        let search = player.go(&clocks.go(ply));
        sound(&search, &board);
        clocks.press(ply, search.spent)?;
        board = board.after(&[&search.best]);
        moves.push(search.best);
    }
    for player in players {
        player.quit();
    }
    Ok((clocks, moves.len()))
}

#[test]
fn games_at_fast_controls_end_without_loss_on_time_or_illegal_move() {
    let _turn = alone();
    let wanted = std::env::var("TAMARIN_GAMES").ok().and_then(|text| text.parse().ok());
    let count = wanted.unwrap_or(GAMES);
    for control in CONTROLS {
        let mut plies = 0;
        let mut least = Duration::MAX;
        for seed in 0..count as u64 {
            retry_once(|| {
                let (clocks, length) = play(control, seed)?;
                plies += length;
                least = least.min(clocks.least);
                Ok(())
            });
        }
        println!("{control:?}: {count} games, {plies} plies, least time left {least:?}");
    }
}

#[test]
fn the_referee_sees_a_flag_fall() {
    let _turn = alone();
    for control in CONTROLS {
        let mut clocks = Clocks::new(control);
        let left = clocks.left[1];
        assert!(clocks.press(1, left / 2).is_ok());
        assert!(clocks.press(1, left * 2).is_err());
    }
}
