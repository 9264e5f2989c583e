//! Games of the engine against itself with a referee at the pipes: no illegal move, no answer that
//! does not come, whatever the clocks come to.
//!
//! The time is the referee's: a move takes what the referee draws for it, never what the computer
//! took. So a game is the same on a slow machine, and its clocks come down to nothing on every one.
//! Losses on time by a real clock are counted by `make bench-latency`.
//!
//! `TAMARIN_GAMES` asks for more games of each control than the usual run has.

use crate::support::check::sound;
use crate::support::game::{Control, opening};
use crate::support::oracle::Positions;
use crate::support::{Engine, Random, ms, times};

/// After this number of plies a game is given up as a draw.
const LONGEST: usize = 120;

const CONTROLS: [Control; 5] = [
    Control::Clock { base: ms(300), increment: ms(5), moves: None },
    Control::Clock { base: ms(100), increment: ms(1), moves: None },
    Control::Clock { base: ms(200), increment: ms(0), moves: None },
    Control::Clock { base: ms(200), increment: ms(0), moves: Some(20) },
    Control::Move(ms(5)),
];

/// Plays one game; its length.
fn play(control: Control, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut players = [Engine::ready(), Engine::ready()];
    let (mut board, mut moves) = opening(&mut random);
    let mut positions = Positions::default();
    let mut clocks = control.start();
    for player in &mut players {
        player.send("ucinewgame");
        player.sync();
    }
    while !board.is_over() && moves.len() < LONGEST {
        if positions.add(&board) == 3 {
            break;
        }
        let ply = moves.len();
        let player = &mut players[ply % 2];
        player.send(&format!("position startpos moves {}", moves.join(" ")));
        let search = player.go(&clocks.go(ply));
        sound(&search, &board);
        // Between nothing and a quarter of the clock.
        let took = clocks.left(ply) * random.below(250) as u32 / 1000;
        clocks.press(ply, took).expect("less than there is");
        board = board.after(&[&search.best]);
        moves.push(search.best);
    }
    for player in players {
        player.quit();
    }
    moves.len()
}

#[test]
fn games_at_fast_controls_have_a_legal_move_for_each_go() {
    let count = times("TAMARIN_GAMES", 1);
    for control in CONTROLS {
        let plies: usize = (0..count as u64).map(|seed| play(control, seed)).sum();
        println!("{control:?}: {count} games, {plies} plies");
    }
}

#[test]
fn the_referee_sees_a_flag_fall() {
    for control in CONTROLS {
        let mut clocks = control.start();
        let left = clocks.left(1);
        assert!(clocks.press(1, left / 2).is_ok());
        assert!(clocks.press(1, left * 2).is_err());
    }
}
