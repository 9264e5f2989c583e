//! The arithmetic of a search: margins, move counts and depths of pruning and extensions, late-move
//! reductions, and by how much a node updates the histories. Pure functions of whole numbers; scores
//! and margins are in score units, depths in plies.

use crate::fnv::Fnv1a;
use crate::params::Params;
use crate::score::{Score, UNITS_PER_PAWN};
use crate::types::{Node, Window};

/// A value times a weight in 1/128, rounded down.
pub fn weighted(weight: i32, value: i32) -> i32 {
    (weight * value) >> 7
}

// Evaluation, pruning and extensions.

/// Optimism: what the score of the root adds to evaluations while all pieces are on the
/// board. Grows with the score, up to the parameter of that name.
#[inline]
pub fn optimism(params: &Params, score: Score) -> i32 {
    let score = score.clamp_to_evaluation().units();
    params.optimism() * score / (score.abs() + params.optimism_half())
}

/// What is left of optimism and contempt with `pieces` pieces on the board, kings and pawns
/// included: all of it with 32.
#[inline]
pub fn faded_optimism(params: &Params, full: i32, pieces: i32) -> i32 {
    const ALL_PIECES: i32 = 32;
    let fading = params.optimism_fading();
    full * (ALL_PIECES * (1024 - fading) + pieces * fading) / (ALL_PIECES * 1024)
}

/// The static evaluation after correction history (`correction` is in 1/128 units), the
/// fifty-move clock and optimism.
///
/// Known wins are left alone: the clock would take more off them each ply than driving the
/// bare king to the edge adds (V49).
#[inline]
pub fn corrected(
    params: &Params,
    raw: Score,
    correction: i32,
    halfmove_clock: u16,
    optimism: i32,
) -> Score {
    if raw.units().abs() >= Score::KNOWN_WIN.units() {
        return raw;
    }
    // A known draw is a draw for both sides.
    let optimism = if raw == Score::DRAW { 0 } else { optimism };
    let clock = i32::from(halfmove_clock.min(100));
    let length = params.fifty_move_fading();
    let faded = raw.units() * (length - clock) / length;
    Score::new(faded + correction_units(correction) + optimism).clamp_to_evaluation()
}

/// A correction in score units, from 1/128 units.
pub fn correction_units(correction: i32) -> i32 {
    correction / 128
}

/// The next beta of the root after a score below alpha.
#[inline]
pub fn aspiration_fail_low(params: &Params, window: Window) -> Score {
    let share = params.aspiration_fail_low();
    Score::new((window.alpha.units() * share + window.beta.units() * (1024 - share)) / 1024)
}

/// Razoring: how far below alpha the evaluation has to be.
pub fn razor(params: &Params, depth: i32) -> i32 {
    params.razor_base() + params.razor_factor() * depth * depth
}

/// Reverse futility pruning: how far above beta the evaluation has to be.
#[inline]
pub fn reverse_futility(params: &Params, depth: i32, improving: bool, correction: i32) -> i32 {
    params.reverse_futility_factor() * (depth - i32::from(improving)).max(0)
        + correction.abs() * params.reverse_futility_correction() / 1024
}

/// The score of a node that reverse futility pruning ends: between the evaluation and beta.
pub fn reverse_futility_score(params: &Params, eval: Score, beta: Score) -> Score {
    interpolated(eval, beta, params.reverse_futility_return())
}

/// Hindsight: plies to add to the depth of a node that its parent reduced by `reduction` (in
/// 1/1024 ply), if the static evaluations of both nodes, each for its own side to move, add up
/// to `change`.
#[inline]
pub fn hindsight(params: &Params, depth: i32, reduction: i32, change: i32) -> i32 {
    if reduction >= params.hindsight_extension() && change <= 0 {
        return 1;
    }
    let reduces = reduction >= params.hindsight_reduction()
        && depth >= 2
        && change > params.hindsight_margin();
    if reduces { -1 } else { 0 }
}

/// The score of a node of quiescence search whose best score, that of standing pat or of a
/// capture, is at least beta: between the two, unless that claims a win.
#[inline]
pub fn qsearch_fail_high(params: &Params, best: Score, beta: Score) -> Score {
    if best.is_decisive() {
        return best;
    }
    interpolated(best, beta, params.qsearch_return())
}

/// A score between two others; `share`, in 1/1024, is that of the second.
fn interpolated(first: Score, second: Score, share: i32) -> Score {
    Score::new((first.units() * (1024 - share) + second.units() * share) / 1024)
}

/// Null move: how far below beta the static evaluation may be; negative if it has to be above.
pub fn null_move(params: &Params, depth: i32) -> i32 {
    params.null_margin_factor() * depth - params.null_margin_base()
}

