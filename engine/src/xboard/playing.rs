//! Thinking, pondering, analysis, and what the engine says about a game.

use std::sync::Arc;

use parking_lot::Mutex;
use tamarin_game::ending::Ending;
use tamarin_game::played::Played;
use tamarin_game::position::{Move, Position};
use tamarin_game::spelling::Spelling;
use tamarin_movegen::Color;
use tamarin_search::{Limits, Wait};
use tamarin_uci::ScoreValue;
use tamarin_uci::xboard::{Reply, RootMoves};
use tamarin_variant::Reason;

use super::during_search::{DuringSearch, Purpose};
use super::observer::{Printer, Progress};
use super::time_control::Turn;
use super::{Mode, Session};
use crate::client::{Client, SessionEnd};
use crate::engine::Query;
use crate::report::{Answer, SearchOutput};

/// How a search ended.
struct Ended {
    purpose: Purpose,
    /// Its answer, unless it panicked.
    answer: Option<Answer>,
    /// Whether a command ended it.
    interrupted: bool,
    /// The nodes searched.
    nodes: u64,
}

/// The score at which a game is lost for an engine that resigns, in centipawns.
const RESIGN_SCORE: i32 = -900;

/// How many searches in a row must find the game lost.
const RESIGN_SEARCHES: u32 = 4;

/// How many nodes a hint is worth when nothing was searched yet.
const HINT_NODES: u64 = 20_000;

