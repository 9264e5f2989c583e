//! Matches of two engines (`tamarin-train match`): is the new version stronger?
//!
//! Every opening is played twice with changed colors. fastchess or cutechess-cli plays the
//! games where there is one, else the referee here. Errors and the test come from the results of
//! pairs ([`stats`], [`sprt`]); a row is appended to the list of matches ([`ledger`]).

pub mod adjudication;
mod arguments;
mod game;
pub mod ledger;
mod other;
pub mod pgn;
mod plan;
mod player;
mod referee;
mod report;
pub mod sprt;
pub mod stats;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::{Context, Result};
use crate::report::report;
use crate::saved::check_new;
use plan::Plan;
use report::Played;

pub use arguments::{Arguments, time_control};
pub use report::{FaultReport, MatchResult};

/// Plays the match, prints its result and appends its row.
pub fn run(arguments: &Arguments) -> Result<()> {
    let stopped = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        for flag in [&interrupted, &stopped] {
            flag::register(signal, Arc::clone(flag)).context("cannot listen for Ctrl-C")?;
        }
    }
    check_outputs(arguments)?;
    let plan = Plan::new(arguments, &stopped)?;
    report!("{}", plan.headline());
    let Played { result, broken_off, mut failure } = match plan.tool {
        Some(tool) => other::play(tool, &plan, &stopped)?,
        None => referee(&plan, &stopped)?,
    };
    report!("\n{}", result.summary(plan.sprt.as_ref()));
    let planned = 2 * plan.pairs;
    let mut cut_short = broken_off;
    let is_complete = plan.is_decided(&result) || result.games() >= planned as u64;
    if interrupted.load(Ordering::Relaxed) && !is_complete {
        report!("interrupted after {} of {planned} games", result.games());
        // The other program was ended, too.
        failure = failure.filter(|_| plan.tool.is_none());
        cut_short = Some(format!("cut short, {planned} games were planned"));
    }
    if let Some(path) = arguments.ledger.as_ref().filter(|_| result.games() > 0) {
        let id = ledger::append(path, plan.row(&result, cut_short))?;
        report!("row {id} of {}", path.display());
    }
    failure.map_or(Ok(()), Err)
}

/// The match by our own referee.
fn referee(plan: &Plan<'_>, stopped: &Arc<AtomicBool>) -> Result<Played> {
    let (result, played) = referee::play(plan, stopped);
    let failure = match played.context("the match") {
        Err(error) if result.games() == 0 => return Err(error),
        played => played.err(),
    };
    let broken_off = failure
        .as_ref()
        .map(|_| format!("ended by an error, {} games were planned", 2 * plan.pairs));
    Ok(Played { result, broken_off, failure })
}

/// Makes sure, before the games, that they and their row can be written, each to a file of its own.
fn check_outputs(arguments: &Arguments) -> Result<()> {
    let Arguments { book, pgn, ledger, .. } = arguments;
    if let Some(path) = pgn {
        check_new(path, book.iter().chain(ledger)).context(path.display())?;
    }
    if let Some(path) = ledger {
        ledger::check(path, book.iter().chain(pgn))?;
    }
    Ok(())
}
