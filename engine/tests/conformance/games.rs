//! Games of the engine against itself with a referee at the pipes: no illegal move, no answer that
//! does not come, whatever the clocks come to. Losses on time by a real clock are counted by
//! `make bench-latency`.
//!
//! `TAMARIN_GAMES` asks for more games of each control than the usual run has.

use crate::support::game::{Control, play};
use crate::support::{Engine, Random, ms, times};

const CONTROLS: [Control; 4] = [
    Control::Clock { base: ms(100), increment: ms(1), moves: None },
    Control::Clock { base: ms(200), increment: ms(0), moves: None },
    Control::Clock { base: ms(200), increment: ms(0), moves: Some(20) },
    Control::Move(ms(5)),
];

#[test]
fn long_games_at_fast_controls_have_a_legal_move_for_each_go() {
    let mut players = [Engine::ready(), Engine::ready()];
    for control in CONTROLS {
        for seed in 0..times("TAMARIN_GAMES", 1) as u64 {
            let mut random = Random::new(seed);
            // Between nothing and a quarter of the clock, whatever the computer took.
            let outcome =
                play(&mut players, control, seed, |_, left| left * random.below(250) as u32 / 1000);
            assert_eq!(outcome.loss, None);
        }
    }
    players.into_iter().for_each(Engine::quit);
}
