use std::sync::Arc;

use tamarin_base::Wait;

use super::*;
use crate::limits::Limits;
use crate::options::SearchOptions;

/// Two threads search; the given one looks at the limits.
fn stops(shared: &SharedState, thread: usize) -> bool {
    Worker::new(shared, &mut ThreadData::of_thread(thread), None).publish_nodes();
    shared.signals.stopped()
}

#[test]
fn any_thread_ends_the_search_when_the_time_is_used_up() {
    for thread in [0, 1] {
        let limits = Limits { move_time: Some(Millis::new(1)), ..Limits::default() };
        let shared = SharedState::of_startpos(limits, SearchOptions::default(), 2);
        let hard = shared.time.hard.unwrap();
        while shared.signals.elapsed() < hard {
            std::hint::spin_loop();
        }
        assert!(stops(&shared, thread), "thread {thread}");
    }
}

#[test]
fn the_main_thread_alone_ends_the_search_by_nodes() {
    let by_node_time = SearchOptions { node_time: 1, ..SearchOptions::default() };
    let an_hour = Millis::new(3_600_000);
    let by_nodes = (Limits::nodes(3_600_000), SearchOptions::default());
    let by_node_time = (Limits { move_time: Some(an_hour), ..Limits::default() }, by_node_time);
    for (limits, options) in [by_nodes, by_node_time] {
        for (thread, nodes, expected) in
            [(0, 3_000_000, false), (0, 3_600_000, true), (1, 3_600_000, false)]
        {
            let shared = SharedState::of_startpos(limits.clone(), options.clone(), 2);
            shared.node_counter(1 - thread).publish(nodes, 0);
            assert_eq!(stops(&shared, thread), expected, "thread {thread}, {nodes} nodes");
        }
    }
}

/// With a node time a pondering search may go on for so many nodes after the ponder hit, whenever
/// that was by the clock of the system.
#[test]
fn the_nodes_of_a_move_count_from_the_ponder_hit() {
    let an_hour = Millis::new(3_600_000);
    for hit_at in [Millis::new(5), Millis::new(9_000_000)] {
        let limits = Limits { move_time: Some(an_hour), wait: Wait::Ponder, ..Limits::default() };
        let options = SearchOptions { node_time: 1, ..SearchOptions::default() };
        let mut shared = SharedState::of_startpos(limits, options, 2);
        shared.signals = Arc::new(Signals::with_time(Wait::Ponder, move || hit_at));
        let stops_at = |nodes| {
            shared.node_counter(1).publish(nodes, 0);
            stops(&shared, 0)
        };
        assert!(!stops_at(7_000_000), "pondering");
        assert_eq!(shared.clock_nodes(), None);
        shared.signals.ponder_hit();
        assert!(!stops_at(7_000_000) && !stops_at(10_000_000), "{hit_at}");
        assert!(stops_at(10_600_000), "{hit_at}");
        assert_eq!(shared.clock_nodes(), Some(3_600_000));
    }
}

#[test]
fn the_score_of_a_draw_changes_with_the_nodes() {
    let shared = SharedState::of_startpos(Limits::default(), SearchOptions::default(), 1);
    let mut data = ThreadData::of_thread(0);
    let mut worker = Worker::new(&shared, &mut data, None);
    let mut scores = [0, 1, 2, 3].map(|nodes| {
        worker.nodes = nodes;
        worker.draw_score().units()
    });
    scores.sort_unstable();
    let noise = worker.params.draw_noise();
    assert!(noise > 0);
    assert_eq!(scores, [-noise, -noise, noise, noise]);
}
