//! Tables of bad input: what is refused and how, what is ignored and with which note.

use tamarin_movegen::Color;
use tamarin_uci::{
    Base, Bench, BenchKind, BenchPositions, Command, Console, EvalFormat, GenFens, Go, Millis,
    MoveWords, Note, OptionSpec, OptionValue, ParseError, SetOption, parse, parse_bytes, resolve,
};

fn notes(line: &str) -> Vec<String> {
    parse(line).unwrap().notes.iter().map(ToString::to_string).collect()
}

fn go(line: &str) -> Go {
    match parse(line).unwrap().command {
        Command::Go(go) => go,
        other => panic!("{line:?} is {other:?}"),
    }
}

#[test]
fn refused_lines_name_the_offending_text() {
    for (line, message) in [
        ("foo", r#"unknown command: "foo""#),
        ("foo \"bar\"\tbaz", r#"unknown command: "foo \"bar\" baz""#),
        ("QUIT", r#"unknown command: "QUIT""#),
        // Console words count only at the start, where people type them.
        ("please eval d bench", r#"unknown command: "please eval d bench""#),
        ("debug", r#"debug: expected on or off, not """#),
        ("debug ON", r#"debug: expected on or off, not "ON""#),
        ("setoption", r#"setoption: expected name, not """#),
        ("setoption Hash value 3", r#"setoption: expected name, not "Hash""#),
        ("setoption name", "setoption: the name is empty"),
        ("setoption name value 3", "setoption: the name is empty"),
        ("position", "position: expected startpos or fen"),
        ("position moves e2e4", r#"position: expected startpos or fen, not "moves""#),
        ("position startpos e2e4", r#"position: expected moves after startpos, not "e2e4""#),
        ("position fen", "position: fen without a position"),
        ("position fen moves e2e4", "position: fen without a position"),
        ("position fen \"\" moves e2e4", "position: fen without a position"),
        ("perft", "perft: no depth given"),
        ("perft five", r#"perft: depth is not a whole number: "five""#),
        ("perft -3", r#"perft: expected a depth of 0 or more, not "-3""#),
        ("go perft", "perft: no depth given"),
        ("go perft -1", r#"perft: expected a depth of 0 or more, not "-1""#),
        ("go depth 3 perft x", r#"perft: depth is not a whole number: "x""#),
        ("bench big", r#"bench: hash is not a whole number: "big""#),
        (
            "bench 16 1 5 default plies",
            r#"bench: expected depth, nodes, movetime or perft, not "plies""#,
        ),
        ("genfens", "genfens: no count given"),
        ("genfens 5 5", r#"genfens: expected seed, not "5""#),
        ("genfens 5 seed", "genfens: no seed given"),
        ("genfens 5 seed 1", "genfens: no book given"),
        ("genfens 5 seed 1 book", "genfens: no None or a book given"),
        ("savehash", "savehash: no file given"),
        ("loadhash ", "loadhash: no file given"),
        ("please loadhash file", r#"unknown command: "please loadhash file""#),
    ] {
        let error = parse(line).expect_err(line);
        assert_eq!(error.to_string(), message, "{line:?}");
    }
    // The session has to tell these apart: only they leave it without a position.
    assert!(matches!(parse("position fen").unwrap_err(), ParseError::Position(_)));
}

#[test]
fn bad_pairs_of_go_are_ignored_and_the_rest_holds() {
    let line = "go depth x nodes 5 movetime infinite wtime btime 1000 winc 1e9 joho mate";
    let go_text = go(line);
    assert_eq!(go_text.depth, None);
    assert_eq!(go_text.nodes, Some(5));
    assert_eq!(go_text.move_time, None);
    assert!(!go_text.infinite);
    assert_eq!(go_text.clock[Color::White].time, None);
    assert_eq!(go_text.clock[Color::Black].time, Some(Millis(1000)));
    assert_eq!(go_text.clock[Color::White].increment, None);
    assert_eq!(go_text.mate, None);
    assert_eq!(
        notes(line),
        [
            r#"go: ignored depth "x": not a whole number"#,
            r#"go: ignored movetime "infinite": not a whole number"#,
            "go: ignored wtime: no value",
            r#"go: ignored winc "1e9": not a whole number"#,
            r#"go: ignored unknown word "joho""#,
            "go: ignored mate: no value",
        ]
    );
}

#[test]
fn fractions_of_go_are_dropped() {
    let line = "go movetime 569.9999999999999 wtime 5000.5 btime -0.5 depth 7.";
    let go_text = go(line);
    assert_eq!(go_text.move_time, Some(Millis(569)));
    assert_eq!(go_text.clock[Color::White].time, Some(Millis(5000)));
    assert_eq!(go_text.clock[Color::Black].time, Some(Millis(0)));
    assert_eq!(go_text.depth, Some(7));
    assert_eq!(
        notes(line),
        [
            r#"go: ignored the fraction of movetime "569.9999999999999""#,
            r#"go: ignored the fraction of wtime "5000.5""#,
            r#"go: ignored the fraction of btime "-0.5""#,
            r#"go: ignored the fraction of depth "7.""#,
        ]
    );
}

#[test]
fn a_go_with_unreadable_limits_alone_gets_a_short_time() {
    for line in [
        "go depth x",
        "go movetime",
        "go movetime 1e3",
        "go wtime btime",
        "go ponder wtime x btime x",
        "go searchmoves e2e4 nodes many",
        "go mate 0 depth x",
    ] {
        assert_eq!(go(line).move_time, Some(Millis(100)), "{line}");
        let last = notes(line).pop();
        assert_eq!(last.as_deref(), Some("go: no limit can be read, the search takes 100 ms"));
    }
    for line in ["go", "go infinite depth x", "go depth x nodes 5", "go mate 0", "go searchmoves"] {
        assert_eq!(go(line).move_time, None, "{line}");
    }
}

#[test]
fn words_after_a_command_are_noted() {
    for (line, text) in [
        ("uci x", "x"),
        ("xboard post", "post"),
        ("isready  x\ty ", "x\\ty"),
        ("debug on off", "off"),
        ("ucinewgame 960", "960"),
        ("stop now", "now"),
        ("ponderhit e2e4", "e2e4"),
        ("quit now", "now"),
        ("joho quit now", "now"),
        ("d foo", "foo"),
        ("license --all", "--all"),
        ("help go bench", "bench"),
        ("eval --json --all", "--all"),
        ("perft 1 2", "2"),
        ("go perft 1 depth 3", "depth 3"),
        ("bench 1 1 1 current depth x", "x"),
    ] {
        let note = notes(line).pop();
        assert_eq!(note, Some(format!(r#"ignored "{text}" after the command"#)), "{line:?}");
    }
}

#[test]
fn numbers_of_go_saturate() {
    let huge = "1000000000000000000000000000000";
    let go_text = go(&format!(
        "go wtime {huge} btime -{huge} nodes {huge} depth {huge} movetime {huge} mate {huge} \
         movestogo {huge}"
    ));
    assert_eq!(go_text.clock[Color::White].time, Some(Millis(i64::MAX)));
    assert_eq!(go_text.clock[Color::Black].time, Some(Millis(-i64::MAX)));
    assert_eq!(go_text.nodes, Some(u64::MAX));
    assert_eq!(go_text.depth, Some(u32::MAX));
    assert_eq!(go_text.move_time, Some(Millis(i64::MAX)));
    assert_eq!(go_text.mate, Some(u32::MAX));
    assert_eq!(go_text.moves_to_go, Some(u32::MAX));

    let line = "go nodes -1 depth -1 mate -3 movestogo -7 movetime -20 winc -4 binc 0";
    let go_text = go(line);
    assert_eq!(notes(line), [""; 0]);
    assert_eq!(go_text.nodes, Some(0));
    assert_eq!(go_text.depth, Some(0));
    assert_eq!(go_text.mate, Some(0));
    assert_eq!(go_text.moves_to_go, Some(0));
    assert_eq!(go_text.move_time, Some(Millis(-20)));
    assert_eq!(go_text.clock[Color::White].increment, Some(Millis(-4)));
    assert_eq!(go_text.clock[Color::Black].increment, Some(Millis(0)));
}

#[test]
fn search_moves_of_any_game_end_at_a_keyword() {
    let line = "go searchmoves e2e4 j9j10 depth 3 c2c4 searchmoves 0000 nodes 5";
    let go_text = go(line);
    assert_eq!(go_text.search_moves, MoveWords::from_iter(["e2e4", "j9j10", "0000"]));
    assert_eq!((go_text.depth, go_text.nodes), (Some(3), Some(5)));
    assert_eq!(notes(line), [r#"go: ignored unknown word "c2c4""#]);
}

#[test]
fn moves_of_any_game_follow_a_position_of_any_size() {
    let line = "so position fen \"9/4k4/9 w - - 0 1 {e2:x}\" moves e2e3 h2h3+";
    let Command::Position(position) = parse(line).unwrap().command else { panic!("a position") };
    assert_eq!(position.base, Base::Fen("9/4k4/9 w - - 0 1 {e2:x}".to_owned()));
    assert_eq!(position.moves, MoveWords::from_iter(["e2e3", "h2h3+"]));
}

#[test]
fn notes_are_bounded() {
    let parsed = parse(&format!("go {}", "x ".repeat(100_000))).unwrap();
    assert_eq!(parsed.notes.len(), 9);
    assert_eq!(parsed.notes[8], Note::More { count: 99_992 });
    assert_eq!(parsed.notes[8].to_string(), "99992 more parts of this line were ignored");
}

#[test]
fn long_lines_are_read_whole() {
    let mut line = String::from("position startpos moves");
    for _ in 0..1500 {
        line.push_str(" g1f3 g8f6 f3g1 f6g8");
    }
    let Command::Position(position) = parse(&line).unwrap().command else { panic!("a position") };
    assert_eq!(position.moves.iter().count(), 6000);

    let megabyte = "x".repeat(1 << 20);
    let message = parse(&megabyte).unwrap_err().to_string();
    assert!(message.starts_with("unknown command: \"xxx") && message.len() < 200, "{message}");
    let Command::SetOption(set) =
        parse(&format!("setoption name SyzygyPath value {megabyte}")).unwrap().command
    else {
        panic!("a setoption")
    };
    assert_eq!(set.value.unwrap().len(), 1 << 20);
    let words = "y ".repeat(1 << 19);
    assert!(parse(&words).unwrap_err().to_string().len() < 200);
    assert_eq!(parse(&format!("{words}quit")).unwrap().command, Command::Quit);
}

#[test]
fn bytes_that_are_not_utf8_are_read_all_the_same() {
    assert_eq!(parse_bytes(b"\xE9\xFF isready\r\n").unwrap().command, Command::IsReady);
    assert_eq!(parse_bytes(b"stop \xFF\0").unwrap().command, Command::Stop);
    let Command::SetOption(set) =
        parse_bytes(b"setoption name SyzygyPath value /home/Ren\xE9/tb").unwrap().command
    else {
        panic!("a setoption")
    };
    assert_eq!(set.value.as_deref(), Some("/home/Ren\u{FFFD}/tb"));
    let error = parse_bytes(b"\0\x01\x1b[2J").unwrap_err().to_string();
    assert_eq!(error, r#"unknown command: "\0\u{1}\u{1b}[2J""#);
}

#[test]
fn setoption_collapses_the_name_and_keeps_the_value() {
    for (line, name, value) in [
        ("setoption name  Move   Overhead\tvalue 5", "Move Overhead", Some("5")),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption name Clear Hash value true", "Clear Hash", Some("true")),
        ("setoption name X value", "X", Some("")),
        ("setoption name X value ", "X", Some("")),
        ("setoption name X value <empty>", "X", Some("")),
        ("setoption name X value   a;b:c\\d   e  ", "X", Some("a;b:c\\d   e")),
        ("setoption name X value value name value", "X", Some("value name value")),
        ("setoption name name value 1", "name", Some("1")),
    ] {
        let expected = SetOption { name: name.into(), value: value.map(Into::into) };
        let command = parse(line).unwrap().command;
        assert_eq!(command, Command::SetOption(expected), "{line:?}");
    }
}

#[test]
fn console_commands() {
    let bench = |hash, threads, limit, positions, kind| {
        Console::Bench(Bench { hash, threads, limit, positions, kind })
    };
    let file = BenchPositions::File("a/b.epd".into());
    for (line, expected) in [
        ("d", Console::Board),
        ("eval", Console::Eval(EvalFormat::Table)),
        ("eval --json", Console::Eval(EvalFormat::Json)),
        ("help", Console::Help(None)),
        ("--help", Console::Help(None)),
        ("help bench", Console::Help(Some("bench".into()))),
        ("license", Console::License),
        ("--license", Console::License),
        ("perft 5", Console::Perft(5)),
        ("go perft 5", Console::Perft(5)),
        ("go depth 2 perft 4", Console::Perft(4)),
        ("bench", Console::Bench(Bench::default())),
        ("bench 32 2", bench(Some(32), Some(2), None, BenchPositions::Default, BenchKind::Depth)),
        (
            "bench 16 1 5000 current nodes",
            bench(Some(16), Some(1), Some(5000), BenchPositions::Current, BenchKind::Nodes),
        ),
        (
            "bench 16 1 100 a/b.epd movetime",
            bench(Some(16), Some(1), Some(100), file, BenchKind::MoveTime),
        ),
        (
            "bench 16 1 3 default perft",
            bench(Some(16), Some(1), Some(3), BenchPositions::Default, BenchKind::Perft),
        ),
        (
            "genfens 10 seed 42 book None",
            Console::GenFens(GenFens { count: 10, seed: 42, book: None, extra: String::new() }),
        ),
        (
            "genfens 1 seed 18446744073709551615 book Books/x.epd plies  8",
            Console::GenFens(GenFens {
                count: 1,
                seed: u64::MAX,
                book: Some("Books/x.epd".into()),
                extra: "plies 8".into(),
            }),
        ),
    ] {
        let expected = Command::Console(expected);
        assert_eq!(parse(line).unwrap().command, expected, "{line:?}");
        assert_eq!(expected.to_string().parse::<Command>().unwrap(), expected, "{line:?}");
    }
}

/// An option of each kind.
fn test_options() -> [OptionSpec; 5] {
    [
        OptionSpec::spin("Hash", 16, 1, 33_554_432),
        OptionSpec::check("Ponder", false),
        OptionSpec::combo("Style", "Normal", &["Solid", "Normal"]),
        OptionSpec::button("Clear Hash"),
        OptionSpec::string("SyzygyPath", ""),
    ]
}

#[test]
fn option_values_are_read() {
    let [hash, ponder, style, clear, path] = test_options();
    for (option, value, expected) in [
        (&hash, "1", OptionValue::Spin(1)),
        (&hash, "33554432", OptionValue::Spin(33_554_432)),
        (&hash, " 64 ", OptionValue::Spin(64)),
        (&ponder, "true", OptionValue::Check(true)),
        (&ponder, "False", OptionValue::Check(false)),
        (&ponder, "TRUE", OptionValue::Check(true)),
        (&style, "solid", OptionValue::Choice("Solid")),
        (&clear, "true", OptionValue::Pressed),
        (&clear, "", OptionValue::Pressed),
        (&path, "/tb/3 4;d:\\tb", OptionValue::String("/tb/3 4;d:\\tb".into())),
        (&path, "<empty>", OptionValue::String(String::new())),
        (&path, "", OptionValue::String(String::new())),
    ] {
        assert_eq!(option.parse(Some(value)), Ok(expected), "{} {value:?}", option.name);
    }
    assert_eq!(clear.parse(None), Ok(OptionValue::Pressed));
    assert_eq!(hash.default_value(), OptionValue::Spin(16));
    assert_eq!(path.default_value(), OptionValue::String(String::new()));
}

#[test]
fn bad_option_values_are_refused() {
    let [hash, ponder, style, _, path] = test_options();
    for (option, value, message) in [
        (
            &hash,
            Some("0"),
            r#"option Hash: "0" is not within 1 to 33554432, the old value is kept"#,
        ),
        (
            &hash,
            Some("-1"),
            r#"option Hash: "-1" is not within 1 to 33554432, the old value is kept"#,
        ),
        (
            &hash,
            Some("4294967297"),
            r#"option Hash: "4294967297" is not within 1 to 33554432, the old value is kept"#,
        ),
        (&hash, Some("x"), r#"option Hash: "x" is not a whole number, the old value is kept"#),
        (
            &hash,
            Some("16.5"),
            r#"option Hash: "16.5" is not a whole number, the old value is kept"#,
        ),
        (&hash, Some(""), r#"option Hash: "" is not a whole number, the old value is kept"#),
        (&hash, None, "option Hash: no value given, the old one is kept"),
        (
            &ponder,
            Some("1"),
            r#"option Ponder: "1" is neither true nor false, the old value is kept"#,
        ),
        (&ponder, None, "option Ponder: no value given, the old one is kept"),
        (&style, Some("Wild"), r#"option Style: "Wild" is not a choice, the old value is kept"#),
        (&path, None, "option SyzygyPath: no value given, the old one is kept"),
    ] {
        let error = option.parse(value).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn options_are_found_whatever_case_and_spaces() {
    let table = [OptionSpec::spin("Move Overhead", 20, 0, 5000), OptionSpec::button("Clear Hash")];
    for name in ["Move Overhead", "move overhead", "MoveOverhead", "MOVEOVERHEAD"] {
        let set = SetOption { name: name.into(), value: Some("300".into()) };
        assert_eq!(resolve(&table, &set), Ok((&table[0], OptionValue::Spin(300))), "{name:?}");
    }
    for name in ["Move", "Move Overheads", "", "Hash", "Mové Overhead"] {
        let set = SetOption { name: name.into(), value: Some("300".into()) };
        let error = resolve(&table, &set).expect_err(name);
        assert_eq!(error.to_string(), format!("No such option: {name}"));
    }
}
