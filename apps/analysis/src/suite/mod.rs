//! `tamarin suite`: what the engine finds in positions with known answers.

mod arguments;
pub mod goal;
pub mod group;
pub mod read;
pub mod solve;
pub mod table;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;

pub use self::arguments::Arguments;
use self::group::Groups;
use self::read::{BadLine, read};
use self::solve::{Solution, Task, solve};
use self::table::Table;
use crate::error::{Error, INTERRUPTED, exit_code};
use tamarin_base::complain;
use tamarin_base::counted;
use tamarin_base::process::shutdown;

/// Between two looks at whether the run was interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bad lines that are reported one by one.
const MAX_COMPLAINTS: usize = 20;

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> ExitCode {
    exit_code(solve_all(arguments))
}

fn solve_all(arguments: &Arguments) -> Result<ExitCode, Error> {
    let path = arguments.file.display().to_string();
    let (tasks, bad) = read(&arguments.file)?;
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
                early.insert(index, solution?);
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
