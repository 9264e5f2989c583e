//! Depth-first proof-number search for a mate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tamarin_movegen::{Board, Move, PieceKind, Position};

use super::table::{INFINITE, Numbers};
use super::table::{MateMemoryError, Node, Table};

/// Plies without a capture or pawn move after which a game is drawn.
const FIFTY_MOVES: u16 = 100;

/// What is to be proven of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateGoal {
    /// It can force mate in at most this number of its moves.
    Mates(u8),
    /// It is mated in at most this number of moves of the other side, whatever it does; 0 is mate
    /// on the board.
    IsMated(u8),
}

impl MateGoal {
    /// The moves of the side that mates.
    pub const fn moves(self) -> u8 {
        match self {
            Self::Mates(moves) | Self::IsMated(moves) => moves,
        }
    }

    /// The same goal in another number of moves.
    pub const fn with(self, moves: u8) -> Self {
        match self {
            Self::Mates(_) => Self::Mates(moves),
            Self::IsMated(_) => Self::IsMated(moves),
        }
    }
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateVerdict {
    /// It is so.
    Proven,
    /// It is not so.
    Refuted,
    /// The limits were reached first.
    Undecided,
}

/// When to give up.
#[derive(Clone, Default, Debug)]
pub struct MateLimits {
    /// Positions whose moves are looked at.
    pub nodes: Option<u64>,
    /// A point in time.
    pub deadline: Option<Instant>,
    /// Set from elsewhere.
    pub stop: Arc<AtomicBool>,
}

/// Between two looks at the clock, in nodes.
const LOOK_EVERY: u64 = 1024;

/// Proves mates by one side in one position. What it learned serves its later questions.
pub struct Prover {
    root: Node,
    /// The kind of goal, and the most moves that are asked for.
    goal: MateGoal,
    table: Table,
    limits: MateLimits,
    nodes: u64,
    is_stopped: bool,
    counts_clock: bool,
}

impl Prover {
    /// A prover of a goal in `position`, whose history does not count, and of the same goal in fewer
    /// moves, with a table of `mib` MiB.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(
        position: &Position,
        goal: MateGoal,
        mebibytes: usize,
        limits: MateLimits,
    ) -> Result<Self, MateMemoryError> {
        let clock = position.halfmove_clock();
        // Within fewer plies the rule cannot matter, and positions that differ in their clocks
        // are the same.
        let counts_clock = clock + 2 * u16::from(goal.moves()) >= FIFTY_MOVES;
        let board = *position.board();
        // The game goes on at the root, whatever its clock: nobody has claimed a draw.
        let clock = if counts_clock { clock.min(FIFTY_MOVES - 1) } else { 0 };
        let root = Node { board, clock, moves: 0 };
        let table = Table::new(mebibytes)?;
        Ok(Self { root, goal, table, limits, nodes: 0, is_stopped: false, counts_clock })
    }

    /// Positions whose moves were looked at so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Changes the greatest number of nodes, those so far included.
    pub fn set_node_limit(&mut self, nodes: Option<u64>) {
        self.limits.nodes = nodes;
        self.is_stopped = false;
    }

    /// Proves or refutes that the goal can be reached in `moves` moves.
    ///
    /// # Panics
    /// If it is asked about more moves than it was made for.
    pub fn prove(&mut self, moves: u8) -> MateVerdict {
        let (node, goal) = self.begin(moves);
        self.prove_node(&node, goal)
    }

    /// The root and the goal with `moves` moves.
    fn begin(&self, moves: u8) -> (Node, MateGoal) {
        let most = self.goal.moves();
        assert!(moves <= most, "asked about {moves} moves by a prover of at most {most}");
        (Node { moves, ..self.root }, self.goal.with(moves))
    }

    fn prove_node(&mut self, node: &Node, goal: MateGoal) -> MateVerdict {
        let numbers = match (goal, self.known(node, goal)) {
            (_, Some(numbers)) if numbers.is_solved() => numbers,
            (MateGoal::Mates(_), _) => self.attack(node, Numbers::UNTIL_SOLVED),
            (MateGoal::IsMated(_), _) => self.defend(node, Numbers::UNTIL_SOLVED),
        };
        match numbers {
            _ if numbers.is_proven() => MateVerdict::Proven,
            _ if numbers.is_refuted() => MateVerdict::Refuted,
            _ => MateVerdict::Undecided,
        }
    }

