//! UCI: what each command does.
//!
//! During a search every request but `isready` waits in the inbox, so nothing can change the
//! table or the threads while a search uses them.

mod printer;

use std::sync::Arc;

use tamarin_base::counted;
use tamarin_game::about::NAME;
use tamarin_game::played::Played;
use tamarin_game::position::Move;
use tamarin_game::spelling::Spelling;
use tamarin_movegen::{Color, PerColor};
use tamarin_search::{Clock, Limits, Wait};
use tamarin_uci::{
    Base, BestMoveLine, Command, Console, Go, MoveWords, OptionSpec, ParseError, Parsed,
    PositionText, Reply, SetOption, Switch,
};
use tamarin_variant::Position;

use self::printer::Printer;
use crate::about::AUTHOR;
use crate::client::{Client, HashCommand, SessionEnd, load_hash, save_hash};
use crate::console::{self, Context};
use crate::engine::Query;
use crate::inbox::{Ending, Inbox, Request};
use crate::options::{self, Change, UCI_VARIANT};
use crate::output::Output;
use crate::serve;

/// A conversation with a client.
pub struct Session<'a> {
    client: &'a mut Client,
    /// `debug on`.
    debug: bool,
}

impl serve::Session for Session<'_> {
    fn client(&mut self) -> &mut Client {
        self.client
    }

    fn handle(&mut self, request: Request) {
        match request {
            Request::Uci(Ok(Parsed { command, notes })) => {
                notes.iter().for_each(|note| self.info(&note.to_string()));
                self.command(command);
            }
            Request::Uci(Err(error)) => self.refuse(&error),
            Request::TooLong => self.error("a line of more than 1 MiB was ignored"),
            Request::Lost(word) => {
                self.client.end = SessionEnd::AfterInternalError;
                self.info("internal error: a line was not understood");
                // It has to be answered all the same.
                if word == "go" {
                    self.go(&Go { depth: Some(1), ..Go::default() });
                }
            }
            Request::Skipped { is_reported } => {
                if !is_reported {
                    self.info(SKIPPED);
                }
                self.client.note_error();
                self.client.engine.reject_position();
            }
            Request::XBoard(_) | Request::Protocol(_) | Request::Quit | Request::End => {}
        }
    }

    /// A `go` that was not answered is, by a legal move.
    fn recover(&mut self) {
        self.info("internal error: the command was not carried out; the hash table is empty now");
        if self.client.inbox.is_unanswered() {
            let spelling = self.spelling();
            let best = match self.client.engine.valid_game() {
                None => BestMoveLine::Null,
                Some(game) => match game.first_move(spelling) {
                    Some(mv) => BestMoveLine::Move { mv, ponder: None },
                    None => BestMoveLine::None,
                },
            };
            self.client.inbox.search_ended();
            self.client.output.line(&best);
        }
    }
}

