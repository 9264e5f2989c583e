//! What may come of something that has been typed so far.

use tamarin_movegen::Position;

use super::command::COMMANDS;
use crate::moves;

/// Where the word begins that is completed, in bytes, and what it may become: moves, and commands
/// where one may begin.
pub fn complete(position: &Position, typed: &str) -> (usize, Vec<String>) {
    let names = COMMANDS.iter().map(|entry| entry.names[0]);
    let moves = |word: &str| moves::complete(position, word);
    complete_with(typed, (&["", "why", "claim"], moves), names)
}

/// The same of a game of a variant, which has these commands.
pub fn complete_variant(
    position: &tamarin_variant::Position,
    typed: &str,
    names: impl Iterator<Item = &'static str>,
) -> (usize, Vec<String>) {
    let moves = |word: &str| {
        let sans: Vec<_> = position.sans();
        let begins = |text: &str| text.to_lowercase().starts_with(&word.to_lowercase());
        let exact = sans.iter().filter(|(san, _)| san.starts_with(word));
        let mut found: Vec<String> = exact.map(|(san, _)| san.clone()).collect();
        if found.is_empty() {
            let texts = sans.iter().flat_map(|(san, mv)| [san.clone(), position.text(*mv)]);
            found = texts.filter(|text| begins(text)).collect();
        }
        found.sort();
        found.dedup();
        found
    };
    complete_with(typed, (&[""], moves), names)
}

/// Completes the last word: to a move behind one of the commands `takes_moves`, and to the name of
/// a command where one may stand.
fn complete_with(
    typed: &str,
    (takes_moves, moves): (&[&str], impl FnOnce(&str) -> Vec<String>),
    names: impl Iterator<Item = &'static str>,
) -> (usize, Vec<String>) {
    let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    // A white space is one byte or more.
    let start = (start..=typed.len()).find(|at| typed.is_char_boundary(*at)).unwrap_or(0);
    let (before, word) = typed.split_at(start);
    let command = before.trim().to_lowercase();
    let has_moves = takes_moves.contains(&command.as_str());
    let mut found = if has_moves && !(command.is_empty() && word.is_empty()) {
        moves(word)
    } else {
        Vec::new()
    };
    if command.is_empty() || matches!(command.as_str(), "help" | "?" | "h") {
        let lower = word.to_lowercase();
        found.extend(names.filter(|name| name.starts_with(&lower)).map(str::to_owned));
    }
    (start, found)
}

pub fn common(candidates: &[String]) -> &str {
    let Some((first, others)) = candidates.split_first() else { return "" };
    let mut length = first.len();
    for other in others {
        let same = first.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        length = length.min(same);
    }
    while !first.is_char_boundary(length) {
        length -= 1;
    }
    &first[..length]
}

#[cfg(test)]
mod tests {
    use super::{common, complete, complete_variant};
    use tamarin_movegen::Position;

    fn found(typed: &str) -> (usize, Vec<String>) {
        complete(&Position::startpos(), typed)
    }

    #[test]
    fn moves_and_commands_are_completed() {
        assert_eq!(found("Nf"), (0, vec!["Nf3".into()]));
        assert_eq!(found("res"), (0, vec!["resign".into()]));
        assert_eq!(found("why Nc"), (4, vec!["Nc3".into()]));
        assert_eq!(found("help un"), (5, vec!["undo".into()]));
        assert_eq!(found("save Nf").1, Vec::<String>::new());
        assert!(
            found("h").1.contains(&"hint".to_owned()) && found("h").1.contains(&"h4".to_owned())
        );
        assert!(found("").1.iter().all(|name| name.len() > 2));
        assert_eq!(found("é\u{2003}x").0, "é\u{2003}".len());
    }

    #[test]
    fn moves_and_commands_of_variants_are_completed() {
        let rules = tamarin_variant::builtin("xiangqi").unwrap();
        let start = tamarin_variant::Position::start(&rules);
        let found =
            |typed: &str| complete_variant(&start, typed, ["help", "hint", "undo"].into_iter());
        assert_eq!(found("un"), (0, vec!["undo".into()]));
        assert_eq!(found("help hi"), (5, vec!["hint".into()]));
        assert_eq!(found("a4"), (0, vec!["a4a5".into()]));
        assert!(found("h").1.len() > 2 && found("zz").1.is_empty());
        assert_eq!(found("save a4").1, Vec::<String>::new());
    }

    #[test]
    fn candidates_have_a_beginning_in_common() {
        assert_eq!(common(&["Nf3".into(), "Nh3".into()]), "N");
        assert_eq!(common(&["Nf3".into()]), "Nf3");
        assert_eq!(common(&[]), "");
        assert_eq!(common(&["é".into(), "è".into()]), "");
    }
}
