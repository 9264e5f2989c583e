//! Names of openings.
//!
//! Names and moves of openings are facts. These are the common English names of the handbooks,
//! written down by hand for this program; moves are in algebraic notation.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::OnceLock;

use tamarin_movegen::Position;

/// Moves from the start position, and the name of what they lead to.
const OPENINGS: &[(&str, &str)] = &[
    ("e4", "King's Pawn Opening"),
    ("d4", "Queen's Pawn Opening"),
    ("c4", "English Opening"),
    ("Nf3", "Reti Opening"),
    ("f4", "Bird's Opening"),
    ("b3", "Larsen's Opening"),
    ("g3", "King's Fianchetto Opening"),
    ("b4", "Polish Opening"),
    ("Nc3", "Dunst Opening"),
    ("g4", "Grob's Attack"),
    ("e4 e5", "Open Game"),
    ("e4 e5 Nf3", "King's Knight Opening"),
    ("e4 e5 Nf3 Nc6", "King's Knight Opening"),
    ("e4 e5 Nf3 Nc6 Bb5", "Ruy Lopez"),
    ("e4 e5 Nf3 Nc6 Bb5 a6", "Ruy Lopez, Morphy Defense"),
    ("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", "Ruy Lopez, Exchange Variation"),
    ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7", "Ruy Lopez, Closed Defense"),
    ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4", "Ruy Lopez, Open Defense"),
    ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O b5 Bb3 Be7 Re1 O-O c3 d5", "Ruy Lopez, Marshall Attack"),
    ("e4 e5 Nf3 Nc6 Bb5 Nf6", "Ruy Lopez, Berlin Defense"),
    ("e4 e5 Nf3 Nc6 Bb5 f5", "Ruy Lopez, Schliemann Defense"),
    ("e4 e5 Nf3 Nc6 Bb5 d6", "Ruy Lopez, Steinitz Defense"),
    ("e4 e5 Nf3 Nc6 Bc4", "Italian Game"),
    ("e4 e5 Nf3 Nc6 Bc4 Bc5", "Italian Game, Giuoco Piano"),
    ("e4 e5 Nf3 Nc6 Bc4 Bc5 b4", "Italian Game, Evans Gambit"),
    ("e4 e5 Nf3 Nc6 Bc4 Bc5 d3", "Italian Game, Giuoco Pianissimo"),
    ("e4 e5 Nf3 Nc6 Bc4 Nf6", "Italian Game, Two Knights Defense"),
    ("e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5 Nxd5 Nxf7", "Two Knights Defense, Fried Liver Attack"),
    ("e4 e5 Nf3 Nc6 d4", "Scotch Game"),
    ("e4 e5 Nf3 Nc6 d4 exd4 Nxd4", "Scotch Game"),
    ("e4 e5 Nf3 Nc6 d4 exd4 Bc4", "Scotch Gambit"),
    ("e4 e5 Nf3 Nc6 Nc3", "Three Knights Game"),
    ("e4 e5 Nf3 Nc6 Nc3 Nf6", "Four Knights Game"),
    ("e4 e5 Nf3 Nc6 c3", "Ponziani Opening"),
    ("e4 e5 Nf3 Nf6", "Petrov's Defense"),
    ("e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4", "Petrov's Defense, Classical Attack"),
    ("e4 e5 Nf3 Nf6 d4", "Petrov's Defense, Steinitz Attack"),
    ("e4 e5 Nf3 Nf6 Nc3", "Petrov's Defense, Three Knights Game"),
    ("e4 e5 Nf3 d6", "Philidor Defense"),
    ("e4 e5 Nf3 d6 d4 exd4", "Philidor Defense, Exchange Variation"),
    ("e4 e5 Nf3 f5", "Latvian Gambit"),
    ("e4 e5 Nf3 f6", "Damiano Defense"),
    ("e4 e5 Nc3", "Vienna Game"),
    ("e4 e5 Nc3 Nf6 f4", "Vienna Game, Vienna Gambit"),
    ("e4 e5 Nc3 Nf6 g3", "Vienna Game, Mieses Variation"),
    ("e4 e5 Nc3 Nf6 Bc4", "Vienna Game, Stanley Variation"),
    ("e4 e5 f4", "King's Gambit"),
    ("e4 e5 f4 exf4", "King's Gambit Accepted"),
    ("e4 e5 f4 Bc5", "King's Gambit Declined, Classical"),
    ("e4 e5 f4 d5", "King's Gambit, Falkbeer Countergambit"),
    ("e4 e5 Bc4", "Bishop's Opening"),
    ("e4 e5 Bc4 Nf6 d3", "Bishop's Opening, Berlin Defense"),
    ("e4 e5 d4", "Center Game"),
    ("e4 e5 d4 exd4 c3", "Danish Gambit"),
    ("e4 e5 Qh5", "Wayward Queen Attack"),
    ("e4 c5", "Sicilian Defense"),
    ("e4 c5 Nf3 Nc6", "Sicilian Defense, Old Sicilian"),
    ("e4 c5 Nf3 e6", "Sicilian Defense, French Variation"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3", "Sicilian Defense, Open"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "Sicilian Defense, Najdorf Variation"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6", "Sicilian Defense, Dragon Variation"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 Nc6", "Sicilian Defense, Classical Variation"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6", "Sicilian Defense, Scheveningen Variation"),
    ("e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5", "Sicilian Defense, Sveshnikov Variation"),
    ("e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6", "Sicilian Defense, Accelerated Dragon"),
    ("e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6", "Sicilian Defense, Taimanov Variation"),
    ("e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6", "Sicilian Defense, Kan Variation"),
    ("e4 c5 Nf3 Nc6 Bb5", "Sicilian Defense, Rossolimo Attack"),
    ("e4 c5 Nf3 d6 Bb5+", "Sicilian Defense, Moscow Variation"),
    ("e4 c5 c3", "Sicilian Defense, Alapin Variation"),
    ("e4 c5 c3 Nf6 e5 Nd5", "Sicilian Defense, Alapin Variation"),
    ("e4 c5 c3 d5 exd5 Qxd5", "Sicilian Defense, Alapin Variation"),
    ("e4 c5 Nf3 d6 c3", "Sicilian Defense, Delayed Alapin Variation"),
    ("e4 c5 Nf3 Nc6 c3", "Sicilian Defense, Delayed Alapin Variation"),
    ("e4 c5 Nf3 e6 c3", "Sicilian Defense, Delayed Alapin Variation"),
    ("e4 c5 Nf3 e6 d3", "King's Indian Attack"),
    ("e4 c5 Nf3 g6 d4", "Sicilian Defense, Hyperaccelerated Dragon"),
    ("e4 c5 Nc3", "Sicilian Defense, Closed"),
    ("e4 c5 Nc3 Nc6 g3", "Sicilian Defense, Closed"),
    ("e4 c5 d4 cxd4 c3", "Sicilian Defense, Smith-Morra Gambit"),
    ("e4 c5 b4", "Sicilian Defense, Wing Gambit"),
    ("e4 e6", "French Defense"),
    ("e4 e6 d3 d5 Nd2", "King's Indian Attack"),
    ("e4 e6 Nf3 d5 Nc3", "French Defense, Two Knights Variation"),
    ("e4 e6 d4 c5 d5", "French Defense, Franco-Benoni Defense"),
    ("e4 e6 d4 d5 e5", "French Defense, Advance Variation"),
    ("e4 e6 d4 d5 exd5", "French Defense, Exchange Variation"),
    ("e4 e6 d4 d5 Nd2", "French Defense, Tarrasch Variation"),
    ("e4 e6 d4 d5 Nc3 Nf6", "French Defense, Classical Variation"),
    ("e4 e6 d4 d5 Nc3 Bb4", "French Defense, Winawer Variation"),
    ("e4 e6 d4 d5 Nc3 dxe4", "French Defense, Rubinstein Variation"),
    ("e4 c6", "Caro-Kann Defense"),
    ("e4 c6 c4 d5 exd5", "Caro-Kann Defense, Accelerated Panov Attack"),
    ("e4 c6 Nc3 d5 Nf3", "Caro-Kann Defense, Two Knights Attack"),
    ("e4 c6 d4 g6 Nc3", "Caro-Kann Defense, Gurgenidze System"),
    ("e4 c6 d4 d5 e5", "Caro-Kann Defense, Advance Variation"),
    ("e4 c6 d4 d5 exd5", "Caro-Kann Defense, Exchange Variation"),
    ("e4 c6 d4 d5 exd5 cxd5 c4", "Caro-Kann Defense, Panov Attack"),
    ("e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5", "Caro-Kann Defense, Classical Variation"),
    ("e4 c6 d4 d5 f3", "Caro-Kann Defense, Fantasy Variation"),
    ("e4 c6 d4 d5 Nd2 dxe4 Nxe4 Bf5", "Caro-Kann Defense, Classical Variation"),
    ("e4 d5", "Scandinavian Defense"),
    ("e4 d5 exd5 Qxd5", "Scandinavian Defense, Mieses-Kotrc Variation"),
    ("e4 d5 exd5 Qxd5 Nc3 Qa5", "Scandinavian Defense, Mieses-Kotrc Variation"),
    ("e4 d5 exd5 Nf6", "Scandinavian Defense, Modern Variation"),
    ("e4 Nf6", "Alekhine's Defense"),
    ("e4 Nf6 e5 Nd5 d4 d6 c4 Nb6 f4", "Alekhine's Defense, Four Pawns Attack"),
    ("e4 d6", "Pirc Defense"),
    ("e4 d6 d4 Nf6 Nc3 g6", "Pirc Defense"),
    ("e4 d6 d4 Nf6 Nc3 g6 f4", "Pirc Defense, Austrian Attack"),
    ("e4 g6", "Modern Defense"),
    ("e4 g6 d4 Bg7 Nc3", "Modern Defense"),
    ("e4 Nc6", "Nimzowitsch Defense"),
    ("e4 b6", "Owen's Defense"),
    ("e4 a6", "St. George Defense"),
    ("d4 d5", "Closed Game"),
    ("d4 d5 c4", "Queen's Gambit"),
    ("d4 d5 c4 dxc4", "Queen's Gambit Accepted"),
    ("d4 d5 c4 dxc4 Nf3 Nf6 e3", "Queen's Gambit Accepted, Classical Variation"),
    ("d4 d5 c4 dxc4 e4", "Queen's Gambit Accepted, Central Variation"),
    ("d4 d5 c4 e6", "Queen's Gambit Declined"),
    ("d4 d5 c4 e6 Nf3 Nf6 Nc3", "Queen's Gambit Declined, Three Knights Variation"),
    ("d4 d5 c4 e6 cxd5 exd5", "Queen's Gambit Declined, Exchange Variation"),
    ("d4 d5 c4 e6 g3", "Catalan Opening"),
    ("d4 d5 c4 e6 Nc3 Nf6 Bg5", "Queen's Gambit Declined"),
    ("d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5", "Queen's Gambit Declined, Exchange Variation"),
    ("d4 d5 c4 e6 Nc3 c5", "Queen's Gambit Declined, Tarrasch Defense"),
    ("d4 d5 c4 e6 Nc3 c6", "Semi-Slav Defense"),
    ("d4 d5 c4 e6 Nc3 Nf6 Nf3 c6", "Semi-Slav Defense"),
    ("d4 d5 c4 e6 Nc3 Nf6 Nf3 c6 e3 Nbd7 Bd3 dxc4 Bxc4 b5", "Semi-Slav Defense, Meran Variation"),
    ("d4 d5 c4 c6", "Slav Defense"),
    ("d4 d5 c4 c6 Nf3 Nf6", "Slav Defense, Modern Line"),
    ("d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4", "Slav Defense, Alapin Variation"),
    ("d4 d5 c4 c6 Nc3 Nf6 e3", "Slav Defense"),
    ("d4 d5 c4 c6 cxd5 cxd5", "Slav Defense, Exchange Variation"),
    ("d4 d5 c4 e5", "Albin Countergambit"),
    ("d4 d5 c4 Nc6", "Chigorin Defense"),
    ("d4 d5 Bf4", "London System"),
    ("d4 d5 Nf3 Nf6 Bf4", "London System"),
    ("d4 Nf6 Nf3 e6 Bf4", "London System"),
    ("d4 Nf6 Nf3 g6 Bf4", "London System"),
    ("d4 Nf6 Bf4 d5 e3", "London System"),
    ("d4 d5 Bf4 Nf6 e3", "London System"),
    ("d4 Nf6 Nf3 e6 e3", "Colle System"),
    ("d4 d5 Nf3 Nf6 e3 e6 Bd3", "Colle System"),
    ("d4 d5 e4", "Blackmar-Diemer Gambit"),
    ("d4 Nf6", "Indian Defense"),
    ("d4 Nf6 c4 g6", "King's Indian or Grünfeld Defense"),
    ("d4 Nf6 c4 g6 g3 Bg7 Bg2", "King's Indian Defense, Fianchetto Variation"),
    ("d4 Nf6 c4 g6 Nf3 Bg7 g3", "King's Indian Defense, Fianchetto Variation"),
    ("d4 Nf6 c4 g6 Nc3 Bg7", "King's Indian Defense"),
    ("d4 Nf6 c4 g6 Nc3 Bg7 e4 d6", "King's Indian Defense"),
    ("d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5", "King's Indian Defense, Classical Variation"),
    ("d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f3", "King's Indian Defense, Sämisch Variation"),
    ("d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f4", "King's Indian Defense, Four Pawns Attack"),
    ("d4 Nf6 c4 g6 Nc3 d5", "Grünfeld Defense"),
    ("d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3", "Grünfeld Defense, Exchange Variation"),
    ("d4 Nf6 c4 e6 Nc3 Bb4", "Nimzo-Indian Defense"),
    ("d4 Nf6 c4 e6 Nc3 Bb4 e3", "Nimzo-Indian Defense, Rubinstein Variation"),
    ("d4 Nf6 c4 e6 Nc3 Bb4 Qc2", "Nimzo-Indian Defense, Classical Variation"),
    ("d4 Nf6 c4 e6 Nf3 b6", "Queen's Indian Defense"),
    ("d4 Nf6 c4 e6 Nf3 Bb4+", "Bogo-Indian Defense"),
    ("d4 Nf6 c4 e6 g3", "Catalan Opening"),
    ("d4 Nf6 c4 e6 g3 d5", "Catalan Opening"),
    ("d4 Nf6 c4 c5 d5", "Benoni Defense"),
    ("d4 Nf6 c4 c5 d5 e6", "Modern Benoni"),
    ("d4 Nf6 c4 c5 d5 b5", "Benko Gambit"),
    ("d4 Nf6 c4 e5", "Budapest Gambit"),
    ("d4 Nf6 c4 d6", "Old Indian Defense"),
    ("d4 Nf6 Bg5", "Trompowsky Attack"),
    ("d4 Nf6 Bg5 Ne4 Bf4", "Trompowsky Attack"),
    ("d4 Nf6 Bg5 e6 e4", "Trompowsky Attack, Classical Defense"),
    ("d4 Nf6 Nf3 e6 Bg5", "Torre Attack"),
    ("d4 f5", "Dutch Defense"),
    ("d4 f5 g3 Nf6 Bg2 g6", "Dutch Defense, Leningrad Variation"),
    ("d4 f5 e4", "Dutch Defense, Staunton Gambit"),
    ("d4 e5", "Englund Gambit"),
    ("d4 c5", "Old Benoni Defense"),
    ("c4 e5", "English Opening, Reversed Sicilian"),
    ("c4 e5 Nc3 Nf6 Nf3 Nc6", "English Opening, Four Knights Variation"),
    ("c4 e5 g3 Nf6 Bg2", "English Opening, Reversed Sicilian"),
    ("c4 c5", "English Opening, Symmetrical Variation"),
    ("c4 c5 Nc3 Nc6 g3 g6", "English Opening, Symmetrical Variation"),
    ("c4 Nf6", "English Opening, Anglo-Indian Defense"),
    ("c4 Nf6 Nc3 e6 e4", "English Opening, Mikenas-Carls Variation"),
    ("c4 e6", "English Opening, Agincourt Defense"),
    ("Nf3 d5 c4", "Reti Opening"),
    ("Nf3 d5 c4 e6 g3", "Reti Opening, Neo-Catalan"),
    ("Nf3 d5 g3", "King's Indian Attack"),
    ("Nf3 d5 g3 Nf6 Bg2", "King's Indian Attack"),
    ("f4 e5", "Bird's Opening, From's Gambit"),
];

