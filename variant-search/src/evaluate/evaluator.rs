//! An evaluator of positions, put together from components.

use std::sync::Arc;

use tamarin_base::Signals;
use tamarin_variant::{Color, Game, Move, Occupant, Piece, Position, Square};

use super::base_values;
use super::piece_values::{MAGNITUDE, PieceValues, RawValues};
use super::spec::{Base, Component, Scaled, Spec};
use super::terms::{self, KingSafety};
use super::walk::Boards;

/// An evaluator of the positions of a game. Values are in parts of a million of the vector of the
/// pieces' values ([`MAGNITUDE`]) as White sees them; [`Self::centipawns`] gives the usual unit.
pub struct Evaluator {
    game: Arc<Game>,
    spec: Spec,
    /// The sum of all components that are values of pieces.
    values: PieceValues,
    /// By slot of the piece: what it is worth to White in hand, the mean over all squares.
    in_hand: Vec<i64>,
    terms: Vec<Term>,
    /// What position evaluators may give at most, unscaled.
    range: i64,
    most_moves: i64,
    /// What counts as 100 centipawns.
    pawn: i64,
}

/// A component that looks at the position.
struct Term {
    up: i64,
    down: i64,
    kind: TermKind,
}

enum TermKind {
    King(KingSafety),
    SimpleKing,
    Mobility,
    Captures,
    Soundness,
}

impl Evaluator {
    /// The evaluator of that description. It plays a few random games of its own (always the same
    /// ones) and takes up to a few hundred milliseconds.
    pub fn new(game: &Arc<Game>, spec: &Spec) -> Self {
        Self::until(game, spec, &Arc::default())
    }

    /// The same, but after a stop no more pieces get values: it answers soon and is of no use.
    pub(crate) fn until(game: &Arc<Game>, spec: &Spec, signals: &Arc<Signals>) -> Self {
        let builder = Builder::new(game, signals);
        let start = Position::start(game);
        let mut terms = Vec::new();
        for Scaled { up, down, component } in &spec.terms {
            let kind = match component {
                Component::Base(_) | Component::Location(_) => continue,
                Component::King(inner) => {
                    TermKind::King(KingSafety::new(game, builder.values(inner)))
                }
                Component::SimpleKing => TermKind::SimpleKing,
                Component::Mobility => TermKind::Mobility,
                Component::Captures => TermKind::Captures,
                Component::Soundness => TermKind::Soundness,
            };
            terms.push(Term { up: *up, down: *down, kind });
        }
        let values = builder.values(spec);
        let range = (MAGNITUDE / (game.piece_count() as f64).sqrt()) as i64;
        Self {
            pawn: pawn(game, &values, range),
            game: Arc::clone(game),
            spec: spec.clone(),
            in_hand: in_hand(game, &values),
            values,
            terms,
            range,
            most_moves: terms::most_moves(game, &start),
        }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// What it is called.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The values of the pieces: the part that follows moves.
    pub fn values(&self) -> &PieceValues {
        &self.values
    }

    /// The greatest absolute value of a position evaluator, but for `king`, which depends on the
    /// pieces.
    pub fn range(&self) -> i64 {
        self.range
    }

    /// The cumulative part: the sum of the values of all pieces, those in hand included.
    pub fn sum(&self, position: &Position) -> i64 {
        sum(position, |occupant, at| self.values.occupant(occupant, at), &self.in_hand)
    }

    /// The cumulative part after the last move, from what it was before it.
    #[inline]
    pub fn sum_after(&self, before: i64, position: &Position) -> i64 {
        let value = |occupant, at| self.values.occupant(occupant, at);
        sum_after(before, position, value, &self.in_hand)
    }

    /// The whole value for White of a position with that cumulative part. `scratch` is memory to
    /// work in.
    pub fn evaluate(&self, position: &Position, sum: i64, scratch: &mut Vec<Move>) -> i64 {
        let bounded = |count: i64| {
            count.clamp(-self.most_moves, self.most_moves) * self.range / self.most_moves
        };
        let mut value = sum;
        for term in &self.terms {
            let own = match &term.kind {
                TermKind::King(king) => king.evaluate(position),
                TermKind::SimpleKing => {
                    terms::simple_king(&self.game, position) * self.range / 1_000_000
                }
                TermKind::Mobility => bounded(terms::mobility(position)),
                TermKind::Captures => bounded(terms::captures(position, scratch)),
                TermKind::Soundness => bounded(terms::soundness(position)),
            };
            value += own * term.up / term.down;
        }
        value
    }

    /// A value in centipawns: the weakest piece that promotes to a better one counts 100, in games
    /// without one the median piece 300.
    #[inline]
    pub fn centipawns(&self, value: i64) -> i32 {
        const LIMIT: i64 = 1_000_000;
        (value.saturating_mul(100) / self.pawn).clamp(-LIMIT, LIMIT) as i32
    }
}

/// What the pieces of a position add up to for White: those on squares by `value`, and those in hand,
/// which are worth `in_hand` by slot. It wraps around where it would overflow.
pub(super) fn sum(
    position: &Position,
    value: impl Fn(Occupant, Square) -> i64,
    in_hand: &[i64],
) -> i64 {
    let squares = Color::ALL.iter().flat_map(|&color| position.side(color).iter());
    let board = squares.map(|square| value(position.occupant(square), square));
    let hands = Color::ALL.iter().flat_map(|&color| {
        position.hand(color).map(move |(kind, count)| {
            in_hand[Piece { color, kind }.slot()].wrapping_mul(i64::from(count))
        })
    });
    board.chain(hands).fold(0, i64::wrapping_add)
}

/// The same after the last move, from what it was before it.
#[inline]
pub(super) fn sum_after(
    before: i64,
    position: &Position,
    value: impl Fn(Occupant, Square) -> i64,
    in_hand: &[i64],
) -> i64 {
    let mut sum = before;
    position.for_each_change(|change| {
        let more = value(change.after, change.square) - value(change.before, change.square);
        sum = sum.wrapping_add(more);
    });
    position.for_each_hand_change(|color, kind, before| {
        let more = i64::from(position.hand_count(color, kind)) - i64::from(before);
        sum = sum.wrapping_add(more.wrapping_mul(in_hand[Piece { color, kind }.slot()]));
    });
    sum
}

/// Makes values of pieces.
struct Builder<'a> {
    game: &'a Arc<Game>,
    boards: Boards,
    same_armies: bool,
}