/// Null move: the reduction, the move itself included; `above` is how far the evaluation is
/// above beta.
#[inline]
pub fn null_move_reduction(params: &Params, depth: i32, above: i32) -> i32 {
    params.null_reduction()
        + depth / params.null_reduction_depth()
        + (above / params.null_reduction_eval()).min(params.null_reduction_eval_limit())
}

/// Null move: in how many plies below a verification none is tried, by the reduced depth.
pub fn null_verification_plies(params: &Params, depth: i32) -> usize {
    (params.null_verification_share() * depth.max(0) / 1024) as usize
}

/// ProbCut: how far above beta a capture has to score.
pub fn probcut(params: &Params, improving: bool) -> i32 {
    params.probcut_margin() - if improving { params.probcut_improving() } else { 0 }
}

/// Singular extension: the smallest depth.
pub fn singular_depth(params: &Params, tt_pv: bool) -> i32 {
    params.singular_depth() + if tt_pv { params.singular_depth_tt_pv() } else { 0 }
}

/// Singular extension: the depth of the search without the table's move.
pub fn singular_search_depth(params: &Params, depth: i32) -> i32 {
    (depth - 1) * params.singular_search_share() / 1024
}

/// Singular extension: how far below the table's score all other moves have to be.
#[inline]
pub fn singular(params: &Params, depth: i32, tt_pv: bool) -> i32 {
    let factor = if tt_pv { params.singular_factor_tt_pv() } else { params.singular_factor() };
    factor * depth / 64
}

/// Late-move pruning: how many moves are searched before quiet ones are left out.
#[inline]
pub fn late_move_count(params: &Params, depth: i32, improving: bool) -> u32 {
    let moves = (params.late_move_base() + params.late_move_factor() * depth * depth) as u32;
    if improving { moves / 64 } else { moves / 128 }
}

/// Futility pruning: how far below alpha the static evaluation has to be, by reduced depth.
pub fn futility(params: &Params, depth: i32) -> i32 {
    params.futility_base() + params.futility_factor() * depth
}

/// Futility pruning of captures: how far below alpha static evaluation and victim together
/// have to be, by reduced depth.
pub fn capture_futility(params: &Params, depth: i32) -> i32 {
    params.capture_futility_base() + params.capture_futility_factor() * depth
}

/// SEE pruning: what a quiet move may lose by static exchange, by reduced depth; negative.
pub fn quiet_see(params: &Params, depth: i32) -> i32 {
    -params.quiet_see_factor() * depth * depth
}

/// SEE pruning: what a capture may lose by static exchange, by depth and history; never
/// positive.
pub fn capture_see(params: &Params, depth: i32, history: i32) -> i32 {
    (-params.capture_see_factor() * depth - history / params.capture_see_history()).min(0)
}

// Histories.

/// The bonus of a move that was good at this depth.
pub fn bonus(params: &Params, depth: i32) -> i32 {
    (params.bonus_factor() * depth - params.bonus_offset()).clamp(0, params.bonus_limit())
}

/// The malus of a move that was tried before the good one, as a positive number.
pub fn malus(params: &Params, depth: i32) -> i32 {
    (params.malus_factor() * depth - params.malus_offset()).clamp(0, params.malus_limit())
}

/// The bonus of the move before a node at which all moves failed low.
pub fn parent_bonus(params: &Params, depth: i32) -> i32 {
    bonus(params, depth) * params.parent_bonus_share() / 1024
}

/// The malus of the move before a node that failed high, as a positive number.
pub fn parent_malus(params: &Params, depth: i32) -> i32 {
    malus(params, depth) * params.parent_malus_share() / 1024
}

/// The bonus of a move that made the evaluation better by `better` score units for its side.
#[inline]
pub fn evaluation_change(params: &Params, better: i32) -> i32 {
    let limit = params.evaluation_change_limit();
    (params.evaluation_change_factor() * better).clamp(-limit, limit)
}

/// The update of the correction history for a score that differs by `error` from the static
/// evaluation.
#[inline]
pub fn correction(params: &Params, error: i32, depth: i32) -> i32 {
    let limit = params.correction_update_limit();
    (error * depth / params.correction_divisor()).clamp(-limit, limit)
}

// Late-move reductions (LMR).

/// One ply in the fixed-point units of a reduction.
pub const PLY: i32 = 1024;

/// Natural logarithms of 0 (taken as 1) to 255, times 1024, rounded down.
///
/// Integers only, so that every machine searches the same tree.
const LN: [i32; 256] = {
    let mut table = [0; 256];
    let mut x = 1;
    while x < 256 {
        table[x] = ln(x as u64);
        x += 1;
    }
    table
};

