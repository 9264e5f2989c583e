//! Variants under UCI: the commands whose meaning depends on the game.

use std::fmt::Write as _;
use std::sync::Arc;

use tamarin_search::Wait;
use tamarin_uci::{
    AnyPosition, Base, BestMove, Console, EvalFormat, Go, Note, OptionSpec, Reply,
    search_move_words,
};
use tamarin_variant::{Color, Game, Position, divide};
use tamarin_variant_search::evaluate::Evaluator;
use tamarin_variant_search::{Limits, Signals};

use super::session::{NO_POSITION, Session, wait_for_search};
use super::translate;
use super::variant_printer::VariantPrinter;
use crate::options::UCI_VARIANT;
use crate::search_queue::GoId;
use crate::session_end::SessionEnd;
use crate::settings::Settings;
use crate::variant_game::{Size, find_move};
use tamarin_variant::draw;

/// The deepest perft, in plies.
const MAX_PERFT: u32 = 20;

impl Session<'_> {
    /// An option as it is announced; `UCI_Variant` can be any variant of a file too.
    pub(super) fn option_line(&self, spec: &OptionSpec) -> String {
        let mut line = Reply::Option(spec).to_string();
        if spec.name == UCI_VARIANT {
            for name in self.engine.library.names_of_files() {
                // Writing to a string cannot fail.
                let _ = write!(line, " var {name}");
            }
        }
        line
    }

    /// Tells what board the variant in force has, in the words of Fairy-Stockfish, which clients
    /// know; nothing for standard chess.
    pub(super) fn announce_variant(&self) {
        if let Some(player) = &self.engine.player {
            let game = player.game();
            self.info(&format!(
                "variant {} files {} ranks {} pocket 0 template fairy startpos {}",
                player.name(),
                game.columns(),
                game.rows(),
                Position::start(game).fen()
            ));
        }
    }

    /// Makes ready what the first search would have to wait for.
    pub(super) fn prepare(&mut self) {
        let size = self.engine.size();
        let Some(player) = &mut self.engine.player else {
            self.engine.idle().prepare();
            return;
        };
        let Err(error) = player.engine(size) else { return };
        let without_table = player.engine(Size { hash: 0, ..size }).is_ok();
        self.error(&error.to_string());
        if without_table {
            self.info("searching without a hash table");
        }
    }

    /// `position`, carried out whole or not at all.
    pub(super) fn set_variant_position(&mut self, line: &str) {
        let Some(player) = &mut self.engine.player else { return };
        match set_up(player.game(), line) {
            Ok(position) => player.position = Some(position),
            Err(reason) => {
                player.position = None;
                self.error(&format!("position rejected: {reason}; {NO_POSITION}"));
            }
        }
    }

    /// What was ignored in a `go`. Its `searchmoves` are judged by the variant.
    pub(super) fn print_variant_notes(&self, notes: &[Note]) {
        let others = notes.iter().filter(|note| !matches!(note, Note::BadMove { .. }));
        others.for_each(|note| self.info(&note.to_string()));
    }

    /// Searches, and returns when the search has ended.
    pub(super) fn go_variant(&mut self, go: &Go, line: &str, id: GoId) {
        let wait = match (go.infinite, go.ponder) {
            (true, _) => Wait::UntilStop,
            (false, true) => Wait::Ponder,
            (false, false) => Wait::No,
        };
        // The clock runs while the engine is made.
        let signals = Arc::new(Signals::new(wait));
        self.prepare();
        let position = self.engine.player.as_ref().and_then(|player| player.position.clone());
        let Some(position) = position else {
            self.queue.answered(id);
            self.error(NO_POSITION);
            self.output.line(&Reply::BestMove(BestMove::Null));
            return;
        };
        let limits = self.variant_limits(go, line, &position);
        let printer = VariantPrinter {
            answer: self.answer(id),
            root: position.clone(),
            minimal: self.engine.settings.minimal,
            last: None,
        };
        let Some(player) = &mut self.engine.player else { return };
        let (queue, inbox, output) = (&self.queue, &mut *self.inbox, &*self.output);
        let ended = player.search(&position, &limits, &signals, printer, |controls| {
            queue.started(id, controls);
            wait_for_search(inbox, output);
        });
        if ended.is_err() {
            *self.end = SessionEnd::AfterInternalError;
        }
    }

    /// The limits that a `go` sets; `searchmoves` that are not legal are told.
    fn variant_limits(&self, go: &Go, line: &str, position: &Position) -> Limits {
        let mut search_moves = Vec::new();
        for text in search_move_words(line) {
            match find_move(position, text) {
                Ok(mv) => search_moves.push(mv),
                Err(reason) => self.info(&format!("searchmoves: {reason}, ignored")),
            }
        }
        Limits { search_moves, ..limits(go, position.side_to_move(), &self.engine.settings) }
    }

    /// Whether a console command is about the position of a variant.
    pub(super) fn is_about_variant(&self, console: &Console) -> bool {
        let of_position = matches!(
            console,
            Console::Board | Console::Eval(_) | Console::Perft(_) | Console::Flip
        );
        of_position && self.engine.player.is_some()
    }

    /// `d`, `eval`, `perft` and `flip`.
    pub(super) fn variant_console(&mut self, console: &Console) {
        match self.variant_answer(console) {
            Ok(text) => self.output.line(text.trim_end()),
            Err(reason) => self.error(&reason),
        }
    }

    fn variant_answer(&mut self, console: &Console) -> Result<String, String> {
        let size = self.engine.size();
        let player = self.engine.player.as_mut().ok_or(NO_POSITION)?;
        let position = player.position.clone().ok_or(NO_POSITION)?;
        match *console {
            Console::Board => Ok(draw(&position)),
            Console::Perft(depth) if depth > MAX_PERFT => {
                Err(format!("perft {depth}: the depth is 0 to {MAX_PERFT}"))
            }
            Console::Perft(depth) => Ok(perft(position, depth)),
            Console::Eval(EvalFormat::Table) => {
                let engine = player.engine(size).map_err(|error| error.to_string())?;
                Ok(evaluation(engine.evaluator(), &position))
            }
            Console::Eval(_) => Err("eval --json is for standard chess only".to_owned()),
            _ => Err("flip is for standard chess only".to_owned()),
        }
    }
}

