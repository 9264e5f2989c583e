//! "Did you mean": the known word nearest to a misspelt one.

/// The candidate at the smallest edit distance from `word`, if it is near enough to be meant:
/// at most a third of the longer word's letters differ, and never more than three.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .map(|candidate| (edit_distance(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            let letters = word.chars().count().max(candidate.chars().count());
            *distance <= letters.div_ceil(3).min(3)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Damerau-Levenshtein distance in its restricted form: insertions, deletions, substitutions and
/// swaps of neighbors.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{edit_distance, nearest};

    #[test]
    fn distances() {
        assert_eq!(edit_distance("empty", "empty"), 0);
        assert_eq!(edit_distance("emtpy", "empty"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
    }

    #[test]
    fn only_a_near_word_is_suggested() {
        let words = ["empty", "occupied", "opponent", "opposite", "friend"];
        assert_eq!(nearest("emtpy", words), Some("empty"));
        assert_eq!(nearest("fiend", words), Some("friend"));
        assert_eq!(nearest("zebra", words), None);
    }
}
