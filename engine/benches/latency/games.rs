//! Fast games of the engine against itself on the real clock: how many are lost on time.
//!
//! The referee takes the whole time from writing `go` to reading `bestmove` off the clock. No game
//! is played again.

use std::collections::HashMap;
use std::time::Duration;

use super::support::game::{Clocks, Control, opening};
use super::support::{Engine, Random, ms};
use super::table::milliseconds;

/// Games of each control in a round.
const GAMES: usize = 4;
/// After so many plies a game is given up as a draw.
const LONGEST: usize = 160;

const CONTROLS: [(&str, Control); 5] = [
    ("1 s + 10 ms", Control::Clock { base: ms(1000), increment: ms(10), moves: None }),
    ("0.2 s + 2 ms", Control::Clock { base: ms(200), increment: ms(2), moves: None }),
    ("0.5 s", Control::Clock { base: ms(500), increment: ms(0), moves: None }),
    ("40 moves in 0.5 s", Control::Clock { base: ms(500), increment: ms(0), moves: Some(40) }),
    ("30 ms a move", Control::Move(ms(30))),
];

/// What became of a game.
struct Outcome {
    plies: usize,
    /// The time used by both sides.
    used: Duration,
    clocks: Clocks,
    /// What the referee says of a fallen flag.
    loss: Option<String>,
}

fn play(control: Control, seed: u64) -> Outcome {
    let mut players = [Engine::ready(), Engine::ready()];
    let (mut board, mut moves) = opening(&mut Random::new(seed));
    let mut seen = HashMap::new();
    let (mut clocks, mut used, mut loss) = (control.start(), Duration::ZERO, None);
    for player in &mut players {
        player.send("ucinewgame");
        player.sync();
    }
    while loss.is_none() && !board.is_over() && moves.len() < LONGEST {
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
        used += search.elapsed;
        loss = clocks.press(ply, search.elapsed).err();
        board = board.after(&[&search.best]);
        moves.push(search.best);
    }
    players.into_iter().for_each(Engine::quit);
    Outcome { plies: moves.len(), used, clocks, loss }
}

/// Prints a row for each control, and the losses.
pub fn measure(rounds: usize) {
    println!(
        "\n| games on the real clock | games | moves | used a move | least left | lost on time | promised |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut losses = Vec::new();
    for (name, control) in CONTROLS {
        let games: Vec<Outcome> =
            (0..(GAMES * rounds) as u64).map(|seed| play(control, seed)).collect();
        let plies: usize = games.iter().map(|game| game.plies).sum();
        let used: Duration = games.iter().map(|game| game.used).sum();
        let least = games.iter().map(|game| game.clocks.least).min().unwrap_or_default();
        let lost: Vec<String> = games.iter().filter_map(|game| game.loss.clone()).collect();
        println!(
            "| {name} | {} | {plies} | {} | {} | {} | 0 |",
            games.len(),
            milliseconds(used / plies.max(1) as u32),
            milliseconds(least),
            lost.len()
        );
        losses.extend(lost);
    }
    for loss in losses {
        println!("\nLost: {loss}");
    }
}
