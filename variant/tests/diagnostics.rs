//! Every code of a diagnostic has a text that brings it about; printing and parsing again.

use std::collections::BTreeSet;

use crate::common::{codes, remarks};
use tamarin_variant::{BUILTINS, Code, Diagnostic, import, load, parse};

/// A text, its only remark's code, place and help.
const CASES: &[(&str, Code, (u32, u32), &str)] = &[
    ("@variant a\n@extends fide\n@variant A\n@extends fide\n", Code::DuplicateName, (3, 10), ""),
    ("@royal none\na W )\n@fen A", Code::Syntax, (2, 5), ""),
    ("@roial k\na W\n@fen A", Code::UnknownDirective, (1, 1), "royal"),
    ("@stalemate los\na W\n@fen A\n@royal none", Code::DirectiveValue, (1, 12), "loss"),
    ("@royal none\n7up W\n@fen 8", Code::InvalidName, (2, 1), ""),
    ("@royal none\na {-square (1 0)\n@fen A", Code::UnbalancedBrace, (2, 3), "'}'"),
    ("@royal none\na {-square (1 0}\n@fen A", Code::UnbalancedBracket, (2, 16), ""),
    ("@royal none\na {-sqare (1 0)}\n@fen A", Code::UnknownSection, (2, 4), "-square"),
    ("@royal none\na {-effects . -> (1 0)}\n@fen A", Code::MissingTarget, (2, 3), "-square"),
    ("@royal none\na {-square (1 0) (2 0)}\n@fen A", Code::Repeated, (2, 18), ""),
    ("@royal none\na {-square (a 0)}\n@fen A", Code::UnknownVariable, (2, 13), "-vars a"),
    (
        "@royal none\na {-vars a in <1,b> b in <1,2> -square (a b)}\n@fen A",
        Code::UnboundVariable,
        (2, 18),
        "'b in ...'",
    ),
    (
        "@royal none\na {-square (1 0) -conditions (1 0) emtpy}\n@fen A",
        Code::UnknownCondition,
        (2, 36),
        "'empty'",
    ),
    (
        "@royal none\na {-square (0 1) -conditions (0 0) *hot} hit +hit\n@fen 8",
        Code::UnknownFlag,
        (2, 37),
        "'hit'",
    ),
    (
        "@royal none\na {-square (1 0) -effects b -> (1 0)}\n@fen A",
        Code::UnknownPiece,
        (2, 27),
        "'a'",
    ),
    ("@royal none\na fX\n@fen A", Code::UnknownAtom, (2, 4), "W"),
    ("@royal none\na kW\n@fen A", Code::UnknownModifier, (2, 3), "f"),
    ("@royal none\na x\"tW\"\n@fen A", Code::UnsupportedBetza, (2, 5), ""),
    (
        "@royal none\na hasMoved {-square (0 1) -effects (0 1) +hasMoved}\n@fen 8",
        Code::AmbiguousToken,
        (2, 3),
        "hasmoved",
    ),
    ("@royal none\na {-square (1 - 1 0)}\n@fen A", Code::BlankInExpression, (2, 15), "blank"),
    ("@royal none\na W\n\nboard:\n. . .\n. a\n", Code::RowLength, (6, 1), ""),
    ("@royal none\na W\n@fen 17", Code::BoardSize, (3, 1), ""),
    (
        "@royal none\na W\n@fen 14/14/14/14/14/14/14/14/14/14/14/14/14/14",
        Code::BoardSize,
        (3, 1),
        "",
    ),
    ("@royal none\na W\nb F", Code::NoDiagram, (0, 0), "board:"),
    ("a W\n\nboard:\na .\n", Code::NoRoyal, (0, 0), "@royal"),
    ("@royal none\na W\na F\n@fen A", Code::DuplicateName, (3, 1), ""),
    ("@royal none\na W promotion t[ROW = 1] -> q\n@fen A", Code::PromotionPiece, (2, 29), "'a'"),
    (
        "@royal none\na {-vars a in <0,999> b in <0,999> c in <0,999> -square (a b+c)}\n@fen A",
        Code::TooManyMoves,
        (2, 3),
        "domains",
    ),
    ("@royal none\na W1 q r s t u v w y z\n@fen A", Code::TooMany, (0, 0), ""),
    ("@royal none\na {-square (1000 0)}\n@fen A", Code::NumberRange, (2, 13), "999"),
    (
        "@royal none\n@hand\na drop {-vars x in <0,11> y in <0,11> -effects a|b|c|. -> ($x $y)}\n\
         b\nc\n@fen 12/12/12/12/12/12/12/12/12/12/12/A11",
        Code::TooManyMoves,
        (3, 1),
        "65534",
    ),
    ("@extends xiangki\n", Code::UnknownParent, (1, 10), "'xiangqi'"),
    ("@royal none\na W\n@fen Aq", Code::StartPosition, (3, 1), ""),
    ("@royal none\na {-vars a in <2,1> -square (a 0)}\n@fen 8", Code::EmptyDomain, (2, 3), ""),
    ("@royal none\na {-square (2 0)}\n@fen 8", Code::UnreachableMove, (2, 3), ""),
    ("@royal none\na W hot\n@fen 8", Code::IdleFlag, (2, 5), ""),
    ("@extends fide\np fmW1fcF1ifmW2\n", Code::IdleFlag, (2, 1), "+unmoved"),
    ("@royal none\na W drop\n@fen 8", Code::IdleHand, (2, 5), "@hand"),
    (
        "# a\nq W\n@royal none\n@variant b\n@extends fide\n",
        Code::NoVariant,
        (2, 1),
        "@variant NAME",
    ),
    (
        "@royal none\np fW1 promotion t[ROW = 8] -> q\nq W\n@fen 8/8/8/8/8/8/8/8",
        Code::EmptyZone,
        (2, 17),
        "rows are 0 to 7",
    ),
    ("@extends fide\n@repetition 3 points", Code::IdlePoints, (2, 1), "@points r 5 n 3"),
    ("@extends fide\n@goal k [ROW = 8]", Code::EmptyZone, (2, 1), "rows are 0 to 7"),
    ("@extends fide\n@repetition 4 loss frst", Code::DirectiveValue, (2, 20), "'first'"),
    ("@extends fide\n@repetition 4 los first", Code::DirectiveValue, (2, 15), "'loss'"),
    ("@extends fide\n@goal k", Code::DirectiveValue, (2, 8), "@goal k [ROW = 7]"),
    ("@extends fide\n@goal k [ROW = 7] lst", Code::DirectiveValue, (2, 19), "'last'"),
    ("@extends fide\n@goal k x [ROW = 7]", Code::UnknownPiece, (2, 9), "'p'"),
    ("@extends fide\n@goal k [RAW = 7]", Code::Syntax, (2, 10), "[ROW = 7]"),
    ("@extends fide\n@checks forbiden", Code::DirectiveValue, (2, 9), "'forbidden'"),
    ("@extends fide\n@checks 0", Code::DirectiveValue, (2, 9), "1 to 99"),
    ("@extends fide\n@captures compulsary", Code::DirectiveValue, (2, 11), "'compulsory'"),
    ("@extends fide\n@extinction los k", Code::DirectiveValue, (2, 13), "'loss'"),
    ("@extends fide\n@extinction loss k x", Code::UnknownPiece, (2, 20), "'p'"),
    ("@extends fide\n@explosion spare p", Code::DirectiveValue, (2, 12), "'spares'"),
    ("@extends fide\n@points n three", Code::DirectiveValue, (2, 11), ".5"),
    ("@extends fide\n@points n 3 b", Code::DirectiveValue, (2, 9), "behind each"),
    ("@extends fide\n@points x 3", Code::UnknownPiece, (2, 9), "'p'"),
    ("@extends fide\n@gating x", Code::UnknownPiece, (2, 9), "'p'"),
    ("@extends fide\n@explosion spares x", Code::UnknownPiece, (2, 19), "'p'"),
];

