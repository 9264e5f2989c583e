//! A game whose names are all known, before it is compiled.

use crate::ast::{
    Captures, Checks, Holding, Immobile, Judged, Life, MoveText, Source, Spanned, Symmetry,
    Verdict, Word,
};
use crate::betza::Size;
use crate::board::{Code, SquareSet};

/// The flag that every piece of a type may have until it moves.
pub(crate) const UNMOVED: &str = "unmoved";
/// The greatest number of types of pieces in a game.
pub(crate) const MAX_PIECES: usize = 62;
/// The flag of pieces that a promotion has made.
pub(crate) const PROMOTED: &str = "promoted";
/// The greatest number of types of pieces that players may hold in hand.
pub(crate) const MAX_HELD: usize = 16;
/// The greatest number of flags of a game.
pub(crate) const MAX_FLAGS: usize = 8;

/// A game whose names are all known.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) title: String,
    pub(crate) size: Size,
    pub(crate) rules: Rules,
    pub(crate) pieces: Vec<PieceDefinition>,
    pub(crate) flags: Vec<FlagDefinition>,
    /// The pieces of the diagram; the first row is White's.
    pub(crate) start: Vec<Code>,
    /// What the pieces count in halves of a point, by kind, and what the second side has besides;
    /// nothing without `@points`.
    pub(crate) points: (Vec<u16>, u16),
    pub(crate) fen: Option<Spanned<String>>,
}

/// What is not said by pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    pub(crate) symmetry: Symmetry,
    pub(crate) stalemate: Verdict,
    pub(crate) checkmate: Verdict,
    pub(crate) repetition: (u32, Verdict, Judged),
    /// For the player who gave check with every move since the position that repeats.
    pub(crate) perpetual: Verdict,
    pub(crate) move_limit: (u32, Verdict),
    pub(crate) immobile: Immobile,
    pub(crate) checks: Checks,
    pub(crate) captures: Captures,
    pub(crate) goal: Option<Goal>,
    /// What the side gets that has no piece left of one of these kinds.
    pub(crate) extinction: Option<(Verdict, Kinds)>,
    /// Captures remove the piece that captures and all next to it but these kinds.
    pub(crate) explosion: Option<Kinds>,
    /// How the game ends by a pass while royal pieces of both sides face each other: no piece stands
    /// between them on their column. The side to move has to end that or pass.
    pub(crate) facing: Option<Verdict>,
    /// How many passes in a row end it, and how.
    pub(crate) passes: (u32, Verdict),
    /// The kinds that may come from the hand onto a square that an unmoved piece leaves.
    pub(crate) gating: Kinds,
    pub(crate) holding: Holding,
}

impl Rules {
    /// Whether a game can be over while pieces can move.
    pub(crate) fn has_goals(&self) -> bool {
        matches!(self.checks, Checks::Counted(_))
            || self.goal.is_some()
            || self.extinction.is_some()
            || self.facing.is_some()
            || self.passes.0 > 0
    }

    /// Whether more decides about moves than the safety of the mover's own royal pieces.
    pub(crate) fn has_filters(&self) -> bool {
        self.checks == Checks::Forbidden
            || self.captures == Captures::Compulsory
            || self.explosion.is_some()
            || self.facing.is_some()
    }
}

/// Who has one of these pieces on one of these squares wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Goal {
    pub(crate) kinds: Kinds,
    /// Of White and of Black.
    pub(crate) squares: [SquareSet; 2],
    /// The side that moves second may still reach it with its next move, and draws.
    pub(crate) last: bool,
}

/// A set of kinds of pieces; the empty one may mean all.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Kinds(u64);

impl Kinds {
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn has(self, kind: usize) -> bool {
        self.0 >> kind & 1 != 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..MAX_PIECES).filter(move |&kind| self.has(kind))
    }
}

impl FromIterator<usize> for Kinds {
    fn from_iter<I: IntoIterator<Item = usize>>(kinds: I) -> Self {
        Self(
            kinds
                .into_iter()
                .filter(|&kind| kind < MAX_PIECES)
                .fold(0, |set, kind| set | 1 << kind),
        )
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PieceDefinition {
    pub(crate) name: Word,
    pub(crate) moves: Vec<MoveText>,
    /// For White and for Black, if XBetza can say it.
    pub(crate) xbetza: Option<[String; 2]>,
    pub(crate) royal: bool,
    /// Bits of the flags that it has when the game starts, without `unmoved`.
    pub(crate) start_flags: u8,
    /// Whether it has the flag `unmoved` when the game starts.
    pub(crate) carries_unmoved: bool,
    /// What it is in hand when it was captured, and with which flags: the first that fits.
    pub(crate) in_hand: Vec<(u8, usize)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FlagDefinition {
    pub(crate) name: String,
    pub(crate) life: Life,
}

impl Definition {
    pub(crate) fn piece(&self, name: &str) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.name.value == name)
    }

    /// The pieces that may be held in hand: those that can be dropped or gated, if there are hands.
    pub(crate) fn held(&self) -> Vec<usize> {
        let drops = |&piece: &usize| {
            self.rules.gating.has(piece)
                || self.pieces[piece].moves.iter().any(|text| text.source == Source::Hand)
        };
        match self.rules.holding {
            Holding::Nothing => Vec::new(),
            _ => (0..self.pieces.len()).filter(drops).collect(),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Option<usize> {
        self.flags.iter().position(|flag| flag.name == name)
    }
}
