//! The project's own match runner: plays pairs of games on several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tamarin_base::files::{Reader, Target};
use tamarin_movegen::{Color, PerColor};
use tamarin_uci::client::Client;

use super::game::{Ending, Game, play_game};
use super::pgn;
use super::plan::Plan;
use super::report::{FaultReport, MatchResult};
use crate::data::GameResult;
use crate::error::{Context, Result};
use crate::parallel::work_off_numbers;
use crate::play::{both_colors, half_points};
use crate::report::report;

/// Lines on how it stands during a match, apart from the last.
const LINES: u64 = 20;

/// Most pairs between two lines of a test, which ends long before its last planned pair.
const PAIRS_OF_TEST: u64 = 25;

/// Plays the match until its pairs are played, the test is decided, it is stopped or an error ends
/// it; pairs that are not finished then are left out.
pub fn play(plan: &Plan<'_>, stopped: &Arc<AtomicBool>) -> (MatchResult, Result<()>) {
    let mut result = MatchResult::default();
    let is_stopped = || stopped.load(Ordering::Relaxed);
    let stop = || stopped.store(true, Ordering::Relaxed);
    let workers = (0..plan.concurrency).map(|_| [None, None]);
    let work = |players: &mut [Option<Client>; 2], number| {
        if is_stopped() {
            return Ok(None);
        }
        let pair = play_pair(plan, stopped, number, players);
        // To be stopped is no error; an error stops the others.
        if is_stopped() { Ok(pair.ok()) } else { pair.map(Some).inspect_err(|_| stop()) }
    };
    let take = |number, games: Option<[Game; 2]>| match games {
        // Pairs that end after the decision do not count.
        Some(games) if !plan.is_decided(&result) => {
            let counted = count(plan, &mut result, number, &games);
            if counted.is_err() || plan.is_decided(&result) {
                stop();
            }
            counted
        }
        _ => Ok(()),
    };
    let played = work_off_numbers(plan.pairs, workers, work, take);
    (result, played)
}

/// Takes a finished pair into the outcome and the file of games, and prints how it stands.
fn count(
    plan: &Plan<'_>,
    result: &mut MatchResult,
    number: usize,
    games: &[Game; 2],
) -> Result<()> {
    let mut text = String::new();
    for (index, game) in games.iter().enumerate() {
        let ours = if index == 0 { Color::White } else { Color::Black };
        let name = |color| plan.players[usize::from(color != ours)].name.as_str();
        if let (Ending::Fault(fault), Some(winner)) = (&game.ending, game.winner) {
            result.faults.push(FaultReport {
                culprit: name(!winner).to_owned(),
                kind: fault.kind().to_owned(),
                detail: format!("{fault} (pair {}, game {})", number + 1, index + 1),
            });
        }
        let names = PerColor(Color::ALL.map(name));
        let round = format!("{}.{}", number + 1, index + 1);
        text += &pgn::write(game, names, &plan.arguments.date, &round, &plan.rules);
    }
    let results = games.each_ref().map(|game| game.winner);
    result.add_pair(half_points(results.map(GameResult::of_winner)));
    if let Some(path) = &plan.arguments.pgn {
        Target::of_user(path)
            .and_then(|target| target.append(Reader::Awaited))
            .and_then(|mut file| file.append(text.as_bytes()))
            .context(path.display())?;
    }
    if result.pairs.pairs().is_multiple_of(pairs_per_line(plan)) {
        report!("{}", result.line(plan.sprt.as_ref()));
    }
    Ok(())
}

/// Pairs after which a line on how it stands is printed.
fn pairs_per_line(plan: &Plan<'_>) -> u64 {
    let usual = (plan.pairs as u64 / LINES).max(1);
    if plan.sprt.is_some() { usual.min(PAIRS_OF_TEST) } else { usual }
}

/// Plays a pair. A player is started on first use, and anew if one broke the rules.
fn play_pair(
    plan: &Plan<'_>,
    stopped: &Arc<AtomicBool>,
    number: usize,
    players: &mut [Option<Client>; 2],
) -> Result<[Game; 2]> {
    let opening = &plan.openings[number % plan.openings.len()];
    both_colors(|sides| {
        for (player, slot) in plan.players.iter().zip(&mut *players) {
            if slot.is_none() {
                *slot = Some(player.start(stopped)?.0);
            }
        }
        let [Some(new), Some(old)] = players.each_mut().map(Option::as_mut) else {
            unreachable!("invariant: both were started")
        };
        let mut seats = PerColor(if sides.0[0] == 0 { [new, old] } else { [old, new] });
        let names = || plan.players.each_ref().map(|player| player.name.as_str()).join(", ");
        let game = play_game(opening, &mut seats, &plan.rules);
        let game = game.map_err(|error| Err::<(), _>(error).context(names()).unwrap_err())?;
        if matches!(game.ending, Ending::Fault(_)) {
            *players = [None, None];
        }
        Ok(game)
    })
}
