//! The session: one loop that carries commands out in the order in which they came.
//!
//! During a search every request but `isready` waits in the inbox, so nothing can change the
//! table or the threads while a search uses them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tamarin_base::{Entrance, Inbox, counted};
use tamarin_search::{StartError, TablebaseReport};
use tamarin_uci::{
    BestMove, BestMoveLine, Command, Go, MoveWords, Note, OptionSpec, ParseError, PositionText,
    Reply, SetOption, Switch,
};
use tamarin_variant::Position;

use super::printer::Printer;
use super::reader::{Request, ending};
use super::translate;
use crate::about::AUTHOR;
use crate::console::{self, Context};
use crate::engine::{Engine, Query, WITHOUT_TABLE};
use crate::faults::{self, Site};
use crate::game::{Game, Spelling};
use crate::hash_file::{self, HashCommand};
use crate::options::{self, Change, UCI_VARIANT};
use crate::output::Output;
use crate::search_queue::{Ending, GoId, SearchQueue};
use crate::session_end::{Next, SessionEnd};
use tamarin_game::about::NAME;

/// A conversation with a client.
pub struct Session<'a> {
    output: Arc<Output>,
    queue: Arc<SearchQueue>,
    inbox: &'a mut Inbox<Request>,
    /// For the searches, which report their end to the inbox.
    entrance: Entrance<Request>,
    engine: &'a mut Engine,
    /// `debug on`.
    debug: bool,
    end: &'a mut SessionEnd,
}

impl<'a> Session<'a> {
    /// A session with this engine; `entrance` leads to the inbox.
    pub fn new(
        engine: &'a mut Engine,
        output: Arc<Output>,
        queue: Arc<SearchQueue>,
        inbox: &'a mut Inbox<Request>,
        entrance: Entrance<Request>,
        end: &'a mut SessionEnd,
    ) -> Self {
        Self { output, queue, inbox, entrance, engine, debug: false, end }
    }

    /// Serves requests until the input ends or the other protocol is wanted.
    pub fn run(mut self) -> Result<Next, StartError> {
        while let Some(request) = self.inbox.receive() {
            match request {
                Request::End => break,
                Request::OtherProtocol => return Ok(Next::OtherProtocol),
                _ => {}
            }
            let go = if let Request::Go { id, .. } = request { Some(id) } else { None };
            // A panic in one command must not end the game.
            if catch_unwind(AssertUnwindSafe(|| self.handle(request))).is_err() {
                self.recover(go)?;
            }
        }
        Ok(Next::End)
    }

    /// After a panic the table and the threads are in an unknown state, and are replaced. A `go` that
    /// was not answered is, by a legal move.
    fn recover(&mut self, go: Option<GoId>) -> Result<(), StartError> {
        *self.end = SessionEnd::AfterInternalError;
        self.info("internal error: the command was not carried out; the hash table is empty now");
        if let Some(id) = go.filter(|id| self.queue.is_pending(*id)) {
            let spelling = self.spelling();
            let best = match self.engine.valid_game() {
                None => BestMoveLine::Null,
                Some(game) => match game.first_move(spelling) {
                    Some(mv) => BestMoveLine::Move { mv, ponder: None },
                    None => BestMoveLine::None,
                },
            };
            self.queue.answered(id);
            self.output.line(&best);
        }
        if let Some(sizes) = self.engine.restart_search()? {
            self.info(&sizes);
        }
        Ok(())
    }

