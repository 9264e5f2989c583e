//! Root moves ranked by the tables.

use shakmaty_syzygy::Wdl;
use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_movegen::{Move, Position};

use super::Tablebases;
use crate::options::TablebaseOptions;

/// The rank of a certain win: more than any DTZ and clock together.
const WIN: i32 = 1 << 18;

/// Ranks from here up are wins by the fifty-move rule too.
const WIN_BOUND: i32 = WIN - 100;

/// What the tables say of a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RootRank {
    /// Greater is better; moves that are equally good for certain have the same.
    pub rank: i32,
    /// The score to show.
    pub score: Score,
}

/// Which tables the ranks are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RankedBy {
    /// Distance to zeroing: following the ranks wins.
    Dtz,
    /// Win, draw or loss: the search has to find how.
    Wdl,
}

/// The ranks of all moves of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootRanking {
    ranks: Vec<(Move, RootRank)>,
    by: RankedBy,
}

impl RootRanking {
    /// Ranks the moves of a position, by WDL where the DTZ tables are missing; `None` if the
    /// tables do not know all of them.
    pub fn new(
        tables: &Tablebases,
        position: &Position,
        moves: &[Move],
        options: &TablebaseOptions,
    ) -> Option<Self> {
        let pieces = position.occupied().len();
        if moves.is_empty()
            || pieces > tables.pieces().min(options.probe_limit)
            || position.castling().any()
        {
            return None;
        }
        let ranking = |by| {
            let judge = Judge { tables, root: position, options, by };
            let ranks = moves.iter().map(|&mv| Some((mv, judge.rank(mv)?)));
            Some(Self { ranks: ranks.collect::<Option<_>>()?, by })
        };
        ranking(RankedBy::Dtz).or_else(|| ranking(RankedBy::Wdl))
    }

    /// What the tables say of a move.
    pub fn rank(&self, mv: Move) -> Option<RootRank> {
        self.ranks.iter().find(|(ranked, _)| *ranked == mv).map(|&(_, rank)| rank)
    }

    /// How many probes were answered.
    pub fn hits(&self) -> u64 {
        self.ranks.len() as u64
    }

    /// Returns `true` if the search may do without further probes: the ranks tell how to win, or
    /// there is nothing to win.
    pub fn suffices(&self) -> bool {
        let best = self.ranks.iter().map(|(_, rank)| rank.score).max();
        self.by == RankedBy::Dtz || best.is_some_and(|score| score <= Score::DRAW)
    }
}

struct Judge<'a> {
    tables: &'a Tablebases,
    root: &'a Position,
    options: &'a TablebaseOptions,
    by: RankedBy,
}

impl Judge<'_> {
    fn rank(&self, mv: Move) -> Option<RootRank> {
        let mut position = self.root.clone();
        position.make(mv);
        let by_clock = self.options.fifty_move_rule && position.is_fifty_move_draw();
        let drawn = position.is_repetition(1) || by_clock;
        match self.by {
            _ if drawn => Some(self.by_dtz(0, 0)),
            RankedBy::Dtz => {
                // A capture or pawn move sets the clock back, whatever it showed.
                let is_zeroing = position.halfmove_clock() == 0;
                let clock = if is_zeroing { 0 } else { self.root.halfmove_clock() };
                let dtz = self.tables.dtz_of_move(&position)?;
                Some(self.by_dtz(dtz, clock.into()))
            }
            RankedBy::Wdl => self.tables.wdl(&position).map(|wdl| self.by_wdl(-wdl)),
        }
    }

    /// Certain wins rank equally, so that the search may choose among them. Once a position
    /// has come twice, or the fifty-move rule is near, only the least DTZ makes sure of
    /// progress. Losing moves rank equally unless the fifty-move rule may save the game.
    ///
    /// Source: `root_probe` of Stockfish 11.
    fn by_dtz(&self, dtz: i32, clock: i32) -> RootRank {
        let plies = dtz.abs() + clock;
        let rank = match dtz {
            1.. if plies <= 99 && !self.root.has_repeated() => WIN,
            1.. => WIN - plies,
            0 => 0,
            _ if plies + dtz.abs() < 100 => -WIN,
            _ => plies - WIN,
        };
        RootRank { rank, score: self.score(rank) }
    }

    fn by_wdl(&self, wdl: Wdl) -> RootRank {
        let rank = match (wdl, self.options.fifty_move_rule) {
            (Wdl::Win, _) | (Wdl::CursedWin, false) => WIN,
            (Wdl::CursedWin, true) => WIN_BOUND - 1,
            (Wdl::Draw, _) => 0,
            (Wdl::BlessedLoss, true) => 1 - WIN_BOUND,
            (Wdl::Loss, _) | (Wdl::BlessedLoss, false) => -WIN,
        };
        RootRank { rank, score: self.score(rank) }
    }

    /// The score to show. A win that the fifty-move rule frustrates is worth up to half a
    /// pawn, the more the nearer it is to a real one, and at least enough to differ from a draw.
    fn score(&self, rank: i32) -> Score {
        let bound = if self.options.fifty_move_rule { WIN_BOUND } else { 1 };
        let cursed = |rank: i32| Score::new((rank - (WIN - 200)).max(4) * UNITS_PER_PAWN / 200);
        match rank {
            0 => Score::DRAW,
            _ if rank >= bound => Score::TABLEBASE_WIN,
            _ if rank <= -bound => -Score::TABLEBASE_WIN,
            1.. => cursed(rank),
            _ => -cursed(-rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest way to a capture or pawn move in the tables of seven pieces.
    #[test]
    fn the_longest_wins_stay_wins() {
        let root = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w - - 99 100").unwrap();
        let tables = Tablebases::default();
        for fifty_move_rule in [true, false] {
            let options = &TablebaseOptions { fifty_move_rule, ..TablebaseOptions::default() };
            let judge = Judge { tables: &tables, root: &root, options, by: RankedBy::Dtz };
            let (win, loss) = (judge.by_dtz(1034, 99), judge.by_dtz(-1034, 99));
            assert!(win.rank > 0 && win.rank < judge.by_dtz(1033, 99).rank, "{win:?}");
            assert!(win.score > Score::DRAW && win.score.is_win() != fifty_move_rule, "{win:?}");
            assert_eq!((loss.rank, loss.score), (-win.rank, -win.score));
        }
    }
}
