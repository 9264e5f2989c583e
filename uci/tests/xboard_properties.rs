//! The XBoard protocol: any input is survived, numbers mean what they say, lines of thinking are
//! read back.

use crate::check_xboard;
use proptest::prelude::*;
use proptest::sample::select;
use tamarin_uci::xboard::{Command, Level, Thinking};
use tamarin_uci::{Bound, Millis, ScoreValue};

/// Words of the protocol and things that resemble them.
const WORDS: [&str; 66] = [
    "xboard",
    "uci",
    "protover",
    "2",
    "accepted",
    "rejected",
    "new",
    "random",
    "variant",
    "normal",
    "quit",
    "force",
    "go",
    "playother",
    "white",
    "black",
    "usermove",
    "e2e4",
    "a7a8Q",
    "e2e9",
    "O-O",
    "0-0-0",
    "0000",
    "Nf3",
    "?",
    "ping",
    "level",
    "40",
    "5",
    "0:30",
    ":",
    "0.1",
    ".",
    "..",
    "st",
    "sd",
    "nps",
    "time",
    "otim",
    "-5",
    "+7",
    "1e3",
    "99999999999999999999",
    "setboard",
    "8/8/8/8/8/8/8/8",
    "w",
    "-",
    "edit",
    "#",
    "c",
    "Pa4",
    "xa4",
    "undo",
    "result",
    "exclude",
    "include",
    "all",
    "memory",
    "cores",
    "egtpath",
    "syzygy",
    "option",
    "Hash=1",
    "=",
    "...",
    "\u{feff}",
];

const SPACES: [&str; 6] = [" ", "  ", "\t", "\r\n", "\u{b}", "\0"];

fn sentence() -> impl Strategy<Value = String> {
    prop::collection::vec((select(&WORDS[..]), select(&SPACES[..])), 0..8)
        .prop_map(|pairs| pairs.into_iter().map(|(word, space)| format!("{word}{space}")).collect())
}

fn thinking() -> impl Strategy<Value = Thinking> {
    let score = prop_oneof![
        any::<i32>().prop_map(ScoreValue::Centipawns),
        (-1_000_000..1_000_000_i32).prop_map(ScoreValue::Mate),
    ];
    let bound = select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    let variation = prop::collection::vec("[a-h][1-8][a-h][1-8][nbrq]?|O-O|O-O-O", 1..20);
    (any::<u32>(), score, bound, 0..=i64::MAX, any::<u64>(), variation).prop_map(
        |(depth, score, bound, time, nodes, variation)| Thinking {
            depth,
            score,
            bound,
            time: Millis(time),
            nodes,
            variation,
        },
    )
}

/// What a client understands by a score.
fn score_of(number: i64) -> ScoreValue {
    let moves = |distance: i64| i32::try_from(distance).expect("a distance");
    match number {
        100_001.. => ScoreValue::Mate(moves(number - 100_000)),
        ..=-100_000 => ScoreValue::Mate(-moves(-100_000 - number)),
        _ => ScoreValue::Centipawns(moves(number)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn any_bytes_keep_the_promises(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_xboard::check(&bytes);
    }

    #[test]
    fn any_sentence_keeps_the_promises(text in sentence()) {
        check_xboard::check(text.as_bytes());
    }

    #[test]
    fn any_text_keeps_the_promises(text in any::<String>()) {
        check_xboard::check(text.as_bytes());
    }

    #[test]
    fn time_controls_mean_what_they_say(
        (moves, minutes, seconds) in (any::<u32>(), 0..100_000_i64, 0..60_i64),
        (increment, thousandths) in (0..100_000_i64, 0..1000_i64),
    ) {
        let level = Level {
            moves,
            base: Millis((minutes * 60 + seconds) * 1000),
            increment: Millis(increment * 1000 + thousandths),
        };
        let line = format!("level {moves} {minutes}:{seconds:02} {increment}.{thousandths:03}");
        prop_assert_eq!(Command::parse(&line), Ok(Command::Level(level)));
        let whole = Level { base: Millis(minutes * 60_000), ..level };
        let line = format!("level {moves} {minutes} {increment}.{thousandths:03}");
        prop_assert_eq!(Command::parse(&line), Ok(Command::Level(whole)));
        let time = Command::MoveTime(level.increment);
        prop_assert_eq!(Command::parse(&format!("st {increment}.{thousandths:03}")), Ok(time));
    }

    #[test]
    fn numbers_are_read_as_they_are(number in any::<i32>()) {
        let parsed = |name: &str| Command::parse(&format!("{name} {number}")).unwrap();
        let millis = Millis(i64::from(number) * 10);
        prop_assert_eq!(parsed("time"), Command::Time(millis));
        prop_assert_eq!(parsed("otim"), Command::OpponentTime(millis));
        let count = u32::try_from(number).unwrap_or(0);
        prop_assert_eq!(parsed("sd"), Command::Depth(count));
        prop_assert_eq!(parsed("protover"), Command::Protocol(count));
        let rate = Some(u64::from(count)).filter(|rate| *rate > 0);
        prop_assert_eq!(parsed("nps"), Command::NodesPerSecond(rate));
        prop_assert_eq!(parsed("memory"), Command::Memory(u64::from(count.max(1))));
        prop_assert_eq!(parsed("cores"), Command::Cores(u64::from(count.max(1))));
    }

    #[test]
    fn lines_of_thinking_say_what_was_given(thinking in thinking()) {
        let line = thinking.to_string();
        let (numbers, variation) = line.split_once(" \t").expect("a tab before the variation");
        let numbers: Vec<i128> = numbers.split(' ').map(|word| word.parse().unwrap()).collect();
        let [depth, score, centiseconds, nodes] = numbers[..] else {
            panic!("four whole numbers in {line:?}");
        };
        prop_assert_eq!(depth, i128::from(thinking.depth));
        prop_assert_eq!(centiseconds, i128::from(thinking.time.0 / 10));
        prop_assert_eq!(nodes, i128::from(thinking.nodes));
        let bound = match variation.chars().next_back() {
            Some('!') => Bound::Lower,
            Some('?') => Bound::Upper,
            _ => Bound::Exact,
        };
        prop_assert_eq!(bound, thinking.bound);
        let moves: Vec<_> = variation.trim_end_matches(['!', '?']).split(' ').collect();
        prop_assert_eq!(moves, thinking.variation.iter().map(String::as_str).collect::<Vec<_>>());
        let read = score_of(i64::try_from(score).unwrap());
        match thinking.score {
            ScoreValue::Centipawns(value) => {
                prop_assert_eq!(read, ScoreValue::Centipawns(value.clamp(-99_999, 99_999)));
            }
            mate => prop_assert_eq!(read, mate),
        }
    }
}
