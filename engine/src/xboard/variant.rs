//! Variants under the XBoard protocol: the commands whose meaning depends on the game.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use tamarin_search::{Millis, Wait};
use tamarin_uci::xboard::{Command, Reply};
use tamarin_variant::{Color, Outcome, Position};
use tamarin_variant_search::{BestMove, Limits, Signals, Value};

use super::during_search::{DuringSearch, Purpose};
use super::observer::Progress;
use super::playing::RESIGN_SEARCHES;
use super::session::{Mode, Session};
use super::variant_observer::VariantPrinter;
use super::variant_setup::{find_move, move_text, setup_lines};
use super::variant_state::VariantState;
use crate::session_end::SessionEnd;
use crate::variant_game::{Size, VariantGame};
use tamarin_variant::ending;

/// The score at which a game is lost for an engine that resigns, in centipawns.
const RESIGN_SCORE: i32 = -900;

/// How many nodes a hint is worth when nothing was searched yet.
const HINT_NODES: u64 = 20_000;

impl Session<'_> {
    /// Plays this variant from now on, and tells the client its board and pieces.
    pub(super) fn begin_variant(&mut self, name: &str) {
        let known = !name.eq_ignore_ascii_case(crate::variant_game::CHESS);
        if !known || !self.engine.set_variant(name) {
            self.error("unknown variant", &format!("variant {name}"));
            return;
        }
        let Some(player) = &self.engine.player else { return };
        match setup_lines(player.game()) {
            Some(lines) => {
                self.output.line(&lines);
                let start = Position::start(player.game());
                let game = VariantGame::new(player.name().to_owned(), start);
                self.variant = Some(VariantState { game, last: None, rejected: false });
                self.forget_game();
                self.time.nodes_per_second = None;
            }
            None => {
                self.leave_variant();
                self.error("its pieces have no letters", &format!("variant {name}"));
            }
        }
    }

    /// Plays standard chess from now on.
    pub(super) fn leave_variant(&mut self) {
        self.variant = None;
        self.engine.player = None;
    }

    /// Carries out a command that is about the game; gives the others back.
    pub(super) fn variant_command(&mut self, command: Command) -> Option<Command> {
        if self.variant.is_none() {
            return Some(command);
        }
        match command {
            Command::Go => {
                if let Some(position) = self.variant_position("go") {
                    self.mode = Mode::Playing(chess_color(position.side_to_move()));
                    self.think_variant();
                }
            }
            Command::PlayOther => {
                if let Some(position) = self.variant_position("playother") {
                    self.mode = Mode::Playing(!chess_color(position.side_to_move()));
                }
            }
            Command::Move(text) => self.opponent_moves_variant(&text),
            Command::SetBoard(fen) => self.set_variant_board(&fen),
            Command::Undo => self.take_back_variant(1, "undo"),
            Command::Remove => self.take_back_variant(2, "remove"),
            Command::Draw => self.answer_draw_offer(),
            Command::Hint => self.variant_hint(),
            Command::Book => self.output.line(" no move in the book\n"),
            Command::White | Command::Black => self.refuse("white or black"),
            Command::Edit => self.refuse("edit"),
            Command::Exclude(_) => self.refuse("exclude"),
            Command::Include(_) => self.refuse("include"),
            Command::NodesPerSecond(Some(_)) => self.refuse("nps"),
            other => return Some(other),
        }
        None
    }

    fn refuse(&mut self, line: &str) {
        self.error("not in variants", line);
    }

    /// The position on the board; tells the client if there is none.
    fn variant_position(&mut self, line: &str) -> Option<Position> {
        let state = self.variant.as_ref()?;
        if state.rejected {
            self.error("no legal position", line);
            return None;
        }
        Some(state.game.position().clone())
    }

    fn set_variant_board(&mut self, fen: &str) {
        let Some(state) = &mut self.variant else { return };
        match Position::from_fen(state.game.position().game(), fen) {
            Ok(position) => {
                state.game.restart(Some(position));
                (state.last, state.rejected) = (None, false);
                self.forget_game();
            }
            Err(error) => {
                state.rejected = true;
                self.tell_rejected(&error.to_string());
            }
        }
    }

    fn opponent_moves_variant(&mut self, text: &str) {
        let Some(state) = &mut self.variant else { return };
        if state.rejected {
            self.output.line(&Reply::IllegalMove("no legal position", text));
            return;
        }
        match find_move(state.game.position(), text) {
            Ok(m) => state.game.play(m),
            Err(reason) => {
                self.output.line(&Reply::IllegalMove(&reason, text));
                return;
            }
        }
        let Mode::Playing(color) = self.mode else { return };
        if !self.tell_result() && self.variant_mover() == Some(color) {
            self.think_variant();
        }
    }

    /// Who is to move, as the rest of the session calls it.
    fn variant_mover(&self) -> Option<tamarin_movegen::Color> {
        Some(chess_color(self.variant.as_ref()?.game.position().side_to_move()))
    }

    /// Tells the result if the game is over; `true` if it is.
    fn tell_result(&self) -> bool {
        let Some(outcome) = self.variant.as_ref().and_then(|state| state.game.outcome()) else {
            return false;
        };
        self.output.line(&Reply::Outcome(result(outcome), &ending(outcome)));
        true
    }

    fn take_back_variant(&mut self, plies: usize, line: &str) {
        if self.variant_position(line).is_none() {
            return;
        }
        let Some(state) = &mut self.variant else { return };
        if state.game.plies() < plies {
            self.error("no move to take back", line);
            return;
        }
        (0..plies).for_each(|_| {
            state.game.undo();
        });
        state.last = None;
    }

    /// Tells a good move: the one expected, or what a short search finds.
    fn variant_hint(&mut self) {
        let Some(position) = self.variant_position("hint") else { return };
        let expected = self.variant.as_ref().and_then(|state| state.last.as_ref()?.ponder);
        let expected = expected.filter(|m| position.legal_moves().contains(m));
        let hint = expected.or_else(|| {
            let engine = self.variant_engine()?;
            engine.search(&position, &Limits::nodes(HINT_NODES), &Signals::default(), |_| ()).best
        });
        if let Some(m) = hint {
            self.output.line(&Reply::Hint(&move_text(&position, m)));
        }
    }

    /// The engine, without a table if there is no memory for one.
    fn variant_engine(&mut self) -> Option<&mut tamarin_variant_search::Engine> {
        let size = self.engine.size();
        let player = self.engine.player.as_mut()?;
        if player.engine(size).is_ok() {
            return player.engine(size).ok();
        }
        player.engine(Size { hash: 0, ..size }).ok()
    }

    /// Thinks about the position and makes the engine's move.
    fn think_variant(&mut self) {
        let since = Instant::now();
        let Some(state) = &self.variant else { return };
        let position = state.game.position().clone();
        if position.legal_moves().is_empty() {
            self.tell_result();
            return;
        }
        let mover = position.side_to_move();
        let color = chess_color(mover);
        let own = self.time.limits(color, state.game.moves_of(mover));
        let limits = Limits {
            depth: own.depth,
            nodes: own.nodes,
            move_time: own.move_time,
            clock: own.clocks[color],
            overhead: self.engine.settings.move_overhead,
            ..Limits::default()
        };
        let found = self.search_variant(&position, &limits, Purpose::Move(since));
        let Some(answer) = found else { return };
        self.conclude_variant(&position, answer, since);
    }

    /// Makes the move that a search found.
    fn conclude_variant(&mut self, position: &Position, answer: Option<BestMove>, since: Instant) {
        // After a panic any legal move is better than none.
        let found = answer.as_ref().and_then(|answer| answer.best);
        let Some(m) = found.or_else(|| position.legal_moves().first().copied()) else { return };
        let Some(state) = &mut self.variant else { return };
        state.last = answer;
        let value = state.last.as_ref().map(|last| last.value);
        if self.resigns && self.is_variant_lost(value) {
            self.mode = Mode::Force;
            self.output.line(&Reply::Resign);
            return;
        }
        if std::mem::take(&mut self.draw_offered) && self.accepts_draw() {
            self.output.line(&Reply::OfferDraw);
        }
        let Some(state) = &mut self.variant else { return };
        state.game.play(m);
        let moves = state.game.moves_of(position.side_to_move());
        let used = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.time.moved(Millis::new(used), moves);
        self.output.line(&Reply::Move(&move_text(position, m)));
        self.tell_result();
    }

    /// Counts lost scores in a row; `true` if there are enough of them.
    fn is_variant_lost(&mut self, value: Option<Value>) -> bool {
        let lost = match value {
            Some(Value::Centipawns(score)) => score <= RESIGN_SCORE,
            Some(Value::Mate(moves)) => moves <= 0,
            None => false,
        };
        self.lost_scores = if lost { self.lost_scores + 1 } else { 0 };
        self.lost_scores >= RESIGN_SEARCHES
    }

    /// Whether the last search of a variant saw nothing better than a draw.
    pub(super) fn accepts_draw_in_variant(&self) -> bool {
        let last = self.variant.as_ref().and_then(|state| state.last.as_ref());
        last.is_some_and(|last| match last.value {
            Value::Centipawns(score) => score <= 0,
            Value::Mate(moves) => moves <= 0,
        })
    }

    /// Analyzes until a command comes; `false` if there is nothing to analyze.
    pub(super) fn analyze_variant(&mut self) -> bool {
        let Some(state) = self.variant.as_ref().filter(|state| !state.rejected) else {
            return false;
        };
        let position = state.game.position().clone();
        if position.legal_moves().is_empty() {
            return false;
        }
        let found = self.search_variant(&position, &Limits::default(), Purpose::Analysis);
        self.settled = found.is_some();
        true
    }

    /// Searches, and attends to requests until the search has ended. `None` if a command ended it,
    /// `Some(None)` if it failed.
    fn search_variant(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut purpose: Purpose,
    ) -> Option<Option<BestMove>> {
        let wait = if purpose == Purpose::Analysis { Wait::UntilStop } else { Wait::No };
        let signals = Arc::new(Signals::new(wait));
        self.variant_engine()?;
        let moves = position.legal_moves().len();
        let progress = Arc::new(Mutex::new(Progress::new(self.post, moves)));
        let answer = Arc::new(Mutex::new(None));
        let printer = VariantPrinter {
            output: Arc::clone(&self.output),
            session: self.sender.clone(),
            progress: Arc::clone(&progress),
            answer: Arc::clone(&answer),
            root: position.clone(),
        };
        let accepts_draw = self.accepts_draw();
        let notation = self.engine.notation();
        let mut interrupted = false;
        let (game, time, output, inbox) =
            (&mut self.game, &mut self.time, &*self.output, &mut *self.inbox);
        let (draw_offered, post) = (&mut self.draw_offered, &mut self.post);
        let player = self.engine.player.as_mut()?;
        let ended = player.search(position, limits, &signals, printer, |controls| {
            let mut during = DuringSearch {
                purpose: &mut purpose,
                game,
                time,
                draw_offered,
                accepts_draw,
                post,
                notation,
                progress,
                controls,
                output,
                waiting: false,
                interrupted: &mut interrupted,
            };
            inbox.attend_search(|request| during.attend(request));
        });
        if ended.is_err() {
            *self.end = SessionEnd::AfterInternalError;
            self.error("internal error", "the search ended without a move");
        }
        let answer = answer.lock().take();
        (!interrupted).then_some(answer)
    }
}

const fn chess_color(color: Color) -> tamarin_movegen::Color {
    match color {
        Color::White => tamarin_movegen::Color::White,
        Color::Black => tamarin_movegen::Color::Black,
    }
}

const fn result(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}
