//! `tamarin variant connect`: plays with a program that listens.

use std::net::TcpStream;

use tamarin_variant::{Color, Position};

use super::arguments::ConnectArguments;
use super::board::{board, position};
use super::connection::Connection;
use super::game::{Dialect, PeerGame};
use super::message::{Message, PeerError, VERSION};
use super::report::{Played, Report};
use super::{hello, offered_name};
use crate::variant::player::Player;
use crate::variant::source::{Failure, GameSource, Playable, position_of};
use crate::variant::write_out;

pub(crate) fn connect(arguments: &ConnectArguments) -> Result<String, Failure> {
    let play = &arguments.play;
    let source = GameSource { game: arguments.variant.clone(), variant: None };
    play.check_pgn(source.file())?;
    let Playable { game, tag, learned, .. } = play.load(&arguments.variant)?;
    let start = position_of(&game, &arguments.fen)?;
    // The peer gets a board without counters.
    let start = position(&game, &board(&start, 0)).map_err(PeerError::from)?;
    let mut player = play.player(&game, learned.as_ref())?;
    let address = &arguments.address;
    let failed = |source| Failure::Connect { address: address.clone(), source };
    let stream = TcpStream::connect(address).map_err(failed)?;
    let mut connection = Connection::new(stream, play.patience()).map_err(failed)?;
    let mut report =
        Report::new(&play.player_name(), format!("at {}, with {address}", play.effort()));
    let played = games(&mut connection, (&tag, &start), &mut player, arguments, &mut report);
    let text = report.text(play.json);
    let Err(failure) = played else { return Ok(text) };
    if let Failure::Peer(error) = &failure {
        connection.end(error);
    }
    // What was played before counts.
    if !report.is_empty() {
        write_out(&text)?;
    }
    Err(failure)
}

fn games(
    connection: &mut Connection,
    (tag, start): (&str, &Position),
    player: &mut Player,
    arguments: &ConnectArguments,
    report: &mut Report,
) -> Result<(), Failure> {
    let dialect = if arguments.plain { Dialect::Thesis } else { Dialect::Extended };
    if dialect == Dialect::Extended {
        report.name_peer(&greet(connection)?);
    }
    let mut color: Color = arguments.color.into();
    let (name, path) = (offered_name(&arguments.variant), arguments.play.pgn.as_deref());
    for _ in 0..arguments.games {
        let peer_is_white = color == Color::Black;
        connection.send(&Message::NewVariant { variant: name.to_owned() })?;
        connection.send(&Message::NewPosition { board: board(start, 0) })?;
        connection.send(&Message::PlayColor { white: peer_is_white })?;
        let effort = arguments.play.effort();
        let record = PeerGame { connection, dialect, player, effort, color }.play(start)?;
        let (game_name, tag, start) = (name.to_owned(), tag.to_owned(), start.clone());
        report.add(Played { game_name, tag, start, own: color, record }, path)?;
        color = color.other();
    }
    Ok(())
}

/// Exchanges greetings; what the peer calls itself.
fn greet(connection: &mut Connection) -> Result<String, PeerError> {
    connection.send(&hello())?;
    match connection.receive()?.ok_or(PeerError::Closed)? {
        Message::Hello { version: VERSION, name } => Ok(name),
        Message::Hello { version, .. } => Err(PeerError::Version(version)),
        other => Err(PeerError::unexpected(&other, "hello")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{ConnectArguments, connect};

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        connect: ConnectArguments,
    }

    #[test]
    fn games_are_written_to_no_evaluator_that_plays() {
        const TEXT: &str = "@variant one\n@extends losalamos\n";
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str| folder.path().join(name).display().to_string();
        let (rules, beside, other) = (file("small.var"), file("small.eval"), file("other.eval"));
        let named = file("small.one.eval");
        for path in [&rules, &beside, &named, &other] {
            std::fs::write(path, TEXT).expect("it can be written");
        }
        let refused = |pgn: &str, player: &[&str]| {
            let line = ["connect", "127.0.0.1:1", "--variant", &rules, "--pgn", pgn];
            let arguments = Arguments::parse_from(line.into_iter().chain(player.iter().copied()));
            let error = connect(&arguments.connect).expect_err("nobody listens").to_string();
            assert_eq!(std::fs::read_to_string(pgn).expect("a file"), TEXT);
            error.contains("it is the same file as")
        };
        assert!(refused(&rules, &[]) && refused(&beside, &[]) && refused(&named, &[]));
        assert!(refused(&other, &["--player", &other]));
        assert!(!refused(&beside, &["--player", "sme"]));
    }
}
