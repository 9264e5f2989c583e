//! An engine of a match: how it is started, and what it answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tamarin_uci::client::{Client, ClientError, Launch};
use tamarin_uci::{BestMoveLine, Go, PositionText, ScoreValue};

use crate::error::{Context, Result, reject};
use crate::report::report;

/// What Tamarin says after the name of an option whose value it did not take. Of values that no
/// option line allows it says something else, but they are not sent.
const REFUSALS: [&str; 2] = ["unchanged", "stays at"];

#[derive(Clone, Debug)]
pub struct Contender {
    /// What it is called in the report.
    pub name: String,
    /// How to start it, without options.
    pub launch: Launch,
    /// Options that are set if the engine has them, and their values.
    pub options: Vec<(String, String)>,
    /// Options that the user asked for, set after the others. An engine that lacks one is rejected.
    pub requested: Vec<(String, String)>,
}

impl Contender {
    /// Names and values of all options, in the order in which they are set.
    pub fn all_options(&self) -> impl Iterator<Item = &(String, String)> {
        self.options.iter().chain(&self.requested)
    }

    /// The value that an option has in the games, if it is set.
    pub fn value_of(&self, name: &str) -> Option<&str> {
        let is_named = |option: &&(String, String)| option.0.eq_ignore_ascii_case(name);
        self.all_options().filter(is_named).last().map(|(_, value)| value.as_str())
    }

    /// Starts it and sets its options. What it says (`info string`) while the options of any match
    /// are set, and while those that the user asked for are: it may say that it did not take them.
    pub fn start(&self, stopped: &Arc<AtomicBool>) -> Result<(Client, [Vec<String>; 2])> {
        let client = Client::start(&self.launch, Some(Arc::clone(stopped)));
        let mut client = client.map_err(|error| self.error(error))?;
        for (name, value) in &self.requested {
            client.check(name, value).map_err(|error| self.error(error))?;
        }
        let remarks =
            [self.set(&mut client, &self.options)?, self.set(&mut client, &self.requested)?];
        Ok((client, remarks))
    }

    /// Starts an engine: one that does not start, or does not take an option, ends the match before it
    /// begins. What it says when its options are set is printed. What it said of those that the user
    /// asked for is returned, because it may say that it did not take them.
    pub fn try_out(&self, stopped: &Arc<AtomicBool>) -> Result<Vec<String>> {
        let (_, remarks) = self.start(stopped)?;
        let named = remarks.map(|remarks| {
            remarks.iter().map(|remark| format!("{}: {remark}", self.name)).collect::<Vec<_>>()
        });
        named.iter().flatten().for_each(|remark| report!("{remark}"));
        let [_, requested] = named;
        Ok(requested)
    }

    fn error(&self, error: ClientError) -> crate::TrainError {
        let name = match error {
            ClientError::Start(_) => format!("{}: {}", self.name, self.launch.program.display()),
            _ => self.name.clone(),
        };
        Err::<(), _>(error).context(name).expect_err("invariant: it is an error")
    }

    /// Sets those of the options that it has; what it said in the meantime.
    fn set(&self, client: &mut Client, options: &[(String, String)]) -> Result<Vec<String>> {
        for (name, value) in options {
            if client.option(name).is_some() {
                client.set(name, value).map_err(|error| self.error(error))?;
            }
        }
        let remarks = client.ready().map_err(|error| self.error(error))?;
        let refuses = |remark: &&String| {
            let remark = remark.to_lowercase();
            options.iter().any(|(name, _)| {
                REFUSALS
                    .iter()
                    .any(|words| remark.contains(&format!("{name} {words}").to_lowercase()))
            })
        };
        if let Some(refusal) = remarks.iter().find(refuses) {
            reject!("{}: rejects an option: {refusal}", self.name);
        }
        Ok(remarks)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move after `bestmove`, or `(none)` or `0000`.
    pub best: String,
    /// Of the last exact line of the best variation, for the side to move; `None` without one.
    pub score: Option<ScoreValue>,
    pub depth: u32,
    pub used: Duration,
}

/// Lets an engine think; it counts as hung after `limit`.
pub fn ask(
    client: &mut Client,
    position: &PositionText,
    go: &Go,
    limit: Duration,
) -> Result<Answer, ClientError> {
    client.go(position, go, Some(limit))?;
    let (mut score, mut depth) = (None, 0);
    let answer = client.wait(|info| {
        if let Some(found) = info.line.exact_score() {
            (score, depth) = (Some(found), info.line.depth.unwrap_or(0));
        }
    })?;
    let best = match answer.best {
        BestMoveLine::Move { mv, .. } => mv,
        BestMoveLine::None => "(none)".to_owned(),
        BestMoveLine::Null => "0000".to_owned(),
    };
    Ok(Answer { best, score, depth, used: answer.used })
}

/// Centipawns of a score, mates beyond any evaluation.
pub fn centipawns(score: ScoreValue) -> i32 {
    const MATE: i32 = 100_000;
    match score {
        ScoreValue::Centipawns(score) => score,
        ScoreValue::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 2),
        ScoreValue::Mate(moves) => -MATE - moves.max(-MATE / 2),
    }
}
