//! What the threads of one search share.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use tamarin_base::params::Params;
use tamarin_base::{Bound, HelperResults, Millis, Signals, TimeLimits, Wait};
use tamarin_eval::Score;
use tamarin_movegen::{Move, Position};

use crate::limits::Limits;
use crate::options::SearchOptions;
use crate::report::{BestMove, Note, Observer, Report};
use crate::root::{RootMove, RootMoves};
use crate::strength::Skill;
use crate::tablebases::{RootRanking, Tablebases, Wdl};
use crate::tt::TranspositionTable;

/// The greatest number of best lines a search looks for.
const MAX_LINES: usize = 256;

/// What a thread has counted, as far as it has published it.
#[derive(Default)]
pub(crate) struct NodeCounter {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl NodeCounter {
    /// Publishes the thread's nodes and tablebase hits so far.
    pub fn publish(&self, nodes: u64, tablebase_hits: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.tablebase_hits.store(tablebase_hits, Ordering::Relaxed);
    }

    /// The nodes published last.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The tablebase hits published last.
    pub fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Ordering::Relaxed)
    }
}

/// What a thread found.
#[derive(Clone, Default, Debug)]
pub(crate) struct ThreadResult {
    /// The best lines, best first; empty if the root has no legal move.
    pub lines: Vec<RootMove>,
    /// The last finished iteration.
    pub depth: u32,
    /// Whether the observer has got exactly these lines already.
    pub reported: bool,
}

impl ThreadResult {
    /// The best move.
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }

    /// Its score.
    pub fn score(&self) -> Score {
        self.lines.first().and_then(|line| line.score).unwrap_or(-Score::INFINITE)
    }
}

/// Which of the reported lines (MultiPV) one is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineIndex {
    /// Counted from 0.
    pub index: usize,
    /// How many lines are reported.
    pub lines: usize,
}

/// A score as users see it, without the draw noise of
/// [`draw_score`](crate::threads::worker::Worker::draw_score).
pub(crate) fn without_draw_noise(score: Score, params: &Params) -> Score {
    if score.units().abs() <= params.draw_noise() { Score::DRAW } else { score }
}

/// What a search is started with.
pub(crate) struct SearchRequest {
    pub position: Position,
    pub limits: Limits,
    pub options: SearchOptions,
    pub params: Params,
    pub table: Arc<TranspositionTable>,
    pub tablebases: Arc<Tablebases>,
    pub threads: usize,
}

/// The state of one search that all its threads share.
pub(crate) struct SharedState {
    pub request: SearchRequest,
    /// The legal moves of the root.
    pub moves: Vec<Move>,
    pub time: TimeLimits,
    /// `None` at full strength.
    pub skill: Option<Skill>,
    /// What the tablebases say of the root; `None` if they do not know it.
    ranking: Option<RootRanking>,
    pub signals: Arc<Signals>,
    /// One a thread, each on a cache line of its own.
    nodes: Box<[CachePadded<NodeCounter>]>,
    /// Nodes of all threads when the ponder hit was noticed.
    nodes_at_ponder_hit: OnceLock<u64>,
    /// The results of the helper threads, or the notes of their failure.
    pub helpers: HelperResults<Result<ThreadResult, Note>>,
    observer: Mutex<Option<Box<dyn Observer>>>,
    answer: Mutex<Option<BestMove>>,
}

impl SharedState {
    /// The state of a search that starts now.
    pub fn new(mut request: SearchRequest, observer: Box<dyn Observer>) -> Self {
        // The time starts here.
        let signals = Arc::new(Signals::new(request.limits.wait));
        request.position.clear_undo();
        let SearchRequest { position, limits, options, params, tablebases, .. } = &request;
        let moves = position.legal_moves().to_vec();
        let side = position.side_to_move();
        Self {
            time: limits.time(side, position.fullmove_number(), options, params),
            skill: Skill::new(options.strength, position, options.seed),
            ranking: RootRanking::new(tablebases, position, &moves, &options.tablebases),
            signals,
            nodes: (0..request.threads).map(|_| CachePadded::default()).collect(),
            nodes_at_ponder_hit: OnceLock::new(),
            helpers: HelperResults::default(),
            observer: Mutex::new(Some(observer)),
            answer: Mutex::new(None),
            moves,
            request,
        }
    }

    /// The observer, for the main thread, which alone talks to it.
    pub fn take_observer(&self) -> Option<Box<dyn Observer>> {
        self.observer.lock().take()
    }

