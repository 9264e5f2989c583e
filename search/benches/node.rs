//! Nodes a second with one thread over the positions of `tamarin bench`.
//!
//! `cargo bench -p tamarin-search -- [depth]`; prints the nodes of each position and, last,
//! the sum and the speed. With the default depth the sum is that of `tamarin bench`.

use std::time::Instant;

use tamarin_search::{Engine, Limits, SearchOptions, Silent};

#[allow(unused_imports, reason = "a bench has no harness to run the tests of that file")]
#[path = "../../engine/src/console/bench_positions.rs"]
mod bench_positions;

fn main() {
    let depth = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(15);
    let mut engine = Engine::new().expect("one thread and 16 MiB");
    let begin = Instant::now();
    let mut total = 0;
    for position in bench_positions::all() {
        let options = SearchOptions::default();
        let best = engine.search(&position, Limits::depth(depth), &options, Box::new(Silent));
        println!("{:>10} {:?} {:?} {position}", best.nodes, best.mv, best.score);
        total += best.nodes;
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{total} nodes {:.0} nps", total as f64 / seconds);
}