impl Session<'_> {
    /// How moves are written.
    pub(super) const fn spelling(&self) -> Spelling {
        Spelling::XBoard(self.client.engine.notation())
    }

    /// Thinks about the position and makes the engine's move.
    pub(super) fn think(&mut self) {
        self.think_in(Turn::begin());
    }

    /// Thinks in a turn that may have begun earlier.
    pub(super) fn think_in(&mut self, turn: Turn) {
        let root = self.client.engine.game().clone();
        if root.legal_moves().is_empty() {
            self.print_result();
            return;
        }
        if let Some((mv, _)) = self.client.engine.book_move(self.spelling()) {
            self.last = None;
            self.make_move(&mv, turn, 0);
            return;
        }
        let color = root.side_to_move();
        let limits = self.time.limits_after(turn.elapsed(), color, root.moves_of(color));
        let ended = self.search(&root, limits, Vec::new(), Purpose::Move(turn));
        self.conclude(ended);
    }

    /// Ponders on the expected move; `false` if none is expected. Variants are not pondered on.
    pub(super) fn ponder(&mut self) -> bool {
        let spelling = self.spelling();
        let Some(expected) =
            self.expected().filter(|_| self.client.engine.game().as_chess().is_some())
        else {
            return false;
        };
        let mut next = self.client.engine.game().clone();
        let is_over = |game: &Played| result(game.position()).is_some();
        if is_over(&next) || next.play(&expected, spelling).is_err() || is_over(&next) {
            return false;
        }
        self.client.output.line(&Reply::Hint(&expected));
        let color = next.side_to_move();
        let moves = self.client.engine.game().moves_of(color);
        let overhead = self.client.engine.settings.search.move_overhead;
        let (limits, least) = self.time.ponder(color, moves, overhead);
        let ended = self.search(&next, limits, Vec::new(), Purpose::Ponder { expected, least });
        match ended.purpose {
            Purpose::Move(_) => self.conclude(ended),
            Purpose::Ponder { .. } | Purpose::Analysis => self.is_idle = !ended.interrupted,
        }
        true
    }

    /// The answer that the last search expects, if it is legal here.
    fn expected(&self) -> Option<String> {
        let reply = self.last.as_ref()?.reply.as_ref()?;
        self.find_move(reply).is_ok().then(|| reply.clone())
    }

    /// Analyzes until a command comes; `false` if there is nothing to analyze.
    pub(super) fn analyze(&mut self) -> bool {
        let root = self.client.engine.game().clone();
        let mut root_moves = Vec::new();
        if !self.excluded.is_empty() {
            root_moves = root.legal_moves();
            root_moves.retain(|mv| !self.excluded.contains(mv));
        }
        if root.legal_moves().is_empty() || (root_moves.is_empty() && !self.excluded.is_empty()) {
            return false;
        }
        let limits = Limits { wait: Wait::UntilStop, ..Limits::default() };
        let ended = self.search(&root, limits, root_moves, Purpose::Analysis);
        self.is_idle = !ended.interrupted;
        true
    }

    /// Leaves these moves out.
    pub(super) fn exclude(&mut self, moves: &RootMoves) {
        for mv in self.root_moves_of(moves, "exclude") {
            if !self.excluded.contains(&mv) {
                self.excluded.push(mv);
            }
        }
    }

    /// Takes these moves in again.
    pub(super) fn include(&mut self, moves: &RootMoves) {
        let included = self.root_moves_of(moves, "include");
        self.excluded.retain(|mv| !included.contains(mv));
    }

    /// The moves meant; those that are not legal are reported.
    fn root_moves_of(&mut self, moves: &RootMoves, line: &str) -> Vec<Move> {
        if self.chess_position(line).is_none() || !self.has_position(line) {
            return Vec::new();
        }
        let RootMoves::Some(texts) = moves else {
            return self.client.engine.game().legal_moves();
        };
        let mut found = Vec::new();
        for text in texts {
            match self.find_move(text) {
                Ok(mv) => found.push(mv),
                Err(reason) => self.client.output.line(&Reply::IllegalMove(&reason, text)),
            }
        }
        found
    }

    /// Searches, and attends to requests until the search has ended.
    fn search(
        &mut self,
        root: &Played,
        limits: Limits,
        root_moves: Vec<Move>,
        mut purpose: Purpose,
    ) -> Ended {
        let spelling = self.spelling();
        let moves = match root_moves.len() {
            0 => root.legal_moves().len(),
            some => some,
        };
        let progress = Arc::new(Mutex::new(Progress::new(self.post, moves)));
        // The session asks for the progress of every search: the printer alone is silent.
        let minimal = std::mem::take(&mut self.client.engine.settings.minimal);
        let printer = Printer {
            output: Arc::clone(&self.client.output),
            inbox: Arc::clone(&self.client.inbox),
            progress: Arc::clone(&progress),
            minimal,
            last: Vec::new(),
        };
        let node_time = self.client.engine.settings.search.node_time;
        if self.time.clock_counts_nodes() {
            self.client.engine.settings.search.node_time = 1;
            self.client.engine.search_engine().reset_node_clock();
        }
        let accepts_draw = self.accepts_draw();
        let mut interrupted = false;
        let Client { engine, output, inbox, .. } = &mut *self.client;
        let time = &mut self.time;
        let (draw_offered, post) = (&mut self.draw_offered, &mut self.post);
        let attended = Arc::clone(&progress);
        let meanwhile = |controls, game: &mut Played| {
            let mut during = DuringSearch {
                purpose: &mut purpose,
                game,
                time,
                draw_offered,
                accepts_draw,
                post,
                spelling,
                progress: attended,
                controls,
                output,
                waiting: false,
                interrupted: &mut interrupted,
            };
            inbox.attend_all(|request| during.attend(request));
        };
        let query = Query { limits, root_moves, spelling };
        inbox.search_begins();
        let ended = engine.search(root, query, Box::new(printer), meanwhile);
        (self.client.engine.settings.search.node_time, self.client.engine.settings.minimal) =
            (node_time, minimal);
        let (answer, nodes) = {
            let mut progress = progress.lock();
            (progress.answer.take(), progress.statistics().nodes)
        };
        if ended.is_err() || answer.is_none() {
            self.client.end = SessionEnd::AfterInternalError;
            self.error("internal error", "the search ended without a move");
        }
        Ended { purpose, answer, interrupted, nodes }
    }

    /// Makes the move that a search found, unless it is not wanted any more.
    fn conclude(&mut self, ended: Ended) {
        let Purpose::Move(turn) = ended.purpose else { return };
        if ended.interrupted {
            self.interrupted = Some((self.client.engine.game().fen(), turn));
            return;
        }
        let found = ended.answer.as_ref().and_then(|answer| answer.best.clone());
        // After a panic any legal move is better than none.
        let fallback = || self.client.engine.game().first_move(self.spelling());
        let Some(mv) = found.or_else(fallback) else { return };
        self.last = ended.answer;
        if self.resigns && self.is_lost() {
            self.set_mode(Mode::Force);
            self.client.output.line(&Reply::Resign);
            return;
        }
        if self.draw_offered && self.accepts_draw() {
            self.client.output.line(&Reply::OfferDraw);
        }
        self.make_move(&mv, turn, ended.nodes);
    }

    /// Plays a move of the engine in its turn, found with so many nodes, and prints it. An offer of
    /// a draw that it did not accept is declined.
    fn make_move(&mut self, mv: &str, turn: Turn, nodes: u64) {
        self.draw_offered = false;
        let color = self.client.engine.game().side_to_move();
        if let Err(reason) = self.play(mv) {
            self.error(&reason, mv);
            return;
        }
        let used = self.time.used(turn.elapsed(), nodes.saturating_sub(turn.pondered));
        self.time.moved(used, self.client.engine.game().moves_of(color));
        self.client.output.line(&Reply::Move(mv));
        self.print_result();
    }

    /// Prints the result if the game is over; `true` if it is.
    pub(super) fn print_result(&self) -> bool {
        let result = result(self.client.engine.game().position());
        if let Some(result) = &result {
            self.client.output.line(result);
        }
        result.is_some()
    }

    /// Counts lost scores in a row; `true` if there are enough of them.
    fn is_lost(&mut self) -> bool {
        let lost = self.last.as_ref().is_some_and(|last| at_most(last.score, RESIGN_SCORE));
        self.lost_scores = if lost { self.lost_scores + 1 } else { 0 };
        self.lost_scores >= RESIGN_SEARCHES
    }

    /// A draw is accepted by a side that sees nothing better.
    fn accepts_draw(&self) -> bool {
        self.last.as_ref().is_some_and(|last| at_most(last.score, 0))
    }

    /// An offer in the opponent's turn is accepted at once, or again considered after the next
    /// search.
    pub(super) fn answer_draw_offer(&mut self) {
        let Mode::Playing(_) = self.mode else { return };
        self.draw_offered = !self.accepts_draw();
        if !self.draw_offered {
            self.client.output.line(&Reply::OfferDraw);
        }
    }

    /// Prints the moves of the opening book with their shares, each line with a blank before it and
    /// an empty one after the last. After a rejected position there are none.
    pub(super) fn show_book(&self) {
        let mut text = String::new();
        let game = self.client.engine.game();
        if let Some(chess) = game.as_chess().filter(|_| self.client.engine.has_position()) {
            let moves = self.client.engine.book().moves(chess);
            let all = moves.iter().map(|one| u64::from(one.weight)).sum();
            for one in &moves {
                let mv = game.position().write(Move::Chess(one.mv), self.spelling());
                text.push_str(&format!(" {mv} {}\n", share(one.weight, all)));
            }
        }
        if text.is_empty() {
            text.push_str(" no move in the book\n");
        }
        self.client.output.line(&text);
    }

    /// Prints a good move: the one expected, or what a short search finds.
    pub(super) fn hint(&mut self) {
        if !self.has_position("hint") {
            return;
        }
        if let Some(text) = self.expected().or_else(|| self.short_search()) {
            self.client.output.line(&Reply::Hint(&text));
        }
    }

    /// The best move of a short search; `None` if there is no legal move.
    fn short_search(&mut self) -> Option<String> {
        let root = self.client.engine.game().clone();
        let best = Arc::new(Mutex::new(None));
        let query = Query {
            limits: Limits::nodes(HINT_NODES),
            root_moves: Vec::new(),
            spelling: self.spelling(),
        };
        let output = Box::new(BestOnly(Arc::clone(&best)));
        self.client.engine.search(&root, query, output, |_, _| ()).ok()?;
        best.lock().take()
    }
}

