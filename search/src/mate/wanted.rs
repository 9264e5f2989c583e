//! Whether there is the mate that `go mate` asks for, settled by proof before the search.

use tamarin_base::Bound;
use tamarin_base::types::MAX_PLY;
use tamarin_eval::Score;
use tamarin_movegen::Move;

use super::prover::{MateGoal, MateLimits, MateVerdict, Prover};
use crate::root::RootResult;
use crate::threads::worker::Worker;

/// The most positions that the prover looks at for each side; at most a quarter of a node limit.
const MOST_NODES: u64 = 100_000;
/// The most for the line of a mate that is proven.
const MOST_LINE_NODES: u64 = 10_000;
/// The prover looks at the limits of the search after so many positions.
const SLICE: u64 = 256;
/// Memory of the prover, in MiB.
const MEMORY: usize = 16;

/// What is known of the mate that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WantedMate {
    /// It is the best root move's line, of so many plies.
    Found(u32),
    /// Neither side can force it.
    Excluded,
    /// The search has to find it.
    Open,
}

impl Worker<'_> {
    /// Proves or refutes that either side has a mate in the wanted number of moves, with a bounded
    /// number of nodes and at most half the time. Pruning hides mates, proofs do not.
    pub(crate) fn settle_wanted_mate(&mut self, lines: usize) -> WantedMate {
        let wanted = self.shared.request.limits.mate.and_then(|moves| u8::try_from(moves).ok());
        let Some(moves) = wanted.filter(|&moves| moves > 0 && usize::from(moves) <= MAX_PLY / 2)
        else {
            return WantedMate::Open;
        };
        // A proof is about all moves, and knows no earlier positions.
        let is_partial = lines > 1 || self.root.is_restricted() || self.shared.skill.is_some();
        if !self.is_main() || is_partial || self.position.has_repeated() {
            return WantedMate::Open;
        }
        let mut is_excluded = true;
        for goal in [MateGoal::Mates(moves), MateGoal::IsMated(moves)] {
            match self.settle(goal) {
                Some(line) if line.is_empty() => {}
                Some(line) if self.take_proven(&line) => {
                    return WantedMate::Found(line.len() as u32);
                }
                _ => is_excluded = false,
            }
        }
        if is_excluded { WantedMate::Excluded } else { WantedMate::Open }
    }

    /// The line of the shortest mate by one side, empty if there is none; `None` if the limits were
    /// reached first.
    fn settle(&mut self, goal: MateGoal) -> Option<Vec<Move>> {
        let mut prover = Prover::new(&self.position, goal, MEMORY, MateLimits::default()).ok()?;
        let most = MOST_NODES.min(self.nodes_left() / 4);
        for moves in 1..=goal.moves() {
            loop {
                let before = prover.nodes();
                prover.set_node_limit(Some((before + SLICE).min(most)));
                let verdict = prover.prove(moves);
                self.nodes += prover.nodes() - before;
                match verdict {
                    MateVerdict::Proven => {
                        prover.set_node_limit(Some(prover.nodes() + MOST_LINE_NODES));
                        let line = prover.line(moves);
                        let attacker_begins = matches!(goal, MateGoal::Mates(_));
                        let plies = 2 * usize::from(moves) - usize::from(attacker_begins);
                        return (line.len() == plies).then_some(line);
                    }
                    MateVerdict::Refuted => break,
                    MateVerdict::Undecided if prover.nodes() >= most => return None,
                    MateVerdict::Undecided if self.is_half_used_up() => return None,
                    MateVerdict::Undecided => {}
                }
            }
        }
        Some(Vec::new())
    }

    /// Makes the line of a mate that of the best move; `false` if the tablebases rank another move
    /// higher.
    fn take_proven(&mut self, line: &[Move]) -> bool {
        let mated = Score::mated_in(line.len());
        let score = if line.len().is_multiple_of(2) { mated } else { Score::mate_in(line.len()) };
        let (selective_depth, answers) = (line.len(), &line[1..]);
        let result = RootResult { score, bound: Bound::Exact, selective_depth, answers };
        self.root.update(line[0], self.nodes, Some(&result), &self.params);
        self.root.sort_line();
        self.root.best().is_some_and(|best| best.mv == line[0])
    }

    /// Whether the search was stopped, or half of its time is used up.
    fn is_half_used_up(&mut self) -> bool {
        let is_over = self.check_limits().is_err() || self.signals.stopped();
        let hard = self.shared.time.hard;
        is_over || hard.is_some_and(|hard| self.time_used() >= hard.scaled(1, 2))
    }
}
