//! `tamarin variant serve`: waits for other programs and plays what they ask for, with each in a
//! thread of its own.

use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::json;
use tamarin_variant::{Color, Game, Position, builtin};
use tamarin_variant_search::evaluate::learned::Learned;

use super::arguments::ServeArguments;
use super::board::position;
use super::connection::Connection;
use super::failure::PeerError;
use super::game::{Dialect, PeerGame};
use super::message::{Message, VERSION};
use super::report::{Played, Report};
use super::{hello, offered_name};
use crate::variant::player::Player;
use crate::variant::source::{Failure, Playable};
use crate::variant::streams::{tell, write_out};

/// How long to wait for the next connection if the system refuses one.
const REFUSED: Duration = Duration::from_millis(100);

/// The game of a file.
struct Offer {
    /// The name under which it is offered.
    name: String,
    /// What files of games call it.
    tag: String,
    game: Arc<Game>,
    /// The learned evaluator beside the file, which plays.
    learned: Option<Arc<Learned>>,
}

pub(crate) fn serve(arguments: &ServeArguments) -> Result<String, Failure> {
    arguments.play.check_pgn(&arguments.file)?;
    let files = arguments.file.iter();
    let offered = files.map(|file| offer(file, arguments)).collect::<Result<Vec<_>, Failure>>()?;
    for (i, offer) in offered.iter().enumerate() {
        if offered[..i].iter().any(|other| other.name == offer.name) {
            return Err(Failure::OfferedTwice(offer.name.clone()));
        }
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
        tell(&format!("warning: anyone who reaches {local} can play: there is no password\n"));
    }
    let (events, happened) = mpsc::sync_channel(0);
    let heard = events.clone();
    let listen = thread::Builder::new().name("listen".to_owned());
    listen.spawn(move || accept(&listener, &heard)).map_err(PeerError::Thread)?;
    let hall = Arc::new(Hall { arguments: arguments.clone(), offered, pgn: Mutex::new(()) });
    let (mut attended, mut playing, mut failures) = (0, 0, 0);
    while playing > 0 || arguments.connections.is_none_or(|most| attended < most) {
        match happened.recv() {
            // The last one has come.
            Ok(Event::Connected(..)) if arguments.connections == Some(attended) => {}
            Ok(Event::Connected(stream, peer)) if playing == arguments.peers => {
                let error = PeerError::Full(arguments.peers);
                tell(&format!("{peer}: refused, {error}\n"));
                Connection::refuse(stream, &error);
            }
            Ok(Event::Connected(stream, peer)) => {
                attended += 1;
                match admit(&hall, stream, peer, events.clone()) {
                    Ok(()) => playing += 1,
                    Err(error) => {
                        tell(&format!("error: {error}\n"));
                        failures += 1;
                    }
                }
            }
            Ok(Event::Ended(well)) => {
                playing -= 1;
                failures += u32::from(!well?);
            }
            // Not before the thread that listens has ended, which it does not.
            Err(_) => break,
        }
    }
    if failures > 0 { Err(Failure::Connections(failures, attended)) } else { Ok(String::new()) }
}

/// What happens while it serves.
enum Event {
    /// A program has connected, from this address.
    Connected(TcpStream, String),
    /// A connection has ended: whether all went well, or why the command cannot go on.
    Ended(Result<bool, Failure>),
}

/// What all connections have in common.
struct Hall {
    arguments: ServeArguments,
    offered: Vec<Offer>,
    /// Held while a game is written to the file of games.
    pgn: Mutex<()>,
}

/// Hands on connections as they come, one at a time.
fn accept(listener: &TcpListener, events: &SyncSender<Event>) {
    loop {
        match listener.accept() {
            Ok((stream, peer)) => {
                if events.send(Event::Connected(stream, peer.to_string())).is_err() {
                    return;
                }
            }
            Err(error) => {
                tell(&format!("error: no connection: {error}\n"));
                thread::sleep(REFUSED);
            }
        }
    }
}

/// Plays with a peer in a thread of its own, which reports its end.
fn admit(
    hall: &Arc<Hall>,
    stream: TcpStream,
    peer: String,
    events: SyncSender<Event>,
) -> Result<(), PeerError> {
    let hall = Arc::clone(hall);
    let play = move || {
        let ended = attend(&hall, stream, &peer);
        // Whoever serves waits for it, unless the command has ended.
        let _ = events.send(Event::Ended(ended));
    };
    let thread = thread::Builder::new().name("peer".to_owned());
    thread.spawn(play).map(drop).map_err(PeerError::Thread)
}

fn offer(file: &str, arguments: &ServeArguments) -> Result<Offer, Failure> {
    let Playable { game, tag, learned, .. } = arguments.play.load(file)?;
    Ok(Offer { name: offered_name(file).to_owned(), tag, game, learned })
}

/// Plays with one peer; whether all went well. Whatever a peer does, the others are attended to.
fn attend(hall: &Hall, stream: TcpStream, peer: &str) -> Result<bool, Failure> {
    let play = &hall.arguments.play;
    let event = format!("at {}, with {peer}", play.effort());
    let mut report = Report::new(&play.player_name(), event);
    let mut connection = match Connection::new(stream, play.patience()) {
        Ok(connection) => connection,
        Err(error) => {
            tell(&format!("{peer}: {error}\n"));
            return Ok(false);
        }
    };
    let mut host = Host { hall, player: None, dialect: Dialect::Thesis };
    let games = AssertUnwindSafe(|| host.games(&mut connection, &mut report));
    let played = catch_unwind(games);
    if !report.is_empty() {
        write_out(&report.text(play.json))?;
    }
    match played {
        Ok(Ok(())) => Ok(true),
        Ok(Err(Failure::Peer(error))) => {
            tell(&format!("{peer}: {error}\n"));
            connection.end(&error);
            Ok(false)
        }
        Ok(Err(failure)) => Err(failure),
        Err(_) => {
            tell(&format!("{peer}: internal error\n"));
            Ok(false)
        }
    }
}

/// One side of a connection: the one that waits for the game to play.
struct Host<'a> {
    hall: &'a Hall,
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
        let Hall { arguments, pgn, offered } = self.hall;
        let mut game = None;
        let mut first = self.greet(connection, report)?;
        let mut played = 0;
        while let Some(setup) = self.set_up(connection, &mut game, first.take())? {
            if played == arguments.games {
                return Err(PeerError::Games(played).into());
            }
            let Setup { name, start, color } = setup;
            let offer = offered.iter().find(|offer| offer.name == name);
            let mut player = match self.player.take() {
                Some((known, player)) if known == name => player,
                // The old one goes first, so that its memory is free.
                other => {
                    drop(other);
                    let learned = offer.and_then(|offer| offer.learned.as_ref());
                    arguments.play.player(start.game(), learned).map_err(PeerError::from)?
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
        let of_file = self.hall.offered.iter().find(|offer| offer.name == name);
        let game = of_file.map(|offer| Arc::clone(&offer.game)).or_else(|| builtin(&name));
        match game {
            Some(game) => Ok((name, game)),
            None => Err(PeerError::Variant(name)),
        }
    }
}
