//! Searches of chess that can be waited for or looked at while they run.

use std::sync::Arc;

use parking_lot::Mutex;
use tamarin_eval::network::Network;
use tamarin_movegen::Position;
use tamarin_search::{
    BestMove, Bound, Controls, Engine, Limits, Observer, Report, RunningSearch, SearchOptions,
    StartError, TablebaseProbe, Wait,
};

use super::{Answer, Ask, Found, FoundLine, Worth};
use crate::position::Move;

/// What a running search has found so far.
#[derive(Clone, Default)]
struct Progress(Arc<Mutex<(Found, Option<BestMove>)>>);

struct Searching {
    running: Box<RunningSearch>,
    position: Box<Position>,
    progress: Progress,
}

impl Observer for Progress {
    fn iteration(&mut self, report: &Report<'_>) {
        let (found, _) = &mut *self.0.lock();
        (found.nodes, found.time) = (report.nodes, report.time);
        if let (1, Some(first)) = (report.line, report.pv.first()) {
            let first = Move::Chess(*first);
            found.considered.retain(|mv| *mv != first);
            found.considered.insert(0, first);
        }
        if report.bound != Bound::Exact {
            return;
        }
        let pv = report.pv.iter().copied().map(Move::Chess).collect();
        let line = FoundLine { worth: Worth::Chess(report.score), pv };
        let index = report.line - 1;
        if index == 0 {
            found.depth = report.depth;
        }
        if index < found.lines.len() {
            found.lines[index] = line;
        } else if index == found.lines.len() {
            found.lines.push(line);
        }
    }

    fn finished(&mut self, best: &BestMove) {
        self.0.lock().1 = Some(*best);
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
pub struct ChessSearcher {
    state: State,
    tablebases: TablebaseProbe,
}

impl ChessSearcher {
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
        Ok(Self { state: State::Idle(Box::new(idle)), tablebases: tablebases.clone() })
    }

    /// Starts a search; one that runs is stopped first, and its answer lost.
    pub fn start(&mut self, position: &Position, ask: &Ask) {
        self.stop();
        let idle = match std::mem::replace(&mut self.state, State::Changing) {
            State::Idle(idle) => idle,
            _ => unreachable!("invariant: no search runs after stop"),
        };
        let progress = Progress::default();
        let running = idle.go(position, limits(ask), &options(ask), Box::new(progress.clone()));
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
                let result = self.tablebases.result(&position);
                self.state = State::Idle(Box::new(idle));
                // Without a best move the search failed.
                let (found, best) = std::mem::take(&mut *progress.0.lock());
                let expected = best.and_then(|best| best.ponder).map(Move::Chess);
                let best = best.and_then(|best| best.mv).map(Move::Chess);
                Some(Answer { best, expected, found, result })
            }
            other => {
                self.state = other;
                None
            }
        }
    }

    /// What a search has found whose answer was not taken; nothing without a search.
    pub fn found(&self) -> Found {
        match &self.state {
            State::Running(searching) => searching.progress.0.lock().0.clone(),
            _ => Found::default(),
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

fn limits(ask: &Ask) -> Limits {
    let mut limits = match ask.level {
        Some(level) => level.chess_limits(ask.clocks),
        None => Limits::default(),
    };
    limits.nodes = ask.nodes;
    limits.move_time = ask.move_time.or(limits.move_time);
    limits.search_moves.clone_from(&ask.only);
    (limits.depth, limits.mate) = (ask.depth, ask.mate);
    if ask.ponders {
        limits.wait = Wait::Ponder;
    }
    limits
}

fn options(ask: &Ask) -> SearchOptions {
    let (multi_pv, seed, ponder) = (ask.lines, ask.seed, ask.ponders);
    let options = SearchOptions { multi_pv, seed, ponder, ..SearchOptions::default() };
    match ask.level {
        Some(level) => SearchOptions { strength: level.strength(), varies: true, ..options },
        None => SearchOptions { contempt: 0, ..options },
    }
}

#[cfg(test)]
mod tests {
    use super::{Ask, ChessSearcher, Move};
    use std::{fs, path::Path};
    use tamarin_movegen::Position;
    use tamarin_search::TablebaseProbe;

    #[test]
    fn answers_are_taken_once() {
        let mut engine =
            ChessSearcher::new(1, 1, None, &TablebaseProbe::default()).expect("there is memory");
        assert!(engine.stop().is_none());
        let position = Position::startpos();
        engine.start(&position, &Ask::default());
        assert!(engine.is_running() && engine.answer().is_none());
        let answer = engine.stop().expect("it ran");
        let best = answer.best.and_then(Move::chess).expect("there are moves");
        assert!(position.is_legal(best));
        assert!(engine.answer().is_none() && !engine.is_running());
        engine.start(&position, &Ask { depth: Some(3), ..Ask::default() });
        let answer = loop {
            if let Some(answer) = engine.answer() {
                break answer;
            }
            std::thread::yield_now();
        };
        assert_eq!(answer.found.depth, 3);
        assert_eq!(Some(answer.found.lines[0].pv[0]), answer.best);
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
            let mut engine = ChessSearcher::new(1, 1, None, &tablebases).unwrap();
            engine.start(&position, &Ask { depth: Some(1), ..Ask::default() });
            let answer = engine.stop().unwrap();
            assert_eq!(answer.result, Some(1));
        }
    }
}