impl<'a> Builder<'a> {
    fn new(game: &'a Arc<Game>, signals: &Arc<Signals>) -> Self {
        let start = Position::start(game);
        let army = |color| {
            let mut counts = vec![0; game.piece_count()];
            for square in start.side(color).iter() {
                if let Some(piece) = start.piece_at(square) {
                    counts[usize::from(piece.kind)] += 1;
                }
            }
            counts
        };
        let same_armies = army(Color::White) == army(Color::Black);
        Self {
            game,
            boards: Boards { signals: Arc::clone(signals), ..Boards::new(game) },
            same_armies,
        }
    }

    fn raw(&self, base: &Base) -> RawValues {
        let (game, same) = (self.game, self.same_armies);
        match base {
            Base::Mobility => base_values::mobility(game, &self.boards, same),
            Base::Captures => base_values::captures(game, &self.boards, same),
            Base::Potential(inner) => {
                base_values::potential(game, &self.boards, same, &self.values(inner))
            }
        }
    }

    /// The sum of the components that are values of pieces.
    fn values(&self, spec: &Spec) -> PieceValues {
        let mut sum = PieceValues::zero(self.game);
        let mut known: Vec<(&Base, RawValues)> = Vec::new();
        for Scaled { up, down, component } in &spec.terms {
            let (base, averaged) = match component {
                Component::Base(base) => (base, true),
                Component::Location(base) => (base, false),
                _ => continue,
            };
            let raw = match known.iter().find(|(other, _)| *other == base) {
                Some((_, raw)) => raw.clone(),
                None => {
                    let raw = self.raw(base);
                    known.push((base, raw.clone()));
                    raw
                }
            };
            let values = if averaged { raw.averaged().normalized() } else { raw.normalized() };
            sum.add(&values, *up, *down);
        }
        sum
    }
}

/// What each piece is worth to White in hand.
fn in_hand(game: &Game, values: &PieceValues) -> Vec<i64> {
    let pieces = (0..game.piece_count() as u8)
        .flat_map(|kind| Color::ALL.map(|color| Piece { color, kind }));
    let value = |piece: Piece| match piece.color {
        Color::White => values.mean(piece),
        Color::Black => -values.mean(piece),
    };
    pieces.map(value).collect()
}

/// The value of the weakest piece that promotes to a better one, or a third of the median piece's.
fn pawn(game: &Game, values: &PieceValues, range: i64) -> i64 {
    let value = |kind| values.mean_of_both(kind);
    let improves = |kind| game.promotions(kind).iter().any(|&other| value(other) > value(kind));
    let kinds = (0..game.piece_count() as u8).filter(|&kind| value(kind) > 0);
    let mut all: Vec<(i64, bool)> = kinds.map(|kind| (value(kind), improves(kind))).collect();
    all.sort_unstable();
    let weakest = all.iter().find(|(_, improves)| *improves).map(|&(value, _)| value);
    let median = all.get(all.len() / 2).map(|&(value, _)| value / 3);
    weakest.or(median).unwrap_or(range / 3).max(1)
}
