//! `tamarin variant perft --engine`: the counts of another engine that knows the game.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use tamarin_perft::compare::answer::Answer;
use tamarin_uci::client::{Client, ClientError, Launch};
use tamarin_variant::Position;

use super::arguments::PerftArguments;
use super::perft::count;
use super::source::Failure;
use super::write_out;

/// The counts behind the moves, by what the moves are called.
type Counts = BTreeMap<String, u64>;

/// The engine, and how positions are sent to it.
struct Other {
    client: Client,
    start: String,
    moves: Vec<String>,
    timeout: Duration,
}

impl Other {
    /// What it counts after the moves.
    fn divide(&mut self, depth: u32) -> Result<Counts, ClientError> {
        let moves = if self.moves.is_empty() { String::new() } else { " moves ".to_owned() };
        let place = format!("position fen {}{moves}{}", self.start, self.moves.join(" "));
        let mut answer = Answer::default();
        let question = format!("{place}\ngo perft {depth}");
        self.client.ask(&question, ("the number of nodes", self.timeout), |line| {
            answer.read_moves(line, move_text);
            answer.total.filter(|_| line.to_lowercase().contains("nodes")).map(drop)
        })?;
        Ok(answer.moves.into_iter().collect())
    }
}

/// Two squares, or a piece and where it is dropped, and what the piece becomes.
fn move_text(word: &str) -> Option<String> {
    fn after_square(text: &str) -> Option<&str> {
        let rank = text.strip_prefix(|c: char| c.is_ascii_lowercase())?;
        let rest = rank.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < rank.len()).then_some(rest)
    }
    let word = word.trim_end_matches([',', ';', '.']);
    let piece = match word.split_once('@') {
        Some((_, to)) => after_square(to)?,
        None => after_square(after_square(word)?)?,
    };
    (piece.len() <= 2).then(|| word.to_owned())
}

/// Compares depth after depth and goes down to the moves that differ.
pub(super) fn compare(
    arguments: &PerftArguments,
    command: &str,
    mut position: Position,
    threads: usize,
) -> Result<String, Failure> {
    let mut launch: Launch =
        command.parse().map_err(|error| Failure::Other(format!("--engine: {error}")))?;
    let name = arguments.uci_variant.as_ref().unwrap_or(&arguments.source.game);
    launch.options.push(("UCI_Variant".to_owned(), name.clone()));
    let program = launch.file_name();
    let failed = |error: ClientError| {
        Failure::Other(format!("{program} {}", tamarin_base::with_causes(&error)))
    };
    let client = Client::start(&launch, None).map_err(failed)?;
    let timeout = Duration::from_secs(arguments.timeout);
    let mut other = Other { client, start: position.fen(), moves: Vec::new(), timeout };
    for depth in 1..=arguments.depth {
        let (yours, right) =
            (other.divide(depth).map_err(failed)?, ours(&position, depth, threads));
        if yours != right {
            let text = find(&mut other, &mut position, (depth, yours, right), threads);
            write_out(&text.map_err(failed)?)?;
            return Err(Failure::Differs(other.client.name().to_owned()));
        }
    }
    Ok(format!("{} agrees to depth {}\n", other.client.name(), arguments.depth))
}

fn ours(position: &Position, depth: u32, threads: usize) -> Counts {
    let counts = count(position, depth, threads);
    counts.into_iter().map(|(mv, nodes)| (position.text(mv), nodes)).collect()
}

/// Goes down to where the moves themselves differ, and says which.
fn find(
    other: &mut Other,
    position: &mut Position,
    (mut depth, mut yours, mut right): (u32, Counts, Counts),
    threads: usize,
) -> Result<String, ClientError> {
    let sum = |counts: &Counts| counts.values().sum::<u64>();
    let mut text = format!("depth {depth}: {}, correct {}\n", sum(&yours), sum(&right));
    while depth > 1 && yours.keys().eq(right.keys()) {
        let Some((mv, _)) = right.iter().find(|(mv, count)| yours.get(*mv) != Some(count)) else {
            let _ = writeln!(text, "each position behind a move is right when asked for alone");
            break;
        };
        let played = position.legal_moves().into_iter().find(|&m| position.text(m) == *mv);
        position.make(played.expect("invariant: the move is one of its own"));
        other.moves.push(mv.clone());
        depth -= 1;
        (yours, right) = (other.divide(depth)?, ours(position, depth, threads));
    }
    if !other.moves.is_empty() {
        let _ = writeln!(text, "after {}:", other.moves.join(" "));
    }
    for (these, those, word) in [(&right, &yours, "missing"), (&yours, &right, "illegal")] {
        let moves: Vec<&str> =
            these.keys().filter(|mv| !those.contains_key(*mv)).map(String::as_str).collect();
        if !moves.is_empty() {
            let _ = writeln!(text, "{word}: {}", moves.join(" "));
        }
    }
    let _ = writeln!(text, "{}", position.fen());
    // A position in which the game is over may be refused.
    if !other.moves.is_empty() && !right.is_empty() {
        (other.start, other.moves) = (position.fen(), Vec::new());
        if other.divide(depth)? == right {
            text += "state: right from the FEN, wrong after moves\n";
        }
    }
    Ok(text)
}
