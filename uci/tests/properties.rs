//! Any input is survived; any command printed is read back as the same.

use crate::{check, check_reply, check_xboard};
use proptest::prelude::*;
use proptest::sample::select;
use std::fs;
use std::path::Path;
use tamarin_movegen::{Color, PieceKind, Square, UciMove};
use tamarin_uci::xboard::{self, Level};
use tamarin_uci::{
    Base, BestMoveLine, Bound, Command, CurrentMove, Go, InfoLine, Millis, MoveWords, ParsedInfo,
    ParsedReply, PositionText, Reply, ScoreText, ScoreValue, SetOption, SideClock, Wdl,
    parse_reply,
};

type Info = InfoLine<String>;

/// Words of the protocol and things that resemble them.
const WORDS: &str = "uci|isready|ucinewgame|debug|on|off|setoption|name|value|Hash|Clear|Move|Overhead|\
    Ponder|SyzygyPath|<empty>|true|position|startpos|fen|moves|e2e4|e7e8q|e7e8Q|0000|\
    8/8/8/8/8/8/8/8|w|-|\"|\"8/8|go|searchmoves|ponder|infinite|wtime|btime|winc|binc|\
    movestogo|depth|nodes|mate|movetime|perft|1|-1|1000000000000000000000000|1.5|stop|\
    ponderhit|quit|d|bench|default|genfens|savehash|loadhash|seed|book|None|#|\
    \u{feff}|info";

const SPACES: [&str; 6] = [" ", "  ", "\t", "\r\n", "\u{b}", "\0"];

/// Some of the words, which stand between bars.
fn sentence(words: &'static str) -> impl Strategy<Value = String> {
    let words: Vec<_> = words.split('|').collect();
    prop::collection::vec((select(words), select(&SPACES[..])), 0..12)
        .prop_map(|pairs| pairs.into_iter().map(|(word, space)| format!("{word}{space}")).collect())
}

/// The same of the XBoard protocol.
const XBOARD_WORDS: &str = "xboard|uci|protover|2|accepted|rejected|new|random|variant|normal|quit|force|go|\
    playother|white|black|usermove|e2e4|a7a8Q|e2e9|O-O|0-0-0|0000|Nf3|?|ping|level|40|5|\
    0:30|:|0.1|.|..|st|sd|nps|time|otim|-5|+7|1e3|99999999999999999999|setboard|\
    8/8/8/8/8/8/8/8|w|-|edit|#|c|Pa4|xa4|undo|result|exclude|include|all|memory|cores|\
    egtpath|syzygy|option|Hash=1|=|...|\u{feff}";

/// Words of engines and things that resemble them.
const REPLY_WORDS: &str = "id|name|author|uciok|readyok|copyprotection|option|type|spin|check|combo|string|default|\
    <empty>|min|max|var|info|depth|seldepth|multipv|score|cp|mate|lowerbound|upperbound|wdl|\
    nodes|nps|hashfull|tbhits|sbhits|cpuload|time|pv|currmove|currmovenumber|refutation|\
    currline|bestmove|ponder|(none)|0000|e2e4|7|-3|1000|99999999999999999999";

fn uci_move() -> impl Strategy<Value = UciMove> {
    (0..64_usize, 0..64_usize, prop::option::of(select(&PieceKind::PROMOTIONS[..]))).prop_map(
        |(from, to, promotion)| UciMove { from: Square::ALL[from], to: Square::ALL[to], promotion },
    )
}

/// Words that are moves of no game of this project as well.
fn move_words() -> impl Strategy<Value = MoveWords> {
    prop::collection::vec("[a-zA-Z@=/+-][a-z0-9@=/+-]{0,6}", 0..6).prop_filter_map(
        "no keyword",
        |words| {
            let line = format!("go searchmoves {}", words.join(" "));
            let Ok(Command::Go(go)) = line.parse() else { return None };
            (go.search_moves.iter().count() == words.len()).then_some(go.search_moves)
        },
    )
}

fn move_list() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(uci_move().prop_map(|mv| mv.to_string()), 0..6)
}

fn millis() -> impl Strategy<Value = Option<Millis>> {
    prop::option::of(any::<u64>().prop_map(Millis::new))
}

fn side_clock() -> impl Strategy<Value = SideClock> {
    (millis(), millis()).prop_map(|(time, increment)| SideClock { time, increment })
}

