//! Positions of games as terms with counts, for a fit.

use std::sync::Arc;

use tamarin_variant::{Color, Game, Move, Position};

use super::record::{Ending, Record};
use crate::evaluate::learned::{Learned, Shape, Sink};

/// The steepness of the curve from scores to points: the unit of the standard engine.
pub(super) const K: f32 = 0.005;
/// Positions that are further decided teach little.
const MOST_SCORE: i16 = 3000;
/// One game in this number is held out of the fit.
const HELD_OUT: usize = 16;
/// About the greatest number of samples; of more each second, third and so on is taken.
const MOST_SAMPLES: usize = 700_000;

/// Positions as terms. Counts are White's less Black's.
#[derive(Default)]
pub(super) struct Samples {
    /// Terms and counts, one position after the other: the number of the term times 256 plus the
    /// count, an `i8`.
    pub(super) entries: Vec<u32>,
    /// By position: where its entries end, its phase and White's expected points.
    pub(super) positions: Vec<Sample>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) end: usize,
    pub(super) phase: f32,
    pub(super) target: f32,
}

impl Samples {
    /// Calls `found` with the entries and the rest of each position.
    #[inline]
    pub(super) fn of(&self, at: usize) -> (&[u32], Sample) {
        let sample = self.positions[at];
        let start = at.checked_sub(1).map_or(0, |before| self.positions[before].end);
        (&self.entries[start..sample.end], sample)
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }
}

/// The term and the count of an entry.
#[inline]
pub(super) fn entry(bits: u32) -> (usize, f32) {
    ((bits >> 8) as usize, f32::from(bits as u8 as i8))
}

/// White's expected points at a score.
pub(super) fn points(score: f32) -> f32 {
    1.0 / (1.0 + (-K * score).exp())
}

/// What is learned from, and what is held out to evaluator it by.
pub(super) struct Data {
    pub(super) fit: Samples,
    pub(super) held_out: Samples,
    /// By term: how often it was there, in the middlegame and in the endgame.
    pub(super) seen: Vec<[f64; 2]>,
}

/// The quiet positions of some games. `share` of the target is the result of the game, the rest
/// what the search expected. The phase of positions is that of `evaluator`, whose terms they are.
pub(super) fn collect(game: &Arc<Game>, evaluator: &Learned, games: &[Record], share: f32) -> Data {
    let all: usize = games.iter().map(|record| record.scores.len()).sum();
    let stride = all.div_ceil(MOST_SAMPLES).max(1);
    let mut trace = Trace::new(&evaluator.shape);
    let mut data = Data { fit: Samples::default(), held_out: Samples::default(), seen: Vec::new() };
    for (number, record) in games.iter().enumerate() {
        let samples =
            if number % HELD_OUT == HELD_OUT - 1 { &mut data.held_out } else { &mut data.fit };
        let mut counted = 0;
        // A game without such moves was refused when it was read.
        let _ = record.replay(game, |ply, position, m| {
            let Some(&score) = ply.checked_sub(record.opening).and_then(|i| record.scores.get(i))
            else {
                return;
            };
            if score.abs() > MOST_SCORE || position.in_check() || !is_quiet(position, m) {
                return;
            }
            counted += 1;
            if counted % stride == 0 {
                let expected = points(score.into());
                let target = share * result(record) + (1.0 - share) * expected;
                trace.add_position(evaluator, position, target, samples);
            }
        });
    }
    data.seen = trace.seen;
    data
}

/// White's points. What an undecided game would have come to, its last score shows best.
fn result(record: &Record) -> f32 {
    match record.ending {
        Ending::Undecided => points(record.scores.last().copied().unwrap_or(0).into()),
        _ => record.points() as f32,
    }
}

/// Whether a move neither captures nor promotes. Pieces that appear elsewhere are no reason to leave
/// a position out: there are games in which every move makes one.
fn is_quiet(position: &Position, m: Move) -> bool {
    let mover = position.mover(m).map(|piece| piece.kind);
    let mut quiet = !position.is_capture(m);
    position.for_each_created(m, |square, kind| quiet &= square != m.to || Some(kind) == mover);
    quiet
}

/// Counts the terms of one position.
struct Trace<'a> {
    shape: &'a Shape,
    counts: Vec<i32>,
    touched: Vec<usize>,
    seen: Vec<[f64; 2]>,
    phase: f32,
}

impl Sink for Trace<'_> {
    fn add(&mut self, term: usize, color: Color, count: i32) {
        if self.counts[term] == 0 {
            self.touched.push(term);
        }
        self.counts[term] += if color == Color::White { count } else { -count };
        let [middlegame, endgame] = &mut self.seen[term];
        *middlegame += f64::from(count) * f64::from(self.phase);
        *endgame += f64::from(count) * f64::from(1.0 - self.phase);
    }
}

impl<'a> Trace<'a> {
    fn new(shape: &'a Shape) -> Self {
        let len = shape.layout.len;
        Self {
            shape,
            counts: vec![0; len],
            touched: Vec::new(),
            seen: vec![[0.0; 2]; len],
            phase: 0.0,
        }
    }

    fn add_position(
        &mut self,
        evaluator: &Learned,
        position: &Position,
        target: f32,
        samples: &mut Samples,
    ) {
        let shape = self.shape;
        self.phase = evaluator.phase(evaluator.sum(position));
        shape.visit_pieces(position, self);
        shape.visit(position, self);
        // A term that was counted back to zero may have been touched several times.
        self.touched.sort_unstable();
        for term in self.touched.drain(..) {
            let count = std::mem::take(&mut self.counts[term]).clamp(-127, 127);
            if count != 0 {
                samples.entries.push((term as u32) << 8 | u32::from(count as i8 as u8));
            }
        }
        let end = samples.entries.len();
        samples.positions.push(Sample { end, phase: self.phase, target });
    }
}
