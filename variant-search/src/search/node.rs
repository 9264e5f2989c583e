//! A node of the principal variation search.

use tamarin_base::Bound;
use tamarin_variant::Move;

use super::history::bonus;
use super::order::{is_good_capture, pick};
use super::quiesce::decides;
use super::reduce::{Trend, futility, quiet_moves, reduction, reverse_futility};
use super::worker::{Step, Window, Worker};
use crate::score::{MAX_PLY, WIN, is_decisive};
use crate::table::Entry;

/// Shallow nodes skip what cannot matter, up to these depths.
const REVERSE_FUTILITY_DEPTH: i32 = 6;
const MOVE_COUNT_DEPTH: i32 = 4;
const NULL_MOVE_DEPTH: i32 = 3;
/// With fewer pieces besides the royal ones, passing might be the best move of all.
const NULL_MOVE_PIECES: usize = 3;
const REDUCED_FROM_DEPTH: i32 = 3;

/// What a node knows before it tries moves.
struct Facts {
    window: Window,
    depth: i32,
    ply: usize,
    /// Whether it is a check with few evasions.
    is_forced: bool,
    /// The evaluation; `None` in such a check.
    eval: Option<i32>,
}

/// The best move so far.
struct Found {
    score: i32,
    best: Option<Move>,
    alpha: i32,
}

/// What to do with a move.
enum Plan {
    Skip,
    /// Search with this reduction, in plies.
    Search(i32),
}