/// The result as XBoard writes it, such as `1-0 {White mates}`, if the game is over by its rules
/// or a draw can be claimed. In variants the client judges repetitions and counts of moves: rules
/// differ there, and a wrong claim loses the game.
fn result(position: &Position) -> Option<String> {
    let ending = position.ending().or_else(|| position.claim())?;
    if let Ending::Variant(outcome) = ending
        && !matches!(outcome.reason, Reason::Checkmate | Reason::Stalemate)
    {
        return None;
    }
    let in_full = ending.to_string();
    let reason = match ending {
        Ending::Checkmate(Color::White) => "White mates",
        Ending::Checkmate(Color::Black) => "Black mates",
        Ending::Stalemate => "Stalemate",
        Ending::InsufficientMaterial => "Draw by insufficient material",
        Ending::DeadPosition => "Draw by dead position",
        Ending::ThreefoldRepetition | Ending::FivefoldRepetition => "Draw by repetition",
        Ending::FiftyMoves | Ending::SeventyFiveMoves => "Draw by fifty move rule",
        _ => &in_full,
    };
    Some(Reply::Result(&ending.outcome().to_string(), reason).to_string())
}

/// The share of a weight in the sum of all, in percent: `59%`, `<1%` below half a percent.
fn share(weight: u16, all: u64) -> String {
    match (200 * u64::from(weight) + all) / (2 * all).max(1) {
        0 if weight > 0 => "<1%".to_owned(),
        percent => format!("{percent}%"),
    }
}

