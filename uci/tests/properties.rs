//! Any input is survived; any command printed is read back as the same.

use crate::{check, check_reply};
use proptest::prelude::*;
use proptest::sample::select;
use tamarin_movegen::{Color, PieceKind, Square, UciMove};
use tamarin_uci::{
    Base, Bench, BenchKind, BenchPositions, BestMoveLine, Bound, Command, Console, CurrentMove,
    EvalFormat, GenFens, Go, Info, InfoLine, Millis, MoveWords, OptionKind, OptionSpec, ParsedInfo,
    ParsedOption, ParsedReply, PositionText, Reply, ScoreText, ScoreValue, SetOption, SideClock,
    Switch, Wdl, parse_reply,
};

/// Words of the protocol and things that resemble them.
const WORDS: [&str; 63] = [
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
    "genfens",
    "savehash",
    "loadhash",
    "seed",
    "book",
    "None",
    "#",
    "\u{feff}",
    "info",
];

const SPACES: [&str; 6] = [" ", "  ", "\t", "\r\n", "\u{b}", "\0"];

fn sentence(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec((select(words), select(&SPACES[..])), 0..12)
        .prop_map(|pairs| pairs.into_iter().map(|(word, space)| format!("{word}{space}")).collect())
}

/// Words of engines and things that resemble them.
const REPLY_WORDS: [&str; 48] = [
    "id",
    "name",
    "author",
    "uciok",
    "readyok",
    "copyprotection",
    "option",
    "type",
    "spin",
    "check",
    "combo",
    "string",
    "default",
    "<empty>",
    "min",
    "max",
    "var",
    "info",
    "depth",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "cpuload",
    "time",
    "pv",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "bestmove",
    "ponder",
    "(none)",
    "0000",
    "e2e4",
    "7",
    "-3",
    "1000",
    "99999999999999999999",
];

/// Options of all kinds with names and texts that clients can read.
fn option_spec() -> impl Strategy<Value = OptionSpec> {
    let kind = prop_oneof![
        any::<[i32; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        select(&["Solid", "Normal", "Risky"][..]).prop_map(|default| OptionKind::Combo {
            default,
            choices: &["Solid", "Normal", "Risky"],
        }),
        Just(OptionKind::Button),
        select(&["", "x", "/a path/min 3 var  x", "C:\\é;D:"][..])
            .prop_map(|default| OptionKind::String { default }),
    ];
    let name = select(&["Hash", "Move Overhead", "UCI_Chess960", "a  b", "Ü"][..]);
    (name, kind).prop_map(|(name, kind)| OptionSpec { name, kind })
}

/// The option as its line announces it.
fn announced<'a>(spec: &OptionSpec, default: &'a str) -> ParsedOption<'a> {
    let (mut min, mut max, mut choices) = Default::default();
    let kind = match spec.kind {
        OptionKind::Spin { min: least, max: greatest, .. } => {
            (min, max) = (Some(i64::from(least)), Some(i64::from(greatest)));
            "spin"
        }
        OptionKind::Check { .. } => "check",
        OptionKind::Combo { choices: all, .. } => {
            choices = all.to_vec();
            "combo"
        }
        OptionKind::Button => "button",
        OptionKind::String { .. } => "string",
    };
    let default = (spec.kind != OptionKind::Button).then_some(default);
    ParsedOption { name: spec.name, kind: Some(kind), default, min, max, choices }
}

/// A line read back, with the moves as text.
fn with_texts<'a>(info: &Info, pv: &'a [String]) -> InfoLine<&'a str> {
    let Info { depth, seldepth, multipv, score, nodes, nps, hashfull, tbhits, time, .. } = *info;
    let pv = pv.iter().map(String::as_str).collect();
    InfoLine { depth, seldepth, multipv, score, nodes, nps, hashfull, tbhits, time, pv }
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
        Console::Help(None),
        Console::Help(Some("go".into())),
        Console::License,
        Console::Bench(Bench::default()),
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
        "[!-~é]([ -~é]{0,12}[!-~é])?".prop_map(Command::SaveHash),
        "[!-~é]([ -~é]{0,12}[!-~é])?".prop_map(Command::LoadHash),
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
    fn any_sentence_keeps_the_promises(text in sentence(&WORDS)) {
        check::check(text.as_bytes());
    }

    #[test]
    fn any_text_keeps_the_promises(text in any::<String>()) {
        check::check(text.as_bytes());
    }

    #[test]
    fn any_reply_keeps_the_promises(text in sentence(&REPLY_WORDS)) {
        check_reply::check(text.as_bytes());
        check_reply::check(format!("info {text}").as_bytes());
        check_reply::check(format!("option name {text}").as_bytes());
    }

    #[test]
    fn any_bytes_are_read_as_a_reply(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_reply::check(&bytes);
        check_reply::check(&[b"info ", &bytes[..]].concat());
    }

    #[test]
    fn info_lines_are_read_back(info in info()) {
        let line = Reply::Info(&info).to_string();
        let pv: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        let wanted = ParsedInfo { line: with_texts(&info, &pv), ..ParsedInfo::default() };
        prop_assert_eq!(parse_reply(&line), Some(ParsedReply::Info(wanted)), "{}", line);
    }

    #[test]
    fn option_lines_are_read_back(spec in option_spec()) {
        let line = Reply::Option(&spec).to_string();
        let default = match spec.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => default.to_owned(),
            OptionKind::Button => String::new(),
        };
        let wanted = announced(&spec, &default);
        prop_assert_eq!(parse_reply(&line), Some(ParsedReply::Option(wanted)), "{}", line);
    }

    #[test]
    fn other_replies_are_read_back(
        (mv, ponder, text) in (uci_move(), prop::option::of(uci_move()), "[!-~]( ?[!-~é]){0,20}"),
        (depth, number) in any::<(u32, u32)>(),
    ) {
        let (best, reply) = (mv.to_string(), ponder.map(|mv| mv.to_string()));
        let line = Reply::BestMove(BestMoveLine::Move { mv, ponder }).to_string();
        let wanted = BestMoveLine::Move { mv: best.as_str(), ponder: reply.as_deref() };
        prop_assert_eq!(parse_reply(&line), Some(ParsedReply::BestMove(wanted)), "{}", line);

        let line = Reply::CurrentMove(CurrentMove { depth, mv, number }).to_string();
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
            (Reply::BestMove(BestMoveLine::None), ParsedReply::BestMove(BestMoveLine::None)),
            (Reply::BestMove(BestMoveLine::Null), ParsedReply::BestMove(BestMoveLine::Null)),
        ] {
            let line = reply.to_string();
            prop_assert_eq!(parse_reply(&line), Some(wanted), "{}", line);
        }
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
