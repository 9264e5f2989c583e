//! The root moves and what is known of each.

use core::cmp::Reverse;

use tamarin_base::params::Params;
use tamarin_base::types::MAX_PLY;
use tamarin_base::{Bound, formula};
use tamarin_eval::Score;
use tamarin_movegen::Move;

use crate::tablebases::{RootRank, RootRanking};

/// A move of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its last score; `None` if it never had one.
    pub score: Option<Score>,
    /// Whether the score is of the search that runs: moves that were not better than the
    /// best keep an older one.
    pub is_current: bool,
    /// The bound that the score is.
    pub bound: Bound,
    /// A running mean of its scores, the middle of the next aspiration window.
    pub average: Option<Score>,
    /// The deepest ply reached below it.
    pub selective_depth: usize,
    /// Nodes spent on it in the first line of all iterations.
    pub nodes: u64,
    /// What the score has on top where play varies, in score units.
    bonus: i32,
    /// What the tablebases say of it; `None` if they do not know the root.
    pub tablebase: Option<RootRank>,
    /// The line from the root on; its first move is `mv`. Behind a pointer: the moves of the root
    /// are looked through for each that was searched.
    pub line: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            score: None,
            is_current: false,
            bound: Bound::Exact,
            average: None,
            selective_depth: 0,
            nodes: 0,
            bonus: 0,
            tablebase: None,
            line: vec![mv],
        }
    }

    /// Takes the result of a search that was the best so far; `weight` is that of the old mean
    /// of scores beside the new one.
    fn update(&mut self, result: &RootResult<'_>, weight: i32) {
        let score = result.score;
        let mean = |old: Score| Score::new((old.units() * weight + score.units()) / (weight + 1));
        self.average = Some(self.average.map_or(score, mean));
        self.score = Some(score);
        self.is_current = true;
        self.bound = result.bound;
        self.selective_depth = result.selective_depth;
        self.line.truncate(1);
        self.line.extend(result.answers.iter().take(MAX_PLY - 1));
    }

    /// Moves of a greater rank come before all others.
    fn rank(&self) -> i32 {
        self.tablebase.map_or(0, |tablebase| tablebase.rank)
    }

    /// Returns `true` if the search or the tablebases have scored it.
    pub const fn has_score(&self) -> bool {
        self.score.is_some() || self.tablebase.is_some()
    }

    /// The score to show, without the bonus, and the bound that it is: that of the tablebases, unless
    /// the search found a mate.
    pub fn shown(&self) -> (Score, Bound) {
        let score = formula::with_variety(self.score.unwrap_or(Score::DRAW), -self.bonus);
        match self.tablebase {
            Some(tablebase) if !score.is_mate() => (tablebase.score, Bound::Exact),
            _ => (score, self.bound),
        }
    }
}

/// What the search of a root move found, if it is the first of its line or raised alpha.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootResult<'a> {
    pub score: Score,
    pub bound: Bound,
    /// The deepest ply reached.
    pub selective_depth: usize,
    /// The best line after the move.
    pub answers: &'a [Move],
}

/// All the root moves a search may choose from, best first.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    /// The line being searched, from 0: those before it are finished for this iteration.
    line: usize,
    /// Whether moves were left out that may be better than those there are, or have a bonus.
    is_restricted: bool,
}

impl RootMoves {
    /// The `wanted` ones of the legal moves, or all if none of the wanted is legal.
    pub fn new(legal: &[Move], wanted: &[Move]) -> Self {
        let moves = legal.iter().map(|&mv| RootMove::new(mv)).collect();
        let mut root = Self { moves, line: 0, is_restricted: false };
        if legal.iter().any(|mv| wanted.contains(mv)) {
            root.keep(wanted);
        }
        root
    }

    /// Leaves out all moves but these.
    pub fn keep(&mut self, wanted: &[Move]) {
        let before = self.moves.len();
        self.moves.retain(|root_move| wanted.contains(&root_move.mv));
        self.is_restricted |= self.moves.len() < before;
    }

    /// Gives each move the bonus that the seed has for it.
    pub fn vary(&mut self, seed: u64) {
        for root_move in &mut self.moves {
            root_move.bonus = formula::variety(seed, root_move.mv.bits().into());
        }
        self.is_restricted = true;
    }

    /// The bonus of a move.
    pub fn bonus(&self, mv: Move) -> i32 {
        let root_move = self.moves.iter().find(|root_move| root_move.mv == mv);
        root_move.map_or(0, |root_move| root_move.bonus)
    }

