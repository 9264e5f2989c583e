//! Finding out how an engine is asked.

use std::time::Duration;

use tamarin_uci::client::ClientError;

use crate::compare::answer::{Answer, MoveText};
use crate::compare::driver::{
    AskError, Asked, Driver, Form, Place, Protocol, answered, has_places,
};

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

impl Driver {
    /// Finds the protocol and the command, as far as the user has not named them.
    ///
    /// # Errors
    /// [`AskError::Failed`] if the engine has no command that tells its moves.
    pub fn detect(&mut self, protocol: Option<Protocol>, ask: Option<&str>) -> Asked<()> {
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
                Err(ClientError::Cancelled) => return Err(AskError::Cancelled),
                Err(error @ ClientError::Start(_)) => {
                    let program = self.launch.program.display();
                    let error = tamarin_base::with_causes(&error);
                    return Err(AskError::Input(format!("the engine {program} {error}")));
                }
                Err(error @ (ClientError::NoOption(_) | ClientError::Value { .. })) => {
                    return Err(AskError::Input(format!("the engine {error}")));
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
                let tried = commands.join("; ").replace('\n', ", ");
                return Err(AskError::Failed(format!(
                    "has no command for perft and no other way to tell its moves (tried: {tried}); \
                     --ask names another one"
                )));
            }
            reason = "answers neither UCI nor XBoard nor arguments with counts".to_owned();
        }
        Err(AskError::Failed(reason))
    }

    /// The first command that gives a divide, else the first that gives totals.
    fn find_command(&mut self, commands: &[&str]) -> Asked<bool> {
        let mut totals = None;
        for command in commands {
            self.command = (*command).to_owned();
            (self.form, self.has_total) = (Form::Unknown, false);
            match answered(self.probe())? {
                Some(Form::Divide) => {
                    self.form = Form::Divide;
                    return Ok(true);
                }
                Some(Form::Unknown) => {}
                Some(form) => {
                    totals.get_or_insert((self.command.clone(), form, self.has_total));
                }
                None => {
                    if self.connect(self.protocol).is_err() {
                        break;
                    }
                }
            }
        }
        let is_found = totals.is_some();
        if let Some(found) = totals {
            (self.command, self.form, self.has_total) = found;
        }
        Ok(is_found)
    }

    /// What the present command gives at depths 1 and 2, judged by the form of the answers.
    fn probe(&mut self) -> Asked<Form> {
        let whole = self.timeout;
        self.timeout = whole.min(Duration::from_secs(5));
        let asked = self.ask_probes();
        self.timeout = whole;
        let answers = asked?;
        let is_divide = |(place, answer): &(Place, Answer)| {
            let own = place.position.color(place.position.side_to_move());
            let is_strange = |(mv, _): &&(MoveText, u64)| matches!(mv, MoveText::Squares(mv) if !own.has(mv.from));
            let strange = answer.moves.iter().filter(is_strange).count();
            answer.moves.len() >= 10 && strange * 10 <= answer.moves.len()
        };
        if answers.len() == 4 && answers.iter().all(is_divide) {
            return Ok(Form::Divide);
        }
        // A search is no count.
        let mut is_search = false;
        if self.protocol == Protocol::Uci {
            let mut look = |line: &str| is_search |= line.starts_with("bestmove");
            self.exchange("stop", &mut look)?;
            while self.drain(Duration::from_millis(100), &mut look) {}
        }
        let totals: Vec<u64> = answers.iter().filter_map(|(_, answer)| answer.total).collect();
        Ok(match totals[..] {
            [one, two, three, four] if two > one && four > three && !is_search => {
                Form::Total { cumulative: (one, two) == (20, 420) }
            }
            _ => Form::Unknown,
        })
    }

    /// The answers about the probes at depths 1 and 2, until one gives no count.
    fn ask_probes(&mut self) -> Asked<Vec<(Place, Answer)>> {
        let mut answers = Vec::new();
        for (fen, depth) in PROBES.into_iter().flat_map(|fen| [(fen, 1), (fen, 2)]) {
            let place = Place::known(fen);
            let answer = self.ask(&place, depth, false)?;
            if answer.nodes().is_none() {
                break;
            }
            answers.push((place, answer));
        }
        Ok(answers)
    }

    /// Other ways to have the moves of a position: one best line for each, or what is refused.
    fn find_list(&mut self) -> Asked<bool> {
        match self.protocol {
            Protocol::Args => return Ok(false),
            Protocol::Uci => {
                let most = self.client.as_ref().and_then(|client| client.option("MultiPV")?.max);
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
        for probe in PROBES.map(Place::known) {
            let legal = probe.position.legal_moves().len();
            let Some(answer) = answered(self.ask(&probe, 1, false))? else { return Ok(false) };
            match &mut self.form {
                // It does not list all its moves: only what it lists counts.
                Form::Lines { most } if answer.moves.len() < legal.min(*most) => {
                    *most = answer.moves.len().min(1);
                }
                Form::Refusals if answer.moves.len().abs_diff(legal) > legal / 2 => {
                    return Ok(false);
                }
                _ => {}
            }
        }
        Ok(!matches!(self.form, Form::Lines { most: 0 }))
    }

    /// Whether moves behind a position are played: some programs leave them out.
    fn find_use_of_moves(&mut self) -> Asked<()> {
        let start = Place::known(PROBES[0]);
        let after = ["e2e4", "e7e5"].iter().fold(start.clone(), |place, text| {
            let mv = text.parse().ok().and_then(|mv| place.position.resolve(mv).ok());
            place.child(mv.expect("invariant: the move is legal"))
        });
        let mut count = |place: &Place| -> Asked<Option<u64>> {
            Ok(answered(self.ask(place, 1, false))?.and_then(|answer| answer.nodes()))
        };
        let is_same = count(&start)? == count(&after)?;
        self.takes_moves = !is_same || matches!(self.form, Form::Lines { .. });
        Ok(())
    }
}
