//! Searches of chess that can be waited for or looked at while they run.

use std::sync::Arc;

use parking_lot::Mutex;
use tamarin_eval::Score;
use tamarin_eval::network::Network;
use tamarin_movegen::{Move, Position};
use tamarin_search::{
    BestMove, Bound, Controls, Engine, Limits, Millis, Observer, Report, RunningSearch,
    SearchOptions, StartError, TablebaseProbe,
};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The iteration, in plies.
    pub depth: u32,
    /// The score for the side to move.
    pub score: Score,
    pub pv: Vec<Move>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it ended; `None` if the search failed.
    pub best: Option<BestMove>,
    pub line: Option<Line>,
    /// The best lines where several were asked for, the best one first.
    pub lines: Vec<Line>,
    /// What endgame tablebases say of the position, for the side to move, if they know it: above 0
    /// a win, 0 a draw, below a loss.
    pub result: Option<i32>,
}

/// What a running search has found so far.
#[derive(Clone, Default)]
struct Progress(Arc<Mutex<Found>>);

#[derive(Default)]
struct Found {
    line: Option<Line>,
    lines: Vec<Line>,
    /// First moves of best lines, the latest first.
    considered: Vec<Move>,
    best: Option<BestMove>,
    nodes: u64,
    time: Millis,
}

/// How far a running search has come.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Advance {
    /// The best lines, the best one first.
    pub lines: Vec<Line>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Millis,
}

struct Searching {
    running: Box<RunningSearch>,
    position: Box<Position>,
    progress: Progress,
}

impl Observer for Progress {
    fn iteration(&mut self, report: &Report<'_>) {
        let mut found = self.0.lock();
        (found.nodes, found.time) = (report.nodes, report.time);
        if let (1, Some(first)) = (report.line, report.pv.first()) {
            found.considered.retain(|mv| mv != first);
            found.considered.insert(0, *first);
        }
        if report.bound != Bound::Exact {
            return;
        }
        let line = Line { depth: report.depth, score: report.score, pv: report.pv.to_vec() };
        let index = report.line - 1;
        if index < found.lines.len() {
            found.lines[index] = line.clone();
        } else if index == found.lines.len() {
            found.lines.push(line.clone());
        }
        if index == 0 {
            found.line = Some(line);
        }
    }

    fn finished(&mut self, best: &BestMove) {
        self.0.lock().best = Some(*best);
    }
}

/// What an engine does.
enum State {
    Idle(Box<Engine>),
    Running(Searching),
    /// Between the two.
    Changing,
}

/// A search engine with a transposition table and threads of its own.
pub struct BackgroundEngine {
    state: State,
}

impl BackgroundEngine {
    /// An engine with a table of `hash` MiB and `threads` threads, which evaluates by a network or
    /// by the hand-crafted terms, with these tablebases, which others may use as well.
    pub fn new(
        hash: usize,
        threads: usize,
        network: Option<Arc<Network>>,
        tablebases: &TablebaseProbe,
    ) -> Result<Self, StartError> {
        let mut idle = Engine::new()?;
        idle.set_hash(hash)?;
        idle.set_threads(threads)?;
        idle.set_network(network)?;
        idle.share_tablebases(tablebases);
        Ok(Self { state: State::Idle(Box::new(idle)) })
    }

    /// Starts a search; one that runs is stopped first, and its answer lost.
    pub fn start(&mut self, position: &Position, limits: Limits, options: &SearchOptions) {
        let idle = match std::mem::replace(&mut self.state, State::Changing) {
            State::Idle(idle) => idle,
            State::Running(Searching { running, .. }) => {
                running.stop();
                Box::new(running.wait())
            }
            State::Changing => unreachable!("invariant: the state is put back at once"),
        };
        let progress = Progress::default();
        let running = idle.go(position, limits, options, Box::new(progress.clone()));
        let (running, position) = (Box::new(running), Box::new(position.clone()));
        self.state = State::Running(Searching { running, position, progress });
    }

    /// Returns `true` if a search runs whose answer has not been taken.
    pub const fn is_running(&self) -> bool {
        matches!(self.state, State::Running(..))
    }

    /// The answer of a search that has ended, once; `None` before and after.
    pub fn answer(&mut self) -> Option<Answer> {
        match &self.state {
            State::Running(searching) if searching.running.is_finished() => self.finish(),
            _ => None,
        }
    }