/// The twelve commonest first four plies of games between people, and their names. The built-in
/// book of the engine answers them; `game/book/README.md` names the counts.
pub const COMMONEST: [(&str, &str); 12] = [
    ("e4 c5 Nf3 d6", "Sicilian Defense"),
    ("e4 c5 Nf3 Nc6", "Sicilian Defense, Old Sicilian"),
    ("e4 c5 Nf3 e6", "Sicilian Defense, French Variation"),
    ("e4 e5 Nf3 Nc6", "King's Knight Opening"),
    ("e4 e5 Nf3 Nf6", "Petrov's Defense"),
    ("e4 e6 d4 d5", "French Defense"),
    ("e4 c6 d4 d5", "Caro-Kann Defense"),
    ("d4 Nf6 c4 e6", "Indian Defense"),
    ("d4 Nf6 c4 g6", "King's Indian or Grünfeld Defense"),
    ("d4 Nf6 Nf3 e6", "Indian Defense"),
    ("d4 d5 c4 e6", "Queen's Gambit Declined"),
    ("d4 d5 c4 c6", "Slav Defense"),
];

/// The longest line of the list, in plies.
const MAX_PLIES: usize = 24;

/// Names by the key of the position.
fn names() -> &'static HashMap<u64, &'static str> {
    static NAMES: OnceLock<HashMap<u64, &'static str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        OPENINGS.iter().filter_map(|(line, name)| Some((key(line)?, *name))).collect()
    })
}