/// The same for files of Fairy-Stockfish.
const IMPORTS: &[(&str, Code, (u32, u32), &str)] = &[
    ("[a:chess]\nwhat is this\n", Code::IniSyntax, (2, 1), ""),
    ("[a:chess]\nmaxRank = 13\n", Code::IniValue, (2, 11), ""),
    ("[a:chess]\ncastlng = false\n", Code::LeftOut, (2, 1), "'castling'"),
];

#[test]
fn comments_and_one_game_alone_may_stand_before_the_first_variant() {
    for source in ["# a file\n\n@variant a\n@extends fide\n", "@extends fide\nq W\n"] {
        assert_eq!(load(source, None).unwrap().warnings, [], "{source}");
    }
}

#[test]
fn every_code_has_a_text_that_brings_it_about() {
    for &(source, code, place, help) in CASES {
        let found = remarks(source);
        let remark = found.iter().find(|remark| remark.code == code);
        let remark = remark.unwrap_or_else(|| panic!("{source}\n{found:?}"));
        assert_eq!((remark.span.line, remark.span.column), place, "{source}\n{remark:?}");
        let text = remark.render("test.var", source);
        let shown = match place {
            (0, 0) => "test.var: ".to_owned(),
            (line, column) => format!("test.var:{line}:{column}: "),
        };
        assert!(text.starts_with(&shown), "{text}");
        assert!(remark.help.as_deref().unwrap_or_default().contains(help), "{source}\n{remark:?}");
        assert!(!remark.message.ends_with('.'), "{text}");
        // Nothing else is an error: one mistake is reported once.
        let errors: Vec<Code> = codes(source);
        assert!(errors.len() <= 2, "{source}\n{found:?}");
    }
    for &(source, code, place, help) in IMPORTS {
        let found = import(source, None).map_or_else(|remarks| remarks, |game| game.warnings);
        let [remark] = found.as_slice() else { panic!("{source}\n{found:?}") };
        assert_eq!((remark.code, (remark.span.line, remark.span.column)), (code, place));
        assert!(remark.help.as_deref().unwrap_or_default().contains(help), "{remark:?}");
    }
    let tested: BTreeSet<Code> = CASES.iter().chain(IMPORTS).map(|case| case.1).collect();
    let all: BTreeSet<Code> = Code::ALL.iter().copied().collect();
    assert_eq!(tested, all);
}

