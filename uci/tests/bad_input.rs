//! Tables of bad input: what is refused and how, what is ignored and with which note.

use tamarin_movegen::Color;
use tamarin_uci::{
    Bench, BenchKind, BenchPositions, Command, Console, EvalFormat, GenFens, Go, Millis, Note,
    OptionSpec, OptionValue, ParseError, SetOption, parse, resolve,
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
        ("foo \"bar\"\tbaz", r#"unknown command: "foo \"bar\" baz""#),
        ("QUIT", r#"unknown command: "QUIT""#),
        // Console words count only at the start, where people type them.
        ("please eval d bench", r#"unknown command: "please eval d bench""#),
        ("debug ON", r#"debug: expected on or off, not "ON""#),
        ("setoption Hash value 3", r#"setoption: expected name, not "Hash""#),
        ("setoption name value 3", "setoption: the name is empty"),
        ("position moves e2e4", r#"position: expected startpos or fen, not "moves""#),
        ("position startpos e2e4", r#"position: expected moves after startpos, not "e2e4""#),
        ("position fen \"\" moves e2e4", "position: fen without a position"),
        ("perft", "perft: no depth given"),
        ("go perft -1", r#"perft: expected a depth of 0 or more, not "-1""#),
        ("go depth 3 perft x", r#"perft: depth is not a whole number: "x""#),
        ("bench 1 1 5 default x", r#"bench: expected depth, nodes, movetime or perft, not "x""#),
        ("genfens 5 5", r#"genfens: expected seed, not "5""#),
        ("genfens 5 seed 1", "genfens: no book given"),
        ("savehash", "savehash: no file given"),
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
    let mut expected = Go { nodes: Some(5), ..Go::default() };
    expected.clock[Color::Black].time = Some(Millis::new(1000));
    assert_eq!(go(line), expected);
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
fn a_go_with_unreadable_limits_alone_gets_a_short_time() {
    for line in [
        "go depth x",
        "go movetime",
        "go ponder wtime x btime x",
        "go searchmoves e2e4 nodes many",
        "go mate 0 depth x",
    ] {
        assert_eq!(go(line).move_time, Some(Millis::new(100)), "{line}");
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
        ("isready  x\ty ", "x\\ty"),
        ("joho quit now", "now"),
        ("eval --json --all", "--all"),
        ("go perft 1 depth 3", "depth 3"),
        ("bench 1 1 1 current depth x", "x"),
    ] {
        let note = notes(line).pop();
        assert_eq!(note, Some(format!(r#"ignored "{text}" after the command"#)), "{line:?}");
    }
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
    let line = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(1500));
    let Command::Position(position) = parse(&line).unwrap().command else { panic!("a position") };
    assert_eq!(position.moves.iter().count(), 6000);
    let megabyte = "x".repeat(1 << 20);
    let message = parse(&megabyte).unwrap_err().to_string();
    assert!(message.starts_with("unknown command: \"xxx") && message.len() < 200, "{message}");
    let words = "y ".repeat(1 << 19);
    assert_eq!(parse(&format!("{words}quit")).unwrap().command, Command::Quit);
}

#[test]
fn setoption_collapses_the_name_and_keeps_the_value() {
    for (line, name, value) in [
        ("setoption name  Move   Overhead\tvalue 5", "Move Overhead", Some("5")),
        ("setoption name Clear Hash", "Clear Hash", None),
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
        ("--help", Console::Help(None)),
        ("help bench", Console::Help(Some("bench".into()))),
        ("--license", Console::License),
        ("perft 5", Console::Perft(5)),
        ("go perft 5", Console::Perft(5)),
        ("go depth 2 perft 4", Console::Perft(4)),
        ("bench", Console::Bench(Bench::default())),
        (
            "bench 99999999999 1 100 a/b.epd movetime",
            bench(Some(99_999_999_999), Some(1), Some(100), file, BenchKind::MoveTime),
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
        (&hash, " 64 ", OptionValue::Spin(64)),
        (&ponder, "False", OptionValue::Check(false)),
        (&ponder, "TRUE", OptionValue::Check(true)),
        (&style, "solid", OptionValue::Choice("Solid")),
        (&clear, "true", OptionValue::Pressed),
        (&path, "/tb/3 4;d:\\tb", OptionValue::String("/tb/3 4;d:\\tb".into())),
        (&path, "<empty>", OptionValue::String(String::new())),
    ] {
        assert_eq!(option.parse(Some(value)), Ok(expected), "{} {value:?}", option.name);
    }
    assert_eq!(clear.parse(None), Ok(OptionValue::Pressed));
}

#[test]
fn bad_option_values_are_refused() {
    let [hash, ponder, style, ..] = test_options();
    for (option, value, message) in [
        (
            &hash,
            Some("0"),
            r#"option Hash: "0" is not within 1 to 33554432, the old value is kept"#,
        ),
        (&hash, Some("x"), r#"option Hash: "x" is not a whole number, the old value is kept"#),
        (&hash, None, "option Hash: no value given, the old one is kept"),
        (
            &ponder,
            Some("1"),
            r#"option Ponder: "1" is neither true nor false, the old value is kept"#,
        ),
        (&style, Some("Wild"), r#"option Style: "Wild" is not a choice, the old value is kept"#),
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
