//! The XBoard protocol: any input is survived, numbers mean what they say.

use crate::check_xboard;
use crate::properties::sentence;
use proptest::prelude::*;
use tamarin_uci::Millis;
use tamarin_uci::xboard::{Command, Level};

/// Words of the protocol and things that resemble them.
const WORDS: &str = "xboard|uci|protover|2|accepted|rejected|new|random|variant|normal|quit|force|go|\
    playother|white|black|usermove|e2e4|a7a8Q|e2e9|O-O|0-0-0|0000|Nf3|?|ping|level|40|5|\
    0:30|:|0.1|.|..|st|sd|nps|time|otim|-5|+7|1e3|99999999999999999999|setboard|\
    8/8/8/8/8/8/8/8|w|-|edit|#|c|Pa4|xa4|undo|result|exclude|include|all|memory|cores|\
    egtpath|syzygy|option|Hash=1|=|...|\u{feff}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn any_bytes_keep_the_promises(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_xboard::check(&bytes);
    }

    #[test]
    fn any_sentence_keeps_the_promises(text in sentence(WORDS)) {
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
}
