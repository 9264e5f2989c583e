//! What must hold for a file of positions of any bytes: each line is read or refused, what is read is
//! written and read again as the same, and a table of it can be printed. Shared by the fuzz target
//! and the tests.

use std::time::Duration;

use tamarin_analysis::suite::group::{Groups, Sum, group};
use tamarin_analysis::suite::read;
use tamarin_analysis::suite::solve::{Moment, Solution, Task};
use tamarin_analysis::suite::table::{Found, Table, sums};
use tamarin_eval::Score;
use tamarin_game::epd::Epd;
use tamarin_game::pgn::decoded;
use tamarin_movegen::CastlingStyle;

/// Begins three bytes that stand for many: this one, the byte that is repeated, and how often, as
/// the exponent of a power of two. Without it a fuzzer would hardly come to long lines.
const REPEAT: u8 = 0x1f;
/// The greatest exponent is one less.
const EXPONENTS: u8 = 18;
/// The longest text that is checked, in bytes.
const LONGEST: usize = 1 << 19;

/// Panics if reading these bytes as a file of positions breaks a promise.
pub fn check(bytes: &[u8]) {
    let text = expanded(bytes);
    for line in text.split(|&byte| byte == b'\n') {
        if let Ok(epd) = Epd::parse(&decoded(line)) {
            check_line(&epd);
        }
    }
    let (tasks, bad) = read::parse(&text);
    let lines = text.split(|&byte| byte == b'\n').count();
    assert!(tasks.len() + bad.len() <= lines, "more tasks and bad lines than lines");
    assert!(bad.iter().all(|bad| bad.line <= lines && !bad.reason.is_empty()));
    print(&tasks, &bad);
}

fn expanded(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        if text.len() >= LONGEST {
            break;
        }
        match (first, after) {
            (REPEAT, &[byte, exponent, ..]) => {
                text.extend(std::iter::repeat_n(byte, 1 << (exponent % EXPONENTS)));
                rest = &after[2..];
            }
            _ => {
                text.push(first);
                rest = after;
            }
        }
    }
    text
}

/// The position and the operations come back when they are written and read again.
fn check_line(epd: &Epd) {
    let mut text = epd.position.fen(CastlingStyle::Standard);
    for operation in &epd.operations {
        text += &format!(" \"{}\"", operation.opcode);
        for operand in &operation.operands {
            text += &format!(" \"{operand}\"");
        }
        text.push(';');
    }
    let again = Epd::parse(&text).expect("a position that was read");
    assert_eq!(again.operations, epd.operations, "{text}");
    assert_eq!(again.position.to_string(), epd.position.to_string(), "{text}");
}

/// Prints what `tamarin suite` would print if every answer was the first legal move, and if none
/// was found.
fn print(tasks: &[Task], bad: &[read::BadLine]) {
    let table = Table::new(tasks);
    assert_eq!(table.head().lines().count(), 1);
    for finds in [true, false] {
        let solutions: Vec<Solution> = tasks.iter().map(|task| solution(task, finds)).collect();
        let (mut groups, mut sum) = (Groups::default(), Sum::default());
        for (task, solution) in tasks.iter().zip(&solutions) {
            assert!(table.row(task, solution).ends_with('\n'));
            assert!(solution.points <= task.goal.most());
            assert!(task.id.contains(group(&task.id)), "{:?}", task.id);
            groups.add(&task.id, solution.points, task.goal.most());
            sum.add(solution.points, task.goal.most());
        }
        assert!((0.0..=100.0).contains(&sum.percent()));
        assert!(sums(&groups, &sum, 0, Duration::ZERO).contains("points"));
        let found = Found { tasks, solutions: &solutions, groups: &groups, sum: &sum };
        assert!(found.to_json(Duration::ZERO, bad, None).is_object());
    }
}

fn solution(task: &Task, finds: bool) -> Solution {
    let best = task.position.legal_moves().first().copied().filter(|_| finds);
    let score = Score::DRAW;
    let points = task.goal.points(best, score);
    let since = (points == task.goal.most()).then_some(Moment { time: 1, depth: 2, nodes: 3 });
    Solution { best, score, points, depth: 4, nodes: 5, time: 6, since }
}
