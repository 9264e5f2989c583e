//! Quiescence: captures and promotions only, until the position is quiet.

use tamarin_base::Bound;
use tamarin_variant::{Danger, Move};

use super::order::pick;
use super::worker::{Step, Window, Worker};
use crate::score::{MAX_PLY, WIN, is_decisive};
use crate::table::Entry;

/// In the first plies all moves out of check are tried if they are few; other checks count as quiet.
const EVASION_PLIES: usize = 2;
/// A capture has to bring the evaluation within so much of alpha, in centipawns.
const DELTA: i32 = 200;

/// Which moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Captures,
    Evasions,
}

impl Worker<'_> {
    /// The score of a position when its captures and promotions have been played out. In check all
    /// moves are tried in the first plies; `depth` counts the plies of captures so far.
    pub fn quiesce(&mut self, window: Window, ply: usize, depth: usize) -> Step<i32> {
        self.count_node(ply)?;
        self.stack[ply].pv.clear();
        if let Some(score) = self.rule_score(ply) {
            return Ok(score);
        }
        if ply >= MAX_PLY || depth >= self.shared.forcing.capture_plies {
            return Ok(self.evaluate(ply));
        }
        let key = self.position.key();
        let hit = self.shared.table.and_then(|table| table.probe(key, ply));
        if let Some(entry) = hit
            && window.beta - window.alpha == 1
            && decides(entry, window.beta)
        {
            return Ok(entry.score);
        }
        let in_check = self.stack[ply].in_check;
        if !in_check {
            let eval = self.evaluate_within(window, ply);
            self.stack[ply].eval = Some(eval);
            if eval >= window.beta {
                return Ok(eval);
            }
        }
        let evades = depth < EVASION_PLIES && self.is_forced(ply);
        let kind = if evades { Kind::Evasions } else { Kind::Captures };
        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        match kind {
            Kind::Evasions => self.pseudo_legal(&mut moves),
            Kind::Captures => self.pseudo_legal_on_board(&mut moves),
        }
        let danger = self.position.danger();
        let legal = moves.iter().any(|(_, m)| self.position.is_legal(*m, &danger));
        let found = if legal || (kind == Kind::Captures && self.can_drop(&danger)) {
            let best = hit.and_then(|entry| entry.best);
            Some(self.quiesce_moves(window, (ply, depth), kind, best, &mut moves)?)
        } else {
            None
        };
        self.stack[ply].moves = moves;
        let Some((score, best)) = found else { return Ok(self.no_move_score(ply)) };
        if let Some(table) = self.shared.table {
            let bound = match score {
                score if score >= window.beta => Bound::Lower,
                score if score > window.alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            table.store(key, ply, Entry { best, score, bound, depth: 0 });
        }
        Ok(score)
    }

    /// Tries some of the pseudo-legal moves. The best score, and the move that raised alpha to it.
    fn quiesce_moves(
        &mut self,
        Window { mut alpha, beta }: Window,
        (ply, depth): (usize, usize),
        kind: Kind,
        first: Option<Move>,
        moves: &mut Vec<(i32, Move)>,
    ) -> Step<(i32, Option<Move>)> {
        let stand_pat = match (kind, self.stack[ply].in_check) {
            (Kind::Evasions, _) => -WIN,
            (Kind::Captures, true) => self.evaluate(ply),
            (Kind::Captures, false) => self.stack[ply].eval.unwrap_or(-WIN),
        };
        let (mut best, mut best_move) = (stand_pat, None);
        if best >= beta {
            return Ok((best, best_move));
        }
        alpha = alpha.max(best);
        if kind == Kind::Captures {
            moves.retain(|&(_, m)| self.gain(m).is_some());
        }
        self.score_moves(ply, first, moves);
        let danger = self.position.danger();
        for i in 0..moves.len() {
            let (_, m) = pick(moves, i);
            let futile = kind == Kind::Captures && self.is_futile(m, stand_pat, alpha);
            if futile || !self.position.is_legal(m, &danger) {
                continue;
            }
            self.make(m, ply);
            let window = Window { alpha, beta }.turned();
            let score = self.quiesce(window, ply + 1, depth + 1).map(|score| -score);
            self.position.unmake();
            let score = score?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(m);
                    self.update_pv(m, ply);
                }
                if score >= beta {
                    break;
                }
            }
        }
        Ok((best, best_move))
    }

    /// Whether a capture cannot raise alpha, or loses material.
    fn is_futile(&self, m: Move, stand_pat: i32, alpha: i32) -> bool {
        let gain = self.gain(m).unwrap_or(0);
        let short = stand_pat + gain + DELTA <= alpha && !is_decisive(alpha);
        short || self.loses_material(m, gain)
    }

    /// Whether a drop is legal, in a position without other legal moves.
    fn can_drop(&mut self, danger: &Danger) -> bool {
        if !self.position.game().has_hands() {
            return false;
        }
        let side = self.position.side_to_move();
        self.position.pseudo_legal_moves_into(side, &mut self.scratch);
        self.scratch.iter().any(|&m| self.position.is_legal(m, danger))
    }

    /// The pseudo-legal moves without drops, not yet scored: drops capture nothing.
    fn pseudo_legal_on_board(&mut self, moves: &mut Vec<(i32, Move)>) {
        let side = self.position.side_to_move();
        self.position.pseudo_legal_board_moves_into(side, &mut self.scratch);
        moves.clear();
        moves.extend(self.scratch.iter().map(|&m| (0, m)));
    }

    /// The pseudo-legal moves, not yet scored.
    pub fn pseudo_legal(&mut self, moves: &mut Vec<(i32, Move)>) {
        let side = self.position.side_to_move();
        self.position.pseudo_legal_moves_into(side, &mut self.scratch);
        moves.clear();
        moves.extend(self.scratch.iter().map(|&m| (0, m)));
    }
}

/// Returns `true` if an entry decides that a score is at least beta, or below it.
pub(super) fn decides(entry: Entry, beta: i32) -> bool {
    if entry.score >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() }
}
