//! Playing one game.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_eval::network::Network;
use tamarin_movegen::{Color, Position};
use tamarin_search::StartError;

use super::adjudication::{Adjudication, Streaks};
use super::openings::{NoOpening, Openings};
use super::recipe::Recipe;
use super::rules::result;
use crate::data::{Game, Ply};
use crate::engine::{Engine, NodeLimits};

/// An engine that plays both sides.
pub(super) struct Player<'a> {
    engine: Engine,
    openings: &'a Openings,
    rules: Adjudication,
    limits: NodeLimits,
    opening_score: i32,
    seed: u64,
}

impl<'a> Player<'a> {
    pub fn new(
        recipe: &Recipe,
        openings: &'a Openings,
        network: Option<Arc<Network>>,
    ) -> Result<Self, StartError> {
        let mut engine = Engine::for_training(recipe.hash as usize)?;
        engine.set_network(network)?;
        Ok(Self {
            engine,
            openings,
            rules: recipe.adjudication,
            limits: recipe.limits(),
            opening_score: recipe.opening_score.into(),
            seed: recipe.seed,
        })
    }

    /// Plays the game with this number. It depends on the number and the recipe alone.
    pub fn game(&mut self, number: u64) -> Result<Game, NoOpening> {
        // An odd factor far from that of the generator's own seeding keeps the games of
        // neighboring seeds apart.
        const SPREAD: u64 = 0xD134_2543_DE82_EF95;
        let seed = self.seed.wrapping_mul(SPREAD).wrapping_add(number);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for start in self.openings.draws(number, &mut random) {
            self.engine.new_game();
            if let Some(game) = self.play(start) {
                return Ok(game);
            }
        }
        Err(NoOpening)
    }

    /// Plays from `start`; nothing if the first score is too far from zero.
    fn play(&mut self, start: Position) -> Option<Game> {
        let mut position = start.clone();
        let mut plies = Vec::new();
        let mut streaks = Streaks::default();
        let outcome = loop {
            if let Some(outcome) = result(&position) {
                break outcome;
            }
            let answer = self.engine.search(&position, self.limits);
            let mv = answer.best.expect("invariant: the game is not over, so there is a move");
            let score = match position.side_to_move() {
                Color::White => answer.score.units(),
                Color::Black => -answer.score.units(),
            };
            if plies.is_empty() && score.abs() > self.opening_score {
                return None;
            }
            let decided = streaks.next(&self.rules, score, plies.len());
            let score = i16::try_from(score).expect("invariant: every score fits an i16");
            plies.push(Ply { mv, score });
            if let Some(outcome) = decided {
                break outcome;
            }
            position.make(mv);
        };
        Some(Game { start, plies, outcome })
    }
}
