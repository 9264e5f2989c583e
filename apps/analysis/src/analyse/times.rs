//! Clocks and times of moves that a game's comments give.

use tamarin_movegen::PerColor;
use tamarin_notation::pgn::comment::{command, seconds, thought};
use tamarin_notation::pgn::{Game, Played};

/// The time of a move, in seconds.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct MoveTime {
    /// What the side had left after it (`[%clk]`).
    pub left: Option<f64>,
    /// What it took: as `[%emt]` or the comment of an engine says, else by the clock.
    pub spent: Option<f64>,
}

pub fn times(game: &Game) -> Vec<MoveTime> {
    let (base, increment) = time_control(game.tag("TimeControl").unwrap_or(""));
    let mut clocks = PerColor([base; 2]);
    let mut is_first = PerColor([true; 2]);
    let mut mover = game.start.side_to_move();
    let time = |played: &Played| {
        let left = command(played.comments(), "clk").and_then(seconds);
        let stated = command(played.comments(), "emt").and_then(seconds);
        let stated = stated.or_else(|| played.comments().find_map(|text| thought(text)?.seconds));
        // A clock does not run before the first move on some servers, which then add nothing.
        let added = if is_first[mover] { 0.0 } else { increment };
        let by_clock = clocks[mover].zip(left).map(|(before, left)| before + added - left);
        is_first[mover] = false;
        clocks[mover] = left;
        mover = !mover;
        // Time added after a number of moves is not known.
        MoveTime { left, spent: stated.or(by_clock.map(|spent| spent.max(0.0))) }
    };
    game.moves.iter().map(time).collect()
}

/// The time at the start and what is added after each move, in seconds, such as those of `300+3`.
fn time_control(text: &str) -> (Option<f64>, f64) {
    let first = text.split(':').next().unwrap_or("");
    let first = first.split_once('/').map_or(first, |(_, time)| time);
    let (base, increment) = first.split_once('+').unwrap_or((first, "0"));
    (seconds(base), seconds(increment).unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::times;
    use tamarin_notation::pgn::games::GameText;
    use tamarin_notation::pgn::read;

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
}
