//! `tamarin suite`: what the engine finds in positions with known answers.

mod arguments;
pub mod goal;
pub mod group;
#[cfg(test)]
mod hostile;
pub mod read;
pub mod solve;
pub mod table;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::RecvTimeoutError;

pub use self::arguments::Arguments;
use self::group::Groups;
use self::read::{BadLine, SuiteError, read};
use self::solve::{Solution, Task, solve};
use self::table::Table;
use crate::analyzer::EffortError;
use tamarin_base::counted;
use tamarin_base::process::shutdown;
use tamarin_base::{complain, with_causes};

/// Between two looks at whether the run was interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bad lines that are reported one by one.
const MAX_COMPLAINTS: usize = 20;

/// Why a run ends early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{path}")]
    Suite { path: String, source: SuiteError },
    #[error(transparent)]
    Effort(#[from] EffortError),
    #[error("standard output")]
    Output(#[from] io::Error),
}

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> ExitCode {
    match solve_all(arguments) {
        Ok(code) => code,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(2)
        }
        Err(failure) => {
            complain(&format!("error: {}", with_causes(&failure)));
            ExitCode::from(2)
        }
    }
}

fn solve_all(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let path = arguments.file.display().to_string();
    let suite = read(&arguments.file);
    let (tasks, bad) = suite.map_err(|source| Failure::Suite { path: path.clone(), source })?;
    complain_about(&bad, &path);
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    shutdown::on_signal(Arc::default(), move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    let effort = arguments.effort()?;
    let tasks = Arc::new(tasks);
    let begin = Instant::now();
    let answers = solve(&tasks, &effort, arguments.resources.threads(), &stop)?;
    let mut results = Results::new(&tasks, arguments);
    results.begin()?;
    let mut early = BTreeMap::new();
    while results.solutions.len() < tasks.len() && !stop.load(Ordering::Relaxed) {
        match answers.recv_timeout(PATIENCE) {
            Ok((index, solution)) => {
                early.insert(index, solution);
                while let Some(solution) = early.remove(&results.solutions.len()) {
                    results.add(solution)?;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    results.end(begin.elapsed(), &bad)?;
    Ok(results.code(&bad))
}

/// The exit code of a run that was interrupted.
const INTERRUPTED: u8 = 130;

fn complain_about(bad: &[BadLine], path: &str) {
    for BadLine { line, reason } in bad.iter().take(MAX_COMPLAINTS) {
        complain(&format!("{path}: line {line}: {reason}"));
    }
    if bad.len() > MAX_COMPLAINTS {
        complain(&format!("... and {} more", bad.len() - MAX_COMPLAINTS));
    }
}

/// What was found so far, in the order of the file.
struct Results<'a> {
    tasks: &'a [Task],
    arguments: &'a Arguments,
    solutions: Vec<Solution>,
    groups: Groups,
    table: Table,
}

impl<'a> Results<'a> {
    fn new(tasks: &'a [Task], arguments: &'a Arguments) -> Self {
        Self {
            tasks,
            arguments,
            solutions: Vec::new(),
            groups: Groups::default(),
            table: Table::new(tasks),
        }
    }

    fn begin(&self) -> io::Result<()> {
        let shows_rows = !self.arguments.json && !self.arguments.quiet;
        if shows_rows { print(&self.table.head()) } else { Ok(()) }
    }

    fn add(&mut self, solution: Solution) -> io::Result<()> {
        let task = &self.tasks[self.solutions.len()];
        self.groups.add(&task.id, solution.points, task.goal.most());
        let shows_rows = !self.arguments.json && !self.arguments.quiet;
        let printed = if shows_rows { print(&self.table.row(task, &solution)) } else { Ok(()) };
        self.solutions.push(solution);
        printed
    }

    fn end(&self, time: Duration, bad: &[BadLine]) -> io::Result<()> {
        let sum = self.sum();
        if self.arguments.json {
            let minimum = self.arguments.minimum.map(|minimum| minimum.is_met_by(&sum));
            let found = table::Found {
                tasks: self.tasks,
                solutions: &self.solutions,
                groups: &self.groups,
                sum: &sum,
            };
            return print(&format!("{}\n", found.to_json(time, bad, minimum)));
        }
        let nodes = self.solutions.iter().map(|solution| solution.nodes).sum();
        print(&table::sums(&self.groups, &sum, nodes, time))
    }

    fn sum(&self) -> group::Sum {
        let mut sum = group::Sum::default();
        for (task, solution) in self.tasks.iter().zip(&self.solutions) {
            sum.add(solution.points, task.goal.most());
        }
        sum
    }

    fn code(&self, bad: &[BadLine]) -> ExitCode {
        if self.solutions.len() < self.tasks.len() {
            let count = counted(self.solutions.len(), "position", "positions");
            complain(&format!("interrupted after {count}"));
            return ExitCode::from(INTERRUPTED);
        }
        let sum = self.sum();
        let is_met = self.arguments.minimum.is_none_or(|minimum| minimum.is_met_by(&sum));
        if !is_met {
            complain("the minimum is not met");
        }
        ExitCode::from(u8::from(!is_met || !bad.is_empty()))
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
