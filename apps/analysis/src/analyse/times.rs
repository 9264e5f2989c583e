//! Clocks and times of moves that a game's comments give.

use tamarin_game::clock::TimeControl;
use tamarin_game::pgn::comment::{command, seconds, thought};
use tamarin_game::pgn::{Game, Played};
use tamarin_movegen::PerColor;

/// The time of a move, in seconds.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct MoveTime {
    /// What the side had left after it (`[%clk]`).
    pub left: Option<f64>,
    /// What it took: as `[%emt]` or the comment of an engine says, else by the clock.
    pub spent: Option<f64>,
}

pub fn times(game: &Game) -> Vec<MoveTime> {
    // That of the first moves, in seconds.
    let control = game.tag("TimeControl").and_then(|text| text.split(':').next());
    let control = control.and_then(TimeControl::from_pgn);
    let base = control.map(|control| control.base.as_secs_f64());
    let added = control.map_or(0.0, |control| control.increment.as_secs_f64());
    // Each move has all of the time, as in games by correspondence.
    let is_per_move = control.is_some_and(|control| control.moves == Some(1));
    let mut clocks = PerColor([base; 2]);
    let mut is_first = PerColor([true; 2]);
    let mut mover = game.start.side_to_move();
    let time = |played: &Played| {
        let left = command(played.comments(), "clk").and_then(seconds);
        let stated = command(played.comments(), "emt").and_then(seconds);
        let stated = stated.or_else(|| played.comments().find_map(|text| thought(text)?.seconds));
        let by_clock = clocks[mover].zip(left).and_then(|(before, left)| {
            // A clock does not run before the first move on some servers, which then add nothing.
            let first = is_first[mover].then(|| difference(before, left)).flatten();
            first.or_else(|| difference(before + added, left))
        });
        is_first[mover] = false;
        clocks[mover] = if is_per_move { base } else { left };
        mover = !mover;
        MoveTime { left, spent: stated.or(by_clock) }
    };
    game.moves.iter().map(time).collect()
}

/// What was spent between two states of a clock. `None` if time was added that is not known, such
/// as that after a number of moves.
fn difference(before: f64, left: f64) -> Option<f64> {
    // Sums of tenths are not exact.
    const ROUNDING: f64 = 1e-3;
    let spent = before - left;
    (spent > -ROUNDING).then_some(spent.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::times;
    use tamarin_game::pgn::games::GameText;
    use tamarin_game::pgn::read;

    fn of(text: &str) -> Vec<(Option<f64>, Option<f64>)> {
        let text = GameText { bytes: text.into(), ..GameText::default() };
        let game = read(&text).expect("a good game");
        times(&game).iter().map(|time| (time.left, time.spent)).collect()
    }

    #[test]
    fn times_come_from_clocks_or_are_stated() {
        let clocks =
            of("[TimeControl \"180+2\"]\n\n1. e4 { [%clk 0:03:00] } e5 { [%clk 0:02:58] } \
            2. Nf3 { [%clk 0:02:57] } Nc6 { [%clk 0:03:00] } 3. Bb5 a6 { [%clk 0:02:50] } *");
        let left = [Some(180.0), Some(178.0), Some(177.0), Some(180.0), None, Some(170.0)];
        let spent = [Some(0.0), Some(2.0), Some(5.0), Some(0.0), None, Some(12.0)];
        assert_eq!(clocks, left.into_iter().zip(spent).collect::<Vec<_>>());
        let stated = of("1. e4 {+0.24/27 13s} e5 { [%emt 0:00:07] } 2. Nf3 { [%clk 0:01:00] } *");
        assert_eq!(stated, [(None, Some(13.0)), (None, Some(7.0)), (Some(60.0), None)]);
    }

    /// What was spent by the clock alone, of one side.
    fn spent(control: &str, clocks: &[&str]) -> Vec<Option<f64>> {
        let moves: Vec<String> = ["Nf3", "Ng1"]
            .iter()
            .cycle()
            .zip(clocks)
            .map(|(mv, clock)| format!("{mv} {{ [%clk {clock}] }} -- "))
            .collect();
        let times = of(&format!("[TimeControl \"{control}\"]\n\n{}*", moves.concat()));
        times.iter().step_by(2).map(|(_, spent)| *spent).collect()
    }

    #[test]
    fn time_that_was_added_is_taken_off_or_the_time_of_the_move_is_not_known() {
        // Each move has the whole time.
        let daily = ["23:00:00", "22:00:00", "20:00:00", "23:50:00"];
        let hours = [1.0, 2.0, 4.0].map(|hours| Some(hours * 3600.0));
        assert_eq!(spent("1/86400", &daily), [&hours[..], &[Some(600.0)]].concat());
        // After two moves there is more.
        let periods = spent("2/600:300", &["0:09:30", "0:09:00", "0:12:00", "0:11:00"]);
        assert_eq!(periods, [Some(30.0), Some(30.0), None, Some(60.0)]);
        // The increment comes with the first move.
        let broadcast = spent("5400+30", &["1:30:27", "1:30:30", "1:30:00"]);
        assert_eq!(broadcast, [Some(3.0), Some(27.0), Some(60.0)]);
        assert_eq!(spent("5400+30", &["1:29:50", "1:31:00"]), [Some(10.0), None]);
        let tenths = spent("180+0.1", &["0:02:59.9", "0:03:00"]);
        assert!(tenths.iter().all(|spent| spent.is_some_and(|spent| spent < 0.2)), "{tenths:?}");
    }
}
