//! What is printed about the games with a peer.

use std::path::Path;

use serde_json::{Value, json};
use tamarin_base::counted;
use tamarin_base::files::{Reader, Target};
use tamarin_variant::{Color, Position};

use super::message::printable;
use crate::variant::contest::{Record, Tags};
use crate::variant::source::Failure;
use crate::variant::standings::Standings;

/// The games of a connection.
pub(super) struct Report {
    own_name: String,
    peer_name: String,
    /// What the file of games says about all of them.
    event: String,
    games: Vec<Played>,
}

/// A finished game.
pub(super) struct Played {
    /// What the peer calls the game.
    pub(super) game_name: String,
    /// What files of games call it.
    pub(super) tag: String,
    pub(super) start: Position,
    /// The side that was played here.
    pub(super) own: Color,
    pub(super) record: Record,
}

impl Report {
    pub(super) fn new(own_name: &str, event: String) -> Self {
        Self {
            own_name: own_name.to_owned(),
            peer_name: "peer".to_owned(),
            event,
            games: Vec::new(),
        }
    }

    /// Returns `true` if no game was finished.
    pub(super) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// What the peer calls itself.
    pub(super) fn name_peer(&mut self, name: &str) {
        self.peer_name = format!("peer ({})", printable(name));
    }

    /// Adds a finished game, and appends it to the file of games if there is one.
    pub(super) fn add(&mut self, played: Played, path: Option<&Path>) -> Result<(), Failure> {
        self.games.push(played);
        let Some(path) = path else { return Ok(()) };
        let text = self.games.last().map(|played| self.pgn(played)).unwrap_or_default();
        let written = Target::of_user(path)
            .and_then(|target| target.append(Reader::There))
            .and_then(|mut file| file.append(text.as_bytes()));
        written.map_err(|source| Failure::Write { path: path.display().to_string(), source })
    }

    /// White and Black.
    fn names(&self, played: &Played) -> [String; 2] {
        let [own, peer] = [&self.own_name, &self.peer_name].map(String::clone);
        if played.own == Color::White { [own, peer] } else { [peer, own] }
    }

    fn pgn(&self, played: &Played) -> String {
        let tags = Tags {
            event: format!("{} {}", played.start.game().title(), self.event),
            round: self.games.len(),
            players: self.names(played),
            game_name: &played.tag,
        };
        tags.pgn(&played.start, &played.record)
    }

    fn json(&self, number: usize, played: &Played) -> Value {
        let [white, black] = self.names(played);
        json!({
            "number": number,
            "game": played.game_name,
            "white": white,
            "black": black,
            "fen": played.start.fen(),
            "result": played.record.result(),
            "reason": played.record.reason,
            "moves": played.record.moves,
        })
    }

    /// The table of the games, or all about them as a JSON object.
    pub(super) fn text(&self, as_json: bool) -> String {
        let mut standings = Standings::default();
        for (number, played) in self.games.iter().enumerate() {
            let json = self.json(number, played);
            standings.add(&self.names(played), &played.game_name, played.record.winner, json);
        }
        match as_json {
            true => format!("{}\n", standings.json()),
            false => {
                let line = |(number, played): (usize, &Played)| {
                    let [white, black] = self.names(played);
                    let record = &played.record;
                    let plies = counted(record.moves.len(), "ply", "plies");
                    format!(
                        "{}. {}, {white} - {black}: {}, {}, {plies}\n",
                        number + 1,
                        played.game_name,
                        record.result(),
                        record.reason
                    )
                };
                let lines: String = self.games.iter().enumerate().map(line).collect();
                format!("{lines}{}", standings.text())
            }
        }
    }
}
