//! The engine that is compared: how it is asked for the count or the moves of a position.

use core::convert::Infallible;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tamarin_movegen::{
    FenError, Move, MoveKind, Piece, PieceKind, Position, Setup, Square, UciMove, castling_targets,
};
use tamarin_uci::client::{Client, ClientError, Launch};
use tamarin_uci::{BestMoveLine, ParsedReply, parse_reply};

use crate::cli::Notation;
use crate::compare::answer::Answer;
use crate::compare::suspect::tries;

/// How an engine is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The XBoard protocol.
    Xboard,
    /// By arguments: one process for each question.
    Args,
}

/// What its answers tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Not found out.
    Unknown,
    /// The count behind each move.
    Divide,
    /// The count only; `cumulative` if it has the shallower ones in it.
    Total { cumulative: bool },
    /// Up to so many moves of a search of depth 1, one for each best line.
    Lines { most: usize },
    /// Whether it takes each move.
    Refusals,
}

/// A position as it is sent.
#[derive(Clone, Debug)]
pub struct Place {
    /// The first position, with an en passant square that no legal capture uses.
    pub root: Setup,
    pub moves: Vec<Move>,
    /// The position after the moves.
    pub position: Position,
    /// That position with the en passant square as in `root`.
    pub setup: Setup,
}

impl Place {
    /// Reads a FEN. An en passant square stays if a pawn stands before it.
    pub fn new(fen: &str) -> Result<Self, FenError> {
        let position = Position::from_fen(fen)?;
        let mut setup = Setup::from(&position);
        let square: Option<Square> =
            fen.split_whitespace().nth(3).and_then(|text| text.parse().ok());
        if let Some(square) = square.filter(|_| setup.en_passant.is_none()) {
            let pawn = Piece::new(!setup.side_to_move, PieceKind::Pawn);
            let ahead = square.bitboard().forward(!setup.side_to_move).first();
            if ahead.is_some_and(|ahead| setup.pieces[ahead] == Some(pawn)) {
                setup.en_passant = Some(square);
            }
        }
        Ok(Self { root: setup.clone(), moves: Vec::new(), position, setup })
    }

    /// As [`Self::new`], of a FEN that is known to be legal.
    pub fn known(fen: &str) -> Self {
        Self::new(fen).expect("invariant: the position is legal")
    }

    /// The position of a setup, if it is legal.
    pub fn of(setup: &Setup) -> Option<Self> {
        let mut legal = setup.clone();
        legal.repair();
        let position = Position::from_setup(&legal).ok()?;
        if legal.castling != setup.castling {
            return None;
        }
        Some(Self { root: setup.clone(), moves: Vec::new(), position, setup: setup.clone() })
    }

    pub fn is_legal(&self, mv: UciMove) -> bool {
        self.position.legal_moves().iter().any(|&legal| UciMove::from(legal) == mv)
    }

    /// The position after a move more.
    pub fn child(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.position.make(mv);
        next.moves.push(mv);
        next.setup = Setup::from(&next.position);
        if mv.kind() == MoveKind::DoublePush {
            let square = mv.from().bitboard().forward(self.position.side_to_move()).first();
            next.setup.en_passant = square;
        }
        next
    }

    /// The same position without the moves that lead to it.
    pub fn alone(&self) -> Self {
        Self { root: self.setup.clone(), moves: Vec::new(), ..self.clone() }
    }

    /// The first position, and the one after each of the moves.
    pub fn path(&self) -> Vec<Self> {
        let mut path = vec![Self::of(&self.root).unwrap_or_else(|| self.alone())];
        for (index, &mv) in self.moves.iter().enumerate() {
            path.push(path[index].child(mv));
        }
        path
    }

    pub fn fen(&self, chess960: bool) -> String {
        self.setup.fen(Notation::new(chess960).rights)
    }

    /// A move, legal or not, as the engine writes it.
    pub fn written(&self, mv: UciMove, chess960: bool) -> String {
        let is_castle = self.position.king(self.position.side_to_move()) == mv.from
            && mv.from.rank() == mv.to.rank()
            && mv.from.distance(mv.to) > 2
            && !chess960;
        let to = if is_castle { castling_targets(mv.from, mv.to).0 } else { mv.to };
        UciMove { to, ..mv }.to_string()
    }

