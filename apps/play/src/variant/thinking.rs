//! What the engine thinks in a game of a variant.

use tamarin_search::Millis;
use tamarin_variant::{Move, Position};
use tamarin_variant_search::{BestMove, Engine, Limits, Signals, Value};

use tamarin_game::level::Level;

/// How long a hint is thought about.
const HINT_TIME: Millis = Millis::new(1000);

/// The level where none is said.
pub const DEFAULT_LEVEL: Level = Level::Number(5);

/// The answer of a search of this position.
pub fn think(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
    signals: &Signals,
) -> BestMove {
    engine.search(position, limits, signals, |_| ())
}

/// A good move, its score and its line in words; `None` without a legal move.
pub fn hint(engine: &mut Engine, position: &Position) -> Option<String> {
    let limits = Limits { move_time: Some(HINT_TIME), ..Limits::default() };
    let best = think(engine, position, &limits, &Signals::default());
    let text = position.san(best.mv?);
    Some(format!("Hint: {text} ({}): {}", score(best.value), line(position, &best.pv)))
}

/// A score in units of the weakest piece, or moves to mate.
fn score(value: Value) -> String {
    match value {
        Value::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
        Value::Mate(moves @ ..0) => format!("mated in {}", -moves),
        Value::Mate(moves) => format!("mate in {moves}"),
    }
}

fn line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &m in moves {
        words.push(position.san(m));
        position.make(m);
    }
    words.join(" ")
}

/// The evaluation without a search, for White.
pub fn evaluation(engine: &Engine, position: &Position) -> String {
    let evaluator = engine.evaluator();
    let words = |centipawns| format!("{:+.2}", f64::from(centipawns) / 100.0);
    format!(
        "Evaluation for White: {} ({} without what depends on several pieces), by {}.",
        words(evaluator.evaluate(position)),
        words(evaluator.material(position)),
        evaluator
    )
}

#[cfg(test)]
mod tests {
    use super::{Value, score};

    #[test]
    fn a_hint_says_who_is_mated() {
        let scores = [Value::Mate(2), Value::Mate(-1)].map(score);
        assert_eq!(scores, ["mate in 2", "mated in 1"]);
    }
}
