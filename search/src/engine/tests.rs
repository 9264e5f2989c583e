use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_base::params::Params;
use tamarin_base::{Clock, Millis};
use tamarin_eval::Score;
use tamarin_eval::network::{FEATURES, Parameters};

use super::*;
use crate::report::{Collector, Silent};
use crate::tt;
use long::long_or;

#[path = "../../../movegen/tests/long/mod.rs"]
mod long;

fn search(engine: &mut Engine, position: &Position, limits: Limits) -> Collector {
    let collector = Collector::new();
    engine.search(position, limits, &SearchOptions::default(), collector.observer());
    collector
}

/// Whatever bits are in the table, moves and lines are legal and nothing panics.
#[test]
fn a_table_of_random_bits_is_harmless() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut engine = Engine::new().unwrap();
    let mut position = Position::startpos();
    let (rounds, each, nodes) = long_or((2000, 10, None), (60, 4, Some(20_000)));
    for round in 0..rounds {
        if round % each == 0 {
            let mut table = TranspositionTable::new(1, 16).unwrap();
            table.corrupt(|| random.next_u64());
            engine.table = Arc::new(table);
        }
        let moves = position.legal_moves();
        if moves.is_empty() || position.is_fifty_move_draw() {
            position = Position::startpos();
            continue;
        }
        let limits = Limits { nodes, ..Limits::depth(8) };
        let collector = search(&mut engine, &position, limits);
        assert!(collector.notes().is_empty(), "{:?}", collector.notes());
        for report in collector.reports() {
            let mut line = position.clone();
            for &mv in &report.pv {
                assert!(line.is_legal(mv), "{:?} from {position:?}", report.pv);
                line.make(mv);
            }
        }
        let best = collector.best().unwrap();
        assert!(best.mv.is_some_and(|mv| moves.contains(&mv)));
        position.make(moves[random.next_u64() as usize % moves.len()]);
    }
}

#[test]
fn a_refused_table_leaves_the_old_one() {
    let mut engine = Engine::new().unwrap();
    engine.set_hash(2).unwrap();
    search(&mut engine, &Position::startpos(), Limits::nodes(50_000));
    let before = engine.table.permille_full();
    assert!(before > 0);
    for mib in [0, 33_554_432, usize::MAX] {
        assert!(engine.set_hash(mib).is_err());
        assert_eq!((engine.hash(), engine.table.permille_full()), (2, before));
    }
    engine.set_hash(3).unwrap();
    assert_eq!((engine.hash(), engine.table.permille_full()), (3, 0));
}

#[test]
fn nodes_can_be_the_clock_of_a_game() {
    let clock = Clock { left: Millis::new(1000), ..Clock::default() };
    let limits = || Limits { clocks: PerColor([Some(clock); 2]), ..Limits::default() };
    let options = SearchOptions { node_time: 20, ..SearchOptions::default() };
    let play = |engine: &mut Engine| {
        engine.new_game();
        let mut position = Position::startpos();
        let mut spent = Vec::new();
        for _ in 0..12 {
            let best = engine.search(&position, limits(), &options, Box::new(Silent));
            spent.push(best.nodes);
            position.make(best.mv.unwrap());
        }
        spent
    };
    let mut engine = Engine::new().unwrap();
    let first = play(&mut engine);
    let second = play(&mut engine);
    assert_eq!(first, second, "a game by nodes repeats itself");
    assert!(first.iter().sum::<u64>() < 20 * 1000);
    assert!(engine.node_clock.left().is_some_and(|left| left < 20 * 1000));
}

/// A network to which nothing counts but the side to move.
fn tempo() -> Arc<Network> {
    let (width, bias) = (32, 2_000);
    let parameters = Parameters {
        description: "tempo".to_owned(),
        feature_weights: vec![0; FEATURES * width],
        feature_biases: vec![0; width],
        output_weights: vec![0; 2 * width],
        output_biases: vec![bias],
    };
    Arc::new(Network::from_parameters(parameters).unwrap())
}

#[test]
fn an_evaluator_leaves_nothing_to_the_next() {
    let position = Position::startpos();
    let nodes_in = |engine: &mut Engine| {
        let collector = search(engine, &position, Limits::depth(9));
        collector.best().unwrap().nodes
    };
    let by_network = {
        let mut engine = Engine::new().unwrap();
        engine.set_network(Some(tempo())).unwrap();
        nodes_in(&mut engine)
    };
    let mut engine = Engine::new().unwrap();
    let by_terms = nodes_in(&mut engine);
    assert_ne!(by_terms, by_network);
    engine.set_network(Some(tempo())).unwrap();
    assert_eq!(nodes_in(&mut engine), by_network);
    engine.set_network(None).unwrap();
    assert_eq!(nodes_in(&mut engine), by_terms);
}

#[test]
fn a_search_of_some_moves_stores_no_score_of_the_position() {
    // White wins a queen, or not.
    let root = Position::from_fen("4k3/8/8/3q4/4P3/8/8/R3K3 w - - 0 1").unwrap();
    let mut engine = Engine::new().unwrap();
    let stored = |engine: &Engine| {
        let context = tt::score_context(0, &root);
        let hit: tt::TableEntry =
            engine.table.probe(tt::key(&root, &Params::default()), context)?;
        hit.result.map(|_| hit.best)
    };
    let some = vec![root.parse_san("e5").unwrap()];
    let best = search(&mut engine, &root, Limits { search_moves: some, ..Limits::depth(6) }).best();
    assert!(best.unwrap().score < Score::DRAW);
    assert_eq!(stored(&engine), None);
    let best = search(&mut engine, &root, Limits::depth(6)).best().unwrap();
    assert!(best.score > Score::DRAW && stored(&engine) == Some(best.mv));
}
