//! Whether what moves create or flag can be undone by further moves.

use super::tables::UNMOVED_BIT;
use crate::instance::{Act, Instance};

/// Whether a position can come back after a capture, a creation or a lasting flag. It cannot if
/// pieces only ever become others in place, never in a circle, and no lasting flag both comes and
/// goes.
pub(super) fn recurs(moves: &[Vec<Vec<Instance>>], transient: u8) -> bool {
    // By kind: what its moves make of it, a bit for each kind, of which there are at most 62.
    let mut becomes = vec![0_u64; moves.len() / 2];
    // Any move takes `unmoved` away.
    let (mut set, mut cleared) = (0, UNMOVED_BIT as u8);
    for (slot, piece) in moves.iter().enumerate() {
        for Instance { to, acts, .. } in piece.iter().flatten() {
            // Whether the piece that moves still stands on its target.
            let mut there = true;
            for act in acts {
                match *act {
                    Act::Put(Some(kind), square) if there && square == *to => {
                        becomes[slot / 2] |= 1 << kind;
                    }
                    Act::Put(Some(_), _) => return true,
                    Act::Shift(from, target) if from != target => there &= from != *to,
                    Act::Set(_, flag) => set |= flag,
                    Act::Clear(_, flag) => cleared |= flag,
                    _ => {}
                }
            }
        }
    }
    set & cleared & !transient != 0 || has_circle(becomes)
}

/// Whether a kind becomes itself in some number of steps.
fn has_circle(mut becomes: Vec<u64>) -> bool {
    // Warshall's algorithm on rows of bits.
    for middle in 0..becomes.len() {
        let further = becomes[middle];
        for row in &mut becomes {
            if *row >> middle & 1 != 0 {
                *row |= further;
            }
        }
    }
    becomes.iter().enumerate().any(|(kind, row)| row >> kind & 1 != 0)
}

#[cfg(test)]
mod tests {
    use crate::{BUILTINS, builtin, load};

    #[test]
    fn positions_come_back_in_few_games() {
        for entry in BUILTINS {
            let game = builtin(entry.name).unwrap();
            let recurs = game.has_hands() || entry.name.starts_with("locusts");
            assert_eq!(game.recurs, recurs, "{}", entry.name);
        }
    }

    #[test]
    fn kinds_may_go_in_a_circle() {
        let recurs = |[a, b]: [&str; 2]| {
            let [a, b] = [a, b].map(|what| format!("W1 {{-square (1 0) {what}}}"));
            let text = format!("@royal none\na {a}\nb {b} hot\nc W1\n\n. .\nA a\n");
            load(&text, None).unwrap_or_else(|remarks| panic!("{text}\n{remarks:?}")).game.recurs
        };
        assert!(!recurs(["-effects b -> (1 0)", "-effects c -> (1 0)"]));
        assert!(recurs(["-effects b -> (1 0)", "-effects a -> (1 0)"]));
        assert!(recurs(["-effects b -> (0 0)", ""]), "a piece more");
        assert!(recurs(["-effects (1 0) -> (0 0) b -> (1 0)", ""]), "it stands elsewhere");
        assert!(!recurs(["-effects (1 0) +hot", "-conditions (0 0) *hot"]));
        assert!(recurs(["-effects (1 0) +hot", "-conditions (0 0) *hot -effects (1 0) -hot"]));
        assert!(recurs(["-effects (1 0) +unmoved", "-conditions (0 0) *unmoved"]));
    }
}
