//! Finding out how an engine is asked.

use std::time::Duration;

use tamarin_uci::client::ClientError;

use crate::compare::answer::Answer;
use crate::compare::driver::{AskError, Driver, Form, Place, Protocol, has_places, is_plausible};

/// Why nothing could be compared.
#[derive(Debug)]
pub enum Failure {
    /// What was typed is wrong.
    Input(String),
    /// The engine has no command that tells its moves.
    NotCompared(String),
    Cancelled,
}

/// How long an engine may take to say that it speaks a protocol before another one is tried.
const GREETING: Duration = Duration::from_secs(3);

const UCI: [&str; 5] = [
    "go perft {depth}",
    "divide {depth}",
    "perft {depth}",
    "dperft {depth}",
    "moves depth {depth}",
];

const XBOARD: [&str; 5] = [
    "divide {depth}",
    "perft {depth}",
    "dperft {depth}",
    "sd {depth}\ndivide",
    "sd {depth}\nperft",
];

/// Positions that are asked to see what the answers look like: the start, and one with promotions
/// and castling.
const PROBES: [&str; 2] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
];

fn place(fen: &str) -> Place {
    Place::new(fen).expect("invariant: the position is legal")
}

impl Driver {
    /// Finds the protocol and the command, as far as the user has not named them.
    pub fn detect(&mut self, protocol: Option<Protocol>, ask: Option<&str>) -> Result<(), Failure> {
        let protocols = match protocol {
            Some(protocol) => vec![protocol],
            None if has_places(&self.launch) => vec![Protocol::Args],
            None => vec![Protocol::Uci, Protocol::Xboard, Protocol::Uci, Protocol::Args],
        };
        let mut reason = String::new();
        let last_uci = protocols.iter().rposition(|&protocol| protocol == Protocol::Uci);
        for (index, protocol) in protocols.into_iter().enumerate() {
            self.patience = match last_uci {
                Some(last) if index < last => GREETING.min(self.timeout),
                _ => self.timeout,
            };
            match self.connect(protocol) {
                Ok(()) => {}
                Err(ClientError::Cancelled) => return Err(Failure::Cancelled),
                Err(error @ ClientError::Start(_)) => {
                    let program = self.launch.program.display();
                    let error = tamarin_base::with_causes(&error);
                    return Err(Failure::Input(format!("the engine {program} {error}")));
                }
                Err(error @ (ClientError::NoOption(_) | ClientError::Value { .. })) => {
                    return Err(Failure::Input(format!("the engine {error}")));
                }
                Err(error) => {
                    reason = error.to_string();
                    continue;
                }
            }
            let commands = match (ask, protocol) {
                (Some(ask), _) => vec![ask],
                (None, Protocol::Uci) => UCI.to_vec(),
                (None, Protocol::Xboard) => XBOARD.to_vec(),
                (None, Protocol::Args) => vec!["arguments"],
            };
            if self.find_command(&commands)? || self.find_list()? {
                return self.find_use_of_moves();
            }
            if protocol != Protocol::Args {
                let tried = commands.iter().map(|text| text.replace('\n', ", "));
                let tried: Vec<String> = tried.collect();
                return Err(Failure::NotCompared(format!(
                    "has no command for perft and no other way to tell its moves (tried: {}); \
                     --ask names another one",
                    tried.join("; ")
                )));
            }
            reason = "answers neither UCI nor XBoard nor arguments with counts".to_owned();
        }
        Err(Failure::NotCompared(reason))
    }

    /// The first command that gives a divide, else the first that gives totals.
    fn find_command(&mut self, commands: &[&str]) -> Result<bool, Failure> {
        let mut totals = None;
        for command in commands {
            self.command = (*command).to_owned();
            (self.form, self.has_total) = (Form::Unknown, false);
            match self.probe() {
                Ok(Some(Form::Divide)) => {
                    self.form = Form::Divide;
                    return Ok(true);
                }
                Ok(Some(form)) => {
                    totals.get_or_insert((self.command.clone(), form, self.has_total));
                }
                Ok(None) => {}
                Err(AskError::Cancelled) => return Err(Failure::Cancelled),
                Err(AskError::Failed(_)) => {
                    if self.connect(self.protocol).is_err() {
                        break;
                    }
                }
            }
        }
        if let Some((command, form, has_total)) = totals {
            (self.command, self.form, self.has_total) = (command, form, has_total);
            return Ok(true);
        }
        Ok(false)
    }

