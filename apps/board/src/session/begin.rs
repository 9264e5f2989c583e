//! How a session begins: rules, first position, players, clocks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_game::chess960;
use tamarin_game::clock::{Clocks, TimeControl};
use tamarin_game::game::Game;
use tamarin_game::pgn::Wanted;
use tamarin_game::position::{Castling, Position, castling_of, clip};
use tamarin_game::tree::Tree;
use tamarin_movegen as chess;
use tamarin_movegen::{Color, PerColor};
use tamarin_variant as variant;
use tamarin_variant_search::evaluate::learned::Learned;
use tokio::sync::broadcast;

use super::analysis::Analysis;
use super::games::{first_tags, variant_of};
use super::save::Slot;
use super::{EVENTS, Session};
use crate::error::BoardError;
use crate::library::stamp;
use crate::players::{Player, Resources, tidy};
use crate::protocol::{ClockRequest, Kind, Open, PlayerRequest};

/// Seconds of the longest clock: a day.
const MAX_SECONDS: f64 = 86_400.0;

#[derive(Clone)]
pub enum Rules {
    /// Chess or Chess960.
    Chess,
    /// A variant, by its name.
    Variant(String, Arc<variant::Game>),
}

impl Rules {
    /// What a file is to hold.
    pub fn wanted(&self) -> Wanted<'_> {
        match self {
            Self::Chess => Wanted::Chess,
            Self::Variant(name, rules) => Wanted::Variant(name, rules),
        }
    }
}

fn refused(text: impl Into<String>) -> BoardError {
    BoardError::Begin(text.into())
}

fn rules(open: &Open) -> Result<Rules, BoardError> {
    if let Some(text) = &open.rules {
        let loaded = variant::load(text, None).map_err(|remarks| {
            BoardError::Rules(remarks.into_iter().filter(variant::Diagnostic::is_error).collect())
        })?;
        let name = open.game.as_deref().filter(|name| *name != "chess");
        let name = name.map_or_else(|| loaded.game.title().to_owned(), tidy);
        return Ok(Rules::Variant(name, loaded.game));
    }
    let name = open.game.as_deref().unwrap_or("chess");
    if matches!(name, "chess" | "chess960") {
        return Ok(Rules::Chess);
    }
    match variant::builtin(name) {
        Some(game) => Ok(Rules::Variant(name.to_owned(), game)),
        None => {
            let near = variant::nearest_builtin(name);
            let hint = near.map_or(String::new(), |near| format!("; is it {near:?}?"));
            Err(refused(format!("there is no game {:?}{hint}", clip(name))))
        }
    }
}

fn learned(open: &Open, rules: &Rules) -> Result<Option<Arc<Learned>>, BoardError> {
    let Some(text) = &open.evaluation else { return Ok(None) };
    let Rules::Variant(_, game) = rules else {
        return Err(refused("chess has no learned evaluator"));
    };
    let learned = Learned::parse(game, text);
    let learned = learned.map_err(|error| refused(format!("the learned evaluator, {error}")))?;
    Ok(Some(Arc::new(learned)))
}

/// The first position that a session is opened with.
fn start(open: &Open, rules: &Rules) -> Result<Position, BoardError> {
    let fen = open.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty());
    match rules {
        Rules::Variant(_, game) => {
            let position = match fen {
                Some(fen) => variant::Position::from_fen(game, fen)
                    .map_err(|error| refused(format!("bad position: {error}")))?,
                None => variant::Position::start(game),
            };
            Ok(Position::Variant(Box::new(position)))
        }
        Rules::Chess => {
            let is_960 = open.chess960.is_some() || open.game.as_deref() == Some("chess960");
            match fen {
                Some(fen) => {
                    let position = chess::Position::from_fen(fen)
                        .map_err(|error| refused(format!("bad position: {error}")))?;
                    let castling = if is_960 { Castling::Chess960 } else { castling_of(&position) };
                    Ok(Position::Chess(Box::new(position), castling))
                }
                None if open.chess960.is_some_and(|number| number >= chess960::POSITIONS) => {
                    Err(refused("positions of Chess960 have numbers from 0 to 959"))
                }
                None if is_960 => {
                    chess960::start(open.chess960).map_err(|error| refused(error.to_string()))
                }
                None => Ok(Position::startpos()),
            }
        }
    }
}

fn seconds(value: Option<f64>) -> Result<Duration, BoardError> {
    let value = value.unwrap_or(0.0);
    if !(0.0..=MAX_SECONDS).contains(&value) {
        return Err(refused("a clock has from 0 to 86400 seconds"));
    }
    Ok(Duration::from_millis((value * 1000.0).round() as u64))
}

/// The clocks that a page wants.
fn clocks(request: Option<ClockRequest>) -> Result<Option<Clocks>, BoardError> {
    let Some(request) = request else { return Ok(None) };
    let is_per_move = request.move_s.is_some();
    let (base, increment) = match is_per_move {
        true => (seconds(request.move_s)?, Duration::ZERO),
        false => (seconds(request.base_s)?, seconds(request.increment_s)?),
    };
    // Without time for the game there is that of one increment for the first move.
    let first = if base.is_zero() { increment } else { base };
    if first.is_zero() {
        return Err(refused("a clock needs time"));
    }
    let moves = request.moves;
    if moves == Some(0) || (is_per_move && moves.is_some()) {
        return Err(refused("a time for each move, or for one move or more"));
    }
    let control = match is_per_move {
        true => TimeControl::per_move(first),
        false => TimeControl { moves, ..TimeControl::incremental(first, increment) },
    };
    Ok(Some(Clocks::new(control)))
}

