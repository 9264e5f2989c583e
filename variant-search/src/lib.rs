//! Playing the games that [`tamarin_variant`] knows the rules of: evaluators made from the rules
//! alone.
#![forbid(unsafe_code)]

pub mod evaluate;
