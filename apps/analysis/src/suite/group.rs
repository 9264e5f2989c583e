//! The results of a suite by groups of names.

use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sum {
    pub positions: usize,
    /// Those with all their points.
    pub solved: usize,
    pub points: u64,
    /// The most points there are.
    pub most: u64,
}

impl Sum {
    pub fn add(&mut self, points: u32, most: u32) {
        self.positions += 1;
        self.solved += usize::from(points == most);
        self.points += u64::from(points);
        self.most += u64::from(most);
    }

    /// The share of all points, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.points as f64 / self.most.max(1) as f64
    }
}

/// The sums of groups, in the order in which they first came.
#[derive(Default)]
pub struct Groups {
    order: Vec<String>,
    sums: BTreeMap<String, Sum>,
}

impl Groups {
    /// Adds a position with its name.
    pub fn add(&mut self, id: &str, points: u32, most: u32) {
        let group = group(id).to_owned();
        if !self.sums.contains_key(&group) {
            self.order.push(group.clone());
        }
        self.sums.entry(group).or_default().add(points, most);
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Sum)> {
        self.order.iter().filter_map(|name| Some((name.as_str(), self.sums.get(name)?)))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.order.len()
    }
}

/// The group of a name: what stands before its number, which ends it (`WAC.001`) or is a word of
/// its own (`E_E_T 010 - B vs N`). Dots behind a move number (`move 2...`) tell only who moves.
pub fn group(id: &str) -> &str {
    let id = id.trim().trim_end_matches("...");
    let is_separator = |c: char| matches!(c, '.' | '-' | '_' | '#' | ':') || c.is_whitespace();
    let without_number = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let head = if without_number.len() < id.len() {
        without_number
    } else {
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let mut words = id.split_inclusive(char::is_whitespace);
        let length: usize = words.by_ref().take_while(|word| !is_number(word)).map(str::len).sum();
        &id[..length]
    };
    match head.trim_end_matches(is_separator) {
        "" => id,
        head => head,
    }
}

#[cfg(test)]
mod tests {
    use super::{Groups, group};

    #[test]
    fn numbers_are_no_part_of_a_group() {
        for (id, wanted) in [
            ("WAC.003", "WAC"),
            ("BK.01 ", "BK"),
            ("STS(v1.0) Undermine.001", "STS(v1.0) Undermine"),
            ("E_E_T 010 - B vs S", "E_E_T"),
            ("E_E_T 16b -  T&S vs T&S", "E_E_T"),
            ("a study", "a study"),
            ("17", "17"),
            ("A - B, game 1, move 2", "A - B, game 1, move"),
            ("A - B, game 1, move 2...", "A - B, game 1, move"),
            ("", ""),
            ("\u{e9}1", "\u{e9}"),
        ] {
            assert_eq!(group(id), wanted, "{id}");
        }
    }

    #[test]
    fn sums_add_up_in_the_order_of_the_file() {
        let mut groups = Groups::default();
        groups.add("b.1", 100, 100);
        groups.add("a.1", 0, 1);
        groups.add("b.2", 50, 100);
        let found: Vec<_> = groups.iter().collect();
        assert_eq!((found[0].0, found[1].0, groups.count()), ("b", "a", 2));
        let sum = found[0].1;
        assert_eq!((sum.positions, sum.solved, sum.points, sum.most), (2, 1, 150, 200));
        assert!((sum.percent() - 75.0).abs() < 1e-9);
    }
}