    /// What is known of a node without a search.
    fn known(&self, node: &Node, goal: MateGoal) -> Option<Numbers> {
        match goal {
            MateGoal::Mates(0) => Some(Numbers::REFUTED),
            MateGoal::Mates(_) if self.is_drawn(node) => Some(Numbers::REFUTED),
            MateGoal::Mates(1) => Some(mate_in_one(node)),
            MateGoal::Mates(_) => self.table.numbers(node),
            MateGoal::IsMated(moves) => match node.board.count_moves() {
                0 if node.board.checkers().any() => Some(Numbers::PROVEN),
                0 => Some(Numbers::REFUTED),
                _ if moves == 0 || self.is_drawn(node) => Some(Numbers::REFUTED),
                _ => self.table.numbers(node),
            },
        }
    }

    /// Searches a node with the attacker to move until a number reaches its limit.
    fn attack(&mut self, node: &Node, limit: Numbers) -> Numbers {
        let mut children = Vec::new();
        node.board.for_each_child(|board| {
            let child = self.child(node, board, node.moves - 1);
            let goal = MateGoal::IsMated(child.moves);
            let numbers = self.known(&child, goal).unwrap_or_else(|| {
                // Few replies are promising: the mobility of the defender.
                let replies = board.count_moves() as u32;
                Numbers { proof: replies, disproof: 1 }
            });
            if !numbers.is_refuted() {
                children.push((child, numbers));
            }
        });
        let begin = self.nodes;
        let defend = |prover: &mut Self, child: &Node, limit| prover.defend(child, limit);
        let numbers = self.descend(children, limit, defend);
        self.remember(node, numbers, begin);
        numbers
    }

    /// The same with the defender to move, who has a legal move.
    fn defend(&mut self, node: &Node, limit: Numbers) -> Numbers {
        let mut children = Vec::new();
        node.board.for_each_child(|board| {
            let child = self.child(node, board, node.moves);
            let known = self.known(&child, MateGoal::Mates(child.moves));
            let numbers = known.unwrap_or(Numbers { proof: 1, disproof: 1 });
            if !numbers.is_proven() {
                // The defender wants a refutation as the attacker wants a proof.
                children.push((child, numbers.swapped()));
            }
        });
        let attack = |prover: &mut Self, child: &Node, limit: Numbers| {
            prover.attack(child, limit.swapped()).swapped()
        };
        let begin = self.nodes;
        let numbers = self.descend(children, limit.swapped(), attack).swapped();
        self.remember(node, numbers, begin);
        numbers
    }

    fn remember(&mut self, node: &Node, numbers: Numbers, begin: u64) {
        let work = u32::try_from(self.nodes - begin).unwrap_or(u32::MAX);
        self.table.store(node, numbers, work);
    }

    /// Searches the most promising child until a number of the node reaches its limit. All numbers
    /// are from the point of view of the side to move, which wants a proof.
    fn descend(
        &mut self,
        mut children: Vec<(Node, Numbers)>,
        limit: Numbers,
        search: impl Fn(&mut Self, &Node, Numbers) -> Numbers,
    ) -> Numbers {
        self.nodes += 1;
        loop {
            let numbers = Numbers::of_any(children.iter().map(|(_, numbers)| *numbers));
            let is_enough = numbers.proof >= limit.proof || numbers.disproof >= limit.disproof;
            if is_enough || numbers.is_solved() || self.should_stop() {
                return numbers;
            }
            let (best, second) = two_best(&children);
            let (child, own) = children[best];
            let child_limit = Numbers {
                // A quarter more than the second best, so that they do not take turns all the time.
                //
                // Source: J. Pawlewicz, Ł. Lew, "Improving depth-first PN-search: 1+ε trick", 2006.
                proof: limit.proof.min(second.saturating_add(second / 4).saturating_add(1)),
                disproof: (limit.disproof - numbers.disproof + own.disproof).min(INFINITE),
            };
            children[best].1 = search(self, &child, child_limit);
        }
    }

    fn child(&self, node: &Node, board: &Board, moves: u8) -> Node {
        let is_reversible = node.board.pieces(PieceKind::Pawn) == board.pieces(PieceKind::Pawn)
            && node.board.occupied().len() == board.occupied().len();
        let clock = if self.counts_clock && is_reversible { node.clock + 1 } else { 0 };
        Node { board: *board, clock, moves }
    }

    /// Whether the fifty-move rule ends the game, unless the side to move is mated.
    fn is_drawn(&self, node: &Node) -> bool {
        self.counts_clock && node.clock >= FIFTY_MOVES
    }