/// ln(x) * 1024: the binary logarithm bit by bit, by repeated squaring, times ln 2.
const fn ln(x: u64) -> i32 {
    const FRACTION: u32 = 20;
    let whole = 63 - x.leading_zeros();
    // The mantissa in 1..2, with 31 fractional bits.
    let mut mantissa = (x as u128) << (31 - whole);
    let mut log2 = (whole as u64) << FRACTION;
    let mut bit = FRACTION;
    while bit > 0 {
        bit -= 1;
        mantissa = (mantissa * mantissa) >> 31;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            log2 |= 1 << bit;
        }
    }
    // ln 2 = 744_261_118 / 2^30.
    ((log2 as u128 * 744_261_118 * 1024) >> (FRACTION + 30)) as i32
}

/// ln(x) * 1024 for any `x`, those above 255 counting as 255.
#[inline]
const fn log(x: i32) -> i32 {
    LN[if x < 0 {
        0
    } else if x > 255 {
        255
    } else {
        x as usize
    }]
}

/// The reduction of the `count`-th move at `depth`, in 1/1024 ply, before any adjustment:
/// `base + ln(depth) * ln(count) / divisor`, both given in 1/1024.
const fn base_reduction(depth: i32, count: i32, base: i32, divisor: i32) -> i32 {
    base + log(depth) * log(count) / divisor
}

/// How many moves of a node are searched before late-move reductions set in.
#[inline]
pub fn full_moves<N: Node>(params: &Params) -> i32 {
    params.lmr_moves() + if N::ROOT { params.lmr_moves_root() } else { 0 }
}

/// What a move's reduction depends on.
#[derive(Clone, Copy, Debug)]
pub struct LateMove {
    /// The depth of the node, in plies.
    pub depth: i32,
    /// How many moves were tried, this one included.
    pub count: u32,
    /// Whether it captures or promotes.
    pub noisy: bool,
    /// Whether the side to move stands better than at its last move.
    pub improving: bool,
    /// The sum of its histories.
    pub history: i32,
}

/// The reduction by depth, count and history alone, in 1/1024 ply; may be negative.
#[inline]
pub fn late_move(params: &Params, late: &LateMove) -> i32 {
    let count = late.count as i32;
    let reduction = if late.noisy {
        base_reduction(
            late.depth,
            count,
            params.capture_reduction_base(),
            params.capture_reduction_divisor(),
        )
    } else {
        base_reduction(
            late.depth,
            count,
            params.quiet_reduction_base(),
            params.quiet_reduction_divisor(),
        )
    };
    let not_improving = if late.improving { 0 } else { params.reduction_not_improving() };
    reduction + not_improving - late.history * PLY / params.reduction_history()
}

/// By how many plies the moves after one that raised alpha are searched less deep.
#[inline]
pub fn alpha_raised(params: &Params, depth: i32) -> i32 {
    let applies = depth >= params.alpha_raised_min() && depth <= params.alpha_raised_max();
    if applies { params.alpha_raised_reduction() } else { 0 }
}

// Variety.

/// Where play varies, root moves whose scores differ by less than this are chosen from by chance, in
/// score units: 0.10 pawns.
pub const VARIETY: i32 = UNITS_PER_PAWN / 10;

/// What a root move gets on top of its score where play varies: less than [`VARIETY`], by the seed
/// (with the key of the position) and the move.
///
/// Source: CECP, where `random` adds a small random value to the evaluation.
pub fn variety(seed: u64, mv: u32) -> i32 {
    let mut hash = Fnv1a::default();
    hash.write(&seed.to_le_bytes());
    hash.write(&mv.to_le_bytes());
    let chance = (hash.finish() >> 32) as i32 & 0xFFFF;
    (chance * VARIETY) >> 16
}

/// Whether a score is one that variety leaves alone: a game that is known to be won or lost.
fn is_settled(score: Score) -> bool {
    score.units().abs() >= Score::KNOWN_WIN.units()
}

/// A score with the bonus of its root move.
#[inline]
pub fn with_variety(score: Score, bonus: i32) -> Score {
    if is_settled(score) { score } else { score + bonus }
}

/// The window in which the score of a root move is searched that then gets this bonus.
#[inline]
pub fn window_without_variety(window: Window, bonus: i32) -> Window {
    let lower = |score| if is_settled(score) { score } else { score - bonus };
    match is_settled(window.alpha) {
        true => window,
        false => Window { alpha: lower(window.alpha), beta: lower(window.beta) },
    }
}

#[cfg(test)]
mod tests;