fn go() -> impl Strategy<Value = Go> {
    let counts =
        (any::<Option<u32>>(), any::<Option<u32>>(), any::<Option<u64>>(), any::<Option<u32>>());
    let flags = (any::<bool>(), any::<bool>());
    (move_words(), flags, side_clock(), side_clock(), counts, millis()).prop_map(
        |(search_moves, (ponder, infinite), white, black, counts, move_time)| {
            let (moves_to_go, depth, nodes, mate) = counts;
            let mut go = Go {
                search_moves,
                ponder,
                infinite,
                moves_to_go,
                depth,
                nodes,
                mate,
                move_time,
                ..Go::default()
            };
            go.clock[Color::White] = white;
            go.clock[Color::Black] = black;
            go
        },
    )
}

/// A command that has a printed form, with it.
fn command() -> impl Strategy<Value = (Command, String)> {
    let base = prop_oneof![
        Just(Base::Start),
        "[a-zA-Z0-8/-]{1,9}( [a-zA-Z0-8-]{1,5}){0,6}".prop_filter_map("a fen", |fen| {
            (!fen.split(' ').any(|word| word == "moves")).then_some(Base::Fen(fen))
        }),
    ];
    let name = "[A-Za-z0-9_]{1,8}( [A-Za-z]{1,8}){0,3}"
        .prop_filter("a name", |name| !name.split(' ').any(|word| word == "value"));
    let value = prop::option::of("([^ \t\r\n\x0c]([ -~é]{0,12}[^ \t\r\n\x0c])?)?");
    prop_oneof![
        (base, move_words()).prop_map(|(base, moves)| {
            let text = PositionText { base, moves };
            (Command::Position(text.clone()), text.to_string())
        }),
        (name, value).prop_map(|(name, value)| {
            let set = SetOption { name, value };
            (Command::SetOption(set.clone()), set.to_string())
        }),
        go().prop_map(|go| (Command::Go(go.clone()), go.to_string())),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let value = prop_oneof![
        any::<i32>().prop_map(ScoreValue::Centipawns),
        any::<i32>().prop_map(ScoreValue::Mate),
    ];
    let bound = select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    let wdl =
        prop::option::of((0..=1000_u16, 0..=1000_u16).prop_filter_map("a sum", |(win, loss)| {
            Wdl::new(win, 1000_u16.checked_sub(win + loss)?, loss)
        }));
    let score = prop::option::of((value, bound, wdl).prop_map(|(value, bound, wdl)| ScoreText {
        value,
        bound,
        wdl,
    }));
    let small = any::<[Option<u32>; 3]>();
    let large = any::<[Option<u64>; 3]>();
    (small, score, large, any::<Option<u16>>(), millis(), move_list()).prop_map(
        |([depth, seldepth, multipv], score, [nodes, nps, tbhits], hashfull, time, pv)| Info {
            depth,
            seldepth,
            multipv,
            score,
            nodes,
            nps,
            hashfull,
            tbhits,
            time,
            pv,
        },
    )
}

/// Gives a line to the checks of both protocols and of the lines of engines.
fn check_all(bytes: &[u8]) {
    check::check(bytes);
    check_xboard::check(bytes);
    check_reply::check(bytes);
    check_reply::check(&[b"info ", bytes].concat());
    check_reply::check(&[b"option name ", bytes].concat());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn any_bytes_keep_the_promises(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_all(&bytes);
    }

    #[test]
    fn any_text_keeps_the_promises(text in any::<String>()) {
        check_all(text.as_bytes());
    }

    #[test]
    fn any_sentence_keeps_the_promises(
        text in prop_oneof![sentence(WORDS), sentence(XBOARD_WORDS), sentence(REPLY_WORDS)]
    ) {
        check_all(text.as_bytes());
    }

    #[test]
    fn info_lines_are_read_back(info in info()) {
        let line = info.to_string();
        let Some(ParsedReply::Info(read)) = parse_reply(&line) else { panic!("{line}") };
        prop_assert_eq!((read.line.to_string(), read.text), (line.clone(), None));
    }

    #[test]
    fn other_replies_are_read_back(
        (mv, ponder, text) in (uci_move(), prop::option::of(uci_move()), "[!-~]( ?[!-~é]){0,20}"),
        (depth, number) in any::<(u32, u32)>(),
    ) {
        let (best, reply) = (mv.to_string(), ponder.map(|mv| mv.to_string()));
        let line = BestMoveLine::Move { mv, ponder }.to_string();
        let wanted = BestMoveLine::Move { mv: best.as_str(), ponder: reply.as_deref() };
        prop_assert_eq!(parse_reply(&line), Some(ParsedReply::BestMove(wanted)), "{}", line);

        let line = CurrentMove { depth, mv, number }.to_string();
        let wanted = ParsedInfo {
            line: InfoLine { depth: Some(depth), ..InfoLine::default() },
            current_move: Some(&best),
            current_move_number: Some(number),
            ..ParsedInfo::default()
        };
        prop_assert_eq!(parse_reply(&line), Some(ParsedReply::Info(wanted)), "{}", line);

        let line = Reply::Text(&text).to_string();
        let wanted = ParsedInfo { text: Some(&text), ..ParsedInfo::default() };
        prop_assert_eq!(parse_reply(&line), Some(ParsedReply::Info(wanted)), "{}", line);
        for (reply, wanted) in [
            (Reply::IdName(&text), ParsedReply::IdName(&text)),
            (Reply::IdAuthor(&text), ParsedReply::IdAuthor(&text)),
            (Reply::UciOk, ParsedReply::UciOk),
            (Reply::ReadyOk, ParsedReply::ReadyOk),
        ] {
            let line = reply.to_string();
            prop_assert_eq!(parse_reply(&line), Some(wanted), "{}", line);
        }
    }

    #[test]
    fn commands_are_read_back((command, line) in command()) {
        prop_assert_eq!(line.parse::<Command>(), Ok(command), "{}", line);
    }

    #[test]
    fn time_controls_mean_what_they_say(
        (moves, minutes, seconds) in (any::<u32>(), 0..100_000_u64, 0..60_u64),
        (increment, thousandths) in (0..100_000_u64, 0..1000_u64),
    ) {
        let level = Level {
            moves,
            base: Millis::new((minutes * 60 + seconds) * 1000),
            increment: Millis::new(increment * 1000 + thousandths),
        };
        let line = format!("level {moves} {minutes}:{seconds:02} {increment}.{thousandths:03}");
        prop_assert_eq!(xboard::Command::parse(&line), Ok(xboard::Command::Level(level)));
        let whole = Level { base: Millis::new(minutes * 60_000), ..level };
        let line = format!("level {moves} {minutes} {increment}.{thousandths:03}");
        prop_assert_eq!(xboard::Command::parse(&line), Ok(xboard::Command::Level(whole)));
        let time = xboard::Command::MoveTime(level.increment);
        prop_assert_eq!(xboard::Command::parse(&format!("st {increment}.{thousandths:03}")), Ok(time));
    }

    #[test]
    fn numbers_are_read_as_they_are(number in any::<i32>()) {
        let parsed = |name: &str| xboard::Command::parse(&format!("{name} {number}")).unwrap();
        let millis = Millis::from_signed(i64::from(number) * 10);
        prop_assert_eq!(parsed("time"), xboard::Command::Time(millis));
        prop_assert_eq!(parsed("otim"), xboard::Command::OpponentTime(millis));
        let count = u32::try_from(number).unwrap_or(0);
        prop_assert_eq!(parsed("sd"), xboard::Command::Depth(count));
        prop_assert_eq!(parsed("protover"), xboard::Command::Protocol(count));
        let rate = Some(u64::from(count)).filter(|rate| *rate > 0);
        prop_assert_eq!(parsed("nps"), xboard::Command::NodesPerSecond(rate));
        prop_assert_eq!(parsed("memory"), xboard::Command::Memory(u64::from(count.max(1))));
        prop_assert_eq!(parsed("cores"), xboard::Command::Cores(u64::from(count.max(1))));
    }
}

/// Gives every file of a corpus, and every line of it, to the check of its target.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        let bytes = fs::read(&path).unwrap();
        check(&bytes);
        bytes.split(|byte| *byte == b'\n').for_each(check);
        count += 1;
    }
    assert!(count >= 10, "{count} files in {}", folder.display());
}

#[test]
fn every_corpus_file_keeps_the_promises() {
    replay("line", check::check);
}

#[test]
fn every_corpus_file_of_xboard_keeps_the_promises() {
    replay("xboard", check_xboard::check);
}

#[test]
fn every_corpus_file_of_replies_keeps_the_promises() {
    replay("reply", check_reply::check);
}
