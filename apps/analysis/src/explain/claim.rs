//! What a sentence claims, for programs and in words.

use serde_json::{Value, json};
use tamarin_eval::Score;
use tamarin_movegen::{Color, PerColor, PieceKind};

use crate::score_json;

use super::ask::GameResult;
use super::quiet::VALUES;

/// How many pawns, knights, bishops, rooks and queens more a color has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MaterialChange(pub PerColor<[i8; 5]>);

/// What ends a game without a winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawnBy {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The last position stood in the line before.
    Repetition,
    /// Neither side can mate.
    Material,
}

impl DrawnBy {
    /// In words, as in `a draw by stalemate`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::Material => "insufficient material",
        }
    }
}

/// What a line shows when it is replayed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Claim {
    Mate {
        winner: Color,
        moves: u32,
    },
    /// The line changes the material, by at least a pawn for the winner, and at its end the other
    /// side wins nothing back by captures and promotions, nor if the winner passed.
    Material {
        winner: Color,
        /// From the first position of the line to the last one.
        change: MaterialChange,
    },
    Draw(DrawnBy),
    /// Endgame tablebases know the first and the last position of the line.
    Tablebase {
        side: Color,
        before: GameResult,
        after: GameResult,
    },
    /// No other move was legal at the beginning of the line.
    OnlyLegalMove,
    /// Nothing beyond two scores of searches, from White's point of view.
    Evaluation {
        before: Score,
        after: Score,
    },
}

impl MaterialChange {
    /// What a side has gained, in pawns.
    pub fn net(&self, winner: Color) -> i32 {
        let sum = |color: Color| -> i32 {
            self.0[color].iter().zip(VALUES).map(|(&count, value)| i32::from(count) * value).sum()
        };
        sum(winner) - sum(!winner)
    }

    /// Returns `true` if a pawn of this side has promoted and stands as a piece.
    pub fn promotes(&self, color: Color) -> bool {
        self.0[color][1..].iter().any(|count| *count > 0)
    }

    /// What the winner wins: `the exchange`, `a knight for two pawns`.
    pub fn words(&self, winner: Color) -> String {
        let gone = |color: Color| self.0[color].map(|count| i32::from(-count.min(0)));
        let (mut won, mut paid) = (gone(!winner), gone(winner));
        let odd = self.promotes(Color::White) || self.promotes(Color::Black);
        cancel(&mut won, &mut paid);
        let exchange = take_exchange(&mut won, &mut paid);
        let mut list: Vec<String> = Vec::new();
        list.extend(exchange.then(|| "the exchange".to_owned()));
        list.extend(names(&won));
        let price = names(&paid);
        if odd || list.is_empty() || list.len() + price.len() > 3 {
            return format!("material worth {} pawns", self.net(winner));
        }
        match price.is_empty() {
            true => joined(&list),
            false => format!("{} for {}", joined(&list), joined(&price)),
        }
    }

    fn to_json(self) -> Value {
        json!({ "white": self.0[Color::White], "black": self.0[Color::Black] })
    }
}

/// Takes away what both sides lost, a bishop for a knight included.
fn cancel(won: &mut [i32; 5], paid: &mut [i32; 5]) {
    let (knight, bishop) = (PieceKind::Knight as usize, PieceKind::Bishop as usize);
    let pairs = (0..5).map(|kind| (kind, kind)).chain([(knight, bishop), (bishop, knight)]);
    for (one, other) in pairs {
        let both = won[one].min(paid[other]);
        won[one] -= both;
        paid[other] -= both;
    }
}

/// Takes a rook for a minor piece out of what was won and paid, if it is there.
fn take_exchange(won: &mut [i32; 5], paid: &mut [i32; 5]) -> bool {
    let minor = [PieceKind::Knight, PieceKind::Bishop].into_iter().find(|&k| paid[k as usize] > 0);
    match minor {
        Some(minor) if won[PieceKind::Rook as usize] > 0 => {
            won[PieceKind::Rook as usize] -= 1;
            paid[minor as usize] -= 1;
            true
        }
        _ => false,
    }
}

/// The pieces by name, the most valuable first.
fn names(counts: &[i32; 5]) -> Vec<String> {
    const NAMES: [&str; 5] = ["pawn", "knight", "bishop", "rook", "queen"];
    let named = |kind: usize| match (counts[kind], NAMES[kind]) {
        (0, _) => None,
        (1, "queen") => Some("the queen".to_owned()),
        (1, name) => Some(format!("a {name}")),
        (2, name) => Some(format!("two {name}s")),
        (3, name) => Some(format!("three {name}s")),
        (count, name) => Some(format!("{count} {name}s")),
    };
    (0..5).rev().filter_map(named).collect()
}

