//! The engine of the thesis and its orders of moves.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::common::{GAMES, game, random_game};
use tamarin_variant::{Color, Game, Move, Position};
use tamarin_variant_search::evaluate::Evaluator;
use tamarin_variant_search::thesis::{MoveOrder, Thesis};
use tamarin_variant_search::{BestMove, Limits, ScoreValue, Signals, score_value};

fn thesis(game: &Arc<Game>, order: MoveOrder) -> Thesis {
    Thesis::new(Arc::new(Evaluator::new(game, &"sme".parse().unwrap())), order)
}

fn search(engine: &mut Thesis, position: &Position, limits: &Limits) -> BestMove {
    engine.search(position, limits, &Signals::default())
}

fn sorted(order: MoveOrder, evaluator: &Evaluator, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut position = position.clone();
    position.pseudo_legal_moves_into(position.side_to_move(), &mut moves);
    let sum = evaluator.sum(&position);
    order.sort(evaluator, &mut position, sum, &mut moves);
    moves
}

/// The row of a move's origin from the end of the side that plays it.
fn relative_row(position: &Position, m: Move) -> u8 {
    let game = position.game();
    let row = m.from / game.columns();
    if position.side_to_move() == Color::White { row } else { game.rows() - 1 - row }
}

#[test]
fn long_move_orders_give_all_moves_in_their_order() {
    for name in GAMES {
        let game = game(name);
        let evaluator = Evaluator::new(&game, &"sme+imm".parse().unwrap());
        for position in random_game(&game, 5, 40).iter().step_by(3) {
            let base = sorted(MoveOrder::Base, &evaluator, position);
            let side = position.side_to_move();
            let values = |moves: &[Move], full: bool| -> Vec<i64> {
                let value = |&m: &Move| {
                    let mut after = position.clone();
                    after.make(m);
                    let sum = evaluator.sum(&after);
                    let value =
                        if full { evaluator.evaluate(&after, sum, &mut Vec::new()) } else { sum };
                    if side == Color::White { -value } else { value }
                };
                moves.iter().map(value).collect()
            };
            for order in MoveOrder::ALL {
                let moves = sorted(order, &evaluator, position);
                let (mut all, mut expected) = (moves.clone(), base.clone());
                all.sort_unstable();
                expected.sort_unstable();
                assert_eq!(all, expected, "{name} {order:?}");
                let rows = moves.iter().map(|&m| relative_row(position, m));
                let by_value = |full| values(&moves, full).into_iter().zip(rows.clone());
                let in_order = match order {
                    MoveOrder::Base | MoveOrder::Minimax => moves == base,
                    MoveOrder::Monotonous => by_value(true).is_sorted(),
                    MoveOrder::FasterMonotonous => by_value(false).is_sorted(),
                    MoveOrder::StrongestPiece => moves.is_sorted_by_key(|&m| {
                        let piece = position.piece_at(m.from).unwrap();
                        (Reverse(evaluator.values().mean(piece)), relative_row(position, m))
                    }),
                    MoveOrder::CapturesFirst => moves.is_sorted_by_key(|&m| {
                        (!position.is_capture(m), relative_row(position, m))
                    }),
                };
                assert!(in_order, "{name} {order:?} {}", position.fen());
            }
        }
    }
    assert_eq!("faster".parse(), Ok(MoveOrder::FasterMonotonous));
    assert!("fast".parse::<MoveOrder>().is_err());
}

/// Mate, stalemate and the loss of a king are distinguished by the moves that lose the king at
/// once.
#[test]
fn kings_are_captured_and_never_missed() {
    let game = game("fide");
    let mut engine = thesis(&game, MoveOrder::default());
    for (fen, depth, expected) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 3, ScoreValue::Mate(1)),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, ScoreValue::Mate(2)),
    ] {
        let position = Position::from_fen(&game, fen).unwrap();
        let answer = search(&mut engine, &position, &Limits::depth(depth));
        assert_eq!(answer.value, expected, "{fen}");
    }
}

/// The move of a mate may be the last one of the move limit, and so may a king's move into check.
#[test]
fn mate_comes_before_the_move_limit() {
    let game = game("fide");
    let mut engine = thesis(&game, MoveOrder::default());
    for clock in [98, 99] {
        let fen = format!("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - {clock} 80");
        let position = Position::from_fen(&game, &fen).unwrap();
        engine.new_game();
        let answer = search(&mut engine, &position, &Limits::depth(3));
        assert_eq!(answer.value, ScoreValue::Mate(1), "{fen}");
    }
}

/// The score of the same search without windows and without a table; `None` if the last move was
/// illegal.
fn minimax(evaluator: &Evaluator, position: &mut Position, depth: u32, ply: i32) -> Option<i32> {
    const WIN: i32 = 32_000;
    let side = position.side_to_move();
    if depth == 0 {
        let value = evaluator.evaluate(position, evaluator.sum(position), &mut Vec::new());
        let score = evaluator.centipawns(value);
        return Some(if side == Color::White { score } else { -score });
    }
    let mut moves = Vec::new();
    position.pseudo_legal_moves_into(side, &mut moves);
    let game = evaluator.game();
    for &m in &moves {
        let mut royal = false;
        position.for_each_captured(m, |_, piece| royal |= game.is_royal(piece.kind));
        if royal {
            return None;
        }
    }
    let mut best = None;
    for m in moves {
        position.make(m);
        let score = minimax(evaluator, position, depth - 1, ply + 1);
        position.unmake();
        best = best.max(score.map(|score| -score));
    }
    Some(best.unwrap_or_else(|| match position.outcome_without_moves().winner {
        None => 0,
        Some(winner) if winner == side => WIN - ply,
        Some(_) => ply - WIN,
    }))
}

/// Mates and stalemates are seen at all nodes, whatever the window is.
#[test]
fn the_search_is_minimax() {
    let game = game("fide");
    let evaluator = Evaluator::new(&game, &"sme".parse().unwrap());
    let mut engines = MoveOrder::ALL.map(|order| thesis(&game, order));
    for fen in [
        // After Kh8 White stalemates or loses the pawn; after Kf8 it gets a queen.
        "6k1/7P/6K1/8/8/8/8/8 b - - 0 1",
        "1k6/P7/1K6/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/6k1/7p/6K1 w - - 0 1",
        "k7/P7/8/1K6/8/8/8/8 w - - 0 1",
        "k7/8/1P6/2K5/8/8/7p/8 w - - 0 1",
    ] {
        for depth in [4, 5] {
            let mut position = Position::from_fen(&game, fen).unwrap();
            let expected = minimax(&evaluator, &mut position, depth, 0).unwrap();
            let mut nodes = Vec::new();
            for (engine, order) in engines.iter_mut().zip(MoveOrder::ALL) {
                engine.new_game();
                let answer = search(engine, &position, &Limits::depth(depth));
                assert_eq!(answer.value, score_value(expected), "{fen} {depth} {order:?}");
                nodes.push(answer.nodes);
            }
            let without_cuts = nodes.pop().unwrap();
            assert!(nodes.iter().all(|&nodes| nodes < without_cuts), "{nodes:?} {without_cuts}");
        }
    }
}