    /// The moves of the root to search: of those wanted the best by the tablebases.
    pub fn root_moves(&self) -> RootMoves {
        let mut root = RootMoves::new(&self.moves, &self.request.limits.search_moves);
        if let Some(skill) = &self.skill {
            let moves: Vec<_> = root.all().iter().map(|root_move| root_move.mv).collect();
            root.keep(&skill.candidates(&self.request.position, &moves));
        }
        let options = &self.request.options;
        if options.varies && !self.skill.as_ref().is_some_and(Skill::varies) {
            root.vary(options.seed ^ self.request.position.key());
        }
        if let Some(ranking) = &self.ranking {
            root.keep_best_ranked(ranking, self.lines_to_search());
        }
        root
    }

    /// The greatest number of pieces that nodes of the search probe the tablebases with; 0 if
    /// they do not.
    pub fn probe_limit(&self) -> u32 {
        if self.ranking.as_ref().is_some_and(RootRanking::suffices) {
            return 0;
        }
        self.request.tablebases.pieces().min(self.request.options.tablebases.probe_limit)
    }

    /// By how much a draw is worth less than an equal game, in score units.
    pub fn contempt(&self) -> i32 {
        match self.request.limits.clock(self.request.position.side_to_move()) {
            Some(_) => self.request.options.contempt_units(),
            None => 0,
        }
    }

    /// How many of the best lines the user wants to see.
    pub fn lines_to_show(&self) -> usize {
        self.request.options.multi_pv.clamp(1, MAX_LINES)
    }

    /// How many of the best lines have to be searched.
    pub fn lines_to_search(&self) -> usize {
        let shown = self.lines_to_show();
        self.skill.as_ref().map_or(shown, |skill| skill.lines().max(shown))
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// The counter of the given thread.
    pub fn node_counter(&self, thread: usize) -> &NodeCounter {
        &self.nodes[thread]
    }

    /// Nodes of all threads, as far as published.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.nodes()).sum()
    }

    /// When the clock of this search started, after the search itself, counted in nodes if there is
    /// a node time; `None` while the opponent's is running.
    pub fn clock_start(&self) -> Option<Millis> {
        let start = self.signals.clock_start()?;
        match self.request.options.node_time {
            0 => Some(start),
            rate => Some(Millis::new(self.nodes_before_clock() / rate)),
        }
    }

    /// Nodes of all threads on the clock of this search; `None` if it was for no move: an endless
    /// one, or one in the opponent's time without a ponder hit.
    pub fn clock_nodes(&self) -> Option<u64> {
        match self.request.limits.wait {
            Wait::UntilStop => None,
            Wait::No | Wait::Ponder => {
                self.signals.clock_start()?;
                let before = self.nodes_before_clock();
                Some(self.nodes().saturating_sub(before))
            }
        }
    }

    /// Nodes of all threads before the clock started, which has to run. The first call after a
    /// ponder hit fixes the number.
    fn nodes_before_clock(&self) -> u64 {
        match self.request.limits.wait {
            Wait::Ponder => *self.nodes_at_ponder_hit.get_or_init(|| self.nodes()),
            Wait::No | Wait::UntilStop => 0,
        }
    }

    /// Tablebase hits of all threads, as far as published, and those of the root.
    fn tablebase_hits(&self) -> u64 {
        let of_threads: u64 = self.nodes.iter().map(|counter| counter.tablebase_hits()).sum();
        of_threads + self.ranking.as_ref().map_or(0, RootRanking::hits)
    }

