//! Any input is survived; any command printed is read back as the same.

use proptest::prelude::*;
use proptest::sample::select;
use tamarin_movegen::{Color, PieceKind, Square, UciMove};
use tamarin_uci::{
    Base, Bench, BenchKind, BenchPositions, Bound, Command, Console, EvalFormat, GenFens, Go, Info,
    Millis, MoveWords, PositionText, Reply, ScoreText, ScoreValue, SetOption, SideClock, SpeedTest,
    Switch, Wdl,
};

#[path = "../fuzz/check.rs"]
mod check;

/// Words of the protocol and things that resemble them.
const WORDS: [&str; 62] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug",
    "on",
    "off",
    "setoption",
    "name",
    "value",
    "Hash",
    "Clear",
    "Move",
    "Overhead",
    "Ponder",
    "SyzygyPath",
    "<empty>",
    "true",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e8q",
    "e7e8Q",
    "0000",
    "8/8/8/8/8/8/8/8",
    "w",
    "-",
    "\"",
    "\"8/8",
    "go",
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
    "1",
    "-1",
    "1000000000000000000000000",
    "1.5",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "bench",
    "default",
    "speedtest",
    "genfens",
    "seed",
    "book",
    "None",
    "#",
    "\u{feff}",
    "info",
];

const SPACES: [&str; 6] = [" ", "  ", "\t", "\r\n", "\u{b}", "\0"];

fn sentence() -> impl Strategy<Value = String> {
    prop::collection::vec((select(&WORDS[..]), select(&SPACES[..])), 0..12)
        .prop_map(|pairs| pairs.into_iter().map(|(word, space)| format!("{word}{space}")).collect())
}

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

fn move_list() -> impl Strategy<Value = Vec<UciMove>> {
    prop::collection::vec(uci_move(), 0..6)
}

fn millis() -> impl Strategy<Value = Option<Millis>> {
    prop::option::of((-i64::MAX..=i64::MAX).prop_map(Millis))
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

fn bench() -> impl Strategy<Value = Bench> {
    let positions = prop_oneof![
        Just(BenchPositions::Default),
        Just(BenchPositions::Current),
        "[a-z/.]{1,12}".prop_filter_map("a file", |name| {
            (!["default", "current"].contains(&name.as_str())).then_some(BenchPositions::File(name))
        }),
    ];
    let kinds = [BenchKind::Depth, BenchKind::Nodes, BenchKind::MoveTime, BenchKind::Perft];
    (any::<u32>(), any::<u32>(), any::<u64>(), positions, select(kinds.to_vec())).prop_map(
        |(hash, threads, limit, positions, kind)| Bench {
            hash: Some(hash),
            threads: Some(threads),
            limit: Some(limit),
            positions,
            kind,
        },
    )
}

fn console() -> impl Strategy<Value = Console> {
    let plain = [
        Console::Board,
        Console::Eval(EvalFormat::Table),
        Console::Eval(EvalFormat::Json),
        Console::Flip,
        Console::Compiler,
        Console::Help,
        Console::License,
        Console::Bench(Bench::default()),
        Console::SpeedTest(SpeedTest::default()),
        Console::SpeedTest(SpeedTest { threads: Some(3), ..SpeedTest::default() }),
    ];
    let gen_fens = (
        any::<u32>(),
        any::<u64>(),
        prop::option::of("[a-m/.]{1,9}"),
        "([a-z]{1,5}( [0-9]{1,3})?)?",
    )
        .prop_map(|(count, seed, book, extra)| GenFens { count, seed, book, extra });
    prop_oneof![
        select(plain.to_vec()),
        any::<u32>().prop_map(Console::Perft),
        bench().prop_map(Console::Bench),
        gen_fens.prop_map(Console::GenFens),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let plain = [
        Command::Ignore,
        Command::Uci,
        Command::XBoard,
        Command::Debug(Switch::On),
        Command::Debug(Switch::Off),
        Command::IsReady,
        Command::NewGame,
        Command::Stop,
        Command::PonderHit,
        Command::Quit,
    ];
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
        select(plain.to_vec()),
        (base, move_words())
            .prop_map(|(base, moves)| Command::Position(PositionText { base, moves })),
        (name, value).prop_map(|(name, value)| Command::SetOption(SetOption { name, value })),
        go().prop_map(Command::Go),
        console().prop_map(Command::Console),
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

/// Reads an info line the way clients do: words after each keyword until the next one.
fn field<'a>(line: &'a str, key: &str) -> Option<Vec<&'a str>> {
    const KEYS: [&str; 11] = [
        "info", "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits",
        "time", "pv",
    ];
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.next()?;
    Some(words.take_while(|word| !KEYS.contains(word)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn any_bytes_keep_the_promises(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check::check(&bytes);
    }

    #[test]
    fn any_sentence_keeps_the_promises(text in sentence()) {
        check::check(text.as_bytes());
    }

    #[test]
    fn any_text_keeps_the_promises(text in any::<String>()) {
        check::check(text.as_bytes());
    }

    #[test]
    fn commands_are_read_back(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(line.parse::<Command>(), Ok(command), "{}", line);
    }

    #[test]
    fn info_lines_say_what_was_given(info in info()) {
        let line = Reply::Info(&info).to_string();
        prop_assert!(!line.contains('.') && !line.contains("  ") && line.trim() == line);
        let one = |key| field(&line, key).map(|words| words.join(" "));
        let text = |value: Option<u64>| value.map(|value| value.to_string());
        prop_assert_eq!(one("depth"), text(info.depth.map(u64::from)));
        prop_assert_eq!(one("seldepth"), text(info.seldepth.map(u64::from)));
        prop_assert_eq!(one("multipv"), text(info.multipv.map(u64::from)));
        prop_assert_eq!(one("nodes"), text(info.nodes));
        prop_assert_eq!(one("nps"), text(info.nps));
        prop_assert_eq!(one("hashfull"), text(info.hashfull.map(u64::from)));
        prop_assert_eq!(one("tbhits"), text(info.tbhits));
        prop_assert_eq!(one("time"), info.time.map(|time| time.0.to_string()));
        let pv: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        prop_assert_eq!(field(&line, "pv").unwrap_or_default(), pv);
        prop_assert_eq!(field(&line, "score").is_some(), info.score.is_some());
        if let Some(score) = info.score {
            let words = field(&line, "score").unwrap();
            let (unit, value) = match score.value {
                ScoreValue::Centipawns(value) => ("cp", value),
                ScoreValue::Mate(value) => ("mate", value),
            };
            prop_assert_eq!(words[0], unit);
            prop_assert_eq!(words[1].parse::<i32>(), Ok(value));
            let bound = match score.bound {
                Bound::Exact => None,
                Bound::Lower => Some("lowerbound"),
                Bound::Upper => Some("upperbound"),
            };
            prop_assert_eq!(words.get(2).copied().filter(|word| word.ends_with("bound")), bound);
            let chances = words.iter().skip_while(|word| **word != "wdl").skip(1);
            let chances: Vec<u16> = chances.map(|word| word.parse().unwrap()).collect();
            let wdl = score.wdl.map(|wdl| vec![wdl.win(), wdl.draw(), wdl.loss()]);
            prop_assert_eq!(chances, wdl.unwrap_or_default());
        }
    }
}
