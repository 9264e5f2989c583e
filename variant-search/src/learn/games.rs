//! Games that the program plays with itself to learn from them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_base::Signals;
use tamarin_variant::{Color, Game, Outcome, Position};

use super::run::{Observer, Phase, Stopped};
use crate::any_evaluator::AnyEvaluator;
use crate::limits::{BestMove, Limits};
use crate::search::{Engine, EngineError, Options};
use tamarin_base::ScoreValue;

/// Games begin with at least the first number of random plies, and fewer than the second.
const OPENING: (u64, u64) = (2, 10);
/// Openings that are tried until one does not end the game.
const MOST_OPENINGS: usize = 100;
/// Longer games end undecided.
const MOST_PLIES: usize = 240;
/// A side that is ahead by these centipawns for this number of plies in a row has won. Engines that
/// see 500 nodes could not always prove it: such games would be drawn by their length, and teach
/// that pieces are worth nothing in the endgame.
const ADJUDICATED: (i32, usize) = (1000, 6);
/// One game in this number is played to its end all the same, so that values cannot confirm
/// themselves.
const PLAYED_OUT: u64 = 4;
/// What is kept of a won or lost game's score.
const DECISIVE: i16 = 20_000;

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A side has won.
    Won(Color),
    /// By rule.
    Drawn,
    /// By its length.
    Undecided,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// How many random moves it began with.
    pub opening: usize,
    /// Each move as its number among the legal ones, in the order of generation.
    pub moves: Vec<u16>,
    /// The score of each move that is not random, for White, in centipawns; wins are 20,000.
    pub scores: Vec<i16>,
    /// How it has ended.
    pub ending: Ending,
    /// Nodes of all searches.
    pub nodes: u64,
}

impl Record {
    /// White's points: 0, a half or 1. An undecided game has half of them.
    pub fn points(&self) -> f64 {
        match self.ending {
            Ending::Won(Color::White) => 1.0,
            Ending::Won(Color::Black) => 0.0,
            Ending::Drawn | Ending::Undecided => 0.5,
        }
    }

    /// Calls `found` with every position of the game but the last and the number of its ply. `None`
    /// if the game has no such moves.
    pub fn replay(
        &self,
        game: &Arc<Game>,
        mut found: impl FnMut(usize, &Position, tamarin_variant::Move),
    ) -> Option<()> {
        let mut position = Position::start(game);
        let mut moves = Vec::new();
        for (ply, &number) in self.moves.iter().enumerate() {
            position.legal_moves_into(&mut moves);
            let m = *moves.get(usize::from(number))?;
            found(ply, &position, m);
            position.make(m);
        }
        Some(())
    }
}

/// Which game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Assignment {
    /// Decides the random moves, and whether the game is played out.
    pub(super) seed: u64,
    /// Nodes a ply.
    pub(super) nodes: u64,
}

/// The players of a game: one engine for both sides, or one each.
pub(super) enum Players<'a> {
    Same(&'a mut Engine),
    Each([&'a mut Engine; 2]),
}

impl Players<'_> {
    fn new_game(&mut self) {
        match self {
            Self::Same(engine) => engine.new_game(),
            Self::Each(engines) => engines.iter_mut().for_each(|engine| engine.new_game()),
        }
    }

    fn think(&mut self, position: &Position, nodes: u64) -> BestMove {
        let engine = match self {
            Self::Same(engine) => engine,
            Self::Each(engines) => &mut engines[position.side_to_move().index()],
        };
        engine.search(position, &Limits::nodes(nodes), &Signals::default(), |_| ())
    }
}

/// Random moves that do not end the game; none if they always do.
fn opening(game: &Arc<Game>, random: &mut impl Rng) -> (Position, Vec<u16>) {
    for _ in 0..MOST_OPENINGS {
        let mut position = Position::start(game);
        let plies = OPENING.0 + random.next_u64() % (OPENING.1 - OPENING.0);
        let mut numbers = Vec::new();
        for _ in 0..plies {
            let moves = position.legal_moves();
            let Some(at) = random.next_u64().checked_rem(moves.len() as u64) else { break };
            position.make(moves[at as usize]);
            numbers.push(at as u16);
        }
        if position.outcome().is_none() {
            return (position, numbers);
        }
    }
    (Position::start(game), Vec::new())
}

/// Plays a game; `None` if it was stopped before the end.
pub(super) fn play(
    game: &Arc<Game>,
    mut players: Players<'_>,
    assignment: Assignment,
    stop: &AtomicBool,
) -> Option<Record> {
    players.new_game();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(assignment.seed);
    let played_out = random.next_u64().is_multiple_of(PLAYED_OUT);
    let (mut position, mut moves) = opening(game, &mut random);
    let (opening, mut scores, mut nodes) = (moves.len(), Vec::new(), 0);
    let mut legal = Vec::new();
    let ending = loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(Outcome { winner, .. }) = position.outcome() {
            break winner.map_or(Ending::Drawn, Ending::Won);
        }
        if moves.len() >= MOST_PLIES {
            break Ending::Undecided;
        }
        if !played_out && let Some(winner) = adjudicated(&scores) {
            break Ending::Won(winner);
        }
        let answer = players.think(&position, assignment.nodes);
        nodes += answer.nodes;
        position.legal_moves_into(&mut legal);
        let number = answer.mv.and_then(|best| legal.iter().position(|&m| m == best));
        // Without a legal move the game had been over.
        let Some(number) = number else { break Ending::Undecided };
        let own = match answer.value {
            ScoreValue::Centipawns(score) => {
                score.clamp(-i32::from(DECISIVE), DECISIVE.into()) as i16
            }
            ScoreValue::Mate(moves) if moves > 0 => DECISIVE,
            ScoreValue::Mate(_) => -DECISIVE,
        };
        scores.push(if position.side_to_move() == Color::White { own } else { -own });
        moves.push(number as u16);
        position.make(legal[number]);
    };
    Some(Record { opening, moves, scores, ending, nodes })
}

/// The side that both players have seen far ahead for some plies.
fn adjudicated(scores: &[i16]) -> Option<Color> {
    let last = scores.len().checked_sub(ADJUDICATED.1)?;
    let least = i32::from(*scores[last..].iter().min()?);
    let most = i32::from(*scores[last..].iter().max()?);
    if least >= ADJUDICATED.0 {
        Some(Color::White)
    } else if most <= -ADJUDICATED.0 {
        Some(Color::Black)
    } else {
        None
    }
}

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
    use super::super::games::Ending;
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
