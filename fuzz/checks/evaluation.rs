//! Any bytes as a learned evaluator: never a panic, and what is read is written and read again as the
//! same, and evaluates and searches.

use std::sync::{Arc, OnceLock};

use tamarin_variant::{Game, Position, load};
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::{Engine, Limits, Options, Signals};

/// A small game with flags, a hand and promotion, so that an evaluator has all kinds of terms.
const RULES: &str = "@royal k\n@hand\nk W1F1 +unmoved\nr W drop\np fmW1fcF1 promotion t[ROW = 4] \
    -> r drop\n\nr k .\np . p\n. . .\nP . P\n. K R\n";

fn game() -> &'static Arc<Game> {
    static GAME: OnceLock<Arc<Game>> = OnceLock::new();
    GAME.get_or_init(|| load(RULES, None).expect("these rules are a game").game)
}

pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let learned = match Learned::parse(game(), &text) {
        Ok(learned) => learned,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let again = Learned::parse(game(), &learned.text()).expect("own text");
    assert_eq!(again.text(), learned.text());
    let hands = format!("1k1/3/3/3/1K1[{}{}p] w", "R".repeat(255), "P".repeat(255));
    let full = Position::from_fen(game(), &hands).expect("a position of these rules");
    for mut position in [Position::start(game()), full] {
        for _ in 0..8 {
            assert_eq!(again.evaluate(&position), learned.evaluate(&position));
            assert_eq!(again.breakdown(&position), learned.breakdown(&position));
            let Some(&mv) = position.legal_moves().last() else { break };
            position.make(mv);
        }
    }
    let options = Options { hash_mib: 0, ..Options::default() };
    let engine = Engine::with_evaluator(Arc::new(learned).into(), &options);
    let mut engine = engine.expect("no memory is needed");
    let start = Position::start(game());
    let answer = engine.search(&start, &Limits::nodes(60), &Signals::default(), |_| ());
    assert!(answer.mv.is_some());
}
