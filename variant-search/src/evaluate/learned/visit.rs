//! Which terms a position has.

use arrayvec::ArrayVec;
use tamarin_variant::{
    Color, Game, MAX_SQUARES, Occupant, Piece, Position, Scope, Scopes, Set, Square,
};

use super::geometry::Geometry;
use super::layout::{KindTerms, Layout, MOST_COUNT, MOST_DISTANCE, RUNS, ScoreSum};

/// Pieces of similar value form a class: the greatest number of classes, and that of royal pieces.
const CLASSES: usize = 15;
const ROYAL: usize = CLASSES;
/// The greatest number of kinds of runners that are looked at.
const RUNNERS: usize = 8;
/// Numbers of moves from here on are one.
const MOVES: usize = 32;
/// Squares of the largest board.
const SQUARES: usize = MAX_SQUARES;

/// Receives the terms of a position.
pub(crate) trait Sink {
    /// A side has a term `count` times.
    fn add(&mut self, term: usize, color: Color, count: i32);
}

/// What terms are made of: all that does not depend on the weights.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) layout: Layout,
    pub(crate) geometry: Geometry,
    /// By kind: what exchanges count it as, in centipawns. It makes some pieces cheaper than others.
    pub(crate) exchange: Vec<i32>,
    /// By kind: its class, from the cheapest.
    classes: Vec<usize>,
    /// By kind: its number among the runners.
    runners: Vec<Option<usize>>,
    /// By kind and number of moves: the term of the bucket.
    mobility: Vec<[u16; MOVES]>,
    scopes: Scopes,
}

impl Shape {
    pub(crate) fn new(game: &Game, exchange: &[i32]) -> Self {
        let geometry = Geometry::new(game);
        let layout = Layout::new(game, &geometry);
        let buckets = |terms: &KindTerms| {
            std::array::from_fn(|moves| (terms.mobility + terms.bucket(moves)) as u16)
        };
        Self {
            mobility: layout.kinds.iter().map(buckets).collect(),
            runners: runners(&geometry),
            layout,
            geometry,
            exchange: exchange.to_vec(),
            classes: classes(game, exchange),
            scopes: Scopes::new(game),
        }
    }

    /// The same terms with other values in exchanges.
    pub(crate) fn with_exchange(&self, game: &Game, exchange: &[i32]) -> Self {
        let classes = classes(game, exchange);
        Self { exchange: exchange.to_vec(), classes, ..self.clone() }
    }

    /// The class of a kind: pieces of lower ones are cheaper.
    #[cfg(test)]
    pub(crate) fn class(&self, kind: u8) -> usize {
        self.classes[usize::from(kind)]
    }

    /// The terms of a piece on a square, with flags: they change only where a move changes the board.
    pub(crate) fn visit_piece(
        &self,
        (piece, flags): (Piece, u8),
        square: Square,
        sink: &mut dyn Sink,
    ) {
        let terms = &self.layout.kinds[usize::from(piece.kind)];
        let (row, column, place) = self.geometry.place(piece.kind, piece.color, square);
        sink.add(terms.value, piece.color, 1);
        sink.add(terms.rows + row, piece.color, 1);
        sink.add(terms.columns + column, piece.color, 1);
        sink.add(terms.squares + place, piece.color, 1);
        for flag in (0..8).filter(|flag| flags >> flag & 1 != 0) {
            sink.add(terms.flags + flag, piece.color, 1);
        }
    }

    /// The terms of `count` pieces of a kind in a side's hand.
    pub(crate) fn visit_hand(&self, piece: Piece, count: u8, sink: &mut dyn Sink) {
        sink.add(self.layout.kinds[usize::from(piece.kind)].hand, piece.color, count.into());
    }

    /// All pieces of a position on their squares and in hand.
    pub(crate) fn visit_pieces(&self, position: &Position, sink: &mut dyn Sink) {
        for color in Color::ALL {
            for square in position.side(color).iter() {
                let Occupant { piece, flags } = position.occupant(square);
                if let Some(piece) = piece {
                    self.visit_piece((piece, flags), square, sink);
                }
            }
            for (kind, count) in position.hand(color) {
                self.visit_hand(Piece { color, kind }, count, sink);
            }
        }
    }

    /// All other terms of a position.
    pub(crate) fn visit(&self, position: &Position, sink: &mut dyn Sink) {
        self.visit_board::<3>(position, sink);
    }

