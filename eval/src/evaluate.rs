//! The evaluation from beginning to end: the order of its parts.

use tamarin_base::Score;
use tamarin_movegen::{Bitboard, Board, Color, PerColor, PieceKind, Position};

use crate::eval_cache::EvalCache;
use crate::params::{LAZY_MARGIN, game_phase};
use crate::pawn_table;
use crate::perspective::{Attacks, Perspective};
use crate::score_sum::ScoreSum;
use crate::sink::TermSink;
use crate::tapered::{S, taper};
use crate::terms::imbalance::{self, Counts};
use crate::terms::{
    complexity, king_danger, king_shelter, material, mobility, passed, pieces, psqt, space, threats,
};
use crate::trace::Trace;
use crate::{endgame, scale, white_view};

/// What `position` is worth to the side to move, in engine units: less than
/// [`Score::KNOWN_WIN`] for either side but in known endgames.
///
/// The result depends on the placement of the pieces, the side to move and the castling
/// rights: not on the clocks, not on repetitions, not on what `cache` holds.
/// Meaningless in check, where the side to move may have no choice: debug builds panic.
pub fn evaluate(position: &Position, cache: &mut EvalCache) -> Score {
    debug_assert!(!position.in_check(), "no evaluation in check");
    let board = position.board();
    if let Some(known) = endgame::known(board) {
        return known;
    }
    let mut sides = Perspective::of_both(board);
    let pawns = cache.pawns.probe(position, &sides);
    let imbalance = cache.material.imbalance(&sides);
    let mut sums = PerColor([ScoreSum::default(); 2]);
    for color in Color::ALL {
        psqt::pieces(&sides[color], &mut sums[color]);
    }
    let total = |sums: &PerColor<ScoreSum>| {
        pawns.score + imbalance + sums[Color::White].total() - sums[Color::Black].total()
    };
    let mut score = taper_and_scale(board, total(&sums));
    if score.abs() < LAZY_MARGIN {
        evaluate_terms(&mut sides, &pawns.passed, &mut sums);
        let mut complexity = ScoreSum::default();
        complexity::complexity(&sides[Color::White], &pawns.passed, &mut complexity);
        score = taper_and_scale(board, complexity::applied(total(&sums), complexity.total()));
    }
    white_view(Score::estimate(score), position.side_to_move())
}

/// Counts all terms but the piece squares and what the pawn hash table holds. The order
/// matters: mobility collects the attacks that the other terms read.
#[inline]
fn evaluate_terms<T: TermSink>(
    sides: &mut PerColor<Perspective>,
    passed: &PerColor<Bitboard>,
    sinks: &mut PerColor<T>,
) {
    for color in Color::ALL {
        mobility::mobility(&mut sides[color], &mut sinks[color]);
    }
    for color in Color::ALL {
        let them = sides[!color].attacks.flipped();
        evaluate_side(&sides[color], &them, passed[color], &mut sinks[color]);
    }
}

/// Counts the terms of one side that read the attacks of both. `passed` are its passed pawns.
#[inline]
fn evaluate_side<T: TermSink>(us: &Perspective, them: &Attacks, passed: Bitboard, sink: &mut T) {
    material::material(us, sink);
    king_shelter::castling_rights(us, sink);
    pieces::minors(us, sink);
    passed::pieces(us, them, passed, sink);
    passed::unstoppable(us, passed, sink);
    king_danger::king_danger(us, them, sink);
    threats::threats(us, them, sink);
    space::space(us, them, sink);
}

/// Interpolates between the phases and scales drawish endgames; `score` and result are from
/// White's point of view.
pub(crate) fn taper_and_scale(board: &Board, score: S) -> i32 {
    taper(score, phase(board), scale::factor(board, stronger(score)))
}

/// The side that the endgame score favors.
pub(crate) const fn stronger(score: S) -> Color {
    if score.endgame() >= 0 { Color::White } else { Color::Black }
}

/// The game phase: 24 with all pieces on the board, 0 with kings and pawns only.
pub(crate) fn phase(board: &Board) -> i32 {
    let count = |kind| board.pieces(kind).len() as i32;
    let phase = game_phase::MINOR * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + game_phase::ROOK * count(PieceKind::Rook)
        + game_phase::QUEEN * count(PieceKind::Queen);
    phase.min(game_phase::FULL)
}

/// How often each weight counts for both sides: all terms, without lazy evaluation and
/// without the hash tables. The complexity of the board is in White's trace.
pub(crate) fn trace(board: &Board) -> PerColor<Trace> {
    let mut sides = Perspective::of_both(board);
    let mut traces = PerColor([Trace::new(), Trace::new()]);
    let passed = PerColor(Color::ALL.map(|color| passed::find(&sides[color])));
    let counts = PerColor(Color::ALL.map(|color| Counts::new(&sides[color])));
    for color in Color::ALL {
        let (us, trace) = (&sides[color], &mut traces[color]);
        psqt::pieces(us, trace);
        pawn_table::pawns_and_kings(us, passed[color], trace);
        imbalance::imbalance(&counts[color], &counts[!color], trace);
    }
    evaluate_terms(&mut sides, &passed, &mut traces);
    complexity::complexity(&sides[Color::White], &passed, &mut traces[Color::White]);
    traces
}
