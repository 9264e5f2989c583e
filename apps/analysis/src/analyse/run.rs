//! Games go to workers and come back as reports, in order.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, select_biased};

use super::analysis::{GameAnalysis, analyse};
use super::explaining::explain;
use super::input::Input;
use super::kept::Kept;
use super::output::{Done, Output};
use super::report::Style;
use super::source::{Item, Place, Source};
use crate::analyzer::{Analyzer, Effort, Stop};
use crate::error::Error;
use crate::progress::Progress;
use tamarin_base::complain;
use tamarin_game::engine_process::EngineError;
use tamarin_game::pgn::Game;

/// Games in work or waiting for an earlier one, for each worker.
const WINDOW: u64 = 4;

/// Bad games that are reported one by one.
const MAX_COMPLAINTS: u64 = 20;

/// A game and its place in the order.
struct Job {
    index: u64,
    item: Item,
}

/// What became of a job.
struct Answer {
    index: u64,
    range: (Place, Place),
    /// What failed, or why the game is bad.
    result: Result<Result<Finished, String>, EngineError>,
}

/// A game's part of the report.
pub struct Finished {
    pub text: String,
    /// Its mistakes as puzzles, if they are wanted beside the report.
    pub puzzles: String,
    pub positions: u64,
    /// Inaccuracies, mistakes and blunders.
    pub judgements: [u64; 3],
}

/// What workers share.
pub struct RunSettings {
    /// How reports are written.
    pub style: Style,
    /// The settings of each search.
    pub effort: Effort,
    /// Search threads there are to be, all together.
    pub threads: usize,
    /// How far the run is.
    pub progress: Arc<Progress>,
}

/// A run over files.
pub struct Run<'a> {
    inputs: &'a [Input],
    output: &'a mut Output,
    done: Done,
    progress: Arc<Progress>,
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    /// Answers that wait for an earlier one.
    early: BTreeMap<u64, Answer>,
    next_job: u64,
    next_answer: u64,
    window: u64,
}

/// Analyzes what is left of `source`, until it is done or `interrupt` says to stop.
pub fn run(
    settings: &RunSettings,
    mut source: Source<'_>,
    (inputs, output, done): (&[Input], &mut Output, Done),
    interrupt: &Receiver<()>,
    mut kept: Option<&mut Kept>,
) -> Result<ControlFlow<Done, Done>, Error> {
    let mut first = VecDeque::new();
    while first.len() < settings.threads
        && let Some(item) = source.next()?
    {
        first.push_back(item);
    }
    // With fewer games than threads, several threads search each position; and all of them where a
    // single engine is to keep what it learns.
    let workers = if kept.is_some() { 1 } else { first.len().clamp(1, settings.threads) };
    let window = WINDOW * workers as u64;
    let (jobs, inbox) = bounded(window as usize);
    let (outbox, answers) = bounded(window as usize);
    let stop = kept.as_ref().map(|kept| kept.stop.clone()).unwrap_or_default();
    let mut started = Vec::new();
    for _ in 0..workers {
        let analyzer = match kept.as_mut().and_then(|kept| kept.analyzer.take()) {
            Some(analyzer) => analyzer,
            None => Analyzer::new(&settings.effort, settings.threads / workers)?,
        };
        let worker = Worker {
            analyzer,
            style: settings.style,
            progress: Arc::clone(&settings.progress),
            stop: stop.clone(),
        };
        let worker = worker.start(inbox.clone(), outbox.clone()).map_err(Error::Thread)?;
        started.push(worker);
    }
    drop(outbox);
    let start = done.good + done.bad;
    let mut run = Run {
        inputs,
        output,
        done,
        progress: Arc::clone(&settings.progress),
        jobs,
        answers,
        early: BTreeMap::new(),
        next_job: start,
        next_answer: start,
        window,
    };
    let mut items = first.into_iter();
    let next = || match items.next() {
        Some(item) => Ok(Some(item)),
        None => source.next(),
    };
    let ended = run.work(next, interrupt);
    stop.stop();
    if let Some(kept) = kept {
        // The worker ends when nothing more can come.
        drop(run);
        kept.analyzer = started.pop().and_then(|worker| worker.join().ok());
    }
    ended
}