impl<'a> Session<'a> {
    /// A session with this client.
    pub const fn new(client: &'a mut Client) -> Self {
        Self { client, debug: false }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => {
                self.client.prepare();
                self.client.output.line(&Reply::ReadyOk);
            }
            Command::Debug(switch) => self.debug = switch == Switch::On,
            Command::SetOption(text) => self.set_option(&text),
            Command::NewGame => self.client.engine.new_game(),
            Command::Position(text) => self.set_position(&text),
            Command::SaveHash(path) => self.use_hash_file(save_hash, &path),
            Command::LoadHash(path) => self.use_hash_file(load_hash, &path),
            Command::Console(command) => self.console(command),
            Command::Go(go) => self.go(&go),
            // The reader has carried these out, or there is nothing to do.
            Command::Ignore
            | Command::XBoard
            | Command::Stop
            | Command::PonderHit
            | Command::Quit => {}
        }
    }

    fn console(&mut self, command: Console) {
        let engine = &mut self.client.engine;
        let variant_evaluator = match engine.variant_evaluator() {
            Ok(evaluator) => evaluator,
            Err(error) => return self.error(&error.to_string()),
        };
        let context = Context {
            variant_evaluator,
            notation: engine.notation(),
            evaluator: &engine.evaluator.clone(),
            game: engine.has_position().then_some(engine.game()),
            output: &self.client.output,
        };
        if let Err(error) = console::run(command, &context) {
            self.error(&error.to_string());
        }
    }

    /// The answer to `uci`, written at once so that no other line can come between its lines.
    fn identify(&self) {
        let mut text = vec![Reply::IdName(NAME).to_string(), Reply::IdAuthor(AUTHOR).to_string()];
        text.extend(options::specs().map(|spec| self.option_line(&spec)));
        text.push(Reply::UciOk.to_string());
        self.client.output.line(&text.join("\n"));
    }

    /// An option as it is announced; `UCI_Variant` can be any variant of a file too.
    fn option_line(&self, spec: &OptionSpec) -> String {
        let mut line = Reply::Option(spec).to_string();
        if spec.name == UCI_VARIANT {
            for name in self.client.engine.library.names_of_files() {
                line += &format!(" var {name}");
            }
        }
        line
    }

    /// Prints what board the current variant has, in the words of Fairy-Stockfish, which clients
    /// know; nothing for standard chess.
    fn announce_variant(&self) {
        if let Some((name, rules)) = self.client.engine.game().as_variant() {
            self.info(&format!(
                "variant {name} files {} ranks {} pocket {} template fairy startpos {}",
                rules.columns(),
                rules.rows(),
                rules.held_kinds().len(),
                Position::start(rules).fen()
            ));
        }
    }

    fn set_option(&mut self, text: &SetOption) {
        match self.client.set_option(text) {
            Ok(Change::Variant | Change::Variants { begins: true, .. }) => self.announce_variant(),
            Ok(_) => {}
            Err(error) => {
                self.client.note_error();
                error.to_string().lines().for_each(|line| self.info(line));
            }
        }
    }

    /// `position`, carried out whole or not at all.
    fn set_position(&mut self, text: &PositionText) {
        let spelling = self.spelling();
        let fen = match &text.base {
            Base::Start => None,
            Base::Fen(fen) => Some(fen.as_str()),
        };
        let set_up = self.client.engine.game().set_up(fen).and_then(|mut set_up| {
            set_up.game.play_all(text.moves.iter(), spelling)?;
            Ok(set_up)
        });
        match set_up {
            Ok(set_up) => {
                if let Some(repairs) = set_up.repairs {
                    self.info(&format!("position repaired: {repairs}"));
                }
                self.client.engine.set_game(set_up.game);
            }
            Err(reason) => self.reject_position(&reason),
        }
    }

    fn reject_position(&mut self, reason: &str) {
        self.client.engine.reject_position();
        self.error(&format!("position rejected: {reason}; {NO_POSITION}"));
    }

    const fn spelling(&self) -> Spelling {
        Spelling::Uci(self.client.engine.notation())
    }

    /// Searches, and returns when the search has ended.
    fn go(&mut self, go: &Go) {
        let Some(root) = self.client.engine.valid_game().cloned() else {
            self.client.inbox.search_ended();
            self.error(NO_POSITION);
            self.client.output.line(&BestMoveLine::<String>::Null);
            return;
        };
        let spelling = self.spelling();
        let limits = limits(go);
        let root_moves = self.root_moves(&root, &go.search_moves);
        if asks_for_a_move(go) && self.play_from_book() {
            return;
        }
        if self.debug {
            self.info(&format!("searching {} with {limits:?}", root.fen()));
        }
        let Client { engine, output, inbox, .. } = &mut *self.client;
        let printer = Printer {
            output: Arc::clone(output),
            inbox: Arc::clone(inbox),
            is_answered: false,
            fallback: root.first_move(spelling),
        };
        let query = Query { limits, root_moves, spelling };
        inbox.search_begins();
        let notation = engine.notation();
        let ended = engine.search(&root, query, Box::new(printer), |controls, game| {
            inbox.search_began(controls);
            attend_search(inbox, output, || console::diagram(game, notation));
        });
        if ended.is_err() {
            self.client.end = SessionEnd::AfterInternalError;
        }
    }

    /// The legal moves among `searchmoves`; the others are reported, those of a line of garbage
    /// not one by one.
    fn root_moves(&mut self, root: &Played, words: &MoveWords) -> Vec<Move> {
        let mut found = Vec::new();
        let mut rejected = 0_usize;
        for text in words.iter() {
            match root.position().read(text, self.spelling()) {
                Ok(mv) => found.push(mv),
                Err(reason) => {
                    rejected += 1;
                    if rejected <= MAX_REMARKS {
                        self.info(&format!("searchmoves: {reason}, ignored"));
                    }
                }
            }
        }
        if rejected > 0 {
            self.client.note_error();
        }
        if rejected > MAX_REMARKS {
            self.info(&format!("searchmoves: {} more ignored", rejected - MAX_REMARKS));
        }
        if rejected > 0 && found.is_empty() {
            self.info(&tamarin_search::Note::NoWantedMoveIsLegal.to_string());
        }
        found
    }

    /// Answers `go` with a move of the opening book; `false` if it has none. Nothing was searched,
    /// so there is no score, and no move to ponder on, which would take the client away from the
    /// book.
    fn play_from_book(&self) -> bool {
        let Some((best, hit)) = self.client.engine.book_move(self.spelling()) else { return false };
        self.client.inbox.search_ended();
        let (weight, all) = (hit.mv.weight, hit.weights);
        let moves = counted(hit.moves as u64, "move", "moves");
        self.info(&format!("book: {best}, weight {weight} of {all} in {moves}"));
        self.client.output.line(&BestMoveLine::Move { mv: best, ponder: None });
        true
    }

    /// Says what is wrong with a line. A `position` that cannot be read leaves no position, as
    /// one that is illegal does.
    fn refuse(&mut self, error: &ParseError) {
        if matches!(error, ParseError::Position(_)) {
            self.reject_position(&error.to_string());
        } else {
            self.error(&error.to_string());
        }
    }

    fn use_hash_file(&mut self, command: HashCommand, path: &str) {
        if let Err(error) = self.client.use_hash_file(command, path) {
            self.error(&error.to_string());
        }
    }

    /// Prints why a command was not carried out.
    fn error(&mut self, text: &str) {
        self.client.note_error();
        self.info(&format!("error: {text}"));
    }

    /// Prints an `info string` line.
    fn info(&self, text: &str) {
        self.client.output.note(text);
    }
}

