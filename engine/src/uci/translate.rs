//! From the limits of the protocol to those of the search.

use tamarin_movegen::{Color, PerColor};
use tamarin_search::{Clock, Limits, Wait};
use tamarin_uci::Go;

/// The limits that a `go` sets, without its `searchmoves`.
pub fn limits(go: &Go) -> Limits {
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        soft_nodes: None,
        move_time: go.move_time,
        clocks: clocks(go),
        mate: go.mate,
        wait: match (go.infinite, go.ponder) {
            (true, _) => Wait::UntilStop,
            (false, true) => Wait::Ponder,
            (false, false) => Wait::No,
        },
        search_moves: Vec::new(),
    }
}

/// If no side has a time, a side with an increment has that increment left: the client has just
/// added it to a clock it does not send.
fn clocks(go: &Go) -> PerColor<Option<Clock>> {
    let any_time = go.clock.0.iter().any(|side| side.time.is_some());
    let clock = |color: Color| {
        let side = go.clock[color];
        let increment = side.increment.unwrap_or_default();
        let left = match (side.time, side.increment) {
            (Some(time), _) => time,
            (None, Some(_)) if !any_time => increment,
            (None, _) => return None,
        };
        let moves_to_go = go.moves_to_go.filter(|moves| *moves > 0);
        Some(Clock { left, increment, moves_to_go })
    };
    PerColor([clock(Color::White), clock(Color::Black)])
}

#[cfg(test)]
mod tests {
    use super::limits;
    use tamarin_movegen::Color;
    use tamarin_search::{Limits, Millis, Wait};
    use tamarin_uci::Command;

    fn of(line: &str) -> Limits {
        match line.parse() {
            Ok(Command::Go(go)) => limits(&go),
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
}