    /// Ends a search at once and takes its answer.
    pub fn stop(&mut self) -> Option<Answer> {
        if let State::Running(searching) = &self.state {
            searching.running.stop();
        }
        self.finish()
    }

    fn finish(&mut self) -> Option<Answer> {
        match std::mem::replace(&mut self.state, State::Changing) {
            State::Running(Searching { running, position, progress }) => {
                let idle = running.wait();
                let result = idle.tablebase_result(&position);
                self.state = State::Idle(Box::new(idle));
                let found = progress.0.lock();
                let (line, lines) = (found.line.clone(), found.lines.clone());
                Some(Answer { best: found.best, line, lines, result })
            }
            other => {
                self.state = other;
                None
            }
        }
    }

    /// The best lines that a search has found so far, or found, before its answer is taken.
    pub fn lines(&self) -> Vec<Line> {
        match &self.state {
            State::Running(searching) => searching.progress.0.lock().lines.clone(),
            _ => Vec::new(),
        }
    }

    /// How far a search has come whose answer was not taken; nothing without a search.
    pub fn progress(&self) -> Advance {
        match &self.state {
            State::Running(searching) => {
                let found = searching.progress.0.lock();
                Advance { lines: found.lines.clone(), nodes: found.nodes, time: found.time }
            }
            _ => Advance::default(),
        }
    }

    /// How deep a running search looks, and the moves that it took for the best, the latest first.
    pub fn thoughts(&self) -> (u32, Vec<Move>) {
        match &self.state {
            State::Running(searching) => {
                let found = searching.progress.0.lock();
                (found.line.as_ref().map_or(0, |line| line.depth), found.considered.clone())
            }
            _ => (0, Vec::new()),
        }
    }

    /// What ends the search that runs, from any thread.
    pub fn controls(&self) -> Option<Controls> {
        match &self.state {
            State::Running(searching) => Some(searching.running.controls()),
            _ => None,
        }
    }

    /// Forgets what earlier games have taught; a search that runs is stopped.
    pub fn new_game(&mut self) {
        self.stop();
        if let State::Idle(idle) = &mut self.state {
            idle.new_game();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BackgroundEngine;
    use std::{fs, path::Path};
    use tamarin_movegen::Position;
    use tamarin_search::{Limits, SearchOptions, TablebaseProbe};

    #[test]
    fn answers_are_taken_once() {
        let mut engine =
            BackgroundEngine::new(1, 1, None, &TablebaseProbe::default()).expect("there is memory");
        assert!(engine.stop().is_none());
        let position = Position::startpos();
        engine.start(&position, Limits::default(), &SearchOptions::default());
        assert!(engine.is_running() && engine.answer().is_none());
        let answer = engine.stop().expect("it ran");
        let best = answer.best.and_then(|best| best.mv).expect("there are moves");
        assert!(position.is_legal(best));
        assert!(engine.answer().is_none() && !engine.is_running());
        engine.start(&position, Limits::depth(3), &SearchOptions::default());
        let answer = loop {
            if let Some(answer) = engine.answer() {
                break answer;
            }
            std::thread::yield_now();
        };
        let line = answer.line.expect("three iterations");
        assert_eq!(Some(line.pv[0]), answer.best.and_then(|best| best.mv));
    }

    #[test]
    fn engines_read_no_tablebases_but_share_those_that_were_loaded() {
        let Some(data) = std::env::var_os("TAMARIN_TEST_DATA") else {
            println!("SKIP 1: no syzygy where TAMARIN_TEST_DATA says");
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let (table, own) = ("KQvK.rtbw", folder.path().join("KQvK.rtbw"));
        fs::copy(Path::new(&data).join("syzygy").join(table), &own).unwrap();
        let (tablebases, _) = TablebaseProbe::load(folder.path().to_str().unwrap());
        // What is loaded stays readable; another load would find nothing.
        if fs::remove_file(&own).is_err() {
            println!("SKIP 1: this system removes no open file");
            return;
        }
        let position = Position::from_fen("8/8/8/4k3/8/8/8/3QK3 w - - 0 1").unwrap();
        for _ in 0..2 {
            let mut engine = BackgroundEngine::new(1, 1, None, &tablebases).unwrap();
            engine.start(&position, Limits::depth(1), &SearchOptions::default());
            let answer = engine.stop().unwrap();
            assert_eq!(answer.result, Some(1));
        }
    }
}