#[test]
fn what_is_right_has_no_remarks() {
    for entry in BUILTINS {
        assert_eq!(remarks(entry.source), [], "{}", entry.name);
    }
}

#[test]
fn products_of_great_numbers_are_no_squares() {
    let source = "@royal none\na {-vars a in [999] b in [999a] c in [999b] d in [999c] \
                  -square (d 0)}\n@fen A";
    assert_eq!(codes(source), [Code::UnreachableMove]);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let source = "@extends fide\n@stalemate los\n";
    assert_eq!(remarks(&format!("\u{feff}{source}")), remarks(source));
    let ini = "[a:chess]\nmaxRank = 13\n";
    let refused = |text: &str| import(text, None).unwrap_err();
    assert_eq!(refused(&format!("\u{feff}{ini}")), refused(ini));
}

#[test]
fn mistakes_do_not_hide_each_other() {
    let source =
        "@royal none\na {-square (1 0) -conditions (1 0) emtpy} {-sqare (1 0)}\nb kW\n@fen A";
    assert_eq!(codes(source), [Code::UnknownCondition, Code::UnknownSection]);
    let many = format!("@royal none\n{}@fen A", "a {-x}\n".repeat(50));
    assert_eq!(codes(&many).len(), 20);
}

#[test]
fn printing_and_parsing_again_gives_the_same() {
    let cases = CASES.iter().map(|case| case.0);
    for source in BUILTINS.iter().map(|entry| entry.source).chain(cases) {
        let parsed = parse(source);
        if parsed.remarks.iter().any(Diagnostic::is_error) {
            continue;
        }
        let printed = parsed.file.to_string();
        let again = parse(&printed);
        // Places differ.
        let codes = |remarks: &[Diagnostic]| remarks.iter().map(|one| one.code).collect::<Vec<_>>();
        assert_eq!(codes(&again.remarks), codes(&parsed.remarks), "{printed}");
        assert_eq!(again.file, parsed.file, "{printed}");
        assert_eq!(again.file.to_string(), printed);
    }
}

#[test]
fn a_long_name_on_the_board_needs_its_owner() {
    for (cell, help) in [
        ("queen", "write w:queen or b:queen"),
        ("QUEEN", "write w:queen or b:queen"),
        ("W:queen", "write w:queen or b:queen"),
        ("b:Queen", "write w:queen or b:queen"),
        ("w:quen", "did you mean 'queen'?"),
        ("quen", "did you mean 'queen'?"),
    ] {
        let found = remarks(&format!("@royal none\nqueen W\n\nboard:\n. {cell} .\n"));
        let help_of = |remark: &Diagnostic| (remark.code, remark.help.clone());
        let expected = (Code::UnknownPiece, Some(help.to_owned()));
        assert_eq!(found.iter().map(help_of).collect::<Vec<_>>(), [expected], "{cell}");
    }
}

#[test]
fn a_zone_needs_a_square_where_all_of_a_region_holds() {
    let of = |zone: &str| {
        codes(&format!("@royal none\np W promotion {zone} -> q\nq W\n@fen 4/4/4/4/4/4"))
    };
    for zone in
        ["t[ROW = 5]", "t[ROW = 6 | COL = 3]", "[COL < 4 & ROW > 4]", "t[ROW = 9]|[ROW = 0]"]
    {
        assert_eq!(of(zone), [], "{zone}");
    }
    for zone in ["t[ROW = 6]", "t[COL > 3]", "[ROW < 2 & ROW > 2]", "t[ROW = 5 & COL = 4]"] {
        assert_eq!(of(zone), [Code::EmptyZone], "{zone}");
    }
}