fn joined(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What a claim says of its winner in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// `wins a rook`.
    pub wins: String,
    /// `winning a rook`.
    pub winning: String,
    /// Of the other side's move: `loses a rook`.
    pub loses: String,
}

impl Claim {
    /// Who profits, if the claim says.
    pub const fn winner(&self) -> Option<Color> {
        match self {
            Self::Mate { winner, .. } | Self::Material { winner, .. } => Some(*winner),
            _ => None,
        }
    }

    /// What is won, in pawns; a mate is worth more than all material.
    pub fn pawns(&self) -> i32 {
        match self {
            Self::Mate { .. } => 100,
            Self::Material { winner, change } => change.net(*winner),
            _ => 0,
        }
    }

    /// In words, if somebody profits.
    pub fn words(&self) -> Option<Words> {
        match self {
            Self::Mate { moves, .. } => Some(Words {
                wins: format!("mates in {moves}"),
                winning: format!("with mate in {moves}"),
                loses: format!("allows mate in {moves}"),
            }),
            Self::Material { winner, change } if change.promotes(*winner) => Some(Words {
                wins: "promotes a pawn".to_owned(),
                winning: "promoting a pawn".to_owned(),
                loses: "lets a pawn promote".to_owned(),
            }),
            Self::Material { winner, change } => {
                let what = change.words(*winner);
                Some(Words {
                    wins: format!("wins {what}"),
                    winning: format!("winning {what}"),
                    loses: format!("loses {what}"),
                })
            }
            _ => None,
        }
    }

    pub fn to_json(&self) -> Value {
        match self {
            Self::Mate { winner, moves } => {
                json!({ "kind": "mate", "winner": color(*winner), "moves": moves })
            }
            Self::Material { winner, change } => json!({
                "kind": "material",
                "winner": color(*winner),
                "pawns": change.net(*winner),
                "change": change.to_json(),
            }),
            Self::Draw(by) => json!({ "kind": "draw", "by": by.words() }),
            Self::Tablebase { side, before, after } => json!({
                "kind": "tablebase",
                "side": color(*side),
                "before": before.name(),
                "after": after.name(),
            }),
            Self::OnlyLegalMove => json!({ "kind": "only legal move" }),
            Self::Evaluation { before, after } => json!({
                "kind": "evaluation", "before": score_json(*before), "after": score_json(*after),
            }),
        }
    }
}

const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use super::MaterialChange;
    use tamarin_movegen::{Color, PerColor};

    fn words(white: [i8; 5], black: [i8; 5]) -> (i32, String) {
        let change = MaterialChange(PerColor([white, black]));
        (change.net(Color::White), change.words(Color::White))
    }

    #[test]
    fn what_is_won_has_the_names_that_players_use() {
        let none = [0; 5];
        for (white, black, pawns, text) in [
            (none, [-1, 0, 0, 0, 0], 1, "a pawn"),
            (none, [-2, 0, 0, 0, 0], 2, "two pawns"),
            ([0, 0, -1, 0, 0], [0, 0, 0, -1, 0], 2, "the exchange"),
            ([-1, 0, -1, 0, 0], [0, 0, 0, -1, 0], 1, "the exchange for a pawn"),
            ([0, -1, 0, 0, 0], [-1, 0, 0, -1, 0], 3, "the exchange and a pawn"),
            ([0, -1, 0, 0, 0], [-1, 0, -1, 0, 0], 1, "a pawn"),
            ([-2, 0, 0, 0, 0], [0, -1, 0, 0, 0], 1, "a knight for two pawns"),
            ([0, 0, 0, -1, 0], [0, 0, 0, 0, -1], 4, "the queen for a rook"),
            ([0, 0, -1, -1, 0], [0, 0, 0, 0, -1], 1, "the queen for a rook and a bishop"),
            ([-1, -1, -1, -1, 0], [-1, 0, -2, 0, -1], 4, "the queen for a rook"),
            ([-1, 0, 0, 0, 1], none, 8, "material worth 8 pawns"),
        ] {
            assert_eq!(words(white, black), (pawns, text.to_owned()));
        }
    }
}