    fn handle(&mut self, request: Request) {
        faults::pass(Site::Session);
        match request {
            Request::Go { go, notes, id } => {
                self.print_notes(&notes);
                self.go(&go, id);
            }
            Request::Command { command, notes } => {
                self.print_notes(&notes);
                self.command(command);
            }
            Request::Invalid(error) => self.refuse(&error),
            Request::TooLong => self.error("a line of more than 1 MiB was ignored"),
            Request::Skipped { is_reported } => {
                if !is_reported {
                    self.info(&format!("error: {SKIPPED}"));
                }
                self.note_error();
                self.engine.reject_position();
            }
            Request::End | Request::OtherProtocol => {}
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => {
                self.prepare();
                self.output.line(&Reply::ReadyOk);
            }
            Command::Debug(switch) => self.debug = switch == Switch::On,
            Command::SetOption(text) => self.set_option(&text),
            Command::NewGame => self.engine.new_game(),
            Command::Position(text) => self.set_position(&text),
            Command::SaveHash(path) => self.use_hash_file(hash_file::save, &path),
            Command::LoadHash(path) => self.use_hash_file(hash_file::load, &path),
            Command::Console(command) => {
                let judge = match self.engine.variant_judge() {
                    Ok(judge) => judge,
                    Err(error) => return self.error(&error.to_string()),
                };
                let context = Context {
                    judge,
                    notation: self.engine.notation(),
                    evaluator: &self.engine.evaluator.clone(),
                    game: self.engine.valid_game(),
                    output: &self.output,
                };
                if let Err(error) = console::run(command, context) {
                    self.error(&error.to_string());
                }
            }
            // The reader has carried these out, or there is nothing to do.
            Command::Ignore
            | Command::XBoard
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Go(_) => {}
        }
    }

    /// The answer to `uci`, written at once so that no other line can come between its lines.
    fn identify(&self) {
        let mut text = vec![Reply::IdName(NAME).to_string(), Reply::IdAuthor(AUTHOR).to_string()];
        text.extend(options::specs().map(|spec| self.option_line(&spec)));
        text.push(Reply::UciOk.to_string());
        self.output.line(&text.join("\n"));
    }

    /// An option as it is announced; `UCI_Variant` can be any variant of a file too.
    fn option_line(&self, spec: &OptionSpec) -> String {
        let mut line = Reply::Option(spec).to_string();
        if spec.name == UCI_VARIANT {
            for name in self.engine.library.names_of_files() {
                line += &format!(" var {name}");
            }
        }
        line
    }

    /// Prints what board the variant in force has, in the words of Fairy-Stockfish, which clients
    /// know; nothing for standard chess.
    fn announce_variant(&self) {
        if let Some((name, rules)) = self.engine.game().as_variant() {
            self.info(&format!(
                "variant {name} files {} ranks {} pocket {} template fairy startpos {}",
                rules.columns(),
                rules.rows(),
                rules.held_kinds().len(),
                Position::start(rules).fen()
            ));
        }
    }

    /// Makes ready what the first search would have to wait for.
    fn prepare(&mut self) {
        if let Err(error) = self.engine.prepare() {
            self.error(&error.to_string());
            self.info(WITHOUT_TABLE);
        }
    }

    fn set_option(&mut self, text: &SetOption) {
        match options::set(self.engine, |path| self.output.log_to(path), text) {
            Ok(Change::InForce) => {}
            Ok(Change::Told(text)) => self.info(&text),
            Ok(Change::Tablebases(report)) => self.tell_tablebases(&report),
            Ok(Change::Variant) => self.announce_variant(),
            Ok(Change::Variants { warnings, begins }) => {
                warnings.iter().for_each(|warning| self.info(warning));
                if begins {
                    self.announce_variant();
                }
            }
            Err(error) => {
                self.note_error();
                error.to_string().lines().for_each(|line| self.info(line));
            }
        }
    }

    /// Says how many tablebases were found, and what was left out if anything was.
    fn tell_tablebases(&self, report: &TablebaseReport) {
        self.info(&report.to_string());
        if let Some(left_out) = report.left_out_text() {
            self.info(&left_out);
        }
    }

    /// `position`, carried out whole or not at all.
    fn set_position(&mut self, text: &PositionText) {
        let spelling = self.spelling();
        let set_up = self.engine.game().set_up(&text.base).and_then(|mut set_up| {
            set_up.game.play_all(&text.moves, spelling)?;
            Ok(set_up)
        });
        match set_up {
            Ok(set_up) => {
                if let Some(note) = set_up.note_of_repairs() {
                    self.info(&note);
                }
                self.engine.set_game(set_up.game);
            }
            Err(reason) => self.reject_position(&reason),
        }
    }

    fn reject_position(&mut self, reason: &str) {
        self.engine.reject_position();
        self.error(&format!("position rejected: {reason}; {NO_POSITION}"));
    }

    const fn spelling(&self) -> Spelling {
        Spelling::Uci(self.engine.notation())
    }