/// The key of the position after a line; `None` if a move of it is illegal.
fn key(line: &str) -> Option<u64> {
    let mut position = Position::startpos();
    for san in line.split_whitespace() {
        let mv = position.parse_san(san).ok()?;
        position.make(mv);
    }
    Some(position.key())
}

/// How many lines of the list of at least `least_plies` plies lead through a position, also by
/// transposition: about how many openings with a name can still come of it.
pub fn lines_through(position: &Position, least_plies: usize) -> usize {
    static LENGTHS: OnceLock<HashMap<u64, Vec<usize>>> = OnceLock::new();
    let lengths = LENGTHS.get_or_init(|| {
        let mut lengths: HashMap<u64, Vec<usize>> = HashMap::new();
        for (line, _) in OPENINGS {
            let moves: Vec<&str> = line.split_whitespace().collect();
            let keys = (0..=moves.len()).filter_map(|plies| key(&moves[..plies].join(" ")));
            keys.for_each(|key| lengths.entry(key).or_default().push(moves.len()));
        }
        lengths
    });
    let found = lengths.get(&position.key()).map_or(&[][..], Vec::as_slice);
    found.iter().filter(|&&plies| plies >= least_plies).count()
}

/// The name of an opening from the positions of a game in their order: that of the last position
/// that has one, so that transpositions are found.
///
/// ```
/// use tamarin_movegen::Position;
/// let mut position = Position::startpos();
/// let mut positions = vec![position.clone()];
/// for san in ["e4", "c5", "a3"] {
///     let mv = position.parse_san(san).expect("a legal move");
///     position.make(mv);
///     positions.push(position.clone());
/// }
/// assert_eq!(tamarin_game::openings::name(&positions), Some("Sicilian Defense"));
/// ```
pub fn name(positions: impl IntoIterator<Item = impl Borrow<Position>>) -> Option<&'static str> {
    let early = positions.into_iter().take(MAX_PLIES + 1);
    early.filter_map(|position| names().get(&position.borrow().key()).copied()).last()
}