fn players(open: &Open) -> Result<PerColor<Player>, BoardError> {
    let default = |color: Color| match (open.kind, color) {
        (Kind::Watch, _) | (Kind::Play, Color::Black) => PlayerRequest::Engine {
            level: Some(5),
            elo: None,
            full: false,
            evaluator: None,
            name: None,
        },
        (Kind::Play, Color::White) => PlayerRequest::Person { name: None },
        (Kind::Analyse, _) => PlayerRequest::Person { name: Some("?".to_owned()) },
    };
    let player = |request: &Option<PlayerRequest>, color| {
        let request = request.clone().unwrap_or_else(|| default(color));
        Player::new(&request).map_err(refused)
    };
    let players =
        PerColor([player(&open.white, Color::White)?, player(&open.black, Color::Black)?]);
    let engines = players.0.iter().filter(|player| player.is_engine()).count();
    match open.kind {
        Kind::Watch if engines < 2 => Err(refused("both players are engines in a game to watch")),
        Kind::Play if engines == 2 => Err(refused("a game of two engines is one to watch")),
        _ => Ok(players),
    }
}

/// Drops the name of a variant where the game file names its variant itself.
fn named(mut open: Open) -> Open {
    if open.game.is_none() && open.rules.is_none() {
        open.game = open.pgn.as_deref().and_then(variant_of);
    }
    open
}

/// What is wrong with the text of a rules file, and what game it is.
pub fn check_rules(text: &str) -> Value {
    let (remarks, game) = match variant::load(text, None) {
        Ok(loaded) => (loaded.warnings, Some(loaded.game)),
        Err(remarks) => (remarks, None),
    };
    json!({
        "diagnostics": diagnostics(&remarks),
        "title": game.as_ref().map(|game| game.title()),
        "good": game.is_some(),
    })
}

/// Remarks about a rules file. Those about the whole file have no place.
pub fn diagnostics(remarks: &[variant::Diagnostic]) -> Value {
    let one = |remark: &variant::Diagnostic| {
        let variant::Span { line, column, length } = remark.span;
        let mut value = json!({
            "text": remark.message, "help": remark.help, "error": remark.is_error(),
        });
        if line > 0 {
            value["line"] = line.into();
            value["column"] = column.into();
            value["length"] = length.into();
        }
        value
    };
    remarks.iter().map(one).collect()
}

impl Session {
    /// A session as a page wants it.
    pub fn open(id: String, open: Open, resources: Resources) -> Result<Self, BoardError> {
        let open = named(open);
        let rules = rules(&open)?;
        let resources = Resources { learned: learned(&open, &rules)?, ..resources };
        let start = start(&open, &rules)?;
        let players = players(&open)?;
        let game = Game::new(start.clone(), clocks(open.clock)?);
        let pgn = open.pgn.clone();
        let library = open.library.clone();
        let is_game = open.kind != Kind::Analyse;
        let mut session = Self {
            id,
            rules,
            tree: Tree::new(start),
            at: 0,
            players,
            game,
            premove: None,
            is_paused: false,
            take_back_asked: None,
            guests: PerColor([None, None]),
            warns: false,
            is_unaided: true,
            analysis: Analysis::default(),
            advisor: None,
            asked: None,
            hinted: None,
            file: None,
            report: None,
            solving: None,
            version: 0,
            serial: 0,
            record: None,
            unchanged: Some(0),
            tags: if is_game { first_tags() } else { Vec::new() },
            rated: [None; 2],
            resources,
            slot: None,
            is_loss_told: false,
            sender: broadcast::channel(EVENTS).0,
            pages: 0,
            was_seen: false,
            clock_sent: None,
            used: Instant::now(),
            opened: Open { pgn: None, library: None, ..open },
        };
        if let Some(text) = pgn.filter(|text| !text.trim().is_empty()) {
            session.read(&text)?;
            session.is_unaided = false;
            if let (Some(file), Some(name)) = (&mut session.file, library) {
                file.kept = Some((name, stamp(&text)));
            }
        }
        Ok(session)
    }

    /// The game is kept there from now on.
    pub fn save_in(&mut self, slot: Slot) {
        self.slot = Some(slot);
        self.keep();
    }

    /// The game is saved no longer, so that another session can resume it. A request may still hold
    /// this one for a moment.
    pub fn stop_saving(&mut self) {
        self.slot = None;
    }

    /// Begins another game here. The pages that are open see it.
    pub(super) fn begin(&mut self, mut open: Open) -> Result<(), BoardError> {
        // Pages name the rules again, but do not know what was learned for them.
        if open.rules.is_some() && open.rules == self.opened.rules {
            open.evaluation = open.evaluation.or_else(|| self.opened.evaluation.clone());
        }
        let new = Self::open(self.id.clone(), open, self.resources.clone())?;
        self.rest();
        self.save_copy();
        let old = std::mem::replace(self, new);
        // In a rematch the players have changed sides.
        let names = |session: &Self| Color::ALL.map(|color| session.players[color].name.clone());
        let [white, black] = names(&old);
        self.guests = old.guests;
        if white != black && names(self) == [black, white] {
            self.guests.0.reverse();
        }
        (self.slot, self.is_loss_told) = (old.slot, old.is_loss_told);
        (self.sender, self.warns) = (old.sender, old.warns);
        (self.version, self.serial) = (old.version, old.serial + 1);
        (self.pages, self.was_seen) = (old.pages, old.was_seen);
        Ok(())
    }

    /// Analyzes another position.
    pub(super) fn set_fen(&mut self, fen: String) -> Result<(), BoardError> {
        if self.kind() != Kind::Analyse {
            return Err(BoardError::Kind("another position"));
        }
        let wanted = self.analysis.wanted.clone();
        self.begin(Open { fen: Some(fen), pgn: None, chess960: None, ..self.opened.clone() })?;
        self.analysis.wanted = wanted;
        Ok(())
    }
}
