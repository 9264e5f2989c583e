//! From counts of moves to the entries of a book.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::tally::{Count, Merge, Place};
use tamarin_game::book::entry::{Entry, MoveCode};

/// Which moves go into a book, and with what weight.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Games a move must have been played in
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub min_games: u32,

    /// Points a move must have made, in percent: a win is 100, a draw 50
    #[arg(long, value_name = "PERCENT", default_value_t = 0,
          value_parser = clap::value_parser!(u8).range(..=100))]
    pub min_score: u8,

    /// The largest share of a move, in percent, where a position has another one
    #[arg(long, value_name = "PERCENT", default_value_t = 100,
          value_parser = clap::value_parser!(u8).range(50..=100))]
    pub max_share: u8,

    /// What a won game adds to the weight of its moves
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub win: u16,

    /// What a drawn game adds
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub draw: u16,

    /// What a lost game adds
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub loss: u16,
}

impl Rules {
    /// The weight of a move before scaling; `None` if it is left out.
    fn weight(&self, count: Count) -> Option<u64> {
        let [games, wins, draws] = [count.games, count.wins, count.draws].map(u64::from);
        let enough = games >= u64::from(self.min_games)
            && 100 * wins + 50 * draws >= u64::from(self.min_score) * games;
        let losses = games.saturating_sub(wins + draws);
        let [win, draw, loss] = [self.win, self.draw, self.loss].map(u64::from);
        let weight = wins * win + draws * draw + losses * loss;
        (enough && weight > 0).then_some(weight)
    }

    /// The entries of one position, the heaviest first. If the greatest weight does not fit 16
    /// bits all are scaled down, none to nothing.
    fn entries(&self, key: u64, moves: &[(MoveCode, Count)]) -> Vec<Entry> {
        let mut weights: Vec<(MoveCode, u64)> =
            moves.iter().filter_map(|&(code, count)| Some((code, self.weight(count)?))).collect();
        weights.sort_unstable_by_key(|&(code, weight)| (Reverse(weight), code));
        let limit = u64::from(u16::MAX);
        let greatest = weights.first().map_or(limit, |first| first.1.max(limit));
        let scaled = |weight: u64| {
            let weight = u128::from(weight) * u128::from(limit) / u128::from(greatest);
            u16::try_from(weight.max(1)).expect("invariant: no weight is above the greatest")
        };
        let entry = |&(code, weight)| Entry { key, code, weight: scaled(weight), learn: 0 };
        let mut entries: Vec<Entry> = weights.iter().map(entry).collect();
        self.bound_share(&mut entries);
        entries
    }

    /// Takes weight from the first move, the heaviest one, until its share is not too large.
    fn bound_share(&self, entries: &mut [Entry]) {
        let [first, others @ ..] = entries else { return };
        let (own, left) = (u32::from(self.max_share), u32::from(100 - self.max_share));
        if others.is_empty() || left == 0 {
            return;
        }
        let sum: u32 = others.iter().map(|entry| u32::from(entry.weight)).sum();
        let limit = u16::try_from(sum * own / left).unwrap_or(u16::MAX);
        first.weight = first.weight.min(limit.max(others[0].weight));
    }
}

/// What a book holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Written {
    /// Positions with at least one move.
    pub positions: u64,
    /// Moves.
    pub entries: u64,
}

/// Writes the entries of all positions, sorted by key. Needs memory for one position.
pub fn write(counts: Merge, rules: &Rules, output: &mut impl Write) -> io::Result<Written> {
    let mut written = Written::default();
    let mut counts = counts.peekable();
    while let Some(first) = counts.next() {
        let ((key, code), count) = first?;
        let mut moves = vec![(code, count)];
        let here = |next: &io::Result<(Place, Count)>| {
            next.as_ref().map_or(true, |((other, _), _)| *other == key)
        };
        while let Some(next) = counts.next_if(here) {
            let ((_, code), count) = next?;
            moves.push((code, count));
        }
        let entries = rules.entries(key, &moves);
        for entry in &entries {
            output.write_all(&entry.to_bytes())?;
        }
        written.positions += u64::from(!entries.is_empty());
        written.entries += entries.len() as u64;
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::{Count, MoveCode, Rules};

    const RULES: Rules =
        Rules { min_games: 2, min_score: 40, max_share: 100, win: 2, draw: 1, loss: 0 };

    fn count(games: u32, wins: u32, draws: u32) -> Count {
        Count { games, wins, draws }
    }

    #[test]
    fn rare_bad_and_worthless_moves_are_left_out() {
        assert_eq!(RULES.weight(count(1, 1, 0)), None);
        assert_eq!(RULES.weight(count(2, 1, 0)), Some(2));
        assert_eq!(RULES.weight(count(10, 3, 1)), None);
        assert_eq!(RULES.weight(count(10, 3, 2)), Some(8));
        let anything = Rules { min_games: 0, min_score: 0, ..RULES };
        assert_eq!(anything.weight(count(9, 0, 0)), None);
        assert_eq!(Rules { loss: 1, ..anything }.weight(count(9, 0, 0)), Some(9));
    }

    #[test]
    fn the_heaviest_comes_first_and_weights_fit() {
        let weights = |moves: &[(u16, Count)]| {
            let moves: Vec<_> = moves.iter().map(|&(code, it)| (MoveCode(code), it)).collect();
            let entries = RULES.entries(7, &moves);
            entries.iter().map(|entry| (entry.code.0, entry.weight)).collect::<Vec<_>>()
        };
        let few = [(1, count(4, 1, 2)), (2, count(4, 3, 1)), (3, count(4, 1, 2))];
        assert_eq!(weights(&few), [(2, 7), (1, 4), (3, 4)]);
        let many = [(1, count(u32::MAX, u32::MAX, 0)), (2, count(2, 2, 0))];
        assert_eq!(weights(&many), [(1, u16::MAX), (2, 1)]);
    }

    #[test]
    fn no_share_is_larger_than_wanted() {
        let rules = Rules { min_games: 1, max_share: 60, ..RULES };
        let weights = |wins: &[u32]| {
            let moves = wins.iter().zip(1..);
            let moves: Vec<_> = moves.map(|(&n, code)| (MoveCode(code), count(n, n, 0))).collect();
            rules.entries(7, &moves).iter().map(|entry| entry.weight).collect::<Vec<_>>()
        };
        assert_eq!(weights(&[9]), [18], "the only move");
        assert_eq!(weights(&[9, 1]), [3, 2]);
        assert_eq!(weights(&[9, 4, 1]), [15, 8, 2]);
        assert_eq!(weights(&[6, 4]), [12, 8], "60 % and no more");
        assert_eq!(weights(&[1, 1]), [2, 2]);
        let half = Rules { max_share: 50, ..rules };
        let moves = [(MoveCode(1), count(9, 9, 0)), (MoveCode(2), count(2, 1, 1))];
        assert_eq!(half.entries(7, &moves)[0].weight, 3);
        let many = [(MoveCode(1), count(u32::MAX, u32::MAX, 0)), (MoveCode(2), count(2, 2, 0))];
        assert_eq!(rules.entries(7, &many)[0].weight, 1, "bounded after scaling");
    }
}