/// Waits for the end of the running search; all requests but `isready` wait too, and `d` if it comes
/// after one that waits. That some are skipped is reported at once.
fn attend_search(inbox: &Inbox, output: &Output, diagram: impl Fn() -> String) {
    let mut some_wait = false;
    inbox.attend(|request| {
        let is_answered = match request {
            Request::Skipped { is_reported } => {
                *is_reported = true;
                output.note(SKIPPED);
                false
            }
            Request::Uci(Ok(Parsed { command: Command::IsReady, .. })) => {
                output.line(&Reply::ReadyOk);
                true
            }
            Request::Uci(Ok(Parsed { command: Command::Console(Console::Board), .. })) => {
                if !some_wait {
                    output.line(&diagram());
                }
                !some_wait
            }
            _ => false,
        };
        some_wait |= !is_answered;
        is_answered
    });
}

/// Returns `true` if this `go` asks for a move in a game. Analysis, pondering, the proof of a mate
/// and a choice among given moves ask for a search.
fn asks_for_a_move(go: &Go) -> bool {
    Ending::of(go) == Ending::ByItself && go.mate.is_none() && go.search_moves.is_empty()
}

/// How many illegal `searchmoves` of one line are reported one by one.
const MAX_REMARKS: usize = 8;

/// What a rejected `position` command leads to.
const NO_POSITION: &str = "there is no position until a valid position command";

const SKIPPED: &str = "error: there is no room for more commands that wait (64 MiB): all but stop, \
    ponderhit, isready, go and quit are skipped until they are done; then there is no position";

/// The limits that a `go` sets, without its `searchmoves`.
fn limits(go: &Go) -> Limits {
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        soft_nodes: None,
        move_time: go.move_time,
        clocks: clocks(go),
        mate: go.mate,
        wait: match (go.infinite, go.ponder) {
            (true, _) => Wait::UntilStop,
            (false, true) => Wait::Ponder,
            (false, false) => Wait::No,
        },
        search_moves: Vec::new(),
    }
}

/// If no side has a time, a side with an increment has that increment left: the client has just
/// added it to a clock it does not send.
fn clocks(go: &Go) -> PerColor<Option<Clock>> {
    let any_time = go.clock.0.iter().any(|side| side.time.is_some());
    let clock = |color: Color| {
        let side = go.clock[color];
        let increment = side.increment.unwrap_or_default();
        let left = match (side.time, side.increment) {
            (Some(time), _) => time,
            (None, Some(_)) if !any_time => increment,
            (None, _) => return None,
        };
        let moves_to_go = go.moves_to_go.filter(|moves| *moves > 0);
        Some(Clock { left, increment, moves_to_go })
    };
    PerColor([clock(Color::White), clock(Color::Black)])
}

#[cfg(test)]
mod tests {
    use super::limits;
    use tamarin_movegen::Color;
    use tamarin_search::{Limits, Millis, Wait};
    use tamarin_uci::Command;

    fn of(line: &str) -> Limits {
        match line.parse() {
            Ok(Command::Go(go)) => limits(&go),
            other => panic!("{line:?} gives {other:?}"),
        }
    }

    #[test]
    fn clocks_below_zero_are_empty_and_none_is_invented() {
        let found = of("go wtime -30 winc 10 movestogo 0");
        let clock = found.clocks[Color::White].expect("White has a clock");
        assert_eq!((clock.left, clock.increment), (Millis::ZERO, Millis::new(10)));
        assert_eq!(clock.moves_to_go, None);
        assert_eq!(found.clocks[Color::Black], None);
        assert_eq!(of("go movestogo 4"), Limits::default());
    }

    #[test]
    fn an_increment_alone_is_a_clock() {
        let found = of("go binc 50");
        assert_eq!(found.clocks[Color::Black].map(|clock| clock.left), Some(Millis::new(50)));
    }

    #[test]
    fn infinite_outranks_ponder() {
        assert_eq!(of("go ponder wtime 5").wait, Wait::Ponder);
        assert_eq!(of("go ponder infinite wtime 5").wait, Wait::UntilStop);
    }
}