    /// Searches, and returns when the search has ended.
    fn go(&mut self, go: &Go, id: GoId) {
        let Some(root) = self.engine.valid_game().cloned() else {
            self.queue.answered(id);
            self.error(NO_POSITION);
            self.output.line(&Reply::BestMove(BestMove::Null));
            return;
        };
        let spelling = self.spelling();
        let limits = translate::limits(go);
        let root_moves = self.root_moves(&root, &go.search_moves);
        if asks_for_a_move(go) && self.play_from_book(id) {
            return;
        }
        if self.debug {
            self.info(&format!("searching {} with {limits:?}", root.fen()));
        }
        let printer = Printer {
            output: Arc::clone(&self.output),
            queue: Arc::clone(&self.queue),
            session: self.entrance.clone(),
            unanswered: Some(id),
            fallback: root.first_move(spelling),
        };
        let (queue, inbox, output) = (&self.queue, &mut *self.inbox, &*self.output);
        let query = Query { limits, root_moves, spelling };
        let ended = self.engine.search(&root, query, Box::new(printer), |controls, _| {
            queue.started(id, controls);
            wait_for_search(inbox, output);
        });
        if ended.is_err() {
            *self.end = SessionEnd::AfterInternalError;
        }
    }

    /// The legal moves among `searchmoves`; the others are reported, those of a line of garbage
    /// not one by one.
    fn root_moves(&mut self, root: &Game, words: &MoveWords) -> Vec<String> {
        let mut found = Vec::new();
        let mut rejected = 0_usize;
        for text in words.iter() {
            match root.find_move(text, self.spelling()) {
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
            self.note_error();
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
    fn play_from_book(&self, id: GoId) -> bool {
        let Some((best, hit)) = self.engine.book_move(self.spelling()) else { return false };
        self.queue.answered(id);
        let (weight, all) = (hit.mv.weight, hit.weights);
        let moves = counted(hit.moves as u64, "move", "moves");
        self.info(&format!("book: {best}, weight {weight} of {all} in {moves}"));
        self.output.line(&BestMoveLine::Move { mv: best, ponder: None });
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

    fn print_notes(&self, notes: &[Note]) {
        for note in notes {
            self.info(&note.to_string());
        }
    }

    /// Carries out `savehash` or `loadhash`.
    fn use_hash_file(&mut self, command: HashCommand, path: &str) {
        match command(self.engine, path) {
            Ok(text) => self.info(&text),
            Err(error) => self.error(&error.to_string()),
        }
    }

    /// Prints why a command was not carried out.
    fn error(&mut self, text: &str) {
        self.note_error();
        self.info(&format!("error: {text}"));
    }

    const fn note_error(&mut self) {
        if matches!(self.end, SessionEnd::Success) {
            *self.end = SessionEnd::AfterError;
        }
    }

    /// Prints an `info string` line.
    fn info(&self, text: &str) {
        self.output.line(&Reply::Text(text));
    }
}

/// Waits for the end of the running search; all requests but `isready` wait too. That some are
/// skipped is reported at once.
fn wait_for_search(inbox: &mut Inbox<Request>, output: &Output) {
    inbox.wait_for_search(|request| match request {
        Request::Skipped { .. } => {
            output.line(&Reply::Text(&format!("error: {SKIPPED}")));
            Some(Request::Skipped { is_reported: true })
        }
        // Read before the search began; later ones are answered by the reader.
        Request::Command { command: Command::IsReady, .. } => {
            output.line(&Reply::ReadyOk);
            None
        }
        other => Some(other),
    });
}

/// Returns `true` if this `go` asks for a move in a game. Analysis, pondering, the proof of a mate
/// and a choice among given moves ask for a search.
fn asks_for_a_move(go: &Go) -> bool {
    ending(go) == Ending::ByItself && go.mate.is_none() && go.search_moves.is_empty()
}

/// How many illegal `searchmoves` of one line are reported one by one.
const MAX_REMARKS: usize = 8;

/// What a rejected `position` command leads to.
const NO_POSITION: &str = "there is no position until a valid position command";

const SKIPPED: &str = "there is no room for more commands that wait (64 MiB, or what the system \
    has); what follows is skipped until they are carried out, but for stop, ponderhit, isready, go \
    and quit, and then there is no position until a valid position command";
