//! `tamarin variant serve`: waits for other programs and plays what they ask for, with each in a
//! thread of its own.

use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::json;
use tamarin_base::complain;
use tamarin_variant::{Color, Game, Position, builtin};

use super::arguments::ServeArguments;
use super::board::position;
use super::connection::Connection;
use super::game::{Dialect, PeerGame};
use super::message::{Message, PeerError, VERSION};
use super::report::{Played, Report};
use super::{hello, offered_name};
use crate::variant::player::Player;
use crate::variant::source::{Failure, Playable};
use crate::variant::write_out;

/// How long to wait for the next connection if the system refuses one.
const REFUSED: Duration = Duration::from_millis(100);

pub(crate) fn serve(arguments: &ServeArguments) -> Result<String, Failure> {
    arguments.play.check_pgn(&arguments.file)?;
    let mut offered: Vec<(String, Playable)> = Vec::new();
    for file in &arguments.file {
        let name = offered_name(file);
        if offered.iter().any(|(other, _)| other == name) {
            return Err(Failure::OfferedTwice(name.to_owned()));
        }
        offered.push((name.to_owned(), arguments.play.load(file)?));
    }
    let address = &arguments.listen;
    let failed = |source| Failure::Connect { address: address.clone(), source };
    let listener = TcpListener::bind(address).map_err(failed)?;
    let local = listener.local_addr().map_err(failed)?;
    let line = match arguments.play.json {
        true => json!({ "listening": local.to_string() }).to_string(),
        false => format!("listening on {local}"),
    };
    write_out(&format!("{line}\n"))?;
    if !local.ip().is_loopback() {
        complain(&format!("warning: anyone who reaches {local} can play: there is no password"));
    }
    let server = Server {
        arguments,
        offered,
        pgn: Mutex::new(()),
        playing: AtomicU32::new(0),
        failures: AtomicU32::new(0),
        failed: Mutex::new(None),
    };
    let attended = server.run(&listener);
    if let Some(failure) = server.failed.into_inner() {
        return Err(failure);
    }
    match server.failures.into_inner() {
        0 => Ok(String::new()),
        failures => Err(Failure::Connections(failures, attended)),
    }
}

/// What all connections have in common.
struct Server<'a> {
    arguments: &'a ServeArguments,
    /// The games of files, by the names under which they are offered.
    offered: Vec<(String, Playable)>,
    /// Held while a game is written to the file of games.
    pgn: Mutex<()>,
    playing: AtomicU32,
    /// Connections that ended with an error.
    failures: AtomicU32,
    /// Why the command cannot go on.
    failed: Mutex<Option<Failure>>,
}

impl Server<'_> {
    /// Plays with each program that connects in a thread of its own; how many those were.
    fn run(&self, listener: &TcpListener) -> u32 {
        let Self { arguments, playing, failures, .. } = self;
        let mut attended = 0;
        thread::scope(|scope| {
            while arguments.connections.is_none_or(|most| attended < most)
                && self.failed.lock().is_none()
            {
                let (stream, peer) = match listener.accept() {
                    Ok((stream, peer)) => (stream, peer.to_string()),
                    Err(error) => {
                        complain(&format!("error: no connection: {error}"));
                        thread::sleep(REFUSED);
                        continue;
                    }
                };
                if playing.load(Ordering::Acquire) == arguments.peers {
                    let error = PeerError::Full(arguments.peers);
                    complain(&format!("{peer}: refused, {error}"));
                    Connection::refuse(stream, &error);
                    continue;
                }
                attended += 1;
                playing.fetch_add(1, Ordering::AcqRel);
                let play = move || {
                    match self.attend(stream, &peer) {
                        Ok(true) => {}
                        Ok(false) => drop(failures.fetch_add(1, Ordering::Relaxed)),
                        Err(failure) => *self.failed.lock() = Some(failure),
                    }
                    playing.fetch_sub(1, Ordering::AcqRel);
                };
                let thread = thread::Builder::new().name("peer".to_owned());
                if let Err(error) = thread.spawn_scoped(scope, play) {
                    complain(&format!("error: {}", PeerError::Thread(error)));
                    failures.fetch_add(1, Ordering::Relaxed);
                    playing.fetch_sub(1, Ordering::AcqRel);
                }
            }
        });
        attended
    }

    /// The game of a file.
    fn offer(&self, name: &str) -> Option<&Playable> {
        self.offered.iter().find(|(other, _)| other == name).map(|(_, game)| game)
    }

    /// Plays with one peer; whether all went well. Whatever a peer does, the others are attended to.
    fn attend(&self, stream: TcpStream, peer: &str) -> Result<bool, Failure> {
        let play = &self.arguments.play;
        let event = format!("at {}, with {peer}", play.effort());
        let mut report = Report::new(&play.player_name(), event);
        let mut connection = match Connection::new(stream, play.patience()) {
            Ok(connection) => connection,
            Err(error) => {
                complain(&format!("{peer}: {error}"));
                return Ok(false);
            }
        };
        let mut host = Host { server: self, player: None, dialect: Dialect::Thesis };
        let games = AssertUnwindSafe(|| host.games(&mut connection, &mut report));
        let played = catch_unwind(games);
        if !report.is_empty() {
            write_out(&report.text(play.json))?;
        }
        match played {
            Ok(Ok(())) => return Ok(true),
            Ok(Err(Failure::Peer(error))) => {
                complain(&format!("{peer}: {error}"));
                connection.end(&error);
            }
            Ok(Err(failure)) => return Err(failure),
            Err(_) => complain(&format!("{peer}: internal error")),
        }
        Ok(false)
    }
}