    fn should_stop(&mut self) -> bool {
        if self.is_stopped {
            return true;
        }
        let is_late = || {
            self.limits.stop.load(Ordering::Relaxed)
                || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        self.is_stopped = self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
            || (self.nodes.is_multiple_of(LOOK_EVERY) && is_late());
        self.is_stopped
    }

    /// The line of a goal that is proven in `moves` moves: the attacker mates as fast as is proven,
    /// the defender holds out as long. Shorter than the mate if a limit is reached.
    ///
    /// # Panics
    /// If it is asked about more moves than it was made for.
    pub fn line(&mut self, moves: u8) -> Vec<Move> {
        let (mut node, mut goal) = self.begin(moves);
        let mut line = Vec::new();
        while let Some((mv, child)) = self.next_of_line(&node, goal) {
            line.push(mv);
            goal = match goal {
                MateGoal::Mates(_) => MateGoal::IsMated(child.moves),
                MateGoal::IsMated(_) => MateGoal::Mates(child.moves),
            };
            node = child;
        }
        line
    }

    fn next_of_line(&mut self, node: &Node, goal: MateGoal) -> Option<(Move, Node)> {
        let mut best: Option<((u8, u8), Move, Node)> = None;
        for mv in node.board.legal_moves() {
            let board = node.board.play(mv);
            let (mut child, child_goal) = match goal {
                MateGoal::Mates(moves) => {
                    (self.child(node, &board, moves - 1), MateGoal::IsMated(moves - 1))
                }
                MateGoal::IsMated(moves) => {
                    (self.child(node, &board, moves), MateGoal::Mates(moves))
                }
            };
            // Only what the proof rests on: all replies, but not all moves of the attacker.
            let is_known = self.known(&child, child_goal).is_some_and(Numbers::is_proven);
            let every_reply_counts = matches!(goal, MateGoal::IsMated(_));
            if !is_known
                && (!every_reply_counts
                    || self.prove_node(&child, child_goal) != MateVerdict::Proven)
            {
                continue;
            }
            child.moves = self.fewest_moves(&child, child_goal);
            // Replies that are mated sooner may be proven in as many moves. The one that refutes a
            // mate in the most holds out longest.
            let length = (child.moves, self.table.refuted_in(&child));
            let is_better = best.as_ref().is_none_or(|(old, ..)| match goal {
                MateGoal::Mates(_) => length.0 < old.0,
                MateGoal::IsMated(_) => length > *old,
            });
            if is_better {
                best = Some((length, mv, child));
            }
        }
        best.map(|(_, mv, child)| (mv, child)).or_else(|| self.lost_move(node, goal))
    }

    /// In how many moves a proven goal is proven.
    fn fewest_moves(&self, node: &Node, goal: MateGoal) -> u8 {
        let is_over = |moves| self.known(node, goal.with(moves)).is_some_and(Numbers::is_proven);
        let least = match goal {
            MateGoal::Mates(_) => 1,
            MateGoal::IsMated(_) => 0,
        };
        if is_over(least) {
            return least;
        }
        self.table.proven_in(node).map_or(node.moves, |moves| moves.min(node.moves))
    }

    /// The table has forgotten which move mates: it is proven again.
    fn lost_move(&mut self, node: &Node, goal: MateGoal) -> Option<(Move, Node)> {
        let MateGoal::Mates(moves) = goal else { return None };
        let left = moves.checked_sub(1)?;
        node.board.legal_moves().into_iter().find_map(|mv| {
            let child = self.child(node, &node.board.play(mv), left);
            let proven = self.prove_node(&child, MateGoal::IsMated(left)) == MateVerdict::Proven;
            proven.then_some((mv, child))
        })
    }

    /// Every first move with what was proven about it for `moves` moves.
    ///
    /// # Panics
    /// If it is asked about more moves than it was made for.
    pub fn first_moves(&mut self, moves: u8) -> Vec<(Move, MateVerdict)> {
        let (root, goal) = self.begin(moves);
        let moves = self.root.board.legal_moves();
        let verdict = |mv: Move| {
            let board = root.board.play(mv);
            let verdict = match goal {
                MateGoal::Mates(0) => MateVerdict::Refuted,
                MateGoal::Mates(moves) => {
                    let child = self.child(&root, &board, moves - 1);
                    self.prove_node(&child, MateGoal::IsMated(moves - 1))
                }
                MateGoal::IsMated(moves) => {
                    let child = self.child(&root, &board, moves);
                    self.prove_node(&child, MateGoal::Mates(moves))
                }
            };
            (mv, verdict)
        };
        moves.into_iter().map(verdict).collect()
    }
}

/// Whether some move mates at once.
fn mate_in_one(node: &Node) -> Numbers {
    let mut found = false;
    node.board.for_each_child(|board| {
        found = found || (board.checkers().any() && board.count_moves() == 0);
    });
    if found { Numbers::PROVEN } else { Numbers::REFUTED }
}

/// The child with the least proof number, and that of the second.
fn two_best(children: &[(Node, Numbers)]) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, INFINITE);
    for (index, (_, numbers)) in children.iter().enumerate() {
        if numbers.proof < least {
            second = second.min(least);
            (best, least) = (index, numbers.proof);
        } else {
            second = second.min(numbers.proof);
        }
    }
    (best, second)
}