/// The position that a line describes.
fn set_up(game: &Arc<Game>, line: &str) -> Result<Position, String> {
    let text = AnyPosition::parse(line).map_err(|error| error.to_string())?;
    let mut position = match &text.base {
        Base::Start => Position::start(game),
        Base::Fen(fen) => Position::from_fen(game, fen).map_err(|error| error.to_string())?,
    };
    for (i, word) in text.moves.iter().enumerate() {
        let mv =
            find_move(&position, word).map_err(|reason| format!("move {}: {reason}", i + 1))?;
        position.make(mv);
    }
    Ok(position)
}

/// The limits of a `go` for this side, without its `searchmoves`.
fn limits(go: &Go, side: Color, settings: &Settings) -> Limits {
    let [white, black] = translate::clocks(go).0;
    let (own, other) = if side == Color::White { (white, black) } else { (black, white) };
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        move_time: go.move_time.map(translate::milliseconds),
        // A side without a clock of its own is given the other's.
        clock: own.or(other),
        mate: go.mate.filter(|moves| *moves > 0),
        search_moves: Vec::new(),
        overhead: settings.move_overhead,
    }
}

/// The count behind each move and the sum, as for standard chess.
fn perft(mut position: Position, depth: u32) -> String {
    if depth == 0 {
        return "Nodes searched: 1".to_owned();
    }
    let counts = divide(&mut position, depth);
    let mut text = String::new();
    for (mv, nodes) in &counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {nodes}", position.text(*mv));
    }
    let all: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
    let _ = write!(text, "\nNodes searched: {all}");
    text
}

/// The evaluator's name, the part that depends on the pieces alone, and the whole, for White.
fn evaluation(evaluator: &Evaluator, position: &Position) -> String {
    let sum = evaluator.sum(position);
    let whole = evaluator.evaluate(position, sum, &mut Vec::new());
    let [pieces, rest, all] = [sum, whole - sum, whole].map(|value| {
        let centipawns = evaluator.centipawns(value);
        format!("{:+.2}", f64::from(centipawns) / 100.0)
    });
    format!(
        "Evaluator {}\npieces    {pieces:>8}\nthe rest  {rest:>8}\n\nEvaluation {all} (for White)",
        evaluator.spec()
    )
}