/// One side of a connection: the one that waits for the game to play.
struct Host<'a> {
    server: &'a Server<'a>,
    /// The player of the last game, and the game's name.
    player: Option<(String, Player)>,
    dialect: Dialect,
}

/// What a peer has set up.
struct Setup {
    name: String,
    start: Position,
    /// The side that is played here.
    color: Color,
}

impl Host<'_> {
    /// Games until the peer closes the connection.
    fn games(&mut self, connection: &mut Connection, report: &mut Report) -> Result<(), Failure> {
        let Server { arguments, pgn, .. } = self.server;
        let mut game = None;
        let mut first = self.greet(connection, report)?;
        let mut played = 0;
        while let Some(setup) = self.set_up(connection, &mut game, first.take())? {
            if played == arguments.games {
                return Err(PeerError::Games(played).into());
            }
            let Setup { name, start, color } = setup;
            let offer = self.server.offer(&name);
            let mut player = match self.player.take() {
                Some((known, player)) if known == name => player,
                // The old one goes first, so that its memory is free.
                other => {
                    drop(other);
                    let learned = offer.and_then(|offer| offer.learned.as_ref());
                    let player = arguments.play.player(start.game(), learned);
                    player.map_err(|error| PeerError::Player(error.to_string()))?
                }
            };
            let (dialect, effort) = (self.dialect, arguments.play.effort());
            let game = PeerGame { connection, dialect, player: &mut player, effort, color };
            let record = game.play(&start)?;
            let turn = pgn.lock();
            let tag = offer.map_or(&name, |offer| &offer.tag).clone();
            let game = Played { game_name: name.clone(), tag, start, own: color, record };
            report.add(game, arguments.play.pgn.as_deref())?;
            drop(turn);
            self.player = Some((name, player));
            played += 1;
        }
        Ok(())
    }

    /// Answers the greeting of a peer that knows the additions to the protocol. The first message
    /// of another is returned.
    fn greet(
        &mut self,
        connection: &mut Connection,
        report: &mut Report,
    ) -> Result<Option<Message>, PeerError> {
        match connection.receive()? {
            Some(Message::Hello { version: VERSION, name }) => {
                self.dialect = Dialect::Extended;
                report.name_peer(&name);
                connection.send(&hello())?;
                Ok(None)
            }
            Some(Message::Hello { version, .. }) => Err(PeerError::Version(version)),
            other => Ok(other),
        }
    }

    /// Reads what is to be played next, from the message `first` on; nothing if the peer leaves.
    /// The game stays the same if none is named, and begins as usual if no position is given.
    fn set_up(
        &self,
        connection: &mut Connection,
        game: &mut Option<(String, Arc<Game>)>,
        mut first: Option<Message>,
    ) -> Result<Option<Setup>, PeerError> {
        let mut start = None;
        let mut named = false;
        loop {
            let message = match first.take() {
                Some(message) => message,
                None => match connection.receive()? {
                    Some(message) => message,
                    None if named || start.is_some() => return Err(PeerError::Closed),
                    None => return Ok(None),
                },
            };
            match (message, &*game) {
                (Message::NewVariant { variant }, _) if !named && start.is_none() => {
                    named = true;
                    *game = Some(self.find(variant)?);
                }
                (Message::NewPosition { board }, Some((_, game))) if start.is_none() => {
                    start = Some(position(game, &board)?);
                }
                (Message::PlayColor { white }, Some((name, game))) => {
                    let color = if white { Color::White } else { Color::Black };
                    let start = start.unwrap_or_else(|| Position::start(game));
                    return Ok(Some(Setup { name: name.clone(), start, color }));
                }
                (other, _) => return Err(PeerError::unexpected(&other, "the setup of a game")),
            }
        }
    }

    /// A game by name: that of a file if it is offered, else a built-in one.
    fn find(&self, name: String) -> Result<(String, Arc<Game>), PeerError> {
        let of_file = self.server.offer(&name).map(|offer| Arc::clone(&offer.game));
        let game = of_file.or_else(|| builtin(&name));
        match game {
            Some(game) => Ok((name, game)),
            None => Err(PeerError::Variant(name)),
        }
    }
}
