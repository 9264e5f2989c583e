//! What may come of something that has been typed so far.

use tamarin_game::moves;
use tamarin_game::position::Position;

use super::session::command::offered;

/// Where the word begins that is completed, in bytes, and what it may become: moves, and commands
/// where one may begin.
pub fn complete(position: &Position, typed: &str) -> (usize, Vec<String>) {
    let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    // A white space is one byte or more.
    let start = (start..=typed.len()).find(|at| typed.is_char_boundary(*at)).unwrap_or(0);
    let (before, word) = typed.split_at(start);
    let command = before.trim().to_lowercase();
    let has_moves = matches!(command.as_str(), "" | "why" | "claim");
    let mut found = if has_moves && !(command.is_empty() && word.is_empty()) {
        moves::complete(position, word)
    } else {
        Vec::new()
    };
    if command.is_empty() || matches!(command.as_str(), "help" | "?" | "h") {
        let lower = word.to_lowercase();
        let names = offered(position.chess().is_some()).map(|entry| entry.names[0]);
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
    use super::{common, complete};
    use tamarin_game::position::Position;

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
    fn candidates_have_a_beginning_in_common() {
        assert_eq!(common(&["Nf3".into(), "Nh3".into()]), "N");
        assert_eq!(common(&["Nf3".into()]), "Nf3");
        assert_eq!(common(&[]), "");
        assert_eq!(common(&["é".into(), "è".into()]), "");
    }
}