    /// What the present command gives at depths 1 and 2, judged by the form of the answers.
    fn probe(&mut self) -> Result<Option<Form>, AskError> {
        let whole = self.timeout;
        self.timeout = whole.min(Duration::from_secs(5));
        let mut answers: Vec<(Place, Answer)> = Vec::new();
        let mut asked = Ok(());
        for (fen, depth) in PROBES.into_iter().flat_map(|fen| [(fen, 1), (fen, 2)]) {
            match self.ask(&place(fen), depth, false) {
                Ok(answer) if answer.nodes().is_some() => answers.push((place(fen), answer)),
                Ok(_) => break,
                Err(error) => {
                    asked = Err(error);
                    break;
                }
            }
        }
        self.timeout = whole;
        asked?;
        let is_divide = |(place, answer): &(Place, Answer)| {
            let fits = answer.moves.iter().filter(|(mv, _)| is_plausible(&place.position, *mv));
            answer.moves.len() >= 10 && fits.count() * 10 >= answer.moves.len() * 9
        };
        if answers.len() == 4 && answers.iter().all(is_divide) {
            return Ok(Some(Form::Divide));
        }
        // A search is no count.
        let mut is_search = false;
        if self.protocol == Protocol::Uci {
            let mut look = |line: &str| is_search |= line.starts_with("bestmove");
            self.exchange("stop", &mut look)?;
            while self.drain(Duration::from_millis(100), &mut look) {}
        }
        let totals: Vec<u64> = answers.iter().filter_map(|(_, answer)| answer.total).collect();
        let grow = totals.len() == 4 && totals[1] > totals[0] && totals[3] > totals[2];
        let cumulative = totals.first() == Some(&20) && totals.get(1) == Some(&420);
        Ok((grow && !is_search).then_some(Form::Total { cumulative }))
    }

    /// Other ways to have the moves of a position: one best line for each, or what is refused.
    fn find_list(&mut self) -> Result<bool, Failure> {
        match self.protocol {
            Protocol::Args => return Ok(false),
            Protocol::Uci => {
                let most = self.client().and_then(|client| client.option("MultiPV")?.max);
                let most = most.unwrap_or(1).clamp(1, 256);
                self.form = Form::Lines { most: most as usize };
                self.command = format!("MultiPV {most}, go depth 1");
            }
            Protocol::Xboard => {
                self.form = Form::Refusals;
                self.command = "usermove, Illegal move".to_owned();
            }
        }
        if self.connect(self.protocol).is_err() {
            return Ok(false);
        }
        for fen in PROBES {
            let probe = place(fen);
            let legal = probe.position.legal_moves().len();
            match self.ask(&probe, 1, false) {
                Err(AskError::Cancelled) => return Err(Failure::Cancelled),
                Err(AskError::Failed(_)) => return Ok(false),
                Ok(answer) => match &mut self.form {
                    // It does not list all its moves: only what it lists counts.
                    Form::Lines { most } if answer.moves.len() < legal.min(*most) => {
                        *most = answer.moves.len().min(1);
                    }
                    Form::Refusals if answer.moves.len().abs_diff(legal) > legal / 2 => {
                        return Ok(false);
                    }
                    _ => {}
                },
            }
        }
        Ok(!matches!(self.form, Form::Lines { most: 0 }))
    }

    /// Whether moves behind a position are played: some programs leave them out.
    fn find_use_of_moves(&mut self) -> Result<(), Failure> {
        let start = place(PROBES[0]);
        let after = ["e2e4", "e7e5"].iter().fold(start.clone(), |place, text| {
            let mv = text.parse().ok().and_then(|mv| place.position.resolve(mv).ok());
            place.child(mv.expect("invariant: the move is legal"))
        });
        let mut count = |place: &Place| match self.ask(place, 1, false) {
            Err(AskError::Cancelled) => Err(Failure::Cancelled),
            Err(AskError::Failed(_)) => Ok(None),
            Ok(answer) => Ok(answer.nodes()),
        };
        let (before, then) = (count(&start)?, count(&after)?);
        if before == then && !matches!(self.form, Form::Lines { .. }) {
            self.takes_moves = false;
        }
        Ok(())
    }
}
