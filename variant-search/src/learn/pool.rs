//! Threads that play games of one phase.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use tamarin_variant::Game;

use super::plan::{Observer, Phase, Stopped};
use super::record::{Assignment, Players, Record, play};
use crate::any_evaluator::AnyEvaluator;
use crate::search::{Engine, EngineError, Options};

/// Memory of an engine's table in MiB: enough for the few nodes of a move.
const TABLE_MIB: usize = 2;

/// When a phase has enough games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Enough {
    /// At a time; but never before the first games.
    At(Instant),
    /// With this number of games.
    Games(u32),
    /// With this number of nodes of the first games.
    Nodes(u64),
}

/// A phase has at least this number of games, however little time there is.
const LEAST_GAMES: u32 = 16;

/// What a phase is about.
pub(super) struct Contest<'a> {
    pub(super) game: &'a Arc<Game>,
    pub(super) phase: Phase,
    /// The player, or the new one and the old one of a match.
    pub(super) evaluators: Vec<AnyEvaluator>,
    pub(super) seed: u64,
    pub(super) nodes: u64,
    pub(super) enough: Enough,
}

/// The games of a phase so far, by number, and which number is the next one to be played.
struct State {
    records: BTreeMap<u32, Record>,
    next: u32,
    error: Option<EngineError>,
}

/// Plays the games of a phase; those that are known are not played again. The result has the games
/// with the first numbers, as many as are enough: with a limit of games or nodes it is the same for
/// any number of threads.
pub(super) fn play_phase(
    contest: &Contest<'_>,
    known: BTreeMap<u32, Record>,
    threads: usize,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Vec<Record>, Stopped> {
    let state = Mutex::new(State { records: known, next: 0, error: None });
    let late = AtomicBool::new(false);
    let work = || {
        if let Err(error) = play_games(contest, &state, (stop, &late), observer) {
            lock(&state).error.get_or_insert(error);
            late.store(true, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        // Threads that the system refuses are done without.
        let helpers =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok());
        let helpers: Vec<_> = helpers.collect();
        work();
        drop(helpers);
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.error {
        return Err(Stopped::Engine(error));
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped::Told);
    }
    Ok(first_games(contest.enough, state.records))
}

fn lock<'a>(state: &'a Mutex<State>) -> MutexGuard<'a, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plays games until there are enough, or it is told to stop.
fn play_games(
    contest: &Contest<'_>,
    state: &Mutex<State>,
    (stop, late): (&AtomicBool, &AtomicBool),
    observer: &dyn Observer,
) -> Result<(), EngineError> {
    let options = Options { hash_mib: TABLE_MIB, ..Options::default() };
    let engines = contest
        .evaluators
        .iter()
        .map(|evaluator| Engine::with_evaluator(evaluator.clone(), &options));
    let mut engines: Vec<Engine> = engines.collect::<Result<_, _>>()?;
    while !stop.load(Ordering::Relaxed) && !late.load(Ordering::Relaxed) {
        let Some(number) = next(contest.enough, &mut lock(state)) else { break };
        let assignment = Assignment { seed: contest.seed_of(number), nodes: contest.nodes };
        let players = match engines.as_mut_slice() {
            [new, old] if number % 2 == 0 => Players::Each([new, old]),
            [new, old] => Players::Each([old, new]),
            [one, ..] => Players::Same(one),
            [] => break,
        };
        let Some(record) = play(contest.game, players, assignment, stop) else { break };
        let mut state = lock(state);
        observer.played(contest.phase, number, &record);
        state.records.insert(number, record);
    }
    Ok(())
}

impl Contest<'_> {
    /// The seed of a game; both games of a pair of a match have the same.
    fn seed_of(&self, number: u32) -> u64 {
        let (kind, number) = match self.phase {
            Phase::Games(_) => (0, number),
            Phase::Match(_) => (1, number / 2),
        };
        let place = u64::from(self.phase.generation()) << 40 | kind << 32 | u64::from(number);
        // Neighboring numbers get seeds far apart. Source: the multiplier of SplitMix64.
        self.seed.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

/// The number of the next game, unless there are enough.
fn next(enough: Enough, state: &mut State) -> Option<u32> {
    while state.records.contains_key(&state.next) {
        state.next += 1;
    }
    let number = state.next;
    let more = match enough {
        Enough::At(end) => number < LEAST_GAMES || Instant::now() < end,
        Enough::Games(games) => number < games,
        Enough::Nodes(nodes) => !has_nodes(&state.records, nodes),
    };
    more.then(|| {
        state.next += 1;
        number
    })
}

/// Whether the games with the first numbers have `nodes` nodes together.
fn has_nodes(records: &BTreeMap<u32, Record>, nodes: u64) -> bool {
    first_with(records, nodes).is_some()
}

/// How many of the first games have `nodes` nodes together, if all of them were played.
fn first_with(records: &BTreeMap<u32, Record>, nodes: u64) -> Option<usize> {
    let mut sum = 0;
    for (count, (&number, record)) in records.iter().enumerate() {
        if number as usize != count {
            return None;
        }
        sum += record.nodes;
        if sum >= nodes {
            return Some(count + 1);
        }
    }
    None
}

/// The games that count: those with the first numbers. Where time is asked for, they end before the
/// first game that was not played: the number of a game of a match tells who has White.
fn first_games(enough: Enough, records: BTreeMap<u32, Record>) -> Vec<Record> {
    let count = match enough {
        Enough::At(_) => records.keys().zip(0..).take_while(|&(&number, at)| number == at).count(),
        Enough::Games(games) => games as usize,
        Enough::Nodes(nodes) => first_with(&records, nodes).unwrap_or(records.len()),
    };
    records.into_values().take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::Ending;
    use super::*;

    #[test]
    fn games_behind_one_that_was_not_played_do_not_count() {
        let record = |nodes| Record {
            opening: 0,
            moves: Vec::new(),
            scores: Vec::new(),
            ending: Ending::Drawn,
            nodes,
        };
        let numbers = (0..=15_u32).chain([17]);
        let records = numbers.map(|number| (number, record(u64::from(number)))).collect();
        let counted = first_games(Enough::At(Instant::now()), records);
        assert!(counted.iter().map(|record| record.nodes).eq(0..16), "{}", counted.len());
    }
}