    /// What to report of one of the best lines.
    pub fn report<'a>(
        &'a self,
        depth: u32,
        line: LineIndex,
        root_move: &'a RootMove,
    ) -> Report<'a> {
        let (score, bound) = root_move.shown();
        Report {
            selective_depth: depth.max(root_move.selective_depth as u32),
            line: line.index + 1,
            lines: line.lines,
            bound,
            ..self.report_of(depth, score, self.consistent_line(root_move))
        }
    }

    /// The line of a root move, up to where the verdict of the tablebases changes that its score is.
    fn consistent_line<'a>(&self, root_move: &'a RootMove) -> &'a [Move] {
        let line = &root_move.line[..];
        if root_move.tablebase.is_none() || root_move.shown().0.is_mate() {
            return line;
        }
        let mut position = self.request.position.clone();
        let mut verdicts = line.iter().map(|&mv| {
            position.make(mv);
            self.request.tablebases.wdl_by_clock(&position)
        });
        let mut last = verdicts.next().flatten();
        let mut keeps = |verdict: &Option<Wdl>| {
            let before = std::mem::replace(&mut last, *verdict);
            before.zip(*verdict).is_none_or(|(before, now)| now == -before)
        };
        &line[..1 + verdicts.take_while(|verdict| keeps(verdict)).count()]
    }

    /// What to report of the only line.
    pub fn report_of<'a>(&'a self, depth: u32, score: Score, pv: &'a [Move]) -> Report<'a> {
        Report {
            depth,
            selective_depth: depth,
            line: 1,
            lines: 1,
            score: without_draw_noise(score, &self.request.params),
            bound: Bound::Exact,
            nodes: self.nodes(),
            time: self.signals.elapsed(),
            hash_full: self.request.table.permille_full(),
            tablebase_hits: self.tablebase_hits(),
            is_from_tablebases: self.ranking.is_some(),
            pv,
            position: &self.request.position,
        }
    }

    /// Keeps the answer and passes it to the observer, whose last call this is.
    pub fn finish(&self, observer: &mut dyn Observer, answer: BestMove) {
        *self.answer.lock() = Some(answer);
        observer.finished(&answer);
    }

    /// How the search ended; `None` while it runs, or if the observer panicked.
    pub fn answer(&self) -> Option<BestMove> {
        *self.answer.lock()
    }
}

#[cfg(test)]
impl SharedState {
    /// The state of a search of the start position without an observer.
    pub fn of_startpos(limits: Limits, options: SearchOptions, threads: usize) -> Self {
        Self::of(Position::startpos(), limits, options, threads)
    }

    /// The state of a search without an observer.
    pub fn of(position: Position, limits: Limits, options: SearchOptions, threads: usize) -> Self {
        let request = SearchRequest {
            position,
            limits,
            options,
            params: Params::new(),
            table: Arc::new(TranspositionTable::new(1, 0).unwrap()),
            tablebases: Arc::default(),
            threads,
        };
        Self::new(request, Box::new(crate::report::Silent))
    }
}

/// The result of a thread for a move of the start position, given by its index.
#[cfg(test)]
pub(crate) fn result(mv: usize, score: Score, depth: u32) -> ThreadResult {
    let moves = Position::startpos().legal_moves();
    let mut root = RootMoves::new(&moves[mv..=mv], &[]);
    root.set_best_score(score);
    ThreadResult { lines: root.all().to_vec(), depth, reported: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Strength;
    use tamarin_base::formula;

    #[test]
    fn a_search_without_some_of_the_moves_does_not_score_the_position() {
        // The queen can give itself up for a smothered mate, which a weak player never sees.
        let smothered = Position::from_fen("r6k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1").unwrap();
        let (full, weak) = (Strength::Full, Strength::Elo(2000));
        for (position, strength, wanted, is_restricted) in [
            (Position::startpos(), full, None, false),
            (Position::startpos(), weak, None, false),
            (Position::startpos(), full, Some("e4"), true),
            (Position::startpos(), weak, Some("e4"), true),
            (smothered.clone(), full, None, false),
            (smothered, weak, None, true),
        ] {
            let search_moves = wanted.map(|text| position.parse_san(text).unwrap());
            let search_moves = search_moves.into_iter().collect();
            let limits = Limits { search_moves, ..Limits::default() };
            let options = SearchOptions { strength, ..SearchOptions::default() };
            let shared = SharedState::of(position, limits, options, 1);
            let root = shared.root_moves();
            assert_eq!(root.is_restricted(), is_restricted, "{strength:?}, {wanted:?}");
        }
    }

    #[test]
    fn play_varies_by_the_seed_where_errors_alone_do_not_make_it() {
        let (full, weak, strong) = (Strength::Full, Strength::Elo(1500), Strength::Elo(2600));
        for (strength, varies, wanted) in
            [(full, false, 0), (full, true, 1), (weak, true, 0), (strong, true, 1)]
        {
            let options = |seed| SearchOptions { strength, varies, seed, ..Default::default() };
            let bonuses = |seed| {
                let shared = SharedState::of_startpos(Limits::default(), options(seed), 1);
                let root = shared.root_moves();
                shared.moves.iter().map(|mv| root.bonus(*mv)).collect::<Vec<_>>()
            };
            let [first, again, other] = [1, 1, 2].map(bonuses);
            assert_eq!(first, again);
            assert_eq!(usize::from(first != other), wanted, "{strength:?} {varies}");
            assert!(first.iter().all(|bonus| (0..formula::VARIETY).contains(bonus)));
        }
    }
}