    /// The same for a search: small boards are spared the words that they do not need.
    pub(crate) fn add_terms(&self, position: &Position, sum: &mut ScoreSum<'_>) {
        match position.game().words() {
            1 => self.visit_board::<1>(position, sum),
            2 => self.visit_board::<2>(position, sum),
            _ => self.visit_board::<3>(position, sum),
        }
    }

    fn visit_board<const W: usize>(&self, position: &Position, sink: &mut (impl Sink + ?Sized)) {
        let mut board = Board::<W>::empty(position);
        board.fill(self, position);
        for seen in &board.pieces {
            self.visit_activity(&board, seen, sink);
            if seen.class != ROYAL {
                self.visit_safety(&board, seen, sink);
            }
            self.visit_run(&board, seen, sink);
        }
        for color in Color::ALL {
            let zone = board.zones[color.index()];
            if !zone.is_empty() {
                let theirs = &board.attacks[color.other().index()];
                let own = &board.attacks[color.index()];
                let weak = zone.and(theirs.all).minus(own.but_royal).len();
                let attackers = board.attackers[color.index()];
                sink.add(self.layout.weak + weak.min(MOST_COUNT), color, 1);
                sink.add(self.layout.attackers + attackers.min(MOST_COUNT), color, 1);
            }
        }
        sink.add(self.layout.tempo, board.side_to_move, 1);
    }

    /// Mobility, and attacks on the zone of the other side's royal piece.
    fn visit_activity<const W: usize>(
        &self,
        board: &Board<W>,
        seen: &Seen<W>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let Piece { kind, color } = seen.piece;
        let terms = &self.layout.kinds[usize::from(kind)];
        let theirs = &board.attacks[color.other().index()];
        let safe = seen.scope.moves.minus(theirs.below[seen.class]).len();
        let term = self.mobility[usize::from(kind)][safe.min(MOVES - 1)];
        sink.add(term.into(), color, 1);
        let hits = seen.scope.attacks.and(board.zones[color.other().index()]).len();
        if hits > 0 && seen.class != ROYAL {
            sink.add(terms.zone, color, hits as i32);
        }
    }

    /// What attacks and defends a piece, and whom it shelters.
    fn visit_safety<const W: usize>(
        &self,
        board: &Board<W>,
        seen: &Seen<W>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let Piece { kind, color } = seen.piece;
        let terms = &self.layout.kinds[usize::from(kind)];
        let (own, theirs) = (&board.attacks[color.index()], &board.attacks[color.other().index()]);
        let turn = usize::from(board.side_to_move != color);
        if theirs.all.has(seen.square) && !own.all.has(seen.square) {
            sink.add(terms.hanging + turn, color, 1);
        }
        if theirs.below[seen.class].has(seen.square) {
            sink.add(terms.harried + turn, color, 1);
        }
        if own.below[1].has(seen.square) {
            sink.add(terms.guarded, color, 1);
        }
        if board.zones[color.index()].has(seen.square) {
            sink.add(terms.shelter, color, 1);
        }
        if seen.is_copy {
            sink.add(terms.pair, color, 1);
        }
    }

    /// How a runner stands on its way.
    fn visit_run<const W: usize>(
        &self,
        board: &Board<W>,
        seen: &Seen<W>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let Some(runner) = self.runners[usize::from(seen.piece.kind)] else { return };
        let Some(runways) = &self.geometry.runways[seen.piece.slot()] else { return };
        let runway = &runways[usize::from(seen.square)];
        if runway.distance == 0 {
            return;
        }
        let Piece { kind, color } = seen.piece;
        let terms = &self.layout.kinds[usize::from(kind)];
        let same = &board.runners[runner];
        if !same[color.index()].and(runway.path.first()).is_empty() {
            sink.add(terms.doubled, color, 1);
        }
        if !same[color.other().index()].and(runway.stoppers.first()).is_empty() {
            return;
        }
        let way = if runway.next.first().minus(board.occupied).is_empty() {
            2
        } else {
            usize::from(
                !runway.path.first().and(board.attacks[color.other().index()].all).is_empty(),
            )
        };
        let distance = usize::from(runway.distance).min(MOST_DISTANCE) - 1;
        sink.add(terms.passed + distance * RUNS + way, color, 1);
    }
}

/// A piece of a position.
struct Seen<const W: usize> {
    piece: Piece,
    square: Square,
    class: usize,
    /// Whether one of its kind and side comes before it.
    is_copy: bool,
    scope: Scope<W>,
}

