//! How a game ends, by the rules or by its players.

use core::fmt;

use tamarin_movegen::{Color, Reason};
use tamarin_variant as variant;

use crate::pgn::Outcome;

/// How a game ended.
///
/// Source: the FIDE Laws of Chess of 2023, articles 5, 6.9, 9.2, 9.3 and 9.6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The named side mated.
    Checkmate(Color),
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// No side can mate with what is left.
    InsufficientMaterial,
    /// No side can mate because the pawns hold each other.
    DeadPosition,
    /// The fifth occurrence of a position: a draw without a claim.
    FivefoldRepetition,
    /// Seventy-five moves of each side without capture or pawn move: a draw without a claim.
    SeventyFiveMoves,
    /// The third occurrence of a position, claimed by a player.
    ThreefoldRepetition,
    /// Fifty moves of each side without capture or pawn move, claimed by a player.
    FiftyMoves,
    /// Both players wanted a draw.
    Agreement,
    /// The named side won because the other resigned.
    Resignation(Color),
    /// The named side won because the other's time ran out.
    TimeForfeit(Color),
    /// A side's time ran out, but the other has nothing left to mate with.
    TimeoutDraw,
    /// The rules of a variant end the game.
    Variant(variant::Outcome),
    /// A result without a reason, as in games that were loaded.
    Recorded(Outcome),
}

impl Ending {
    /// Who won, or a draw.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Checkmate(winner) | Self::Resignation(winner) | Self::TimeForfeit(winner) => {
                Outcome::Won(winner)
            }
            Self::Recorded(outcome) => outcome,
            Self::Variant(variant::Outcome { winner: Some(winner), .. }) => {
                Outcome::Won(color_of(winner))
            }
            _ => Outcome::Draw,
        }
    }

    /// The ending that [`Display`](fmt::Display) writes like this, of those that the position does
    /// not show.
    pub fn of_text(text: &str) -> Option<Self> {
        let won = |winner| [Self::Resignation(winner), Self::TimeForfeit(winner)];
        let drawn =
            [Self::ThreefoldRepetition, Self::FiftyMoves, Self::Agreement, Self::TimeoutDraw];
        let all = Color::ALL.into_iter().flat_map(won).chain(drawn);
        all.into_iter().find(|ending| ending.to_string() == text)
    }

    /// The value of PGN's tag `Termination`.
    pub const fn termination(self) -> &'static str {
        match self {
            Self::TimeForfeit(_) | Self::TimeoutDraw => "time forfeit",
            _ => "normal",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = match *self {
            Self::Checkmate(winner) => return write!(f, "Checkmate: {winner:?} wins"),
            Self::Resignation(winner) => {
                return write!(f, "{:?} resigns: {winner:?} wins", !winner);
            }
            Self::TimeForfeit(winner) => {
                return write!(f, "{:?}'s time has run out: {winner:?} wins", !winner);
            }
            Self::Recorded(Outcome::Won(winner)) => return write!(f, "{winner:?} won"),
            Self::Recorded(Outcome::Unknown) => return f.write_str("The game is not finished"),
            Self::Recorded(Outcome::Draw) => return f.write_str("The game was drawn"),
            Self::Variant(outcome) => return f.write_str(&variant::ending(outcome)),
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::DeadPosition => {
                "dead position: the pawns hold each other, and no king gets through"
            }
            Self::FivefoldRepetition => "fivefold repetition",
            Self::SeventyFiveMoves => "seventy-five-move rule",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::Agreement => "agreement",
            Self::TimeoutDraw => "time ran out, but the opponent has nothing to mate with",
        };
        write!(f, "Draw: {draw}")
    }
}

impl From<Reason> for Ending {
    /// The ending by a draw of the rules.
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Checkmate => Self::Recorded(Outcome::Unknown),
            Reason::Stalemate => Self::Stalemate,
            Reason::InsufficientMaterial => Self::InsufficientMaterial,
            Reason::BlockedPawns => Self::DeadPosition,
            Reason::FivefoldRepetition => Self::FivefoldRepetition,
            Reason::SeventyFiveMoves => Self::SeventyFiveMoves,
            Reason::ThreefoldRepetition => Self::ThreefoldRepetition,
            Reason::FiftyMoves => Self::FiftyMoves,
        }
    }
}

/// A color of a variant.
pub const fn color_of(color: variant::Color) -> Color {
    match color {
        variant::Color::White => Color::White,
        variant::Color::Black => Color::Black,
    }
}

#[cfg(test)]
mod tests {
    use super::Ending;
    use crate::position::Position;
    use tamarin_movegen::{self as chess, Color};

    fn at(fen: &str) -> Position {
        chess::Position::from_fen(fen).unwrap().into()
    }

    #[test]
    fn the_rules_end_games() {
        let cases = [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 150 1", Some(Ending::Checkmate(Color::White))),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Stalemate)),
            ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", Some(Ending::InsufficientMaterial)),
            ("7k/8/6K1/8/8/3B4/8/5B2 b - - 0 1", Some(Ending::InsufficientMaterial)),
            ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", Some(Ending::DeadPosition)),
            ("7k/8/6K1/8/8/8/8/6R1 b - - 149 90", None),
            ("7k/8/6K1/8/8/8/8/6R1 b - - 150 90", Some(Ending::SeventyFiveMoves)),
        ];
        for (fen, ending) in cases {
            assert_eq!(at(fen).ending(), ending, "{fen}");
        }
    }

    #[test]
    fn reads_its_own_text() {
        let endings = [Ending::Agreement, Ending::TimeoutDraw, Ending::Resignation(Color::Black)];
        for ending in endings {
            assert_eq!(Ending::of_text(&ending.to_string()), Some(ending));
        }
        assert_eq!(Ending::of_text("Checkmate"), None);
    }

    #[test]
    fn repetitions_are_claimed_at_three_and_end_the_game_at_five() {
        let mut position = Position::startpos();
        let mut claims = Vec::new();
        for time in 2..=5 {
            for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
                assert_eq!(position.ending(), None, "before occurrence {time}");
                position.make(position.find(text).unwrap());
            }
            assert_eq!(position.chess().unwrap().occurrences(), time);
            claims.push(position.claim());
        }
        let three = Some(Ending::ThreefoldRepetition);
        assert_eq!(claims, [None, three, three, three]);
        assert_eq!(position.ending(), Some(Ending::FivefoldRepetition));
    }

    #[test]
    fn who_cannot_mate_wins_nothing_on_time() {
        for fen in ["7k/8/6K1/8/8/8/8/6R1 b - - 0 1", "7k/5n2/6K1/8/8/8/8/6Q1 b - - 0 1"] {
            let position = at(fen);
            assert_eq!(position.timeout(Color::Black), Ending::TimeForfeit(Color::White));
            assert_eq!(position.timeout(Color::White), Ending::TimeoutDraw, "{fen}");
        }
    }
}
