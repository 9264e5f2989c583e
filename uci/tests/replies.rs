//! Lines of engines as a client reads them.

use tamarin_uci::{
    BestMoveLine, Bound, Millis, ParsedInfo, ParsedOption, ParsedReply, ScoreText, ScoreValue, Wdl,
    parse_reply,
};

fn info(line: &str) -> ParsedInfo<'_> {
    match parse_reply(line) {
        Some(ParsedReply::Info(info)) => info,
        other => panic!("{line:?} is read as {other:?}"),
    }
}

fn option(line: &str) -> ParsedOption<'_> {
    match parse_reply(line) {
        Some(ParsedReply::Option(option)) => option,
        other => panic!("{line:?} is read as {other:?}"),
    }
}

#[test]
fn lines_without_fields_are_read() {
    assert_eq!(parse_reply("uciok"), Some(ParsedReply::UciOk));
    assert_eq!(parse_reply(" readyok \r\n"), Some(ParsedReply::ReadyOk));
    assert_eq!(parse_reply("id name  Two  Words \n"), Some(ParsedReply::IdName("Two  Words")));
    assert_eq!(parse_reply("id author A. B."), Some(ParsedReply::IdAuthor("A. B.")));
    for line in [
        "",
        "id",
        "id name",
        "id version 3",
        "option",
        "option name",
        "option type check",
        "copyprotection ok",
        "registration checking",
        "uciok2",
        "UCIOK",
        "so bestmove e2e4",
        "Engine 3 by A. Author, uciok",
    ] {
        assert_eq!(parse_reply(line), None, "{line:?}");
    }
}

#[test]
fn best_moves_are_read() {
    let read = |line| match parse_reply(line) {
        Some(ParsedReply::BestMove(best)) => best,
        other => panic!("{line:?} is read as {other:?}"),
    };
    let with = |ponder| BestMoveLine::Move { mv: "e2e4", ponder };
    assert_eq!(read("bestmove e2e4"), with(None));
    assert_eq!(read("bestmove e2e4 ponder e7e5"), with(Some("e7e5")));
    assert_eq!(read("bestmove e2e4 new word ponder e7e5 more"), with(Some("e7e5")));
    for line in ["bestmove e2e4 ponder", "bestmove e2e4 e7e5", "bestmove e2e4 ponder (none)"] {
        assert_eq!(read(line), with(None), "{line}");
    }
    assert_eq!(read("bestmove (none)"), BestMoveLine::None);
    assert_eq!(read("bestmove"), BestMoveLine::None);
    assert_eq!(read("bestmove 0000"), BestMoveLine::Null);
}

#[test]
fn fields_outside_printed_lines_are_read() {
    let read = info(
        "info currmove e2e4 currmovenumber 3 pv d2d4 refutation d1h5 g6h5 string  depth 9  pv ",
    );
    assert_eq!((read.current_move, read.current_move_number), (Some("e2e4"), Some(3)));
    assert_eq!(read.line.pv, ["d2d4"]);
    assert_eq!((read.text, read.line.depth), (Some("depth 9  pv"), None));
    assert_eq!(info("info string").text, Some(""));
    assert_eq!(info("info"), ParsedInfo::default());
}

#[test]
fn score_parts_are_read_in_any_order() {
    let wdl = Wdl::new(200, 700, 100);
    let wanted = ScoreText { value: ScoreValue::Centipawns(-5), bound: Bound::Lower, wdl };
    for line in [
        "info score cp -5 lowerbound wdl 200 700 100",
        "info score cp -5 wdl 200 700 100 lowerbound pv e2e4",
        "info pv e2e4 lowerbound wdl 200 700 100 score cp -5",
    ] {
        assert_eq!(info(line).line.score, Some(wanted), "{line}");
    }
    let score = |line| info(line).line.score;
    assert_eq!(score("info score mate +3"), Some(ScoreText::exact(ScoreValue::Mate(3))));
    // Chances with another sum are none, and without a score they say nothing.
    assert_eq!(score("info score cp 1 wdl 1 1 1").unwrap().wdl, None);
    for line in ["info wdl 200 700 100", "info score", "info score cp", "info score cp 1.5"] {
        assert_eq!(score(line), None, "{line}");
    }
}

#[test]
fn malformed_fields_are_absent_and_unknown_words_skipped() {
    let read = info("info depth x seldepth 4 what is new nodes time 7 hashfull -1 nps 1e6 pv");
    assert_eq!((read.line.depth, read.line.seldepth, read.line.nodes), (None, Some(4), None));
    assert_eq!((read.line.time, read.line.hashfull), (Some(Millis::new(7)), Some(0)));
    assert_eq!((read.line.nps, read.line.pv.len()), (None, 0));
    assert_eq!(info("info score depth 3 cp 5").line.depth, Some(3));
    let huge = info("info depth 99999999999 score cp -99999999999 hashfull 70000");
    assert_eq!((huge.line.depth, huge.line.hashfull), (Some(u32::MAX), Some(u16::MAX)));
    assert_eq!(huge.line.exact_score(), Some(ScoreValue::Centipawns(i32::MIN)));
}

#[test]
fn only_exact_scores_of_the_best_variation_count() {
    let exact = |line| info(line).line.exact_score();
    let five = Some(ScoreValue::Centipawns(5));
    assert_eq!(exact("info depth 1 score cp 5"), five);
    assert_eq!(exact("info depth 1 multipv 1 score cp 5"), five);
    for line in ["info multipv 2 score cp 5", "info score cp 5 upperbound", "info depth 3"] {
        assert_eq!(exact(line), None, "{line}");
    }
}

#[test]
fn options_are_read() {
    let spin = option("option name Move  Overhead type spin default 20 min -3 max 5000");
    assert_eq!((spin.name, spin.kind), ("Move  Overhead", Some("spin")));
    assert_eq!((spin.default, spin.min, spin.max), (Some("20"), Some(-3), Some(5000)));
    let combo = option("option name Style type combo default Very Solid var Very Solid var Odd");
    assert_eq!((combo.default, combo.choices), (Some("Very Solid"), vec!["Very Solid", "Odd"]));
    let text = option("option name Path type string default /a min 3 var  x");
    assert_eq!((text.default, text.min), (Some("/a min 3 var  x"), None));
    assert_eq!(option("option name Path type string default <EMPTY>").default, Some(""));
    let odd = option("option new name Odd type spin default min x max");
    assert_eq!((odd.default, odd.min, odd.max), (Some(""), None, None));
    let bare = option("option name Clear Hash");
    assert_eq!((bare.name, bare.kind, bare.default), ("Clear Hash", None, None));
}

#[test]
fn values_are_those_of_the_option_line() {
    let fits = |line: &str, value: &str| option(line).expected_instead_of(value).is_none();
    let spin = "option name Hash type spin default 16 min 1 max 1024";
    assert!(fits(spin, "1") && fits(spin, "1024"));
    for value in ["0", "1025", "", "many", "1.5"] {
        assert!(!fits(spin, value), "{value}");
    }
    let without_range = "option name Hash type spin";
    assert!(fits(without_range, "-5") && !fits(without_range, "x"));
    let check = "option name Ponder type check default false";
    assert!(fits(check, "True") && fits(check, "false") && !fits(check, "1"));
    let combo = "option name Style type combo default Solid var Solid var Risky";
    assert!(fits(combo, "risky") && !fits(combo, "Wild"));
    assert!(fits("option name Clear Hash type button", ""));
    assert!(fits("option name EvalFile type string default x.nnue", "any text"));
}
