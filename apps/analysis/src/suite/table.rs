//! The results of a suite as a table and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use tamarin_movegen::{CastlingStyle, Move};

use super::goal::Goal;
use super::group::{Groups, Sum};
use super::read::BadLine;
use super::solve::{Solution, Task};
use crate::score_json;
use tamarin_game::score_text::with_sign;

/// The widest name that is shown whole.
const MAX_NAME: usize = 40;

pub struct Table {
    name: usize,
    goal: usize,
}

impl Table {
    /// Columns wide enough for all rows.
    pub fn new(tasks: &[Task]) -> Self {
        let width = |text: String| text.chars().count();
        let name = tasks.iter().map(|task| width(name(task))).max().unwrap_or(0);
        let goal = tasks.iter().map(|task| width(task.goal.text(&task.position))).max();
        Self { name: name.clamp(4, MAX_NAME), goal: goal.unwrap_or(0).clamp(6, MAX_NAME) }
    }

    pub fn head(&self) -> String {
        format!(
            "{:>6}  {:name$}  {:goal$}  {:8}{:>8}{:>6}{:>10}{:>8}\n",
            "points",
            "name",
            "wanted",
            "found",
            "score",
            "depth",
            "nodes",
            "ms",
            name = self.name,
            goal = self.goal
        )
    }

    /// The row of a position. Depth, nodes and time are those since which the answer was right, or
    /// those of the whole search if it is wrong.
    pub fn row(&self, task: &Task, solution: &Solution) -> String {
        let name: String = name(task).chars().take(MAX_NAME).collect();
        let wanted: String = task.goal.text(&task.position).chars().take(MAX_NAME).collect();
        let (depth, nodes, time) = match solution.since {
            Some(since) => (since.depth, since.nodes, since.time),
            None => (solution.depth, solution.nodes, solution.time),
        };
        format!(
            "{:>6}  {name:width$}  {wanted:goal$}  {:8}{:>8}{depth:>6}{nodes:>10}{time:>8}\n",
            mark(solution.points, task.goal.most()),
            found(task, solution.best),
            with_sign(solution.score),
            width = self.name,
            goal = self.goal
        )
    }
}

/// The name of a position, or its line.
fn name(task: &Task) -> String {
    if task.id.is_empty() { format!("line {}", task.line) } else { task.id.clone() }
}

fn mark(points: u32, most: u32) -> String {
    match (points, most) {
        (0, _) => "-".to_owned(),
        (1, 1) => "ok".to_owned(),
        _ => points.to_string(),
    }
}

fn found(task: &Task, mv: Option<Move>) -> String {
    mv.map_or("-".to_owned(), |mv| task.position.san(mv).to_string())
}

/// The sums of groups, if there are several, and of all.
pub fn sums(groups: &Groups, sum: &Sum, nodes: u64, time: Duration) -> String {
    let mut out = String::from("\n");
    let mut row = |name: &str, sum: &Sum| {
        // A width of 65,536 and more would be a panic.
        let name: String = name.chars().take(MAX_NAME).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{name:MAX_NAME$}  {:>5} of {:>5} solved  {:>7} of {:>7} points  {:>5.1} %",
            sum.solved,
            sum.positions,
            sum.points,
            sum.most,
            sum.percent()
        );
    };
    if groups.count() > 1 {
        for (name, sum) in groups.iter() {
            row(if name.is_empty() { "(no name)" } else { name }, sum);
        }
    }
    row("all", sum);
    let _ = writeln!(out, "{nodes} nodes, {:.1} s", time.as_secs_f64());
    out
}

pub struct Found<'a> {
    pub tasks: &'a [Task],
    pub solutions: &'a [Solution],
    pub groups: &'a Groups,
    pub sum: &'a Sum,
}

impl Found<'_> {
    /// A JSON object; docs/suite.md describes it.
    pub fn to_json(&self, time: Duration, bad: &[BadLine], is_met: Option<bool>) -> Value {
        let rows = self.tasks.iter().zip(self.solutions);
        let groups = self.groups.iter().map(|(name, sum)| {
            let mut value = sum_to_json(sum);
            value["name"] = name.into();
            value
        });
        let bad = bad.iter().map(|bad| json!({ "line": bad.line, "reason": bad.reason }));
        json!({
            "positions": rows.map(|(task, found)| row_to_json(task, found)).collect::<Vec<_>>(),
            "groups": groups.collect::<Vec<_>>(),
            "all": sum_to_json(self.sum),
            "bad_lines": bad.collect::<Vec<_>>(),
            "minimum_met": is_met,
            "seconds": time.as_secs_f64(),
        })
    }
}

fn sum_to_json(sum: &Sum) -> Value {
    json!({
        "positions": sum.positions,
        "solved": sum.solved,
        "points": sum.points,
        "most": sum.most,
        "percent": sum.percent(),
    })
}

fn row_to_json(task: &Task, found: &Solution) -> Value {
    let since = found
        .since
        .map(|since| json!({ "ms": since.time, "depth": since.depth, "nodes": since.nodes }));
    let kind = match task.goal {
        Goal::Moves { .. } => "moves",
        Goal::Mate(_) => "mate",
        Goal::Points(_) => "points",
    };
    json!({
        "line": task.line,
        "id": task.id,
        "fen": task.position.fen(CastlingStyle::Standard),
        "goal": kind,
        "wanted": task.goal.text(&task.position),
        "found": found.best.map(|mv| task.position.san(mv).to_string()),
        "score": score_json(found.score),
        "points": found.points,
        "most": task.goal.most(),
        "depth": found.depth,
        "nodes": found.nodes,
        "ms": found.time,
        "solved_since": since,
    })
}
