//! Every example line of the UCI text, in both directions.

use tamarin_movegen::{Color, UciMove};
use tamarin_uci::{
    Base, BestMoveLine, Bound, Command, CurrentMove, Go, InfoLine, Millis, MoveWords, OptionSpec,
    PositionText, Reply, ScoreText, ScoreValue, SetOption, Switch, Wdl, parse,
};

type Info = InfoLine<&'static str>;

fn moves(text: &str) -> MoveWords {
    text.split_whitespace().collect()
}

fn set(name: &str, value: Option<&str>) -> Command {
    Command::SetOption(SetOption { name: name.into(), value: value.map(Into::into) })
}

fn position(base: Base, list: &str) -> Command {
    Command::Position(PositionText { base, moves: moves(list) })
}

fn go(fill: impl FnOnce(&mut Go)) -> Command {
    let mut go = Go::default();
    fill(&mut go);
    Command::Go(go)
}

/// Parses, demands no notes, and compares.
fn assert_parses(line: &str, expected: &Command) {
    let parsed = parse(line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    assert_eq!(&parsed.command, expected, "{line:?}");
    assert_eq!(parsed.notes, [], "{line:?}");
}

#[test]
fn client_lines_of_the_specification() {
    let c_tb = r"c:\chess\tb\4;c:\chess\tb\5";
    for (line, expected) in [
        ("uci", Command::Uci),
        ("debug on", Command::Debug(Switch::On)),
        ("debug off", Command::Debug(Switch::Off)),
        ("isready", Command::IsReady),
        ("setoption name Style value Risky", set("Style", Some("Risky"))),
        ("setoption name Clear Hash", set("Clear Hash", None)),
        (
            r"setoption name NalimovPath value c:\chess\tb\4;c:\chess\tb\5",
            set("NalimovPath", Some(c_tb)),
        ),
        ("register later", Command::Ignore),
        ("register name Stefan MK code 4359874324", Command::Ignore),
        ("ucinewgame", Command::NewGame),
        ("position startpos", position(Base::Start, "")),
        ("position startpos moves e2e4 e7e5", position(Base::Start, "e2e4 e7e5")),
        ("go infinite", go(|go| go.infinite = true)),
        (
            "go infinite searchmoves e2e4 d2d4",
            go(|go| {
                go.infinite = true;
                go.search_moves = moves("e2e4 d2d4");
            }),
        ),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("xboard", Command::XBoard),
    ] {
        assert_parses(line, &expected);
        assert_parses(&format!("{line}\n"), &expected);
        assert_parses(&format!("{line}\r\n"), &expected);
        assert_parses(&format!(" \t {}  \r", line.replace(' ', " \t ")), &expected);
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    let parsed = parse("joho debug on").unwrap();
    assert_eq!(parsed.command, Command::Debug(Switch::On));
    let notes: Vec<String> = parsed.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, [r#"ignored unknown text "joho" before the command"#]);
    // The specification leaves `debug joho on` undefined: it is refused.
    let error = parse("debug joho on").unwrap_err();
    assert_eq!(error.to_string(), r#"debug: expected on or off, not "joho""#);
}

#[test]
fn position_with_a_fen() {
    let shredder = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah -";
    let fen = |text: &str| Base::Fen(text.into());
    assert_parses(&format!("position fen {shredder}"), &position(fen(shredder), ""));
    assert_parses(&format!("position fen {shredder} moves"), &position(fen(shredder), ""));
    assert_parses(&format!("position fen {shredder} moves e1h1"), &position(fen(shredder), "e1h1"));
    for quote in ['"', '\''] {
        let line = format!("position fen {quote}{shredder}{quote} moves e2e4 e7e8Q");
        assert_parses(&line, &position(fen(shredder), "e2e4 e7e8Q"));
        let line = format!("position fen {quote}  {shredder} {quote}");
        assert_parses(&line, &position(fen(shredder), ""));
    }
    // Four, five and six fields, and anything else, are left to the reader of the FEN.
    for text in ["8/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/8 w - - 3", "a b c d e f g h", "x"] {
        assert_parses(&format!("position fen {text}"), &position(fen(text), ""));
    }
}

#[test]
fn go_limits_in_any_order() {
    let expected = go(|go| {
        go.clock[Color::White].time = Some(Millis::new(1000));
        go.clock[Color::Black].time = Some(Millis::ZERO);
        go.clock[Color::White].increment = Some(Millis::new(10));
        go.clock[Color::Black].increment = Some(Millis::new(20));
        go.moves_to_go = Some(40);
    });
    assert_parses("go wtime 1000 btime -5 winc 10 binc 20 movestogo 40", &expected);
    assert_parses("go movestogo 40 binc 20 winc 10 btime -5 wtime 1000", &expected);

    let everything = go(|go| {
        go.ponder = true;
        go.infinite = true;
        go.clock[Color::White].time = Some(Millis::new(1));
        go.depth = Some(2);
        go.nodes = Some(3);
        go.mate = Some(4);
        go.move_time = Some(Millis::new(5));
        go.search_moves = moves("a2a3 h7h8n");
    });
    let line =
        "go searchmoves a2a3 h7h8n depth 2 ponder nodes 3 wtime 1 mate 4 movetime 5 infinite";
    assert_parses(line, &everything);

    assert_parses("go", &Command::Go(Go::default()));
    assert_parses("go depth 3 depth 7", &go(|go| go.depth = Some(7)));
    assert_parses("go searchmoves", &Command::Go(Go::default()));
}

#[test]
fn lines_that_mean_nothing() {
    for line in [
        "\r\n",
        " \t ",
        "#quit",
        "  # go infinite",
        "\u{feff}",
        "register",
        "copyprotection ok",
        "readyok",
        "bestmove e2e4 ponder e7e5",
        "info string go quit stop",
        "option name Ponder type check default false",
        // What Banksia answers to an option line that it cannot read.
        "Unknown option option name debug go stop quit type check default false",
    ] {
        assert_parses(line, &Command::Ignore);
    }
    assert_parses("\u{feff}uci", &Command::Uci);
}

#[test]
fn engine_lines_of_the_specification() {
    let mv = |text: &str| text.parse::<UciMove>().unwrap();
    let style = OptionSpec::combo("Style", "Normal", &["Solid", "Normal", "Risky"]);
    let empty_path = OptionSpec::string("NalimovPath", "");
    let info = Info {
        depth: Some(2),
        score: Some(ScoreText::exact(ScoreValue::Centipawns(214))),
        nodes: Some(2124),
        nps: Some(34928),
        time: Some(Millis::new(1242)),
        pv: vec!["e2e4", "e7e5", "g1f3"],
        ..Info::default()
    };
    let current = CurrentMove { depth: 9, mv: mv("e2e4"), number: 1 };
    let best = BestMoveLine::Move { mv: mv("g1f3"), ponder: Some(mv("d8f6")) };
    let lines = [
        (Reply::IdName("Shredder X.Y").to_string(), "id name Shredder X.Y"),
        (Reply::IdAuthor("Stefan MK").to_string(), "id author Stefan MK"),
        (
            Reply::Option(&style).to_string(),
            "option name Style type combo default Normal var Solid var Normal var Risky",
        ),
        (
            Reply::Option(&empty_path).to_string(),
            "option name NalimovPath type string default <empty>",
        ),
        (Reply::UciOk.to_string(), "uciok"),
        (Reply::ReadyOk.to_string(), "readyok"),
        (current.to_string(), "info depth 9 currmove e2e4 currmovenumber 1"),
        (
            info.to_string(),
            "info depth 2 score cp 214 nodes 2124 nps 34928 time 1242 pv e2e4 e7e5 g1f3",
        ),
        (Reply::Text("warm as toast").to_string(), "info string warm as toast"),
        (best.to_string(), "bestmove g1f3 ponder d8f6"),
        (BestMoveLine::Move { mv: "e7e8q", ponder: None }.to_string(), "bestmove e7e8q"),
        (BestMoveLine::<&str>::None.to_string(), "bestmove (none)"),
        (BestMoveLine::<&str>::Null.to_string(), "bestmove 0000"),
    ];
    for (printed, line) in lines {
        assert_eq!(printed, line);
    }
}

#[test]
fn a_full_info_line_has_every_field_once_and_the_variation_last() {
    let info = Info {
        depth: Some(21),
        seldepth: Some(33),
        multipv: Some(2),
        score: Some(ScoreText {
            value: ScoreValue::Mate(-3),
            bound: Bound::Upper,
            wdl: Wdl::new(0, 1, 999),
        }),
        nodes: Some(u64::MAX),
        nps: Some(0),
        hashfull: Some(1000),
        tbhits: Some(7),
        time: Some(Millis::new(1)),
        pv: vec!["e2e4", "a7a8q"],
    };
    let line = "info depth 21 seldepth 33 multipv 2 score mate -3 upperbound wdl 0 1 999 \
                nodes 18446744073709551615 nps 0 hashfull 1000 tbhits 7 time 1 pv e2e4 a7a8q";
    assert_eq!(info.to_string(), line);
}

#[test]
fn texts_stay_on_one_line() {
    for (text, line) in [
        (" \n ", "info string"),
        ("\0 \0", "info string"),
        ("one\ntwo\r\nthree\n", "info string one two  three"),
        ("tab\there\0", "info string tab here"),
    ] {
        assert_eq!(Reply::Text(text).to_string(), line, "{text:?}");
    }
    assert_eq!(Reply::IdName("A\nB").to_string(), "id name A B");
}