    /// The FEN of the first position and the moves.
    pub fn text(&self, chess960: bool) -> (String, Vec<String>) {
        let Notation { castling, rights } = Notation::new(chess960);
        let moves = self.path().into_iter().zip(&self.moves);
        let moves = moves.map(|(place, &mv)| place.position.uci(mv, castling).to_string());
        (self.root.fen(rights), moves.collect())
    }
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum AskError {
    /// The flag was set.
    Cancelled,
    /// It ended, is silent or says nothing that reads as an answer.
    Failed(String),
    /// What was typed is wrong: it does not start, or has no such option.
    Input(String),
}

impl From<ClientError> for AskError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Cancelled => Self::Cancelled,
            error => Self::Failed(error.to_string()),
        }
    }
}

pub type Asked<T> = Result<T, AskError>;

/// The answer, if there is one.
pub fn answered<T>(asked: Asked<T>) -> Asked<Option<T>> {
    match asked {
        Ok(answer) => Ok(Some(answer)),
        Err(AskError::Failed(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A running engine, how it is asked and what it has been asked.
pub struct Driver {
    pub launch: Launch,
    pub protocol: Protocol,
    /// The command with `{depth}`, perhaps of several lines.
    pub command: String,
    pub form: Form,
    /// Whether moves behind a position are played.
    pub takes_moves: bool,
    /// Whether a total ends its answers, which may come later than that to `isready`.
    pub has_total: bool,
    pub timeout: Duration,
    /// How long it may take to say that it speaks a protocol.
    pub patience: Duration,
    /// Whether it can be told to play Chess960; for other protocols than UCI the user tells.
    pub chess960: bool,
    /// Questions asked.
    pub asked: u64,
    /// The commands of the last question.
    pub sent: Vec<String>,
    /// Once [`Self::connect`] has succeeded.
    pub client: Option<Client>,
    cancelled: Arc<AtomicBool>,
    is_chess960: bool,
    /// What stands before a move in XBoard.
    move_word: &'static str,
    pings: u32,
}

/// After so long without a line an engine has said all to a command that it may not know.
const QUIET: Duration = Duration::from_millis(300);

impl Driver {
    pub fn new(launch: Launch, timeout: Duration, cancelled: Arc<AtomicBool>) -> Self {
        Self {
            launch,
            protocol: Protocol::Args,
            command: String::new(),
            form: Form::Unknown,
            takes_moves: true,
            has_total: false,
            timeout,
            patience: timeout,
            chess960: false,
            asked: 0,
            sent: Vec::new(),
            cancelled,
            client: None,
            is_chess960: false,
            move_word: "",
            pings: 90_000,
        }
    }

    /// What it calls itself.
    pub fn name(&self) -> String {
        let client = self.client.as_ref();
        client.map_or_else(|| self.launch.file_name(), |client| client.name().to_owned())
    }

    /// Starts it anew in a protocol.
    pub fn connect(&mut self, protocol: Protocol) -> Result<(), ClientError> {
        self.client = None;
        self.protocol = protocol;
        self.is_chess960 = false;
        let cancelled = Some(Arc::clone(&self.cancelled));
        let launch = Launch { patience: self.patience, ..self.launch.clone() };
        match protocol {
            Protocol::Args => {}
            Protocol::Uci => {
                let mut client = Client::start(&launch, cancelled)?;
                self.chess960 = client.option("UCI_Chess960").is_some();
                if let Form::Lines { most } = self.form {
                    let _ = client.set("MultiPV", &most.to_string());
                }
                self.client = Some(client);
            }
            Protocol::Xboard => {
                let mut client = Client::open(&launch, cancelled)?;
                let limit = ("pong", launch.patience);
                self.move_word = "";
                client.ask("xboard\nprotover 2\nping 89999", limit, |line| {
                    if line.contains("usermove=1") {
                        self.move_word = "usermove ";
                    }
                    // An engine of UCI says that it does not know the command.
                    let is_known = !line.starts_with("Unknown command");
                    let is_done = line.contains("done=1") || line.contains("89999");
                    (is_known && is_done).then_some(())
                })?;
                let accepted = if self.move_word.is_empty() { "" } else { "accepted usermove\n" };
                let greeting = format!("{accepted}new\nforce\nping 90000");
                let is_end = |line: &str| line.contains("90000").then_some(());
                client.ask(&greeting, limit, is_end)?;
                self.client = Some(client);
            }
        }
        Ok(())
    }

    /// Sends commands and hands on all lines until it has carried them out.
    pub fn exchange(&mut self, lines: &str, mut take: impl FnMut(&str)) -> Asked<()> {
        self.pings += 1;
        let ping = self.pings.to_string();
        let is_uci = self.protocol == Protocol::Uci;
        let question = if is_uci { "isready".to_owned() } else { format!("ping {ping}") };
        let limit = ("the end of the answer", self.timeout);
        self.ask_client(&format!("{lines}\n{question}"), limit, |line| {
            let is_end = if is_uci { line.trim() == "readyok" } else { line.contains(&ping) };
            if !is_end {
                take(line);
            }
            is_end.then_some(())
        })
    }

    fn ask_client<T>(
        &mut self,
        lines: &str,
        limit: (&'static str, Duration),
        take: impl FnMut(&str) -> Option<T>,
    ) -> Asked<T> {
        match &mut self.client {
            Some(client) => Ok(client.ask(lines, limit, take)?),
            None => Err(AskError::Failed("cannot be started again".to_owned())),
        }
    }

    /// The next line if it comes within this time, without any question; whether one has come.
    pub fn drain(&mut self, time: Duration, mut take: impl FnMut(&str)) -> bool {
        let line = self.client.as_ref().and_then(|client| client.lines().recv_timeout(time).ok());
        line.iter().for_each(|line| take(&line.text));
        line.is_some()
    }

    /// The answer about a position. If the engine ends or hangs, it is started once more.
    pub fn ask(&mut self, place: &Place, depth: u8, chess960: bool) -> Asked<Answer> {
        self.asked += 1;
        match self.ask_once(place, depth, chess960) {
            Err(AskError::Failed(_)) => {
                // An engine that cannot be started again fails the second time too.
                let _ = self.connect(self.protocol);
                self.ask_once(place, depth, chess960)
            }
            answer => answer,
        }
    }

    fn ask_once(&mut self, place: &Place, depth: u8, chess960: bool) -> Asked<Answer> {
        let place = if self.takes_moves { place } else { &place.alone() };
        let (fen, moves) = place.text(chess960);
        let answer = if self.protocol == Protocol::Args {
            self.run_program(&fen, &moves.join(" "), &depth.to_string())?
        } else {
            self.sent = self.position(&fen, &moves, chess960);
            match self.form {
                Form::Lines { .. } => self.best_lines()?,
                Form::Refusals => self.refusals(place, chess960)?,
                _ => self.counts(depth)?,
            }
        };
        if answer.nodes().is_none() && self.form != Form::Unknown {
            return Err(AskError::Failed("gives no count".to_owned()));
        }
        Ok(answer)
    }

    /// The commands that set up a position.
    fn position(&mut self, fen: &str, moves: &[String], chess960: bool) -> Vec<String> {
        if self.protocol != Protocol::Uci {
            let mut commands = vec!["force".to_owned(), format!("setboard {fen}")];
            commands.extend(moves.iter().map(|mv| format!("{}{mv}", self.move_word)));
            return commands;
        }
        let words = if moves.is_empty() { "" } else { " moves " };
        let position = format!("position fen {fen}{words}{}", moves.join(" "));
        if core::mem::replace(&mut self.is_chess960, chess960) == chess960 {
            return vec![position];
        }
        vec![format!("setoption name UCI_Chess960 value {chess960}"), position]
    }

    /// What the command for perft gives for the position that was set up.
    fn counts(&mut self, depth: u8) -> Asked<Answer> {
        let question = self.command.replace("{depth}", &depth.to_string());
        self.sent.extend(question.lines().map(str::to_owned));
        let mut answer = Answer::default();
        let mut refused = None;
        self.exchange(&self.sent.join("\n"), |line| {
            let text = line.to_lowercase();
            let has_one = |words: &[&str]| words.iter().any(|word| text.contains(word));
            if has_one(&["illegal", "invalid", "bad"]) && has_one(&["position", "fen"]) {
                refused = Some(line.to_owned());
            }
            answer.read(line);
        })?;
        if let Some(line) = refused {
            return Err(AskError::Failed(format!("refuses the position: {line}")));
        }
        if self.form == Form::Unknown {
            while answer.total.is_none() && self.drain(QUIET, |line| answer.read(line)) {}
            self.has_total |= answer.total.is_some();
        } else if self.has_total {
            let limit = ("a count", self.timeout);
            while answer.total.is_none() {
                let line = self.ask_client("", limit, |line| Some(line.to_owned()))?;
                answer.read(&line);
            }
        }
        Ok(answer)
    }

    /// The first moves of the best lines of a search of depth 1.
    fn best_lines(&mut self) -> Asked<Answer> {
        self.sent.push("go depth 1".to_owned());
        let mut moves = BTreeSet::new();
        let limit = ("bestmove", self.timeout);
        self.ask_client(&self.sent.join("\n"), limit, |line| {
            let reply = parse_reply(line)?;
            moves.extend(match &reply {
                ParsedReply::Info(info) => info.line.pv.first().map(ToString::to_string),
                ParsedReply::BestMove(BestMoveLine::Move { mv, .. }) => Some(mv.to_string()),
                _ => None,
            });
            matches!(reply, ParsedReply::BestMove(_)).then_some(())
        })?;
        Ok(Answer::of_moves(moves))
    }

    /// The moves that are not answered with `Illegal move`.
    fn refusals(&mut self, place: &Place, chess960: bool) -> Asked<Answer> {
        let own = place.position.color(place.position.side_to_move());
        let corners = place.position.castling() & own;
        let tried = tries(&place.position).into_iter();
        let tried = tried.filter(|mv| !own.has(mv.to) || corners.has(mv.to));
        let mut moves: BTreeSet<_> = tried.map(|mv| place.written(mv, chess960)).collect();
        for mv in moves.clone() {
            let lines = format!("{}\n{}{mv}", self.sent.join("\n"), self.move_word);
            self.exchange(&lines, |line| {
                let line = line.to_lowercase();
                if line.contains("illegal move") || line.contains("invalid move") {
                    moves.remove(&mv);
                }
            })?;
        }
        Ok(Answer::of_moves(moves))
    }

    /// Starts the program for one answer.
    fn run_program(&mut self, fen: &str, moves: &str, depth: &str) -> Asked<Answer> {
        let fill = |text: &String| {
            text.replace("{fen}", fen).replace("{depth}", depth).replace("{moves}", moves)
        };
        let mut launch = self.launch.clone();
        launch.arguments = launch.arguments.iter().map(fill).collect();
        if !has_places(&self.launch) {
            let words = [depth, fen, moves].into_iter().filter(|word| !word.is_empty());
            launch.arguments.extend(words.map(str::to_owned));
        }
        let program = launch.program.display().to_string();
        let words = launch.arguments.iter().map(|word| format!("{word:?}"));
        self.sent = vec![words.fold(program, |line, word| line + " " + &word)];
        let mut client = Client::open(&launch, Some(Arc::clone(&self.cancelled)))?;
        let mut answer = Answer::default();
        let Err(end) = client.ask("", ("an answer", self.timeout), |line| {
            answer.read(line);
            None::<Infallible>
        });
        match end {
            ClientError::Ended { status: Some(status), .. } if status.success() => Ok(answer),
            error => Err(error.into()),
        }
    }
}

/// Whether arguments name where the position goes.
pub fn has_places(launch: &Launch) -> bool {
    launch.arguments.iter().any(|word| word.contains("{fen}"))
}