/// Whether a score is `centipawns` or less.
const fn at_most(score: ScoreValue, centipawns: i32) -> bool {
    match score {
        ScoreValue::Centipawns(value) => value <= centipawns,
        ScoreValue::Mate(moves) => moves <= 0,
    }
}

/// Keeps the best move of a search, and prints nothing.
struct BestOnly(Arc<Mutex<Option<String>>>);

impl SearchOutput for BestOnly {
    fn answer(&mut self, answer: Answer) {
        *self.0.lock() = answer.best;
    }
}

#[cfg(test)]
mod tests {
    use super::{RESIGN_SCORE, at_most, result};
    use tamarin_game::played::Played;
    use tamarin_game::spelling::Spelling;
    use tamarin_movegen::CastlingNotation;
    use tamarin_uci::ScoreValue;

    #[test]
    fn a_mate_against_the_side_to_move_is_below_every_score() {
        for (score, lost) in [
            (ScoreValue::Centipawns(-899), false),
            (ScoreValue::Centipawns(-900), true),
            (ScoreValue::Mate(1), false),
            (ScoreValue::Mate(0), true),
            (ScoreValue::Mate(-40), true),
        ] {
            assert_eq!(at_most(score, RESIGN_SCORE), lost, "{score}");
        }
    }

    #[test]
    fn every_end_of_a_game_is_recognized() {
        let of = |moves: &[&str]| {
            let mut game = Played::chess();
            let spelling = Spelling::XBoard(CastlingNotation::Classic);
            game.play_all(moves.iter().copied(), spelling).expect("legal");
            result(game.position()).unwrap_or_default()
        };
        assert_eq!(of(&["f3", "e5", "g4", "Qh4"]), "0-1 {Black mates}");
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        assert_eq!(of(&shuffle), "");
        assert_eq!(of(&[shuffle, shuffle].concat()), "1/2-1/2 {Draw by repetition}");
        for (fen, wanted) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 {Stalemate}"),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0 {White mates}"),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "1/2-1/2 {Draw by insufficient material}"),
            ("4k3/8/8/8/8/8/8/4KR2 w - - 100 90", "1/2-1/2 {Draw by fifty move rule}"),
            ("4k3/8/8/8/8/8/8/4KR2 w - - 99 90", ""),
        ] {
            let set_up = Played::chess().set_up(Some(fen)).expect("legal");
            assert_eq!(result(set_up.game.position()).unwrap_or_default(), wanted, "{fen}");
        }
    }
}
