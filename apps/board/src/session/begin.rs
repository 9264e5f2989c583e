//! How a session begins: rules, first position, players, clocks.

use std::time::{Duration, Instant};

use tamarin_game::chess960;
use tamarin_game::clock::{Clocks, TimeControl};
use tamarin_game::game::Game;
use tamarin_movegen as chess;
use tamarin_movegen::{Color, PerColor};
use tamarin_variant as variant;
use tokio::sync::broadcast;

use super::core::{EVENTS, Session};
use super::error::SessionError;
use super::game_file::variant_of;
use super::games::first_tags;
use super::lines::Analysis;
use super::rules::{Rules, learned, rules};
use crate::players::Player;
use crate::protocol::{ClockRequest, Kind, Open, PlayerRequest};
use crate::resources::Resources;
use crate::saved::Slot;
use tamarin_game::position::{Castling, Position, castling_of};
use tamarin_game::tree::Tree;

/// Seconds of the longest clock: a day.
const MAX_SECONDS: f64 = 86_400.0;

fn refused(text: impl Into<String>) -> SessionError {
    SessionError::Begin(text.into())
}

/// The first position that a session is opened with.
fn start(open: &Open, rules: &Rules) -> Result<Position, SessionError> {
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
            let (position, castling) = match (fen, open.chess960) {
                (Some(fen), number) => {
                    let position = chess_position(fen)?;
                    let is_other = number.is_some() || open.game.as_deref() == Some("chess960");
                    let castling =
                        if is_other { Castling::Chess960 } else { castling_of(&position) };
                    (position, castling)
                }
                (None, Some(number)) if number < chess960::POSITIONS => chess960_position(number)?,
                (None, Some(_)) => {
                    return Err(refused("positions of Chess960 have numbers from 0 to 959"));
                }
                (None, None) if open.game.as_deref() == Some("chess960") => {
                    let number = chess960::any().map_err(|error| refused(error.to_string()))?;
                    chess960_position(number)?
                }
                (None, None) => (chess::Position::startpos(), Castling::Classic),
            };
            Ok(Position::Chess(Box::new(position), castling))
        }
    }
}

fn chess960_position(number: u16) -> Result<(chess::Position, Castling), SessionError> {
    let position = chess960::position(number).map_err(|error| refused(error.to_string()))?;
    Ok((position, Castling::Chess960))
}

fn chess_position(fen: &str) -> Result<chess::Position, SessionError> {
    chess::Position::from_fen(fen).map_err(|error| refused(format!("bad position: {error}")))
}

fn seconds(value: Option<f64>) -> Result<Duration, SessionError> {
    let value = value.unwrap_or(0.0);
    if !(0.0..=MAX_SECONDS).contains(&value) {
        return Err(refused("a clock has from 0 to 86400 seconds"));
    }
    Ok(Duration::from_millis((value * 1000.0).round() as u64))
}

/// The clocks that a page wants.
fn clocks(request: Option<ClockRequest>) -> Result<Option<Clocks>, SessionError> {
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
    let control = match is_per_move {
        true => TimeControl::per_move(first),
        false => TimeControl::incremental(first, increment),
    };
    Ok(Some(Clocks::new(control)))
}

fn players(open: &Open) -> Result<PerColor<Player>, SessionError> {
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

impl Session {
    /// A session as a page wants it.
    pub fn open(id: String, open: Open, resources: Resources) -> Result<Self, SessionError> {
        let open = named(open);
        let rules = rules(&open)?;
        let resources = Resources { learned: learned(&open, &rules)?, ..resources };
        let start = start(&open, &rules)?;
        let players = players(&open)?;
        let game = Game::new(start.clone(), clocks(open.clock)?);
        let pgn = open.pgn.clone();
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
            warns: false,
            analysis: Analysis::default(),
            advisor: None,
            asked: None,
            hinted: None,
            file: None,
            report: None,
            version: 0,
            serial: 0,
            record: None,
            unchanged: Some(0),
            tags: if is_game { first_tags() } else { Vec::new() },
            resources,
            slot: None,
            is_loss_told: false,
            sender: broadcast::channel(EVENTS).0,
            pages: 0,
            was_seen: false,
            clock_sent: None,
            used: Instant::now(),
            opened: Open { pgn: None, ..open },
        };
        if let Some(text) = pgn.filter(|text| !text.trim().is_empty()) {
            session.read(&text)?;
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
    pub(super) fn begin(&mut self, mut open: Open) -> Result<(), SessionError> {
        // Pages name the rules again, but do not know what was learned for them.
        if open.rules.is_some() && open.rules == self.opened.rules {
            open.evaluation = open.evaluation.or_else(|| self.opened.evaluation.clone());
        }
        let new = Self::open(self.id.clone(), open, self.resources.clone())?;
        self.rest();
        self.save_copy();
        let old = std::mem::replace(self, new);
        (self.slot, self.is_loss_told) = (old.slot, old.is_loss_told);
        (self.sender, self.warns) = (old.sender, old.warns);
        (self.version, self.serial) = (old.version, old.serial + 1);
        (self.pages, self.was_seen) = (old.pages, old.was_seen);
        Ok(())
    }

    /// Analyzes another position.
    pub(super) fn set_fen(&mut self, fen: String) -> Result<(), SessionError> {
        if self.kind() != Kind::Analyse {
            return Err(SessionError::Kind("another position"));
        }
        let wanted = self.analysis.wanted();
        self.begin(Open { fen: Some(fen), pgn: None, chess960: None, ..self.opened.clone() })?;
        self.analysis.want(wanted);
        Ok(())
    }

    pub const fn opened(&self) -> &Open {
        &self.opened
    }
}
