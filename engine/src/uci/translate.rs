//! From the types of the protocol to those of the search, and back.

use tamarin_movegen::{CastlingNotation, Color, Move, PerColor, Position, UciMove};
use tamarin_search::{Clock, Limits, Millis, Report, Wait};
use tamarin_uci::{Go, Info, ScoreText};

use crate::report_text::{bound, score};
use crate::wdl;

/// How moves and scores are printed.
#[derive(Clone, Copy, Debug)]
pub struct Printing {
    /// How castling is written.
    pub notation: CastlingNotation,
    /// Whether win, draw and loss probabilities are printed.
    pub wdl: bool,
}

/// The limits that a `go` sets in this position, and the `searchmoves` that are not legal in it.
pub fn limits(go: &Go, position: &Position) -> (Limits, Vec<UciMove>) {
    let mut illegal = Vec::new();
    let mut search_moves = Vec::new();
    for text in &go.search_moves {
        match position.resolve(*text) {
            Ok(mv) => search_moves.push(mv),
            Err(_) => illegal.push(*text),
        }
    }
    let limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        soft_nodes: None,
        move_time: go.move_time.map(milliseconds),
        clocks: clocks(go),
        mate: go.mate,
        wait: match (go.infinite, go.ponder) {
            (true, _) => Wait::UntilStop,
            (false, true) => Wait::Ponder,
            (false, false) => Wait::No,
        },
        search_moves,
    };
    (limits, illegal)
}

/// If no side has a time, a side with an increment has that increment left: the client has just
/// added it to a clock it does not send.
pub(super) fn clocks(go: &Go) -> PerColor<Option<Clock>> {
    let any_time = go.clock.0.iter().any(|side| side.time.is_some());
    let clock = |color: Color| {
        let side = go.clock[color];
        let increment = side.increment.map_or(Millis::ZERO, milliseconds);
        let left = match (side.time, side.increment) {
            (Some(time), _) => milliseconds(time),
            (None, Some(_)) if !any_time => increment,
            (None, _) => return None,
        };
        let moves_to_go = go.moves_to_go.filter(|moves| *moves > 0);
        Some(Clock { left, increment, moves_to_go })
    };
    PerColor([clock(Color::White), clock(Color::Black)])
}

pub(super) fn milliseconds(time: tamarin_uci::Millis) -> Millis {
    Millis::from_signed(time.0)
}

/// The `info` line of a report.
pub fn info(report: &Report<'_>, printing: Printing) -> Info {
    let wdl = printing.wdl.then(|| wdl::probabilities(report.score, report.position)).flatten();
    Info {
        depth: Some(report.depth),
        seldepth: Some(report.selective_depth),
        multipv: u32::try_from(report.line).ok(),
        score: Some(ScoreText { value: score(report.score), bound: bound(report.bound), wdl }),
        nodes: Some(report.nodes),
        nps: Some(report.nodes_per_second()),
        hashfull: u16::try_from(report.hash_full).ok(),
        tbhits: Some(report.tablebase_hits),
        time: Some(tamarin_uci::Millis(i64::try_from(report.time.get()).unwrap_or(i64::MAX))),
        pv: line(report.position, report.pv, printing.notation),
    }
}

/// The moves as text; each is legal after those before it.
fn line(root: &Position, moves: &[Move], notation: CastlingNotation) -> Vec<UciMove> {
    let mut position = root.clone();
    let mut text = Vec::with_capacity(moves.len());
    for mv in moves {
        text.push(position.uci(*mv, notation));
        position.make(*mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::limits;
    use tamarin_movegen::{Color, Position};
    use tamarin_search::{Limits, Millis, Wait};
    use tamarin_uci::Command;

    fn of(line: &str) -> Limits {
        match line.parse() {
            Ok(Command::Go(go)) => limits(&go, &Position::startpos()).0,
            other => panic!("{line:?} gives {other:?}"),
        }
    }

    #[test]
    fn clocks_below_zero_are_empty_and_none_is_invented() {
        let found = of("go wtime -30 winc 10 movestogo 0");
        let clock = found.clocks[Color::White].expect("White has a clock");
        assert_eq!((clock.left, clock.increment), (Millis::ZERO, Millis::new(10)));
        assert_eq!(clock.moves_to_go, None);
        assert_eq!(found.clocks[Color::Black], None);
        assert_eq!(of("go movestogo 4"), Limits::default());
    }

    #[test]
    fn an_increment_alone_is_a_clock() {
        let found = of("go binc 50");
        assert_eq!(found.clocks[Color::Black].map(|clock| clock.left), Some(Millis::new(50)));
    }

    #[test]
    fn infinite_outranks_ponder() {
        assert_eq!(of("go ponder wtime 5").wait, Wait::Ponder);
        assert_eq!(of("go ponder infinite wtime 5").wait, Wait::UntilStop);
    }

    #[test]
    fn illegal_searchmoves_are_set_apart() {
        let Ok(Command::Go(go)) = "go searchmoves e2e4 e2e5 g1f3".parse() else { panic!() };
        let (limits, illegal) = limits(&go, &Position::startpos());
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(illegal.len(), 1);
    }
}
