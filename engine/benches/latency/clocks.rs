//! How much of a limit of time a single move uses, and how many fast games of the engine against itself
//! are lost on time on the real clock.

use std::time::Duration;

use super::support::game::{Control, Outcome, play};
use super::support::{Engine, ms};
use super::table::milliseconds;

/// A `go`, and the time in milliseconds that it allows.
const GOES: [(&str, u64); 12] = [
    ("go movetime 30", 30),
    ("go movetime 50", 50),
    ("go movetime 100", 100),
    ("go movetime 250", 250),
    ("go wtime 500 btime 500", 500),
    ("go wtime 500 btime 500 winc 10 binc 10", 500),
    ("go wtime 60 btime 60 winc 5000 binc 5000", 60),
    ("go wtime 200 btime 200 winc 200 binc 200", 200),
    ("go wtime 150 btime 150 movestogo 1", 150),
    ("go wtime 150 btime 150 movestogo 40", 150),
    ("go wtime 15 btime 15", 15),
    ("go wtime 1000 btime 1000 movestogo 1", 1000),
];

/// Prints a row for each.
pub fn measure(rounds: usize) {
    println!("\n| time for one move | moves | median | maximum | used, median | overruns |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (go, allowed) in GOES {
        let mut engine = Engine::ready();
        let mut times = Vec::new();
        for _ in 0..15 * rounds {
            engine.send("ucinewgame\nposition startpos");
            engine.sync();
            times.push(engine.go(go).elapsed);
        }
        engine.quit();
        times.sort();
        let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
        let overruns = times.iter().filter(|time| **time > ms(allowed)).count();
        let used = median.as_secs_f64() * 100_000.0 / allowed as f64;
        println!(
            "| `{go}` | {} | {} | {} | {used:.0} % | {overruns} |",
            times.len(),
            milliseconds(median),
            milliseconds(most)
        );
    }
}

/// Games of each control in a round.
const GAMES: usize = 4;
const CONTROLS: [(&str, Control); 5] = [
    ("1 s + 10 ms", Control::Clock { base: ms(1000), increment: ms(10), moves: None }),
    ("0.2 s + 2 ms", Control::Clock { base: ms(200), increment: ms(2), moves: None }),
    ("0.5 s", Control::Clock { base: ms(500), increment: ms(0), moves: None }),
    ("40 moves in 0.5 s", Control::Clock { base: ms(500), increment: ms(0), moves: Some(40) }),
    ("30 ms a move", Control::Move(ms(30))),
];

/// Prints a row for each control, and the losses. No game is played again.
pub fn play_games(rounds: usize) {
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
