//! `tamarin mate`: proves or refutes a mate.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_movegen::{CastlingStyle, Color, Move, Position};
use tamarin_search::{MateGoal, MateLimits, MateVerdict, Prover};

use crate::error::{Error, exit_code};
use tamarin_base::counted;
use tamarin_base::process::shutdown;
use tamarin_game::variation;

const EXIT_CODES: &str = "Exit codes: 0 proven; 1 refuted; 2 bad input or unwritable output; \
    3 undecided.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES, allow_negative_numbers = true,
    override_usage = "tamarin mate [OPTIONS] <FEN|startpos> [N]")]
pub struct Arguments {
    /// A FEN and N: the side to move is to mate in N of its moves; a negative
    /// number, or -0, asks whether it is mated in N moves of the other side.
    /// Without N the shortest mate is looked for, for a minute unless limits are given
    #[arg(required = true, num_args = 1.., value_names = ["FEN", "N"])]
    words: Vec<String>,

    /// Time, in milliseconds
    #[arg(short, long, value_name = "MS")]
    time: Option<u64>,

    /// Positions whose moves are looked at
    #[arg(short, long, value_name = "N")]
    nodes: Option<u64>,

    /// Memory for positions, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Show for every legal move whether it still mates (or is mated) in time
    #[arg(short, long)]
    all: bool,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Time for the shortest mate without any limit, in milliseconds.
const DEFAULT_TIME: u64 = 60_000;

/// The longest mate that is asked for, in moves.
pub const MAX_MOVES: u8 = 120;

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> ExitCode {
    exit_code(answer(arguments).map(|verdict| match verdict {
        MateVerdict::Proven => ExitCode::SUCCESS,
        MateVerdict::Refuted => ExitCode::from(1),
        MateVerdict::Undecided => ExitCode::from(3),
    }))
}

fn answer(arguments: &Arguments) -> Result<MateVerdict, Error> {
    let (number, fen) = match arguments.words.as_slice() {
        [fen] => (None, fen.clone()),
        [fen @ .., number] => (Some(number), fen.join(" ")),
        [] => unreachable!("invariant: a word is required"),
    };
    let bad = |number: &String| Error::Moves(number.clone());
    let goal = number.map(|number| goal(number).ok_or_else(|| bad(number))).transpose()?;
    let position = match fen.as_str() {
        "startpos" => Position::startpos(),
        fen => Position::from_fen(fen)?,
    };
    let has_limit = arguments.time.is_some() || arguments.nodes.is_some() || goal.is_some();
    let time = arguments.time.or((!has_limit).then_some(DEFAULT_TIME));
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    shutdown::on_signal(Arc::default(), move || flag.store(true, Ordering::Relaxed));
    let begin = Instant::now();
    let limits = MateLimits {
        nodes: arguments.nodes,
        deadline: time.map(|time| begin + Duration::from_millis(time)),
        stop,
    };
    let most = goal.unwrap_or(MateGoal::Mates(MAX_MOVES));
    let mut prover = Prover::new(&position, most, arguments.hash as usize, limits)?;
    let findings = Findings::new(&mut prover, &position, goal, arguments);
    let text = match arguments.json {
        true => format!("{}\n", findings.to_json(begin.elapsed())),
        false => findings.to_text(begin.elapsed()),
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())?;
    Ok(findings.verdict)
}

fn goal(text: &str) -> Option<MateGoal> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match digits.parse().ok()? {
        moves @ 0..=MAX_MOVES if is_negative => Some(MateGoal::IsMated(moves)),
        moves @ 1..=MAX_MOVES => Some(MateGoal::Mates(moves)),
        _ => None,
    }
}

/// What is known about shorter mates than the one that is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shortest {
    /// There are none.
    Yes,
    /// That was not decided.
    Unknown,
}

/// What was found.
struct Findings<'a> {
    position: &'a Position,
    goal: MateGoal,
    verdict: MateVerdict,
    /// The fewest moves that are proven.
    proven: Option<(MateGoal, Shortest)>,
    line: Vec<Move>,
    first_moves: Vec<(Move, MateVerdict)>,
    nodes: u64,
}

/// Nodes for finding a shorter mate: a multiple of those of the proof, and the least number.
const SHORTER_EFFORT: (u64, u64) = (10, 1_000_000);

impl<'a> Findings<'a> {
    fn new(
        prover: &mut Prover,
        position: &'a Position,
        goal: Option<MateGoal>,
        arguments: &Arguments,
    ) -> Self {
        let (goal, verdict) = match goal {
            Some(goal) => (goal, prover.prove(goal.moves())),
            None => first_proven(prover),
        };
        let mut findings = Self {
            position,
            goal,
            verdict,
            proven: None,
            line: Vec::new(),
            first_moves: Vec::new(),
            nodes: 0,
        };
        if verdict == MateVerdict::Proven {
            let effort = (prover.nodes() * SHORTER_EFFORT.0).max(SHORTER_EFFORT.1);
            let limit = prover.nodes() + effort;
            prover.set_node_limit(Some(arguments.nodes.map_or(limit, |nodes| nodes.min(limit))));
            let (best, shortest) = shortest(prover, goal);
            prover.set_node_limit(arguments.nodes);
            findings.line = prover.line(best.moves());
            findings.proven = Some((best, shortest));
        }
        if arguments.all {
            findings.first_moves = prover.first_moves(goal.moves());
        }
        findings.nodes = prover.nodes();
        findings
    }

