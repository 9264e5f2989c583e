//! Fast games of the engine against itself on the real clock: how many are lost on time. No game is
//! played again.

use std::time::Duration;

use super::support::game::{Control, Outcome, play};
use super::support::{Engine, ms};
use super::table::milliseconds;

/// Games of each control in a round.
const GAMES: usize = 4;
const CONTROLS: [(&str, Control); 5] = [
    ("1 s + 10 ms", Control::Clock { base: ms(1000), increment: ms(10), moves: None }),
    ("0.2 s + 2 ms", Control::Clock { base: ms(200), increment: ms(2), moves: None }),
    ("0.5 s", Control::Clock { base: ms(500), increment: ms(0), moves: None }),
    ("40 moves in 0.5 s", Control::Clock { base: ms(500), increment: ms(0), moves: Some(40) }),
    ("30 ms a move", Control::Move(ms(30))),
];

/// Prints a row for each control, and the losses.
pub fn measure(rounds: usize) {
    println!(
        "\n| games on the real clock | games | moves | used a move | least left | lost on time | promised |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut losses = Vec::new();
    for (name, control) in CONTROLS {
        let game = |seed| {
            let mut players = [Engine::ready(), Engine::ready()];
            let outcome = play(&mut players, control, seed, |search, _| search.elapsed);
            players.into_iter().for_each(Engine::quit);
            outcome
        };
        let games: Vec<Outcome> = (0..(GAMES * rounds) as u64).map(game).collect();
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