/// What a side attacks.
struct Attacks<const W: usize> {
    all: Set<W>,
    /// By class: what all classes below attack.
    below: [Set<W>; CLASSES + 1],
    but_royal: Set<W>,
}

/// A position with the scopes of its pieces.
struct Board<const W: usize> {
    pieces: ArrayVec<Seen<W>, SQUARES>,
    attacks: [Attacks<W>; 2],
    /// By side: the zone of its royal pieces; empty without one, or where they roam.
    zones: [Set<W>; 2],
    /// By side: pieces that attack its zone.
    attackers: [usize; 2],
    occupied: Set<W>,
    /// By number of the runner and side: where they are.
    runners: [[Set<W>; 2]; RUNNERS],
    side_to_move: Color,
}

impl<const W: usize> Board<W> {
    fn empty(position: &Position) -> Self {
        Self {
            pieces: ArrayVec::new_const(),
            attacks: [Attacks::NONE; 2],
            zones: [Set::EMPTY; 2],
            attackers: [0; 2],
            occupied: position.side(Color::White).or(position.side(Color::Black)).first(),
            runners: [[Set::EMPTY; 2]; RUNNERS],
            side_to_move: position.side_to_move(),
        }
    }

    fn fill(&mut self, shape: &Shape, position: &Position) {
        let squares = shape.geometry.squares;
        for color in Color::ALL {
            let attacks = &mut self.attacks[color.index()];
            let mut seen_kinds = 0u64;
            for square in position.side(color).first::<W>().iter() {
                let Some(piece) = position.piece_at(square) else { continue };
                let scope = position.scope(square, &shape.scopes);
                let class = shape.classes[usize::from(piece.kind)];
                // The attacks of each class, until all are known.
                attacks.below[class] = attacks.below[class].or(scope.attacks);
                if class == ROYAL {
                    let zone = shape.geometry.zones[piece.slot() * squares + usize::from(square)];
                    self.zones[color.index()] = self.zones[color.index()].or(zone.first());
                }
                if let Some(runner) = shape.runners[usize::from(piece.kind)] {
                    self.runners[runner][color.index()].insert(square);
                }
                let bit = 1 << (piece.kind & 63);
                let is_copy = seen_kinds & bit != 0;
                seen_kinds |= bit;
                self.pieces.push(Seen { piece, square, class, is_copy, scope });
            }
            attacks.add_up();
        }
        for seen in self.pieces.iter().filter(|seen| seen.class != ROYAL) {
            let zone = seen.piece.color.other().index();
            self.attackers[zone] +=
                usize::from(!seen.scope.attacks.and(self.zones[zone]).is_empty());
        }
    }
}

impl<const W: usize> Attacks<W> {
    const NONE: Self =
        Self { all: Set::EMPTY, below: [Set::EMPTY; CLASSES + 1], but_royal: Set::EMPTY };

    /// From the attacks of each class to those of all classes below it.
    fn add_up(&mut self) {
        let mut all = Set::EMPTY;
        for class in &mut self.below {
            let own = std::mem::replace(class, all);
            all = all.or(own);
        }
        (self.all, self.but_royal) = (all, self.below[ROYAL]);
    }
}

/// By kind: its number among the runners.
fn runners(geometry: &Geometry) -> Vec<Option<usize>> {
    let mut next = 0;
    let kinds = geometry.runways.chunks(2);
    kinds
        .map(|ways| {
            let runs = ways.iter().any(Option::is_some) && next < RUNNERS;
            next += usize::from(runs);
            runs.then(|| next - 1)
        })
        .collect()
}

/// By kind: its class. A class has the pieces that are worth at most a seventh more than its
/// cheapest one, and royal pieces have one of their own.
fn classes(game: &Game, exchange: &[i32]) -> Vec<usize> {
    let mut order: Vec<u8> =
        (0..exchange.len() as u8).filter(|&kind| !game.is_royal(kind)).collect();
    order.sort_by_key(|&kind| (exchange[usize::from(kind)], kind));
    let mut classes = vec![ROYAL; exchange.len()];
    let (mut class, mut cheapest) = (0, None);
    for kind in order {
        let value = exchange[usize::from(kind)];
        let first = *cheapest.get_or_insert(value);
        if value > first + first.abs() / 7 && class + 1 < CLASSES {
            class += 1;
            cheapest = Some(value);
        }
        classes[usize::from(kind)] = class;
    }
    classes
}
