use tamarin_eval::Evaluator;
use tamarin_movegen::Position;

use super::*;
use crate::limits::Limits;
use crate::options::SearchOptions;
use crate::threads::data::ThreadData;
use crate::threads::shared::SharedState;
use crate::tt;

/// The table says that the side to move is mated if the other one passes: that it would be so after
/// a move too is not proven by it.
#[test]
fn a_mate_after_passing_proves_no_mate() {
    let shared = SharedState::of_startpos(Limits::default(), SearchOptions::default(), 1);
    let (position, params, depth) = (Position::startpos(), &shared.request.params, 10);
    let mut passed = position.clone();
    passed.make_null();
    let mated = TableEntry {
        result: Some((Score::mated_in(5), Bound::Exact)),
        evaluation: Some(Score::DRAW),
        best: None,
        depth: 2 * depth,
        principal: false,
    };
    shared.request.table.store(tt::key(&passed, params), 1, &mated, params);
    let beta = Evaluator::new().evaluate(&position, 0) - 20;
    let mut data = ThreadData::of_thread(0);
    let mut worker = Worker::new(&shared, &mut data, None);
    worker.root_depth = depth;
    // After a null move none is tried.
    worker.stack.before_mut(0, 1).current_move = position.legal_moves().first().copied();
    let window = Window::zero_below(beta);
    let score = worker.search::<NonPv>(window, depth, Expected::CutNode);
    assert!(score.is_ok_and(|score| score == beta), "neither a mate nor the score of a move");
    assert!(worker.nodes < 10, "the pass alone decides");
}
