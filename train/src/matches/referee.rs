//! The project's own match runner: plays pairs of games on several threads.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam::channel::{Sender, unbounded};
use tamarin_base::files::{Reader, Target};
use tamarin_movegen::{Color, PerColor, Position};

use super::game::{self, Ending, Game, Rules};
use super::pgn::{self, Heading};
use super::player::{Launch, Player, PlayerError};
use super::report::{FaultReport, Outcome};
use super::sprt::{Sprt, Verdict};
use crate::report::report;

/// Lines on how it stands during a match, apart from the last.
const LINES: u64 = 20;

/// Most pairs between two lines of a test, which ends long before its last planned pair.
const PAIRS_OF_TEST: u64 = 25;

/// A match to be played.
#[derive(Debug)]
pub(super) struct Match<'a> {
    /// The new version and its opponent.
    pub players: [Launch; 2],
    /// Not empty; used from the start again if there are more pairs.
    pub openings: &'a [Position],
    pub rules: Rules,
    /// Most pairs to play.
    pub pairs: usize,
    /// Games at a time.
    pub concurrency: usize,
    pub sprt: Option<Sprt>,
    /// Games are appended to it.
    pub pgn: Option<PathBuf>,
    /// Of the games, `YYYY-MM-DD`.
    pub date: String,
    /// Set from outside to end the match.
    pub stopped: &'a AtomicBool,
}

/// A match cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    #[error("{name}")]
    Player { name: String, source: PlayerError },
    /// The games cannot be kept.
    #[error("{path}")]
    Pgn {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Both games of an opening; the new version has White in the first.
struct Pair {
    number: usize,
    games: [Game; 2],
}

/// Starts an engine: one that does not start, or does not take an option, ends the match before it
/// begins. What it says when its options are set is printed. What it said of those that the user
/// asked for is returned, because it may say that it did not take them.
pub(super) fn try_out(launch: &Launch, stopped: &AtomicBool) -> Result<Vec<String>, RefereeError> {
    let player = start(launch, stopped)?;
    let named = player.remarks().each_ref().map(|remarks| {
        remarks.iter().map(|remark| format!("{}: {remark}", launch.name)).collect::<Vec<_>>()
    });
    named.iter().flatten().for_each(|remark| report!("{remark}"));
    let [_, requested] = named;
    Ok(requested)
}

pub(super) fn start<'a>(
    launch: &Launch,
    stopped: &'a AtomicBool,
) -> Result<Player<'a>, RefereeError> {
    Player::start(launch, stopped)
        .map_err(|source| RefereeError::Player { name: launch.name.clone(), source })
}

/// Plays the match until its pairs are played, the test is decided, it is stopped or an error ends
/// it; pairs that are not finished then are left out.
pub(super) fn play(match_: &Match<'_>) -> (Outcome, Option<RefereeError>) {
    let next = AtomicUsize::new(0);
    let mut outcome = Outcome::default();
    let result = std::thread::scope(|scope| {
        let (sender, results) = unbounded();
        for _ in 0..match_.concurrency {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || work(match_, next, &sender));
        }
        drop(sender);
        for pair in results {
            let counted = pair.and_then(|pair| count(match_, &mut outcome, &pair));
            let decided =
                match_.sprt.is_some_and(|sprt| sprt.verdict(&outcome.pairs) != Verdict::Open);
            if counted.is_err() || decided {
                match_.stopped.store(true, Ordering::Relaxed);
                counted?;
                return Ok(());
            }
        }
        Ok(())
    });
    (outcome, result.err())
}

/// Takes a finished pair into the outcome and the file of games, and prints how it stands.
fn count(match_: &Match<'_>, outcome: &mut Outcome, pair: &Pair) -> Result<(), RefereeError> {
    let mut text = String::new();
    let mut half_points = [0; 2];
    for (index, game) in pair.games.iter().enumerate() {
        let ours = if index == 0 { Color::White } else { Color::Black };
        half_points[index] = match game.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == ours),
        };
        let name = |color| match_.players[usize::from(color != ours)].name.as_str();
        if let (Ending::Fault(fault), Some(winner)) = (&game.ending, game.winner) {
            outcome.faults.push(FaultReport {
                culprit: name(!winner).to_owned(),
                kind: fault.kind().to_owned(),
                detail: format!("{fault} (pair {}, game {})", pair.number + 1, index + 1),
            });
        }
        let heading = Heading {
            date: &match_.date,
            round: format!("{}.{}", pair.number + 1, index + 1),
            white: name(Color::White),
            black: name(Color::Black),
            limit: match_.rules.limit.to_string(),
            variant: match_.rules.variant,
        };
        text += &pgn::write(game, &heading);
    }
    outcome.add_pair(half_points);
    if let Some(path) = &match_.pgn {
        Target::of_user(path)
            .and_then(|target| target.append(Reader::Awaited))
            .and_then(|mut file| file.append(text.as_bytes()))
            .map_err(|source| RefereeError::Pgn { path: path.clone(), source })?;
    }
    if outcome.pairs.pairs().is_multiple_of(pairs_per_line(match_)) {
        report!("{}", outcome.line(match_.sprt.as_ref()));
    }
    Ok(())
}

/// Pairs after which a line on how it stands is printed.
fn pairs_per_line(match_: &Match<'_>) -> u64 {
    let usual = (match_.pairs as u64 / LINES).max(1);
    if match_.sprt.is_some() { usual.min(PAIRS_OF_TEST) } else { usual }
}

/// Plays pairs until there are no more; a player that broke down starts anew.
fn work(match_: &Match<'_>, next: &AtomicUsize, results: &Sender<Result<Pair, RefereeError>>) {
    let mut players = [None, None];
    while !match_.stopped.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= match_.pairs {
            return;
        }
        let pair = match play_pair(match_, number, &mut players) {
            Err(RefereeError::Player { source: PlayerError::Stopped, .. }) => return,
            pair => pair,
        };
        if results.send(pair).is_err() {
            return;
        }
    }
}

fn play_pair<'a>(
    match_: &Match<'a>,
    number: usize,
    players: &mut [Option<Player<'a>>; 2],
) -> Result<Pair, RefereeError> {
    let opening = &match_.openings[number % match_.openings.len()];
    let mut play_one = |white: usize| -> Result<Game, RefereeError> {
        let [new, old] = players;
        let new = running(&match_.players[0], new, match_.stopped)?;
        let old = running(&match_.players[1], old, match_.stopped)?;
        let mut seats = if white == 0 { PerColor([new, old]) } else { PerColor([old, new]) };
        let game = game::play(opening, &mut seats, &match_.rules);
        let game = game.map_err(|source| {
            let name = match_.players.each_ref().map(|launch| launch.name.as_str()).join(", ");
            RefereeError::Player { name, source }
        })?;
        if matches!(game.ending, Ending::Fault(_)) {
            *players = [None, None];
        }
        Ok(game)
    };
    Ok(Pair { number, games: [play_one(0)?, play_one(1)?] })
}

/// The player of a slot, started on first use.
fn running<'s, 'a>(
    launch: &Launch,
    slot: &'s mut Option<Player<'a>>,
    stopped: &'a AtomicBool,
) -> Result<&'s mut Player<'a>, RefereeError> {
    if slot.is_none() {
        *slot = Some(start(launch, stopped)?);
    }
    Ok(slot.as_mut().expect("invariant: filled above"))
}