impl Run<'_> {
    fn work(
        &mut self,
        mut next: impl FnMut() -> Result<Option<Item>, Error>,
        interrupt: &Receiver<()>,
    ) -> Result<ControlFlow<Done, Done>, Error> {
        let mut is_at_end = false;
        loop {
            while !is_at_end && self.next_job - self.next_answer < self.window {
                match next()? {
                    Some(item) => self.give(item),
                    None => is_at_end = true,
                }
            }
            if self.next_job == self.next_answer {
                return Ok(ControlFlow::Continue(self.done));
            }
            // An interrupt first: it ends a worker whose engine is kept, and with it the answers.
            select_biased! {
                recv(interrupt) -> _ => {
                    self.output.save(&self.done)?;
                    return Ok(ControlFlow::Break(self.done));
                }
                recv(self.answers) -> answer => {
                    let answer = answer.expect("invariant: a worker answers before it ends");
                    self.early.insert(answer.index, answer);
                    self.write_ready()?;
                }
            }
        }
    }

    fn give(&mut self, item: Item) {
        let job = Job { index: self.next_job, item };
        self.jobs.send(job).expect("invariant: workers live as long as there are jobs");
        self.next_job += 1;
    }

    /// Writes the answers whose turn it is.
    fn write_ready(&mut self) -> Result<(), Error> {
        while let Some(answer) = self.early.remove(&self.next_answer) {
            self.next_answer += 1;
            match answer.result? {
                Ok(finished) => {
                    // A terminal may show both.
                    let output = &mut *self.output;
                    self.progress.suspend(|| output.write(&finished.text))?;
                    output.write_puzzles(&finished.puzzles)?;
                    self.done.good += 1;
                    self.done.positions += finished.positions;
                    for (sum, count) in self.done.judgements.iter_mut().zip(finished.judgements) {
                        *sum += count;
                    }
                }
                Err(reason) => {
                    self.done.bad += 1;
                    self.complain(answer.range.0, &reason);
                    self.output.reject(self.inputs, answer.range, &reason)?;
                }
            }
            self.done.place = answer.range.1;
            self.output.done(&self.done)?;
        }
        Ok(())
    }

    fn complain(&self, begin: Place, reason: &str) {
        if self.done.bad <= MAX_COMPLAINTS {
            let path = self.inputs[begin.file].path();
            let place = format!("{}: line {}", path.display(), begin.lines + 1);
            self.progress.suspend(|| complain(&format!("{place}: {reason}")));
        }
    }
}

/// Bad games that were not reported one by one.
pub const fn unlisted(bad: u64) -> u64 {
    bad.saturating_sub(MAX_COMPLAINTS)
}

/// A thread that analyzes games.
struct Worker {
    analyzer: Analyzer,
    style: Style,
    progress: Arc<Progress>,
    stop: Stop,
}

impl Worker {
    /// Starts the thread, which gives its engine back when there is nothing more to do.
    fn start(
        mut self,
        jobs: Receiver<Job>,
        answers: Sender<Answer>,
    ) -> std::io::Result<JoinHandle<Analyzer>> {
        let work = move || {
            for job in jobs {
                let range = (job.item.begin, job.item.end);
                let Some(result) = self.answer(&job).transpose() else { break };
                if answers.send(Answer { index: job.index, range, result }).is_err() {
                    break;
                }
            }
            self.analyzer
        };
        thread::Builder::new().name("analyse".into()).spawn(work)
    }

    /// `None` once the run has been stopped.
    fn answer(&mut self, job: &Job) -> Result<Option<Result<Finished, String>>, EngineError> {
        let size = job.item.end.offset - job.item.begin.offset;
        let game = match job.item.game() {
            Ok(game) => game,
            Err(error) => {
                self.progress.game_done(size);
                return Ok(Some(Err(error.to_string())));
            }
        };
        let share = size / (game.moves.len() as u64 + 1);
        let (progress, stop) = (&self.progress, &self.stop);
        let step = || {
            progress.position_done(share);
            !stop.is_stopped()
        };
        let analysis = explained(self.style, game, &mut self.analyzer, stop, step)?;
        let Some(analysis) = analysis else { return Ok(None) };
        let finished = self.style.finished(&analysis, job.index + 1);
        self.progress.game_done(size - share * finished.positions);
        Ok(Some(Ok(finished)))
    }
}

impl Style {
    fn finished(self, analysis: &GameAnalysis, number: u64) -> Finished {
        let judgements = std::array::from_fn(|index| {
            analysis.sides.0.iter().map(|side| side.judgements[index] as u64).sum()
        });
        Finished {
            text: self.game(analysis, number),
            puzzles: self.puzzles_of(analysis, number),
            positions: analysis.evaluations.len() as u64,
            judgements,
        }
    }
}

/// The analysis of a game, with the explanations that a report has; `None` if it was stopped.
fn explained(
    style: Style,
    game: Game,
    analyzer: &mut Analyzer,
    stop: &Stop,
    step: impl FnMut() -> bool,
) -> Result<Option<GameAnalysis>, EngineError> {
    match (analyse(game, analyzer, step)?, style.explain) {
        (Some(analysis), Some(which)) => explain(analysis, which, analyzer, || !stop.is_stopped()),
        (analysis, _) => Ok(analysis),
    }
}

/// The report on a single game; `None` if the engine of `kept` was stopped.
pub fn single(
    settings: &RunSettings,
    game: Game,
    kept: &mut Option<Kept>,
) -> Result<Option<Finished>, Error> {
    let mut own;
    let (analyzer, stop) = match kept {
        Some(Kept { analyzer: Some(analyzer), stop, .. }) => (analyzer, stop.clone()),
        _ => {
            own = Analyzer::new(&settings.effort, settings.threads)?;
            (&mut own, Stop::default())
        }
    };
    let analysis = explained(settings.style, game, analyzer, &stop, || !stop.is_stopped())?;
    Ok(analysis.map(|analysis| settings.style.finished(&analysis, 1)))
}
