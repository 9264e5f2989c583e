//! Playing one game.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_eval::network::Network;
use tamarin_movegen::{Color, Position};
use tamarin_search::StartError;

use super::adjudication::Streaks;
use super::openings::{NoOpening, Openings};
use super::recipe::Recipe;
use super::rules::result;
use crate::data::{Game, Ply};
use crate::engine::Engine;

/// An engine that plays both sides.
pub(super) struct Player<'a> {
    engine: Engine,
    recipe: &'a Recipe,
    openings: &'a Openings,
    endgames: Openings,
}

impl<'a> Player<'a> {
    pub fn new(
        recipe: &'a Recipe,
        openings: &'a Openings,
        network: Option<&Arc<Network>>,
    ) -> Result<Self, StartError> {
        let engine = Engine::for_training(recipe.hash as usize, network)?;
        Ok(Self { engine, recipe, openings, endgames: Openings::endgames() })
    }

    /// Plays the game with this number. It depends on the number and the recipe alone.
    pub fn game(&mut self, number: u64) -> Result<Game, NoOpening> {
        // An odd factor far from that of the generator's own seeding keeps the games of
        // neighboring seeds apart.
        const SPREAD: u64 = 0xD134_2543_DE82_EF95;
        let seed = self.recipe.seed.wrapping_mul(SPREAD).wrapping_add(number);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let openings = match self.recipe.begins_with_endgame(number) {
            true => &self.endgames,
            false => self.openings,
        };
        // Once, not for each opening that is drawn: endgames are often one-sided, and to empty
        // the tables takes longer than a search of a thousand nodes.
        self.engine.new_game();
        for start in openings.draws(number, &mut random) {
            if let Some(game) = play(&mut self.engine, self.recipe, start) {
                return Ok(game);
            }
        }
        Err(NoOpening)
    }
}

/// Plays from `start`; nothing if the first score is too far from zero.
fn play(engine: &mut Engine, recipe: &Recipe, start: Position) -> Option<Game> {
    let mut position = start.clone();
    let mut plies = Vec::new();
    let mut streaks = Streaks::default();
    let outcome = loop {
        if let Some(outcome) = result(&position) {
            break outcome;
        }
        let answer = engine.search(&position, recipe.limits(position.in_check()));
        let mv = answer.mv.expect("invariant: the game is not over, so there is a move");
        let score = match position.side_to_move() {
            Color::White => answer.score.units(),
            Color::Black => -answer.score.units(),
        };
        if plies.is_empty() && score.abs() > i32::from(recipe.opening_score) {
            return None;
        }
        let decided = streaks.next(&recipe.adjudication, score, plies.len());
        let score = i16::try_from(score).expect("invariant: every score fits an i16");
        plies.push(Ply { mv, score });
        if let Some(outcome) = decided {
            break outcome;
        }
        position.make(mv);
    };
    Some(Game { start, plies, outcome })
}