impl Worker<'_> {
    /// The score of the position within the window, searched to a depth in plies.
    pub(super) fn node(&mut self, window: Window, depth: i32, ply: usize) -> Step<i32> {
        if depth <= 0 && !self.is_full_width() {
            return self.quiesce(window, ply, 0);
        }
        self.count_node(ply)?;
        self.stack[ply].pv.clear();
        if ply > 0
            && let Some(score) = self.rule_score(ply)
        {
            return Ok(score);
        }
        if depth <= 0 || ply >= MAX_PLY {
            return Ok(self.leaf(ply));
        }
        // Mate distance pruning: no line from here is better than one found already.
        let limit = |score: i32| score.clamp(ply as i32 - WIN, WIN - ply as i32 - 1);
        let window = match ply {
            0 => window,
            _ => Window { alpha: limit(window.alpha), beta: limit(window.beta) },
        };
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let key = self.position.key();
        let hit = self.shared.table.and_then(|table| table.probe(key, ply));
        if let Some(entry) = hit
            && ply > 0
            && (entry.depth == depth || (entry.depth > depth && !self.is_full_width()))
            && window.is_zero()
            && decides(entry, window.beta)
        {
            return Ok(entry.score);
        }
        let is_forced = self.is_forced(ply);
        let eval = (!is_forced && !self.is_full_width()).then(|| self.evaluate_within(window, ply));
        self.stack[ply].eval = eval;
        let mut facts = Facts { window, depth, ply, is_forced, eval };
        if let Some(score) = self.prune(&facts)? {
            return Ok(score);
        }
        let best = match ply {
            0 => self.best.as_ref().and_then(|(_, pv)| pv.first().copied()),
            _ => hit.and_then(|entry| entry.best),
        };
        // Internal iterative reduction: without a move from the table, a shallower search finds one.
        if best.is_none() && depth >= 4 && ply > 0 && !self.is_full_width() {
            facts.depth -= 1;
        }
        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        let found = self.moves(&facts, best, &mut moves);
        self.stack[ply].moves = moves;
        let found = found?;
        self.keep(key, &facts, &found);
        Ok(found.score)
    }

    /// The evaluation, unless the game is over.
    fn leaf(&mut self, ply: usize) -> i32 {
        self.position.legal_moves_into(&mut self.scratch);
        if self.scratch.is_empty() { self.no_move_score(ply) } else { self.evaluate(ply) }
    }

    /// The score of a node that needs no search of its moves.
    fn prune(&mut self, facts: &Facts) -> Step<Option<i32>> {
        let &Facts { window: Window { beta, .. }, depth, ply, .. } = facts;
        let Some(eval) = facts.eval.filter(|_| facts.window.is_zero() && !is_decisive(beta)) else {
            return Ok(None);
        };
        if depth <= REVERSE_FUTILITY_DEPTH && eval - reverse_futility(depth) >= beta {
            return Ok(Some(eval));
        }
        let side = self.position.side_to_move();
        let pieces = self.position.side(side).minus(self.position.royals(side)).len();
        let passed = ply > 0 && self.stack[ply - 1].played.is_none();
        let may_pass = !self.stack[ply].in_check && !passed && pieces >= NULL_MOVE_PIECES;
        if depth >= NULL_MOVE_DEPTH && eval >= beta && may_pass {
            self.make_null(ply);
            let reduced = depth - 3 - depth / 4;
            let score = self.node(Window::zero(beta).turned(), reduced, ply + 1);
            self.position.unmake();
            let score = -score?;
            if score >= beta {
                return Ok(Some(if is_decisive(score) { beta } else { score }));
            }
        }
        Ok(None)
    }

    /// The moves to try, not yet scored: at the root those asked for, elsewhere the pseudo-legal ones.
    fn list_moves(&mut self, ply: usize, moves: &mut Vec<(i32, Move)>) {
        if ply == 0 {
            moves.clear();
            moves.extend(self.root_moves.iter().map(|&m| (0, m)));
        } else {
            self.pseudo_legal(moves);
        }
    }

    /// Tries the moves.
    fn moves(
        &mut self,
        facts: &Facts,
        best: Option<Move>,
        moves: &mut Vec<(i32, Move)>,
    ) -> Step<Found> {
        let &Facts { window, ply, .. } = facts;
        self.list_moves(ply, moves);
        let mut found = Found { score: -WIN, best: None, alpha: window.alpha };
        self.score_moves(ply, best, moves);
        self.stack[ply].quiets.clear();
        self.stack[ply + 1].killers = [None; 2];
        let danger = self.position.danger();
        let mut searched = 0;
        for i in 0..moves.len() {
            let (order, m) = pick(moves, i);
            // Most nodes need few moves, so that only those that are tried are looked at.
            if !self.position.is_legal(m, &danger) {
                continue;
            }
            let quiet = self.gain(m).is_none();
            let piece = self.piece_to(m);
            self.make(m, ply);
            let score = match self.plan(facts, order, quiet, searched) {
                Plan::Skip => None,
                Plan::Search(reduced) => Some(self.child(facts, found.alpha, reduced, searched)),
            };
            self.position.unmake();
            let Some(score) = score else { continue };
            let score = score?;
            self.expanded.0 += u64::from(searched == 0);
            self.expanded.1 += 1;
            searched += 1;
            if score > found.score {
                found.score = score;
                if score > found.alpha || (ply == 0 && searched == 1) {
                    found.alpha = found.alpha.max(score);
                    found.best = Some(m);
                    self.update_pv(m, ply);
                    if ply == 0 {
                        self.best = Some((score, self.stack[0].pv.clone()));
                    }
                }
                if score >= window.beta {
                    if quiet {
                        self.update_histories(facts, m);
                    }
                    break;
                }
            }
            if quiet && let Some(piece) = piece {
                self.stack[ply].quiets.push(piece);
            }
        }
        // The first legal move is always searched.
        if searched == 0 {
            found.score = self.no_move_score(ply);
        }
        Ok(found)
    }

    /// Whether to search the move that has just been played, and how much less deeply.
    fn plan(&mut self, facts: &Facts, order: i32, quiet: bool, searched: i32) -> Plan {
        let &Facts { window, depth, ply, is_forced, eval } = facts;
        if self.is_full_width() || searched == 0 {
            return Plan::Search(0);
        }
        if quiet && window.is_zero() && !is_forced && !is_decisive(window.alpha) {
            let late = depth <= MOVE_COUNT_DEPTH && searched >= quiet_moves(depth, self.trend(ply));
            let futile = depth <= MOVE_COUNT_DEPTH
                && eval.is_some_and(|eval| eval + futility(depth) <= window.alpha);
            if (late || futile) && !self.is_forced(ply + 1) {
                return Plan::Skip;
            }
        }
        if depth < REDUCED_FROM_DEPTH || searched < 2 || is_good_capture(order) {
            return Plan::Search(0);
        }
        let mut reduced = reduction(depth, searched);
        if !quiet || is_forced || self.is_forced(ply + 1) {
            reduced -= 1024;
        }
        if !window.is_zero() {
            reduced -= 1024;
        }
        if quiet {
            reduced -= order.clamp(-16_384, 16_384) / 16;
        }
        Plan::Search((reduced / 1024).clamp(0, depth - 2))
    }

    /// How the evaluation has changed since the side to move moved last; after a check that is not
    /// known, and counts as better.
    fn trend(&self, ply: usize) -> Trend {
        let before = ply.checked_sub(2).and_then(|ply| self.stack[ply].eval);
        match (self.stack[ply].eval, before) {
            (Some(now), Some(before)) if now <= before => Trend::Worsening,
            _ => Trend::Improving,
        }
    }

    /// The score of the move that has just been played: with a zero window and reduced first,
    /// unless it is the first move.
    fn child(&mut self, facts: &Facts, alpha: i32, reduced: i32, searched: i32) -> Step<i32> {
        let &Facts { window, depth, ply, .. } = facts;
        let extended =
            !self.is_full_width() && (ply as i32) < 2 * self.root_depth && self.is_forced(ply + 1);
        let depth = depth - 1 + i32::from(extended);
        let whole = Window { alpha, beta: window.beta }.turned();
        if searched == 0 {
            return Ok(-self.node(whole, depth, ply + 1)?);
        }
        let narrow = Window::zero(alpha + 1).turned();
        let mut score = -self.node(narrow, depth - reduced, ply + 1)?;
        if score > alpha && reduced > 0 {
            score = -self.node(narrow, depth, ply + 1)?;
        }
        if score > alpha && score < window.beta {
            score = -self.node(whole, depth, ply + 1)?;
        }
        Ok(score)
    }

    /// A quiet move has caused a cutoff: histories remember it, and what was tried before it.
    fn update_histories(&mut self, facts: &Facts, m: Move) {
        let &Facts { depth, ply, .. } = facts;
        let killers = &mut self.stack[ply].killers;
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let before = self.before(ply);
        self.histories.set_counter(before, m);
        let bonus = bonus(depth);
        if let Some(piece) = self.piece_to(m) {
            self.histories.update(piece, before, bonus);
        }
        let quiets = std::mem::take(&mut self.stack[ply].quiets);
        for &other in &quiets {
            self.histories.update(other, before, -bonus);
        }
        self.stack[ply].quiets = quiets;
    }

    fn keep(&self, key: u64, facts: &Facts, found: &Found) {
        let Some(table) = self.shared.table else { return };
        // What some root moves are worth says nothing about the position.
        if facts.ply == 0 && self.is_restricted {
            return;
        }
        let bound = match found.score {
            score if score >= facts.window.beta => Bound::Lower,
            score if score > facts.window.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let best = found.best.filter(|_| bound != Bound::Upper);
        table.store(key, facts.ply, Entry { best, score: found.score, bound, depth: facts.depth });
    }
}