#[cfg(test)]
mod tests {
    use super::{COMMONEST, MAX_PLIES, OPENINGS, key, lines_through, name, names};
    use tamarin_movegen::Position;

    fn after(line: &str) -> Position {
        let mut position = Position::startpos();
        for san in line.split_whitespace() {
            position.make(position.parse_san(san).unwrap());
        }
        position
    }

    fn named(line: &str) -> Option<&'static str> {
        let mut positions = vec![Position::startpos()];
        for san in line.split_whitespace() {
            let mut position = positions.last().unwrap().clone();
            let mv = position.parse_san(san).unwrap();
            position.make(mv);
            positions.push(position);
        }
        name(&positions)
    }

    #[test]
    fn every_line_is_legal_and_has_its_name() {
        assert!(OPENINGS.len() >= 60);
        for (line, wanted) in OPENINGS {
            assert!(key(line).is_some(), "{line}");
            assert!(line.split_whitespace().count() <= MAX_PLIES, "{line}");
            assert_eq!(named(line), Some(*wanted), "{line}");
        }
        // Two lines of one position agree about its name.
        for (line, wanted) in OPENINGS {
            assert_eq!(names()[&key(line).unwrap()], *wanted, "{line}");
        }
    }

    #[test]
    fn the_commonest_openings_have_names_and_ways_on() {
        for (line, wanted) in COMMONEST {
            assert_eq!(named(line), Some(wanted), "{line}");
            let position = after(line);
            let moves = position.legal_moves();
            let is_way = |mv| {
                let mut next = position.clone();
                next.make(mv);
                lines_through(&next, 5) > 0
            };
            let ways = moves.iter().filter(|&&mv| is_way(mv)).count();
            assert!(ways >= 2, "{line}: {ways}");
        }
    }

    #[test]
    fn lines_lead_through_positions() {
        assert_eq!(lines_through(&after("e4 e5 f4"), 4), 3);
        assert_eq!(lines_through(&after("e4 e5 f4 exf4"), 5), 0);
        // By transposition: the Queen's Indian Defense and its neighbors.
        let indian = lines_through(&after("d4 Nf6 c4 e6 Nf3"), 5);
        assert_eq!(lines_through(&after("Nf3 Nf6 c4 e6 d4"), 5), indian);
        assert!(indian >= 2 && lines_through(&after("e4 c5 a3"), 0) == 0);
    }

    #[test]
    fn the_last_name_holds_and_transpositions_are_found() {
        assert_eq!(named(""), None);
        assert_eq!(named("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 h6"), Some("Ruy Lopez, Morphy Defense"));
        assert_eq!(named("Nf3 Nf6 c4 e6 d4 b6"), Some("Queen's Indian Defense"));
        assert_eq!(named("a3 a6"), None);
    }
}
