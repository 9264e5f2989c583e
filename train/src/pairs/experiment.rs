//! What decides how the sides of each pair differ.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The two sides of a pair, which differ in some parameters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sides {
    /// The number of the pair, from 0.
    pub pair: u64,
    /// What is tried, each up or down: `1.0` or `-1.0`.
    pub directions: Vec<f64>,
    /// The values of the side that goes in these directions, in the order of the parameters.
    pub plus: Vec<i32>,
    /// The values of the other side.
    pub minus: Vec<i32>,
}

/// What decides how the sides of each pair differ, and learns from the results.
pub(crate) trait Experiment: Clone + Send + Serialize + DeserializeOwned {
    /// The parameters in which the sides may differ.
    fn names(&self) -> Vec<String>;
    fn pairs(&self) -> u64;
    /// Pairs that have been played.
    fn played(&self) -> u64;
    /// Decides all random numbers.
    fn seed(&self) -> u64;
    fn sides(&self, pair: u64, random: &mut Xoshiro256PlusPlus) -> Sides;
    /// Learns from a pair: `lead` is what the plus side scored more than the minus side, from
    /// -2 to 2 points.
    fn learn(&mut self, sides: &Sides, lead: f64);
    /// Whether the other one began like this one.
    fn began_like(&self, other: &Self) -> bool;
}

pub(crate) fn random_of(seed: u64, pair: u64) -> Xoshiro256PlusPlus {
    const SPREAD: u64 = 0xD134_2543_DE82_EF95;
    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(SPREAD).wrapping_add(pair))
}
