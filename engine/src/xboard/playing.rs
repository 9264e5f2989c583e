//! Thinking, pondering, analysis, and what the engine says about a game.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use tamarin_eval::Score;
use tamarin_movegen::{Move, Position};
use tamarin_search::{BestMove, Limits, Millis, Silent, Wait};
use tamarin_uci::xboard::Reply;

use super::during_search::{DuringSearch, Purpose};
use super::game::{move_text, result};
use super::observer::{Printer, Progress};
use super::session::{LastSearch, Mode, Session};

/// How a search ended.
struct Ended {
    /// What it was for at its end.
    purpose: Purpose,
    /// Its answer, unless it panicked.
    answer: Option<BestMove>,
    /// Whether a command ended it.
    interrupted: bool,
}

/// The score at which a game is lost for an engine that resigns, in centipawns.
const RESIGN_SCORE: i32 = -900;

/// How many searches in a row must find the game lost.
pub(super) const RESIGN_SEARCHES: u32 = 4;

/// How many nodes a hint is worth when nothing was searched yet.
const HINT_NODES: u64 = 20_000;

impl Session<'_> {
    /// Thinks about the position and makes the engine's move.
    pub(super) fn think(&mut self) {
        if let Some(result) = self.game.result().filter(|_| self.has_no_move()) {
            self.output.line(&Reply::Result(result));
            return;
        }
        let position = self.game.position().clone();
        if let Some(hit) = self.engine.book_move(&position) {
            self.last = None;
            self.make_move(hit.mv.mv, Instant::now());
            return;
        }
        let color = position.side_to_move();
        let limits = self.time.limits(color, self.game.moves_of(color));
        let ended = self.search(&position, limits, Purpose::Move(Instant::now()));
        self.conclude(&ended);
    }

    fn has_no_move(&self) -> bool {
        !self.game.position().has_legal_move()
    }

    /// Ponders on the expected move; `false` if there is none.
    pub(super) fn ponder(&mut self) -> bool {
        let expected = self.last.and_then(|last| last.reply);
        let position = self.game.position();
        let Some(expected) = expected.filter(|mv| position.is_legal(*mv)) else { return false };
        let hint = move_text(position, expected, self.engine.notation());
        let mut next = position.clone();
        next.make(expected);
        next.clear_undo();
        if result(position).is_some() || result(&next).is_some() {
            return false;
        }
        self.output.line(&Reply::Hint(&hint));
        let color = next.side_to_move();
        let limits =
            Limits { wait: Wait::Ponder, ..self.time.limits(color, self.game.moves_of(color)) };
        let left = self.time.left().unwrap_or(Millis::ZERO);
        let ended = self.search(&next, limits, Purpose::Ponder { expected, left });
        match ended.purpose {
            Purpose::Move(_) => self.conclude(&ended),
            _ => self.settled = !ended.interrupted,
        }
        true
    }

    /// Analyzes until a command comes; `false` if there is nothing to analyze.
    pub(super) fn analyze(&mut self) -> bool {
        let position = self.game.position().clone();
        let mut search_moves: Vec<Move> = position.legal_moves().into_iter().collect();
        search_moves.retain(|mv| !self.excluded.contains(mv));
        if search_moves.is_empty() {
            return false;
        }
        if self.excluded.is_empty() {
            search_moves.clear();
        }
        let limits = Limits { wait: Wait::UntilStop, search_moves, ..Limits::default() };
        let ended = self.search(&position, limits, Purpose::Analysis);
        self.settled = !ended.interrupted;
        true
    }

    /// Searches, and attends to requests until the search has ended.
    fn search(&mut self, position: &Position, limits: Limits, mut purpose: Purpose) -> Ended {
        let moves = match limits.search_moves.len() {
            0 => position.legal_moves().len(),
            some => some,
        };
        let progress = Arc::new(Mutex::new(Progress::new(self.post, moves)));
        let printer = Printer {
            output: Arc::clone(&self.output),
            session: self.sender.clone(),
            progress: Arc::clone(&progress),
            root: position.clone(),
            notation: self.engine.notation(),
        };
        let node_time = self.engine.settings.node_time;
        if self.time.clock_counts_nodes() {
            self.engine.settings.node_time = 1;
        }
        let (accepts_draw, notation) = (self.accepts_draw(), self.engine.notation());
        let mut interrupted = false;
        let (game, time, output, inbox) =
            (&mut self.game, &mut self.time, &*self.output, &mut *self.inbox);
        let (draw_offered, post) = (&mut self.draw_offered, &mut self.post);
        let attended = Arc::clone(&progress);
        let meanwhile = |controls| {
            let mut during = DuringSearch {
                purpose: &mut purpose,
                game,
                time,
                draw_offered,
                accepts_draw,
                post,
                notation,
                progress: attended,
                controls,
                output,
                waiting: false,
                interrupted: &mut interrupted,
            };
            inbox.attend_search(|request| during.attend(request));
        };
        self.engine.search(position, limits, Box::new(printer), meanwhile);
        self.engine.settings.node_time = node_time;
        let answer = progress.lock().answer;
        Ended { purpose, answer, interrupted }
    }

    /// Makes the move that a search found, unless it is not wanted any more.
    fn conclude(&mut self, ended: &Ended) {
        let Purpose::Move(since) = ended.purpose else { return };
        if ended.interrupted {
            return;
        }
        let position = self.game.position();
        let found = ended.answer.and_then(|answer| answer.best);
        // After a panic any legal move is better than none.
        let Some(mv) = found.or_else(|| position.legal_moves().first().copied()) else { return };
        self.last =
            ended.answer.map(|answer| LastSearch { score: answer.score, reply: answer.ponder });
        if self.resigns && self.is_lost() {
            self.mode = Mode::Force;
            self.output.line(&Reply::Resign);
            return;
        }
        if std::mem::take(&mut self.draw_offered) && self.accepts_draw() {
            self.output.line(&Reply::OfferDraw);
        }
        self.make_move(mv, since);
    }

    /// Plays a move of the engine, which has been to move since then, and tells it.
    fn make_move(&mut self, mv: Move, since: Instant) {
        let color = self.game.position().side_to_move();
        let text = move_text(self.game.position(), mv, self.engine.notation());
        self.game.play(mv);
        self.excluded.clear();
        let used = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.time.moved(Millis::new(used), self.game.moves_of(color));
        self.output.line(&Reply::Move(&text));
        if let Some(result) = self.game.result() {
            self.output.line(&Reply::Result(result));
        }
    }

    /// Counts lost scores in a row; `true` if there are enough of them.
    fn is_lost(&mut self) -> bool {
        let lost = self.last.is_some_and(|last| last.score <= Score::new(RESIGN_SCORE));
        self.lost_scores = if lost { self.lost_scores + 1 } else { 0 };
        self.lost_scores >= RESIGN_SEARCHES
    }

    /// A draw is accepted by a side that sees nothing better.
    pub(super) fn accepts_draw(&self) -> bool {
        if self.variant.is_some() {
            return self.accepts_draw_in_variant();
        }
        self.last.is_some_and(|last| last.score <= Score::DRAW)
    }

    /// An offer in the opponent's turn is accepted at once, or again considered after the next
    /// search.
    pub(super) fn answer_draw_offer(&mut self) {
        let Mode::Playing(_) = self.mode else { return };
        self.draw_offered = true;
        if self.accepts_draw() {
            self.output.line(&Reply::OfferDraw);
        }
    }

    /// Tells the moves of the opening book with their shares, each line with a blank before it and
    /// an empty one after the last.
    pub(super) fn show_book(&self) {
        let position = self.game.position();
        let moves = self.engine.book().moves(position);
        let all: u32 = moves.iter().map(|one| u32::from(one.weight)).sum();
        let mut text = String::new();
        for one in &moves {
            let share = u32::from(one.weight) * 100 / all.max(1);
            let mv = move_text(position, one.mv, self.engine.notation());
            text.push_str(&format!(" {mv} {share}%\n"));
        }
        if moves.is_empty() {
            text.push_str(" no move in the book\n");
        }
        self.output.line(&text);
    }

    /// Tells a good move: the one expected, or what a short search finds.
    pub(super) fn hint(&mut self) {
        if !self.has_position("hint") {
            return;
        }
        let position = self.game.position();
        let expected = self.last.and_then(|last| last.reply).filter(|mv| position.is_legal(*mv));
        let hint = expected.or_else(|| {
            let options = self.engine.settings.search_options();
            let limits = Limits::nodes(HINT_NODES);
            self.engine.idle().search(position, limits, &options, Box::new(Silent)).best
        });
        if let Some(mv) = hint {
            let text = move_text(self.game.position(), mv, self.engine.notation());
            self.output.line(&Reply::Hint(&text));
        }
    }
}
