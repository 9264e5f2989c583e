//! The engine that is compared: how it is asked for the count or the moves of a position.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tamarin_movegen::{
    CastlingNotation, CastlingStyle, File, Move, MoveKind, Piece, PieceKind, Position, Setup,
    Square, UciMove,
};
use tamarin_uci::client::{Client, ClientError, Launch};
use tamarin_uci::{BestMoveLine, ParsedReply, parse_reply};

use crate::compare::answer::{Answer, MoveText};
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
    pub fn new(fen: &str) -> Result<Self, String> {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
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

    pub fn style(chess960: bool) -> (CastlingStyle, CastlingNotation) {
        if chess960 {
            (CastlingStyle::Shredder, CastlingNotation::KingTakesRook)
        } else {
            (CastlingStyle::Standard, CastlingNotation::Classic)
        }
    }

    pub fn fen(&self, chess960: bool) -> String {
        self.setup.fen(Self::style(chess960).0)
    }

    /// A move, legal or not, as the engine writes it.
    pub fn written(&self, mv: UciMove, chess960: bool) -> String {
        let is_castle = self.position.king(self.position.side_to_move()) == mv.from
            && mv.from.rank() == mv.to.rank()
            && mv.from.distance(mv.to) > 2
            && !chess960;
        let file = if mv.to > mv.from { File::G } else { File::C };
        let to = if is_castle { Square::new(file, mv.to.rank()) } else { mv.to };
        UciMove { to, ..mv }.to_string()
    }

    /// The FEN of the first position and the moves.
    pub fn text(&self, chess960: bool) -> (String, Vec<String>) {
        let (style, notation) = Self::style(chess960);
        let root = Self::of(&self.root);
        let mut position = root.map_or_else(|| self.position.clone(), |root| root.position);
        let moves = self.moves.iter().map(|mv| {
            let text = position.uci(*mv, notation).to_string();
            position.make(*mv);
            text
        });
        let moves = moves.collect();
        (self.root.fen(style), moves)
    }
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum AskError {
    /// The flag was set.
    Cancelled,
    /// It ended, is silent or says nothing that reads as an answer.
    Failed(String),
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
    cancelled: Arc<AtomicBool>,
    client: Option<Client>,
    is_chess960: bool,
    user_move: bool,
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
            user_move: false,
            pings: 90_000,
        }
    }

    /// What it calls itself.
    pub fn name(&self) -> String {
        self.client
            .as_ref()
            .map_or_else(|| self.launch.file_name(), |client| client.name().to_owned())
    }

    /// The client, once [`Self::connect`] has succeeded.
    pub fn client(&mut self) -> Option<&mut Client> {
        self.client.as_mut()
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
                let client = Client::start(&launch, cancelled)?;
                self.chess960 = client.option("UCI_Chess960").is_some();
                self.client = Some(client);
                if let Form::Lines { most } = self.form {
                    let _ = self.set("MultiPV", &most.to_string());
                }
            }
            Protocol::Xboard => {
                let mut client = Client::open(&launch, cancelled)?;
                let (mut user_move, mut done) = (false, false);
                client.ask(
                    "xboard\nprotover 2\nping 89999",
                    ("pong", launch.patience),
                    |line| {
                        user_move |= line.contains("usermove=1");
                        // An engine of UCI says that it does not know the command.
                        let is_known = !line.starts_with("Unknown command");
                        done |= is_known && (line.contains("done=1") || line.contains("89999"));
                        done.then_some(())
                    },
                )?;
                let accepted = if user_move { "accepted usermove\n" } else { "" };
                let greeting = format!("{accepted}new\nforce\nping 90000");
                client.ask(&greeting, ("pong", launch.patience), |line| {
                    line.contains("90000").then_some(())
                })?;
                self.user_move = user_move;
                self.client = Some(client);
            }
        }
        Ok(())
    }

    /// Sets an option of UCI.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        self.client.as_mut().map_or(Ok(()), |client| client.set(name, value))
    }

    /// Sends commands and hands on all lines until it has carried them out.
    pub fn exchange(&mut self, lines: &str, take: &mut dyn FnMut(&str)) -> Result<(), AskError> {
        self.pings += 1;
        let ping = format!("{}", self.pings);
        let (question, is_uci) = match self.protocol {
            Protocol::Uci => ("isready".to_owned(), true),
            _ => (format!("ping {ping}"), false),
        };
        let limit = ("the end of the answer", self.timeout);
        let is_end =
            |line: &str| if is_uci { line.trim() == "readyok" } else { line.contains(&ping) };
        self.ask_client(&format!("{lines}\n{question}"), limit, |line| {
            if is_end(line) {
                return Some(());
            }
            take(line);
            None
        })
    }

    fn ask_client<T>(
        &mut self,
        lines: &str,
        limit: (&'static str, Duration),
        take: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, AskError> {
        let client = self.client.as_mut();
        let client =
            client.ok_or_else(|| AskError::Failed("cannot be started again".to_owned()))?;
        client.ask(lines, limit, take).map_err(|error| match error {
            ClientError::Cancelled => AskError::Cancelled,
            error => AskError::Failed(error.to_string()),
        })
    }

    /// The next line if it comes within this time, without any question; whether one has come.
    pub fn drain(&mut self, time: Duration, take: &mut dyn FnMut(&str)) -> bool {
        let line = self.client.as_ref().and_then(|client| client.lines().recv_timeout(time).ok());
        line.iter().for_each(|line| take(&line.text));
        line.is_some()
    }

    /// The answer about a position. If the engine ends or hangs, it is started once more.
    pub fn ask(&mut self, place: &Place, depth: u8, chess960: bool) -> Result<Answer, AskError> {
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

    fn ask_once(&mut self, place: &Place, depth: u8, chess960: bool) -> Result<Answer, AskError> {
        if self.protocol == Protocol::Args {
            return self.run_program(place, depth, chess960);
        }
        let mut commands = self.position(place, chess960);
        if chess960 != self.is_chess960 && self.protocol == Protocol::Uci {
            commands.insert(0, format!("setoption name UCI_Chess960 value {chess960}"));
            self.is_chess960 = chess960;
        }
        self.sent.clone_from(&commands);
        let answer = match self.form {
            Form::Lines { .. } => self.best_lines(commands)?,
            Form::Refusals => self.refusals(place, &commands, chess960)?,
            _ => {
                let question = self.command.replace("{depth}", &depth.to_string());
                self.sent.extend(question.lines().map(str::to_owned));
                self.counts(&format!("{}\n{question}", commands.join("\n")))?
            }
        };
        if answer.nodes().is_none() && self.form != Form::Unknown {
            return Err(AskError::Failed("gives no count".to_owned()));
        }
        Ok(answer)
    }

    fn counts(&mut self, lines: &str) -> Result<Answer, AskError> {
        let mut answer = Answer::default();
        let mut refused = None;
        let mut read = |line: &str| {
            let text = line.to_lowercase();
            if ["illegal", "invalid", "bad"].iter().any(|word| text.contains(word))
                && (text.contains("position") || text.contains("fen"))
            {
                refused = Some(line.to_owned());
            }
            answer.read(line);
        };
        self.exchange(lines, &mut read)?;
        if let Some(line) = refused {
            return Err(AskError::Failed(format!("refuses the position: {line}")));
        }
        if self.form == Form::Unknown {
            while answer.total.is_none() && self.drain(QUIET, &mut |line| answer.read(line)) {}
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
    fn best_lines(&mut self, mut commands: Vec<String>) -> Result<Answer, AskError> {
        commands.push("go depth 1".to_owned());
        self.sent.clone_from(&commands);
        let mut moves: Vec<String> = Vec::new();
        let limit = ("bestmove", self.timeout);
        self.ask_client(&commands.join("\n"), limit, |line| {
            let text = match parse_reply(line)? {
                ParsedReply::Info(info) => info.line.pv.first().map(|mv| (*mv).to_owned()),
                ParsedReply::BestMove(best) => {
                    if let BestMoveLine::Move { mv, .. } = best {
                        moves.push(mv.to_owned());
                    }
                    return Some(());
                }
                _ => None,
            };
            moves.extend(text);
            None
        })?;
        moves.sort_unstable();
        moves.dedup();
        let mut answer = Answer { total: Some(0), ..Answer::default() };
        moves.iter().for_each(|mv| answer.read(&format!("{mv} 1")));
        Ok(answer)
    }

    /// The moves that are not answered with `Illegal move`.
    fn refusals(
        &mut self,
        place: &Place,
        commands: &[String],
        chess960: bool,
    ) -> Result<Answer, AskError> {
        let own = place.position.color(place.position.side_to_move());
        let corners = place.position.castling() & own;
        let tried = tries(&place.position).into_iter();
        let tried = tried.filter(|mv| !own.has(mv.to) || corners.has(mv.to));
        let mut tried: Vec<String> = tried.map(|mv| place.written(mv, chess960)).collect();
        tried.sort_unstable();
        tried.dedup();
        let mut answer = Answer { total: Some(0), ..Answer::default() };
        let word = if self.user_move { "usermove " } else { "" };
        for mv in tried {
            let mut is_refused = false;
            let lines = format!("{}\n{word}{mv}", commands.join("\n"));
            self.exchange(&lines, &mut |line| {
                let line = line.to_lowercase();
                is_refused |= line.contains("illegal move") || line.contains("invalid move");
            })?;
            if !is_refused {
                answer.read(&format!("{mv} 1"));
            }
        }
        Ok(answer)
    }

    /// The commands that set up a position.
    fn position(&self, place: &Place, chess960: bool) -> Vec<String> {
        let place = if self.takes_moves { place.clone() } else { place.alone() };
        let (fen, moves) = place.text(chess960);
        if self.protocol == Protocol::Uci {
            let words = if moves.is_empty() { "" } else { " moves " };
            return vec![format!("position fen {fen}{words}{}", moves.join(" "))];
        }
        let word = if self.user_move { "usermove " } else { "" };
        let mut commands = vec!["force".to_owned(), format!("setboard {fen}")];
        commands.extend(moves.iter().map(|mv| format!("{word}{mv}")));
        commands
    }

    /// Starts the program for one answer.
    fn run_program(
        &mut self,
        place: &Place,
        depth: u8,
        chess960: bool,
    ) -> Result<Answer, AskError> {
        let place = if self.takes_moves { place.clone() } else { place.alone() };
        let (fen, moves) = place.text(chess960);
        let moves = moves.join(" ");
        let depth = depth.to_string();
        let fill = |text: &String| {
            text.replace("{fen}", &fen).replace("{depth}", &depth).replace("{moves}", &moves)
        };
        let mut launch = self.launch.clone();
        launch.arguments = launch.arguments.iter().map(fill).collect();
        if !has_places(&self.launch) {
            launch.arguments.extend([depth, fen.clone()]);
            launch.arguments.extend(Some(moves.clone()).filter(|moves| !moves.is_empty()));
        }
        let program = launch.program.display().to_string();
        let words = launch.arguments.iter().map(|word| format!("{word:?}"));
        self.sent = vec![words.fold(program, |line, word| line + " " + &word)];
        let failed = |error: ClientError| AskError::Failed(error.to_string());
        let cancelled = Some(Arc::clone(&self.cancelled));
        let mut client = Client::open(&launch, cancelled).map_err(failed)?;
        let mut answer = Answer::default();
        let end = client.ask("", ("an answer", self.timeout), |line| {
            answer.read(line);
            None::<()>
        });
        match end {
            Err(ClientError::Cancelled) => Err(AskError::Cancelled),
            Err(ClientError::Ended { status: Some(status), .. }) if status.success() => {
                if answer.nodes().is_none() && self.form != Form::Unknown {
                    return Err(AskError::Failed("gives no count".to_owned()));
                }
                Ok(answer)
            }
            Err(error) => Err(failed(error)),
            Ok(()) => Ok(answer),
        }
    }
}

/// Whether arguments name where the position goes.
pub fn has_places(launch: &Launch) -> bool {
    launch.arguments.iter().any(|word| word.contains("{fen}"))
}

/// Whether a move as printed moves a piece of the side to move.
pub fn is_plausible(position: &Position, text: MoveText) -> bool {
    let own = position.color(position.side_to_move());
    match text {
        MoveText::Squares(mv) => own.has(mv.from),
        MoveText::Short | MoveText::Long => true,
    }
}
