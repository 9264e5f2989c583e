//! `go`: every limit in any order and combination.

use core::fmt;

use tamarin_movegen::{Color, PerColor};

use crate::note::Notes;
use crate::number::Number;
use crate::words::{Words, write_field};
use crate::{Console, ConsoleError, Excerpt, Millis, MoveWords, Note};

/// What one side has on its clock, as far as the client said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClock {
    /// `wtime` or `btime`: remaining time, zero after an overrun.
    pub time: Option<Millis>,
    /// `winc` or `binc`: time added a move.
    pub increment: Option<Millis>,
}

/// A `go` command. All limits hold together, the first one reached ends the search; the default
/// value is a bare `go`. Counts that were negative are 0, numbers out of range are saturated,
/// decimal fractions are dropped, and of a limit given twice the last one holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// `searchmoves`: the root moves to consider, not checked; empty for all.
    pub search_moves: MoveWords,
    /// `ponder`: search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// `infinite`: no answer before `stop`.
    pub infinite: bool,
    /// `wtime`, `btime`, `winc`, `binc`.
    pub clock: PerColor<SideClock>,
    /// `movestogo`: moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// `depth` in plies.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `mate`: look for a mate in this many moves.
    pub mate: Option<u32>,
    /// `movetime`: time for this move.
    pub move_time: Option<Millis>,
}

/// What a `go` line asks for.
pub(crate) enum GoLine {
    Search(Go),
    /// `go perft N`, which is no search.
    Console(Console),
}

/// A word that means something to `go`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    SearchMoves,
    Ponder,
    Infinite,
    Perft,
    Time(Color),
    Increment(Color),
    MovesToGo,
    Depth,
    Nodes,
    Mate,
    MoveTime,
}

const KEYWORDS: [(&str, Keyword); 13] = [
    ("searchmoves", Keyword::SearchMoves),
    ("ponder", Keyword::Ponder),
    ("infinite", Keyword::Infinite),
    ("perft", Keyword::Perft),
    ("wtime", Keyword::Time(Color::White)),
    ("btime", Keyword::Time(Color::Black)),
    ("winc", Keyword::Increment(Color::White)),
    ("binc", Keyword::Increment(Color::Black)),
    ("movestogo", Keyword::MovesToGo),
    ("depth", Keyword::Depth),
    ("nodes", Keyword::Nodes),
    ("mate", Keyword::Mate),
    ("movetime", Keyword::MoveTime),
];

fn keyword(word: &str) -> Option<(&'static str, Keyword)> {
    KEYWORDS.into_iter().find(|&(name, _)| name == word)
}

/// The time of a search whose limits cannot be read: the client waits for its `bestmove`, perhaps
/// with little time left. Chosen, not measured.
const TIME_WITHOUT_LIMIT: Millis = Millis::new(100);

/// Reads what follows `go`. Only `go perft` can fail: a search starts whatever is wrong with the
/// rest of the line, and ends by itself if the client has named a limit, because the client waits
/// for its `bestmove`.
pub(crate) fn parse(words: &mut Words<'_>, notes: &mut Notes) -> Result<GoLine, ConsoleError> {
    let mut go = Go::default();
    let mut misses_limit = false;
    while let Some(word) = words.next() {
        match keyword(word) {
            None => notes.add(|| Note::UnknownWord { text: word.into() }),
            Some((_, Keyword::SearchMoves)) => go.read_search_moves(words),
            Some((_, Keyword::Ponder)) => go.ponder = true,
            Some((_, Keyword::Infinite)) => go.infinite = true,
            Some((_, Keyword::Perft)) => {
                return Console::parse_perft(words).map(GoLine::Console);
            }
            Some((name, limit)) => match read_value(name, words, notes) {
                Some(value) => go.set(limit, value),
                None => misses_limit = true,
            },
        }
    }
    if misses_limit && !go.has_limit() && !go.infinite {
        go.move_time = Some(TIME_WITHOUT_LIMIT);
        notes.add(|| Note::NoLimit { time: TIME_WITHOUT_LIMIT });
    }
    Ok(GoLine::Search(go))
}

/// The number after a limit. Another keyword is left alone: in `go wtime btime 1000` only the
/// white clock is missing. But `infinite` there means no limit: if it were taken
/// for the keyword, the client of `go depth 3 movetime infinite` would wait for ever.
fn read_value(name: &'static str, words: &mut Words<'_>, notes: &mut Notes) -> Option<Number> {
    let is_value = |word: &&str| *word == "infinite" || keyword(word).is_none();
    let Some(word) = words.peek().filter(is_value) else {
        notes.add(|| Note::NoValue { keyword: name });
        return None;
    };
    words.next();
    let whole = Number::parse(word);
    if whole.is_some() {
        return whole;
    }
    let decimal = Number::parse_decimal(word);
    let (keyword, text) = (name, Excerpt::from(word));
    notes.add(|| match decimal {
        Some(_) => Note::Fraction { keyword, text },
        None => Note::BadValue { keyword, text },
    });
    decimal
}

impl Go {
    /// Returns `true` if there is a limit that ends the search by itself.
    #[must_use]
    pub fn has_limit(&self) -> bool {
        let has_clock = |side: &SideClock| side.time.is_some() || side.increment.is_some();
        let seeks_mate = self.mate.is_some_and(|moves| moves > 0);
        let is_counted = self.depth.is_some() || self.nodes.is_some() || seeks_mate;
        is_counted || self.move_time.is_some() || self.clock.0.iter().any(has_clock)
    }

    fn read_search_moves(&mut self, words: &mut Words<'_>) {
        while let Some(word) = words.peek().filter(|word| keyword(word).is_none()) {
            words.next();
            self.search_moves.push(word);
        }
    }

    fn set(&mut self, limit: Keyword, value: Number) {
        match limit {
            Keyword::Time(color) => self.clock[color].time = Some(value.to_millis()),
            Keyword::Increment(color) => self.clock[color].increment = Some(value.to_millis()),
            Keyword::MovesToGo => self.moves_to_go = Some(value.to_u32()),
            Keyword::Depth => self.depth = Some(value.to_u32()),
            Keyword::Nodes => self.nodes = Some(value.to_u64()),
            Keyword::Mate => self.mate = Some(value.to_u32()),
            Keyword::MoveTime => self.move_time = Some(value.to_millis()),
            // These have no number and were dealt with by the caller.
            Keyword::SearchMoves | Keyword::Ponder | Keyword::Infinite | Keyword::Perft => {}
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        let [white, black] = [self.clock[Color::White], self.clock[Color::Black]];
        write_field(f, "wtime", white.time)?;
        write_field(f, "btime", black.time)?;
        write_field(f, "winc", white.increment)?;
        write_field(f, "binc", black.increment)?;
        write_field(f, "movestogo", self.moves_to_go)?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "mate", self.mate)?;
        write_field(f, "movetime", self.move_time)?;
        let moves = Some(&self.search_moves).filter(|moves| !moves.is_empty());
        write_field(f, "searchmoves", moves)
    }
}