    fn attacker(&self) -> Color {
        match self.goal {
            MateGoal::Mates(_) => self.position.side_to_move(),
            MateGoal::IsMated(_) => !self.position.side_to_move(),
        }
    }

    fn to_text(&self, time: Duration) -> String {
        let attacker = name(self.attacker());
        let moves = |count: u8| counted(count, "move", "moves");
        let wanted = moves(self.goal.moves());
        let mut text = format!("{}\n", self.position.fen(CastlingStyle::Standard));
        match (self.verdict, self.proven) {
            (_, Some((best, shortest))) => {
                text += &format!("Proven: {attacker} mates in {}", moves(best.moves()));
                text += match (shortest, best.moves()) {
                    (_, 0) => ": it is mate.\n",
                    (Shortest::Yes, _) => ", whatever the other side does, and not in fewer.\n",
                    (Shortest::Unknown, _) => {
                        " or fewer, whatever the other side does; a shorter mate is not ruled out.\n"
                    }
                };
            }
            (MateVerdict::Refuted, _) => {
                text += &format!("Refuted: {attacker} cannot force mate in {wanted}.\n");
            }
            _ => text += &format!("Undecided: whether {attacker} can force mate in {wanted}.\n"),
        }
        if !self.line.is_empty() {
            let line = variation::numbered(self.position, &self.line, usize::MAX);
            text += &format!("Line: {line}\n");
        }
        for (mv, verdict) in &self.first_moves {
            let serves = self.first_move_text(*verdict);
            text += &format!("  {:8}{serves}\n", self.position.san(*mv).as_str());
        }
        let nodes = counted(self.nodes, "position", "positions");
        text + &format!("{nodes} in {:.2} s\n", time.as_secs_f64())
    }

    const fn first_move_text(&self, verdict: MateVerdict) -> &'static str {
        match (self.goal, verdict) {
            (MateGoal::Mates(_), MateVerdict::Proven) => "mates",
            (MateGoal::Mates(_), MateVerdict::Refuted) => "does not mate in time",
            (MateGoal::IsMated(_), MateVerdict::Proven) => "is mated",
            (MateGoal::IsMated(_), MateVerdict::Refuted) => "holds out",
            (_, MateVerdict::Undecided) => "undecided",
        }
    }

    fn to_json(&self, time: Duration) -> Value {
        let first_moves: Vec<Value> = self
            .first_moves
            .iter()
            .map(|(mv, verdict)| {
                json!({ "san": self.position.san(*mv).as_str(), "verdict": verdict_name(*verdict) })
            })
            .collect();
        json!({
            "fen": self.position.fen(CastlingStyle::Standard),
            "goal": signed(self.goal),
            "verdict": verdict_name(self.verdict),
            "proven": self.proven.map(|(goal, _)| signed(goal)),
            "is_shortest": self.proven.map(|(_, shortest)| shortest == Shortest::Yes),
            "line": variation::sans(self.position, &self.line, usize::MAX),
            "first_moves": first_moves,
            "nodes": self.nodes,
            "seconds": time.as_secs_f64(),
        })
    }
}

/// The shortest mate, or how far it is undecided or refuted.
fn first_proven(prover: &mut Prover) -> (MateGoal, MateVerdict) {
    let longer = (1..=MAX_MOVES).map(|moves| (MateGoal::Mates(moves), prover.prove(moves)));
    let mut last = (MateGoal::Mates(MAX_MOVES), MateVerdict::Refuted);
    for found in longer {
        last = found;
        if found.1 != MateVerdict::Refuted {
            break;
        }
    }
    last
}

/// The shortest mate that can be proven with what is left of the limits.
fn shortest(prover: &mut Prover, goal: MateGoal) -> (MateGoal, Shortest) {
    let least = u8::from(matches!(goal, MateGoal::Mates(_)));
    for moves in least..goal.moves() {
        match prover.prove(moves) {
            MateVerdict::Proven => return (goal.with(moves), Shortest::Yes),
            MateVerdict::Refuted => {}
            MateVerdict::Undecided => return (goal, Shortest::Unknown),
        }
    }
    (goal, Shortest::Yes)
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

const fn verdict_name(verdict: MateVerdict) -> &'static str {
    match verdict {
        MateVerdict::Proven => "proven",
        MateVerdict::Refuted => "refuted",
        MateVerdict::Undecided => "undecided",
    }
}

/// Moves to mate as in `bm #n`: negative for the side that is mated.
fn signed(goal: MateGoal) -> i16 {
    match goal {
        MateGoal::Mates(moves) => moves.into(),
        MateGoal::IsMated(moves) => -i16::from(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::goal;
    use tamarin_search::MateGoal;

    #[test]
    fn numbers_of_moves_have_signs() {
        assert_eq!(goal("3"), Some(MateGoal::Mates(3)));
        assert_eq!(goal("#3"), Some(MateGoal::Mates(3)));
        assert_eq!(goal("-2"), Some(MateGoal::IsMated(2)));
        assert_eq!(goal("#-2"), Some(MateGoal::IsMated(2)));
        assert_eq!(goal("-0"), Some(MateGoal::IsMated(0)));
        assert_eq!(goal("+3"), Some(MateGoal::Mates(3)));
        let twice = ["--3", "#+-3", "+-3", "-+3", "##3", "-#3", "#", "-", "+"];
        for text in ["0", "121", "-121", "x", "", "1.5", "999999999999"].into_iter().chain(twice) {
            assert_eq!(goal(text), None, "{text}");
        }
    }
}