    /// Ranks the moves by the tablebases and keeps the best ones: all those of the best rank,
    /// and others until there are `lines` of them.
    pub fn keep_best_ranked(&mut self, ranking: &RootRanking, lines: usize) {
        for root_move in &mut self.moves {
            root_move.tablebase = ranking.rank(root_move.mv);
        }
        self.moves.sort_by_key(|root_move| Reverse(root_move.rank()));
        let last = lines.clamp(1, self.moves.len().max(1)) - 1;
        if let Some(least) = self.moves.get(last).map(RootMove::rank) {
            self.moves.retain(|root_move| root_move.rank() >= least);
        }
    }

    /// The moves, best first.
    pub fn all(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move; `None` if the root has none.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The share of the nodes of the first line that went into the best move, in 1/1024.
    pub fn effort(&self) -> u64 {
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        self.best().map_or(0, |best| best.nodes * 1024 / all.max(1))
    }

    /// The best move of the line being searched.
    pub fn line_best(&self) -> Option<&RootMove> {
        self.moves.get(self.line)
    }

    /// The search of the `line`-th best line begins, counted from 0.
    pub fn begin_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Keeps what the search of a move of the current line cost and, if it is the best so far,
    /// found.
    pub fn update(
        &mut self,
        mv: Move,
        nodes: u64,
        result: Option<&RootResult<'_>>,
        params: &Params,
    ) {
        let mut moves = self.moves.iter_mut().skip(self.line);
        let Some(root_move) = moves.find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += if self.line == 0 { nodes } else { 0 };
        if let Some(result) = result {
            root_move.update(result, params.root_average_weight());
        }
    }

    /// Returns `true` if the current line may start with `mv`. A line of a lesser rank comes only
    /// after all moves of the greater ones.
    pub fn allows(&self, mv: Move) -> bool {
        let rank = self.line_best().map_or(0, RootMove::rank);
        let mut moves = self.moves.iter().skip(self.line);
        moves.any(|root_move| root_move.mv == mv && root_move.rank() == rank)
    }

    /// The line being searched, from 0.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Whether better moves may have been left out (`searchmoves`, limited strength), or have a
    /// bonus: the best score is not that of the position.
    pub fn is_restricted(&self) -> bool {
        self.is_restricted
    }

    /// A search of the current line begins, with another aspiration window.
    pub fn begin_window(&mut self) {
        for root_move in self.moves.iter_mut().skip(self.line) {
            root_move.is_current = false;
        }
    }

    /// Sorts the moves of the current line: those with a score of this search first, by score,
    /// the others as they were.
    pub fn sort_line(&mut self) {
        let score = |root_move: &RootMove| root_move.score.filter(|_| root_move.is_current);
        // `None` is less than any score, and the sort is stable.
        self.moves[self.line..]
            .sort_by_key(|root_move| Reverse((root_move.rank(), score(root_move))));
    }

    /// Sorts the finished lines of this iteration, the current one included, by score.
    pub fn sort_finished(&mut self) {
        let finished = self.moves.len().min(self.line + 1);
        self.moves[..finished]
            .sort_by_key(|root_move| Reverse((root_move.rank(), root_move.score)));
    }

    /// Gives the first move an exact score.
    pub fn set_best_score(&mut self, score: Score) {
        if let Some(first) = self.moves.first_mut() {
            first.score = Some(score);
            first.bound = Bound::Exact;
        }
    }

    /// Puts the best lines of the last iteration back to the front.
    pub fn restore(&mut self, lines: Vec<RootMove>) {
        self.moves.retain(|root_move| lines.iter().all(|line| line.mv != root_move.mv));
        self.moves.splice(..0, lines);
    }
}

#[cfg(test)]
mod tests {
    use tamarin_movegen::Position;

    use super::*;

    #[test]
    fn score_and_bound_are_both_of_the_tablebases_or_both_of_the_search() {
        let moves = Position::startpos().legal_moves();
        let rank = RootRank { rank: 1000, score: Score::TABLEBASE_WIN };
        let (mate, advantage) = (Score::mate_in(9), Score::new(90));
        for (tablebase, score, expected) in [
            (None, mate, (mate, Bound::Lower)),
            (None, advantage, (advantage, Bound::Lower)),
            (Some(rank), mate, (mate, Bound::Lower)),
            (Some(rank), advantage, (Score::TABLEBASE_WIN, Bound::Exact)),
        ] {
            let mut root_move = RootMove::new(moves[0]);
            (root_move.score, root_move.bound) = (Some(score), Bound::Lower);
            root_move.tablebase = tablebase;
            assert_eq!(root_move.shown(), expected, "{tablebase:?}");
        }
    }
}
